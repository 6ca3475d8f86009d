"""Tests of the output on a terminal, in a pipe and in a log: width, colour and progress."""

from __future__ import annotations

import errno
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest
from command import orca
from here import EXAMPLES, XOR
from marks import quick

from orca_exact.cli.signals import erase_line
from orca_exact.cli.terminal import Output, OutputClosed, ProgressLine
from orca_exact.errors import BadFile
from proofs_checks.ledger import claims as ledger
from proofs_checks.ledger.summary import summary
from proofs_checks.verbs.writers import TextWriter

TEA = str(EXAMPLES / "tea.csv")
ERASE = erase_line()
COLOUR = re.compile(r"\x1b\[[\d;]*m")
VERIFY = ("verify", "-j", "1", "eq-data", "offset-variants", "example-46656", "quadratic-modes")


def on_terminal(*words: str, width: int = 80, **environment: str) -> str:
    """Return everything that a command sends to a terminal of this width."""
    termios = pytest.importorskip("termios", reason="the system has no pseudo-terminals")
    ours, theirs = os.openpty()
    termios.tcsetwinsize(theirs, (50, width))
    clean = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR", "FORCE_COLOR")}
    program = subprocess.Popen(
        [sys.executable, "-m", "orca_exact", *words],
        stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True,
        env=clean | {"TERM": "xterm-256color"} | environment,
    )  # fmt: skip
    os.close(theirs)
    sent = b""
    try:
        while part := os.read(ours, 1 << 16):
            sent += part
    except OSError:  # raised on Linux if the other side is closed
        pass
    os.close(ours)
    assert program.wait(timeout=60) == 0
    return sent.decode()


def piped(*words: str, **environment: str) -> tuple[str, str]:
    clean = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR", "FORCE_COLOR")}
    done = subprocess.run(
        [sys.executable, "-m", "orca_exact", *words], capture_output=True, timeout=60, check=True,
        env=clean | environment,
    )  # fmt: skip
    return tuple(sent.decode().replace(os.linesep, "\n") for sent in (done.stdout, done.stderr))


@pytest.mark.parametrize("width", [60, 80, 160])
def test_verify_fits_the_terminal(width):
    sent = on_terminal(*VERIFY, width=width)
    assert COLOUR.search(sent)
    assert "0 of 4" in sent, "no progress"
    left = re.sub(r"\r\x1b\[K[^\r\n]*(?=\r\x1b\[K)", "", COLOUR.sub("", sent))  # overwritten text
    lines = left.replace("\r\x1b[K", "").replace("\r\n", "\n").split("\n")
    assert max(map(len, lines)) <= width
    text = " ".join("".join(lines).split())
    assert "✗ FAILS" in text and "…" not in text
    assert "correction: offset-variants-corrected" in " ".join(" ".join(lines).split())
    assert "The error with most consequence:" in left and "orca-exact report" in " ".join(left.split())


def test_quiet_on_a_terminal():
    loud, quiet = (on_terminal("profile", XOR, "--digits", "5", *more) for more in ((), ("--quiet",)))
    assert "\r\x1b[K" in loud and "next: orca-exact certify" in loud
    assert "\r\x1b[K" not in quiet and "next:" not in quiet and "OKC^(2)" in quiet


def test_no_colour_means_no_colour():
    sent = on_terminal(*VERIFY, NO_COLOR="1")
    assert not re.search(r"\x1b\[(?:[\d;]*;)?(?:3[0-8]|4[0-8]|9\d)[;\d]*m", sent)
    assert "✗ FAILS" in sent


def test_a_pipe_is_clean():
    out, err = piped(*VERIFY)
    assert "\x1b" not in out + err and "\r" not in out + err  # err may have a line of progress
    assert not re.search(r" $", out, re.M)
    assert max(map(len, out.splitlines())) <= 100
    narrow, _ = piped(*VERIFY, COLUMNS="nonsense")
    assert narrow.partition(" claims in")[0] == out.partition(" claims in")[0]


@pytest.fixture(scope="module")
def evidence():
    return told(*VERIFY, "--format", "json")


def told(*words: str, **environment: str) -> list:
    return [json.loads(line).get("evidence") for line in piped(*words, **environment)[0].splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize("encoding", quick(["ascii", "latin-1"], ["ascii"]))
def test_without_a_check_mark(evidence, encoding):
    """Check that marks which cannot be encoded are replaced, but not by "?", the mark of UNDECIDED."""
    out, err = piped(*VERIFY, PYTHONIOENCODING=encoding)
    assert "+ HOLDS" in out and "x FAILS" in out and not re.search(r"^ *\?", out, re.M) and "Error" not in err
    out, _ = piped("profile", XOR, PYTHONIOENCODING=encoding)
    assert "###" in out and "?" not in out
    assert told(*VERIFY, "--format", "json", PYTHONIOENCODING=encoding) == evidence


FORGED = "xor\n✓ optimality proved\r\x1b[2K\x1b[1A\x9b2J\u202e\u2028evil[/bold]"
SHOWN = r"xor\n✓ optimality proved\r\x1b[2K\x1b[1A\x9b2J\u202e\u2028evil[/bold]"


def forged(folder: Path, **fields: object) -> str:
    file = folder / "forged.json"
    file.write_text(json.dumps(json.loads(Path(XOR).read_text(encoding="utf-8")) | fields))
    return str(file)


def said(*words: str) -> tuple[int, str]:
    code, out, err = orca(*words)
    return code, out + err


def is_honest(text: str) -> bool:
    """Return whether the text has no forged line and no control characters."""
    lines = text.split("\n")
    return not any(line.startswith("✓ opt") for line in lines) and all(line.isprintable() for line in lines)


@pytest.mark.parametrize("format", ["text", "markdown", "json"])
def test_a_forged_id_is_shown_escaped(tmp_path, format):
    problem, made = forged(tmp_path, id=FORGED), str(tmp_path / "made")
    for words in (
        ("profile", problem), ("certify", problem), ("certify", problem, "-o", made),
        ("check-certificate", made), ("reference", problem), ("reference", problem, "-o", made),
    ):  # fmt: skip
        code, text = said(*words, "--format", format)
        assert code == 0 and is_honest(text), words
        if words[0] in ("profile", "reference"):
            assert (SHOWN if format != "json" else r"\u001b[2K") in text
    assert json.loads(said("profile", problem, "--format", "json")[1])["id"] == FORGED


@pytest.mark.parametrize("verb", ["profile", "certify", "reference", "check-certificate", "crosscheck"])
@pytest.mark.parametrize("field", ["schema", "C", "y", "n", FORGED])
def test_an_error_quotes_escaped(tmp_path, verb, field):
    problem = forged(tmp_path, **{field: FORGED})
    code, text = said(verb, problem, *([problem] if verb == "crosscheck" else []))
    assert code == 4 and text.count("\n") == 1 and is_honest(text)


def test_a_forged_name_of_a_file_is_shown_escaped(tmp_path):
    folder = tmp_path / "a\n✓ optimality proved\x1b[2K"
    folder.mkdir()
    problem = forged(folder, id="")
    for words in (("profile", problem), ("reference", problem), ("certify", problem, "-o", problem)):
        code, text = said(*words)
        assert code == 0 and is_honest(text), words
    code, text = said("check-certificate", str(folder / "none"))
    assert code == 4 and text.count("\n") == 1 and is_honest(text)


def test_progress_is_one_line(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    screen = Terminal()
    ProgressLine(screen)(FORGED)
    assert is_honest(screen.getvalue().removeprefix(ERASE))


def shown(chosen: list, verdicts: list) -> str:
    stream = io.StringIO()
    write = TextWriter(Output(stream, io.StringIO()), chosen)
    for v in verdicts:
        write.verdict(v)
    write.end(verdicts, summary(zip(chosen, verdicts, strict=True)), {}, 1.0, 0)
    return stream.getvalue()


def test_a_line_is_erased_without_escape_codes_on_windows(monkeypatch):
    monkeypatch.setattr(sys, "platform", "win32")
    screen = io.StringIO()
    screen.isatty = lambda: True
    monkeypatch.setenv("TERM", "xterm")
    progress = ProgressLine(screen)
    progress("certifying")
    progress.clear()
    blank = "\r" + 79 * " " + "\r"
    assert screen.getvalue() == f"{blank}certifying{blank}"


@pytest.mark.parametrize(("platform", "error"), [("linux", BadFile), ("win32", OutputClosed)])
def test_a_closed_pipe_of_windows_is_an_invalid_argument(monkeypatch, platform, error):
    def refuse(text):
        raise OSError(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(sys, "platform", platform)
    with pytest.raises(error):
        Output(Mock(write=refuse, encoding="utf-8"), io.StringIO()).print("text")


def test_families_fold():
    chosen = [c for c in ledger.claims() if c.group == "tab-echo-legendre/n=2"]
    verdicts = [c.verdict(c.expect, "evidence", 0.0) for c in chosen]
    held = [c for c in chosen if c.expect == "HOLDS"]
    text = shown(chosen, verdicts)
    assert "tab-echo-legendre/n=2/*" in text and f"{len(held)} claims" in text
    assert held[0].id not in text.replace("/*", "")
    assert "✗ FAILS      tab-echo-legendre/n=2/OKC^(3)" in text
    words = " ".join(text.split())
    assert f"✓ holds finite statement, decided in every case {len(held)} ✗ refuted" in words
    assert "Every verdict is as recorded." in text and "proved" not in text


def test_the_unexpected_is_said_last():
    chosen = [c for c in ledger.claims() if c.group == "tab-echo-legendre/n=1"]
    verdicts = [c.verdict(c.expect, "evidence", 0.0) for c in chosen]
    verdicts[0] = chosen[0].verdict("FAILS", "2 < 1 is false", 0.0)
    text = shown(chosen, verdicts)
    assert "UNEXPECTED: the recorded outcome is HOLDS" in text
    assert f"not as recorded: {chosen[0].id} (FAILS, recorded HOLDS)" in text
    assert text.rstrip().endswith(f"Next: orca-exact claim '{chosen[0].id}'")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_time_left(monkeypatch):
    now = [100.0]
    monkeypatch.setattr("orca_exact.cli.terminal.time.monotonic", lambda: now[0])
    monkeypatch.setenv("TERM", "xterm")
    screen = Terminal()
    progress = ProgressLine(screen)

    def said(seconds: float, message: str) -> str:
        now[0] += seconds
        screen.seek(0)
        screen.truncate()
        progress(message)
        return screen.getvalue().removeprefix(ERASE)

    one, five, eight = (f"certified {n} of 10 {'█' * (2 * n):20}" for n in (1, 5, 8))
    assert said(1, "certified 1 of 10") == one  # too early for an estimate
    assert said(9, "certified 5 of 10") == f"{five} · about 10 s left"
    assert said(0, "") == ""
    assert said(30, "certified 8 of 10") == f"{eight} · about 10 s left"
    assert said(11, "certified 8 of 10") == f"{eight} · about 13 s left"
    assert said(60, "certified 8 of 10") == eight  # it should have ended
    assert said(1, "other 1 of 500; a" + "b" * 200) == "other 1 of 500; a" + "b" * 41 + " " * 21
    assert said(9, "other 2 of 500") == f"other 2 of 500 {'▏':20}"  # less than a tenth is done
    assert said(9, "other 49 of 500") == f"other 49 of 500 {'██':20}"
    assert said(9, "other 50 of 500") == f"other 50 of 500 {'██':20} · about 4 min left"
    monkeypatch.setattr(progress, "_width", lambda: 60)
    cut = said(9, "other 60 of 500; " + "b" * 200)
    assert len(cut) == 59 and cut.startswith("other 60 of 500; b") and cut.endswith(" · about 5 min left")
    monkeypatch.setattr(progress, "_width", lambda: 80)
    said(500, "answered 10 of 10")
    assert said(9, "compared 5 of 10").endswith(" · about 9 s left")  # another task of as many steps
    assert not ProgressLine(Terminal(), quiet=True).live
    monkeypatch.setenv("TERM", "dumb")
    assert not ProgressLine(Terminal()).live
    assert not ProgressLine(io.StringIO()).live


def test_without_a_terminal_progress_is_a_line_now_and_then(monkeypatch):
    now = [100.0]
    monkeypatch.setattr("orca_exact.cli.terminal.time.monotonic", lambda: now[0])
    monkeypatch.setattr("orca_exact.cli.terminal._FIRST", 5)
    monkeypatch.setattr("orca_exact.cli.terminal._EVERY", 20)
    log, silent = io.StringIO(), io.StringIO()
    progress, quiet = ProgressLine(log), ProgressLine(silent, quiet=True)
    for done in range(1, 61):
        now[0] += 1
        progress(f"tea: {done} of 90")
        quiet(f"tea: {done} of 90")
    progress("")
    assert log.getvalue() == "tea: 6 of 90\n" + "".join(
        f"tea: {n} of 90 · about {90 - n} s left\n" for n in (26, 46)
    )
    assert not silent.getvalue()


def test_a_message_is_repeated_while_nothing_happens(monkeypatch):
    now = [100.0]
    monkeypatch.setattr("orca_exact.cli.terminal.time.monotonic", lambda: now[0])
    monkeypatch.setattr("orca_exact.cli.terminal._FIRST", 5)
    monkeypatch.setattr("orca_exact.cli.terminal._EVERY", 30)
    monkeypatch.setenv("TERM", "xterm")
    log, screen, silent = io.StringIO(), Terminal(), io.StringIO()
    every = [ProgressLine(log), ProgressLine(screen), ProgressLine(silent, quiet=True)]
    for progress in every:
        progress("certifying 9 points")
    sent = len(screen.getvalue())
    for _ in range(40):
        now[0] += 1
        for progress in every:
            progress.repeat()
    assert log.getvalue() == "certifying 9 points (5 s)\ncertifying 9 points (35 s)\n"
    assert screen.getvalue()[sent:] == "".join(f"{ERASE}certifying 9 points ({n} s)" for n in range(5, 41))
    for progress in every:
        progress("")
        now[0] += 40
        progress.repeat()
    assert screen.getvalue().endswith(f"(40 s){ERASE}") and log.getvalue().count("\n") == 2
    assert not silent.getvalue()


def test_a_log_never_has_the_same_line_three_times(monkeypatch):
    """Check messages that are sent again, and repeated ones, over two hours."""
    now = [100.0]
    monkeypatch.setattr("orca_exact.cli.terminal.time.monotonic", lambda: now[0])
    monkeypatch.setattr("orca_exact.cli.terminal._FIRST", 5)
    monkeypatch.setattr("orca_exact.cli.terminal._EVERY", 30)
    log = io.StringIO()
    progress = ProgressLine(log)
    for second in range(7200):
        now[0] += 1
        if second % 10 == 0:
            progress("certified 0 of 9")
        progress.repeat()
    lines = log.getvalue().splitlines()
    assert 5 < len(lines) < 12 and len(set(lines)) == len(lines)
    assert all(line.startswith("certified 0 of 9") for line in lines)
    progress("certified 1 of 9")
    now[0] += 3600
    progress("certified 2 of 9")
    assert log.getvalue().splitlines()[-1].startswith("certified 2 of 9")


def test_a_verb_that_reports_nothing_is_not_silent(monkeypatch):
    monkeypatch.setattr("orca_exact.cli.terminal._FIRST", 0)
    monkeypatch.setattr("orca_exact.cli.terminal._TICK", 0.001)
    log = io.StringIO()
    progress = ProgressLine(log)
    with progress.repeating("doctor: working ..."):
        while "\n" not in log.getvalue():
            pass
    assert log.getvalue() == "doctor: working ... (0 s)\n"


VERBS = {
    "list": ("verify", "--list"),
    "coverage": ("verify", "--coverage"),
    "verify": ("verify", "eq-data"),
    "json": ("verify", "eq-data", "--format", "json"),
    "claim": ("claim", "eq-data"),
    "profile": ("profile", XOR),
    "certify": ("certify", XOR),
    "check-certificate": ("check-certificate", "CERT"),
    "reference": ("reference", XOR),
    "crosscheck": ("crosscheck", "REF", "RESULT"),
    "report": ("report", "--section", "7", "--no-figures", "-j", "1", "-o", "PAGE"),
    "junit": ("verify", "eq-data", "--format", "junit"),
    "problem": ("problem", TEA, "--label", "taste", "--n", "1"),
    "schema": ("schema", "problem"),
    "doctor": ("doctor",),
    "help": ("--help",),
}
EVERY_WAY = quick(VERBS, ("json", "profile", "schema", "help"))


@pytest.fixture(scope="module")
def ended(tmp_path_factory):
    """Return a function that runs a command with a given standard output."""
    files = {name: str(tmp_path_factory.mktemp("made") / name) for name in ("CERT", "REF", "RESULT", "PAGE")}
    piped("certify", XOR, "-o", files["CERT"])
    piped("reference", XOR, "-o", files["REF"])
    Path(files["RESULT"]).write_text(piped("profile", XOR, "--format", "json")[0], encoding="utf-8")

    def run(words: tuple[str, ...], stdout: int) -> tuple[int, str]:
        buffered = {k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"}
        words = tuple(files.get(word, word) for word in words)
        words += ("--quiet",) * (words != ("--help",))  # a slow machine prints progress
        done = subprocess.run([sys.executable, "-m", "orca_exact", *words], stdout=stdout,
                              stderr=subprocess.PIPE, encoding="utf-8", timeout=60, env=buffered)  # fmt: skip
        return done.returncode, done.stderr

    return run


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
@pytest.mark.parametrize("verb", EVERY_WAY)
def test_a_full_device_is_one_line(ended, verb):
    with open("/dev/full", "wb") as full:
        code, err = ended(VERBS[verb], full.fileno())
    assert code == 4
    assert err == "orca-exact: standard output: No space left on device; redirect it to another device\n"


@pytest.mark.parametrize("verb", EVERY_WAY)
def test_a_closed_pipe_is_quiet(ended, verb):
    ours, theirs = os.pipe()
    os.close(ours)
    try:
        assert ended(VERBS[verb], theirs) == (0, "")
    finally:
        os.close(theirs)
