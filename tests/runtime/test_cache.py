"""The cache of results: its folder, its keys, damaged entries and permissions."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import flint
import pytest
from command import orca
from marks import not_windows

from orca_exact.files.formats import add_digest
from orca_exact.runtime import cache
from orca_exact.runtime.installation import installation_facts
from proofs_checks.verbs import tables as tables_verb

KEY = {"problem": "p", "digits": 50}
PACKAGES = sorted({p.parent.relative_to(cache.PACKAGE) for p in cache.PACKAGE.rglob("*.py")})
COMPUTING = [p for p in PACKAGES if not p.parts or p.parts[0] not in cache.NOT_COMPUTING]
code = cache.code_digest.__wrapped__


@pytest.fixture(autouse=True)
def own_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("ORCA_EXACT_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def copy(tmp_path):
    """Copy the package, so that it can be changed."""
    shutil.copytree(cache.PACKAGE, tmp_path / "copy", ignore=shutil.ignore_patterns("__pycache__", "*.json"))
    return tmp_path / "copy"


def test_folder(monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert cache.user_folder() == Path("/somewhere/orca-exact")
    monkeypatch.delenv("ORCA_EXACT_CACHE")
    assert cache.cache_folder() == Path("/somewhere/orca-exact/results")
    monkeypatch.setenv("ORCA_EXACT_CACHE", "/else")
    assert cache.cache_folder() == Path("/else")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/home/x")
    assert cache.user_folder() == Path("/home/x/.cache/orca-exact")


def test_there_are_packages_to_test():
    assert {"svm", "profile", "paths", "conformance"} <= {p.parts[0] for p in COMPUTING if p.parts}


@pytest.mark.parametrize("folder", COMPUTING, ids=str)
def test_every_module_that_computes_is_in_the_key(copy, folder):
    seen = {code(copy)}
    module = sorted((copy / folder).glob("*.py"))[-1]
    module.write_text(module.read_text() + "#")
    seen.add(code(copy))
    (copy / folder / "more.py").write_text("")
    seen.add(code(copy))
    (copy / folder / "new" / "folder").mkdir(parents=True)
    (copy / folder / "new" / "folder" / "more.py").write_text("")
    seen.add(code(copy))
    (copy / folder / "more.py").rename(copy / folder / "other.py")
    seen.add(code(copy))
    assert len(seen) == 5


def test_modules_that_compute_nothing_are_not_in_the_key(copy):
    before = code(copy)
    for folder in cache.NOT_COMPUTING:
        (copy / folder / "new").mkdir()
        for name in ("__init__.py", "more.py", "new/more.py"):
            (copy / folder / name).write_text("# altered")
    assert code(copy) == before


def test_the_version_of_flint_is_in_the_key(monkeypatch):
    before = code()
    monkeypatch.setattr(flint, "__version__", "0.0")
    assert code() != before


def test_store_and_load():
    assert cache.load_entry(KEY, dict) is None
    cache.store_entry({"key": KEY, "value": "1/3"})
    assert cache.load_entry(KEY, lambda entry: entry["value"]) == "1/3"
    assert cache.load_entry(KEY | {"digits": 40}, dict) is None
    assert cache.load_entry(KEY, lambda entry: entry["missing"]) is None
    with cache.cache_disabled():
        assert cache.load_entry(KEY, dict) is None
        cache.store_entry({"key": {"other": 1}})
    assert [p.name for p in cache.cache_folder().iterdir()] == [cache.entry_path(KEY).name]


@pytest.mark.parametrize(
    "damage",
    [
        lambda entry: [],
        lambda entry: None,
        lambda entry: {},
        lambda entry: entry | {"value": "1/2"},
        lambda entry: entry | {"key": {"problem": "q", "digits": 50}},
        lambda entry: {key: x for key, x in entry.items() if key != "sha256"},
        lambda entry: entry | {"sha256": "0" * 64},
        lambda entry: entry | {"sha256": None},
        lambda entry: add_digest({"key": KEY | {"digits": 40}, "value": "1/2"}),
    ],
    ids=["list", "null", "empty", "altered", "foreign", "unsealed", "zeros", "null seal", "another"],
)
def test_a_damaged_entry_counts_as_absent(damage):
    cache.store_entry({"key": KEY, "value": "1/3"})
    file = cache.entry_path(KEY)
    file.write_text(json.dumps(damage(json.loads(file.read_text()))))
    assert cache.load_entry(KEY, dict) is None
    file.write_bytes(b"\xff")
    assert cache.load_entry(KEY, dict) is None


# Permissions.


@not_windows
def test_only_this_user_may_write_to_the_folder():
    before = os.umask(0)
    try:
        cache.store_entry({"key": KEY, "value": "1/3"})
    finally:
        os.umask(before)
    assert cache.cache_folder().stat().st_mode & 0o777 == 0o700 and not cache.user_folder().exists()
    assert cache.load_entry(KEY, dict) is None  # with this umask everybody may write to the entry
    cache.entry_path(KEY).chmod(0o644)
    assert cache.load_entry(KEY, lambda entry: entry["value"]) == "1/3"


@not_windows
@pytest.mark.parametrize("mode", [0o720, 0o702, 0o777])
def test_a_folder_that_others_may_write_to_disables_the_cache(monkeypatch, mode):
    monkeypatch.setattr(tables_verb, "run", lambda args, out: 0)
    assert cache.why_unusable() == "" and cache.describe_cache().endswith("0 entries; usable")
    cache.store_entry({"key": KEY, "value": "1/3"})
    assert cache.why_unusable() == "" and cache.describe_cache().endswith("1 entries; usable")
    cache.cache_folder().chmod(mode)
    why = (
        f"{cache.cache_folder()}: has mode {mode:04o}, which lets other users write to it; "
        f"run 'chmod 700 {cache.cache_folder()}' if its content is yours"
    )
    assert cache.load_entry(KEY, dict) is None and cache.why_unusable() == why
    assert cache.describe_cache() == f"{cache.cache_folder()}: 1 entries; off: {why}"
    for words, count in (([], 1), (["--quiet"], 0), (["--no-cache"], 0)):
        _, _, err = orca("tables", "echocardiogram", *words)
        line = f"orca-exact: the cache is off, everything is computed again: {why}\n"
        assert err.count(line) == count
    assert installation_facts()["cache"] == cache.describe_cache()
    cache.store_entry({"key": KEY | {"digits": 40}, "value": "1/3"})
    assert len(list(cache.cache_folder().iterdir())) == 1
    cache.cache_folder().chmod(0o755)  # others may read the folder
    assert cache.why_unusable() == "" and cache.load_entry(KEY, dict) is not None


@not_windows
def test_a_folder_of_another_user(monkeypatch):
    cache.store_entry({"key": KEY, "value": "1/3"})
    user = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: user + 1)
    assert cache.load_entry(KEY, dict) is None
    assert cache.why_unusable() == (
        f"{cache.cache_folder()}: belongs to another user; set ORCA_EXACT_CACHE to a folder of your own"
    )


def test_a_system_without_user_numbers_uses_the_cache(monkeypatch):
    monkeypatch.delattr(os, "geteuid", raising=False)  # as on Windows, where mode bits mean nothing either
    cache.make_cache_folder()
    cache.cache_folder().chmod(0o777)
    assert cache.why_unusable() == ""
    cache.store_entry({"key": KEY, "value": "1/3"})
    assert cache.load_entry(KEY, lambda entry: entry["value"]) == "1/3"


@not_windows
def test_an_entry_that_others_may_write_to_is_ignored():
    cache.store_entry({"key": KEY, "value": "1/3"})
    cache.entry_path(KEY).chmod(0o666)
    assert cache.load_entry(KEY, dict) is None


def test_a_folder_that_cannot_be_created(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ORCA_EXACT_CACHE", str(tmp_path / "file" / "cache"))
    cache.store_entry({"key": KEY, "value": "1/3"})
    assert cache.load_entry(KEY, dict) is None
    assert cache.why_unusable().startswith(f"{tmp_path / 'file'}: is not a writable folder")
