(** * Measures by their moments, and kernels in general (sections 2 and 3)

    The opening comment of Product.v says what a measure is here: a functional on polynomials.

    - a finite measure with N points and positive weights is positive up to degree n < N, and
      for no n >= N                                [discrete_positive, discrete_degenerate]
    - Fubini's theorem for finite measures: the inner product of H_n^(d) is the sum over the
      grid, that is the inner product of L^2 of the product measure   [discrete_fubini]
    - the functional of every recurrence with b_k > 0 and h_0 > 0 is positive definite
      [favard_positive], for instance that of Jacobi's recurrence for alpha, beta > -1
      [jacobi_positive]

    The kernel of H_n^(d): its sections at the points of a grid span the space [sections_span],
    and no other space of functions on the domain has this kernel [rkhs_unique,
    product_rkhs_unique].

    Moore and Aronszajn's theorem for a positive semidefinite kernel K on any set: on the finite
    sums f = sum_i a_i K(x_i,.) the form sum_ij a_i b_j K(x_i,z_j) depends on the functions only
    [pre_rkhs_well_defined], reproduces, and is positive definite, with f(z)^2 <= K(z,z) <f,f>
    [pre_rkhs_bound, pre_rkhs_definite]. That the space of these sums has a completion which
    consists of functions is quoted, not proved: it needs limits. The kernels of the paper
    have finite rank, and nothing is to be completed.
    *)
From mathcomp Require Import all_ssreflect ssralg zmodp poly ssrnum matrix mxalgebra.
From mathcomp Require Import ring.
From Orca Require Import Compat Recurrence Jacobi Form Family Expansion Product Sobol Domain.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** ** Finite measures *)

Section Discrete.
Variables (R : realFieldType) (N : nat) (t w : 'I_N -> R).
Let integral (f : {poly R}) : R := \sum_a w a * f.[t a].
Fact discrete_scalar : scalar integral.
Proof.
move=> c f g; rewrite /integral mulr_sumr -big_split; apply: eq_bigr => a _ /=.
by rewrite hornerD hornerZ; ring.
Qed.
(** The integral with weight w_a at t_a. *)
Definition discrete : {scalar {poly R}} := functional discrete_scalar.

Lemma discreteE (f : {poly R}) : discrete f = \sum_a w a * f.[t a].
Proof. by []. Qed.

Theorem discrete_positive n : injective t -> (forall a, 0 < w a) -> (n < N)%N ->
  positive_upto n discrete.
Proof.
move=> ti w0 nN f f0 fn; have sq a : 0 <= w a * (f * f).[t a].
  by rewrite hornerM -expr2 mulr_ge0 ?sqr_ge0// ltW.
rewrite discreteE lt_def sumr_ge0 ?andbT//.
apply: contra f0 => /eqP s0; apply/eqP.
apply: (@roots_geq_poly_eq0 _ f [seq t a | a <- enum 'I_N]).
- apply/allP => u /mapP[a _ ->]; rewrite /root -sqrf_eq0 expr2 -hornerM.
  have /eqP : w a * (f * f).[t a] = 0.
    by move: a isT; apply: psumr_eq0P => // a _; apply: sq.
  by rewrite mulf_eq0 gt_eqF.
- by rewrite map_inj_uniq ?enum_uniq.
by rewrite size_map size_enum_ord (leq_trans fn).
Qed.

Theorem discrete_degenerate n : (N <= n)%N -> ~ positive_upto n discrete.
Proof.
move=> Nn pos; pose f : {poly R} := \prod_a ('X - (t a)%:P).
have f0 : f != 0 by apply/prodf_neq0 => a _; rewrite polyXsubC_eq0.
have := pos f f0; rewrite size_prod_XsubC /index_enum -enumT size_enum_ord ltnS Nn => /(_ isT).
rewrite discreteE big1 ?ltxx// => a _; rewrite hornerM /f horner_prod (bigD1 a)//=.
by rewrite hornerXsubC subrr !mul0r mulr0.
Qed.
End Discrete.

Section Fubini.
Variables (R : realFieldType) (n d N : nat) (t w : 'I_d -> 'I_N -> R).
Notation mode := {ffun 'I_d -> 'I_n.+1}.
Notation L := (fun i => discrete (t i) (w i)).
Notation grid := {ffun 'I_d -> 'I_N}.

Theorem discrete_fubini (f g : product_space n L) : '<f, g> =
  \sum_(a : grid) (\prod_i w i (a i)) * (ev (fun i => t i (a i)) f * ev (fun i => t i (a i)) g).
Proof.
rewrite product_dotE; under [RHS]eq_bigr => a _ do rewrite !product_evE mulr_suml mulr_sumr.
rewrite [RHS]exchange_big; apply: eq_bigr => k _ /=.
under [RHS]eq_bigr => a _ do rewrite !mulr_sumr.
rewrite [RHS]exchange_big; apply: eq_bigr => l _ /=.
rewrite bigA_distr_bigA mulr_sumr; apply: eq_bigr => a _ /=.
under eq_bigr => i _ do rewrite hornerXn exprD.
have E (u v c x z : R) : u * v * (c * (x * z)) = c * (u * x * (v * z)) by ring.
by rewrite !big_split /=; apply: E.
Qed.
End Fubini.

(** ** Recurrences *)

Theorem favard_positive (R : realFieldType) (a b : nat -> R) (h0 : R) (L : {scalar {poly R}}) :
  0 < h0 -> (forall k, 0 < b k.+1) -> (forall k, L (op a b k) = (k == 0%N)%:R * h0) ->
  positive_definite L.
Proof.
move=> h00 b0 L0 f f0; have F := favard L0.
have hk k : 0 < norm2 b h0 k by rewrite mulr_gt0// prodr_gt0.
have [c fE] := graded_span (op_size a b) (leqnn (size f)).
move: fE; move: (size f) => N fE.
have E : L (f * f) = \sum_(k < N) norm2 b h0 k * c k ^+ 2.
  rewrite {1}fE mulr_suml linear_sum; apply: eq_bigr => i _.
  rewrite -scalerAl linearZ /= fE mulr_sumr linear_sum (bigD1 i)//= big1 ?addr0.
    by rewrite -scalerAr linearZ /= F eqxx mul1r mulrA -expr2 mulrC.
  move=> j ji; rewrite -scalerAr linearZ /= F.
  have -> : (i == j :> nat) = false by apply: negbTE; rewrite eq_sym.
  by rewrite mul0r mulr0.
have pos (i : 'I_N) : 0 <= norm2 b h0 i * c i ^+ 2 by rewrite mulr_ge0 ?sqr_ge0// ltW.
rewrite E lt_def sumr_ge0 ?andbT//.
apply: contraNneq f0 => z; rewrite fE big1// => i _.
have /eqP : norm2 b h0 i * c i ^+ 2 = 0 by move: i isT; apply: psumr_eq0P => // j _; apply: pos.
by rewrite mulf_eq0 gt_eqF//= sqrf_eq0 => /eqP->; rewrite scale0r.
Qed.

Theorem jacobi_positive (R : realFieldType) (al be h0 : R) (L : {scalar {poly R}}) :
  -1 < al -> -1 < be -> 0 < h0 ->
  (forall k, L (op (jacobi_a al be) (jacobi_b al be) k) = (k == 0%N)%:R * h0) ->
  positive_definite L.
Proof.
by move=> al_gt be_gt h0_gt0; apply: favard_positive => // k; apply: jacobi_b_gt0.
Qed.

(** ** Kernel sections *)

Theorem sections_span (R : realFieldType) (n d : nat) (L : 'I_d -> {scalar {poly R}})
    (p : 'I_d -> nat -> {poly R}) (g : 'I_d -> 'I_n.+1 -> R) (f : product_space n L) :
  (forall i, orthonormal_upto n (L i) (p i)) -> (forall i, injective (g i)) ->
  exists u : {ffun 'I_d -> 'I_n.+1} -> R,
    f = \sum_a u a *: kernel_section (tbasis L p) (fun i => g i ((a : {ffun 'I_d -> 'I_n.+1}) i)).
Proof.
move=> p_on gi; set B := tbasis L p; pose M0 := [the finType of {ffun 'I_d -> 'I_n.+1}].
pose pt (a : M0) i := g i (a i).
pose M : 'M[R]_#|M0| := \matrix_(k, a) ev (pt (enum_val a)) (B (enum_val k)).
have Mfree : row_free M.
  apply: inj_row_free => v vM; pose e k := v 0 (enum_rank k).
  have c0 : combination B e = 0.
    apply: (grid_separated gi) => a; rewrite linear_sum.
    have /rowP/(_ (enum_rank a)) := vM; rewrite !mxE => E; rewrite -[RHS]E.
    rewrite [LHS](reindex (@enum_val M0 predT)); last first.
      by exists enum_rank => ? _; rewrite ?enum_valK ?enum_rankK.
    apply: eq_bigr => k _; rewrite linearZ mxE enum_rankK; congr (_ * _).
    by rewrite /e enum_valK.
  have z : combination B e = combination B (fun=> 0).
    by rewrite c0 /combination big1// => k _; rewrite scale0r.
  apply/rowP => k; have := expansion_unique (tbasis_orthonormal p_on) z (enum_val k).
  by rewrite /e enum_valK => ->; rewrite mxE.
have Munit : M^T \in unitmx by rewrite unitmx_tr -row_free_unit.
have [c fE] := tbasis_span p_on f; pose r := \row_k c (enum_val k) *m invmx M^T.
exists (fun a => r 0 (enum_rank a)).
have rM : r *m M^T = \row_k c (enum_val k) by rewrite mulmxKV.
rewrite fE combination_sum; apply: eq_bigr => k _; congr (_ *: _).
have /rowP/(_ (enum_rank k)) := rM; rewrite !mxE enum_rankK => <-.
rewrite [RHS](reindex (@enum_val M0 predT)); last first.
  by exists enum_rank => ? _; rewrite ?enum_valK ?enum_rankK.
by apply: eq_bigr => a _; rewrite !mxE enum_rankK enum_valK.
Qed.

(** ** Uniqueness of the space of a kernel

    A space T of functions on X that reproduces with the kernel sum_k p_k(x) p_k(z) consists of
    the functions of span{p_k}, with the same inner product. That the p_k are independent is
    used at finitely many points t_a. T is neither assumed finite-dimensional nor complete. *)

Section Unique.
Variables (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S).
Hypothesis p_on : orthonormal p.
Variable t : M -> X.
Hypothesis t_independent : forall c : M -> R,
  (forall a, \sum_k c k * ev (t a) (p k) = 0) -> c =1 fun=> 0.
Variables (T : space R X) (k : X -> T).
Hypothesis T_separated : forall f : T, (forall x, ev x f = 0) -> f = 0.
Hypothesis k_reproducing : forall f x, ev x f = '<f, k x>.
Hypothesis k_kernel : forall x z, ev z (k x) = kernel_of p x z.

(** The p_k as elements of T. *)
Lemma rkhs_basis : exists q : M -> T,
  [/\ orthonormal q, forall j x, ev x (q j) = ev x (p j) & forall f, in_span q f].
Proof.
pose A : 'M[R]_#|M| := \matrix_(j, a) ev (t (enum_val a)) (p (enum_val j)).
have sumE (f : M -> R) : \sum_j f j = \sum_(j < #|M|) f (enum_val j).
  rewrite (reindex (@enum_val M predT)) //.
  by exists enum_rank => ? _; rewrite ?enum_valK ?enum_rankK.
have A_unit : A \in unitmx.
  rewrite -row_free_unit; apply: inj_row_free => v vA; apply/rowP => j; rewrite mxE.
  have := t_independent (c := fun j => v 0 (enum_rank j)) _ (enum_val j); rewrite enum_valK; apply.
  move=> a; have /rowP/(_ (enum_rank a)) := vA; rewrite !mxE => E; rewrite -[RHS]E sumE.
  by apply: eq_bigr => i _; rewrite mxE enum_rankK enum_valK.
pose U a j := invmx A (enum_rank a) (enum_rank j).
have AU i j : \sum_a ev (t a) (p i) * U a j = (i == j)%:R.
  have /matrixP/(_ (enum_rank i) (enum_rank j)) := mulmxV A_unit; rewrite !mxE.
  rewrite (inj_eq enum_rank_inj) => <-; rewrite sumE; apply: eq_bigr => a _.
  by rewrite mxE enum_rankK /U enum_valK.
pose q j := \sum_a U a j *: k (t a).
have qE j x : ev x (q j) = ev x (p j).
  rewrite linear_sum; under eq_bigr => a _ do rewrite linearZ /= k_kernel /kernel_of mulr_sumr.
  rewrite exchange_big (bigD1 j) //= [X in _ + X]big1 ?addr0 => [|i ij].
    have := AU j j; rewrite eqxx => E; rewrite -[RHS]mul1r -[1 in RHS]E mulr_suml.
    by apply: eq_bigr => a _; rewrite mulrCA mulrA.
  have := AU i j; rewrite (negPf ij) => E; rewrite -[RHS](mul0r (ev x (p i))) -[0 in RHS]E.
  by rewrite mulr_suml; apply: eq_bigr => a _; rewrite mulrCA mulrA.
have q_on : orthonormal q.
  move=> i j; rewrite {2}/q dot_sumZr -AU; apply: eq_bigr => a _.
  by rewrite -k_reproducing qE mulrC.
exists q; split=> // f; have kE x : k x = \sum_j ev x (p j) *: q j.
  apply/eqP; rewrite -subr_eq0; apply/eqP/T_separated => z.
  rewrite linearB linear_sum /= k_kernel; apply/eqP; rewrite subr_eq0; apply/eqP.
  by apply: eq_bigr => j _; rewrite linearZ /= qE.
exists (fun j => '<f, q j>); apply/eqP; rewrite -subr_eq0; apply/eqP/T_separated => x.
rewrite k_reproducing kE dot_sumZr big1 // => j _.
by rewrite dotDl dotNl (coefficients q_on) subrr mulr0.
Qed.

Theorem rkhs_unique :
  [/\ forall f : T, exists2 g, in_span p g & forall x, ev x f = ev x g,
      forall g, in_span p g -> exists f : T, forall x, ev x f = ev x g
    & forall (f f' : T) g g', in_span p g -> in_span p g' ->
        (forall x, ev x f = ev x g) -> (forall x, ev x f' = ev x g') -> '<f, f'> = '<g, g'>].
Proof.
have [q [q_on qE q_span]] := rkhs_basis.
have valE c x : ev x (combination q c) = ev x (combination p c).
  by rewrite !linear_sum; apply: eq_bigr => j _; rewrite !linearZ /= qE.
have same c e : (forall x, ev x (combination q c) = ev x (combination p e)) -> c =1 e.
  move=> E j; apply/eqP; rewrite -subr_eq0; apply/eqP.
  apply: (t_independent (c := fun j => c j - e j)) => a.
  have := E (t a); rewrite valE !linear_sum => /eqP; rewrite -subr_eq0 -sumrB => /eqP z.
  by rewrite -[RHS]z; apply: eq_bigr => i _; rewrite !linearZ /= mulrBl.
split=> [f|g [c ->]|f f' g g' [e ->] [e' ->]].
- by have [c ->] := q_span f; exists (combination p c) => //; exists c.
- by exists (combination q c).
have [[c ->] [c' ->]] := (q_span f, q_span f') => /same ce /same ce'.
rewrite (dot_combination q_on) (dot_combination p_on).
by apply: eq_bigr => j _; rewrite ce ce'.
Qed.
End Unique.

(** H_n^(d) is the only space of functions on the domain with the kernel K_n^(d). *)
Theorem product_rkhs_unique (R : realFieldType) (n d : nat) (L : 'I_d -> {scalar {poly R}})
    (p : 'I_d -> nat -> {poly R}) (I : 'I_d -> R -> Prop)
    (T : space R {x : 'I_d -> R | in_domain I x}) (k : {x | in_domain I x} -> T) :
  (forall i, orthonormal_upto n (L i) (p i)) -> (forall i, infinite (I i)) ->
  (forall f : T, (forall x, ev x f = 0) -> f = 0) ->
  (forall f x, ev x f = '<f, k x>) ->
  (forall x z, ev z (k x) =
     \prod_i \sum_(j < n.+1) (p i j).[sval x i] * (p i j).[sval z i]) ->
  [/\ forall f : T, exists g : product_space n L, forall x, ev x f = ev (sval x) g,
      forall g : product_space n L, exists f : T, forall x, ev x f = ev (sval x) g
    & forall (f f' : T) (g g' : product_space n L), (forall x, ev x f = ev (sval x) g) ->
        (forall x, ev x f' = ev (sval x) g') -> '<f, f'> = '<g, g'>].
Proof.
move=> p_on I_inf T_sep k_rep k_ker; pose S := restrict (product_space n L) (in_domain I).
pose B : {ffun 'I_d -> 'I_n.+1} -> S := tbasis L p.
have B_on : orthonormal B := tbasis_orthonormal p_on.
have B_span (g : S) : in_span B g := tbasis_span p_on g.
have /fin_all_exists[r rE] i := I_inf i n.+1.
have t_in (a : {ffun 'I_d -> 'I_n.+1}) : in_domain I (fun i => nth 0 (r i) (a i)).
  by move=> i; have [_ rs] := rE i; apply; rewrite mem_nth ?rs.
pose t a : {x : 'I_d -> R | in_domain I x} := exist _ _ (t_in a).
have t_ind (c : {ffun 'I_d -> 'I_n.+1} -> R) :
    (forall a, \sum_j c j * ev (t a) (B j) = 0) -> c =1 fun=> 0.
  move=> c0; apply: (expansion_unique B_on); rewrite [RHS]big1 => [|j _]; last exact: scale0r.
  apply: (@grid_separated _ _ _ L (fun i a => nth 0 (r i) a)) => [i a b|a].
    have [ru rs _] := rE i; move/eqP; rewrite nth_uniq ?rs // => /eqP.
    exact: val_inj.
  by rewrite linear_sum -[RHS](c0 a); apply: eq_bigr => j _; rewrite linearZ.
have k_ker' x z : ev z (k x) = kernel_of B x z.
  by rewrite k_ker -(product_kernel p_on).
have [H1 H2 H3] := rkhs_unique B_on t_ind T_sep k_rep k_ker'; split=> [f|g|f f' g g'].
- by have [g _ gE] := H1 f; exists g.
- by have [f fE] := H2 g (B_span g); exists f.
by apply: H3; apply: B_span.
Qed.

(** ** Kernels on any set *)

Section PreRKHS.
Variables (R : realFieldType) (X : Type) (k : X -> X -> R).
Hypothesis k_sym : forall x z, k x z = k z x.
Hypothesis k_psd : forall m (x : 'I_m -> X) (u : 'I_m -> R),
  0 <= \sum_i \sum_j u i * u j * k (x i) (x j).
(** f = sum_i a_i K(x_i, .) and <f, g> = sum_ij a_i b_j K(x_i, z_j). *)
Definition ksum m (x : 'I_m -> X) (a : 'I_m -> R) (z : X) : R := \sum_i a i * k (x i) z.
Definition kform m m' (x : 'I_m -> X) (a : 'I_m -> R) (z : 'I_m' -> X) (b : 'I_m' -> R) : R :=
  \sum_i \sum_j a i * b j * k (x i) (z j).

Lemma kformE m m' (x : 'I_m -> X) a (z : 'I_m' -> X) b :
  kform x a z b = \sum_j b j * ksum x a (z j).
Proof.
rewrite /kform exchange_big; apply: eq_bigr => j _; rewrite mulr_sumr.
by apply: eq_bigr => i _; ring.
Qed.

Lemma kformC m m' (x : 'I_m -> X) a (z : 'I_m' -> X) b : kform x a z b = kform z b x a.
Proof.
rewrite /kform exchange_big; apply: eq_bigr => j _; apply: eq_bigr => i _.
by rewrite k_sym [a i * _]mulrC.
Qed.

(** The form depends on the functions only, and <f, K(z,.)> = f(z). *)
Theorem pre_rkhs_well_defined m m' q (x : 'I_m -> X) a (x' : 'I_m' -> X) a' (z : 'I_q -> X) b :
  ksum x a =1 ksum x' a' ->
  kform x a z b = kform x' a' z b /\
  forall t, kform x a (fun _ : 'I_1 => t) (fun=> 1) = ksum x a t.
Proof.
move=> e; split=> [|t]; first by rewrite !kformE; apply: eq_bigr => j _; rewrite e.
by rewrite kformE big_ord1 mul1r.
Qed.

(** f(z)^2 <= K(z,z) <f,f> *)
Theorem pre_rkhs_bound m (x : 'I_m -> X) a z :
  ksum x a z ^+ 2 <= k z z * kform x a x a.
Proof.
have ext (s t : R) : 0 <= s ^+ 2 * kform x a x a + 2%:R * s * t * ksum x a z + t ^+ 2 * k z z.
  pose x1 (i : 'I_m.+1) := if unlift ord0 i is Some j then x j else z.
  pose u (i : 'I_m.+1) := if unlift ord0 i is Some j then s * a j else t.
  have := k_psd x1 u; rewrite big_ord_recl /x1 /u unlift_none big_ord_recl unlift_none.
  under eq_bigr => i _ do rewrite liftK.
  under [X in _ + X]eq_bigr => i _ do [rewrite big_ord_recl unlift_none liftK;
    under eq_bigr => j _ do rewrite liftK].
  rewrite big_split /=; congr (0 <= _).
  have -> : \sum_i t * (s * a i) * k z (x i) = s * t * ksum x a z.
    by rewrite mulr_sumr; apply: eq_bigr => i _; rewrite k_sym; ring.
  have -> : \sum_i s * a i * t * k (x i) z = s * t * ksum x a z.
    by rewrite mulr_sumr; apply: eq_bigr => i _; ring.
  have -> : \sum_i \sum_j s * a i * (s * a j) * k (x i) (x j) = s ^+ 2 * kform x a x a.
    rewrite mulr_sumr; apply: eq_bigr => i _; rewrite mulr_sumr.
    by apply: eq_bigr => j _; ring.
  by ring.
have kz : 0 <= k z z by have := ext 0 1; rewrite !expr0n !expr1n /= !(mul0r, mulr0, add0r, mul1r).
set f := kform x a x a; set v := ksum x a z; rewrite -/f -/v in ext.
move: kz; rewrite le_eqVlt => /orP[/eqP kz|kz].
  rewrite -kz mul0r; have [->|v0] := eqVneq v 0; first by rewrite expr0n.
  have := ext 1 (- (f + 1) / (2%:R * v)); rewrite -kz mulr0 addr0 expr1n mul1r mulr1.
  have -> : 2%:R * (- (f + 1) / (2%:R * v)) * v = - (f + 1).
    by field; rewrite v0.
  by rewrite opprD addNKr oppr_ge0 leNgt ltr01.
have := ext (k z z) (- v).
have -> : k z z ^+ 2 * f + 2%:R * k z z * - v * v + (- v) ^+ 2 * k z z =
    k z z * (k z z * f - v ^+ 2).
  by ring.
by rewrite pmulr_rge0// subr_ge0.
Qed.

(** <f,f> = 0 only for f = 0. *)
Theorem pre_rkhs_definite m (x : 'I_m -> X) a : 0 <= kform x a x a /\
  (kform x a x a = 0 -> ksum x a =1 fun=> 0).
Proof.
split=> [|f0 z]; first exact: k_psd.
have := pre_rkhs_bound x a z; rewrite f0 mulr0 => le.
by apply/eqP; rewrite -sqrf_eq0 eq_le le sqr_ge0.
Qed.
End PreRKHS.
