(* Checker.whole_b_free falsified: a bound point does not give b. The proof of the theorem must fail here. *)
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
Local Notation bound := (Checker.bound C lam a).
Local Notation proved := (Checker.proved y C lam R a).
Local Notation alpha_lt := (Checker.alpha_lt C lam_gt0 a).
Local Notation alpha_gt0 := (Checker.alpha_gt0 lam_gt0 a).
Local Notation exact_kkt := (Checker.exact_kkt lam_gt0 gram_ratio).
Local Notation level_exact := (Checker.level_exact C_gt0 lam_gt0 gram_ratio).
Local Notation primal_optimal := (primal_optimal H phi y C).

Theorem falsified b b' i : proved b -> bound i -> primal_optimal w b' -> b' = b.
Proof.
move=> pr fr opt'; have k := exact_kkt pr.
have fr' : 0 < alpha i < C i by rewrite alpha_gt0 alpha_lt.
have [opt _ _ _] := level_exact pr.
by rewrite (b_free y_sign k fr' opt') (b_free y_sign k fr' opt).
Qed.

End Twin.
