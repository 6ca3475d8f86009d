(** * Functions on the domain I^d, and the limit in (14) (sections 3 and 5)

    Elsewhere polynomials are evaluated on the whole line. The paper evaluates them on an
    interval I, which is an infinite set [interval_infinite]. For infinite sets I_1, ..., I_d:

    - p_0, ..., p_n are linearly independent as functions on I        [independent_on]
    - an element of H_n^(d) that vanishes on I_1 x ... x I_d is 0     [product_separated];
      n + 1 points of each coordinate suffice                         [grid_separated]
    - H_n^(d) is an RKHS of functions on I_1 x ... x I_d              [domain_rkhs]
    - p_k depends on exactly the coordinates in act(k)                [depends_exactly]
    - a function that depends on x_S alone is its own conditional expectation  [cond_fixed]

    The diagonal value (14) of K_n is the limit of (13) as z -> x: for every eps > 0 there is a
    delta > 0 such that the difference is at most eps if 0 < |z - x| <= delta
                                                       [paper_eq_14_limit, poly_continuous].
    *)
From mathcomp Require Import all_ssreflect ssralg zmodp poly ssrnum.
From mathcomp Require Import ring.
From Orca Require Import Compat Recurrence Form Family Expansion Product Sobol.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** I has k different elements for every k. *)
Definition infinite (R : realFieldType) (I : R -> Prop) :=
  forall k, exists r : seq R, [/\ uniq r, size r = k & forall t, t \in r -> I t].

Theorem interval_infinite (R : realFieldType) (a b : R) : a < b -> infinite (fun t => a <= t <= b).
Proof.
move=> ab k; pose g i : R := a + (b - a) * (i%:R / k.+1%:R).
have ba : 0 < b - a by rewrite subr_gt0.
exists [seq g i | i <- iota 0 k]; split; rewrite ?size_map ?size_iota//.
  rewrite map_inj_uniq ?iota_uniq// => i j /addrI/(mulfI (negbT (gt_eqF ba))).
  by move/(mulIf (invr_neq0 (negbT (pnatr_eq0 R k.+1))))/eqP; rewrite eqr_nat => /eqP.
move=> t /mapP[i]; rewrite mem_iota add0n /= => ik ->.
have le1 : i%:R / k.+1%:R <= 1 :> R by rewrite ler_pdivrMr ?ltr0n// mul1r ler_nat ltnW// ltnW.
rewrite /g lerDl mulr_ge0 ?divr_ge0 ?ler0n ?(ltW ba)//=.
by rewrite addrC -lerBrDr ger_pMr.
Qed.

(** ** One coordinate *)

(** A polynomial of degree at most n with n + 1 roots is 0. *)
Lemma infinite_root (R : realFieldType) (I : R -> Prop) (f : {poly R}) :
  infinite I -> (forall t, I t -> f.[t] = 0) -> f = 0.
Proof.
move=> /(_ (size f))[r [ru rs rI]] f0.
apply: (@roots_geq_poly_eq0 _ f r) => //; last by rewrite rs.
by apply/allP => t /rI/f0/eqP.
Qed.

Lemma infinite_nonroot (R : realFieldType) (I : R -> Prop) (f : {poly R}) :
  infinite I -> f != 0 -> exists2 t, I t & f.[t] != 0.
Proof.
move=> /(_ (size f))[r [ru rs rI]] f0.
have /hasP[t tr ft] : has (fun t => f.[t] != 0) r.
  rewrite -[X in is_true X]negbK -all_predC; apply: contra f0 => /allP f0.
  apply/eqP/(@roots_geq_poly_eq0 _ f r) => //; last by rewrite rs.
  by apply/allP => t /f0 /=; rewrite negbK.
by exists t => //; apply: rI.
Qed.

(** A space of functions on X, as one of functions on a subset of X. *)
Definition restrict (R : realFieldType) (X : Type) (S : space R X) (I : X -> Prop) :
  space R {u : X | I u} := @Space R _ S (fun u => ev (sval u)) (space_form S).

Theorem independent_on (R : realFieldType) (L : {scalar {poly R}}) (p : nat -> {poly R}) n
    (I : R -> Prop) : orthonormal_for L p -> infinite I ->
  @independent R _ (restrict (polynomials L) I) _ (basis L p (n := n)).
Proof.
move=> p_on I_inf c c0; apply: (expansion_unique (basis_orthonormal p_on)).
rewrite [RHS]big1 => [|k _]; last by rewrite scale0r.
apply: (@infinite_root _ I) => // t It; rewrite -[LHS]/(@ev R R (polynomials L) t _) linear_sum.
by rewrite -[RHS](c0 (exist _ t It)); apply: eq_bigr => k _; rewrite linearZ.
Qed.

(** Lagrange's polynomials: sum_a g_a^k l_a(X)_j = delta_jk for j, k <= n. *)
Lemma lagrange (R : realFieldType) n (g : 'I_n.+1 -> R) : injective g ->
  exists l : 'I_n.+1 -> 'I_n.+1 -> R, forall j k : 'I_n.+1,
    \sum_a l a j * g a ^+ k = (j == k)%:R.
Proof.
move=> gi; pose q a : {poly R} := \prod_(b | b != a) (('X - (g b)%:P) * (g a - g b)^-1%:P).
have qa a b : (q a).[g b] = (a == b)%:R.
  rewrite /q horner_prod; have [->|ab] := eqVneq a b; last first.
    by rewrite (bigD1 b) ?(eq_sym b)//= hornerM hornerXsubC subrr !mul0r.
  rewrite big1// => c cb; rewrite hornerM hornerXsubC hornerC divff// subr_eq0.
  by apply: contra cb => /eqP/gi->.
have qs a : (size (q a) <= n.+1)%N.
  apply: (leq_trans (size_prod_leq _ _)); rewrite leq_subLR.
  apply: (leq_trans (n := (\sum_(b | b != a) 2).+1)).
    rewrite ltnS; apply: leq_sum => b _; apply: (leq_trans (size_mul_leq _ _)).
    by rewrite size_XsubC /= ltnS size_polyC_leq1.
  by rewrite sum_nat_const cardC1 card_ord muln2 -addnn addnS.
exists (fun a j => (q a)`_j) => j k.
have E : 'X^k = \sum_a g a ^+ k *: q a.
  apply/eqP; rewrite -subr_eq0; apply/eqP.
  apply: (@roots_geq_poly_eq0 _ _ [seq g a | a <- enum 'I_n.+1]).
  - apply/allP => t /mapP[b _ ->]; rewrite /root hornerD hornerN hornerXn horner_sum subr_eq0.
    rewrite (bigD1 b)//= hornerZ qa eqxx mulr1 big1 ?addr0// => a ab.
    by rewrite hornerZ qa (negPf ab) mulr0.
  - by rewrite map_inj_uniq ?enum_uniq.
  rewrite size_map size_enum_ord (leq_trans (size_add _ _))// size_opp geq_max size_polyXn ltn_ord.
  apply: (leq_trans (size_sum _ _ _)); apply/bigmax_leqP => a _.
  by rewrite (leq_trans (size_scale_leq _ _)).
have := congr1 (fun f : {poly R} => f`_j) E; rewrite coefXn coef_sum -val_eqE => ->.
by apply: eq_bigr => a _; rewrite coefZ mulrC.
Qed.

(** ** d coordinates *)

Section Domain.
Variables (R : realFieldType) (n d : nat) (L : 'I_d -> {scalar {poly R}}).
Notation mode := {ffun 'I_d -> 'I_n.+1}.
Notation H := (product_space n L).

Theorem grid_separated (g : 'I_d -> 'I_n.+1 -> R) (f : H) : (forall i, injective (g i)) ->
  (forall a : mode, ev (fun i => g i (a i)) f = 0) -> f = 0.
Proof.
move=> gi f0; have /fin_all_exists[l lE] i := lagrange (gi i).
apply/ffunP => j; rewrite [RHS]ffunE.
transitivity (\sum_(a : mode) (\prod_i l i (a i) (j i)) * ev (fun i => g i (a i)) f); last first.
  by rewrite big1// => a _; rewrite f0 mulr0.
pose fk (k : mode) : R := (f : {ffun mode -> R^o}) k.
have inner (k : mode) :
    \sum_(a : mode) (\prod_i l i (a i) (j i)) * (fk k * \prod_i g i (a i) ^+ k i) =
    fk k * (j == k)%:R.
  rewrite (eq_bigr (fun a : mode => fk k * \prod_i (l i (a i) (j i) * g i (a i) ^+ k i))).
    rewrite -mulr_sumr -(bigA_distr_bigA (fun i a => l i a (j i) * g i a ^+ k i)) /=.
    congr (_ * _); case: eqP => [->|jk]; first by rewrite big1// => i _; rewrite lE eqxx.
    have [i jki] : exists i, j i != k i.
      apply/existsP; rewrite -negb_forall; apply/negP => /forallP jk'.
      by apply: jk; apply/ffunP => i; apply/eqP.
    by rewrite (bigD1 i)//= lE (negPf jki) mul0r.
  by move=> a _; rewrite mulrCA -big_split.
rewrite (eq_bigr (fun a : mode => \sum_k (\prod_i l i (a i) (j i)) *
  (fk k * \prod_i g i (a i) ^+ k i))) => [|a _]; last by rewrite product_evE mulr_sumr.
rewrite exchange_big (eq_bigr _ (fun k _ => inner k)) (bigD1 j)//= eqxx mulr1 big1 ?addr0//.
by move=> k kj; rewrite eq_sym (negPf kj) mulr0.
Qed.

Variable I : 'I_d -> R -> Prop.
Hypothesis I_inf : forall i, infinite (I i).
(** x in I_1 x ... x I_d *)
Definition in_domain (x : 'I_d -> R) := forall i, I i (x i).

Theorem product_separated (f : H) : (forall x, in_domain x -> ev x f = 0) -> f = 0.
Proof.
move=> f0; have /fin_all_exists[r rE] i := I_inf i n.+1.
apply: (@grid_separated (fun i a => nth 0 (r i) a)) => [i a b|a].
  have [ru rs _] := rE i; move/eqP; rewrite nth_uniq ?rs// => /eqP.
  exact: val_inj.
by apply: f0 => i; have [_ rs] := rE i; apply; rewrite mem_nth ?rs.
Qed.

Variable p : 'I_d -> nat -> {poly R}.
Hypothesis p_on : forall i, orthonormal_upto n (L i) (p i).
Notation basis := (@tbasis R n d L p).

(** H_n^(d) is an RKHS of functions on the domain. *)
Theorem domain_rkhs (f g : H) : (forall x, in_domain x -> ev x f = ev x g) ->
  f = g /\ forall x, in_domain x ->
    ev x f = '<f, kernel_section basis x> /\
    forall z, in_domain z -> ev z (kernel_section basis x) =
      \prod_i \sum_(k < n.+1) (p i k).[x i] * (p i k).[z i].
Proof.
move=> fg; split=> [|x _].
  apply/eqP; rewrite -subr_eq0; apply/eqP/product_separated => x /fg E.
  by rewrite linearB /= -[X in X - _]/(ev x f) E subrr.
split=> [|z _]; last by rewrite kernel_sectionE (product_kernel p_on).
exact: (reproducing (tbasis_orthonormal p_on) x (tbasis_span p_on f)).
Qed.

Theorem depends_exactly (k : mode) (i : 'I_d) : i \in act k <->
  exists x z, [/\ in_domain x, in_domain z, forall j, j != i -> x j = z j
                & ev x (basis k) <> ev z (basis k)].
Proof.
have p0 j : p j (k j) != 0 by rewrite -size_poly_eq0 (p_on j).1// -ltnS.
split=> [|[x [z [_ _ xz]]]]; last first.
  rewrite inE lt0n => ne; apply/negP => /eqP k0; apply: ne.
  rewrite !(tbasis_at p_on); apply: eq_bigr => j _; have [->|/xz->//] := eqVneq j i.
  have /size_poly1P[u _ uE] : size (p i 0) == 1%N by rewrite (p_on i).1.
  by rewrite k0 uE !hornerC.
rewrite inE => ki.
have /fin_all_exists2[x xI x0] j : exists2 t, I j t & (p j (k j)).[t] != 0.
  exact: infinite_nonroot.
have [t tI tx] : exists2 t, I i t & (p i (k i) - (p i (k i)).[x i]%:P).[t] != 0.
  have sk : size (p i (k i)) = (k i).+1 by rewrite (p_on i).1// -ltnS.
  have small : (size (- (p i (k i)).[x i]%:P)%R < size (p i (k i)))%N.
    by rewrite size_opp sk (leq_ltn_trans (size_polyC_leq1 _)).
  by apply: infinite_nonroot => //; rewrite -size_poly_eq0 (size_addl small) sk.
exists x, (fun j => if j == i then t else x j); split=> // [j|j /negPf->//|].
  by case: eqP => [->|].
rewrite !(tbasis_at p_on) (bigD1 i)//= [in RHS](bigD1 i)//= eqxx.
rewrite [X in _ = _ * X](eq_bigr (fun j => (p j (k j)).[x j])) => [|j /negPf->//].
have rest : \prod_(j | j != i) (p j (k j)).[x j] != 0 by apply/prodf_neq0 => j _; apply: x0.
by move/(mulIf rest) => E; move: tx; rewrite hornerD hornerN hornerC E subrr eqxx.
Qed.

(** A function that depends on x_S alone is its own conditional expectation. *)
Theorem cond_fixed (S : {set 'I_d}) (f : H) :
  (forall x z, in_domain x -> in_domain z -> (forall i, i \in S -> x i = z i) ->
     ev x f = ev z f) -> cond S f = f.
Proof.
move=> dep; have /fin_all_exists[z zI] i : exists t, I i t.
  by have [[|t r] [_ // _ rI]] := I_inf i 1%N; exists t; apply: rI; rewrite mem_head.
pose fk (k : mode) : R := (f : {ffun mode -> R^o}) k.
pose q (k : mode) i : {poly R} := if i \in S then 'X^(k i) else (z i ^+ k i)%:P.
have qs k i : (size (q k i) <= n.+1)%N.
  by rewrite /q; case: ifP => _; rewrite ?size_polyXn// (leq_trans (size_polyC_leq1 _)).
have fE : f = \sum_k fk k *: tens n L (q k).
  apply/eqP; rewrite -subr_eq0; apply/eqP/product_separated => x xI; rewrite linearB.
  pose u i := if i \in S then x i else z i.
  apply/eqP; rewrite subr_eq0 -[X in X == _]/(ev x f) (dep x u xI); last first.
  - by move=> i iS; rewrite /u iS.
  - by move=> i; rewrite /u; case: ifP.
  rewrite linear_sum; apply/eqP; apply: eq_bigr => k _; rewrite linearZ; congr (_ * _).
  rewrite -[RHS]/(ev x (tens n L (q k))) tens_at//; apply: eq_bigr => i _.
  by rewrite /q /u; case: ifP => _; rewrite ?hornerXn ?hornerC.
rewrite {1}fE cond_sum [RHS]fE; apply: eq_bigr => k _; congr (_ *: _).
rewrite cond_tens//; apply: eq_tens => i.
have lc u : L i u%:P = u * L i 1 by rewrite -[u%:P]mulr1 mul_polyC linearZ.
by rewrite /q; case: (i \in S) => //; rewrite lc mulfK// (mass_neq0 p_on).
Qed.
End Domain.

(** ** (14) is the limit of (13) *)

Lemma poly_continuous (R : realFieldType) (f : {poly R}) (x e : R) : 0 < e ->
  exists2 r, 0 < r & forall z, `|z - x| <= r -> `|f.[z] - f.[x]| <= e.
Proof.
move=> e0; have [g gE] : exists g, f - f.[x]%:P = g * ('X - x%:P).
  by apply/factor_theorem; rewrite /root hornerD hornerN hornerC subrr.
have [B gB] := poly_disk_bound g (`|x| + 1).
have B1 : 0 < `|B| + 1 by rewrite ltr_wpDl.
exists (Num.min 1 (e / (`|B| + 1))) => [|z]; first by rewrite lt_min ltr01 divr_gt0.
rewrite le_min => /andP[z1 ze].
have -> : f.[z] - f.[x] = g.[z] * (z - x).
  by have := congr1 (fun h => h.[z]) gE; rewrite !hornerE => ->.
have zx : `|z| <= `|x| + 1.
  by rewrite -(subrK x z) addrC; apply: le_trans (ler_normD _ _) _; rewrite lerD2l.
have gz : `|g.[z]| <= `|B| + 1.
  by apply: le_trans (gB z zx) _; apply: le_trans (ler_norm B) _; rewrite lerDl ler01.
rewrite normrM; apply: le_trans (ler_pM _ _ gz ze) _ => //.
by rewrite mulrCA divff ?mulr1// gt_eqF.
Qed.

Theorem paper_eq_14_limit (R : rcfType) (L : {scalar {poly R}}) (p : nat -> {poly R}) n (x e : R) :
  positive_definite L -> orthonormal_polynomials L p -> 0 < e ->
  exists2 r, 0 < r & forall z, 0 < `|z - x| <= r ->
    `|lead_coef (p n) / lead_coef (p n.+1) *
        (((p n.+1).[x] * (p n).[z] - (p n).[x] * (p n.+1).[z]) / (x - z))
      - lead_coef (p n) / lead_coef (p n.+1) *
        ((p n.+1)^`().[x] * (p n).[x] - (p n)^`().[x] * (p n.+1).[x])| <= e.
Proof.
move=> Lpos pon e0; pose f := \sum_(k < n.+1) (p k).[x] *: p k.
have [r r0 cont] := poly_continuous f x e0; exists r => // z /andP[zx zr].
have fz t : f.[t] = \sum_(k < n.+1) (p k).[x] * (p k).[t].
  by rewrite horner_sum; apply: eq_bigr => k _; rewrite hornerZ.
rewrite -(paper_eq_13 n Lpos pon) -?(paper_eq_14 n x Lpos pon).
  have := cont z zr; rewrite !fz [X in _ - X](eq_bigr (fun k : 'I_n.+1 => (p k).[x] ^+ 2))//.
by rewrite eq_sym -subr_eq0 -normr_gt0.
Qed.
