(** Twin of Svm.slack_best: the sign of C_i. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Svm_slack_best.

Definition right : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> R) (w : V) (b : R) (xi : 'I_m -> R),
  (forall i : 'I_m, 0 <= C i) ->
  admissible H phi y w b xi ->
  P H phi y C w b <= dot H w w / 2 + \sum_i C i * xi i.

Definition wrong : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> R) (w : V) (b : R) (xi : 'I_m -> R),
  (forall i : 'I_m, C i <= 0) ->
  admissible H phi y w b xi ->
  P H phi y C w b <= dot H w w / 2 + \sum_i C i * xi i.

Definition proved : right := @slack_best.
Fail Definition falsified : wrong := @slack_best.

End Svm_slack_best.
