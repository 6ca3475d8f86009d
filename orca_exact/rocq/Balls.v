(** * Balls, and the tables in fixed point

    [near x b]: the number x lies in the ball b, both in the same unit. *)
From Coq Require Import ZArith QArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring zify ssrZ.
From Orca Require Import Compat Recurrence Form Svm Expansion Rationals Claims Engine Sums Shares.
From Orca Require Import Checks Assembly Fixed Tables.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coq_Z.
Arguments Z.add : simpl never. Arguments Z.mul : simpl never. Arguments Z.sub : simpl never.
Arguments Z.shiftl : simpl never. Arguments Z.shiftr : simpl never.

Section Near.
Variable R : realFieldType.
Local Notation pow2 := (pow2 R).
Definition near (x : R) (b : ball) : Prop := `|x - Z2F R b.1| <= Z2F R b.2.

Lemma floorP z (e : positive) : Z2F R (Z.div z (Zpos e)) <= Z2F R z / Z2F R (Zpos e)
  <= Z2F R (Z.div z (Zpos e)) + 1.
Proof.
rewrite ler_pdivlMr ?Z2F_gt0 // ler_pdivrMr ?Z2F_gt0 // -(Z2F1 R) -Z2FD -!Z2FM !Z2F_le.
have := Z.div_mod z (Zpos e); have := Z.mod_pos_bound z (Zpos e) (Pos2Z.is_pos e); nia.
Qed.

Lemma near_Q k q : Z.le 0 k -> near (Q2F R q * pow2 k) (ball_of_Q k q).
Proof.
move=> k0; rewrite /near /ball_of_Q /Q2F /= mulrAC -shiftlE //.
case/andP: (floorP (Z.shiftl (Qnum q) k) (Qden q)) => lo hi.
by rewrite ger0_norm ?subr_ge0 // lerBlDl.
Qed.

Lemma near_add x y b c : near x b -> near y c -> near (x + y) (badd b c).
Proof.
move=> xb yc; rewrite /near /= !Z2FD opprD addrACA.
by apply: le_trans (ler_normD _ _) (lerD xb yc).
Qed.

Lemma near_sub x y b c : near x b -> near y c -> near (x - y) (bsub b c).
Proof.
move=> xb yc; rewrite /near /= Z2FB Z2FD.
have -> : x - y - (Z2F R b.1 - Z2F R c.1) = x - Z2F R b.1 - (y - Z2F R c.1) by ring.
exact: le_trans (ler_normB _ _) (lerD xb yc).
Qed.

Lemma near_mul k x y b c : near x b -> near y c -> near (x * y / pow2 k) (bmul k b c).
Proof.
rewrite /near /= => xb yc; set e := shr k (_ + _)%coq_Z; rewrite Z2FD.
have inv0 : 0 < (pow2 k)^-1 by rewrite invr_gt0 pow2_gt0.
have -> : x * y / pow2 k - Z2F R (shr k (b.1 * c.1)%coq_Z) =
    (x * y - Z2F R b.1 * Z2F R c.1) / pow2 k
    + (Z2F R (b.1 * c.1)%coq_Z / pow2 k - Z2F R (shr k (b.1 * c.1)%coq_Z)).
  by rewrite Z2FM; ring.
rewrite -[Z2F R 2]/(1 + 1) [leRHS]addrA.
apply: le_trans (ler_normD _ _) (lerD _ (shr_error _ _ _)).
rewrite normrM (gtr0_norm inv0); apply: le_trans (shr_le _ _ _).
rewrite ler_wpM2r ?(ltW inv0) // !(Z2FD, Z2FM) !Z2F_abs.
have -> : x * y - Z2F R b.1 * Z2F R c.1 =
    (x - Z2F R b.1) * y + (y - Z2F R c.1) * Z2F R b.1 by ring.
apply: le_trans (ler_normD _ _) _; rewrite !normrM lerD ?ler_pM //.
by rewrite -[y](subrK (Z2F R c.1)) (le_trans (ler_normD _ _)) // addrC lerD.
Qed.

Lemma near_shr k x b : near x b -> near (x / pow2 k) (bshr k b).
Proof.
rewrite /near /= => xb; rewrite Z2FD -[Z2F R 2]/(1 + 1) [leRHS]addrA.
have inv0 : 0 < (pow2 k)^-1 by rewrite invr_gt0 pow2_gt0.
have -> : x / pow2 k - Z2F R (shr k b.1) = (x - Z2F R b.1) / pow2 k
    + (Z2F R b.1 / pow2 k - Z2F R (shr k b.1)) by ring.
apply: le_trans (ler_normD _ _) (lerD _ (shr_error _ _ _)).
rewrite normrM (gtr0_norm inv0); apply: le_trans (shr_le _ _ _).
by rewrite ler_wpM2r // ltW.
Qed.

Lemma near_exact z : near (Z2F R z) (z, 0%coq_Z).
Proof. by rewrite /near subrr normr0. Qed.

Lemma size_ball_values k x rec cur prev b :
  size (ball_values k x rec cur prev b) = (size rec).+1.
Proof. by elim: rec cur prev b => [|[a b'] rec IH] cur prev b //=; rewrite IH. Qed.

Lemma ball_valuesP k x rec cur prev b (c p e : R) : Z.le 0 k ->
  near (c * pow2 k) cur -> near (p * pow2 k) prev -> near (e * pow2 k) b ->
  forall t, (t <= size rec)%N ->
  near (nth 0 (real_values (Q2F R x) [seq (Q2F R u.1, Q2F R u.2) | u <- rec] c p e) t * pow2 k)
    (nth (0, 0)%coq_Z (ball_values k (ball_of_Q k x)
       [seq (ball_of_Q k u.1, ball_of_Q k u.2) | u <- rec] cur prev b) t).
Proof.
move=> k0; elim: rec cur prev b c p e => [|[a b'] rec IH] cur prev b c p e nc np nb [|t] //= tr.
apply: IH => //; last exact: near_Q.
have -> : ((Q2F R x - Q2F R a) * c - e * p) * pow2 k =
  (Q2F R x * pow2 k - Q2F R a * pow2 k) * (c * pow2 k) / pow2 k
  - (e * pow2 k) * (p * pow2 k) / pow2 k by field; rewrite pow2_neq0.
by apply: near_sub; apply: near_mul => //; apply: near_sub; apply: near_Q.
Qed.

Lemma values_ofP bits (bs : seq ball) (f : nat -> R) :
  (forall j, (j < size bs)%N -> near (f j * pow2 bits) (nth (0, 0)%coq_Z bs j)) ->
  vrep bits (values_of bs) (\poly_(j < size bs) f j).
Proof.
move=> h; split=> //=; set u := (pow2 bits)^-1.
have u0 : 0 < u by rewrite invr_gt0 pow2_gt0.
rewrite (@l1_wide _ (size bs)); last first.
  rewrite (leq_trans (size_add _ _)) // geq_max size_poly size_opp /=.
  by rewrite (leq_trans (size_scale_leq _ _)) // (leq_trans (size_Poly _)) // !size_map.
have -> : Z2F R (zsum [seq b.2 | b <- bs]) = \sum_(j < size bs) Z2F R (nth (0, 0)%coq_Z bs j).2.
  by elim: bs {h} => [|b bs IH] /=; rewrite ?big_ord0 // big_ord_recl /= Z2FD IH.
rewrite mulr_suml; apply: ler_sum => j _; rewrite coefB coef_poly ltn_ord coefZ zp_coef.
rewrite (nth_map (0, 0)%coq_Z) //; have := h j (ltn_ord j); rewrite /near => hj.
rewrite -(ler_pM2r (pow2_gt0 R bits)) -[leRHS]mulrA mulVf ?pow2_neq0 // mulr1.
rewrite -{1}[pow2 bits](gtr0_norm (pow2_gt0 R bits)) -normrM mulrBl.
by rewrite [u * _]mulrC -[_ * u * _]mulrA mulVf ?pow2_neq0 // mulr1.
Qed.
End Near.

Section FixedColumns.
Variables (R : rcfType) (pb : problem) (h0 : 'I_(dimension pb) -> R).
Local Notation d := (dimension pb).
Local Notation m := (points pb).
Local Notation pow2 := (pow2 R).
Hypothesis h0_gt0 : forall l, 0 < h0 l.
Hypothesis ok : well_formed pb.
Variable bits : Z.
Hypothesis bits_ge0 : Z.le 0 bits.
Let k := (bits + guard (recurrences pb))%coq_Z.
Lemma k_ge0 : Z.le 0 k.
Proof.
rewrite /k /guard; have := Nat2Z.is_nonneg (foldr maxn 0%N (map size (recurrences pb))).
lia.
Qed.

Definition fixed_at (i : 'I_m) (l : 'I_d) : (values * values) * Z :=
  fixed_col bits k (nth q0 (inputs (nth_sample i)) l) (column_table k (column l)).
(** The exponents s_k of a column and e_il of a point. *)
Definition balance (l : 'I_d) (t : nat) : Z :=
  nth 0%coq_Z [seq w.2 | w <- (column_table k (column l)).2] t.
Definition exponent i l : Z := (fixed_at i l).2.

Lemma fixed_atP i l :
  vrep bits (fixed_at i l).1.1
    (\poly_(t < (size (column l)).+1)
       (monic_at R i l t * pow2 (balance l t - exponent i l)%coq_Z)) /\
  vrep bits (fixed_at i l).1.2
    (\poly_(t < (size (column l)).+1)
       (monic_at R i l t * ratio R l t * pow2 (- balance l t - exponent i l)%coq_Z)).
Proof.
have k0 := k_ge0; rewrite /exponent /fixed_at /fixed_col /balance; cbn [fst snd].
set x := nth q0 _ l; set us := ball_values _ _ _ _ _ _.
set tab := (column_table k (column l)).2; set e := (half_log _ _ + 1)%coq_Z; clearbody e.
have szu : size us = (size (column l)).+1 by rewrite size_ball_values size_map.
have szt : size tab = (size (column l)).+1 by rewrite size_map size_ratios.
have usP t : (t <= size (column l))%N ->
    near (monic_at R i l t * pow2 k) (nth (0, 0)%coq_Z us t).
  move=> tl; rewrite -real_columnE //; apply: ball_valuesP => //.
  - by rewrite mul1r /near /= shiftlE // Z2F1 mul1r subrr normr0.
  - by rewrite mul0r -(Z2F0 R); apply: near_exact.
  - by rewrite mul0r -(Z2F0 R); apply: near_exact.
have tabP t : (t <= size (column l))%N ->
    near (ratio R l t * pow2 k) (nth ((0, 0), 0)%coq_Z tab t).1.
  by move=> tl; rewrite /tab /column_table /= (nth_map q0) ?size_ratios //=; apply: near_Q.
pose z2 := (((0, 0), 0)%coq_Z : ball * Z); pose z1 := ((0, 0)%coq_Z : ball).
have tab2 t : (t <= size (column l))%N -> nth 0%coq_Z [seq w.2 | w <- tab] t = (nth z2 tab t).2.
  by move=> tl; rewrite (nth_map z2) ?szt.
have szut : size (zip us tab) = (size (column l)).+1 by rewrite size_zip szu szt minnn.
set vs := [seq (bmul k u.1 u.2.1, u.2.2) | u <- zip us tab].
have szv : size vs = (size (column l)).+1 by rewrite size_map.
have vsE t : (t <= size (column l))%N ->
    nth z2 vs t = (bmul k (nth z1 us t) (nth z2 tab t).1, (nth z2 tab t).2).
  by move=> tl; rewrite (nth_map (z1, z2)) ?szut // nth_zip ?szu ?szt.
split.
- rewrite -szut -(size_map (fun u : ball * (ball * Z) => bshr (k - bits + e - u.2.2)%coq_Z u.1)).
  apply: values_ofP => t; rewrite size_map szut ltnS => tl.
  rewrite (nth_map (z1, z2)) ?szut // nth_zip ?szu ?szt //=.
  rewrite tab2 //; set s := (nth z2 tab t).2.
  have -> : monic_at R i l t * pow2 (s - e)%coq_Z * pow2 bits =
      monic_at R i l t * pow2 k / pow2 (k - bits + e - s)%coq_Z.
    have E : pow2 k = pow2 (s - e)%coq_Z * pow2 bits * pow2 (k - bits + e - s)%coq_Z.
      by rewrite -!pow2D; congr pow2; lia.
    by rewrite E !mulrA mulfK ?pow2_neq0.
  by apply: near_shr; apply: usP.
rewrite -szv -(size_map (fun v : ball * Z => bshr (k - bits + e + v.2)%coq_Z v.1)).
apply: values_ofP => t; rewrite size_map szv ltnS => tl.
rewrite tab2 // (nth_map z2) ?szv // vsE //=; set s := (nth z2 tab t).2.
have -> : monic_at R i l t * ratio R l t * pow2 (- s - e)%coq_Z * pow2 bits =
    monic_at R i l t * pow2 k * (ratio R l t * pow2 k) / pow2 k / pow2 (k - bits + e + s)%coq_Z.
  have E : pow2 k = pow2 (- s - e)%coq_Z * pow2 bits * pow2 (k - bits + e + s)%coq_Z.
    by rewrite -!pow2D; congr pow2; lia.
  rewrite mulrA mulfK ?pow2_neq0 // {1}E.
  by field; rewrite pow2_neq0.
by apply: near_shr; apply: near_mul; [apply: usP | apply: tabP].
Qed.

Lemma fixed_had i j l :
  had
    (\poly_(t < (size (column l)).+1)
       (monic_at R i l t * pow2 (balance l t - exponent i l)%coq_Z))
    (\poly_(t < (size (column l)).+1)
       (monic_at R j l t * ratio R l t * pow2 (- balance l t - exponent j l)%coq_Z))
  = (h0 l * pow2 (- exponent i l)%coq_Z * pow2 (- exponent j l)%coq_Z) *: column_poly h0 i j l.
Proof.
apply/polyP => t; rewrite coef_had !coef_poly coefZ.
have -> : h0 l * pow2 (- exponent i l)%coq_Z * pow2 (- exponent j l)%coq_Z
      * (column_poly h0 i j l)`_t
    = pow2 (- exponent i l)%coq_Z * pow2 (- exponent j l)%coq_Z
      * (h0 l * (column_poly h0 i j l)`_t) by ring.
rewrite column_poly_coef // ltnS; case: leqP => tl; last by rewrite !mulr0.
have -> : pow2 (balance l t - exponent i l)%coq_Z =
    pow2 (balance l t) * pow2 (- exponent i l)%coq_Z by rewrite -pow2D.
have -> : pow2 (- balance l t - exponent j l)%coq_Z =
    (pow2 (balance l t))^-1 * pow2 (- exponent j l)%coq_Z by rewrite -pow2N -pow2D.
by field; rewrite pow2_neq0.
Qed.

(** The columns of a point and the sum of its exponents. *)
Definition point_table (i : 'I_m) : seq (values * values) * Z :=
  fixed_cols bits k [seq column_table k rec | rec <- recurrences pb] (inputs (nth_sample i)).

Lemma fixed_tableE : fixed_table bits pb = [seq point_table i | i <- enum 'I_m].
Proof.
rewrite /fixed_table (seq_enum (Sample [::] Z0 q0) (erefl (size (samples pb)))) -map_comp.
by [].
Qed.

Lemma zip_columns (i : 'I_m) :
  zip (inputs (nth_sample i)) [seq column_table k rec | rec <- recurrences pb] =
  [seq (nth q0 (inputs (nth_sample i)) (val l), column_table k (column l)) | l <- enum 'I_d].
Proof.
rewrite {1}(seq_enum q0 (size_inputs ok i)).
by rewrite {1}(seq_enum [::] (erefl (size (recurrences pb)))) -map_comp zip_maps.
Qed.

Lemma point_tableE i : point_table i =
  ([seq (fixed_at i l).1 | l <- enum 'I_d], zsum [seq exponent i l | l <- enum 'I_d]).
Proof. by rewrite /point_table /fixed_cols zip_columns -!map_comp. Qed.

Lemma pow2_sum i : \prod_l pow2 (- exponent i l)%coq_Z = (pow2 (point_table i).2)^-1.
Proof.
rewrite point_tableE /= -big_enum /=; elim: (enum 'I_d) => [|l r IH].
  by rewrite big_nil invr1.
by rewrite big_cons IH /= pow2D pow2N invfM.
Qed.

Lemma fixed_paired i j : paired (a := fixed_arithmetic bits) (@frep R bits)
  (zip (point_table i).1 (point_table j).1)
  (scaled_columns h0 (fun i l => pow2 (- exponent i l)%coq_Z) i j).
Proof.
rewrite !point_tableE /= zip_maps /scaled_columns; elim: (enum 'I_d) => //= l r IH; split=> //.
have [u1 _] := fixed_atP i l; have [_ v2] := fixed_atP j l.
rewrite -fixed_had; split; [exact: fdegreesP | exact: fordersP].
Qed.
End FixedColumns.
