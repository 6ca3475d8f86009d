(** * Certificates, checked by computation: what is proved *)
From Coq Require Import ZArith QArith Qreduction.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring zify ssrZ.
From Orca Require Import Recurrence Svm Expansion Rationals Claims Engine Sums Shares.
From Orca Require Export Checks.
From Orca Require Import Assembly Fixed Tables Balls.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coq_Z.
Arguments Z.add : simpl never. Arguments Z.mul : simpl never. Arguments Z.sub : simpl never.
Arguments Z.shiftl : simpl never. Arguments Z.shiftr : simpl never.

(** ** Sums of selected coefficients *)

Section Selected.
Variable R : realFieldType.

Lemma zip_filter_sum (T : Type) (f : T -> R) (x0 : T) (sel : nat -> bool) (s : seq T) j :
  \sum_(u <- zip (iota j (size s)) s | sel u.1) f u.2 =
  \sum_(i < size s | sel (j + i)%N) f (nth x0 s i).
Proof.
elim: s j => [|x s IH] j /=; first by rewrite big_nil big_ord0.
rewrite big_cons IH [RHS]big_mkcond big_ord_recl /= addn0 [in LHS]big_mkcond.
rewrite (eq_bigr (fun i : 'I_(size s) =>
  if sel (j + bump 0 i)%N then f (nth x0 s i) else 0)) => [|i _]; last by rewrite addSnnS.
by case: ifP => _; rewrite ?add0r.
Qed.

Lemma sum_wide (f : {poly R}) (sel : nat -> bool) j k : (size f <= j)%N -> (j <= k)%N ->
  \sum_(i < k | sel i) f`_i = \sum_(i < j | sel i) f`_i.
Proof.
move=> fj jk; rewrite [RHS](big_ord_widen_cond k sel (fun i => f`_i) jk) big_mkcond [RHS]big_mkcond.
apply: eq_bigr => i _; case: (sel i) => //=; case: ltnP => // ji.
by rewrite nth_default // (leq_trans fj).
Qed.

Lemma selectedE (sel : nat -> bool) (s : seq Z) k : (size s <= k)%N ->
  Z2F R (selected sel s) = \sum_(i < k | sel i) (zp R s)`_i.
Proof.
move=> sk; have sz : (size (zp R s) <= size s)%N.
  by rewrite (leq_trans (size_Poly _)) // size_map.
rewrite (sum_wide sel sz sk); under eq_bigr => i _ do rewrite zp_coef.
have := zip_filter_sum (Z2F R) 0%coq_Z sel s 0; rewrite /= => <-.
rewrite /selected -big_filter; elim: [seq u <- _ | _] => [|u r IH] /=; first by rewrite big_nil.
by rewrite big_cons Z2FD IH.
Qed.
End Selected.

Section Distance.
Variables (R : realFieldType) (M : finType) (w w' : M -> R) (S : pred M) (t : R).
Hypothesis t_gt0 : 0 < t.
(** |sum_S w'^2 - sum_S w^2| <= t sum_S w^2 + (1 + 1/t) sum (w - w')^2 *)
Lemma mass_close : `|\sum_(k | S k) w' k ^+ 2 - \sum_(k | S k) w k ^+ 2| <=
  t * (\sum_(k | S k) w k ^+ 2) + (1 + t^-1) * \sum_k (w k - w' k) ^+ 2.
Proof.
have t0 : t != 0 by rewrite gt_eqF.
apply: (@le_trans _ _ (\sum_(k | S k) (t * w k ^+ 2 + (1 + t^-1) * (w k - w' k) ^+ 2))).
  rewrite -sumrB; apply: le_trans (ler_norm_sum _ _ _) _; apply: ler_sum => k _.
  rewrite ler_norml -subr_ge0 opprK -[X in _ && X]subr_ge0.
  have -> : w' k ^+ 2 - w k ^+ 2 + (t * w k ^+ 2 + (1 + t^-1) * (w k - w' k) ^+ 2) =
    t * (w k - (w k - w' k) / t) ^+ 2 + 2%:R * (w k - w' k) ^+ 2 by field.
  have -> : t * w k ^+ 2 + (1 + t^-1) * (w k - w' k) ^+ 2 - (w' k ^+ 2 - w k ^+ 2) =
    t * (w k + (w k - w' k) / t) ^+ 2 by field.
  by apply/andP; split; [apply: addr_ge0 |]; apply: mulr_ge0;
    rewrite ?sqr_ge0 ?ler0n ?(ltW t_gt0).
rewrite big_split /= -!mulr_sumr ler_add2l ler_wpmul2l //.
  by apply: addr_ge0; rewrite ?ler01 ?invr_ge0 ?(ltW t_gt0).
by rewrite [leRHS](bigID S) /= ler_addl sumr_ge0 // => k _; rewrite sqr_ge0.
Qed.
End Distance.

Section Degrees.
Variables (R : rcfType) (pb : problem).
Local Notation d := (dimension pb).
Local Notation n := (max_degree pb).
(** Degrees selected one by one. *)
Lemma mass_degrees (w : vectors R pb) (sel : nat -> bool) K : (d * n < K)%N ->
  \sum_(N < K | sel N) mass w (fun k => degree k == N) = mass w (fun k => sel (degree k)).
Proof.
case: K => // K; rewrite ltnS => dK.
rewrite [RHS](partition_big (fun k => inord (degree k) : 'I_K.+1) sel) /=; last first.
  by move=> k; rewrite inordK // ltnS (leq_trans (degree_le k)).
apply: eq_bigr => N sN; apply: eq_bigl => k; rewrite -val_eqE /= inordK; last first.
  by rewrite ltnS (leq_trans (degree_le k)).
by case: eqP => [->|]; rewrite ?andbF ?sN.
Qed.
End Degrees.

(** ** The sums of the indices *)

Section Index.
Variables (R : rcfType) (pb : problem) (h0 : 'I_(dimension pb) -> R) (s : 'I_(points pb) -> R).
Local Notation d := (dimension pb).
Local Notation q := (order_limit pb).
Local Notation w := (vector h0 s).
Variables (V : Type) (rep : V -> {poly R} -> Prop) (sums : V -> (nat -> bool) -> Q * Q).
Variables (c : R) (orders degrees subsets : V) (wo wd : bool) (masks : seq (seq bool)).
Hypothesis ordersP : wo -> exists2 f, rep orders f &
  forall r, f`_r = c * mass w (fun k => order k == r).
Hypothesis degreesP : wd -> exists2 f, rep degrees f &
  forall N, f`_N = c * mass w (fun k => degree k == N).
Hypothesis subsetsP : masks != [::] -> exists2 f, rep subsets f &
  forall A, column_mask d A \in masks -> (count id (column_mask d A) <= q)%N ->
    f`_(seq.index (column_mask d A) masks)
    = c * mass w (fun k => act k == column_set d A).

Lemma sum_pred1 (f : {poly R}) r K0 : exists2 K, (K0 <= K)%N & \sum_(a < K | a == r :> nat) f`_a = f`_r.
Proof.
exists (maxn K0 r.+1); first exact: leq_maxl.
have rK : (r < maxn K0 r.+1)%N by rewrite leq_max ltnSn orbT.
by rewrite (big_pred1 (Ordinal rK)).
Qed.

Lemma mask_card (A : seq nat) : #|column_set d A| = count id (column_mask d A).
Proof.
rewrite /column_mask count_map -sum1_card -sum1_count -val_enum_ord big_map big_enum_cond /=.
by apply: eq_bigl => l; rewrite inE.
Qed.

Lemma index_sum i : covered d wo wd masks i ->
  exists v f sel, [/\ rep v f, encl sums d q masks orders degrees subsets i = sums v sel
    & forall K0, exists2 K, (K0 <= K)%N & \sum_(a < K | sel a) f`_a = c * mass w (modes_of i)].
Proof.
have deg (sel : nat -> bool) : wd -> exists v f sel', [/\ rep v f, sums degrees sel = sums v sel' &
    forall K0, exists2 K, (K0 <= K)%N &
      \sum_(a < K | sel' a) f`_a = c * mass w (fun k => sel (degree k))].
  case/degreesP=> f rf fE; exists degrees, f, sel; split=> // K0.
  exists (maxn K0 (d * max_degree pb).+1); first exact: leq_maxl.
  under eq_bigr => a _ do rewrite fE.
  by rewrite -mulr_sumr mass_degrees // leq_max ltnSn orbT.
case: i => [r|N|A|||T] /= ci; try exact: (deg _ ci).
  have [f rf fE] := ordersP ci; exists orders, f, (pred1 r); split=> // K0.
  by have [K KK0 KE] := sum_pred1 f r K0; exists K; rewrite // KE fE.
have m0 : masks != [::] by case: masks ci.
have [f rf fE] := subsetsP m0; set mask := column_mask d A.
exists subsets, f, (fun k => (count id mask <= q)%N && (k == seq.index mask masks)); split=> // K0.
case: leqP => Aq /=.
  by have [K KK0 KE] := sum_pred1 f (seq.index mask masks) K0; exists K; rewrite // KE fE.
exists K0 => //; rewrite big_pred0 // /mass big1 ?mulr0 // => k /eqP kA.
rewrite /vector sum_ffunE big1 ?expr0n // => j _; rewrite ffunE phiE ifN ?[LHS]mulr0 //.
by rewrite -ltnNge /order kA mask_card.
Qed.
End Index.

(** ** Level exact *)

Section Exact.
Variables (R : rcfType) (pb : problem) (lower upper : Q) (cert : exact_certificate).
Variable h0 : 'I_(dimension pb) -> R.
Hypothesis h0_gt0 : forall l, 0 < h0 l.
Hypothesis bounds : Q2F R lower <= lambda h0 <= Q2F R upper.
Local Notation d := (dimension pb).
Local Notation m := (points pb).
Local Notation q := (order_limit pb).
Hypothesis ok : well_formed pb.
Hypothesis size_a : size (exact_a cert) = m.

Lemma lambda_gt0 : 0 < lambda h0. Proof. by apply: prodr_gt0 => l _; rewrite invr_gt0. Qed.
Lemma lambda_inv : \prod_l h0 l = (lambda h0)^-1.
Proof. by rewrite /lambda prodfV invrK. Qed.

Definition a_at (i : 'I_m) : Q := nth q0 (exact_a cert) i.
Definition weight_at (i : 'I_m) : seq Q :=
  [:: Qred (Qmult (Qmake (label (nth_sample i)) 1) (a_at i))].
Definition cols_at (i : 'I_m) := exact_cols (recurrences pb) (inputs (nth_sample i)).
Definition s_at (i : 'I_m) : R := exact_alpha pb h0 cert i * label_at pb i.

Lemma exact_pointsE : exact_points pb cert = [seq (weight_at i, cols_at i) | i <- enum 'I_m].
Proof.
rewrite /exact_points {1}(seq_enum (Sample [::] Z0 q0) (erefl (size (samples pb)))).
by rewrite {1}(seq_enum q0 size_a) zip_maps -map_comp.
Qed.

Lemma weight_atP i : qp R (weight_at i) =
  (s_at i * lambda h0 / \prod_(l < d) (1 : R))%:P.
Proof.
rewrite /weight_at qp_cons mulr0 addr0 Q2F_red Q2FM Q2FZ big1 // divr1; congr (_%:P).
rewrite /s_at /exact_alpha -/(label_at pb i) mulrAC divfK ?gt_eqF ?lambda_gt0 //.
by rewrite mulrC.
Qed.

Lemma exact_wE : exact_w pb h0 cert = vector h0 s_at. Proof. by []. Qed.

Let rep := @qrep R.
Let resp := exact_respects R.
Let one_neq0 (i : 'I_m) (l : 'I_d) : (1 : R) != 0 := oner_neq0 R.
Let colsP i j := exact_paired h0_gt0 ok i j.

Definition score_at (i : 'I_m) : R :=
  dot (coefficients R [finType of modes pb]) (exact_w pb h0 cert) (feature pb h0 i).

Lemma exact_scores :
  [seq Q2F R (qsum s) | s <- scores (a := exact_arithmetic)
    (@kernel_value exact_arithmetic q (is_limited pb)) (exact_points pb cert)
    [seq [::] | _ <- exact_points pb cert]] = [seq score_at i | i <- enum 'I_m].
Proof.
rewrite exact_pointsE.
have -> : [seq ([::] : seq Q) | _ <- [seq (weight_at i, cols_at i) | i <- enum 'I_m]] =
    [seq [::] | _ <- enum 'I_m] by rewrite -map_comp.
have := scores_all resp one_neq0 weight_atP colsP.
rewrite -exact_wE lambda_inv; set sc := scores _ _ _.
elim: sc (enum 'I_m) => [|u us IH] [|i r] //= [uE usE]; congr (_ :: _); last exact: IH.
rewrite qp_sum uE hornerC mulfV ?gt_eqF ?lambda_gt0 // mul1r big1 // mul1r.
by [].
Qed.

Lemma qselectedE (sel : nat -> bool) (s : seq Q) k : (size s <= k)%N ->
  Q2F R (qsums s sel).1 = \sum_(i < k | sel i) (qp R s)`_i.
Proof.
move=> sk; have sz : (size (qp R s) <= size s)%N.
  by rewrite (leq_trans (size_Poly _)) // size_map.
rewrite (sum_wide sel sz sk); under eq_bigr => i _ do rewrite qp_coef.
have := zip_filter_sum (Q2F R) q0 sel s 0; rewrite /= => <-.
rewrite /qsums /= -big_filter; elim: [seq u <- _ | _] => [|u r IH] /=.
  by rewrite big_nil Q2F0.
by rewrite big_cons Q2F_red Q2FD IH.
Qed.

Let sc := [seq qsum s | s <- scores (a := exact_arithmetic)
    (@kernel_value exact_arithmetic q (is_limited pb)) (exact_points pb cert)
    [seq [::] | _ <- exact_points pb cert]].
Let scE : [seq Q2F R z | z <- sc] = [seq score_at i | i <- enum 'I_m].
Proof. by rewrite -map_comp exact_scores. Qed.
Let size_sc : size sc = m.
Proof. by rewrite -(size_map (Q2F R)) scE size_map size_enum_ord. Qed.
Let sc_at (i : 'I_m) : Q2F R (nth q0 sc i) = score_at i.
Proof.
have := congr1 (fun r => nth 0 r i) scE; rewrite /= (nth_map q0) ?size_sc // => ->.
by rewrite (nth_map i) ?size_enum_ord // nth_ord_enum.
Qed.

Hypothesis lower_gt0 : Qlt_bool q0 lower.
Hypothesis balanced : Qeq_bool (qsum [seq qsum u.1 | u <- exact_points pb cert]) q0.
Hypothesis tested : all (fun u => check_sample lower upper cert u.1.1 u.1.2 u.2)
  (zip (zip (samples pb) (exact_a cert)) sc).

Let test i : check_sample lower upper cert (nth_sample i) (a_at i) (nth q0 sc i).
Proof.
move: tested; rewrite {1}(seq_enum (Sample [::] Z0 q0) (erefl (size (samples pb)))).
rewrite {1}(seq_enum q0 size_a) {1}(seq_enum q0 size_sc) !zip_maps all_map => /allP - /(_ i).
by rewrite mem_enum; apply.
Qed.

Let lower_pos : 0 < Q2F R lower. Proof. by move: lower_gt0; rewrite (Q2F_lt R) Q2F0. Qed.
Let lam_pos := lambda_gt0.

Let box_ge0 i : 0 <= box_at pb i :> R.
Proof.
case/and4P: (test i); rewrite !(Q2F_le R) Q2F0 Q2FM => a0 aC _ _.
by rewrite -(pmulr_rge0 _ lower_pos) (le_trans a0 aC).
Qed.

Lemma qsum_cons z (r : seq Q) : Q2F R (qsum (z :: r)) = Q2F R z + Q2F R (qsum r).
Proof. by rewrite /= Q2F_red Q2FD. Qed.

Lemma qsum_weight i : Q2F R (qsum (weight_at i)) = s_at i * lambda h0.
Proof. by rewrite qp_sum weight_atP hornerC big1 // divr1. Qed.

Lemma exact_balanced : \sum_i exact_alpha pb h0 cert i * label_at pb i = 0.
Proof.
apply: (mulIf (lt0r_neq0 lam_pos)); rewrite mul0r mulr_suml.
have : Q2F R (qsum [seq qsum u.1 | u <- exact_points pb cert]) = 0.
  by apply/eqP; rewrite -(Q2F0 R) -Q2F_eq.
rewrite exact_pointsE -map_comp => E; rewrite -[RHS]E -big_enum /= {E}.
elim: (enum 'I_m) => [|i r IH]; first by rewrite big_nil /= Q2F0.
by rewrite big_cons IH map_cons qsum_cons qsum_weight.
Qed.

Lemma exact_kkt : kkt (coefficients R [finType of modes pb]) (feature pb h0) (label_at pb)
  (box_at pb) (exact_alpha pb h0 cert) (Q2F R (exact_b cert)).
Proof.
have /andP[lo hi] := bounds.
split; first split.
- move=> i; case/and4P: (test i); rewrite !(Q2F_le R) Q2F0 Q2FM => a0 aC _ _.
  rewrite /exact_alpha -/(a_at i); apply/andP; split; first by rewrite divr_ge0 // ltW.
  rewrite ler_pdivr_mulr // [leRHS]mulrC; apply: le_trans aC _.
  exact: (ler_wpmul2r (box_ge0 i) lo).
- exact: exact_balanced.
move=> i; have marginE : margin (coefficients R [finType of modes pb]) (feature pb h0)
    (label_at pb) (w_of (feature pb h0) (label_at pb) (exact_alpha pb h0 cert))
    (Q2F R (exact_b cert)) i =
  Q2F R (Qred (Qmult (Qmake (label (nth_sample i)) 1) (Qplus (nth q0 sc i) (exact_b cert)))).
  by rewrite /margin Q2F_red Q2FM Q2FD Q2FZ sc_at.
case/and4P: (test i); rewrite marginE !(Q2F_le R) Q2F0 Q2F1 !Q2FM => a0 aC c1 c2.
rewrite /exact_alpha -/(a_at i); split=> h.
  case/orP: c2 => // Ca; have le := le_trans (ler_wpmul2r (box_ge0 i) hi) Ca.
  by move: h; rewrite ltr_pdivr_mulr // [X in _ < X]mulrC ltNge le.
have a_gt0 : 0 < Q2F R (a_at i) by rewrite -(pmulr_lgt0 _ (_ : 0 < (lambda h0)^-1)) ?invr_gt0.
by case/orP: c1 => //; rewrite leNgt a_gt0.
Qed.

Let used (i : 'I_m) := ~~ Qeq_bool (qsum (weight_at i)) q0.
Let unused i : ~~ used i -> s_at i = 0.
Proof.
rewrite negbK (Q2F_eq R) Q2F0 qp_sum weight_atP hornerC big1 // divr1 mulf_eq0.
by rewrite (gt_eqF lam_pos) orbF => /eqP.
Qed.
Let usedE : [seq u <- exact_points pb cert | ~~ Qeq_bool (qsum u.1) q0] =
  [seq (weight_at i, cols_at i) | i <- enum 'I_m & used i].
Proof. by rewrite exact_pointsE filter_map. Qed.

Let total := qsum [seq Qred (Qmult (qsum u.1.1) u.2) | u <- zip (exact_points pb cert) sc].
Let c : R := scale_sq h0 (lambda h0).
Let cE : c = lambda h0.
Proof. by rewrite /c /scale_sq lambda_inv expr2 mulfK // gt_eqF // lambda_gt0. Qed.

Let totalE : Q2F R total = c * mass (exact_w pb h0 cert) xpredT.
Proof.
have -> : mass (exact_w pb h0 cert) xpredT =
    \sum_i s_at i * score_at i.
  transitivity (dot (coefficients R [finType of modes pb]) (exact_w pb h0 cert)
    (exact_w pb h0 cert)); first by apply: eq_bigr => k _; rewrite expr2.
  by rewrite dot_w_of; apply: eq_bigr.
rewrite cE /total exact_pointsE {1}(seq_enum q0 size_sc) zip_maps -map_comp mulr_sumr -big_enum /=.
elim: (enum 'I_m) => [|i r IH]; first by rewrite big_nil /= Q2F0.
rewrite big_cons -IH map_cons qsum_cons; congr (_ + _).
by rewrite Q2F_red Q2FM sc_at qsum_weight mulrA [_ * lambda h0]mulrC.
Qed.

Lemma exact_claims claims :
  let masks := wanted_masks d claims in
  let quad f := quadratic (a := exact_arithmetic) f
    [seq u <- exact_points pb cert | ~~ Qeq_bool (qsum u.1) q0] in
  let orders := if wants_orders claims then quad (@order_poly exact_arithmetic q) else [::] in
  let degrees := if wants_degrees claims then
    quad (@degree_poly exact_arithmetic q (is_limited pb)) else [::] in
  let subsets := if masks is [::] then [::] else quad (@subset_poly exact_arithmetic masks) in
  all (check_claim qsums (total, total) d q masks orders degrees subsets (top_degree pb)) claims ->
  all_hold (exact_w pb h0 cert) claims.
Proof.
cbv zeta; rewrite usedE; set masks := wanted_masks d claims.
set orders := (X in check_claim _ _ _ _ _ X _ _ _).
set degrees := (X in check_claim _ _ _ _ _ _ X _ _).
set subsets := (X in check_claim _ _ _ _ _ _ _ X _).
apply: (claims_hold (mu := c) (wo := wants_orders claims) (wd := wants_degrees claims)).
- by rewrite cE lambda_gt0.
- by rewrite /= totalE /sum2 lexx.
- move=> i ci.
  have [||| v [f [sel [rf -> sumE]]]] := @index_sum R pb h0 s_at (seq Q) rep qsums c
    orders degrees subsets (wants_orders claims) (wants_degrees claims) masks _ _ _ i ci.
  + rewrite /orders => ->; have := orders_quadratic resp one_neq0 weight_atP colsP unused.
    by [].
  + rewrite /degrees => ->; have := degrees_quadratic resp one_neq0 weight_atP colsP unused.
    by [].
  + move=> m0; rewrite (_ : subsets = quadratic (a := exact_arithmetic) (subset_poly masks)
      [seq (weight_at i, cols_at i) | i <- enum 'I_m & used i]); last first.
      by rewrite /subsets; case: (masks) m0.
    by have := subsets_quadratic resp one_neq0 weight_atP colsP unused masks.
  have [K vK KE] := sumE (size v).
  rewrite [sum2 _ _]/(mass (vector h0 s_at) _) -KE -rf /= -(qselectedE sel vK).
  by rewrite /= lexx.
exact: covered_all.
Qed.

Lemma exact_sound :
  let alpha := exact_alpha pb h0 cert in
  let w := exact_w pb h0 cert in
  let b := Q2F R (exact_b cert) in
  [/\ optimal pb h0 w b, optimal_dual pb h0 alpha, no_gap pb h0 w b alpha
    & forall w' b', optimal pb h0 w' b' -> w' = w].
Proof.
have [gap0 opt dopt] := kkt_optimal exact_kkt; split=> // w' b'.
exact: (w_unique box_ge0 opt).
Qed.
End Exact.

(** What a checked certificate of level exact proves. *)
Theorem exact_certified (R : rcfType) (pb : problem) (lower upper : Q)
    (cert : exact_certificate) (claims : seq claim) :
  check_exact pb lower upper cert claims = true ->
  forall h0 : 'I_(dimension pb) -> R, (forall l, 0 < h0 l) ->
  Q2F R lower <= lambda h0 <= Q2F R upper ->
  let alpha := exact_alpha pb h0 cert in
  let w := exact_w pb h0 cert in
  let b := Q2F R (exact_b cert) in
  [/\ optimal pb h0 w b, optimal_dual pb h0 alpha, no_gap pb h0 w b alpha,
      forall w' b', optimal pb h0 w' b' -> w' = w & all_hold w claims].
Proof.
case/and5P=> ok /eqP sz lower0 bal /andP[tested hold] h0 h0_gt0 bounds alpha w b.
have [] := exact_sound h0_gt0 bounds ok sz lower0 bal tested.
by split=> //; apply: exact_claims hold.
Qed.
