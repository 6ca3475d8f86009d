"""The independent certificate checker: ``python -m orca_exact.checker CERT.json``, or CERT.json.gz.

It shares no code with the library that writes certificates, and relies only on Python's integers and
fractions and on mpmath's intervals. A copy of this folder works alone: ``python -m checker CERT.json``.

P(w, b) = |w|^2 / 2 + sum_i C_i xi_i, xi_i = max(0, 1 - y_i g(x_i)), g(x) = <w, Phi(x)> + b, is to be
minimised, and D(alpha) = sum_i alpha_i - |w|^2 / 2, w = sum_i alpha_i y_i Phi(x_i), maximised over
0 <= alpha_i <= C_i with sum_i y_i alpha_i = 0. K = lambda R with lambda = prod 1/h_0 over the coordinates,
h_0 the mass of a measure, or 1 if the kernel has no measures; R is rational except for RBF kernels. With
C = max C_i, C_i = C omega_i, a = lambda alpha and tau = lambda C, the dual variables are
a_i = u_i + tau v_i in [0, omega_i tau], and g(x) = sum_j a_j y_j R(x_j, x) + b with b = b_u + tau b_v; the
certificate contains u, v, b_u and b_v. A path contains them for adjacent intervals of
tau.

Read the modules in this order, from the proof to its foundations:

1. ``conditions``: one function for each condition, with the theorems ("Rocq", in ``orca_exact/rocq``)
   that prove it sufficient; ``check_certificate`` calls them in order.
2. ``kernels``: lambda and the Gram matrix, computed from the problem alone by explicit sums, or from the
   moments of a discrete measure, without a recurrence; a limited order by a formula of its own.
3. ``other_kernels``: linear and polynomial kernels, and RBF kernels with an error that ``conditions`` adds.
4. ``reading``: every number of the file is read exactly or refused.
5. ``paths``: the same conditions for every C of an interval.
6. ``limits``: files that are refused because of their size.
7. ``program``: ``check`` and the command line.
"""

from .limits import SIZE, Rejected
from .program import check, main
from .reading import PATH, SCHEMA, SCHEMA_2, digest

__all__ = ["PATH", "SCHEMA", "SCHEMA_2", "SIZE", "Rejected", "check", "digest", "main"]
