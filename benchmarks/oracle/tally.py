"""Counts of what was compared, and the comparison of single numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any

from flint import arb, fmpq

from orca_exact.errors import BadParameter, OrcaError, Undecided, ZeroClassifier
from orca_exact.numbers.rationals import format_decimal
from orca_exact.numbers.values import to_json_value

from .models import as_fraction
from .problems import Drawn
from .reading import number

Q = Fraction
Interval = tuple[Fraction, Fraction]


@dataclass
class Tally:
    """What was compared, and what was wrong."""

    problems: Counter[str] = field(default_factory=Counter)
    compared: Counter[str] = field(default_factory=Counter)
    undecided: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def update(self, other: Tally) -> None:
        """Add the results of other problems."""
        self.problems.update(other.problems)
        self.compared.update(other.compared)
        self.undecided.update(other.undecided)
        self.failures.extend(other.failures)


def dyadic(x: arb) -> Fraction:
    """Return the exact value of a midpoint or radius."""
    man, exp = x.man_exp()
    return Q(int(man)) * Q(2) ** int(exp)


class Judge:
    """The comparison of single numbers of one problem."""

    def __init__(self, drawn: Drawn, tally: Tally) -> None:
        self.drawn, self.tally = drawn, tally
        self.model, self.problem = drawn.model, drawn.problem
        self.random = Random(f"compare {drawn.seed}")
        self.is_rbf = self.model.kernel[0] == "rbf"
        self.is_orthogonal = self.model.kernel[0] == "orthogonal"
        self.rounded = self.is_rbf or not self.model.lam_is_rational

    # Reading and comparing numbers

    def fail(self, what: str, got: Any, expected: Any) -> None:
        """Record a wrong statement."""
        expected = float(expected) if isinstance(expected, Fraction) else expected
        self.tally.failures.append(
            f"{self.drawn.label}: {what}: {str(got)[:200]} instead of {str(expected)[:200]}"
        )

    def expect(self, what: str, got: Any, expected: Any) -> None:
        """Compare integers, verdicts and lists of them."""
        self.tally.compared[what.split(":")[-1].strip()] += 1
        if got != expected:
            self.fail(what, got, expected)

    def intervals(self, value: Any, tau: Fraction) -> list[Interval]:
        """Return the bounds of a number of the library in all its forms; none if it is not finite."""
        if isinstance(value, int):
            return [(Q(value), Q(value))]
        if isinstance(value, fmpq):
            return [(Q(int(value.p), int(value.q)),) * 2]
        if isinstance(value, arb):
            if not value.is_finite():
                return []
            mid, rad = dyadic(value.mid()), dyadic(value.rad())
            return [(mid - rad, mid + rad)]
        return self.json_intervals(to_json_value(value, fractions=True), tau)

    def json_intervals(self, data: dict, tau: Fraction) -> list[Interval]:
        """Return the bounds of a number in a file, exact and as a ball."""
        found: list[Interval] = []
        if "exact" in data:
            exact = data["exact"]
            if isinstance(exact, dict):
                up, down = (
                    sum((Q(c) * tau**j for j, c in enumerate(exact[part])), Q(0))
                    for part in ("numerator", "denominator")
                )
                found.append((up / down,) * 2)
            else:
                found.append((Q(exact),) * 2)
        if "ball" in data:
            mid, rad = map(number, data["ball"])
            found.append((mid - rad, mid + rad))
        return found

    def ends(self, value: Any, tau: Fraction) -> Interval:
        """Return the bounds of a finite number of the library."""
        return self.intervals(value, tau)[0]

    def contains(self, what: str, value: Any, truth: Any, tolerance: Fraction, tau: Fraction) -> None:
        """Compare a number with the oracle's; what is exact must be equal."""
        truth = as_fraction(truth)
        self.tally.compared[what.split(":")[-1].strip()] += 1
        found = self.intervals(value, tau)
        if not found:
            self.tally.undecided["not finite"] += 1
        elif not all(low - tolerance <= truth <= high + tolerance for low, high in found):
            self.fail(what, value, truth)
        elif not isinstance(value, int) and self.random.random() < 0.2:
            self.digits(what, format_decimal(value, self.random.randint(1, 30)), truth, tolerance)

    def digits(self, what: str, text: str, truth: Fraction, tolerance: Fraction) -> None:
        """Check that the number rounds to the decimal shown."""
        self.tally.compared["printed digits"] += 1
        if "±" in text:
            mid, _, rad = text.partition("±")
            near = abs(Q(mid.strip()) - truth) <= Q(rad.strip()) + tolerance
        else:
            man, _, exp = text.partition("e")
            unit = Q(10) ** (int(exp or 0) - len(man.partition(".")[2]))
            if "." not in man and text != "0":
                unit = Q(10) ** int(exp or 0)
            near = abs(Q(text) - truth) <= unit / 2 + tolerance
        if not near:
            self.fail(f"{what}: printed digits", text, truth)

    def tolerance(self, truth: Any, scale: Fraction | int = 1) -> Fraction:
        """Return how far the oracle itself may be off."""
        if self.is_rbf:
            return max(abs(as_fraction(truth)), scale) / 10**40
        return max(abs(as_fraction(truth)), scale) / 10**75 if self.rounded else Q(0)

    def attempt(self, what: str, action: Callable[[], Any]) -> Any:
        """Return the result, or None if the library says that it cannot decide."""
        try:
            return action()
        except Undecided:
            self.tally.undecided[what] += 1
        except ZeroClassifier:
            raise
        except BadParameter as error:
            if "makes h constant" in str(error):
                raise ZeroClassifier from error
            if "does not enclose alpha" not in str(error):
                self.fail(what, error, "a result")
            self.tally.undecided[what] += 1
        except OrcaError as error:
            self.fail(what, f"{type(error).__name__}: {error}", "a result")
        except Exception as error:  # anything else is a fault of the library
            self.fail(what, repr(error), "a result")
        return None
