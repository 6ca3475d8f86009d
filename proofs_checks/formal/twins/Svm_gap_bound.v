(* Svm.gap_bound falsified: a factor 2. The proof of the theorem must fail here. *)
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
Local Notation P := (Svm.P H phi y).
Local Notation w_of := (Svm.w_of phi y).
Local Notation D := (Svm.D H phi y).
Local Notation feasible := (Svm.feasible y).
Local Notation primal_optimal := (Svm.primal_optimal H phi y).

Theorem falsified C a b ws bs : (forall i, 0 <= C i) -> feasible C a -> primal_optimal C ws bs ->
  2%:R * << w_of a - ws, w_of a - ws >> <= P C (w_of a) b - D a.
Proof.
move=> C0 ok opt; apply: le_trans (gap_both (w_of a) b C0 ok opt).
by rewrite -splitr.
Qed.

End Twin.
