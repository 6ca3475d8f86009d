(* Svm.gap_distance falsified: the factor 1/2 forgotten. The proof of the theorem must fail here. *)
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
Local Notation gap_identity := (Svm.gap_identity H phi).
Local Notation gap_terms := (Svm.gap_terms H phi y).

Theorem falsified C a w b : feasible C a ->
  << w - w_of a, w - w_of a >> <= P C w b - D a.
Proof.
case=> box bal; rewrite gap_identity // -addrA ler_addl addr_ge0 // sumr_ge0 // => i _.
  exact: (gap_terms w b (box i)).1.
exact: (gap_terms w b (box i)).2.
Qed.

End Twin.
