(** Twin of Checker.dual_feasible: a for alpha. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm Checker.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Checker_dual_feasible.

Definition right : Prop :=
  forall (F : realFieldType) (m : nat) (y C : 'I_m -> F) (lam : F),
  0 < lam ->
  forall a : 'I_m -> F,
  dual_feasibility y C lam a ->
  feasible y C (alpha lam a).

Definition wrong : Prop :=
  forall (F : realFieldType) (m : nat) (y C : 'I_m -> F) (lam : F),
  0 < lam ->
  forall a : 'I_m -> F,
  dual_feasibility y C lam a ->
  feasible y C a.

Definition proved : right := @dual_feasible.
Fail Definition falsified : wrong := @dual_feasible.

End Checker_dual_feasible.
