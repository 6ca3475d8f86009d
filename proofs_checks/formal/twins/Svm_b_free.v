(* Svm.b_free falsified: y_i forgotten. The proof of the theorem must fail here. *)
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
Local Notation w_of := (Svm.w_of phi y).
Local Notation primal_optimal := (Svm.primal_optimal H phi y).
Local Notation kkt := (Svm.kkt H phi y).
Local Notation floor_point := (Svm.floor_point y).
Local Notation ceil_point := (Svm.ceil_point y).
Local Notation b_interval := (Svm.b_interval y_sign).

Theorem falsified C a b0 b i : kkt C a b0 -> 0 < a i < C i ->
  primal_optimal C (w_of a) b -> b = 1 - << w_of a, phi i >>.
Proof.
move=> k /andP[a0 aC] /(b_interval _ k)[fl ce]; apply/eqP; rewrite eq_le.
rewrite fl /floor_point ?ce /ceil_point ?a0 ?aC //.
by have [->|->] := y_sign i; rewrite eqxx ?orbT.
by have [->|->] := y_sign i; rewrite eqxx ?orbT.
Qed.

End Twin.
