(** * Certificates, checked by computation: what is proved

    If [check_exact] returns true, the given w is the optimum and the claims hold of it
    [exact_certified]. If [check_gap] returns true, the claims hold of every optimum
    [gap_certified]. *)
From Coq Require Import ZArith QArith Qreduction.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring zify ssrZ.
From Orca Require Import Compat Recurrence Form Svm Expansion Rationals Claims Engine Sums Shares.
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
move=> fj jk; rewrite [RHS](big_ord_widen_cond k sel (fun i => f`_i) jk).
rewrite big_mkcond [RHS]big_mkcond.
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
rewrite big_split /= -!mulr_sumr lerD2l ler_wpM2l //.
  by apply: addr_ge0; rewrite ?ler01 ?invr_ge0 ?(ltW t_gt0).
by rewrite [leRHS](bigID S) /= lerDl sumr_ge0 // => k _; rewrite sqr_ge0.
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

Lemma sum_pred1 (f : {poly R}) r K0 :
  exists2 K, (K0 <= K)%N & \sum_(a < K | a == r :> nat) f`_a = f`_r.
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
  dot (ffun_inner R (modes pb)) (exact_w pb h0 cert) (feature pb h0 i).

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

Lemma exact_kkt : kkt (ffun_inner R (modes pb)) (feature pb h0) (label_at pb)
  (box_at pb) (exact_alpha pb h0 cert) (Q2F R (exact_b cert)).
Proof.
have /andP[lo hi] := bounds.
split; first split.
- move=> i; case/and4P: (test i); rewrite !(Q2F_le R) Q2F0 Q2FM => a0 aC _ _.
  rewrite /exact_alpha -/(a_at i); apply/andP; split; first by rewrite divr_ge0 // ltW.
  rewrite ler_pdivrMr // [leRHS]mulrC; apply: le_trans aC _.
  exact: (ler_wpM2r (box_ge0 i) lo).
- exact: exact_balanced.
move=> i; have marginE : margin (ffun_inner R (modes pb)) (feature pb h0)
    (label_at pb) (w_of (feature pb h0) (label_at pb) (exact_alpha pb h0 cert))
    (Q2F R (exact_b cert)) i =
  Q2F R (Qred (Qmult (Qmake (label (nth_sample i)) 1) (Qplus (nth q0 sc i) (exact_b cert)))).
  by rewrite /margin Q2F_red Q2FM Q2FD Q2FZ sc_at.
case/and4P: (test i); rewrite marginE !(Q2F_le R) Q2F0 Q2F1 !Q2FM => a0 aC c1 c2.
rewrite /exact_alpha -/(a_at i); split=> h.
  case/orP: c2 => // Ca; have le := le_trans (ler_wpM2r (box_ge0 i) hi) Ca.
  by move: h; rewrite ltr_pdivrMr // [X in _ < X]mulrC ltNge le.
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
  transitivity (dot (ffun_inner R (modes pb)) (exact_w pb h0 cert)
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

(** ** Level gap *)

Section Gap.
Variables (R : rcfType) (pb : problem) (lower upper : Q) (cert : gap_certificate).
Variable h0 : 'I_(dimension pb) -> R.
Hypothesis h0_gt0 : forall l, 0 < h0 l.
Hypothesis bounds : Q2F R lower <= lambda h0 <= Q2F R upper.
Local Notation d := (dimension pb).
Local Notation m := (points pb).
Local Notation q := (order_limit pb).
Local Notation pow2 := (pow2 R).
Local Notation H := (ffun_inner R (modes pb)).
Local Notation phi := (feature pb h0).
Local Notation y := (label_at (R := R) pb).
Hypothesis ok : well_formed pb.
Hypothesis size_mult : size (multipliers cert) = m.
Hypothesis scale_ge0 : Z.le 0 (scale cert).

Definition mult_at (i : 'I_m) : Z := nth 0%coq_Z (multipliers cert) i.
Definition signed_at (i : 'I_m) : Z := (label (nth_sample i) * mult_at i)%coq_Z.
Definition gap_alpha (i : 'I_m) : R := Z2F R (mult_at i) / pow2 (scale cert).
Definition sgap (i : 'I_m) : R := gap_alpha i * y i.
Definition gap_b : R := Z2F R (bias cert) / pow2 (scale cert).
Local Notation w := (vector h0 sgap).

Lemma gap_wE : w_of phi y gap_alpha = w. Proof. by []. Qed.

Lemma signedE : [seq (label u.1 * u.2)%coq_Z | u <- zip (samples pb) (multipliers cert)] =
  [seq signed_at i | i <- enum 'I_m].
Proof.
rewrite {1}(seq_enum (Sample [::] Z0 q0) (erefl (size (samples pb)))).
by rewrite {1}(seq_enum 0%coq_Z size_mult) zip_maps -map_comp.
Qed.

Lemma signed_sgap i : Z2F R (signed_at i) / pow2 (scale cert) = sgap i.
Proof. by rewrite /signed_at Z2FM /sgap /gap_alpha [RHS]mulrAC [Z2F R (mult_at i) * _]mulrC. Qed.

Section Bits.
Variable bits : Z.
Hypothesis bits_ge0 : Z.le 0 bits.
Local Notation arith := (fixed_arithmetic bits).
Let shift := (weighted_table pb cert bits).2.
Definition gcols (i : 'I_m) := (point_table bits i).1.
Definition gexp (i : 'I_m) := (point_table bits i).2.
Definition gwt (i : 'I_m) : fixed := weight_of bits (scale cert) shift (signed_at i) (gexp i).

Lemma weighted_tableE :
  (weighted_table pb cert bits).1 = [seq (gwt i, gcols i, gexp i) | i <- enum 'I_m].
Proof.
rewrite /gwt /shift /weighted_table; cbv zeta; cbn [fst snd].
by rewrite fixed_tableE signedE zip_maps -map_comp.
Qed.

Let t (i : 'I_m) (l : 'I_d) := pow2 (- exponent bits i l)%coq_Z.
Let kappa := pow2 shift.
Let t_neq0 i l : t i l != 0. Proof. exact: pow2_neq0. Qed.
Let TE i : \prod_l t i l = (pow2 (gexp i))^-1.
Proof. exact: (pow2_sum R ok bits i). Qed.

Lemma near_frep z r (x : R) : near (x * pow2 bits) (z, r) -> frep bits ([:: z], r) x%:P.
Proof.
rewrite /near /= => h; apply: frep_const.
have p0 := pow2_gt0 R bits; have i0 : 0 < (pow2 bits)^-1 by rewrite invr_gt0.
have -> : x - Z2F R z / pow2 bits = (x * pow2 bits - Z2F R z) / pow2 bits.
  by field; rewrite gt_eqF.
by rewrite normrM (gtr0_norm i0) ler_wpM2r // ltW.
Qed.

Lemma frep_near v (x : R) : frep bits v x%:P -> near (x * pow2 bits) (to_ball v).
Proof.
have p0 := pow2_gt0 R bits; rewrite /frep /near /= => h.
have := le_trans (l1_at1 _) h; rewrite hornerD hornerN hornerZ hornerC zp_sum => h1.
have -> : x * pow2 bits - (zp R v.1).[1] = (x - (pow2 bits)^-1 * (zp R v.1).[1]) * pow2 bits.
  by field; rewrite gt_eqF.
rewrite normrM (gtr0_norm p0); apply: le_trans (ler_wpM2r (ltW p0) h1) _.
by rewrite -mulrA mulVf ?gt_eqF // mulr1.
Qed.

Let wtP i : frep bits (gwt i) (sgap i * kappa / \prod_l t i l)%:P.
Proof.
apply: near_frep.
have := near_shr (scale cert - bits - gexp i - shift)%coq_Z (near_exact R (signed_at i)).
rewrite -/(near _ (_, _)) TE invrK -signed_sgap /kappa; congr near.
have E : pow2 (scale cert) = pow2 (scale cert - bits - gexp i - shift)%coq_Z
    * pow2 bits * pow2 (gexp i) * pow2 shift by rewrite -!pow2D; congr Fixed.pow2; clear; lia.
by rewrite E; field; rewrite !pow2_neq0.
Qed.

Let colsP i j : paired (a := arith) (@frep R bits) (zip (gcols i) (gcols j))
  (scaled_columns h0 t i j) := fixed_paired h0_gt0 ok bits_ge0 i j.
Let resp := fixed_respects R bits_ge0.

Let lamV : \prod_l h0 l = (lambda h0)^-1 := lambda_inv h0.
Let lam_pos : 0 < lambda h0 := lambda_gt0 h0_gt0.

Definition unit_of : R := scale_sq h0 kappa * pow2 bits.
Lemma unit_ofE : unit_of = pow2 (2 * shift)%coq_Z * pow2 bits / lambda h0.
Proof.
have -> : (2 * shift)%coq_Z = (shift + shift)%coq_Z by clear; lia.
by rewrite /unit_of /scale_sq lamV expr2 /kappa pow2D mulrAC.
Qed.

Let used (i : 'I_m) := negb (Z.eqb (mult_at i) 0).
Let unused i : ~~ used i -> sgap i = 0.
Proof. by rewrite negbK => /Z.eqb_eq E; rewrite /sgap /gap_alpha E !mul0r. Qed.
Let usedE : [seq u.1.1 | u <- zip (weighted_table pb cert bits).1 (multipliers cert)
                       & negb (Z.eqb u.2 0)] = [seq (gwt i, gcols i) | i <- enum 'I_m & used i].
Proof.
rewrite weighted_tableE {1}(seq_enum 0%coq_Z size_mult) zip_maps filter_map -map_comp.
by [].
Qed.

Let chosen := [seq u.1.1 | u <- zip (weighted_table pb cert bits).1 (multipliers cert)
                         & negb (Z.eqb u.2 0)].
Lemma gap_orders : exists2 f, frep bits (quadratic (a := arith) (@order_poly arith q) chosen) f &
  forall r, f`_r = scale_sq h0 kappa * mass w (fun k => order k == r).
Proof. by rewrite /chosen usedE; have := orders_quadratic resp t_neq0 wtP colsP unused. Qed.
Lemma gap_degrees : exists2 f,
  frep bits (quadratic (a := arith) (@degree_poly arith q (is_limited pb)) chosen) f &
  forall N, f`_N = scale_sq h0 kappa * mass w (fun k => degree k == N).
Proof. by rewrite /chosen usedE; have := degrees_quadratic resp t_neq0 wtP colsP unused. Qed.
Lemma gap_subsets masks : exists2 f,
  frep bits (quadratic (a := arith) (@subset_poly arith masks) chosen) f &
  forall A, column_mask d A \in masks -> (count id (column_mask d A) <= q)%N ->
    f`_(seq.index (column_mask d A) masks)
    = scale_sq h0 kappa * mass w (fun k => act k == column_set d A).
Proof. by rewrite /chosen usedE; have := subsets_quadratic resp t_neq0 wtP colsP unused masks. Qed.

(** *** The duality gap *)
Hypothesis box_ge0 : forall i, 0 <= box_at pb i :> R.

Lemma near_le (x : R) (b : ball) : near x b -> Z2F R b.1 - Z2F R b.2 <= x <= Z2F R b.1 + Z2F R b.2.
Proof. by rewrite /near ler_distl. Qed.

Lemma lambda_ballP : near (lambda h0 * pow2 bits) (lambda_ball lower upper bits).
Proof.
have p0 := pow2_gt0 R bits; have /andP[lo hi] := bounds.
have /near_le/andP[l1 _] := near_Q R lower bits_ge0.
have /near_le/andP[_ u1] := near_Q R upper bits_ge0.
rewrite /near /lambda_ball; cbn [fst snd]; rewrite Z2FD Z2F_abs Z2FB.
set u := Z2F R (ball_of_Q bits lower).1 in l1 *; set v := Z2F R (ball_of_Q bits upper).1 in u1 *.
rewrite -[Z2F R 2]/(1 + 1); rewrite -[Z2F R (ball_of_Q bits lower).2]/(1 : R) in l1.
rewrite -[Z2F R (ball_of_Q bits upper).2]/(1 : R) in u1.
have lp : Q2F R lower * pow2 bits <= lambda h0 * pow2 bits by rewrite ler_wpM2r // ltW.
have hp : lambda h0 * pow2 bits <= Q2F R upper * pow2 bits by rewrite ler_wpM2r // ltW.
have := ler_norm (v - u); have := normr_ge0 (v - u); move: `|v - u| => a a0 va.
have x1 := le_trans l1 lp; have x2 := le_trans hp u1; rewrite ler_norml.
move: x1 x2 va a0; move: (lambda h0 * pow2 bits) => x x1 x2 va a0; apply/andP; split.
  rewrite -subr_ge0; have -> : x - u - - (1 + 1 + a) = 1 + (a + (x - (u - 1))) by ring.
  by rewrite addr_ge0 ?ler01 // addr_ge0 // subr_ge0.
rewrite -subr_ge0; have -> : 1 + 1 + a - (x - u) = 1 + ((v + 1 - x) + (a - (v - u))) by ring.
by rewrite addr_ge0 ?ler01 //; apply: addr_ge0; rewrite subr_ge0.
Qed.

Lemma slack_boundP (i : 'I_m) lam b score :
  near (lambda h0 * pow2 bits) lam -> near (gap_b * pow2 bits) b ->
  near ((lambda h0)^-1 * dot H w (phi i) * pow2 bits) score ->
  box_at pb i * slack H phi y w gap_b i * pow2 bits
  <= Z2F R (slack_bound bits lam b (nth_sample i) score).
Proof.
move=> nl nb ns; have p0 := pow2_gt0 R bits.
have ng : near ((dot H w (phi i) + gap_b) * pow2 bits) (badd (bmul bits lam score) b).
  rewrite mulrDl; apply: near_add => //; have := near_mul bits nl ns; congr near.
  by rewrite -/(dot H w (phi i)); move: (dot H w (phi i)) => x; field; rewrite !gt_eqF.
rewrite /slack_bound; move: (badd _ b) ng => g ng.
set C := (Z.div _ _ + 1)%coq_Z; set xi := Z.max _ _.
have CP : box_at pb i * pow2 bits <= Z2F R C.
  rewrite /C Z2FD Z2F1; case/andP: (floorP R (Z.shiftl (Qnum (box (nth_sample i))) bits)
    (Qden (box (nth_sample i)))) => _; apply: le_trans.
  by rewrite shiftlE // /box_at /Q2F mulrAC.
have xiP : slack H phi y w gap_b i * pow2 bits <= Z2F R xi.
  have maxE (z z' : Z) : Z2F R z <= Z2F R (Z.max z z') /\ Z2F R z' <= Z2F R (Z.max z z').
    by rewrite !Z2F_le; split; apply/Z.leb_le; clear; lia.
  rewrite /slack /Num.max; case: ifP => _.
    rewrite /xi; have [_ le] := maxE 0%coq_Z (Z.shiftl 1 bits - label (nth_sample i) * g.1
      + Z.abs (label (nth_sample i)) * g.2)%coq_Z; apply: le_trans le.
    rewrite !(Z2FD, Z2FB, Z2FM) shiftlE // Z2F1 mul1r Z2F_abs mulrBl mul1r -addrA lerD2l.
    rewrite /margin -mulrA -/(label_at pb i); move: ng; rewrite /near.
    set G := (_ + _) * _ => ng.
    have -> : - (y i * G) = - (y i * Z2F R g.1) + - (y i * (G - Z2F R g.1)) by ring.
    rewrite lerD2l; apply: le_trans (ler_norm _) _; rewrite normrN normrM.
    exact: ler_wpM2l.
  by rewrite mul0r; have [le _] := maxE 0%coq_Z (Z.shiftl 1 bits - label (nth_sample i) * g.1
      + Z.abs (label (nth_sample i)) * g.2)%coq_Z.
rewrite Z2FD Z2F1; apply: le_trans (shr_le _ _ _).
rewrite Z2FM ler_pdivlMr //.
have -> : box_at pb i * slack H phi y w gap_b i * pow2 bits * pow2 bits =
  (box_at pb i * pow2 bits) * (slack H phi y w gap_b i * pow2 bits) by ring.
by apply: ler_pM => //; rewrite mulr_ge0 ?slack_ge0 ?box_ge0 // ltW.
Qed.

Lemma reps_nth (a : arithmetic) (rep : vec a -> {poly R} -> Prop) us fs u0 : reps rep us fs ->
  size us = size fs /\ forall k, (k < size fs)%N -> rep (nth u0 us k) (nth 0 fs k).
Proof.
elim: us fs => [|u us IH] [|f fs] //= [uf /IH[-> h]]; split=> // -[|k] //= kf.
exact: h.
Qed.

Lemma zsum_le (r : seq 'I_m) (f : 'I_m -> Z) (g : 'I_m -> R) : (forall i, g i <= Z2F R (f i)) ->
  \sum_(i <- r) g i <= Z2F R (zsum [seq f i | i <- r]).
Proof.
move=> h; elim: r => [|i r IH] /=; first by rewrite big_nil.
by rewrite big_cons Z2FD lerD.
Qed.

Lemma gap_and_normP :
  primal H phi y (box_at pb) w gap_b - dual H phi y gap_alpha
    <= Z2F R (gap_and_norm pb lower upper cert bits).1 / pow2 bits /\
  near (scale_sq h0 kappa * dot H w w * pow2 bits) (gap_and_norm pb lower upper cert bits).2.1 /\
  (gap_and_norm pb lower upper cert bits).2.2 = shift.
Proof.
have p0 := pow2_gt0 R bits.
have tabE := weighted_tableE; rewrite /gap_and_norm /shift in tabE *.
case E: (weighted_table pb cert bits) tabE => [table sh]; cbn [fst snd] => tabE.
cbv beta iota zeta; cbn [fst snd].
have shE : shift = sh by rewrite /shift E.
have ptsE : [seq u.1 | u <- table] = [seq (gwt i, gcols i) | i <- enum 'I_m].
  by rewrite tabE -map_comp.
have zE : [seq vzero arith | _ <- [seq u.1 | u <- table]] =
    [seq vzero arith | _ <- enum 'I_m] by rewrite ptsE -map_comp.
rewrite zE ptsE; set sc := scores _ _ _.
have := scores_all resp t_neq0 wtP colsP; rewrite -/sc => /(reps_nth (vzero arith))[].
rewrite size_map size_enum_ord => sz scP.
have scE : sc = [seq nth (vzero arith) sc (val i) | i <- enum 'I_m] by apply: seq_enum.
have score_at i : frep bits (nth (vzero arith) sc (val i))
    (kappa * \prod_l h0 l * \prod_l t i l * dot H w (phi i))%:P.
  by have := scP i (ltn_ord i); rewrite (nth_map i) ?size_enum_ord // nth_ord_enum.
set norm := to_ball (vsuml (a := arith) _).
have normP : near (scale_sq h0 kappa * dot H w w * pow2 bits) norm.
  apply: frep_near; have -> : dot H w w = \sum_i sgap i * dot H w (phi i).
    by rewrite -{2}gap_wE dot_w_of.
  have gen (x : 'I_m -> R) : (scale_sq h0 kappa * \sum_i sgap i * x i)%:P =
    \sum_(f <- [seq (sgap i * kappa / \prod_l t i l)%:P
      * (kappa * \prod_l h0 l * \prod_l t i l * x i)%:P | i <- enum 'I_m]) f.
    rewrite big_map big_enum /= mulr_sumr rmorph_sum; apply: eq_bigr => i _ /=.
    rewrite -polyCM /scale_sq; congr (_%:P).
    have : \prod_l t i l != 0 by apply/prodf_neq0 => l _; apply: t_neq0.
    by move: (\prod_l t i l) (\prod_l h0 l) (sgap i) (x i) => T hh a c T0; field.
  rewrite gen; apply: (reps_sum resp); rewrite {1}scE zip_maps -map_comp.
  elim: (enum 'I_m) => //= i r IH; split=> //; apply: (rep_mul resp); first exact: wtP.
  exact: score_at.
have lamP := lambda_ballP; set lam := lambda_ball _ _ _ in lamP *.
set bb := bshr _ (bias cert, _).
have bP : near (gap_b * pow2 bits) bb.
  have := near_shr (scale cert - bits)%coq_Z (near_exact R (bias cert)).
  congr near; rewrite /gap_b.
  have -> : pow2 (scale cert) = pow2 (scale cert - bits)%coq_Z * pow2 bits.
    by rewrite -pow2D; congr Fixed.pow2; clear; lia.
  by field; rewrite !pow2_neq0.
set norm2 := bmul _ _ _; set sa := bshr _ (zsum _, _); set slacks := zsum _.
split; last by split.
have n2P : near (dot H w w * pow2 bits) norm2.
  have := near_mul bits lamP (near_shr (2 * sh)%coq_Z normP); congr near.
  have -> : (2 * sh)%coq_Z = (sh + sh)%coq_Z by clear; lia.
  rewrite /scale_sq lamV /kappa shE pow2D; move: (dot H w w) => x.
  by field; rewrite !pow2_neq0 gt_eqF.
have saP : near ((\sum_i gap_alpha i) * pow2 bits) sa.
  have := near_shr (scale cert - bits)%coq_Z (near_exact R (zsum (multipliers cert))); congr near.
  have -> : Z2F R (zsum (multipliers cert)) = \sum_i Z2F R (mult_at i).
    rewrite {1}(seq_enum 0%coq_Z size_mult) -big_enum /=; elim: (enum 'I_m) => [|i r IH] /=.
      by rewrite big_nil.
    by rewrite big_cons Z2FD IH.
  have -> : \sum_i gap_alpha i = (\sum_i Z2F R (mult_at i)) / pow2 (scale cert).
    by rewrite mulr_suml.
  move: (\sum_i Z2F R (mult_at i)) => z.
  have -> : pow2 (scale cert) = pow2 (scale cert - bits)%coq_Z * pow2 bits.
    by rewrite -pow2D; congr Fixed.pow2; clear; lia.
  by field; rewrite !pow2_neq0.
have slP : \sum_i box_at pb i * slack H phi y w gap_b i * pow2 bits <= Z2F R slacks.
  rewrite /slacks {1}(seq_enum (Sample [::] Z0 q0) (erefl (size (samples pb)))) tabE {1}scE.
  rewrite !zip_maps -map_comp -big_enum /=; apply: zsum_le => i.
  apply: slack_boundP => //; have := near_shr (sh - gexp i)%coq_Z (frep_near (score_at i)).
  congr near; rewrite TE lamV /kappa shE; move: (dot H w (phi i)) => x.
  have -> : pow2 sh = pow2 (sh - gexp i)%coq_Z * pow2 (gexp i).
    by rewrite -pow2D; congr Fixed.pow2; clear; lia.
  by field; rewrite !pow2_neq0 gt_eqF.
have /andP[_ n2] := near_le n2P; have /andP[sa1 _] := near_le saP.
rewrite -mulr_suml in slP; clearbody norm2 sa slacks.
rewrite -gap_wE gap_formula gap_wE ler_pdivlMr // mulrDl mulrBl !(Z2FD, Z2FB).
apply: lerD slP; set u1 := Z2F R norm2.1 in n2 *; set u2 := Z2F R norm2.2 in n2 *.
have -> : u1 + u2 - Z2F R sa.1 + Z2F R sa.2 = (u1 + u2) - (Z2F R sa.1 - Z2F R sa.2) by ring.
exact: lerB.
Qed.
End Bits.

(** *** The indices of the optimum *)
Hypothesis lower_gt0 : Qlt_bool q0 lower.
Hypothesis balanced : Z.eqb (zsum [seq (label u.1 * u.2)%coq_Z
  | u <- zip (samples pb) (multipliers cert)]) 0.
Hypothesis boxed : all (fun u => Z.leb 0 u.2 && Qle_bool
    (Qmake u.2 (Z.to_pos (Z.shiftl 1 (scale cert)))) (box u.1))
  (zip (samples pb) (multipliers cert)).

Lemma boxedP i : 0 <= gap_alpha i <= box_at pb i.
Proof.
move: boxed; rewrite {1}(seq_enum (Sample [::] Z0 q0) (erefl (size (samples pb)))).
rewrite {1}(seq_enum 0%coq_Z size_mult) zip_maps all_map => /allP - /(_ i).
rewrite mem_enum => /(_ isT) /= /andP[a0 aC]; apply/andP; split.
  by rewrite divr_ge0 ?(ltW (pow2_gt0 _ _)) // -(Z2F0 R) Z2F_le.
move: aC; rewrite (Q2F_le R) {1}/Q2F /= -[Zpos _]/(Z.pos _) Z2Pos.id ?shiftlE ?Z2F1 ?mul1r //.
by rewrite Z.shiftl_mul_pow2 // Z.mul_1_l; apply: Z.pow_pos_nonneg.
Qed.

Lemma gap_feasible : feasible y (box_at pb) gap_alpha.
Proof.
split; first exact: boxedP.
have := Z.eqb_eq _ _; move: balanced => /Z.eqb_eq; rewrite signedE => E _.
have : Z2F R (zsum [seq signed_at i | i <- enum 'I_m]) / pow2 (scale cert) = 0 by rewrite E mul0r.
move=> Z0; rewrite -[RHS]Z0 -big_enum /= {E Z0}; elim: (enum 'I_m) => [|i r IH].
  by rewrite big_nil /= mul0r.
by rewrite big_cons IH /= Z2FD mulrDl signed_sgap.
Qed.

Lemma gap_box_ge0 i : 0 <= box_at pb i :> R.
Proof. by have /andP[a0 aC] := boxedP i; apply: le_trans a0 aC. Qed.

Lemma widenP e far lo hi (x x' : R) : Z.le 0 e ->
  Z2F R lo <= x <= Z2F R hi -> `|x' - x| <= x / pow2 e + Z2F R far ->
  Q2F R (widen e far (lo, hi)).1 <= x' <= Q2F R (widen e far (lo, hi)).2.
Proof.
move=> e0 /andP[lx xh] close; rewrite /widen; cbn [fst snd]; rewrite !Q2FZ.
move: close; rewrite ler_distl => /andP[c1 c2]; rewrite !(Z2FB, Z2FD) Z2F1.
have i0 : 0 <= (pow2 e)^-1 by rewrite invr_ge0 ltW ?pow2_gt0.
have i1 : (pow2 e)^-1 <= 1.
  rewrite invf_le1 ?pow2_gt0 // -(pow2Z R e0) -(Z2F1 R) Z2F_le; apply/Z.leb_le.
  by have := Z.pow_pos_nonneg 2 e; move: e0; clear; lia.
apply/andP; split.
  apply: le_trans c1; rewrite [in leRHS]opprD [leRHS]addrA; apply: lerB => //.
  apply: (@le_trans _ _ (Z2F R lo * (1 - (pow2 e)^-1))).
    by rewrite mulrBr mulr1 lerD2l lerN2 shr_le.
  by rewrite -[X in X - _ / _]mulr1 -mulrBr ler_wpM2r ?subr_ge0.
apply: le_trans c2 _; rewrite [leLHS]addrA lerD2r; apply: lerD => //.
by apply: le_trans (shr_le _ _ _); rewrite ler_wpM2r.
Qed.

Hypothesis bits_ge0 : Z.le 0 (bits cert).
Hypothesis index_ge0 : Z.le 0 (index_bits cert).
Variables (ws : vectors R pb) (bs : R).
Hypothesis opt : optimal pb h0 ws bs.
Let gn := gap_and_norm pb lower upper cert (bits cert).
Let shift' := (weighted_table pb cert (index_bits cert)).2.
Let rho := (Z.div (gn.1 * Zpos (Qden lower)) (Qnum lower) + 1)%coq_Z.
Let dist : R := \sum_k (w k - ws k : R) ^+ 2.
Let dist_ge0 : 0 <= dist. Proof. by apply: sumr_ge0 => k _; rewrite sqr_ge0. Qed.

Lemma dist_gap : dist <= Z2F R gn.1 / pow2 (bits cert).
Proof.
have [le _] := gap_and_normP bits_ge0 gap_box_ge0; apply: le_trans le.
have := gap_bound gap_b gap_box_ge0 gap_feasible opt; rewrite gap_wE; apply: le_trans.
rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => k _.
by rewrite expr2 !ffunE.
Qed.

Lemma rhoP : dist / lambda h0 * pow2 (bits cert) <= Z2F R rho.
Proof.
have low : 0 < Q2F R lower by move: lower_gt0; rewrite (Q2F_lt R) Q2F0.
have /andP[lo _] := bounds; have p0 := pow2_gt0 R (bits cert).
have gE : Z2F R gn.1 / Q2F R lower <= Z2F R rho.
  rewrite /rho; case: (lower) low => [[|u|u] v]; rewrite /Q2F; cbn [Qnum Qden].
  - by rewrite Z2F0 mul0r ltxx.
  - move=> _; rewrite Z2FD Z2F1; have /andP[_] := floorP R (gn.1 * Zpos v)%coq_Z u.
    by apply: le_trans; rewrite invf_div Z2FM mulrA.
  - by move=> h; exfalso; move: h; rewrite pmulr_lgt0 ?invr_gt0 ?Z2F_gt0 // -(Z2F0 R) Z2F_lt.
apply: le_trans gE; have d1 := dist_gap.
have g0 : dist * pow2 (bits cert) <= Z2F R gn.1 by rewrite -ler_pdivlMr.
rewrite mulrAC; apply: ler_pM => //; first by rewrite mulr_ge0 // ltW.
  by rewrite invr_ge0 ltW // lambda_gt0.
by rewrite lef_pV2 ?posrE // lambda_gt0.
Qed.

Section Widened.
Variable e : Z.
Hypothesis e_ge0 : Z.le 0 e.
Let far := (shr (bits cert - index_bits cert - 2 * shift') (rho + Z.shiftl rho e) + 1)%coq_Z.
Let mu : R := unit_of (index_bits cert).

Lemma mu_gt0 : 0 < mu.
Proof.
by rewrite /mu unit_ofE // !mulr_gt0 ?pow2_gt0 // invr_gt0 lambda_gt0.
Qed.

Lemma widened (S : pred (modes pb)) :
  `|mu * mass ws S - mu * mass w S| <= mu * mass w S / pow2 e + Z2F R far.
Proof.
have m0 := mu_gt0; have pe := pow2_gt0 R e.
have t0 : 0 < (pow2 e)^-1 by rewrite invr_gt0.
have := mass_close (fun k => w k : R) (fun k => ws k : R) S t0; rewrite invrK -/dist => close.
rewrite -mulrBr normrM (gtr0_norm m0).
apply: le_trans (ler_wpM2l (ltW m0) close) _; rewrite mulrDr; apply: lerD.
  by rewrite [(pow2 e)^-1 * _]mulrC mulrA.
rewrite /far Z2FD Z2F1; apply: le_trans (shr_le _ _ _); rewrite Z2FD shiftlE //.
have -> : mu * ((1 + pow2 e) * dist) = (dist / lambda h0 * pow2 (bits cert)) * (1 + pow2 e)
    / pow2 (bits cert - index_bits cert - 2 * shift')%coq_Z.
  rewrite /mu unit_ofE // -/shift'.
  have -> : pow2 (bits cert) = pow2 (bits cert - index_bits cert - 2 * shift')%coq_Z
      * (pow2 (2 * shift')%coq_Z * pow2 (index_bits cert)).
    by rewrite -!pow2D; congr Fixed.pow2; clear; lia.
  by field; rewrite pow2_neq0 gt_eqF // lambda_gt0.
rewrite ler_wpM2r ?invr_ge0 ?(ltW (pow2_gt0 _ _)) //.
have -> : Z2F R rho + Z2F R rho * pow2 e = Z2F R rho * (1 + pow2 e).
  by rewrite mulrDr mulr1.
by rewrite ler_wpM2r ?rhoP // addr_ge0 ?ler01 // ltW.
Qed.

Lemma frep_sel (v : fixed) (f : {poly R}) (sel : nat -> bool) K :
  frep (index_bits cert) v f -> (size v.1 <= K)%N ->
  Z2F R (selected sel v.1 - v.2)%coq_Z
    <= (\sum_(a < K | sel a) f`_a) * pow2 (index_bits cert)
    <= Z2F R (selected sel v.1 + v.2)%coq_Z.
Proof.
have p0 := pow2_gt0 R (index_bits cert); move=> vf vK; rewrite Z2FB Z2FD -ler_distl.
rewrite (selectedE R sel vK) mulr_suml -sumrB.
have -> : \sum_(a < K | sel a) (f`_a * pow2 (index_bits cert) - (zp R v.1)`_a) =
   pow2 (index_bits cert) * \sum_(a < K | sel a) (f - (pow2 (index_bits cert))^-1 *: zp R v.1)`_a.
  rewrite mulr_sumr; apply: eq_bigr => a _; rewrite coefB coefZ mulrBr mulrA mulfV ?gt_eqF //.
  by rewrite mul1r [_ * f`_a]mulrC.
rewrite normrM (gtr0_norm p0).
apply: le_trans (ler_wpM2l (ltW p0) (le_trans (l1_sel _ _ _) vf)) _.
by rewrite mulrCA mulfV ?gt_eqF // mulr1.
Qed.

Lemma gap_claims claims :
  let p := index_bits cert in
  let masks := wanted_masks d claims in
  let quad f := quadratic (a := fixed_arithmetic p) f
    [seq u.1.1 | u <- zip (weighted_table pb cert p).1 (multipliers cert) & negb (Z.eqb u.2 0)] in
  let none := ([::], 0%coq_Z) in
  let total := bshr (bits cert - p + 2 * (gn.2.2 - shift'))%coq_Z gn.2.1 in
  let orders := if wants_orders claims then quad (@order_poly (fixed_arithmetic p) q) else none in
  let degrees := if wants_degrees claims then
    quad (@degree_poly (fixed_arithmetic p) q (is_limited pb)) else none in
  let subsets := if masks is [::] then none else
    quad (@subset_poly (fixed_arithmetic p) masks) in
  all (check_claim (fsums e far) (widen e far (total.1 - total.2, total.1 + total.2)%coq_Z)
         d q masks orders degrees subsets (top_degree pb)) claims ->
  all_hold ws claims.
Proof.
cbv zeta; set masks := wanted_masks d claims; set total := bshr _ gn.2.1.
set orders := (X in check_claim _ _ _ _ _ X _ _ _).
set degrees := (X in check_claim _ _ _ _ _ _ X _ _).
set subsets := (X in check_claim _ _ _ _ _ _ _ X _).
have lam0 := lambda_gt0 h0_gt0.
apply: (claims_hold (mu := mu) (wo := wants_orders claims) (wd := wants_degrees claims)).
- exact: mu_gt0.
- apply: (widenP (x := mu * mass w xpredT)) => //; last exact: widened.
  have [_ [normP shE]] := gap_and_normP bits_ge0 gap_box_ge0.
  have := near_shr (bits cert - index_bits cert + 2 * (gn.2.2 - shift'))%coq_Z normP.
  rewrite -/gn in shE *; move=> /near_le; rewrite -/total Z2FB Z2FD.
  suff -> : mu * mass w xpredT = scale_sq h0 (pow2 (weighted_table pb cert (bits cert)).2)
      * dot H w w * pow2 (bits cert)
      / pow2 (bits cert - index_bits cert + 2 * (gn.2.2 - shift'))%coq_Z by [].
  have -> : mass w xpredT = dot H w w by apply: eq_bigr => k _; rewrite expr2.
  rewrite /mu unit_ofE // -/shift' -shE /scale_sq lambda_inv; move: (dot H w w) => x.
  set Z := pow2 (_ + _)%coq_Z.
  have k : pow2 gn.2.2 ^+ 2 * pow2 (bits cert) =
      Z * (pow2 (2 * shift')%coq_Z * pow2 (index_bits cert)).
    by rewrite expr2 -!pow2D; congr Fixed.pow2; clear; lia.
  rewrite [X in _ = X / Z]mulrAC [X in _ = X * _ / Z]mulrAC k.
  by field; rewrite /Z pow2_neq0 gt_eqF.
- move=> i ci.
  have [||| v [f [sel [rf encE sumE]]]] := @index_sum R pb h0 sgap fixed
    (@frep R (index_bits cert)) (fsums e far) (scale_sq h0 (pow2 shift'))
    orders degrees subsets (wants_orders claims) (wants_degrees claims) masks _ _ _ i ci.
  + by rewrite /orders => ->; have := gap_orders index_ge0.
  + by rewrite /degrees => ->; have := gap_degrees index_ge0.
  + have := gap_subsets index_ge0 masks; rewrite /subsets; case: (masks) => //.
  have [K vK KE] := sumE (size v.1).
  rewrite encE /fsums; apply: (widenP (x := mu * mass w (modes_of i))) => //; last exact: widened.
  by have := frep_sel sel rf vK; rewrite KE mulrAC.
exact: covered_all.
Qed.
End Widened.
End Gap.

(** What a checked certificate of level gap proves of every optimum. *)
Theorem gap_certified (R : rcfType) (pb : problem) (lower upper : Q)
    (cert : gap_certificate) (claims : seq claim) :
  check_gap pb lower upper cert claims = true ->
  forall h0 : 'I_(dimension pb) -> R, (forall l, 0 < h0 l) ->
  Q2F R lower <= lambda h0 <= Q2F R upper ->
  forall w b, optimal pb h0 w b -> all_hold w claims.
Proof.
rewrite /check_gap => chk h0 h0_gt0 bounds w b opt; move: chk.
case gE: (gap_and_norm pb lower upper cert (bits cert)) => [gap [norm shift]].
case tE: (weighted_table pb cert (index_bits cert)) => [table shift'].
cbv beta iota zeta; set e := Z.max 0 _.
case/andP=> ok; case/andP=> /eqP sz; case/andP=> low; case/andP=> /Z.leb_le b0.
case/andP=> /Z.leb_le p0; case/andP=> /Z.leb_le s0; case/andP=> bal; case/andP=> boxed hold.
have e0 : Z.le 0 e by apply: Z.le_max_l.
have := gap_claims h0_gt0 bounds ok sz s0 low bal boxed b0 p0 opt e0 (claims := claims).
by cbv zeta; rewrite gE tE => sound; apply: sound; apply: hold.
Qed.
