"""Progress of slow work."""

import time

from orca_exact.runtime import progress


def test_slow_work_says_how_far_it_is(monkeypatch, capsys):
    monkeypatch.setattr(progress, "_FIRST", 0.01)
    monkeypatch.setattr(progress, "_EVERY", 0.01)
    with progress.SlowProgress() as slow:
        slow("3 of 7")
        slow("")  # an empty line does not replace the last one
        seen, end = "", time.monotonic() + 30
        while seen.count("3 of 7") < 2 and time.monotonic() < end:
            time.sleep(0.01)
            seen += capsys.readouterr().err
    assert seen.count(" s] 3 of 7") >= 2


def test_quick_work_is_silent(capsys):
    with progress.SlowProgress() as slow:
        slow("1 of 2")
    assert capsys.readouterr().err == ""


def test_a_step_that_lasts_is_never_an_empty_line_and_never_the_same_one(monkeypatch, capsys):
    monkeypatch.setattr(progress, "_FIRST", 0.01)
    monkeypatch.setattr(progress, "_EVERY", 0.01)
    with progress.SlowProgress() as slow:
        waits = []
        monkeypatch.setattr(slow._done, "wait", lambda pause: waits.append(pause) or len(waits) > 6)
        end, seen = time.monotonic() + 30, ""
        while seen.count("\n") < 5 and time.monotonic() < end:
            time.sleep(0.01)
            seen += capsys.readouterr().err
    lines = seen.splitlines()
    assert all(line.partition("] ")[2].startswith("working") for line in lines)
    assert all("(for " in line for line in lines[1:])
    growing = [pause for pause in waits if pause > 0.01]
    assert growing == sorted(set(growing)) and growing[-1] >= 8 * growing[0]
