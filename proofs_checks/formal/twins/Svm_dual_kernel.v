(** Twin of Svm.dual_kernel: the factor 1/2 forgotten. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Svm_dual_kernel.

Definition right : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y a : 'I_m -> R),
  D H phi y a = \sum_i a i - 2^-1 * (\sum_i \sum_j a i * a j * y i * y j * K H phi i j).

Definition wrong : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y a : 'I_m -> R),
  D H phi y a = \sum_i a i - \sum_i \sum_j a i * a j * y i * y j * K H phi i j.

Definition proved : right := @dual_kernel.
Fail Definition falsified : wrong := @dual_kernel.

End Svm_dual_kernel.
