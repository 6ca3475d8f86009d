(** Twin of Family.projection_integral: a sign. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence Form Family Counterexamples.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Family_projection_integral.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType)
    (p : M -> S) (f : S) (x : X), ev x (projection p f) = '<f, kernel_section p x>.

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType)
    (p : M -> S) (f : S) (x : X), ev x (projection p f) = - '<f, kernel_section p x>.

Definition proved : right := @projection_integral.

Theorem refuted : ~ wrong.
Proof.
move=> /(_ _ _ point _ point_mode (point_mode ord0) tt); rewrite -projection_integral.
by rewrite (projection_id point_mode_on (basis_in_span point_mode ord0)).
Qed.

End Family_projection_integral.
