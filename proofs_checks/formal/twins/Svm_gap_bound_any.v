(** Twin of Svm.gap_bound_any: the factor 2 forgotten. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Svm_gap_bound_any.

Definition right : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C a : 'I_m -> R) (w : V) (b : R) (ws : V) (bs : R),
  (forall i : 'I_m, 0 <= C i) ->
  feasible y C a ->
  primal_optimal H phi y C ws bs ->
  dot H (w - ws) (w - ws) <= 2 * (P H phi y C w b - D H phi y a).

Definition wrong : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C a : 'I_m -> R) (w : V) (b : R) (ws : V) (bs : R),
  (forall i : 'I_m, 0 <= C i) ->
  feasible y C a ->
  primal_optimal H phi y C ws bs ->
  dot H (w - ws) (w - ws) <= P H phi y C w b - D H phi y a.

Definition proved : right := @gap_bound_any.
Fail Definition falsified : wrong := @gap_bound_any.

End Svm_gap_bound_any.
