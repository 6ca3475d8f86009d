(* Svm.dual_kernel falsified: the factor 1/2 forgotten. The proof of the theorem must fail here. *)
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
Local Notation K := (Svm.K H phi).
Local Notation D := (Svm.D H phi y).
Local Notation norm2_kernel := (Svm.norm2_kernel H phi y).

Theorem falsified a : D a = \sum_i a i - \sum_i \sum_j a i * a j * y i * y j * K i j.
Proof. by rewrite /D norm2_kernel mulrC. Qed.

End Twin.
