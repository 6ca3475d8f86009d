(** Twin of Svm.decision_kernel: y_i forgotten. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Svm_decision_kernel.

Definition right : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y a : 'I_m -> R) (b : R) (j : 'I_m),
  dot H (w_of phi y a) (phi j) + b = \sum_i a i * y i * K H phi i j + b.

Definition wrong : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y a : 'I_m -> R) (b : R) (j : 'I_m),
  dot H (w_of phi y a) (phi j) + b = \sum_i a i * K H phi i j + b.

Definition proved : right := @decision_kernel.
Fail Definition falsified : wrong := @decision_kernel.

End Svm_decision_kernel.
