(* Svm.alpha_unique falsified: the tight points turned round. The proof of the theorem must fail here. *)
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
Local Notation margin := (Svm.margin H phi y).
Local Notation w_of := (Svm.w_of phi y).
Local Notation primal_optimal := (Svm.primal_optimal H phi y).
Local Notation dual_optimal := (Svm.dual_optimal H phi y).
Local Notation kkt := (Svm.kkt H phi y).
Local Notation alpha_unique_trivial := (Svm.alpha_unique_trivial y_sign).
Local Notation bordered := (Svm.bordered H phi).

Theorem falsified C a b0 (T : {set 'I_m}) : kkt C a b0 ->
  (forall i, i \in T -> exists2 b, primal_optimal C (w_of a) b & margin (w_of a) b i != 1) ->
  bordered T \in unitmx -> forall a', dual_optimal C a' -> a' =1 a.
Proof. by move=> k loose /bordered_unit_trivial; apply: alpha_unique_trivial k loose. Qed.

End Twin.
