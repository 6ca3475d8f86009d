"""A headless Chromium for tests, controlled by the DevTools protocol over a pipe."""

from __future__ import annotations

import base64
import json
import os
import shutil
import signal
import sys
from select import select
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
FOUND = (path for name in NAMES if (path := shutil.which(name)))
CHROMIUM = next(FOUND, None) if sys.platform != "win32" else None  # Windows has no descriptors 3 and 4
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
    "--remote-debugging-pipe",
)  # fmt: skip
PATIENCE = 60  # seconds
READY = """new Promise((told) => {
  if (location.href === "about:blank") told(false);
  else if (document.readyState === "complete") told(true);
  else addEventListener("load", () => told(true));
})"""
SETTLED = "new Promise((told) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(told))))"


class Browser:
    """One page in one browser; ``said`` collects what the scripts of the page log or throw."""

    def __init__(self, profile: Any):
        theirs, self.writes = map(_high, os.pipe())
        self.reads, ours = map(_high, os.pipe())
        words = [CHROMIUM, *FLAGS, f"--user-data-dir={profile}", "about:blank"]
        wired = [(os.POSIX_SPAWN_DUP2, theirs, 3), (os.POSIX_SPAWN_DUP2, ours, 4)]  # where Chromium looks
        silent = [(os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)]
        self.process = os.posix_spawn(CHROMIUM, words, os.environ, file_actions=wired + silent)
        os.close(theirs)
        os.close(ours)
        self.rest, self.count, self.session, self.said = b"", 0, "", []
        page = next(t for t in self("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self(f"{domain}.enable")
        self("Emulation.setFocusEmulationEnabled", enabled=True)  # whatever else is in front

    def __call__(self, method: str, **params: Any) -> dict:
        """Send a command and return its result; events that arrive before it are recorded."""
        self.count += 1
        asked = {"id": self.count, "method": method, "params": params}
        asked |= {"sessionId": self.session} if self.session else {}
        os.write(self.writes, json.dumps(asked).encode() + b"\0")
        while (told := self._next()).get("id") != self.count:
            pass
        assert "error" not in told, (method, told["error"])
        return told["result"]

    def _next(self) -> dict:
        while b"\0" not in self.rest:
            assert select([self.reads], [], [], PATIENCE)[0], "the browser does not answer"
            more = os.read(self.reads, 1 << 20)
            assert more, "the browser is gone"
            self.rest += more
        first, _, self.rest = self.rest.partition(b"\0")
        told = json.loads(first)
        if told.get("method") in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"):
            self.said.append(told["params"])
        return told

    def show(
        self, url: str, width: int = 1280, height: int = 900, theme: str = "light", media: str = ""
    ) -> None:
        """Load a page anew with this window size and preferred theme."""
        self.said.clear()
        self(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 500,
        )
        prefers = [{"name": "prefers-color-scheme", "value": theme}]
        self("Emulation.setEmulatedMedia", media=media, features=prefers)
        self("Page.navigate", url="about:blank")  # a change of the hash alone would not load it again
        self("Page.navigate", url=url)
        while not self.js(READY):
            pass
        self.js(SETTLED)

    def js(self, expression: str) -> Any:
        """Evaluate an expression, await its promises, and return its value."""
        told = self("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in told, told["exceptionDetails"]
        return told["result"].get("value")

    def press(self, key: str, code: int = 0, text: str = "") -> None:
        """Press and release a key."""
        named = {"key": key, "code": key, "windowsVirtualKeyCode": code}
        self("Input.dispatchKeyEvent", type="keyDown", text=text, **named)
        self("Input.dispatchKeyEvent", type="keyUp", **named)
        self.js(SETTLED)

    def png(self, whole: bool = False) -> bytes:
        """Return a screenshot of the visible part or of the whole page."""
        return base64.b64decode(self("Page.captureScreenshot", captureBeyondViewport=whole)["data"])

    def pdf(self) -> bytes:
        """Return the page as a PDF file."""
        return base64.b64decode(self("Page.printToPDF", preferCSSPageSize=True, printBackground=True)["data"])

    def close(self) -> None:
        """Close the browser."""
        try:
            self("Browser.close")
        except (AssertionError, OSError):
            os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.writes)
        os.close(self.reads)


def _high(end: int) -> int:
    """Duplicate a file descriptor to a number of at least 10, because Chromium uses 3 and 4."""
    import fcntl

    found = fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(end)
    return found
