"""Comparison of everything that the library announces as proved with the oracle."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cached_property
from typing import Any

from orca_exact import Problem, certify, orca
from orca_exact.conformance.reference import Reference
from orca_exact.conformance.reference_maker import make_reference
from orca_exact.errors import Undecided, ZeroClassifier

from .models import GaussianClassifier, as_fraction
from .paths import PathJudge
from .problems import draw
from .quadratic import Optimum
from .reading import read_model
from .tally import Tally
from .truth import TooSmall, Truth, find_truth, walk

Q = Fraction


class Comparison(PathJudge):
    """The comparison of one problem."""

    def compare_problem(self) -> None:
        problem, model = self.problem, self.model
        points = [[Q(int(x.p), int(x.q)) for x in row] for row in problem.points]
        self.expect("points", points, model.points)
        data = json.loads(json.dumps(problem.to_json()))
        read, C = read_model(data)
        written = (read.points, read.y, read.kernel, C)
        self.expect("problem in the file", written, (model.points, model.y, model.kernel, self.drawn.C))
        copy = Problem.from_json(data)
        self.expect("problem file", (copy == problem, copy.sha256), (True, problem.sha256))
        if problem.lambda_is_rational is not None:
            self.expect("lambda is rational", problem.lambda_is_rational, model.lam_is_rational)
        self.contains("lambda", problem.lambda_ball(), model.lam, model.lam / 10**85, Q(1))

    def compare_reference(self, truth: Truth | None, optimum: Optimum) -> None:
        """Write reference values, read them back and compare every number of the file."""
        made = self.attempt("reference", lambda: make_reference(self.problem, digits=30, fractions=True))
        if made is None:
            return
        data = json.loads(json.dumps(made.to_json()))
        self.expect("reference file", Reference.from_json(data).to_json(), data)
        values, lam = data["values"], self.model.lam
        tau = lam * max(self.drawn.C)

        def number(what: str, item: Any, expected: Any, slack: Fraction) -> None:
            self.tally.compared[what] += 1
            found, expected = self.json_intervals(item, tau), as_fraction(expected)
            if not found or not all(low - slack <= expected <= high + slack for low, high in found):
                self.fail(f"reference: {what}", item, expected)
            self.digits(f"reference: {what}", item["decimal"], expected, max(slack, Q(1, 10**30)))

        for row, expected in zip(values.get("gram", []), self.model.R, strict=False):
            for item, x in zip(row, expected, strict=True):
                number("gram", item, x * lam, self.tolerance(x * lam, abs(lam)))
        if values["alpha_unique"] is not None:
            self.expect("reference: alpha_unique", values["alpha_unique"], optimum.alpha_unique)
        if values["alpha_unique"]:
            for item, x in zip(values["alpha"], optimum.a, strict=True):
                number("alpha in a reference", item, x / lam, self.tolerance(x / lam, max(self.drawn.C)))
        size = self.tolerance(Q(1), max([Q(1), *map(abs, optimum.values)]))
        if (b := values["b"]) is not None:
            ends = [b["lower"], b["upper"]] if "lower" in b else [b, b]
            for item, x in zip(ends, optimum.b, strict=True):
                if item is None or x is None:
                    self.expect("reference: b", item, x)
                else:
                    number("b in a reference", item, x, size)
        if truth is None:
            self.expect("reference: okc", values["okc"], None)
            return
        number("norm2 in a reference", values["norm2"], truth.norm2, self.tolerance(truth.norm2, truth.scale))
        for name, expected in truth.indices.items():
            if name in values["okc"] and name != "peaks":
                for item, x in walk(values["okc"][name], expected):
                    number(f"{name} in a reference", item, x, truth.tolerance)
        if "degree" in truth.indices:
            okc, peaks = values["okc"], truth.indices["peaks"]
            if isinstance(okc["peak"], int):
                self.expect("reference: N*", okc["peak"], peaks[0])
            for eps, T in okc["threshold"].items():
                if isinstance(T, int):
                    F = truth.indices["cumulative"]
                    self.expect("reference: T_eps", T, next(t for t, x in enumerate(F) if x >= 1 - Q(eps)))

    @cached_property
    def levels(self) -> list[str]:
        """The levels of certificates of the kernel."""
        return ["ball", "float", "gap"] if self.is_rbf else ["exact", "ball", "float", "gap"]

    def run(self) -> None:
        """Compare everything for this problem."""
        C = self.drawn.C
        self.compare_problem()
        optimum = self.model.solve(C)
        truth = find_truth(self, C, optimum)
        digits = 20 if self.is_rbf else 30
        chosen = self.random.choice(self.levels)
        for level in self.levels:
            certificate = self.attempt(
                f"level {level}", lambda level=level: certify(self.problem, level=level, digits=digits)
            )
            if certificate is None:
                continue
            checked = level == chosen and self.random.random() < 0.4
            self.compare_certificate(level, certificate, C, optimum, checked)
            for arithmetic in {"exact": ("exact", "ball"), "ball": ("ball",)}.get(
                level, ("ball", "verified")
            ):
                if level != chosen and arithmetic not in ("exact", "verified"):
                    continue
                what = f"{level}/{arithmetic}"
                try:
                    profile = self.attempt(
                        f"profile {what}",
                        lambda c=certificate, arithmetic=arithmetic: orca(
                            self.problem, c, arithmetic, digits
                        ),
                    )
                    if profile is None:
                        continue
                    if truth is None:
                        profile.order  # noqa: B018
                        self.fail(what, profile.order, "ZeroClassifier")
                        continue
                    self.compare_profile(what, profile, truth)
                    if level == chosen:
                        if arithmetic == "ball":
                            self.compare_coefficients(profile, truth)
                        self.compare_rows(profile, certificate, truth)
                        if level in ("exact", "ball"):
                            self.compare_covariances(profile, truth)
                        if isinstance(truth.classifier, GaussianClassifier):
                            self.compare_spectrum(profile, truth)
                except ZeroClassifier:
                    self.expect(f"{what}: w = 0", truth is None, True)
                except Undecided:
                    self.tally.undecided[f"profile {what}"] += 1
        if self.random.random() < 0.2:
            self.compare_solutions(optimum)
        if self.random.random() < 0.2:
            self.compare_reference(truth, optimum)
        if self.random.random() < 0.2:
            self.compare_path()


def compare(seed: int) -> Tally:
    """Compare the library with the oracle on problem number ``seed``."""
    tally = Tally()
    drawn = draw(seed)
    tally.problems[drawn.kind] += 1
    comparison = Comparison(drawn, tally)
    try:
        comparison.run()
    except TooSmall:
        tally.undecided["the oracle: its digits are too few"] += 1
    except Exception as error:  # a fault of the library or of the oracle; either is worth a look
        comparison.fail("run", repr(error), "no exception")
    return tally
