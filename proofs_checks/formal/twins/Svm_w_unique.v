(* Svm.w_unique falsified: b is not unique. The proof of the theorem must fail here. *)
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
Local Notation primal_optimal := (Svm.primal_optimal H phi y).

Theorem falsified C w b w' b' : (forall i, 0 <= C i) ->
  primal_optimal C w b -> primal_optimal C w' b' -> w' = w /\ b' = b.
Proof.
move=> C0 opt opt'; have := strong_convexity w' b' C0 opt.
have /eqP -> : P C w' b' == P C w b by rewrite eq_le opt opt'.
rewrite subrr => le; apply/eqP; rewrite -subr_eq0; apply/eqP/(@dot_eq0 _ _ H)/eqP.
rewrite eq_le dot_ge0 andbT.
by move: le; rewrite pmulr_lle0 // invr_gt0 ltr0n.
Qed.

End Twin.
