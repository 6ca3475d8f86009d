(** Twin of Checker.tau_sign_zero: 0 at one end. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Form Svm Checker.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Checker_tau_sign_zero.

Definition right : Prop :=
  forall (F : realFieldType) (lower upper tau : F),
  enclosed lower upper tau ->
  forall p q : F,
  p + q * lower = 0 ->
  p + q * upper = 0 ->
  p + q * tau = 0.

Definition wrong : Prop :=
  forall (F : realFieldType) (lower upper tau : F),
  enclosed lower upper tau ->
  forall p q : F,
  p + q * lower = 0 ->
  0 <= p + q * upper ->
  p + q * tau = 0.

Definition proved : right := @tau_sign_zero.

(** tau on (0, 2), at 1. *)
Theorem refuted : ~ wrong.
Proof.
by move=> /(_ [the realFieldType of rat : Type] 0 2%:R 1 isT 0 1 erefl isT).
Qed.

End Checker_tau_sign_zero.
