"""Progress of ``coqc`` on the command line."""

from __future__ import annotations

from typing import Any

from .terminal import Output


def compile_with_progress(certificate: Any, estimate: float, out: Output) -> Any:
    """Compile a certificate in Rocq and return what was proved, showing the CPU time meanwhile."""
    from ..rocq.proof import prove_in_rocq

    def tick(used: float) -> None:
        rest = (
            f"of about {estimate:.0f} s"
            if used < estimate
            else f"s, more than the {estimate:.0f} s estimated"
        )
        out.progress(f"coqc checks the proof: {used:.0f} {rest} of CPU time ...")

    try:
        return prove_in_rocq(certificate, tick)
    finally:
        out.progress("")
