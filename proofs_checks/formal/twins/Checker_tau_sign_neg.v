(** Twin of Checker.tau_sign_neg: two signs. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Form Svm Checker.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Checker_tau_sign_neg.

Definition right : Prop :=
  forall (F : realFieldType) (lower upper tau : F),
  enclosed lower upper tau ->
  forall p q : F,
  p + q * lower <= 0 ->
  p + q * upper <= 0 ->
  (p + q * lower < 0) || (p + q * upper < 0) ->
  p + q * tau < 0.

Definition wrong : Prop :=
  forall (F : realFieldType) (lower upper tau : F),
  enclosed lower upper tau ->
  forall p q : F,
  0 <= p + q * lower ->
  p + q * upper <= 0 ->
  (p + q * lower < 0) || (p + q * upper < 0) ->
  p + q * tau < 0.

Definition proved : right := @tau_sign_neg.

(** 1 - tau on (0, 3), at 1. *)
Theorem refuted : ~ wrong.
Proof.
by move=> /(_ [the realFieldType of rat : Type] 0 3%:R 1 isT 1 (-1) isT isT isT).
Qed.

End Checker_tau_sign_neg.
