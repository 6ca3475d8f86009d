(** Twin of Svm.optimal_b_kkt: b off by one. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Svm_optimal_b_kkt.

Definition right : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C a : 'I_m -> R) (b0 b : R),
  kkt H phi y C a b0 ->
  primal_optimal H phi y C (w_of phi y a) b <-> kkt H phi y C a b.

Definition wrong : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C a : 'I_m -> R) (b0 b : R),
  kkt H phi y C a b0 ->
  primal_optimal H phi y C (w_of phi y a) b <-> kkt H phi y C a (b + 1).

Definition proved : right := @optimal_b_kkt.
Fail Definition falsified : wrong := @optimal_b_kkt.

End Svm_optimal_b_kkt.
