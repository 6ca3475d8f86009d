(** Twin of Checker.hard_margin_raises: C' may be C. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm Checker.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Checker_hard_margin_raises.

Definition right : Prop :=
  forall (F : realFieldType) (V : lmodType F) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> F),
  (forall i : 'I_m, 0 < C i) ->
  forall (lam : F) (R : 'I_m -> 'I_m -> F),
  0 < lam ->
  (forall i j : 'I_m, K H phi i j = lam * R i j) ->
  forall (a : 'I_m -> F) (b : F) (C' : 'I_m -> F),
  proved y C lam R a b ->
  (forall i : 'I_m, C i < C' i) ->
  (forall i : 'I_m, bound C lam a i -> gm y R a b i = 1) <->
    (exists (w' : V) (b' : F), P H phi y C' w' b' <= P H phi y C (w phi y lam a) b).

Definition wrong : Prop :=
  forall (F : realFieldType) (V : lmodType F) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> F),
  (forall i : 'I_m, 0 < C i) ->
  forall (lam : F) (R : 'I_m -> 'I_m -> F),
  0 < lam ->
  (forall i j : 'I_m, K H phi i j = lam * R i j) ->
  forall (a : 'I_m -> F) (b : F) (C' : 'I_m -> F),
  proved y C lam R a b ->
  (forall i : 'I_m, C i <= C' i) ->
  (forall i : 'I_m, bound C lam a i -> gm y R a b i = 1) <->
    (exists (w' : V) (b' : F), P H phi y C' w' b' <= P H phi y C (w phi y lam a) b).

Definition proved : right := @hard_margin_raises.
Fail Definition falsified : wrong := @hard_margin_raises.

End Checker_hard_margin_raises.
