(** Twin of Recurrence.paper_eq_14: a sign. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Recurrence_paper_eq_14.

Definition right : Prop :=
  forall (R : rcfType) (L : {scalar {poly R}}) (p : nat -> {poly R}) (n : nat) (x : R),
  positive_definite L ->
  orthonormal_polynomials L p ->
  \sum_(k < n.+1) (p k).[x] ^+ 2 =
  lead_coef (p n) / lead_coef (p n.+1) *
  (((p n.+1)^`()).[x] * (p n).[x] - ((p n)^`()).[x] * (p n.+1).[x]).

Definition wrong : Prop :=
  forall (R : rcfType) (L : {scalar {poly R}}) (p : nat -> {poly R}) (n : nat) (x : R),
  positive_definite L ->
  orthonormal_polynomials L p ->
  \sum_(k < n.+1) (p k).[x] ^+ 2 =
  lead_coef (p n) / lead_coef (p n.+1) *
  (((p n.+1)^`()).[x] * (p n).[x] + ((p n)^`()).[x] * (p n.+1).[x]).

Definition proved : right := @paper_eq_14.
Fail Definition falsified : wrong := @paper_eq_14.

End Recurrence_paper_eq_14.
