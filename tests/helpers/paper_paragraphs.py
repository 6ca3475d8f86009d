"""The paragraphs of the paper, from its TeX source: their lines, first words, last words and sentences.

    python tests/helpers/paper_paragraphs.py paper.tex > proofs_checks/data/paragraphs.json

Paragraphs are counted as in a printed copy: text between blank lines or headings, with the displayed formulas
inside it. Floats, titles and lists of keywords are not counted. A sentence is stored as the line and the
column where it begins; a heading that runs into the text is no sentence.
"""

from __future__ import annotations

import json
import re
import sys
from hashlib import sha256
from pathlib import Path

WORDS = 3  # at most, enough to find a paragraph
HEADING = re.compile(r"\s*\\(section|subsection|paragraph)(\*?)\{")
FLOAT = re.compile(r"\\begin\{(table|figure)\}.*?\\end\{\1\}", re.S)
RUN_IN = re.compile(r"\s*(\\paragraph\{[^}]*\}|\\textit\{(?:[^{}]|\{[^{}]*\})*\}(?:\s*\([^)]*\))?\.?)\s*")
ENVIRONMENT = re.compile(r"\\(begin|end)\{[^}]*\}(\[[^\]]*\])?(\\label\{[^}]*\})?")
STOP = re.compile(r"(?<=[.?!])[\"'’)}]*\s+(?=[\\$(\[]*[A-Z\\$])")
ENDS = re.compile(r"\.\s*(?:\\\]|\\end\{[^}]*\})$")  # a display that ends a sentence
ABBREVIATED = re.compile(r"\b(?:e\.g|i\.e|cf|Eq|see|vs)\.$")
DISPLAY = re.compile(r"\\\[.*?\\\]|\\begin\{((?:equation|align)\*?)\}.*?\\end\{\1\}", re.S)


def paragraphs(tex: str) -> list[dict]:
    """Return section ('0' for the abstract), number, first and last line, first and last words of each."""
    blank = lambda found: re.sub(r"[^\n]", "", found[0])  # noqa: E731
    text = FLOAT.sub(blank, re.sub(r"(?<!\\)%.*", "", tex))
    found: list[dict] = []
    numbers, section, at, open_ = [0, 0], None, 0, []
    lines = text.split("\n")
    begun = lines.index("\\begin{abstract}")

    def close() -> None:
        nonlocal at, open_
        words = spoken("\n".join(line for _, line in open_))
        if words and section is not None:
            at += 1
            found.append({"section": section, "paragraph": at, "from": open_[0][0], "to": open_[-1][0],
                          "first": few(words), "last": few(words[::-1], -1),
                          "sentences": sentences(open_)})  # fmt: skip
        open_ = []

    for number, line in enumerate(lines[begun:], begun + 1):
        heading = HEADING.match(line)
        if not line.strip() and len(open_) == 1 and HEADING.match(open_[0][1]):
            continue  # a run-in heading belongs to the text after it
        if heading or not line.strip() or line.startswith(("\\begin{abstract}", "\\end{abstract}")):
            close()
            if line.startswith("\\begin{abstract}"):
                section, at = "0", 0
            elif line.startswith("\\end{abstract}"):
                section = None
            elif heading and heading[2]:  # the acknowledgements, counted on after the last section
                pass
            elif heading and heading[1] != "paragraph":
                deep = heading[1] == "subsection"
                numbers = [numbers[0], numbers[1] + 1] if deep else [numbers[0] + 1, 0]
                section, at = ".".join(map(str, numbers[: 1 + deep])), 0
            if heading and heading[1] == "paragraph":
                open_.append((number, line))
            continue
        open_.append((number, line))
    close()
    return found


def sentences(lines: list[tuple[int, str]]) -> list[list[int]]:
    """Return the line and the column, from 1, where each sentence of a paragraph begins."""
    erase = lambda found: re.sub(r"[^\n]", " ", found[0])  # noqa: E731
    numbers, text = [number for number, _ in lines], "\n".join(line for _, line in lines)
    stopped = lambda found: erase(found)[:-1] + (". "[not ENDS.search(found[0])])  # noqa: E731
    text = ENVIRONMENT.sub(erase, DISPLAY.sub(stopped, text))
    if heading := RUN_IN.match(text):
        text = erase(heading) + text[heading.end() :]
    starts = [len(text) - len(text.lstrip())]
    starts += [stop.end() for stop in STOP.finditer(text) if not ABBREVIATED.search(text[: stop.start()])]
    return [
        [numbers[text.count("\n", 0, at)], at - text.rfind("\n", 0, at)]
        for at in starts
        if re.search(r"\w", text[at:])
    ]


def few(words: list[str], step: int = 1) -> str:
    """Return the first words that are not formulas and what is between them; reversed if step is -1."""
    ends = [k for k, word in enumerate(words) if re.search("[A-Za-z]", word)][:WORDS]
    return " ".join(words[: min(ends[-1] + 1, WORDS + 2)][::step])


def spoken(text: str) -> list[str]:
    """Return the words of a paragraph as printed; a formula is '…'."""
    text = DISPLAY.sub(" ", text)
    text = re.sub(r"\$[^$]*\$", "…", text)
    text = re.sub(r"\\label\{[^}]*\}", "", text).replace(r"\H{o}", "ő")
    text = re.sub(r"~?\\(cite|eqref|ref)\{[^}]*\}", " …", text)
    text = re.sub(r"\\(begin|end)\{[^}]*\}(\[[^\]]*\])?", " ", text)
    text = re.sub(r"\\(emph|textbf|textit|text|paragraph|section|subsection)\*?\{", "", text)
    text = re.sub(r"\\[A-Za-z]+\*?", " ", text).replace("~", " ").replace("--", "–")
    words = re.sub(r"[{}\\]|``|''", "", text).split()
    return words if any(re.search("[A-Za-z]{2}", word) for word in words) else []


if __name__ == "__main__":
    source = Path(sys.argv[1]).read_bytes()
    head = {"schema": "orca-exact/paper-paragraphs/1", "sha256": sha256(source).hexdigest()}
    rows = ",\n  ".join(json.dumps(row, ensure_ascii=False) for row in paragraphs(source.decode()))
    print(f'{{\n {json.dumps(head)[1:-1]},\n "paragraphs": [\n  {rows}\n ]\n}}')
