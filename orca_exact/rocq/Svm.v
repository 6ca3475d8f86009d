(** * The soft-margin support vector machine (section 2)

    For every inner-product space V over every ordered field R, any number m of points and a box
    [0, C_i] for each point; the paper's SVM has C_i = C. With feature vectors Phi(x_i) = phi_i,
    labels y_i and K(x_i, x_j) = <phi_i, phi_j> [gram], write

      P(w, b)  = |w|^2 / 2 + sum_i C_i xi_i,  xi_i = max(0, 1 - y_i (<w, phi_i> + b))  (5)
      w(alpha) = sum_i alpha_i y_i phi_i                                               (6)
      D(alpha) = sum_i alpha_i - |w(alpha)|^2 / 2                                      (8)

    for [primal], [w_of] and [dual]; alpha is [feasible] if 0 <= alpha_i <= C_i for every i and
    sum_i alpha_i y_i = 0. Proved here:

    - the xi_i above are the best ones of (5)               [slack_best, slack_admissible]
    - P - D is a sum of nonnegative terms, so D <= P        [gap_identity, weak_duality]
    - P = D if and only if the Karush-Kuhn-Tucker conditions hold, and then both are optimal
                                                            [zero_gap_kkt, kkt_optimal]
    - |w - w*|^2 / 2 <= P - P*, so w* is unique             [strong_convexity, w_unique]
    - |w(alpha) - w*|^2 <= P(w(alpha), b) - D(alpha)        [gap_bound, gap_bound_sharp]
    - a minimiser lies in the span of the phi_i             [representer]
    - w has the symmetries of the data                      [symmetric_w]
    - the optimal b form a closed interval whose ends are two of the numbers y_i - <w, phi_i>
                                                            [b_interval, b_interval_ends]
    - alpha is unique if the bordered Gram matrix of the tight points is nonsingular
                                                            [alpha_unique]
    - raising the C_i leaves the least value of P unchanged if and only if no point has slack
                                                            [hard_margin_iff]

    StrongDuality.v proves that every minimiser has an alpha. No square root and no limit is
    taken: everything holds over the rationals already. *)
From mathcomp Require Import all_ssreflect ssralg zmodp ssrnum matrix mxalgebra.
From mathcomp Require Import ring.
From Orca Require Import Compat Form.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** ** The two problems *)

Section Svm.

Variables (R : realFieldType) (V : lmodType R) (H : inner_product V).
Variables (m : nat) (phi : 'I_m -> V) (y : 'I_m -> R).
Local Notation "''<' u , v >" := (dot H u v).
Implicit Types (C a xi : 'I_m -> R) (w : V) (b : R).

Definition gram i j := '<phi i, phi j>.
Definition margin w b i := y i * ('<w, phi i> + b).             (* y_i g(x_i) *)
Definition slack w b i := Num.max 0 (1 - margin w b i).            (* xi_i *)
Definition primal C w b := '<w, w> / 2%:R + \sum_i C i * slack w b i.
Definition w_of a := \sum_i (a i * y i) *: phi i.
Definition dual a := \sum_i a i - '<w_of a, w_of a> / 2%:R.
Definition feasible C a := (forall i, 0 <= a i <= C i) /\ \sum_i a i * y i = 0.
Definition primal_optimal C w b := forall w' b', primal C w b <= primal C w' b'.
Definition dual_optimal C a := feasible C a /\ forall a', feasible C a' -> dual a' <= dual a.

(** Karush-Kuhn-Tucker, with w = w(a): y_i g_i >= 1 if a_i < C_i, and y_i g_i <= 1 if a_i > 0. *)
Definition kkt C a b := feasible C a /\ forall i,
  (a i < C i -> 1 <= margin (w_of a) b i) /\ (0 < a i -> margin (w_of a) b i <= 1).

(** The primal as the paper writes it, with xi as variables. *)
Definition admissible w b xi := forall i, 0 <= xi i /\ 1 - xi i <= margin w b i.

Let two_neq0 : 2%:R != 0 :> R. Proof. by rewrite pnatr_eq0. Qed.
Let half_ge0 (x : R) : (0 <= x / 2%:R) = (0 <= x).
Proof. by rewrite pmulr_lge0 // invr_gt0 ltr0n. Qed.

Lemma slack_ge0 w b i : 0 <= slack w b i.
Proof. by rewrite le_max lexx. Qed.

Lemma slack_margin w b i : 1 - slack w b i <= margin w b i.
Proof. by rewrite lerBlDr addrC -lerBlDr le_max lexx orbT. Qed.

Lemma slack_eq0 w b i : (slack w b i == 0) = (1 <= margin w b i).
Proof. by rewrite eq_maxl subr_le0. Qed.

Theorem slack_best C w b xi : (forall i, 0 <= C i) -> admissible w b xi ->
  primal C w b <= '<w, w> / 2%:R + \sum_i C i * xi i.
Proof.
move=> C0 ok; rewrite lerD2l; apply: ler_sum => i _; apply: ler_wpM2l => //.
have [x0 x1] := ok i; rewrite ge_max x0 /=.
by rewrite lerBlDr addrC -lerBlDr.
Qed.

Theorem slack_admissible w b : admissible w b (slack w b).
Proof. by move=> i; split; [apply: slack_ge0 | apply: slack_margin]. Qed.

(** ** Kernel values *)

Lemma dot_w_of w a : '<w, w_of a> = \sum_i a i * y i * '<w, phi i>.
Proof. by rewrite dot_sumr; apply: eq_bigr => i _; rewrite dotZr. Qed.

(** g(x) = sum_i alpha_i y_i K(x_i, x) + b at every x, v its feature vector. *)
Theorem decision_everywhere a b v : '<w_of a, v> + b = \sum_i a i * y i * '<phi i, v> + b.
Proof. by congr (_ + b); rewrite dot_suml; apply: eq_bigr => i _; rewrite dotZl. Qed.

(** g(x_j) = sum_i alpha_i y_i K(x_i, x_j) + b. *)
Theorem decision_kernel a b j : '<w_of a, phi j> + b = \sum_i a i * y i * gram i j + b.
Proof. by congr (_ + b); rewrite dot_suml; apply: eq_bigr => i _; rewrite dotZl. Qed.

(** |w(alpha)|^2 = sum_ij alpha_i alpha_j y_i y_j K_ij. *)
Theorem norm2_kernel a : '<w_of a, w_of a> = \sum_i \sum_j a i * a j * y i * y j * gram i j.
Proof.
rewrite dot_w_of; apply: eq_bigr => i _; rewrite dot_suml mulr_sumr; apply: eq_bigr => j _.
by rewrite dotZl /gram (dotC _ (phi i)); ring.
Qed.

(** (8) as printed. *)
Theorem dual_kernel a :
  dual a = \sum_i a i - 2%:R^-1 * \sum_i \sum_j a i * a j * y i * y j * gram i j.
Proof. by rewrite /dual norm2_kernel mulrC. Qed.

Lemma sum_margin a w b : \sum_i a i * y i = 0 -> \sum_i a i * margin w b i = '<w, w_of a>.
Proof.
move=> bal; have : \sum_i a i * margin w b i = '<w, w_of a> + b * \sum_i a i * y i; last first.
  by rewrite bal mulr0 addr0.
rewrite dot_w_of mulr_sumr -big_split.
by apply: eq_bigr => i _; rewrite /margin /=; ring.
Qed.

(** ** Duality *)

(** P - D = |w - w(a)|^2 / 2 + sum a_i (y_i g_i - 1 + xi_i) + sum (C_i - a_i) xi_i. *)
Theorem gap_identity C a w b : \sum_i a i * y i = 0 ->
  primal C w b - dual a = '<w - w_of a, w - w_of a> / 2%:R
    + \sum_i a i * (margin w b i - 1 + slack w b i) + \sum_i (C i - a i) * slack w b i.
Proof.
move=> bal; rewrite -[RHS]addrA.
have -> : \sum_i a i * (margin w b i - 1 + slack w b i) + \sum_i (C i - a i) * slack w b i =
    '<w, w_of a> + (\sum_i C i * slack w b i - \sum_i a i).
  rewrite -(sum_margin w b bal) -sumrB -!big_split; apply: eq_bigr => i _ /=; ring.
by rewrite dotBB /primal /dual; field.
Qed.

Lemma gap_terms C a w b i : 0 <= a i <= C i ->
  0 <= a i * (margin w b i - 1 + slack w b i) /\ 0 <= (C i - a i) * slack w b i.
Proof.
case/andP=> a0 aC; split; apply: mulr_ge0 => //; rewrite ?slack_ge0 ?subr_ge0 //.
by have := slack_margin w b i; rewrite -subr_ge0 opprB addrA addrAC.
Qed.

(** |w - w(a)|^2 / 2 <= P(w, b) - D(a) for every w, b and feasible a. *)
Theorem gap_distance C a w b : feasible C a ->
  '<w - w_of a, w - w_of a> / 2%:R <= primal C w b - dual a.
Proof.
case=> box bal; rewrite gap_identity // -addrA lerDl addr_ge0 // sumr_ge0 // => i _.
  exact: (gap_terms w b (box i)).1.
exact: (gap_terms w b (box i)).2.
Qed.

Theorem weak_duality C a w b : feasible C a -> dual a <= primal C w b.
Proof.
move=> ok; rewrite -subr_ge0; apply: le_trans (gap_distance w b ok).
by rewrite half_ge0 dot_ge0.
Qed.

(** P = D if and only if w = w(a) and the KKT conditions hold. *)
Theorem zero_gap_kkt C a w b : feasible C a -> primal C w b = dual a <-> w = w_of a /\ kkt C a b.
Proof.
move=> ok; have [box bal] := ok.
have pos1 i : 0 <= a i * (margin w b i - 1 + slack w b i) := (gap_terms w b (box i)).1.
have pos2 i : 0 <= (C i - a i) * slack w b i := (gap_terms w b (box i)).2.
split=> [/eqP|[ww [_ cond]]]; last first.
  apply/eqP; rewrite -subr_eq0 gap_identity // ww subrr dot0l mul0r add0r addr_eq0.
  rewrite !big1 ?oppr0 // => i _.
    have [lo _] := cond i; have [/lo h|h] := ltP (a i) (C i).
      by have /eqP -> : slack (w_of a) b i == 0; rewrite ?mulr0 // slack_eq0.
    have /eqP -> : C i - a i == 0 by rewrite subr_eq0 eq_le h; case/andP: (box i).
    by rewrite mul0r.
  have [_ hi] := cond i; have [/hi h|h] := ltP 0 (a i); last first.
    by have -> : a i = 0 by [apply/eqP; rewrite eq_le h; case/andP: (box i)]; rewrite mul0r.
  have -> : slack (w_of a) b i = 1 - margin (w_of a) b i by apply/max_r; rewrite subr_ge0.
  by have -> : margin (w_of a) b i - 1 + (1 - margin (w_of a) b i) = 0 by [ring]; rewrite mulr0.
rewrite -subr_eq0 gap_identity // paddr_eq0 ?addr_ge0 ?sumr_ge0 ?half_ge0 ?dot_ge0 //.
rewrite paddr_eq0 ?sumr_ge0 ?half_ge0 ?dot_ge0 // -andbA => /and3P[].
rewrite mulf_eq0 invr_eq0 (negbTE two_neq0) orbF => /eqP/dot_eq0/eqP; rewrite subr_eq0 => /eqP ww.
rewrite !psumr_eq0 // => /allP z1 /allP z2; split=> //; split=> // i; rewrite -ww.
have := z1 i (mem_index_enum i); have := z2 i (mem_index_enum i); rewrite /= !mulf_eq0 => h2 h1.
split=> h.
  move: h2; rewrite subr_eq0 eq_sym (lt_eqF h) /= => s0.
  by rewrite -slack_eq0.
move: h1; rewrite (gt_eqF h) /= addrAC subr_eq0 => /eqP s0.
by rewrite -s0 lerDl slack_ge0.
Qed.

(** The KKT conditions make the gap 0 and both sides optimal. *)
Theorem kkt_optimal C a b : kkt C a b ->
  [/\ primal C (w_of a) b = dual a, primal_optimal C (w_of a) b & dual_optimal C a].
Proof.
move=> k; have ok := k.1; have gap0 : primal C (w_of a) b = dual a by apply/zero_gap_kkt.
split=> // [w' b'|]; first by rewrite gap0 weak_duality.
by split=> // a' ok'; rewrite -gap0 weak_duality.
Qed.

(** At w = w(a) the gap P - D is |w|^2 - sum a_i + sum C_i xi_i. *)
Theorem gap_formula C a b :
  primal C (w_of a) b - dual a = '<w_of a, w_of a> - \sum_i a i + \sum_i C i * slack (w_of a) b i.
Proof. by rewrite /primal /dual; field. Qed.

(** ** Strong convexity *)

Let mix (t : R) (u v : V) := (1 - t) *: u + t *: v.
Let mixr (t b b' : R) := (1 - t) * b + t * b'.

Lemma slack_convex t w b w' b' i : 0 <= t <= 1 ->
  slack (mix t w w') (mixr t b b') i <= (1 - t) * slack w b i + t * slack w' b' i.
Proof.
case/andP=> t0 t1; have s0 : 0 <= 1 - t by rewrite subr_ge0.
rewrite ge_max addr_ge0 ?mulr_ge0 ?slack_ge0 //=.
have -> : 1 - margin (mix t w w') (mixr t b b') i =
    (1 - t) * (1 - margin w b i) + t * (1 - margin w' b' i).
  by rewrite /margin /mix /mixr dotDl !dotZl; ring.
by apply: lerD; apply: ler_wpM2l => //; rewrite le_max lexx orbT.
Qed.

Lemma dot_mix t u v : '<mix t u v, mix t u v> =
  (1 - t) * '<u, u> + t * '<v, v> - t * (1 - t) * '<v - u, v - u>.
Proof. by rewrite /mix !(dotDl, dotDr, dotNl, dotNr, dotZl, dotZr) (dotC _ v u); ring. Qed.

Lemma primal_convex C t w b w' b' : (forall i, 0 <= C i) -> 0 <= t <= 1 ->
  primal C (mix t w w') (mixr t b b') <=
    (1 - t) * primal C w b + t * primal C w' b' - t * (1 - t) * ('<w' - w, w' - w> / 2%:R).
Proof.
move=> C0 t01; rewrite {1}/primal dot_mix.
have le : \sum_i C i * slack (mix t w w') (mixr t b b') i <=
    (1 - t) * (\sum_i C i * slack w b i) + t * (\sum_i C i * slack w' b' i).
  rewrite !mulr_sumr -big_split; apply: ler_sum => i _ /=.
  by rewrite mulrCA (mulrCA t) -mulrDr; apply: ler_wpM2l; rewrite ?slack_convex.
apply: le_trans (lerD (lexx _) le) _; rewrite le_eqVlt; apply/orP; left; apply/eqP.
by rewrite /primal; field.
Qed.

(** |w - w*|^2 / 2 <= P(w, b) - min P, if P is least at w* and b*. *)
Theorem strong_convexity C ws bs w b : (forall i, 0 <= C i) -> primal_optimal C ws bs ->
  '<w - ws, w - ws> / 2%:R <= primal C w b - primal C ws bs.
Proof.
move=> C0 opt; set q := _ / 2%:R; set d := _ - _.
have d0 : 0 <= d by rewrite subr_ge0.
have step t : 0 < t <= 1 -> (1 - t) * q <= d.
  case/andP=> t0 t1; have le := primal_convex ws bs w b C0 (introT andP (conj (ltW t0) t1)).
  rewrite -subr_ge0 -(pmulr_rge0 _ t0).
  have <- : (1 - t) * primal C ws bs + t * primal C w b - t * (1 - t) * q - primal C ws bs =
      t * (d - (1 - t) * q) by rewrite /d; ring.
  by rewrite subr_ge0 (le_trans (opt _ _) le).
rewrite leNgt; apply/negP => dq; have q0 : 0 < q by apply: le_lt_trans d0 dq.
pose t := (q - d) / (2%:R * q).
have pos : 0 < 2%:R * q by rewrite mulr_gt0 // ltr0n.
have t01 : 0 < t <= 1.
  rewrite divr_gt0 ?subr_gt0 //= ler_pdivrMr // mul1r lerBlDr.
  by rewrite mulr_natl mulr2n -addrA lerDl addr_ge0 // ltW.
have := step t t01; rewrite /t.
have -> : (1 - (q - d) / (2%:R * q)) * q = d + (q - d) / 2%:R.
  by field; rewrite ?(gt_eqF q0) ?two_neq0.
by rewrite gerDl leNgt divr_gt0 ?subr_gt0 ?ltr0n.
Qed.

(** There is one optimal w. *)
Theorem w_unique C w b w' b' : (forall i, 0 <= C i) ->
  primal_optimal C w b -> primal_optimal C w' b' -> w' = w.
Proof.
move=> C0 opt opt'; have := strong_convexity w' b' C0 opt.
have /eqP -> : primal C w' b' == primal C w b by rewrite eq_le opt opt'.
rewrite subrr => le; apply/eqP; rewrite -subr_eq0; apply/eqP/(@dot_eq0 _ _ H)/eqP.
rewrite eq_le dot_ge0 andbT.
by move: le; rewrite pmulr_lle0 // invr_gt0 ltr0n.
Qed.

(** A symmetry of the data is one of w: T keeps inner products and permutes the points, and all
    labels are multiplied by s = 1 or s = -1. With s = -1 and T f(x) = f(-x), w is odd. *)
Theorem symmetric_w C w b (T : V -> V) (sigma : 'I_m -> 'I_m) (s : R) : (forall i, 0 <= C i) ->
  (forall u v, '<T u, T v> = '<u, v>) -> s * s = 1 -> injective sigma ->
  (forall i, [/\ T (phi i) = phi (sigma i), y (sigma i) = s * y i & C (sigma i) = C i]) ->
  primal_optimal C w b -> s *: T w = w.
Proof.
move=> C0 iso ss inj sym opt; suff same : primal C (s *: T w) (s * b) = primal C w b.
  have opt' : primal_optimal C (s *: T w) (s * b) by move=> w' b'; rewrite same.
  exact: w_unique C0 opt opt'.
rewrite /primal dotZl dotZr iso mulrA ss mul1r; congr (_ + _); rewrite (reindex_inj inj).
apply: eq_bigr => i _; have [Ti yi Ci] := sym i; congr (_ * _) => //; congr Num.max; congr (1 - _).
by rewrite /margin yi -Ti dotZl iso -mulrDr mulrACA ss mul1r.
Qed.

(** For any w and any feasible a: |w - w*|^2 / 2 + |w(a) - w*|^2 / 2 <= P(w, b) - D(a). *)
Theorem gap_both C a w b ws bs : (forall i, 0 <= C i) -> feasible C a -> primal_optimal C ws bs ->
  '<w - ws, w - ws> / 2%:R + '<w_of a - ws, w_of a - ws> / 2%:R <= primal C w b - dual a.
Proof.
move=> C0 ok opt.
have -> : primal C w b - dual a =
    (primal C w b - primal C ws bs) + (primal C ws bs - dual a) by ring.
apply: lerD; first exact: strong_convexity.
have <- : '<ws - w_of a, ws - w_of a> = '<w_of a - ws, w_of a - ws>.
  by rewrite !dotBB (dotC _ ws); ring.
exact: gap_distance.
Qed.

(** With w from the dual variables: |w(a) - w*|^2 <= P(w(a), b) - D(a). *)
Theorem gap_bound C a b ws bs : (forall i, 0 <= C i) -> feasible C a -> primal_optimal C ws bs ->
  '<w_of a - ws, w_of a - ws> <= primal C (w_of a) b - dual a.
Proof.
move=> C0 ok opt; apply: le_trans (gap_both (w_of a) b C0 ok opt).
by rewrite -splitr.
Qed.

(** With any other w the constant is 2: |w - w*|^2 <= 2 (P(w, b) - D(a)). *)
Theorem gap_bound_any C a w b ws bs :
  (forall i, 0 <= C i) -> feasible C a -> primal_optimal C ws bs ->
  '<w - ws, w - ws> <= 2%:R * (primal C w b - dual a).
Proof.
move=> C0 ok opt; have := gap_both w b C0 ok opt; move/(le_trans _) => le.
rewrite -ler_pdivrMl ?ltr0n // mulrC; apply: le; by rewrite lerDl half_ge0 dot_ge0.
Qed.

(** ** The representer theorem *)

Definition gram_mx : 'M[R]_m := \matrix_(i, j) gram i j.

(** Gram matrices are positive semidefinite. *)
Theorem gram_ge0 (z : 'I_m -> R) : 0 <= \sum_i \sum_j z i * z j * gram i j.
Proof.
have -> : \sum_i \sum_j z i * z j * gram i j = '<\sum_i z i *: phi i, \sum_i z i *: phi i>;
  last exact: dot_ge0.
rewrite dot_suml; apply: eq_bigr => i _; rewrite dot_sumr; apply: eq_bigr => j _.
by rewrite dotZl dotZr mulrA.
Qed.

Lemma span_projection w :
  exists c : 'I_m -> R, forall j, '<\sum_i c i *: phi i, phi j> = '<w, phi j>.
Proof.
pose k : 'rV[R]_m := \row_j '<w, phi j>.
suff /submxP[c kc] : (k <= gram_mx)%MS.
  exists (fun i => c 0 i) => j; have := congr1 (fun M : 'rV_m => M 0 j) kc; rewrite !mxE => ->.
  by rewrite dot_suml; apply: eq_bigr => i _; rewrite dotZl mxE.
rewrite submxE; apply/eqP/rowP => l; rewrite [RHS]mxE.
pose z i := cokermx gram_mx i l; pose v := \sum_i z i *: phi i.
have Kz i : '<phi i, v> = 0.
  have := congr1 (fun M : 'M_m => M i l) (mulmx_coker gram_mx); rewrite !mxE => <-.
  by rewrite dot_sumr; apply: eq_bigr => j _; rewrite dotZr mxE mulrC.
have v0 : v = 0.
  by apply: (@dot_eq0 _ _ H); rewrite {1}/v dot_suml big1 // => i _; rewrite dotZl Kz mulr0.
rewrite mxE -[RHS](dot0r H w) -v0 dot_sumr; apply: eq_bigr => j _.
by rewrite dotZr mulrC; congr (_ * _); rewrite mxE.
Qed.

Theorem representer C w b : primal_optimal C w b -> exists c : 'I_m -> R, w = \sum_i c i *: phi i.
Proof.
move=> opt; have [c same] := span_projection w; exists c; set w0 := \sum_i _ in same *.
have := opt w0 b; rewrite /primal.
rewrite [X in _ <= _ + X](eq_bigr (fun i => C i * slack w b i)); last first.
  by move=> i _; rewrite /slack /margin same.
rewrite lerD2r => le; have orth : '<w, w0> = '<w0, w0>.
  by rewrite {1 3}/w0 !dot_sumr; apply: eq_bigr => i _; rewrite !dotZr same.
apply/eqP; rewrite -subr_eq0; apply/eqP/(@dot_eq0 _ _ H)/eqP.
rewrite eq_le dot_ge0 andbT dotBB orth.
have -> : '<w, w> - 2%:R * '<w0, w0> + '<w0, w0> = '<w, w> - '<w0, w0> by ring.
by move: le; rewrite ler_pM2r ?invr_gt0 ?ltr0n // subr_le0.
Qed.

(** ** The optimal b *)

Theorem optimal_b_kkt C a b0 b : kkt C a b0 -> primal_optimal C (w_of a) b <-> kkt C a b.
Proof.
move=> k0; have [gap0 opt0 _] := kkt_optimal k0; split=> [opt|/kkt_optimal[]//].
suff : w_of a = w_of a /\ kkt C a b by case.
by apply/zero_gap_kkt; [case: k0 | rewrite -gap0; apply/eqP; rewrite eq_le opt opt0].
Qed.

(** Every optimal w is w(a), and every dual optimal a' goes with every optimal b. *)
Theorem dual_optimal_kkt C a b a' :
  kkt C a b -> dual_optimal C a' -> w_of a' = w_of a /\ kkt C a' b.
Proof.
move=> k [ok' opt']; have [gap0 _ [ok opt]] := kkt_optimal k.
suff [-> k'] : w_of a = w_of a' /\ kkt C a' b by [].
by apply/zero_gap_kkt => //; rewrite gap0; apply/eqP; rewrite eq_le opt ?opt'.
Qed.

(** ** Hard margins: raising the C_i *)

(** sum C_i xi_i is the same at every optimum: whether there is slack does not depend on b. *)
Theorem slack_sum_unique C w b w' b' : (forall i, 0 <= C i) ->
  primal_optimal C w b -> primal_optimal C w' b' ->
  \sum_i C i * slack w b i = \sum_i C i * slack w' b' i.
Proof.
move=> C0 opt opt'; have ww := w_unique C0 opt opt'.
have := opt w' b'; have := opt' w b; rewrite /primal ww !lerD2l => le le'.
by apply: le_anti; rewrite le le'.
Qed.

Theorem hard_margin_invariant C w b w' b' : (forall i, 0 < C i) ->
  primal_optimal C w b -> primal_optimal C w' b' ->
  (forall i, 1 <= margin w b i) -> forall i, 1 <= margin w' b' i.
Proof.
move=> C0 opt opt' hard i; have C0' j := ltW (C0 j).
have := slack_sum_unique C0' opt opt'; rewrite big1 => [/esym/eqP|j _]; last first.
  by have /eqP -> : slack w b j == 0; rewrite ?mulr0 // slack_eq0.
rewrite psumr_eq0 => [/allP z|j _]; last by rewrite mulr_ge0 ?slack_ge0.
by have := z i (mem_index_enum i); rewrite /= mulf_eq0 gt_eqF //= slack_eq0.
Qed.

Lemma primal_le C C' w b : (forall i, C i <= C' i) -> primal C w b <= primal C' w b.
Proof. by move=> le; rewrite lerD2l; apply: ler_sum => i _; rewrite ler_wpM2r ?slack_ge0. Qed.

(** Without slack the optimum for C is one for every larger C', with the same value. *)
Theorem hard_margin_raise C C' w b : (forall i, C i <= C' i) -> primal_optimal C w b ->
  (forall i, 1 <= margin w b i) -> primal_optimal C' w b /\ primal C' w b = primal C w b.
Proof.
move=> le opt hard.
have same : primal C' w b = primal C w b.
  congr (_ + _); apply: eq_bigr => i _.
  by have /eqP -> : slack w b i == 0; rewrite ?mulr0 // slack_eq0.
by split=> // w' b'; rewrite same; apply: le_trans (opt w' b') (primal_le _ _ le).
Qed.

(** For larger C' the least value is the same if and only if no point has slack. *)
Theorem hard_margin_iff C C' w b : (forall i, 0 < C i < C' i) -> primal_optimal C w b ->
  (forall i, 1 <= margin w b i) <-> exists w' b', primal C' w' b' <= primal C w b.
Proof.
move=> CC opt; have C0 i : 0 < C i by case/andP: (CC i).
split=> [hard|[w' [b' le]]].
  by exists w, b; rewrite (hard_margin_raise _ opt hard).2 // => i; case/andP: (CC i) => _ /ltW.
have le' : primal C w' b' <= primal C' w' b' by apply: primal_le => i; case/andP: (CC i) => _ /ltW.
have opt' : primal_optimal C w' b' by move=> u c; apply: le_trans (le_trans le' le) (opt u c).
apply: (hard_margin_invariant C0 opt' opt) => i.
have /eqP : primal C' w' b' - primal C w' b' = 0.
  by apply/eqP; rewrite subr_eq0 eq_le le' andbT; apply: le_trans le (opt w' b').
have -> : primal C' w' b' - primal C w' b' = \sum_j (C' j - C j) * slack w' b' j.
  by rewrite /primal opprD addrACA subrr add0r -sumrB; apply: eq_bigr => j _; rewrite mulrBl.
rewrite psumr_eq0 => [/allP z|j _]; last first.
  by rewrite mulr_ge0 ?slack_ge0 // subr_ge0; case/andP: (CC j) => _ /ltW.
have := z i (mem_index_enum i); rewrite /= mulf_eq0 subr_eq0 gt_eqF ?slack_eq0 //.
by case/andP: (CC i).
Qed.

Hypothesis y_sign : forall i, y i = 1 \/ y i = -1.

(** The points that bound b from below, and from above. *)
Definition floor_point C a i := (y i == 1) && (a i < C i) || (y i == -1) && (0 < a i).
Definition ceil_point C a i := (y i == 1) && (0 < a i) || (y i == -1) && (a i < C i).

Lemma kkt_floor_ceil C a b : feasible C a ->
  kkt C a b <-> (forall i, floor_point C a i -> y i - '<w_of a, phi i> <= b) /\
                (forall i, ceil_point C a i -> b <= y i - '<w_of a, phi i>).
Proof.
move=> ok; pose f i := '<w_of a, phi i>.
have lo i : (y i = 1 -> (1 <= margin (w_of a) b i) = (y i - f i <= b)) /\
            (y i = -1 -> (1 <= margin (w_of a) b i) = (b <= y i - f i)).
  rewrite /margin -/(f i); split=> ->; first by rewrite mul1r lerBlDl.
  by rewrite mulN1r lerNr lerBrDl.
have hi i : (y i = 1 -> (margin (w_of a) b i <= 1) = (b <= y i - f i)) /\
            (y i = -1 -> (margin (w_of a) b i <= 1) = (y i - f i <= b)).
  rewrite /margin -/(f i); split=> ->; first by rewrite mul1r lerBrDl.
  by rewrite mulN1r lerNl lerBlDl.
split=> [[_ cond]|[fl ce]].
  by split=> i /orP[] /andP[/eqP yi h]; have [c1 c2] := cond i;
     [rewrite -(lo i).1 | rewrite -(hi i).2 | rewrite -(hi i).1 | rewrite -(lo i).2]; auto.
split=> // i; have [yi|yi] := y_sign i; split=> h.
- by rewrite (lo i).1 //; apply: fl; rewrite /floor_point yi eqxx h.
- by rewrite (hi i).1 //; apply: ce; rewrite /ceil_point yi eqxx h.
- by rewrite (lo i).2 //; apply: ce; rewrite /ceil_point yi eqxx h orbT.
- by rewrite (hi i).2 //; apply: fl; rewrite /floor_point yi eqxx h orbT.
Qed.

Theorem b_interval C a b0 b : kkt C a b0 ->
  primal_optimal C (w_of a) b <->
    (forall i, floor_point C a i -> y i - '<w_of a, phi i> <= b) /\
    (forall i, ceil_point C a i -> b <= y i - '<w_of a, phi i>).
Proof. by move=> k; rewrite (optimal_b_kkt b k); apply: kkt_floor_ceil; case: k. Qed.

(** A free support vector gives b. *)
Theorem b_free C a b0 b i : kkt C a b0 -> 0 < a i < C i ->
  primal_optimal C (w_of a) b -> b = y i - '<w_of a, phi i>.
Proof.
move=> k /andP[a0 aC] /(b_interval _ k)[fl ce]; apply/eqP; rewrite eq_le.
rewrite fl /floor_point ?ce /ceil_point ?a0 ?aC //.
by have [->|->] := y_sign i; rewrite eqxx ?orbT.
by have [->|->] := y_sign i; rewrite eqxx ?orbT.
Qed.

(** With both labels present and C_i > 0 the interval has two ends, each the b of some point. *)
Theorem b_interval_ends C a b0 :
  (forall i, 0 < C i) -> (exists i, y i = 1) -> (exists i, y i = -1) ->
  kkt C a b0 -> exists i j, [/\ floor_point C a i, ceil_point C a j & forall b,
    primal_optimal C (w_of a) b <-> y i - '<w_of a, phi i> <= b <= y j - '<w_of a, phi j>].
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
    rewrite (bigD1 q) //= full // yq ltr_wpDr //.
      apply: sumr_ge0 => i _; have [yi|yi] := yss i; last by rewrite empty // !mul0r.
      by rewrite yi -mulrA -expr2 mulr_ge0 ?sqr_ge0 //; case/andP: (box i).
    rewrite -mulrA -expr2 mulr_gt0 // exprn_even_gt0 //=.
    by case: s1 => ->; rewrite ?oppr_eq0 oner_eq0.
  by rewrite -mulr_suml bal mul0r ltxx.
have [i0 fi0] : exists i, floor_point C a i by have [i h] := ends 1 (or_introl erefl); exists i.
have [j0 cj0] : exists j, ceil_point C a j.
  have [j h] := ends (-1) (or_intror erefl); exists j; rewrite /ceil_point orbC.
  by rewrite opprK in h.
pose f i := y i - '<w_of a, phi i>.
have [i fi imax] := @arg_maxP _ _ _ i0 (floor_point C a) f fi0.
have [j cj jmin] := @arg_minP _ _ _ j0 (ceil_point C a) f cj0.
exists i, j; split=> // b; rewrite (b_interval b k); split=> [[fl ce]|/andP[ib bj]].
  by rewrite fl ?ce.
by split=> l hl; [apply: le_trans (imax l hl) ib | apply: le_trans bj (jmin l hl)].
Qed.

(** ** Uniqueness of alpha *)

(** Only s = 0 vanishes outside T, has K s = 0 on T and sum s = 0. *)
Definition bordered_trivial (T : {set 'I_m}) := forall s : 'I_m -> R,
  (forall i, i \notin T -> s i = 0) -> (forall i, i \in T -> \sum_j gram i j * s j = 0) ->
  \sum_j s j = 0 -> forall i, s i = 0.

Theorem alpha_unique_trivial C a b0 (T : {set 'I_m}) : kkt C a b0 ->
  (forall i, i \notin T -> exists2 b, primal_optimal C (w_of a) b & margin (w_of a) b i != 1) ->
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

(** The bordered matrix [[K_TT, 1], [1^T, 0]]. *)
Definition bordered (T : {set 'I_m}) : 'M[R]_(#|T| + 1) :=
  block_mx (\matrix_(i, j) gram (enum_val i) (enum_val j)) (const_mx 1) (const_mx 1) 0.

Lemma bordered_unit_trivial T : bordered T \in unitmx -> bordered_trivial T.
Proof.
move=> unit s out Ks sum0.
have onT (F : 'I_m -> R) : (forall j, j \notin T -> F j = 0) ->
    \sum_(j < #|T|) F (enum_val j) = \sum_j F j.
  by move=> F0; rewrite [RHS](bigID (mem T)) /= [X in _ + X]big1 ?addr0 // -?big_enum_val.
pose z : 'cV[R]_(#|T| + 1) := col_mx (\col_j s (enum_val j)) 0.
have : bordered T *m z = 0.
  rewrite /bordered /z mul_block_col !mulmx0 !addr0 -[RHS]col_mx0; congr col_mx; apply/colP => i.
    rewrite !mxE -[RHS](Ks (enum_val i) (enum_valP i)) -(onT (fun j => gram (enum_val i) j * s j)).
      by apply: eq_bigr => j _; rewrite !mxE.
    by move=> j /out ->; rewrite mulr0.
  rewrite !mxE -[RHS]sum0 -(onT s) //.
  by apply: eq_bigr => j _; rewrite !mxE mul1r.
move/(congr1 (mulmx (invmx (bordered T)))); rewrite mulKmx // mulmx0 /z => /eqP.
rewrite -[X in _ == X]col_mx0 => /eqP/eq_col_mx[z0 _] i.
have [iT|/out//] := boolP (i \in T).
by have /colP/(_ (enum_rank_in iT i)) := z0; rewrite !mxE enum_rankK_in.
Qed.

Theorem alpha_unique C a b0 (T : {set 'I_m}) : kkt C a b0 ->
  (forall i, i \notin T -> exists2 b, primal_optimal C (w_of a) b & margin (w_of a) b i != 1) ->
  bordered T \in unitmx -> forall a', dual_optimal C a' -> a' =1 a.
Proof. by move=> k loose /bordered_unit_trivial; apply: alpha_unique_trivial k loose. Qed.

End Svm.

(** ** The constants of the gap bounds are best possible

    Two points 1 and -1 of the line with their signs as labels and C = 1/2, so that w* = 1; at
    alpha = (t, t) both sides are (1 - 2 t)^2. *)
Section Sharp.

Variable R : realFieldType.
Local Notation line := (line R).

Definition sign2 (i : 'I_2) : R := (-1) ^+ i.
Definition phi2 (i : 'I_2) : R^o := sign2 i.
Definition half (i : 'I_2) : R := 2%:R^-1.

Lemma w_of2 (t : R) : w_of phi2 sign2 (fun=> t) = 2%:R * t :> R^o.
Proof.
rewrite /w_of !big_ord_recl big_ord0 /phi2 /sign2 /= /bump /= expr0 expr1 addr0.
by rewrite /GRing.scale /=; ring.
Qed.

Lemma margin2 (w : R^o) i : margin line phi2 sign2 w 0 i = w.
Proof.
by rewrite /margin addr0 /= /phi2 mulrCA /sign2 -exprD addnn -mul2n mulnC exprM sqrr_sign mulr1.
Qed.

Theorem gap_bound_sharp (t : R) : 0 <= t <= 2%:R^-1 ->
  let a (i : 'I_2) := t in
  [/\ feasible sign2 half a, primal_optimal line phi2 sign2 half (1 : R^o) 0,
      dot line (w_of phi2 sign2 a - 1) (w_of phi2 sign2 a - 1) = (1 - 2%:R * t) ^+ 2 &
      primal line phi2 sign2 half (w_of phi2 sign2 a) 0 - dual line phi2 sign2 a =
        (1 - 2%:R * t) ^+ 2].
Proof.
move=> t01 a; have two0 : 2%:R != 0 :> R by rewrite pnatr_eq0.
have bal (s : R) : \sum_(i < 2) s * sign2 i = 0.
  by rewrite !big_ord_recl big_ord0 /sign2 /= /bump /= expr0 expr1 mulr1 mulrN1 addr0 subrr.
have t1 : 2%:R * t <= 1 by rewrite -ler_pdivlMl ?ltr0n // mulr1; case/andP: t01.
have opt : kkt line phi2 sign2 half (fun=> 2%:R^-1) 0.
  split=> [|i]; first by split=> [i|]; rewrite ?bal // lexx invr_ge0 ler0n.
  by rewrite margin2 w_of2 divff // lexx.
split.
- by split=> [i|]; rewrite ?bal.
- by have [_ opt' _] := kkt_optimal opt; move: opt'; rewrite w_of2 divff.
- by rewrite w_of2 /=; ring.
rewrite gap_formula w_of2 /= !big_ord_recl !big_ord0 /a.
have s i : slack line phi2 sign2 (2%:R * t : R^o) 0 i = 1 - 2%:R * t.
  by rewrite /slack margin2; apply/max_r; rewrite subr_ge0.
by rewrite !s /half; field.
Qed.

End Sharp.
