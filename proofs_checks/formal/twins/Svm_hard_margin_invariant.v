(* Svm.hard_margin_invariant falsified: a point of weight 0 may have slack. The proof of the theorem must fail here. *)
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
Local Notation margin := (Svm.margin H phi y).
Local Notation slack := (Svm.slack H phi y).
Local Notation primal_optimal := (Svm.primal_optimal H phi y).
Local Notation slack_ge0 := (Svm.slack_ge0 H phi y).
Local Notation slack_eq0 := (Svm.slack_eq0 H phi y).

Theorem falsified C w b w' b' : (forall i, 0 <= C i) ->
  primal_optimal C w b -> primal_optimal C w' b' ->
  (forall i, 1 <= margin w b i) -> forall i, 1 <= margin w' b' i.
Proof.
move=> C0 opt opt' hard i; have C0' j := ltW (C0 j).
have := slack_sum_unique C0' opt opt'; rewrite big1 => [/esym/eqP|j _]; last first.
  by have /eqP -> : slack w b j == 0; rewrite ?mulr0 // slack_eq0.
rewrite psumr_eq0 => [/allP z|j _]; last by rewrite mulr_ge0 ?slack_ge0.
by have := z i (mem_index_enum i); rewrite /= mulf_eq0 gt_eqF //= slack_eq0.
Qed.

End Twin.
