(** Twin of Svm.slack_sum_unique: the weights C_i forgotten. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Svm_slack_sum_unique.

Definition right : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> R) (w : V) (b : R) (w' : V) (b' : R),
  (forall i : 'I_m, 0 <= C i) ->
  primal_optimal H phi y C w b ->
  primal_optimal H phi y C w' b' ->
  \sum_i C i * slack H phi y w b i = \sum_i C i * slack H phi y w' b' i.

Definition wrong : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> R) (w : V) (b : R) (w' : V) (b' : R),
  (forall i : 'I_m, 0 <= C i) ->
  primal_optimal H phi y C w b ->
  primal_optimal H phi y C w' b' ->
  \sum_i slack H phi y w b i = \sum_i slack H phi y w' b' i.

Definition proved : right := @slack_sum_unique.
Fail Definition falsified : wrong := @slack_sum_unique.

End Svm_slack_sum_unique.
