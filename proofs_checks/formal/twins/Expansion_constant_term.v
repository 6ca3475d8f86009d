(** Twin of Expansion.constant_term: c_0 + b, as (30) is printed. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Form Family Expansion Counterexamples.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Expansion_constant_term.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType)
    (p : M -> S) (m : nat) (x : 'I_m -> X) (s : 'I_m -> R) (k0 : M)
    (p0 : R),
  (forall z : X, ev z (p k0) = p0) ->
  forall (b : R) (z : X),
  ev z (trained p x s) + b = trained_coef p x s k0 * p0 + b +
    \sum_(k | k != k0) trained_coef p x s k * ev z (p k).

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType)
    (p : M -> S) (m : nat) (x : 'I_m -> X) (s : 'I_m -> R) (k0 : M)
    (p0 : R),
  (forall z : X, ev z (p k0) = p0) ->
  forall (b : R) (z : X),
  ev z (trained p x s) + b = trained_coef p x s k0 + b +
    \sum_(k | k != k0) trained_coef p x s k * ev z (p k).

Definition proved : right := @constant_term.

(** p_0 = 2, s = 1, b = 0: the constant is 4, not 2. *)
Theorem refuted : ~ wrong.
Proof.
move=> /(_ _ _ point _ point_mode 1%N (fun=> tt) (fun=> 1) ord0 2%:R (fun=> erefl) 0 tt).
rewrite trained_at !big_ord1 kernel_of_point /trained_coef !big_ord1 big1 => [|k];
  last by rewrite (ord1 k).
by [].
Qed.

End Expansion_constant_term.
