(** Twin of Checker.level_gap: small and large exchanged. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm Checker.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Checker_level_gap.

Definition right : Prop :=
  forall (F : realFieldType) (V : lmodType F) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> F),
  (forall i : 'I_m, 0 < C i) ->
  forall lam : F,
  0 < lam ->
  forall (a : 'I_m -> F) (b gap err : F) (least most low high : F),
  dual_feasibility y C lam a ->
  P H phi y C (w phi y lam a) b - D H phi y (alpha lam a) <= gap ->
  gap <= err ^+ 2 ->
  least <= dot H (w phi y lam a) (w phi y lam a) <= most ->
  (low <= 0) || apart low least err ->
  apart most high err ->
  forall (ws : V) (bs : F),
  primal_optimal H phi y C ws bs ->
  dot H (w phi y lam a - ws) (w phi y lam a - ws) <= err ^+ 2 /\ low <= dot H ws ws <= high.

Definition wrong : Prop :=
  forall (F : realFieldType) (V : lmodType F) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> F),
  (forall i : 'I_m, 0 < C i) ->
  forall lam : F,
  0 < lam ->
  forall (a : 'I_m -> F) (b gap err : F) (least most low high : F),
  dual_feasibility y C lam a ->
  P H phi y C (w phi y lam a) b - D H phi y (alpha lam a) <= gap ->
  gap <= err ^+ 2 ->
  least <= dot H (w phi y lam a) (w phi y lam a) <= most ->
  (low <= 0) || apart low least err ->
  apart high most err ->
  forall (ws : V) (bs : F),
  primal_optimal H phi y C ws bs ->
  dot H (w phi y lam a - ws) (w phi y lam a - ws) <= err ^+ 2 /\ low <= dot H ws ws <= high.

Definition proved : right := @level_gap.
Fail Definition falsified : wrong := @level_gap.

End Checker_level_gap.
