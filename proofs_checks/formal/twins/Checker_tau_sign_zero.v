(* Checker.tau_sign_zero falsified: 0 at one end. The proof of the theorem must fail here. *)
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

Theorem falsified (p q : F) : p + q * lower = 0 -> 0 <= p + q * upper -> p + q * tau = 0.
Proof.
case/orP: tau_in => [/andP[/eqP-> _]//|between] lo hi.
have /andP[lt gt] := between; have pos : 0 < upper - lower by rewrite subr_gt0 (lt_trans lt gt).
by apply: (mulfI (lt0r_neq0 pos)); rewrite tau_ends lo hi !mulr0 addr0.
Qed.

End Twin.
