(** Twin of Family.polynomials_independent: any polynomials. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Compat Recurrence Form Family.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Family_polynomials_independent.

Definition right : Prop :=
  forall (R : realFieldType) (L : {scalar {poly R}}) (p : nat -> {poly R}) (n : nat),
  orthonormal_for L p -> independent (basis L p (n:=n)).

Definition wrong : Prop :=
  forall (R : realFieldType) (L : {scalar {poly R}}) (p : nat -> {poly R}) (n : nat),
  independent (basis L p (n:=n)).

Definition proved : right := @polynomials_independent.

Theorem refuted : ~ wrong.
Proof.
have L0 : scalar (fun _ : {poly rat} => 0 : rat) by move=> c f g; rewrite mulr0 addr0.
move=> /(_ _ (functional L0) (fun=> 0) 0%N (fun=> 1)) H.
have /(_ ord0)// : (fun _ : 'I_1 => 1 : rat) =1 (fun=> 0).
by apply: H => x; rewrite big_ord1 /= horner0 mulr0.
Qed.

End Family_polynomials_independent.
