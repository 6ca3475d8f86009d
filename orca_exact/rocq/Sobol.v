(** * OKC indices are Sobol' indices (beyond section 5)

    On H_n^(d) (Product.v), with a functional L_i for each coordinate, divided by its mass L_i(1)
    to make it a probability. The conditional expectation E[f | x_S] applies these functionals
    to the coordinates outside S, monomial by monomial:

      E[prod_i x_i^(k_i) | x_S] = prod_{i in S} x_i^(k_i) prod_{i not in S} L_i(X^(k_i)) / L_i(1).

    - E[. | x_S] factorises on products                                        [cond_tens],
      depends on x_S alone, and is the orthogonal projection onto such functions
                                                              [cond_depends, cond_orthogonal]
    - E[p_k | x_S] is p_k if act(k) is a subset of S, and 0 otherwise          [cond_basis]
    - Hoeffding's component f_S = sum_{T in S} (-1)^|S - T| E[f | x_T] is the part of the modes
      active exactly on S                                                      [component_modes]
    - if c_0 = 0, then Var(f_S) / Var(f) = OKC_S                               [sobol_okc];
      the closed index Var(E[f | x_S]) / Var(f) is the sum of OKC_T, T in S    [sobol_closed];
      the total index E[Var(f | x_j, j <> i)] / Var(f) is the sum of OKC_T, i in T
                                                                               [sobol_total];
      the Shapley effect is the sum of OKC_T / |T|, i in T [shapley_okc]; they sum to 1
                                                                               [shapley_sum]
    - a trained SVM has c_0 = 0, so that all of this holds for it              [sobol_trained]

    Spaces of limited order: the modes with at most q active coordinates span a subspace of
    H_n^(d) with its inner product, whose reproducing kernel is

      sum_{|A| <= q} prod_{l in A} (K_n(x_l,z_l) - p_{l,0}^2) prod_{l not in A} p_{l,0}^2

                                                      [limited_orthonormal, limited_kernel],
    with c_0 = 0 for a dual feasible alpha [limited_c0] and OKC^(r) = 0 for r > q
                                                                               [limited_okc].
    *)
From mathcomp Require Import all_ssreflect ssralg zmodp poly ssrnum.
From mathcomp Require Import ring zify.
From Orca Require Import Compat Recurrence Form Family Expansion Product.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** ** Sums over subsets *)

(** prod_i (a_i + b_i) = sum over the subsets T of prod_{i in T} a_i prod_{i not in T} b_i. *)
Lemma subset_distr (R : comRingType) (d : nat) (a b : 'I_d -> R) :
  \prod_i (a i + b i) = \sum_(T : {set 'I_d}) \prod_i (if i \in T then a i else b i).
Proof.
have E i : a i + b i = \sum_(t : bool) (if t then a i else b i).
  by rewrite big_bool.
under eq_bigr => i _ do rewrite E; rewrite bigA_distr_bigA /=.
rewrite (reindex (fun T : {set 'I_d} => [ffun i => i \in T])) /=.
  by apply: eq_bigr => T _; apply: eq_bigr => i _; rewrite ffunE.
exists (fun f : {ffun 'I_d -> bool} => [set i | f i]) => [T _|f _].
  by apply/setP => i; rewrite inE ffunE.
by apply/ffunP => i; rewrite ffunE inE.
Qed.

(** The sum over A in T in S of (-1)^|S - T| is 1 if A = S, and 0 otherwise. *)
Lemma inclusion_exclusion (R : comRingType) (d : nat) (A S : {set 'I_d}) :
  \sum_(T : {set 'I_d} | (A \subset T) && (T \subset S)) (-1) ^+ #|S :\: T| = (A == S)%:R :> R.
Proof.
pose a i : R := (i \in S)%:R.
pose b i : R := (i \notin A)%:R * (if i \in S then -1 else 1).
transitivity (\prod_i (a i + b i)).
  rewrite subset_distr big_mkcond; apply: eq_bigr => T _ /=.
  case: (boolP (A \subset T)) => [/subsetP AT|] /=; last first.
    case/subsetPn => i iA iT; rewrite (bigD1 i)//= (negPf iT) /b iA mul0r mul0r//.
  case: (boolP (T \subset S)) => [/subsetP TS|]; last first.
    by case/subsetPn => i iT iS; rewrite (bigD1 i)//= iT /a (negPf iS) mul0r.
  rewrite (eq_bigr (fun i => if i \in S :\: T then -1 else 1)) => [|i _].
    by rewrite -big_mkcond /= prodr_const.
  rewrite inE /a /b; case: (boolP (i \in T)) => [/TS->//|iT] /=.
  by rewrite (contra (AT i) iT) mul1r.
case: eqP => [AS|/eqP AS].
  rewrite big1// => i _; rewrite /a /b AS; case: (i \in S);
  by rewrite ?mul0r ?addr0 ?mul1r ?add0r.
have [i] : exists i, (i \in A) != (i \in S).
  by apply/existsP; rewrite -negb_forall; apply: contra AS => /forallP h; apply/eqP/setP => i;
    apply/eqP.
rewrite (bigD1 i)//= /a /b; case: (i \in A); case: (i \in S) => // _;
  by rewrite ?mul0r ?addr0 ?mul1r ?subrr mul0r.
Qed.

(** ** The weights of the Shapley value *)

Lemma subsetU1E (T : finType) (x : T) (A B : {set T}) : (A \subset x |: B) = (A :\ x \subset B).
Proof. by rewrite subDset. Qed.

Lemma setD1_notin (T : finType) (x : T) (A : {set T}) : x \notin A -> A :\ x = A.
Proof. by move=> xA; apply/setDidPl; rewrite disjoint_sym disjoints1. Qed.

Lemma subset_card_sum (R : ringType) (T : finType) (B : {set T}) (G : nat -> R) :
  \sum_(W : {set T} | W \subset B) G #|W| = \sum_(j < #|B|.+1) 'C(#|B|, j)%:R * G j.
Proof.
rewrite (partition_big (fun W : {set T} => inord #|W| : 'I_#|B|.+1) xpredT)//=.
apply: eq_bigr => j _.
transitivity (\sum_(W in [set W : {set T} | (W \subset B) && (#|W| == j)]) G j).
  apply: eq_big => [W|W]; rewrite ?inE.
    by case: (boolP (W \subset B)) => //= WB; rewrite -val_eqE /= inordK// ltnS subset_leq_card.
  by case/andP=> WB /eqP <-; rewrite inordK// ltnS subset_leq_card.
by rewrite sumr_const cards_draws mulr_natl.
Qed.

Lemma shapley_count a b :
  (a.+1 * (\sum_(j < b.+1) 'C(b, j) * ((a + j)`! * (b - j)`!)) = (a + b).+1`!)%N.
Proof.
transitivity (a.+1 * (\sum_(j < b.+1) b ^_ (b - j) * (a + j)`!))%N.
  congr (_ * _)%N; apply: eq_bigr => j _; rewrite [((a + j)`! * _)%N]mulnC.
  have jb : (j <= b)%N by rewrite -ltnS.
  by rewrite -(bin_ffact b (b - j)) (bin_sub jb) mulnA.
elim: b => [|b IH]; first by rewrite big_ord1 addn0 ffactn0 mul1n factS.
rewrite big_ord_recr /= subnn ffactn0 mul1n mulnDr.
rewrite (eq_bigr (fun j : 'I_b.+1 => b.+1 * (b ^_ (b - j) * (a + j)`!))%N) => [|j _].
  by rewrite -big_distrr /= mulnCA IH addnS -mulnDl addnC [RHS]factS addSn addnS.
by have jb : (j <= b)%N by [rewrite -ltnS]; rewrite (subSn jb) ffactSS mulnA.
Qed.

(** The weights of the T that contain U - {i} and not i sum to 1/|U|. *)
Lemma shapley_weights (R : realFieldType) (d : nat) (i : 'I_d) (U : {set 'I_d}) : i \in U ->
  \sum_(T : {set 'I_d} | (i \notin T) && (U :\ i \subset T))
    (#|T|`! * (d - #|T|.+1)`!)%:R / d`!%:R = #|U|%:R^-1 :> R.
Proof.
move=> iU; pose A := U :\ i; pose B := ~: U.
have UA : #|U| = #|A|.+1 by rewrite (cardsD1 i) iU.
have dE : d = (#|A| + #|B|).+1 by rewrite -addSn -UA cardsC card_ord.
rewrite (reindex_onto (fun W => A :|: W) (fun T => T :\: A)) /=; last first.
  move=> T /andP[_ AT]; apply/setP => j; rewrite in_setU in_setD.
  by case: (boolP (j \in A)) => [/(subsetP AT)->|_].
rewrite (eq_bigl (fun W : {set 'I_d} => W \subset B)); last first.
  move=> W; rewrite -/A subsetUl andbT; apply/idP/idP => [/andP[iW /eqP E]|WB].
    apply/subsetP => j jW; rewrite in_setC; apply/negP => jU.
    have jA : j \notin A by move: jW; rewrite -E in_setD => /andP[].
    have ji : j = i by apply/eqP; move: jA; rewrite /A in_setD1 jU andbT negbK.
    by move: iW; rewrite in_setU negb_or -ji jW andbF.
  have dis j : j \in W -> j \notin U by move=> /(subsetP WB); rewrite in_setC.
  apply/andP; split.
    by rewrite in_setU negb_or {1}/A setD11 /=; apply/negP => /dis; rewrite iU.
  apply/eqP/setP => j; rewrite in_setD in_setU; case: (boolP (j \in W)) => [jW|_].
    by rewrite orbT andbT /A in_setD1 (negPf (dis j jW)) andbF.
  by rewrite orbF andNb.
rewrite (eq_bigr (fun W : {set 'I_d} =>
  ((#|A| + #|W|)`! * (#|B| - #|W|)`!)%:R / d`!%:R)) => [|W WB].
  rewrite (subset_card_sum B (fun w => ((#|A| + w)`! * (#|B| - w)`!)%:R / d`!%:R)).
  under eq_bigr => j _ do rewrite mulrA -natrM; rewrite -mulr_suml -natr_sum.
  apply: (@mulfI _ #|U|%:R); first by rewrite pnatr_eq0 UA.
  have cnt := shapley_count #|A| #|B|; rewrite -UA -dE in cnt.
  rewrite mulrA -natrM cnt divff ?pnatr_eq0 -?lt0n ?fact_gt0//.
  by rewrite divff// pnatr_eq0 UA.
have -> : #|A :|: W| = (#|A| + #|W|)%N.
  rewrite cardsU (_ : A :&: W = set0) ?cards0 ?subn0//; apply/setP => j; rewrite !inE.
  by apply/negP => /andP[/andP[_ jU]] /(subsetP WB); rewrite inE jU.
have -> : (d - (#|A| + #|W|).+1 = #|B| - #|W|)%N by lia.
by [].
Qed.

(** ** Conditional expectations *)

Section Sobol.
Variables (R : realFieldType) (n d : nat) (L : 'I_d -> {scalar {poly R}}).
Variable p : 'I_d -> nat -> {poly R}.
Hypothesis p_on : forall i, orthonormal_upto n (L i) (p i).
Notation mode := {ffun 'I_d -> 'I_n.+1}.
Notation H := (product_space n L).
Notation basis := (@tbasis R n d L p).
Notation "\mass" := (\prod_i L i 1).
Implicit Types (f g : H) (c : mode -> R) (S T : {set 'I_d}).

Let value f k : R := (f : {ffun mode -> R^o}) k.
Let valueP a f g k : value (a *: f + g) k = a * value f k + value g k.
Proof. by rewrite /value !ffunE. Qed.

(** E[f | x_S] *)
Definition cond S f : H := \sum_k value f k *:
  tens n L (fun i => if i \in S then 'X^(k i) else (L i 'X^(k i) / L i 1)%:P).
(** E f = E[f | x_S] with S empty, a constant; Var f = E (f - E f)^2 *)
Definition mean f : H := cond set0 f.
Definition var f : R := '<f - mean f, f - mean f> / \mass.
(** f_S = sum_{T in S} (-1)^|S - T| E[f | x_T] *)
Definition component S f : H := \sum_(T : {set 'I_d} | T \subset S) (-1) ^+ #|S :\: T| *: cond T f.

Definition sobol S f : R := var (component S f) / var f.
Definition sobol_closed_index S f : R := var (cond S f) / var f.
(** E (f - E[f | x_j, j <> i])^2 / Var f *)
Definition sobol_total_index (i : 'I_d) f : R :=
  '<f - cond (~: [set i]) f, f - cond (~: [set i]) f> / \mass / var f.
(** The Shapley value of the game S |-> Var(E[f | x_S]) / Var f. *)
Definition shapley (i : 'I_d) f : R :=
  \sum_(T : {set 'I_d} | i \notin T) (#|T|`! * (d - #|T|.+1)`!)%:R / d`!%:R
    * (sobol_closed_index (i |: T) f - sobol_closed_index T f).

Fact cond_is_linear S : linear (cond S).
Proof.
move=> a f g; rewrite /cond scaler_sumr -big_split; apply: eq_bigr => k _ /=.
by rewrite scalerA -scalerDl valueP.
Qed.

Lemma cond_sum (J : finType) S (c : J -> R) (f : J -> H) :
  cond S (\sum_j c j *: f j) = \sum_j c j *: cond S (f j).
Proof.
apply: (big_rec2 (fun g e => cond S g = e)) => [|j e g _ <-]; last exact: cond_is_linear.
by apply: big1 => k _; rewrite /value ffunE scale0r.
Qed.

Theorem cond_tens S (f : 'I_d -> {poly R}) : (forall i, (size (f i) <= n.+1)%N) ->
  cond S (tens n L f) = tens n L (fun i => if i \in S then f i else (L i (f i) / L i 1)%:P).
Proof.
move=> fn; rewrite [RHS](@tens_sum _ _ _ _ (fun i k => (f i)`_k)
  (fun i k => if i \in S then 'X^k else (L i 'X^k / L i 1)%:P)) => [|i].
  by apply: eq_bigr => k _; rewrite /value ffunE.
rewrite {1 2}(poly_upto (fn i)); case: ifP => // _.
rewrite linear_sum mulr_suml rmorph_sum; apply: eq_bigr => k _ /=.
by rewrite linearZ /= -mulrA polyCM mul_polyC.
Qed.

(** E[f | x_S] depends on x_S alone. *)
Theorem cond_depends S f (x z : 'I_d -> R) : (forall i, i \in S -> x i = z i) ->
  ev x (cond S f) = ev z (cond S f).
Proof.
move=> xz; rewrite !linear_sum; apply: eq_bigr => k _; rewrite !linearZ; congr (_ * _).
pose q i : {poly R} := if i \in S then 'X^(k i) else (L i 'X^(k i) / L i 1)%:P.
have small i : (size (q i) <= n.+1)%N.
  by rewrite /q; case: ifP => _; rewrite ?size_polyXn// (leq_trans (size_polyC_leq1 _)).
rewrite -[LHS]/(ev x (tens n L q)) -[RHS]/(ev z (tens n L q)) !tens_at//.
by apply: eq_bigr => i _; rewrite /q; case: ifP => [/xz->//|_]; rewrite !hornerC.
Qed.

(** The constant p_{i,0}. *)
Lemma const0 i : exists2 u : R, p i 0 = u%:P & u != 0.
Proof.
have /size_poly1P[u u0 uE] : size (p i 0) == 1%N by rewrite (p_on i).1.
by exists u.
Qed.

Lemma mass_neq0 i : L i 1 != 0.
Proof.
have [u pE u0] := const0 i; have := (p_on i).2 0%N 0%N isT isT.
rewrite pE -polyCM -[_%:P]mulr1 mul_polyC linearZ /= => E.
by apply/eqP => L0; move/eqP: E; rewrite L0 mulr0 eq_sym oner_eq0.
Qed.

Lemma moment_basis i (k : 'I_n.+1) : (0 < k)%N -> L i (p i k) = 0.
Proof.
move=> k0; have [u pE u0] := const0 i; have := (p_on i).2 0%N k isT.
rewrite -ltnS => /(_ (ltn_ord k)).
rewrite pE mul_polyC linearZ /= (ltn_eqF k0) => /eqP.
by rewrite mulf_eq0 (negPf u0) => /eqP.
Qed.

Lemma eq_tens (f g : 'I_d -> {poly R}) : f =1 g -> tens n L f = tens n L g.
Proof. by move=> fg; apply/ffunP => k; rewrite !ffunE; apply: eq_bigr => i _; rewrite fg. Qed.

Theorem cond_basis S k : cond S (basis k) = if act k \subset S then basis k else 0.
Proof.
rewrite cond_tens => [|i]; last by rewrite (p_on i).1// -ltnS.
case: ifPn => [/subsetP kS|/subsetPn[i ik iS]].
  apply: eq_tens => i; case: ifPn => // iS.
  have k0 : k i = 0%N :> nat.
    by apply/eqP; move: (contra (kS i) iS); rewrite inE -eqn0Ngt.
  have [u pE _] := const0 i; rewrite k0 pE -[u%:P in LHS]mulr1 mul_polyC linearZ /=.
  by rewrite mulfK// mass_neq0.
apply/ffunP => j; rewrite !ffunE (bigD1 i)//= (negPf iS).
rewrite moment_basis ?mul0r ?polyC0 ?coef0 ?mul0r//.
by move: ik; rewrite inE.
Qed.

(** ** Shares of the modes *)

Notation comb := (combination basis).
Definition only (A : pred mode) c : mode -> R := fun k => if A k then c k else 0.

Lemma eq_comb c e : c =1 e -> comb c = comb e.
Proof. by move=> ce; apply: eq_bigr => k _; rewrite ce. Qed.

Lemma comb_sub c e : comb c - comb e = comb (fun k => c k - e k).
Proof. by rewrite -sumrB; apply: eq_bigr => k _; rewrite scalerBl. Qed.

Lemma norm_only (A : pred mode) c : '<comb (only A c), comb (only A c)> = \sum_(k | A k) c k ^+ 2.
Proof.
rewrite (norm_squared (tbasis_orthonormal p_on)) [RHS]big_mkcond; apply: eq_bigr => k _.
by rewrite /only; case: (A k); rewrite ?expr0n.
Qed.

Lemma cond_modes S c : cond S (comb c) = comb (only (fun k => act k \subset S) c).
Proof.
rewrite cond_sum; apply: eq_bigr => k _; rewrite cond_basis /only.
by case: ifP => _; rewrite ?scaler0 ?scale0r.
Qed.

Lemma centred c : comb c - mean (comb c) = comb (only (fun k => act k != set0) c).
Proof.
rewrite /mean cond_modes comb_sub; apply: eq_comb => k.
by rewrite /only subset0; case: eqP; rewrite ?subrr ?subr0.
Qed.

Lemma var_modes c : var (comb c) = (\sum_(k | act k != set0) c k ^+ 2) / \mass.
Proof. by rewrite /var centred norm_only. Qed.

Theorem component_modes S c : component S (comb c) = comb (only (fun k => act k == S) c).
Proof.
rewrite /component; under eq_bigr => T _ do rewrite cond_modes.
rewrite combination_sum; apply: eq_comb => k.
transitivity ((act k == S)%:R * c k); last by rewrite /only; case: eqP; rewrite ?mul1r ?mul0r.
rewrite -inclusion_exclusion mulr_suml [LHS]big_mkcond [RHS]big_mkcond.
apply: eq_bigr => T _; rewrite /only; case: (T \subset S); rewrite ?andbF//=.
by case: ifP => _; rewrite ?mulr0.
Qed.

Lemma okc_act (A : pred {set 'I_d}) c :
  \sum_(T : {set 'I_d} | A T) okc_subset c T = share c (fun k => A (act k)).
Proof.
rewrite /okc_subset /share -mulr_suml; congr (_ / _).
rewrite [RHS](partition_big (@act n d) A)//=; apply: eq_bigr => T AT; apply: eq_bigl => k.
by case: eqP => [->|]; rewrite ?andbF// AT.
Qed.

Lemma act0 (k : mode) : act k = set0 -> k = [ffun=> ord0].
Proof.
move=> k0; apply/ffunP => i; rewrite ffunE; apply/val_inj/eqP => /=.
by rewrite -leqn0 leqNgt; have := in_set0 i; rewrite -k0 inE => ->.
Qed.

Lemma mass_prod_neq0 : \mass != 0.
Proof. by apply/prodf_neq0 => i _; apply: mass_neq0. Qed.

Lemma mass_ratio (a t : R) : a / \mass / (t / \mass) = a / t.
Proof. by rewrite invfM invrK mulrACA mulVf ?mulr1// mass_prod_neq0. Qed.

Section Centred.
Variable c : mode -> R.
(** The mean of f is 0, as that of a trained SVM. *)
Hypothesis c0 : c [ffun=> ord0] = 0.

Lemma active_sum (A : pred mode) :
  \sum_(k | A k && (act k != set0)) c k ^+ 2 = \sum_(k | A k) c k ^+ 2.
Proof.
rewrite [RHS](bigID (fun k => act k != set0)) /= [X in _ = _ + X]big1 ?addr0// => k.
by case/andP=> _; rewrite negbK => /eqP/act0->; rewrite c0 expr0n.
Qed.

Lemma var_total : var (comb c) = total c / \mass.
Proof. by rewrite var_modes; congr (_ / _); have := active_sum xpredT. Qed.

Lemma var_only (A : pred mode) :
  var (comb (only A c)) = (\sum_(k | A k) c k ^+ 2) / \mass.
Proof.
rewrite var_modes -active_sum; congr (_ / _); rewrite [LHS]big_mkcond [RHS]big_mkcond.
by apply: eq_bigr => k _; rewrite /only andbC; case: (act k != set0); case: (A k);
  rewrite ?expr0n.
Qed.

Theorem sobol_okc S : sobol S (comb c) = okc_subset c S.
Proof. by rewrite /sobol component_modes var_only var_total mass_ratio. Qed.

Theorem sobol_closed S :
  sobol_closed_index S (comb c) = \sum_(T : {set 'I_d} | T \subset S) okc_subset c T.
Proof. by rewrite /sobol_closed_index cond_modes var_only var_total mass_ratio okc_act. Qed.

Theorem sobol_total i :
  sobol_total_index i (comb c) = \sum_(T : {set 'I_d} | i \in T) okc_subset c T.
Proof.
rewrite /sobol_total_index var_total okc_act cond_modes comb_sub.
rewrite (_ : comb _ = comb (only (fun k => i \in act k) c)) ?norm_only ?mass_ratio//.
apply: eq_comb => k; rewrite /only -disjoints_subset disjoint_sym disjoints1.
by case: (i \in act k); rewrite ?subrr ?subr0.
Qed.

Theorem shapley_okc i :
  shapley i (comb c) = \sum_(T : {set 'I_d} | i \in T) okc_subset c T / #|T|%:R.
Proof.
have diff T : i \notin T ->
    sobol_closed_index (i |: T) (comb c) - sobol_closed_index T (comb c) =
    \sum_(U : {set 'I_d} | (i \in U) && (U :\ i \subset T)) okc_subset c U.
  move=> iT; rewrite !sobol_closed [X in X - _](bigID (fun U : {set 'I_d} => i \in U)) /=.
  rewrite [X in _ + X - _](eq_bigl (fun U : {set 'I_d} => U \subset T)) => [|U].
    by rewrite addrK; apply: eq_bigl => U; rewrite andbC subsetU1E.
  case: (boolP (i \in U)) => iU; rewrite ?andbF ?andbT.
    by apply/esym/negbTE; apply: contra iT => /subsetP/(_ _ iU).
  by rewrite subsetU1E (setD1_notin iU).
rewrite /shapley; under eq_bigr => T iT do rewrite (diff T iT) mulr_sumr.
rewrite (exchange_big_dep (fun U : {set 'I_d} => i \in U)) /=; last by move=> T U _ /andP[].
apply: eq_bigr => U iU; rewrite -mulr_suml mulrC; congr (_ * _).
by rewrite -(shapley_weights R iU); apply: eq_bigl => T; rewrite iU.
Qed.

Theorem shapley_sum : (exists k, c k != 0) -> \sum_i shapley i (comb c) = 1.
Proof.
move=> cn; under eq_bigr => i _ do rewrite shapley_okc.
rewrite (exchange_big_dep xpredT)//= -[RHS](okc_order_sum cn).
transitivity (share c xpredT); last first.
  by rewrite okc_order_sum// /share -/(total c) divff// total_neq0.
rewrite -(okc_act xpredT); apply: eq_bigr => T _; rewrite sumr_const.
have [->|T0] := eqVneq T set0; last first.
  by rewrite -[_ *+ #|T|]mulr_natr divfK// pnatr_eq0 cards_eq0.
rewrite cards0 mulr0n /okc_subset /share big1 ?mul0r// => k /eqP/act0->.
by rewrite c0 expr0n.
Qed.
End Centred.

(** E[. | x_S] is the orthogonal projection onto its range. *)
Theorem cond_orthogonal S f g : '<f - cond S f, cond S g> = 0.
Proof.
have [[c ->] [e ->]] := (tbasis_span p_on f, tbasis_span p_on g).
rewrite !cond_modes comb_sub (dot_combination (tbasis_orthonormal p_on)) big1// => k _.
by rewrite /only; case: ifP => _; rewrite ?subrr ?mul0r ?mulr0.
Qed.

(** ** Trained SVMs *)

Let k0 : mode := [ffun=> ord0].

Lemma basis0_const : exists u, forall z, ev z (basis k0) = u.
Proof.
have /fin_all_exists[u uE] i : exists u : R, p i 0 = u%:P by case: (const0 i) => u; exists u.
by exists (\prod_i u i) => z; rewrite tbasis_at//; apply: eq_bigr => i _; rewrite ffunE uE hornerC.
Qed.

Lemma trained_c0 m (x : 'I_m -> 'I_d -> R) (alpha y : 'I_m -> R) :
  \sum_i alpha i * y i = 0 -> trained_coef basis x (fun i => alpha i * y i) k0 = 0.
Proof. by have [u uE] := basis0_const; apply: c0_zero uE. Qed.

Theorem sobol_trained m (x : 'I_m -> 'I_d -> R) (alpha y : 'I_m -> R) :
  \sum_i alpha i * y i = 0 ->
  let h := trained basis x (fun i => alpha i * y i) in
  let c := trained_coef basis x (fun i => alpha i * y i) in
  [/\ forall S, sobol S h = okc_subset c S,
      forall S, sobol_closed_index S h = \sum_(T : {set 'I_d} | T \subset S) okc_subset c T,
      forall i, sobol_total_index i h = \sum_(T : {set 'I_d} | i \in T) okc_subset c T &
      forall i, shapley i h = \sum_(T : {set 'I_d} | i \in T) okc_subset c T / #|T|%:R].
Proof.
move=> bal h c; have c0 := trained_c0 x bal.
have -> : h = comb c by rewrite /h h_expansion.
by split=> *; [apply: sobol_okc | apply: sobol_closed | apply: sobol_total | apply: shapley_okc].
Qed.

(** ** At most q active coordinates *)

Section Limited.
Variable q : nat.
Definition limited := {k : mode | (order k <= q)%N}.
Definition lbasis (k : limited) : H := basis (val k).

Lemma sum_limited (V : zmodType) (F : mode -> V) :
  \sum_(k : limited) F (val k) = \sum_(k : mode | (order k <= q)%N) F k.
Proof.
rewrite [RHS](reindex_omap (op := _) (val : limited -> mode) insub) /=.
  by apply: eq_bigl => k; rewrite (valP k) valK eqxx.
by move=> k kq; rewrite insubT.
Qed.

Theorem limited_orthonormal : orthonormal lbasis.
Proof. by move=> j k; rewrite (tbasis_orthonormal p_on) val_eqE. Qed.

(** The functions of limited order are an RKHS inside H_n^(d). *)
Theorem limited_reproducing f x : in_span lbasis f ->
  ev x f = '<f, kernel_section lbasis x> /\ in_span lbasis (kernel_section lbasis x).
Proof.
move=> fH; split; last exact: kernel_section_in_span.
by apply: reproducing fH; apply: limited_orthonormal.
Qed.

Theorem limited_kernel (u : 'I_d -> R) x z : (forall i, p i 0 = (u i)%:P) ->
  let Kn i := \sum_(k < n.+1) (p i k).[x i] * (p i k).[z i] in
  kernel_of lbasis x z = \sum_(A : {set 'I_d} | (#|A| <= q)%N)
    \prod_i (if i \in A then Kn i - u i ^+ 2 else u i ^+ 2).
Proof.
move=> uE Kn; rewrite /kernel_of (sum_limited (fun k => ev x (basis k) * ev z (basis k))).
rewrite (eq_bigr (fun k : mode => \prod_i ((p i (k i)).[x i] * (p i (k i)).[z i]))); last first.
  by move=> k _; rewrite !(tbasis_at p_on) big_split.
rewrite (partition_big (@act n d) (fun A => #|A| <= q)%N)//=; apply: eq_bigr => A Aq.
pose F i (v : 'I_n.+1) := (0 < v)%N == (i \in A).
rewrite (eq_bigl (fun k : mode => k \in family F)) => [|k]; last first.
  apply/andP/familyP => [[_ /eqP E] i|kF]; first by rewrite [_ \in _]unfold_in /F -E inE eqxx.
  have E : act k = A by apply/setP => i; have := kF i; rewrite [_ \in F i]unfold_in inE => /eqP.
  by rewrite E eqxx /order E.
rewrite -(bigA_distr_big_dep _ (fun i v => (p i (v : 'I_n.+1)).[x i] * (p i v).[z i])) /=.
apply: eq_bigr => i _; case: ifPn => iA; last first.
  rewrite (big_pred1 ord0) ?uE ?hornerC ?expr2// => v.
  by rewrite /F (negPf iA) eqbF_neg -eqn0Ngt.
rewrite /Kn [in RHS](bigD1 ord0)//= uE !hornerC -expr2 addrAC subrr add0r.
by apply: eq_bigl => v; rewrite /F iA eqb_id lt0n.
Qed.

(** The trained function of limited order, in the coordinates of H_n^(d). *)
Theorem limited_trained m (x : 'I_m -> 'I_d -> R) (s : 'I_m -> R) :
  trained lbasis x s = comb (only (fun k => order k <= q)%N (trained_coef basis x s)).
Proof.
rewrite h_expansion (sum_limited (fun k => trained_coef basis x s k *: basis k)) big_mkcond.
by apply: eq_bigr => k _; rewrite /only; case: ifP; rewrite ?scale0r.
Qed.

Theorem limited_c0 m (x : 'I_m -> 'I_d -> R) (alpha y : 'I_m -> R) (k : limited) :
  \sum_i alpha i * y i = 0 -> order (val k) = 0%N ->
  trained_coef lbasis x (fun i => alpha i * y i) k = 0.
Proof.
move=> bal /eqP; rewrite cards_eq0 => /eqP/act0 kE.
by have := trained_c0 x bal; rewrite /k0 -kE.
Qed.

(** Its OKC indices are Sobol' indices too, and those of order above q are 0. *)
Theorem limited_okc m (x : 'I_m -> 'I_d -> R) (alpha y : 'I_m -> R) :
  \sum_i alpha i * y i = 0 ->
  let c := only (fun k => order k <= q)%N (trained_coef basis x (fun i => alpha i * y i)) in
  (forall S, sobol S (trained lbasis x (fun i => alpha i * y i)) = okc_subset c S) /\
  (forall r, (q < r)%N -> okc_order c r = 0).
Proof.
move=> bal c; split=> [S|r qr].
  by rewrite limited_trained sobol_okc// /only trained_c0//; case: ifP.
rewrite okc_order_modes /share big1 ?mul0r// => k /eqP kr.
by rewrite /c /only kr leqNgt qr expr0n.
Qed.
End Limited.
End Sobol.
