"""Matplotlib figures as inline SVG that is small and uses the colours of the page.

Black, white and greys become shades of ``currentColor``, and the colours in TONES become variables of the
style sheet, so that a figure follows the light, dark and print themes. Colour maps are data and stay.
"""

from __future__ import annotations

import base64
import io
import re
from functools import partial
from itertools import groupby
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from ..experiments.figures import ORANGE, PURPLE, SERIES

TONES = {PURPLE: "purple", ORANGE: "orange"} | {tone: f"series-{k}" for k, tone in enumerate(SERIES)}
CAPTIONS = {  # title and description of each figure; formulas stand between dollars
    "fig1": (
        "Figure 1 of the paper, on our spiral",
        r"The Legendre classifier as $n$ grows. The colour is $g(\mathbf x)$, the thick line is $g=0$, the "
        r"thin lines are $g=\pm1$; circles are $y=1$, triangles $y={-1}$.",
    ),
    "fig2": (
        "Figure 2 of the paper, on our spiral",
        r"$n=12$ and twelve pairs $(\alpha,\beta)$, drawn as in Figure 1.",
    ),
    "spectra-spiral": (
        "Spectra, our spiral",
        r"$\mathrm{OKC}_N$ against the total degree $N$, one row for each $n$. Orange marks $N^*$; the grey "
        r"line is the spectrum for equal $c_{\mathbf k}^2$ on all modes except the constant one.",
    ),
    "spectra-echocardiogram": ("Spectra, echocardiogram", "Drawn as for the spiral."),
    "blocks-spiral": (
        "Blocks, our spiral",
        r"$\mathrm{OKC}_N^{(q)}$: interaction order $q$ against total degree $N$, at the largest $n$ of the "
        r"tables. Grey means that no mode has that $q$ and $N$.",
    ),
    "blocks-echocardiogram": (
        "Blocks, echocardiogram",
        r"$\mathrm{OKC}_N^{(q)}$ at $n=10$, drawn as for the spiral. Grey means that no mode has that $q$ "
        r"and $N$.",
    ),
    "pairs-echocardiogram": (
        "Shares of the norm by variable and pair, echocardiogram",
        r"$\mathrm{OKC}_i$ on the diagonal and $\mathrm{OKC}_{ij}$ below it, in per cent of $\|h\|^2$, on "
        r"one logarithmic scale. The title of each panel gives the share of the orders $q\le2$, which are "
        r"all that the panel shows.",
    ),
    "cumulative-spiral": (
        "Cumulative spectra, our spiral",
        r"$F(T)$ against $T/(dn)$; markers are $T_{0.10}$, $T_{0.05}$ and $T_{0.01}$, the dashed line is for "
        r"equal $c_{\mathbf k}^2$ on all modes except the constant one.",
    ),
    "cumulative-echocardiogram": ("Cumulative spectra, echocardiogram", "Drawn as for the spiral."),
}  # fmt: skip
HEAVY = 20_000  # characters of an image; a longer one is compressed as WebP
WEBP_QUALITY = 86
PIXEL = 5 / 3  # pixels per point: a quarter larger than on paper
NUMBER = re.compile(r"-?\d+\.\d+")
GREY = re.compile(r"#(..)\1\1")


def inline_svg(name: str, svg: bytes) -> str:
    """Return the drawing as an SVG element whose ids are unique on a page with other drawings."""
    text = svg.decode()
    short = "".join(word[0] + word[-1] for word in name.split("-"))
    used = dict.fromkeys(re.findall(r'(?:url\(|href=")#([\w.-]+)', text))
    names = {id: f"{short}{k}" for k, id in enumerate(used)}
    root = ElementTree.fromstring(text)
    for parent in list(root.iter()):
        for child in list(parent):
            if _bare(child.tag) in ("metadata", "style"):  # a style would apply to the whole page
                parent.remove(child)
    for node in root.iter():
        node.tag = _bare(node.tag)
        node.attrib = {_bare(key): value for key, value in node.attrib.items()}
        _clean(node, names)
    _flatten(root)
    caption = CAPTIONS.get(name, (name, ""))[0]
    points = {side: float(root.get(side, "0").removesuffix("pt")) for side in ("width", "height")}
    size = {side: str(round(length * PIXEL)) for side, length in points.items()}
    root.attrib = size | {"viewBox": root.get("viewBox", ""), "role": "img", "aria-label": caption}
    return re.sub(r">\s+<", "><", ElementTree.tostring(root, encoding="unicode"))


def _bare(name: str) -> str:
    return name.rpartition("}")[2]


def _clean(node: Element, names: dict[str, str]) -> None:
    """Rename ids, drop unused ones, shorten numbers, and replace colours by those of the page."""
    found = node.attrib
    if (id := found.pop("id", "")) in names:
        found["id"] = names[id]
    for key in ("d", "x", "y", "width", "height"):
        if key in found:
            found[key] = _path(NUMBER.sub(_short, found[key]))
    if "transform" in found:
        found["transform"] = re.sub(
            r"translate\([^)]*\)", lambda m: NUMBER.sub(_short, m[0]), found["transform"]
        )
    if "style" in found:
        found["style"] = ";".join(map(_coloured, found["style"].split(";")))
    if found.get("href", "").startswith("data:image/png"):
        found["href"] = _packed(found["href"])
    for key in ("href", "clip-path"):
        if key in found:
            found[key] = re.sub(r"#([\w.-]+)", lambda m: "#" + names[m[1]], found[key])


def _short(number: re.Match) -> str:
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".").replace("-0.", "-.").removeprefix("0") or "0"


def _path(data: str) -> str:
    return re.sub(r"\s*([A-Za-z])\s*", r"\1", " ".join(data.split()))


def _coloured(rule: str) -> str:
    """Return 'fill:currentColor;fill-opacity:0.45' for 'fill: #8c8c8c'."""
    key, _, value = (part.strip() for part in rule.partition(":"))
    if value == "#ffffff":
        value = "none"
    elif grey := GREY.fullmatch(value):
        shade = 1 - int(grey[1], 16) / 255
        return f"{key}:currentColor" + (f";{key}-opacity:{shade:.2f}" if shade < 1 else "")
    elif value in TONES:
        value = f"var(--{TONES[value]})"
    return f"{key}:{value}"


def _packed(uri: str) -> str:
    """Return an image as a data URI, compressed if it is long."""
    data = "".join(uri.partition(",")[2].split())
    if len(data) < HEAVY:
        return f"data:image/png;base64,{data}"
    from PIL import Image

    packed = io.BytesIO()
    with Image.open(io.BytesIO(base64.b64decode(data))) as image:
        image.convert("RGB").save(packed, "WEBP", quality=WEBP_QUALITY, method=6)
    return f"data:image/webp;base64,{base64.b64encode(packed.getvalue()).decode()}"


def _flatten(node: Element) -> None:
    """Remove groups without attributes, and group neighbours that share a style."""
    children: list[Element] = []
    for child in node:
        _flatten(child)
        bare = child.tag == "g" and not child.attrib
        children += list(child) if bare else [child]
    node[:] = []
    for shared, run in groupby(children, key=partial(_look, ("style", "clip-path"))):
        own = list(run)
        if len(own) > 2 and shared and node.tag in ("svg", "g"):
            group = ElementTree.SubElement(node, "g", shared)
            for child in own:
                child.attrib = {key: value for key, value in child.attrib.items() if key not in shared}
            group.extend(own)
        else:
            node.extend(own)


def _look(keys: tuple[str, ...], node: Element) -> dict[str, str]:
    return {key: node.attrib[key] for key in keys if key in node.attrib}
