(** Twin of Family.tensor_span: any factors. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence Family.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Family_tensor_span.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S),
  orthonormal p ->
  forall (d : nat) (T : tensor_space p d) (f : 'I_d -> S),
  (forall g : T, (forall x : 'I_d -> X, ev x g = 0) -> g = 0) ->
  (forall i : 'I_d, in_span p (f i)) -> in_span (tensor_basis T) (tensor T f).

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S),
  orthonormal p ->
  forall (d : nat) (T : tensor_space p d) (f : 'I_d -> S),
  (forall g : T, (forall x : 'I_d -> X, ev x g = 0) -> g = 0) ->
  in_span (tensor_basis T) (tensor T f).

Definition proved : right := @tensor_span.
Fail Definition falsified : wrong := @tensor_span.

End Family_tensor_span.
