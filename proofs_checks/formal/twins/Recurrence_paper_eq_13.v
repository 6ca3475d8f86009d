(** Twin of Recurrence.paper_eq_13: kappa_{n+1}/kappa_n for kappa_n/kappa_{n+1}. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Recurrence_paper_eq_13.

Definition right : Prop :=
  forall (R : rcfType) (L : {scalar {poly R}}) (p : nat -> {poly R}) (n : nat) (x z : R),
  positive_definite L ->
  orthonormal_polynomials L p ->
  x != z ->
  \sum_(k < n.+1) (p k).[x] * (p k).[z] =
  lead_coef (p n) / lead_coef (p n.+1) *
  (((p n.+1).[x] * (p n).[z] - (p n).[x] * (p n.+1).[z]) / (x - z)).

Definition wrong : Prop :=
  forall (R : rcfType) (L : {scalar {poly R}}) (p : nat -> {poly R}) (n : nat) (x z : R),
  positive_definite L ->
  orthonormal_polynomials L p ->
  x != z ->
  \sum_(k < n.+1) (p k).[x] * (p k).[z] =
  lead_coef (p n.+1) / lead_coef (p n) *
  (((p n.+1).[x] * (p n).[z] - (p n).[x] * (p n.+1).[z]) / (x - z)).

Definition proved : right := @paper_eq_13.
Fail Definition falsified : wrong := @paper_eq_13.

End Recurrence_paper_eq_13.
