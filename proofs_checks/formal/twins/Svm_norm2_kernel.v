(** Twin of Svm.norm2_kernel: y_j forgotten. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Svm_norm2_kernel.

Definition right : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y a : 'I_m -> R),
  dot H (w_of phi y a) (w_of phi y a) = \sum_i \sum_j a i * a j * y i * y j * K H phi i j.

Definition wrong : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y a : 'I_m -> R),
  dot H (w_of phi y a) (w_of phi y a) = \sum_i \sum_j a i * a j * y i * K H phi i j.

Definition proved : right := @norm2_kernel.
Fail Definition falsified : wrong := @norm2_kernel.

End Svm_norm2_kernel.
