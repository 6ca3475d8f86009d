(** Twin of Recurrence.orthonormal_unique_pos: one family may have negative leading coefficients. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Recurrence_orthonormal_unique_pos.

Definition right : Prop :=
  forall (R : realFieldType) (L : {scalar {poly R}}) (p q : nat -> {poly R}),
  graded p ->
  graded q ->
  orthonormal_for L p ->
  orthonormal_for L q ->
  (forall k : nat, 0 < lead_coef (p k)) -> (forall k : nat, 0 < lead_coef (q k)) -> q =1 p.

Definition wrong : Prop :=
  forall (R : realFieldType) (L : {scalar {poly R}}) (p q : nat -> {poly R}),
  graded p ->
  graded q ->
  orthonormal_for L p ->
  orthonormal_for L q ->
  (forall k : nat, 0 < lead_coef (p k)) -> q =1 p.

Definition proved : right := @orthonormal_unique_pos.
Fail Definition falsified : wrong := @orthonormal_unique_pos.

End Recurrence_orthonormal_unique_pos.
