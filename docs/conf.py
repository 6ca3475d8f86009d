"""Configuration of Sphinx: Markdown by MyST, formulas as MathML, no files loaded from the network."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import generate  # noqa: E402

from orca_exact import __author__, __version__  # noqa: E402

project, author = "orca-exact", __author__
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
myst_heading_anchors = 3  # the anchors that code hosts generate

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_class_signature = "mixed"
autodoc_type_aliases = {"Number": "Number"}
python_display_short_literal_types = True
python_use_unqualified_type_names = True
maximum_signature_line_length = 90

# Intersphinx reads the inventory that each project publishes, or, if that is not available, the short one in
# docs/inventories with the names that our pages use. ``sphinx-build -t offline`` uses only the latter.
online: tuple = () if tags.has("offline") else (None,)  # type: ignore[name-defined]  # noqa: F821
projects = {
    "cvxpy": "https://www.cvxpy.org/",
    "mpmath": "https://mpmath.org/doc/current/",
    "numpy": "https://numpy.org/doc/stable/",
    "python": "https://docs.python.org/3/",
    "sklearn": "https://scikit-learn.org/stable/",
    "sympy": "https://docs.sympy.org/latest/",
}
intersphinx_mapping = {
    name: (address, (*online, f"inventories/{name}.txt")) for name, address in projects.items()
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


def expand_marks(app: Any, name: str, source: list[str]) -> None:
    """Replace the marks of a page by the generated text."""
    source[0] = generate.expand(source[0])


def outdated(app: Any, env: Any, added: set, changed: set, removed: set) -> list[str]:
    """Return the pages with a mark, which depend on the code and not only on their file."""
    return [
        name for name in env.found_docs if generate.MARK.search(Path(env.doc2path(name)).read_text("utf-8"))
    ]


def escape_markup(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Escape characters such as those of |w|, w* and profile_, which docstrings do not use as markup."""
    example = False
    for i, line in enumerate(lines):
        example = bool(line.strip()) and (example or line.lstrip().startswith(">>>"))
        if not example:
            parts = re.split(r"(``.*?``)", line)
            parts[::2] = [re.sub(r"([*|\\]|\b_|_\b|`)", r"\\\1", part) for part in parts[::2]]
            lines[i] = "".join(parts)


def shorten_aliases(
    app: Any, what: str, name: str, obj: Any, options: Any, signature: str | None, returns: str | None
) -> tuple[str | None, str | None]:
    """Show the alias Number instead of the types that it stands for."""
    alias = re.compile(r"TypeAliasForwardRef\('(\w+)'\)")
    return signature and alias.sub(r"\1", signature), returns and alias.sub(r"\1", returns)


def mathml(display: str) -> tuple[Any, None]:
    """Return the functions with which Sphinx writes a formula as MathML, so that pages need no script.

    Commands for bold and similar letters need braces around the letter to be converted to one character.
    """

    def visit(writer: Any, node: Any) -> None:
        from docutils.nodes import SkipNode
        from latex2mathml.converter import convert

        braced = re.sub(r"\\(mathbf|mathbb|mathcal|boldsymbol)\s+(\w)", r"\\\1{\2}", node.astext().strip())
        writer.body.append(convert(braced, display=display))
        raise SkipNode

    return visit, None


def setup(app: Any) -> dict[str, bool]:
    app.connect("source-read", expand_marks)
    app.connect("env-get-outdated", outdated)
    app.connect("autodoc-process-docstring", escape_markup)
    app.connect("autodoc-process-signature", shorten_aliases)
    app.add_html_math_renderer("mathml", mathml("inline"), mathml("block"))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
