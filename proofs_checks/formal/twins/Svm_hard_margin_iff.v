(** Twin of Svm.hard_margin_iff: C' may be C. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Svm_hard_margin_iff.

Definition right : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C C' : 'I_m -> R) (w : V) (b : R),
  (forall i : 'I_m, 0 < C i < C' i) ->
  primal_optimal H phi y C w b ->
  (forall i : 'I_m, 1 <= margin H phi y w b i) <->
    (exists (w' : V) (b' : R), P H phi y C' w' b' <= P H phi y C w b).

Definition wrong : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C C' : 'I_m -> R) (w : V) (b : R),
  (forall i : 'I_m, 0 < C i <= C' i) ->
  primal_optimal H phi y C w b ->
  (forall i : 'I_m, 1 <= margin H phi y w b i) <->
    (exists (w' : V) (b' : R), P H phi y C' w' b' <= P H phi y C w b).

Definition proved : right := @hard_margin_iff.
Fail Definition falsified : wrong := @hard_margin_iff.

End Svm_hard_margin_iff.
