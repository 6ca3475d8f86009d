(** Twin of Recurrence.op_existence: L positive semidefinite only. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Compat Recurrence.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Recurrence_op_existence.

Definition right : Prop :=
  forall (R : rcfType) (L : {scalar {poly R}}),
  positive_definite L ->
  exists p : nat -> {poly R},
    orthonormal_polynomials L p /\
    (forall q : nat -> {poly R}, orthonormal_polynomials L q -> q =1 p).

Definition wrong : Prop :=
  forall (R : rcfType) (L : {scalar {poly R}}),
  (forall f, 0 <= L (f * f)) ->
  exists p : nat -> {poly R},
    orthonormal_polynomials L p /\
    (forall q : nat -> {poly R}, orthonormal_polynomials L q -> q =1 p).

Definition proved : right := @op_existence.

(** L = 0 has no orthonormal polynomials. *)
Theorem refuted (R : rcfType) : ~ wrong.
Proof.
have L0 : scalar (fun _ : {poly R} => 0 : R) by move=> c f g; rewrite mulr0 addr0.
case/(_ R (functional L0) (fun f => lexx 0)) => p [[_ /(_ 0%N 0%N) /= + _] _].
by move/eqP; rewrite eq_sym oner_eq0.
Qed.

End Recurrence_op_existence.
