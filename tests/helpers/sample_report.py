"""The content of a small report with one example of everything that a page can show."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from io import BytesIO

from flint import arb

from orca_exact.files.outcomes import FAILS
from orca_exact.plots import STYLE, import_pyplot
from proofs_checks.experiments.figures import spectra
from proofs_checks.experiments.optima import certified_optimum, configuration, printed_tables
from proofs_checks.experiments.tables import CONFIRMED, NO_GENERATOR, REFUTED, UNSETTLED, Cell
from proofs_checks.ledger.claims import FOR_ALL, Verdict, claims
from proofs_checks.ledger.running import verify
from proofs_checks.report.content import Content, Figure

CLAIMS = (
    "eq-CD-identity",
    "eq-data",
    "offset-variants",
    "offset-variants-corrected",
    "n1-dim4-literal",  # fails only in another reading
    "abs-accuracy",
)
TABLE = printed_tables()["tab-echo-legendre"]


def spectrum() -> bytes:
    plt, drawn = import_pyplot(), BytesIO()
    with plt.rc_context(STYLE):
        figure = spectra(plt, [[certified_optimum(configuration("spiral", n)) for n in (1, 2)]])
        figure.savefig(drawn, format="svg")
        plt.close(figure)
    return drawn.getvalue()


@lru_cache(maxsize=1)
def content() -> Content:
    """Return six verdicts, one of them unexpected, three table cells, one certificate and one figure."""
    chosen = {c.id: c for c in claims(CLAIMS)}
    reach = {"eq-CD-identity": FOR_ALL}  # whether or not this machine compiled the theorems
    verdicts = [(chosen[v.claim], replace(v, extent=reach.get(v.claim, ""))) for v in verify(CLAIMS)]
    c, v = verdicts[1]
    wrong = Verdict(c.id, c.title, c.place, FAILS, c.expect, "2 > 1 <b>&</b>", c.scope, 0.1)
    row = [
        Cell(TABLE["id"], 2, "even", "0.514", arb("0.5141"), CONFIRMED),
        Cell(TABLE["id"], 2, "OKC^(3)", "0.360", arb("0.366022479"), REFUTED),
        Cell(TABLE["id"], 2, "N*", "4", 4, UNSETTLED, NO_GENERATOR),
    ]
    table = TABLE | {"columns": ["even", "OKC^(3)", "N*"]}
    return Content(
        [(c, wrong) if pair[1] is v else pair for pair in verdicts],
        [(table, [row])],
        [certified_optimum(configuration("spiral", 1))],
        [Figure("spectra-spiral", spectrum())],
        {
            "Table 5": "run `orca-exact data echocardiogram`",
            "Table 6": "run `orca-exact data echocardiogram`",
        },
        {"run `orca-exact data echocardiogram`": 335},
        {"orca-exact": "0.0"},
        same={(TABLE["id"], 2): ("0.99", None)},
    )
