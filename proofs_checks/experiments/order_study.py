"""The stored study of the orders: which of them differ from those of shuffled labels, and what is predicted.

``published()`` returns it. The counts from which all is derived are in ``data/order_study.json``, made by
``python -m proofs_checks.experiments.order_study_maker``. The results are statistical; they decide no claim.

The test was fixed after the data had been seen: the two-sided step-down max-T test of Westfall and Young,
standardised by mean and standard deviation over the observed value and the shuffled ones together. Its
family is all 135 orders (27 rows of Tables 4 to 6 with OKC^(1) to OKC^(5) each), or the five orders of one
row, which is not corrected for the number of rows. A comparison that could change within the errors of the
fits counts against significance, and the observed values are the certified ones. A result is published if it
holds for each of the five seeds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from orca_exact.files.formats import read_shipped

FILE = "data/order_study.json"
SCHEMA = "orca-exact/order-study/1"
LEVEL = 0.05


@dataclass(frozen=True)
class PValues:
    """Adjusted p-values of one number in one family, for each seed and for all shufflings together.

    ``counts`` has the p-values times ``sizes``: integers, for each seed and then for all shufflings together.
    ``sizes`` has the numbers of shufflings plus 1, for the observed value, in the same order.
    """

    counts: tuple[int, ...]
    sizes: tuple[int, ...]

    @property
    def p_by_seed(self) -> tuple[float, ...]:
        """The p-value with the shufflings of each seed alone."""
        return tuple(count / size for count, size in zip(self.counts, self.sizes, strict=True))[:-1]

    @property
    def p(self) -> float:
        """The p-value with all shufflings together."""
        return self.counts[-1] / self.sizes[-1]

    @property
    def seeds(self) -> int:
        """Number of seeds for which the p-value is at most LEVEL."""
        return sum(p <= LEVEL for p in self.p_by_seed)

    @property
    def holds(self) -> bool:
        """Whether the p-value is at most LEVEL for each seed and for all shufflings together."""
        return self.seeds == len(self.p_by_seed) and self.p <= LEVEL


@dataclass(frozen=True)
class Order:
    """One of the 135 orders: its certified value, its distribution for shuffled labels, and its tests.

    ``mean``, ``sd`` and ``band`` (the quantiles 0.025, 0.5 and 0.975) are over all shufflings without the
    observed value. ``error`` bounds the error of every shuffled value, by its duality gap in float64.
    """

    table: str
    n: int
    q: int
    observed: float
    mean: float
    sd: float
    band: tuple[float, float, float]
    error: float
    family: PValues  # among all 135 orders
    row: PValues  # among the five orders of its row
    single: PValues  # alone

    @property
    def label(self) -> str:
        """The symbol, as in OKC^(2)."""
        return f"OKC^({self.q})"


@dataclass(frozen=True)
class Power:
    """How many labellings planted in one way have an order that differs from shuffled labels at LEVEL.

    ``kind`` is one of ``labellings.SCORES``; "null" gives the size of the test. ``distinct`` of the
    ``labellings`` differ from each other. ``family`` counts those with an order that differs among all 135,
    ``rows`` by (table, n) those with an order that differs among the five of that row. The shufflings are
    those of the first seed.
    """

    kind: str
    labellings: int
    distinct: int
    family: int
    rows: Mapping[tuple[str, int], int]

    def rate(self, table: str | None = None, n: int | None = None) -> float:
        """Return the share of rejections among the five orders of a row, or among all 135 orders."""
        count = self.family if table is None or n is None else self.rows[table, n]
        return count / self.labellings


@dataclass(frozen=True)
class Score:
    """A cross-validated number of the given labels, and its distribution for shuffled labels.

    ``count`` is the number of shufflings with at least the observed value, plus 1. ``family`` is this number
    adjusted, by the one-sided step-down max-T method, for the three scores of every n together.
    """

    observed: float
    mean: float
    sd: float
    count: int
    family: int
    size: int

    @property
    def p(self) -> float:
        """The one-sided p-value: only values larger than those of shuffled labels count."""
        return self.count / self.size

    @property
    def p_family(self) -> float:
        """The one-sided p-value, corrected for all scores of every n."""
        return self.family / self.size


@dataclass(frozen=True)
class Prediction:
    """Accuracy, balanced accuracy and AUC in repeated cross-validation for one n."""

    n: int
    accuracy: Score
    balanced: Score
    auc: Score


@dataclass(frozen=True)
class Statement:
    """How often a statement about the orders is also true for shuffled labels; see ``STATEMENTS``."""

    kind: str
    observed: bool
    shuffled: int
    shufflings: int


@dataclass(frozen=True)
class Certified:
    """The comparison of a sample of the shuffled fits with certified values.

    ``difference`` is the largest difference of an order, the radius of the certified value included;
    ``share`` is the largest quotient of a difference and the bound ``Order.error`` that the test uses.
    """

    per_row: int
    fits: int
    difference: float
    share: float


@dataclass(frozen=True)
class Study:
    """The study as it is published."""

    seeds: tuple[int, ...]
    shufflings: int  # for each seed
    positives: int  # points with label +1, in every labelling
    points: int
    orders: tuple[Order, ...]
    power: tuple[Power, ...]
    statements: tuple[Statement, ...]
    certified: Certified
    table: str  # of the classifiers whose predictions were tested
    folds: int
    draws: int
    label_shufflings: int  # for the predictions
    predictions: tuple[Prediction, ...]

    @property
    def total(self) -> int:
        """Number of shufflings of all seeds together."""
        return len(self.seeds) * self.shufflings

    @property
    def significant(self) -> tuple[Order, ...]:
        """The orders that differ from shuffled labels among all 135, for every seed."""
        return tuple(order for order in self.orders if order.family.holds)

    @property
    def undecided(self) -> tuple[Order, ...]:
        """The orders that differ among all 135 for some seeds, or for all shufflings together, only."""
        return tuple(o for o in self.orders if not o.family.holds and (o.family.seeds or o.family.p <= LEVEL))

    @property
    def significant_in_row(self) -> tuple[Order, ...]:
        """The orders that differ among the five of their row for every seed, uncorrected over the rows."""
        return tuple(order for order in self.orders if order.row.holds)

    @property
    def significant_singly(self) -> tuple[Order, ...]:
        """The orders that differ for every seed if each is tested alone, uncorrected."""
        return tuple(order for order in self.orders if order.single.holds)

    @property
    def least_p_of_min_p(self) -> float:
        """About the least p-value that the min-P method could give for all orders with one seed: k/B."""
        return len(self.orders) / self.shufflings

    def order(self, table: str, n: int, q: int) -> Order:
        """Return one of the orders."""
        return next(o for o in self.orders if (o.table, o.n, o.q) == (table, n, q))

    def mean_order(self, table: str, n: int) -> float:
        """Return the observed mean order of a row, the sum of q OKC^(q)."""
        return sum(o.q * o.observed for o in self.orders if (o.table, o.n) == (table, n))

    def statement(self, kind: str) -> Statement:
        """Return the counts of one of the statements."""
        return next(row for row in self.statements if row.kind == kind)

    def prediction(self, n: int) -> Prediction:
        """Return the predictions for one n."""
        return next(row for row in self.predictions if row.n == n)


@lru_cache(maxsize=1)
def published() -> Study:
    """Return the stored study."""
    return from_json(read_shipped(FILE, "proofs_checks"))


def from_json(found: Mapping[str, Any]) -> Study:
    """Return the study that a JSON value describes."""
    design, prediction = found["design"], found["prediction"]
    one = design["shufflings"] + 1
    sizes = (*(one for _ in design["seeds"]), len(design["seeds"]) * (one - 1) + 1)
    orders = [
        Order(
            row["table"], row["n"], each["q"], each["observed"], each["mean"], each["sd"],
            tuple(each["band"]), each["error"],
            *(PValues(tuple(each[name]), sizes) for name in ("family", "row", "single")),
        )
        for row in found["rows"]
        for each in row["orders"]
    ]  # fmt: skip
    power = [
        Power(
            row["kind"], row["labellings"], row["distinct"], row["family"],
            {(table, int(n)): count for table, counts in row["rows"].items() for n, count in counts.items()},
        )
        for row in found["power"]
    ]  # fmt: skip
    scores = [
        Prediction(
            row["n"],
            *(
                Score(**row[name], size=prediction["shufflings"] + 1)
                for name in ("accuracy", "balanced", "auc")
            ),
        )
        for row in prediction["rows"]
    ]
    statements = [
        Statement(row["kind"], row["observed"], row["shuffled"], sizes[-1] - 1) for row in found["statements"]
    ]
    return Study(
        tuple(design["seeds"]), design["shufflings"], design["positives"], design["points"], tuple(orders),
        tuple(power), tuple(statements), Certified(**found["certified"]), prediction["table"],
        prediction["folds"], prediction["draws"], prediction["shufflings"], tuple(scores),
    )  # fmt: skip
