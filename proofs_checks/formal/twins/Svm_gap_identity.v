(* Svm.gap_identity falsified: the factor 1/2 forgotten. The proof of the theorem must fail here. *)
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
Local Notation slack := (Svm.slack H phi y).
Local Notation P := (Svm.P H phi y).
Local Notation w_of := (Svm.w_of phi y).
Local Notation D := (Svm.D H phi y).
Local Notation sum_margin := (Svm.sum_margin H phi).

Theorem falsified C a w b : \sum_i a i * y i = 0 ->
  P C w b - D a = << w - w_of a, w - w_of a >>
    + \sum_i a i * (margin w b i - 1 + slack w b i) + \sum_i (C i - a i) * slack w b i.
Proof.
move=> bal; rewrite -[RHS]addrA.
have -> : \sum_i a i * (margin w b i - 1 + slack w b i) + \sum_i (C i - a i) * slack w b i =
    << w, w_of a >> + (\sum_i C i * slack w b i - \sum_i a i).
  rewrite -(sum_margin w b bal) -sumrB -!big_split; apply: eq_bigr => i _ /=; ring.
by rewrite dot_sub /P /D; field.
Qed.

End Twin.
