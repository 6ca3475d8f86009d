"""The cache of results: where it is, what its key names, and that a damaged entry counts as absent."""

from __future__ import annotations

import json
import os
import shutil
from io import StringIO
from pathlib import Path

import flint
import pytest

from orca_exact.cli.parser import parser, run
from orca_exact.files import formats
from orca_exact.files.formats import sealed
from orca_exact.runtime import cache
from orca_exact.runtime.installation import facts
from proofs_checks.verbs import tables as tables_verb

KEY = {"problem": "p", "digits": 50}
PACKAGES = sorted({p.parent.relative_to(cache.PACKAGE) for p in cache.PACKAGE.rglob("*.py")})
COMPUTING = [p for p in PACKAGES if not p.parts or p.parts[0] not in cache.SPEAKING]
code = cache.code.__wrapped__


@pytest.fixture(autouse=True)
def own_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("ORCA_EXACT_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def copy(tmp_path):
    """The package again, to be altered."""
    shutil.copytree(cache.PACKAGE, tmp_path / "copy", ignore=shutil.ignore_patterns("__pycache__", "*.json"))
    return tmp_path / "copy"


def test_where_it_is(monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert cache.user_folder() == Path("/somewhere/orca-exact")
    monkeypatch.delenv("ORCA_EXACT_CACHE")
    assert cache.folder() == Path("/somewhere/orca-exact/results")
    monkeypatch.setenv("ORCA_EXACT_CACHE", "/else")
    assert cache.folder() == Path("/else")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/home/x")
    assert cache.user_folder() == Path("/home/x/.cache/orca-exact")


def test_there_are_rooms_to_look_into():
    assert {"svm", "profile", "conformance", "numbers"} <= {p.parts[0] for p in COMPUTING if p.parts}


@pytest.mark.parametrize("room", COMPUTING, ids=str)
def test_every_module_that_computes_is_in_the_key(copy, room):
    seen = {code(copy)}
    module = sorted((copy / room).glob("*.py"))[-1]
    module.write_text(module.read_text() + "#")
    seen.add(code(copy))
    (copy / room / "more.py").write_text("")
    seen.add(code(copy))
    (copy / room / "new" / "room").mkdir(parents=True)
    (copy / room / "new" / "room" / "more.py").write_text("")
    seen.add(code(copy))
    (copy / room / "more.py").rename(copy / room / "other.py")
    seen.add(code(copy))
    assert len(seen) == 5


def test_what_only_speaks_is_not(copy):
    before = code(copy)
    for room in cache.SPEAKING:
        (copy / room / "new").mkdir()
        for name in ("__init__.py", "more.py", "new/more.py"):
            (copy / room / name).write_text("# altered")
    assert code(copy) == before


def test_the_version_of_flint_is_in_the_key(monkeypatch):
    before = code()
    monkeypatch.setattr(flint, "__version__", "0.0")
    assert code() != before


def test_stored_and_found():
    assert cache.load(KEY, dict) is None
    cache.store({"key": KEY, "value": "1/3"})
    assert cache.load(KEY, lambda entry: entry["value"]) == "1/3"
    assert cache.load(KEY | {"digits": 40}, dict) is None
    assert cache.load(KEY, lambda entry: entry["missing"]) is None
    with cache.no_disk():
        assert cache.load(KEY, dict) is None
        cache.store({"key": {"other": 1}})
    assert [p.name for p in cache.folder().iterdir()] == [cache.file(KEY).name]


@pytest.mark.parametrize(
    "damage",
    [
        lambda entry: [],
        lambda entry: None,
        lambda entry: {},
        lambda entry: entry | {"value": "1/2"},
        lambda entry: entry | {"key": {"problem": "q", "digits": 50}},
        lambda entry: {key: x for key, x in entry.items() if key != "mac"},
        lambda entry: entry | {"mac": "0" * 64},
        lambda entry: entry | {"mac": "é"},
        lambda entry: entry | {"mac": None},
        lambda entry: sealed({"key": KEY, "value": "1/2"}),
    ],
    ids=["list", "null", "empty", "altered", "foreign", "unsigned", "zeros", "letters", "null mac", "sealed"],
)
def test_a_damaged_entry_counts_as_absent(damage):
    cache.store({"key": KEY, "value": "1/3"})
    file = cache.file(KEY)
    file.write_text(json.dumps(damage(json.loads(file.read_text()))))
    assert cache.load(KEY, dict) is None
    file.write_bytes(b"\xff")
    assert cache.load(KEY, dict) is None


# The secret.


def secret() -> Path:
    return cache.user_folder() / "secret"


def forge(value: str, key: bytes) -> None:
    """An entry as the program would write it, under another secret."""
    entry = {"key": KEY, "value": value}
    cache.folder().mkdir(parents=True, exist_ok=True)
    cache.file(KEY).write_text(json.dumps(entry | {"mac": cache._mac(entry, key)}))


def test_the_secret_is_the_users_alone():
    assert cache.load(KEY, dict) is None and not secret().exists()
    cache.store({"key": KEY, "value": "1/3"})
    about = secret().stat()
    assert about.st_mode & 0o777 == 0o600 and about.st_size == cache.SECRET
    assert [p.name for p in secret().parent.iterdir()] == ["secret"]
    before = secret().read_bytes()
    cache.store({"key": KEY | {"digits": 40}, "value": "1/3"})
    assert secret().read_bytes() == before


@pytest.mark.skipif(os.name != "posix", reason="there are no modes of files")
def test_a_secret_that_others_may_read_turns_the_cache_off_and_is_told(monkeypatch):
    monkeypatch.setattr(tables_verb, "run", lambda args, out: 0)
    assert cache.obstacle() == "" and cache.state().endswith("0 entries; secret made on first use; usable")
    cache.store({"key": KEY, "value": "1/3"})
    assert cache.obstacle() == "" and cache.state().endswith("1 entries; secret mode 0600; usable")
    secret().chmod(0o644)
    why = f"{secret()}: has mode 0644, so that others may use it; remove it; it will be made again"
    assert cache.load(KEY, dict) is None and cache.obstacle() == why
    assert cache.state() == f"{cache.folder()}: 1 entries; secret mode 0644; off: {why}"
    for words, told in (([], 1), (["--quiet"], 0), (["--no-cache"], 0)):
        err = StringIO()
        run(parser("tables").parse_args(["tables", "echocardiogram", *words]), StringIO(), err)
        line = f"orca-exact: the cache is off, everything is computed again: {why}\n"
        assert err.getvalue().count(line) == told
    assert facts()["cache"] == cache.state()
    secret().unlink()
    secret().parent.chmod(0o700)
    assert cache.obstacle() == ""


def test_an_invented_entry_is_not_believed():
    forge("2/3", b"")
    assert cache.load(KEY, dict) is None
    cache.store({"key": KEY | {"digits": 40}})
    for key in (b"", bytes(cache.SECRET), b"guess"):
        forge("2/3", key)
        assert cache.load(KEY, dict) is None
    forge("2/3", secret().read_bytes())
    assert cache.load(KEY, dict) == {"key": KEY, "value": "2/3"}


def test_another_machine_or_user_is_not_believed(monkeypatch, tmp_path):
    cache.store({"key": KEY, "value": "1/3"})
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "other"))
    assert cache.load(KEY, dict) is None
    cache.store({"key": KEY | {"digits": 40}})
    assert cache.load(KEY, dict) is None


@pytest.mark.parametrize(
    "spoil",
    [
        lambda file: file.chmod(0o644),
        lambda file: file.write_bytes(b"short"),
        lambda file: file.write_bytes(bytes(99)),
        lambda file: (file.unlink(), file.mkdir()),
        lambda file: (file.rename(file.with_name("real")), file.symlink_to("real")),
        lambda file: (file.unlink(), os.mkfifo(file)),
    ],
    ids=["readable by others", "short", "long", "folder", "link", "pipe"],
)
def test_a_secret_that_is_not_one_means_no_cache(spoil):
    cache.store({"key": KEY, "value": "1/3"})
    spoil(secret())
    assert cache.load(KEY, dict) is None
    cache.store({"key": KEY | {"digits": 40}, "value": "1/3"})
    assert len(list(cache.folder().iterdir())) == 1


def test_of_another_user(monkeypatch):
    cache.store({"key": KEY, "value": "1/3"})
    monkeypatch.setattr(os, "geteuid", lambda: secret().stat().st_uid + 1)
    assert cache.load(KEY, dict) is None


def test_a_home_that_cannot_be_written_means_no_cache(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    cache.store({"key": KEY, "value": "1/3"})
    assert cache.load(KEY, dict) is None and not cache.folder().exists()


def test_of_two_that_make_the_secret_one_wins(monkeypatch):
    """The other finds it made between looking and making, and takes it."""
    make = formats.write_private

    def late(path, raw):
        make(path, bytes(range(cache.SECRET)))
        make(path, raw)

    monkeypatch.setattr(formats, "write_private", late)
    cache.store({"key": KEY, "value": "1/3"})
    assert secret().read_bytes() == bytes(range(cache.SECRET))
    assert cache.load(KEY, lambda entry: entry["value"]) == "1/3"
    assert [p.name for p in secret().parent.iterdir()] == ["secret"]
