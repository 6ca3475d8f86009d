(** * Jacobi's recurrence belongs to Jacobi's weight

    The weight (1 - t)^alpha (1 + t)^beta on [-1, 1] enters through its functional L, the integral
    of a polynomial times the weight. For alpha, beta > -1 integration by parts gives Pearson's
    equation

      L((1 - t^2) p' + (beta - alpha - (alpha + beta + 2) t) p) = 0   for every polynomial p.

    - the polynomials of Jacobi's recurrence satisfy a structure relation      [jacobi_structure]
    - by it, they are orthogonal for every functional with Pearson's equation, and their squared
      norms are those of the recurrence with h_0 = L(1)                       [jacobi_orthogonal]
    - for integers alpha, beta >= 0 the weight is a polynomial, and Pearson's equation is proved
      for the integral over [-1, 1], which is defined by antiderivatives        [weight_pearson]
    - so the polynomials of the recurrence are orthonormal for this integral, if h_0 is that of
      the weight, for instance 2 for Legendre             [jacobi_orthonormal, mass_legendre]
    *)
From mathcomp Require Import all_ssreflect ssralg zmodp poly ssrnum.
From mathcomp Require Import ring.
From Orca Require Import Compat Recurrence.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** ** The structure relation *)

(** (1 - x^2) pi_k' = (u_k - k x) pi_k + (s_k + 1) b_k pi_{k-1}, with u_k = - a_0 - ... - a_{k-1};
    b_k pi_{k-1} is written as (x - a_k) pi_k - pi_{k+1}. *)
Section Structure.
Variables (F : fieldType) (a b s : nat -> F).
Hypothesis sS : forall k, s k.+1 = s k + 2%:R.
Hypothesis a_step : forall k, s k * a k = s k.+2 * a k.+1.
Hypothesis b_first : 1 - a 0 ^+ 2 = (s 1 + 1) * b 1.
Hypothesis b_step : forall k, 1 - a k.+1 ^+ 2 + (s k + 1) * b k.+1 = (s k.+2 + 1) * b k.+2.
Local Notation pi := (op a b).
Local Notation u k := (- \sum_(i < k) a i).
Definition structure k : Prop := (1 - 'X ^+ 2) * (pi k)^`() =
  ((u k)%:P - k%:R *: 'X) * pi k + (s k + 1) *: (('X - (a k)%:P) * pi k - pi k.+1).

Let lift := (polyCM, polyCB, polyCD, polyCN, polyC_exp, polyC1, polyC0).
Let uS k : u k.+1 = u k - a k. Proof. by rewrite big_ord_recr opprD. Qed.
Let u0 : u 0 = 0. Proof. by rewrite big_ord0 oppr0. Qed.

Let structure0 : structure 0.
Proof.
by rewrite /structure op0 op1 derivC u0 !mulr1 subrr scale0r scaler0 mulr0 addr0 subr0.
Qed.

Let structure1 : structure 1.
Proof.
have := congr1 polyC b_first.
rewrite /structure opSS op0 op1 derivB derivX derivC uS u0 -!mul_polyC !lift => B.
transitivity ((1 - (a 0)%:P ^+ 2) + ((a 0)%:P ^+ 2 - 'X ^+ 2) : {poly F}); first by ring.
by rewrite B; ring.
Qed.

Let structureSS k : structure k -> structure k.+1 -> structure k.+2.
Proof.
have nextE : ('X - (a k.+2)%:P) * pi k.+2 - pi k.+3 = b k.+2 *: pi k.+1.
  by rewrite (opSS _ _ k.+1); ring.
have prevE : ('X - (a k.+1)%:P) * pi k.+1 - pi k.+2 = b k.+1 *: pi k.
  by rewrite opSS; ring.
have := congr1 polyC (a_step k); have := congr1 polyC (b_step k).
rewrite /structure nextE prevE opSS derivB derivM derivB derivX derivC derivZ !uS !sS.
have natS j : j.+1%:R = j%:R + 1 :> F by rewrite -addn1 natrD.
rewrite !natS -!mul_polyC !lift; move: (pi k) (pi k.+1) => Q P; move: Q^`() P^`() => Q' P'.
move: (a k)%:P (a k.+1)%:P (b k.+1)%:P (b k.+2)%:P (\sum_(i < k) a i)%:P (s k)%:P k%:R%:P.
move=> a0 a1 b1 b2 v s0 t B A S0 S1; set D := 1 - 'X ^+ 2 in S0 S1 *.
have -> : D * ((1 - 0) * P + ('X - a1) * P' - b1 * Q') =
  D * P + ('X - a1) * (D * P') - b1 * (D * Q') by ring.
rewrite S0 S1 /D.
transitivity ((- v - a0 - a1 - (t + 1 + 1) * 'X) * (('X - a1) * P - b1 * Q)
  + (1 - a1 ^+ 2 + (s0 + 1) * b1) * P
  + b1 * Q * (s0 * a0 - (s0 + 2%:R + 2%:R) * a1)); first by ring.
by rewrite A B; ring.
Qed.

Lemma structure_relation k : structure k.
Proof.
suff: structure k /\ structure k.+1 by case.
by elim: k => [|k [S0 S1]]; split=> //; apply: structureSS.
Qed.
End Structure.

(** ** The recurrence *)

Section Jacobi.
Variables (R : realFieldType) (al be : R).
(** The coefficient b_1 is written without the factor that may vanish. *)
Definition jacobi_a (k : nat) : R := let s := k.*2%:R + al + be in
  if k is 0 then (be - al) / (al + be + 2%:R)
  else (be ^+ 2 - al ^+ 2) / (s * (s + 2%:R)).
Definition jacobi_b (k : nat) : R := let s := k.*2%:R + al + be in
  if k is 1 then 4%:R * (1 + al) * (1 + be) / (s ^+ 2 * (s + 1))
  else 4%:R * k%:R * (k%:R + al) * (k%:R + be) * (k%:R + al + be)
    / (s ^+ 2 * (s + 1) * (s - 1)).

(** Pearson's equation. *)
Definition pearson (L : {scalar {poly R}}) : Prop := forall p : {poly R},
  L ((1 - 'X ^+ 2) * p^`() + ((be - al)%:P - (al + be + 2%:R) *: 'X) * p) = 0.

Hypotheses (al_gt : -1 < al) (be_gt : -1 < be).

(** alpha + beta + 2 + k > 0 *)
Lemma jacobi_gt0 (k : nat) : 0 < al + be + 2%:R + k%:R.
Proof.
have -> : al + be + 2%:R + k%:R = (al - -1) + (be - -1) + k%:R by ring.
by rewrite ltr_wpDr ?ler0n // addr_gt0 // subr_gt0.
Qed.

(** Its b_k are positive. *)
Lemma jacobi_b_gt0 k : 0 < jacobi_b k.+1.
Proof.
have a1 := al_gt; have b1 := be_gt.
have al0 : 0 < 1 + al by rewrite addrC -ltrBlDr sub0r.
have be0 : 0 < 1 + be by rewrite addrC -ltrBlDr sub0r.
have k0 : 0 <= k%:R :> R := ler0n _ k.
have kal : 0 < k.+1%:R + al by rewrite -addn1 natrD -addrA ltr_wpDl.
have kbe : 0 < k.+1%:R + be by rewrite -addn1 natrD -addrA ltr_wpDl.
have kk : 0 < k.+1%:R :> R by rewrite ltr0n.
have s0 : 0 < k.+1.*2%:R + al + be.
  have -> : k.+1.*2%:R + al + be = (k.+1%:R + al) + (k.+1%:R + be).
    by rewrite -addnn natrD; ring.
  exact: addr_gt0.
rewrite /jacobi_b; case: k k0 kal kbe kk s0 => [|k] k0 kal kbe kk s0.
  by rewrite divr_gt0 ?mulr_gt0 ?ltr0n ?exprn_gt0// addr_gt0.
have sab : 0 < k.+2%:R + al + be.
  have -> : k.+2%:R + al + be = k%:R + ((1 + al) + (1 + be)) by rewrite -addn2 natrD; ring.
  by rewrite ltr_wpDl ?ler0n// addr_gt0.
have sm1 : 0 < k.+2.*2%:R + al + be - 1.
  have -> : k.+2.*2%:R + al + be - 1 = (k.+2%:R + al + be) + k.+1%:R.
    have E : k.+2%:R = k.+1%:R + 1 :> R by rewrite -[k.+2]addn1 natrD.
    by rewrite -addnn natrD E; ring.
  by rewrite addr_gt0 ?ltr0n.
have sp1 : 0 < k.+2.*2%:R + al + be + 1 by apply: addr_gt0 s0 ltr01.
by rewrite divr_gt0 ?mulr_gt0 ?ltr0n ?exprn_gt0.
Qed.

Local Notation a := jacobi_a.
Local Notation b := jacobi_b.
Local Notation pi := (op jacobi_a jacobi_b).
Let s (k : nat) : R := k.*2%:R + al + be.
Let sE k : s k = 2%:R * k%:R + al + be. Proof. by rewrite /s -mul2n natrM. Qed.
Let natS (k : nat) : k.+1%:R = k%:R + 1 :> R. Proof. by rewrite -addn1 natrD. Qed.

Let nz (k j : nat) (x : R) : x = al + be + 2%:R + (2%:R * k%:R + j%:R) -> x != 0.
Proof. by move->; rewrite -natrM -natrD gt_eqF // jacobi_gt0. Qed.

(** What the structure relation needs of the coefficients, with s_k = 2k + alpha + beta. *)
Let a_step k : s k * a k = s k.+2 * a k.+1.
Proof.
rewrite /jacobi_a -!/(s _); case: k => [|k]; rewrite !sE !natS; field.
  by apply/andP; split; [apply: (@nz 0 2) | apply: (@nz 0 0)]; ring.
by apply/and3P; split; [apply: (@nz k 4) | apply: (@nz k 2) | apply: (@nz k 0)]; ring.
Qed.

Let b_first : 1 - a 0 ^+ 2 = (s 1 + 1) * b 1.
Proof.
rewrite /jacobi_a /jacobi_b -!/(s _) !sE; field.
by apply/andP; split; [apply: (@nz 0 1) | apply: (@nz 0 0)]; ring.
Qed.

Let b_step k : 1 - a k.+1 ^+ 2 + (s k + 1) * b k.+1 = (s k.+2 + 1) * b k.+2.
Proof.
rewrite /jacobi_a /jacobi_b -!/(s _); case: k => [|k]; rewrite !sE !natS; field.
  apply/and4P; split;
    [apply: (@nz 0 1) | apply: (@nz 0 3) | apply: (@nz 0 2) | apply: (@nz 0 0)]; ring.
apply/and5P; split; [apply: (@nz k 3) | apply: (@nz k 5) | apply: (@nz k 4) | apply: (@nz k 1) |
  apply: (@nz k 2)]; ring.
Qed.


(** Jacobi's polynomials satisfy the structure relation, and are therefore orthogonal for every
    functional with Pearson's equation. *)
Lemma jacobi_structure k : structure a b s k.
Proof. by apply: structure_relation => // j; rewrite !sE natS; ring. Qed.

Lemma pearson_op (L : {scalar {poly R}}) k : pearson L -> L (pi k.+1) = 0.
Proof.
move=> LP; pose c j := (be - al) - (\sum_(i < j) a i) - (s j + 1) * a j.
have step j : c j * L (pi j) + (j%:R - 1) * L ('X * pi j) - (s j + 1) * L (pi j.+1) = 0.
  have := LP (pi j); rewrite jacobi_structure.
  suff -> : forall P Q : {poly R}, ((- \sum_(i < j) a i)%:P - j%:R *: 'X) * P
      + (s j + 1) *: (('X - (a j)%:P) * P - Q) + ((be - al)%:P - (al + be + 2%:R) *: 'X) * P =
    c j *: P + (j%:R - 1) *: ('X * P) - (s j + 1) *: Q by rewrite linearB linearD !scalarZ.
  move=> P Q; rewrite /c sE -!mul_polyC; move: (a j) (\sum_(i < j) a i) j%:R => x v t.
  by rewrite !(polyCM, polyCB, polyCD, polyCN, polyC1, polyC0); ring.
suff: L (pi k.+1) = 0 /\ k%:R * L (pi k) = 0 by case.
elim: k => [|k [L1 L0]]; split; rewrite ?mul0r ?L1 ?mulr0 //.
  have aE : (al + be + 2%:R) * a 0 = be - al.
    by rewrite /jacobi_a; field; apply: (@nz 0 0); ring.
  have := step 0%N; rewrite mulX_op0 linearD scalarZ /c big_ord0 sE -aE.
  move: (a 0%N) (L (pi 0)) (L (pi 1)) => x l0 l1 E.
  have : (al + be + 2%:R) * l1 = 0 by rewrite -[LHS]opprK -[RHS]oppr0 -E; congr (- _); ring.
  by move/eqP; rewrite mulf_eq0 (negPf (@nz 0 0 _ _)); [move/eqP | ring].
have := step k.+1; rewrite mulX_opS !linearD !scalarZ L1 sE natS.
move: (a k.+1) (L (pi k.+2)) (c k.+1) => x l2 z; set y := (y in y = 0 -> _) => E.
have : (al + be + 2%:R + k.+1%:R) * l2 = 0.
  have -> : (al + be + 2%:R + k.+1%:R) * l2 = b k.+1 * (k%:R * L (pi k)) - y.
    by rewrite /y (natS k); move: (b k.+1) (L (pi k)) => b1 l0; ring.
  by rewrite L0 E mulr0 subr0.
by move/eqP; rewrite mulf_eq0 (gt_eqF (jacobi_gt0 _)) => /eqP.
Qed.

Theorem jacobi_orthogonal (L : {scalar {poly R}}) : pearson L ->
  forall j k, L (pi j * pi k) = (j == k)%:R * norm2 b (L 1) k.
Proof.
move=> LP; apply: favard => -[|k]; first by rewrite mul1r.
by rewrite pearson_op // mul0r.
Qed.
End Jacobi.

(** ** Integer alpha and beta *)

Section Integral.
Variable R : realFieldType.
Let integral_of (f : {poly R}) : R := \sum_(i < size f) f`_i * ((1 - (-1) ^+ i.+1) / i.+1%:R).
Let wide n (f : {poly R}) : (size f <= n)%N ->
  integral_of f = \sum_(i < n) f`_i * ((1 - (-1) ^+ i.+1) / i.+1%:R).
Proof.
move=> fn; rewrite /integral_of.
rewrite (big_ord_widen n (fun i => f`_i * ((1 - (-1) ^+ i.+1) / i.+1%:R)) fn) big_mkcond /=.
by apply: eq_bigr => i _; case: ltnP => // fi; rewrite nth_default ?mul0r.
Qed.
Fact integral_scalar : scalar integral_of.
Proof.
move=> c f g; pose n := maxn (size f) (size g).
have fn : (size f <= n)%N := leq_maxl _ _; have gn : (size g <= n)%N := leq_maxr _ _.
rewrite !(@wide n) //; last first.
  by rewrite (leq_trans (size_add _ _)) // geq_max gn (leq_trans (size_scale_leq _ _)).
by rewrite mulr_sumr -big_split /=; apply: eq_bigr => i _; rewrite coefD coefZ mulrDl -mulrA.
Qed.
(** The integral over [-1, 1]: t^i has the antiderivative t^(i+1) / (i+1). *)
Definition integral : {scalar {poly R}} := functional integral_scalar.

(** It is what antiderivatives say. *)
Theorem integral_deriv (f : {poly R}) : integral f^`() = f.[1] - f.[-1].
Proof.
rewrite [LHS](@wide (size f)) ?(leq_trans (size_poly _ _)) ?leq_pred //.
rewrite !(@horner_coef_wide _ (size f).+1) ?leqnSn // -sumrB big_ord_recl !expr0 subrr add0r.
apply: eq_bigr => i _; rewrite coef_deriv expr1n lift0 -mulrBr -mulr_natr.
by rewrite -mulrA [_%:R * _]mulrC divfK ?pnatr_eq0.
Qed.

(** (1 - t)^alpha (1 + t)^beta *)
Definition weight (al be : nat) : {poly R} := (1 - 'X) ^+ al * (1 + 'X) ^+ be.

Section Weighted.
Variables al be : nat.
Fact weighted_scalar : scalar (fun f : {poly R} => integral (weight al be * f)).
Proof. by move=> c f g; rewrite mulrDr -scalerAr linearP. Qed.
(** The integral with this weight. *)
Definition weighted : {scalar {poly R}} := functional weighted_scalar.
Lemma weightedE f : weighted f = integral (weight al be * f). Proof. by []. Qed.

(** Integration by parts. *)
Theorem weight_pearson : pearson al%:R be%:R weighted.
Proof.
move=> p; rewrite weightedE.
have -> : weight al be * ((1 - 'X ^+ 2) * p^`()
    + ((be%:R - al%:R)%:P - (al%:R + be%:R + 2%:R) *: 'X) * p) =
  (weight al.+1 be.+1 * p)^`().
  rewrite /weight derivM derivM !deriv_exp derivB derivD derivX derivC /= !exprS.
  rewrite -mul_polyC !(polyCB, polyCD) !rmorph_nat.
  by move: ((1 - 'X) ^+ al) ((1 + 'X) ^+ be) => f g; ring.
rewrite integral_deriv /weight !hornerM !horner_exp !hornerE.
by rewrite !subrr !expr0n /= !(mul0r, mulr0) subrr.
Qed.

(** The masses of neighbouring weights: Pearson's equation for p = 1. *)
Let first_moment : (al + be).+2%:R * weighted 'X = (be%:R - al%:R) * weighted 1.
Proof.
have := weight_pearson 1; rewrite derivC mulr0 add0r mulr1 linearB scalarZ -alg_polyC scalarZ.
by move/eqP; rewrite subr_eq0 => /eqP E; rewrite -addn2 !natrD -E.
Qed.
Lemma mass_left :
  (al + be).+2%:R * integral (weight al.+1 be) = al.+1.*2%:R * integral (weight al be).
Proof.
have -> : weight al.+1 be = weight al be * (1 - 'X) by rewrite /weight exprS; ring.
rewrite -weightedE linearB mulrBr first_moment -[weight al be]mulr1 -weightedE -mulrBl.
by congr (_ * _); rewrite -addn2 natrD -mul2n -addn1 natrM !natrD; ring.
Qed.
Lemma mass_right :
  (al + be).+2%:R * integral (weight al be.+1) = be.+1.*2%:R * integral (weight al be).
Proof.
have -> : weight al be.+1 = weight al be * (1 + 'X) by rewrite /weight exprS; ring.
rewrite -weightedE linearD mulrDr first_moment -[weight al be]mulr1 -weightedE -mulrDl.
by congr (_ * _); rewrite -addn2 natrD -mul2n -addn1 natrM !natrD; ring.
Qed.
End Weighted.

Theorem mass_legendre : integral (weight 0 0) = 2%:R.
Proof.
have -> : weight 0 0 = ('X : {poly R})^`() by rewrite derivX /weight !expr0 mulr1.
by rewrite integral_deriv !hornerX opprK.
Qed.

Lemma mass_gt0 al be : 0 < integral (weight al be).
Proof.
have pos n : 0 < n.+1%:R :> R by rewrite ltr0n.
elim: al => [|al IH]; last first.
  by rewrite -(pmulr_rgt0 _ (pos (al + be).+1)) mass_left doubleS mulr_gt0.
elim: be => [|be IH]; first by rewrite mass_legendre pos.
by rewrite -(pmulr_rgt0 _ (pos (0 + be).+1)) mass_right doubleS mulr_gt0.
Qed.
End Integral.

(** For such weights the recurrence gives the orthonormal polynomials. *)
Theorem jacobi_orthonormal (R : rcfType) (al be : nat) : orthonormal_polynomials (weighted R al be)
  (onp (jacobi_a al%:R be%:R) (jacobi_b al%:R be%:R) (integral R (weight R al be))).
Proof.
have gt (k : nat) : -1 < k%:R :> R := lt_le_trans (ltrN10 R) (ler0n R k).
have one : weighted R al be 1 = integral R (weight R al be) by rewrite weightedE mulr1.
have L0 k : weighted R al be (op (jacobi_a al%:R be%:R) (jacobi_b al%:R be%:R) k) =
    (k == 0%N)%:R * integral R (weight R al be).
  case: k => [|k]; first by rewrite mul1r -one.
  by rewrite (pearson_op (gt _) (gt _)) ?mul0r //; apply: weight_pearson.
apply: (orthonormal_op _ _ L0) => [|k]; first exact: mass_gt0.
by apply: jacobi_b_gt0; apply: gt.
Qed.
