(* Svm.symmetric_w falsified: the sign forgotten. The proof of the theorem must fail here. *)
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
Variables (m : nat) (phi : 'I_m -> V) (y : 'I_m -> R).
Local Notation "<< u , v >>" := (dot H u v) (format "<< u ,  v >>").
Implicit Types (C a xi : 'I_m -> R) (w : V) (b : R).
Hypothesis y_sign : forall i, y i = 1 \/ y i = -1.
Local Notation margin := (Svm.margin H phi y).
Local Notation P := (Svm.P H phi y).
Local Notation primal_optimal := (Svm.primal_optimal H phi y).

Theorem falsified C w b (T : V -> V) (sigma : 'I_m -> 'I_m) (s : R) : (forall i, 0 <= C i) ->
  (forall u v, << T u, T v >> = << u, v >>) -> s * s = 1 -> injective sigma ->
  (forall i, [/\ T (phi i) = phi (sigma i), y (sigma i) = s * y i & C (sigma i) = C i]) ->
  primal_optimal C w b -> T w = w.
Proof.
move=> C0 iso ss inj sym opt; suff same : P C (s *: T w) (s * b) = P C w b.
  have opt' : primal_optimal C (s *: T w) (s * b) by move=> w' b'; rewrite same.
  exact: w_unique C0 opt opt'.
rewrite /P dotZl dotZr iso mulrA ss mul1r; congr (_ + _); rewrite (reindex_inj inj).
apply: eq_bigr => i _; have [Ti yi Ci] := sym i; congr (_ * _) => //; congr Num.max; congr (1 - _).
by rewrite /margin yi -Ti dotZl iso -mulrDr mulrACA ss mul1r.
Qed.

End Twin.
