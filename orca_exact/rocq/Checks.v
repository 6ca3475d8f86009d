(** * Certificates and the functions that check them

    [check_exact] and [check_gap] compute; Certified.v says what their `true` proves. Here is
    why the tests of a claim are right, given enclosures of the sums [claims_hold]. *)
From Coq Require Import ZArith QArith Qreduction.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring zify.
From Orca Require Import Compat Recurrence Form Svm Expansion Rationals Claims Engine.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coq_Z.

(** ** Claims from enclosures of the sums *)

(** Which entries of a vector belong to an index of degrees. *)
Definition selects (i : index) (N : nat) : bool :=
  match i with
  | Degree N' => N == N'
  | Even => ~~ odd N
  | Odd => odd N
  | Cumulative T => (N <= T)%N
  | _ => false
  end.
Definition is_order (i : index) : bool := if i is Order _ then true else false.
Definition is_subset (i : index) : bool := if i is Subset _ then true else false.
Definition indices (c : claim) : seq index :=
  match c with
  | Between i _ _ => [:: i]
  | Equal i _ => [:: i]
  | Peak N => [:: Degree N]
  | Threshold _ T => [:: Cumulative T]
  end.
Definition wants_orders (cs : seq claim) : bool := has is_order (flatten (map indices cs)).
Definition wants_degrees (cs : seq claim) : bool :=
  has (fun i => ~~ is_order i && ~~ is_subset i) (flatten (map indices cs)).
Definition column_mask (d : nat) (A : seq nat) : seq bool := [seq l.+1 \in A | l <- iota 0 d].
Definition wanted_masks (d : nat) (cs : seq claim) : seq (seq bool) :=
  pmap (fun i => if i is Subset A then Some (column_mask d A) else None)
    (flatten (map indices cs)).

Section Checks.
(** [sums orders] and so on enclose the sum of the selected entries, [total] the sum of all. *)
Variables (vec : Type) (sums : vec -> (nat -> bool) -> Q * Q) (total : Q * Q).
Variables (d q : nat) (masks : seq (seq bool)) (orders degrees subsets : vec).
Local Notation "u <=? v" := (Qle_bool u v) (at level 70).
Local Notation "u <? v" := (Qlt_bool u v) (at level 70).
Local Notation "u *q v" := (Qmult u v) (at level 40).

Definition encl (i : index) : Q * Q :=
  match i with
  | Order r => sums orders (pred1 r)
  | Subset A => let mask := column_mask d A in
      sums subsets (fun k => (count id mask <= q)%N && (k == seq.index mask masks))
  | _ => sums degrees (selects i)
  end.

Definition check_between (u : Q * Q) (lower upper : Q) : bool :=
  [&& q0 <? total.1, (lower <=? q0) || (lower *q total.2 <=? u.1), q0 <=? upper
    & (q1 <=? upper) || (u.2 <=? upper *q total.1)].

Definition check_claim (top : nat) (c : claim) : bool :=
  match c with
  | Between i lower upper => check_between (encl i) lower upper
  | Equal i r => let u := encl i in
      [&& q0 <? total.1, Qeq_bool total.1 total.2, Qeq_bool u.1 u.2
        & Qeq_bool u.1 (r *q total.1)]
  | Peak N => let u := encl (Degree N) in
      [&& q0 <? total.1, q0 <? u.1
        & all (fun N' => (N' == N) || ((encl (Degree N')).2 <? u.1)) (iota 0 top.+1)]
  | Threshold eps T => let r := Qminus q1 eps in
      [&& q0 <? total.1, q0 <? r, r *q total.2 <=? (encl (Cumulative T)).1
        & (T == 0%N) || ((encl (Cumulative T.-1)).2 <? r *q total.1)]
  end.
End Checks.

(** ** The data *)

Definition well_formed (pb : problem) : bool :=
  all (fun s => size (inputs s) == dimension pb) (samples pb) &&
  all (all (fun u => Qlt_bool q0 u.2)) (recurrences pb).

Definition top_degree (pb : problem) : nat := (dimension pb * max_degree pb)%N.
Definition is_limited (pb : problem) : bool := (order_limit pb < dimension pb)%N.

(** ** Level exact *)

(** a_i = lambda alpha_i and b. *)
Record exact_certificate := ExactCertificate { exact_a : seq Q; exact_b : Q }.

Definition exact_alpha (R : rcfType) (pb : problem) (h0 : 'I_(dimension pb) -> R)
    (cert : exact_certificate) (i : 'I_(points pb)) : R :=
  Q2F R (nth q0 (exact_a cert) i) / lambda h0.
Definition exact_w (R : rcfType) (pb : problem) (h0 : 'I_(dimension pb) -> R)
    (cert : exact_certificate) : vectors R pb :=
  w_of (feature pb h0) (label_at pb) (exact_alpha h0 cert).
Arguments exact_alpha {R} pb h0 cert i.
Arguments exact_w {R} pb h0 cert.

Section CheckExact.
Variables (pb : problem) (lower upper : Q) (cert : exact_certificate).
Local Notation arith := exact_arithmetic.
Let q := order_limit pb.

Definition qsums (s : seq Q) (sel : nat -> bool) : Q * Q :=
  let r := qsum [seq u.2 | u <- zip (iota 0 (size s)) s & sel u.1] in (r, r).

Definition exact_points : seq (vec arith * seq (col arith)) :=
  [seq ([:: Qred (Qmult (Qmake (label u.1) 1) u.2)],
        exact_cols (recurrences pb) (inputs u.1)) | u <- zip (samples pb) (exact_a cert)].

(** For a_i > 0: y_i g(x_i) <= 1. For a_i < lambda C_i: y_i g(x_i) >= 1. *)
Definition check_sample (s : sample) (a score : Q) : bool :=
  let margin := Qred (Qmult (Qmake (label s) 1) (Qplus score (exact_b cert))) in
  [&& Qle_bool q0 a, Qle_bool a (Qmult lower (box s)),
      Qle_bool a q0 || Qle_bool margin q1
    & Qle_bool (Qmult upper (box s)) a || Qle_bool q1 margin].

Definition check_exact (claims : seq claim) : bool :=
  let pts := exact_points in
  let sc := [seq qsum s | s <- scores (a := arith)
    (@kernel_value arith q (is_limited pb)) pts [seq [::] | _ <- pts]] in
  let used := [seq u <- pts | ~~ Qeq_bool (qsum u.1) q0] in
  let quad f := quadratic (a := arith) f used in
  let total := qsum [seq Qred (Qmult (qsum u.1.1) u.2) | u <- zip pts sc] in
  let orders := if wants_orders claims then quad (@order_poly arith q) else [::] in
  let degrees := if wants_degrees claims then
    quad (@degree_poly arith q (is_limited pb)) else [::] in
  let masks := wanted_masks (dimension pb) claims in
  let subsets := if masks is [::] then [::] else quad (@subset_poly arith masks) in
  [&& well_formed pb, size (exact_a cert) == points pb, Qlt_bool q0 lower,
      Qeq_bool (qsum [seq qsum u.1 | u <- pts]) q0,
      all (fun u => check_sample u.1.1 u.1.2 u.2) (zip (zip (samples pb) (exact_a cert)) sc)
    & all (check_claim qsums (total, total) (dimension pb) q masks orders degrees subsets
             (top_degree pb)) claims].
End CheckExact.

(** ** Level gap *)

(** alpha_i = multipliers_i 2^(-scale), b = bias 2^(-scale), and the precisions in bits. *)
Record gap_certificate := GapCertificate {
  bits : Z; index_bits : Z; scale : Z; multipliers : seq Z; bias : Z }.

Section CheckGap.
Local Open Scope Z_scope.
Variables (pb : problem) (lower upper : Q) (cert : gap_certificate).
Let q := order_limit pb.

(** The table with signed weights, and the exponent they were multiplied with. *)
Definition weighted_table (bits : Z) :
    seq (vec (fixed_arithmetic bits) * seq (col (fixed_arithmetic bits)) * Z) * Z :=
  let table := fixed_table bits pb in
  let signed := [seq (label u.1 * u.2)%coq_Z | u <- zip (samples pb) (multipliers cert)] in
  let shift := scale cert - foldr Z.max 0
    [seq Z.log2 (Z.abs u.2) + u.1.2 | u <- zip table signed & negb (Z.eqb u.2 0)] in
  ([seq (weight_of bits (scale cert) shift u.2 u.1.2, u.1.1, u.1.2) | u <- zip table signed],
   shift).

(** The duality gap and |w|^2 / lambda from above, in units of 2^(-bits). *)
Definition to_ball (f : fixed) : ball := (zsum f.1, f.2).

Definition slack_bound (bits : Z) (lam b : ball) (s : sample) (score : ball) : Z :=
  let g := badd (bmul bits lam score) b in
  let xi := Z.max 0 (Z.shiftl 1 bits - label s * g.1 + Z.abs (label s) * g.2) in
  shr bits ((Z.div (Z.shiftl (Qnum (box s)) bits) (Zpos (Qden (box s))) + 1) * xi) + 1.

(** The ball of lambda. *)
Definition lambda_ball (bits : Z) : ball :=
  let u := ball_of_Q bits lower in let v := ball_of_Q bits upper in
  (u.1, 2 + Z.abs (v.1 - u.1)).

Definition gap_and_norm (bits : Z) : Z * (ball * Z) :=
  let: (table, shift) := weighted_table bits in
  let arith := fixed_arithmetic bits in
  let pts := [seq u.1 | u <- table] in
  let sc := scores (a := arith) (@kernel_value arith q (is_limited pb)) pts
    [seq vzero arith | _ <- pts] in
  let norm := to_ball (vsuml (a := arith) [seq vmul (a := arith) u.1.1 u.2 | u <- zip pts sc]) in
  let lam := lambda_ball bits in
  let b := bshr (scale cert - bits) (bias cert, 0) in
  let slacks := zsum [seq slack_bound bits lam b u.1 (bshr (shift - u.2.1.2) (to_ball u.2.2))
                     | u <- zip (samples pb) (zip table sc)] in
  let norm2 := bmul bits lam (bshr (2 * shift) norm) in
  let sum_alpha := bshr (scale cert - bits) (zsum (multipliers cert), 0) in
  (norm2.1 + norm2.2 - sum_alpha.1 + sum_alpha.2 + slacks, (norm, shift)).

(** Shares of the optimum: with t = 2^(-e), |A* - A| <= t A + (1 + 1/t) |w - w*|^2. *)
Definition widen (e far : Z) (u : Z * Z) : Q * Q :=
  (Qmake (u.1 - (shr e u.1 + 1) - far) 1, Qmake (u.2 + (shr e u.2 + 1) + far) 1).

Definition selected (sel : nat -> bool) (s : seq Z) : Z :=
  zsum [seq u.2 | u <- zip (iota 0 (size s)) s & sel u.1].
Definition fsums (e far : Z) (f : fixed) (sel : nat -> bool) : Q * Q :=
  let s := selected sel f.1 in widen e far (s - f.2, s + f.2).

Definition check_gap (claims : seq claim) : bool :=
  let: (gap, (norm, shift)) := gap_and_norm (bits cert) in
  let p := index_bits cert in
  let arith := fixed_arithmetic p in
  let: (table, shift') := weighted_table p in
  let used := [seq u.1.1 | u <- zip table (multipliers cert) & negb (Z.eqb u.2 0)] in
  let quad f := quadratic (a := arith) f used in
  (* |w|^2 / lambda in the units of the sums *)
  let total := bshr (bits cert - p + 2 * (shift - shift')) norm in
  (* |w - w*|^2 / lambda in units of 2^(-bits), and (1 + 1/t) times it in those of the sums *)
  let rho := Z.div (gap * Zpos (Qden lower)) (Qnum lower) + 1 in
  let e := Z.max 0 (Z.div (Z.log2 (shr (2 * shift) norm.1) - Z.log2 rho) 2) in
  let far := shr (bits cert - p - 2 * shift') (rho + Z.shiftl rho e) + 1 in
  let none := ([::], 0) in
  let orders := if wants_orders claims then quad (@order_poly arith q) else none in
  let degrees := if wants_degrees claims then
    quad (@degree_poly arith q (is_limited pb)) else none in
  let masks := wanted_masks (dimension pb) claims in
  let subsets := if masks is [::] then none else quad (@subset_poly arith masks) in
  [&& well_formed pb, size (multipliers cert) == points pb, Qlt_bool q0 lower,
      Z.leb 0 (bits cert), Z.leb 0 p, Z.leb 0 (scale cert),
      Z.eqb (zsum [seq (label u.1 * u.2)%coq_Z | u <- zip (samples pb) (multipliers cert)]) 0,
      all (fun u => Z.leb 0 u.2 && Qle_bool (Qmake u.2 (Z.to_pos (Z.shiftl 1 (scale cert))))
             (box u.1)) (zip (samples pb) (multipliers cert))
    & all (check_claim (fsums e far) (widen e far (total.1 - total.2, total.1 + total.2))
             (dimension pb) q masks orders degrees subsets (top_degree pb)) claims].
End CheckGap.

(** ** The claims *)

Lemma all_implied (T : Type) (S : pred T) (s : seq T) : all (fun i => S i ==> has S s) s.
Proof.
case E: (has S s); first by rewrite (eq_all (a2 := xpredT)) ?all_predT // => i; rewrite implybT.
move/negbT: E; rewrite -all_predC; apply: sub_all => i /= /negPf->.
by [].
Qed.

(** An index of which the sums were computed. *)
Definition covered (d : nat) (orders degrees : bool) (masks : seq (seq bool)) (i : index) : bool :=
  match i with
  | Order _ => orders
  | Subset A => column_mask d A \in masks
  | _ => degrees
  end.

Lemma covered_gen d wo wd ms s : all (fun i => is_order i ==> wo) s ->
  all (fun i => ~~ is_order i && ~~ is_subset i ==> wd) s ->
  {subset pmap (fun i => if i is Subset A then Some (column_mask d A) else None) s <= ms} ->
  all (covered d wo wd ms) s.
Proof.
elim: s => //= i s IH /andP[io so] /andP[iw sw] sub; rewrite IH //; last first.
  by case: i sub {io iw} => //= A sub x xs; apply: sub; rewrite inE xs orbT.
by rewrite andbT; case: i io iw sub => //= A _ _ sub; apply: sub; rewrite inE eqxx.
Qed.

Lemma covered_all d cs :
  all (covered d (wants_orders cs) (wants_degrees cs) (wanted_masks d cs))
    (flatten (map indices cs)).
Proof.
by apply: covered_gen; rewrite ?all_implied.
Qed.

Section Soundness.
Variables (R : realFieldType) (n d : nat) (w : {ffun {ffun 'I_d -> 'I_n.+1} -> R^o}) (mu : R).
Variables (vec : Type) (sums : vec -> (nat -> bool) -> Q * Q) (total : Q * Q) (q : nat).
Variables (masks : seq (seq bool)) (orders degrees subsets : vec) (wo wd : bool).
Local Notation mode := {ffun 'I_d -> 'I_n.+1}.
Local Notation encl := (encl sums d q masks orders degrees subsets).
Local Notation check := (check_claim sums total d q masks orders degrees subsets (d * n)%N).
Local Notation covered := (covered d wo wd masks).

Definition modes_of (i : index) (k : mode) : bool :=
  match i with
  | Order r => order k == r
  | Subset A => act k == column_set d A
  | _ => selects i (degree k)
  end.
Definition sum2 (S : pred mode) : R := \sum_(k | S k) (w k : R) ^+ 2.

Hypothesis mu_gt0 : 0 < mu.
Hypothesis totalP : Q2F R total.1 <= mu * sum2 xpredT <= Q2F R total.2.
Hypothesis enclP : forall i, covered i ->
  Q2F R (encl i).1 <= mu * sum2 (modes_of i) <= Q2F R (encl i).2.

Lemma valueE i : value w i = sum2 (modes_of i) / sum2 xpredT.
Proof. by case: i => //= r; rewrite ?okc_order_modes ?okc_degree_modes. Qed.

Lemma sum2_ge0 S : 0 <= sum2 S.
Proof. by apply: sumr_ge0 => k _; rewrite sqr_ge0. Qed.

Lemma sum2_le S : sum2 S <= sum2 xpredT.
Proof. by rewrite /sum2 [leRHS](bigID S) /= lerDl sumr_ge0 // => k _; rewrite sqr_ge0. Qed.

Section Positive.
Hypothesis total_gt0 : Qlt_bool q0 total.1.
Lemma whole_gt0 : 0 < mu * sum2 xpredT.
Proof.
by move: total_gt0; rewrite (Q2F_lt R) Q2F0 => h; apply: lt_le_trans h _; case/andP: totalP.
Qed.
Lemma ratioE i : value w i = (mu * sum2 (modes_of i)) / (mu * sum2 xpredT).
Proof.
by rewrite valueE -mulf_div divff ?mul1r // gt_eqF.
Qed.
Lemma value_lower i (r : R) : 0 <= r -> covered i ->
  r * Q2F R total.2 <= Q2F R (encl i).1 -> r <= value w i.
Proof.
move=> r0 ci le; rewrite ratioE ler_pdivlMr ?whole_gt0 //.
have /andP[lo _] := enclP ci; have /andP[_ hi] := totalP.
by apply: le_trans lo; apply: le_trans le; apply: ler_wpM2l.
Qed.
Lemma value_upper i (r : R) : 0 <= r -> covered i ->
  Q2F R (encl i).2 <= r * Q2F R total.1 -> value w i <= r.
Proof.
move=> r0 ci le; rewrite ratioE ler_pdivrMr ?whole_gt0 //.
have /andP[_ hi] := enclP ci; have /andP[lo _] := totalP.
by apply: le_trans hi _; apply: le_trans le _; apply: ler_wpM2l.
Qed.
Lemma value_upper_lt i (r : R) : 0 <= r -> covered i ->
  Q2F R (encl i).2 < r * Q2F R total.1 -> value w i < r.
Proof.
move=> r0 ci le; rewrite ratioE ltr_pdivrMr ?whole_gt0 //.
have /andP[_ hi] := enclP ci; have /andP[lo _] := totalP.
by apply: le_lt_trans hi _; apply: lt_le_trans le _; apply: ler_wpM2l.
Qed.
End Positive.

Lemma value_ge0 i : 0 <= value w i.
Proof. by rewrite valueE divr_ge0 ?sum2_ge0. Qed.

Lemma value_le1 i : value w i <= 1.
Proof.
rewrite valueE; have [->|t0] := eqVneq (sum2 xpredT) 0; first by rewrite invr0 mulr0 ler01.
by rewrite ler_pdivrMr ?mul1r ?sum2_le // lt_def t0 sum2_ge0.
Qed.

Lemma claim_holds c : all covered (indices c) -> check c -> holds w c.
Proof.
case: c => [i lower upper|i r|N|eps T]; rewrite /indices [all _ _]/= ?andbT => ci;
  rewrite /check_claim /check_between /holds.
- case/and4P=> t0; rewrite !(Q2F_le R) !Q2FM Q2F0 Q2F1 => lo up0 up; apply/andP; split.
    have [l0|l0] := leP (Q2F R lower) 0; first exact: le_trans l0 (value_ge0 i).
    by apply: value_lower (ltW l0) ci _ => //; move: lo; rewrite leNgt l0.
  by case/orP: up => [u1|up]; [apply: le_trans (value_le1 i) u1 | apply: value_upper].
- case/and4P=> t0; rewrite !(Q2F_eq R) Q2FM => /eqP tt /eqP uu /eqP ur.
  have /andP[] := enclP ci; rewrite -uu ur => lo hi.
  have /andP[] := totalP; rewrite -tt => tlo thi.
  have tE : mu * sum2 xpredT = Q2F R total.1 by apply/eqP; rewrite eq_le thi.
  have aE : mu * sum2 (modes_of i) = Q2F R r * Q2F R total.1 by apply/eqP; rewrite eq_le hi.
  by rewrite ratioE aE -tE mulfK // gt_eqF // whole_gt0.
- case/and3P=> t0; rewrite (Q2F_lt R) Q2F0 => u0 /allP others N' N'N.
  have dE M : okc_degree w M = value w (Degree M) by [].
  rewrite !dE !ratioE // ltr_pM2r ?invr_gt0 ?whole_gt0 //.
  have /andP[lo _] := enclP (i := Degree N) ci; apply: lt_le_trans lo.
  have [N'd|N'd] := leqP N' (d * n)%N.
    have := others N'; rewrite mem_iota leq0n add0n ltnS => /(_ N'd);
      rewrite (negPf (introN eqP N'N)) /=.
    by rewrite (Q2F_lt R); apply: le_lt_trans; have /andP[] := enclP (i := Degree N') ci.
  rewrite /sum2 big_pred0 ?mulr0 // => k; apply/negP => /= /eqP kN.
  by move: N'd; rewrite -kN ltnNge degree_le.
case/and4P=> t0; rewrite (Q2F_lt R) Q2F0 (Q2F_le R) Q2FM Q2FB Q2F1 => r0 lo hi; split.
  exact: (value_lower t0 (i := Cumulative T) (ltW r0) ci lo).
case: T ci lo hi => // T ci lo; rewrite /= (Q2F_lt R) Q2FM Q2FB Q2F1 => hi T' T'T.
apply: le_lt_trans (value_upper_lt t0 (i := Cumulative T) (ltW r0) ci hi).
rewrite -[okc_cumulative w T']/(value w (Cumulative T')) !ratioE // ler_pM2r ?invr_gt0
  ?whole_gt0 //.
rewrite ler_wpM2l ?(ltW mu_gt0) // /sum2 [leLHS]big_mkcond [leRHS]big_mkcond;
  apply: ler_sum => k _.
rewrite /=; case: leqP => kT'; first by rewrite (leq_trans kT').
by case: ifP; rewrite ?sqr_ge0.
Qed.

Theorem claims_hold cs : all covered (flatten (map indices cs)) -> all check cs -> all_hold w cs.
Proof.
elim: cs => [|c [|c' cs] IH] //=; rewrite all_cat => /andP[cc ccs] /andP[hc hcs].
  exact: claim_holds.
by split; [apply: claim_holds | apply: IH].
Qed.
End Soundness.
