(** Twin of Family.reproducing: f(x)^2. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence Form Family Counterexamples.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Family_reproducing.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S),
  orthonormal p -> forall (f : S) (x : X), in_span p f -> ev x f = '<f, kernel_section p x>.

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S),
  orthonormal p -> forall (f : S) (x : X), in_span p f -> ev x f ^+ 2 = '<f, kernel_section p x>.

Definition proved : right := @reproducing.

Theorem refuted : ~ wrong.
Proof.
move=> /(_ _ _ point _ point_mode point_mode_on (point_mode ord0) tt
  (basis_in_span point_mode ord0)).
by rewrite -(reproducing point_mode_on tt (basis_in_span point_mode ord0)).
Qed.

End Family_reproducing.
