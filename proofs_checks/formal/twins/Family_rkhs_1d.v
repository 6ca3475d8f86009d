(** Twin of Family.rkhs_1d: without p_k(x). *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence Family.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Family_rkhs_1d.

Definition right : Prop :=
  forall (R : realFieldType) (L : {scalar {poly R}}) (p : nat -> {poly R}) (n : nat),
  graded p ->
  orthonormal_for L p ->
  forall (f : {poly R}) (x : R),
  (size f <= n.+1)%N -> f.[x] = L (f * (\sum_(k < n.+1) (p k).[x] *: p k)).

Definition wrong : Prop :=
  forall (R : realFieldType) (L : {scalar {poly R}}) (p : nat -> {poly R}) (n : nat),
  graded p ->
  orthonormal_for L p ->
  forall (f : {poly R}) (x : R),
  (size f <= n.+1)%N -> f.[x] = L (f * (\sum_(k < n.+1) p k)).

Definition proved : right := @rkhs_1d.
Fail Definition falsified : wrong := @rkhs_1d.

End Family_rkhs_1d.
