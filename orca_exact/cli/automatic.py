"""The choice of an arithmetic by the size of a problem."""

from __future__ import annotations

from typing import NamedTuple

from .. import cost
from ..numbers.arithmetic import ARITHMETICS, Ball, Verified, arithmetic
from ..problem import Problem
from ..svm.certify import LEVELS


class Choice(NamedTuple):
    """An arithmetic of the indices, the level of the certificate, and their estimated cost."""

    arithmetic: str
    level: str
    cost: cost.Cost


def describe_choice(problem: Problem, name: str, digits: int, level: str | None = None) -> Choice:
    """Return an arithmetic with a level, by default the one that fits it, and its cost."""
    chosen: str = level or ARITHMETICS[name].level
    work = LEVELS[chosen].cost(problem)._replace(file=0) + cost.profile_cost(
        problem, arithmetic(name, digits)
    )
    return Choice(name, chosen, work)


def choose_arithmetic(
    problem: Problem, digits: int, level: str | None = None, seconds: float | None = None
) -> Choice:
    """Return balls, or float64 with proved bounds if balls take longer and float64 takes less.

    Balls are used up to so many ``seconds``, by default up to those that are announced.
    """
    balls = describe_choice(problem, Ball.name, digits, level)
    fast = describe_choice(problem, Verified.name, digits, level)
    longest = cost.LONG_SECONDS if seconds is None else seconds
    if balls.cost.seconds <= longest or LEVELS[fast.level].arithmetic != fast.arithmetic:
        return balls
    return min(balls, fast, key=lambda one: one.cost.seconds)
