(** Twin of Checker.stationarity: a factor lambda. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm Checker.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Checker_stationarity.

Definition right : Prop :=
  forall (F : realFieldType) (V : lmodType F) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y : 'I_m -> F) (lam : F) (R : 'I_m -> 'I_m -> F),
  0 < lam ->
  (forall i j : 'I_m, K H phi i j = lam * R i j) ->
  forall (a : 'I_m -> F) (i : 'I_m),
  dot H (w phi y lam a) (phi i) = score y R a i.

Definition wrong : Prop :=
  forall (F : realFieldType) (V : lmodType F) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y : 'I_m -> F) (lam : F) (R : 'I_m -> 'I_m -> F),
  0 < lam ->
  (forall i j : 'I_m, K H phi i j = lam * R i j) ->
  forall (a : 'I_m -> F) (i : 'I_m),
  dot H (w phi y lam a) (phi i) = lam * score y R a i.

Definition proved : right := @stationarity.
Fail Definition falsified : wrong := @stationarity.

End Checker_stationarity.
