(** Twin of Expansion.c0_value: without p_0. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Form Family Expansion Counterexamples.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Expansion_c0_value.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType)
    (p : M -> S) (m : nat) (x : 'I_m -> X) (s : 'I_m -> R) (k0 : M)
    (p0 : R), (forall z : X, ev z (p k0) = p0) -> trained_coef p x s k0 = p0 * (\sum_i s i).

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType)
    (p : M -> S) (m : nat) (x : 'I_m -> X) (s : 'I_m -> R) (k0 : M)
    (p0 : R), (forall z : X, ev z (p k0) = p0) -> trained_coef p x s k0 = \sum_i s i.

Definition proved : right := @c0_value.

Theorem refuted : ~ wrong.
Proof.
move=> /(_ _ _ point _ point_mode 1%N (fun=> tt) (fun=> 1) ord0 2%:R (fun=> erefl)).
by rewrite /trained_coef !big_ord1.
Qed.

End Expansion_c0_value.
