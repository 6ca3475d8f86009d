(* Svm.gap_formula falsified: a factor 1/2. The proof of the theorem must fail here. *)
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
Local Notation P := (Svm.P H phi y).
Local Notation w_of := (Svm.w_of phi y).
Local Notation D := (Svm.D H phi y).

Theorem falsified C a b :
  P C (w_of a) b - D a = << w_of a, w_of a >> / 2%:R - \sum_i a i + \sum_i C i * slack (w_of a) b i.
Proof. by rewrite /P /D; field. Qed.

End Twin.
