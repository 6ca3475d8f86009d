(** Twin of Checker.alpha_unique_scaled: bordered by ones. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm Checker.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Checker_alpha_unique_scaled.

Definition right : Prop :=
  forall (F : realFieldType) (V : lmodType F) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> F),
  (forall i : 'I_m, y i = 1 \/ y i = -1) ->
  (forall i : 'I_m, 0 < C i) ->
  forall (lam : F) (R : 'I_m -> 'I_m -> F),
  0 < lam ->
  (forall i j : 'I_m, K H phi i j = lam * R i j) ->
  forall (a : 'I_m -> F) (b1 b2 c : F) (d : 'I_m -> F) (N : 'I_m -> 'I_m -> F),
  proved y C lam R a b1 ->
  proved y C lam R a b2 ->
  (forall i : 'I_m, d i != 0) ->
  (forall i j : 'I_m, N i j = c * d i * d j * R i j) ->
  scaled N d (tight_set y R a b1 b2) \in unitmx ->
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
  forall (a : 'I_m -> F) (b1 b2 c : F) (d : 'I_m -> F) (N : 'I_m -> 'I_m -> F),
  proved y C lam R a b1 ->
  proved y C lam R a b2 ->
  (forall i : 'I_m, d i != 0) ->
  (forall i j : 'I_m, N i j = c * d i * d j * R i j) ->
  scaled N (fun=> 1) (tight_set y R a b1 b2) \in unitmx ->
  forall a' : 'I_m -> F,
  dual_optimal H phi y C a' ->
  a' =1 alpha lam a.

Definition proved : right := @alpha_unique_scaled.
Fail Definition falsified : wrong := @alpha_unique_scaled.

End Checker_alpha_unique_scaled.
