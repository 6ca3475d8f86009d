(** * The Gram matrix in integers

    With pi_k(x_il) = z_ilk / D_il and h_0 / h_k = rho_lk / c_l in integers, the engine of
    Engine.v, run on lists of integers, computes N_ij with

      K(x_i, x_j) = lambda N_ij / (c D_i D_j),    D_i = prod_l D_il,    c = prod_l c_l. *)
From Coq Require Import ZArith QArith Qreduction.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring zify ssrZ.
From Orca Require Import Recurrence Form Svm Expansion Rationals Claims Engine Sums Shares Checks.
From Orca Require Import Assembly Fixed Tables.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coq_Z.

(** ** Fractions over a common denominator *)

Definition common_denominator (s : seq Q) : positive :=
  Z.to_pos (foldr (fun r q => Z.lcm (Zpos (Qden r)) q) 1%coq_Z s).
Definition numerator (q : positive) (r : Q) : Z := Z.div (Qnum r * Zpos q) (Zpos (Qden r)).
Definition numerators (q : positive) (s : seq Q) : seq Z := [seq numerator q r | r <- s].

Lemma common_denominatorP (s : seq Q) k :
  Z.divide (Zpos (Qden (nth q0 s k))) (Zpos (common_denominator s)).
Proof.
have [ks|ks] := ltnP k (size s); last by rewrite nth_default //; apply: Z.divide_1_l.
have pos (t : seq Q) : Z.lt 0 (foldr (fun r q => Z.lcm (Zpos (Qden r)) q) 1%coq_Z t).
  elim: t => [|r t IH] //=; have := Z.lcm_nonneg (Zpos (Qden r))
    (foldr (fun r q => Z.lcm (Zpos (Qden r)) q) 1%coq_Z t).
  have : Z.lcm (Zpos (Qden r)) (foldr (fun r q => Z.lcm (Zpos (Qden r)) q) 1%coq_Z t) <> Z0.
    by rewrite Z.lcm_eq_0; lia.
  lia.
rewrite /common_denominator Z2Pos.id //; elim: s k ks => [|r s IH] [|k] //= ks.
  exact: Z.divide_lcm_l.
by apply: Z.divide_trans (IH k ks) _; apply: Z.divide_lcm_r.
Qed.

Lemma numeratorP (F : realFieldType) (r : Q) q : Z.divide (Zpos (Qden r)) (Zpos q) ->
  Z2F F (numerator q r) = Q2F F r * Z2F F (Zpos q).
Proof.
case=> t tE; rewrite /numerator tE Z.mul_assoc Z.div_mul // /Q2F !Z2FM.
by rewrite [_ * Z2F F (Zpos _)]mulrC mulrA divfK ?Z2F_neq0 // mulrC.
Qed.

Lemma numeratorsP (F : realFieldType) (s : seq Q) k (q := common_denominator s) :
  Z2F F (nth 0%coq_Z (numerators q s) k) = Q2F F (nth q0 s k) * Z2F F (Zpos q).
Proof.
have [ks|ks] := ltnP k (size s); last by rewrite !nth_default ?size_map // Q2F0 mul0r.
by rewrite (nth_map q0) // numeratorP //; apply: common_denominatorP.
Qed.

(** ** Integers as an arithmetic of Engine.v *)

Section Integers.
Local Open Scope Z_scope.
Definition zpair (c c' : seq Z * seq Z) : seq Z := [seq u.1 * u.2 | u <- zip c.1 c'.2].
Definition integer_arithmetic : arithmetic := {|
  vec := seq Z; vzero := [::]; vone := [:: 1]; vadd := zadd; vmul := zmul;
  vtake := @take Z; vsum := fun s => [:: zsum s];
  vhead := @take Z 1; vtail := @behead Z; vshift := cons 0;
  col := (seq Z * seq Z)%type; vdegrees := zpair;
  vorders := fun c c' => let s := zpair c c' in [:: head 0 s; zsum (behead s)] |}.
End Integers.

Section Respects.
Variable R : rcfType.
Definition zrep (s : seq Z) (f : {poly R}) : Prop := zp R s = f.
Lemma integer_respects : @respects R integer_arithmetic zrep.
Proof.
split; rewrite /zrep /=.
- by [].
- by rewrite zp_cons zp_nil mulr0 addr0 Z2F1.
- by move=> u v f g <- <-; rewrite zp_add.
- by move=> u v f g <- <-; rewrite zp_mul.
- move=> k u f <-; apply/polyP => i; rewrite coef_ptake !zp_coef.
  case: ltnP => ik; first by rewrite nth_take.
  by rewrite nth_default ?Z2F0 // size_take; case: ltnP => // /leq_trans; apply.
- by move=> u f <-; rewrite zp_cons zp_nil mulr0 addr0 zp_sum.
- move=> u f <-; rewrite zp_coef; case: u => [|x u] /=; first by rewrite Z2F0.
  by rewrite take0 zp_cons zp_nil mulr0 addr0.
- by move=> u f <-; apply/polyP => i; rewrite coef_ptail !zp_coef nth_behead.
by move=> u f <-; rewrite zp_cons Z2F0 add0r.
Qed.
End Respects.

(** ** The columns of a point *)

(** The numerators of pi_k(x), the same times rho_k, and the denominator of the pi_k(x). *)
Record integer_column := IntegerColumn { entries : seq Z * seq Z; divisor : positive }.

(** The numerators rho_k of h_0 / h_k and their denominator. *)
Definition weights_of (rec : seq (Q * Q)) : seq Z * positive :=
  let s := ratios rec q1 in let c := common_denominator s in (numerators c s, c).
Definition column_of (rec : seq (Q * Q)) (rho : seq Z) (x : Q) : integer_column :=
  let s := exact_values x rec q1 q0 q0 in
  let q := common_denominator s in
  let z := numerators q s in
  IntegerColumn (z, [seq (u.1 * u.2)%coq_Z | u <- zip rho z]) q.
Definition columns_of (tabs : seq (seq (Q * Q) * (seq Z * positive))) (xs : seq Q) :
    seq integer_column :=
  [seq column_of u.2.1 u.2.2.1 u.1 | u <- zip xs tabs].
Definition tables_of (recs : seq (seq (Q * Q))) := [seq (rec, weights_of rec) | rec <- recs].

Lemma size_numerators q s : size (numerators q s) = size s. Proof. exact: size_map. Qed.
Definition no_column := IntegerColumn ([::], [::]) 1%positive.

Section Gram.
Variables (R : rcfType) (pb : problem) (h0 : 'I_(dimension pb) -> R).
Local Notation d := (dimension pb).
Local Notation m := (points pb).
Local Notation q := (order_limit pb).
Local Notation H := (ffun_inner R (modes pb)).
Hypothesis h0_gt0 : forall l, 0 < h0 l.
Hypothesis ok : well_formed pb.

Definition columns_at (i : 'I_m) : seq integer_column :=
  columns_of (tables_of (recurrences pb)) (inputs (nth_sample i)).
Definition column_at (i : 'I_m) (l : 'I_d) : integer_column :=
  column_of (column l) (weights_of (column l)).1 (nth q0 (inputs (nth_sample i)) l).

Lemma size_columns i : size (columns_at i) = d.
Proof. by rewrite size_map size_zip size_inputs // size_map minnn. Qed.

Lemma columns_nth i (l : 'I_d) : nth no_column (columns_at i) l = column_at i l.
Proof.
have sz : size (tables_of (recurrences pb)) = d by rewrite size_map.
rewrite /columns_at /columns_of (nth_map (q0, ([::], ([::], 1%positive)))); last first.
  by rewrite size_zip size_inputs // sz minnn.
by rewrite nth_zip ?sz ?size_inputs //= (nth_map [::]).
Qed.

Lemma columns_enum i : columns_at i = [seq column_at i l | l <- enum 'I_d].
Proof.
rewrite {1}(seq_enum no_column (size_columns i)); apply: eq_map => l.
exact: columns_nth.
Qed.

Let D_at i l : R := Z2F R (Zpos (divisor (column_at i l))).
Let c_at (l : 'I_d) : R := Z2F R (Zpos (weights_of (column l)).2).
Let t i l : R := D_at i l * Num.sqrt (c_at l).

Let D_gt0 i l : 0 < D_at i l. Proof. exact: Z2F_gt0. Qed.
Let c_gt0 l : 0 < c_at l. Proof. exact: Z2F_gt0. Qed.
Let t_neq0 i l : t i l != 0.
Proof. by rewrite mulf_neq0 ?gt_eqF // sqrtr_gt0. Qed.
Let ttE i j l : t i l * t j l = c_at l * D_at i l * D_at j l.
Proof.
have <- : Num.sqrt (c_at l) ^+ 2 = c_at l by rewrite sqr_sqrtr // ltW.
by rewrite /t; ring.
Qed.

Lemma entryE i l k : (k <= size (column l))%N ->
  Z2F R (nth 0%coq_Z (entries (column_at i l)).1 k) = monic_at R i l k * D_at i l.
Proof.
move=> kl; rewrite /D_at /= numeratorsP; congr (_ * _).
rewrite -(nth_map _ 0) ?size_exact_values // exact_valuesE Q2F1 Q2F0.
exact: real_columnE.
Qed.

Lemma size_entries i l : size (entries (column_at i l)).1 = (size (column l)).+1.
Proof. by rewrite size_numerators size_exact_values. Qed.

Lemma weighted_entryE i l k : (k <= size (column l))%N ->
  Z2F R (nth 0%coq_Z (entries (column_at i l)).2 k) =
  ratio R l k * c_at l * (monic_at R i l k * D_at i l).
Proof.
move=> kl; rewrite -entryE // [column_at]lock /= -lock.
rewrite (nth_map (0%coq_Z, 0%coq_Z)) ?size_zip; last first.
  by rewrite /= !size_numerators size_ratios size_exact_values minnn.
rewrite nth_zip /= ?size_numerators ?size_ratios ?size_exact_values // Z2FM.
by rewrite [X in X * _ = _]numeratorsP.
Qed.

Lemma integer_pair i j l :
  zp R (zpair (entries (column_at i l)) (entries (column_at j l))) =
  (h0 l * t i l * t j l) *: column_poly h0 i j l.
Proof.
apply/polyP => k; rewrite zp_coef coefZ -mulrA ttE mulrAC (column_poly_coef h0_gt0 ok).
have sz : size (entries (column_at j l)).2 = (size (column l)).+1.
  by rewrite size_map size_zip !size_numerators size_ratios size_exact_values minnn.
case: leqP => kl; last first.
  by rewrite nth_default ?Z2F0 ?mul0r // size_map size_zip size_entries sz minnn.
rewrite (nth_map (0%coq_Z, 0%coq_Z)) ?size_zip ?size_entries ?sz ?minnn //.
rewrite nth_zip ?size_entries ?sz // Z2FM entryE // weighted_entryE //.
by ring.
Qed.

Lemma integer_paired i j : paired (a := integer_arithmetic) (@zrep R)
  (zip (map entries (columns_at i)) (map entries (columns_at j))) (scaled_columns h0 t i j).
Proof.
have sz k : size (map entries (columns_at k)) = d by rewrite size_map size_columns.
apply: (@paired_nth _ integer_arithmetic _ (([::], [::]), ([::], [::]))).
  by rewrite size_zip !sz minnn size_map size_enum_ord.
move=> k; rewrite size_zip !sz minnn => kd; pose l := Ordinal kd.
rewrite nth_zip ?sz //= -[k]/(nat_of_ord l) !(nth_map no_column) ?size_columns // !columns_nth.
rewrite /scaled_columns (nth_map l) ?size_enum_ord // nth_ord_enum -integer_pair /zrep.
set s := zpair _ _; split=> //; rewrite oformE !zp_cons zp_nil mulr0 addr0 zp_coef nth0 zp_sum.
by congr (_ + _ * _.[1]%:P); apply/polyP => r; rewrite coef_ptail !zp_coef nth_behead.
Qed.

(** ** N, D and c *)

Definition entry (limited : bool) (ci cj : seq integer_column) : Z :=
  head 0%coq_Z (@kernel_value integer_arithmetic q limited (map entries ci) (map entries cj)).
Definition scale_of (ci : seq integer_column) : positive :=
  foldr (fun c => Pos.mul (divisor c)) 1%positive ci.
Definition common_scale : positive :=
  foldr (fun rec => Pos.mul (weights_of rec).2) 1%positive (recurrences pb).

Definition N_at (i j : 'I_m) : Z := entry (is_limited pb) (columns_at i) (columns_at j).
Definition scale_at (i : 'I_m) : positive := scale_of (columns_at i).

Lemma scale_atE i : Z2F R (Zpos (scale_at i)) = \prod_l D_at i l.
Proof.
rewrite /scale_at columns_enum -big_enum /=; elim: (enum 'I_d) => [|l r IH] /=.
  by rewrite big_nil Z2F1.
by rewrite big_cons -IH -Z2FM.
Qed.

Lemma common_scaleE : Z2F R (Zpos common_scale) = \prod_l c_at l.
Proof.
rewrite /common_scale {1}(seq_enum [::] (erefl (size (recurrences pb)))) -big_enum /=.
elim: (enum 'I_d) => [|l r IH] /=; first by rewrite big_nil Z2F1.
by rewrite big_cons -IH -Z2FM.
Qed.

Theorem gram_in_integers i j : gram H (feature pb h0) i j = lambda h0 *
  (Z2F R (N_at i j)
   / (Z2F R (Zpos common_scale) * Z2F R (Zpos (scale_at i)) * Z2F R (Zpos (scale_at j)))).
Proof.
move kE: (gram H (feature pb h0) i j) => k.
have lim : is_limited pb || (size (scaled_columns h0 t i j) <= q)%N.
  by rewrite size_scaled /is_limited; case: ltnP.
have := kernel_valueP (integer_respects R) (integer_paired i j) lim.
rewrite /zrep => E; have {E} := congr1 (fun f : {poly R} => f`_0) E.
rewrite zp_coef coefC /= nth0 -[head _ _]/(N_at i j) => ->.
rewrite (eq_bigr (fun r : 'I_q.+1 => (\prod_l h0 l * \prod_l t i l * \prod_l t j l)
   * ((pair_gen h0 i j)`_r).[1])) => [|r _]; last first.
  by rewrite gen_scaled coefCM hornerM hornerC.
rewrite -mulr_sumr -horner_sum form_all -form_kernel -/(gram H (feature pb h0) i j) kE.
rewrite scale_atE scale_atE common_scaleE -!big_split /=.
rewrite /lambda prodfV.
have -> : \prod_l (c_at l * D_at i l * D_at j l) = \prod_l (t i l * t j l).
  by apply: eq_bigr => l _; rewrite ttE.
rewrite !big_split /=.
have h : \prod_l h0 l != 0 by apply/prodf_neq0 => l _; rewrite gt_eqF.
have pos (f : 'I_d -> R) : (forall l, 0 < f l) -> \prod_l f l != 0.
  by move=> f0; apply/prodf_neq0 => l _; rewrite gt_eqF.
have s0 : forall l, 0 < Num.sqrt (c_at l) by move=> l; rewrite sqrtr_gt0.
move: (pos _ (D_gt0 i)) (pos _ (D_gt0 j)) (pos _ s0) h.
move: (\prod_l D_at i l) (\prod_l D_at j l) (\prod_l Num.sqrt (c_at l)) (\prod_l h0 l).
by move=> x y z u x0 y0 z0 u0; field; rewrite x0 y0 z0 u0.
Qed.
End Gram.
