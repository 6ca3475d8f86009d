"""Tests of the theory in Rocq as a set of files, and of the calls of ``coqc``."""

from __future__ import annotations

import os
import re
import signal

import pytest
from marks import not_windows

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


@not_windows
def test_an_interruption_stops_coqc(tmp_path, monkeypatch):
    """Otherwise the threads would wait for the files that are being compiled."""
    started, start = [], rocq._start_coqc

    def interrupt(message):
        raise KeyboardInterrupt

    program = tmp_path / "coqc"
    program.write_text("#!/bin/sh\nexec sleep 60\n")
    program.chmod(0o700)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setattr(rocq, "_start_coqc", lambda *args: started.append(start(*args)) or started[-1])
    with pytest.raises(KeyboardInterrupt):
        rocq.compile_theory(tmp_path, interrupt, 2)
    assert started and all(process.returncode == -signal.SIGKILL for process in started)
