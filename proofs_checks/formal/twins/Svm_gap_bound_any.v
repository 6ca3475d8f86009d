(** Twin of Svm.gap_bound_any: the factor 2 forgotten. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Form Svm Counterexamples.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Svm_gap_bound_any.

Definition right : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C a : 'I_m -> R) (w : V) (b : R) (ws : V) (bs : R),
  (forall i : 'I_m, 0 <= C i) ->
  feasible y C a ->
  primal_optimal H phi y C ws bs ->
  dot H (w - ws) (w - ws) <= 2 * (primal H phi y C w b - dual H phi y a).

Definition wrong : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C a : 'I_m -> R) (w : V) (b : R) (ws : V) (bs : R),
  (forall i : 'I_m, 0 <= C i) ->
  feasible y C a ->
  primal_optimal H phi y C ws bs ->
  dot H (w - ws) (w - ws) <= primal H phi y C w b - dual H phi y a.

Definition proved : right := @gap_bound_any.

(** Two points on the line, w = 0 and alpha optimal: 1 is not at most 1/2. *)
Theorem refuted : ~ wrong.
Proof.
have t01 : 0 <= (2%:R^-1 : rat) <= 2%:R^-1 by [].
have [ok opt _ _] := gap_bound_sharp t01.
have C0 i : 0 <= half [the realFieldType of rat : Type] i by [].
pose w := w_of (phi2 [the realFieldType of rat : Type]) (sign2 _) (fun=> 0).
by move=> /(_ _ _ _ _ _ _ _ _ w 0 _ _ C0 ok opt); apply: not_gap_bound_any.
Qed.

End Svm_gap_bound_any.
