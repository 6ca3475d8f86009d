(* Svm.kkt_optimal falsified: feasible only, not KKT. The proof of the theorem must fail here. *)
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
Local Notation P := (Svm.P H phi y).
Local Notation w_of := (Svm.w_of phi y).
Local Notation D := (Svm.D H phi y).
Local Notation feasible := (Svm.feasible y).
Local Notation primal_optimal := (Svm.primal_optimal H phi y).
Local Notation dual_optimal := (Svm.dual_optimal H phi y).
Local Notation weak_duality := (Svm.weak_duality H phi).
Local Notation zero_gap_kkt := (Svm.zero_gap_kkt H phi).

Theorem falsified C a b : feasible C a ->
  [/\ P C (w_of a) b = D a, primal_optimal C (w_of a) b & dual_optimal C a].
Proof.
move=> k; have ok := k.1; have gap0 : P C (w_of a) b = D a by apply/zero_gap_kkt.
split=> // [w' b'|]; first by rewrite gap0 weak_duality.
by split=> // a' ok'; rewrite -gap0 weak_duality.
Qed.

End Twin.
