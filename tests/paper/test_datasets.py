"""The double spiral, the echocardiogram data and their download."""

from __future__ import annotations

import hashlib
import io
import os
import random
import socket
import threading
import zipfile
import zlib
from contextlib import suppress
from fractions import Fraction
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import mpmath
import pytest
from command import orca

from orca_exact.errors import BadFile, BadParameter, DataMissing, NotANumber
from orca_exact.runtime import cache
from proofs_checks.experiments import datasets
from proofs_checks.experiments.datasets import FILE, double_spiral, download_echocardiogram, echocardiogram


@pytest.fixture(scope="module")
def raw():
    named = Path(os.environ.get("ORCA_EXACT_DATA", ""))
    file = named / FILE if named.is_dir() else named
    if not file.is_file():
        pytest.skip("no echocardiogram data: set ORCA_EXACT_DATA to their folder")
    return file.read_bytes()


@pytest.fixture(autouse=True)
def nothing_found_by_chance(monkeypatch, tmp_path):
    monkeypatch.delenv("ORCA_EXACT_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("no_proxy", "*")


# --- double spiral


def test_spiral_is_odd_and_balanced():
    X, y = double_spiral()
    assert len(X) == 300 and y == [1] * 150 + [-1] * 150
    points = [tuple(map(Fraction, row)) for row in X]
    assert [(-a, -b) for a, b in points[:150]] == points[150:]
    assert all(min(column) == -max(column) for column in zip(*points, strict=True))
    assert len(set(points)) == 300


@pytest.mark.parametrize("turns", ["3/2", 2, "0.7"])
def test_spiral_follows_its_formula(turns):
    """The points agree with r = θ/θ_max in floating point, for θ from π/2 over ``turns`` turns."""
    X, _ = double_spiral(40, turns)
    full = 2 * float(Fraction(turns))
    for i, row in enumerate(X[:20]):
        theta = mpmath.pi * (0.5 + full * i / 19)
        r = theta / (mpmath.pi * (0.5 + full))
        assert abs(mpmath.mpc(*map(float, row)) - r * mpmath.expj(theta)) < 1e-11


def test_spiral_is_the_same_text_everywhere():
    for options, digest in (
        ({}, "4e0b7b47cc50a5a2c0fe70f3fa140ceaf5ac16a9d6fde9702be7501c5499e50b"),
        ({"noise": "0.05", "seed": 7}, "1e1036922267e314beace2cabc73c2abf56fe6ac32d9aa74045f651d2999e709"),
    ):
        text = "\n".join(",".join(row) for row in double_spiral(**options)[0])
        assert hashlib.sha256(text.encode()).hexdigest() == digest


def test_spiral_leaves_precision_and_random_state_alone():
    mpmath.mp.dps, state = 15, random.getstate()
    double_spiral(20, noise="0.1")
    assert mpmath.mp.dps == 15 and random.getstate() == state


def test_noise():
    clean, y = double_spiral()
    noisy, same = double_spiral(noise="0.05", seed=1)
    assert y == same
    assert noisy == double_spiral(noise="1/20", seed=1)[0] != double_spiral(noise="0.05", seed=2)[0]
    steps = [
        float(a) - float(b) for p, q in zip(noisy, clean, strict=True) for a, b in zip(p, q, strict=True)
    ]
    assert abs(sum(steps) / 600) < 0.05 * 4 / 600**0.5
    assert abs(sum(s * s for s in steps) / 600 / 0.05**2 - 1) < 4 * (2 / 600) ** 0.5


@pytest.mark.parametrize("m", [0, 2, 7, -4, 300.0, "300"])
def test_bad_m(m):
    with pytest.raises(BadParameter, match="even number"):
        double_spiral(m)


def test_bad_numbers():
    with pytest.raises(BadParameter, match="turns: 0"):
        double_spiral(turns=0)
    with pytest.raises(BadParameter, match="noise: -1"):
        double_spiral(noise=-1)
    for value in ("one", None, float("nan"), float("inf"), "1/0"):
        with pytest.raises(NotANumber, match="turns"):
            double_spiral(turns=value)


# --- echocardiogram


def test_the_papers_sixty_one(raw, tmp_path):
    (tmp_path / FILE).write_bytes(raw)
    table = echocardiogram(tmp_path)
    assert table == echocardiogram(tmp_path / FILE)
    assert len(table.X) == len(table.y) == len(table.records) == 61
    assert table.y.count(1) == 21 and table.y.count(-1) == 40
    assert table.names[0] == "age-at-heart-attack" and {len(row) for row in table.X} == {5}
    assert 50 not in table.records
    assert any("record 50 is malformed" in note for note in table.notes)
    assert table.sha256 == datasets.SHA256
    lines = raw.decode().splitlines()
    for row, number in zip(table.X, table.records, strict=True):
        fields = lines[number - 1].split(",")
        assert [Fraction(fields[c]) for c in (2, 4, 5, 6, 8)] == [Fraction(text) for text in row]


def test_line_ends_spacing_and_incomplete_records_do_not_matter(raw, tmp_path):
    lines = raw.decode().splitlines()
    lines[49] = "?,?,?,77"  # another copy's malformed record
    other = tmp_path / "other.data"
    other.write_bytes(
        ("\ufeff" + " \r\n".join(line.replace(",", " , ") for line in lines) + "\r\n\r\n").encode()
    )
    (tmp_path / FILE).write_bytes(raw)
    assert echocardiogram(other) == echocardiogram(tmp_path)


def test_a_changed_digit_is_noticed(raw, tmp_path):
    (tmp_path / FILE).write_bytes(raw.replace(b"0.260", b"0.261", 1))
    with pytest.raises(BadFile, match=f"61 complete records of 132.*expected {datasets.SHA256}"):
        echocardiogram(tmp_path)


@pytest.mark.parametrize("content", [b"", b"<html>no</html>", b"\xff\xfe\x00", b"1," * 12 + b"1\n"])
def test_not_the_data(content, tmp_path):
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(BadFile, match="complete records of"):
        echocardiogram(tmp_path)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (".26", "0.26"),
        ("0.260", "0.26"),
        ("4.000", "4"),
        ("03", "3"),
        ("10", "10"),
        ("5.", "5"),
        ("0.0", "0"),
    ],
)
def test_plain_decimals(text, plain):
    assert datasets._plain(text) == plain


def test_where_the_data_are_looked_for(raw, tmp_path, monkeypatch):
    with pytest.raises(DataMissing, match="run `orca-exact data echocardiogram`"):
        echocardiogram()
    cached = cache.user_folder() / FILE
    cached.parent.mkdir(parents=True)
    cached.write_bytes(raw)
    assert len(echocardiogram().y) == 61
    monkeypatch.setenv("ORCA_EXACT_DATA", str(tmp_path))
    with pytest.raises(DataMissing, match="ORCA_EXACT_DATA"):  # what is named and absent is not replaced
        echocardiogram()
    for named in (cached, cached.parent):
        monkeypatch.setenv("ORCA_EXACT_DATA", str(named))
        assert len(echocardiogram().y) == 61


def test_missing_path(tmp_path):
    with pytest.raises(BadFile, match="No such file"):
        echocardiogram(tmp_path / "nowhere")


# --- download


@pytest.fixture
def serve():
    """Return a function that starts a local server: ``url = serve(body, status)``."""
    servers = []

    def start(body, status=200):
        class Answer(BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        server = HTTPServer(("127.0.0.1", 0), Answer)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_port}/echocardiogram.zip"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def zipped(content, name=FILE):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(name, content)
    return buffer.getvalue()


def test_download(raw, serve, tmp_path):
    archive, seen = zipped(raw), []
    path = download_echocardiogram(serve(archive), progress=lambda done, total: seen.append((done, total)))
    assert path == cache.user_folder() / FILE and path.read_bytes() == raw
    assert [item.name for item in path.parent.iterdir()] == [FILE]
    assert seen[-1] == (len(archive), len(archive))
    assert len(echocardiogram().y) == 61
    assert download_echocardiogram(serve(archive), folder=tmp_path / "mine").parent == tmp_path / "mine"


def test_wrong_data_never_reach_the_cache(raw, serve):
    with pytest.raises(BadFile, match="SHA-256"):
        download_echocardiogram(serve(zipped(raw.replace(b"0.260", b"0.261", 1))))
    assert not (cache.user_folder() / FILE).exists()


def altered(archive, *changes):
    """Change bytes in the local header and in the central directory of a zip archive."""
    raw, directory = bytearray(archive), archive.index(b"PK\x01\x02")
    for offset, value in changes:
        raw[offset] = raw[directory + offset + 2] = value
    return bytes(raw)


GOOD = zipped(b"0" * 999)
BODIES = {
    "empty": b"", "a page": b"<html>", "another file": zipped(b"1", "Index"), "cut": GOOD[:60],
    "encrypted": altered(GOOD, (6, 1)), "unsupported": altered(GOOD, (8, 97)), "lzma": altered(GOOD, (8, 14)),
    "broken": GOOD.replace(zlib.compress(b"0" * 999, 6)[2:6], b"\xff\xff\xff\xff"),
    "sum": altered(GOOD, (14, 7)),
}  # fmt: skip


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)  # a zip holds the time: no name for a test
def test_not_the_archive(body, serve):
    code, out, err = orca("data", "echocardiogram", "--url", serve(body))
    assert (code, out, err.count("\n")) == (4, "", 1) and "not a zip archive with a readable" in err
    assert not (cache.user_folder() / FILE).exists()


def test_an_archive_that_unfolds_to_too_much(serve, monkeypatch):
    monkeypatch.setattr(datasets, "LARGEST", 5000)
    with pytest.raises(BadFile, match="larger than 5000 bytes"):
        download_echocardiogram(serve(zipped(b"0" * 5001)))
    with pytest.raises(DataMissing, match=r"the response is larger than 5000 bytes; download .* by hand"):
        download_echocardiogram(serve(b"0" * 5001))


def test_no_network(serve):
    with pytest.raises(DataMissing, match=r"404.*by hand"):
        download_echocardiogram(serve(b"", 404))
    for url in ("http://127.0.0.1:1/x.zip", "not a url"):
        with pytest.raises(DataMissing, match="ORCA_EXACT_DATA"):
            download_echocardiogram(url)


SLOW = {
    "silent": (b"", b""),
    "half a header": (b"HTTP/1.1 200 OK\r\nContent-Le", b"n"),
    "header drop by drop": (b"HTTP/1.1 200 OK\r\nA: ", b"a"),
    "body drop by drop": (b"HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\n", b"x"),
    "endless": (b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 65536),
}


@pytest.mark.parametrize("start, drop", SLOW.values(), ids=SLOW)
def test_a_slow_answer_is_given_up_in_all(start, drop):
    """The deadline holds for the whole response, even if single bytes keep arriving."""
    over = threading.Event()

    def answer(server):
        connection, _ = server.accept()
        with connection, suppress(OSError):
            connection.sendall(start)
            while not over.wait(0.02):
                connection.sendall(drop)

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=answer, args=(server,))
        thread.start()
        url = f"http://127.0.0.1:{server.getsockname()[1]}/x.zip"
        try:
            with pytest.raises(
                DataMissing, match=r"the response was not complete within 0\.4 s; download .* by hand"
            ):
                download_echocardiogram(url, deadline=0.4)
        finally:
            over.set()
            thread.join()


def test_cannot_write(raw, serve, tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(BadFile, match=r"file: .*; name a folder"):
        download_echocardiogram(serve(zipped(raw)), folder=tmp_path / "file")
