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
