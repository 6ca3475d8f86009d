(** Twin of Svm.strong_convexity: the factor 1/2 forgotten. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Form Svm Counterexamples.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Svm_strong_convexity.

Definition right : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> R) (ws : V) (bs : R) (w : V) (b : R),
  (forall i : 'I_m, 0 <= C i) ->
  primal_optimal H phi y C ws bs ->
  dot H (w - ws) (w - ws) / 2 <= primal H phi y C w b - primal H phi y C ws bs.

Definition wrong : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> R) (ws : V) (bs : R) (w : V) (b : R),
  (forall i : 'I_m, 0 <= C i) ->
  primal_optimal H phi y C ws bs ->
  dot H (w - ws) (w - ws) <= primal H phi y C w b - primal H phi y C ws bs.

Definition proved : right := @strong_convexity.

(** Two points on the line, w = 0: 1 is not at most 1/2. *)
Theorem refuted : ~ wrong.
Proof.
have t01 : 0 <= (0 : rat) <= 2%:R^-1 by [].
have [ok opt _ _] := gap_bound_sharp t01.
have C0 i : 0 <= half [the realFieldType of rat : Type] i by [].
pose w := w_of (phi2 [the realFieldType of rat : Type]) (sign2 _) (fun=> 0).
by move=> /(_ _ _ _ _ _ _ _ _ _ w 0 C0 opt); apply: not_strong_convexity_twice.
Qed.

End Svm_strong_convexity.
