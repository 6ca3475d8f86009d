"""Comparison of certificates, of ``solve`` and of verdicts about given dual variables."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import NamedTuple

from flint import arb

from orca_exact import Certificate, checker, solve
from orca_exact.svm.judge import check_solution

from .quadratic import Optimum
from .tally import Judge

Q = Fraction


class Stated(NamedTuple):
    """What the dual variables of a certificate are worth, and how far the oracle may be off."""

    norm2: Fraction
    best: Fraction
    distance2: Fraction
    gap: Fraction | None
    slack: Fraction


class CertificateJudge(Judge):
    """The comparison of certificates."""

    def compare_certificate(
        self, level: str, certificate: Certificate, C: list[Fraction], optimum: Optimum, checked: bool
    ) -> None:
        """Compare a certificate and its file with the optimum for the bounds C."""
        lam, tau = self.model.lam, self.model.lam * max(C)
        data = json.loads(json.dumps(certificate.to_json()))
        found = self.compare_file(level, data, C, optimum)
        self.expect(
            f"{level}: w_error", found.distance2 <= self.upper(certificate.w_error) ** 2 + found.slack, True
        )
        self.contains(f"{level}: norm2", certificate.norm2, found.norm2, found.slack, tau)
        if 0 < certificate.digits < 10**6:
            near = Q(100) ** certificate.digits * found.distance2 <= found.best + found.slack * 10**20
            self.expect(f"{level}: digits", near, True)
        if found.gap is not None:
            self.expect(f"{level}: gap", found.gap <= self.upper(certificate.gap) + found.slack, True)
        sets = {"free": list(certificate.free), "bound": list(certificate.bound)}
        self.expect(f"{level}: active sets", sets, data["active"])
        for name, truth in optimum.verdicts.items():
            if (claim := getattr(certificate, name)) is not None:
                self.expect(f"{level}: {name}", claim, truth)
        if certificate.is_zero:
            self.expect(f"{level}: is_zero", True, optimum.is_zero)
        if optimum.alpha_unique and (certificate.exact or certificate.enclosure is not None):
            for ball, x in zip(certificate.alpha(30), optimum.a, strict=True):
                self.contains(f"{level}: alpha", ball, x / lam, self.tolerance(x / lam, max(C)), tau)
        low, high = optimum.b
        if (certificate.exact or certificate.b_unique) and low is not None and high is not None:
            for ball in self.intervals(certificate.bias(30), tau):
                slack = self.bias_slack(optimum)
                self.expect(f"{level}: bias", ball[0] - slack <= low <= high <= ball[1] + slack, True)
        if checked:
            self.tally.compared["checker accepts"] += 1
            try:
                checker.check(data)
            except checker.Rejected as error:
                self.fail(f"{level}: checker", error, "accepted")

    def compare_file(self, level: str, data: dict, C: list[Fraction], optimum: Optimum) -> Stated:
        """Compare every claim of a certificate file; return what its dual variables are worth."""
        model, lam = self.model, self.model.lam
        m, tau = len(model.y), lam * max(C)
        upper = [lam * c for c in C]
        a = [Q(u) + tau * Q(v) for u, v in zip(data["u"], data["v"], strict=True)]
        small = max(upper) / 10**75 if self.rounded else Q(0)
        feasible = all(-small <= x <= c + small for x, c in zip(a, upper, strict=True))
        self.expect(f"{level}: feasible", feasible, True)
        balance = sum((x * t for x, t in zip(a, model.y, strict=True)), Q(0))
        self.expect(f"{level}: balance", abs(balance) <= small * m, True)
        ends, slack = (
            [Q(data["lambda"][end]) for end in ("lower", "upper")],
            lam / 10**85 if self.rounded else 0,
        )
        self.expect(f"{level}: lambda in the file", ends[0] - slack <= lam <= ends[1] + slack, True)

        norm2, best = (model.form(x, x) / lam for x in (a, optimum.a))
        size = sum(upper, Q(0)) ** 2 * max(abs(x) for row in model.R for x in row) / lam
        slack = self.tolerance(best, size)
        difference = [x - z for x, z in zip(a, optimum.a, strict=True)]
        distance2 = model.form(difference, difference) / lam
        claims, b, gap = data["claims"], data["b"], None
        self.expect(f"{level}: w_error in the file", distance2 <= Q(claims["w_error"]) ** 2 + slack, True)
        low, high = (Q(claims["norm2"][end]) for end in ("lower", "upper"))
        self.expect(f"{level}: norm2 in the file", low - slack <= best <= high + slack, True)
        if "u" in b:
            bias = Q(b["u"]) + tau * Q(b["v"])
            values = [sum((a[j] * model.y[j] * model.R[i][j] for j in range(m)), Q(0)) for i in range(m)]
            xi = [max(Q(0), 1 - t * (h + bias)) for t, h in zip(model.y, values, strict=True)]
            gap = norm2 - sum(a, Q(0)) / lam + sum((c * x for c, x in zip(C, xi, strict=True)), Q(0))
            self.expect(f"{level}: gap in the file", gap <= Q(claims["gap"]) + slack, True)
        if data["level"] == "exact":
            parts = [b, b] if "u" in b else [b["lower"], b["upper"]]
            for end, part, truth in zip(("lower", "upper"), parts, optimum.b, strict=True):
                if part is None or truth is None:
                    self.expect(f"{level}: b {end}", part, truth)
                else:
                    near = abs(Q(part["u"]) + tau * Q(part["v"]) - truth) <= self.bias_slack(optimum)
                    self.expect(f"{level}: b {end}", near, True)
        if not self.model.lam_is_rational:  # u + lambda v is rational only if v = 0
            zero, full = ([(0, 0)] * m, [(0, c / max(C)) for c in C])
            values = [(Q(u), Q(v)) for u, v in zip(data["u"], data["v"], strict=True)]
        else:
            zero, full, values = [0] * m, upper, a
        active = {
            "free": [i + 1 for i in range(m) if values[i] not in (zero[i], full[i])],
            "bound": [i + 1 for i in range(m) if values[i] == full[i]],
        }
        self.expect(f"{level}: active sets in the file", data["active"], active)
        for name, truth in optimum.verdicts.items():
            if claims[name] is not None:
                self.expect(f"{level}: {name} in the file", claims[name], truth)
        return Stated(norm2, best, distance2, gap, slack)

    def upper(self, ball: arb) -> Fraction:
        """Return the upper end of a ball."""
        return self.ends(ball, Q(1))[1]

    def bias_slack(self, optimum: Optimum) -> Fraction:
        """Return how far the oracle's b may be off."""
        return self.tolerance(Q(1), max([Q(1), *map(abs, optimum.values)]))

    def compare_solutions(self, optimum: Optimum) -> None:
        """Compare the digits of ``solve``, and verdicts about given dual variables."""
        model, lam, C = self.model, self.model.lam, self.drawn.C
        found = self.attempt("solve", lambda: solve(self.problem))
        if found is not None and not optimum.is_zero:
            a = [Q(int(x.p), int(x.q)) * lam for x in found.alpha]
            difference = [x - z for x, z in zip(a, optimum.a, strict=True)]
            best = model.form(optimum.a, optimum.a)
            far = model.form(difference, difference) * Q(100) ** found.digits > best * (1 + Q(1, 10**9))
            self.expect("digits of solve", far, False)
        if self.rounded:
            return
        alpha = [x / lam for x in optimum.a]
        b = optimum.b[0] if optimum.b[0] is not None else optimum.b[1]
        given: list[tuple[list[Fraction], Fraction | None, bool]] = [(alpha, None, True), (alpha, b, True)]
        assert b is not None
        outside = b - 1 if optimum.b[0] is not None else b + 1
        given.append((alpha, outside, False))
        i, j = self.random.sample(range(len(C)), 2)
        step = min(C) / 1000
        changed = list(alpha)
        changed[i] += step
        changed[j] += step * (-model.y[i] * model.y[j])
        legal = all(0 <= x <= c for x, c in zip(changed, C, strict=True))
        same_w = not any(step * model.y[i] * (model.R[k][i] - model.R[k][j]) for k in range(len(C)))
        balanced = sum((x * t for x, t in zip(changed, model.y, strict=True)), Q(0)) == 0
        if balanced:
            on_face = legal and same_w and sum(changed, Q(0)) == sum(alpha, Q(0))
            given.append((changed, None, on_face))
        for numbers, bias, expected in given:
            text = [str(x) for x in numbers]
            verdict = self.attempt(
                "check_solution",
                lambda text=text, bias=bias: check_solution(
                    self.problem, text, None if bias is None else str(bias)
                ),
            )
            if verdict is not None:
                self.expect("check_solution", verdict.optimal, expected)
