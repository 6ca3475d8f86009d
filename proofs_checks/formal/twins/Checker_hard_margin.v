(* Checker.hard_margin falsified: the free points for the bound ones. The proof of the theorem must fail here. *)
Set Warnings "-notation-overridden,-ambiguous-paths".
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From Orca Require Import Svm Checker.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Twin.

Variables (F : realFieldType) (V : lmodType F) (H : inner_product V).
Variables (m : nat) (phi : 'I_m -> V) (y : 'I_m -> F) (C : 'I_m -> F).
Hypothesis y_sign : forall i, y i = 1 \/ y i = -1.
Hypothesis C_gt0 : forall i, 0 < C i.
Variables (lam : F) (R : 'I_m -> 'I_m -> F).
Hypothesis lam_gt0 : 0 < lam.
Hypothesis gram_ratio : forall i j, K H phi i j = lam * R i j.
Variable a : 'I_m -> F.
Local Notation "<< u , v >>" := (dot H u v) (format "<< u ,  v >>").
Local Notation gm := (Checker.gm y R a).
Local Notation free := (Checker.free C lam a).
Local Notation bound := (Checker.bound C lam a).
Local Notation proved := (Checker.proved y C lam R a).

Theorem falsified b : proved b -> (forall i, free i -> gm b i = 1) <-> forall i, 1 <= gm b i.
Proof.
case=> _ prim comp; split=> hard i => [|bi]; last by apply: le_anti; rewrite hard (comp i).2.
by have [/hard ->|/prim] := boolP (bound i).
Qed.

End Twin.
