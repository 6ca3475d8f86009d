"""Every step of writing a file fails once: the old file stays, or the new one is complete."""

from __future__ import annotations

import builtins
import gzip
import io
import os
import shutil
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from orca_exact.errors import BadFile
from orca_exact.files import formats
from orca_exact.runtime import cache

STEPS = [  # what a write asks of the operating system, by the names that Python gives it
    (io, "open"), (os, "mkdir"), (os, "replace"), (os, "rename"), (os, "chmod"), (os, "access"),
    (shutil, "copymode"), (builtins, "open"), (Path, "write_bytes"), (Path, "replace"), (Path, "resolve"),
]  # fmt: skip
FAULTS = [OSError(28, "No space left on device"), PermissionError(13, "Permission denied"), MemoryError()]


class Injection:
    """Make the n-th call of a function fail."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, n: int, fault: BaseException):
        self.original, self.left, self.fault, self.happened = getattr(owner, name), n, fault, False
        injection = self

        def call(*args: Any, **kwargs: Any) -> Any:
            injection.left -= 1
            if injection.left == 0:
                injection.happened = True
                if name == "write_bytes":  # half of the file is written before the disk is full
                    injection.original(args[0], args[1][: len(args[1]) // 2])
                raise injection.fault
            return injection.original(*args, **kwargs)

        monkeypatch.setattr(owner, name, call)


def inject(work: Callable[[], object], check: Callable[[], None]) -> int:
    """Repeat the work, each time with another call failing, until none fails; return how many failed."""
    failed = 0
    for owner, name in STEPS:
        for fault in FAULTS:
            for n in count(1):
                with pytest.MonkeyPatch.context() as monkeypatch:
                    injection = Injection(monkeypatch, owner, name, n, fault)
                    try:
                        work()
                    except (BadFile, MemoryError):
                        assert injection.happened
                if not injection.happened:
                    break
                failed += 1
                assert not formats.is_writing()
                check()
    return failed


@pytest.mark.parametrize("name", ["result.json", "result.json.gz"])
def test_a_write_that_fails_leaves_the_old_file_or_a_complete_new_one(tmp_path, name):
    target = tmp_path / name
    old, new = b"old" * 1000, b"new" * 1000

    def check() -> None:
        raw = target.read_bytes()
        assert (gzip.decompress(raw) if name.endswith(".gz") else raw) in (old, new)
        assert [path.name for path in tmp_path.iterdir()] == [name]  # nothing is left over
        formats.write(target, old)

    formats.write(target, old)
    assert inject(lambda: formats.write(target, new), check) >= 6


def test_a_write_in_place_would_be_noticed(tmp_path):
    target = tmp_path / "result.json"
    target.write_bytes(b"old")

    def work() -> None:
        try:
            target.write_bytes(b"new")
        except OSError:
            raise BadFile(target, "cannot be written", "choose another path") from None

    def check() -> None:
        assert target.read_bytes() in (b"old", b"new")

    with pytest.raises(AssertionError):
        inject(work, check)


def test_a_new_file_is_complete_or_absent(tmp_path):
    target = tmp_path / "new.json"

    def check() -> None:
        assert not target.exists() or formats.read_bytes(target) == b"new"
        target.unlink(missing_ok=True)
        assert not list(tmp_path.iterdir())

    assert inject(lambda: formats.write(target, b"new"), check) >= 4


def test_a_cache_that_cannot_be_written_changes_no_result(tmp_path, monkeypatch):
    monkeypatch.setenv("ORCA_EXACT_CACHE", str(tmp_path / "cache"))
    key = {"problem": "p"}
    cache.store_entry({"key": key, "value": "old"})

    def work() -> None:
        cache.store_entry({"key": key, "value": "new"})

    def check() -> None:
        assert cache.load_entry(key, lambda entry: entry["value"]) in ("old", "new", None)
        assert all(path.suffix == ".json" for path in (tmp_path / "cache").iterdir())

    assert inject(work, check) >= 4


def test_rows_that_are_appended_survive_a_fault(tmp_path):
    target = tmp_path / "rows.jsonl"
    formats.append_text(target, "1\n", first=True)

    def check() -> None:
        lines = target.read_text().splitlines()
        assert set(lines) <= {"1", "2"} and lines[0] == "1"

    assert inject(lambda: formats.append_text(target, "2\n", first=False), check) >= 1
