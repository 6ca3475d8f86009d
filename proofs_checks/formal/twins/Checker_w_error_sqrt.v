(** Twin of Checker.w_error_sqrt: the square forgotten. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm Checker.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Checker_w_error_sqrt.

Definition right : Prop :=
  forall (F : rcfType) (V : lmodType F) (H : inner_product V) (u : V) (err : F),
  0 <= err ->
  dot H u u <= err ^+ 2 <-> Num.sqrt (dot H u u) <= err.

Definition wrong : Prop :=
  forall (F : rcfType) (V : lmodType F) (H : inner_product V) (u : V) (err : F),
  0 <= err ->
  dot H u u <= err <-> Num.sqrt (dot H u u) <= err.

Definition proved : right := @w_error_sqrt.
Fail Definition falsified : wrong := @w_error_sqrt.

End Checker_w_error_sqrt.
