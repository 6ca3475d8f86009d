(* Svm.alpha_unique_trivial falsified: the tight points turned round. The proof of the theorem must fail here. *)
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
Local Notation bordered_trivial := (Svm.bordered_trivial H phi).

Theorem falsified C a b0 (T : {set 'I_m}) : kkt C a b0 ->
  (forall i, i \notin T -> exists2 b, primal_optimal C (w_of a) b & margin (w_of a) b i == 1) ->
  bordered_trivial T -> forall a', dual_optimal C a' -> a' =1 a.
Proof.
move=> k loose triv a' opt'; pose s i := (a' i - a i) * y i.
have [ww k'] := dual_optimal_kkt k opt'.
have out i : i \notin T -> s i = 0.
  move=> /loose[b /(optimal_b_kkt _ k) kb mb].
  have [_ kb'] := dual_optimal_kkt kb opt'.
  have [lo hi] := kb.2 i; have [lo' hi'] := kb'.2 i; rewrite ww in lo' hi'.
  have /andP[a0 aC] := kb.1.1 i; have /andP[a0' aC'] := kb'.1.1 i.
  suff e : a' i = a i by rewrite /s e subrr mul0r.
  move: mb; rewrite neq_lt => /orP[] mb.
    have atC x : x <= C i -> (x < C i -> 1 <= margin (w_of a) b i) -> x = C i.
      by move=> xC le; apply/eqP; rewrite eq_le xC leNgt; apply/negP => /le; rewrite leNgt mb.
    by rewrite (atC _ aC lo) (atC _ aC' lo').
  have at0 (x : R) : 0 <= x -> (0 < x -> margin (w_of a) b i <= 1) -> x = 0.
    by move=> x0 le; case: (ltP 0 x) => [/le|h]; [rewrite leNgt mb | apply/le_anti/andP].
  by rewrite (at0 _ a0 hi) (at0 _ a0' hi').
have sphi : \sum_i s i *: phi i = 0.
  rewrite (eq_bigr (fun i => (a' i * y i) *: phi i - (a i * y i) *: phi i)).
    by rewrite sumrB -/(w_of a') -/(w_of a) ww subrr.
  by move=> i _; rewrite -scalerBl /s mulrBl.
have s0 : forall i, s i = 0.
  apply: triv => // [i _|].
    rewrite -[RHS](dot0r H (phi i)) -sphi dot_sumr; apply: eq_bigr => j _.
    by rewrite dotZr mulrC.
  rewrite (eq_bigr (fun i => a' i * y i - a i * y i)); last by move=> i _; rewrite /s mulrBl.
  by rewrite sumrB k'.1.2 k.1.2 subrr.
move=> i; apply/eqP; rewrite -subr_eq0; have := s0 i; rewrite /s => /eqP.
by rewrite mulf_eq0; have [->|->] := y_sign i; rewrite ?oppr_eq0 oner_eq0 orbF.
Qed.

End Twin.
