(** Twin of StrongDuality.optimal_pair: alpha only feasible. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Form Svm StrongDuality.
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

(** Two points on the line, alpha = 0 is feasible and w* = 1 is not 0. *)
Theorem refuted : ~ wrong.
Proof.
have t01 : 0 <= (0 : rat) <= 2%:R^-1 by [].
have [ok opt _ _] := gap_bound_sharp t01.
have C0 i : 0 <= half [the realFieldType of rat : Type] i by [].
by move=> /(_ _ _ _ _ _ _ _ C0 _ _ _ opt ok)[]; rewrite w_of2 mulr0.
Qed.

End StrongDuality_optimal_pair.
