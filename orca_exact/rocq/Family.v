(** * Finite orthonormal families and their kernels (sections 2 and 3)

    A space S of functions on a set X is a vector space over a real field R with an
    evaluation f(x), linear in f, and a symmetric bilinear form <f,g>. A family
    (p_k), k in a finite set M, is orthonormal if <p_j,p_k> = delta_jk. Then, with

      H = span{p_k},    K(x,z) = sum_k p_k(x) p_k(z),    K(x,.) = sum_k p_k(x) p_k:

    - f = sum_k c_k p_k has c_k = <f,p_k> and no other coefficients
                                                           [coefficients, expansion_unique]
    - <sum c_k p_k, sum e_k p_k> = sum c_k e_k,  ||f||^2 = sum c_k^2
                                                           [dot_combination, norm_squared]
    - f(x) = <f, K(x,.)> for every f in H            (3), (25)             [reproducing]
    - K(x,z) = <K(x,.), K(z,.)>: a feature map       (4), (16)             [feature_map]
    - the K(x,.) are the only elements of H that reproduce                 [kernel_unique]
    - K is symmetric, its Gram matrices are positive semidefinite   [kernel_ofC, kernel_gram_ge0]
    - (Pi f)(x) = <f, K(x,.)> is the orthogonal projection onto H (12)
        [projection_integral, projection_in_span, projection_idempotent, projection_id,
         projection_orthogonal, projection_nearest]

    Polynomials with <f,g> = L(fg) are such a space; p_0, ..., p_n span the polynomials
    of degree <= n (Proposition 3.2)                               [degree_span, rkhs_1d,
    polynomials_independent]

    Tensor products: a space T of functions on X^d with products f_1 (x) ... (x) f_d,

      (f_1 (x) ... (x) f_d)(x) = prod f_i(x_i),   <(x) f_i, (x) g_i> = prod <f_i,g_i>   (21).

    - the p_k = p_{k_1} (x) ... (x) p_{k_d} are orthonormal                [tensor_orthonormal]
    - sum_k p_k(x) p_k(z) = prod_i K(x_i,z_i)    (24)                      [tensor_kernel]
    - there are (n+1)^d of them, linearly independent                      [tensor_dimension]
    - products of elements of H lie in their span                          [tensor_span]
    - products of independent functions are independent, and such a T exists
                                                        [tensor_independent, tensor_exists]
    - f(x) = <f, prod_i K(x_i,.)> (Proposition 3.5)                        [tensor_reproducing]
    *)
From mathcomp Require Import all_ssreflect ssralg zmodp poly ssrnum.
From mathcomp Require Import ring.
From Orca Require Import Compat Recurrence Form.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** ** Spaces of functions *)

Record space (R : realFieldType) (X : Type) := Space {
  carrier :> lmodType R;
  ev : X -> {scalar carrier};               (* f |-> f(x) *)
  space_form : symmetric_form carrier }.    (* <f,g> *)

Arguments ev {R X s} x.
Notation "''<' f , g >" := (dot (space_form _) f g) : ring_scope.

Section Family.
Variables (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S).

Definition orthonormal := forall j k, '<p j, p k> = (j == k)%:R.
Definition combination (c : M -> R) : S := \sum_k c k *: p k.
Definition in_span (f : S) := exists c, f = combination c.
Definition kernel_of (x z : X) : R := \sum_k ev x (p k) * ev z (p k).
Definition kernel_section (x : X) : S := \sum_k ev x (p k) *: p k.
Definition projection (f : S) : S := \sum_k '<f, p k> *: p k.

(** The p_k are linearly independent as functions on X. *)
Definition independent := forall c : M -> R,
  (forall x, \sum_k c k * ev x (p k) = 0) -> c =1 fun=> 0.

Lemma kernel_sectionE x z : ev z (kernel_section x) = kernel_of x z.
Proof. by rewrite linear_sum; apply: eq_bigr => k _; rewrite linearZ. Qed.

(** K(x,z) = K(z,x) *)
Theorem kernel_ofC x z : kernel_of x z = kernel_of z x.
Proof. by apply: eq_bigr => k _; rewrite mulrC. Qed.

(** sum_ij u_i u_j K(x_i,x_j) = sum_k (sum_i u_i p_k(x_i))^2 >= 0 *)
Lemma kernel_gramE m (x : 'I_m -> X) (u : 'I_m -> R) :
  \sum_i \sum_j u i * u j * kernel_of (x i) (x j) = \sum_k (\sum_i u i * ev (x i) (p k)) ^+ 2.
Proof.
under eq_bigr => i _ do under eq_bigr => j _ do rewrite /kernel_of mulr_sumr.
under eq_bigr => i _ do rewrite exchange_big /=.
rewrite exchange_big /=; apply: eq_bigr => k _.
rewrite expr2 mulr_suml; apply: eq_bigr => i _; rewrite mulr_sumr; apply: eq_bigr => j _.
by rewrite !mulrA; ring.
Qed.

Theorem kernel_gram_ge0 m (x : 'I_m -> X) (u : 'I_m -> R) :
  0 <= \sum_i \sum_j u i * u j * kernel_of (x i) (x j).
Proof. by rewrite kernel_gramE sumr_ge0// => k _; rewrite sqr_ge0. Qed.

Hypothesis p_on : orthonormal.

(** The coefficients of f are c_k = <f,p_k>. *)
Theorem coefficients c k : '<combination c, p k> = c k.
Proof.
rewrite dotC dot_sumZr (bigD1 k)//= big1 ?addr0 => [|j jk]; rewrite p_on ?eqxx ?mulr1//.
by rewrite eq_sym (negPf jk) mulr0.
Qed.

Theorem expansion_unique c e : combination c = combination e -> c =1 e.
Proof. by move=> ce k; rewrite -(coefficients c) ce coefficients. Qed.

Theorem dot_combination c e : '<combination c, combination e> = \sum_k c k * e k.
Proof. by rewrite dot_sumZr; apply: eq_bigr => k _; rewrite coefficients mulrC. Qed.

Theorem norm_squared c : '<combination c, combination c> = \sum_k c k ^+ 2.
Proof. by rewrite dot_combination; apply: eq_bigr => k _; rewrite expr2. Qed.

Theorem reproducing f x : in_span f -> ev x f = '<f, kernel_section x>.
Proof.
case=> c ->; rewrite dot_combination linear_sum; apply: eq_bigr => k _.
by rewrite linearZ.
Qed.

Theorem feature_map x z : kernel_of x z = '<kernel_section x, kernel_section z>.
Proof. exact/esym/dot_combination. Qed.

Lemma kernel_section_in_span x : in_span (kernel_section x).
Proof. by exists (fun k => ev x (p k)). Qed.

Lemma basis_in_span k : in_span (p k).
Proof.
exists (fun j => (j == k)%:R); rewrite /combination (bigD1 k)//= eqxx scale1r.
by rewrite big1 ?addr0// => j /negPf->; rewrite scale0r.
Qed.

(** K is the only reproducing kernel of H. *)
Theorem kernel_unique (k' : X -> S) :
  (forall x, in_span (k' x)) -> (forall f x, in_span f -> ev x f = '<f, k' x>) ->
  forall x, k' x = kernel_section x.
Proof.
move=> kH krep x; have [c kE] := kH x; rewrite kE; apply: eq_bigr => k _.
by rewrite (krep _ x (basis_in_span k)) dotC kE coefficients.
Qed.

(** The integral operator with kernel K is the orthogonal projection onto H. *)
Theorem projection_integral f x : ev x (projection f) = '<f, kernel_section x>.
Proof.
by rewrite dot_sumZr linear_sum; apply: eq_bigr => k _; rewrite linearZ mulrC.
Qed.

Theorem projection_in_span f : in_span (projection f).
Proof. by exists (fun k => '<f, p k>). Qed.

Theorem projection_id f : in_span f -> projection f = f.
Proof. by case=> c ->; apply: eq_bigr => k _; rewrite coefficients. Qed.

Theorem projection_idempotent f : projection (projection f) = projection f.
Proof. exact/projection_id/projection_in_span. Qed.

Theorem projection_orthogonal f g : in_span g -> '<f - projection f, g> = 0.
Proof.
case=> c ->; rewrite dot_sumZr big1// => k _.
by rewrite dotDl dotNl (coefficients _ k) subrr mulr0.
Qed.

Theorem projection_nearest f g : (forall e : S, 0 <= '<e, e>) -> in_span g ->
  '<f - projection f, f - projection f> <= '<f - g, f - g>.
Proof.
move=> pos gH; set r := f - projection f; pose e := projection f - g.
have eH : in_span e.
  case: gH => c gE; exists (fun k => '<f, p k> - c k).
  by rewrite /e gE /combination -sumrB; apply: eq_bigr => k _; rewrite scalerBl.
have re : '<r, e> = 0 by apply: projection_orthogonal.
have -> : f - g = r + e by rewrite /r /e addrA subrK.
clearbody r e; rewrite !(dotDl, dotDr) (dotC _ e r) re addr0 add0r.
by rewrite lerDl.
Qed.

End Family.

(** ** Polynomials of degree <= n (Proposition 3.2) *)

Section Polynomials.
Variables (R : realFieldType) (L : {scalar {poly R}}).

Lemma horner_is_scalar (x : R) : scalar (fun f : {poly R} => f.[x]).
Proof. by move=> c f g; rewrite hornerD hornerZ. Qed.

Lemma moment_is_scalar (f : {poly R}) : scalar (fun g : {poly R} => L (f * g)).
Proof. by move=> c g e; rewrite mulrDr -scalerAr linearP. Qed.

Lemma moment_sym (f g : {poly R}) : L (f * g) = L (g * f).
Proof. by rewrite mulrC. Qed.

(** <f,g> = L(f g), for instance the integral of f g. *)
Definition polynomials : space R R :=
  Space (fun x => functional (horner_is_scalar x)) (SymmetricForm moment_sym moment_is_scalar).

Variables (p : nat -> {poly R}) (n : nat).
Hypotheses (p_graded : graded p) (p_on : orthonormal_for L p).

Definition basis (k : 'I_n.+1) : polynomials := p k.

Lemma basis_orthonormal : orthonormal basis.
Proof. by move=> j k; rewrite /= p_on. Qed.

(** H is the space of polynomials of degree <= n; #|'I_n.+1| = n + 1. *)
Theorem degree_span (f : {poly R}) : in_span basis f <-> (size f <= n.+1)%N.
Proof.
split=> [[c ->]|fn]; last first.
  by have [c ->] := graded_span p_graded fn; exists (fun k : 'I_n.+1 => c k).
apply: (leq_trans (size_sum _ _ _)); apply/bigmax_leqP => k _.
by apply: (leq_trans (size_scale_leq _ _)); rewrite p_graded.
Qed.

Theorem rkhs_1d (f : {poly R}) (x : R) : (size f <= n.+1)%N ->
  f.[x] = L (f * \sum_(k < n.+1) (p k).[x] *: p k).
Proof. by move=> /degree_span fH; have := reproducing basis_orthonormal x fH. Qed.

End Polynomials.

(** The p_0, ..., p_n are independent as functions. *)
Theorem polynomials_independent (R : realFieldType) (L : {scalar {poly R}})
    (p : nat -> {poly R}) n : orthonormal_for L p -> independent (basis L p (n := n)).
Proof.
move=> p_on c c0; apply: (expansion_unique (basis_orthonormal p_on)).
rewrite [RHS]big1 => [|k _]; last by rewrite scale0r.
set f := combination _ _; pose r := [seq i%:R : R | i <- iota 0 (size (f : {poly R}))].
apply: (@roots_geq_poly_eq0 _ f r); last by rewrite size_map size_iota.
  apply/allP => x _; rewrite /root -[f.[x]]/(ev x f) linear_sum.
  by apply/eqP; rewrite -[RHS](c0 x); apply: eq_bigr => k _; rewrite linearZ.
by rewrite map_inj_uniq ?iota_uniq// => i j /eqP; rewrite eqr_nat => /eqP.
Qed.

(** ** Tensor products *)

Section Tensor.
Variables (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S).
Hypothesis p_on : orthonormal p.
Variable d : nat.

(** T, the products of elements of H, and (20), (21). *)
Record tensor_space := TensorSpace {
  tspace :> space R ('I_d -> X);
  tensor : ('I_d -> S) -> tspace;
  tensor_at : forall f x, (forall i, in_span p (f i)) ->
    ev x (tensor f) = \prod_i ev (x i) (f i);
  tensor_dot : forall f g, (forall i, in_span p (f i)) -> (forall i, in_span p (g i)) ->
    '<tensor f, tensor g> = \prod_i '<f i, g i> }.

(** Multi-indices k, and p_k. *)
Definition multiindex := {ffun 'I_d -> M}.

Section Basis.
Variable T : tensor_space.
Definition tensor_basis (k : multiindex) : T := tensor T (fun i => p (k i)).

Lemma tensor_basis_at k x : ev x (tensor_basis k) = \prod_i ev (x i) (p (k i)).
Proof. by rewrite tensor_at// => i; apply: basis_in_span. Qed.

Theorem tensor_orthonormal : orthonormal tensor_basis.
Proof.
move=> j k; rewrite tensor_dot; try by move=> i; apply: basis_in_span.
rewrite (eq_bigr (fun i => (j i == k i)%:R)) => [|i _]; last by rewrite p_on.
case: eqP => [->|jk]; first by rewrite big1// => i _; rewrite eqxx.
have [i jki] : exists i, j i != k i.
  apply/existsP; rewrite -negb_forall; apply/negP => /forallP jk'.
  by apply: jk; apply/ffunP => i; apply/eqP.
by rewrite (bigD1 i)//= (negPf jki) mul0r.
Qed.

(** (24): the kernel of the tensor products is the product of the kernels. *)
Theorem tensor_kernel x z : kernel_of tensor_basis x z = \prod_i kernel_of p (x i) (z i).
Proof.
rewrite bigA_distr_bigA /=; apply: eq_bigr => k _.
by rewrite !tensor_basis_at big_split.
Qed.

(** f(x) = <f, K(x,.)> with K(x,.) the tensor product of the one-dimensional sections. *)
Theorem tensor_reproducing f x : in_span tensor_basis f ->
  ev x f = '<f, kernel_section tensor_basis x> /\
  forall z, ev z (kernel_section tensor_basis x) = \prod_i kernel_of p (x i) (z i).
Proof.
move=> fH; split; first exact: (reproducing tensor_orthonormal).
by move=> z; rewrite kernel_sectionE tensor_kernel.
Qed.

(** If elements of T are determined by their values, products of elements of H lie in the span. *)
Theorem tensor_span (f : 'I_d -> S) :
  (forall g : T, (forall x, ev x g = 0) -> g = 0) ->
  (forall i, in_span p (f i)) -> in_span tensor_basis (tensor T f).
Proof.
move=> sep fH; exists (fun k : multiindex => \prod_i '<f i, p (k i)>).
apply/eqP; rewrite -subr_eq0; apply/eqP/sep => x.
rewrite linearB /= tensor_at// linear_sum.
rewrite (eq_bigr (fun i => \sum_k '<f i, p k> * ev (x i) (p k))) => [|i _].
  rewrite bigA_distr_bigA /= -sumrB big1// => k _.
  by rewrite linearZ /= tensor_basis_at -big_split subrr.
rewrite -[in LHS](projection_id p_on (fH i)) linear_sum.
by apply: eq_bigr => k _; rewrite linearZ.
Qed.
End Basis.

(** Existence: coordinates indexed by the multi-indices. *)
Let C := {ffun multiindex -> R^o}.
Let cev (x : 'I_d -> X) (c : C) : R := \sum_k c k * \prod_i ev (x i) (p (k i)).
Let cip (c e : C) : R := \sum_k c k * e k.

Let cev_scalar x : scalar (cev x).
Proof.
move=> a c e; rewrite /cev mulr_sumr -big_split; apply: eq_bigr => k _ /=.
by rewrite !ffunE mulrDl mulrA.
Qed.

Let cip_scalar c : scalar (cip c).
Proof.
move=> a e g; rewrite /cip mulr_sumr -big_split; apply: eq_bigr => k _ /=.
by rewrite !ffunE mulrDr mulrCA.
Qed.

Let cip_sym c e : cip c e = cip e c.
Proof. by apply: eq_bigr => k _; rewrite mulrC. Qed.

Let cspace : space R ('I_d -> X) :=
  Space (fun x => functional (cev_scalar x)) (SymmetricForm cip_sym cip_scalar).
Let ctensor (f : 'I_d -> S) : cspace := [ffun k : multiindex => \prod_i '<f i, p (k i)> : R^o].

(** Products of independent functions are independent: one coordinate after the other. *)
Theorem tensor_independent (c : multiindex -> R) : independent p ->
  (forall x : 'I_d -> X, \sum_k c k * \prod_i ev (x i) (p (k i)) = 0) -> c =1 fun=> 0.
Proof.
move=> p_ind c0 l.
have fixed j : (j <= d)%N -> forall x : 'I_d -> X,
    \sum_(k : multiindex | [forall i : 'I_d, (i < j)%N ==> (k i == l i)])
      c k * \prod_(i < d | (j <= i)%N) ev (x i) (p (k i)) = 0.
  elim: j => [|j IH] jd x.
    rewrite -[RHS](c0 x); apply: eq_big => [k|k _]; first exact/forallP.
    by congr (_ * _); apply: eq_bigl.
  pose i0 := Ordinal jd.
  pose rest (k : multiindex) := \prod_(i < d | (j < i)%N) ev (x i) (p (k i)).
  pose a v := \sum_(k : multiindex | [forall i : 'I_d, (i < j)%N ==> (k i == l i)] && (k i0 == v))
    c k * rest k.
  have : a (l i0) = 0.
    apply: p_ind => y.
    rewrite -[RHS](IH (ltnW jd) (fun i => if i == i0 then y else x i)).
    rewrite [RHS](partition_big (fun k : multiindex => k i0) xpredT)//=.
    apply: eq_bigr => v _; rewrite mulr_suml; apply: eq_bigr => k /andP[_ /eqP kv].
    rewrite [in RHS](bigD1 i0) ?leqnn//= eqxx kv [_ * (_ * _)]mulrCA [RHS]mulrC; congr (_ * _ * _).
    apply: eq_big => [i|i ji]; first by rewrite ltn_neqAle andbC -val_eqE eq_sym.
    by rewrite -val_eqE /= gtn_eqF.
  rewrite /a => {2}<-; apply: eq_bigl => k; apply/forallP/andP => [kl|[/forallP kl ki] i].
    split; last by have := kl i0; rewrite /= ltnSn.
    by apply/forallP => i; apply/implyP => ij; have := kl i; rewrite ltnS (ltnW ij).
  apply/implyP; rewrite ltnS leq_eqVlt => /orP[ij|ij]; last by have := kl i; rewrite ij.
  by rewrite (_ : i = i0)//; apply/val_inj/eqP.
have cl (x : 'I_d -> X) : c l = 0.
  have := fixed d (leqnn d) x; rewrite (big_pred1 l) => [|k]; last first.
    apply/forallP/eqP => [kl|-> i]; last by rewrite eqxx implybT.
    by apply/ffunP => i; apply/eqP; have := kl i; rewrite ltn_ord.
  by rewrite big_pred0 ?mulr1// => i; rewrite leqNgt ltn_ord.
have [//|cl0] := eqVneq (c l) 0; have noX (x : 'I_d -> X) : False.
  by move: cl0; rewrite (cl x) eqxx.
case: (pickP 'I_d) => [i _|noI]; last by exfalso; apply: noX => i; have := noI i.
suff /(_ (l i)) /eqP : (fun _ : M => 1 : R) =1 (fun _ : M => 0 : R) by rewrite oner_eq0.
by apply: p_ind => x; case: (noX (fun=> x)).
Qed.

(** T exists; if the p_k are independent, its elements are determined by their values. *)
Theorem tensor_exists : exists T : tensor_space,
  independent p -> forall g : T, (forall x, ev x g = 0) -> g = 0.
Proof.
have coefs f : in_span p f -> f = combination p (fun k => '<f, p k>).
  by move/(projection_id p_on).
have ct_at f x : (forall i, in_span p (f i)) -> ev x (ctensor f) = \prod_i ev (x i) (f i).
  move=> fH; under [RHS]eq_bigr => i _ do rewrite (coefs _ (fH i)) linear_sum.
  rewrite bigA_distr_bigA /=; apply: eq_bigr => k _.
  by rewrite ffunE -big_split; apply: eq_bigr => i _; rewrite linearZ.
have ct_ip f g : (forall i, in_span p (f i)) -> (forall i, in_span p (g i)) ->
    '<ctensor f, ctensor g> = \prod_i '<f i, g i>.
  move=> fH gH; under [RHS]eq_bigr => i _ do
    rewrite (coefs _ (fH i)) (coefs _ (gH i)) (dot_combination p_on).
  rewrite bigA_distr_bigA /=; apply: eq_bigr => k _.
  by rewrite !ffunE -big_split.
exists (TensorSpace ct_at ct_ip) => p_ind g g0; apply/ffunP => k; rewrite ffunE.
exact: tensor_independent p_ind g0 k.
Qed.

End Tensor.

(** dim H_n^(d) = (n+1)^d: so many modes, linearly independent. *)
Theorem tensor_dimension (R : realFieldType) (X : Type) (S : space R X) n d
    (p : 'I_n.+1 -> S) (T : tensor_space p d) : orthonormal p ->
  #|{ffun 'I_d -> 'I_n.+1}| = (n.+1 ^ d)%N /\
  forall c : {ffun 'I_d -> 'I_n.+1} -> R, combination (tensor_basis T) c = 0 -> c =1 fun=> 0.
Proof.
move=> p_on; split; first by rewrite card_ffun !card_ord.
move=> c c0; apply: (expansion_unique (tensor_orthonormal p_on T)).
by rewrite c0 /combination big1// => k _; rewrite scale0r.
Qed.
