(** Twin of Family.projection_id: for every f. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence Form Family Counterexamples.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Family_projection_id.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S),
  orthonormal p -> forall f : S, in_span p f -> projection p f = f.

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S),
  orthonormal p -> forall f : S, projection p f = f.

Definition proved : right := @projection_id.

Definition none (v : void) : point := match v with end.
Lemma none_on : orthonormal none. Proof. by case. Qed.

(** The empty family: the projection is 0. *)
Theorem refuted : ~ wrong.
Proof.
move=> /(_ _ _ point _ none none_on (point_mode ord0)).
by rewrite /projection big_pred0 => [|[]].
Qed.

End Family_projection_id.
