(** * What the extracted function proves

    [exact_file_certified] and [gap_file_certified]: a file that [check] of Verdict.v accepts
    describes an optimal solution, or one that is near to every optimum. What remains to be
    assumed is that lambda lies between its bounds. *)
From Coq Require Import ZArith QArith Qreduction.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring zify ssrZ.
From Orca Require Import Compat Checker.
From Orca Require Import Recurrence Form Svm Expansion Rationals Claims Engine Sums Shares Checks.
From Orca Require Import Assembly Fixed Tables IntegerGram Inverse Files Verdict.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coq_Z.

Section Signs.
Variables (F : realFieldType) (lo hi : Q) (tau : F).
Hypothesis tau_in : enclosed (Q2F F lo) (Q2F F hi) tau.
Local Notation at_tau p q := (Q2F F p + Q2F F q * tau).

Lemma positive_atP p q : positive_at (ends lo hi p q) -> 0 < at_tau p q.
Proof.
case/and3P; rewrite !(Q2F_le F) !(Q2F_lt F) /= !Q2FD !Q2FM Q2F0 => l h o.
exact: (tau_sign_pos tau_in).
Qed.
Lemma negative_atP p q : negative_at (ends lo hi p q) -> at_tau p q < 0.
Proof.
case/and3P; rewrite !(Q2F_le F) !(Q2F_lt F) /= !Q2FD !Q2FM Q2F0 => l h o.
exact: (tau_sign_neg tau_in).
Qed.
Lemma zero_atP p q : zero_at (ends lo hi p q) -> at_tau p q = 0.
Proof.
case/andP; rewrite !(Q2F_eq F) /= !Q2FD !Q2FM Q2F0 => /eqP l /eqP h.
exact: (tau_sign_zero tau_in).
Qed.
Lemma above_atP p q (e := ends lo hi p q) : positive_at e || zero_at e -> 0 <= at_tau p q.
Proof. by case/orP => [/positive_atP/ltW|/zero_atP ->]. Qed.
Lemma below_atP p q (e := ends lo hi p q) : negative_at e || zero_at e -> at_tau p q <= 0.
Proof. by case/orP => [/negative_atP/ltW|/zero_atP ->]. Qed.
(** A sign that is decided is 0 only if the test says so. *)
Lemma zero_at_above p q (e := ends lo hi p q) : positive_at e || zero_at e ->
  zero_at e = (at_tau p q == 0).
Proof.
rewrite /e; case: (boolP (zero_at _)) => [/zero_atP -> _|_]; first by rewrite eqxx.
by rewrite orbF => /positive_atP/gt_eqF ->.
Qed.
Lemma positive_at_above p q (e := ends lo hi p q) : positive_at e || zero_at e ->
  positive_at e = (0 < at_tau p q).
Proof.
rewrite /e; case: (boolP (positive_at _)) => [/positive_atP -> //|_] /= /zero_atP ->.
by rewrite ltxx.
Qed.
Lemma zero_at_below p q (e := ends lo hi p q) : negative_at e || zero_at e ->
  zero_at e = (at_tau p q == 0).
Proof.
rewrite /e; case: (boolP (zero_at _)) => [/zero_atP -> _|_]; first by rewrite eqxx.
by rewrite orbF => /negative_atP/lt_eqF ->.
Qed.

Lemma Q2F_min x z : Q2F F (qmin x z) = Num.min (Q2F F x) (Q2F F z).
Proof. by rewrite /qmin (Q2F_le F); case: leP. Qed.
Lemma Q2F_max x z : Q2F F (qmax x z) = Num.max (Q2F F x) (Q2F F z).
Proof. by rewrite /qmax (Q2F_le F); case: leP. Qed.
Lemma quotient_upperE k0 k1 k2 : Q2F F (quotient_upper lo hi k0 k1 k2) =
  over_high (Q2F F lo) (Q2F F hi) (Q2F F k0) (Q2F F k1) (Q2F F k2).
Proof. by rewrite /quotient_upper /Qdiv !Q2FD !Q2F_max !Q2FM !Q2FV. Qed.
Lemma quotientP k0 k1 k2 : 0 < Q2F F lo ->
  Q2F F (quotient_lower lo hi k0 k1 k2)
  <= (Q2F F k0 + Q2F F k1 * tau + Q2F F k2 * tau ^+ 2) / tau
  <= Q2F F (quotient_upper lo hi k0 k1 k2).
Proof.
rewrite /quotient_lower /quotient_upper /Qdiv !Q2FD !Q2F_min !Q2F_max !Q2FM !Q2FV.
exact: tau_over.
Qed.
Lemma roots_differP small large by_ :
  roots_differ small large by_ = apart (Q2F F small) (Q2F F large) (Q2F F by_).
Proof.
rewrite /roots_differ /apart !(Q2F_le F) !(Q2FB, Q2FM) Q2FZ Q2F0 !expr2.
by [].
Qed.
Lemma qtotalE (s : seq Q) : Q2F F (qtotal s) = \sum_(x <- s) Q2F F x.
Proof.
elim: s => [|x s IH] /=; first by rewrite big_nil Q2F0.
by rewrite big_cons Q2F_red Q2FD IH.
Qed.
End Signs.

Section Accepted.
Variables (R : rcfType) (f : file).
Let pb := problem_of f.
Variable h0 : 'I_(dimension pb) -> R.
Hypothesis h0_gt0 : forall l, 0 < h0 l.
Let m := points pb.
Let C := top_box pb.
Let lo := Qmult (lambda_lower f) C.
Let hi := Qmult (lambda_upper f) C.
Hypothesis lambda_in : enclosed (Q2F R (lambda_lower f)) (Q2F R (lambda_upper f)) (lambda h0).
Hypothesis ok : well_posed pb C f.

Let lam := lambda h0.
Definition tau_of : R := lambda h0 * Q2F R (top_box (problem_of f)).
Let tau := tau_of.
Definition u_at (i : 'I_(points (problem_of f))) : Q := nth q0 (u_of f) i.
Definition v_at (i : 'I_(points (problem_of f))) : Q := nth q0 (v_of f) i.
Definition scaled_alpha (i : 'I_(points (problem_of f))) : R :=
  Q2F R (u_at i) + tau_of * Q2F R (v_at i).
Let a := scaled_alpha.
Let y : 'I_m -> R := label_at pb.
Let Cs : 'I_m -> R := box_at pb.
Let H := ffun_inner R (modes pb).
Let phi := feature pb h0.
Let D i : R := Z2F R (Zpos (scale_at (pb := pb) i)).
Let c : R := Z2F R (Zpos (common_scale pb)).
Let N i j : R := Z2F R (N_at (pb := pb) i j).
Let G i j : R := N i j / (c * D i * D j).

Let posed : well_formed pb. Proof. by case/and5P: ok. Qed.
Let sizes : size (u_of f) = m /\ size (v_of f) = m.
Proof. by case/and5P: ok => _ /eqP -> /eqP ->. Qed.
Let sample_ok i :
  (Z.eqb (label (nth_sample (pb := pb) i)) 1 || Z.eqb (label (nth_sample (pb := pb) i)) (-1))
  && Qlt_bool q0 (box (nth_sample (pb := pb) i)).
Proof. by case/and5P: ok => _ _ _ /all_nthP h _; apply: (h _ i (ltn_ord i)). Qed.
Let lower_gt0 : 0 < Q2F R (lambda_lower f).
Proof. by case/and5P: ok => _ _ _ _ /andP[]; rewrite (Q2F_lt R) Q2F0. Qed.
Let C_gt0 : 0 < Q2F R C.
Proof. by case/and5P: ok => _ _ _ _ /andP[_]; rewrite (Q2F_lt R) Q2F0. Qed.
Let C_real : R := Q2F R C.
Let lo_gt0 : 0 < Q2F R lo. Proof. by rewrite Q2FM mulr_gt0. Qed.
Let lam_gt0 : 0 < lam. Proof. by apply: prodr_gt0 => l _; rewrite invr_gt0. Qed.
Let tau_gt0 : 0 < tau. Proof. exact: mulr_gt0. Qed.
Let y_sign i : y i = 1 \/ y i = -1.
Proof.
rewrite /y /label_at; case/andP: (sample_ok i) => /orP[] /Z.eqb_eq -> _; [left|right] => //.
Qed.
Let Cs_gt0 i : 0 < Cs i.
Proof. by case/andP: (sample_ok i) => _; rewrite (Q2F_lt R) Q2F0. Qed.
Let gram_ratio i j : gram H phi i j = lam * G i j.
Proof. exact: gram_in_integers. Qed.
Let tau_in : enclosed (Q2F R lo) (Q2F R hi) tau.
Proof.
rewrite !Q2FM /tau /tau_of -/pb -/C; case/orP: lambda_in => [/andP[/eqP l /eqP h]|/andP[l h]].
  by apply/orP; left; rewrite l h !eqxx.
by apply/orP; right; rewrite !ltr_pM2r // l h.
Qed.
Let D_neq0 i : D i != 0. Proof. exact: Z2F_neq0. Qed.
Let c_neq0 : c != 0. Proof. exact: Z2F_neq0. Qed.

(** *** Lists by their entries *)

Let samplesE : samples pb = [seq nth_sample i | i <- enum 'I_m].
Proof. exact: (seq_enum (Sample [::] Z0 q0)). Qed.
Let uE : u_of f = [seq u_at i | i <- enum 'I_m].
Proof. by apply: seq_enum; case: sizes. Qed.
Let vE : v_of f = [seq v_at i | i <- enum 'I_m].
Proof. by apply: seq_enum; case: sizes. Qed.
Let cols := [seq columns_of (tables_of (recurrences pb)) (inputs s) | s <- samples pb].
Let colsE : cols = [seq columns_at i | i <- enum 'I_m].
Proof. by rewrite /cols samplesE -map_comp. Qed.
Let Ds := map scale_of cols.
Let DsE : Ds = [seq scale_at i | i <- enum 'I_m].
Proof. by rewrite /Ds colsE -map_comp. Qed.

Let st_at (i : 'I_m) := status_of C lo hi (nth_sample i) (u_at i) (v_at i).
Let sts := [seq status_of C lo hi w.1 w.2.1 w.2.2
           | w <- zip (samples pb) (zip (u_of f) (v_of f))].
Let stsE : sts = [seq st_at i | i <- enum 'I_m].
Proof. by rewrite /sts samplesE uE vE !zip_maps -map_comp. Qed.

Lemma all_enum (T : finType) (p : pred T) : all p (enum T) = [forall i, p i].
Proof. by apply/allP/forallP => h i; [apply: h; rewrite mem_enum | move=> _; apply: h]. Qed.
Lemma has_enum (T : finType) (p : pred T) : has p (enum T) = [exists i, p i].
Proof. by apply/hasP/existsP => [[i _ pi]|[i pi]]; exists i; rewrite ?mem_enum. Qed.

(** *** The status of a point *)

Hypothesis boxed : all in_box sts.
Let boxed_at i : in_box (st_at i).
Proof. by move: boxed; rewrite stsE all_map all_enum => /forallP/(_ i). Qed.
Let restE i : Q2F R (Qopp (u_at i))
  + Q2F R (Qminus (omega C (nth_sample (pb := pb) i)) (v_at i)) * tau = tau_ Cs lam i - a i.
Proof.
rewrite Q2FN Q2FB /omega /Qdiv Q2FM Q2FV /tau_ /Cs /box_at /a /scaled_alpha -/tau.
have -> : lam * Q2F R (box (nth_sample (pb := pb) i)) =
    Q2F R (box (nth_sample (pb := pb) i)) / Q2F R C * tau.
  by rewrite /tau /tau_of -/pb -/C -/lam; field; rewrite gt_eqF.
by ring.
Qed.
Let aE i : a i = Q2F R (u_at i) + Q2F R (v_at i) * tau.
Proof. by rewrite /a /scaled_alpha mulrC. Qed.
Lemma dual_box i : 0 <= a i <= tau_ Cs lam i.
Proof.
case/andP: (boxed_at i) => /(above_atP tau_in) + /(above_atP tau_in); rewrite -aE restE => -> /=.
by rewrite subr_ge0.
Qed.
Lemma boundE i : is_bound (st_at i) = bound Cs lam a i.
Proof.
case/andP: (boxed_at i) => _ /(zero_at_above tau_in); rewrite restE subr_eq0 eq_sym.
by [].
Qed.
Lemma freeE i : is_free (st_at i) = free Cs lam a i.
Proof.
case/andP: (boxed_at i) => /(positive_at_above tau_in) + /(positive_at_above tau_in).
by rewrite -aE restE subr_gt0 /free /= => -> ->.
Qed.

(** *** The scores *)

Let wu := weights_over pb (u_of f) Ds.
Let wv := weights_over pb (v_of f) Ds.
Let L := common_denominator (wu ++ wv).
Let xu := numerators L wu.
Let xv := numerators L wv.
Let wu_at i := weight_over (nth_sample (pb := pb) i) (u_at i) (scale_at i).
Let wv_at i := weight_over (nth_sample (pb := pb) i) (v_at i) (scale_at i).
Let l : R := Z2F R (Zpos L).
Let l_neq0 : l != 0. Proof. exact: Z2F_neq0. Qed.
Let wuE : wu = [seq wu_at i | i <- enum 'I_m].
Proof. by rewrite /wu /weights_over samplesE uE DsE !zip_maps -map_comp. Qed.
Let wvE : wv = [seq wv_at i | i <- enum 'I_m].
Proof. by rewrite /wv /weights_over samplesE vE DsE !zip_maps -map_comp. Qed.
Let xu_at i := numerator L (wu_at i).
Let xv_at i := numerator L (wv_at i).
Let xuE : xu = [seq xu_at i | i <- enum 'I_m].
Proof. by rewrite /xu /numerators wuE -map_comp. Qed.
Let xvE : xv = [seq xv_at i | i <- enum 'I_m].
Proof. by rewrite /xv /numerators wvE -map_comp. Qed.

Let weightE i (u : Q) : Q2F R (weight_over (nth_sample (pb := pb) i) u (scale_at i)) =
  y i * Q2F R u / D i.
Proof.
rewrite /weight_over /Q2F /= Pos2Z.inj_mul !Z2FM /y /label_at /D.
by rewrite invfM !mulrA.
Qed.
Let nth_wu (i : 'I_m) : nth q0 (wu ++ wv) i = wu_at i.
Proof.
rewrite nth_cat wuE size_map size_enum_ord ltn_ord (nth_map i) ?size_enum_ord //.
by rewrite nth_ord_enum.
Qed.
Let nth_wv (i : 'I_m) : nth q0 (wu ++ wv) (m + i) = wv_at i.
Proof.
have sz : size wu = m by rewrite wuE size_map size_enum_ord.
by rewrite nth_cat sz ltnNge leq_addr /= addKn wvE (nth_map i) ?size_enum_ord // nth_ord_enum.
Qed.
Let xu_atE i : Z2F R (xu_at i) = y i * Q2F R (u_at i) / D i * l.
Proof.
rewrite numeratorP ?weightE //; have := common_denominatorP (wu ++ wv) i.
by rewrite nth_wu.
Qed.
Let xv_atE i : Z2F R (xv_at i) = y i * Q2F R (v_at i) / D i * l.
Proof.
rewrite numeratorP ?weightE //; have := common_denominatorP (wu ++ wv) (m + i).
by rewrite nth_wv.
Qed.

Lemma zsumE (s : seq Z) : Z2F R (zsum s) = \sum_(z <- s) Z2F R z.
Proof. by elim: s => [|z s IH] /=; rewrite ?big_nil // big_cons Z2FD IH. Qed.

Lemma balancedE (x : 'I_m -> Z) : balanced Ds [seq x i | i <- enum 'I_m] ->
  \sum_i D i * Z2F R (x i) = 0.
Proof.
move=> /Z.eqb_eq E; have := congr1 (Z2F R) E; rewrite DsE zip_maps -map_comp zsumE big_map.
rewrite big_enum /= => {}E; rewrite -[RHS](Z2F0 R) -[RHS]E.
by apply: eq_bigr => i _; rewrite Z2FM.
Qed.

Hypothesis balanced_u : balanced Ds xu.
Hypothesis balanced_v : balanced Ds xv.
Let unbalanced (x : 'I_m -> Z) (u : 'I_m -> Q) :
  (forall i, Z2F R (x i) = y i * Q2F R (u i) / D i * l) -> \sum_i D i * Z2F R (x i) = 0 ->
  \sum_i y i * Q2F R (u i) = 0.
Proof.
move=> xE s0; apply: (mulIf l_neq0); rewrite mul0r -[RHS]s0 mulr_suml.
by apply: eq_bigr => i _; rewrite xE; field; rewrite D_neq0.
Qed.
Lemma dual_feasible_at : dual_feasibility y Cs lam a.
Proof.
split; first exact: dual_box.
apply: (balanced_affine (u := fun i => Q2F R (u_at i)) (v := fun i => Q2F R (v_at i))
  (tau := tau)).
- by [].
- by apply: unbalanced xu_atE _; apply: balancedE; rewrite -xuE.
- by apply: unbalanced xv_atE _; apply: balancedE; rewrite -xvE.
Qed.

Let sup := support cols xu xv.
Let sums_at i := sums_of pb sup (columns_at (pb := pb) i).
Let sums := map (sums_of pb sup) cols.
Let sumsE : sums = [seq sums_at i | i <- enum 'I_m].
Proof. by rewrite /sums colsE -map_comp. Qed.
Let sums_atE i :
  Z2F R (sums_at i).1 = \sum_j N i j * Z2F R (xu_at j) /\
  Z2F R (sums_at i).2 = \sum_j N i j * Z2F R (xv_at j).
Proof.
rewrite /sums_at /sup /support colsE xuE xvE !zip_maps -!big_enum /=.
elim: (enum 'I_m) => [|j r [IH1 IH2]] /=; first by rewrite !big_nil.
rewrite !big_cons; case: ifP => [_|/negbFE/andP[/Z.eqb_eq e1 /Z.eqb_eq e2]] /=.
  by rewrite !Z2FD !Z2FM IH1 IH2.
by rewrite e1 e2 Z2F0 !mulr0 !add0r IH1 IH2.
Qed.

Let score_at (i : 'I_m) : Q * Q :=
  let q := Pos.mul (Pos.mul (common_scale pb) (scale_at i)) L in
  (Qmake (sums_at i).1 q, Qmake (sums_at i).2 q).
Let scores := [seq let q := Pos.mul (Pos.mul (common_scale pb) w.1) L in
                   (Qmake w.2.1 q, Qmake w.2.2 q) | w <- zip Ds sums].
Let scoresE : scores = [seq score_at i | i <- enum 'I_m].
Proof. by rewrite /scores DsE sumsE zip_maps -map_comp. Qed.
Let denominatorE i :
  Z2F R (Zpos (Pos.mul (Pos.mul (common_scale pb) (scale_at i)) L)) = c * D i * l.
Proof. by rewrite !Pos2Z.inj_mul !Z2FM. Qed.
Let part_score i (x : 'I_m -> Z) (u : 'I_m -> Q) :
  (forall j, Z2F R (x j) = y j * Q2F R (u j) / D j * l) ->
  (\sum_j N i j * Z2F R (x j)) / (c * D i * l) = \sum_j G i j * (y j * Q2F R (u j)).
Proof.
move=> xE; rewrite mulr_suml; apply: eq_bigr => j _; rewrite xE /G.
by field; rewrite ?c_neq0 ?l_neq0 ?D_neq0.
Qed.
Lemma score_atE i : score y G a i = Q2F R (score_at i).1 + Q2F R (score_at i).2 * tau.
Proof.
rewrite /score_at {1 2}/Q2F; cbn [fst snd Qnum Qden]; rewrite !denominatorE.
have [-> ->] := sums_atE i; rewrite (part_score i xu_atE) (part_score i xv_atE).
rewrite mulr_suml -big_split; apply: eq_bigr => j _ /=; rewrite aE.
by ring.
Qed.

(** *** The margins of one b *)

Definition bias_of (b : Q * Q) : R := Q2F R b.1 + Q2F R b.2 * tau_of.
Section Bias.
Variable b : Q * Q.
Let g_at i := margin_of lo hi (nth_sample (pb := pb) i) (score_at i) b.
Let gs := margins_of pb lo hi scores b.
Lemma marginsE : gs = [seq g_at i | i <- enum 'I_m].
Proof. by rewrite /gs /margins_of samplesE scoresE zip_maps -map_comp. Qed.
Lemma marginE i : Q2F R (margin_p (g_at i)) + Q2F R (margin_q (g_at i)) * tau
  = gm y G a (bias_of b) i - 1.
Proof.
have yE : Q2F R (Qmake (label (nth_sample (pb := pb) i)) 1) = y i by rewrite Q2FZ.
rewrite /gm score_atE /bias_of -/tau /g_at /margin_of; cbn [margin_p margin_q].
rewrite !(Q2FB, Q2FM, Q2FD) yE Q2F1; move: (score_at i) => sc.
move: (y i) (Q2F R sc.1) (Q2F R sc.2) (Q2F R b.1) (Q2F R b.2) tau => y1 s1 s2 b1 b2 t.
by ring.
Qed.
Hypothesis prim : primal_ok sts gs.
Hypothesis comp : complementary sts gs.
Let prim_at i : is_bound (st_at i) || above (g_at i).
Proof.
move: prim; rewrite /primal_ok stsE marginsE zip_maps all_map all_enum => /forallP/(_ i).
by [].
Qed.
Let comp_at i :
  (is_free (st_at i) ==> Qeq_bool (margin_p (g_at i)) q0 && Qeq_bool (margin_q (g_at i)) q0)
  && (is_bound (st_at i) ==> below (g_at i)).
Proof.
move: comp; rewrite /complementary stsE marginsE zip_maps all_map all_enum => /forallP/(_ i).
by [].
Qed.
Lemma proved_at : proved y Cs lam G a (bias_of b).
Proof.
split; first exact: dual_feasible_at.
  move=> i; rewrite -boundE => /negPf nb; have := prim_at i; rewrite nb => /(above_atP tau_in).
  by rewrite marginE subr_ge0.
move=> i; case/andP: (comp_at i) => fr bo; split=> h.
  have {fr} := implyP fr; rewrite freeE h => /(_ isT)/andP[].
  rewrite !(Q2F_eq R) Q2F0 => /eqP p0 /eqP r0; have := marginE i.
  by rewrite p0 r0 mul0r addr0 => /esym/eqP; rewrite subr_eq0 => /eqP.
have {bo} := implyP bo; rewrite boundE h => /(_ isT)/(below_atP tau_in).
by rewrite marginE subr_le0.
Qed.
Lemma tightE i : tight (g_at i) = (gm y G a (bias_of b) i == 1).
Proof.
rewrite -subr_eq0 -marginE; have [bo|nb] := boolP (is_bound (st_at i)).
  by case/andP: (comp_at i) => _ /implyP/(_ bo)/(zero_at_below tau_in).
by have := prim_at i; rewrite (negPf nb) => /(zero_at_above tau_in).
Qed.
Let label_pos i : Z.ltb 0 (label (nth_sample (pb := pb) i)) = (0 < y i).
Proof. by rewrite -(Z2F_lt R) Z2F0. Qed.
Let stopsE way : stops pb way sts gs =
  [exists i, (gm y G a (bias_of b) i == 1) && (((0 < y i) == bound Cs lam a i) == way)].
Proof.
rewrite /stops samplesE stsE marginsE !zip_maps has_map has_enum; apply: eq_existsb => i /=.
by rewrite -[zero_at _]/(tight (g_at i)) tightE label_pos -boundE.
Qed.
Lemma floor_stopsP : stops pb false sts gs -> floor y Cs lam G a (bias_of b).
Proof.
rewrite stopsE => /existsP[i /andP[/eqP t w]]; exists i; split=> //.
by move: w; rewrite eqbF_neg.
Qed.
Lemma ceiling_stopsP : stops pb true sts gs -> ceiling y Cs lam G a (bias_of b).
Proof.
rewrite stopsE => /existsP[i /andP[/eqP t w]]; exists i; split=> //.
by move: w; rewrite eqb_id => /eqP.
Qed.
Lemma hardE : all (fun w => is_bound w.1 ==> tight w.2) (zip sts gs) =
  [forall i, bound Cs lam a i ==> (gm y G a (bias_of b) i == 1)].
Proof.
rewrite stsE marginsE zip_maps all_map all_enum; apply: eq_forallb => i.
by rewrite -tightE -boundE.
Qed.
End Bias.

Lemma has_freeE : has is_free sts = [exists i, free Cs lam a i].
Proof.
by rewrite stsE has_map has_enum; apply: eq_existsb => i /=; rewrite -freeE.
Qed.

(** *** |w|^2 *)

Let w := Checker.w phi y lam a.
Let form (x : seq Z) (part : Z * Z -> Z) := zsum [seq Z.mul w.1 (part w.2) | w <- zip x sums].
Let unit := Pos.mul (common_scale pb) (Pos.mul L L).
Let k := (Qmake (form xu fst) unit, Qmake (Z.add (form xu snd) (form xv fst)) unit,
          Qmake (form xv snd) unit).
Let unitE : Z2F R (Zpos unit) = c * l ^+ 2.
Proof. by rewrite !Pos2Z.inj_mul !Z2FM expr2. Qed.
Let formE (x : 'I_m -> Z) part : Z2F R (form [seq x i | i <- enum 'I_m] part) =
  \sum_i Z2F R (x i) * Z2F R (part (sums_at i)).
Proof.
rewrite /form sumsE zip_maps -map_comp zsumE big_map big_enum /=.
by apply: eq_bigr => i _; rewrite Z2FM.
Qed.
Let weighted i : y i * a i = D i * (Z2F R (xu_at i) + Z2F R (xv_at i) * tau) / l.
Proof. by rewrite xu_atE xv_atE aE; field; rewrite ?D_neq0 ?l_neq0. Qed.
Let score_sums i : score y G a i =
  (Z2F R (sums_at i).1 + Z2F R (sums_at i).2 * tau) / (c * D i * l).
Proof.
rewrite score_atE /score_at {1 2}/Q2F; cbn [fst snd Qnum Qden]; rewrite !denominatorE.
by rewrite [RHS]mulrDl; congr (_ + _); rewrite mulrAC.
Qed.
Lemma norm2E : lam * dot H w w = Q2F R k.1.1 + Q2F R k.1.2 * tau + Q2F R k.2 * tau ^+ 2.
Proof.
rewrite (norm2_ratio y lam_gt0 gram_ratio a) mulrC divfK ?gt_eqF //.
rewrite /k {1 2 3}/Q2F; cbn [fst snd Qnum Qden]; rewrite unitE Z2FD xuE xvE !formE.
rewrite -big_split /= ![(\sum_i _) / _]mulr_suml ![(\sum_i _) * _]mulr_suml -!big_split /=.
apply: eq_bigr => i _; rewrite weighted score_sums.
move: (Z2F R (xu_at i)) (Z2F R (xv_at i)) (Z2F R (sums_at i).1) (Z2F R (sums_at i).2) tau.
move: (D i) c l (D_neq0 i) c_neq0 l_neq0 => d1 c1 l1 d0 c0 l0 x1 x2 s1 s2 t.
by field; rewrite ?d0 ?c0 ?l0.
Qed.

Lemma norm2_ends : C_real * Q2F R (quotient_lower lo hi k.1.1 k.1.2 k.2) <= dot H w w
  <= C_real * Q2F R (quotient_upper lo hi k.1.1 k.1.2 k.2).
Proof.
have -> : dot H w w = C_real * ((Q2F R k.1.1 + Q2F R k.1.2 * tau + Q2F R k.2 * tau ^+ 2) / tau).
  have tauE : tau = lam * C_real by [].
  have l0 := lt0r_neq0 lam_gt0; have t0 : C_real != 0 := lt0r_neq0 C_gt0.
  rewrite -norm2E tauE; move: (dot H w w) => x.
  have gen (s t : R) : s != 0 -> t != 0 -> x = t * (s * x / (s * t)).
    by move=> s0 u0; field; rewrite s0 u0.
  exact: gen.
by rewrite !ler_pM2l // quotientP.
Qed.
Lemma claims_norm2P ws : claims_norm2 C lo hi f k ->
  dot H (w - ws) (w - ws) <= Q2F R (claimed_error f) ^+ 2 ->
  Q2F R (claimed_lower f) <= dot H ws ws <= Q2F R (claimed_upper f).
Proof.
case/andP; rewrite !(roots_differP R) (Q2F_le R) !Q2F_max Q2F0 !Q2FM -/C_real => low high far.
have /andP[le1 le2] := norm2_ends; apply/andP; split.
  by apply: (Checker.norm2_lower _ far low); rewrite ge_max dot_ge0.
by apply: (Checker.norm2_upper _ far high); rewrite le_max le2 orbT.
Qed.

(** *** P - D *)

Section Gap.
Variable b : Q * Q.
Let g_at i := margin_of lo hi (nth_sample (pb := pb) i) (score_at i) b.
Let gs := margins_of pb lo hi scores b.
Let om i : R := Q2F R (omega C (nth_sample (pb := pb) i)).
Lemma gap_ofP : primal H phi y Cs w (bias_of b) - dual H phi y (alpha lam a)
  <= Q2F R (gap_of pb C lo hi f k gs).
Proof.
have omE i : om i = Cs i / C_real by rewrite /om /omega /Qdiv Q2FM Q2FV.
have C_neq0 : C_real != 0 by rewrite gt_eqF.
have om_ge0 i : 0 <= om i by rewrite omE divr_ge0 // ltW.
have CsE i : Cs i = C_real * om i by rewrite omE mulrC divfK.
pose S0 : {set 'I_m} := [set i | sure (g_at i)].
have eE i : Q2F R (margin_ends (g_at i)).1 =
    Q2F R (margin_p (g_at i)) + Q2F R (margin_q (g_at i)) * Q2F R lo /\
    Q2F R (margin_ends (g_at i)).2 =
    Q2F R (margin_p (g_at i)) + Q2F R (margin_q (g_at i)) * Q2F R hi.
  rewrite /g_at /margin_of; cbn [margin_ends margin_p margin_q ends fst snd].
  by rewrite !Q2FD !Q2FM.
have opp (p q t : R) : - p - q * t = - (p + q * t) by ring.
have inS i : i \in S0 -> 0 <= - Q2F R (margin_p (g_at i)) - Q2F R (margin_q (g_at i)) * Q2F R lo
    /\ 0 <= - Q2F R (margin_p (g_at i)) - Q2F R (margin_q (g_at i)) * Q2F R hi.
  rewrite inE /sure !(Q2F_le R) Q2F0; have [-> ->] := eE i => /andP[e1 e2].
  by rewrite !opp !oppr_ge0.
have := @duality_gap R _ H m phi y Cs lam G lam_gt0 gram_ratio a (bias_of b) C_real (Q2F R lo)
  (Q2F R hi) om (fun i => Q2F R (u_at i)) (fun i => Q2F R (v_at i))
  (fun i => Q2F R (margin_p (g_at i))) (fun i => Q2F R (margin_q (g_at i)))
  (Q2F R k.1.1) (Q2F R k.1.2) (Q2F R k.2) S0 C_gt0 lo_gt0 tau_in om_ge0 CsE (fun i => erefl)
  (fun i => esym (marginE b i)) norm2E inS.
congr (_ <= _).
have filtered (F : sample * margin_data -> Q) (p : pred margin_data) :
    Q2F R (qtotal [seq F u | u <- zip (samples pb) gs & p u.2]) =
    \sum_(i | p (g_at i)) Q2F R (F (nth_sample (pb := pb) i, g_at i)).
  rewrite qtotalE big_map big_filter samplesE /gs marginsE zip_maps big_map big_enum_cond /=.
  by [].
have yes (F : margin_data -> Q) :
    Q2F R (qtotal [seq Qmult (omega C u.1) (F u.2) | u <- zip (samples pb) gs & sure u.2]) =
    \sum_(i in S0) om i * Q2F R (F (g_at i)).
  rewrite (filtered (fun u => Qmult (omega C u.1) (F u.2)) sure).
  by apply: eq_big => i; rewrite ?inE // Q2FM.
have sum_u : Q2F R (qtotal (u_of f)) = \sum_i Q2F R (u_at i).
  by rewrite qtotalE {1}uE big_map big_enum.
have sum_v : Q2F R (qtotal (v_of f)) = \sum_i Q2F R (v_at i).
  by rewrite qtotalE {1}vE big_map big_enum.
rewrite /gap_of; cbv zeta; rewrite Q2FM -/C_real Q2FD; congr (_ * (_ + _)).
  by rewrite quotient_upperE !Q2FB sum_u sum_v (yes margin_p) (yes margin_q).
rewrite (filtered (slack_rest C) (fun g => ~~ sure g)); apply: eq_big => i; first by rewrite !inE.
move=> _; rewrite /slack_rest; cbn [fst snd]; rewrite Q2FM !Q2F_max !Q2FN Q2F0.
by have [-> ->] := eE i; rewrite !opp.
Qed.
End Gap.

(** *** Uniqueness of alpha *)

Lemma mask_maps (T U : Type) (t : T -> bool) (g : T -> U) (r : seq T) :
  mask [seq t i | i <- r] [seq g i | i <- r] = [seq g i | i <- r & t i].
Proof. by elim: r => //= i r ->; case: (t i). Qed.

Section Unique.
Variables b b' : Q * Q.
Let gs := margins_of pb lo hi scores b.
Let gs' := margins_of pb lo hi scores b'.
Hypothesis (prim : primal_ok sts gs) (comp : complementary sts gs).
Hypothesis (prim' : primal_ok sts gs') (comp' : complementary sts gs').
Let E := tight_set y G a (bias_of b) (bias_of b').
Let pts := [seq (columns_at (pb := pb) i, scale_at i) | i <- enum E].
Let M := bordered_gram pb pts.
Let ptsE : mask [seq tight u.1 && tight u.2 | u <- zip gs gs'] (zip cols Ds) = pts.
Proof.
rewrite /gs /gs' !marginsE colsE DsE !zip_maps -map_comp mask_maps /pts; congr map.
rewrite enumT; apply: eq_filter => i; rewrite /= inE -(tightE prim comp) -(tightE prim' comp').
by [].
Qed.
Let size_pts : size pts = #|E|. Proof. by rewrite size_map -cardE. Qed.
Let size_M : size M = (#|E| + 1)%N. Proof. by rewrite size_cat size_map size_pts. Qed.
Let no_point : seq integer_column * positive := ([::], 1%positive).
Let nth_pts (i : 'I_#|E|) : nth no_point pts i =
  (columns_at (enum_val i), scale_at (enum_val i)).
Proof.
by rewrite (nth_map (enum_val i)) -?cardE // -enum_val_nth.
Qed.
Let M_scaled : map_mx (intr : int -> R) (matrix_of (#|E| + 1) M) = scaled N D E.
Proof.
have row (i : 'I_#|E|) : nth [::] M i = rcons
    [seq entry pb (is_limited pb) (columns_at (enum_val i)) u.1 | u <- pts]
    (Zpos (scale_at (enum_val i))).
  by rewrite nth_cat size_map size_pts ltn_ord (nth_map no_point) ?size_pts // nth_pts.
have last_row : nth [::] M #|E| = rcons [seq Zpos u.2 | u <- pts] Z0.
  by rewrite nth_cat size_map size_pts ltnn subnn.
apply/matrixP => i j; rewrite !mxE -/(Z2F R _).
case: (splitP i) => i' iE; rewrite !mxE; case: (splitP j) => j' jE; rewrite ?mxE.
- rewrite iE row nth_rcons size_map size_pts jE ltn_ord (nth_map no_point) ?size_pts //.
  by rewrite nth_pts.
- rewrite iE row nth_rcons size_map size_pts jE (ord1 j') addn0 ltnn eqxx.
  by [].
- rewrite iE (ord1 i') addn0 last_row nth_rcons size_map size_pts jE ltn_ord.
  by rewrite (nth_map no_point) ?size_pts // nth_pts.
by rewrite iE (ord1 i') addn0 last_row nth_rcons size_map size_pts jE (ord1 j') addn0 ltnn eqxx.
Qed.
Lemma only_alphaP inverse :
  only_alpha pb inverse [seq tight u.1 && tight u.2 | u <- zip gs gs'] cols Ds ->
  forall a', dual_optimal H phi y Cs a' -> a' =1 alpha lam a.
Proof.
have pr := proved_at prim comp; have pr' := proved_at prim' comp'.
rewrite /only_alpha ptsE; case pE: pts => [|p0 r].
  move=> _; apply: (alpha_unique_empty y_sign Cs_gt0 lam_gt0 gram_ratio pr pr').
  by apply/eqP; rewrite -cards_eq0 -size_pts pE.
rewrite -pE -/M => /(is_inverse_det size_M) det0.
apply: (alpha_unique_scaled (c := c) (d := D) (N := N) y_sign Cs_gt0 lam_gt0 gram_ratio pr pr'
  D_neq0).
  by move=> i j; rewrite /G; field; rewrite ?c_neq0 ?D_neq0.
by rewrite -M_scaled unitmxE unitfE det_map_mx intr_eq0.
Qed.
End Unique.

(** *** The active sets *)

Lemma numberedP (t : 'I_m -> bool) (i : 'I_m) :
  (i.+1 \in numbered [seq t j | j <- enum 'I_m]) = t i.
Proof.
rewrite /numbered size_map size_enum_ord -[1%N]/(1 + 0)%N iotaDl -val_enum_ord -map_comp zip_maps.
rewrite filter_map -map_comp (mem_map (f := fun j : 'I_m => j.+1)).
  by rewrite mem_filter mem_enum andbT.
by move=> j1 j2 /= [/val_inj].
Qed.

(** *** All b *)

Section Whole.
Variables (b b' : Q * Q) (both : bool).
Let gs := margins_of pb lo hi scores b.
Let gs' := margins_of pb lo hi scores b'.
Hypothesis (prim : primal_ok sts gs) (comp : complementary sts gs).
Hypothesis (prim' : primal_ok sts gs') (comp' : complementary sts gs').
Hypothesis one : ~~ both -> b' = b.
Lemma wholeP x : whole pb sts gs gs' both ->
  primal_optimal H phi y Cs w x <-> bias_of b <= x <= bias_of b'.
Proof.
have pr := proved_at prim comp; have pr' := proved_at prim' comp'.
rewrite /whole; case: both one => [_|/(_ isT) bE].
  case/and3P; rewrite has_freeE negb_exists => /forallP nofree fl ce.
  apply: (whole_b y_sign Cs_gt0 lam_gt0 gram_ratio x pr pr' _ _ nofree).
    exact: (floor_stopsP prim comp).
  exact: (ceiling_stopsP prim' comp').
rewrite bE has_freeE => /existsP[i fr]; split=> [opt|/le_anti <-].
  by rewrite (whole_b_free y_sign Cs_gt0 lam_gt0 gram_ratio pr fr opt) lexx.
by have [] := level_exact Cs_gt0 lam_gt0 gram_ratio pr.
Qed.

Lemma level_exactP : [/\ primal_optimal H phi y Cs w (bias_of b),
    dual_optimal H phi y Cs (alpha lam a),
    primal H phi y Cs w (bias_of b) = dual H phi y (alpha lam a)
  & forall w' x, primal_optimal H phi y Cs w' x -> w' = w].
Proof. exact: (level_exact Cs_gt0 lam_gt0 gram_ratio (proved_at prim comp)). Qed.
Lemma hardP : all (fun u => is_bound u.1 ==> tight u.2) (zip sts gs) =
  [forall i, 1 <= margin H phi y w (bias_of b) i].
Proof.
rewrite (hardE prim comp); have := Checker.hard_margin (proved_at prim comp) => iff.
apply/forallP/forallP => h i.
  rewrite (margin_gm y lam_gt0 gram_ratio); apply: (iff.1 _ i) => j bo.
  by apply/eqP; apply: (implyP (h j)).
apply/implyP => bo; apply/eqP; apply: (iff.2 _ i bo) => j.
by have := h j; rewrite (margin_gm y lam_gt0 gram_ratio).
Qed.
Lemma ends_equalP (e := ends lo hi (Qminus b'.1 b.1) (Qminus b'.2 b.2)) :
  positive_at e || zero_at e -> zero_at e = (bias_of b == bias_of b').
Proof.
move/(zero_at_above tau_in) => ->; rewrite !Q2FB [RHS]eq_sym -[RHS]subr_eq0 /bias_of -/tau.
congr (_ == 0); move: (Q2F R b.1) (Q2F R b.2) (Q2F R b'.1) (Q2F R b'.2) tau => x1 x2 x3 x4 x5.
by ring.
Qed.
End Whole.

Lemma activeP i : (is_free (st_at i) = (0 < alpha lam a i < Cs i)) /\
  (is_bound (st_at i) = (alpha lam a i == Cs i)).
Proof.
rewrite freeE boundE /free /bound /tau_ /alpha; have l0 := lt0r_neq0 lam_gt0; split.
  by rewrite pmulr_lgt0 ?invr_gt0 // ltr_pdivrMr // [lam * _]mulrC.
apply/eqP/eqP => [->|<-]; first by rewrite [lam * _]mulrC mulfK.
by rewrite mulrC divfK.
Qed.
Lemma numbered_freeP (i : 'I_m) :
  (i.+1 \in numbered (map is_free sts)) = (0 < alpha lam a i < Cs i).
Proof. by rewrite stsE -map_comp numberedP -(activeP i).1. Qed.
Lemma numbered_boundP (i : 'I_m) :
  (i.+1 \in numbered (map is_bound sts)) = (alpha lam a i == Cs i).
Proof. by rewrite stsE -map_comp numberedP -(activeP i).2. Qed.

Lemma gap_soundP b (g := gap_of pb C lo hi f k (margins_of pb lo hi scores b)) :
  Qle_bool g (claimed_gap f) -> Qle_bool g (Qmult (claimed_error f) (claimed_error f)) ->
  claims_norm2 C lo hi f k ->
  [/\ feasible y Cs (alpha lam a),
      primal H phi y Cs w (bias_of b) - dual H phi y (alpha lam a) <= Q2F R (claimed_gap f)
    & forall ws x, primal_optimal H phi y Cs ws x ->
      dot H (w - ws) (w - ws) <= Q2F R (claimed_error f) ^+ 2 /\
      Q2F R (claimed_lower f) <= dot H ws ws <= Q2F R (claimed_upper f)].
Proof.
rewrite !(Q2F_le R) Q2FM -expr2 => le1 le2 norm.
have gapP := gap_ofP b; have ok_dual := dual_feasible_at; split.
- by apply: Checker.dual_feasible ok_dual.
- exact: le_trans gapP le1.
move=> ws x opt; have far := Checker.w_error Cs_gt0 lam_gt0 ok_dual gapP le2 opt.
by split=> //; apply: claims_norm2P.
Qed.
End Accepted.

(** The ends of b in a file. *)
Definition first_b (f : file) : Q * Q := head (q0, q0) (b_of f).
Definition last_b (f : file) : Q * Q := last (q0, q0) (b_of f).

(** A file of level exact: alpha_i = (u_i + tau v_i) / lambda with tau = lambda C. *)
Theorem exact_file_certified (R : rcfType) inverse (f : file) :
  exact f -> check inverse f = None ->
  let pb := problem_of f in
  forall h0 : 'I_(dimension pb) -> R, (forall l, 0 < h0 l) ->
  enclosed (Q2F R (lambda_lower f)) (Q2F R (lambda_upper f)) (lambda h0) ->
  let H := ffun_inner R (modes pb) in
  let alpha i := scaled_alpha h0 i / lambda h0 in
  let w := w_of (feature pb h0) (label_at pb) alpha in
  let b := bias_of h0 (first_b f) in
  let b' := bias_of h0 (last_b f) in
  [/\ optimal pb h0 w b, optimal_dual pb h0 alpha, no_gap pb h0 w b alpha,
      forall w' x, optimal pb h0 w' x -> w' = w
    & forall x, optimal pb h0 w x <-> b <= x <= b'] /\
  [/\ Q2F R (claimed_lower f) <= dot H w w <= Q2F R (claimed_upper f),
      forall i : 'I_(points pb), (i.+1 \in free_points f) = (0 < alpha i < box_at pb i) /\
        (i.+1 \in bound_points f) = (alpha i == box_at pb i),
      claimed_hard_margin f =
        Some [forall i, 1 <= margin H (feature pb h0) (label_at pb) w b i],
      forall t, claimed_b_unique f = Some t -> t = (b == b')
    & claimed_alpha_unique f <> None ->
      forall alpha', optimal_dual pb h0 alpha' -> alpha' =1 alpha].
Proof.
rewrite /check => ex; cbv zeta; rewrite ex.
case: ifP => // /negbFE ok; case: ifP => // /negbFE/and3P[boxed bal_u bal_v].
case: ifP => // /negbFE/andP[/eqP free_ok /eqP bound_ok]; case: ifP => // /negbFE some_b.
rewrite -/(first_b f) -/(last_b f); case: ifP => // /negbFE/andP[prim prim'].
case: ifP => // /negbFE/and3P[comp comp' wh]; case: ifP => // claims _ h0 h0_gt0 lambda_in.
have one : ~~ (size (b_of f) == 2)%N -> last_b f = first_b f.
  by move: some_b; rewrite /last_b /first_b; case: (b_of f) => [|? [|? [|? ?]]].
have lastE (T : Type) (g : Q * Q -> T) :
    (if (size (b_of f) == 2)%N then g (last_b f) else g (first_b f)) = g (last_b f).
  by case: ifP => // /negbT/one ->.
move: prim' comp' wh claims; rewrite !(lastE _ (margins_of _ _ _ _)) => prim' comp' wh.
case/and5P=> gap0 err0 norm hard /andP[bu au].
have [opt dopt gap uniq] := level_exactP h0_gt0 lambda_in ok boxed bal_u bal_v prim comp.
split; first split=> //.
  move=> x; exact: (wholeP h0_gt0 lambda_in ok boxed bal_u bal_v prim comp prim' comp' one x wh).
split.
- apply: (claims_norm2P h0_gt0 lambda_in ok norm).
  by rewrite subrr dot0l sqr_ge0.
- move=> i; rewrite free_ok bound_ok; split.
    exact: (numbered_freeP h0_gt0 lambda_in ok boxed).
  exact: (numbered_boundP h0_gt0 lambda_in ok boxed).
- move: hard; rewrite (hardP h0_gt0 lambda_in ok boxed bal_u bal_v prim comp).
  by case: (claimed_hard_margin f) => [t|] //= /eqP ->.
- move=> t tE; move: bu; rewrite tE /= => /andP[e0 /eqP ->].
  exact: (ends_equalP lambda_in ok e0).
move=> some alpha' dopt'; apply: (only_alphaP h0_gt0 lambda_in ok boxed bal_u bal_v prim comp
  prim' comp' _ dopt').
case/orP: au => [|/andP[_ h]]; first by case: (claimed_alpha_unique f) some.
exact: h.
Qed.

(** A file of level gap or ball: alpha is feasible, and every optimum is near. *)
Theorem gap_file_certified (R : rcfType) inverse (f : file) :
  ~~ exact f -> check inverse f = None ->
  let pb := problem_of f in
  forall h0 : 'I_(dimension pb) -> R, (forall l, 0 < h0 l) ->
  enclosed (Q2F R (lambda_lower f)) (Q2F R (lambda_upper f)) (lambda h0) ->
  let H := ffun_inner R (modes pb) in
  let alpha i := scaled_alpha h0 i / lambda h0 in
  let w := w_of (feature pb h0) (label_at pb) alpha in
  let b := bias_of h0 (first_b f) in
  [/\ feasible (label_at pb) (box_at pb) alpha,
      primal H (feature pb h0) (label_at pb) (box_at pb) w b
      - dual H (feature pb h0) (label_at pb) alpha <= Q2F R (claimed_gap f)
    & forall w' x, optimal pb h0 w' x ->
      dot H (w - w') (w - w') <= Q2F R (claimed_error f) ^+ 2 /\
      Q2F R (claimed_lower f) <= dot H w' w' <= Q2F R (claimed_upper f)].
Proof.
rewrite /check => /negPf ex; cbv zeta; rewrite ex.
case: ifP => // /negbFE ok; case: ifP => // /negbFE/and3P[boxed bal_u bal_v].
case: ifP => // _; case: ifP => // _; case: ifP => // _; case: ifP => // /negbFE gap.
case: ifP => // /and4P[_ err norm _] _ h0 h0_gt0 lambda_in.
exact: (gap_soundP h0_gt0 lambda_in ok boxed bal_u bal_v gap err norm).
Qed.
