(** Twin of Expansion.h_expansion: c_k^2. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Form Family Expansion Counterexamples.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Expansion_h_expansion.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType)
    (p : M -> S) (m : nat) (x : 'I_m -> X) (s : 'I_m -> R),
  trained p x s = \sum_k trained_coef p x s k *: p k.

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType)
    (p : M -> S) (m : nat) (x : 'I_m -> X) (s : 'I_m -> R),
  trained p x s = \sum_k trained_coef p x s k ^+ 2 *: p k.

Definition proved : right := @h_expansion.

Theorem refuted : ~ wrong.
Proof.
move=> /(_ _ _ point _ point_mode 1%N (fun=> tt) (fun=> 1)).
by rewrite h_expansion !big_ord1 /trained_coef !big_ord1.
Qed.

End Expansion_h_expansion.
