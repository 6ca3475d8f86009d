(** Twin of Checker.whole_b: floor and ceiling exchanged. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm Checker.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Checker_whole_b.

Definition right : Prop :=
  forall (F : realFieldType) (V : lmodType F) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> F),
  (forall i : 'I_m, y i = 1 \/ y i = -1) ->
  (forall i : 'I_m, 0 < C i) ->
  forall (lam : F) (R : 'I_m -> 'I_m -> F),
  0 < lam ->
  (forall i j : 'I_m, K H phi i j = lam * R i j) ->
  forall (a : 'I_m -> F) (b1 b2 b : F),
  proved y C lam R a b1 ->
  proved y C lam R a b2 ->
  floor y C lam R a b1 ->
  ceiling y C lam R a b2 ->
  (forall i : 'I_m, ~~ free C lam a i) ->
  primal_optimal H phi y C (w phi y lam a) b <-> b1 <= b <= b2.

Definition wrong : Prop :=
  forall (F : realFieldType) (V : lmodType F) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> F),
  (forall i : 'I_m, y i = 1 \/ y i = -1) ->
  (forall i : 'I_m, 0 < C i) ->
  forall (lam : F) (R : 'I_m -> 'I_m -> F),
  0 < lam ->
  (forall i j : 'I_m, K H phi i j = lam * R i j) ->
  forall (a : 'I_m -> F) (b1 b2 b : F),
  proved y C lam R a b1 ->
  proved y C lam R a b2 ->
  ceiling y C lam R a b1 ->
  floor y C lam R a b2 ->
  (forall i : 'I_m, ~~ free C lam a i) ->
  primal_optimal H phi y C (w phi y lam a) b <-> b1 <= b <= b2.

Definition proved : right := @whole_b.
Fail Definition falsified : wrong := @whole_b.

End Checker_whole_b.
