(** Twin of Family.projection_orthogonal: a sign. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence Form Family Counterexamples.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Family_projection_orthogonal.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S),
  orthonormal p -> forall f g : S, in_span p g -> '<f - projection p f, g> = 0.

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S),
  orthonormal p -> forall f g : S, in_span p g -> '<f + projection p f, g> = 0.

Definition proved : right := @projection_orthogonal.

Theorem refuted : ~ wrong.
Proof.
move=> /(_ _ _ point _ point_mode point_mode_on (point_mode ord0) (point_mode ord0)
  (basis_in_span point_mode ord0)).
by rewrite (projection_id point_mode_on (basis_in_span point_mode ord0)).
Qed.

End Family_projection_orthogonal.
