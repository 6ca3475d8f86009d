(* Checker.exact_kkt falsified: a for alpha. The proof of the theorem must fail here. *)
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
Local Notation free := (Checker.free C lam a).
Local Notation bound := (Checker.bound C lam a).
Local Notation proved := (Checker.proved y C lam R a).
Local Notation margin_gm := (Checker.margin_gm y lam_gt0 gram_ratio a).
Local Notation dual_feasible := (Checker.dual_feasible lam_gt0).
Local Notation alpha_lt := (Checker.alpha_lt C lam_gt0 a).
Local Notation alpha_gt0 := (Checker.alpha_gt0 lam_gt0 a).

Theorem falsified b : proved b -> kkt H phi y C a b.
Proof.
case=> ok prim comp; split=> [|i]; first exact: dual_feasible.
rewrite -/w !margin_gm alpha_lt alpha_gt0; have /andP[a0 aC] := ok.1 i.
split=> h; first by apply: prim; rewrite /bound lt_eqF.
have [bi|nb] := boolP (bound i); first exact: (comp i).2.
by rewrite (comp i).1 // /free h /= lt_neqAle nb.
Qed.

End Twin.
