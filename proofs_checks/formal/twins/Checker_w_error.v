(* Checker.w_error falsified: the square forgotten. The proof of the theorem must fail here. *)
Set Warnings "-notation-overridden,-ambiguous-paths".
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From Orca Require Import Svm Checker.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Twin.

Variables (F : realFieldType) (V : lmodType F) (H : inner_product V).
Variables (m : nat) (phi : 'I_m -> V) (y : 'I_m -> F) (C : 'I_m -> F).
Hypothesis y_sign : forall i, y i = 1 \/ y i = -1.
Hypothesis C_gt0 : forall i, 0 < C i.
Variables (lam : F) (R : 'I_m -> 'I_m -> F).
Hypothesis lam_gt0 : 0 < lam.
Hypothesis gram_ratio : forall i j, K H phi i j = lam * R i j.
Variable a : 'I_m -> F.
Local Notation "<< u , v >>" := (dot H u v) (format "<< u ,  v >>").
Local Notation alpha := (Checker.alpha lam a).
Local Notation w := (Checker.w phi y lam a).
Local Notation dual_feasibility := (Checker.dual_feasibility y C lam a).
Local Notation dual_feasible := (Checker.dual_feasible lam_gt0).
Local Notation primal_optimal := (primal_optimal H phi y C).
Local Notation P := (P H phi y C).
Local Notation D := (D H phi y).
Let C_ge0 i : 0 <= C i. Proof. exact: ltW. Qed.

Theorem falsified b gap err ws bs : dual_feasibility -> P w b - D alpha <= gap -> gap <= err ->
  primal_optimal ws bs -> << w - ws, w - ws >> <= err ^+ 2.
Proof.
move=> /dual_feasible ok le1 le2 opt.
exact: le_trans (gap_bound b C_ge0 ok opt) (le_trans le1 le2).
Qed.

End Twin.
