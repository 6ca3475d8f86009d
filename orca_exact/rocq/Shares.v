(** * The sums over pairs of points are sums over modes

    For features phi_i and the vector w = sum_i s_i phi_i of Claims.v: with the polynomials
    A_ijl(z) = sum_k p_k(x_il) p_k(x_jl) z^k of the columns, the coefficients of
    prod_l (A_ijl(0) + t (A_ijl(z) - A_ijl(0))) are the sums of phi_ik phi_jk over the modes of one
    order and degree, and sum_ij s_i s_j (such a sum) is the sum of w_k^2 over these modes. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring zify.
From Orca Require Import Recurrence Form Svm Expansion Rationals Claims Sums.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Shares.
Variables (R : rcfType) (pb : problem) (h0 : 'I_(dimension pb) -> R).
Local Notation d := (dimension pb).
Local Notation n := (max_degree pb).
Local Notation m := (points pb).
Local Notation q := (order_limit pb).
Local Notation mode := (modes pb).
Local Notation phi := (feature pb h0).

(** p_0(x_il), ..., p_n(x_il), with 0 beyond the degree of the column. *)
Definition at_point (i : 'I_m) (l : 'I_d) (k : nat) : R :=
  if (k <= size (column l))%N then (p_of h0 l k).[input_at R i l] else 0.
Definition mode_at (i : 'I_m) (k : mode) : R := \prod_l at_point i l (k l).

Lemma phiE i k : phi i k = if (order k <= q)%N then mode_at i k else 0.
Proof.
rewrite ffunE /allowed /mode_at; case: (order k <= q)%N; rewrite ?andbF // andbT.
case: ifP => [/forallP kl|/negbT]; first by apply: eq_bigr => l _; rewrite /at_point kl.
by rewrite negb_forall => /existsP[l /negPf kl]; rewrite (bigD1 l) //= /at_point kl mul0r.
Qed.

(** sum over the modes in S of phi_ik phi_jk *)
Definition form (S : pred mode) i j : R := \sum_(k | S k) phi i k * phi j k.

Lemma formC S i j : form S i j = form S j i.
Proof. by apply: eq_bigr => k _; rewrite [LHS]mulrC. Qed.

Lemma form_kernel i j : dot (ffun_inner R mode) (phi i) (phi j) = form xpredT i j.
Proof. by []. Qed.

Definition vector (s : 'I_m -> R) : vectors R pb := \sum_i s i *: phi i.
Definition mass (w : vectors R pb) (S : pred mode) : R := \sum_(k | S k) (w k : R) ^+ 2.

Theorem form_mass (s : 'I_m -> R) S :
  \sum_i \sum_j s i * s j * form S i j = mass (vector s) S.
Proof.
under eq_bigr => i _ do under eq_bigr => j _ do rewrite mulr_sumr.
under eq_bigr => i _ do rewrite exchange_big /=.
rewrite exchange_big /=; apply: eq_bigr => k _.
rewrite /vector sum_ffunE expr2 mulr_suml; apply: eq_bigr => i _.
have product_scaleE t (u : vectors R pb) : (t *: u) k = t * u k :> R by rewrite ffunE.
by rewrite mulr_sumr; apply: eq_bigr => j _; rewrite !product_scaleE mulrACA.
Qed.

(** ** One pair *)

Variables (i j : 'I_m).
Definition column_poly (l : 'I_d) : {poly R} :=
  \poly_(k < n.+1) (at_point i l k * at_point j l k).
Definition pair_gen : {poly {poly R}} := gen [seq column_poly l | l <- enum 'I_d].

Lemma bformE l : bform (column_poly l) =
  \sum_(k < n.+1) ((at_point i l k * at_point j l k) *: 'X^k)%:P * 'X^(0 < k)%N.
Proof.
have E : column_poly l - ((column_poly l)`_0)%:P =
    \sum_(k < n) (at_point i l k.+1 * at_point j l k.+1) *: 'X^(k.+1).
  by rewrite /column_poly coef_poly /= poly_def big_ord_recl /= expr0 alg_polyC addrAC subrr add0r.
rewrite /bform E /column_poly coef_poly /= [RHS]big_ord_recl /= mulr1 expr0 alg_polyC.
congr (_ + _); rewrite rmorph_sum mulr_sumr; apply: eq_bigr => k _.
by rewrite /= expr1 mulrC.
Qed.

Lemma pair_genE : pair_gen =
  \sum_(k : mode) ((mode_at i k * mode_at j k) *: 'X^(degree k))%:P * 'X^(order k).
Proof.
rewrite /pair_gen /gen big_map big_enum /= (eq_bigr _ (fun l _ => bformE l)) bigA_distr_bigA /=.
apply: eq_bigr => k _; rewrite big_split /= -rmorph_prod /= scaler_prod big_split /=.
rewrite !prodrXr -/(degree k); congr (_ * _).
congr ('X^_); rewrite /order -sum1_card [RHS]big_mkcond /=.
by apply: eq_bigr => l _; rewrite inE; case: (0 < _)%N.
Qed.

Lemma pair_gen_coef r : pair_gen`_r =
  \sum_(k : mode | order k == r) (mode_at i k * mode_at j k) *: 'X^(degree k).
Proof.
rewrite pair_genE coef_sum [RHS]big_mkcond; apply: eq_bigr => k _.
by rewrite coefCM coefXn eq_sym; case: eqP; rewrite ?mulr1 ?mulr0.
Qed.

Lemma form_order r : (r <= q)%N -> (pair_gen`_r).[1] = form (fun k => order k == r) i j.
Proof.
move=> rq; rewrite pair_gen_coef horner_sum; apply: eq_bigr => k /eqP kr.
by rewrite hornerZ hornerXn expr1n mulr1 !phiE kr rq.
Qed.

Lemma form_order_big r : (q < r)%N -> form (fun k => order k == r) i j = 0.
Proof. by move=> qr; apply: big1 => k /eqP kr; rewrite phiE kr leqNgt qr /= mul0r. Qed.

Lemma pair_gen_low : \sum_(r < q.+1) pair_gen`_r =
  \sum_(k : mode) (phi i k * phi j k) *: 'X^(degree k).
Proof.
under eq_bigr => r _ do rewrite pair_gen_coef.
rewrite [RHS](bigID (fun k => order k <= q)%N) /= [X in _ = _ + X]big1 ?addr0 => [|k kq];
  last first.
  by rewrite phiE (negPf kq) mul0r scale0r.
rewrite [RHS](partition_big (fun k => inord (order k) : 'I_q.+1) xpredT) //=.
apply: eq_bigr => r _; apply: eq_big => [k|k /eqP kr]; last first.
  by rewrite !phiE kr -ltnS ltn_ord.
rewrite -val_eqE /=; case: (leqP (order k) q) => kq /=; first by rewrite inordK.
by apply/negP => /eqP kr; move: kq; rewrite kr ltnNge -ltnS ltn_ord.
Qed.

Lemma form_all : (\sum_(r < q.+1) pair_gen`_r).[1] = form xpredT i j.
Proof.
rewrite pair_gen_low horner_sum; apply: eq_bigr => k _.
by rewrite hornerZ hornerXn expr1n mulr1.
Qed.

Lemma form_degree N : (\sum_(r < q.+1) pair_gen`_r)`_N = form (fun k => degree k == N) i j.
Proof.
rewrite pair_gen_low coef_sum [RHS]big_mkcond; apply: eq_bigr => k _.
by rewrite coefZ coefXn eq_sym; case: eqP; rewrite ?mulr1 ?mulr0.
Qed.

Lemma form_subset (A : {set 'I_d}) : (#|A| <= q)%N ->
  \prod_l (if l \in A then (column_poly l).[1] - (column_poly l)`_0 else (column_poly l)`_0) =
  form (fun k => act k == A) i j.
Proof.
move=> Aq; pose fam l (v : 'I_n.+1) := (0 < v)%N == (l \in A).
transitivity (\prod_l \sum_(v : 'I_n.+1 | fam l v) at_point i l v * at_point j l v).
  apply: eq_bigr => l _; rewrite /column_poly coef_poly /= horner_poly /fam.
  under [X in if _ then X - _ else _]eq_bigr => v _ do rewrite expr1n mulr1.
  rewrite big_ord_recl /=; case: (l \in A).
    rewrite addrAC subrr add0r [RHS]big_mkcond big_ord_recl /= add0r.
    by apply: eq_bigr => v _.
  rewrite (big_pred1 ord0) // => v; rewrite eqbF_neg -eqn0Ngt.
  by [].
rewrite (bigA_distr_big_dep _ (fun l (v : 'I_n.+1) => at_point i l v * at_point j l v)) /=.
have famE k : (k \in family fam) = (act k == A).
  apply/familyP/eqP => [kF|E l]; last by rewrite [_ \in _]unfold_in /fam -E inE eqxx.
  by apply/setP => l; have := kF l; rewrite [_ \in fam l]unfold_in inE => /eqP.
rewrite (eq_bigl _ _ famE); apply: eq_bigr => k /eqP kA.
by rewrite big_split /= !phiE /order kA Aq.
Qed.
End Shares.

(** ** Scaled columns *)

Section Scaled.
Variables (R : comRingType).
Lemma bformZ (t : R) (f : {poly R}) : bform (t *: f) = t%:P%:P * bform f.
Proof.
rewrite /bform coefZ polyCM [in LHS]polyCM mulrDr; congr (_ + _).
by rewrite [RHS]mulrCA -[_%:P%:P * _]polyCM mulrBr !mul_polyC.
Qed.

Lemma genZ (I : Type) (r : seq I) (t : I -> R) (f : I -> {poly R}) :
  gen [seq t l *: f l | l <- r] = (\prod_(l <- r) t l)%:P%:P * gen [seq f l | l <- r].
Proof.
rewrite /gen !big_map; elim: r => [|l r IH]; first by rewrite !big_nil mul1r.
by rewrite !big_cons IH bformZ !polyCM; ring.
Qed.
End Scaled.
