(** * The conditions of the independent checker

    The checker works in the units K = lambda R, a_i = lambda alpha_i, tau_i = lambda C_i, with R
    rational and lambda = h_0^(-d) known by bounds only. Every number it decides is p + q tau or
    (k_0 + k_1 tau + k_2 tau^2) / tau with p, q, k rational and tau = lambda C. Here C_i =
    C omega_i, with omega_i = 1 in the paper's SVM.

    Each theorem is named for the condition of the checker that it justifies:

    - signs and bounds of such numbers from the bounds of tau
    - dual feasibility, primal feasibility and complementarity give an optimal pair, and no other
      w is optimal (level exact); at both ends of an interval they give every optimal b
    - the bounds of P - D, |w - w*| and |w*|^2 (levels ball and gap)
    - hard_margin, b_unique and alpha_unique, the last by a determinant modulo a prime

    Not proved here: that lambda lies between its bounds, and the formula of the Gram matrix.
    Levels ball and gap assume that P has a minimum, which Existence.v proves. *)
From mathcomp Require Import all_ssreflect perm ssralg zmodp ssrnum ssrint matrix.
From mathcomp Require Import ring.
From Orca Require Import Compat Form Svm.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** ** Numbers in tau *)

Section Tau.

Variables (F : realFieldType) (lower upper tau : F).

(** Rational if the bounds are equal, else strictly between them. *)
Definition enclosed := [&& lower == tau & tau == upper] || (lower < tau < upper).
Hypothesis tau_in : enclosed.

Lemma tau_ends (p q : F) :
  (upper - lower) * (p + q * tau) =
  (upper - tau) * (p + q * lower) + (tau - lower) * (p + q * upper).
Proof. ring. Qed.

(** Tau.sign: if p + q tau has one sign at both ends, or one sign and 0, it has that sign. *)
Theorem tau_sign_pos (p q : F) : 0 <= p + q * lower -> 0 <= p + q * upper ->
  (0 < p + q * lower) || (0 < p + q * upper) -> 0 < p + q * tau.
Proof.
case/orP: tau_in => [/andP[/eqP-> /eqP->]|between] lo hi; first by rewrite orbb.
have /andP[lt gt] := between; have pos : 0 < upper - lower by rewrite subr_gt0 (lt_trans lt gt).
move=> some; rewrite -(pmulr_rgt0 _ pos) tau_ends.
case/orP: some => s; first by rewrite ltr_wpDr ?mulr_ge0 ?mulr_gt0 ?subr_ge0 ?subr_gt0 // ltW.
by rewrite ltr_wpDl ?mulr_ge0 ?mulr_gt0 ?subr_ge0 ?subr_gt0 // ltW.
Qed.

Theorem tau_sign_neg (p q : F) : p + q * lower <= 0 -> p + q * upper <= 0 ->
  (p + q * lower < 0) || (p + q * upper < 0) -> p + q * tau < 0.
Proof.
have neg (t : F) : - p + - q * t = - (p + q * t) by ring.
move=> lo hi some; rewrite -oppr_gt0 -neg; apply: tau_sign_pos; rewrite !neg ?oppr_ge0 //.
by rewrite !oppr_gt0.
Qed.

Theorem tau_sign_zero (p q : F) : p + q * lower = 0 -> p + q * upper = 0 -> p + q * tau = 0.
Proof.
case/orP: tau_in => [/andP[/eqP-> _]//|between] lo hi.
have /andP[lt gt] := between; have pos : 0 < upper - lower by rewrite subr_gt0 (lt_trans lt gt).
by apply: (mulfI (lt0r_neq0 pos)); rewrite tau_ends lo hi !mulr0 addr0.
Qed.

Lemma enclosed_le : lower <= tau <= upper.
Proof. by case/orP: tau_in => [/andP[/eqP-> /eqP->]|/andP[/ltW-> /ltW->]]; rewrite ?lexx. Qed.

Lemma linear_between (k x s t : F) : s <= x <= t ->
  Num.min (k * s) (k * t) <= k * x <= Num.max (k * s) (k * t).
Proof.
case/andP=> sx xt; rewrite ge_min le_max; have [k0|/ltW k0] := leP 0 k.
  by rewrite (ler_wpM2l k0 sx) (ler_wpM2l k0 xt) orbT.
by rewrite (ler_wnM2l k0 sx) (ler_wnM2l k0 xt) orbT.
Qed.

(** Tau.over. *)
Definition over_low (k0 k1 k2 : F) :=
  k1 + (Num.min (k0 / lower) (k0 / upper) + Num.min (k2 * lower) (k2 * upper)).
Definition over_high (k0 k1 k2 : F) :=
  k1 + (Num.max (k0 / lower) (k0 / upper) + Num.max (k2 * lower) (k2 * upper)).

Theorem tau_over (k0 k1 k2 : F) : 0 < lower ->
  over_low k0 k1 k2 <= (k0 + k1 * tau + k2 * tau ^+ 2) / tau <= over_high k0 k1 k2.
Proof.
move=> pos; have /andP[lo hi] := enclosed_le; have tau0 : 0 < tau by apply: lt_le_trans pos lo.
have up0 : 0 < upper by apply: lt_le_trans tau0 hi.
have -> : (k0 + k1 * tau + k2 * tau ^+ 2) / tau = k1 + (k0 * tau^-1 + k2 * tau).
  by field; rewrite gt_eqF.
have /andP[l2 h2] := linear_between k2 enclosed_le.
have /andP[l0 h0] : Num.min (k0 * upper^-1) (k0 * lower^-1) <= k0 * tau^-1
                      <= Num.max (k0 * upper^-1) (k0 * lower^-1).
  by apply: linear_between; rewrite !lef_pV2 ?posrE // lo hi.
by rewrite /over_low /over_high !lerD2l minC maxC !lerD.
Qed.

End Tau.

(** nonsingular: a determinant that is not 0 modulo a prime is not 0. *)
Theorem nonsingular_mod (F : realFieldType) (p k : nat) (M : 'M[int]_k) : prime p ->
  \det (map_mx (intr : int -> 'F_p) M) != 0 -> map_mx (intr : int -> F) M \in unitmx.
Proof.
move=> p1; rewrite unitmxE unitfE !det_map_mx intr_eq0.
by apply: contraNneq => ->; rewrite rmorph0.
Qed.

(** nonsingular: one step of its elimination, with the pivot d last, and the exchange of rows. *)
Theorem nonsingular_step (F : fieldType) k (A : 'M[F]_k) (c : 'cV[F]_k) (r : 'rV[F]_k) (d : F) :
  d != 0 -> (A - c *m (d^-1 *: r) \in unitmx) -> block_mx A c r d%:M \in unitmx.
Proof.
move=> d0 S0.
have -> : block_mx A c r d%:M =
    block_mx 1%:M (d^-1 *: c) 0 1%:M *m block_mx (A - c *m (d^-1 *: r)) 0 r d%:M.
  rewrite mulmx_block !mul1mx !mul0mx !add0r; congr block_mx.
    by rewrite -scalemxAl -scalemxAr subrK.
  by rewrite mul_mx_scalar scalerA mulfV // scale1r.
rewrite unitmx_mul !unitmxE det_ublock det_lblock !det1 mulr1 unitr1 /= unitrM.
by move: S0; rewrite unitmxE => ->; rewrite det_scalar1 unitfE.
Qed.

Theorem nonsingular_rows (F : fieldType) k (s : {perm 'I_k}) (A : 'M[F]_k) :
  (row_perm s A \in unitmx) = (A \in unitmx).
Proof. by rewrite row_permE unitmx_mul unitmx_perm. Qed.

(** The matrix [[N_EE, D], [D^T, 0]] of alpha_unique. *)
Definition scaled (A : ringType) m (N : 'I_m -> 'I_m -> A) (d : 'I_m -> A) (E : {set 'I_m}) :
    'M[A]_(#|E| + 1) :=
  block_mx (\matrix_(i, j) N (enum_val i) (enum_val j)) (\matrix_(i, j) d (enum_val i))
           (\matrix_(i, j) d (enum_val j)) 0.

Lemma map_scaled (A B : ringType) (f : A -> B) m N d (E : {set 'I_m}) : f 0 = 0 ->
  map_mx f (scaled N d E) = scaled (fun i j => f (N i j)) (fun i => f (d i)) E.
Proof.
by move=> f0; rewrite /scaled map_block_mx; congr block_mx; apply/matrixP => i j; rewrite !mxE.
Qed.

(** ** The conditions *)

Section Checker.

Variables (F : realFieldType) (V : lmodType F) (H : inner_product V).
Variables (m : nat) (phi : 'I_m -> V) (y : 'I_m -> F) (C : 'I_m -> F).
Hypothesis y_sign : forall i, y i = 1 \/ y i = -1.
Hypothesis C_gt0 : forall i, 0 < C i.

Variables (lam : F) (R : 'I_m -> 'I_m -> F).
Hypothesis lam_gt0 : 0 < lam.
Hypothesis gram_ratio : forall i j, gram H phi i j = lam * R i j.

Variable a : 'I_m -> F.
Definition alpha i := a i / lam.
Definition tau_ i := lam * C i.
Definition w := w_of phi y alpha.
Definition score i := \sum_j R i j * (y j * a j).
Definition gm b i := y i * (score i + b).    (* y_i g(x_i) *)
Definition free i := 0 < a i < tau_ i.
Definition bound i := a i == tau_ i.

Local Notation primal_optimal := (primal_optimal H phi y C).
Local Notation dual_optimal := (dual_optimal H phi y C).
Local Notation primal := (primal H phi y C).
Local Notation dual := (dual H phi y).
Local Notation "''<' u , v >" := (dot H u v).

Definition dual_feasibility := (forall i, 0 <= a i <= tau_ i) /\ \sum_i y i * a i = 0.
Definition primal_feasibility b := forall i, ~~ bound i -> 1 <= gm b i.
Definition complementarity b := forall i, (free i -> gm b i = 1) /\ (bound i -> gm b i <= 1).
Definition proved b := [/\ dual_feasibility, primal_feasibility b & complementarity b].

Let lam0 : lam != 0. Proof. by rewrite gt_eqF. Qed.
Let C_ge0 i : 0 <= C i. Proof. exact: ltW. Qed.

Lemma tau_gt0 i : 0 < tau_ i.
Proof. by rewrite mulr_gt0. Qed.

Lemma R_sym i j : R i j = R j i.
Proof. by apply: (mulfI lam0); rewrite -!gram_ratio /gram dotC. Qed.

(** stationarity: <w, Phi(x_i)> is the score, whatever lambda is. *)
Theorem stationarity i : '<w, phi i> = score i.
Proof.
rewrite -[LHS]addr0 /w decision_kernel addr0; apply: eq_bigr => j _.
by rewrite gram_ratio R_sym /alpha; field.
Qed.

Lemma margin_gm b i : margin H phi y w b i = gm b i.
Proof. by rewrite /margin stationarity. Qed.

(** lambda |w|^2 = sum_ij y_i a_i R_ij y_j a_j. *)
Theorem norm2_ratio : '<w, w> = (\sum_i y i * a i * score i) / lam.
Proof.
rewrite {2}/w dot_w_of mulr_suml; apply: eq_bigr => i _.
by rewrite stationarity /alpha; field.
Qed.

(** In tau: with a_i = u_i + tau v_i, lambda |w|^2 = k_0 + k_1 tau + k_2 tau^2. *)
Theorem norm2_affine (u v : 'I_m -> F) tau : (forall i, a i = u i + tau * v i) ->
  let p i := \sum_j R i j * (y j * u j) in let q i := \sum_j R i j * (y j * v j) in
  lam * '<w, w> = \sum_i y i * u i * p i + 2%:R * (\sum_i y i * u i * q i) * tau
                     + (\sum_i y i * v i * q i) * tau ^+ 2.
Proof.
move=> affine p q; rewrite norm2_ratio mulrC divfK //.
have sc i : score i = p i + tau * q i.
  by rewrite mulr_sumr -big_split; apply: eq_bigr => j _; rewrite affine /=; ring.
have sym : \sum_i y i * v i * p i = \sum_i y i * u i * q i.
  rewrite (eq_bigr (fun i => \sum_j y i * v i * (R i j * (y j * u j)))); last first.
    by move=> i _; rewrite mulr_sumr.
  rewrite exchange_big; apply: eq_bigr => j _; rewrite mulr_sumr; apply: eq_bigr => i _.
  by rewrite /= (R_sym i j); ring.
have -> : \sum_i y i * a i * score i = \sum_i y i * u i * p i + tau * (\sum_i y i * u i * q i)
    + tau * (\sum_i y i * v i * p i) + tau ^+ 2 * (\sum_i y i * v i * q i).
  by rewrite !mulr_sumr -!big_split; apply: eq_bigr => i _; rewrite sc affine /=; ring.
by rewrite sym; ring.
Qed.

(** dual feasibility: sum y_i u_i = sum y_i v_i = 0 balances a whatever tau is. *)
Theorem balanced_affine (u v : 'I_m -> F) tau : (forall i, a i = u i + tau * v i) ->
  \sum_i y i * u i = 0 -> \sum_i y i * v i = 0 -> \sum_i y i * a i = 0.
Proof.
move=> affine bu bv; rewrite (eq_bigr (fun i => y i * u i + tau * (y i * v i))).
  by rewrite big_split -mulr_sumr /= bu bv mulr0 addr0.
by move=> i _; rewrite affine; ring.
Qed.

Theorem dual_feasible : dual_feasibility -> feasible y C alpha.
Proof.
case=> box bal; split=> [i|].
  have /andP[a0 aC] := box i; apply/andP; split; first by rewrite divr_ge0 // ltW.
  by rewrite ler_pdivrMr // mulrC.
apply: (mulfI lam0); rewrite mulr0 -[RHS]bal mulr_sumr; apply: eq_bigr => i _.
by rewrite /alpha; field.
Qed.

Lemma alpha_lt i : (alpha i < C i) = (a i < tau_ i).
Proof. by rewrite ltr_pdivrMr // mulrC. Qed.

Lemma alpha_gt0 i : (0 < alpha i) = (0 < a i).
Proof. by rewrite pmulr_lgt0 ?invr_gt0. Qed.

(** ** Level exact *)

Theorem exact_kkt b : proved b -> kkt H phi y C alpha b.
Proof.
case=> ok prim comp; split=> [|i]; first exact: dual_feasible.
rewrite -/w !margin_gm alpha_lt alpha_gt0; have /andP[a0 aC] := ok.1 i.
split=> h; first by apply: prim; rewrite /bound lt_eqF.
have [bi|nb] := boolP (bound i); first exact: (comp i).2.
by rewrite (comp i).1 // /free h /= lt_neqAle nb.
Qed.

(** w and b are optimal, alpha is optimal, P = D, and no other w is optimal. *)
Theorem level_exact b : proved b ->
  [/\ primal_optimal w b, dual_optimal alpha, primal w b = dual alpha
    & forall w' b', primal_optimal w' b' -> w' = w].
Proof.
move=> /exact_kkt/kkt_optimal[gap0 opt dopt]; split=> // w' b'; exact: w_unique C_ge0 opt.
Qed.

(** At the ends of b, hence in between. *)
Theorem ends_suffice b1 b2 b : proved b1 -> proved b2 -> b1 <= b <= b2 -> proved b.
Proof.
case=> ok prim1 comp1 [_ prim2 comp2] /andP[le1 le2].
have between i : (gm b1 i <= gm b i <= gm b2 i) || (gm b2 i <= gm b i <= gm b1 i).
  rewrite /gm; have [->|->] := y_sign i; first by rewrite !mul1r !lerD2l le1 le2.
  by rewrite !mulN1r !lerN2 !lerD2l le1 le2 orbT.
split=> // i => [nb|].
  by case/orP: (between i) => /andP[lo hi]; [apply: le_trans lo | apply: le_trans lo]; auto.
split=> [fr|bo].
  have e1 := (comp1 i).1 fr; have e2 := (comp2 i).1 fr; apply: le_anti.
  by case/orP: (between i); rewrite e1 e2 andbC.
case/orP: (between i) => /andP[lo hi]; apply: le_trans hi _.
  exact: (comp2 i).2.
exact: (comp1 i).2.
Qed.

(** whole_b: a free point leaves one b only. *)
Theorem whole_b_free b b' i : proved b -> free i -> primal_optimal w b' -> b' = b.
Proof.
move=> pr fr opt'; have k := exact_kkt pr.
have fr' : 0 < alpha i < C i by rewrite alpha_gt0 alpha_lt.
have [opt _ _ _] := level_exact pr.
by rewrite (b_free y_sign k fr' opt') (b_free y_sign k fr' opt).
Qed.

(** whole_b: a tight point stops b at either end. *)
Definition floor b := exists i, gm b i = 1 /\ (0 < y i) != bound i.
Definition ceiling b := exists i, gm b i = 1 /\ (0 < y i) = bound i.

Theorem whole_b b1 b2 b : proved b1 -> proved b2 -> floor b1 -> ceiling b2 ->
  (forall i, ~~ free i) -> primal_optimal w b <-> b1 <= b <= b2.
Proof.
move=> pr1 pr2 [i [ti fi]] [j [tj cj]] nofree; have k1 := exact_kkt pr1.
have opp1 : (0 < -1 :> F) = false by rewrite oppr_gt0 ltr10.
have m11 : (-1 == 1 :> F) = false by rewrite lt_eqF // (lt_trans (ltrN10 F)) ?ltr01.
have tight (l : 'I_m) c : gm c l = 1 -> c = y l - '<w, phi l>.
  rewrite stationarity /gm; have [->|->] := y_sign l; rewrite ?mul1r ?mulN1r => e.
    by rewrite -e addrC addKr.
  by rewrite -e opprK addrC addKr.
have ifb (l : 'I_m) : bound l -> 0 < a l by move/eqP->; apply: tau_gt0.
have ifn (l : 'I_m) : ~~ bound l -> a l < tau_ l.
  by case: pr1 => [[box _] _ _] nb; rewrite lt_neqAle nb; case/andP: (box l).
split=> [/(b_interval y_sign b k1)[fl ce]|].
  rewrite (tight _ _ ti) (tight _ _ tj) fl ?ce // /ceil_point /floor_point alpha_lt alpha_gt0.
    move: cj; have [->|->] := y_sign j; rewrite ?ltr01 ?opp1 ?eqxx ?m11 /=.
      by move/esym/ifb ->.
    by move/esym/negbT/ifn ->.
  move: fi; have [->|->] := y_sign i; rewrite ?ltr01 ?opp1 ?eqxx ?m11 /=.
    by rewrite eq_sym eqb_id => /ifn ->.
  by rewrite eq_sym eqbF_neg negbK => /ifb ->.
by move=> bb; have [] := level_exact (ends_suffice pr1 pr2 bb).
Qed.

(** b_unique: whether the ends are one number. *)
Theorem b_unique b1 b2 : b1 <= b2 -> (forall b, primal_optimal w b <-> b1 <= b <= b2) ->
  b1 = b2 <-> forall b b', primal_optimal w b -> primal_optimal w b' -> b = b'.
Proof.
move=> le whole; split=> [e b b'|one]; last by apply: one; apply/whole; rewrite ?lexx ?le.
by move=> /whole + /whole; rewrite e => /le_anti <- /le_anti <-.
Qed.

(** hard_margin: y_i g(x_i) = 1 also if a_i = tau_i. This is so if and only if there is no slack,
    and if and only if larger C_i have the same least value of P. *)
Theorem hard_margin b : proved b -> (forall i, bound i -> gm b i = 1) <-> forall i, 1 <= gm b i.
Proof.
case=> _ prim comp; split=> hard i => [|bi]; last by apply: le_anti; rewrite hard (comp i).2.
by have [/hard ->|/prim] := boolP (bound i).
Qed.

Theorem hard_margin_raises b C' : proved b -> (forall i, C i < C' i) ->
  (forall i, bound i -> gm b i = 1) <-> exists w' b', Svm.primal H phi y C' w' b' <= primal w b.
Proof.
move=> pr CC; rewrite (hard_margin pr); have [opt _ _ _] := level_exact pr.
have CC' i : 0 < C i < C' i by rewrite C_gt0 CC.
rewrite -(hard_margin_iff CC' opt).
by split=> h i; have := h i; rewrite margin_gm.
Qed.

(** Then w and b remain optimal. *)
Theorem hard_margin_stays b C' :
  proved b -> (forall i, C i <= C' i) -> (forall i, bound i -> gm b i = 1) ->
  Svm.primal_optimal H phi y C' w b /\ Svm.primal H phi y C' w b = primal w b.
Proof.
move=> pr CC /(hard_margin pr) hard; have [opt _ _ _] := level_exact pr.
by apply: hard_margin_raise => // i; rewrite margin_gm.
Qed.

(** ** Uniqueness of alpha *)

Definition tight_set b1 b2 : {set 'I_m} := [set i | (gm b1 i == 1) && (gm b2 i == 1)].

Lemma loose b1 b2 i : proved b1 -> proved b2 -> i \notin tight_set b1 b2 ->
  exists2 b, primal_optimal w b & margin H phi y w b i != 1.
Proof.
move=> pr1 pr2; rewrite inE negb_and => /orP[] ne.
  by exists b1; rewrite ?margin_gm //; have [] := level_exact pr1.
by exists b2; rewrite ?margin_gm //; have [] := level_exact pr2.
Qed.

(** Without a tight point alpha is unique. *)
Theorem alpha_unique_empty b1 b2 : proved b1 -> proved b2 -> tight_set b1 b2 = set0 ->
  forall a', dual_optimal a' -> a' =1 alpha.
Proof.
move=> pr1 pr2 none.
apply: (alpha_unique_trivial y_sign (exact_kkt pr1) (T := set0)) => [i _|s out _ _ i].
  by apply: (loose pr1 pr2); rewrite none inE.
by apply: out; rewrite inE.
Qed.

Lemma scaled_trivial (c : F) (d : 'I_m -> F) N T : (forall i, d i != 0) ->
  (forall i j, N i j = c * d i * d j * R i j) ->
  scaled N d T \in unitmx -> bordered_trivial H phi T.
Proof.
move=> d0 NR unit s out Ks sum0.
have onT (G : 'I_m -> F) : (forall j, j \notin T -> G j = 0) ->
    \sum_(j < #|T|) G (enum_val j) = \sum_j G j.
  by move=> G0; rewrite [RHS](bigID (mem T)) /= [X in _ + X]big1 ?addr0 // -?big_enum_val.
pose z : 'cV[F]_(#|T| + 1) := col_mx (\col_j (s (enum_val j) / d (enum_val j))) 0.
have : scaled N d T *m z = 0.
  rewrite /scaled /z mul_block_col !mulmx0 !addr0 -[RHS]col_mx0; congr col_mx; apply/colP => i.
    set e := enum_val i; rewrite !mxE.
    have z0 : c * d e / lam * (\sum_j gram H phi e j * s j) = 0 by rewrite Ks ?mulr0 // enum_valP.
    rewrite -[RHS]z0 -(onT (fun j => gram H phi e j * s j)) => [|j /out ->]; last by rewrite mulr0.
    rewrite mulr_sumr; apply: eq_bigr => j _; rewrite !mxE NR gram_ratio -/e.
    by field; rewrite lam0 d0.
  rewrite !mxE -[RHS]sum0 -(onT s) //.
  by apply: eq_bigr => j _; rewrite !mxE mulrC divfK.
move/(congr1 (mulmx (invmx (scaled N d T)))); rewrite mulKmx // mulmx0 /z => /eqP.
rewrite -[X in _ == X]col_mx0 => /eqP/eq_col_mx[z0 _] i.
have [iT|/out//] := boolP (i \in T).
have /colP/(_ (enum_rank_in iT i)) := z0; rewrite !mxE enum_rankK_in // => /eqP.
by rewrite mulf_eq0 invr_eq0 (negbTE (d0 i)) orbF => /eqP.
Qed.

Theorem alpha_unique_scaled b1 b2 (c : F) (d : 'I_m -> F) N : proved b1 -> proved b2 ->
  (forall i, d i != 0) -> (forall i j, N i j = c * d i * d j * R i j) ->
  scaled N d (tight_set b1 b2) \in unitmx -> forall a', dual_optimal a' -> a' =1 alpha.
Proof.
move=> pr1 pr2 d0 NR /(scaled_trivial d0 NR).
by apply: (alpha_unique_trivial y_sign (exact_kkt pr1)) => i; apply: (loose pr1 pr2).
Qed.

(** With integers N_ij = c d_i d_j R_ij: if that determinant is not 0 modulo a prime. *)
Theorem alpha_unique_mod b1 b2 (c : F) (d : 'I_m -> int) (N : 'I_m -> 'I_m -> int) p :
  proved b1 -> proved b2 ->
  prime p -> (forall i, d i != 0) ->
  (forall i j, (N i j)%:~R = c * (d i)%:~R * (d j)%:~R * R i j) ->
  \det (map_mx (intr : int -> 'F_p) (scaled N d (tight_set b1 b2))) != 0 ->
  forall a', dual_optimal a' -> a' =1 alpha.
Proof.
move=> pr1 pr2 p1 d0 NR /(nonsingular_mod F p1); rewrite map_scaled //.
by apply: (alpha_unique_scaled (c := c) pr1 pr2) => // i; rewrite intr_eq0.
Qed.

(** ** Levels ball and gap *)

(** w_error: |w - w*|^2 <= P - D <= gap <= w_error^2. *)
Theorem w_error b gap err ws bs :
  dual_feasibility -> primal w b - dual alpha <= gap -> gap <= err ^+ 2 ->
  primal_optimal ws bs -> '<w - ws, w - ws> <= err ^+ 2.
Proof.
move=> /dual_feasible ok le1 le2 opt.
exact: le_trans (gap_bound b C_ge0 ok opt) (le_trans le1 le2).
Qed.

(** apart: sqrt small + by <= sqrt large, squared twice. *)
Definition apart (small large by_ : F) :=
  (0 <= large - small - by_ ^+ 2) && (4%:R * by_ ^+ 2 * small <= (large - small - by_ ^+ 2) ^+ 2).

Lemma apart_le (u v : V) small large err : '<u, u> <= small -> '<v - u, v - u> <= err ^+ 2 ->
  apart small large err -> '<v, v> <= large.
Proof.
move=> us du /andP[r0 r2]; set r := large - small - err ^+ 2 in r0 r2; set x := v - u in du.
have vE : '<v, v> = '<u, u> + 2%:R * '<u, x> + '<x, x>.
  by rewrite /x !(dotDl, dotDr, dotNl, dotNr) (dotC H v u); ring.
have two : 2%:R * '<u, x> <= r.
  rewrite leNgt; apply/negP => lt.
  have : r ^+ 2 < (2%:R * '<u, x>) ^+ 2 by rewrite ltr_sqr ?nnegrE // ltW // (le_lt_trans r0).
  rewrite ltNge => /negP; apply; apply: le_trans r2.
  have -> : (2%:R * '<u, x>) ^+ 2 = 4%:R * '<u, x> ^+ 2 by ring.
  rewrite -mulrA ler_pM2l ?ltr0n //; apply: le_trans (cauchy_schwarz H u x) _.
  by rewrite mulrC; apply: ler_pM; rewrite ?dot_ge0.
have -> : large = small + r + err ^+ 2 by rewrite /r; ring.
by rewrite vE; apply: lerD du; apply: lerD.
Qed.

(** norm2: the claimed bounds of |w*|^2. *)
Theorem norm2_upper ws most high err : '<w, w> <= most -> '<w - ws, w - ws> <= err ^+ 2 ->
  apart most high err -> '<ws, ws> <= high.
Proof.
move=> le d; apply: apart_le le _; rewrite dotBB in d; rewrite dotBB (dotC H ws).
by apply: le_trans d; rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.

Theorem norm2_lower ws low least err : least <= '<w, w> -> '<w - ws, w - ws> <= err ^+ 2 ->
  (low <= 0) || apart low least err -> low <= '<ws, ws>.
Proof.
move=> le d /orP[l0|ap]; first exact: le_trans l0 (dot_ge0 H ws).
rewrite leNgt; apply/negP => lt.
(** With small = |w*|^2 < low the same root distance is strict. *)
have ap' : apart ('<ws, ws>) (least - (low - '<ws, ws>)) err.
  have e : least - (low - '<ws, ws>) - '<ws, ws> - err ^+ 2 = least - low - err ^+ 2 by ring.
  case/andP: ap => r0 r2; rewrite /apart e r0; apply: le_trans r2.
  by apply: ler_wpM2l (ltW lt); rewrite mulr_ge0 ?ler0n ?sqr_ge0.
have := le_trans le (apart_le (lexx _) d ap').
by rewrite leNgt ltrBlDr ltrDl subr_gt0 lt.
Qed.

(** duality_gap, in tau: C_i = C0 omega_i, tau = lambda C0, a_i = u_i + tau v_i,
    y_i g(x_i) - 1 = p_i + q_i tau, lambda |w|^2 = k_0 + k_1 tau + k_2 tau^2. The xi_i of S are
    nonnegative at both bounds of tau and are summed as they are; the others are bounded one by
    one. *)
Theorem duality_gap b (C0 lower upper : F) (omega u v p q : 'I_m -> F) (k0 k1 k2 : F)
    (S : {set 'I_m}) :
  let tau := lam * C0 in
  0 < C0 -> 0 < lower -> enclosed lower upper tau ->
  (forall i, 0 <= omega i) -> (forall i, C i = C0 * omega i) ->
  (forall i, a i = u i + tau * v i) -> (forall i, gm b i - 1 = p i + q i * tau) ->
  lam * '<w, w> = k0 + k1 * tau + k2 * tau ^+ 2 ->
  (forall i, i \in S -> 0 <= - p i - q i * lower /\ 0 <= - p i - q i * upper) ->
  primal w b - dual alpha <= C0 *
    (over_high lower upper (k0 - \sum_i u i) (k1 - \sum_i v i - \sum_(i in S) omega i * p i)
                           (k2 - \sum_(i in S) omega i * q i)
     + \sum_(i in ~: S) omega i * Num.max 0 (Num.max (- p i - q i * lower) (- p i - q i * upper))).
Proof.
move=> tau C00 lo0 tin om0 CE aE gE normE inS.
have tau0 : tau != 0 by rewrite mulf_neq0 // gt_eqF.
have lackE i : 1 - gm b i = - p i - q i * tau by rewrite -opprB gE; ring.
have range i : Num.min (- p i - q i * lower) (- p i - q i * upper) <= 1 - gm b i
               <= Num.max (- p i - q i * lower) (- p i - q i * upper).
  have /andP[] := linear_between (- q i) (enclosed_le tin).
  rewrite lackE !mulNr => le1 le2; apply/andP; split.
    by rewrite -addr_minr lerD2l.
  by rewrite -addr_maxr lerD2l.
have slE i : slack H phi y w b i = Num.max 0 (1 - gm b i) by rewrite /slack margin_gm.
have sure i : i \in S -> slack H phi y w b i = - p i - q i * tau.
  move=> /inS[l h]; rewrite slE -lackE.
  apply/max_r; case/andP: (range i) => le _; apply: le_trans le.
  by rewrite le_min l h.
rewrite gap_formula -/w.
have -> : '<w, w> - \sum_i alpha i + \sum_i C i * slack H phi y w b i =
  C0 * (((k0 - \sum_i u i) + (k1 - \sum_i v i - \sum_(i in S) omega i * p i) * tau
          + (k2 - \sum_(i in S) omega i * q i) * tau ^+ 2) / tau
        + \sum_(i in ~: S) omega i * slack H phi y w b i).
  have -> : '<w, w> = (k0 + k1 * tau + k2 * tau ^+ 2) / lam by rewrite -normE mulrC mulKf.
  have -> : \sum_i alpha i = (\sum_i u i + tau * \sum_i v i) / lam.
    by rewrite mulr_sumr -big_split mulr_suml; apply: eq_bigr => i _; rewrite /alpha aE.
  have -> : \sum_i C i * slack H phi y w b i = C0 * (- (\sum_(i in S) omega i * p i)
      - tau * (\sum_(i in S) omega i * q i) + \sum_(i in ~: S) omega i * slack H phi y w b i).
    rewrite (bigID (mem S)) /= mulrDr; congr (_ + _); last first.
      by rewrite mulr_sumr; apply: eq_big => i; rewrite ?inE // => _; rewrite CE mulrA.
    rewrite mulr_sumr -!sumrN -big_split mulr_sumr; apply: eq_bigr => i iS /=.
    by rewrite CE sure //; ring.
  by rewrite /tau; field; rewrite lam0 gt_eqF.
rewrite ler_pM2l //; apply: lerD.
  exact: (proj2 (andP (tau_over tin _ _ _ lo0))).
apply: ler_sum => i _; apply: ler_wpM2l => //.
rewrite slE ge_max le_max lexx /= le_max; case/andP: (range i) => _ ->.
by rewrite orbT.
Qed.

(** All claims of levels ball and gap. *)
Theorem level_gap b gap err least most low high : dual_feasibility ->
  primal w b - dual alpha <= gap -> gap <= err ^+ 2 -> least <= '<w, w> <= most ->
  (low <= 0) || apart low least err -> apart most high err ->
  forall ws bs, primal_optimal ws bs -> '<w - ws, w - ws> <= err ^+ 2 /\ low <= '<ws, ws> <= high.
Proof.
move=> ok le1 le2 /andP[l h] ap1 ap2 ws bs opt; have d := w_error ok le1 le2 opt.
by split=> //; rewrite (norm2_lower l d ap1) (norm2_upper h d ap2).
Qed.

End Checker.

(** ** With square roots *)

Theorem w_error_sqrt (F : rcfType) (V : lmodType F) (H : inner_product V) (u : V) (err : F) :
  0 <= err -> dot H u u <= err ^+ 2 <-> Num.sqrt (dot H u u) <= err.
Proof.
move=> e0; suff -> : (Num.sqrt (dot H u u) <= err) = (dot H u u <= err ^+ 2) by [].
by rewrite -[X in _ = (X <= _)](sqr_sqrtr (dot_ge0 H u)) ler_sqr ?nnegrE ?sqrtr_ge0.
Qed.

Theorem apart_sqrt (F : rcfType) (small large err : F) : 0 <= small -> 0 <= large -> 0 <= err ->
  apart small large err <-> Num.sqrt small + err <= Num.sqrt large.
Proof.
move=> s0 l0 e0; set s := Num.sqrt small; set l := Num.sqrt large.
have sp : 0 <= s by apply: sqrtr_ge0.
have lp : 0 <= l by apply: sqrtr_ge0.
have sE : small = s ^+ 2 by rewrite sqr_sqrtr.
have lE : large = l ^+ 2 by rewrite sqr_sqrtr.
have -> : (s + err <= l) = ((s + err) ^+ 2 <= l ^+ 2) by rewrite ler_sqr ?nnegrE ?addr_ge0.
rewrite /apart sE lE; have -> : 4%:R * err ^+ 2 * s ^+ 2 = (2%:R * s * err) ^+ 2 by ring.
have -> : ((s + err) ^+ 2 <= l ^+ 2) = (2%:R * s * err <= l ^+ 2 - s ^+ 2 - err ^+ 2).
  by rewrite -subr_ge0 -[RHS]subr_ge0; congr (0 <= _); ring.
have x0 : 0 <= 2%:R * s * err by rewrite !mulr_ge0 // ler0n.
split=> [/andP[r0]|le]; first by rewrite ler_sqr ?nnegrE.
by rewrite (le_trans x0 le) ler_sqr ?nnegrE ?(le_trans x0 le).
Qed.
