"""Tests of the theory in Rocq as a set of files, and of the calls of ``coqc``."""

from __future__ import annotations

import re

import pytest

from orca_exact.rocq import compiler as rocq
from orca_exact.rocq import theory

needs_coqc = pytest.mark.skipif(not rocq.compiler(), reason="coqc was not found")


def test_a_file_comes_after_those_it_imports():
    """The order of compilation is derived from the imports, so each import must be recognised."""
    for place, file in enumerate(theory.file_order()):
        text = theory.theory_text(file)
        assert set(theory.imported_files(text)) <= set(theory.file_order()[:place])
        assert len(
            re.findall(r"^From Orca Require (?:Import|Export) [\w ]+\.$", text, re.MULTILINE)
        ) == text.count("Orca ")


@needs_coqc
def test_a_wrong_proof_is_an_error_in_one_line(tmp_path):
    (tmp_path / "Wrong.v").write_text("Theorem wrong : 0 = 1.\nProof. reflexivity. Qed.\n")
    printed, error = rocq.run_coqc(tmp_path / "Wrong.v", tmp_path)
    assert printed == "" and "Unable to unify" in error and "\n" not in error
    (tmp_path / "Right.v").write_text("Theorem right : 0 = 0.\nProof. reflexivity. Qed.\n"
                                      "Print Assumptions right.\n")  # fmt: skip
    assert rocq.run_coqc(tmp_path / "Right.v", tmp_path) == (rocq.CLOSED + "\n", "")
