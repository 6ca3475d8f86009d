(* Checker.hard_margin_stays falsified: C lowered. The proof of the theorem must fail here. *)
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
Local Notation w := (Checker.w phi y lam a).
Local Notation gm := (Checker.gm y R a).
Local Notation bound := (Checker.bound C lam a).
Local Notation proved := (Checker.proved y C lam R a).
Local Notation margin_gm := (Checker.margin_gm y lam_gt0 gram_ratio a).
Local Notation level_exact := (Checker.level_exact C_gt0 lam_gt0 gram_ratio).
Local Notation P := (P H phi y C).

Theorem falsified b C' : proved b -> (forall i, C' i <= C i) -> (forall i, bound i -> gm b i = 1) ->
  Svm.primal_optimal H phi y C' w b /\ Svm.P H phi y C' w b = P w b.
Proof.
move=> pr CC /(hard_margin pr) hard; have [opt _ _ _] := level_exact pr.
by apply: hard_margin_raise => // i; rewrite margin_gm.
Qed.

End Twin.
