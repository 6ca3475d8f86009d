(* Checker.ends_suffice falsified: one end forgotten. The proof of the theorem must fail here. *)
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
Local Notation proved := (Checker.proved y C lam R a).

Theorem falsified b1 b2 b : proved b1 -> proved b2 -> b1 <= b -> proved b.
Proof.
case=> ok prim1 comp1 [_ prim2 comp2] /andP[le1 le2].
have between i : (gm b1 i <= gm b i <= gm b2 i) || (gm b2 i <= gm b i <= gm b1 i).
  rewrite /gm; have [->|->] := y_sign i; first by rewrite !mul1r !ler_add2l le1 le2.
  by rewrite !mulN1r !ler_opp2 !ler_add2l le1 le2 orbT.
split=> // i => [nb|].
  by case/orP: (between i) => /andP[lo hi]; [apply: le_trans lo | apply: le_trans lo]; auto.
split=> [fr|bo].
  have e1 := (comp1 i).1 fr; have e2 := (comp2 i).1 fr; apply: le_anti.
  by case/orP: (between i); rewrite e1 e2 andbC.
case/orP: (between i) => /andP[lo hi]; apply: le_trans hi _.
  exact: (comp2 i).2.
exact: (comp1 i).2.
Qed.

End Twin.
