(* Checker.tau_over falsified: not divided by tau. The proof of the theorem must fail here. *)
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

Variables (F : realFieldType) (lower upper tau : F).
Hypothesis tau_in : enclosed lower upper tau.
Local Notation over_low := (over_low lower upper).
Local Notation over_high := (over_high lower upper).
Local Notation enclosed_le := (enclosed_le tau_in).

Theorem falsified (k0 k1 k2 : F) : 0 < lower ->
  over_low k0 k1 k2 <= k0 + k1 * tau + k2 * tau ^+ 2 <= over_high k0 k1 k2.
Proof.
move=> pos; have /andP[lo hi] := enclosed_le; have tau0 : 0 < tau by apply: lt_le_trans pos lo.
have up0 : 0 < upper by apply: lt_le_trans tau0 hi.
have -> : (k0 + k1 * tau + k2 * tau ^+ 2) / tau = k1 + (k0 * tau^-1 + k2 * tau).
  by field; rewrite gt_eqF.
have /andP[l2 h2] := linear_between k2 enclosed_le.
have /andP[l0 h0] : Num.min (k0 * upper^-1) (k0 * lower^-1) <= k0 * tau^-1
                      <= Num.max (k0 * upper^-1) (k0 * lower^-1).
  by apply: linear_between; rewrite !lef_pinv ?posrE // lo hi.
by rewrite /over_low /over_high !ler_add2l minC maxC !ler_add.
Qed.

End Twin.
