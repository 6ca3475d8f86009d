(** Twin of Svm.zero_gap_kkt: a factor 2. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Svm_zero_gap_kkt.

Definition right : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C a : 'I_m -> R) (w : V) (b : R),
  feasible y C a ->
  P H phi y C w b = D H phi y a <-> w = w_of phi y a /\ kkt H phi y C a b.

Definition wrong : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C a : 'I_m -> R) (w : V) (b : R),
  feasible y C a ->
  P H phi y C w b = 2 * D H phi y a <-> w = w_of phi y a /\ kkt H phi y C a b.

Definition proved : right := @zero_gap_kkt.
Fail Definition falsified : wrong := @zero_gap_kkt.

End Svm_zero_gap_kkt.
