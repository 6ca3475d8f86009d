"""The oracle's value of every index of one classifier."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

from .models import Classifier, PolynomialClassifier, as_fraction
from .quadratic import Optimum
from .tally import Judge

Q = Fraction


def truths(classifier: Classifier) -> dict[str, Any]:
    """Return every index by family and key; a share is a fraction of the variance."""
    d, V = classifier.d, classifier.variance
    share = {S: v / V for S, v in classifier.parts.items()}
    zero = share[(0,)] * 0
    return {
        "order": [zero] + [sum(share[S] for S in share if len(S) == q) for q in range(1, d + 1)],
        "marginal": [share[(i,)] for i in range(d)],
        "pair": {f"{i + 1},{j + 1}": share[i, j] for i, j in combinations(range(d), 2)},
        "total": [sum(v for S, v in share.items() if i in S) for i in range(d)],
        "shapley": [sum(v / len(S) for S, v in share.items() if i in S) for i in range(d)],
        "subset": share,
    }


def degree_truths(classifier: PolynomialClassifier, top: int) -> dict[str, Any]:
    """Return the indices by degree, up to the degree ``top``."""
    d, V = classifier.d, classifier.variance
    block = [[Q(0)] * (top + 1) for _ in range(d + 1)]
    for k, (c, square) in classifier.modes.items():
        if any(k) and square:
            block[sum(j > 0 for j in k)][sum(k)] += c * c * square / V
    degree = [sum(row[N] for row in block) for N in range(top + 1)]
    cumulative = [sum(degree[: T + 1]) for T in range(top + 1)]
    peaks = [N for N in range(top + 1) if degree[N] == max(degree)]
    return {
        "block": block,
        "degree": degree,
        "cumulative": cumulative,
        "even": sum(degree[::2]),
        "odd": sum(degree[1::2], Q(0)),
        "peaks": peaks,
    }


class Truth:
    """The oracle's numbers for one classifier."""

    def __init__(
        self,
        judge: Judge,
        classifier: Classifier,
        optimum: Optimum,
        C: list[Fraction],
        size: Fraction,
    ) -> None:
        model = judge.model
        self.classifier, self.optimum, self.size = classifier, optimum, size
        self.tau = model.lam * max(C)
        self.norm2 = model.form(optimum.a, optimum.a) / model.lam
        self.variance = as_fraction(classifier.variance)
        self.scale = max(size**2 / model.lam, size**2)
        self.indices = truths(classifier)
        if isinstance(classifier, PolynomialClassifier):
            top = sum(model.kernel[1]) if judge.is_orthogonal else model.kernel[1]
            self.indices |= degree_truths(classifier, top)
        ratio = size**2 / self.variance
        self.tolerance = judge.tolerance(Q(1), max(Q(1), ratio))
        if judge.is_rbf:
            self.tolerance = Q(1, 10**45) * max(Q(1), ratio)


def walk(found: Any, expected: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the numbers of two nested lists or dictionaries side by side; other lengths are an error."""
    if isinstance(expected, dict):
        if found.keys() != expected.keys():
            raise ValueError(f"the keys are {[*found]} instead of {[*expected]}")
        found, expected = [found[name] for name in expected], list(expected.values())
    if isinstance(expected, list):
        for x, y in zip(found, expected, strict=True):
            yield from walk(x, y)
    else:
        yield found, expected


class TooSmall(Exception):
    """The oracle has too few digits to distinguish the variance of an RBF classifier from 0."""


def find_truth(judge: Judge, C: list[Fraction], optimum: Optimum) -> Truth | None:
    """Return the oracle's indices at these C_i, or None if they are 0/0."""
    if optimum.is_zero:
        return None
    if judge.is_rbf and max(map(abs, optimum.values)) < Q(1, 10**75):
        raise TooSmall
    classifier = judge.model.classifier(optimum.a)
    size = sum(optimum.a, Q(0)) * max(abs(x) for row in judge.model.R for x in row)
    variance = as_fraction(classifier.variance)
    if variance <= 0:
        return None
    if judge.is_rbf and variance <= size**2 / 10**55:
        raise TooSmall
    return Truth(judge, classifier, optimum, C, size)
