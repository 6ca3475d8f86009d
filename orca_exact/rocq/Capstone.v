(** * From the functionals and the data to equations (26) to (40), on H_n^(d) itself

    Given, for each of d coordinates, a functional that is positive up to degree n, with its
    orthonormal polynomials p_{l,0}, ..., p_{l,n}; an infinite domain for each coordinate; m
    points with labels 1 or -1; C > 0; and a solution alpha of the dual (8) with the kernel
    K_n^(d). The SVM lives in H_n^(d) (Product.v), with the kernel sections as feature map
    and the positive definite inner product of the product functional. One theorem, [capstone],
    then has everything that sections 4 and 5 derive:

    - section 2: some b makes (h, b) the primal optimum, and every optimal w is h; h is the
      same for every solution of the dual
    - (26) h is the kernel expansion; (27), (28) h is the sum of c_k p_k on the domain, with no
      other coefficients; (29) c = P^T s
    - (30), corrected: c_0 = 0, and g is b plus the sum over k <> 0
    - (31), (32) the squared norm is the sum of the c_k^2, and of the blocks
    - (33) to (36) if h <> 0, the OKC_N^(q) are nonnegative and sum to 1, and so do the orders
      and the degrees
    - (37) to (40) the marginals sum to OKC^(1), the pairs to OKC^(2), the sets of size q to
      OKC^(q); and OKC_S is the Sobol' index of S (Sobol.v).

    A solution alpha exists [capstone_solvable], and so do functionals, polynomials and a
    domain with these hypotheses, for all data [capstone_instance].
    *)
From mathcomp Require Import all_ssreflect ssralg ssrnum poly matrix.
From Orca Require Import Recurrence Form Family Expansion Svm StrongDuality Existence.
From Orca Require Import Product Sobol Domain.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Capstone.
Variables (R : rcfType) (n d m : nat) (L : 'I_d -> {scalar {poly R}}).
Hypothesis L_pos : forall l, positive_upto n (L l).
Variable p : 'I_d -> nat -> {poly R}.
Hypothesis p_on : forall l, orthonormal_upto n (L l) (p l).
Variable I : 'I_d -> R -> Prop.
Hypothesis I_inf : forall l, infinite (I l).
Variables (x : 'I_m -> 'I_d -> R) (y : 'I_m -> R) (C : R).
Notation mode := {ffun 'I_d -> 'I_n.+1}.
Notation basis := (@tbasis R n d L p).
Notation H := (product_inner L_pos).

(** Phi(x_i) = K_n^(d)(x_i, .) *)
Definition section_map (i : 'I_m) : product_space n L := kernel_section basis (x i).
Notation optimal := (dual_optimal H section_map y (fun=> C)).

Theorem capstone (alpha : 'I_m -> R) :
  (forall i, y i = 1 \/ y i = -1) -> 0 < C -> optimal alpha ->
  let h : product_space n L := w_of section_map y alpha in
  let c : mode -> R := fun k => \sum_i alpha i * y i * \prod_l (p l (k l)).[x i l] in
  let k0 : mode := [ffun=> ord0] in
  exists b : R,
  [/\ [/\ primal_optimal H section_map y (fun=> C) h b,
          forall w b', primal_optimal H section_map y (fun=> C) w b' -> w = h &
          forall alpha', optimal alpha' -> w_of section_map y alpha' = h],
      forall z, ev z h = \sum_i alpha i * y i
        * \prod_l \sum_(k < n.+1) (p l k).[x i l] * (p l k).[z l],
      [/\ forall z, ev z h = \sum_k c k * \prod_l (p l (k l)).[z l],
          forall e : mode -> R, (forall z, in_domain I z ->
            ev z h = \sum_k e k * \prod_l (p l (k l)).[z l]) -> e =1 c,
          \col_k c (enum_val k) = (\matrix_(i, k) ev (x i) (basis (enum_val k)))^T
            *m \col_i (alpha i * y i) :> 'cV_#|{ffun 'I_d -> 'I_n.+1}|,
          c k0 = 0 &
          forall z, ev z h + b = b + \sum_(k | k != k0) c k * \prod_l (p l (k l)).[z l]],
      dot H h h = \sum_k c k ^+ 2 /\
        dot H h h = \sum_(q < d.+1) \sum_(N < (d * n).+1) block c q N &
      h <> 0 ->
        [/\ [/\ forall q N, 0 <= okc c q N, \sum_(q < d.+1) \sum_(N < (d * n).+1) okc c q N = 1,
                \sum_(q < d.+1) okc_order c q = 1 & \sum_(N < (d * n).+1) okc_degree c N = 1],
            \sum_l okc_marginal c l = okc_order c 1,
            \sum_(l < d) \sum_(l' < d | (l < l')%N) okc_pair c l l' = okc_order c 2,
            forall q : nat, \sum_(S : {set 'I_d} | #|S| == q) okc_subset c S = okc_order c q &
            forall S, sobol S h = okc_subset c S]].
Proof.
move=> ys C0 opt h c k0; have [b kktb] := dual_kkt ys opt.
have [_ popt _] := kkt_optimal kktb; have Cge0 (i : 'I_m) : 0 <= C by apply: ltW.
have basisE k z : ev z (basis k) = \prod_l (p l (k l)).[z l] by apply: tbasis_at.
pose s i := alpha i * y i.
have hE : h = trained basis x s by [].
have cE k : c k = trained_coef basis x s k by apply: eq_bigr => i _; rewrite basisE.
have hc : h = combination basis c.
  by rewrite hE h_expansion; apply: eq_bigr => k _; rewrite cE.
have bon := tbasis_orthonormal p_on.
have bal : \sum_i alpha i * y i = 0 by case: opt => -[].
have c0 : c k0 = 0 by rewrite cE; apply: (trained_c0 p_on).
have at_z z : ev z h = \sum_k c k * \prod_l (p l (k l)).[z l].
  by rewrite hc linear_sum; apply: eq_bigr => k _; rewrite linearZ /= -basisE.
have norm : dot H h h = \sum_k c k ^+ 2 by rewrite hc; apply: (norm_squared bon).
exists b; split.
- split=> // [w b' opt'|alpha' opt']; first exact: (w_unique Cge0 popt opt').
  by have [] := dual_optimal_kkt kktb opt'.
- move=> z; rewrite hE trained_at; apply: eq_bigr => i _.
  by rewrite (product_kernel p_on).
- split=> // [e eE k||z].
  + have : combination basis e = combination basis c.
      apply/eqP; rewrite -subr_eq0; apply/eqP/(product_separated I_inf) => z zI.
      rewrite linearB -hc; apply/eqP; rewrite subr_eq0 -[X in _ == X]/(ev z h) (eE z zI).
      by rewrite linear_sum; apply/eqP/eq_bigr => j _; rewrite linearZ /= -basisE.
    by move/(expansion_unique bon)/(_ k).
  + by apply/matrixP => k j; rewrite !mxE; apply: eq_bigr => i _; rewrite !mxE mulrC basisE.
  by rewrite at_z (bigD1 k0)//= c0 mul0r add0r addrC.
- by rewrite norm; split=> //; rewrite block_sum.
move=> h0; have cn : exists k, c k != 0.
  have /(h_nonzero _ _ bon)[k ck] : trained basis x s <> 0 by rewrite -hE.
  by exists k; rewrite cE.
split=> [||||S]; first by split; [apply: okc_ge0 | apply: okc_sum | apply: okc_order_sum |
  apply: okc_degree_sum].
- exact: okc_marginal_sum.
- exact: okc_pair_sum.
- exact: okc_subset_sum.
by rewrite hc; apply: (sobol_okc p_on).
Qed.

(** The dual has a solution: alpha need not be assumed. *)
Theorem capstone_solvable : (forall i, y i = 1 \/ y i = -1) -> 0 < C ->
  exists alpha, optimal alpha.
Proof. by move=> ys C0; apply: dual_exists => // i; apply: ltW. Qed.

End Capstone.

(** The hypotheses of [capstone] can be satisfied for all data. *)
Theorem capstone_instance (R : rcfType) (n d m : nat) (x : 'I_m -> 'I_d -> R) (y : 'I_m -> R)
    (C : R) : (forall i, y i = 1 \/ y i = -1) -> 0 < C ->
  exists (L : 'I_d -> {scalar {poly R}}) (L_pos : forall l, positive_upto n (L l))
    (p : 'I_d -> nat -> {poly R}) (I : 'I_d -> R -> Prop) (alpha : 'I_m -> R),
    [/\ forall l, orthonormal_upto n (L l) (p l), forall l, infinite (I l) &
        dual_optimal (product_inner L_pos) (section_map n L p x) y (fun=> C) alpha].
Proof.
move=> ys C0; have [L [p Lp]] := product_exists R n d.
have L_pos l : positive_upto n (L l) by case: (Lp l).
have [alpha opt] := capstone_solvable L_pos p x ys C0.
exists L, L_pos, p, (fun=> fun t => 0 <= t <= 1), alpha; split=> // l; first by case: (Lp l).
exact: interval_infinite ltr01.
Qed.
