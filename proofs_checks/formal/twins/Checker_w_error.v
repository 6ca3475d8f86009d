(** Twin of Checker.w_error: the square forgotten. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm Checker.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Checker_w_error.

Definition right : Prop :=
  forall (F : realFieldType) (V : lmodType F) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> F),
  (forall i : 'I_m, 0 < C i) ->
  forall lam : F,
  0 < lam ->
  forall (a : 'I_m -> F) (b gap err : F) (ws : V) (bs : F),
  dual_feasibility y C lam a ->
  P H phi y C (w phi y lam a) b - D H phi y (alpha lam a) <= gap ->
  gap <= err ^+ 2 ->
  primal_optimal H phi y C ws bs ->
  dot H (w phi y lam a - ws) (w phi y lam a - ws) <= err ^+ 2.

Definition wrong : Prop :=
  forall (F : realFieldType) (V : lmodType F) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> F),
  (forall i : 'I_m, 0 < C i) ->
  forall lam : F,
  0 < lam ->
  forall (a : 'I_m -> F) (b gap err : F) (ws : V) (bs : F),
  dual_feasibility y C lam a ->
  P H phi y C (w phi y lam a) b - D H phi y (alpha lam a) <= gap ->
  gap <= err ->
  primal_optimal H phi y C ws bs ->
  dot H (w phi y lam a - ws) (w phi y lam a - ws) <= err ^+ 2.

Definition proved : right := @w_error.
Fail Definition falsified : wrong := @w_error.

End Checker_w_error.
