"""Pages generated from the ledger and from the list of machine-checked theorems."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from writing import cell, code, formula, table


def findings() -> str:
    """Return what was found in the paper; nothing is computed."""
    from proofs_checks.ledger.claims import claims
    from proofs_checks.ledger.headline import formal_line, headline
    from proofs_checks.ledger.stored_study import short_remark

    whole = headline((claim, claim.recorded()) for claim in claims())
    parts = [_paragraph(part) for part in (*whole.paragraphs(), short_remark())]
    return "\n".join([*parts, f"**Machine-checked proofs.** {cell(formal_line())}\n"])


def _paragraph(part: Any) -> str:
    """Return a paragraph of the headline, with its list."""
    members = "".join(f"\n{k}. {cell(text)}" for k, text in enumerate(part.members, 1))
    return f"**{part.title}.** {cell(part.text)}\n" + f"{members}\n" * bool(members)


def recorded_as(claim: Any) -> str:
    """Return the recorded outcome, such as 'holds (for all, machine-checked)' or 'refuted (wrong number)'."""
    from proofs_checks.ledger.verdict import WORDS

    v = claim.recorded()
    how = v.extent or v.severity
    how = v.general if how != claim.extent and v.general else how
    return WORDS[v.outcome] + (f" ({how})" if how else "")


def ledger() -> str:
    from proofs_checks.ledger.claims import CELL, claims

    known = claims()
    cells = [claim for claim in known if claim.subject == CELL]
    parts = [
        findings(),
        "The claims are in the order of the paper. Claims about single cells of the printed tables "
        f"({len(cells)}, with their corrections) are only counted, at the end.\n",
    ]
    section = None
    for claim in known:
        if claim.subject == CELL:
            continue
        if claim.section != section:
            section = claim.section
            title = "Abstract" if section == "0" else f"Section {section}"
            parts += [f"\n## {title}\n", "| claim | statement | recorded as | scope |\n|---|---|---|---|"]
        row = (code(claim.id), cell(claim.title), recorded_as(claim), cell(claim.scope))
        parts.append("| " + " | ".join(row) + " |")
    tables: dict[str, Counter] = {}
    for claim in cells:
        tables.setdefault(claim.id.split("/")[0], Counter())[recorded_as(claim)] += 1
    rows = [
        (code(name), str(own.total()), ", ".join(f"{n} {word}" for word, n in own.items()))
        for name, own in tables.items()
    ]
    return "\n".join([*parts, "\n## Cells of the tables\n", table(("table", "claims", "recorded as"), rows)])


def paper_errors() -> str:
    """Return the referee's letter, as in the report; without data, stored values give the counterexamples."""
    from proofs_checks.ledger.claims import OUR_SPIRAL, claims
    from proofs_checks.letter import REMARKS, chapters, opening
    from proofs_checks.mathtext import to_html

    def verdict(c: Any) -> Any:
        if c.expect != "FAILS" or c.subject == OUR_SPIRAL:
            return c.recorded()
        found = c.run()
        return c.recorded() if found.outcome == "SKIPPED" else found

    pairs = [(c, verdict(c)) for c in claims()]
    parts = [_paragraph(part) for part in opening([(c, c.recorded()) for c in claims()])]
    for chapter in chapters(pairs):
        parts += [f"{{#{chapter.id}}}\n## {chapter.title} ({len(chapter.entries)})\n"]
        parts += [f"{cell(chapter.text)}\n"]
        for entry in chapter.entries:
            anchor = re.sub(r"[^a-z0-9]+", "-", entry.claim.id.lower()).strip("-")
            heading = to_html(entry.place).replace("*", "\\*")  # typeset as in the report
            parts += [f"{{#{anchor}}}\n### {heading}\n"]
            for line in entry.lines():
                cited = ", ".join(map(code, line.claims))
                parts += [" ".join(filter(None, (f"**{line.label}.**", cell(line.text), cited))) + "\n"]
                parts += [formula(line.display)] if line.display else []
    for remark in REMARKS:
        parts += [f"{{#{remark.id}}}\n## {remark.title}\n", f"{cell(remark.text)}\n", formula(remark.display)]
    return "\n".join(parts)


def order_study() -> str:
    """Return the stored study of shuffled labels: its remark, its power, and the sentences it asks."""
    from proofs_checks.experiments.order_study import published
    from proofs_checks.ledger.stored_study import PLANTED, asked, conclusion, remark

    study, found = published(), remark()
    degrees = [row.n for row in study.predictions]
    power = [
        (
            PLANTED.get(row.kind, "nothing (size)"),
            *(str(row.rows[study.table, n]) for n in degrees),
            str(row.family),
        )
        for row in study.power
        if row.kind == "null" or row.kind in PLANTED
    ]
    sentences = [
        (
            cell(row.words) + " (our spiral)" * (row.dataset == "spiral"),
            "yes" if row.observed else "no",
            f"{row.shuffled:,} of {row.repeats:,}" + f", {row.undecided} undecided" * (row.undecided > 0),
            conclusion(row),
        )
        for row in asked()
    ]
    head = ("labels follow", *(f"five orders, n = {n}" for n in degrees), f"all {len(study.orders)} orders")
    return "\n".join(
        [
            cell(found.text) + "\n",
            "\n".join(f"- {cell(line)}" for line in found.members) + "\n",
            f"Of {study.power[0].labellings} labellings of each kind, some order is found for so many, at "
            "the 5 % level:\n",
            table(head, power),
            "Sentences about the tables, asked of shuffled labels:\n",
            table(("statement", "true for the labels", "true for shuffled labels", "conclusion"), sentences),
        ]
    )


_THEOREM_OF_A_CELL = (
    "The theorem is `certified` of the file of the row, whose digest is that of the file without the "
    "comments at its top. The last column says what it assumes of the weight (1−t)^α(1+t)^β: nothing, or "
    "bounds of λ and that the recurrence belongs to the weight. What every such theorem rests on is listed "
    "above.\n"
)


def machine_checked() -> str:
    """Return the refuted cells that Rocq refutes, each with its theorem, and the rows that were proved."""
    from orca_exact import Jacobi
    from orca_exact.rocq.certificate import weight_exponents
    from proofs_checks.experiments import machine_checked as proofs
    from proofs_checks.experiments.optima import printed_tables
    from proofs_checks.experiments.tables import CONFIRMED, REFUTED

    rows = {row: proofs.stored_proof(row) for row in proofs.machine_checked_rows()}
    if not rows:
        return f"No row is proved with the present theory; `{proofs.COMMAND}` proves them.\n"
    number = {id: f"Table {t['number']}" for id, t in printed_tables().items()}
    cells = [(row, found) for row in rows for found in proofs.machine_checked_cells(row)]
    counts = Counter(found.verdict for _, found in cells)
    seconds = sum(stored["seconds"] for stored in rows.values())
    known = {
        id: "nothing" if weight_exponents([Jacobi(t["alpha"], t["beta"])]) else "bounds of λ, recurrence"
        for id, t in printed_tables().items()
    }
    wrong = [
        (number[id], str(n), cell(c.column), c.printed, cell(c.value), code(c.proof["file"][:12]), known[id])
        for (id, n), c in cells
        if c.verdict == REFUTED
    ]
    listed = [
        (number[id], str(n), str(stored["seconds"]), str(stored["bytes"]), code(stored["problem"][:12]))
        for (id, n), stored in rows.items()
    ]
    last = next(iter(rows.values()))
    counted = (
        f"{len(cells)} cells of {len(rows)} rows are proved: {counts[CONFIRMED]} are printed correctly and "
        f"{counts[REFUTED]} are not. `{proofs.COMMAND}` made the proofs, in {seconds:.0f} s of CPU time. "
        "Each verdict follows from the proved enclosure alone; a test compares it with the ledger's own.\n"
    )
    parts = [counted, "### Refuted cells\n", _THEOREM_OF_A_CELL]
    head = ("table", "n", "index", "printed", "proved", "file (sha256)", "assumed of the weight")
    parts += [table(head, wrong), "### Rows\n"]
    parts += [table(("table", "n", "CPU seconds", "bytes", "problem (sha256)"), listed)]
    parts += [
        f"Theory: sha256 `{last['theory'][:12]}`; coqc {last['coqc'].split()[0]}; axioms: "
        f"{last['assumptions']}. The files contain the data and are not distributed.\n"
    ]
    return "\n".join(parts)


def theory_digest() -> str:
    """Return the digest of the theory in certificates of this version."""
    from orca_exact.rocq import certificate

    return f"    {certificate.theory_digest()}\n"


def general() -> str:
    """Return every theorem in words, as a formula and as Rocq reads it, with the claims that it proves."""
    from orca_exact.rocq.theory import file_order, title
    from proofs_checks.ledger import theorems as formal
    from proofs_checks.ledger.claims import claims

    listed, left = formal.theorems(), formal.unproved_claims()
    covered = {claim for theorem in listed for claim in theorem.covers}
    whole = covered - formal.parts().keys()
    twins = sum(bool(theorem.twin) for theorem in listed)
    parts = [
        f"{len(listed)} theorems in Rocq (Coq) with MathComp, without axioms, prove {len(whole)} claims of "
        f"the ledger in general, and a part of {len(covered - whole)} more: for every positive definite "
        "functional (such as the integral of a measure of infinite support), every n and d, every trained "
        "SVM. `orca-exact verify --formal` compiles them on your machine. Before that, a claim of which only "
        "samples were computed is `HOLDS (uncompiled)` and is not counted as holding for all.\n",
        "A theorem counts only if Rocq reads the statement below and finds, by conversion, that it is the "
        "type of the theorem: a stronger or a weaker theorem does not count. "
        "This detects every change of the statement, but not a changed definition with the same name: if no "
        "alpha were `feasible`, every theorem about feasible alpha would hold, with the same text. Therefore "
        f"{twins} theorems have a twin (`proofs_checks/formal/twins`): the same statement with a wrong sign, "
        "factor, index or hypothesis, and a proof that it is false for an example. This proof fails if the "
        "definitions become empty or trivial. Only theorems that use a definition of this development have a "
        "twin; for the others the statement itself is enough. `Counterexamples.v` does the same for the "
        "SVM.\n",
    ]
    rows = [
        (
            cell(claim.place),
            code(claim.id),
            cell(claim.title)
            + (f" (proved: {cell(part)})" if (part := formal.parts().get(claim.id)) else ""),
            ", ".join(map(_theorem, formal.covering(claim.id))),
        )
        for claim in claims()
        if claim.id in covered
    ]
    parts += [table(("place in the paper", "claim", "statement", "proved by"), rows)]
    for file in file_order():
        own = [theorem for theorem in listed if theorem.file == file]
        parts += [f"{{#{file.removesuffix('.v').lower()}}}\n## {title(file)}\n", f"`{file}`\n"] if own else []
        for theorem in own:
            parts += [f"{{#{_place(theorem)}}}\n### {theorem.theorem}\n"]
            parts += [f"{cell(theorem.says)}\n", formula(theorem.latex)]
            mark = "<!-- run by tests/paper/test_formal.py -->"
            parts += [f"{mark}\n```coq\n{theorem.statement}\n```\n"]
            parts += [f"Claims: {', '.join(map(code, theorem.covers))}.\n"] if theorem.covers else []
    return "\n".join(
        [
            *parts,
            "## Proved in part\n",
            "Claims of which the theorems prove the following only. They do not count as proved for all.\n",
            table(("claim", "proved"), [(code(claim), cell(what)) for claim, what in formal.parts().items()]),
            "## Not machine-checked\n",
            "Claims of sections 2 to 5 that hold and are not covered by a theorem.\n",
            table(("claim", "reason"), [(code(claim), cell(why)) for claim, why in left.items()]),
        ]
    )


def _part(claim: str) -> str:
    """Return what is proved of a claim, if that is a part only."""
    from proofs_checks.ledger.theorems import parts

    return f" (proved: {cell(parts()[claim])})" if claim in parts() else ""


def _place(theorem: Any) -> str:
    return theorem.name.lower().replace(".", "-")


def _theorem(theorem: Any) -> str:
    return f"[`{theorem.name}`](#{_place(theorem)})"
