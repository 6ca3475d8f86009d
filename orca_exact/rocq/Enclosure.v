(** * Enclosing an index by the distance of two classifiers

    Let w, w' be coefficient vectors over a finite set of modes, P any set of modes and

      OKC(w) = sum_{k in P} w_k^2 / sum_k w_k^2 = cos^2 phi

    its share: OKC_N^(q), OKC^(q), OKC_N, OKC_i, OKC_ij and OKC_S are all of this form.
    If ||w - w'|| <= r < ||w|| and sin theta = r/||w||, then

      cos^2(phi + theta) <= OKC(w') <= cos^2(phi - theta),

    the left side read as 0 if phi + theta exceeds a right angle [index_lower], the
    right side as 1 if phi < theta [index_upper, index_le1]. Written without
    trigonometry, over any real closed field: with c = sqrt(OKC(w)), s = sqrt(1 - OKC(w)),
    cos theta = sqrt(1 - sin^2 theta),

      max(0, c cos theta - s sin theta)^2 <= OKC(w') <= (c cos theta + s sin theta)^2,

    which is what profile.widened computes. The coefficients themselves satisfy
    |w_k - w'_k| <= r [coefficient_close], the norms | ||w|| - ||w'|| | <= r [norm_close].
    *)
From mathcomp Require Import all_ssreflect ssralg ssrnum.
From mathcomp Require Import ring.
From Orca Require Import Compat.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Plane.
Variables (R : realFieldType) (c s c' s' kappa sigma : R).
Hypotheses (c_ge0 : 0 <= c) (s_ge0 : 0 <= s) (c'_ge0 : 0 <= c') (s'_ge0 : 0 <= s').
Hypotheses (kappa_ge0 : 0 <= kappa) (sigma_ge0 : 0 <= sigma).
Hypotheses (cs : c ^+ 2 + s ^+ 2 = 1) (cs' : c' ^+ 2 + s' ^+ 2 = 1).
Hypothesis ks : kappa ^+ 2 + sigma ^+ 2 = 1.
Hypothesis angle : (c * s' - s * c') ^+ 2 <= sigma ^+ 2.

Let D := s * c' - c * s'.
Let E := c * c' + s * s'.
Let D_le : D <= sigma.
Proof.
rewrite (le_trans (ler_norm _))// -(ler_pXn2r (n := 2)) ?nnegrE ?normr_ge0//.
by rewrite real_normK ?num_real// -sqrrN opprB.
Qed.
Let DE : E ^+ 2 = 1 - D ^+ 2.
Proof. by rewrite -[1]mulr1 -{1}cs -cs' /E /D; ring. Qed.
Let E_ge0 : 0 <= E. Proof. by rewrite addr_ge0 ?mulr_ge0. Qed.
Let E_ge : kappa <= E.
Proof.
rewrite -(ler_pXn2r (n := 2)) ?nnegrE// DE -ks -subr_ge0.
have -> : kappa ^+ 2 + sigma ^+ 2 - D ^+ 2 - kappa ^+ 2 = sigma ^+ 2 - D ^+ 2 by ring.
by rewrite subr_ge0 -sqrrN opprB.
Qed.
Let D_ge : - sigma <= D.
Proof.
rewrite lerNl (le_trans (ler_norm _))// normrN -(ler_pXn2r (n := 2)) ?nnegrE ?normr_ge0//.
by rewrite real_normK ?num_real// -sqrrN opprB.
Qed.
Let c'E : c' = c * E + s * D.
Proof. by rewrite -[LHS]mulr1 -cs /E /D; ring. Qed.

(** cos(phi + theta) <= cos phi' if |phi - phi'| <= theta *)
Lemma plane_lower : c * kappa - s * sigma <= c'.
Proof. by rewrite c'E lerD ?ler_wpM2l// -mulrN ler_wpM2l. Qed.

(** cos phi' <= cos(phi - theta) if moreover theta <= phi *)
Lemma plane_upper : sigma <= s -> c' <= c * kappa + s * sigma.
Proof.
move=> sig_s; have c_le : c <= kappa.
  rewrite -(ler_pXn2r (n := 2)) ?nnegrE//.
  have -> : c ^+ 2 = 1 - s ^+ 2 by rewrite -cs addrK.
  have -> : kappa ^+ 2 = 1 - sigma ^+ 2 by rewrite -ks addrK.
  by rewrite lerD2l lerN2 ler_pXn2r ?nnegrE.
rewrite -subr_ge0; have [EK|EK] := eqVneq (E + kappa) 0.
  have /andP[/eqP E0 /eqP k0] : (E == 0) && (kappa == 0) by rewrite -paddr_eq0 ?EK.
  rewrite c'E E0 k0 !mulr0 !add0r -mulrBr mulr_ge0// subr_ge0.
  exact: D_le.
have EKpos : 0 < E + kappa by rewrite lt_def EK addr_ge0.
rewrite -(pmulr_rge0 _ EKpos).
have -> : (E + kappa) * (c * kappa + s * sigma - c') =
    (sigma - D) * (s * (E + kappa) - c * (sigma + D)).
  have H : E ^+ 2 - kappa ^+ 2 = sigma ^+ 2 - D ^+ 2 by rewrite DE -ks; ring.
  rewrite c'E; transitivity (s * (sigma - D) * (E + kappa) - c * (E ^+ 2 - kappa ^+ 2)).
    by ring.
  by rewrite H; ring.
have ck : c * s <= s * kappa by rewrite [s * _]mulrC ler_wpM2r.
rewrite mulr_ge0 ?subr_ge0// (mulrDr c) (mulrDr s E) [s * E + _]addrC; apply: lerD.
  by rewrite (le_trans _ ck)// ler_wpM2l.
apply: (@le_trans _ _ (c * s)); first by rewrite ler_wpM2l// (le_trans D_le).
by rewrite (le_trans ck)// ler_wpM2l.
Qed.
End Plane.

(** (sum_P x y)^2 <= sum_P x^2 sum_P y^2 *)
Lemma sum_cauchy_schwarz (R : realFieldType) (M : finType) (P : pred M) (x y : M -> R) :
  (\sum_(k | P k) x k * y k) ^+ 2 <= (\sum_(k | P k) x k ^+ 2) * (\sum_(k | P k) y k ^+ 2).
Proof.
have two : 0 < 2%:R :> R by rewrite ltr0n.
rewrite -subr_ge0 -(pmulr_rge0 _ two).
suff -> : 2%:R * ((\sum_(k | P k) x k ^+ 2) * (\sum_(k | P k) y k ^+ 2)
    - (\sum_(k | P k) x k * y k) ^+ 2)
    = \sum_(i | P i) \sum_(j | P j) (x i * y j - x j * y i) ^+ 2.
  by apply: sumr_ge0 => i _; apply: sumr_ge0 => j _; rewrite sqr_ge0.
have prodE (f g : M -> R) : (\sum_(k | P k) f k) * (\sum_(k | P k) g k)
    = \sum_(i | P i) \sum_(j | P j) f i * g j.
  by rewrite mulr_suml; apply: eq_bigr => i _; rewrite mulr_sumr.
transitivity (\sum_(i | P i) \sum_(j | P j) x i ^+ 2 * y j ^+ 2
    + \sum_(i | P i) \sum_(j | P j) x j ^+ 2 * y i ^+ 2
    - 2%:R * \sum_(i | P i) \sum_(j | P j) (x i * y i) * (x j * y j)).
  rewrite [X in _ + X - _]exchange_big /= -(prodE (fun k => x k ^+ 2) (fun k => y k ^+ 2)).
  rewrite -(prodE (fun k => x k * y k) (fun k => x k * y k)).
  move: (\sum_(k | P k) x k ^+ 2) (\sum_(k | P k) y k ^+ 2) (\sum_(k | P k) x k * y k) => u v w.
  by ring.
rewrite mulr_sumr -big_split -sumrB /=; apply: eq_bigr => i _.
by rewrite mulr_sumr -big_split -sumrB /=; apply: eq_bigr => j _; ring.
Qed.

Section Enclosure.
Variables (R : rcfType) (M : finType) (P : pred M).

Definition norm (c : M -> R) : R := Num.sqrt (\sum_k c k ^+ 2).

(** The share of the modes in P, as in OKC_N^(q), OKC^(q), OKC_N, OKC_i, OKC_ij, OKC_S. *)
Definition OKC (c : M -> R) : R := (\sum_(k | P k) c k ^+ 2) / \sum_k c k ^+ 2.

Variables (w w' : M -> R) (r : R).
Hypothesis close : norm (fun k => w k - w' k) <= r.
Hypothesis r_small : r < norm w.

Let A (c : M -> R) := \sum_(k | P k) c k ^+ 2.
Let B (c : M -> R) := \sum_(k | ~~ P k) c k ^+ 2.
Let T (c : M -> R) := \sum_k c k ^+ 2.
Let u c := Num.sqrt (A c).
Let v c := Num.sqrt (B c).

Let sum_ge0 (Q : pred M) (c : M -> R) : 0 <= \sum_(k | Q k) c k ^+ 2.
Proof. by apply: sumr_ge0 => k _; rewrite sqr_ge0. Qed.
Let TE c : T c = A c + B c. Proof. by rewrite /T (bigID P). Qed.
Let u2 c : u c ^+ 2 = A c. Proof. by rewrite sqr_sqrtr ?sum_ge0. Qed.
Let v2 c : v c ^+ 2 = B c. Proof. by rewrite sqr_sqrtr ?sum_ge0. Qed.
Let norm2 c : norm c ^+ 2 = T c. Proof. by rewrite sqr_sqrtr ?sum_ge0. Qed.

Let r_ge0 : 0 <= r. Proof. by rewrite (le_trans _ close)// sqrtr_ge0. Qed.
Let w_gt0 : 0 < norm w. Proof. exact: le_lt_trans r_ge0 r_small. Qed.

Let w'_gt0 : 0 < norm w'.
Proof.
rewrite lt_def sqrtr_ge0 andbT; apply/negP => /eqP n0.
have w'0 k : w' k = 0.
  apply/eqP; rewrite -sqrf_eq0; apply/eqP; move: k isT.
  by apply: psumr_eq0P => [k _|]; rewrite ?sqr_ge0// -/(T w') -norm2 n0 expr0n.
have E : norm w = norm (fun k => w k - w' k).
  by congr Num.sqrt; apply: eq_bigr => k _; rewrite w'0 subr0.
by have := r_small; rewrite E ltNge close.
Qed.

Let part (Q : pred M) :
  (Num.sqrt (\sum_(k | Q k) w k ^+ 2) - Num.sqrt (\sum_(k | Q k) w' k ^+ 2)) ^+ 2
  <= \sum_(k | Q k) (w k - w' k) ^+ 2.
Proof.
set a := Num.sqrt _; set b := Num.sqrt _.
have a2 : a ^+ 2 = \sum_(k | Q k) w k ^+ 2 by rewrite sqr_sqrtr ?sum_ge0.
have b2 : b ^+ 2 = \sum_(k | Q k) w' k ^+ 2 by rewrite sqr_sqrtr ?sum_ge0.
have CS : \sum_(k | Q k) w k * w' k <= a * b.
  rewrite (le_trans (ler_norm _))// -(ler_pXn2r (n := 2)) ?nnegrE ?normr_ge0 ?mulr_ge0 //;
    rewrite ?sqrtr_ge0 //.
  by rewrite real_normK ?num_real// exprMn a2 b2 sum_cauchy_schwarz.
have -> : \sum_(k | Q k) (w k - w' k) ^+ 2 = a ^+ 2 + b ^+ 2 - 2%:R * \sum_(k | Q k) w k * w' k.
  by rewrite a2 b2 mulr_sumr -big_split -sumrB; apply: eq_bigr => k _ /=; ring.
have -> : (a - b) ^+ 2 = a ^+ 2 + b ^+ 2 - 2%:R * (a * b) by ring.
by rewrite lerD2l lerN2 ler_wpM2l ?ler0n.
Qed.

Let cross : (u w * v w' - v w * u w') ^+ 2 <= r ^+ 2 * norm w' ^+ 2.
Proof.
apply: (@le_trans _ _ (((u w - u w') ^+ 2 + (v w - v w') ^+ 2) * (u w' ^+ 2 + v w' ^+ 2))).
  rewrite -subr_ge0; set z := (X in 0 <= X).
  have -> : z = ((u w - u w') * u w' + (v w - v w') * v w') ^+ 2 by rewrite /z; ring.
  exact: sqr_ge0.
rewrite u2 v2 -TE -norm2 ler_wpM2r ?sqr_ge0//.
apply: (@le_trans _ _ (norm (fun k => w k - w' k) ^+ 2)).
  by rewrite norm2 TE; apply: lerD; apply: part.
by rewrite ler_pXn2r ?nnegrE// sqrtr_ge0.
Qed.

Let indexE c : 0 < norm c -> OKC c = (u c / norm c) ^+ 2.
Proof. by move=> c0; rewrite expr_div_n u2 norm2. Qed.
Let coindexE c : 0 < norm c -> 1 - OKC c = (v c / norm c) ^+ 2.
Proof.
move=> c0; have T0 : T c != 0 by rewrite -norm2 expf_neq0// gt_eqF.
by rewrite expr_div_n v2 norm2 /OKC -/(A c) -/(T c) -{1}(divff T0) -mulrBl TE addrAC subrr add0r.
Qed.

(** sin theta = r/||w||, cos theta; cos phi, sin phi of the index of w. *)
Definition sine : R := r / norm w.
Definition cosine : R := Num.sqrt (1 - sine ^+ 2).
Definition cos_phi : R := Num.sqrt (OKC w).
Definition sin_phi : R := Num.sqrt (1 - OKC w).

Let setup :
  (cosine * cos_phi - sin_phi * sine <= u w' / norm w') /\
  (sine <= sin_phi -> u w' / norm w' <= cos_phi * cosine + sin_phi * sine).
Proof.
have cE : cos_phi = u w / norm w.
  by rewrite /cos_phi indexE// sqrtr_sqr ger0_norm// divr_ge0 ?sqrtr_ge0.
have sE : sin_phi = v w / norm w.
  by rewrite /sin_phi coindexE// sqrtr_sqr ger0_norm// divr_ge0 ?sqrtr_ge0.
have one c : 0 < norm c -> (u c / norm c) ^+ 2 + (v c / norm c) ^+ 2 = 1.
  by move=> c0; rewrite -indexE// -coindexE// addrC subrK.
have s0 : 0 <= sine by rewrite divr_ge0// sqrtr_ge0.
have s1 : sine ^+ 2 <= 1.
  by rewrite expr_le1// ler_pdivrMr// mul1r ltW.
have ks : cosine ^+ 2 + sine ^+ 2 = 1 by rewrite sqr_sqrtr ?subr_ge0// subrK.
have angle : (u w / norm w * (v w' / norm w') - v w / norm w * (u w' / norm w')) ^+ 2 <= sine ^+ 2.
  have -> : u w / norm w * (v w' / norm w') - v w / norm w * (u w' / norm w')
      = (u w * v w' - v w * u w') / (norm w * norm w').
    by field; rewrite !gt_eqF.
  rewrite !expr_div_n ler_pdivrMr ?exprn_gt0 ?mulr_gt0//.
  by rewrite (le_trans cross)// exprMn [_ / _ * _]mulrA divfK ?expf_neq0 ?gt_eqF.
have k0 : 0 <= cosine by rewrite sqrtr_ge0.
rewrite cE sE [cosine * _]mulrC.
split=> [|h]; [apply: plane_lower angle | apply: plane_upper angle h];
  by rewrite ?divr_ge0 ?sqrtr_ge0 ?one.
Qed.

Theorem index_lower : Num.max 0 (cos_phi * cosine - sin_phi * sine) ^+ 2 <= OKC w'.
Proof.
have [lo _] := setup; have up : 0 <= u w' / norm w' by rewrite divr_ge0 ?sqrtr_ge0.
by rewrite indexE// ler_pXn2r ?nnegrE ?le_max ?lexx// ge_max up /= [cos_phi * _]mulrC.
Qed.

Theorem index_upper : sine <= sin_phi -> OKC w' <= (cos_phi * cosine + sin_phi * sine) ^+ 2.
Proof.
move=> h; have [_ /(_ h) hi] := setup.
have up : 0 <= u w' / norm w' by rewrite divr_ge0 ?sqrtr_ge0.
by rewrite indexE// ler_pXn2r ?nnegrE// (le_trans up).
Qed.

Theorem index_le1 c : 0 <= OKC c <= 1.
Proof.
rewrite /OKC -/(A c) -/(T c); apply/andP; split; first by rewrite divr_ge0 ?sum_ge0.
have [->|T0] := eqVneq (T c) 0; first by rewrite invr0 mulr0 ler01.
by rewrite ler_pdivrMr ?lt_def ?T0 ?sum_ge0// mul1r TE lerDl sum_ge0.
Qed.

(** Each coefficient is known as well as w. *)
Theorem coefficient_close k : `|w k - w' k| <= r.
Proof.
apply: le_trans close; rewrite -sqrtr_sqr; apply: ler_wsqrtr.
by rewrite (bigD1 k)//= lerDl sum_ge0.
Qed.

Theorem norm_close : `|norm w - norm w'| <= r.
Proof.
rewrite -(ler_pXn2r (n := 2)) ?nnegrE ?normr_ge0// real_normK ?num_real//.
apply: le_trans (part xpredT) _; apply: (@le_trans _ _ (norm (fun k => w k - w' k) ^+ 2)).
  by rewrite norm2.
by rewrite ler_pXn2r ?nnegrE// sqrtr_ge0.
Qed.

End Enclosure.
