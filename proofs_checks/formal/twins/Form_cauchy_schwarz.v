(** Twin of Form.cauchy_schwarz: a factor 2. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Form Svm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Form_cauchy_schwarz.

Definition right : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (u v : V),
  dot H u v ^+ 2 <= dot H u u * dot H v v.

Definition wrong : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (u v : V),
  2 * dot H u v ^+ 2 <= dot H u u * dot H v v.

Definition proved : right := @cauchy_schwarz.

(** u = v = 1: 2 is not at most 1. *)
Theorem refuted : ~ wrong.
Proof.
by move=> /(_ _ _ (line [the realFieldType of rat : Type]) 1 1).
Qed.

End Form_cauchy_schwarz.
