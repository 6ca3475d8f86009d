(** Twin of Expansion.constant_term_feasible: alpha not feasible. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Form Family Expansion Counterexamples.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Expansion_constant_term_feasible.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType)
    (p : M -> S) (m : nat) (x : 'I_m -> X) (alpha y : 'I_m -> R) (k0 : M)
    (p0 b : R) (z : X),
  (forall z0 : X, ev z0 (p k0) = p0) ->
  \sum_i alpha i * y i = 0 ->
  let s := fun i : 'I_m => alpha i * y i in
  ev z (trained p x s) + b = b + \sum_(k | k != k0) trained_coef p x s k * ev z (p k).

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType)
    (p : M -> S) (m : nat) (x : 'I_m -> X) (alpha y : 'I_m -> R) (k0 : M)
    (p0 b : R) (z : X),
  (forall z0 : X, ev z0 (p k0) = p0) ->
  let s := fun i : 'I_m => alpha i * y i in
  ev z (trained p x s) + b = b + \sum_(k | k != k0) trained_coef p x s k * ev z (p k).

Definition proved : right := @constant_term_feasible.

Theorem refuted : ~ wrong.
Proof.
move=> /(_ _ _ point _ point_mode 1%N (fun=> tt) (fun=> 1) (fun=> 1) ord0 2%:R 0 tt
  (fun=> erefl)); cbv zeta.
by rewrite trained_at !big_ord1 kernel_of_point big1 => [|k]; rewrite ?(ord1 k).
Qed.

End Expansion_constant_term_feasible.
