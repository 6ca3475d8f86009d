"""The labellings of the study of the orders: the given labels, shuffled ones, and planted ones.

All of them have as many labels +1 as the data, so that one null distribution serves for all of them: it
depends on the points and on this number only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from orca_exact.studies.work import generator

SEEDS = (1, 2, 3, 4, 5)
SHUFFLINGS = 20_000  # for each seed
PLANTED = 200  # labellings of each kind
_PLANT_SEED = 100  # of the first kind; the next kinds have the next seeds
Score = Callable[[np.ndarray, np.random.Generator], np.ndarray]


def shuffle(y: np.ndarray, seed: int, count: int) -> np.ndarray:
    """Return permutations of the labels, one in each row: those that the study ``null`` tries."""
    return np.array([generator(seed, k).permutation(y) for k in range(count)])


def _random_order(Z: np.ndarray, random: np.random.Generator) -> np.ndarray:
    return random.permutation(len(Z)).astype(float)


def _one_column(Z: np.ndarray, random: np.random.Generator) -> np.ndarray:
    sign, j = random.choice((-1, 1)), random.integers(Z.shape[1])
    return sign * Z[:, j] + 1e-9 * random.standard_normal(len(Z))  # equal values in any order


def _cubic(Z: np.ndarray, random: np.random.Generator) -> np.ndarray:
    x, w = Z[:, random.integers(Z.shape[1])], random.standard_normal(3)
    terms = np.stack([x, (3 * x**2 - 1) / 2, (5 * x**3 - 3 * x) / 2])
    return w @ terms + 1e-9 * random.standard_normal(len(Z))


def _linear(Z: np.ndarray, random: np.random.Generator) -> np.ndarray:
    return Z @ random.standard_normal(Z.shape[1])


def _noisy_linear(Z: np.ndarray, random: np.random.Generator) -> np.ndarray:
    signal = _linear(Z, random)
    return signal / signal.std() + random.standard_normal(len(Z))


def _product(Z: np.ndarray, random: np.random.Generator) -> np.ndarray:
    i, j = random.choice(Z.shape[1], 2, replace=False)
    low, high = np.quantile(Z[:, [i, j]], (0.25, 0.75), axis=0)
    u, v = random.uniform(low, high)
    return random.choice((-1, 1)) * (Z[:, i] - u) * (Z[:, j] - v) + 1e-9 * random.standard_normal(len(Z))


SCORES: Mapping[str, Score] = {
    "null": _random_order,
    "column": _one_column,
    "cubic": _cubic,
    "linear": _linear,
    "noisy": _noisy_linear,
    "product": _product,
}
"""How labels are planted: the points with the largest scores get the label +1.

- null: at random
- column: the largest or the smallest values of one column
- cubic: the largest values of a random cubic polynomial of one column
- linear: the largest values of a random linear function of all columns
- noisy: the same plus noise of the same variance
- product: the largest or smallest values of (x_i - u)(x_j - v), with u, v between the quartiles
"""


def plant(kind: str, Z: np.ndarray, positives: int, count: int = PLANTED) -> np.ndarray:
    """Return planted labellings of one kind, one in each row."""
    seed = _PLANT_SEED + list(SCORES).index(kind)
    Y = np.full((count, len(Z)), -1.0)
    for k, labels in enumerate(Y):
        labels[np.argsort(-SCORES[kind](Z, generator(seed, k)), kind="stable")[:positives]] = 1.0
    return Y


def all_labellings(y: np.ndarray, Z: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the given labels, the shuffled labels of each seed, and each kind of planted labels."""
    yield "given", y[None, :]
    for seed in SEEDS:
        yield f"seed {seed}", shuffle(y, seed, SHUFFLINGS)
    for kind in SCORES:
        yield kind, plant(kind, Z, int((y > 0).sum()))
