(** Twin of Svm.gap_both: a factor 1/2 forgotten. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Svm_gap_both.

Definition right : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C a : 'I_m -> R) (w : V) (b : R) (ws : V) (bs : R),
  (forall i : 'I_m, 0 <= C i) ->
  feasible y C a ->
  primal_optimal H phi y C ws bs ->
  dot H (w - ws) (w - ws) / 2 + dot H (w_of phi y a - ws) (w_of phi y a - ws) / 2 <=
    P H phi y C w b - D H phi y a.

Definition wrong : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C a : 'I_m -> R) (w : V) (b : R) (ws : V) (bs : R),
  (forall i : 'I_m, 0 <= C i) ->
  feasible y C a ->
  primal_optimal H phi y C ws bs ->
  dot H (w - ws) (w - ws) + dot H (w_of phi y a - ws) (w_of phi y a - ws) / 2 <=
    P H phi y C w b - D H phi y a.

Definition proved : right := @gap_both.
Fail Definition falsified : wrong := @gap_both.

End Svm_gap_both.
