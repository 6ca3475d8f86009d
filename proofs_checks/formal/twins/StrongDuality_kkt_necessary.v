(** Twin of StrongDuality.kkt_necessary: b off by one. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm StrongDuality.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module StrongDuality_kkt_necessary.

Definition right : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> R),
  (forall i : 'I_m, 0 <= C i) ->
  forall (w : V) (b : R),
  primal_optimal H phi y C w b ->
  exists2 a : 'I_m ->
  R, w = w_of phi y a & kkt H phi y C a b.

Definition wrong : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> R),
  (forall i : 'I_m, 0 <= C i) ->
  forall (w : V) (b : R),
  primal_optimal H phi y C w b ->
  exists2 a : 'I_m ->
  R, w = w_of phi y a & kkt H phi y C a (b + 1).

Definition proved : right := @kkt_necessary.
Fail Definition falsified : wrong := @kkt_necessary.

End StrongDuality_kkt_necessary.
