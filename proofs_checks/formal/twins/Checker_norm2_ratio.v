(** Twin of Checker.norm2_ratio: 1/lambda forgotten. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm Checker.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Checker_norm2_ratio.

Definition right : Prop :=
  forall (F : realFieldType) (V : lmodType F) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y : 'I_m -> F) (lam : F) (R : 'I_m -> 'I_m -> F),
  0 < lam ->
  (forall i j : 'I_m, K H phi i j = lam * R i j) ->
  forall a : 'I_m -> F,
  dot H (w phi y lam a) (w phi y lam a) = (\sum_i y i * a i * score y R a i) / lam.

Definition wrong : Prop :=
  forall (F : realFieldType) (V : lmodType F) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y : 'I_m -> F) (lam : F) (R : 'I_m -> 'I_m -> F),
  0 < lam ->
  (forall i j : 'I_m, K H phi i j = lam * R i j) ->
  forall a : 'I_m -> F,
  dot H (w phi y lam a) (w phi y lam a) = \sum_i y i * a i * score y R a i.

Definition proved : right := @norm2_ratio.
Fail Definition falsified : wrong := @norm2_ratio.

End Checker_norm2_ratio.
