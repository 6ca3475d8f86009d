(** * The tables of polynomial values

    The recurrence of a column, run on fractions or on balls, gives pi_k(x_il); with h_0 / h_k
    it gives the polynomials of Shares.v. *)
From Coq Require Import ZArith QArith Qreduction.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring zify ssrZ.
From Orca Require Import Recurrence Form Svm Expansion Rationals Claims Engine Sums Shares Checks.
From Orca Require Import Assembly Fixed.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coq_Z.

Section Recursion.
Variable R : realFieldType.
Fixpoint real_values (x : R) (rec : seq (R * R)) (cur prev b : R) : seq R :=
  cur :: (if rec is (a, b') :: rec' then
    real_values x rec' ((x - a) * cur - b * prev) cur b' else [::]).

Lemma size_real_values x rec cur prev b : size (real_values x rec cur prev b) = (size rec).+1.
Proof. by elim: rec cur prev b => [|[a b'] rec IH] cur prev b //=; rewrite IH. Qed.

Lemma real_valuesE (a b : nat -> R) x rs j bb :
  (forall i, (i < size rs)%N -> nth (0, 0) rs i = (a (j + i)%N, b (j + i).+1)) ->
  bb * (op_pair a b j).2.[x] = b j * (op_pair a b j).2.[x] ->
  forall i, (i <= size rs)%N ->
  nth 0 (real_values x rs (op a b j).[x] (op_pair a b j).2.[x] bb) i = (op a b (j + i)).[x].
Proof.
elim: rs j bb => [|[a' b'] rs IH] j bb rsE bE [|i] //=; rewrite ?addn0 // ltnS => irs.
have [-> ->] : (a', b') = (a j, b j.+1) by have := rsE 0%N isT; rewrite addn0.
have next : (x - a j) * (op a b j).[x] - bb * (op_pair a b j).2.[x] = (op a b j.+1).[x].
  rewrite bE /op /=; case: (op_pair a b j) => P Q /=.
  by rewrite !(hornerD, hornerN, hornerM, hornerZ, hornerX, hornerC).
have prevE : (op_pair a b j.+1).2.[x] = (op a b j).[x] by rewrite /op /=; case: (op_pair a b j).
rewrite next -prevE addnS -addSn; apply: IH => // k krs.
by have := rsE k.+1 krs; rewrite /= addnS -addSn.
Qed.
End Recursion.

Lemma size_ratios rec cur : size (ratios rec cur) = (size rec).+1.
Proof. by elim: rec cur => [|[a b] rec IH] cur //=; rewrite IH. Qed.

Lemma ratiosE (R : realFieldType) rec cur k : (k <= size rec)%N ->
  Q2F R (nth q0 (ratios rec cur) k) =
  Q2F R cur * \prod_(i < k) (Q2F R (nth (q0, q1) rec i).2)^-1.
Proof.
elim: rec cur k => [|[a b] rec IH] cur [|k] //=; rewrite ?big_ord0 ?mulr1 // ltnS => kr.
by rewrite IH // Q2F_red Q2FM Q2FV big_ord_recl /= mulrA.
Qed.

Lemma size_exact_values x rec cur prev b :
  size (exact_values x rec cur prev b) = (size rec).+1.
Proof. by elim: rec cur prev b => [|[a b'] rec IH] cur prev b //=; rewrite IH. Qed.

Lemma exact_valuesE (R : realFieldType) x rec cur prev b :
  map (Q2F R) (exact_values x rec cur prev b) =
  real_values (Q2F R x) [seq (Q2F R u.1, Q2F R u.2) | u <- rec] (Q2F R cur) (Q2F R prev)
    (Q2F R b).
Proof.
elim: rec cur prev b => [|[a b'] rec IH] cur prev b //=.
by rewrite IH Q2F_red Q2FB !Q2FM Q2FB.
Qed.

Section Columns.
Variables (R : rcfType) (pb : problem) (h0 : 'I_(dimension pb) -> R).
Local Notation d := (dimension pb).
Local Notation m := (points pb).
Hypothesis h0_gt0 : forall l, 0 < h0 l.
Hypothesis ok : well_formed pb.

Lemma rec_b_gt0 (l : 'I_d) k : 0 < rec_b R l k.+1.
Proof.
rewrite /rec_b /=; have [kl|kl] := ltnP k (size (column l)); last first.
  by rewrite nth_default // Q2F1 ltr01.
case/andP: ok => _ /all_nthP - /(_ [::] l (ltn_ord l)) /all_nthP - /(_ (q0, q1) k kl).
by rewrite (Q2F_lt R) Q2F0.
Qed.

Lemma size_inputs (i : 'I_m) : size (inputs (nth_sample i)) = d.
Proof. by case/andP: ok => /all_nthP h _; apply/eqP; apply: (h _ i (ltn_ord i)). Qed.

Lemma size_column (l : 'I_d) : (size (column l) <= max_degree pb)%N.
Proof.
rewrite /max_degree /column; have : (l < size (recurrences pb))%N by exact: ltn_ord l.
elim: (recurrences pb) (nat_of_ord l) => [|r rs IH] [|k] //= kr; rewrite leq_max ?leqnn //.
by move: (IH k kr) => ->; rewrite orbT.
Qed.

Lemma hk_gt0 l k : 0 < norm2 (rec_b R l) (h0 l) k.
Proof. by apply: norm2_gt0 => // i; apply: rec_b_gt0. Qed.

(** pi_k(x_il) and h_0/h_k *)
Definition monic_at (i : 'I_m) l k : R := (op (rec_a R l) (rec_b R l) k).[input_at R i l].
Definition ratio (l : 'I_d) k : R := Q2F R (nth q0 (ratios (column l) q1) k).

Lemma ratioP l k : (k <= size (column l))%N -> ratio l k = h0 l / norm2 (rec_b R l) (h0 l) k.
Proof.
move=> kl; rewrite /ratio ratiosE // Q2F1 mul1r /norm2 prodfV invfM mulrA divff ?mul1r //.
by rewrite gt_eqF.
Qed.

Lemma column_coef i j l k : (k <= size (column l))%N ->
  h0 l * (at_point h0 i l k * at_point h0 j l k) = monic_at i l k * (monic_at j l k * ratio l k).
Proof.
move=> kl; rewrite /at_point kl ratioP // /p_of /onp !hornerZ -/(monic_at i l k).
rewrite -/(monic_at j l k).
have hk := hk_gt0 l k; set r := Num.sqrt _.
have r2 : norm2 (rec_b R l) (h0 l) k = r ^+ 2 by rewrite sqr_sqrtr // ltW.
have r0 : r != 0 by rewrite gt_eqF // sqrtr_gt0.
by rewrite r2; field.
Qed.

Lemma column_poly_coef i j l k : h0 l * (column_poly h0 i j l)`_k =
  if (k <= size (column l))%N then monic_at i l k * (monic_at j l k * ratio l k) else 0.
Proof.
rewrite coef_poly; case: (leqP k (size (column l))) => kl.
  by rewrite ltnS (leq_trans kl (size_column l)) column_coef.
have -> : at_point h0 i l k = 0 by rewrite /at_point leqNgt kl.
by rewrite mul0r; case: ifP; rewrite mulr0.
Qed.

Lemma real_columnE i l k : (k <= size (column l))%N ->
  nth 0 (real_values (input_at R i l) [seq (Q2F R u.1, Q2F R u.2) | u <- column l] 1 0 0) k
  = monic_at i l k.
Proof.
move=> kl; have := @real_valuesE R (rec_a R l) (rec_b R l) (input_at R i l)
  [seq (Q2F R u.1, Q2F R u.2) | u <- column l] 0 0.
rewrite /op /= !hornerC !mulr0 size_map => -> //= t tl.
by rewrite (nth_map (q0, q1)).
Qed.

(** ** Fractions *)

Definition qp (s : seq Q) : {poly R} := Poly (map (Q2F R) s).
Lemma qp_cons z s : qp (z :: s) = (Q2F R z)%:P + 'X * qp s.
Proof. by rewrite /qp /= cons_poly_def addrC mulrC. Qed.
Lemma qp_coef s k : (qp s)`_k = Q2F R (nth q0 s k).
Proof.
rewrite coef_Poly; have [si|si] := ltnP k (size s); first by rewrite (nth_map q0).
by rewrite !nth_default ?size_map ?Q2F0.
Qed.
Lemma qp_sum s : Q2F R (qsum s) = (qp s).[1].
Proof.
elim: s => [|x s IH] /=; first by rewrite /qp /= horner0 Q2F0.
by rewrite qp_cons Q2F_red Q2FD IH hornerD hornerM hornerX !hornerC mul1r.
Qed.
Lemma qp_add s t : qp (qadd s t) = qp s + qp t.
Proof.
elim: s t => [|x s IH] [|y t] /=; rewrite ?add0r ?addr0 //.
by rewrite !qp_cons IH Q2F_red Q2FD polyCD mulrDr addrACA.
Qed.
Lemma qp_mul s t : qp (qmul s t) = qp s * qp t.
Proof.
elim: s => [|x s IH] /=; first by rewrite mul0r.
have scale : qp [seq Qred (Qmult x y) | y <- t] = Q2F R x *: qp t.
  elim: t {IH} => [|y t IH] /=; first by rewrite scaler0.
  by rewrite !qp_cons IH Q2F_red Q2FM -!mul_polyC polyCM; ring.
by rewrite qp_add scale !qp_cons IH -mul_polyC Q2F0 polyC0; ring.
Qed.

Definition qrep (s : seq Q) (f : {poly R}) : Prop := qp s = f.
Lemma exact_respects : @respects R exact_arithmetic qrep.
Proof.
split; rewrite /qrep /=.
- by [].
- by rewrite qp_cons Q2F1 mulr0 addr0.
- by move=> u v f g <- <-; rewrite qp_add.
- by move=> u v f g <- <-; rewrite qp_mul.
- move=> k u f <-; apply/polyP => i; rewrite coef_ptake !qp_coef.
  case: ltnP => ik; first by rewrite nth_take.
  by rewrite nth_default ?Q2F0 // size_take; case: ltnP => // /leq_trans; apply.
- by move=> u f <-; rewrite qp_cons mulr0 addr0 qp_sum.
- move=> u f <-; rewrite qp_coef; case: u => [|x u] /=; first by rewrite Q2F0.
  by rewrite take0 qp_cons mulr0 addr0.
- by move=> u f <-; apply/polyP => i; rewrite coef_ptail !qp_coef nth_behead.
by move=> u f <-; rewrite qp_cons Q2F0 add0r.
Qed.

Lemma exact_col_nth (i : 'I_m) (l : 'I_d) k : (k <= size (column l))%N ->
  let u := nth (q0, q0) (exact_col (nth q0 (inputs (nth_sample i)) l) (column l)) k in
  Q2F R u.1 = monic_at i l k /\ Q2F R u.2 = monic_at i l k * ratio l k.
Proof.
move=> kl; rewrite /exact_col.
have sz := size_exact_values (nth q0 (inputs (nth_sample i)) l) (column l) q1 q0 q0.
rewrite (nth_map (q0, q0)) ?size_zip ?sz ?size_ratios ?minnn //= nth_zip ?sz ?size_ratios //=.
rewrite Q2F_red Q2FM -/(ratio l k); set v := nth _ _ k.
suff -> : Q2F R v = monic_at i l k by [].
rewrite /v -(nth_map _ 0) ?sz // exact_valuesE Q2F1 Q2F0.
exact: real_columnE.
Qed.

Lemma size_exact_col x rec : size (exact_col x rec) = (size rec).+1.
Proof. by rewrite size_map size_zip size_exact_values size_ratios minnn. Qed.

Lemma exact_pair (i j : 'I_m) (l : 'I_d) :
  qp (qpair (exact_col (nth q0 (inputs (nth_sample i)) l) (column l))
            (exact_col (nth q0 (inputs (nth_sample j)) l) (column l)))
  = h0 l *: column_poly h0 i j l.
Proof.
apply/polyP => k; rewrite qp_coef coefZ column_poly_coef /qpair.
set c := exact_col _ _; set c' := exact_col _ _.
have sz : size (zip c c') = (size (column l)).+1 by rewrite size_zip !size_exact_col minnn.
case: leqP => kl; last by rewrite nth_default ?Q2F0 // size_map sz.
rewrite (nth_map ((q0, q0), (q0, q0))) ?sz // nth_zip ?size_exact_col //= Q2F_red Q2FM.
by have [-> _] := exact_col_nth i kl; have [_ ->] := exact_col_nth j kl.
Qed.

Lemma exact_cols_nth (i : 'I_m) (l : 'I_d) x0 :
  nth x0 (exact_cols (recurrences pb) (inputs (nth_sample i))) l =
  exact_col (nth q0 (inputs (nth_sample i)) l) (column l).
Proof.
rewrite /exact_cols (nth_map (q0, [::])) ?size_zip ?size_inputs ?minnn //.
by rewrite nth_zip ?size_inputs.
Qed.

Lemma size_exact_cols (i : 'I_m) :
  size (exact_cols (recurrences pb) (inputs (nth_sample i))) = d.
Proof. by rewrite size_map size_zip size_inputs minnn. Qed.

Lemma exact_paired (i j : 'I_m) : paired (a := exact_arithmetic) qrep
  (zip (exact_cols (recurrences pb) (inputs (nth_sample i)))
       (exact_cols (recurrences pb) (inputs (nth_sample j))))
  (scaled_columns h0 (fun _ _ => 1) i j).
Proof.
have sz : size (zip (exact_cols (recurrences pb) (inputs (nth_sample i)))
  (exact_cols (recurrences pb) (inputs (nth_sample j)))) = d.
  by rewrite size_zip !size_exact_cols minnn.
apply: (@paired_nth _ exact_arithmetic _ ([::], [::])); first by rewrite sz size_map size_enum_ord.
move=> k; rewrite sz => kd; pose l := Ordinal kd.
rewrite nth_zip ?size_exact_cols //= -[k]/(nat_of_ord l) !exact_cols_nth.
rewrite /scaled_columns (nth_map l) ?size_enum_ord // nth_ord_enum !mulr1 -exact_pair /qrep.
set s := qpair _ _; split=> //; rewrite oformE !qp_cons mulr0 addr0 qp_coef nth0 qp_sum.
by congr (_ + _ * _.[1]%:P); apply/polyP => t; rewrite coef_ptail !qp_coef nth_behead.
Qed.
End Columns.
