(** Twin of StrongDuality.optimal_pair: alpha only feasible. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm StrongDuality.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module StrongDuality_optimal_pair.

Definition right : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> R),
  (forall i : 'I_m, 0 <= C i) ->
  forall (w : V) (b : R) (a : 'I_m -> R),
  primal_optimal H phi y C w b ->
  dual_optimal H phi y C a ->
  w = w_of phi y a /\ kkt H phi y C a b.

Definition wrong : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> R),
  (forall i : 'I_m, 0 <= C i) ->
  forall (w : V) (b : R) (a : 'I_m -> R),
  primal_optimal H phi y C w b ->
  feasible y C a ->
  w = w_of phi y a /\ kkt H phi y C a b.

Definition proved : right := @optimal_pair.
Fail Definition falsified : wrong := @optimal_pair.

End StrongDuality_optimal_pair.
