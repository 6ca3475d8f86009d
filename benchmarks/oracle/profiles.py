"""Comparison of profiles: indices, coefficients, components, attributions, covariances."""

from __future__ import annotations

from fractions import Fraction

from orca_exact import Certificate, Profile

from .models import GaussianClassifier, PolynomialClassifier, as_fraction, subsets
from .moments import mp, to_fraction, to_mpf
from .tally import Judge
from .truth import Truth, walk

Q = Fraction
EPSILONS = ("0.1", "0.05", "0.01")


class ProfileJudge(Judge):
    """The comparison of profiles."""

    def compare_profile(self, what: str, profile: Profile, truth: Truth) -> None:
        """Compare every index of a profile."""
        tau, indices = truth.tau, truth.indices
        data = profile.to_dict(lambda x: x)
        for name in (
            "order",
            "marginal",
            "pair",
            "total",
            "shapley",
            "degree",
            "cumulative",
            "block",
            "even",
            "odd",
        ):
            if name not in indices:
                self.expect(f"{what}: {name} is absent", name in data, False)
                continue
            for value, expected in walk(data[name], indices[name]):
                self.contains(f"{what}: {name}", value, expected, truth.tolerance, tau)
        for S, expected in indices["subset"].items():
            found = profile.subset([i + 1 for i in S])
            self.contains(f"{what}: subset", found, expected, truth.tolerance, tau)
        self.contains(
            f"{what}: norm2", profile.norm2, truth.norm2, self.tolerance(truth.norm2, truth.scale), tau
        )
        self.contains(
            f"{what}: variance",
            profile.variance,
            truth.variance,
            self.tolerance(truth.variance, truth.scale),
            tau,
        )
        if "degree" in indices:
            self.compare_peaks(what, profile, truth)

    def compare_peaks(self, what: str, profile: Profile, truth: Truth) -> None:
        """Compare N* and T_eps, also at an eps at which F(T) = 1 - eps."""
        peaks, cumulative = truth.indices["peaks"], truth.indices["cumulative"]
        if (found := self.attempt("N*", lambda: profile.peaks)) is not None:
            self.expect(f"{what}: peaks", list(found), peaks)
        if (peak := self.attempt("N*", lambda: profile.peak)) is not None:
            self.expect(f"{what}: N*", peak, peaks[0])
        ties = (
            [1 - F for F in cumulative if 0 <= 1 - F <= 1 and len(str(F)) < 300] if not self.rounded else []
        )
        for eps in [
            *map(Q, EPSILONS),
            Q(self.random.randint(0, 100), 100),
            *self.random.sample(ties, min(1, len(ties))),
        ]:
            if (found := self.attempt("T_eps", lambda eps=eps: profile.threshold(str(eps)))) is not None:
                T = next(T for T, F in enumerate(cumulative) if 1 - eps <= F)
                self.expect(f"{what}: T_eps", found[0], T)
                self.contains(f"{what}: F(T_eps)", found[1], cumulative[T], truth.tolerance, truth.tau)

    def compare_coefficients(self, profile: Profile, truth: Truth) -> None:
        """Compare c_k, with its sign, by its square root in 100 digits."""
        classifier = truth.classifier
        if not isinstance(classifier, PolynomialClassifier):
            return
        factor = 1 / self.model.lam if self.is_orthogonal else Q(1)
        with mp.workdps(100):
            for k, value in profile.coefficients().items():
                c, square = classifier.modes.get(k, (Q(0), Q(0)))
                exact = to_fraction(to_mpf(c) * mp.sqrt(to_mpf(square * factor)))
                slack = max(abs(exact), truth.scale) / 10**80
                self.contains("c_k", value, exact, slack, truth.tau)

    def compare_rows(self, profile: Profile, certificate: Certificate, truth: Truth) -> None:
        """Compare components, attributions and covariances at rows of the data and at another one."""
        model, classifier, tau = self.model, truth.classifier, truth.tau
        d = model.d
        row = list(self.random.choice(model.points))
        if self.random.random() < 0.5 and self.is_rbf:
            row = [x + Q(1, 7) for x in row]
        text = [str(x) for x in row]
        slack = self.tolerance(Q(1), truth.size)
        for S in subsets(d)[1:]:
            value = profile.component([i + 1 for i in S])(
                [[text[i] for i in S]] if len(S) > 1 else [text[S[0]]]
            )[0]
            self.contains("component", value, classifier.component(S, row), slack, tau)
        background = None
        if self.random.random() < 0.4:
            background = self.random.sample(model.points, self.random.randint(1, len(model.points)))
        given = None if background is None else [[str(x) for x in z] for z in background]
        bias = certificate.bias() if certificate.b_unique else None
        found = profile.attributions(text, background=given, bias=bias)
        for value, expected in zip(found.values[0], classifier.shapley_values(row, background), strict=True):
            self.contains("attribution", value, expected, slack, tau)
        constant = truth.optimum.b[0] if bias is not None else Q(0)
        assert constant is not None
        if background is None:
            mean = as_fraction(classifier.expect((), row))
        else:
            mean = sum((as_fraction(classifier.value(z)) for z in background), Q(0)) / len(background)
        self.contains("base of attributions", found.base, mean + constant, slack, tau)
        self.contains(
            "decision", found.decision[0], as_fraction(classifier.value(row)) + constant, slack, tau
        )

    def compare_covariances(self, profile: Profile, truth: Truth) -> None:
        """Compare Cov(f_S, h)/Var(h) over the rows."""
        classifier, rows = truth.classifier, self.model.points
        h = [as_fraction(classifier.value(x)) for x in rows]
        mean = sum(h, Q(0)) / len(h)
        variance = sum(((x - mean) ** 2 for x in h), Q(0)) / len(h)
        tiny = self.tolerance(Q(1), truth.size)
        if variance <= tiny * truth.size:
            return
        found = self.attempt("covariances", profile.covariances)
        if found is None:
            return
        slack = tiny * (truth.size + 1) / variance
        self.contains("covariances", found.variance, variance, slack, truth.tau)
        by_order = [Q(0)] * (self.model.d + 1)
        for S in subsets(self.model.d)[1:]:
            f = [as_fraction(classifier.component(S, x)) for x in rows]
            value = sum((p * (q - mean) for p, q in zip(f, h, strict=True)), Q(0)) / len(h) / variance
            by_order[len(S)] += value
            if len(S) == 1:
                self.contains("covariances", found.marginal[S[0] + 1], value, slack, truth.tau)
            if len(S) == 2:
                self.contains("covariances", found.pair[S[0] + 1, S[1] + 1], value, slack, truth.tau)
        for got, value in zip(found.order, by_order, strict=True):
            self.contains("covariances", got, value, slack, truth.tau)

    def compare_spectrum(self, profile: Profile, truth: Truth) -> None:
        """Compare the shares of the degrees of an RBF classifier."""
        if any(
            measure.kind == "discrete"
            or (measure.parameters[0] == measure.parameters[1] and measure.kind == "uniform")
            for measure in self.model.under
        ):
            return
        n = self.random.randint(1, 4)
        found = self.attempt("spectrum", lambda: profile.spectrum(n))
        if found is None:
            return
        assert isinstance(truth.classifier, GaussianClassifier)
        parts = [x / truth.classifier.variance for x in truth.classifier.degree_parts(n)]
        for value, expected in zip(found.degree[1:], parts[1:], strict=True):
            self.contains("spectrum", value, expected, truth.tolerance, truth.tau)
        self.contains("spectrum", found.beyond, 1 - sum(parts[1:]), truth.tolerance, truth.tau)
