(* Svm.gap_both falsified: a factor 1/2 forgotten. The proof of the theorem must fail here. *)
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
Local Notation gap_distance := (Svm.gap_distance H phi).

Theorem falsified C a w b ws bs : (forall i, 0 <= C i) -> feasible C a -> primal_optimal C ws bs ->
  << w - ws, w - ws >> + << w_of a - ws, w_of a - ws >> / 2%:R <= P C w b - D a.
Proof.
move=> C0 ok opt.
have -> : P C w b - D a = (P C w b - P C ws bs) + (P C ws bs - D a) by ring.
apply: ler_add; first exact: strong_convexity.
have <- : << ws - w_of a, ws - w_of a >> = << w_of a - ws, w_of a - ws >>.
  by rewrite !dot_sub (dotC _ ws); ring.
exact: gap_distance.
Qed.

End Twin.
