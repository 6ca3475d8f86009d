(** Twin of Svm.hard_margin_invariant: a point of weight 0 may have slack. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Svm_hard_margin_invariant.

Definition right : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> R) (w : V) (b : R) (w' : V) (b' : R),
  (forall i : 'I_m, 0 < C i) ->
  primal_optimal H phi y C w b ->
  primal_optimal H phi y C w' b' ->
  (forall i : 'I_m, 1 <= margin H phi y w b i) ->
  forall i : 'I_m,
  1 <= margin H phi y w' b' i.

Definition wrong : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> R) (w : V) (b : R) (w' : V) (b' : R),
  (forall i : 'I_m, 0 <= C i) ->
  primal_optimal H phi y C w b ->
  primal_optimal H phi y C w' b' ->
  (forall i : 'I_m, 1 <= margin H phi y w b i) ->
  forall i : 'I_m,
  1 <= margin H phi y w' b' i.

Definition proved : right := @hard_margin_invariant.
Fail Definition falsified : wrong := @hard_margin_invariant.

End Svm_hard_margin_invariant.
