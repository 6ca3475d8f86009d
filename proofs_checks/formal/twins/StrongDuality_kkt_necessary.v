(* StrongDuality.kkt_necessary falsified: b off by one. The proof of the theorem must fail here. *)
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
Local Notation no_descent := (no_descent C_ge0).

Theorem falsified w b : primal_optimal w b -> exists2 a, w = w_of a & kkt a (b + 1).
Proof.
move=> opt; pose U i := if 1 < margin w b i then 0 else C i.
pose G := pair_inner (pair_inner H (line R)) (euclid R m).
pose unit i : 'rV[R]_m := delta_mx 0 i.
pose gen (k : 'I_m + 'I_m) : (V * R^o) * 'rV[R]_m := match k with
  | inl i => ((y i *: phi i, y i : R^o), unit i)
  | inr i => (0, if margin w b i < 1 then 0 else unit i) end.
pose target : (V * R^o) * 'rV[R]_m := ((w, 0 : R^o), \row_i U i).
have dunit i (s : 'rV[R]_m) : dot (euclid R m) (unit i) s = s 0 i.
  rewrite /= (bigD1 i) //= mxE !eqxx mul1r big1 ?addr0 // => j ne.
  by rewrite mxE eqxx (negbTE ne) mul0r.
have [[u u0 tE]|[[[d e] s] neg pos]] := farkas G gen target; last first.
  have tgt : dot G target (d, e, s) = << w, d >> + 0 * e + \sum_i (\row_i U i) 0 i * s 0 i by [].
  have dl i : dot G (gen (inl i)) (d, e, s) =
    << y i *: phi i, d >> + y i * e + dot (euclid R m) (unit i) s by [].
  have dr i : dot G (gen (inr i)) (d, e, s) =
    << 0, d >> + 0 * e + dot (euclid R m) (if margin w b i < 1 then 0 else unit i) s by [].
  suff : << w, d >> + \sum_i U i * s 0 i <= 0.
    rewrite leNgt => /negP; case; move: pos; rewrite tgt mul0r addr0.
    by under eq_bigr do rewrite mxE.
  apply: (no_descent (e := e) opt) => // i => [|mi].
    by have := neg (inl i); rewrite dl dunit dotZl (dotC H) -mulrDr.
  have nm : (margin w b i < 1) = false by rewrite ltNge mi.
  by have := neg (inr i); rewrite dr nm dunit dot0l mul0r !add0r.
pose a i := u (inl i); have [e1 e2 e3] := sum_triple u gen; rewrite -tE !big_sumType in e1 e2.
have wE : w = w_of a.
  move: e1; rewrite /= [X in _ + X]big1 => [|i _]; last by rewrite scaler0.
  by rewrite addr0 => ->; apply: eq_bigr => i _; rewrite scalerA.
have bal : \sum_i a i * y i = 0.
  by move: e2; rewrite /= [X in _ + X]big1 => [|i _]; [rewrite addr0 | rewrite mulr0].
have box i : a i + (if margin w b i < 1 then 0 else u (inr i)) = U i.
  have := e3 i; rewrite -tE big_sumType mxE => -> /=; congr (_ + _).
    rewrite (bigD1 i) //= big1 => [|j ne]; first by rewrite mxE !eqxx mulr1 addr0.
    by rewrite mxE (eq_sym i) (negbTE ne) andbF mulr0.
  rewrite (bigD1 i) //= big1 => [|j ne]; last first.
    by case: ifP => _; rewrite mxE ?(eq_sym i) ?(negbTE ne) ?andbF mulr0.
  by rewrite addr0; case: ifP => _; rewrite mxE ?eqxx ?(mulr1, mulr0).
have U_le i : U i <= C i by rewrite /U; case: ifP.
have a_le i : a i <= U i by rewrite -box ler_addl; case: ifP.
exists a => //; split=> [|i].
  by split=> // i; rewrite u0 /= (le_trans (a_le i)).
rewrite -wE; split=> [lt|gt].
  rewrite leNgt; apply/negP => m1; have := box i; rewrite m1 addr0 /U ltNge (ltW m1) /= => aC.
  by rewrite aC ltxx in lt.
rewrite leNgt; apply/negP => m1; have := a_le i; rewrite /U m1 => a0.
by rewrite ltNge a0 in gt.
Qed.

End Twin.
