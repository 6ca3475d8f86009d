(** Twin of Expansion.coefficients_of_h: another h. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Form Family Expansion Counterexamples.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Expansion_coefficients_of_h.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType)
    (p : M -> S) (m m' : nat) (x : 'I_m -> X) (x' : 'I_m' -> X) (s : 'I_m -> R)
    (s' : 'I_m' -> R),
  orthonormal p -> trained p x s = trained p x' s' -> trained_coef p x s =1 trained_coef p x' s'.

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType)
    (p : M -> S) (m m' : nat) (x : 'I_m -> X) (x' : 'I_m' -> X) (s : 'I_m -> R)
    (s' : 'I_m' -> R),
  orthonormal p -> trained_coef p x s =1 trained_coef p x' s'.

Definition proved : right := @coefficients_of_h.

Theorem refuted : ~ wrong.
Proof.
move=> /(_ _ _ point _ point_mode 1%N 1%N (fun=> tt) (fun=> tt) (fun=> 1) (fun=> 0) point_mode_on
  ord0).
by rewrite /trained_coef !big_ord1.
Qed.

End Expansion_coefficients_of_h.
