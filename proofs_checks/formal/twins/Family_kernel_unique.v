(** Twin of Family.kernel_unique: a kernel that reproduces nothing. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence Form Family Counterexamples.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Family_kernel_unique.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S),
  orthonormal p ->
  forall k' : X -> S,
  (forall x : X, in_span p (k' x)) ->
  (forall (f : S) (x : X), in_span p f -> ev x f = '<f, k' x>) ->
  forall x : X, k' x = kernel_section p x.

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S),
  orthonormal p ->
  forall k' : X -> S,
  (forall x : X, in_span p (k' x)) ->
  forall x : X, k' x = kernel_section p x.

Definition proved : right := @kernel_unique.

Theorem refuted : ~ wrong.
Proof.
move=> /(_ _ _ point _ point_mode point_mode_on (fun=> point_mode ord0)
  (fun=> basis_in_span point_mode ord0) tt).
by rewrite /kernel_section big_ord1.
Qed.

End Family_kernel_unique.
