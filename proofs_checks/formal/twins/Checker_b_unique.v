(* Checker.b_unique falsified: any two ends. The proof of the theorem must fail here. *)
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
Local Notation primal_optimal := (primal_optimal H phi y C).

Theorem falsified b1 b2 : b1 <= b2 -> (forall b, primal_optimal w b <-> b1 <= b <= b2) ->
  b1 <= b2 <-> forall b b', primal_optimal w b -> primal_optimal w b' -> b = b'.
Proof.
move=> le whole; split=> [e b b'|one]; last by apply: one; apply/whole; rewrite ?lexx ?le.
by move=> /whole + /whole; rewrite e => /le_anti <- /le_anti <-.
Qed.

End Twin.
