(** Twin of Existence.dual_exists: bounds of any sign. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Form Svm Existence.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Existence_dual_exists.

Definition right : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> R), (forall i, y i = 1 \/ y i = -1) -> (forall i, 0 <= C i) ->
  exists a, dual_optimal H phi y C a.

Definition wrong : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> R), (forall i, y i = 1 \/ y i = -1) ->
  exists a, dual_optimal H phi y C a.

Definition proved : right := @dual_exists.

(** One point and C = -1: no alpha lies between 0 and -1. *)
Theorem refuted (R : rcfType) : ~ wrong.
Proof.
have ys (i : 'I_1) : 1 = 1 :> R \/ 1 = -1 :> R by left.
move=> /(_ _ _ (line R) 1%N (fun=> 0) (fun=> 1) (fun=> -1) ys)[a [[/(_ ord0)/andP[a0 a1] _] _]].
by have := le_trans a0 a1; rewrite oppr_ge0 leNgt ltr01.
Qed.

End Existence_dual_exists.
