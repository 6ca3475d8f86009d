(** Twin of Checker.alpha_unique_empty: some tight points. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm Checker.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Checker_alpha_unique_empty.

Definition right : Prop :=
  forall (F : realFieldType) (V : lmodType F) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> F),
  (forall i : 'I_m, y i = 1 \/ y i = -1) ->
  (forall i : 'I_m, 0 < C i) ->
  forall (lam : F) (R : 'I_m -> 'I_m -> F),
  0 < lam ->
  (forall i j : 'I_m, K H phi i j = lam * R i j) ->
  forall (a : 'I_m -> F) (b1 b2 : F),
  proved y C lam R a b1 ->
  proved y C lam R a b2 ->
  tight_set y R a b1 b2 = set0 ->
  forall a' : 'I_m -> F,
  dual_optimal H phi y C a' ->
  a' =1 alpha lam a.

Definition wrong : Prop :=
  forall (F : realFieldType) (V : lmodType F) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> F),
  (forall i : 'I_m, y i = 1 \/ y i = -1) ->
  (forall i : 'I_m, 0 < C i) ->
  forall (lam : F) (R : 'I_m -> 'I_m -> F),
  0 < lam ->
  (forall i j : 'I_m, K H phi i j = lam * R i j) ->
  forall (a : 'I_m -> F) (b1 b2 : F),
  proved y C lam R a b1 ->
  proved y C lam R a b2 ->
  tight_set y R a b1 b2 != [set: 'I_m] ->
  forall a' : 'I_m -> F,
  dual_optimal H phi y C a' ->
  a' =1 alpha lam a.

Definition proved : right := @alpha_unique_empty.
Fail Definition falsified : wrong := @alpha_unique_empty.

End Checker_alpha_unique_empty.
