(* Svm.slack_sum_unique falsified: the weights C_i forgotten. The proof of the theorem must fail here. *)
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
Local Notation slack := (Svm.slack H phi y).
Local Notation P := (Svm.P H phi y).
Local Notation primal_optimal := (Svm.primal_optimal H phi y).

Theorem falsified C w b w' b' : (forall i, 0 <= C i) ->
  primal_optimal C w b -> primal_optimal C w' b' ->
  \sum_i slack w b i = \sum_i slack w' b' i.
Proof.
move=> C0 opt opt'; have ww := w_unique C0 opt opt'.
have := opt w' b'; have := opt' w b; rewrite /P ww !ler_add2l => le le'.
by apply: le_anti; rewrite le le'.
Qed.

End Twin.
