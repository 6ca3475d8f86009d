(** Twin of Recurrence.orthonormal_op: b_k may be 0. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Recurrence_orthonormal_op.

Definition right : Prop :=
  forall (R : rcfType) (a b : nat -> R) (h0 : R),
  0 < h0 ->
  (forall k : nat, 0 < b k.+1) ->
  forall L : {scalar {poly R}},
  (forall k : nat, L (op a b k) = (k == 0%N)%:R * h0) ->
  orthonormal_polynomials L (onp a b h0).

Definition wrong : Prop :=
  forall (R : rcfType) (a b : nat -> R) (h0 : R),
  0 < h0 ->
  (forall k : nat, 0 <= b k.+1) ->
  forall L : {scalar {poly R}},
  (forall k : nat, L (op a b k) = (k == 0%N)%:R * h0) ->
  orthonormal_polynomials L (onp a b h0).

Definition proved : right := @orthonormal_op.
Fail Definition falsified : wrong := @orthonormal_op.

End Recurrence_orthonormal_op.
