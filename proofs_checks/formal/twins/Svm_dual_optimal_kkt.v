(** Twin of Svm.dual_optimal_kkt: alpha is not always unique. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Svm_dual_optimal_kkt.

Definition right : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C a : 'I_m -> R) (b : R) (a' : 'I_m -> R),
  kkt H phi y C a b ->
  dual_optimal H phi y C a' ->
  w_of phi y a' = w_of phi y a /\ kkt H phi y C a' b.

Definition wrong : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C a : 'I_m -> R) (b : R) (a' : 'I_m -> R),
  kkt H phi y C a b ->
  dual_optimal H phi y C a' ->
  w_of phi y a' = w_of phi y a /\ a' =1 a.

Definition proved : right := @dual_optimal_kkt.
Fail Definition falsified : wrong := @dual_optimal_kkt.

End Svm_dual_optimal_kkt.
