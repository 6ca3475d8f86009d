(** Twin of Family.projection_in_span: f itself. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence Form Family Counterexamples.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Family_projection_in_span.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S) (f : S),
  in_span p (projection p f).

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S) (f : S),
  in_span p f.

Definition proved : right := @projection_in_span.

(** The empty family. *)
Theorem refuted : ~ wrong.
Proof.
move=> /(_ _ _ point [the finType of void : Type] (fun v : void => match v with end)
  (point_mode ord0))[c].
by rewrite /combination big_pred0 => [|[]].
Qed.

End Family_projection_in_span.
