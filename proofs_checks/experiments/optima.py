"""The configurations of Section 6 and their certified profiles, which are kept in a cache.

Balls are stored without loss. A cache entry whose N* or T contradict its balls is computed again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from flint import arb, fmpq

from orca_exact.files.formats import read_shipped
from orca_exact.numbers.rationals import precision_digits, to_float
from orca_exact.numbers.values import from_json_value, to_json_value
from orca_exact.problem import Problem
from orca_exact.profile.index import Key
from orca_exact.profile.indices import IndexTable, Indices
from orca_exact.profile.profile import orca
from orca_exact.runtime.cache import code_digest, load_entry, store_entry
from orca_exact.runtime.run import run_unordered
from orca_exact.svm.certify import certify, find_level

from . import datasets

SCHEMA = "orca-exact/cache/1"
DIGITS = 50
SYMMETRIC = (("0", "0"), ("0.5", "0.5"), ("1", "1"), ("2", "2"))
ASYMMETRIC = (
    ("0.5", "0"), ("1", "0"), ("2", "1"), ("2", "0.5"),
    ("1.5", "0.3"), ("3", "0.5"), ("0", "2"), ("1", "3"),
)  # fmt: skip
FIGURE_2 = SYMMETRIC + ASYMMETRIC
FIGURE_1 = (1, 2, 3, 5, 8, 12, 14, 16)


@dataclass(frozen=True, repr=False)
class Certified(IndexTable[arb | fmpq]):
    """The certified profile of one configuration: every index as a ball that contains it.

    It has no blocks OKC_N^(q), which take longer than all others and occur in figures only.
    """

    problem: Problem
    facts: dict  # about the certificate: level, digits of w, free, bound, strict
    alpha: tuple[Any, ...]
    b: Any
    norm2: Any
    indices: Indices[arb | fmpq]
    names = ()  # the columns have none

    def __repr__(self) -> str:
        return f"<Certified {self.name}>"

    def family(self, name: str) -> Mapping[Key, arb | fmpq]:
        return self.indices.family(name)

    @property
    def name(self) -> str:
        """The parameters, such as 'n = 5, (α, β) = (0, 0)'."""
        p = self.problem
        return f"n = {p.n}, (α, β) = ({to_float(p.alpha):g}, {to_float(p.beta):g})"


# The paper's configurations.


@lru_cache(maxsize=1)
def _printed() -> dict:
    return read_shipped("data/printed_tables.json", "proofs_checks")


def printed_tables() -> dict[str, dict]:
    """Return the five printed tables by id."""
    return {table["id"]: table for table in _printed()["tables"]}


def printed_features() -> dict[str, str]:
    """Return the descriptions of x1 ... x5 in Table 3."""
    return {row["index"]: row["description"] for row in _printed()["features"]["rows"]}


@lru_cache(maxsize=4)
def _data(dataset: str, path: str | None) -> tuple[Any, Any]:
    if dataset == "spiral":
        return datasets.double_spiral()
    table = datasets.echocardiogram(path)
    return table.X, table.y


@lru_cache(maxsize=128)
def configuration(
    dataset: str, n: int, alpha: str = "0", beta: str = "0", C: str = "1", path: str | None = None
) -> Problem:
    """Return a problem of Section 6 on our double spiral or the echocardiogram data."""
    X, y = _data(dataset, path)
    return Problem(X, y, n, alpha, beta, C, rescale=True, id=f"{dataset}-n{n}-({alpha},{beta})")


def table_problems(table: dict, path: str | None = None) -> list[Problem]:
    """Return the problems of the rows of a table."""
    return [
        configuration(table["dataset"], row["n"], table["alpha"], table["beta"], table["C"], path)
        for row in table["rows"]
    ]


@lru_cache(maxsize=64)
def certified_row(id: str, n: int) -> Certified:
    """Return the certified profile of one row of a printed table."""
    t = printed_tables()[id]
    return certified_optimum(configuration(t["dataset"], n, t["alpha"], t["beta"], t["C"]))


# Computing.


def compute_entry(problem: Problem, digits: int = DIGITS) -> dict:
    """Certify a problem, compute its profile, and return both as the JSON of a cache entry."""
    certificate = certify(problem, level="ball", digits=digits)
    profile = orca(problem, certificate, "ball", digits)
    names = (index.name for index in profile.available if index.name != "block")
    indices = Indices({name: profile.family(name) for name in names}, profile.summary())

    def put(value: Any) -> dict:
        return to_json_value(value, 20)

    return {
        "schema": SCHEMA,
        "key": _key(problem, digits),
        "facts": {
            "level": certificate.level,
            "digits": certificate.digits,
            "free": len(certificate.free),
            "bound": len(certificate.bound),
            "strict": certificate.enclosure is not None,
        },
        "certificate": certificate.to_json(),
        "alpha": [put(a) for a in certificate.alpha(digits)],
        "b": put(certificate.bias(digits)),
        "norm2": put(profile.norm2),
        "okc": indices.to_json(put),
    }


def _read(problem: Problem, data: dict) -> Certified:
    with precision_digits(8 * data["key"]["digits"]):  # more digits than any stored ball has
        get = lambda value: from_json_value(value, "cache entry")  # noqa: E731
        return Certified(
            problem,
            data["facts"] | {"certificate": data["certificate"]["sha256"]},
            tuple(get(a) for a in data["alpha"]),
            get(data["b"]),
            get(data["norm2"]),
            Indices.from_json(data["okc"], from_json_value, "cache entry"),
        )


# The cache.


def cache_version() -> str:
    """Return the digests of the library and of this package, for the keys of the cache."""
    return f"{code_digest()}, {code_digest(Path(__file__).parent)}"


def _key(problem: Problem, digits: int) -> dict:
    return {"problem": problem.sha256, "arithmetic": "ball", "digits": digits, "version": cache_version()}


def cached(problem: Problem, digits: int = DIGITS) -> Certified | None:
    """Return the stored result, or None if there is none or its N* or T contradict its balls."""

    def read(entry: dict) -> Certified | None:
        found = _read(problem, entry)
        return found if found.summary() == found.indices.stated_summary else None

    return load_entry(_key(problem, digits), read)


def certified_optimum(problem: Problem, digits: int = DIGITS, cache: bool = True) -> Certified:
    """Return the certified profile of one problem, from the cache if possible."""
    found = cached(problem, digits) if cache else None
    if found is not None:
        return found
    data = compute_entry(problem, digits)
    if cache:
        store_entry(data)
    return _read(problem, data)


def certified_index(
    problem: Problem, name: str, key: Key = (), level: str = "ball", digits: int = DIGITS
) -> Any:
    """Return one index of the optimum, proved at a level, from the cache if possible.

    A quotient in lambda*C, which has no lossless form in a file, is not stored.
    """
    about = {"problem": problem.sha256, "index": [name, *key], "level": level, "digits": digits}
    about["version"] = cache_version()

    def read(entry: dict) -> arb | fmpq:
        with precision_digits(8 * digits):  # more digits than the stored ball has
            return from_json_value(entry["value"], "cache entry")

    if (found := load_entry(about, read)) is not None:
        return found
    certificate = certify(problem, level=level, digits=digits)
    value = orca(problem, certificate, find_level(level).arithmetic, digits).family(name)[key]
    if isinstance(value, arb | fmpq):
        store_entry({"key": about, "value": to_json_value(value, 20, fractions=True)})
    return value


def certify_all(
    problems: Sequence[Problem],
    jobs: int = 1,
    cache: bool = True,
    progress: Callable[[str], object] | None = None,
    digits: int = DIGITS,
    scheduler: str | None = None,
) -> list[Certified]:
    """Return the certified profiles of problems in the given order, computed by ``jobs`` processes."""
    report = progress or (lambda message: None)
    found: dict[str, Certified] = {}
    missing: dict[str, Problem] = {}
    for problem in problems:
        if problem.sha256 not in found and problem.sha256 not in missing:
            hit = cached(problem, digits) if cache else None
            (found if hit else missing)[problem.sha256] = hit or problem  # type: ignore[assignment]
    largest_first = sorted(missing.values(), key=lambda problem: -problem.n * problem.d)
    tasks = {problem.sha256: (problem.to_json(), digits) for problem in largest_first}
    with closing(run_unordered(_computed, tasks, jobs, scheduler)) as results:
        for count, (key, data) in enumerate(results, 1):
            if cache:
                store_entry(data)
            found[key] = _read(missing[key], data)
            report(f"certified {count} of {len(missing)}: {missing[key].id}")
    report("")
    return [found[problem.sha256] for problem in problems]


def _computed(problem: dict, digits: int) -> dict:
    """Compute in a worker process, which receives and returns JSON because balls cannot be pickled."""
    return compute_entry(Problem.from_json(problem), digits)
