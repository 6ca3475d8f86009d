(** Twin of Checker.balanced_affine: v not balanced. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm Checker.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Checker_balanced_affine.

Definition right : Prop :=
  forall (F : realFieldType) (m : nat) (y a u v : 'I_m -> F) (tau : F),
  (forall i : 'I_m, a i = u i + tau * v i) ->
  \sum_i y i * u i = 0 ->
  \sum_i y i * v i = 0 ->
  \sum_i y i * a i = 0.

Definition wrong : Prop :=
  forall (F : realFieldType) (m : nat) (y a u v : 'I_m -> F) (tau : F),
  (forall i : 'I_m, a i = u i + tau * v i) ->
  \sum_i y i * u i = 0 ->
  \sum_i y i * v i = 1 ->
  \sum_i y i * a i = 0.

Definition proved : right := @balanced_affine.
Fail Definition falsified : wrong := @balanced_affine.

(** One point, u = 0, v = tau = 1: 1 is not 0. *)
Theorem refuted : ~ wrong.
Proof.
move=> /(_ [realFieldType of rat] 1%N (fun=> 1) (fun=> 1) (fun=> 0) (fun=> 1) 1).
by rewrite !big_ord1 => /(_ (fun=> erefl) erefl erefl).
Qed.

End Checker_balanced_affine.
