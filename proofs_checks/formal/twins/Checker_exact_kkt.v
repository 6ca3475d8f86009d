(** Twin of Checker.exact_kkt: a for alpha. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm Checker.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Checker_exact_kkt.

Definition right : Prop :=
  forall (F : realFieldType) (V : lmodType F) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> F) (lam : F) (R : 'I_m -> 'I_m -> F),
  0 < lam ->
  (forall i j : 'I_m, K H phi i j = lam * R i j) ->
  forall (a : 'I_m -> F) (b : F),
  proved y C lam R a b ->
  kkt H phi y C (alpha lam a) b.

Definition wrong : Prop :=
  forall (F : realFieldType) (V : lmodType F) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> F) (lam : F) (R : 'I_m -> 'I_m -> F),
  0 < lam ->
  (forall i j : 'I_m, K H phi i j = lam * R i j) ->
  forall (a : 'I_m -> F) (b : F),
  proved y C lam R a b ->
  kkt H phi y C a b.

Definition proved : right := @exact_kkt.
Fail Definition falsified : wrong := @exact_kkt.

End Checker_exact_kkt.
