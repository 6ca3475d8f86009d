"""The conformance vectors as a data set: complete, deterministic, with valid checksums."""

from __future__ import annotations

import hashlib
import json
import re

import jsonschema
import pytest
from command import orca

from orca_exact import __version__
from orca_exact.conformance.vectors import shipped_bytes, vectors, vectors_sha256
from orca_exact.conformance.vectors.dataset import CHECKSUMS, PROBLEM_FILE, dataset
from orca_exact.files.formats import read_shipped


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("vectors") / "new" / "folder"
    code, out, _ = orca("reference", "--vectors", str(made))
    assert code == 0 and "536 vectors in 11 files" in out and f"written: {made}" in out
    return made


def files(folder) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_the_same_bytes_each_time(folder):
    assert files(folder) == dataset()
    assert files(folder)["vectors.json"] == shipped_bytes()


def test_every_file_has_its_checksum(folder):
    found = files(folder)
    lines = found.pop(CHECKSUMS).decode().splitlines()
    assert dict(reversed(line.split("  ")) for line in lines) == {
        name: hashlib.sha256(content).hexdigest() for name, content in found.items()
    }


def test_problems_and_vectors_follow_the_schemas_beside_them(folder):
    def schema(name: str) -> jsonschema.Draft202012Validator:
        data = json.loads((folder / "schemas" / f"{name}.json").read_text(encoding="utf-8"))
        assert "$part" not in json.dumps(data)
        return jsonschema.Draft202012Validator(data)

    document = json.loads((folder / "vectors.json").read_bytes())
    schema("vectors").validate(document)
    problems = [json.loads(line) for line in (folder / PROBLEM_FILE).read_text(encoding="utf-8").splitlines()]
    assert problems == [vector.task for vector in vectors()]
    versions = {1: schema("problem"), 2: schema("problem-2"), 3: schema("problem-3")}
    for vector in vectors()[::20]:
        versions[vector.version].validate({key: x for key, x in vector.task.items() if key != "dual"})
        schema("result").validate({"id": vector.id, **vector.test["expected"]})


def test_readme_citation_and_licence_state_version_digest_and_terms(folder):
    text = (folder / "README.md").read_text(encoding="utf-8")
    assert f"version {__version__}" in text and vectors_sha256() in text
    for vector in vectors():
        assert f"| {vector.group} |" in text and all(f"| `{flag}` |" in text for flag in vector.flags)
    fields = {key for vector in vectors() for key in vector.test}
    assert fields <= set(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE))
    rows = text.partition("## Flags")[2].partition("## Licence")[0].splitlines()[6:-1]
    assert len(rows) > 50 and all(len(re.findall(r"(?<!\\)\|", row)) == 5 for row in rows)
    citation = (folder / "CITATION.cff").read_text(encoding="utf-8")
    stated = dict(re.findall(r"^([\w-]+): (.+)$", citation, re.MULTILINE))
    assert (stated["type"], stated["version"], stated["license"]) == ("dataset", __version__, "CC-BY-4.0")
    assert f"sha256:{vectors_sha256()}" in citation
    licence = (folder / "LICENSE").read_text(encoding="utf-8")
    assert licence.startswith("Attribution 4.0 International\n") and licence.endswith(
        "creativecommons.org.\n"
    )
    numbers = re.findall(r"^Section (\d) -- ", licence, re.MULTILINE)
    assert (
        numbers == list("12345678")
        and licence.splitlines() == read_shipped("conformance/vectors/cc-by-4.0.json")["text"]
    )


@pytest.mark.parametrize(
    ("words", "exit_code", "message"),
    [
        (("--vectors", "{file}"), 4, "cannot be created"),
        (("--vectors", "{full}"), 4, "is not empty"),
        (("--vectors", "{new}", "x.json"), 2, "leave out PROBLEM"),
        (("--vectors", "{new}", "-o", "x.json"), 2, "leave out PROBLEM"),
        ((), 2, "pass PROBLEM, or --vectors DIR"),
    ],
)
def test_wrong_arguments_write_nothing(tmp_path, words, exit_code, message):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    names = {name: str(tmp_path / name) for name in ("full", "new")} | {
        "file": str(tmp_path / "full" / "mine.txt")
    }
    code, out, error = orca("reference", *(word.format(**names) for word in words))
    assert (code, out) == (exit_code, "") and error.count("\n") == 1 and message in error
    assert [p.name for p in tmp_path.rglob("*")] == ["full", "mine.txt"]
