(** Twin of Family.feature_map: a factor. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence Form Family Counterexamples.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Family_feature_map.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S),
  orthonormal p -> forall x z : X, kernel_of p x z = '<kernel_section p x, kernel_section p z>.

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S),
  orthonormal p -> forall x z : X, 2%:R * kernel_of p x z =
    '<kernel_section p x, kernel_section p z>.

Definition proved : right := @feature_map.

Theorem refuted : ~ wrong.
Proof. by move=> /(_ _ _ point _ point_mode point_mode_on tt tt);
rewrite -(feature_map point_mode_on) kernel_of_point. Qed.

End Family_feature_map.
