(** * The expansion of a trained SVM, and ORCA (sections 4 and 5)

    Any orthonormal family (p_k) and any signed dual vector s_i = alpha_i y_i:

      h = sum_i s_i K(x_i,.),      c_k = sum_i s_i p_k(x_i).

    - h = sum_k c_k p_k, with no other coefficients; c = P^T s   (27)-(29)
                                              [h_expansion, h_coefficients, h_matrix_form]
    - ||h||^2 = sum_k c_k^2 = sum_ij s_i s_j K(x_i,x_j)   (31)   [h_norm]
    - the c_k depend on h alone; h <> 0 if and only if some c_k <> 0
                                                                 [coefficients_of_h, h_nonzero]
    - if p_0 is constant, c_0 = p_0 sum_i s_i, which is 0 for a dual feasible alpha
                                                                 [c0_value, c0_zero]
    - (30) corrected: h + b = (c_0 p_0 + b) + sum_{k<>0} c_k p_k [constant_term];
      with dual feasible alpha the constant is b                 [constant_term_feasible]

    Modes k in {0..n}^d, act(k) = {i : k_i > 0}, q(k) = |act(k)|, N(k) = sum k_i, and
    C_N^(q) = sum of c_k^2 over the modes of order q and degree N, for any c:

    - q(k) <= d, q(k) <= N(k) <= q(k) n <= dn          [order_le, degree_bounds, degree_le],
      and every degree 0 ... dn occurs                 [degree_onto]
    - the blocks add up to sum c_k^2   (32)            [block_sum], [block_empty]
    - OKC_N^(q) >= 0, and they sum to 1 for c <> 0 (33)-(34)     [okc_ge0, okc_sum]
    - orders and degrees are sums of blocks and of modes (35), (36)
          [okc_order_modes, okc_degree_modes, okc_order_sum, okc_degree_sum]
    - subsets S of size q: the OKC_S sum to OKC^(q)    [okc_subset_sum]
      marginals (38), pairs (40)                       [okc_marginal_sum, okc_pair_sum]
    - there are n^|S| modes with act(k) = S            [card_active]
    - even and odd degrees by z = -1                   [parity_even, parity_odd]

    The generating function of the blocks is in Generating.v, the enclosure of an index
    by the distance of two classifiers in Enclosure.v.
    *)
From mathcomp Require Import all_ssreflect ssralg zmodp poly ssrnum matrix.
From mathcomp Require Import ring zify.
From Orca Require Import Form Family.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** ** The trained function *)

Section Trained.
Variables (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S).
Variables (m : nat) (x : 'I_m -> X) (s : 'I_m -> R).

Definition trained : S := \sum_i s i *: kernel_section p (x i).
Definition trained_coef (k : M) : R := \sum_i s i * ev (x i) (p k).

Lemma trained_at z : ev z trained = \sum_i s i * kernel_of p (x i) z.
Proof. by rewrite linear_sum; apply: eq_bigr => i _; rewrite linearZ /= kernel_sectionE. Qed.

Theorem h_expansion : trained = \sum_k trained_coef k *: p k.
Proof.
rewrite /trained /kernel_section; under eq_bigr => i _ do rewrite scaler_sumr.
rewrite exchange_big /=; apply: eq_bigr => k _; rewrite scaler_suml.
by apply: eq_bigr => i _; rewrite scalerA.
Qed.

Theorem h_coefficients (e : M -> R) :
  orthonormal p -> trained = \sum_k e k *: p k -> e =1 trained_coef.
Proof. by move=> p_on; rewrite h_expansion => /(expansion_unique p_on) eE k; rewrite eE. Qed.

(** c = P^T s with P_{i,k} = p_k(x_i) *)
Theorem h_matrix_form :
  \col_k trained_coef (enum_val k) =
  (\matrix_(i, k) ev (x i) (p (enum_val k)))^T *m \col_i s i :> 'cV_#|M|.
Proof.
apply/matrixP => k j; rewrite !mxE; apply: eq_bigr => i _.
by rewrite !mxE mulrC.
Qed.

Theorem h_norm : orthonormal p ->
  '<trained, trained> = \sum_k trained_coef k ^+ 2 /\
  '<trained, trained> = \sum_i \sum_j s i * s j * kernel_of p (x i) (x j).
Proof.
move=> p_on; have E : '<trained, trained> = \sum_k trained_coef k ^+ 2.
  by rewrite h_expansion (norm_squared p_on).
by rewrite E; split=> //; rewrite kernel_gramE.
Qed.

(** h <> 0 if and only if some c_k is not 0. *)
Theorem h_nonzero : orthonormal p -> trained <> 0 <-> exists k, trained_coef k != 0.
Proof.
move=> p_on; split=> [h0|[k ck] h0]; last first.
  have /(h_coefficients p_on)/(_ k)/eqP : trained = \sum_k 0 *: p k.
    by rewrite big1// => j _; rewrite scale0r.
  by rewrite eq_sym (negPf ck).
apply/existsP; rewrite -[X in is_true X]negbK negb_exists; apply/negP => /forallP c0.
by apply: h0; rewrite h_expansion big1// => k _; have /negPn/eqP-> := c0 k; rewrite scale0r.
Qed.

(** The constant mode. *)
Variables (k0 : M) (p0 : R).
Hypothesis p0_const : forall z, ev z (p k0) = p0.

Theorem c0_value : trained_coef k0 = p0 * \sum_i s i.
Proof. by rewrite mulr_sumr; apply: eq_bigr => i _; rewrite p0_const mulrC. Qed.

Theorem constant_term b z :
  ev z trained + b = (trained_coef k0 * p0 + b) + \sum_(k | k != k0) trained_coef k * ev z (p k).
Proof.
rewrite h_expansion linear_sum (bigD1 k0)//= linearZ /= p0_const -!addrA [_ + b]addrC.
by congr (_ + (_ + _)); apply: eq_bigr => k _; rewrite linearZ.
Qed.

End Trained.

(** The c_k depend on h alone, not on which dual vector gave it. *)
Theorem coefficients_of_h (R : realFieldType) (X : Type) (S : space R X) (M : finType)
    (p : M -> S) m m' (x : 'I_m -> X) (x' : 'I_m' -> X) s s' : orthonormal p ->
  trained p x s = trained p x' s' -> trained_coef p x s =1 trained_coef p x' s'.
Proof. by move=> p_on hE; apply: h_coefficients p_on _; rewrite -hE h_expansion. Qed.

(** s_i = alpha_i y_i with sum_i alpha_i y_i = 0. *)
Theorem c0_zero (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S)
    m (x : 'I_m -> X) (alpha y : 'I_m -> R) (k0 : M) (p0 : R) :
  (forall z, ev z (p k0) = p0) -> \sum_i alpha i * y i = 0 ->
  trained_coef p x (fun i => alpha i * y i) k0 = 0.
Proof. by move=> p0E feasible; rewrite (c0_value _ _ p0E) feasible mulr0. Qed.

Theorem constant_term_feasible (R : realFieldType) (X : Type) (S : space R X) (M : finType)
    (p : M -> S) m (x : 'I_m -> X) (alpha y : 'I_m -> R) (k0 : M) (p0 b : R) z :
  (forall z, ev z (p k0) = p0) -> \sum_i alpha i * y i = 0 ->
  let s i := alpha i * y i in
  ev z (trained p x s) + b = b + \sum_(k | k != k0) trained_coef p x s k * ev z (p k).
Proof.
move=> p0E feasible s.
by rewrite (constant_term _ _ p0E) (c0_zero _ p0E feasible) mul0r add0r.
Qed.

(** ** Modes, orders, degrees, blocks *)

Section Blocks.
Variables (n d : nat).
Notation mode := {ffun 'I_d -> 'I_n.+1}.

Definition act (k : mode) : {set 'I_d} := [set i | (0 < k i)%N].
Definition order (k : mode) : nat := #|act k|.
Definition degree (k : mode) : nat := \sum_i k i.

Theorem order_le k : (order k <= d)%N.
Proof. by rewrite -[d in leqRHS]card_ord max_card. Qed.

Lemma degree_act k : degree k = (\sum_(i in act k) k i)%N.
Proof.
rewrite /degree [RHS]big_mkcond; apply: eq_bigr => i _.
by rewrite inE; case: (nat_of_ord (k i)).
Qed.

Theorem degree_bounds k : (order k <= degree k <= order k * n)%N.
Proof.
rewrite degree_act /order; apply/andP; split.
  by rewrite -sum1_card; apply: leq_sum => i; rewrite inE.
by rewrite -sum_nat_const; apply: leq_sum => i _; rewrite -ltnS.
Qed.

Theorem degree_le k : (degree k <= d * n)%N.
Proof.
have /andP[_ /leq_trans->]// := degree_bounds k.
by rewrite leq_mul2r order_le orbT.
Qed.

(** Every degree 0, ..., dn occurs. *)
Theorem degree_onto N : (N <= d * n)%N -> exists k, degree k = N.
Proof.
elim: N => [_|N IH Nd].
  by exists [ffun=> ord0]; rewrite /degree big1// => i _; rewrite ffunE.
have [k kN] := IH (ltnW Nd); have /existsP[i ki] : [exists i, (k i < n)%N].
  apply: contraLR Nd; rewrite negb_exists -leqNgt -kN => /forallP kn.
  rewrite -[d in (d * n)%N]card_ord -sum_nat_const; apply: leq_sum => i _.
  by rewrite leqNgt.
exists [ffun j => if j == i then inord (k i).+1 else k j].
rewrite /degree (bigD1 i)//= ffunE eqxx inordK ?ltnS// addSn -kN /degree [in RHS](bigD1 i)//=.
by congr (_ + _).+1; apply: eq_bigr => j /negPf ji; rewrite ffunE ji.
Qed.

(** There are n^|A| modes whose active coordinates are exactly A. *)
Theorem card_active (A : {set 'I_d}) : #|[set k : mode | act k == A]| = (n ^ #|A|)%N.
Proof.
pose F (i : 'I_d) := [pred v : 'I_n.+1 | (0 < v)%N == (i \in A)].
have -> : #|[set k : mode | act k == A]| = #|family F|.
  apply: eq_card => k; rewrite !inE; apply/eqP/familyP => [E i|kF].
    by rewrite /F -E !inE eqxx.
  by apply/setP => i; have := kF i; rewrite !inE => /eqP.
rewrite card_family /image_mem foldrE big_map big_enum /=.
rewrite (bigID (mem A)) /= [X in (_ * X)%N]big1 ?muln1 => [|i iA]; last first.
  transitivity #|pred1 (ord0 : 'I_n.+1)|; last exact: card1.
  by apply: eq_card => v; rewrite inE [LHS]unfold_in (negPf iA) eqbF_neg -eqn0Ngt.
rewrite (eq_bigr (fun=> n)) ?prod_nat_const// => i iA.
transitivity #|predC1 (ord0 : 'I_n.+1)|; last by rewrite cardC1 card_ord.
by apply: eq_card => v; rewrite inE [LHS]unfold_in iA eqb_id lt0n.
Qed.

Variables (R : realFieldType) (c : mode -> R).

Definition total : R := \sum_k c k ^+ 2.
Definition block (q N : nat) : R := \sum_(k | (order k == q) && (degree k == N)) c k ^+ 2.

(** The share of the modes in P. *)
Definition share (P : pred mode) : R := (\sum_(k | P k) c k ^+ 2) / total.
Definition okc (q N : nat) := block q N / total.
Definition okc_order (q : nat) := \sum_(N < (d * n).+1) okc q N.
Definition okc_degree (N : nat) := \sum_(q < d.+1) okc q N.
Definition okc_subset (A : {set 'I_d}) := share (fun k => act k == A).

Lemma block_order q : \sum_(N < (d * n).+1) block q N = \sum_(k | order k == q) c k ^+ 2.
Proof.
rewrite (partition_big (fun k => inord (degree k) : 'I_(d * n).+1) xpredT) //=.
apply: eq_bigr => N _; apply: eq_bigl => k; rewrite -val_eqE /= inordK//.
by rewrite ltnS degree_le.
Qed.

Lemma block_degree N : \sum_(q < d.+1) block q N = \sum_(k | degree k == N) c k ^+ 2.
Proof.
rewrite (partition_big (fun k => inord (order k) : 'I_d.+1) xpredT) //=.
apply: eq_bigr => q _; apply: eq_bigl => k; rewrite -val_eqE /= inordK 1?andbC//.
by rewrite ltnS order_le.
Qed.

Theorem block_sum : \sum_(q < d.+1) \sum_(N < (d * n).+1) block q N = \sum_k c k ^+ 2.
Proof.
rewrite (eq_bigr (fun q : 'I_d.+1 => \sum_(k | order k == q) c k ^+ 2)) => [|q _];
  last exact: block_order.
rewrite [RHS](partition_big (fun k => inord (order k) : 'I_d.+1) xpredT) //=.
apply: eq_bigr => q _; apply: eq_bigl => k; rewrite -val_eqE /= inordK//.
by rewrite ltnS order_le.
Qed.

Theorem block_empty q N : ~~ (q <= N <= q * n)%N -> block q N = 0.
Proof.
move=> qN; rewrite /block big1// => k /andP[/eqP kq /eqP kN].
by move: qN; rewrite -kq -kN degree_bounds.
Qed.

Lemma total_ge0 : 0 <= total. Proof. by apply: sumr_ge0 => k _; rewrite sqr_ge0. Qed.

Theorem okc_ge0 q N : 0 <= okc q N.
Proof. by rewrite divr_ge0 ?total_ge0// sumr_ge0// => k _; rewrite sqr_ge0. Qed.

Lemma total_neq0 : (exists k, c k != 0) -> total != 0.
Proof.
case=> k ck; apply: contra ck => /eqP t0.
by rewrite -sqrf_eq0 (psumr_eq0P _ t0)// => j _; rewrite sqr_ge0.
Qed.

Theorem okc_sum : (exists k, c k != 0) ->
  \sum_(q < d.+1) \sum_(N < (d * n).+1) okc q N = 1.
Proof.
move=> c0; under eq_bigr => q _ do rewrite -mulr_suml.
by rewrite -mulr_suml block_sum divff// total_neq0.
Qed.

Theorem okc_order_modes q : okc_order q = share (fun k => order k == q).
Proof. by rewrite /okc_order -mulr_suml block_order. Qed.

Theorem okc_degree_modes N : okc_degree N = share (fun k => degree k == N).
Proof. by rewrite /okc_degree -mulr_suml block_degree. Qed.

Theorem okc_order_sum : (exists k, c k != 0) -> \sum_(q < d.+1) okc_order q = 1.
Proof. exact: okc_sum. Qed.

Theorem okc_degree_sum : (exists k, c k != 0) -> \sum_(N < (d * n).+1) okc_degree N = 1.
Proof. by move=> c0; rewrite exchange_big okc_sum. Qed.

Theorem okc_subset_sum (q : nat) : \sum_(A : {set 'I_d} | #|A| == q) okc_subset A = okc_order q.
Proof.
rewrite okc_order_modes /okc_subset /share -mulr_suml; congr (_ / _).
rewrite [RHS](partition_big act (fun A => #|A| == q)) //=.
apply: eq_bigr => A /eqP Aq; apply: eq_bigl => k.
by rewrite /order; case: eqP => [->|]; rewrite ?andbF// Aq eqxx.
Qed.

(** OKC_i and OKC_ij *)
Definition okc_marginal (i : 'I_d) := okc_subset [set i].
Definition okc_pair (i j : 'I_d) := okc_subset [set i; j].

(** M_i in both descriptions. *)
Theorem marginal_set (i : 'I_d) (k : mode) :
  (act k == [set i]) = (0 < k i)%N && [forall j, (j != i) ==> (k j == 0%N :> nat)].
Proof.
apply/eqP/andP => [E|[ki /forallP kj]].
  split; first by have := set11 i; rewrite -E inE.
  apply/forallP => j; apply/implyP => ji; have : j \notin act k by rewrite E inE.
  by rewrite inE -eqn0Ngt.
apply/setP => j; rewrite !inE; have [->//|ji] := eqVneq j i.
by have := kj j; rewrite ji /= => /eqP->.
Qed.

Theorem okc_marginal_sum : \sum_i okc_marginal i = okc_order 1.
Proof.
rewrite -okc_subset_sum /okc_marginal.
rewrite -[LHS](big_imset okc_subset (h := fun i => [set i])) => [|i j _ _ /set1_inj//].
apply: eq_bigl => A; apply/imsetP/cards1P => [[i _ ->]|[i ->]]; by exists i.
Qed.

Theorem okc_pair_sum : \sum_(i < d) \sum_(j < d | (i < j)%N) okc_pair i j = okc_order 2.
Proof.
rewrite -okc_subset_sum pair_big_dep /=.
rewrite -(big_imset okc_subset (h := fun u : 'I_d * 'I_d => [set u.1; u.2])) /=.
  apply: eq_bigl => A; apply/imsetP/cards2P => [[[i j] /= ij ->]|[i [j [ij ->]]]].
    by exists i, j; rewrite -val_eqE /= (ltn_eqF ij).
  by move: ij; rewrite -val_eqE neq_ltn => /orP[] ij;
    [exists (i, j) | exists (j, i); rewrite //= setUC].
move=> [i j] [i' j'] /=; rewrite !unfold_in /= => ij ij' E.
have : i \in [set i'; j'] by rewrite -E set21.
have : j \in [set i'; j'] by rewrite -E set22.
have : i' \in [set i; j] by rewrite E set21.
have : j' \in [set i; j] by rewrite E set22.
rewrite !inE -!val_eqE /= => a1 a2 a3 a4.
by congr pair; apply/val_inj => /=; lia.
Qed.

(** Even and odd degrees: at z = -1 the generating function is even - odd. *)
Definition alternating : R := \sum_k (-1) ^+ degree k * c k ^+ 2.

Theorem parity_even : \sum_(k | ~~ odd (degree k)) c k ^+ 2 = (total + alternating) / 2%:R.
Proof.
have two : 2%:R != 0 :> R by rewrite pnatr_eq0.
rewrite /total /alternating -big_split mulr_suml big_mkcond /=; apply: eq_bigr => k _.
by rewrite -signr_odd; case: odd => /=; rewrite ?expr1 ?expr0; field.
Qed.

Theorem parity_odd : \sum_(k | odd (degree k)) c k ^+ 2 = (total - alternating) / 2%:R.
Proof.
have two : 2%:R != 0 :> R by rewrite pnatr_eq0.
rewrite /total /alternating -sumrB mulr_suml big_mkcond /=; apply: eq_bigr => k _.
by rewrite -signr_odd; case: odd => /=; rewrite ?expr1 ?expr0; field.
Qed.

End Blocks.

