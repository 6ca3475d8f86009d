(** Twin of Checker.norm2_upper: squares added, not roots. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm Checker.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Checker_norm2_upper.

Definition right : Prop :=
  forall (F : realFieldType) (V : lmodType F) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y : 'I_m -> F) (lam : F) (a : 'I_m -> F) (ws : V) (most high err : F),
  dot H (w phi y lam a) (w phi y lam a) <= most ->
  dot H (w phi y lam a - ws) (w phi y lam a - ws) <= err ^+ 2 ->
  apart most high err ->
  dot H ws ws <= high.

Definition wrong : Prop :=
  forall (F : realFieldType) (V : lmodType F) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y : 'I_m -> F) (lam : F) (a : 'I_m -> F) (ws : V) (most high err : F),
  dot H (w phi y lam a) (w phi y lam a) <= most ->
  dot H (w phi y lam a - ws) (w phi y lam a - ws) <= err ^+ 2 ->
  most + err ^+ 2 <= high ->
  dot H ws ws <= high.

Definition proved : right := @norm2_upper.
Fail Definition falsified : wrong := @norm2_upper.

End Checker_norm2_upper.
