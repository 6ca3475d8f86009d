(** Twin of Family.tensor_reproducing: a sum of kernels. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence Family.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Family_tensor_reproducing.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S),
  orthonormal p ->
  forall (d : nat) (T : tensor_space p d) (f : T) (x : 'I_d -> X),
  in_span (tensor_basis T) f ->
  ev x f = '[f, Ksection (tensor_basis T) x] /\
  (forall z : 'I_d -> X, ev z (Ksection (tensor_basis T) x) = \prod_i K p (x i) (z i)).

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S),
  orthonormal p ->
  forall (d : nat) (T : tensor_space p d) (f : T) (x : 'I_d -> X),
  in_span (tensor_basis T) f ->
  ev x f = '[f, Ksection (tensor_basis T) x] /\
  (forall z : 'I_d -> X, ev z (Ksection (tensor_basis T) x) = \sum_i K p (x i) (z i)).

Definition proved : right := @tensor_reproducing.
Fail Definition falsified : wrong := @tensor_reproducing.

End Family_tensor_reproducing.
