(** Twin of Jacobi.integral_deriv: the sum of the values instead of their difference. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence Jacobi.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Jacobi_integral_deriv.

Definition right : Prop :=
  forall (R : realFieldType) (f : {poly R}), integral R f^`() = f.[1] - f.[-1].

Definition wrong : Prop :=
  forall (R : realFieldType) (f : {poly R}), integral R f^`() = f.[1] + f.[-1].

Definition proved : right := @integral_deriv.

(** f = t *)
Theorem refuted (R : rcfType) : ~ wrong.
Proof.
move=> /(_ R 'X); rewrite integral_deriv !hornerX opprK subrr => /eqP.
by rewrite -mulr2n pnatr_eq0.
Qed.

End Jacobi_integral_deriv.
