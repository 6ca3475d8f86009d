(** Twin of Family.feature_map: a factor. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence Family Point.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Family_feature_map.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S),
  orthonormal p -> forall x z : X, K p x z = '[Ksection p x, Ksection p z].

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S),
  orthonormal p -> forall x z : X, 2%:R * K p x z = '[Ksection p x, Ksection p z].

Definition proved : right := @feature_map.

Theorem refuted : ~ wrong.
Proof. by move=> /(_ _ _ point _ mode mode_on tt tt); rewrite -(feature_map mode_on) Kpoint. Qed.

End Family_feature_map.
