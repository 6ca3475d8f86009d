(** Twin of Svm.representer: alpha without y: nonnegative coefficients. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Svm_representer.

Definition right : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> R) (w : V) (b : R),
  primal_optimal H phi y C w b ->
  exists c : 'I_m ->
  R, w = \sum_i c i *: phi i.

Definition wrong : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> R) (w : V) (b : R),
  primal_optimal H phi y C w b ->
  exists c : 'I_m ->
  R, (forall i : 'I_m, 0 <= c i) /\ w = \sum_i c i *: phi i.

Definition proved : right := @representer.
Fail Definition falsified : wrong := @representer.

End Svm_representer.
