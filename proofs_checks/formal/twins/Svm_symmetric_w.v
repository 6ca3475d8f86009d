(** Twin of Svm.symmetric_w: the sign forgotten. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Svm_symmetric_w.

Definition right : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> R) (w : V) (b : R) (T : V -> V) (sigma : 'I_m -> 'I_m) (s : R),
  (forall i : 'I_m, 0 <= C i) ->
  (forall u v : V, dot H (T u) (T v) = dot H u v) ->
  s * s = 1 ->
  injective sigma ->
  (forall i : 'I_m, [/\ T (phi i) = phi (sigma i), y (sigma i) = s * y i & C (sigma i) = C i]) ->
  primal_optimal H phi y C w b ->
  s *: T w = w.

Definition wrong : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> R) (w : V) (b : R) (T : V -> V) (sigma : 'I_m -> 'I_m) (s : R),
  (forall i : 'I_m, 0 <= C i) ->
  (forall u v : V, dot H (T u) (T v) = dot H u v) ->
  s * s = 1 ->
  injective sigma ->
  (forall i : 'I_m, [/\ T (phi i) = phi (sigma i), y (sigma i) = s * y i & C (sigma i) = C i]) ->
  primal_optimal H phi y C w b ->
  T w = w.

Definition proved : right := @symmetric_w.
Fail Definition falsified : wrong := @symmetric_w.

End Svm_symmetric_w.
