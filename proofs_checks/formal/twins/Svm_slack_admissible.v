(** Twin of Svm.slack_admissible: the sign of the slack. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Svm_slack_admissible.

Definition right : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y : 'I_m -> R) (w : V) (b : R),
  admissible H phi y w b (slack H phi y w b).

Definition wrong : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y : 'I_m -> R) (w : V) (b : R),
  admissible H phi y w b (fun i : 'I_m => - slack H phi y w b i).

Definition proved : right := @slack_admissible.
Fail Definition falsified : wrong := @slack_admissible.

End Svm_slack_admissible.
