(** Twin of Checker.b_unique: any two ends. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm Checker.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Checker_b_unique.

Definition right : Prop :=
  forall (F : realFieldType) (V : lmodType F) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> F) (lam : F) (a : 'I_m -> F) (b1 b2 : F),
  b1 <= b2 ->
  (forall b : F, primal_optimal H phi y C (w phi y lam a) b <-> b1 <= b <= b2) ->
  b1 = b2 <-> (forall b b' : F, primal_optimal H phi y C (w phi y lam a) b ->
    primal_optimal H phi y C (w phi y lam a) b' -> b = b').

Definition wrong : Prop :=
  forall (F : realFieldType) (V : lmodType F) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> F) (lam : F) (a : 'I_m -> F) (b1 b2 : F),
  b1 <= b2 ->
  (forall b : F, primal_optimal H phi y C (w phi y lam a) b <-> b1 <= b <= b2) ->
  b1 <= b2 <-> (forall b b' : F, primal_optimal H phi y C (w phi y lam a) b ->
    primal_optimal H phi y C (w phi y lam a) b' -> b = b').

Definition proved : right := @b_unique.
Fail Definition falsified : wrong := @b_unique.

End Checker_b_unique.
