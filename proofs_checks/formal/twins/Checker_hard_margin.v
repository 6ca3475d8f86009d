(** Twin of Checker.hard_margin: the free points for the bound ones. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm Checker.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Checker_hard_margin.

Definition right : Prop :=
  forall (F : realFieldType) (m : nat) (y C : 'I_m -> F) (lam : F) (R : 'I_m -> 'I_m -> F) (a : 'I_m -> F)
    (b : F),
  proved y C lam R a b ->
  (forall i : 'I_m, bound C lam a i -> gm y R a b i = 1) <-> (forall i : 'I_m, 1 <= gm y R a b i).

Definition wrong : Prop :=
  forall (F : realFieldType) (m : nat) (y C : 'I_m -> F) (lam : F) (R : 'I_m -> 'I_m -> F) (a : 'I_m -> F)
    (b : F),
  proved y C lam R a b ->
  (forall i : 'I_m, free C lam a i -> gm y R a b i = 1) <-> (forall i : 'I_m, 1 <= gm y R a b i).

Definition proved : right := @hard_margin.
Fail Definition falsified : wrong := @hard_margin.

End Checker_hard_margin.
