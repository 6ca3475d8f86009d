"""The text of ``crosscheck`` on a wrong program."""

import sys
from pathlib import Path

import pytest
from command import orca

from orca_exact.cli.diagnosis import MAX_LINES

PROGRAM = Path(__file__).parents[2] / "examples" / "implementations" / "orca_sklearn.py"
FORMULA = " / np.sqrt(np.cumprod(steps[:, 1]))[:, None]"
VECTORS = [f"v{i:03}" for i in (1, 2, 39, 40, 203, 204, 216, 486)]


def run(folder: Path, *changes: tuple[str, str], vectors=VECTORS) -> tuple[int, str]:
    text = PROGRAM.read_text(encoding="utf-8")
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    file = folder / "wrong.py"
    file.write_text(text, encoding="utf-8")
    code, out, _ = orca("crosscheck", "--run", f"{sys.executable} {file}", "--vector", *vectors, "-j", "1")
    return code, out


@pytest.mark.parametrize(
    ("old", "new", "means"),
    [
        (FORMULA, "", "The kernel sums the monic pi_k"),
        ("np.sqrt(np.cumprod(steps[:, 1]))", "np.cumprod(steps[:, 1])", "The monic pi_k is divided by h_k"),
    ],
)
def test_a_missing_root_explains_the_failures(tmp_path, old, new, means):
    code, out = run(tmp_path, (old, new))
    assert code == 1 and "explains 7 of 7 failures" in out and means in out
    assert len(out.splitlines()) <= MAX_LINES
    assert out.index("likely bug") < out.index("v001: FAILS")


def test_what_a_bug_does_not_explain_has_a_reason(tmp_path):
    code, out = run(tmp_path, ("np.sqrt(np.cumprod(steps[:, 1]))", "np.cumprod(steps[:, 1])"),
                    ("K = (g * X @ X.T + r) ** p", "K = 2 * (g * X @ X.T + r) ** p"))  # fmt: skip
    assert code == 1 and "explains 7 of 8 failures" in out
    assert "  not 1: the kernel cannot have the bug" in out


def test_a_crash_is_shown_once_with_its_message(tmp_path):
    code, out = run(tmp_path, ("    m, d = X.shape\n", "    m, d = X.shap\n"))
    assert code == 5 and out.count("AttributeError") == 1
    assert "v001 and 2 more: FAILS: crash" in out and "and 4 more: FAILS: not run" in out
    assert "--verbose" not in out and len(out.splitlines()) <= 10
