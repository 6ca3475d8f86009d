(** Twin of Svm.hard_margin_raise: the inequality turned round. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Svm_hard_margin_raise.

Definition right : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C C' : 'I_m -> R) (w : V) (b : R),
  (forall i : 'I_m, C i <= C' i) ->
  primal_optimal H phi y C w b ->
  (forall i : 'I_m, 1 <= margin H phi y w b i) ->
  primal_optimal H phi y C' w b /\ P H phi y C' w b = P H phi y C w b.

Definition wrong : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C C' : 'I_m -> R) (w : V) (b : R),
  (forall i : 'I_m, C i <= C' i) ->
  primal_optimal H phi y C w b ->
  (forall i : 'I_m, margin H phi y w b i <= 1) ->
  primal_optimal H phi y C' w b /\ P H phi y C' w b = P H phi y C w b.

Definition proved : right := @hard_margin_raise.
Fail Definition falsified : wrong := @hard_margin_raise.

End Svm_hard_margin_raise.
