(** Twin of Svm.gap_distance: the factor 1/2 forgotten. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Svm_gap_distance.

Definition right : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C a : 'I_m -> R) (w : V) (b : R),
  feasible y C a ->
  dot H (w - w_of phi y a) (w - w_of phi y a) / 2 <= P H phi y C w b - D H phi y a.

Definition wrong : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C a : 'I_m -> R) (w : V) (b : R),
  feasible y C a ->
  dot H (w - w_of phi y a) (w - w_of phi y a) <= P H phi y C w b - D H phi y a.

Definition proved : right := @gap_distance.
Fail Definition falsified : wrong := @gap_distance.

End Svm_gap_distance.
