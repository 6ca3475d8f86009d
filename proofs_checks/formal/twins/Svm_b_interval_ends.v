(* Svm.b_interval_ends falsified: one class may be missing. The proof of the theorem must fail here. *)
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
Local Notation primal_optimal := (Svm.primal_optimal H phi y).
Local Notation kkt := (Svm.kkt H phi y).
Local Notation floor_point := (Svm.floor_point y).
Local Notation ceil_point := (Svm.ceil_point y).
Local Notation b_interval := (Svm.b_interval y_sign).

Theorem falsified C a b0 : (forall i, 0 < C i) -> (exists i, y i = 1) -> (exists i, y i = 1) ->
  kkt C a b0 -> exists i j, [/\ floor_point C a i, ceil_point C a j & forall b,
    primal_optimal C (w_of a) b <-> y i - << w_of a, phi i >> <= b <= y j - << w_of a, phi j >>].
Proof.
move=> C0 [p yp] [n yn] k; have [[box bal] _] := k.
have ends (s : R) : s = 1 \/ s = -1 ->
    exists i, (y i == s) && (a i < C i) || (y i == - s) && (0 < a i).
  move=> s1; apply/existsP; apply: contraT; rewrite negb_exists => /forallP none.
  have full i : y i = s -> a i = C i.
    move=> yi; have := none i; rewrite yi eqxx negb_or /= -leNgt => /andP[Ca _].
    by apply/eqP; rewrite eq_le Ca andbT; case/andP: (box i).
  have empty i : y i = - s -> a i = 0.
    move=> yi; have := none i; rewrite yi eqxx negb_or /= -leNgt => /andP[_ a0].
    by apply/eqP; rewrite eq_le a0 /=; case/andP: (box i).
  have yss i : y i = s \/ y i = - s.
    by case: s1 (y_sign i) => -> []; rewrite ?opprK; auto.
  have [q yq] : exists q, y q = s by case: s1 => ->; [exists p | exists n].
  have : 0 < \sum_i a i * y i * s.
    rewrite (bigD1 q) //= full // yq ltr_paddr //.
      apply: sumr_ge0 => i _; have [yi|yi] := yss i; last by rewrite empty // !mul0r.
      by rewrite yi -mulrA -expr2 mulr_ge0 ?sqr_ge0 //; case/andP: (box i).
    by rewrite -mulrA -expr2 mulr_gt0 // exprn_even_gt0 //=; case: s1 => ->; rewrite ?oppr_eq0 oner_eq0.
  by rewrite -mulr_suml bal mul0r ltxx.
have [i0 fi0] : exists i, floor_point C a i by have [i h] := ends 1 (or_introl erefl); exists i.
have [j0 cj0] : exists j, ceil_point C a j.
  by have [j h] := ends (-1) (or_intror erefl); exists j; rewrite /ceil_point orbC; rewrite opprK in h.
pose f i := y i - << w_of a, phi i >>.
have [i fi imax] := @arg_maxP _ _ _ i0 (floor_point C a) f fi0.
have [j cj jmin] := @arg_minP _ _ _ j0 (ceil_point C a) f cj0.
exists i, j; split=> // b; rewrite (b_interval b k); split=> [[fl ce]|/andP[ib bj]].
  by rewrite fl ?ce.
by split=> l hl; [apply: le_trans (imax l hl) ib | apply: le_trans bj (jmin l hl)].
Qed.

End Twin.
