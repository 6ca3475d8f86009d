(** Twin of Checker.balanced_affine: v not balanced. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm Checker.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Checker_balanced_affine.

Definition right : Prop :=
  forall (F : realFieldType) (m : nat) (y a u v : 'I_m -> F) (tau : F),
  (forall i : 'I_m, a i = u i + tau * v i) ->
  \sum_i y i * u i = 0 ->
  \sum_i y i * v i = 0 ->
  \sum_i y i * a i = 0.

Definition wrong : Prop :=
  forall (F : realFieldType) (m : nat) (y a u v : 'I_m -> F) (tau : F),
  (forall i : 'I_m, a i = u i + tau * v i) ->
  \sum_i y i * u i = 0 ->
  \sum_i y i * v i = 1 ->
  \sum_i y i * a i = 0.

Definition proved : right := @balanced_affine.
Fail Definition falsified : wrong := @balanced_affine.

End Checker_balanced_affine.
