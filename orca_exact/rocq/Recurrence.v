(** * Orthogonal polynomials from a three-term recurrence (section 3.1)

    For sequences a_k, b_k in a field F, with b_k <> 0 for k >= 1, and h_0 <> 0:

      pi_0 = 1,   pi_{k+1} = (x - a_k) pi_k - b_k pi_{k-1}   (pi_{-1} = 0),
      h_k = h_0 b_1 ... b_k,     K_n(x,z) = sum_{k<=n} pi_k(x) pi_k(z) / h_k.

    Proved here, for every n and every such recurrence:

    - pi_k is monic of degree k                                  [op_monic, op_size]
    - (13)  (x-z) K_n(x,z) = (pi_{n+1}(x) pi_n(z) - pi_n(x) pi_{n+1}(z)) / h_n
                                                                 [christoffel_darboux]
    - (14)  K_n(x,x) = (pi_{n+1}'(x) pi_n(x) - pi_n'(x) pi_{n+1}(x)) / h_n
                                                        [christoffel_darboux_confluent]
    - there is one linear functional L with L(pi_0) = h_0 and L(pi_k) = 0 for k > 0,
      and L(pi_j pi_k) = h_k delta_jk                   [favard_functional, favard]
    - two families of degrees 0, 1, 2, ... orthonormal for the same functional agree
      up to signs; with positive leading coefficients they are equal
                                             [orthonormal_unique, orthonormal_unique_pos]

    Over a real closed field, with every b_k > 0 and h_0 > 0, p_k = pi_k / sqrt(h_k)
    is orthonormal of degree k with leading coefficient kappa_k > 0, and (13), (14)
    hold as printed        [orthonormal_op, paper_eq_13, paper_eq_14]

    Every positive definite functional L, such as the integral of a measure of infinite
    support, has such a recurrence, hence orthonormal polynomials   [stieltjes, op_existence]
    *)
From mathcomp Require Import all_ssreflect ssralg zmodp poly ssrnum.
From mathcomp Require Import ring zify.
From Orca Require Import Compat.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** Families of polynomials of degrees 0, 1, 2, ... *)

Definition graded (F : fieldType) (p : nat -> {poly F}) := forall k, size (p k) = k.+1.

(** p_0, ..., p_{n-1} span the polynomials of degree < n. *)
Lemma graded_span (F : fieldType) (p : nat -> {poly F}) (n : nat) (f : {poly F}) :
  graded p -> (size f <= n)%N -> exists c : nat -> F, f = \sum_(k < n) c k *: p k.
Proof.
move=> gp; elim: n f => [|n IH] f.
  by rewrite leqn0 size_poly_eq0 => /eqP->; exists (fun=> 0); rewrite big_ord0.
move=> fn; have lp : lead_coef (p n) != 0 by rewrite lead_coef_eq0 -size_poly_eq0 gp.
pose e := f`_n / lead_coef (p n).
have /IH[c fE] : (size (f - e *: p n)%R <= n)%N.
  apply/leq_sizeP => i; rewrite leq_eqVlt coefB coefZ => /orP[/eqP<-|ni].
    by rewrite [(p n)`_n](_ : _ = lead_coef (p n)) ?divfK ?subrr// lead_coefE gp.
  by rewrite !nth_default ?mulr0 ?subr0 ?gp// (leq_trans fn).
exists (fun k => if k == n then e else c k).
rewrite big_ord_recr /= eqxx (eq_bigr (fun k : 'I_n => c k *: p k)).
  by rewrite -fE subrK.
by move=> k _; rewrite (ltn_eqF (ltn_ord k)).
Qed.

Definition orthonormal_for (F : fieldType) (L : {scalar {poly F}}) (p : nat -> {poly F}) :=
  forall j k, L (p j * p k) = (j == k)%:R.

(** The orthonormal family of a functional is unique up to signs. *)
Theorem orthonormal_unique (F : fieldType) (L : {scalar {poly F}}) (p q : nat -> {poly F}) :
  graded p -> graded q -> orthonormal_for L p -> orthonormal_for L q ->
  forall k, q k = p k \/ q k = - p k.
Proof.
move=> gp gq op oq k.
have qp0 j : (j < k)%N -> L (q k * p j) = 0.
  move=> jk; have [c ->] : exists c : nat -> F, p j = \sum_(i < j.+1) c i *: q i.
    by apply: graded_span; rewrite ?gp.
  rewrite mulr_sumr linear_sum big1// => i _; rewrite -scalerAr linearZ /= oq.
  by rewrite gtn_eqF ?mulr0// (leq_trans (ltn_ord i)).
have [c qE] : exists c : nat -> F, q k = \sum_(i < k.+1) c i *: p i.
  by apply: graded_span; rewrite ?gq.
have cE j : (j < k.+1)%N -> L (q k * p j) = c j.
  move=> jk; rewrite qE mulr_suml linear_sum (bigD1 (Ordinal jk)) //= big1 ?addr0.
    by rewrite -scalerAl linearZ /= op eqxx mulr1.
  by move=> i ij; rewrite -scalerAl linearZ /= op (negPf ij : i == j :> nat = false) mulr0.
have {}qE : q k = c k *: p k.
  rewrite qE big_ord_recr /= big1 ?add0r// => i _.
  by rewrite -cE ?qp0 ?scale0r// ltnW// ltnS.
have /eqP : c k ^+ 2 = 1.
  have := oq k k; rewrite eqxx qE -scalerAl -scalerAr !linearZ /= op eqxx.
  by rewrite mulr1 expr2.
by rewrite sqrf_eq1 => /orP[]/eqP; rewrite qE => ->; [left|right];
  rewrite ?scale1r ?scaleN1r.
Qed.

(** With positive leading coefficients it is unique. *)
Theorem orthonormal_unique_pos (R : realFieldType) (L : {scalar {poly R}})
    (p q : nat -> {poly R}) :
  graded p -> graded q -> orthonormal_for L p -> orthonormal_for L q ->
  (forall k, 0 < lead_coef (p k)) -> (forall k, 0 < lead_coef (q k)) -> q =1 p.
Proof.
move=> gp gq op oq pp pq k; case: (orthonormal_unique gp gq op oq k) => // qN.
by have := pq k; rewrite qN lead_coefN oppr_gt0 => /lt_trans/(_ (pp k)); rewrite ltxx.
Qed.

(** ** The recurrence *)

Section Recurrence.
Variables (F : fieldType) (a b : nat -> F) (h0 : F).

(** The pair (pi_k, pi_{k-1}). *)
Fixpoint op_pair k : {poly F} * {poly F} :=
  if k is k'.+1 then
    let: (p, q) := op_pair k' in (('X - (a k')%:P) * p - b k' *: q, p)
  else (1, 0).

Definition op k : {poly F} := (op_pair k).1.
Definition norm2 k : F := h0 * \prod_(i < k) b i.+1.
Definition kernel n (x z : F) : F := \sum_(k < n.+1) (op k).[x] * (op k).[z] / norm2 k.

Lemma op0 : op 0 = 1. Proof. by []. Qed.

Lemma op1 : op 1 = 'X - (a 0)%:P.
Proof. by rewrite /op /= mulr1 scaler0 subr0. Qed.

Lemma opSS k : op k.+2 = ('X - (a k.+1)%:P) * op k.+1 - b k.+1 *: op k.
Proof. by rewrite /op /=; case: (op_pair k). Qed.

Lemma op_at k x : (op k.+2).[x] = (x - a k.+1) * (op k.+1).[x] - b k.+1 * (op k).[x].
Proof. by rewrite opSS !(hornerD, hornerN, hornerM, hornerZ, hornerX, hornerC). Qed.

Lemma deriv_at k x :
  (op k.+2)^`().[x] =
  (op k.+1).[x] + (x - a k.+1) * (op k.+1)^`().[x] - b k.+1 * (op k)^`().[x].
Proof.
rewrite opSS derivB derivM derivB derivX derivC derivZ subr0 mul1r.
by rewrite !(hornerD, hornerN, hornerM, hornerZ, hornerX, hornerC).
Qed.

Lemma norm20 : norm2 0 = h0. Proof. by rewrite /norm2 big_ord0 mulr1. Qed.

Lemma norm2S k : norm2 k.+1 = norm2 k * b k.+1.
Proof. by rewrite /norm2 big_ord_recr /= mulrA. Qed.

Lemma kernelS n x z :
  kernel n.+1 x z = kernel n x z + (op n.+1).[x] * (op n.+1).[z] / norm2 n.+1.
Proof. by rewrite /kernel big_ord_recr. Qed.

Lemma norm2_neq0 k : h0 != 0 -> (forall i, b i.+1 != 0) -> norm2 k != 0.
Proof. by move=> h b0; apply/mulf_neq0/prodf_neq0. Qed.

Lemma op_monic_size k : op k \is monic /\ size (op k) = k.+1.
Proof.
elim: k {-2}k (leqnn k) => [|m IH] [|[|k]] //; rewrite ?op0 ?op1 ?size_polyC ?oner_eq0 ?monic1 //.
- by rewrite monicXsubC size_XsubC.
rewrite ltnS => km; have [m1 s1] := IH _ km; have [_ s0] := IH _ (ltnW km).
rewrite opSS; set u := _ * _; set v := - _.
have su : size u = k.+3.
  by rewrite size_proper_mul ?size_XsubC ?s1// lead_coefXsubC mul1r lead_coef_eq0 monic_neq0.
have uv : (size v < size u)%N.
  by rewrite size_opp su (leq_ltn_trans (size_scale_leq _ _))// s0 ltnS leqW.
by rewrite size_addl// monicE lead_coefDl// -monicE monicMr ?monicXsubC.
Qed.

(** pi_k is monic ... *)
Theorem op_monic k : op k \is monic. Proof. by case: (op_monic_size k). Qed.

(** ... of degree exactly k. *)
Theorem op_size k : size (op k) = k.+1. Proof. by case: (op_monic_size k). Qed.

(** The Christoffel-Darboux identity, h_n (x-z) K_n(x,z) = ... *)
Theorem christoffel_darboux n x z : h0 != 0 -> (forall k, b k.+1 != 0) ->
  (x - z) * kernel n x z =
  ((op n.+1).[x] * (op n).[z] - (op n).[x] * (op n.+1).[z]) / norm2 n.
Proof.
move=> h0n bn; elim: n => [|n IH].
  rewrite /kernel big_ord_recl big_ord0 addr0 op0 op1 !hornerE norm20 /=; ring.
rewrite kernelS mulrDr IH (op_at n x) (op_at n z) norm2S.
by field; rewrite bn norm2_neq0.
Qed.

Corollary christoffel_darboux_quotient n x z : h0 != 0 -> (forall k, b k.+1 != 0) -> x != z ->
  kernel n x z =
  ((op n.+1).[x] * (op n).[z] - (op n).[x] * (op n.+1).[z]) / norm2 n / (x - z).
Proof.
by move=> h0n bn xz; rewrite -christoffel_darboux// [_ * kernel _ _ _]mulrC mulfK// subr_eq0.
Qed.

(** Its confluent form, z -> x. *)
Theorem christoffel_darboux_confluent n x : h0 != 0 -> (forall k, b k.+1 != 0) ->
  kernel n x x =
  ((op n.+1)^`().[x] * (op n).[x] - (op n)^`().[x] * (op n.+1).[x]) / norm2 n.
Proof.
move=> h0n bn; elim: n => [|n IH].
  rewrite /kernel big_ord_recl big_ord0 addr0 op0 op1 norm20 /=.
  by rewrite derivB derivX !derivC !hornerE; ring.
rewrite kernelS IH (op_at n x) (deriv_at n x) norm2S.
by field; rewrite bn norm2_neq0.
Qed.

(** x pi_k = pi_{k+1} + a_k pi_k + b_k pi_{k-1} *)
Lemma mulX_op0 : 'X * op 0 = op 1 + a 0 *: op 0.
Proof. by rewrite op1 op0 -mul_polyC; ring. Qed.

Lemma mulX_opS k : 'X * op k.+1 = op k.+2 + a k.+1 *: op k.+1 + b k.+1 *: op k.
Proof. by rewrite opSS -!mul_polyC; ring. Qed.

(** Orthogonality for the functional of the recurrence: L(pi_j pi_k) = h_k delta_jk. *)
Theorem favard (L : {scalar {poly F}}) :
  (forall k, L (op k) = (k == 0%N)%:R * h0) ->
  forall j k, L (op j * op k) = (j == k)%:R * norm2 k.
Proof.
move=> L0.
suff H m : forall j, (j <= m)%N -> forall k, L (op j * op k) = (j == k)%:R * norm2 k.
  by move=> j; apply: H.
elim: m => [|m IH] [|j] //.
- by move=> _ k; rewrite {1}op0 mul1r L0; case: k => [|k]; rewrite ?norm20 ?mul0r.
- by move=> _; apply: IH.
rewrite ltnS => jm k; have Ij := IH j jm.
have LX f : L ('X * op j * f) = L (op j * ('X * f)) by rewrite -mulrA mulrCA.
have -> : L (op j.+1 * op k) = L (op j * ('X * op k)) - a j * L (op j * op k)
    - (if j is i.+1 then b j * L (op i * op k) else 0).
  rewrite -LX; case: j {Ij LX} jm => [_|j _].
    by rewrite op1 op0 mulr1 subr0 -linearZ -linearB /= mulrBl mul_polyC mul1r.
  rewrite opSS -[b j.+1 * _]linearZ -[a _ * _]linearZ -!linearB /=; congr (L _).
  by rewrite -!mul_polyC; ring.
have -> : L (op j * ('X * op k)) = L (op j * op k.+1) + a k * L (op j * op k)
    + (if k is i.+1 then b k * L (op j * op i) else 0).
  case: k {LX} => [|k].
    by rewrite mulX_op0 mulrDr linearD -scalerAr linearZ addr0.
  by rewrite mulX_opS !mulrDr !linearD -!scalerAr !linearZ.
rewrite !Ij; case: j {Ij LX} jm => [|j] jm; case: k => [|k]; rewrite ?IH ?(ltnW jm)//.
all: rewrite ?eqSS ?norm2S ?eqn0; do ?case: eqP => //.
all: move=> *; try (exfalso; lia); subst; rewrite /=; ring.
Qed.

(** The functional: X^i has the coordinate coord i k on pi_k. *)
Fixpoint coord i k : F :=
  if i is i'.+1 then
    (if k is k'.+1 then coord i' k' else 0) + a k * coord i' k + b k.+1 * coord i' k.+1
  else (k == 0%N)%:R.

Definition coordinate k (f : {poly F}) : F := \sum_(i < size f) f`_i * coord i k.

Lemma coordinate_wide k n (f : {poly F}) : (size f <= n)%N ->
  coordinate k f = \sum_(i < n) f`_i * coord i k.
Proof.
move=> fn; rewrite /coordinate (big_ord_widen n (fun i => f`_i * coord i k) fn) big_mkcond /=.
by apply: eq_bigr => i _; case: ltnP => // fi; rewrite nth_default ?mul0r.
Qed.

Lemma coordinate_is_scalar k : scalar (coordinate k).
Proof.
move=> c f g; have [n [fn gn]] : exists n, (size f <= n)%N /\ (size g <= n)%N.
  by exists (maxn (size f) (size g)); rewrite leq_maxl leq_maxr.
rewrite !(@coordinate_wide k n)//; last first.
  by rewrite (leq_trans (size_add _ _))// geq_max gn (leq_trans (size_scale_leq _ _)).
rewrite mulr_sumr -big_split /=; apply: eq_bigr => i _.
by rewrite coefD coefZ mulrDl mulrA.
Qed.
Canonical coordinate_linear k := functional (coordinate_is_scalar k).

Lemma coordinate_mulX k f :
  coordinate k ('X * f) =
  (if k is k'.+1 then coordinate k' f else 0) + a k * coordinate k f
  + b k.+1 * coordinate k.+1 f.
Proof.
rewrite (@coordinate_wide k (size f).+1); last first.
  by rewrite (leq_trans (size_mul_leq _ _))// size_polyX.
rewrite big_ord_recl coefXM /= mul0r add0r.
have -> : (if k is k'.+1 then coordinate k' f else 0)
    = \sum_(i < size f) f`_i * (if k is k'.+1 then coord i k' else 0).
  by case: k => // ; rewrite big1// => i _; rewrite mulr0.
rewrite /coordinate !mulr_sumr -!big_split /=; apply: eq_bigr => i _.
by rewrite coefXM /=; case: k => [|k]; ring.
Qed.

Lemma coordinate_op j k : coordinate j (op k) = (j == k)%:R.
Proof.
suff H m : forall k, (k <= m)%N -> forall j, coordinate j (op k) = (j == k)%:R by apply: (H k).
elim: m => [|m IH] {j k}[|[|k]] //.
- by move=> _ j; rewrite op0 (@coordinate_wide j 1) ?size_poly1// big_ord1 coef1 mul1r.
- by move=> _ j; apply: IH.
- move=> _ j; have -> : op 1 = 'X * op 0 - a 0 *: op 0 by rewrite op1 op0 -mul_polyC; ring.
  rewrite linearB linearZ /= coordinate_mulX !IH//.
  by case: j => [|[|j]] /=; rewrite ?IH //=; ring.
rewrite ltnS => km j.
have -> : op k.+2 = 'X * op k.+1 - a k.+1 *: op k.+1 - b k.+1 *: op k.
  by rewrite opSS -!mul_polyC; ring.
rewrite !linearB !linearZ /= coordinate_mulX !IH ?(ltnW km)//.
by case: j => [|j] /=; rewrite ?IH// ?eqSS; do ?case: eqP => //= *;
  try (exfalso; lia); subst; ring.
Qed.

(** There is exactly one such functional. *)
Theorem favard_functional : exists L : {scalar {poly F}},
  (forall k, L (op k) = (k == 0%N)%:R * h0) /\
  (forall L' : {scalar {poly F}}, (forall k, L' (op k) = (k == 0%N)%:R * h0) -> L' =1 L).
Proof.
have Ls : scalar (fun f => coordinate 0%N f * h0).
  by move=> c f g; rewrite linearP /= mulrDl mulrA.
exists (functional Ls); split=> [k /=|L' L'op f /=]; first by rewrite coordinate_op eq_sym.
have [c ->] := graded_span op_size (leqnn (size f)).
rewrite !linear_sum mulr_suml; apply: eq_bigr => k _.
by rewrite !linearZ /= L'op coordinate_op eq_sym mulrA.
Qed.

End Recurrence.

(** ** Orthonormal polynomials, as printed *)

(** Orthonormal for L, of degree k, with positive leading coefficient kappa_k. *)
Definition orthonormal_polynomials (R : realFieldType) (L : {scalar {poly R}})
    (p : nat -> {poly R}) :=
  [/\ graded p, orthonormal_for L p & forall k, 0 < lead_coef (p k)].

Section Orthonormal.
Variables (R : rcfType) (a b : nat -> R) (h0 : R).
Hypotheses (h0_gt0 : 0 < h0) (b_gt0 : forall k, 0 < b k.+1).

Definition onp k : {poly R} := (Num.sqrt (norm2 b h0 k))^-1 *: op a b k.

Lemma norm2_gt0 k : 0 < norm2 b h0 k.
Proof. by rewrite mulr_gt0// prodr_gt0. Qed.

Let root k := Num.sqrt (norm2 b h0 k).
Let root_neq0 k : root k != 0. Proof. by rewrite gt_eqF// sqrtr_gt0 norm2_gt0. Qed.
Let root2 k : norm2 b h0 k = root k ^+ 2. Proof. by rewrite sqr_sqrtr// ltW// norm2_gt0. Qed.

Lemma onp_lead k : lead_coef (onp k) = (root k)^-1.
Proof. by rewrite lead_coefZ (monicP (op_monic a b k)) mulr1. Qed.

Let onp_at k x : (onp k).[x] = (root k)^-1 * (op a b k).[x].
Proof. exact: hornerZ. Qed.

Let onp_deriv_at k x : (onp k)^`().[x] = (root k)^-1 * (op a b k)^`().[x].
Proof. by rewrite derivZ; exact: hornerZ. Qed.

Theorem orthonormal_op (L : {scalar {poly R}}) :
  (forall k, L (op a b k) = (k == 0%N)%:R * h0) -> orthonormal_polynomials L onp.
Proof.
move=> L0; split=> [k|j k|k].
- by rewrite size_scale ?op_size// invr_eq0 root_neq0.
- rewrite -scalerAl -scalerAr !linearZ /= (favard L0) -/(root j) -/(root k).
  case: (j =P k) => [->|_] /=; first by rewrite mulr1n root2; field.
  by rewrite mulr0n mul0r !mulr0.
- by rewrite onp_lead invr_gt0 sqrtr_gt0 norm2_gt0.
Qed.

Lemma onp_eq_13 n x z : x != z ->
  \sum_(k < n.+1) (onp k).[x] * (onp k).[z] =
  lead_coef (onp n) / lead_coef (onp n.+1) *
    (((onp n.+1).[x] * (onp n).[z] - (onp n).[x] * (onp n.+1).[z]) / (x - z)).
Proof.
move=> xz; have h0n : h0 != 0 by rewrite gt_eqF.
have bn k : b k.+1 != 0 by rewrite gt_eqF.
transitivity (kernel a b h0 n x z).
  by apply: eq_bigr => k _; rewrite !onp_at root2; field.
rewrite christoffel_darboux_quotient// !onp_lead !onp_at root2.
by field; rewrite subr_eq0 xz !root_neq0.
Qed.

Lemma onp_eq_14 n x :
  \sum_(k < n.+1) (onp k).[x] ^+ 2 =
  lead_coef (onp n) / lead_coef (onp n.+1) *
    ((onp n.+1)^`().[x] * (onp n).[x] - (onp n)^`().[x] * (onp n.+1).[x]).
Proof.
have h0n : h0 != 0 by rewrite gt_eqF.
have bn k : b k.+1 != 0 by rewrite gt_eqF.
transitivity (kernel a b h0 n x x).
  by apply: eq_bigr => k _; rewrite !onp_at root2; field.
rewrite christoffel_darboux_confluent// !onp_lead !onp_deriv_at !onp_at root2.
by field; rewrite !root_neq0.
Qed.

End Orthonormal.

(** ** Every positive definite functional has its recurrence *)

Definition positive_definite (R : realFieldType) (L : {scalar {poly R}}) :=
  forall f, f != 0 -> 0 < L (f * f).

Section Stieltjes.
Variables (R : realFieldType) (L : {scalar {poly R}}).
Hypothesis Lpos : positive_definite L.

Let alpha (p : {poly R}) := L ('X * p * p) / L (p * p).
Let beta (p q : {poly R}) := L (p * p) / L (q * q).

Fixpoint stieltjes_pair k : {poly R} * {poly R} :=
  if k is k'.+1 then
    let: (p, q) := stieltjes_pair k' in (('X - (alpha p)%:P) * p - beta p q *: q, p)
  else (1, 0).

Let a k := alpha (stieltjes_pair k).1.
Let b k := beta (stieltjes_pair k).1 (stieltjes_pair k).2.
Let p := op a b.

Let pairE k : stieltjes_pair k = op_pair a b k.
Proof. by elim: k => //= k <-; rewrite /a /b; case: (stieltjes_pair k). Qed.

Let aE k : a k = L ('X * p k * p k) / L (p k * p k).
Proof. by rewrite /a pairE. Qed.

Let bE k : b k.+1 = L (p k.+1 * p k.+1) / L (p k * p k).
Proof. by rewrite /b pairE /p /op /=; case: (op_pair a b k). Qed.

Let Lpp k : 0 < L (p k * p k).
Proof. by apply: Lpos; rewrite monic_neq0 ?op_monic. Qed.

Let LpX i f : L ('X * p i * f) = L (p i.+1 * f) + a i * L (p i * f)
  + (if i is j.+1 then b i * L (p j * f) else 0).
Proof.
case: i => [|i]; [rewrite mulX_op0 addr0 | rewrite mulX_opS];
  by rewrite !mulrDl !linearD -!scalerAl !linearZ.
Qed.

Let ortho k i : (i < k)%N -> L (p i * p k) = 0.
Proof.
elim: k {-2}k (leqnn k) i => [|m IH] [|k] // km i.
rewrite ltnS leq_eqVlt => /orP[/eqP->|ik].
  have -> : L (p k * p k.+1) = L ('X * p k * p k) - a k * L (p k * p k).
    rewrite LpX [p k.+1 * _]mulrC; case: k {i} km => [|k] km.
      by rewrite addr0 addrK.
    by rewrite (IH k.+1 km k)// mulr0 addr0 addrK.
  by rewrite aE divfK ?subrr// gt_eqF.
case: k km ik => // k km ik.
have -> : L (p i * p k.+2) = L ('X * p i * p k.+1) - a k.+1 * L (p i * p k.+1)
    - b k.+1 * L (p i * p k).
  rewrite /p opSS -/p -[a _ * _]linearZ -[b _ * _]linearZ -!linearB /=; congr (L _).
  by rewrite -!mul_polyC; ring.
rewrite (IH k.+1 km i ik) LpX (IH k.+1 km i ik).
have -> : (if i is j.+1 then b i * L (p j * p k.+1) else 0) = 0.
  by case: i ik => // i ik; rewrite (IH k.+1 km i (ltnW ik)) mulr0.
move: ik; rewrite ltnS leq_eqVlt => /orP[/eqP->|ik].
  by rewrite bE divfK ?gt_eqF// !mulr0 !addr0 subr0 subrr.
by rewrite (IH k.+1 km i.+1)// (IH k (ltnW km))// !mulr0 !addr0 !subr0.
Qed.

Theorem stieltjes : exists a b : nat -> R,
  (forall k, 0 < b k.+1) /\ (forall k, L (op a b k) = (k == 0%N)%:R * L 1).
Proof.
exists a, b; split=> [k|[|k]]; first by rewrite bE divr_gt0.
  by rewrite mul1r.
by have := @ortho k.+1 0%N isT; rewrite /p op0 mul1r mul0r.
Qed.

End Stieltjes.

(** Existence and uniqueness of the orthonormal polynomials of a measure (section 3.1). *)
Theorem op_existence (R : rcfType) (L : {scalar {poly R}}) : positive_definite L ->
  exists p, orthonormal_polynomials L p /\ forall q, orthonormal_polynomials L q -> q =1 p.
Proof.
move=> Lpos; have [a [b [b_gt0 L0]]] := stieltjes Lpos.
have L1 : 0 < L 1 by have := Lpos 1 (oner_neq0 _); rewrite mulr1.
exists (onp a b (L 1)); have P := orthonormal_op L1 b_gt0 L0; split=> // q [gq oq pq].
by have [gp op pp] := P; apply: orthonormal_unique_pos op oq pp pq.
Qed.

Lemma op_of_measure (R : rcfType) (L : {scalar {poly R}}) p :
  positive_definite L -> orthonormal_polynomials L p ->
  exists a b h0, [/\ 0 < h0, forall k, 0 < b k.+1 & p =1 onp a b h0].
Proof.
move=> Lpos [gp op pp]; have [a [b [b_gt0 L0]]] := stieltjes Lpos.
have L1 : 0 < L 1 by have := Lpos 1 (oner_neq0 _); rewrite mulr1.
exists a, b, (L 1); split=> //; have [gq oq pq] := orthonormal_op L1 b_gt0 L0.
exact: orthonormal_unique_pos oq op pq pp.
Qed.

(** (13) as printed, for every positive definite functional. *)
Theorem paper_eq_13 (R : rcfType) (L : {scalar {poly R}}) (p : nat -> {poly R}) n x z :
  positive_definite L -> orthonormal_polynomials L p -> x != z ->
  \sum_(k < n.+1) (p k).[x] * (p k).[z] =
  lead_coef (p n) / lead_coef (p n.+1) *
    (((p n.+1).[x] * (p n).[z] - (p n).[x] * (p n.+1).[z]) / (x - z)).
Proof.
move=> Lpos /(op_of_measure Lpos)[a [b [h0 [h0_gt0 b_gt0 pE]]]] xz.
by rewrite !pE -onp_eq_13//; apply: eq_bigr => k _; rewrite pE.
Qed.

(** (14) as printed, for every positive definite functional. *)
Theorem paper_eq_14 (R : rcfType) (L : {scalar {poly R}}) (p : nat -> {poly R}) n x :
  positive_definite L -> orthonormal_polynomials L p ->
  \sum_(k < n.+1) (p k).[x] ^+ 2 =
  lead_coef (p n) / lead_coef (p n.+1) *
    ((p n.+1)^`().[x] * (p n).[x] - (p n)^`().[x] * (p n.+1).[x]).
Proof.
move=> Lpos /(op_of_measure Lpos)[a [b [h0 [h0_gt0 b_gt0 pE]]]].
by rewrite !pE -onp_eq_14//; apply: eq_bigr => k _; rewrite pE.
Qed.

(** K_n does not depend on which orthonormal family of the functional is taken. *)
Theorem kernel_well_defined (F : fieldType) (L : {scalar {poly F}}) (p q : nat -> {poly F}) n x z :
  graded p -> graded q -> orthonormal_for L p -> orthonormal_for L q ->
  \sum_(k < n) (p k).[x] * (p k).[z] = \sum_(k < n) (q k).[x] * (q k).[z].
Proof.
move=> gp gq op oq; apply: eq_bigr => k _.
by have [->|->] := orthonormal_unique gp gq op oq k; rewrite ?hornerN ?mulrNN.
Qed.

(** Positive definite functionals exist over every ordered field. *)
Theorem positive_definite_exists (R : realFieldType) :
  exists L : {scalar {poly R}}, positive_definite L.
Proof.
have [L [L0 _]] := favard_functional (fun=> 0 : R) (fun=> 1) 1.
exists L => f f0; have [c fE] := graded_span (op_size (fun=> 0 : R) (fun=> 1)) (leqnn (size f)).
have F := favard L0.
have nE k : norm2 (fun=> 1 : R) 1 k = 1 by rewrite /norm2 big1 ?mulr1.
move: fE; move: (size f) => N fE.
have E : L (f * f) = \sum_(k < N) c k ^+ 2.
  rewrite {1}fE mulr_suml linear_sum; apply: eq_bigr => i _.
  rewrite -scalerAl linearZ /= fE mulr_sumr linear_sum (bigD1 i) //= big1 ?addr0.
    by rewrite -scalerAr linearZ /= F eqxx nE !mulr1 expr2.
  move=> j ji; rewrite -scalerAr linearZ /= F.
  have -> : (i == j :> nat) = false by apply: negbTE; rewrite eq_sym.
  by rewrite mul0r mulr0.
rewrite E lt_def sumr_ge0 ?andbT; last by move=> i _; rewrite sqr_ge0.
apply: contraNneq f0 => z; rewrite fE big1 // => i _.
have : c i ^+ 2 = 0 by move: i isT; apply: psumr_eq0P => // j _; rewrite sqr_ge0.
by move/eqP; rewrite sqrf_eq0 => /eqP->; rewrite scale0r.
Qed.
