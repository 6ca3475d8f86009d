(** Twin of Checker.tau_sign_pos: 0 at both ends. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Form Svm Checker.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Checker_tau_sign_pos.

Definition right : Prop :=
  forall (F : realFieldType) (lower upper tau : F),
  enclosed lower upper tau ->
  forall p q : F,
  0 <= p + q * lower ->
  0 <= p + q * upper ->
  (0 < p + q * lower) || (0 < p + q * upper) ->
  0 < p + q * tau.

Definition wrong : Prop :=
  forall (F : realFieldType) (lower upper tau : F),
  enclosed lower upper tau ->
  forall p q : F,
  0 <= p + q * lower ->
  0 <= p + q * upper ->
  (0 <= p + q * lower) || (0 <= p + q * upper) ->
  0 < p + q * tau.

Definition proved : right := @tau_sign_pos.

(** 0 everywhere. *)
Theorem refuted : ~ wrong.
Proof.
by move=> /(_ [the realFieldType of rat : Type] 0 0 0 isT 0 0 isT isT isT).
Qed.

End Checker_tau_sign_pos.
