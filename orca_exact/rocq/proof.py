"""Check certificates with ``coqc`` and say what was proved."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from ..errors import Rejected, SolverFailed, Undecided, pluralize
from ..files.formats import JsonObject
from ..numbers.rationals import format_interval, format_rational
from .certificate import DATA, RocqCertificate, theory_digest
from .claims import IndexClaim
from .compiler import CLOSED, GET, compile_text, compiler, one_line


@dataclass(frozen=True)
class Proved:
    """A certificate that coqc accepted, with the digests of file and theory, version and CPU time."""

    certificate: RocqCertificate
    sha256: str
    theory: str
    coqc: str
    seconds: float
    assumptions: str = CLOSED

    def to_json(self) -> JsonObject:
        """Return the facts as JSON data."""
        return {
            "level": self.certificate.level,
            "file": self.sha256,
            "theory": self.theory,
            "coqc": self.coqc,
            "seconds": round(self.seconds, 1),
            "assumptions": self.assumptions,
            **statement_json(self.certificate),
        }


def statement_json(certificate: RocqCertificate) -> JsonObject:
    """Return the hypotheses about lambda and the claims of the theorem as JSON data."""
    ends = dict(zip(("lower", "upper"), map(str, certificate.lambda_ends), strict=True))
    return {
        "assumed": {} if certificate.weights else {"lambda": ends},
        "claims": [claim.to_json() for claim in certificate.claims],
    }


def prove_in_rocq(
    certificate: RocqCertificate, tick: Callable[[float], object] = lambda used: None
) -> Proved:
    """Compile the file of a certificate and return what was proved.

    ``tick`` is called with the CPU time so far, twice a second.

    Raises
    ------
    Rejected
        If coqc refutes the certificate, or its proof uses axioms.
    SolverFailed
        If coqc is not installed, or stops before it reaches the data or without naming a line; the theory is
        ours, so that the installation is the cause and not the certificate.
    Undecided
        If coqc reached a limit or was stopped.
    """
    if not (version := compiler()):
        raise SolverFailed(f"coqc was not found; {GET}")
    text = certificate.to_rocq()
    found = compile_text(text, tick)
    if found.limit:
        raise Undecided(f"{found.error}; the certificate is neither proved nor refuted.")
    if found.error and found.line <= text[: text.rindex(DATA)].count("\n"):
        hint = f"the certificate is neither proved nor refuted; {GET}, or make room on the disk"
        raise SolverFailed(f"coqc {version} does not work: {found.error}; {hint}")
    if found.error:
        raise Rejected("proof", f"coqc does not prove the certificate: {found.error}")
    if found.printed.strip() != CLOSED:
        raise Rejected("proof", f"coqc does not print {CLOSED!r}: {one_line(found.printed)[:400]!r}")
    return Proved(certificate, text_digest(text), theory_digest(), version, found.seconds)


def text_digest(text: str) -> str:
    """Return the SHA-256 of the bytes of a text, as sha256sum computes it."""
    return hashlib.sha256(text.encode()).hexdigest()


def describe_claims(certificate: RocqCertificate) -> list[str]:
    """Return what the theorem of a certificate states, as lines for a person."""
    problem = certificate.problem
    lines = [
        f"the SVM: {pluralize(problem.m, 'point')}, {problem.kernel_description}, d = {problem.d}, "
        f"C = {format_rational(problem.C)}{', weighted' * problem.is_weighted}",
        _masses(certificate),
    ]
    if not certificate.fixed:
        lines.append("the given (w, b) is optimal, and every optimal (w', b') has w' = w")
    shown = [claim for claim in certificate.claims if not _is_degree(claim)]
    lines += [str(claim) for claim in shown]
    if hidden := len(certificate.claims) - len(shown):
        lines.append(f"and {hidden} indices OKC_N (in the file)")
    return lines


def _masses(certificate: RocqCertificate) -> str:
    """Say what the theorem proves or assumes about the masses h_0."""
    if certificate.weights:
        return (
            "the polynomials of each column are orthonormal for its weight; nothing is assumed about lambda"
        )
    low, high = certificate.lambda_ends
    lam = format_rational(low) if low == high else format_interval(low, high)
    return f"assumed: lambda = {lam}" + " (rounded outwards)" * (low != high)


def _is_degree(claim: object) -> bool:
    return isinstance(claim, IndexClaim) and claim.family == "degree"
