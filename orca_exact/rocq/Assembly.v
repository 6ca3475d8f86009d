(** * From columns to shares, for any arithmetic

    If the columns of the points carry the right polynomials, up to factors t_il of one's choice,
    and the weights of the points undo these factors, then the vectors of Engine.v stand for
    mu times the sums of w_k^2 over the modes, and the scores for multiples of <w, phi_i>. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring zify.
From Orca Require Import Recurrence Form Svm Expansion Rationals Claims Engine Sums Shares Checks.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma paired_nth (R : comRingType) (a : arithmetic) (rep : vec a -> {poly R} -> Prop) u0
    (us : seq (col a * col a)) (As : seq {poly R}) : size us = size As ->
  (forall l, (l < size us)%N -> let u := nth u0 us l in
    rep (vdegrees u.1 u.2) (nth 0 As l) /\ rep (vorders u.1 u.2) (oform (nth 0 As l))) ->
  paired rep us As.
Proof.
elim: us As => [|u us IH] [|A As] //= [sz] h; split; first exact: (h 0%N).
by apply: IH => // l lu; apply: (h l.+1).
Qed.

Lemma seq_enum (T : Type) (x0 : T) (s : seq T) k : size s = k ->
  s = [seq nth x0 s (val i) | i <- enum 'I_k].
Proof. by move=> <-; rewrite -{1}(mkseq_nth x0 s) /mkseq -val_enum_ord -map_comp. Qed.

Lemma zip_maps (T T1 T2 : Type) (f : T -> T1) (g : T -> T2) (r : seq T) :
  zip (map f r) (map g r) = [seq (f i, g i) | i <- r].
Proof. by elim: r => //= i r ->. Qed.

Section Assembly.
Variables (R : rcfType) (pb : problem) (h0 : 'I_(dimension pb) -> R).
Local Notation d := (dimension pb).
Local Notation m := (points pb).
Local Notation q := (order_limit pb).
Variables (a : arithmetic) (rep : vec a -> {poly R} -> Prop).
Hypothesis ok : respects rep.
Variables (wt : 'I_m -> vec a) (cols : 'I_m -> seq (col a)) (s : 'I_m -> R).
Variables (t : 'I_m -> 'I_d -> R) (kappa : R).
Hypothesis t_neq0 : forall i l, t i l != 0.
Let T i := \prod_l t i l.
Let mass0 := \prod_l h0 l.
Definition scaled_columns i j : seq {poly R} :=
  [seq (h0 l * t i l * t j l) *: column_poly h0 i j l | l <- enum 'I_d].
Hypothesis wtP : forall i, rep (wt i) (s i * kappa / T i)%:P.
Hypothesis colsP : forall i j, paired rep (zip (cols i) (cols j)) (scaled_columns i j).

Definition scale_sq : R := kappa ^+ 2 * \prod_l h0 l.
Local Notation w := (vector h0 s).

Let T_neq0 i : T i != 0. Proof. by apply/prodf_neq0 => l _. Qed.
Let theta i j := mass0 * T i * T j.

Lemma gen_scaled i j : gen (scaled_columns i j) = (theta i j)%:P%:P * pair_gen h0 i j.
Proof.
rewrite /scaled_columns (genZ _ (fun l => h0 l * t i l * t j l)) /pair_gen; congr (_%:P%:P * _).
by rewrite big_enum /= !big_split.
Qed.

Lemma size_scaled i j : size (scaled_columns i j) = d.
Proof. by rewrite size_map size_enum_ord. Qed.

Let limit_ok i j : is_limited pb || (size (scaled_columns i j) <= q)%N.
Proof. by rewrite size_scaled /is_limited; case: ltnP. Qed.

(** Sums over the points that are used. *)
Variable used : pred 'I_m.
Hypothesis unused : forall i, ~~ used i -> s i = 0.
Let pts := [seq (wt i, cols i) | i <- enum 'I_m & used i].

Lemma quadratic_form f (F : 'I_m -> 'I_m -> {poly R}) : (forall i j, F i j = F j i) ->
  (forall i j, rep (f (cols i) (cols j)) (F i j)) ->
  rep (quadratic f pts)
    (\sum_i \sum_j (s i * kappa / T i * (s j * kappa / T j)) *: F i j).
Proof.
move=> Fs fP; have := quadraticP ok (wt := wt) (cols := cols) (s := fun i => s i * kappa / T i)
  (f := f) Fs (r := [seq i <- enum 'I_m | used i]) (fun i _ => wtP i) (fun i j _ _ => fP i j).
have drop (g : 'I_m -> {poly R}) : (forall i, s i = 0 -> g i = 0) ->
    \sum_(i <- [seq i <- enum 'I_m | used i]) g i = \sum_i g i.
  move=> g0; rewrite big_filter big_enum_cond /= [RHS](bigID used) /= [X in _ + X]big1 ?addr0 //.
  by move=> i /unused/g0.
rewrite drop => [|i si]; last by rewrite big1 // => j _; rewrite si !mul0r scale0r.
congr (rep _ _); apply: eq_bigr => i _; rewrite drop // => j sj.
by rewrite sj !mul0r mulr0 scale0r.
Qed.

Let coefE (F : 'I_m -> 'I_m -> {poly R}) (S : pred (modes pb)) N :
  (forall i j, (F i j)`_N = theta i j * form h0 S i j) ->
  (\sum_i \sum_j (s i * kappa / T i * (s j * kappa / T j)) *: F i j)`_N = scale_sq * mass w S.
Proof.
move=> FE; rewrite -form_mass coef_sum mulr_sumr; apply: eq_bigr => i _.
rewrite coef_sum mulr_sumr; apply: eq_bigr => j _; rewrite coefZ FE /theta /scale_sq -/mass0.
by field; rewrite !T_neq0.
Qed.

Let swap i j : scaled_columns i j = scaled_columns j i.
Proof.
apply/eq_map => l; rewrite mulrAC; congr (_ *: _); apply/polyP => k.
by rewrite !coef_poly mulrC.
Qed.

Lemma orders_quadratic : exists2 f,
  rep (quadratic (@order_poly a q) pts) f &
  forall r, f`_r = scale_sq * mass w (fun k => order k == r).
Proof.
pose F i j := ptake q.+1 (\prod_(A <- scaled_columns i j) oform A).
exists (\sum_i \sum_j (s i * kappa / T i * (s j * kappa / T j)) *: F i j).
  apply: quadratic_form => [i j|i j]; first by rewrite /F swap.
  exact: (order_polyP ok).
move=> r; apply: coefE => i j; rewrite /F order_polyE gen_scaled coefCM hornerM hornerC.
case: leqP => rq; first by rewrite form_order.
by rewrite form_order_big // mulr0.
Qed.

Lemma degrees_quadratic : exists2 f,
  rep (quadratic (@degree_poly a q (is_limited pb)) pts) f &
  forall N, f`_N = scale_sq * mass w (fun k => degree k == N).
Proof.
pose F i j := \sum_(r < q.+1) (gen (scaled_columns i j))`_r.
exists (\sum_i \sum_j (s i * kappa / T i * (s j * kappa / T j)) *: F i j).
  apply: quadratic_form => [i j|i j]; first by rewrite /F swap.
  by apply: (degree_polyP ok) => //; apply: limit_ok.
move=> N; apply: coefE => i j; rewrite /F gen_scaled.
rewrite (eq_bigr (fun r : 'I_q.+1 => (theta i j)%:P * (pair_gen h0 i j)`_r)) => [|r _]; last first.
  by rewrite coefCM.
by rewrite -mulr_sumr coefCM form_degree.
Qed.

Lemma mask_form i j (A : seq nat) : (count id (column_mask d A) <= q)%N ->
  mask_value (scaled_columns i j) (column_mask d A) =
  theta i j * form h0 (fun k => act k == column_set d A) i j.
Proof.
move=> Aq; rewrite -form_subset; last first.
  apply: leq_trans Aq; rewrite /column_mask count_map -sum1_card -sum1_count.
  rewrite -val_enum_ord big_map big_enum_cond /= leq_eqVlt; apply/orP; left; apply/eqP.
  by apply: eq_bigl => l; rewrite inE.
rewrite /mask_value /scaled_columns /column_mask -val_enum_ord -map_comp.
rewrite zip_maps big_map big_enum /= /theta /mass0 /T -!big_split /=; apply: eq_bigr => l _.
rewrite inE; case: (l.+1 \in A); last by rewrite coefZ.
by rewrite hornerZ coefZ mulrBr.
Qed.

Lemma subsets_quadratic masks : exists2 f,
  rep (quadratic (subset_poly masks) pts) f &
  forall A, column_mask d A \in masks -> (count id (column_mask d A) <= q)%N ->
    f`_(seq.index (column_mask d A) masks)
    = scale_sq * mass w (fun k => act k == column_set d A).
Proof.
pose F i j := \poly_(k < size masks) mask_value (scaled_columns i j) (nth [::] masks k).
exists (\sum_i \sum_j (s i * kappa / T i * (s j * kappa / T j)) *: F i j).
  apply: quadratic_form => [i j|i j]; first by rewrite /F swap.
  exact: (subset_polyP ok).
move=> A Am Aq; apply: coefE => i j; rewrite /F coef_poly index_mem Am nth_index //.
exact: mask_form.
Qed.

(** sum_j s_j K(x_j, x_i) = <w, phi_i> *)
Lemma score_form i : \sum_j s j * form h0 xpredT i j =
  dot (ffun_inner R (modes pb)) w (feature pb h0 i).
Proof. by rewrite dot_suml; apply: eq_bigr => j _; rewrite dotZl form_kernel formC. Qed.

Lemma scores_all :
  reps rep (scores (kernel_value q (is_limited pb)) [seq (wt i, cols i) | i <- enum 'I_m]
              [seq vzero a | _ <- enum 'I_m])
    [seq (kappa * mass0 * T i
          * dot (ffun_inner R (modes pb)) w (feature pb h0 i))%:P | i <- enum 'I_m].
Proof.
pose F i j : {poly R} := (\sum_(r < q.+1) ((gen (scaled_columns i j))`_r).[1])%:P.
have FE i j : F i j = (theta i j * form h0 xpredT i j)%:P.
  rewrite /F gen_scaled -form_all horner_sum mulr_sumr; congr (_%:P); apply: eq_bigr => r _.
  by rewrite coefCM hornerM hornerC.
have Fs i j : F i j = F j i by rewrite /F swap.
have fP : {in enum 'I_m &, forall i j,
    rep (kernel_value q (is_limited pb) (cols i) (cols j)) (F i j)}.
  by move=> i j _ _; apply: (kernel_valueP ok) => //; apply: limit_ok.
have sz : size [seq (0 : {poly R}) | _ <- enum 'I_m] = size (enum 'I_m) by rewrite size_map.
have zeros : reps rep [seq vzero a | _ <- enum 'I_m] [seq (0 : {poly R}) | _ <- enum 'I_m].
  by elim: (enum 'I_m) => //= i r IH; split=> //; apply: (rep_zero ok).
have := scoresP ok (wt := wt) (cols := cols) (s := fun i => s i * kappa / T i) Fs
  (fun i _ => wtP i) fP sz zeros.
rewrite -[X in zip X _]map_id zip_maps; congr (reps _ _ _).
rewrite -map_comp; apply: eq_map => i; rewrite -score_form /=.
rewrite add0r big_enum /= mulr_sumr rmorph_sum.
apply: eq_bigr => j _; rewrite FE -mul_polyC -polyCM /theta /=; congr (_%:P).
by field; rewrite T_neq0.
Qed.
End Assembly.
