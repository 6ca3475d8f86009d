(* Checker.duality_gap falsified: the lower bound for the upper. The proof of the theorem must fail here. *)
Set Warnings "-notation-overridden,-ambiguous-paths".
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From Orca Require Import Svm Checker.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Twin.

Variables (F : realFieldType) (V : lmodType F) (H : inner_product V).
Variables (m : nat) (phi : 'I_m -> V) (y : 'I_m -> F) (C : 'I_m -> F).
Hypothesis y_sign : forall i, y i = 1 \/ y i = -1.
Hypothesis C_gt0 : forall i, 0 < C i.
Variables (lam : F) (R : 'I_m -> 'I_m -> F).
Hypothesis lam_gt0 : 0 < lam.
Hypothesis gram_ratio : forall i j, K H phi i j = lam * R i j.
Variable a : 'I_m -> F.
Local Notation "<< u , v >>" := (dot H u v) (format "<< u ,  v >>").
Local Notation alpha := (Checker.alpha lam a).
Local Notation w := (Checker.w phi y lam a).
Local Notation gm := (Checker.gm y R a).
Local Notation margin_gm := (Checker.margin_gm y lam_gt0 gram_ratio a).
Local Notation P := (P H phi y C).
Local Notation D := (D H phi y).
Let lam0 : lam != 0. Proof. by rewrite gt_eqF. Qed.

Theorem falsified b (C0 lower upper : F) (omega u v p q : 'I_m -> F) (k0 k1 k2 : F) (S : {set 'I_m}) :
  let tau := lam * C0 in
  0 < C0 -> 0 < lower -> enclosed lower upper tau ->
  (forall i, 0 <= omega i) -> (forall i, C i = C0 * omega i) ->
  (forall i, a i = u i + tau * v i) -> (forall i, gm b i - 1 = p i + q i * tau) ->
  lam * << w, w >> = k0 + k1 * tau + k2 * tau ^+ 2 ->
  (forall i, i \in S -> 0 <= - p i - q i * lower /\ 0 <= - p i - q i * upper) ->
  P w b - D alpha <= C0 *
    (over_low lower upper (k0 - \sum_i u i) (k1 - \sum_i v i - \sum_(i in S) omega i * p i)
                           (k2 - \sum_(i in S) omega i * q i)
     + \sum_(i in ~: S) omega i * Num.max 0 (Num.max (- p i - q i * lower) (- p i - q i * upper))).
Proof.
move=> tau C00 lo0 tin om0 CE aE gE normE inS.
have tau0 : tau != 0 by rewrite mulf_neq0 // gt_eqF.
have range i : Num.min (- p i - q i * lower) (- p i - q i * upper) <= 1 - gm b i
               <= Num.max (- p i - q i * lower) (- p i - q i * upper).
  have /andP[] := linear_between (- q i) (enclosed_le tin).
  have -> : 1 - gm b i = - p i - q i * tau by rewrite -opprB gE; ring.
  rewrite !mulNr => le1 le2; apply/andP; split.
    by rewrite -addr_minr ler_add2l.
  by rewrite -addr_maxr ler_add2l.
have slE i : slack H phi y w b i = Num.max 0 (1 - gm b i) by rewrite /slack margin_gm.
have sure i : i \in S -> slack H phi y w b i = - p i - q i * tau.
  move=> /inS[l h]; rewrite slE.
  have -> : - p i - q i * tau = 1 - gm b i by rewrite -opprB gE; ring.
  apply/max_r; case/andP: (range i) => le _; apply: le_trans le.
  by rewrite le_minr l h.
rewrite gap_formula -/w.
have -> : << w, w >> - \sum_i alpha i + \sum_i C i * slack H phi y w b i =
  C0 * (((k0 - \sum_i u i) + (k1 - \sum_i v i - \sum_(i in S) omega i * p i) * tau
          + (k2 - \sum_(i in S) omega i * q i) * tau ^+ 2) / tau
        + \sum_(i in ~: S) omega i * slack H phi y w b i).
  have -> : << w, w >> = (k0 + k1 * tau + k2 * tau ^+ 2) / lam by rewrite -normE mulrC mulKf.
  have -> : \sum_i alpha i = (\sum_i u i + tau * \sum_i v i) / lam.
    by rewrite mulr_sumr -big_split mulr_suml; apply: eq_bigr => i _; rewrite /alpha aE.
  have -> : \sum_i C i * slack H phi y w b i = C0 * (- (\sum_(i in S) omega i * p i)
      - tau * (\sum_(i in S) omega i * q i) + \sum_(i in ~: S) omega i * slack H phi y w b i).
    rewrite (bigID (mem S)) /= mulrDr; congr (_ + _); last first.
      by rewrite mulr_sumr; apply: eq_big => i; rewrite ?inE // => _; rewrite CE mulrA.
    rewrite mulr_sumr -!sumrN -big_split mulr_sumr; apply: eq_bigr => i iS /=.
    by rewrite CE sure //; ring.
  by rewrite /tau; field; rewrite lam0 gt_eqF.
rewrite ler_pmul2l //; apply: ler_add.
  exact: (proj2 (andP (tau_over tin _ _ _ lo0))).
apply: ler_sum => i _; apply: ler_wpmul2l => //.
rewrite slE le_maxl le_maxr lexx /= le_maxr; case/andP: (range i) => _ ->.
by rewrite orbT.
Qed.

End Twin.
