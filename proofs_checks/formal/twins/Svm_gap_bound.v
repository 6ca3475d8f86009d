(** Twin of Svm.gap_bound: a factor 2. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Form Svm Counterexamples.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Svm_gap_bound.

Definition right : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C a : 'I_m -> R) (b : R) (ws : V) (bs : R),
  (forall i : 'I_m, 0 <= C i) ->
  feasible y C a ->
  primal_optimal H phi y C ws bs ->
  dot H (w_of phi y a - ws) (w_of phi y a - ws) <=
    primal H phi y C (w_of phi y a) b - dual H phi y a.

Definition wrong : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C a : 'I_m -> R) (b : R) (ws : V) (bs : R),
  (forall i : 'I_m, 0 <= C i) ->
  feasible y C a ->
  primal_optimal H phi y C ws bs ->
  2 * dot H (w_of phi y a - ws) (w_of phi y a - ws) <=
    primal H phi y C (w_of phi y a) b - dual H phi y a.

Definition proved : right := @gap_bound.

(** Two points on the line, alpha = 0: 2 is not at most 1. *)
Theorem refuted : ~ wrong.
Proof.
have t01 : 0 <= (0 : rat) <= 2%:R^-1 by [].
have [ok opt _ _] := gap_bound_sharp t01.
have C0 i : 0 <= half [the realFieldType of rat : Type] i by [].
by move=> /(_ _ _ _ _ _ _ _ _ 0 _ _ C0 ok opt); apply: not_gap_bound_twice.
Qed.

End Svm_gap_bound.
