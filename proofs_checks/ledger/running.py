"""Claims judged, here or elsewhere, in the paper's order; and the exit code that their verdicts amount to."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing

from orca_exact.files.outcomes import FAILS, UNDECIDED
from orca_exact.runtime.run import run_unordered

from ..experiments import datasets
from .claims import Claim, Proved, claims
from .verdict import Verdict


def verify(
    ids: Sequence[str] = (),
    section: str | None = None,
    jobs: int = 1,
    progress: Callable[[str], None] | None = None,
    only: str = "",
    scheduler: str | None = None,
) -> Iterator[Verdict]:
    """Verdicts in the paper's order, each as soon as it and those before it are known."""
    chosen = claims(ids, section, only)
    groups: dict[str, list[Claim]] = {}
    for c in chosen:
        groups.setdefault(c.group or c.id, []).append(c)
    found: dict[str, dict[str, Verdict]] = {}

    def tick() -> None:
        if progress:
            progress(f"{len(found)} of {len(groups)}: {c.place}: {c.title}")

    with closing(_judged(groups, jobs, scheduler, tick)) as results:
        for c in chosen:
            while (key := c.group or c.id) not in found:
                tick()
                found.update([next(results)])
            yield found[key][c.id]


def _judged(
    groups: dict[str, list[Claim]], jobs: int, scheduler: str | None, tick: Callable[[], object]
) -> Generator[tuple[str, dict[str, Verdict]], None, None]:
    """What this machine has and another lacks goes along: what was checked in general, and the data."""
    data = datasets.to_send() if scheduler else None
    tasks = {key: ({c.id: c.proved() for c in members}, data) for key, members in groups.items()}
    lacking = {key for key in tasks if scheduler and not data and any(c.needs for c in groups[key])}
    sent = {key: task for key, task in tasks.items() if key not in lacking}
    yield from run_unordered(_run_all, {key: tasks[key] for key in tasks if key in lacking}, tick=tick)
    yield from run_unordered(_run_all, sent, jobs, scheduler, tick)


def _run(c: Claim, proved: Proved | None = None) -> Verdict:
    try:
        return c.run(proved)
    except Exception as error:  # a check that breaks is a finding about the check
        evidence = f"the check itself failed: {type(error).__name__}: {error}"
        return c.verdict(UNDECIDED, evidence, 0.0, crashed=True, general=proved and proved[0])


def _run_all(ids: dict[str, Proved], data: bytes | None) -> dict[str, Verdict]:
    known = {c.id: c for c in claims()}
    with datasets.sent(data):
        return {id: _run(known[id], proved) for id, proved in ids.items()}


def exit_code(verdicts: Iterable[Verdict], strict: bool = False) -> int:
    """0 as expected, 1 an unexpected verdict (strict: any refuted claim), 3 unexpectedly undecided only."""
    code = 0
    for v in verdicts:
        if (not v.as_expected and (v.outcome != UNDECIDED or v.crashed)) or (strict and v.outcome == FAILS):
            return 1
        if not v.as_expected:
            code = 3
    return code
