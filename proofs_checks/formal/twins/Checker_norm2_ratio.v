(* Checker.norm2_ratio falsified: 1/lambda forgotten. The proof of the theorem must fail here. *)
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
Local Notation score := (Checker.score y R a).
Local Notation stationarity := (Checker.stationarity y lam_gt0 gram_ratio a).
Let lam0 : lam != 0. Proof. by rewrite gt_eqF. Qed.

Theorem falsified : << w, w >> = (\sum_i y i * a i * score i).
Proof.
rewrite {2}/w dot_w_of mulr_suml; apply: eq_bigr => i _.
by rewrite stationarity /alpha; field.
Qed.

End Twin.
