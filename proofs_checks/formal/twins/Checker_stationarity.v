(* Checker.stationarity falsified: a factor lambda. The proof of the theorem must fail here. *)
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
Local Notation R_sym := (Checker.R_sym lam_gt0 gram_ratio).
Let lam0 : lam != 0. Proof. by rewrite gt_eqF. Qed.

Theorem falsified i : << w, phi i >> = lam * score i.
Proof.
rewrite -[LHS]addr0 /w decision_kernel addr0; apply: eq_bigr => j _.
by rewrite gram_ratio R_sym /alpha; field.
Qed.

End Twin.
