"""Sphinx: Markdown by MyST, mathematics as MathML, nothing loaded from a network."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import generate  # noqa: E402

from orca_exact import __version__  # noqa: E402

project, author = "orca-exact", "the orca-exact authors"
release = version = __version__
extensions = [
    "myst_parser",
    "sphinx.ext.napoleon",
    "sphinx.ext.autodoc",
    "sphinx.ext.intersphinx",
    "sphinx_copybutton",
]
exclude_patterns = ["measured/*", "images/*", "inventories/*"]
root_doc = "index"
smartquotes = False

myst_enable_extensions = ["attrs_block", "dollarmath"]
myst_heading_anchors = 3  # as code hosts make them

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_class_signature = "mixed"
autodoc_type_aliases = {"Number": "Number"}
python_display_short_literal_types = True
python_use_unqualified_type_names = True
maximum_signature_line_length = 90

# The inventory that the project itself publishes if it answers, else the names we use, as shipped here: links
# work either way. ``sphinx-build -t offline`` does not ask.
asked: tuple = () if tags.has("offline") else (None,)  # type: ignore[name-defined]  # noqa: F821
projects = {
    "cvxpy": "https://www.cvxpy.org/",
    "mpmath": "https://mpmath.org/doc/current/",
    "numpy": "https://numpy.org/doc/stable/",
    "python": "https://docs.python.org/3/",
    "sklearn": "https://scikit-learn.org/stable/",
    "sympy": "https://docs.sympy.org/latest/",
}
intersphinx_mapping = {
    name: (address, (*asked, f"inventories/{name}.txt")) for name, address in projects.items()
}
intersphinx_timeout = 5

html_theme = "furo"
html_title = "orca-exact"
html_copy_source = False
html_show_copyright = False
html_math_renderer = "mathml"
html_static_path = ["static"]
html_css_files = ["site.css"]
copybutton_selector = "div:not(.highlight-text) > div.highlight > pre"
copybutton_prompt_text = "$ "


def put_in(app: Any, name: str, source: list[str]) -> None:
    """What the marks of a page stand for."""
    source[0] = generate.expand(source[0])


def outdated(app: Any, env: Any, added: set, changed: set, removed: set) -> list[str]:
    """Pages with a mark follow the code, not their file."""
    return [
        name for name in env.found_docs if generate.MARK.search(Path(env.doc2path(name)).read_text("utf-8"))
    ]


def plain(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Docstrings are text with ``code`` in it: |w|, w* and profile_ are no markup of reStructuredText."""
    example = False
    for i, line in enumerate(lines):
        example = bool(line.strip()) and (example or line.lstrip().startswith(">>>"))
        if not example:
            parts = re.split(r"(``.*?``)", line)
            parts[::2] = [re.sub(r"([*|\\]|\b_|_\b|`)", r"\\\1", part) for part in parts[::2]]
            lines[i] = "".join(parts)


def named(
    app: Any, what: str, name: str, obj: Any, options: Any, signature: str | None, returns: str | None
) -> tuple[str | None, str | None]:
    """Number, not the nine types that it stands for, nor how Sphinx writes that it stands for them."""
    alias = re.compile(r"TypeAliasForwardRef\('(\w+)'\)")
    return signature and alias.sub(r"\1", signature), returns and alias.sub(r"\1", returns)


def mathml(display: str) -> tuple[Any, None]:
    """A writer of formulas: nothing is left to a script. (Bold letters are characters only if in braces.)"""

    def visit(writer: Any, node: Any) -> None:
        from docutils.nodes import SkipNode
        from latex2mathml.converter import convert

        braced = re.sub(r"\\(mathbf|mathbb|mathcal|boldsymbol)\s+(\w)", r"\\\1{\2}", node.astext().strip())
        writer.body.append(convert(braced, display=display))
        raise SkipNode

    return visit, None


def setup(app: Any) -> dict[str, bool]:
    app.connect("source-read", put_in)
    app.connect("env-get-outdated", outdated)
    app.connect("autodoc-process-docstring", plain)
    app.connect("autodoc-process-signature", named)
    app.add_html_math_renderer("mathml", mathml("inline"), mathml("block"))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
