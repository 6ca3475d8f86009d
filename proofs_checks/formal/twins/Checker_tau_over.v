(** Twin of Checker.tau_over: not divided by tau. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Form Svm Checker.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Checker_tau_over.

Definition right : Prop :=
  forall (F : realFieldType) (lower upper tau : F),
  enclosed lower upper tau ->
  forall k0 k1 k2 : F,
  0 < lower ->
  over_low lower upper k0 k1 k2 <= (k0 + k1 * tau + k2 * tau ^+ 2) / tau <=
    over_high lower upper k0 k1 k2.

Definition wrong : Prop :=
  forall (F : realFieldType) (lower upper tau : F),
  enclosed lower upper tau ->
  forall k0 k1 k2 : F,
  0 < lower ->
  over_low lower upper k0 k1 k2 <= k0 + k1 * tau + k2 * tau ^+ 2 <= over_high lower upper k0 k1 k2.

Definition proved : right := @tau_over.

(** 1 at tau = 2: 1/2, not 1. *)
Theorem refuted : ~ wrong.
Proof.
by move=> /(_ [the realFieldType of rat : Type] 2%:R 2%:R 2%:R isT 1 0 0 isT).
Qed.

End Checker_tau_over.
