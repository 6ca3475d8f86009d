(** * The KKT conditions are necessary (section 2), and the coordinates of the trained SVM

    Farkas' lemma in an inner-product space [farkas], proved by a construction: b is a
    combination of a_1, ..., a_k with nonnegative coefficients, or some x has <a_i, x> <= 0 for
    all i and <b, x> > 0. It follows over every ordered field that a minimiser (w, b) of P has a
    feasible alpha with w = sum_i alpha_i y_i phi_i, as in (6), and with the KKT conditions
    [kkt_necessary]. So min P = max D [strong_duality], every optimal pair satisfies the KKT
    conditions [optimal_pair], and every solution of the dual has a b [dual_kkt].

    The feature map Phi(x) = (p_k(x))_k in R^M connects Svm.v, which is about vectors in an
    inner-product space, with Expansion.v, which is about families of functions p_k:
    <Phi(x), Phi(z)> = K(x,z) [feat_kernel], and w(alpha) has the coordinates
    c_k = sum_i alpha_i y_i p_k(x_i) [feat_w]. Hence every theorem of Svm.v holds of the
    classifiers of Expansion.v, and their c_k do not depend on the solver [coordinates_unique]. *)
From mathcomp Require Import all_ssreflect ssralg zmodp ssrnum matrix.
From mathcomp Require Import ring.
From Orca Require Import Compat Form Svm.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Farkas.

Variables (R : realFieldType) (V : lmodType R) (H : inner_product V) (I : finType).
Local Notation "''<' u , v >" := (dot H u v).

Lemma farkas_seq (r : seq I) (a : I -> V) (b : V) : uniq r ->
  (exists2 u : I -> R, forall i, 0 <= u i & b = \sum_(i <- r) u i *: a i) \/
  (exists2 x, forall i, i \in r -> '<a i, x> <= 0 & 0 < '<b, x>).
Proof.
elim: r a b => [|k r IH] a b.
  move=> _; have [->|b0] := eqVneq b 0; first by left; exists (fun=> 0); rewrite ?big_nil.
  by right; exists b => //; apply: dot_gt0.
case/andP=> kr ur; have notk i : i \in r -> (i == k) = false.
  by move=> ir; apply: contraNF kr => /eqP <-.
have sumr (u : I -> R) c :
    \sum_(i <- r) (if i == k then c else u i) *: a i = \sum_(i <- r) u i *: a i.
  by apply: eq_big_seq => i /notk ->.
have [[u u0 bu]|[x ax bx]] := IH a b ur.
  left; exists (fun i => if i == k then 0 else u i) => [i|]; first by case: ifP.
  by rewrite big_cons eqxx scale0r add0r sumr.
have [kx|kx] := leP ('<a k, x>) 0.
  by right; exists x => // i; rewrite inE => /orP[/eqP->|/ax].
set c := '<a k, x> in kx; have c0 : c != 0 by rewrite gt_eqF.
pose f v := v - ('<v, x> / c) *: a k.
have [[u u0 bu]|[z az bz]] := IH (fun i => f (a i)) (f b) ur.
  left; pose t := '<b, x> / c - \sum_(i <- r) u i * ('<a i, x> / c).
  exists (fun i => if i == k then t else u i) => [i|].
    case: ifP => // _; rewrite subr_ge0; apply: (@le_trans _ _ 0); last by rewrite divr_ge0 // ltW.
    rewrite big_seq -oppr_ge0 -sumrN; apply: sumr_ge0 => j /ax le.
    by rewrite oppr_ge0 mulr_ge0_le0 // mulr_le0_ge0 // invr_ge0 ltW.
  rewrite big_cons eqxx sumr scalerBl scaler_suml.
  have -> : \sum_(i <- r) u i *: a i = f b + \sum_(i <- r) (u i * ('<a i, x> / c)) *: a k.
    by rewrite bu -big_split; apply: eq_bigr => i _; rewrite /f scalerBr scalerA /= subrK.
  by rewrite /f addrACA addNr addr0 addrC subrK.
have move v : '<v, z - ('<a k, z> / c) *: x> = '<f v, z>.
  by rewrite /f dotDl dotNl dotZl dotDr dotNr dotZr; field.
right; exists (z - ('<a k, z> / c) *: x) => [i|]; rewrite move //.
rewrite inE => /orP[/eqP->|/az//].
by rewrite /f -/c divff // scale1r subrr dot0l.
Qed.

Theorem farkas (a : I -> V) (b : V) :
  (exists2 u : I -> R, forall i, 0 <= u i & b = \sum_i u i *: a i) \/
  (exists2 x, forall i, '<a i, x> <= 0 & 0 < '<b, x>).
Proof.
have [[u u0 bu]|[x ax bx]] := farkas_seq a b (index_enum_uniq I); first by left; exists u.
by right; exists x => // i; apply: ax; apply: mem_index_enum.
Qed.

End Farkas.

(** The product of two inner-product spaces. *)
Section Product.

Variables (R : realFieldType) (V W : lmodType R) (H : inner_product V) (G : inner_product W).
Let dot_pair (u v : V * W) := dot H u.1 v.1 + dot G u.2 v.2.
Fact dot_pairC u v : dot_pair u v = dot_pair v u.
Proof. by rewrite /dot_pair (dotC H) (dotC G). Qed.
Fact dot_pair_is_scalar u : scalar (dot_pair u).
Proof. by move=> t v w; rewrite /dot_pair !(dotDr, dotZr) mulrDr addrACA. Qed.
Fact dot_pair_gt0 u : u != 0 -> 0 < dot_pair u u.
Proof.
case: u => [u1 u2]; rewrite /dot_pair /= => u0; have [e|u10] := eqVneq u1 0.
  rewrite e dot0l add0r; apply: dot_gt0; apply: contraNneq u0 => ->; by rewrite e.
by rewrite ltr_wpDr ?dot_ge0 // dot_gt0.
Qed.
Definition pair_inner : inner_product _ :=
  InnerProduct (SymmetricForm dot_pairC dot_pair_is_scalar) dot_pair_gt0.

End Product.

(** Farkas' lemma for triples of a vector, a number and m numbers. *)
Lemma farkas_triple (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat)
    (I : finType) (a : I -> V) (b : I -> R) (c : I -> 'I_m -> R) (a0 : V) (b0 : R)
    (c0 : 'I_m -> R) :
  (exists2 u : I -> R, forall i, 0 <= u i & [/\ a0 = \sum_i u i *: a i,
     b0 = \sum_i u i * b i & forall k, c0 k = \sum_i u i * c i k]) \/
  (exists d e (s : 'I_m -> R), (forall i, dot H (a i) d + b i * e + \sum_k c i k * s k <= 0) /\
     0 < dot H a0 d + b0 * e + \sum_k c0 k * s k).
Proof.
pose T : Type := (V * R^o * 'rV[R]_m)%type.
pose G := pair_inner (pair_inner H (line R)) (euclid R m).
pose triple v t (r : 'I_m -> R) : T := (v, t, \row_k r k).
have dotE v t r (z : T) :
    dot G (triple v t r) z = dot H v z.1.1 + t * z.1.2 + \sum_k r k * z.2 0 k.
  by congr (_ + _); apply: eq_bigr => k _; rewrite mxE.
have [[u u0 sE]|[z neg pos]] := farkas G (fun i => triple (a i) (b i) (c i)) (triple a0 b0 c0).
  left; exists u => //; move: sE; set s := \sum_i _ => sE.
  have [s1 s2 s3] : [/\ s.1.1 = \sum_i u i *: a i, s.1.2 = \sum_i u i * b i :> R
      & forall k, s.2 0 k = \sum_i u i * c i k].
    rewrite /s; split=> [||k]; first exact: (big_morph (fun v : T => v.1.1)).
      exact: (big_morph (fun v : T => v.1.2 : R)).
    rewrite (big_morph (fun v : T => v.2) (id1 := 0) (op1 := +%R)) // summxE.
    by apply: eq_bigr => i _; rewrite !mxE.
  by split=> [||k]; [rewrite -s1 -sE | rewrite -s2 -sE | rewrite -s3 -sE mxE].
by right; exists z.1.1, z.1.2, (z.2 0); split=> [i|]; rewrite -dotE.
Qed.

(** A step small enough for finitely many bounds. *)
Lemma small_step (R : realFieldType) (I : finType) (x c : I -> R) : (forall i, 0 < c i) ->
  exists2 t : R, 0 < t & forall i, t * `|x i| <= c i.
Proof.
move=> c0; pose s := 1 + \sum_i `|x i| / c i.
have pos i : 0 <= `|x i| / c i by rewrite divr_ge0 // ltW.
have s0 : 0 < s by rewrite ltr_wpDr // sumr_ge0.
exists s^-1; first by rewrite invr_gt0.
move=> i; rewrite mulrC ler_pdivrMr // mulrC -ler_pdivrMr //.
by rewrite /s (bigD1 i) //= addrCA lerDl addr_ge0 ?sumr_ge0.
Qed.

Section StrongDuality.

Variables (R : realFieldType) (V : lmodType R) (H : inner_product V).
Variables (m : nat) (phi : 'I_m -> V) (y C : 'I_m -> R).
Hypothesis C_ge0 : forall i, 0 <= C i.
Local Notation "''<' u , v >" := (dot H u v).
Local Notation margin := (margin H phi y).
Local Notation slack := (slack H phi y).
Local Notation primal := (primal H phi y C).
Local Notation dual := (dual H phi y).
Local Notation w_of := (w_of phi y).
Local Notation kkt := (kkt H phi y C).
Local Notation primal_optimal := (primal_optimal H phi y C).
Local Notation dual_optimal := (dual_optimal H phi y C).

(** At a minimiser there is no direction (- d, - e) of descent. *)
Lemma no_descent w b (U s : 'I_m -> R) (d : V) (e : R) : primal_optimal w b ->
  (forall i, U i = if 1 < margin w b i then 0 else C i) ->
  (forall i, y i * ('<d, phi i> + e) + s i <= 0) ->
  (forall i, 1 <= margin w b i -> s i <= 0) -> '<w, d> + \sum_i U i * s i <= 0.
Proof.
move=> opt UE le s0; set g := _ + _; rewrite leNgt; apply/negP => g0.
pose c i := if margin w b i == 1 then 1 else `|1 - margin w b i|.
have c0 i : 0 < c i.
  by rewrite /c; case: eqP => // ne; rewrite normr_gt0 subr_eq0 eq_sym; apply/eqP.
have [t1 t10 small1] := small_step (fun i => if margin w b i == 1 then 0 else s i) c0.
have [t2 t20 small2] := small_step (fun _ : 'I_1 => '<d, d>) (fun _ => g0).
pose t := Num.min t1 t2; have t0 : 0 < t by rewrite lt_min t10.
have step i : C i * slack (w - t *: d) (b - t * e) i <= C i * slack w b i - t * (U i * s i).
  have mE : margin (w - t *: d) (b - t * e) i = margin w b i - t * (y i * ('<d, phi i> + e)).
    by rewrite /Svm.margin dotDl dotNl dotZl; ring.
  have ge : 1 - margin (w - t *: d) (b - t * e) i <= 1 - margin w b i - t * s i.
    rewrite mE; have : 0 <= t * - (y i * ('<d, phi i> + e) + s i).
      by rewrite mulr_ge0 ?oppr_ge0 // ltW.
    rewrite -subr_ge0 => h; rewrite -subr_ge0; apply: le_trans h _.
    by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
  have tle (x : R) : t1 * `|x| <= c i -> t * `|x| <= c i.
    by apply: le_trans; apply: ler_wpM2r => //; rewrite ge_min lexx.
  have sm := tle _ (small1 i); rewrite /c in sm.
  rewrite UE; have [mlt|mgt|meq] := ltgtP 1 (margin w b i).
  - have -> : slack (w - t *: d) (b - t * e) i = 0; last first.
      by rewrite mulr0 mul0r mulr0 subr0 mulr_ge0 ?slack_ge0.
    apply/eqP; rewrite slack_eq0 -subr_le0; apply: le_trans ge _.
    have ns : `|s i| = - s i by apply/ler0_norm/s0/ltW.
    have nm : `|1 - margin w b i| = margin w b i - 1 by rewrite ler0_norm ?opprB // subr_le0 ltW.
    move: sm; rewrite (gt_eqF mlt) ns nm -subr_ge0 -oppr_le0; congr (_ <= 0); ring.
  - rewrite (mulrCA t) -mulrBr; apply: ler_wpM2l => //.
    have sl : slack w b i = 1 - margin w b i by apply/max_r; rewrite subr_ge0 ltW.
    rewrite sl ge_max ge andbT subr_ge0.
    have nm : `|1 - margin w b i| = 1 - margin w b i by rewrite ger0_norm // subr_ge0 ltW.
    move: sm; rewrite (lt_eqF mgt) nm; apply: le_trans.
    by apply: ler_wpM2l (ler_norm _); rewrite ltW.
  - have s00 : s i <= 0 by rewrite s0 -?meq.
    have -> : slack w b i = 0 by apply/eqP; rewrite slack_eq0 -meq.
    rewrite (mulrCA t) -mulrBr; apply: ler_wpM2l => //.
    rewrite ge_max sub0r oppr_ge0 mulr_ge0_le0 ?(ltW t0) //=.
    by move: ge; rewrite -meq subrr sub0r.
have := opt (w - t *: d) (b - t * e); apply/negP; rewrite -ltNge.
have sums : \sum_i C i * slack (w - t *: d) (b - t * e) i <=
    \sum_i C i * slack w b i - t * \sum_i U i * s i.
  by rewrite mulr_sumr -sumrB; apply: ler_sum => i _.
apply: le_lt_trans (lerD (lexx _) sums) _.
rewrite -subr_gt0 /Svm.primal dotBB dotZr dotZr dotZl.
have -> : '<w, w> / 2%:R + \sum_i C i * slack w b i -
    (('<w, w> - 2%:R * (t * '<w, d>) + t * (t * '<d, d>)) / 2%:R +
      (\sum_i C i * slack w b i - t * (\sum_i U i * s i))) = t * (g - t * '<d, d> / 2%:R).
  by rewrite /g; field.
rewrite mulr_gt0 // subr_gt0 ltr_pdivrMr ?ltr0n //.
apply: (@le_lt_trans _ _ g); last by rewrite mulr_natr mulr2n ltrDl.
have := small2 ord0; rewrite (ger0_norm (dot_ge0 H d)); apply: le_trans.
by apply: ler_wpM2r; rewrite ?dot_ge0 // ge_min lexx orbT.
Qed.

(** Every minimiser has an alpha. *)
Theorem kkt_necessary w b : primal_optimal w b -> exists2 a, w = w_of a & kkt a b.
Proof.
move=> opt; pose U i := if 1 < margin w b i then 0 else C i.
pose c i : R := (1 <= margin w b i)%R%:R.
have pick (s : 'I_m -> R) i : \sum_k (k == i)%:R * s k = s i.
  by rewrite (bigD1 i) //= eqxx mul1r big1 ?addr0 // => k /negPf ->; rewrite mul0r.
pose gv (k : 'I_m + 'I_m) := if k is inl i then y i *: phi i else 0.
pose gy (k : 'I_m + 'I_m) := if k is inl i then y i else 0.
pose gc (k : 'I_m + 'I_m) j : R :=
  match k with inl i => (j == i)%:R | inr i => c i * (j == i)%:R end.
have [[u u0 []]|[d [e [s [neg pos]]]]] := farkas_triple H gv gy gc w 0 U; last first.
  case/negP: (lt_geF pos); rewrite mul0r addr0; apply: (no_descent (e := e) opt) => // i => [|mi].
    by have := neg (inl i); rewrite /= pick dotZl (dotC H) -mulrDr.
  have := neg (inr i); rewrite /= dot0l mul0r !add0r -[s i]pick /c mi.
  by under eq_bigr do rewrite mul1r.
rewrite !big_sumType /=; pose a i := u (inl i) => e1 e2 e3.
have wE : w = w_of a.
  rewrite {1}e1 [X in _ + X]big1 => [|i _]; last by rewrite scaler0.
  by rewrite addr0; apply: eq_bigr => i _; rewrite scalerA.
have bal : \sum_i a i * y i = 0.
  by rewrite [RHS]e2 [X in _ = _ + X]big1 ?addr0 // => i _; rewrite mulr0.
have box i : a i + c i * u (inr i) = U i.
  rewrite e3 big_sumType -[a i]pick -[c i * _](pick (fun j => c j * u (inr j))) /=.
  by congr (_ + _); apply: eq_bigr => j _; rewrite eq_sym mulrC // -mulrA mulrCA.
have U_le i : U i <= C i by rewrite /U; case: ifP.
have a_le i : a i <= U i by rewrite -box lerDl mulr_ge0 ?ler0n.
exists a => //; split=> [|i].
  by split=> // i; rewrite u0 /= (le_trans (a_le i)).
rewrite -wE; split=> [lt|gt].
  rewrite leNgt; apply/negP => m1; have := box i; rewrite /c leNgt m1 mul0r addr0.
  by rewrite /U ltNge (ltW m1) => aC; rewrite aC ltxx in lt.
rewrite leNgt; apply/negP => m1; have := a_le i; rewrite /U m1 => a0.
by rewrite ltNge a0 in gt.
Qed.

(** min P = max D, if the minimum exists. *)
Theorem strong_duality w b : primal_optimal w b -> exists2 a, dual_optimal a & primal w b = dual a.
Proof. by move=> /kkt_necessary[a -> /kkt_optimal[gap0 _ opt]]; exists a. Qed.

(** Every optimal pair satisfies KKT, and w is w(alpha), as in (6). *)
Theorem optimal_pair w b a : primal_optimal w b -> dual_optimal a -> w = w_of a /\ kkt a b.
Proof. by move=> /kkt_necessary[a0 -> k] /(dual_optimal_kkt k)[-> k']. Qed.

End StrongDuality.

(** ** Solutions of the dual *)

Section DualSolution.
Variables (R : realFieldType) (V : lmodType R) (H : inner_product V).
Variables (m : nat) (phi : 'I_m -> V) (y C : 'I_m -> R).
Hypothesis ys : forall i, y i = 1 \/ y i = -1.
Local Notation "''<' u , v >" := (dot H u v).

(** Every solution of the dual has a b, so that the primal attains its least value too. *)
Theorem dual_kkt a : dual_optimal H phi y C a -> exists b, kkt H phi y C a b.
Proof.
move=> [ok opt]; have [box bal] := ok; pose f i := y i - '<w_of phi y a, phi i>.
have yy i : y i * y i = 1 by case: (ys i) => ->; rewrite ?mulrNN mulr1.
have m11 : (-1 == 1 :> R) = false by rewrite lt_eqF // (lt_trans (ltrN10 R)) ?ltr01.
have order i j : floor_point y C a i -> ceil_point y C a j -> f i <= f j.
  move=> fl ce; rewrite leNgt; apply/negP => lt.
  pose g := f i - f j; have g0 : 0 < g by rewrite subr_gt0.
  have ij : j != i by apply: contraTneq lt => ->; rewrite ltxx.
  pose q := '<phi i - phi j, phi i - phi j>; have q0 : 0 <= q := dot_ge0 H _.
  have room (k : 'I_m) (s : R) : (s = 1 /\ a k < C k) \/ (s = -1 /\ 0 < a k) ->
      exists2 t0 : R, 0 < t0 & forall t, 0 <= t <= t0 -> 0 <= a k + t * s <= C k.
    have /andP[ak aC] := box k; case=> -[-> h].
      exists (C k - a k); rewrite ?subr_gt0 // => t /andP[t0 tl].
      by rewrite mulr1 addr_ge0 //= addrC -lerBrDr.
    exists (a k) => // t /andP[t0 tl].
    by rewrite mulrN1 subr_ge0 tl /= (le_trans _ aC) // gerDl oppr_le0.
  have [t1 t10 r1] : exists2 t0 : R, 0 < t0 & forall t, 0 <= t <= t0 -> 0 <= a i + t * y i <= C i.
    by apply: room; case/orP: fl => /andP[/eqP-> h]; [left | right].
  have [t2 t20 r2] : exists2 t0 : R,
      0 < t0 & forall t, 0 <= t <= t0 -> 0 <= a j + t * - y j <= C j.
    by apply: room; case/orP: ce => /andP[/eqP-> h]; [right | left; rewrite opprK].
  pose t3 := g / (q + 1); have q1 : 0 < q + 1 by rewrite ltr_wpDl ?ltr01.
  pose t := Num.min t1 (Num.min t2 t3).
  have t0 : 0 < t by rewrite !lt_min t10 t20 divr_gt0 //.
  have tl1 : t <= t1 by rewrite ge_min lexx.
  have tl2 : t <= t2 by rewrite !ge_min lexx orbT.
  have tl3 : t <= t3 by rewrite !ge_min lexx !orbT.
  pose e k := (k == i)%:R * y i - (k == j)%:R * y j.
  have pick (T : zmodType) (G : 'I_m -> T) k0 : \sum_k (if k == k0 then G k else 0) = G k0.
    by rewrite -big_mkcond big_pred1_eq.
  have sumE (G : 'I_m -> R) : \sum_k e k * G k = y i * G i - y j * G j.
    rewrite -(pick _ (fun k => y i * G k) i) -(pick _ (fun k => y j * G k) j) -sumrB.
    apply: eq_bigr => k _.
    by rewrite /e mulrBl; do 2! case: eqP => _; rewrite ?mul1r ?mul0r.
  have ewE : \sum_k (e k * y k) *: phi k = phi i - phi j.
    rewrite -(pick _ phi i) -(pick _ phi j) -sumrB; apply: eq_bigr => k _.
    rewrite /e mulrBl scalerBl; congr (_ - _); case: eqP => [->|_];
      by rewrite ?mul1r ?yy ?scale1r // !mul0r scale0r.
  pose a' k := a k + t * e k.
  have ok' : feasible y C a'.
    split=> [k|].
      rewrite /a' /e; have [->|ki] := eqVneq k i.
        by rewrite eq_sym (negPf ij) mul1r mul0r subr0 r1 // (ltW t0).
      have [->|kj] := eqVneq k j; first by rewrite mul0r mul1r sub0r r2 // (ltW t0).
      by rewrite !mul0r subrr mulr0 addr0.
    rewrite (eq_bigr (fun k => a k * y k + t * (e k * y k))) => [|k _]; last by rewrite /a'; ring.
    by rewrite big_split /= bal -mulr_sumr sumE !yy subrr mulr0 addr0.
  have wE : w_of phi y a' = w_of phi y a + t *: (phi i - phi j).
    rewrite -ewE scaler_sumr -big_split; apply: eq_bigr => k _ /=.
    by rewrite scalerA -scalerDl; congr (_ *: _); rewrite /a'; ring.
  have sE : \sum_k a' k = \sum_k a k + t * (y i - y j).
    rewrite big_split /= -mulr_sumr; congr (_ + _ * _).
    by have := sumE (fun=> 1); rewrite !mulr1 => <-; apply: eq_bigr => k _; rewrite mulr1.
  have := opt _ ok'; apply/negP; rewrite -ltNge -subr_gt0.
  have -> : dual H phi y a' - dual H phi y a = t * (g - t * q / 2%:R).
    rewrite /dual wE sE /g /f /q !(dotDl, dotDr, dotZl, dotZr, dotNl, dotNr).
    by rewrite !(dotC H (phi _) (w_of _ _ _)); field.
  rewrite mulr_gt0 // subr_gt0 ltr_pdivrMr ?ltr0n //; apply: (@le_lt_trans _ _ (t3 * (q + 1))).
    by apply: ler_pM; rewrite ?(ltW t0) ?lerDl ?ler01.
  by rewrite divfK ?gt_eqF // mulr_natr mulr2n ltrDl.
have [b bP] : exists b, (forall i, floor_point y C a i -> f i <= b) /\
    (forall i, ceil_point y C a i -> b <= f i).
  case: (pickP (floor_point y C a)) => [i0 fi0|none].
    have [i fi imax] := @arg_maxP _ _ _ i0 (floor_point y C a) f fi0.
    by exists (f i); split=> [k /imax//|k]; apply: order.
  case: (pickP (ceil_point y C a)) => [j0 cj0|none'].
    have [j cj jmin] := @arg_minP _ _ _ j0 (ceil_point y C a) f cj0.
    by exists (f j); split=> [k|k /jmin//]; rewrite none.
  by exists 0; split=> k; rewrite ?none ?none'.
by exists b; apply/(@kkt_floor_ceil _ _ H _ phi _ ys C a b ok).
Qed.
End DualSolution.

(** ** The trained SVM in its coordinates (between sections 2 and 4) *)

From Orca Require Import Family Expansion.

Section Trained.
Variables (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S).
Variables (m : nat) (x : 'I_m -> X).

(** Phi(x) = (p_k(x))_k. *)
Definition feat (u : X) : 'rV[R]_#|M| := \row_k ev u (p (enum_val k)).
Local Notation E := (euclid R #|M|).
Local Notation phi := (fun i => feat (x i)).

(** Its inner products are the kernel of the family. *)
Theorem feat_kernel u v : dot E (feat u) (feat v) = kernel_of p u v.
Proof.
rewrite /= /kernel_of (reindex (@enum_val M predT)) /=; last first.
  by exists enum_rank => ? _; rewrite ?enum_valK ?enum_rankK.
by apply: eq_bigr => k _; rewrite !mxE.
Qed.

(** The coordinates of w(alpha) are the c_k of the expansion. *)
Theorem feat_w y a k :
  (w_of phi y a) 0 (enum_rank k) = trained_coef p x (fun i => a i * y i) k.
Proof. by rewrite summxE; apply: eq_bigr => i _; rewrite !mxE enum_rankK. Qed.

(** The c_k do not depend on which dual solution was found. *)
Theorem coordinates_unique y C a a' w b : (forall i, 0 <= C i) ->
  primal_optimal E phi y C w b -> dual_optimal E phi y C a -> dual_optimal E phi y C a' ->
  trained_coef p x (fun i => a i * y i) =1 trained_coef p x (fun i => a' i * y i).
Proof.
move=> C0 opt d1 d2 k; rewrite -!feat_w.
by have [<- _] := optimal_pair C0 opt d1; have [<- _] := optimal_pair C0 opt d2.
Qed.
End Trained.

(** The norm of h counts c_0 and not b: moving a constant from b to c_0 does not change h + b. *)
Theorem bias_unregularized (R : realFieldType) (X : Type) (S : space R X) (M : finType)
    (p : M -> S) (c : M -> R) (k0 : M) (p0 b delta : R) :
  orthonormal p -> (forall z, ev z (p k0) = p0) ->
  let h := combination p c in let h' := h + delta *: p k0 in
  (forall z, ev z h' + (b - delta * p0) = ev z h + b) /\
  '<h', h'> = '<h, h> + 2%:R * delta * c k0 + delta ^+ 2.
Proof.
move=> p_on p0E h h'; split=> [z|]; first by rewrite linearD linearZ /= p0E; ring.
rewrite !(dotDl, dotDr, dotZl, dotZr) (dotC _ (p k0) h) (coefficients p_on) p_on eqxx /=.
by ring.
Qed.
