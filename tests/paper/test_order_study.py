"""The study of the orders: its test by brute force, its fits against other programs, and what is stored."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import beta, binom
from sklearn.metrics import roc_auc_score
from sklearn.svm import SVC

from orca_exact import Problem
from orca_exact.studies.statistics import step_down_counts
from proofs_checks.experiments import label_prediction, labellings, order_statements
from proofs_checks.experiments.label_fits import LabelFits, propose
from proofs_checks.experiments.order_study import LEVEL, PValues, published
from proofs_checks.experiments.order_study_maker import count_all, difference, reject
from proofs_checks.experiments.order_values import ECHO, row_fits, rows
from proofs_checks.experiments.stored import stored_row

LEGENDRE = ECHO[0]


def toy_table(entries=40, numbers=6, seed=3):
    """Return numbers with unusual observed values: high, low, nearly as high, and ordinary ones."""
    random = np.random.default_rng(seed)
    table = random.gamma(1.5, size=(numbers, entries)) * np.arange(1, numbers + 1)[:, None]
    table[1] += table[0]  # dependent
    table[:4, 0] = table[0].max() * 1.4, -2.0, table[2].max(), table[3].mean()
    return table


def brute_force(table, two_sided=True, step_down=True, together=True):
    """Return the adjusted p-values times the number of entries, by their definition, entry by entry."""
    scores = []
    for row in table.tolist():
        known = row if together else row[1:]
        mean = sum(known) / len(known)
        sd = (sum((x - mean) ** 2 for x in known) / len(known)) ** 0.5
        scores.append([(abs(x - mean) if two_sided else x - mean) / sd for x in row])
    counts = []
    for own in scores:
        steps = [own] if not step_down else [other for other in scores if other[0] >= own[0]]
        worst = 0
        for other in steps:
            rivals = [each for each in scores if not step_down or each[0] <= other[0]]
            beaten = [max(each[b] for each in rivals) >= other[0] for b in range(len(own))]
            worst = max(worst, sum(beaten))
        counts.append(worst)
    return counts


def test_the_counts_are_those_of_the_definition():
    table = toy_table()
    found = count_all(table, np.zeros(6), groups=3)
    assert found["family"] == brute_force(table)
    assert found["row"] == [x for pair in np.split(table, 3) for x in brute_force(pair)]
    assert found["single"] == [brute_force(row[None])[0] for row in table]
    assert min(found["family"]) <= 2 and max(found["family"]) > 20


@pytest.mark.parametrize("fault", ["two_sided", "step_down", "together"])
def test_a_wrong_test_is_noticed(fault):
    """A one-sided or single-step test, or one standardised by the shufflings alone, gives other counts."""
    table = np.concatenate([toy_table(seed=seed) for seed in (3, 4)])
    assert brute_force(table, **{fault: False}) != brute_force(table)
    assert count_all(table, np.zeros(len(table)), 3)["family"] == brute_force(table)


def test_close_comparisons_count_against_significance():
    table, none = toy_table(), np.zeros(6)
    exact = count_all(table, none, 1)["family"]
    rough = count_all(table, none + 0.05, 1)["family"]
    assert all(a <= b for a, b in zip(exact, rough, strict=True)) and exact != rough
    random = np.random.default_rng(1)
    for _ in range(20):  # no errors within the bound give larger counts
        wrong = table.copy()
        wrong[:, 1:] += random.uniform(-0.05, 0.05, wrong[:, 1:].shape)
        assert all(a <= b for a, b in zip(count_all(wrong, none, 1)["family"], rough, strict=True))


def test_labellings_are_rejected_as_if_they_were_given():
    random = np.random.default_rng(5)
    null, planted = random.gamma(2, size=(6, 199)), random.gamma(4, size=(6, 30))
    whole, parts = reject(null, planted, groups=2)
    for k, x in enumerate(planted.T):
        table = np.concatenate([x[:, None], null], axis=1)
        p = min(step_down_counts(table, two_sided=True)) / 200
        halves = [min(step_down_counts(half, two_sided=True)) / 200 for half in np.split(table, 2)]
        assert whole[k] == (p <= LEVEL)
        assert parts[:, k].tolist() == [p <= LEVEL for p in halves]
    assert 0 < whole.sum() < 30


def toy_problem(n=3, C="1", m=20):
    random = np.random.default_rng(8)
    X = random.uniform(-0.98, 0.98, (m, 3)).round(4)
    return Problem(X.tolist(), [1] * 8 + [-1] * (m - 8), n, "0.5", "1.5", C)


@pytest.mark.parametrize("n, C", [*product((1, 2, 6), ("0.001", "1"))])
def test_fits_are_within_their_bounds_of_certified_ones(n, C):
    """With few modes (n = 1: 8 for 20 points) and a small C, most points are at their bound."""
    fits = LabelFits(toy_problem(n, C))
    Y = labellings.shuffle(np.array(fits.problem.y, dtype=float), 1, 12)
    found = fits.fit(Y)
    values, errors = fits.orders(found)
    assert (found.sine < 1e-5).all() and (abs(values.sum(axis=1) - 1) < 1e-9).all()
    for y, x, error in zip(Y, values, errors, strict=True):
        assert (difference(fits, y, x) <= error + 1e-12).all()


def test_a_wrong_fit_has_a_large_bound():
    fits = LabelFits(toy_problem())
    y = np.array(fits.problem.y, dtype=float)[None]
    found = fits.fit(y)
    nothing = np.zeros(y.shape, dtype=bool)
    right, _ = fits._judge(y, found.s, found.b, nothing)
    wrong, _ = fits._judge(y, 0.99 * found.s, found.b, nothing)
    shifted, _ = fits._judge(y, found.s, found.b + 0.01, nothing)
    assert right.sine < 1e-5 and wrong.sine >= 0.01 and shifted.sine > 0.01


def test_libsvm_gives_the_decision_values_of_scikit_learn():
    fits = LabelFits(toy_problem())
    for seed in range(5):
        y = np.random.default_rng(seed).permutation(fits.problem.y).astype(float)
        s, b = propose(fits.gram, y, 1.0, 1e-6)
        model = SVC(kernel="precomputed", C=1.0, tol=1e-6).fit(fits.gram, y)
        assert np.allclose(fits.gram @ s + b, model.decision_function(fits.gram), atol=1e-4)


def test_cross_validation_counts_what_scikit_learn_counts():
    fits = LabelFits(toy_problem(m=30))
    y = np.array(fits.problem.y, dtype=float)
    y[8:14] = 1  # 14 and 16 points for 10 folds
    counts, of = label_prediction.cross_validate(fits.gram, y, 1.0), label_prediction.totals(y)
    right, pairs, all_pairs = 0, 0.0, 0
    for fold in label_prediction.draw_folds(y):
        assert all((y[fold == k] > 0).any() and (y[fold == k] < 0).any() for k in range(10))
        for k in range(10):
            test, train = fold == k, fold != k
            model = SVC(kernel="precomputed", C=1.0, tol=1e-6).fit(fits.gram[np.ix_(train, train)], y[train])
            K = fits.gram[np.ix_(test, train)]
            right += (model.predict(K) == y[test]).sum()
            size = (y[test] > 0).sum() * (y[test] < 0).sum()
            pairs, all_pairs = (
                pairs + size * roc_auc_score(y[test], model.decision_function(K)),
                all_pairs + size,
            )
    assert (of.positives, of.negatives, of.pairs) == (20 * 14, 20 * 16, 2 * all_pairs)
    assert counts.positives + counts.negatives == right
    assert counts.pairs == pytest.approx(2 * pairs)


def test_planted_labels_are_what_they_say():
    Z = np.random.default_rng(2).uniform(-1, 1, (61, 5))
    planted = {kind: labellings.plant(kind, Z, 21, 40) for kind in labellings.SCORES}
    assert all((Y > 0).sum() == 21 * 40 and abs(Y).min() == 1 for Y in planted.values())

    def separated(y, x):
        return min(x[y > 0]) > max(x[y < 0])

    def one_column(y):
        return any(separated(y, sign * Z[:, j]) for j in range(5) for sign in (1, -1))

    assert all(map(one_column, planted["column"])) and not any(map(one_column, planted["null"]))
    for kind, perfect in (("linear", True), ("noisy", False)):
        correct = [(SVC(kernel="linear", C=1e6).fit(Z, y).predict(Z) == y).all() for y in planted[kind][:5]]
        assert all(correct) if perfect else not any(correct)
    assert len(np.unique(planted["column"], axis=0)) <= 10 < len(np.unique(planted["product"], axis=0))


def test_statements_are_asked_of_each_labelling():
    falling = {(t, n): np.array([[5, 4, 3, 2, 1.0], [1, 2, 3, 4, 5]]) / 15 for t, n in rows()}
    orders = falling | {
        (t, 25): np.array([[0.0, 0, 0.02, 0.2, 0.78], [0.3, 0.3, 0.2, 0.1, 0.1]]) for t in ECHO
    }
    truth = {asked.kind: asked.true(orders).tolist() for asked in order_statements.STATEMENTS}
    assert truth["shift"] == truth["shift-legendre"] == truth["five-then-four"] == [True, False]
    assert truth["high-orders"] == truth["mean-order"] == [True, False]
    assert truth["shift-steps"] == truth["low-negligible"] == truth["weights"] == [False, False]
    orders[LEGENDRE, 1] = orders[LEGENDRE, 25]
    truth = {asked.kind: asked.true(orders).tolist() for asked in order_statements.STATEMENTS}
    assert truth["shift"] == truth["shift-legendre"] == [False, False]


def test_a_result_is_published_if_it_holds_for_every_seed():
    sizes = (101, 101, 201)
    assert PValues((5, 5, 10), sizes).holds and PValues((5, 5, 10), sizes).p == 10 / 201
    assert not PValues((5, 6, 10), sizes).holds and PValues((5, 6, 10), sizes).seeds == 1
    assert not PValues((5, 5, 11), sizes).holds


# What is stored.


def test_the_stored_study_is_complete():
    study = published()
    assert study.seeds == labellings.SEEDS and study.total == 100_000
    assert [(o.table, o.n, o.q) for o in study.orders] == [(*row, q) for row in rows() for q in range(1, 6)]
    for order in study.orders:
        low, middle, high = order.band
        assert 0 <= low <= middle <= high <= 1 and order.error < 1e-4
        for p in (order.family, order.row, order.single):
            assert len(p.p_by_seed) == 5 and all(0 < x <= 1 for x in (*p.p_by_seed, p.p))
        triples = zip(order.single.counts, order.row.counts, order.family.counts, strict=True)
        assert all(a <= b <= c for a, b, c in triples)
    assert {s.kind for s in study.statements} == {asked.kind for asked in order_statements.STATEMENTS}
    assert [p.kind for p in study.power] == list(labellings.SCORES)
    assert [p.n for p in study.predictions] == list(label_prediction.DEGREES)


def test_the_stored_observed_values_are_the_certified_ones():
    for order in published().orders:
        ball = stored_row(order.table, order.n).order[order.q]
        assert order.observed == pytest.approx(float(ball.mid()), rel=1e-5, abs=1e-12)


def test_the_stored_size_of_the_test_is_right():
    """For labels that mean nothing, at most 5 % are rejected, but for chance."""
    null = next(power for power in published().power if power.kind == "null")
    most = binom.ppf(1 - 1e-4, null.labellings, LEVEL)
    assert max(null.family, *null.rows.values()) <= most < 30


def test_the_certified_sample_is_within_the_bounds_of_the_test():
    certified = published().certified
    assert certified.fits == 27 * certified.per_row >= 500
    assert certified.share <= 1 and certified.difference < 1e-5


def test_the_stored_statements_fit_the_orders():
    """What is true of the given labels follows from the stored orders as well, and the mean order grows."""
    study = published()
    orders = {row: np.array([[study.order(*row, q).observed for q in range(1, 6)]]) for row in rows()}
    for asked in order_statements.STATEMENTS:
        assert study.statement(asked.kind).observed == asked.true(orders)[0]
        assert 0 <= study.statement(asked.kind).shuffled <= study.total
    assert study.mean_order(LEGENDRE, 1) < 2 < 4 < study.mean_order(LEGENDRE, 25) < 5


@pytest.mark.parametrize("n", label_prediction.DEGREES)
def test_the_stored_predictions_of_the_given_labels_come_out_again(echocardiogram, n):
    fits = row_fits(LEGENDRE, n)
    y = np.array(fits.problem.y, dtype=float)
    counts, of = label_prediction.cross_validate(fits.gram, y, fits.C), label_prediction.totals(y)
    found = published().prediction(n)
    right = counts.positives + counts.negatives
    assert abs(found.accuracy.observed * (of.positives + of.negatives) - right) < 2.5  # libsvm rounds
    assert abs(found.auc.observed * of.pairs - counts.pairs) < 10


@pytest.mark.slow
@pytest.mark.parametrize("table, n", [(LEGENDRE, 1), (ECHO[1], 5)])
def test_a_stored_row_comes_out_again(echocardiogram, table, n):
    """Other shufflings give counts within exact binomial limits, the same shufflings the same counts."""
    fits, count = row_fits(table, n), 2_000
    y = np.array(fits.problem.y, dtype=float)
    stored = [published().order(table, n, q) for q in range(1, 6)]
    other, _ = fits.orders(fits.fit(labellings.shuffle(y, 99, count)))
    given = np.array([order.observed for order in stored])
    found = count_all(np.concatenate([given[:, None], other.T], axis=1), np.zeros(5), 1)["single"]
    for order, counted in zip(stored, found, strict=True):
        seen, size = order.single.counts[-1] - 1, order.single.sizes[-1] - 1
        low, high = (
            beta.ppf(1e-4, max(seen, 1e-9), size - seen + 1),
            beta.ppf(1 - 1e-4, seen + 1, size - seen),
        )
        assert binom.ppf(1e-4, count, low) <= counted - 1 <= binom.ppf(1 - 1e-4, count, high)
    values, errors = fits.orders(fits.fit(labellings.shuffle(y, 1, labellings.SHUFFLINGS)))
    again = count_all(np.concatenate([given[:, None], values.T], axis=1), errors.max(axis=0), 1)["row"]
    for order, counted in zip(stored, again, strict=True):
        assert abs(order.row.counts[0] - counted) <= 2  # the last digits differ between processors
