(* Checker.tau_sign_pos falsified: 0 at both ends. The proof of the theorem must fail here. *)
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

Theorem falsified (p q : F) : 0 <= p + q * lower -> 0 <= p + q * upper ->
  (0 <= p + q * lower) || (0 <= p + q * upper) -> 0 < p + q * tau.
Proof.
case/orP: tau_in => [/andP[/eqP-> /eqP->]|between] lo hi; first by rewrite orbb.
have /andP[lt gt] := between; have pos : 0 < upper - lower by rewrite subr_gt0 (lt_trans lt gt).
move=> some; rewrite -(pmulr_rgt0 _ pos) tau_ends.
case/orP: some => s; first by rewrite ltr_paddr ?mulr_ge0 ?mulr_gt0 ?subr_ge0 ?subr_gt0 // ltW.
by rewrite ltr_paddl ?mulr_ge0 ?mulr_gt0 ?subr_ge0 ?subr_gt0 // ltW.
Qed.

End Twin.
