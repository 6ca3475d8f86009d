(** * The generating function of the blocks (section 5)

    The library does not enumerate the (n+1)^d modes. For every n, d and m, points x_i,
    s_i = alpha_i y_i, values e_k and weights w_k (e_k = pi_k and w_k = h_0/h_k, or
    e_k = p_k and w_k = 1), the polynomial

      G(t,z) = sum_ij s_i s_j prod_l (w_0 e_0(x_il) e_0(x_jl)
                                      + t sum_{k=1}^n z^k w_k e_k(x_il) e_k(x_jl))

    has as coefficient of t^q z^N the block

      C_N^(q) = sum over q(k) = q, N(k) = N of c_k^2,
      c_k^2 = prod_l w_{k_l} (sum_i s_i prod_l e_{k_l}(x_il))^2.

    - the coefficients                              [generating_function],
      with the orthonormal p_k                      [generating_function_orthonormal],
      with pi_k/h_k, up to the scale h_0^d          [generating_function_monic]
    - these sums are the c_k of h in the tensor product     [tensor_coefficients]
    - the value at (t,z)                            [generating_value];
      at (1,-1), even minus odd degrees             [generating_alternating]
    - the modes active exactly on A, in closed form [subset_closed_form]
    *)
From mathcomp Require Import all_ssreflect ssralg ssrnum poly.
From mathcomp Require Import ring.
From Orca Require Import Form Family Expansion.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Generating.
Variables (R : realFieldType) (X : Type) (n d m : nat).
Notation mode := {ffun 'I_d -> 'I_n.+1}.
Variables (e : 'I_n.+1 -> X -> R) (w : 'I_n.+1 -> R) (x : 'I_m -> 'I_d -> X) (s : 'I_m -> R).

(** e_k(x) = prod_l e_{k_l}(x_l); its amplitude sum_i s_i e_k(x_i); its weight prod_l w_{k_l}. *)
Definition amplitude (k : mode) : R := \sum_i s i * \prod_l e (k l) (x i l).
Definition weight (k : mode) : R := \prod_l w (k l).
Definition weighted_block (q N : nat) : R :=
  \sum_(k : mode | (order k == q) && (degree k == N)) weight k * amplitude k ^+ 2.

(** w_0 e_0 e_0 + t sum_{k>=1} z^k w_k e_k(x) e_k(z), a polynomial in t over polynomials in z *)
Definition factor (u v : X) : {poly {poly R}} :=
  (w ord0 * e ord0 u * e ord0 v)%:P%:P
  + 'X * (\sum_(k < n.+1 | (0 < k)%N) (w k * e k u * e k v) *: 'X^k)%:P.
Definition generating : {poly {poly R}} :=
  \sum_i \sum_j (s i * s j)%:P%:P * \prod_l factor (x i l) (x j l).

Lemma factorE u v :
  factor u v = \sum_(k < n.+1) ((w k * e k u * e k v) *: 'X^k)%:P * 'X^(0 < k)%N.
Proof.
rewrite (bigD1 ord0)//= mulr1 expr0 alg_polyC /factor; congr (_ + _).
rewrite mulrC rmorph_sum mulr_suml /=; apply: eq_big => [k|k k0]; last by rewrite k0.
by rewrite -val_eqE /= lt0n.
Qed.

Lemma amplitude2 k : weight k * amplitude k ^+ 2 =
  \sum_i \sum_j s i * s j * \prod_l (w (k l) * e (k l) (x i l) * e (k l) (x j l)).
Proof.
rewrite expr2 mulr_suml mulr_sumr; apply: eq_bigr => i _.
rewrite !mulr_sumr; apply: eq_bigr => j _.
by rewrite mulrACA mulrCA [weight k * _]mulrA mulrCA !big_split.
Qed.

(** prod_l t^[k_l > 0] z^(k_l) = t^q(k) z^N(k) *)
Lemma generatingE : generating =
  \sum_(k : mode) ((weight k * amplitude k ^+ 2) *: 'X^(degree k))%:P * 'X^(order k).
Proof.
pose term (k : mode) i j :=
  ((s i * s j * \prod_l (w (k l) * e (k l) (x i l) * e (k l) (x j l))) *: 'X^(degree k))%:P
  * 'X^(order k) : {poly {poly R}}.
have pairE i j : (s i * s j)%:P%:P * \prod_l factor (x i l) (x j l) = \sum_k term k i j.
  rewrite (eq_bigr _ (fun l _ => factorE (x i l) (x j l))) bigA_distr_bigA mulr_sumr /=.
  apply: eq_bigr => k _; rewrite big_split /= -rmorph_prod /= scaler_prod /term.
  rewrite mulrA -polyCM [(s i * s j)%:P * _]mul_polyC scalerA !prodrXr -/(degree k); congr (_ * _).
  congr ('X^_); rewrite /order -sum1_card [RHS]big_mkcond /=.
  by apply: eq_bigr => l _; rewrite inE; case: (0 < _)%N.
rewrite /generating; under eq_bigr => i _ do under eq_bigr => j _ do rewrite pairE.
under eq_bigr => i _ do rewrite exchange_big /=; rewrite exchange_big /=.
apply: eq_bigr => k _; rewrite amplitude2 scaler_suml rmorph_sum mulr_suml.
apply: eq_bigr => i _; rewrite scaler_suml rmorph_sum mulr_suml.
by apply: eq_bigr.
Qed.

Theorem generating_function q N : generating`_q`_N = weighted_block q N.
Proof.
rewrite generatingE coef_sum coef_sum /weighted_block [RHS]big_mkcond; apply: eq_bigr => k _.
rewrite coefCM coefXn [q == _]eq_sym; case: eqP => _ /=; last by rewrite mulr0 coef0.
by rewrite mulr1 coefZ coefXn [N == _]eq_sym; case: eqP; rewrite ?mulr1 ?mulr0.
Qed.

(** Its value at (t, z). *)
Theorem generating_value (t z : R) : generating.[t%:P].[z] =
  \sum_(k : mode) t ^+ order k * z ^+ degree k * (weight k * amplitude k ^+ 2).
Proof.
rewrite generatingE !horner_sum; apply: eq_bigr => k _.
rewrite hornerCM hornerXn -polyC_exp hornerM hornerC hornerZ hornerXn.
by rewrite [RHS]mulrC [t ^+ _ * _]mulrC mulrA.
Qed.

End Generating.

(** With the orthonormal p_k themselves: e_k = p_k and all weights 1. The constant of each
    factor is p_0(x) p_0(z), that is p_0^2, and the coefficients are the C_N^(q). *)
Theorem generating_function_orthonormal (R : realFieldType) (X : Type) (n d m : nat)
    (p : 'I_n.+1 -> X -> R) (x : 'I_m -> 'I_d -> X) (s : 'I_m -> R) q N :
  (generating p (fun=> 1) x s)`_q`_N = block (amplitude p x s) q N.
Proof.
rewrite generating_function; apply: eq_bigr => k _.
by rewrite /weight big1 ?mul1r.
Qed.

(** The amplitudes of the p_k are the coefficients of h in the tensor-product space. *)
Theorem tensor_coefficients (R : realFieldType) (X : Type) (S : space R X) (n d m : nat)
    (p : 'I_n.+1 -> S) (T : tensor_space p d) (x : 'I_m -> 'I_d -> X) (s : 'I_m -> R) :
  trained_coef (tensor_basis T) x s =1 amplitude (fun k u => ev u (p k)) x s.
Proof. by move=> k; apply: eq_bigr => i _; rewrite tensor_basis_at. Qed.

(** As the library has it: pi_k, and h_0/h_k for the weights; then h_0^(-d) times the result
    belongs to p_k = pi_k/sqrt(h_k), that is to weights 1/h_k. *)
Theorem generating_function_monic (R : realFieldType) (X : Type) (n d m : nat)
    (pi : 'I_n.+1 -> X -> R) (h : 'I_n.+1 -> R) (x : 'I_m -> 'I_d -> X) (s : 'I_m -> R) q N :
  (generating pi (fun k => h ord0 / h k) x s)`_q`_N =
  h ord0 ^+ d * weighted_block pi (fun k => (h k)^-1) x s q N.
Proof.
rewrite generating_function mulr_sumr; apply: eq_bigr => k _.
by rewrite /weight big_split /= prodr_const card_ord mulrA.
Qed.

(** At t = 1, z = -1: the even degrees minus the odd ones. *)
Theorem generating_alternating (R : realFieldType) (X : Type) (n d m : nat)
    (p : 'I_n.+1 -> X -> R) (x : 'I_m -> 'I_d -> X) (s : 'I_m -> R) :
  (generating p (fun=> 1) x s).[1].[-1] = alternating (amplitude p x s).
Proof.
rewrite -polyC1 generating_value; apply: eq_bigr => k _.
by rewrite /weight big1// expr1n !mul1r.
Qed.

(** The modes active exactly on A:
    sum_ij s_i s_j p_0^(2(d-|A|)) prod_{l in A} (K_n(x_il,x_jl) - p_0^2). *)
Theorem subset_closed_form (R : realFieldType) (X : Type) (n d m : nat)
    (p : 'I_n.+1 -> X -> R) (p0 : R) (x : 'I_m -> 'I_d -> X) (s : 'I_m -> R) (A : {set 'I_d}) :
  (forall u, p ord0 u = p0) ->
  let Kn u v := \sum_k p k u * p k v in
  \sum_(k : {ffun 'I_d -> 'I_n.+1} | act k == A) amplitude p x s k ^+ 2 =
  \sum_i \sum_j s i * s j * p0 ^+ (2 * (d - #|A|))
    * \prod_(l in A) (Kn (x i l) (x j l) - p0 ^+ 2).
Proof.
move=> p0E Kn.
pose one (k : {ffun 'I_d -> 'I_n.+1}) i j := \prod_l (p (k l) (x i l) * p (k l) (x j l)).
transitivity (\sum_i \sum_j \sum_(k | act k == A) s i * s j * one k i j).
  under [RHS]eq_bigr => i _ do rewrite exchange_big /=; rewrite exchange_big /=.
  apply: eq_bigr => k _; rewrite expr2 mulr_suml; apply: eq_bigr => i _.
  rewrite mulr_sumr; apply: eq_bigr => j _; by rewrite mulrACA /one big_split.
apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite -mulr_sumr -[RHS]mulrA; congr (_ * _).
pose F l (v : 'I_n.+1) := (0 < v)%N == (l \in A).
rewrite (eq_bigl (fun k => k \in family F)) => [|k]; last first.
  apply/eqP/familyP => [E l|kF]; first by rewrite [_ \in _]unfold_in /F -E inE eqxx.
  by apply/setP => l; have := kF l; rewrite [_ \in F l]unfold_in inE => /eqP.
rewrite -(bigA_distr_big_dep _ (fun l v => p v (x i l) * p v (x j l))) /=.
rewrite (bigID (mem A)) /= mulrC; congr (_ * _).
  rewrite (eq_bigr (fun=> p0 ^+ 2)) => [|l lA].
    rewrite prodr_const exprM; congr (_ ^+ _).
    have dE : d = (#|A| + #|[predC A]|)%N by rewrite cardC card_ord.
    by rewrite [X in _ = (X - _)%N]dE addKn.
  rewrite (big_pred1 ord0) ?p0E// => v.
  by rewrite /F (negPf lA) eqbF_neg -eqn0Ngt.
apply: eq_bigr => l lA; rewrite /Kn [in RHS](bigD1 ord0)//= !p0E -expr2 addrAC subrr add0r.
by apply: eq_bigl => v; rewrite /F lA eqb_id lt0n.
Qed.
