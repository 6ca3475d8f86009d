(* Svm.slack_admissible falsified: the sign of the slack. The proof of the theorem must fail here. *)
Set Warnings "-notation-overridden,-ambiguous-paths".
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From Orca Require Import Svm.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Twin.

Variables (R : realFieldType) (V : lmodType R) (H : inner_product V).
Variables (m : nat) (phi : 'I_m -> V) (y : 'I_m -> R).
Local Notation "<< u , v >>" := (dot H u v) (format "<< u ,  v >>").
Implicit Types (C a xi : 'I_m -> R) (w : V) (b : R).
Hypothesis y_sign : forall i, y i = 1 \/ y i = -1.
Local Notation slack := (Svm.slack H phi y).
Local Notation admissible := (Svm.admissible H phi y).
Local Notation slack_ge0 := (Svm.slack_ge0 H phi y).
Local Notation slack_margin := (Svm.slack_margin H phi y).

Theorem falsified w b : admissible w b (fun i => - slack w b i).
Proof. by move=> i; split; [apply: slack_ge0 | apply: slack_margin]. Qed.

End Twin.
