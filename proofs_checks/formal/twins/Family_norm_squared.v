(** Twin of Family.norm_squared: sum c_k, without the square. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence Form Family Counterexamples.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Family_norm_squared.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S),
  orthonormal p -> forall c : M -> R, '<combination p c, combination p c> = \sum_k c k ^+ 2.

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S),
  orthonormal p -> forall c : M -> R, '<combination p c, combination p c> = \sum_k c k.

Definition proved : right := @norm_squared.

Theorem refuted : ~ wrong.
Proof.
by move=> /(_ _ _ point _ point_mode point_mode_on (fun=> 2%:R));
  rewrite (norm_squared point_mode_on) !big_ord1.
Qed.

End Family_norm_squared.
