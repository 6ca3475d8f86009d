(* Checker.norm2_affine falsified: the factor 2 forgotten. The proof of the theorem must fail here. *)
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
Local Notation w := (Checker.w phi y lam a).
Local Notation score := (Checker.score y R a).
Local Notation R_sym := (Checker.R_sym lam_gt0 gram_ratio).
Local Notation norm2_ratio := (Checker.norm2_ratio y lam_gt0 gram_ratio a).
Let lam0 : lam != 0. Proof. by rewrite gt_eqF. Qed.

Theorem falsified (u v : 'I_m -> F) tau : (forall i, a i = u i + tau * v i) ->
  let p i := \sum_j R i j * (y j * u j) in let q i := \sum_j R i j * (y j * v j) in
  lam * << w, w >> = \sum_i y i * u i * p i + (\sum_i y i * u i * q i) * tau
                     + (\sum_i y i * v i * q i) * tau ^+ 2.
Proof.
move=> affine p q; rewrite norm2_ratio mulrC divfK //.
have sc i : score i = p i + tau * q i.
  by rewrite mulr_sumr -big_split; apply: eq_bigr => j _; rewrite affine /=; ring.
have sym : \sum_i y i * v i * p i = \sum_i y i * u i * q i.
  rewrite (eq_bigr (fun i => \sum_j y i * v i * (R i j * (y j * u j)))); last by move=> i _; rewrite mulr_sumr.
  rewrite exchange_big; apply: eq_bigr => j _; rewrite mulr_sumr; apply: eq_bigr => i _.
  by rewrite /= (R_sym i j); ring.
have -> : \sum_i y i * a i * score i = \sum_i y i * u i * p i + tau * (\sum_i y i * u i * q i)
    + tau * (\sum_i y i * v i * p i) + tau ^+ 2 * (\sum_i y i * v i * q i).
  by rewrite !mulr_sumr -!big_split; apply: eq_bigr => i _; rewrite sc affine /=; ring.
by rewrite sym; ring.
Qed.

End Twin.
