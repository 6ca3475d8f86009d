(* Checker.balanced_affine falsified: v not balanced. The proof of the theorem must fail here. *)
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


Theorem falsified (u v : 'I_m -> F) tau : (forall i, a i = u i + tau * v i) ->
  \sum_i y i * u i = 0 -> \sum_i y i * v i = 1 -> \sum_i y i * a i = 0.
Proof.
move=> affine bu bv; rewrite (eq_bigr (fun i => y i * u i + tau * (y i * v i))).
  by rewrite big_split -mulr_sumr /= bu bv mulr0 addr0.
by move=> i _; rewrite affine; ring.
Qed.

End Twin.
