(** Twin of Svm.b_interval_ends: one class may be missing. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Svm_b_interval_ends.

Definition right : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y : 'I_m -> R),
  (forall i : 'I_m, y i = 1 \/ y i = -1) ->
  forall (C a : 'I_m -> R) (b0 : R),
  (forall i : 'I_m, 0 < C i) ->
  (exists i : 'I_m, y i = 1) ->
  (exists i : 'I_m, y i = -1) ->
  kkt H phi y C a b0 ->
  exists i j : 'I_m, [/\ floor_point y C a i, ceil_point y C a j & forall b : R,
    primal_optimal H phi y C (w_of phi y a) b <-> y i - dot H (w_of phi y a) (phi i) <= b <=
    y j - dot H (w_of phi y a) (phi j)].

Definition wrong : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y : 'I_m -> R),
  (forall i : 'I_m, y i = 1 \/ y i = -1) ->
  forall (C a : 'I_m -> R) (b0 : R),
  (forall i : 'I_m, 0 < C i) ->
  (exists i : 'I_m, y i = 1) ->
  (exists i : 'I_m, y i = 1) ->
  kkt H phi y C a b0 ->
  exists i j : 'I_m, [/\ floor_point y C a i, ceil_point y C a j & forall b : R,
    primal_optimal H phi y C (w_of phi y a) b <-> y i - dot H (w_of phi y a) (phi i) <= b <=
    y j - dot H (w_of phi y a) (phi j)].

Definition proved : right := @b_interval_ends.
Fail Definition falsified : wrong := @b_interval_ends.

End Svm_b_interval_ends.
