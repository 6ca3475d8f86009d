r"""Plain text with formulas such as ``T_eps <= OKC^(2)``, typeset in HTML and in LaTeX.

>>> to_html("T_eps <= OKC^(2)")
'T<sub>ε</sub> ≤ OKC<sup>(2)</sup>'
>>> print(to_latex("T_eps <= OKC^(2) for 50 % of the n >= 8 & more"))
$T_{\varepsilon} \le \mathrm{OKC}^{(2)}$ for 50 \% of the $n \ge 8$ \& more
>>> print(to_latex("||h||^2 = 1 at N* = 3, c_(1,1) != 0 and (alpha, beta) = (2.5, 1.2)"))
$\|h\|^{2} = 1$ at $N^{*} = 3$, $c_{(1,1)} \ne 0$ and $(\alpha, \beta) = (2.5, 1.2)$
"""

from __future__ import annotations

import re
from html import escape

from orca_exact.files.escaping import for_latex

GREEK = {"alpha": "α", "beta": "β", "delta": "δ", "eps": "ε", "kappa": "κ", "lambda": "λ", "mu": "μ",
         "pi": "π", "sigma": "σ", "theta": "θ", "Gamma": "Γ"}  # fmt: skip
SIGNS = {"<=": "≤", ">=": "≥", "!=": "≠", "->": "→", "||": "‖", "sum_": "Σ_", " * ": " · ", " - ": " − "}
COMMANDS = {"<=": r"\le", ">=": r"\ge", "!=": r"\ne", "≠": r"\ne", "≤": r"\le", "≥": r"\ge", "->": r"\to",
            "−": "-", "*": r"\cdot", "±": r"\pm"}  # fmt: skip
WORD = rf"(?<![\w-])(?:{'|'.join(GREEK)})(?![\w-])"
SCRIPT = r"(?:_(?:\{[^{}]*\}|\([^()]*\)|\d+\.\d+|\w+))?(?:\^(?:\([^()]*\)|\{[^{}]*\}|-?\w+))?"
SYMBOL = rf"(?:OKC|(?<![\w-])[A-Za-z])(?=[_^]){SCRIPT}"
ARGUMENT = r"\((?:\w+|[A-Za-z]_\w+)\)"
ATOM = (  # a norm, a symbol with its scripts, a function of something, a bracket, a number, a letter
    rf"(?:\|\|\w\|\|{SCRIPT}|\|[^|\s][^|]*\||(?<![\w-])[A-Za-z]{ARGUMENT}|{SYMBOL}(?:{ARGUMENT})?|(?<!\w)N\*|{WORD}"
    rf"|\(\w+ ?[+-] ?\w+\){SCRIPT}|\((?:-?[\d.]+|{WORD})(?:, (?:-?[\d.]+|{WORD}))+\)|\.\.\."
    rf"|(?<![\w.])-?\d+(?:\.\d+)*(?:e-?\d+|[a-z])?\b(?:\^-?\w+)?|(?<![\w'])[A-Zb-z](?![\w'-]))"
)
SIGN = r"(?:<=|>=|!=|->|[<>=+≠≤≥±/*−-])"
FORMULA = re.compile(rf"{ATOM}(?: ?{SIGN} ?{ATOM})*")
SURE = re.compile(
    rf"[_^*|]|{SIGN}|{WORD}|\(.|^\d+[a-z]$|^[B-HJ-Zb-z]$"
)  # a lone number, A, I and a stay text


def to_html(text: str) -> str:
    """Return plain text as HTML, with sub- and superscripts, Greek letters and mathematical signs."""
    for written, meant in SIGNS.items():
        text = text.replace(written, meant)
    text = re.sub(rf"(?<![A-Za-z-])(?:{'|'.join(GREEK)})(?![A-Za-z-])", lambda m: GREEK[m[0]], text)
    text = escape(re.sub(r"(?<![\w-])-(?=\d)", "−", text))
    text = re.sub(
        r"\b(OKC|[^\W\d_])_(?:\{([^{}]*)\}|(\([^()]*\)|\d+\.\d+|\w+))",
        lambda m: f"{m[1]}<sub>{m[2] or m[3]}</sub>",
        text,
    )
    text = re.sub(r"(?<=[\w>|‖)])\^(\([^()]*\)|-?\w+)", r"<sup>\1</sup>", text)
    return re.sub(r"\bN\*", "N<sup>*</sup>", text)


def to_latex(text: str) -> str:
    """Return plain text as LaTeX: formulas between dollars, everything else escaped."""
    parts, last = [], 0
    for found in FORMULA.finditer(text):
        if SURE.search(found[0]):
            parts += [for_latex(text[last : found.start()]), f"${_formula(found[0])}$"]
            last = found.end()
    return "".join([*parts, for_latex(text[last:])])


def _formula(text: str) -> str:
    """Return one formula in LaTeX."""
    text = text.replace("N*", "N^{*}").replace("||", r"\|")
    text = re.sub(r"([_^])(\([^()]*\)|-?\w+\.\d+|-?\w+)", r"\1{\2}", text)
    text = re.sub(rf"(?<![A-Za-z\\])(?:{'|'.join(GREEK)})(?![A-Za-z])", lambda m: rf"\{m[0]}", text)
    text = text.replace(r"\eps", r"\varepsilon").replace("OKC", r"\mathrm{OKC}")
    text = text.replace("...", r"\dots")
    return re.sub(rf" ({SIGN}) ", lambda m: f" {COMMANDS.get(m[1], m[1])} ", text)
