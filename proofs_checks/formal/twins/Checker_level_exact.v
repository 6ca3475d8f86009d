(** Twin of Checker.level_exact: b is not unique. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm Checker.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Checker_level_exact.

Definition right : Prop :=
  forall (F : realFieldType) (V : lmodType F) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> F),
  (forall i : 'I_m, 0 < C i) ->
  forall (lam : F) (R : 'I_m -> 'I_m -> F),
  0 < lam ->
  (forall i j : 'I_m, K H phi i j = lam * R i j) ->
  forall (a : 'I_m -> F) (b : F),
  proved y C lam R a b ->
  [/\ primal_optimal H phi y C (w phi y lam a) b, dual_optimal H phi y C (alpha lam a),
    P H phi y C (w phi y lam a) b = D H phi y (alpha lam a) & forall (w' : V) (b' : F),
    primal_optimal H phi y C w' b' -> w' = w phi y lam a].

Definition wrong : Prop :=
  forall (F : realFieldType) (V : lmodType F) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> F),
  (forall i : 'I_m, 0 < C i) ->
  forall (lam : F) (R : 'I_m -> 'I_m -> F),
  0 < lam ->
  (forall i j : 'I_m, K H phi i j = lam * R i j) ->
  forall (a : 'I_m -> F) (b : F),
  proved y C lam R a b ->
  [/\ primal_optimal H phi y C (w phi y lam a) b, dual_optimal H phi y C (alpha lam a),
    P H phi y C (w phi y lam a) b = D H phi y (alpha lam a) & forall (w' : V) (b' : F),
    primal_optimal H phi y C w' b' -> w' = w phi y lam a /\ b' = b].

Definition proved : right := @level_exact.
Fail Definition falsified : wrong := @level_exact.

End Checker_level_exact.
