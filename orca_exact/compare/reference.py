"""Reference values: every quantity of ``orca-exact/result/1``, certified, in a file anybody can compare to.

``make(problem)`` proves optimality first and only then writes values: exact where they are rational (or a
ratio in lambda*C), balls elsewhere. ``Reference`` reads the file back without loss. ``condition`` says how
much the problem magnifies the rounding of a kernel value, hence which digits an arithmetic can deliver.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from flint import arb, fmpq, fmpq_mat

from ..arithmetic import arithmetic
from ..errors import BadFile, Undecided, ZeroClassifier
from ..formats import documents, is_sealed, sealed, validate, write_json
from ..kernel import gram, gram_ratio
from ..numbers import QQ, decimal, precision, real
from ..problem import Problem
from ..profile.indices import Indices
from ..profile.profile import Profile, orca
from ..svm.certificate import Certificate, Solution, versions
from ..svm.certify import certify
from ..svm.tau import Ratio, Tau, read_value
from ..values import tagged

SCHEMA = "orca-exact/reference/1"
MAX_POINTS, MAX_COEFFICIENTS = 100, 10_000  # of a Gram matrix and of c_k that a file carries unasked
DIGITS = 60  # working digits of comparisons
KAPPAS, HOPELESS = ("coefficients", "w", "alpha", "b"), 2.0**53  # a condition that leaves float64 no digit


def ball(x: Any) -> arb:
    """A ball at the current precision around a rational, a Ratio or a ball."""
    if isinstance(x, Ratio):
        return x.ball(DIGITS)
    return x if isinstance(x, arb) else arb(x)


@dataclass(frozen=True)
class Reference:
    """One problem with its certified values; ``data`` is the file's own JSON."""

    data: dict

    @classmethod
    def from_json(cls, data: Any, place: str = "reference") -> Reference:
        validate(data, SCHEMA, place)
        if not is_sealed(data):
            raise BadFile(place, "its sha256 is not that of its text", "it was altered: make it again")
        reference = cls(data)
        if reference.problem.sha256 != data["problem_sha256"]:
            raise BadFile(place, "problem_sha256 is another problem's", "it was altered: make it again")
        return reference

    def to_json(self) -> dict:
        return self.data

    @cached_property
    def problem(self) -> Problem:
        return Problem.from_json(self.data["problem"], "reference.problem")

    @cached_property
    def _tau(self) -> Tau:
        return Tau(self.problem)

    @property
    def id(self) -> str:
        return self.problem.id

    @cached_property
    def dual(self) -> tuple[fmpq, ...] | None:
        """Given dual variables, where the values are of them and not of an optimum."""
        given = self.data.get("dual")
        return None if given is None else tuple(QQ(x, f"dual[{i}]") for i, x in enumerate(given))

    @property
    def condition(self) -> dict[str, float]:
        place = "reference.condition"
        found = {key: float(arb(QQ(x, f"{place}.{key}"))) for key, x in self.data["condition"].items()}
        if not {"gram", *KAPPAS} <= found.keys() or min(found.values()) < 1:
            raise BadFile(place, "not a number from 1 for each of gram, c_k, w, alpha, b", "make it again")
        return found

    def _read(self, data: Any, place: str) -> Any:
        if isinstance(data, list):
            return [self._read(item, f"{place}[{i}]") for i, item in enumerate(data)]
        return read_value(data, place, self._tau, DIGITS)

    def _values(self, name: str) -> Any:
        data = self.data["values"].get(name)
        return None if data is None else self._read(data, f"values.{name}")

    @cached_property
    def alpha(self) -> list | None:
        """An optimal alpha; the only one where ``alpha_unique``."""
        return self._values("alpha")

    @property
    def alpha_unique(self) -> bool:
        return bool(self.data["values"].get("alpha_unique"))

    @cached_property
    def b(self) -> tuple[Any, Any] | None:
        """(lower, upper), equal where b is a point; None where it is not decided."""
        data = self.data["values"].get("b")
        if data is None:
            return None
        if isinstance(data, dict) and "lower" in data:
            return self._read(data["lower"], "values.b.lower"), self._read(data["upper"], "values.b.upper")
        return (self._values("b"),) * 2

    @cached_property
    def gram(self) -> list | None:
        return self._values("gram")

    @cached_property
    def coefficients(self) -> dict[tuple[int, ...], Any] | None:
        data = self.data["values"].get("coefficients")
        if data is None:
            return None
        return {mode(k): self._read(x, f"values.coefficients.{k}") for k, x in data.items()}

    @cached_property
    def norm2(self) -> Any:
        return self._values("norm2")

    @cached_property
    def okc(self) -> Indices[Any] | None:
        """The indices; None where w = 0 makes them 0/0."""
        data = self.data["values"].get("okc")
        return None if data is None else Indices.from_json(data, self._read, "okc")

    @property
    def peaks(self) -> list[int]:
        """Every degree that attains the maximum of OKC_N; empty where that is not decided."""
        return self.data["values"]["okc"]["peaks"]


def mode(key: str) -> tuple[int, ...]:
    return tuple(int(k) for k in key.split(","))


# Making one.


def make(
    problem: Problem,
    level: str = "exact",
    digits: int = 50,
    fractions: bool = False,
    everything: bool = False,
) -> Reference:
    """Certify, then write down. ``everything``: Gram matrix and c_k however many they are."""
    certificate = certify(problem, level=level, digits=digits)
    put = lambda x: tagged(x, digits, fractions)  # noqa: E731
    exact = level == "exact"
    alpha = [put(x) for x in _alpha(certificate, digits)]
    values: dict[str, Any] = {"alpha": alpha, "alpha_unique": certificate.alpha_unique}
    values["b"] = _b(certificate, digits, put)
    zero = certificate.is_zero
    profile = None if zero else orca(problem, certificate, "exact" if exact else "ball", digits)
    balls = None if zero else orca(problem, certificate, "ball", digits)
    values |= _of_w(problem, profile, balls, digits, fractions, everything)
    about = {
        "level": level,
        "digits": "exact" if exact else str(certificate.digits),
        "free": list(certificate.free),
        "bound": list(certificate.bound),
        "alpha_unique": certificate.alpha_unique,
        "b_unique": certificate.b_unique,
        "hard_margin": certificate.hard_margin,
        "w_error": "0" if exact else certificate.to_json()["claims"]["w_error"],
        "sha256": certificate.to_json()["sha256"],
    }
    return _seal(problem, values, condition(problem, certificate), {"certificate": about})


def aggregate(problem: Problem, dual: Iterable[Any], digits: int = 50) -> Reference:
    """The values that given dual variables (optimal or not) have: coefficients and indices."""
    alpha = tuple(QQ(x, f"dual[{i}]") for i, x in enumerate(dual))
    solution = Solution(problem, alpha)
    profile: Profile | None
    try:
        profile, balls = (orca(problem, solution, name, digits) for name in ("exact", "ball"))
    except ZeroClassifier:
        profile = balls = None
    values = {"alpha": [tagged(x, digits, True) for x in alpha], "alpha_unique": True}
    values |= _of_w(problem, profile, balls, digits, False, False)
    s = np.array([real(x) * label for x, label in zip(alpha, problem.y, strict=True)])
    facts = {"dual": [str(x) for x in alpha], "certificate": {"level": "given"}}
    return _seal(problem, values, _magnify(problem, s, [], profile is None), facts)


def _seal(problem: Problem, values: dict, condition: dict, more: dict) -> Reference:
    data = {
        "schema": SCHEMA,
        "problem": problem.to_json(),
        "problem_sha256": problem.sha256,
        **more,
        "condition": condition,
        "values": values,
        "versions": versions(),
    }
    return Reference(sealed(data))


def _alpha(certificate: Certificate, digits: int) -> list:
    tau, a = Tau(certificate.problem), certificate.a
    if certificate.level == "exact" and tau.exact is not None:
        return list((a.p + a.q * tau.exact) / certificate.problem.lambda_exact)
    return certificate.alpha(digits)


def _b(certificate: Certificate, digits: int, put: Any) -> Any:
    if certificate.b_unique is None:
        return None
    ends = certificate.b.ends()
    if certificate.level == "exact" and all(end.exact is not None for end in ends):
        values: list[Any] = [end.exact for end in ends]
    else:
        values = certificate.bias_ends(digits)
    return put(values[0]) if certificate.b_unique else {"lower": put(values[0]), "upper": put(values[1])}


def _of_w(
    problem: Problem, profile: Profile | None, balls: Profile | None, digits: int, fractions: bool, all_: bool
) -> dict:
    """What w alone decides, and the Gram matrix."""
    put = lambda x: tagged(x, digits, fractions)  # noqa: E731
    out: dict[str, Any] = {}
    if problem.m <= MAX_POINTS or all_:
        if problem.lambda_is_rational:
            K = gram_ratio(problem) * problem.lambda_exact
        else:
            K = gram(problem, arithmetic("ball", digits))
        out["gram"] = [[put(x) for x in row] for row in K]
    if profile is None or balls is None:
        return out | {"coefficients": {}, "norm2": put(fmpq(0)), "okc": None}
    if problem.modes <= MAX_COEFFICIENTS or all_:
        zero = _zeros(profile)
        out["coefficients"] = {
            ",".join(map(str, k)): put(fmpq(0) if zero[i] else c)
            for i, (k, c) in enumerate(balls.coefficients().items())
        }
    out["norm2"] = put(profile.norm2)
    out["okc"] = profile.indices.to_json(put) | {"peaks": _peaks(profile)}
    return out


def _zeros(profile: Profile) -> list[bool]:
    """Which c_k are 0, proved: c_0 always is, where sum alpha_i y_i = 0."""
    if not profile.arithmetic.exact:
        return [False] * profile.problem.modes
    return [a == 0 for a in profile.enumeration.amplitudes()[0]]


def _peaks(profile: Profile) -> list[int]:
    try:
        return profile.peaks
    except Undecided:
        return []


# The condition of the problem.


def condition(problem: Problem, certificate: Certificate) -> dict[str, str]:
    """How much each stage magnifies a relative error e of the kernel values, |dK_ij| <= e sqrt(K_ii K_jj).

    In float64, with the optimal active set held fixed: r_i = sqrt(K_ii) sum_j sqrt(K_jj) |s_j| bounds the
    residual that dK leaves in the margins, S is the free block of the inverse KKT matrix, and
    ||dw||^2 = r^T S r. A yardstick, not a proof: written with two digits.
    """
    signs = np.array(problem.y, dtype=float)
    s = np.array([float(x) for x in certificate.alpha(30)]) * signs
    return _magnify(problem, s, [i - 1 for i in certificate.free], certificate.is_zero)


def _magnify(problem: Problem, s: np.ndarray, free: list[int], zero: bool) -> dict[str, str]:
    R = gram_ratio(problem, arithmetic("float")) * float(problem.lambda_ball())
    root = np.sqrt(np.diag(R))
    spread = float(root @ np.abs(s))
    norm = float(np.sqrt(max(s @ R @ s, 0.0)))
    out = {"gram": float(problem.d * (problem.n + 1) ** 2)}  # Markov: |p'| <= n^2 max|p|, in d coordinates
    if zero:
        norm = 0.0
    elif norm <= 1e-7 * spread:  # noise of float64: what it magnifies cannot be told
        return {key: f"{x:.1e}" for key, x in (out | dict.fromkeys(KAPPAS, HOPELESS)).items()}
    out["coefficients"] = 1 + (spread / norm if norm else 0.0)
    out["w"] = out["alpha"] = out["b"] = out["coefficients"]
    if len(free) > 1 and norm:
        Z = np.linalg.svd(np.ones((1, len(free))))[2][1:].T  # sum ds = 0
        scaled = R[np.ix_(free, free)] / np.outer(root[free], root[free])
        Z = np.linalg.qr(root[free][:, None] * Z)[0]
        values, vectors = np.linalg.eigh(Z.T @ scaled @ Z)
        kept = values > 1e-12 * values[-1]
        V = Z @ vectors[:, kept]
        S = V / values[kept] @ V.T
        dw = spread * float(np.sqrt(np.abs(S).sum()))
        out["w"] += dw / norm
        moved = spread * np.abs(S).sum(axis=1) / root[free]
        out["alpha"] += float(np.max(moved) / np.max(np.abs(s)))
        out["b"] += (spread + dw) * float(root[free].min())
        if kept.sum() < _rank(problem, free):  # a direction was cut that is bad, not null
            out |= dict.fromkeys(("w", "alpha", "b"), HOPELESS)
    elif norm:
        out["b"] += spread * float(root.min())
    return {key: f"{x:.1e}" for key, x in out.items()}


def _rank(problem: Problem, free: list[int]) -> int:
    """Of K on {ds : sum ds = 0}, exactly."""
    R, last = gram_ratio(problem), free[-1]
    differences = [[R[i, j] - R[i, last] - R[last, j] + R[last, last] for j in free[:-1]] for i in free[:-1]]
    return fmpq_mat(differences).numer_denom()[0].rank()


# Files.


def load(path: str | Path) -> list[Reference]:
    return [Reference.from_json(data, place) for place, data in documents(path)]


def save(references: list[Reference], path: str | Path) -> None:
    """One document, or JSON lines where there are several."""
    write_json(path, *(reference.to_json() for reference in references))


def plain(reference: Reference, digits: int = 20) -> dict:
    """The values as ``orca-exact/result/1`` in plain decimals, each correct to a unit of its last digit."""
    with precision(DIGITS):
        show = lambda x: "0" if ball(x).is_zero() else decimal(ball(x), digits)  # noqa: E731
        out: dict[str, Any] = {"schema": "orca-exact/result/1", "id": reference.id}
        if reference.dual is None and reference.alpha_unique and reference.alpha is not None:
            out["alpha"] = [show(x) for x in reference.alpha]
        if reference.b is not None and reference.b[0] is reference.b[1]:
            out["b"] = show(reference.b[0])
        if reference.gram is not None:
            out["gram"] = [[show(x) for x in row] for row in reference.gram]
        if reference.coefficients is not None:
            out["coefficients"] = {",".join(map(str, k)): show(c) for k, c in reference.coefficients.items()}
        out["norm2"] = show(reference.norm2)
        if (okc := reference.okc) is None:
            return out | {"okc": None}
        return out | {"okc": okc.to_json(show)}
