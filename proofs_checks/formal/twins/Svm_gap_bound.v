(** Twin of Svm.gap_bound: a factor 2. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Svm_gap_bound.

Definition right : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C a : 'I_m -> R) (b : R) (ws : V) (bs : R),
  (forall i : 'I_m, 0 <= C i) ->
  feasible y C a ->
  primal_optimal H phi y C ws bs ->
  dot H (w_of phi y a - ws) (w_of phi y a - ws) <= P H phi y C (w_of phi y a) b - D H phi y a.

Definition wrong : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C a : 'I_m -> R) (b : R) (ws : V) (bs : R),
  (forall i : 'I_m, 0 <= C i) ->
  feasible y C a ->
  primal_optimal H phi y C ws bs ->
  2 * dot H (w_of phi y a - ws) (w_of phi y a - ws) <= P H phi y C (w_of phi y a) b - D H phi y a.

Definition proved : right := @gap_bound.
Fail Definition falsified : wrong := @gap_bound.

End Svm_gap_bound.
