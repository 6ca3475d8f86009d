(** Twin of Checker.ends_suffice: one end forgotten. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm Checker.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Checker_ends_suffice.

Definition right : Prop :=
  forall (F : realFieldType) (m : nat) (y C : 'I_m -> F),
  (forall i : 'I_m, y i = 1 \/ y i = -1) ->
  forall (lam : F) (R : 'I_m -> 'I_m -> F) (a : 'I_m -> F) (b1 b2 b : F),
  proved y C lam R a b1 ->
  proved y C lam R a b2 ->
  b1 <= b <= b2 ->
  proved y C lam R a b.

Definition wrong : Prop :=
  forall (F : realFieldType) (m : nat) (y C : 'I_m -> F),
  (forall i : 'I_m, y i = 1 \/ y i = -1) ->
  forall (lam : F) (R : 'I_m -> 'I_m -> F) (a : 'I_m -> F) (b1 b2 b : F),
  proved y C lam R a b1 ->
  proved y C lam R a b2 ->
  b1 <= b ->
  proved y C lam R a b.

Definition proved : right := @ends_suffice.
Fail Definition falsified : wrong := @ends_suffice.

End Checker_ends_suffice.
