(** Twin of Svm.strong_convexity: the factor 1/2 forgotten. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Svm_strong_convexity.

Definition right : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> R) (ws : V) (bs : R) (w : V) (b : R),
  (forall i : 'I_m, 0 <= C i) ->
  primal_optimal H phi y C ws bs ->
  dot H (w - ws) (w - ws) / 2 <= P H phi y C w b - P H phi y C ws bs.

Definition wrong : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> R) (ws : V) (bs : R) (w : V) (b : R),
  (forall i : 'I_m, 0 <= C i) ->
  primal_optimal H phi y C ws bs ->
  dot H (w - ws) (w - ws) <= P H phi y C w b - P H phi y C ws bs.

Definition proved : right := @strong_convexity.
Fail Definition falsified : wrong := @strong_convexity.

End Svm_strong_convexity.
