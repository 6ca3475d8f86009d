"""Run claims, in this process or in others, and derive the exit code from their verdicts."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from functools import lru_cache

from orca_exact.files.outcomes import FAILS, SKIPPED, UNDECIDED
from orca_exact.runtime.run import run_unordered

from ..experiments import datasets
from .claims import Claim, Proved, claims
from .theorems import stored_proofs
from .verdict import Verdict


def verify(
    ids: Sequence[str] = (),
    section: str | None = None,
    jobs: int = 1,
    progress: Callable[[str], None] | None = None,
    only: str = "",
    scheduler: str | None = None,
) -> Iterator[Verdict]:
    """Yield verdicts in the paper's order, each as soon as it and those before it are known."""
    chosen = claims(ids, section, only)
    groups: dict[str, list[Claim]] = {}
    for c in chosen:
        groups.setdefault(c.group or c.id, []).append(c)
    found: dict[str, dict[str, Verdict]] = {}

    def tick() -> None:
        if progress:
            progress(f"{len(found)} of {len(groups)}: {c.id}")

    with closing(_verdicts(groups, jobs, scheduler, tick)) as results:
        for c in chosen:
            while (key := c.group or c.id) not in found:
                tick()
                found.update([next(results)])
            yield found[key][c.id]


def _verdicts(
    groups: dict[str, list[Claim]], jobs: int, scheduler: str | None, tick: Callable[[], object]
) -> Generator[tuple[str, dict[str, Verdict]], None, None]:
    """Yield the verdicts of each group.

    A task carries the theorems compiled here and the data, which another machine may lack. If the data are
    missing here too, the groups that need them are run in this process.
    """
    data = datasets.bytes_to_send() if scheduler else None
    proofs = lru_cache(maxsize=1)(stored_proofs)  # their key is a digest of the whole theory
    tasks = {key: ({c.id: c.proved(proofs) for c in members}, data) for key, members in groups.items()}
    here = {key for key in tasks if scheduler and not data and any(c.needs for c in groups[key])}
    elsewhere = {key: task for key, task in tasks.items() if key not in here}
    yield from run_unordered(_run_all, {key: tasks[key] for key in tasks if key in here}, tick=tick)
    yield from run_unordered(_run_all, elsewhere, jobs, scheduler, tick)


def _run(c: Claim, proved: Proved | None = None) -> Verdict:
    try:
        return c.run(proved)
    except Exception as error:  # an exception is a finding about the check, not about the paper
        evidence = f"the check raised an exception: {type(error).__name__}: {error}"
        return c.verdict(UNDECIDED, evidence, 0.0, crashed=True, general=proved and proved[0])


def _run_all(ids: dict[str, Proved], data: bytes | None) -> dict[str, Verdict]:
    known = {c.id: c for c in claims()}
    with datasets.use_bytes(data):
        return {id: _run(known[id], proved) for id, proved in ids.items()}


def exit_code(verdicts: Iterable[Verdict], strict: bool = False) -> int:
    """Return 0 if all verdicts are as recorded, 3 if some are only unexpectedly undecided, else 1.

    With ``strict``, any refuted claim gives 1, and otherwise a claim that was not judged gives 3.
    """
    code = 0
    for v in verdicts:
        if (not v.as_expected and (v.outcome != UNDECIDED or v.crashed)) or (strict and v.outcome == FAILS):
            return 1
        if not v.as_expected or (strict and v.outcome == SKIPPED):
            code = 3
    return code
