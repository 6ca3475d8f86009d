"""Paths of files of this project, and the reader's copy of the paper."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
PROBLEMS = EXAMPLES / "problems"
XOR = str(PROBLEMS / "xor.json")
PAPER = os.environ.get("ORCA_EXACT_PAPER")
