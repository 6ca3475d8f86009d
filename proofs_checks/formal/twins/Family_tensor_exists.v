(** Twin of Family.tensor_exists: any functions. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence Family.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Family_tensor_exists.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S),
  orthonormal p ->
  forall d : nat,
  exists T : tensor_space p d,
    independent p -> forall g : T, (forall x : 'I_d -> X, ev x g = 0) -> g = 0.

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S),
  orthonormal p ->
  forall d : nat,
  exists T : tensor_space p d,
    forall g : T, (forall x : 'I_d -> X, ev x g = 0) -> g = 0.

Definition proved : right := @tensor_exists.
Fail Definition falsified : wrong := @tensor_exists.

End Family_tensor_exists.
