(** Twin of Svm.decision_everywhere: without the labels. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Svm_decision_everywhere.

Definition right : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y a : 'I_m -> R) (b : R) (v : V),
  dot H (w_of phi y a) v + b = \sum_i a i * y i * dot H (phi i) v + b.

Definition wrong : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y a : 'I_m -> R) (b : R) (v : V),
  dot H (w_of phi y a) v + b = \sum_i a i * dot H (phi i) v + b.

Definition proved : right := @Svm.decision_everywhere.
Fail Definition falsified : wrong := @Svm.decision_everywhere.

End Svm_decision_everywhere.
