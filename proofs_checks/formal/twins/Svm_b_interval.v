(** Twin of Svm.b_interval: the floor turned round. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Svm_b_interval.

Definition right : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y : 'I_m -> R),
  (forall i : 'I_m, y i = 1 \/ y i = -1) ->
  forall (C a : 'I_m -> R) (b0 b : R),
  kkt H phi y C a b0 ->
  primal_optimal H phi y C (w_of phi y a) b <->
    (forall i : 'I_m, floor_point y C a i -> y i - dot H (w_of phi y a) (phi i) <= b) /\
    (forall i : 'I_m, ceil_point y C a i -> b <= y i - dot H (w_of phi y a) (phi i)).

Definition wrong : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y : 'I_m -> R),
  (forall i : 'I_m, y i = 1 \/ y i = -1) ->
  forall (C a : 'I_m -> R) (b0 b : R),
  kkt H phi y C a b0 ->
  primal_optimal H phi y C (w_of phi y a) b <->
    (forall i : 'I_m, floor_point y C a i -> b <= y i - dot H (w_of phi y a) (phi i)) /\
    (forall i : 'I_m, ceil_point y C a i -> b <= y i - dot H (w_of phi y a) (phi i)).

Definition proved : right := @b_interval.
Fail Definition falsified : wrong := @b_interval.

End Svm_b_interval.
