(* Checker.w_error_sqrt falsified: the square forgotten. The proof of the theorem must fail here. *)
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


Theorem falsified (F : rcfType) (V : lmodType F) (H : inner_product V) (u : V) (err : F) : 0 <= err ->
  dot H u u <= err <-> Num.sqrt (dot H u u) <= err.
Proof.
move=> e0; suff -> : (Num.sqrt (dot H u u) <= err) = (dot H u u <= err ^+ 2) by [].
by rewrite -[X in _ = (X <= _)](sqr_sqrtr (dot_ge0 H u)) ler_sqr ?nnegrE ?sqrtr_ge0.
Qed.

End Twin.
