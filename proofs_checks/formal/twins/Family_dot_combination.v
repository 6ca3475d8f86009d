(** Twin of Family.dot_combination: c_k^2 for c_k e_k. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence Form Family Counterexamples.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Family_dot_combination.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S),
  orthonormal p -> forall c e : M -> R, '<combination p c, combination p e> = \sum_k c k * e k.

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S),
  orthonormal p -> forall c e : M -> R, '<combination p c, combination p e> = \sum_k c k * c k.

Definition proved : right := @dot_combination.

Theorem refuted : ~ wrong.
Proof.
move=> /(_ _ _ point _ point_mode point_mode_on (fun=> 1) (fun=> 2%:R)).
by rewrite (dot_combination point_mode_on) !big_ord1.
Qed.

End Family_dot_combination.
