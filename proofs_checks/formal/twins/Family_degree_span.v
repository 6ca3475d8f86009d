(** Twin of Family.degree_span: degree < n. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence Family.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Family_degree_span.

Definition right : Prop :=
  forall (R : realFieldType) (L : {scalar {poly R}}) (p : nat -> {poly R}) (n : nat),
  graded p -> forall f : {poly R}, in_span (basis L p (n:=n)) f <-> (size f <= n.+1)%N.

Definition wrong : Prop :=
  forall (R : realFieldType) (L : {scalar {poly R}}) (p : nat -> {poly R}) (n : nat),
  graded p -> forall f : {poly R}, in_span (basis L p (n:=n)) f <-> (size f <= n)%N.

Definition proved : right := @degree_span.
Fail Definition falsified : wrong := @degree_span.

End Family_degree_span.
