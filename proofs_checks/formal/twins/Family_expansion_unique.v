(** Twin of Family.expansion_unique: from equal norms. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence Form Family Counterexamples.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Family_expansion_unique.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S),
  orthonormal p -> forall c e : M -> R, combination p c = combination p e -> c =1 e.

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S),
  orthonormal p -> forall c e : M -> R, '<combination p c, combination p c> =
    '<combination p e, combination p e> -> c =1 e.

Definition proved : right := @expansion_unique.

Theorem refuted : ~ wrong.
Proof.
move=> /(_ _ _ point _ point_mode point_mode_on (fun=> 1) (fun=> -1)).
by rewrite !(norm_squared point_mode_on) !big_ord1 => /(_ erefl ord0).
Qed.

End Family_expansion_unique.
