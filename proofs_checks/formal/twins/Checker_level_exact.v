(* Checker.level_exact falsified: b is not unique. The proof of the theorem must fail here. *)
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
Local Notation proved := (Checker.proved y C lam R a).
Local Notation exact_kkt := (Checker.exact_kkt lam_gt0 gram_ratio).
Local Notation primal_optimal := (primal_optimal H phi y C).
Local Notation dual_optimal := (dual_optimal H phi y C).
Local Notation P := (P H phi y C).
Local Notation D := (D H phi y).
Let C_ge0 i : 0 <= C i. Proof. exact: ltW. Qed.

Theorem falsified b : proved b ->
  [/\ primal_optimal w b, dual_optimal alpha, P w b = D alpha & forall w' b', primal_optimal w' b' -> w' = w /\ b' = b].
Proof.
move=> /exact_kkt/kkt_optimal[gap0 opt dopt]; split=> // w' b'; exact: w_unique C_ge0 opt.
Qed.

End Twin.
