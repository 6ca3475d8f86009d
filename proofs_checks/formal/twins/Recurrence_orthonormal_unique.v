(** Twin of Recurrence.orthonormal_unique: without the sign. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Recurrence_orthonormal_unique.

Definition right : Prop :=
  forall (F : fieldType) (L : {scalar {poly F}}) (p q : nat -> {poly F}),
  graded p ->
  graded q ->
  orthonormal_for L p -> orthonormal_for L q -> forall k : nat, q k = p k \/ q k = - p k.

Definition wrong : Prop :=
  forall (F : fieldType) (L : {scalar {poly F}}) (p q : nat -> {poly F}),
  graded p ->
  graded q ->
  orthonormal_for L p -> orthonormal_for L q -> forall k : nat, q k = p k.

Definition proved : right := @orthonormal_unique.
Fail Definition falsified : wrong := @orthonormal_unique.

End Recurrence_orthonormal_unique.
