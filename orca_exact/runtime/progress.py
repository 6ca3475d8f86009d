"""Progress of slow work on stderr."""

from __future__ import annotations

import sys
import threading
import time

_FIRST, _EVERY = 5.0, 10.0  # seconds before the first line of slow work, and between two lines


class SlowProgress:
    """Progress on stderr of work that takes longer than five seconds; then a line every ten seconds.

    A thread writes the lines, so that a single long step is not silent.
    """

    def __enter__(self) -> SlowProgress:
        self.line, self._done = "", threading.Event()
        threading.Thread(target=self._report, daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self._done.set()

    def __call__(self, line: str) -> None:
        """Set the line that is written next."""
        self.line = line or self.line

    def _report(self) -> None:
        start, pause = time.monotonic(), _FIRST
        while not self._done.wait(pause):
            pause = _EVERY
            print(f"[{time.monotonic() - start:7.1f} s] {self.line}", file=sys.stderr, flush=True)
