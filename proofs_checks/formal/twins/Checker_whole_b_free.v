(** Twin of Checker.whole_b_free: a bound point does not give b. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm Checker.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Checker_whole_b_free.

Definition right : Prop :=
  forall (F : realFieldType) (V : lmodType F) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> F),
  (forall i : 'I_m, y i = 1 \/ y i = -1) ->
  (forall i : 'I_m, 0 < C i) ->
  forall (lam : F) (R : 'I_m -> 'I_m -> F),
  0 < lam ->
  (forall i j : 'I_m, K H phi i j = lam * R i j) ->
  forall (a : 'I_m -> F) (b b' : F) (i : 'I_m),
  proved y C lam R a b ->
  free C lam a i ->
  primal_optimal H phi y C (w phi y lam a) b' ->
  b' = b.

Definition wrong : Prop :=
  forall (F : realFieldType) (V : lmodType F) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> F),
  (forall i : 'I_m, y i = 1 \/ y i = -1) ->
  (forall i : 'I_m, 0 < C i) ->
  forall (lam : F) (R : 'I_m -> 'I_m -> F),
  0 < lam ->
  (forall i j : 'I_m, K H phi i j = lam * R i j) ->
  forall (a : 'I_m -> F) (b b' : F) (i : 'I_m),
  proved y C lam R a b ->
  bound C lam a i ->
  primal_optimal H phi y C (w phi y lam a) b' ->
  b' = b.

Definition proved : right := @whole_b_free.
Fail Definition falsified : wrong := @whole_b_free.

End Checker_whole_b_free.
