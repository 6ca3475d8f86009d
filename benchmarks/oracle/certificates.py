"""Comparison of certificates, of ``solve`` and of verdicts about given dual variables."""

from __future__ import annotations

import json
from fractions import Fraction

from flint import arb

from orca_exact import Certificate, checker, solve
from orca_exact.svm.judge import check_solution

from .quadratic import Optimum
from .tally import Judge

Q = Fraction


class CertificateJudge(Judge):
    """The comparison of certificates."""

    def compare_certificate(
        self, level: str, certificate: Certificate, C: list[Fraction], optimum: Optimum, checked: bool
    ) -> None:
        """Check every claim of a certificate for the bounds C."""
        model, lam = self.model, self.model.lam
        m, tau = len(model.y), lam * max(C)
        upper = [lam * c for c in C]
        data = json.loads(json.dumps(certificate.to_json()))
        a = [Q(u) + tau * Q(v) for u, v in zip(data["u"], data["v"], strict=True)]
        small = max(upper) / 10**75 if self.rounded else Q(0)
        feasible = all(-small <= x <= c + small for x, c in zip(a, upper, strict=True))
        self.expect(f"{level}: feasible", feasible, True)
        balance = sum((x * t for x, t in zip(a, model.y, strict=True)), Q(0))
        self.expect(f"{level}: balance", abs(balance) <= small * m, True)
        if self.problem.lambda_is_rational:
            bounds = Q(data["lambda"]["lower"]), Q(data["lambda"]["upper"])
            self.expect(f"{level}: lambda in the file", bounds, (lam, lam))
        else:
            slack = lam / 10**85
            near = Q(data["lambda"]["lower"]) - slack <= lam <= Q(data["lambda"]["upper"]) + slack
            self.expect(f"{level}: lambda in the file", near, True)

        norm2 = model.form(a, a) / lam
        best = model.form(optimum.a, optimum.a) / lam
        size = sum(upper, Q(0)) ** 2 * max(abs(x) for row in model.R for x in row) / lam
        tolerance = self.tolerance(best, size) if self.rounded else Q(0)
        difference = [x - z for x, z in zip(a, optimum.a, strict=True)]
        distance2 = model.form(difference, difference) / lam
        claims = data["claims"]
        for w_error in (self.upper(certificate.w_error), Q(claims["w_error"])):
            self.expect(f"{level}: w_error", distance2 <= w_error**2 + tolerance, True)
        if 0 < certificate.digits < 10**6:
            self.expect(
                f"{level}: digits",
                Q(100) ** certificate.digits * distance2 <= best + tolerance * 10**20,
                True,
            )
        for low, high in (
            self.ends(certificate.norm2, tau),
            tuple(Q(claims["norm2"][e]) for e in ("lower", "upper")),
        ):
            self.expect(f"{level}: norm2", low - tolerance <= norm2 <= high + tolerance, True)
        self.compare_bias(level, certificate, data, optimum, tau)
        if "u" in data["b"]:
            b = Q(data["b"]["u"]) + tau * Q(data["b"]["v"])
            values = [sum((a[j] * model.y[j] * model.R[i][j] for j in range(m)), Q(0)) for i in range(m)]
            slack = [max(Q(0), 1 - t * (h + b)) for t, h in zip(model.y, values, strict=True)]
            gap = norm2 - sum(a, Q(0)) / lam + sum((c * x for c, x in zip(C, slack, strict=True)), Q(0))
            for bound in (self.upper(certificate.gap), Q(claims["gap"])):
                self.expect(f"{level}: gap", gap <= bound + tolerance, True)
        free = tuple(i + 1 for i in range(m) if small < a[i] < upper[i] - small)
        bound = tuple(i + 1 for i in range(m) if a[i] >= upper[i] - small)
        self.expect(f"{level}: free", (certificate.free, tuple(data["active"]["free"])), (free, free))
        self.expect(f"{level}: bound", (certificate.bound, tuple(data["active"]["bound"])), (bound, bound))
        for name, truth in (
            ("alpha_unique", optimum.alpha_unique),
            ("hard_margin", optimum.hard_margin),
            ("b_unique", optimum.b[0] == optimum.b[1]),
        ):
            for claim in {getattr(certificate, name), claims[name]} - {None}:
                self.expect(f"{level}: {name}", claim, truth)
        if certificate.is_zero:
            self.expect(f"{level}: is_zero", True, optimum.is_zero)
        if optimum.alpha_unique and (certificate.exact or certificate.enclosure is not None):
            for ball, x in zip(certificate.alpha(30), optimum.a, strict=True):
                self.contains(f"{level}: alpha", ball, x / lam, self.tolerance(x / lam, max(C)), tau)
        if checked:
            self.tally.compared["checker accepts"] += 1
            try:
                checker.check(data)
            except checker.Rejected as error:
                self.fail(f"{level}: checker", error, "accepted")

    def upper(self, ball: arb) -> Fraction:
        """Return the upper end of a ball."""
        return self.ends(ball, Q(1))[1]

    def compare_bias(
        self, level: str, certificate: Certificate, data: dict, optimum: Optimum, tau: Fraction
    ) -> None:
        """Compare b, or the ends of its interval, if it is proved."""
        low, high = optimum.b
        tolerance = self.tolerance(Q(1), max([Q(1), *map(abs, optimum.values)]))
        balls = self.intervals(certificate.bias(30), tau)
        ball = balls[0] if balls else None
        if certificate.exact:
            claimed = data["b"]
            parts = [claimed] * 2 if "u" in claimed else [claimed["lower"], claimed["upper"]]
            for end, part, truth in zip(("lower", "upper"), parts, (low, high), strict=True):
                if part is None or truth is None:
                    self.expect(f"{level}: b {end}", part, truth)
                else:
                    b = Q(part["u"]) + tau * Q(part["v"])
                    self.expect(f"{level}: b {end}", abs(b - truth) <= tolerance, True)
            if low is not None and high is not None and ball is not None:
                inside = ball[0] - tolerance <= low and high <= ball[1] + tolerance
                self.expect(f"{level}: bias", inside, True)
        elif certificate.b_unique and ball is not None and low is not None:
            self.expect(f"{level}: bias", ball[0] - tolerance <= low <= ball[1] + tolerance, True)

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
