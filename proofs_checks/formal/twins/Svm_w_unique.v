(** Twin of Svm.w_unique: b is not unique. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Svm_w_unique.

Definition right : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> R) (w : V) (b : R) (w' : V) (b' : R),
  (forall i : 'I_m, 0 <= C i) ->
  primal_optimal H phi y C w b ->
  primal_optimal H phi y C w' b' ->
  w' = w.

Definition wrong : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> R) (w : V) (b : R) (w' : V) (b' : R),
  (forall i : 'I_m, 0 <= C i) ->
  primal_optimal H phi y C w b ->
  primal_optimal H phi y C w' b' ->
  w' = w /\ b' = b.

Definition proved : right := @w_unique.
Fail Definition falsified : wrong := @w_unique.

End Svm_w_unique.
