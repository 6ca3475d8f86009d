"""Tests that every example runs in a new process and prints the expected text."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from here import EXAMPLES, ROOT
from marks import quick

DOCS = ROOT / "docs"
SHOWN = {
    "exact_polynomials.py": ["sqrt(6)*x/2", "closed form is True", "confluent form is True"],
    "certify_my_svc.py": [
        "digits of w are correct",
        "x1 and x2 together",
        "The largest share has total degree",
    ],
    "three_classes.py": [
        "nothing is proved",
        "3 problems; the indices are those of the certified optimum",
        "petal width (cm): ",
        "as seen by the SVC) was",
    ],
    "by_hand.py": ["6080/9003, by orca-exact  6080/9003, equal: True"],
    "primal_and_dual.py": ["primal: ", "dual: ", "50 digits of w are proved", "exact:"],
    "reference_and_crosscheck.py": ["HOLDS", "FAILS", "okc.order", "stage at fault: aggregation"],
    "gallery.py": ["iris-orders.svg", "wine-pairs.svg", "cancer-cumulative.svg", "roll-shapes.svg"],
    "profile_figure.py": ["decided by balls", "digits of w proved"],
    "overfitting.py": [
        "iris, versicolor and virginica (100 points, 4 columns)",
        "highest at n = 1, and lower by more than a standard error at n = 2. Interactions of more than half",
        "Spearman correlation of mean order and cv",
    ],
}
NEEDS = {
    "certify_my_svc.py": ["sklearn"],
    "three_classes.py": ["sklearn"],
    "overfitting.py": ["sklearn"],
    "profile_figure.py": ["matplotlib"],
    "gallery.py": ["sklearn", "matplotlib", "pandas"],
}


def test_every_example_is_known():
    assert {file.name for file in EXAMPLES.glob("*.py")} == SHOWN.keys()


def texts(picture: Path) -> list[str]:
    """Return the texts of an SVG file, which Matplotlib repeats as comments."""
    return re.findall(r"<!-- (.*?) -->", picture.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", quick(SHOWN, ("exact_polynomials.py", "by_hand.py")))
def test_example(name, tmp_path):
    for needed in NEEDS.get(name, []):
        pytest.importorskip(needed)
    done = subprocess.run(
        [sys.executable, EXAMPLES / name], cwd=tmp_path, capture_output=True, text=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    for words in SHOWN[name]:
        assert words in done.stdout
    if name == "gallery.py":  # docs/images/gallery shows what the script draws
        for drawn in (tmp_path / "gallery").iterdir():
            stored = DOCS / "images" / "gallery" / drawn.name
            assert texts(drawn) == texts(stored), f"python examples/gallery.py {stored.parent}"
    if name == "profile_figure.py":
        assert (tmp_path / "spiral.png").read_bytes().startswith(b"\x89PNG")
