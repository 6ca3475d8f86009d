(** * Additive classifiers (section 5, after (35))

    Where p_0 is a constant other than 0 and the p_k are linearly independent functions,
    for every n, every d >= 1 and all coefficients c:

      OKC^(q) = 0 for all q >= 2   if and only if   h(x) = f_1(x_1) + ... + f_d(x_d)

    with f_i in the span of p_0, ..., p_n                                  [additive]. *)
From mathcomp Require Import all_ssreflect ssralg ssrnum poly.
From Orca Require Import Form Family Expansion.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Additive.
Variables (R : realFieldType) (X : Type) (S : space R X) (n d : nat) (p : 'I_n.+1 -> S) (p0 : R).
Notation mode := {ffun 'I_d.+1 -> 'I_n.+1}.
Variable c : mode -> R.

(** OKC^(q) = 0 for all q >= 2 says that no mode of order >= 2 occurs. *)
Lemma no_interaction :
  (forall q, (1 < q)%N -> okc_order c q = 0) <-> (forall k, (1 < order k)%N -> c k = 0).
Proof.
split=> [okc0 k k2|c0 q q2]; last first.
  by rewrite okc_order_modes /share big1 ?mul0r// => k /eqP kq; rewrite c0 ?kq// expr0n.
have sq (P : pred mode) : P k -> \sum_(j | P j) c j ^+ 2 = 0 -> c k = 0.
  move=> Pk /psumr_eq0P H; apply/eqP; rewrite -sqrf_eq0 H// => j _.
  exact: sqr_ge0.
have /eqP := okc0 _ k2; rewrite okc_order_modes /share mulf_eq0 invr_eq0.
by case/orP => /eqP; apply: sq.
Qed.

(** The mode that is v at i and 0 elsewhere. *)
Definition single i v : mode := [ffun j => if j == i then v else ord0].

Lemma order_single i v : (order (single i v) <= 1)%N.
Proof.
rewrite -(cards1 i); apply: subset_leq_card; apply/subsetP => j; rewrite !inE ffunE.
by case: eqP.
Qed.

(** A coordinate that is active, if one is. *)
Definition active (k : mode) : 'I_d.+1 := odflt ord0 [pick i in act k].

Lemma singleE k : (order k <= 1)%N -> k = single (active k) (k (active k)).
Proof.
move=> k1; apply/ffunP => j; rewrite ffunE; case: eqP => [->//|/eqP jk].
rewrite /active in jk; case: pickP jk => [i /= ik|none] jk; last first.
  by have := none j; rewrite inE lt0n => /negbFE/eqP kj; apply: val_inj.
apply: val_inj; apply/eqP; rewrite /= -leqn0 leqNgt; apply/negP => kj.
have : (2 <= order k)%N; last by rewrite ltnNge k1.
have <- : #|[set j; i]| = 2%N by rewrite cards2 jk.
apply: subset_leq_card.
by apply/subsetP => l; rewrite in_set2 => /orP[]/eqP->; rewrite // inE.
Qed.

Hypothesis p0_const : forall u, ev u (p ord0) = p0.
Hypothesis p0_neq0 : p0 != 0.

Lemma single_at i v (x : 'I_d.+1 -> X) :
  \prod_l ev (x l) (p (single i v l)) = p0 ^+ d * ev (x i) (p v).
Proof.
rewrite (bigD1 i)//= ffunE eqxx mulrC; congr (_ * _).
rewrite (eq_bigr (fun=> p0)) => [|l /negPf li]; last by rewrite ffunE li p0_const.
by rewrite prodr_const cardC1 card_ord.
Qed.

Theorem additive : independent p ->
  (forall q, (1 < q)%N -> okc_order c q = 0) <->
  exists f : 'I_d.+1 -> 'I_n.+1 -> R, forall x : 'I_d.+1 -> X,
    \sum_k c k * \prod_l ev (x l) (p (k l)) = \sum_i \sum_v f i v * ev (x i) (p v).
Proof.
move=> p_ind; apply: iff_trans no_interaction _; split=> [c0|[f fE] k k2].
  exists (fun i v => \sum_(k | ((order k <= 1)%N && (active k == i)) && (k i == v))
    c k * p0 ^+ d) => x.
  rewrite (bigID (fun k => (order k <= 1)%N)) /= [X in _ + X]big1 ?addr0 => [|k]; last first.
    by rewrite -ltnNge => /c0->; rewrite mul0r.
  rewrite (partition_big active xpredT)//=; apply: eq_bigr => i _.
  rewrite (partition_big (fun k : mode => k i) xpredT)//=; apply: eq_bigr => v _.
  rewrite mulr_suml; apply: eq_bigr => k /andP[/andP[k1 /eqP ki] /eqP kv].
  by rewrite -mulrA {2}(singleE k1) ki kv -single_at.
pose b (k : mode) := \sum_i \sum_v (k == single i v)%:R * (f i v / p0 ^+ d).
have cb : (fun k => c k - b k) =1 (fun=> 0).
  apply: (tensor_independent p_ind) => x.
  under eq_bigr => j _ do rewrite mulrBl; rewrite sumrB fE; apply/eqP; rewrite subr_eq0; apply/eqP.
  under [RHS]eq_bigr => j _ do rewrite /b mulr_suml.
  rewrite [RHS]exchange_big /=; apply: eq_bigr => i _.
  under [RHS]eq_bigr => j _ do rewrite mulr_suml.
  rewrite [RHS]exchange_big /=; apply: eq_bigr => v _.
  rewrite (bigD1 (single i v))//= eqxx mul1r single_at big1 ?addr0 => [|j /negPf->]; last first.
    by rewrite !mul0r.
  by rewrite mulrA divfK// expf_neq0.
have /eqP := cb k; rewrite subr_eq0 => /eqP->; rewrite /b big1// => i _; rewrite big1// => v _.
by case: eqP k2 => [->|]; rewrite ?mul0r// ltnNge order_single.
Qed.

End Additive.

(** The same for any functions f_i: if h is a sum of them, they may be taken in the span. *)
Theorem additive_any (R : realFieldType) (X : Type) (S : space R X) (n d : nat)
    (p : 'I_n.+1 -> S) (p0 : R) (c : {ffun 'I_d.+1 -> 'I_n.+1} -> R) :
  (forall u, ev u (p ord0) = p0) -> p0 != 0 -> independent p ->
  (forall q, (1 < q)%N -> okc_order c q = 0) <->
  exists f : 'I_d.+1 -> X -> R, forall x : 'I_d.+1 -> X,
    \sum_k c k * \prod_l ev (x l) (p (k l)) = \sum_i f i (x i).
Proof.
pose mode := {ffun 'I_d.+1 -> 'I_n.+1}.
move=> pc p00 ind; split=> [/(additive c pc p00 ind)[f fE]|[f fE]].
  by exists (fun i u => \sum_v f i v * ev u (p v)).
move=> q q1; apply/eqP; apply: contraT => nz; exfalso.
have noX (x0 : X) : False.
  move/eqP: nz; apply; move: q q1; apply/(additive c pc p00 ind).
  pose up (i : 'I_d.+1) u l := if l == i then u else x0.
  pose rest i v := \sum_(k : mode | k i == v) c k * \prod_(l | l != i) ev x0 (p (k l)).
  exists (fun i v => rest i v - (v == ord0)%:R * ((\sum_(j | j != i) f j x0) / p0)) => x.
  rewrite fE; apply: eq_bigr => i _; under eq_bigr => v _ do rewrite mulrBl; rewrite sumrB.
  have -> : \sum_v (v == ord0)%:R * ((\sum_(j | j != i) f j x0) / p0) * ev (x i) (p v) =
      \sum_(j | j != i) f j x0.
    rewrite [LHS](bigD1 ord0) //= [X in _ + X]big1 ?addr0 => [|v v0].
      by rewrite pc mul1r divfK.
    by rewrite (negPf v0) !mul0r.
  have -> : \sum_v rest i v * ev (x i) (p v) =
      \sum_k c k * \prod_l ev (up i (x i) l) (p (k l)).
    rewrite [RHS](partition_big (fun k : mode => k i) xpredT) //=; apply: eq_bigr => v _.
    rewrite mulr_suml; apply: eq_bigr => k /eqP kv; rewrite -mulrA; congr (_ * _).
    rewrite [RHS](bigD1 i) //= /up eqxx kv mulrC; congr (_ * _).
    by apply: eq_bigr => l /negPf->.
  rewrite fE [X in X - _](bigD1 i) //= {1}/up eqxx.
  have -> : \sum_(j | j != i) f j (up i (x i) j) = \sum_(j | j != i) f j x0.
    by apply: eq_bigr => j ji; rewrite /up (negPf ji).
  by rewrite addrK.
have /(_ ord0) /eqP : (fun _ : 'I_n.+1 => 1 : R) =1 fun=> 0 by apply: ind => x; case: (noX x).
by rewrite oner_eq0.
Qed.
