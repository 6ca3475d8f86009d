"""Comparison of the statements of a path at several C."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from orca_exact import Path, checker, path
from orca_exact.errors import Undecided, ZeroClassifier

from .certificates import CertificateJudge
from .models import as_fraction
from .profiles import EPSILONS, ProfileJudge
from .truth import Truth, find_truth

Q = Fraction


class PathJudge(CertificateJudge, ProfileJudge):
    """The comparison of paths."""

    def compare_path(self) -> None:
        """Compare the statements of a path at several C."""
        level = "ball" if self.is_rbf or self.random.random() < 0.4 else "exact"
        found: Path | None = self.attempt(f"path {level}", lambda: path(self.problem, level=level))
        if found is None:
            return
        lam, ratios = self.model.lam, [c / max(self.drawn.C) for c in self.drawn.C]
        places = {Q(self.random.randint(1, 400), 40), Q(1, self.random.randint(2, 2000))}
        for segment in found.segments[:-1]:
            tau = self.ends(segment.upper, Q(1))
            if tau[0] == tau[1] and self.model.lam_is_rational:
                places.add(tau[0] / lam)
            places.add((tau[0] / lam).limit_denominator(50) + Q(1, 100))
        last = self.ends(found.segments[-1].lower, Q(1))
        final = Q(int(2 * last[1] / lam) + 2)
        chosen = self.random.sample(sorted(places), min(3, len(places)))
        if level == "exact" and self.random.random() < 0.5:
            data = json.loads(json.dumps(found.to_json()))
            self.tally.compared["checker accepts a path"] += 1
            try:
                checker.check(data)
            except checker.Rejected as error:
                self.fail("path: checker", error, "accepted")
        steps: dict[str, Any] = {}
        if not self.is_rbf:
            eps = self.random.choice(EPSILONS)
            steps["N*"] = self.attempt("N* of a path", found.peak)
            steps[eps] = self.attempt("T_eps of a path", lambda: found.threshold(eps))
        name = self.random.choice(("order", "total", "shapley", "marginal"))
        key = self.random.randint(1, self.model.d)
        curve = found.index(name, key)
        try:
            extrema = self.attempt("extrema", curve.extrema)
        except ZeroClassifier:
            extrema = None
            self.expect(
                "path: extrema if w = 0", find_truth(self, self.drawn.C, self.model.solve(self.drawn.C)), None
            )
        for C in [*chosen, final]:
            if C <= 0:
                continue
            bounds = [C * r for r in ratios]
            optimum = self.model.solve(bounds)
            if final == C and found.hard_margin is not None:
                self.expect("path: hard_margin", found.hard_margin, optimum.hard_margin)
            proof = self.attempt("certificate of a path", lambda C=C: found.certificate(str(C)))
            if proof is not None:
                self.compare_certificate("path", proof, bounds, optimum, False)
            truth = find_truth(self, bounds, optimum)
            if truth is None:
                try:
                    found.at(str(C))
                    self.fail("path: at", "a profile", "ZeroClassifier")
                except ZeroClassifier:
                    self.tally.compared["w = 0"] += 1
                except Undecided:
                    self.tally.undecided["w = 0"] += 1
            else:
                profile = self.attempt("profile of a path", lambda C=C: found.at(str(C)))
                if profile is not None:
                    self.compare_profile("path", profile, truth)
                value = self.attempt("index of a path", lambda C=C: curve(str(C)))
                expected = truth.indices[name][key - (name != "order")]
                if value is not None:
                    self.contains("path: index", value, expected, truth.tolerance, truth.tau)
                if extrema is not None and extrema[0] is not None:
                    lowest, highest = (self.ends(x.value, truth.tau) for x in extrema)
                    x = as_fraction(expected)
                    inside = lowest[0] - truth.tolerance <= x <= highest[1] + truth.tolerance
                    self.expect("path: extrema", inside, True)
            for what, listed in steps.items():
                if listed is not None:
                    self.compare_step(what, listed, C, truth)

    def compare_step(self, what: str, steps: list, C: Fraction, truth: Truth | None) -> None:
        """Compare the value of a step function at C."""
        if truth is None:
            expected = None
        elif what == "N*":
            expected = truth.indices["peaks"][0]
        else:
            F = truth.indices["cumulative"]
            expected = next(T for T, x in enumerate(F) if x >= 1 - Q(what))
        inside, touching, exact = [], [], True
        for step in steps:
            low = self.ends(step.lower, Q(1))
            high = (None, None) if step.upper is None else self.ends(step.upper, Q(1))
            if (step.is_single and low[0] == C) or (low[1] < C and (high[0] is None or high[0] > C)):
                inside.append(step.value)
            elif low[0] <= C and (high[1] is None or high[1] >= C):
                touching.append(step.value)
                exact = exact and C in (low[0], high[0]) and low[0] == low[1] and high[0] == high[1]
        self.tally.compared[f"{'N*' if what == 'N*' else 'T_eps'} of a path"] += 1
        if inside:
            right = inside[0] == expected
        elif exact and touching and None not in touching:  # the smaller value holds at a common end
            right = min(touching) == expected
        else:
            right = expected in touching
        if not right:
            self.fail(f"path: {what} at C = {C}", f"{inside} inside, {touching} at an end", expected)
