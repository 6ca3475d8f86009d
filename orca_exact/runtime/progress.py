"""Progress of slow work on stderr."""

from __future__ import annotations

import sys
import threading
import time

_FIRST, _EVERY = 5.0, 10.0  # seconds before the first line of slow work, and between two lines


class SlowProgress:
    """Progress on stderr of work that takes longer than five seconds; then a line now and then.

    A thread writes the lines, so that a single long step is not silent. While the message stays the same, it
    is written with the seconds that the step has taken so far, and each pause is twice as long as the last.
    """

    def __init__(self, line: str = "working"):
        self.line = line

    def __enter__(self) -> SlowProgress:
        self._done = threading.Event()
        self._start = self._changed = time.monotonic()
        threading.Thread(target=self._report, daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self._done.set()

    def __call__(self, line: str) -> None:
        """Set the line that is written next; an empty one changes nothing."""
        if line and line != self.line:
            self.line, self._changed = line, time.monotonic()

    def _report(self) -> None:
        pause, written = _FIRST, ""
        while not self._done.wait(pause):
            now, line = time.monotonic(), self.line
            repeated = line == written
            pause, written = (2 * pause if repeated else _EVERY), line
            text = f"{line} (for {now - self._changed:.0f} s)" if repeated else line
            print(f"[{now - self._start:7.1f} s] {text}", file=sys.stderr, flush=True)
