(** * H_n^(d), the polynomials of degree at most n in each of d coordinates (section 3.2)

    What "measure" means in this development. A measure mu_i on the line enters only through
    the integrals of polynomials: it is a linear functional L_i on the polynomials with
    L_i(f^2) > 0 for every polynomial f <> 0 of degree at most n [positive_upto]. A finite
    positive Borel measure with moments has this property for every n if its support is
    infinite, and for n < N if its support has N points (Measure.v proves the latter, and that
    Favard's functionals have it). The product measure is the product functional: the integral
    of a monomial is the product of its moments, so that Fubini's theorem is the definition.
    Not formalised: the integral of a Borel measure, L^2(mu) beyond the polynomials, and that a
    positive definite functional has a measure (Hamburger). For them one would need measure
    theory (MathComp-Analysis), and Fubini's theorem would then identify the product functional
    with the integral of the product measure. No theorem of this development needs more of a
    measure than its moments: (12) is proved for polynomials f only.

    Elements of H_n^(d) are given by their coefficients at the monomials,

      f(x) = sum_k f_k prod_i x_i^(k_i),  <f,g> = sum_{k,l} f_k g_l prod_i L_i(X^(k_i + l_i)),

    the inner product being L_1 (x) ... (x) L_d applied to f g, with one functional for each
    coordinate. For polynomials f_i, g_i of degree at most n:

    - (20)  (f_1 (x) ... (x) f_d)(x) = prod_i f_i(x_i)                        [tens_at]
    - (21)  <(x) f_i, (x) g_i> = prod_i L_i(f_i g_i)                          [tens_ip],
      and no other bilinear form has this                                     [form_unique]
    - if L_i(p_ij p_ik) = delta_jk, the p_k = (x) p_{i,k_i} are orthonormal   [tbasis_orthonormal]
      and span H_n^(d)                                                        [tbasis_span]
    - (24)  sum_k p_k(x) p_k(z) = prod_i K_n(x_i,z_i)                         [product_kernel]
    - <f,f> > 0 for f <> 0                                                    [product_gt0]
    - the p_{i,0}, ..., p_{i,n} exist over every real closed field            [gram_schmidt]
    *)
From mathcomp Require Import all_ssreflect ssralg poly ssrnum.
From mathcomp Require Import ring.
From Orca Require Import Compat Recurrence Form Family Expansion Svm.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** ** One coordinate *)

(** L is positive on the squares of polynomials of degree at most n. *)
Definition positive_upto (R : realFieldType) (n : nat) (L : {scalar {poly R}}) :=
  forall f : {poly R}, f != 0 -> (size f <= n.+1)%N -> 0 < L (f * f).

(** p_0, ..., p_n are orthonormal for L, of degrees 0, ..., n. *)
Definition orthonormal_upto (R : realFieldType) (n : nat) (L : {scalar {poly R}})
    (p : nat -> {poly R}) :=
  (forall k, (k <= n)%N -> size (p k) = k.+1) /\
  (forall j k, (j <= n)%N -> (k <= n)%N -> L (p j * p k) = (j == k)%:R).

Lemma positive_definite_upto (R : realFieldType) n (L : {scalar {poly R}}) :
  positive_definite L -> positive_upto n L.
Proof. by move=> Lpos f f0 _; apply: Lpos. Qed.

Lemma orthonormal_polynomials_upto (R : realFieldType) n (L : {scalar {poly R}}) p :
  orthonormal_polynomials L p -> orthonormal_upto n L p.
Proof. by case=> gp op _; split=> // k _; apply: gp. Qed.

Lemma upto_span (R : realFieldType) n (L : {scalar {poly R}}) p (f : {poly R}) :
  orthonormal_upto n L p -> (size f <= n.+1)%N ->
  exists c : nat -> R, f = \sum_(k < n.+1) c k *: p k.
Proof.
case=> p_size _ fn; pose q k := if (k <= n)%N then p k else 'X^k.
have gq : graded q by move=> k; rewrite /q; case: leqP => [/p_size|]; rewrite ?size_polyXn.
have [c fE] := graded_span gq fn; exists c; rewrite fE; apply: eq_bigr => k _.
by rewrite /q -ltnS ltn_ord.
Qed.

(** The Gram-Schmidt process, with positive leading coefficients. *)
Theorem gram_schmidt (R : rcfType) n (L : {scalar {poly R}}) : positive_upto n L ->
  exists p, orthonormal_upto n L p /\ forall k, (k <= n)%N -> 0 < lead_coef (p k).
Proof.
suff step j : (j <= n.+1)%N -> positive_upto n L -> exists p : nat -> {poly R},
    [/\ forall k, (k < j)%N -> size (p k) = k.+1, forall k, (k < j)%N -> 0 < lead_coef (p k)
      & forall i k, (i < j)%N -> (k < j)%N -> L (p i * p k) = (i == k)%:R].
  by move=> pos; have [p [sp lp op]] := step n.+1 (leqnn _) pos; exists p.
elim: j => [|j IH] jn pos; first by exists (fun=> 0).
have [p [sp lp op]] := IH (ltnW jn) pos.
pose q := 'X^j - \sum_(k < j) L ('X^j * p k) *: p k.
have ss : (size (\sum_(k < j) L ('X^j * p k) *: p k)%R <= j)%N.
  apply: (leq_trans (size_sum _ _ _)); apply/bigmax_leqP => k _.
  by rewrite (leq_trans (size_scale_leq _ _))// sp.
have small : (size (- \sum_(k < j) L ('X^j * p k) *: p k)%R < size ('X^j : {poly R}))%N.
  by rewrite size_opp size_polyXn ltnS.
have sq : size q = j.+1 by rewrite /q size_addl// size_polyXn.
have lq : lead_coef q = 1 by rewrite /q lead_coefDl// lead_coefXn.
have qp k : (k < j)%N -> L (q * p k) = 0.
  move=> kj; rewrite /q mulrBl linearB /= mulr_suml linear_sum (bigD1 (Ordinal kj))//= big1.
    by rewrite addr0 -scalerAl linearZ /= op// eqxx mulr1 subrr.
  by move=> i ik; rewrite -scalerAl linearZ /= op// (negPf ik : (i == k :> nat) = false) mulr0.
have q0 : 0 < L (q * q) by apply: pos; rewrite -?size_poly_eq0 sq.
pose r := Num.sqrt (L (q * q)); have r0 : 0 < r by rewrite sqrtr_gt0.
have rr : L (q * q) = r * r by rewrite -[r * r]expr2 sqr_sqrtr// ltW.
have rn : r != 0 by rewrite gt_eqF.
exists (fun k => if k == j then r^-1 *: q else p k); split=> [k|k|i k].
- rewrite ltnS leq_eqVlt; case: eqP => [->|] /= => [_|_ /sp//].
  by rewrite size_scale ?sq// invr_eq0.
- rewrite ltnS leq_eqVlt; case: eqP => [->|] /= => [_|_ /lp//].
  by rewrite lead_coefZ lq mulr1 invr_gt0.
rewrite 2!ltnS [(i <= j)%N]leq_eqVlt [(k <= j)%N]leq_eqVlt.
case: (i =P j) => [->|ij] /= h1; case: (k =P j) => [->|kj] /= h2.
- by rewrite -scalerAl -scalerAr !linearZ /= rr eqxx -[RHS]/1; field.
- rewrite -scalerAl linearZ /= qp// mulr0 eq_sym.
  by have /eqP/negPf-> := kj.
- rewrite mulrC -scalerAl linearZ /= qp// mulr0.
  by have /eqP/negPf-> := ij.
by rewrite op.
Qed.

(** ** d coordinates *)

(** A combination of combinations of the b_j. *)
Lemma combination_sum (R : ringType) (V : lmodType R) (I J : finType) (P : pred I) (u : I -> R)
    (c : I -> J -> R) (b : J -> V) :
  \sum_(i | P i) u i *: (\sum_j c i j *: b j) = \sum_j (\sum_(i | P i) u i * c i j) *: b j.
Proof.
under eq_bigr => i _ do rewrite scaler_sumr.
rewrite exchange_big; apply: eq_bigr => j _; rewrite scaler_suml.
by apply: eq_bigr => i _; rewrite scalerA.
Qed.

Section ProductSpace.
Variables (R : realFieldType) (n d : nat) (L : 'I_d -> {scalar {poly R}}).
Notation mode := {ffun 'I_d -> 'I_n.+1}.
Let V := {ffun mode -> R^o}.
Let pev (x : 'I_d -> R) (f : V) : R := \sum_k f k * \prod_i x i ^+ k i.
Let pip (f g : V) : R := \sum_k \sum_l f k * g l * \prod_i L i 'X^(k i + l i).

Fact pev_scalar x : scalar (pev x).
Proof.
move=> a f g; rewrite /pev mulr_sumr -big_split; apply: eq_bigr => k _ /=.
by rewrite !ffunE mulrDl mulrA.
Qed.

Fact pip_scalar f : scalar (pip f).
Proof.
move=> a g h; rewrite /pip mulr_sumr -big_split; apply: eq_bigr => k _ /=.
rewrite mulr_sumr -big_split; apply: eq_bigr => l _ /=; rewrite !ffunE.
by rewrite -[a *: _]/(a * _ : R) mulrDr mulrDl mulrCA !mulrA.
Qed.

Fact pip_sym f g : pip f g = pip g f.
Proof.
rewrite /pip exchange_big; apply: eq_bigr => l _; apply: eq_bigr => k _.
by rewrite [f k * _]mulrC; congr (_ * _); apply: eq_bigr => i _; rewrite addnC.
Qed.

(** H_n^(d) *)
Definition product_space : space R ('I_d -> R) :=
  Space (fun x => functional (pev_scalar x)) (SymmetricForm pip_sym pip_scalar).

(** f_1 (x) ... (x) f_d *)
Definition tens (f : 'I_d -> {poly R}) : product_space :=
  [ffun k : mode => \prod_i (f i)`_(k i) : R^o].

Lemma product_evE x (f : product_space) : ev x f = \sum_k (f : V) k * \prod_i x i ^+ k i.
Proof. by []. Qed.

Lemma product_dotE (f g : product_space) :
  '<f, g> = \sum_k \sum_l (f : V) k * (g : V) l * \prod_i L i 'X^(k i + l i).
Proof. by []. Qed.

Lemma poly_upto (f : {poly R}) : (size f <= n.+1)%N -> f = \sum_(k < n.+1) f`_k *: 'X^k.
Proof. by move=> fn; rewrite -poly_def -[LHS](coefK f); apply/polyP => k; rewrite !coef_poly;
  case: (ltnP k (size f)) => [/leq_trans->//|fk]; case: ifP => // _; rewrite nth_default. Qed.

Theorem tens_at (f : 'I_d -> {poly R}) x : (forall i, (size (f i) <= n.+1)%N) ->
  ev x (tens f) = \prod_i (f i).[x i].
Proof.
move=> fn; rewrite product_evE; under [RHS]eq_bigr => i _ do rewrite (horner_coef_wide _ (fn i)).
rewrite bigA_distr_bigA /=; apply: eq_bigr => k _.
by rewrite ffunE big_split.
Qed.

Theorem tens_dot (f g : 'I_d -> {poly R}) :
  (forall i, (size (f i) <= n.+1)%N) -> (forall i, (size (g i) <= n.+1)%N) ->
  '<tens f, tens g> = \prod_i L i (f i * g i).
Proof.
move=> fn gn; rewrite product_dotE.
have E i : L i (f i * g i) =
    \sum_(a < n.+1) (f i)`_a * \sum_(b < n.+1) (g i)`_b * L i 'X^(a + b).
  rewrite {1}(poly_upto (fn i)) mulr_suml linear_sum; apply: eq_bigr => a _.
  rewrite -scalerAl linearZ /= {1}(poly_upto (gn i)) mulr_sumr linear_sum; congr (_ * _).
  by apply: eq_bigr => b _; rewrite -scalerAr linearZ /= exprD.
under [RHS]eq_bigr => i _ do rewrite E.
rewrite bigA_distr_bigA /=; apply: eq_bigr => k _; rewrite big_split bigA_distr_bigA /= mulr_sumr.
by apply: eq_bigr => l _; rewrite !ffunE big_split /= mulrA.
Qed.

(** Tensor products are linear in each factor. *)
Lemma tens_sum (c : 'I_d -> 'I_n.+1 -> R) (q : 'I_d -> 'I_n.+1 -> {poly R}) f :
  (forall i, f i = \sum_k c i k *: q i k) ->
  tens f = \sum_(k : mode) (\prod_i c i (k i)) *: tens (fun i => q i (k i)).
Proof.
move=> fE; apply/ffunP => j; rewrite ffunE sum_ffunE.
under eq_bigr => i _ do rewrite fE coef_sum.
rewrite bigA_distr_bigA /=; apply: eq_bigr => k _; rewrite ffunE ffunE.
by rewrite -[RHS]/(_ * _ : R) -big_split; apply: eq_bigr => i _; rewrite coefZ.
Qed.

Lemma product_scaleE (a : R) (f : product_space) k :
  ((a *: f : product_space) : V) k = a * (f : V) k.
Proof. by rewrite ffunE. Qed.

(** The monomials. *)
Lemma monomialsE (f : product_space) : f = \sum_k (f : V) k *: tens (fun i => 'X^(k i)).
Proof.
apply/ffunP => j; rewrite sum_ffunE (bigD1 j)//= product_scaleE ffunE.
rewrite [X in _ * X]big1 => [|i _]; last by rewrite coefXn eqxx.
rewrite mulr1 big1 ?addr0// => k kj; rewrite product_scaleE ffunE.
have [i jki] : exists i, k i != j i.
  apply/existsP; rewrite -negb_forall; apply: contra kj => /forallP jk.
  by apply/eqP/ffunP => i; apply/eqP.
rewrite (bigD1 i)//= coefXn (_ : (j i == k i :> nat) = false) ?mul0r ?mulr0//.
by rewrite eq_sym; apply: negPf jki.
Qed.

(** No other bilinear form has (21). *)
Theorem form_unique (B : product_space -> product_space -> R) :
  (forall f, scalar (B f)) -> (forall f g, B f g = B g f) ->
  (forall f g : 'I_d -> {poly R},
     (forall i, (size (f i) <= n.+1)%N) -> (forall i, (size (g i) <= n.+1)%N) ->
     B (tens f) (tens g) = \prod_i L i (f i * g i)) ->
  forall f g, B f g = '<f, g>.
Proof.
move=> lin sym BE f g; have lB f1 : B f1 =1 functional (lin f1) by [].
have mono (k l : mode) : B (tens (fun i => 'X^(k i))) (tens (fun i => 'X^(l i))) =
    '<tens (fun i => 'X^(k i)), tens (fun i => 'X^(l i))>.
  by rewrite BE ?tens_dot// => i; rewrite size_polyXn.
rewrite [in LHS](monomialsE f) [in RHS](monomialsE f) sym dotC lB !linear_sum.
apply: eq_bigr => k _; rewrite !linearZ /=; congr (_ * _); rewrite sym.
transitivity '<tens (fun i => 'X^(k i)), g>; last by rewrite dotC.
rewrite (monomialsE g) lB !linear_sum; apply: eq_bigr => l _.
by rewrite !linearZ /= mono.
Qed.

(** ** The orthonormal basis *)

Variable p : 'I_d -> nat -> {poly R}.
Hypothesis p_on : forall i, orthonormal_upto n (L i) (p i).

Definition tbasis (k : mode) : product_space := tens (fun i => p i (k i)).

Let size_p i (k : 'I_n.+1) : (size (p i k) <= n.+1)%N.
Proof. by rewrite (p_on i).1 // -ltnS. Qed.

Lemma tbasis_at k x : ev x (tbasis k) = \prod_i (p i (k i)).[x i].
Proof. by rewrite tens_at. Qed.

Theorem tbasis_orthonormal : orthonormal tbasis.
Proof.
move=> j k; rewrite tens_dot//.
rewrite (eq_bigr (fun i => (j i == k i)%:R)) => [|i _]; last by rewrite (p_on i).2// -ltnS.
case: eqP => [->|jk]; first by rewrite big1// => i _; rewrite eqxx.
have [i jki] : exists i, j i != k i.
  apply/existsP; rewrite -negb_forall; apply/negP => /forallP jk'.
  by apply: jk; apply/ffunP => i; apply/eqP.
by rewrite (bigD1 i)//= (negPf jki) mul0r.
Qed.

(** (24), for any p *)
Theorem product_kernel x z :
  kernel_of tbasis x z = \prod_i \sum_(k < n.+1) (p i k).[x i] * (p i k).[z i].
Proof.
rewrite bigA_distr_bigA /=; apply: eq_bigr => k _.
by rewrite !tbasis_at big_split.
Qed.

Theorem tbasis_span (f : product_space) : in_span tbasis f.
Proof.
have mono (k : mode) : exists c, tens (fun i => 'X^(k i)) = combination tbasis c.
  have sp i : exists c : nat -> R, 'X^(k i) = \sum_(j < n.+1) c j *: p i j.
    by apply: upto_span (p_on i) _; rewrite size_polyXn.
  have [c cE] := fin_all_exists sp.
  exists (fun j : mode => \prod_i c i (j i)).
  by rewrite (tens_sum (c := fun i j => c i j) (q := fun i j => p i j) cE).
have [c cE] := fin_all_exists mono.
exists (fun j => \sum_k (f : V) k * c k j); rewrite {1}(monomialsE f).
by under eq_bigr => k _ do rewrite cE; apply: combination_sum.
Qed.

Lemma product_norm f : '<f, f> = \sum_k '<f, tbasis k> ^+ 2.
Proof.
have [c fE] := tbasis_span f; rewrite {1 2}fE (norm_squared tbasis_orthonormal).
by apply: eq_bigr => k _; rewrite fE (coefficients tbasis_orthonormal).
Qed.

End ProductSpace.

(** ** Positivity, and the inner-product space of Svm.v *)

Section ProductInner.
Variables (R : rcfType) (n d : nat) (L : 'I_d -> {scalar {poly R}}).
Hypothesis L_pos : forall i, positive_upto n (L i).

Theorem product_gt0 (f : product_space n L) : f != 0 -> 0 < '<f, f>.
Proof.
move=> f0; have /fin_all_exists[p p_on] i := gram_schmidt (L_pos i).
have {}p_on i : orthonormal_upto n (L i) (p i) by case: (p_on i).
have [c fE] := tbasis_span p_on f; rewrite fE (norm_squared (tbasis_orthonormal p_on)).
rewrite lt_def sumr_ge0 ?andbT => [|k _]; last exact: sqr_ge0.
apply: contra f0 => /eqP c0; apply/eqP; rewrite fE /combination big1// => k _.
have /eqP : c k ^+ 2 = 0 by move: k isT; apply: psumr_eq0P => // k _; apply: sqr_ge0.
by rewrite sqrf_eq0 => /eqP->; rewrite scale0r.
Qed.

Definition product_inner : inner_product (product_space n L) :=
  InnerProduct (space_form (product_space n L)) product_gt0.

End ProductInner.

(** The hypotheses above can be satisfied, for every n and d. *)
Theorem product_exists (R : rcfType) (n d : nat) :
  exists (L : 'I_d -> {scalar {poly R}}) (p : 'I_d -> nat -> {poly R}), forall i,
    [/\ positive_definite (L i), positive_upto n (L i) & orthonormal_upto n (L i) (p i)].
Proof.
have [L Lpos] := positive_definite_exists R.
have [p [p_on _]] := op_existence Lpos; exists (fun=> L), (fun=> p) => i; split=> //.
  exact: positive_definite_upto.
exact: orthonormal_polynomials_upto.
Qed.
