(* Svm.weak_duality falsified: the inequality turned round. The proof of the theorem must fail here. *)
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
Local Notation gap_distance := (Svm.gap_distance H phi).
Let half_ge0 (x : R) : (0 <= x / 2%:R) = (0 <= x). Proof. by rewrite pmulr_lge0 // invr_gt0 ltr0n. Qed.

Theorem falsified C a w b : feasible C a -> P C w b <= D a.
Proof.
move=> ok; rewrite -subr_ge0; apply: le_trans (gap_distance w b ok).
by rewrite half_ge0 dot_ge0.
Qed.

End Twin.
