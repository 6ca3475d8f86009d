"""The conformance vectors as a data set: a folder that can be published and cited without this package.

The same version of the package writes the same bytes.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from pathlib import Path

from ... import __author__, __version__
from ...files.escaping import for_markdown
from ...files.formats import JsonObject, make_folder, read_shipped, require_empty, write
from ...files.validation import schema
from ...profile import indices  # noqa: F401  (builds a part of the schemas)
from . import VECTOR_DIGITS, VECTOR_FILE, shipped_bytes, shipped_document, vectors, vectors_sha256

TITLE = "Conformance vectors of orca-exact"
PROBLEM_FILE = "problems.jsonl"
CHECKSUMS = "SHA256SUMS"
SCHEMAS = ("vectors", "problem", "problem-2", "problem-3", "result")
_TYPES = {"pipeline": "solve, then compute everything", "aggregation": "the dual variables are given"}


def write_dataset(folder: str | Path) -> list[str]:
    """Write the data set to a new or empty folder.

    Parameters
    ----------
    folder : str or Path
        The folder; it is created with its parents.

    Returns
    -------
    list of str
        The names of the files, sorted; the last one has the checksums of the others.

    Raises
    ------
    BadFile
        If the folder is not empty or cannot be written.
    """
    folder = Path(folder)
    make_folder(folder)
    require_empty(folder)
    contents = dataset()
    for name, content in contents.items():
        make_folder((folder / name).parent)
        write(folder / name, content)
    return list(contents)


def dataset() -> dict[str, bytes]:
    """Return the content of each file by its name.

    >>> list(dataset())[:3]
    ['CITATION.cff', 'LICENSE', 'README.md']
    """
    licence = read_shipped("conformance/vectors/cc-by-4.0.json")
    problems = (json.dumps(vector.task, ensure_ascii=False) for vector in vectors())
    made = {
        "README.md": _readme(licence),
        "CITATION.cff": _citation(licence),
        "LICENSE": "\n".join(licence["text"]) + "\n",
        PROBLEM_FILE: "\n".join(problems) + "\n",
        **{
            f"schemas/{name}.json": json.dumps(schema(name), indent=1, ensure_ascii=False) + "\n"
            for name in SCHEMAS
        },
    }
    contents = {name: text.encode() for name, text in made.items()} | {VECTOR_FILE: shipped_bytes()}
    contents = {name: contents[name] for name in sorted(contents)}
    sums = "".join(f"{hashlib.sha256(x).hexdigest()}  {name}\n" for name, x in contents.items())
    return contents | {CHECKSUMS: sums.encode()}


def _readme(licence: JsonObject) -> str:
    document, known = shipped_document(), vectors()
    versions = Counter(vector.version for vector in known)
    groups = [
        f"| {group['name']} | {len(group['tests'])} | {_TYPES[group['type']]} |"
        for group in document["groups"]
    ]
    counts = Counter(flag for vector in known for flag in vector.flags)
    flags = [
        f"| `{name}` | {note['kind']} | {counts[name]} | {for_markdown(note['description'])} |"
        for name, note in document["notes"].items()
    ]
    return _README.format(
        title=TITLE,
        version=__version__,
        author=__author__,
        count=len(known),
        versions=", ".join(f"{n} of version {v}" for v, n in sorted(versions.items())),
        sha256=vectors_sha256(),
        generator=document["generator"],
        digits=VECTOR_DIGITS,
        licence=licence,
        groups="\n".join(groups),
        flags="\n".join(flags),
        problems=PROBLEM_FILE,
        checksums=CHECKSUMS,
    )


def _citation(licence: JsonObject) -> str:
    return _CITATION.format(
        title=TITLE,
        version=__version__,
        author=__author__,
        count=len(vectors()),
        sha256=vectors_sha256(),
        licence=licence,
    )


_README = """\
# {title}, version {version}

{count} small problems for support vector machines, with certified solutions, to test programs that
compute ORCA profiles: the SVM, the coefficients of its classifier in orthonormal polynomials, and the OKC
indices. The kernels are truncated orthonormal-polynomial kernels (Jacobi, Hermite, Laguerre and discrete
measures, all orders or up to a given one) and the linear, polynomial and RBF kernels. All points are made up.

| file | content |
|---|---|
| `vectors.json` | the problems with their certified values, in groups, with flags |
| `{problems}` | the problems alone, one in a line, as a program under test reads them |
| `schemas/` | JSON Schemas of the vectors, of the three versions of a problem, and of a result |
| `{checksums}` | SHA-256 of all other files: `sha256sum -c {checksums}` |
| `LICENSE`, `CITATION.cff` | {licence[id]}, and how to cite the data set |

## Format

`vectors.json` follows `schemas/vectors.json`. It has `groups` with a `name`, a `type` and `tests`; and
`notes`, the meaning of each flag. A test has these fields:

| field | meaning |
|---|---|
| `tcId` | its number; the problem with number 2 has the id `v002` |
| `flags` | the special cases that it covers and the bugs that it detects, see below |
| `comment` | what is special about it (optional) |
| `problem` | the input of a program ({versions}); with the field `dual` if the dual variables are given |
| `expected` | the result: `alpha`, `b`, `gram`, `coefficients`, `norm2` and `okc` (null if w = 0) |
| `alpha_unique` | whether α is unique; if not, compare w only |
| `b_interval` | the interval of the right b, if b is not unique |
| `peaks` | the degrees of equal largest share; N* is the smallest |
| `condition` | condition numbers, which bound the digits that floating point can deliver |
| `problem_sha256` | the digest of the problem, if it is written in an unusual form |

Expected numbers are strings. A decimal of {digits} significant digits has an error of at most one unit in the
last of them; a shorter one is exact. In a problem, a number is a JSON number or a string with an integer, a
fraction, a decimal or a hexadecimal float, and means exactly that number.

## Provenance

The values were computed by orca-exact with
`{generator}`. Unless the dual variables are given, the optimum of the SVM was
proved in rational arithmetic, for RBF kernels in ball arithmetic (with proved error bounds), and every value
follows from that proof. The generator is deterministic. `vectors.json` of this version has the SHA-256

    {sha256}

and this folder was written by orca-exact {version} with `orca-exact reference --vectors DIR`, which
writes the same bytes each time.

## Use

A program reads the lines of `{problems}` and writes one JSON result for each (`schemas/result.json`). The
page "Test an implementation" of the documentation of orca-exact has all formulas. With orca-exact installed,

    orca-exact crosscheck --run "COMMAND" --html page.html

runs the program on these vectors and compares each quantity: formulas must agree to 10 digits on the
program's own numbers, values that depend on a solver to 4 digits with the optimum.

## Groups

| group | problems | type |
|---|---|---|
{groups}

## Flags

*corner* is a special case that a problem covers, *bug* a mistake that it detects.

| flag | kind | problems | meaning |
|---|---|---|---|
{flags}

## Licence

{licence[name]} ({licence[id]}), {licence[url]}; the text is in `LICENSE`.
Attribution: {author}, "{title}", version {version}.
"""

_CITATION = """\
cff-version: 1.2.0
message: If you use these data, please cite them, and the paper whose indices they test.
type: dataset
title: {title}
version: {version}
license: {licence[id]}
authors:
  - name: {author}
abstract: >-
  {count} small support vector machines with certified solutions: dual variables, kernel matrices,
  coefficients in orthonormal polynomials and OKC indices, to test implementations of ORCA in any language.
keywords:
  - support vector machines
  - orthogonal polynomials
  - conformance tests
  - certified reference values
identifiers:
  - type: other
    value: sha256:{sha256}
    description: SHA-256 of vectors.json
references:
  - type: article
    title: Structural interpretability in SVMs with truncated orthogonal polynomial kernels
    year: 2026
    authors:
      - given-names: Víctor
        family-names: Soto-Larrosa
      - given-names: Nuria
        family-names: Torrado
      - given-names: Edmundo J.
        family-names: Huertas
"""
