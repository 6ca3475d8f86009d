"""Reading files, messages about bad files, schemas, and atomic writes."""

from __future__ import annotations

import ast
import gzip
import io
import os
import subprocess
import sys
import threading
import zipfile
from pathlib import Path

import jsonschema
import pytest
from command import orca
from here import ROOT, XOR
from marks import not_windows

from orca_exact import checker
from orca_exact.errors import BadFile, BadParameter
from orca_exact.files import formats, validation
from orca_exact.files.formats import parse, read, read_documents, write, write_json
from orca_exact.files.validation import schema, validate
from orca_exact.runtime import cache
from orca_exact.table import Table
from proofs_checks.experiments import datasets, figures

GOOD = {"X": [["0"], ["1/2"], ["1"]], "y": [1, -1, 1], "n": 2, "alpha": "0", "beta": "0"}


def without(key):
    return {name: value for name, value in GOOD.items() if name != key}


# Reading.


def test_one_document_or_json_lines(tmp_path):
    file = tmp_path / "f"
    for several in ([{"a": 1}], [{"a": 1}, {"b": [2]}, "c"]):
        write_json(file, *several)
        assert [data for _, data in read_documents(file)] == several
    assert [place for place, _ in read_documents(file)] == [f"{file}:{i}" for i in (1, 2, 3)]
    file.write_bytes(b'\xef\xbb\xbf{"a":\r\n 1}\r\n')
    assert read_documents(file) == [(str(file), {"a": 1})] and read(file) == {"a": 1}
    file.write_text('{"a": 1}\n{"b": \n')
    with pytest.raises(BadFile, match=r"f:2: is not JSON.*truncated"):
        read_documents(file)


def test_compressed_files(tmp_path):
    """Reading recognises gzip by the first bytes, writing by the name; the output is reproducible."""
    plain, packed, other = (tmp_path / name for name in ("f.json", "f.json.gz", "g.json.gz"))
    for several in ([{"a": 1}], [{"a": 1}, {"b": [2]}, "c"]):
        for file in (plain, packed, other):
            write_json(file, *several)
            assert [data for _, data in read_documents(file)] == several
        assert gzip.decompress(packed.read_bytes()) == plain.read_bytes()
        assert packed.read_bytes() == other.read_bytes()
        assert packed.read_bytes()[:10] == bytes.fromhex("1f8b08000000000000ff")  # no name, no time
    plain.write_bytes(gzip.compress(b"[1]") + gzip.compress(b" "))
    assert read(plain) == [1]
    packed.write_text("[2]")
    assert read(packed) == [2]


def test_damaged_compressed_files(tmp_path, monkeypatch):
    file = tmp_path / "f.json.gz"
    write_json(file, GOOD)
    raw = file.read_bytes()
    for spoiled in (raw[:-1], raw[:3], raw[:40] + b"\xff" + raw[41:], raw + b"x", raw[:-8] + bytes(8)):
        file.write_bytes(spoiled)
        with pytest.raises(
            BadFile, match=r"f\.json\.gz: begins like a gzip file but is damaged or truncated; create"
        ):
            read(file)
    monkeypatch.setattr(formats, "_MAX_BYTES", 2**20)
    file.write_bytes(gzip.compress(b"[" + b" " * 2**20))
    for reader in (read, read_documents):
        with pytest.raises(BadFile, match=r"f\.json\.gz: decompresses to more than the limit of 1 MB; give"):
            reader(file)


class Endless:
    """An endless stream that counts the bytes read from it."""

    count = 0

    def read(self, size: int = -1) -> bytes:
        assert size >= 0, "read without a limit"
        self.count += size
        return b"0" * size


def test_a_file_is_read_up_to_the_limit(tmp_path, monkeypatch):
    monkeypatch.setattr(formats, "_MAX_BYTES", 3000)
    file = tmp_path / "f.json"
    for reader in (formats.read_bytes, read, read_documents, Table.read):
        file.write_bytes(b" " * 2999 + b"1\n")
        with pytest.raises(BadFile, match=r"f\.json: is longer than the limit of 3000 bytes; give a smaller"):
            reader(file)
        endless = Endless()
        monkeypatch.setattr(sys, "stdin", endless)
        with pytest.raises(BadFile, match="standard input: is longer than the limit of 3000 bytes"):
            reader("-")
        assert endless.count == 3001
        with pytest.raises(BadFile, match=r"s a directory; check the path"):
            reader(tmp_path)
    file.write_bytes(b" " * 2999 + b"1")
    assert read(file) == 1
    monkeypatch.setattr(sys, "stdin", io.StringIO("[1]"))
    assert read("-") == [1]


@not_windows
def test_a_pipe_is_read_up_to_the_limit(tmp_path, monkeypatch):
    monkeypatch.setattr(formats, "_MAX_BYTES", 3000)
    pipe, broken = tmp_path / "pipe", []

    def write_without_end() -> None:
        try:
            with open(pipe, "wb", buffering=0) as file:
                while True:
                    file.write(b"0" * 1000)
        except BrokenPipeError as error:
            broken.append(error)

    os.mkfifo(pipe)
    writer = threading.Thread(target=write_without_end, daemon=True)
    writer.start()
    with pytest.raises(BadFile, match="pipe: is longer than the limit of 3000 bytes"):
        read(pipe)
    writer.join(60)
    assert broken


def test_a_certificate_is_read_up_to_the_limit_of_the_checker(tmp_path, monkeypatch):
    monkeypatch.setattr(checker, "SIZE", 100)
    file, raw = tmp_path / "cert.json", b"0" * 101
    for content, verb in ((raw, "is longer than"), (gzip.compress(raw), "decompresses to more than")):
        file.write_bytes(content)
        code, _, err = orca("check-certificate", str(file))
        assert code == 4 and f"{verb} the limit of 100 bytes" in err


def test_verbs_accept_compressed_files(tmp_path):
    """The command line reads and writes compressed problems, certificates, references and results."""

    def verb(*words):
        code, _, err = orca(*map(str, words))
        return code, err

    problem, cert, ref, result = (tmp_path / f"{name}.json.gz" for name in ("p", "c", "r", "s"))
    write_json(problem, read(XOR))
    assert verb("certify", problem, "-o", cert) == verb("check-certificate", cert) == (0, "")
    assert (
        read(cert)["sha256"]
        and formats.has_valid_digest(read(cert))
        and cert.read_bytes()[:2] == formats.GZIP
    )
    assert verb("reference", problem, "-o", ref) == (0, "")
    alpha = [value["decimal"] for value in read(ref)["values"]["alpha"]]
    write_json(result, {"schema": "orca-exact/result/1", "id": read(ref)["problem"]["id"], "alpha": alpha})
    assert (
        verb("crosscheck", ref, result)[0]
        == verb("certify", problem, "--level", "gap", "--solution", result)[0]
        == 0
    )
    cert.write_bytes(cert.read_bytes()[:-20])
    code, said = verb("check-certificate", cert)
    assert code == 4 and said.count("\n") == 1 and "damaged or truncated" in said


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        ('{"a": 1, "b": 2, "a": 3}', "here: the field 'a' occurs twice; keep one of them"),
        ('{"a\\nb": 1, "a\\nb": 3}', r"here: the field 'a\nb' occurs twice; keep one of them"),
        ("[NaN]", "here: NaN is not a finite number; remove or correct the value"),
        ("[-Infinity]", "here: -Infinity is not a finite number; remove or correct the value"),
        ("[1e999]", "here: 1e999 is too large for a JSON number; write it as a string"),
        (
            "[1",
            "here: is not JSON: Expecting ',' delimiter at line 1 column 3; check whether it is truncated",
        ),
        (b"[\xff]", "here: is not UTF-8 (byte 1); save it as UTF-8"),
        ("[" * 100_000, "here: is nested too deeply; give a file in one of the formats of orca-exact"),
    ],
    ids=str.split("twice newline nan infinity large truncated bytes deep"),
)
def test_ambiguous_json_is_rejected(raw, says):
    with pytest.raises(BadFile) as error:
        parse(raw, "here")
    assert str(error.value) == says


def test_a_long_integer_stays_text():
    assert parse("[" + "9" * 5000 + "]", "here") == ["9" * 5000]


def test_impossible_file_names():
    for attempt in (lambda: read("a\0b"), lambda: write("a\0b", "")):
        with pytest.raises(BadFile, match="path"):
            attempt()


# Messages about files that violate their schema.


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ([], "a list of 0 items is not an object; see 'orca-exact schema problem'"),
        (GOOD | {"schema": "orca-exact/problem/9"},
         'schema: "orca-exact/problem/9" is not supported; '
         "this version of orca-exact reads orca-exact/problem/1, 2 or 3"),
        (GOOD | {"schema": "orca-exact/problem/4", "kernel": {"family": "rbf", "gamma": "1"}},
         'schema: "orca-exact/problem/4" is not supported; '
         "this version of orca-exact reads orca-exact/problem/1, 2 or 3"),
        ({"schema": "orca-exact/certificate/2"},
         "this is a certificate; a problem file is needed (orca-exact/problem/1, 2 or 3)"),
        ({"schema": 1},
         "schema: 1 is not supported; this version of orca-exact reads orca-exact/problem/1, 2 or 3"),
        (without("beta"), "the field 'beta' is missing; see 'orca-exact schema problem'"),
        (without("alpha") | {"aplha": "0"}, "the field 'aplha' is unknown; did you mean 'alpha'?"),
        (GOOD | {"rescal": True}, "the field 'rescal' is unknown; did you mean 'rescale'?"),
        (GOOD | {"kernel": "rbf"}, "the field 'kernel' is unknown; remove it"),
        (GOOD | {"y": [1, 0, 1]}, "y[1]: 0 is not a label; write 1 or -1"),
        (GOOD | {"y": [1, 0, 2], "X": [["a"], ["b"], ["c"]]}, "y[1]: 0 is not a label; write 1 or -1"),
        (GOOD | {"y": [1, True, 1]}, "y[1]: true is not a label; write 1 or -1"),
        (GOOD | {"n": "2"}, """n: "2" is not an integer; see 'orca-exact schema problem'"""),
        (GOOD | {"n": None}, "n: null is not an integer; see 'orca-exact schema problem'"),
        (GOOD | {"n": -1}, "n: -1 is less than the minimum of 0; see 'orca-exact schema problem'"),
        (GOOD | {"rescale": 1}, "rescale: 1 is not true or false; see 'orca-exact schema problem'"),
        (GOOD | {"id": "x" * 99, "C": "x" * 99},
         f'C: "{"x" * 56}... is not a number; write an integer, \'p/q\', a decimal or a hex float, '
         "best as a string (JSON numbers become doubles)"),
        (GOOD | {"X": [["0"], "1", ["2"]]},
         """X[1]: "1" is not a list; see 'orca-exact schema problem'"""),
        (GOOD | {"X": [["0"]]},
         "X: a list of 1 item is too short: at least 2 items are required; see 'orca-exact schema problem'"),
        (GOOD | {"a\nb": 1}, r"the field 'a\nb' is unknown; remove it"),
    ],
    ids=str.split("list version later certificate number missing swapped misspelt unknown label first true "
                  "text null negative flag long row short newline"),
)  # fmt: skip
def test_messages_about_problems(data, says):
    with pytest.raises(BadFile) as error:
        validate(data, "orca-exact/problem/1", "p.json")
    assert str(error.value) == f"p.json: {says}"


VALUE = 'a number (see problem), or a tagged value: {"exact"}, {"ball": [midpoint, radius]} or {"decimal"}'


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({"id": "x", "coefficients": {"0;1": "1"}},
         """coefficients: "0;1" is not a multi-index; write 'k_1,...,k_d', such as '0,2'"""),
        ({"id": "x", "okc": {"even": None}}, f"okc.even: null is not a value; write {VALUE}"),
        ({"id": "x", "okc": {"order": [{"exact": 5}]}},
         f"okc.order[0]: an object is not a value; write {VALUE}"),
        ({"id": "x", "okc": {"orders": []}}, "okc: the field 'orders' is unknown; did you mean 'order'?"),
    ],
    ids=["key", "value", "tagged", "field"],
)  # fmt: skip
def test_messages_about_results(data, says):
    with pytest.raises(BadFile) as error:
        validate(data, "result", "r.json")
    assert str(error.value) == f"r.json: {says}"


def test_deeply_nested_data_are_rejected():
    deep: dict = {}
    for _ in range(5000):
        deep = {"problem": deep, "schema": deep}
    with pytest.raises(BadFile, match="nested too deeply"):
        validate([deep], "problem", "p.json")
    with pytest.raises(BadFile, match="nested too deeply"):
        validate(deep, "problem", "p.json")


@pytest.mark.parametrize(("depth", "says"), [(20, "is not an object"), (21, "nested too deeply")])
@pytest.mark.parametrize("inside", [[], [1], {}, {"n": 1}], ids=str)
def test_lists_are_nested_up_to_a_depth(depth, says, inside):
    """The time in which jsonschema prints data with shared parts doubles with each level."""
    data = inside
    for _ in range(depth - 1):
        data = [data]
    with pytest.raises(BadFile, match=says):
        validate(data, "problem", "p.json")


# Schemas.


def test_schemas_by_name():
    assert schema("problem") == schema("orca-exact/problem/1")
    for name in ("nonsense", "orca-exact/problem/9", "../problem", "problem/1"):
        with pytest.raises(BadParameter, match="is unknown; use one of certificate, "):
            schema(name)


def small():
    return {"type": "integer", "maximum": 3}


def number_of_degrees():
    return {"allOf": [{"$part": f"{__name__}:small"}]}


def test_every_schema_is_complete_in_a_new_process():
    """No other module has to be imported before a schema is requested."""
    program = "from orca_exact.files import validation as v; [v.schema(name) for name in v.schema_names()]"
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, timeout=60)


@pytest.mark.parametrize(
    ("entry", "good"),
    [("1/3", True), (10**30, True), ("1\n", True), ("\x1c1", True), (1.5, True), ("1/0", False),
     (True, False), ("1\ud800", False), ([], False), (None, False)],
)  # fmt: skip
def test_two_validators_agree(entry, good):
    """A value that jsonschema-rs rejects is passed to jsonschema, whose decision counts."""
    X = [[0] * 40 for _ in range(40)]
    X[20][30] = entry
    data = {"X": X, "y": [1] * 40, "n": 1, "alpha": "0", "beta": "0"}
    assert good == (not list(jsonschema.Draft202012Validator(schema("problem")).iter_errors(data)))
    if good:
        return validate(data, "problem", "p.json")
    with pytest.raises(BadFile, match=r"p\.json: X\[20\]\[30\]: .* is not a number; write an integer"):
        validate(data, "problem", "p.json")


def test_parts_are_filled_in(monkeypatch):
    """A "$part" names the function that makes it; parts may contain parts."""
    shipped = validation.read_shipped

    def with_parts(path):
        found = shipped(path)
        found["properties"]["n"] = {"$part": f"{__name__}:number_of_degrees"}
        return found

    monkeypatch.setattr(validation, "read_shipped", with_parts)
    assert schema("problem")["properties"]["n"] == {"allOf": [small()]}
    validation._validator.cache_clear()
    try:
        validate(GOOD, "problem", "p.json")
        with pytest.raises(BadFile, match="n: 4 is greater than the maximum of 3"):
            validate(GOOD | {"n": 4}, "problem", "p.json")
    finally:
        validation._validator.cache_clear()


# Writing.


@not_windows
def test_a_write_replaces_and_keeps_mode_and_link(tmp_path):
    file, link = tmp_path / "file", tmp_path / "link"
    write(file, "é\n")
    umask = os.umask(0)
    os.umask(umask)
    assert file.read_bytes() == "é\n".encode() and file.stat().st_mode & 0o777 == 0o666 & ~umask
    file.chmod(0o640)
    link.symlink_to("file")
    write(link, b"two")
    assert link.is_symlink() and file.read_bytes() == b"two" and file.stat().st_mode & 0o777 == 0o640
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file", "link"]


def test_a_file_is_marked_while_it_is_written(tmp_path, monkeypatch):
    """Signal handlers use this mark to delay the end of the process."""
    seen = []
    monkeypatch.setattr(formats.Path, "write_bytes", lambda *given: seen.append(formats.is_writing()))
    with pytest.raises(BadFile):  # there is no temporary file to rename
        write(tmp_path / "file", "whole")
    assert seen == [True] and not formats.is_writing()


@not_windows
def test_devices_and_pipes_are_written_to(tmp_path):
    write("/dev/null", "x")
    assert not Path("/dev/null").is_file()
    with pytest.raises(BadFile, match="/dev/full: No space left on device; choose another path"):
        write("/dev/full", "x")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    write(pipe, "through")
    reader.join()
    assert got == [b"through"] and pipe.is_fifo()


@not_windows
@pytest.mark.parametrize("to_file", [False, True], ids=["pipe", "file"])
def test_standard_output_by_name(tmp_path, to_file):
    """/dev/stdout is not replaced by a file, as later output would be lost."""
    script = "import sys; from orca_exact.files.formats import write; write('/dev/stdout', 'first\\n'); "
    script += "sys.stdout.seek(0, 2) if sys.stdout.seekable() else None; print('second')"
    with open(tmp_path / "out", "wb") as out:
        done = subprocess.run([sys.executable, "-c", script], stdout=out if to_file else subprocess.PIPE)
    assert done.returncode == 0
    assert ((tmp_path / "out").read_bytes() if to_file else done.stdout) == b"first\nsecond\n"


@pytest.mark.parametrize("place", ["folder", "none/file", "file/in-a-file"])
def test_impossible_targets(tmp_path, place):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("before")
    with pytest.raises(BadFile, match=rf"{place}: .*; .*choose another path"):
        write(tmp_path / place, "x")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file", "folder"]


def test_a_read_only_file_is_left_unchanged(tmp_path, monkeypatch):
    write(tmp_path / "file", "before")
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may write everything
    with pytest.raises(BadFile, match="file: Permission denied; choose another path"):
        write(tmp_path / "file", "after")
    assert (tmp_path / "file").read_text() == "before"


@pytest.mark.parametrize("there", [False, True], ids=["new", "there"])
def test_an_interrupted_write_leaves_the_old_file(tmp_path, monkeypatch, there):
    if there:
        (tmp_path / "file").write_text("before")

    def interrupt(self, target):
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write(tmp_path / "file", "after")
    assert {p.name: p.read_text() for p in tmp_path.iterdir()} == ({"file": "before"} if there else {})


# A full disk.


@pytest.fixture
def full_disk(monkeypatch):
    """Let every write fail after 100 bytes, as on a full disk."""
    resource = pytest.importorskip("resource", reason="the system does not limit the size of files")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    whole = Path.write_bytes

    def write_bytes(self, raw):
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
        try:
            return whole(self, raw)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    monkeypatch.setattr(Path, "write_bytes", write_bytes)


def archive(folder: Path, monkeypatch) -> str:
    """Make an archive of invented data that is accepted as the real data, and return its URL."""
    content = ",".join(["1"] * 13) + "\n"
    monkeypatch.setattr(datasets, "_parse", lambda content, source: None)
    with zipfile.ZipFile(folder / "e.zip", "w") as packed:
        packed.writestr(datasets.FILE, content * 100)
    return (folder / "e.zip").as_uri()


WRITERS = {
    "certify": (["certify", XOR, "-o", "{}/out"], "out"),
    "reference": (["reference", XOR, "-o", "{}/out"], "out"),
    "report": (["report", "--section", "7", "--no-figures", "-j", "1", "-o", "{}/out"], "out"),
    "figures": (["figures", "--only", "empty", "-o", "{}"], "empty.png"),
    "data": (["data", "echocardiogram", "--folder", "{}", "--url", "{url}"], datasets.FILE),
}


@pytest.mark.parametrize("verb", WRITERS)
@pytest.mark.parametrize("there", [False, True], ids=["new", "there"])
def test_a_full_disk_leaves_no_half_file(verb, there, tmp_path, monkeypatch, full_disk):
    folder = tmp_path / "target"
    folder.mkdir()
    words, name = WRITERS[verb]
    if there:
        (folder / name).write_text("before")
    url = archive(tmp_path, monkeypatch) if verb == "data" else ""
    empty = (lambda plt, results: plt.figure(), lambda path: [[]], True)
    monkeypatch.setitem(figures.PLANS, "empty", empty)
    code, _, err = orca(*(word.format(folder, url=url) for word in words))
    assert code == 4 and err.count("\n") == 1 and f"{folder / name}: File too large; " in err
    assert {p.name: p.read_text() for p in folder.iterdir()} == ({name: "before"} if there else {})


def test_a_full_disk_loses_only_the_cache_entry(tmp_path, monkeypatch, full_disk):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("ORCA_EXACT_CACHE", str(tmp_path / "cache"))
    cache.store_entry({"key": {"a": 1}, "long": "x" * 200})
    assert list((tmp_path / "cache").iterdir()) == []
    assert cache.load_entry({"a": 1}, lambda entry: entry) is None


def opens_files(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Attribute):
        methods = ("read_text", "read_bytes", "write_text", "write_bytes")
        return node.func.attr in methods and ast.unparse(node.func.value) != "formats"
    return ast.unparse(node.func) == "open"


def test_every_file_goes_through_this_layer():
    """No other module opens files, except for the checker, which is independent."""
    modules = [p for p in (ROOT / "orca_exact").rglob("*.py") if not {"formats.py", "checker"} & {*p.parts}]
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in modules}
    assert [f"{p}:{n.lineno}" for p, tree in trees.items() for n in ast.walk(tree) if opens_files(n)] == []
    assert opens_files(ast.parse("Path(p).write_text('')").body[0].value)


def test_a_long_name_of_a_field_is_cut_in_the_message():
    from orca_exact import Problem

    with pytest.raises(BadFile, match="is unknown; remove it") as error:
        Problem.from_json({**Problem([[0], [1]], [1, -1], 1, 0, 0).to_json(), "[" * 5000: 1})
    assert len(str(error.value)) < 400
