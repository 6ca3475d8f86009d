"""Read the numbers of a certificate in Rocq from its file, and accept no other text."""

from __future__ import annotations

import re

from ..errors import BadFile, BadInput, Rejected
from ..files.formats import parse
from ..problem import Problem
from .certificate import FORMAT, FixedPoint, RocqCertificate, require_polynomials, theory_digest
from .claims import CONSTRUCTORS, FRACTION, index_keys, read_claim, read_fraction, read_integer

_MAX_BITS = 2**14  # the largest precision that is read
_NUMBER = r"-?\d+"
_PARTS = {  # the parts of a file that are read
    "problem": r"^\(\* problem: (\{.*\}) \*\)$",
    "certificate": r"^Definition certificate : \w+ := (Gap|Exact)Certificate((?: \d+)*)\n"
    r"  \[:: ([^\]]*)\]\n  (.*)\.$",
    "claims": r"^Definition claims : seq claim :=\n  \[:: ((?s:.*?))\]\.$",
}


def read_certificate(raw: bytes, place: str) -> RocqCertificate:
    """Return the certificate whose file this text is.

    Only the numbers are read. The file is written again from them and from the theory of this package, and
    must be identical.

    Raises
    ------
    BadFile
        If the text is not a certificate in Rocq.
    Rejected
        If the text differs from the file of its numbers.
    """
    text = raw.decode("utf-8", "replace")
    if not text.startswith(f"(* {FORMAT}, level "):
        hint = "orca-exact certify PROBLEM --rocq FILE.v writes one"
        raise BadFile(place, "not a certificate in Rocq", hint)
    if not text.isascii():  # ours is; and ``\d`` would match the digits of other scripts
        line = next(k for k, part in enumerate(text.split("\n"), 1) if not part.isascii())
        raise Rejected(
            "text", f"line {line} has characters other than ASCII, which orca-exact does not write"
        )
    found = _read_numbers(text, place)
    ours = found.to_rocq()
    if text != ours:
        raise Rejected("text", _difference(text, ours))
    return found


def _difference(text: str, ours: str) -> str:
    """Say at which line a file differs from ours."""
    theirs, own = text.split("\n"), ours.split("\n")
    pairs = enumerate(zip(theirs, own, strict=False), 1)
    line = next((k for k, (a, b) in pairs if a != b), min(len(theirs), len(own)) + 1)
    why = f"line {line} is not what orca-exact writes for these numbers"
    if f"(* theory: sha256 {theory_digest()}" not in theirs:
        return f"{why}, and the file names another theory; perhaps another version wrote it"
    return why


def _read_numbers(text: str, place: str) -> RocqCertificate:
    found = {name: re.search(pattern, text, re.MULTILINE) for name, pattern in _PARTS.items()}
    for name, part in found.items():
        if not part:
            raise Rejected("text", f"the file has no {name} in the form that orca-exact writes")
    parts = {name: part for name, part in found.items() if part}
    data = parse(parts["problem"][1], place)
    try:
        problem = Problem.from_json(data, place)
        require_polynomials(problem)
    except BadInput as error:
        raise Rejected("problem", str(error)) from None
    gap = parts["certificate"][1] == "Gap"
    numbers = [read_integer(z) for z in re.findall(_NUMBER, parts["certificate"][2])]
    pattern, read = (_NUMBER, read_integer) if gap else (FRACTION, read_fraction)
    values, bias = ([read(x) for x in re.findall(pattern, parts["certificate"][k])] for k in (3, 4))
    if len(numbers) != 3 * gap or len(bias) != 1:
        raise Rejected("text", "the certificate does not have the numbers that its level needs")
    known = {
        CONSTRUCTORS[family](key): (family, key)
        for family, key in index_keys(sum(problem.degrees), problem.d)
    }
    written = [line.strip() for line in parts["claims"][1].split(";\n")] if parts["claims"][1] else []
    claims = [read_claim(line, known) for line in written]
    if (
        wrong := next((line for line, claim in zip(written, claims, strict=True) if claim is None), None)
    ) is not None:
        raise Rejected("claims", f"{wrong[:60]!r} is not a claim about an index of this problem")
    if gap and not claims:
        raise Rejected("claims", "there are none, and level gap states nothing else about the optimum")
    fixed = FixedPoint(*(min(int(z), _MAX_BITS) for z in numbers)) if gap else None
    return RocqCertificate(problem, tuple(values), bias[0], tuple(c for c in claims if c), fixed)
