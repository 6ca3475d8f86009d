(* Svm.cauchy_schwarz falsified: a factor 2. The proof of the theorem must fail here. *)
Set Warnings "-notation-overridden,-ambiguous-paths".
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From Orca Require Import Svm.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Twin.

Variables (R : realFieldType) (V : lmodType R) (H : inner_product V).
Local Notation "<< u , v >>" := (dot H u v) (format "<< u ,  v >>").

Theorem falsified u v : 2%:R * << u, v >> ^+ 2 <= << u, u >> * << v, v >>.
Proof.
have [->|v0] := eqVneq v 0; first by rewrite !dot0r expr0n mulr0.
have pos := dot_gt0 H v0.
have : 0 <= << << v, v >> *: u - << u, v >> *: v, << v, v >> *: u - << u, v >> *: v >> by apply: dot_ge0.
rewrite dot_sub !(dotZl, dotZr).
have -> : << v, v >> * (<< v, v >> * << u, u >>) - 2%:R * (<< v, v >> * (<< u, v >> * << u, v >>))
   + << u, v >> * (<< u, v >> * << v, v >>) = << v, v >> * (<< u, u >> * << v, v >> - << u, v >> ^+ 2) by ring.
by rewrite pmulr_rge0 // subr_ge0.
Qed.

End Twin.
