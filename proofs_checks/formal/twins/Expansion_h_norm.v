(** Twin of Expansion.h_norm: sum c_k, without the square. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Form Family Expansion Counterexamples.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Expansion_h_norm.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType)
    (p : M -> S) (m : nat) (x : 'I_m -> X) (s : 'I_m -> R),
  orthonormal p ->
  '<trained p x s, trained p x s> = \sum_k trained_coef p x s k ^+ 2 /\
  '<trained p x s, trained p x s> = \sum_i \sum_j s i * s j * kernel_of p (x i) (x j).

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType)
    (p : M -> S) (m : nat) (x : 'I_m -> X) (s : 'I_m -> R),
  orthonormal p ->
  '<trained p x s, trained p x s> = \sum_k trained_coef p x s k /\
  '<trained p x s, trained p x s> = \sum_i \sum_j s i * s j * kernel_of p (x i) (x j).

Definition proved : right := @h_norm.

(** h = s K, p_0 = 2, s = 1: 4 is not 2. *)
Theorem refuted : ~ wrong.
Proof.
move=> /(_ _ _ point _ point_mode 1%N (fun=> tt) (fun=> 1) point_mode_on)[].
by rewrite (proj1 (h_norm _ _ point_mode_on)) !big_ord1 /trained_coef !big_ord1.
Qed.

End Expansion_h_norm.
