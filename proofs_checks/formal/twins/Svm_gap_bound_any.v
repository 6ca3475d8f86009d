(* Svm.gap_bound_any falsified: the factor 2 forgotten. The proof of the theorem must fail here. *)
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
Local Notation D := (Svm.D H phi y).
Local Notation feasible := (Svm.feasible y).
Local Notation primal_optimal := (Svm.primal_optimal H phi y).
Let half_ge0 (x : R) : (0 <= x / 2%:R) = (0 <= x). Proof. by rewrite pmulr_lge0 // invr_gt0 ltr0n. Qed.

Theorem falsified C a w b ws bs : (forall i, 0 <= C i) -> feasible C a -> primal_optimal C ws bs ->
  << w - ws, w - ws >> <= P C w b - D a.
Proof.
move=> C0 ok opt; have := gap_both w b C0 ok opt; move/(le_trans _) => le.
rewrite -ler_pdivr_mull ?ltr0n // mulrC; apply: le; by rewrite ler_addl half_ge0 dot_ge0.
Qed.

End Twin.
