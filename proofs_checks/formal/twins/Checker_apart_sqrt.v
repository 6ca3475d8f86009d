(** Twin of Checker.apart_sqrt: the sign of the distance. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm Checker.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Checker_apart_sqrt.

Definition right : Prop :=
  forall (F : rcfType) (small large err : F),
  0 <= small ->
  0 <= large ->
  0 <= err ->
  apart small large err <-> Num.sqrt small + err <= Num.sqrt large.

Definition wrong : Prop :=
  forall (F : rcfType) (small large err : F),
  0 <= small ->
  0 <= large ->
  0 <= err ->
  apart small large err <-> Num.sqrt small - err <= Num.sqrt large.

Definition proved : right := @apart_sqrt.
Fail Definition falsified : wrong := @apart_sqrt.

End Checker_apart_sqrt.
