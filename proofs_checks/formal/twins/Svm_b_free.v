(** Twin of Svm.b_free: y_i forgotten. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Svm_b_free.

Definition right : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y : 'I_m -> R),
  (forall i : 'I_m, y i = 1 \/ y i = -1) ->
  forall (C a : 'I_m -> R) (b0 b : R) (i : 'I_m),
  kkt H phi y C a b0 ->
  0 < a i < C i ->
  primal_optimal H phi y C (w_of phi y a) b ->
  b = y i - dot H (w_of phi y a) (phi i).

Definition wrong : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y : 'I_m -> R),
  (forall i : 'I_m, y i = 1 \/ y i = -1) ->
  forall (C a : 'I_m -> R) (b0 b : R) (i : 'I_m),
  kkt H phi y C a b0 ->
  0 < a i < C i ->
  primal_optimal H phi y C (w_of phi y a) b ->
  b = 1 - dot H (w_of phi y a) (phi i).

Definition proved : right := @b_free.
Fail Definition falsified : wrong := @b_free.

End Svm_b_free.
