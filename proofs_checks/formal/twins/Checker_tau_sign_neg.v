(* Checker.tau_sign_neg falsified: two signs. The proof of the theorem must fail here. *)
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
Local Notation tau_sign_pos := (tau_sign_pos tau_in).

Theorem falsified (p q : F) : 0 <= p + q * lower -> p + q * upper <= 0 ->
  (p + q * lower < 0) || (p + q * upper < 0) -> p + q * tau < 0.
Proof.
have neg (t : F) : - p + - q * t = - (p + q * t) by ring.
move=> lo hi some; rewrite -oppr_gt0 -neg; apply: tau_sign_pos; rewrite !neg ?oppr_ge0 //.
by rewrite !oppr_gt0.
Qed.

End Twin.
