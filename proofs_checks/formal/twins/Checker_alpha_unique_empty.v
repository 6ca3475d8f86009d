(* Checker.alpha_unique_empty falsified: some tight points. The proof of the theorem must fail here. *)
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
Local Notation proved := (Checker.proved y C lam R a).
Local Notation exact_kkt := (Checker.exact_kkt lam_gt0 gram_ratio).
Local Notation tight_set := (Checker.tight_set y R a).
Local Notation loose := (Checker.loose C_gt0 lam_gt0 gram_ratio).
Local Notation dual_optimal := (dual_optimal H phi y C).

Theorem falsified b1 b2 : proved b1 -> proved b2 -> tight_set b1 b2 != setT ->
  forall a', dual_optimal a' -> a' =1 alpha.
Proof.
move=> pr1 pr2 none.
apply: (alpha_unique_trivial y_sign (exact_kkt pr1) (T := set0)) => [i _|s out _ _ i].
  by apply: (loose pr1 pr2); rewrite none inE.
by apply: out; rewrite inE.
Qed.

End Twin.
