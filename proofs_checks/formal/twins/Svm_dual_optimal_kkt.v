(* Svm.dual_optimal_kkt falsified: alpha is not always unique. The proof of the theorem must fail here. *)
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
Local Notation dual_optimal := (Svm.dual_optimal H phi y).
Local Notation kkt := (Svm.kkt H phi y).
Local Notation zero_gap_kkt := (Svm.zero_gap_kkt H phi).

Theorem falsified C a b a' : kkt C a b -> dual_optimal C a' -> w_of a' = w_of a /\ a' =1 a.
Proof.
move=> k [ok' opt']; have [gap0 _ [ok opt]] := kkt_optimal k.
suff [-> k'] : w_of a = w_of a' /\ kkt C a' b by [].
by apply/zero_gap_kkt => //; rewrite gap0; apply/eqP; rewrite eq_le opt ?opt'.
Qed.

End Twin.
