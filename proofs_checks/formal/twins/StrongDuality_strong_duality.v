(* StrongDuality.strong_duality falsified: a factor 2. The proof of the theorem must fail here. *)
Set Warnings "-notation-overridden,-ambiguous-paths".
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From Orca Require Import Svm StrongDuality.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Twin.

Variables (R : realFieldType) (V : lmodType R) (H : inner_product V).
Variables (m : nat) (phi : 'I_m -> V) (y C : 'I_m -> R).
Hypothesis C_ge0 : forall i, 0 <= C i.
Local Notation "<< u , v >>" := (dot H u v) (format "<< u ,  v >>").
Local Notation margin := (margin H phi y).
Local Notation P := (P H phi y C).
Local Notation D := (D H phi y).
Local Notation w_of := (w_of phi y).
Local Notation kkt := (kkt H phi y C).
Local Notation feasible := (feasible y C).
Local Notation primal_optimal := (primal_optimal H phi y C).
Local Notation dual_optimal := (dual_optimal H phi y C).
Local Notation kkt_necessary := (kkt_necessary C_ge0).

Theorem falsified w b : primal_optimal w b -> exists2 a, dual_optimal a & P w b = 2%:R * D a.
Proof. by move=> /kkt_necessary[a -> /kkt_optimal[gap0 _ opt]]; exists a. Qed.

End Twin.
