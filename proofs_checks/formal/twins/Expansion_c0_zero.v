(** Twin of Expansion.c0_zero: alpha not feasible. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Form Family Expansion Counterexamples.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Expansion_c0_zero.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType)
    (p : M -> S) (m : nat) (x : 'I_m -> X) (alpha y : 'I_m -> R) (k0 : M)
    (p0 : R),
  (forall z : X, ev z (p k0) = p0) ->
  \sum_i alpha i * y i = 0 -> trained_coef p x (fun i : 'I_m => alpha i * y i) k0 = 0.

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType)
    (p : M -> S) (m : nat) (x : 'I_m -> X) (alpha y : 'I_m -> R) (k0 : M)
    (p0 : R),
  (forall z : X, ev z (p k0) = p0) ->
  trained_coef p x (fun i : 'I_m => alpha i * y i) k0 = 0.

Definition proved : right := @c0_zero.

Theorem refuted : ~ wrong.
Proof.
move=> /(_ _ _ point _ point_mode 1%N (fun=> tt) (fun=> 1) (fun=> 1) ord0 2%:R (fun=> erefl)).
by rewrite /trained_coef !big_ord1.
Qed.

End Expansion_c0_zero.
