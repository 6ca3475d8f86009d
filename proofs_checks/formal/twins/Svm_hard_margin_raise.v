(* Svm.hard_margin_raise falsified: the inequality turned round. The proof of the theorem must fail here. *)
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
Local Notation P := (Svm.P H phi y).
Local Notation primal_optimal := (Svm.primal_optimal H phi y).
Local Notation slack_eq0 := (Svm.slack_eq0 H phi y).
Local Notation P_le := (Svm.P_le H phi y).

Theorem falsified C C' w b : (forall i, C i <= C' i) -> primal_optimal C w b ->
  (forall i, margin w b i <= 1) -> primal_optimal C' w b /\ P C' w b = P C w b.
Proof.
move=> le opt hard.
have same : P C' w b = P C w b.
  by congr (_ + _); apply: eq_bigr => i _; have /eqP -> : slack w b i == 0; rewrite ?mulr0 // slack_eq0.
by split=> // w' b'; rewrite same; apply: le_trans (opt w' b') (P_le _ _ le).
Qed.

End Twin.
