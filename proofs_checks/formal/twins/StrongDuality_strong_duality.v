(** Twin of StrongDuality.strong_duality: a factor 2. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm StrongDuality.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module StrongDuality_strong_duality.

Definition right : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> R),
  (forall i : 'I_m, 0 <= C i) ->
  forall (w : V) (b : R),
  primal_optimal H phi y C w b ->
  exists2 a : 'I_m ->
  R, dual_optimal H phi y C a & P H phi y C w b = D H phi y a.

Definition wrong : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> R),
  (forall i : 'I_m, 0 <= C i) ->
  forall (w : V) (b : R),
  primal_optimal H phi y C w b ->
  exists2 a : 'I_m ->
  R, dual_optimal H phi y C a & P H phi y C w b = 2 * D H phi y a.

Definition proved : right := @strong_duality.
Fail Definition falsified : wrong := @strong_duality.

End StrongDuality_strong_duality.
