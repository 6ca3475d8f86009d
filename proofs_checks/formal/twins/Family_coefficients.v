(** Twin of Family.coefficients: c_k^2. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence Form Family Counterexamples.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Family_coefficients.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S),
  orthonormal p -> forall (c : M -> R) (k : M), '<combination p c, p k> = c k.

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S),
  orthonormal p -> forall (c : M -> R) (k : M), '<combination p c, p k> = c k ^+ 2.

Definition proved : right := @coefficients.

Theorem refuted : ~ wrong.
Proof. by move=> /(_ _ _ point _ point_mode point_mode_on (fun=> 2%:R) ord0);
rewrite (coefficients point_mode_on). Qed.

End Family_coefficients.
