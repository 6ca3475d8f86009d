(* Svm.representer falsified: alpha without y: nonnegative coefficients. The proof of the theorem must fail here. *)
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
Local Notation primal_optimal := (Svm.primal_optimal H phi y).
Local Notation projection := (Svm.projection H phi).

Theorem falsified C w b : primal_optimal C w b -> exists c : 'I_m -> R, (forall i, 0 <= c i) /\ w = \sum_i c i *: phi i.
Proof.
move=> opt; have [c same] := projection w; exists c; set w0 := \sum_i _ in same *.
have := opt w0 b; rewrite /P.
rewrite [X in _ <= _ + X](eq_bigr (fun i => C i * slack w b i)); last first.
  by move=> i _; rewrite /slack /margin same.
rewrite ler_add2r => le; have orth : << w, w0 >> = << w0, w0 >>.
  by rewrite {1 3}/w0 !dot_sumr; apply: eq_bigr => i _; rewrite !dotZr same.
apply/eqP; rewrite -subr_eq0; apply/eqP/(@dot_eq0 _ _ H)/eqP; rewrite eq_le dot_ge0 andbT dot_sub orth.
have -> : << w, w >> - 2%:R * << w0, w0 >> + << w0, w0 >> = << w, w >> - << w0, w0 >> by ring.
by move: le; rewrite ler_pmul2r ?invr_gt0 ?ltr0n // subr_le0.
Qed.

End Twin.
