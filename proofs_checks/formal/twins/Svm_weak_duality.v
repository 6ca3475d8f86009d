(** Twin of Svm.weak_duality: the inequality turned round. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Svm_weak_duality.

Definition right : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C a : 'I_m -> R) (w : V) (b : R),
  feasible y C a ->
  D H phi y a <= P H phi y C w b.

Definition wrong : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C a : 'I_m -> R) (w : V) (b : R),
  feasible y C a ->
  P H phi y C w b <= D H phi y a.

Definition proved : right := @weak_duality.
Fail Definition falsified : wrong := @weak_duality.

End Svm_weak_duality.
