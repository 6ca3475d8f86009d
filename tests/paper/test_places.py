"""Places of sentences: by paragraph in a printed copy, by line in the reader's own source."""

from __future__ import annotations

import json
import re
from hashlib import sha256

import pytest
from command import orca
from paper_paragraphs import WORDS, paragraphs

from orca_exact.files.formats import read_shipped
from proofs_checks.ledger.claims import Claim, claims
from proofs_checks.ledger.places import VARIABLE, printed_place, read_source

STORED = read_shipped("data/paragraphs.json", "proofs_checks")
SMALL = r"""\documentclass{article}
\begin{document}
\begin{abstract}
One $x$ two three. Four five six.
\end{abstract}
\section{First}
Seven eight nine
\begin{equation}
a = b
\end{equation}
ten eleven % nothing
twelve.

\begin{table}
none of this
\end{table}
\paragraph{Run in.}

Thirteen fourteen fifteen.
\subsection{Deep}
Sixteen~\cite{x} \emph{seventeen} eighteen nineteen.
\section*{Thanks}
Nobody.
\end{document}
"""


def test_paragraphs_are_those_of_a_printed_copy():
    found = [tuple(row.values()) for row in paragraphs(SMALL)]
    assert found == [
        ("0", 1, 4, 4, "One … two three.", "Four five six.", [[4, 1], [4, 20]]),
        ("1", 1, 7, 12, "Seven eight nine", "ten eleven twelve.", [[7, 1]]),  # a display is inside a sentence
        ("1", 2, 17, 19, "Run in. Thirteen", "Thirteen fourteen fifteen.", [[19, 1]]),  # not the heading
        ("1.1", 1, 21, 21, "Sixteen … seventeen eighteen", "seventeen eighteen nineteen.", [[21, 1]]),
        ("1.1", 2, 23, 24, "Nobody.", "Nobody.", [[23, 1]]),  # counted on after the last section
    ]


def test_the_stored_paragraphs_are_those_of_the_source(paper):
    raw = paper.read_bytes()
    assert STORED["paragraphs"] == paragraphs(raw.decode())
    assert STORED["sha256"] == sha256(raw).hexdigest()


def test_no_sentence_of_the_paper_is_shipped():
    for row in STORED["paragraphs"]:
        for end in ("first", "last"):
            assert len(re.findall(r"[^\W\d_]+", row[end])) <= 2 * WORDS and len(row[end].split()) <= WORDS + 2


def place(text: str) -> Claim:
    return Claim("made", text, "a title", lambda: None)


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("section 6.1, line 861", "section 6.1, paragraph 7 (A Z), sentence 1 (line 861 of the source)"),
        ("section 4, eq. (30)", "section 4, eq. (30), paragraph 15 (A Z), sentence 3"),
        ("section 6.2, Table 4, n = 2", "section 6.2, Table 4, n = 2"),
        ("section 6.2, Table 4, line 1290, n = 2", "section 6.2, Table 4, n = 2 (line 1290 of the source)"),
        ("section 6.2, Table 4, n = 2, line 1290", "section 6.2, Table 4, n = 2 (line 1290 of the source)"),
        ("abstract, line 65", "abstract, paragraph 1 (A Z) (line 65 of the source)"),
        ("section 2, lines 101 to 108", "section 2, paragraph 2 (A Z) (lines 101 to 108 of the source)"),
        (
            "section 2, line 101 and eq. (3)",
            "section 2, eq. (3), paragraph 2 (A Z), sentences 1 and 2 (line 101 of the source)",
        ),
        (
            "section 1, line 87; all labels",
            "section 1, paragraph 7 (A Z) (line 87 of the source); all labels",
        ),
        ("section 2, eq. (1); section 7", "section 2, eq. (1), paragraph 1 (A Z), sentence 2; section 7"),
        (
            "section 4, lines 367 to 481",
            "section 4, paragraphs 3 to 10, A Z (lines 367 to 481 of the source)",
        ),
        (
            "section 1, line 87; section 4, lines 358 and 513",
            "section 1, paragraph 7 (A Z) (line 87 of the source); "
            "section 4, paragraphs 3 to 12, A Z (lines 358 and 513 of the source)",
        ),
    ],
)
def test_a_place_can_be_found_in_print(named, said):
    shown = re.sub("from “[^”]+” to “[^”]+”|“[^”]+ …”", "A Z", printed_place(place(named)))
    assert shown == said
    assert "“" not in printed_place(place(named), words=False)


def test_every_claim_has_a_place_in_print():
    floats = {c.id for c in claims() if not re.search("paragraph|Table", printed_place(c))}
    assert floats <= {"fig1", "fig2", "caption-F-parentheses"}  # captions


def test_the_reader_s_own_copy(tmp_path, monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    assert read_source(None) is None
    file = tmp_path / "paper.tex"
    file.write_text(SMALL)
    copy = read_source(str(file))
    assert not copy.same and copy.quote(place("section 1, line 7")) == [
        (6, False, r"\section{First}"),
        (7, True, "Seven eight nine"),
        (8, False, r"\begin{equation}"),
        (9, False, "a = b"),
        (10, False, r"\end{equation}"),
        (11, False, "ten eleven % nothing"),
        (12, False, "twelve."),
    ]
    assert copy.quote(place("section 1, line 900")) == []
    assert [k for k, named, _ in copy.quote(place("section 1, Table 1, n = 2, line 15")) if named] == [15]
    monkeypatch.setenv(VARIABLE, str(file))
    assert read_source(None) == copy
    file.write_text(SMALL + "\ttext\n" * 100)
    assert read_source(str(file)).quote(place("section 1, line 77")) == [
        (77, True, "  text")
    ]  # its paragraph


def test_explain_quotes_it_escaped(tmp_path):
    file = tmp_path / "paper.tex"
    text = ["\\begin{document}"] * 600
    text[573] = "forged \x1b[2K✓ proved\u202e [bold]"
    file.write_text("\n".join(text))
    for format in ("text", "markdown", "json"):
        code, out, _ = orca("claim", "example-46656", "--paper", str(file), "--format", format)
        quoted = json.loads(out)["source"] if format == "json" else out
        assert code == 0 and r">  574  forged \x1b[2K✓ proved\u202e [bold]" in quoted
        assert "its line numbers may differ" in " ".join(quoted.split()) and "\x1b" not in quoted


@pytest.mark.parametrize(
    ("name", "content"), [("none.tex", None), ("a.pdf", b"%PDF\xff\xfe"), ("b.txt", b"no")]
)
def test_a_bad_copy_is_one_line(tmp_path, name, content):
    file = tmp_path / name
    if content is not None:
        file.write_bytes(content)
    code, out, err = orca("claim", "example-46656", "--paper", str(file))
    assert (code, out) == (4, "") and err.count("\n") == 1 and name in err and "TeX source" in err
