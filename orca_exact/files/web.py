"""Shared parts of the HTML pages: the style sheet and the Jinja environment.

The pages need no other file. The style sheet has a light and a dark theme; its classes HOLDS, FAILS,
UNDECIDED and SKIPPED are the outcomes.
"""

from __future__ import annotations

from typing import Any

from ..errors import PackageMissing

REPORT_EXTRA = "orca-exact[report]"
STYLE_SHEET = """\
:root {
  color-scheme: light dark;
  --page: light-dark(#ffffff, #14171b); --card: light-dark(#f6f7f9, #1d2228);
  --ink: light-dark(#1c2126, #e6e9ed); --soft: light-dark(#545d68, #a9b2bd);
  --line: light-dark(#d5dae1, #363d47); --link: light-dark(#0b57d0, #8ab4f8);
  --focus: light-dark(#0b57d0, #8ab4f8);
  --good: light-dark(#146c2e, #86d996); --good-back: light-dark(#e3f4e6, #16301d);
  --bad: light-dark(#b3261e, #ffb4ab); --bad-back: light-dark(#fde7e5, #451b18);
  --open: light-dark(#7a4f01, #f2c766); --open-back: light-dark(#fdf1d3, #3a2c0c);
  --none: light-dark(#545d68, #a9b2bd); --none-back: light-dark(#eceff3, #2a3038);
}
:root[data-theme="light"] { color-scheme: only light; }
:root[data-theme="dark"] { color-scheme: only dark; }
* { box-sizing: border-box; }
html { scroll-padding-top: 4.5rem; }
body {
  margin: 0; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
main, header > div, nav > div, footer { max-width: 72rem; margin: 0 auto; padding: 0 1rem; }
a { color: var(--link); }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
code, .mono {
  font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: .88em;
}
pre {
  background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: .6rem .8rem;
  overflow-x: auto;
}
h1 { font-size: 1.7rem; line-height: 1.2; margin: 1.6rem 0 .3rem; }
h2 {
  font-size: 1.3rem; margin: 2.6rem 0 .6rem; padding-bottom: .25rem;
  border-bottom: 1px solid var(--line);
}
h3 { font-size: 1.02rem; margin: 1.5rem 0 .4rem; }
h3 .count { color: var(--soft); font-weight: 400; }
.soft { color: var(--soft); }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--page); padding: .5rem; z-index: 9; }
.tiles {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: .7rem;
  margin: 1rem 0; padding: 0; list-style: none;
}
.tiles li {
  border: 1px solid var(--line); border-left-width: 6px; border-radius: 8px; padding: .5rem .8rem;
  background: var(--card);
}
.tiles b { display: block; font-size: 1.7rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.HOLDS, .confirmed { --tone: var(--good); --back: var(--good-back); }
.FAILS, .refuted, .unexpected { --tone: var(--bad); --back: var(--bad-back); }
.UNDECIDED, .undecided { --tone: var(--open); --back: var(--open-back); }
.SKIPPED { --tone: var(--none); --back: var(--none-back); }
.tiles li { border-left-color: var(--tone, var(--line)); }
.tiles b { color: var(--tone, var(--ink)); }
.verdict {
  display: inline-block; min-width: 7.4em; padding: 0 .5em; border-radius: 4px; font-size: .8rem;
  font-weight: 600;
  line-height: 1.6; color: var(--tone); background: var(--back); white-space: nowrap;
}
.verdict.small { min-width: 0; }
summary > .verdict { align-self: start; }
sub, sup { line-height: 0; }
.notice {
  border: 1px solid var(--open); background: var(--open-back); border-radius: 8px; padding: .6rem .9rem;
  margin: 1rem 0;
}
.notice.bad { border-color: var(--bad); background: var(--bad-back); }
summary { cursor: pointer; padding: .4rem .7rem; border-radius: 6px; }
summary:hover { background: var(--card); }
.scroll {
  overflow-x: auto; margin: .8rem 0 1.6rem;
  background: linear-gradient(to left, var(--page) 30%, transparent) right / 2.5rem 100% no-repeat local,
  linear-gradient(to left, var(--line), transparent) right / 1rem 100% no-repeat scroll;
  /* there is more */;
}
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; }
caption .soft { font-weight: 400; }
.scroll caption { position: sticky; left: 0; width: min(100%, calc(100vw - 2rem)); }
th, td {
  padding: .25rem .55rem; text-align: right; vertical-align: top; border-bottom: 1px solid var(--line);
}
thead th { border-bottom: 2px solid var(--soft); vertical-align: bottom; white-space: nowrap; }
th[scope="row"] { font-weight: 600; }
.scroll th:first-child { position: sticky; left: 0; z-index: 1; background: var(--page); }
footer { color: var(--soft); font-size: .88rem; padding-top: 2rem; padding-bottom: 3rem; }
"""


def jinja_environment(*templates: str) -> Any:
    """Return a Jinja environment that escapes HTML and rejects undefined names.

    Parameters
    ----------
    *templates : str
        The package of the templates and their folder in it; none for templates from strings.

    Raises
    ------
    PackageMissing
        If Jinja2 is not installed.
    """
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ImportError:
        raise PackageMissing("Jinja2", REPORT_EXTRA) from None
    from markupsafe import Markup

    environment = Environment(
        loader=PackageLoader(*templates) if templates else None,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["style_sheet"] = Markup(STYLE_SHEET)
    return environment
