(** Twin of Checker.nonsingular_step: the sign of the elimination. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm Checker.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Checker_nonsingular_step.

Definition right : Prop :=
  forall (F : fieldType) (k : nat) (A : 'M[F]_k) (c : 'cV[F]_k) (r : 'rV[F]_k) (d : F),
  d != 0 ->
  A - c *m (d^-1 *: r) \in unitmx ->
  block_mx A c r d%:M \in unitmx.

Definition wrong : Prop :=
  forall (F : fieldType) (k : nat) (A : 'M[F]_k) (c : 'cV[F]_k) (r : 'rV[F]_k) (d : F),
  d != 0 ->
  A + c *m (d^-1 *: r) \in unitmx ->
  block_mx A c r d%:M \in unitmx.

Definition proved : right := @nonsingular_step.
Fail Definition falsified : wrong := @nonsingular_step.

End Checker_nonsingular_step.
