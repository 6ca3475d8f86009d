"""Tasks that are measured by size: this package and alternatives, all with Legendre kernels.

A task is prepared for a size (m, d, n, digits), which is not timed, and then called. It computes the
indices by order, coordinate, pair and total degree from points, and returns those by order, to be compared
with others.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import reduce
from itertools import product
from math import prod
from typing import Any

import numpy as np

from orca_exact import RBF, OrthogonalPolynomials, Problem, certify, orca, path
from orca_exact.errors import Undecided
from orca_exact.profile.indices import INDICES

from .point import RUNS

C = 1
MOST = 2**25  # modes that may be stored at once in NumPy
Task = Callable[[], list[float] | None]


def data(m: int, d: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return m points of [-1, 1]^d and labels by an oscillating function, one in twenty of them wrong."""
    random = np.random.default_rng(seed)
    X = random.integers(-(2**20), 2**20 + 1, (m, d)) / 2**20
    wave = np.sin(3 * X).sum(axis=1) + X[:, 0] * X[:, -1]
    return X, np.where((wave >= np.median(wave)) ^ (random.random(m) < 0.05), 1, -1)


def read(profile: Any) -> list[float]:
    """Compute every family of indices that is measured, and return the indices by order."""
    _ = profile.marginal, profile.pair, profile.degree
    return [float(x) for x in profile.order]


def ours(m: int, d: int, n: int, digits: int) -> Task:
    """Prepare a proved profile: in float64 if 8 digits are enough and its bounds decide, else in balls."""
    X, y = data(m, d)

    def run() -> list[float]:
        problem = Problem(X, y, n, 0, 0, C)
        if digits <= 8:
            try:
                return read(orca(problem, certify(problem, level="float"), "verified"))
            except Undecided:
                pass
        return read(orca(problem, certify(problem, level="ball", digits=digits), "ball", digits))

    return run


def ours_in(arithmetic: str) -> Callable[..., Task]:
    """Prepare a certified optimum with its indices in another arithmetic."""

    def make(m: int, d: int, n: int, digits: int) -> Task:
        X, y = data(m, d)
        level = "exact" if arithmetic == "exact" else "ball"

        def run() -> list[float]:
            problem = Problem(X, y, n, 0, 0, C)
            return read(orca(problem, certify(problem, level=level, digits=digits), arithmetic, digits))

        return run

    return make


def audited(m: int, d: int, n: int, digits: int) -> Task:
    """Prepare an audit of a fitted SVC; the fit is not timed."""
    from sklearn.svm import SVC

    from orca_exact.sklearn import OrthogonalPolynomialKernel, audit

    X, y = data(m, d)
    model = SVC(C=C, kernel=OrthogonalPolynomialKernel(n)).fit(X, y)

    def run() -> list[float]:
        found: Any = audit(model, X, y, digits=digits)
        return read(found.profile)

    return run


def legendre(X: np.ndarray, n: int) -> list[np.ndarray]:
    """Return the values p_k(x_il) for each coordinate l, with rows k and columns i."""
    from numpy.polynomial.legendre import legvander

    return [(legvander(x, n) * np.sqrt(np.arange(n + 1) + 0.5)).T for x in X.T]


def folded(P: list[np.ndarray]) -> np.ndarray:
    """Return the products for all multi-indices, with one row for each mode."""
    return reduce(lambda M, p: (M[:, None] * p).reshape(-1, p.shape[1]), P)


def summed(c: np.ndarray, d: int, n: int) -> list[float]:
    """Return the indices by order from the c_k of all modes; the other families are computed too."""
    squares = (c.ravel() ** 2).reshape((n + 1,) * d)
    by_set = reduce(lambda a, axis: np.add.reduceat(a, [0, 1], axis), range(d), squares)  # k_i = 0, k_i > 0
    by_set = by_set.ravel() / by_set.sum()
    sizes = reduce(np.add.outer, [np.arange(2)] * d).ravel()
    _marginals, _pairs = by_set[sizes == 1], by_set[sizes == 2]
    _degrees = np.bincount(reduce(np.add.outer, [np.arange(n + 1)] * d).ravel(), squares.ravel())
    return np.bincount(sizes, by_set).tolist()


def fit(m: int, d: int, n: int, digits: int) -> Task:
    """Prepare the Gram matrix and a fit by libsvm, without indices and without a proof."""
    from sklearn.svm import SVC

    X, y = data(m, d)

    def run() -> None:
        SVC(C=C, kernel="precomputed").fit(prod(p.T @ p for p in legendre(X, n)), y)

    return run


def fit_and_modes(m: int, d: int, n: int, digits: int) -> Task:
    """Prepare a fit by libsvm and all c_k in NumPy, as one product of two halves of the coordinates."""
    from sklearn.svm import SVC

    if (n + 1) ** d > MOST:
        raise MemoryError
    X, y = data(m, d)

    def run() -> list[float]:
        P = legendre(X, n)
        model = SVC(C=C, kernel="precomputed").fit(prod(p.T @ p for p in P), y)
        P = [p[:, model.support_] for p in P]
        return summed(folded(P[: d // 2]) * model.dual_coef_ @ folded(P[d // 2 :]).T, d, n)

    return run


def linear(**options: Any) -> Callable[..., Task]:
    """Prepare LinearSVC on the explicit features."""

    def make(m: int, d: int, n: int, digits: int) -> Task:
        from sklearn.svm import LinearSVC

        X, y = data(m, d)

        def run() -> list[float]:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # it may not converge
                model = LinearSVC(C=C, **options).fit(folded(legendre(X, n)).T, y)
            return summed(model.coef_, d, n)

        return run

    return make


def active(X: np.ndarray, y: np.ndarray, n: int) -> tuple[list[int], list[int]]:
    """Return the free points and the points at their bound, as found by libsvm."""
    from sklearn.svm import SVC

    model = SVC(C=C, kernel="precomputed", tol=1e-9).fit(prod(p.T @ p for p in legendre(X, n)), y)
    alpha = dict(zip(model.support_.tolist(), abs(model.dual_coef_[0]).tolist(), strict=True))
    free = [i for i, a in alpha.items() if a < C * (1 - 1e-7)]
    return free, [i for i in alpha if i not in free]


def by_hand(field: Any, solve: Callable[[list, list], list], X: Any, y: Any, n: int) -> list:
    """Solve the KKT system of libsvm's active set in a given field and sum every c_k^2 by the definitions."""
    free, bound = active(X, y, n)
    d, points = X.shape[1], {i: [field(x) for x in X[i].tolist()] for i in free + bound}
    labels = y.tolist()
    P = {i: [_classical(x, n) for x in point] for i, point in points.items()}
    weight = [field(2 * k + 1) / field(2) for k in range(n + 1)]

    def kernel(i: int, j: int) -> Any:
        both = zip(P[i], P[j], strict=True)
        return prod(sum(w * a * b for w, a, b in zip(weight, p, q, strict=True)) for p, q in both)

    A = [[kernel(i, j) for j in free] + [field(1)] for i in free] + [[field(1)] * len(free) + [field(0)]]
    right = [field(labels[i]) - sum(C * labels[j] * kernel(i, j) for j in bound) for i in free]
    right.append(field(-C * sum(labels[j] for j in bound)))
    s = dict(zip(free, solve(A, right), strict=False)) | {j: field(C * labels[j]) for j in bound}
    order = [field(0)] * (d + 1)
    rest: dict[Any, Any] = {}
    for k in product(range(n + 1), repeat=d):
        c = sum(s[i] * prod(p[q] for p, q in zip(P[i], k, strict=True)) for i in s)
        square = c * c * prod(weight[q] for q in k)
        S = tuple(i for i in range(d) if k[i])
        order[len(S)] += square
        for name in (S, sum(k)):
            rest[name] = rest.get(name, 0) + square
    return [x / sum(order) for x in order]


def _classical(x: Any, n: int) -> list:
    """Return P_0(x) ... P_n(x) by the recurrence."""
    P = [x * 0 + 1, x]
    for k in range(1, n):
        P.append(((2 * k + 1) * x * P[k] - k * P[k - 1]) / (k + 1))
    return P[: n + 1]


def by_mpmath(m: int, d: int, n: int, digits: int) -> Task:
    """Prepare ``by_hand`` in mpmath, without a proof."""
    import mpmath

    X, y = data(m, d)
    mp = mpmath.MPContext()

    def solve(A: list, right: list) -> list:
        return list(mp.lu_solve(mp.matrix(A), mp.matrix(right)))

    def run() -> list[float]:
        mp.dps = digits + 10
        return [float(x) for x in by_hand(mp.mpf, solve, X, y, n)]

    return run


def by_sympy(m: int, d: int, n: int, digits: int) -> Task:
    """Prepare ``by_hand`` in SymPy over the rationals, with the result rounded to the digits."""
    from sympy import QQ, Rational
    from sympy.polys.matrices import DomainMatrix

    X, y = data(m, d)

    def field(x: Any) -> Any:
        return QQ.from_sympy(Rational(x))

    def solve(A: list, right: list) -> list:
        size = len(A)
        matrix, column = DomainMatrix(A, (size, size), QQ), DomainMatrix([[x] for x in right], (size, 1), QQ)
        return matrix.lu_solve(column).to_dense().to_list_flat()

    return lambda: [float(QQ.to_sympy(x).evalf(digits)) for x in by_hand(field, solve, X, y, n)]


# Kernels of limited order. C is relative to the mean diagonal of the kernel.


def cancer(m: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    """Return m points and d columns of the breast cancer data, scaled to [-1, 1]."""
    from sklearn.datasets import load_breast_cancer

    X, y = load_breast_cancer(return_X_y=True)
    some = np.random.default_rng(0).permutation(len(X))[:m]
    low, high = X.min(axis=0), X.max(axis=0)
    return np.clip(2 * (X - low) / (high - low) - 1, -1, 1)[some, :d], np.where(y[some], 1, -1)


def limited_features(X: np.ndarray, n: int) -> np.ndarray:
    """Return the modes of order at most 2 in NumPy, divided by p_0, one row for each point."""
    P = [p[1:].T * np.sqrt(2) for p in legendre(X, n)]
    pairs = [
        (P[i][:, :, None] * P[j][:, None, :]).reshape(len(X), -1) for j in range(len(P)) for i in range(j)
    ]
    return np.hstack([np.ones((len(X), 1)), *P, *pairs])


def relative_C(X: np.ndarray, n: int) -> float:
    return float(2 ** X.shape[1] / (limited_features(X, n) ** 2).sum(axis=1).mean())


def limited(
    points: Callable[[int, int], tuple[np.ndarray, np.ndarray]], ready: int = 0
) -> Callable[..., Task]:
    """Prove at least 8 digits in float64 and compute every index; order 2.

    For ``ready`` runs the Problem is made before the clock starts, as the Gram matrix of SVC.fit is.
    """

    def make(m: int, d: int, n: int, digits: int) -> Task:
        X, y = points(m, d)
        kernel, relative = OrthogonalPolynomials(n, order=2), relative_C(X, n)
        made = [Problem(X, y, kernel=kernel, C=relative) for _ in range(ready)]

        def run() -> list[float]:
            problem = made.pop() if made else Problem(X, y, kernel=kernel, C=relative)
            proof = certify(problem, level="float")
            if proof.digits < digits:
                raise Undecided(f"only {proof.digits} digits are proved")
            profile = orca(problem, proof, "verified")
            for name in INDICES:
                profile.family(name)
            return read(profile)

        return run

    return make


def limited_fit(m: int, d: int, n: int, digits: int) -> Task:
    """Run SVC.fit on a Gram matrix that is given; order 2, breast cancer."""
    from sklearn.svm import SVC

    X, y = cancer(m, d)
    features = limited_features(X, n)
    gram = features @ features.T / 2**d
    relative = relative_C(X, n)

    def run() -> None:
        SVC(C=relative, kernel="precomputed").fit(gram, y)

    return run


def limited_linear(m: int, d: int, n: int, digits: int) -> Task:
    """Fit LinearSVC on the explicit features of order at most 2, and compute the indices by order."""
    from sklearn.svm import LinearSVC

    X, y = data(m, d)

    def run() -> list[float]:
        features = limited_features(X, n)
        features /= np.sqrt((features**2).sum(axis=1).mean())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it may not converge
            squares = LinearSVC(C=1).fit(features, y).coef_[0] ** 2
        single = squares[1 : 1 + d * n].sum()
        return [squares[0] / squares.sum(), single / squares.sum(), 1 - (squares[0] + single) / squares.sum()]

    return run


# RBF kernels with gamma = 1/d, on columns of variance 1; the fit is that of scikit-learn's SVC.


def standardized(X: np.ndarray) -> np.ndarray:
    return (X - X.mean(axis=0)) / X.std(axis=0)


def gaussian(
    points: Callable[[int, int], tuple[np.ndarray, np.ndarray]], ready: int = 0
) -> Callable[..., Task]:
    """Prove at least 8 digits of a fitted SVC's optimum in float64, from its dual variables, and every index.

    The model is fitted before the clock starts. For ``ready`` runs the Problem is made then, too.
    """

    def make(m: int, d: int, n: int, digits: int) -> Task:
        from sklearn.svm import SVC

        X, y = points(m, d)
        X = standardized(X)
        model, alpha = SVC(C=C, gamma=1 / d).fit(X, y), np.zeros(m)
        alpha[model.support_] = abs(model.dual_coef_[0])
        made = [Problem(X, y, kernel=RBF(1 / d), C=C) for _ in range(ready)]

        def run() -> list[float]:
            problem = made.pop() if made else Problem(X, y, kernel=RBF(1 / d), C=C)
            proof = certify(problem, alpha.tolist(), level="float")
            if proof.digits < digits:
                raise Undecided(f"only {proof.digits} digits are proved")
            profile = orca(problem, proof, "verified")
            for index in profile.available:
                profile.family(index.name)
            return [float(x) for x in profile.order]

        return run

    return make


def gaussian_fit(points: Callable[[int, int], tuple[np.ndarray, np.ndarray]]) -> Callable[..., Task]:
    """Run SVC.fit with an RBF kernel, without indices and without a proof."""

    def make(m: int, d: int, n: int, digits: int) -> Task:
        from sklearn.svm import SVC

        X, y = points(m, d)
        X = standardized(X)

        def run() -> None:
            SVC(C=C, gamma=1 / d).fit(X, y)

        return run

    return make


# Problems of the paper, with the points of our spiral or of the echocardiogram data.


def paper_problem(dataset: str, m: int, n: int, **fields: Any) -> Problem:
    """Return a problem of the paper's Section 6 with m of its points, evenly spread, or all of them."""
    from proofs_checks.experiments.optima import configuration

    problem = configuration(dataset, n)
    some = np.unique(np.linspace(0, problem.m - 1, min(m, problem.m)).astype(int)).tolist()
    return Problem(problem.points[some], [problem.y[i] for i in some], n, 0, 0, **fields)


def every_index(level: str) -> Callable[..., Task]:
    """Prove the optimum on the echocardiogram data at a level, and compute every index."""

    def make(m: int, d: int, n: int, digits: int) -> Task:
        def run() -> None:
            problem = paper_problem("echocardiogram", m, n)
            orca(problem, certify(problem, level=level, digits=50), level, 50).to_indices()

        return run

    return make


def followed(m: int, d: int, n: int, digits: int) -> Task:
    """Follow the path of our spiral over all C, with the extrema of the orders, N* and T_0.05."""

    def run() -> None:
        found = path(paper_problem("spiral", m, n))
        for q in (1, 2):
            found.order(q).extrema()
        found.peak()
        found.threshold("0.05")

    return run


def path_with_indices(m: int, d: int, n: int, digits: int) -> Task:
    """Follow a path over all C, with the extrema of every index, N* and T_0.05."""
    problem = Problem(*data(m, d), n, 0, 0)

    def run() -> None:
        found = path(problem)
        for name, index in INDICES.items():
            for key in index.keys(problem.kernel.top_degree or 0, d):
                found.index(name, key).extrema()
        found.peak()
        found.threshold("0.05")

    return run


def fit_on_grid(m: int, d: int, n: int, digits: int) -> Task:
    """Fit libsvm on our spiral at 100 values of C, without indices and without a proof."""
    from sklearn.svm import SVC

    problem = paper_problem("spiral", m, n)
    X, y = problem.points.astype(float), np.array(problem.y)

    def run() -> None:
        gram = prod(p.T @ p for p in legendre(X, n))
        for C in np.geomspace(1e-3, 1e3, 100).tolist():
            SVC(C=C, kernel="precomputed").fit(gram, y)

    return run


SHUFFLINGS = 1000


def shuffled(m: int, d: int, n: int, digits: int) -> Task:
    """Compare the indices with those of 1,000 permutations of the labels, in one process."""
    from orca_exact.studies import null

    problem = Problem(*data(m, d), n, 0, 0, 10)
    return lambda: null(problem, SHUFFLINGS if m > 12 else 20, jobs=1, keep=False) and None


def fit_shuffled(m: int, d: int, n: int, digits: int) -> Task:
    """Fit libsvm to 1,000 permutations of the labels, without indices and without a proof."""
    from sklearn.svm import SVC

    X, y = data(m, d)

    def run() -> None:
        gram, random = prod(p.T @ p for p in legendre(X, n)), np.random.default_rng(0)
        for _ in range(SHUFFLINGS if m > 12 else 20):
            SVC(C=10, kernel="precomputed").fit(gram, random.permutation(y))

    return run


SOME_SHUFFLINGS = 99


def gaussian_shuffled(m: int, d: int, n: int, digits: int) -> Task:
    """Compare the indices of a default RBF SVC with those of 99 permutations of the labels."""
    from orca_exact.studies import null

    X, y = cancer(m, d)
    problem = Problem(standardized(X), y, kernel=RBF(1 / d), C=C)
    return lambda: null(problem, SOME_SHUFFLINGS if m > 12 else 9, jobs=1, keep=False) and None


def gaussian_fit_shuffled(m: int, d: int, n: int, digits: int) -> Task:
    """Fit libsvm to 99 permutations of the labels, without indices and without a proof."""
    from sklearn.svm import SVC

    X, y = cancer(m, d)
    X = standardized(X)

    def run() -> None:
        random = np.random.default_rng(0)
        for _ in range(SOME_SHUFFLINGS if m > 12 else 9):
            SVC(C=C, gamma=1 / d).fit(X, random.permutation(y))

    return run


def gaussian_audited(m: int, d: int, n: int, digits: int) -> Task:
    """Audit a fitted RBF SVC of balanced classes, and print the result."""
    from sklearn.svm import SVC

    from orca_exact.sklearn import audit

    X, y = data(m, d)
    X = standardized(X)
    model = SVC(C=C, gamma=1 / d, class_weight="balanced").fit(X, y)

    def run() -> list[float]:
        found = audit(model, X, y, cv=None)
        if not str(found):
            raise Undecided("nothing was printed")
        return [float(x) for x in found.order]

    return run


OURS = "orca-exact"
TASKS: dict[str, Callable[..., Task]] = {
    OURS: ours,
    "orca-exact, mpmath": ours_in("mp"),
    "orca-exact, exact": ours_in("exact"),
    "audit": audited,
    "SVC.fit + Gram": fit,
    "SVC.fit + Gram + modes": fit_and_modes,
    "LinearSVC + modes": linear(),
    "LinearSVC, hinge + modes": linear(loss="hinge", dual=True),
    "mpmath": by_mpmath,
    "SymPy": by_sympy,
    "orca-exact, order 2": limited(data),
    "LinearSVC + modes, order 2": limited_linear,
    "orca-exact, order 2, breast cancer": limited(cancer, RUNS),
    "SVC.fit, order 2, breast cancer": limited_fit,
    "orca-exact, RBF": gaussian(data),
    "SVC.fit, RBF": gaussian_fit(data),
    "orca-exact, RBF, breast cancer": gaussian(cancer, RUNS),
    "SVC.fit, RBF, breast cancer": gaussian_fit(cancer),
    "exact, echocardiogram": every_index("exact"),
    "balls, echocardiogram": every_index("ball"),
    "path, spiral": followed,
    "path, every index": path_with_indices,
    "SVC.fit at 100 C, spiral": fit_on_grid,
    "null, shuffled": shuffled,
    "SVC.fit, shuffled": fit_shuffled,
    "null, RBF, shuffled": gaussian_shuffled,
    "SVC.fit, RBF, shuffled": gaussian_fit_shuffled,
    "audit and print, RBF": gaussian_audited,
}
PAPER = ("echocardiogram", "spiral", "shuffled")
UNREAD = tuple(  # no index is returned
    name
    for name in TASKS
    if (name.startswith("SVC.fit") and "modes" not in name)
    or any(word in name for word in PAPER)
    or name.startswith("path")
)
OTHER = tuple(name for name in TASKS if "order 2" in name or "RBF" in name)  # other classifiers
