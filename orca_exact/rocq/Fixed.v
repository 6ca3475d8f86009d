(** * Fixed-point vectors and their errors

    A vector of integers with an error r stands, in units of 2^(-bits), for every polynomial
    whose coefficients differ from it by at most r in the l1 norm. The l1 norm is
    submultiplicative, so that one small number bounds the error of a whole product. *)
From Coq Require Import ZArith QArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring zify ssrZ.
From Orca Require Import Compat Rationals Engine Sums.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coq_Z.
Arguments Z.add : simpl never. Arguments Z.mul : simpl never. Arguments Z.sub : simpl never.
Arguments Z.shiftl : simpl never. Arguments Z.shiftr : simpl never.

(** ** Powers of two *)

Section Pow2.
Variable R : realFieldType.
Definition pow2 (k : Z) : R := 2%:R ^ (int_of_Z k).

Lemma two_neq0 : 2%:R != 0 :> R. Proof. by rewrite pnatr_eq0. Qed.

Lemma pow2D a b : pow2 (a + b)%coq_Z = pow2 a * pow2 b.
Proof. by rewrite /pow2 -[(a + b)%coq_Z]/(a + b)%R rmorphD /= expfzDr ?two_neq0. Qed.
Lemma pow20 : pow2 0%coq_Z = 1. Proof. by []. Qed.
Lemma pow2_gt0 a : 0 < pow2 a. Proof. by rewrite exprz_gt0 // ltr0n. Qed.
Lemma pow2_neq0 a : pow2 a != 0. Proof. by rewrite gt_eqF // pow2_gt0. Qed.
Lemma pow2N a : pow2 (- a)%coq_Z = (pow2 a)^-1.
Proof.
apply: (mulfI (pow2_neq0 a)); rewrite divff ?pow2_neq0 // -pow2D.
by rewrite Z.add_opp_diag_r.
Qed.

Lemma pow2Z k : Z.le 0 k -> Z2F R (2 ^ k)%coq_Z = pow2 k.
Proof.
move=> k0; rewrite -(Z2Nat.id k k0); elim: (Z.to_nat k) => [|i IH] //.
rewrite Nat2Z.inj_succ Z.pow_succ_r ?Z2FM ?IH; last exact: Nat2Z.is_nonneg.
by rewrite -[Z.succ _]/(Z.of_nat i + 1)%coq_Z pow2D mulrC.
Qed.

Lemma shiftlE z k : Z.le 0 k -> Z2F R (Z.shiftl z k) = Z2F R z * pow2 k.
Proof. by move=> k0; rewrite Z.shiftl_mul_pow2 // Z2FM pow2Z. Qed.

(** Rounding down. *)
Lemma shrP k z : Z2F R (shr k z) <= Z2F R z / pow2 k < Z2F R (shr k z) + 1.
Proof.
rewrite /shr; case: (Z.le_gt_cases 0 k) => k0; last first.
  have -> : Z2F R (Z.shiftr z k) = Z2F R z / pow2 k; last by rewrite lexx ltrDl ltr01.
  by rewrite -[k in Z.shiftr _ k]Z.opp_involutive Z.shiftr_opp_r shiftlE ?pow2N //; lia.
rewrite Z.shiftr_div_pow2 // -pow2Z //; set e := (2 ^ k)%coq_Z.
have e0 : Z.lt 0 e by apply: Z.pow_pos_nonneg.
have pos : 0 < Z2F R e by rewrite -[0]/(Z2F R 0%coq_Z) Z2F_lt; apply/Z.ltb_lt.
rewrite ler_pdivlMr // ltr_pdivrMr // -(Z2F1 R) -Z2FD -!Z2FM Z2F_le Z2F_lt.
have := Z.div_mod z e; have := Z.mod_pos_bound z e e0; nia.
Qed.

Lemma shr_le k z : Z2F R z / pow2 k <= Z2F R (shr k z) + 1.
Proof. by case/andP: (shrP k z) => _ /ltW. Qed.

Lemma shr_error k z : `|Z2F R z / pow2 k - Z2F R (shr k z)| <= 1.
Proof.
case/andP: (shrP k z) => lo hi; rewrite ger0_norm ?subr_ge0 //.
by rewrite lerBlDl ltW.
Qed.
End Pow2.

(** ** The l1 norm *)

Section L1.
Variable R : realFieldType.
Implicit Types f g : {poly R}.
Definition l1 f : R := \sum_(i < size f) `|f`_i|.

Lemma l1_wide k f : (size f <= k)%N -> l1 f = \sum_(i < k) `|f`_i|.
Proof.
move=> fk; rewrite /l1 (big_ord_widen k (fun i => `|f`_i|) fk) big_mkcond /=.
by apply: eq_bigr => i _; case: ltnP => // fi; rewrite nth_default ?normr0.
Qed.

Lemma l1_ge0 f : 0 <= l1 f. Proof. by apply: sumr_ge0 => i _; rewrite normr_ge0. Qed.

Lemma l1_le f g : (forall i, `|f`_i| <= `|g`_i|) -> l1 f <= l1 g.
Proof.
move=> le; rewrite (@l1_wide (maxn (size f) (size g)) f) ?leq_maxl //.
rewrite (@l1_wide (maxn (size f) (size g)) g) ?leq_maxr //.
by apply: ler_sum => i _.
Qed.

Lemma l1D f g : l1 (f + g) <= l1 f + l1 g.
Proof.
set k := maxn (size f) (size g).
rewrite (@l1_wide k (f + g)) ?size_add // (@l1_wide k f) ?leq_maxl // (@l1_wide k g) ?leq_maxr //.
by rewrite -big_split; apply: ler_sum => i _; rewrite coefD ler_normD.
Qed.

Lemma l1Z c f : l1 (c *: f) = `|c| * l1 f.
Proof.
rewrite (@l1_wide (size f) (c *: f)) ?size_scale_leq // mulr_sumr.
by apply: eq_bigr => i _; rewrite coefZ normrM.
Qed.

Lemma l1C c : l1 c%:P = `|c|.
Proof. by rewrite (@l1_wide 1 c%:P) ?size_polyC_leq1 // big_ord1 coefC. Qed.

Lemma l10 : l1 0 = 0. Proof. by rewrite -polyC0 l1C normr0. Qed.

Lemma l1_cons c f : l1 (c%:P + 'X * f) = `|c| + l1 f.
Proof.
rewrite (@l1_wide (size f).+1).
  rewrite big_ord_recl coefD coefC coefXM /= addr0; congr (_ + _); apply: eq_bigr => i _.
  by rewrite coefD coefC coefXM /= add0r.
rewrite (leq_trans (size_add _ _)) // geq_max (leq_trans (size_polyC_leq1 _)) //=.
by rewrite (leq_trans (size_mul_leq _ _)) // size_polyX.
Qed.

Lemma l1X f : l1 ('X * f) = l1 f.
Proof. by rewrite -[_ * f]add0r -polyC0 l1_cons normr0 add0r. Qed.

Lemma l1M f g : l1 (f * g) <= l1 f * l1 g.
Proof.
elim/poly_ind: f => [|f c IH]; first by rewrite mul0r l10 mul0r.
have -> : f * 'X + c%:P = c%:P + 'X * f by rewrite addrC mulrC.
rewrite l1_cons mulrDl mulrDl mul_polyC (le_trans (l1D _ _)) // l1Z lerD2l.
by rewrite -mulrA l1X.
Qed.

Lemma l1_sel k (sel : pred nat) f : `|\sum_(i < k | sel i) f`_i| <= l1 f.
Proof.
apply: le_trans (ler_norm_sum _ _ _) _; rewrite (@l1_wide (maxn k (size f)) f) ?leq_maxr //.
rewrite (big_ord_widen_cond _ sel (fun i => `|f`_i|) (leq_maxl k (size f))) big_mkcond.
by apply: ler_sum => i _; case: ifP => // _; rewrite normr_ge0.
Qed.

Lemma l1_at1 f : `|f.[1]| <= l1 f.
Proof. by rewrite -(sum_coefs (leqnn _)); apply: (@l1_sel _ predT). Qed.

Lemma l1_take k f : l1 (ptake k f) <= l1 f.
Proof. by apply: l1_le => i; rewrite coef_ptake; case: ifP; rewrite ?normr0 ?normr_ge0. Qed.

Lemma l1_head f : `|f`_0| <= l1 f.
Proof. by rewrite {2}(split_head f) l1_cons lerDl l1_ge0. Qed.

Lemma l1_tail f : l1 (ptail f) <= l1 f.
Proof. by rewrite {2}(split_head f) l1_cons lerDr normr_ge0. Qed.

Lemma oformE f : oform f = (f`_0)%:P + 'X * ((ptail f).[1])%:P.
Proof.
rewrite /oform; congr (_ + _ * _%:P).
by rewrite {1}(split_head f) hornerD hornerM hornerX hornerC mul1r addrAC subrr add0r.
Qed.

Lemma l1_oform f : l1 (oform f) <= l1 f.
Proof. by rewrite oformE l1_cons [in leRHS](split_head f) l1_cons l1C lerD2l l1_at1. Qed.

(** Products of coefficients. *)
Definition had f g : {poly R} := \poly_(i < size f) (f`_i * g`_i).
Lemma coef_had f g i : (had f g)`_i = f`_i * g`_i.
Proof. by rewrite coef_poly; case: ltnP => // fi; rewrite (nth_default 0 fi) mul0r. Qed.

Lemma l1_had f g : l1 (had f g) <= l1 f * l1 g.
Proof.
rewrite (@l1_wide (size f) (had f g)) ?size_poly // /l1 mulr_suml; apply: ler_sum => i _.
rewrite coef_had normrM ler_wpM2l //.
have := @l1_sel i.+1 (pred1 (i : nat)) g.
rewrite (big_pred1 ord_max) // => j; by rewrite -val_eqE.
Qed.
End L1.

(** ** Vectors of integers as polynomials *)

Section Rep.
Variables (R : realFieldType) (bits : Z).
Hypothesis bits_ge0 : Z.le 0 bits.
Let u : R := (pow2 R bits)^-1.
Let u_gt0 : 0 < u. Proof. by rewrite invr_gt0 pow2_gt0. Qed.
Let u_ge0 : 0 <= u. Proof. exact: ltW. Qed.

Definition zp (s : seq Z) : {poly R} := Poly (map (Z2F R) s).

Lemma zp_nil : zp [::] = 0. Proof. by []. Qed.
Lemma zp_cons z s : zp (z :: s) = (Z2F R z)%:P + 'X * zp s.
Proof. by rewrite /zp /= cons_poly_def addrC mulrC. Qed.

Lemma zp_coef s i : (zp s)`_i = Z2F R (nth 0%coq_Z s i).
Proof.
rewrite coef_Poly; have [si|si] := ltnP i (size s); first by rewrite (nth_map 0%coq_Z).
by rewrite !nth_default ?size_map.
Qed.

Lemma zp_add s t : zp (zadd s t) = zp s + zp t.
Proof.
elim: s t => [|x s IH] [|y t] /=; rewrite ?zp_nil ?add0r ?addr0 //.
by rewrite !zp_cons IH Z2FD polyCD mulrDr addrACA.
Qed.

Lemma zp_scale x t : zp [seq (x * y)%coq_Z | y <- t] = Z2F R x *: zp t.
Proof.
by elim: t => [|y t IH] /=; rewrite ?zp_nil ?scaler0 // !zp_cons IH Z2FM -!mul_polyC polyCM; ring.
Qed.

Lemma zp_mul s t : zp (zmul s t) = zp s * zp t.
Proof.
elim: s => [|x s IH] /=; first by rewrite zp_nil mul0r.
by rewrite zp_add zp_scale !zp_cons IH -mul_polyC Z2F0 polyC0; ring.
Qed.

Lemma zp_sum s : Z2F R (zsum s) = (zp s).[1].
Proof.
elim: s => [|x s IH] /=; first by rewrite zp_nil horner0.
by rewrite zp_cons Z2FD IH hornerD hornerM hornerX !hornerC mul1r.
Qed.

Lemma zp_magnitude s : Z2F R (magnitude s) = l1 (zp s).
Proof.
elim: s => [|x s IH] /=; first by rewrite zp_nil l10.
by rewrite zp_cons Z2FD IH l1_cons Z2F_abs.
Qed.

Definition frep (v : fixed) (f : {poly R}) : Prop := l1 (f - u *: zp v.1) <= Z2F R v.2 * u.

Lemma frep_add v v' f g : frep v f -> frep v' g -> frep (fadd v v') (f + g).
Proof.
move=> vf vg; rewrite /frep /= zp_add scalerDr opprD addrACA Z2FD mulrDl.
by apply: le_trans (l1D _ _) (lerD vf vg).
Qed.

Lemma length_size s : Z2F R (length s) = (size s)%:R.
Proof. by elim: s => //= x s IH; rewrite Z2FD IH Z2F1 -addn1 natrD addrC. Qed.

(** Dividing by 2^bits and rounding costs one unit for each coefficient. *)
Lemma round_error s : l1 ((u * u) *: zp s - u *: zp [seq shr bits z | z <- s]) <= (size s)%:R * u.
Proof.
elim: s => [|x s IH] /=; first by rewrite zp_nil !scaler0 subr0 l10 mul0r.
have -> : (u * u) *: zp (x :: s) - u *: zp (shr bits x :: [seq shr bits z | z <- s]) =
   (u * (Z2F R x * u - Z2F R (shr bits x)))%:P
   + 'X * ((u * u) *: zp s - u *: zp [seq shr bits z | z <- s]).
  by rewrite !zp_cons -!mul_polyC !(polyCM, polyCB); ring.
rewrite l1_cons normrM (ger0_norm u_ge0) -addn1 natrD mulrDl mul1r addrC lerD //.
by rewrite -[leRHS]mulr1 ler_wpM2l // shr_error.
Qed.

Lemma product_errorP r m r' m' :
  (Z2F R r * (Z2F R m' + Z2F R r') + Z2F R r' * Z2F R m) * (u * u)
  <= Z2F R (product_error bits r m r' m') * u.
Proof.
rewrite mulrA ler_wpM2r // /product_error Z2FD Z2F1 (le_trans _ (shr_le _ _ _)) //.
by rewrite !(Z2FD, Z2FM).
Qed.

Lemma product_close (op : {poly R} -> {poly R} -> {poly R}) f g F G r m r' m' :
  (forall f g, l1 (op f g) <= l1 f * l1 g) ->
  (forall f g h, op (f - g) h = op f h - op g h) ->
    (forall f g h, op h (f - g) = op h f - op h g) ->
  l1 (F - f) <= Z2F R r * u -> l1 (G - g) <= Z2F R r' * u ->
  l1 f <= Z2F R m * u -> l1 g <= Z2F R m' * u ->
  l1 (op F G - op f g) <= Z2F R (product_error bits r m r' m') * u.
Proof.
move=> opM opl opr Ff Gg fm gm; apply: le_trans (product_errorP _ _ _ _).
have -> : op F G - op f g = op (F - f) G + op f (G - g).
  by rewrite opl opr addrA subrK.
have GG : l1 G <= (Z2F R m' + Z2F R r') * u.
  rewrite -[G](subrK g) mulrDl addrC; apply: le_trans (l1D _ _) _.
  exact: lerD.
apply: le_trans (l1D _ _) _; rewrite mulrDl; apply: lerD.
  apply: le_trans (opM _ _) _; rewrite mulrACA.
  by apply: ler_pM => //; apply: l1_ge0.
rewrite [Z2F R r' * _]mulrC mulrACA; apply: le_trans (opM _ _) _.
by apply: ler_pM => //; apply: l1_ge0.
Qed.

Lemma magP s : l1 (u *: zp s) = Z2F R (magnitude s) * u.
Proof. by rewrite l1Z (ger0_norm u_ge0) zp_magnitude mulrC. Qed.

Lemma frep_mul v v' f g : frep v f -> frep v' g -> frep (fmul bits v v') (f * g).
Proof.
move=> vf vg; rewrite /frep /fmul; cbn [fst snd]; set c := zmul _ _.
rewrite Z2FD length_size mulrDl.
have := round_error c; set z := u *: zp [seq _ | _ <- _] => rc.
have -> : f * g - z = (f * g - (u *: zp v.1) * (u *: zp v'.1)) + ((u * u) *: zp c - z).
  have -> : (u * u) *: zp c = (u *: zp v.1) * (u *: zp v'.1).
    by rewrite zp_mul -!mul_polyC polyCM; ring.
  by rewrite addrA subrK.
apply: le_trans (l1D _ _) (lerD _ rc).
apply: product_close => //; rewrite ?magP //; first exact: l1M.
  by move=> *; rewrite mulrBl.
by move=> *; rewrite mulrBr.
Qed.

Lemma frep_const z r x : `|x - Z2F R z * u| <= Z2F R r * u -> frep ([:: z], r) x%:P.
Proof.
move=> h; rewrite /frep /= zp_cons zp_nil mulr0 addr0 -mul_polyC -polyCM -polyCB l1C.
by rewrite mulrC.
Qed.

Lemma frep_exact s f : f = u *: zp s -> frep (s, 0%coq_Z) f.
Proof. by move->; rewrite /frep subrr l10 mul0r. Qed.

Lemma fixed_respects : @respects R (fixed_arithmetic bits) frep.
Proof.
split=> /=.
- by apply: frep_exact; rewrite zp_nil scaler0.
- apply: frep_exact; rewrite zp_cons zp_nil mulr0 addr0 shiftlE // Z2F1 mul1r.
  by rewrite -mul_polyC -polyCM mulVf ?pow2_neq0.
- exact: frep_add.
- exact: frep_mul.
- move=> k v f vf; rewrite /frep /=; apply: le_trans vf; rewrite (le_trans _ (l1_take k _)) //.
  apply: l1_le => i; rewrite coef_ptake !coefD !coefN coef_ptake !coefZ !zp_coef.
  have -> : nth 0%coq_Z (take k v.1) i = if (i < k)%N then nth 0%coq_Z v.1 i else 0%coq_Z.
    case: ltnP => ik; first by rewrite nth_take.
    by rewrite nth_default // size_take; case: ltnP => // /leq_trans; apply.
  by case: ifP; rewrite // mulr0 subr0.
- move=> v f vf; apply: frep_const; apply: le_trans vf.
  by rewrite zp_sum mulrC -hornerZ -hornerN -hornerD l1_at1.
- move=> v f vf; rewrite /frep /=; apply: le_trans vf; rewrite (le_trans _ (l1_head _)) //.
  rewrite -l1C; apply: l1_le => i; rewrite !coefD !coefN !coefZ !coefC !zp_coef.
  by case: i => [|i] /=; case: v.1 => [|x [|y s]]; rewrite //= ?nth_nil ?mulr0 ?subr0.
- move=> v f vf; rewrite /frep /=; apply: le_trans vf; rewrite (le_trans _ (l1_tail _)) //.
  apply: l1_le => i; rewrite coef_ptail !coefD !coefN !coefZ coef_ptail !zp_coef.
  by rewrite nth_behead.
move=> v f vf; rewrite /frep /= zp_cons Z2F0 polyC0 add0r scalerAr -mulrBr l1X.
exact: vf.
Qed.

(** ** Pairs of values *)

Definition vrep (v : values) (f : {poly R}) : Prop :=
  l1 (f - u *: zp (digits v)) <= Z2F R (error v) * u /\ size1 v = magnitude (digits v).

Lemma fpair_coef v v' i :
  nth 0%coq_Z (fpair v v') i = (nth 0%coq_Z (digits v) i * nth 0%coq_Z (digits v') i)%coq_Z.
Proof.
rewrite /fpair; elim: (digits v) (digits v') i => [|x s IH] [|y t] [|i] //=; rewrite ?nth_nil.
all: by rewrite ?Z.mul_0_r.
Qed.

Lemma hadB f g h : had (f - g) h = had f h - had g h :> {poly R}.
Proof. by apply/polyP => i; rewrite !(coef_had, coefD, coefN) mulrBl. Qed.
Lemma hadBr f g h : had h (f - g) = had h f - had h g :> {poly R}.
Proof. by apply/polyP => i; rewrite !(coef_had, coefD, coefN) mulrBr. Qed.

Lemma fpairP v v' f g : vrep v f -> vrep v' g ->
  l1 (had f g - (u * u) *: zp (fpair v v')) <= Z2F R (fpair_error bits v v') * u.
Proof.
case=> vf vm [vg vm']; have -> : (u * u) *: zp (fpair v v') =
    had (u *: zp (digits v)) (u *: zp (digits v')).
  by apply/polyP => i; rewrite coef_had !coefZ !zp_coef fpair_coef Z2FM mulrACA.
apply: product_close => //; rewrite ?magP ?vm ?vm' //;
  [exact: l1_had | exact: hadB | exact: hadBr].
Qed.

Lemma fdegreesP c c' f g : vrep c.1 f -> vrep c'.2 g -> frep (fdegrees bits c c') (had f g).
Proof.
move=> cf cg; rewrite /frep /fdegrees; cbn [fst snd]; set s := fpair _ _.
rewrite Z2FD length_size mulrDl; have := round_error s; set z := u *: zp [seq _ | _ <- _] => rc.
have -> : had f g - z = (had f g - (u * u) *: zp s) + ((u * u) *: zp s - z).
  by rewrite addrA subrK.
exact: le_trans (l1D _ _) (lerD (fpairP cf cg) rc).
Qed.

Lemma oformD (f g : {poly R}) : oform (f - g) = oform f - oform g.
Proof. by rewrite /oform hornerD hornerN coefB !(polyCB, polyCD, polyCN); ring. Qed.

Lemma fordersP c c' f g : vrep c.1 f -> vrep c'.2 g ->
  frep (forders bits c c') (oform (had f g)).
Proof.
move=> cf cg; rewrite /frep /forders; cbn [fst snd]; set s := fpair _ _.
rewrite Z2FD mulrDl; set z := _ *: zp _.
have -> : oform (had f g) - z = oform (had f g - (u * u) *: zp s) + (oform ((u * u) *: zp s) - z).
  by rewrite oformD addrA subrK.
apply: le_trans (l1D _ _) (lerD (le_trans (l1_oform _) (fpairP cf cg)) _).
have -> : oform ((u * u) *: zp s) - z = (u * (Z2F R (head 0%coq_Z s) * u
    - Z2F R (shr bits (head 0%coq_Z s))))%:P + 'X * ((u * (Z2F R (zsum (behead s)) * u
    - Z2F R (shr bits (zsum (behead s)))))%:P).
  have h0 : ((u * u) *: zp s)`_0 = u * u * Z2F R (head 0%coq_Z s) by rewrite coefZ zp_coef nth0.
  have t1 : (ptail ((u * u) *: zp s)).[1] = u * u * Z2F R (zsum (behead s)).
    rewrite zp_sum -hornerZ; congr (_.[1]); apply/polyP => i.
    by rewrite coef_ptail !coefZ !zp_coef nth_behead.
  rewrite oformE h0 t1 /z !zp_cons zp_nil -!mul_polyC !(polyCM, polyCB) mulr0 addr0.
  move: (Z2F R (shr bits (head _ s))) (Z2F R (shr bits (zsum _))) (Z2F R _) (Z2F R _) => H T h t.
  by move: 'X u%:P H%:P T%:P h%:P t%:P => X U h1 h2 h3 h4; ring.
rewrite l1_cons l1C !normrM !(ger0_norm u_ge0).
rewrite -[Z2F R 2]/(1 + 1) mulrDl mul1r; apply: lerD; rewrite -[leRHS]mulr1 ler_wpM2l //;
  exact: shr_error.
Qed.
End Rep.
