(** * Columns whose weight is a polynomial

    The theorem of an emitted file is about masses h_0 of the measures. If the weight of each
    column is (1 - t)^alpha (1 + t)^beta on [-1, 1] with integers alpha, beta >= 0, then [masses]
    are the integrals of these weights, and a computation proves that the recurrences of the
    problem belong to the weights and that lambda lies between its bounds [weights_certified].
    For Legendre columns lambda is 2^(-d) [legendre_lambda]. *)
From Coq Require Import ZArith QArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring zify ssrZ.
From Orca Require Import Compat Recurrence Jacobi Svm Expansion Rationals Claims.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** ** What is stated *)

(** The pairs (alpha, beta), one for each column. *)
Definition column_weight (R : realFieldType) (weights : seq (nat * nat)) (l : nat) : {poly R} :=
  let: (al, be) := nth (0%N, 0%N) weights l in weight R al be.

Definition masses (R : rcfType) (pb : problem) (weights : seq (nat * nat))
  (l : 'I_(dimension pb)) : R := integral R (column_weight R weights l).
Arguments masses R pb weights l : clear implicits.

(** The polynomials p_0, ..., p_{n_l} of every column are orthonormal for its weight. *)
Definition orthonormal_columns (R : rcfType) (pb : problem) (weights : seq (nat * nat)) : Prop :=
  forall (l : 'I_(dimension pb)) (j k : nat),
  (j <= size (column l))%N -> (k <= size (column l))%N ->
  let p := p_of (masses R pb weights) l in
  integral R (column_weight R weights l * (p j * p k)) = (j == k)%:R.

(** ** What is computed *)

Definition nat_Q (n : nat) : Q := Qmake (Z.of_nat n) 1.

Section Computed.
Variable weight : nat * nat.
Let al := nat_Q weight.1.
Let be := nat_Q weight.2.
Local Open Scope Q_scope.
Definition jacobi_a_Q (k : nat) : Q := let s := nat_Q k.*2 + al + be in
  if k is 0%N then (be - al) / (al + be + nat_Q 2)
  else (be * be - al * al) / (s * (s + nat_Q 2)).
Definition jacobi_b_Q (k : nat) : Q := let s := nat_Q k.*2 + al + be in
  if k is 1%N then nat_Q 4 * (q1 + al) * (q1 + be) / (s * s * (s + q1))
  else nat_Q 4 * nat_Q k * (nat_Q k + al) * (nat_Q k + be) * (nat_Q k + al + be)
    / (s * s * (s + q1) * (s - q1)).
End Computed.
Arguments jacobi_a_Q : simpl never. Arguments jacobi_b_Q : simpl never.

Fixpoint mass_Q (al be : nat) {struct al} : Q :=
  if al is al'.+1 then Qdiv (Qmult (nat_Q al.*2) (mass_Q al' be)) (nat_Q (al' + be).+2)
  else (fix mass (be : nat) : Q :=
    if be is be'.+1 then Qdiv (Qmult (nat_Q be.*2) (mass be')) (nat_Q be'.+2)
    else nat_Q 2) be.

Definition check_column (weight : nat * nat) (col : seq (Q * Q)) : bool :=
  all (fun u => Qeq_bool u.2.1 (jacobi_a_Q weight u.1)
             && Qeq_bool u.2.2 (jacobi_b_Q weight u.1.+1))
    (zip (iota 0 (size col)) col).

Definition check_weights (pb : problem) (weights : seq (nat * nat)) (lower upper : Q) : bool :=
  let mass := foldr (fun u r => Qred (Qmult (mass_Q u.1 u.2) r)) q1 weights in
  [&& size weights == dimension pb,
      all (fun u => check_column u.1 u.2) (zip weights (recurrences pb)),
      Qle_bool (Qmult lower mass) q1 & Qle_bool q1 (Qmult upper mass)].

(** ** Why it is right *)

Section Proof.
Variable R : rcfType.
Lemma nat_QE n : Q2F R (nat_Q n) = n%:R.
Proof. by rewrite Q2FZ /Z2F (_ : int_of_Z (Z.of_nat n) = n) //; lia. Qed.

Let QE := (Q2FM, Q2FV, Q2FD, Q2FB, nat_QE, Q2F1).

Lemma jacobi_a_QE u k : Q2F R (jacobi_a_Q u k) = jacobi_a u.1%:R u.2%:R k.
Proof. by rewrite /jacobi_a_Q /jacobi_a; case: k => [|k]; rewrite !QE ?expr2. Qed.
Lemma jacobi_b_QE u k : Q2F R (jacobi_b_Q u k) = jacobi_b u.1%:R u.2%:R k.
Proof. by rewrite /jacobi_b_Q /jacobi_b; case: k => [|[|k]]; rewrite !QE ?expr2. Qed.

Lemma mass_QE al be : Q2F R (mass_Q al be) = integral R (weight R al be).
Proof.
have nz n : n.+1%:R != 0 :> R by rewrite pnatr_eq0.
elim: al => [|al IH].
  elim: be => [|be IH]; first by rewrite nat_QE mass_legendre.
  rewrite [mass_Q _ _]/(Qdiv (Qmult (nat_Q be.+1.*2) (mass_Q 0 be)) (nat_Q be.+2)) !QE IH.
  by rewrite -(mass_right R 0 be) add0n [X in X / _]mulrC mulfK.
rewrite [mass_Q _ _]/(Qdiv (Qmult (nat_Q al.+1.*2) (mass_Q al be)) (nat_Q (al + be).+2)) !QE IH.
by rewrite -mass_left [X in X / _]mulrC mulfK.
Qed.

(** Only a_0, ..., a_{k-1} and b_1, ..., b_k matter for p_k. *)
Lemma op_eq (a b a' b' : nat -> R) n : (forall i, (i < n)%N -> a i = a' i) ->
  (forall i, (i < n)%N -> b i.+1 = b' i.+1) -> forall k, (k <= n)%N -> op a b k = op a' b' k.
Proof.
move=> aE bE; suff: forall k, ((k <= n)%N -> op a b k = op a' b' k) /\
    ((k < n)%N -> op a b k.+1 = op a' b' k.+1) by move=> H k; case: (H k).
elim=> [|k [IH0 IH1]]; split=> // kn; first by rewrite !op1 aE.
by rewrite !opSS IH1 ?(ltnW kn) // IH0 ?aE ?bE // ltnW // ltnW.
Qed.

Lemma onp_eq (a b a' b' : nat -> R) (h : R) n : (forall i, (i < n)%N -> a i = a' i) ->
  (forall i, (i < n)%N -> b i.+1 = b' i.+1) ->
  forall k, (k <= n)%N -> onp a b h k = onp a' b' h k.
Proof.
move=> aE bE k kn; rewrite /onp (op_eq aE bE kn); congr (_^-1 *: _); congr Num.sqrt.
by rewrite /norm2; congr (_ * _); apply: eq_bigr => i _; rewrite bE // (leq_trans _ kn).
Qed.

Theorem weights_certified (pb : problem) (weights : seq (nat * nat)) (lower upper : Q) :
  check_weights pb weights lower upper = true ->
  [/\ forall l, 0 < masses R pb weights l :> R,
      Q2F R lower <= lambda (masses R pb weights) <= Q2F R upper
    & orthonormal_columns R pb weights].
Proof.
case/and4P=> /eqP sz cols lo hi.
have gt0 l : 0 < masses R pb weights l.
  by rewrite /masses /column_weight; case: nth => ? ?; apply: mass_gt0.
split=> //.
  have prodE : \prod_l masses R pb weights l =
      Q2F R (foldr (fun u r => Qred (Qmult (mass_Q u.1 u.2) r)) q1 weights).
    rewrite /masses -sz.
    have -> : \prod_(l < size weights) integral R (column_weight R weights l) =
        \prod_(u <- weights) integral R (weight R u.1 u.2).
      by rewrite (big_nth (0%N, 0%N)) big_mkord; apply: eq_bigr => l _;
        rewrite /column_weight; case: nth.
    elim: (weights) => [|u r IH]; first by rewrite big_nil Q2F1.
    by rewrite big_cons IH /= Q2F_red Q2FM mass_QE.
  have prod_gt0 : 0 < \prod_l masses R pb weights l by apply: prodr_gt0.
  rewrite /lambda prodfV -div1r ler_pdivlMr // ler_pdivrMr // prodE.
  by rewrite -(Q2F1 R) -!Q2FM -!Q2F_le lo hi.
move=> l j k jn kn; rewrite /p_of.
set al := (nth (0%N, 0%N) weights l).1; set be := (nth (0%N, 0%N) weights l).2.
have wE : column_weight R weights l = weight R al be by rewrite /column_weight /al /be; case: nth.
have lw : (l < size weights)%N by rewrite sz.
have col i : (i < size (column l))%N -> rec_a R l i = jacobi_a al%:R be%:R i /\
    rec_b R l i.+1 = jacobi_b al%:R be%:R i.+1.
  move=> il; have /(all_nthP ((0%N, 0%N), [::]))/(_ l) := cols.
  rewrite size_zip sz minnn => /(_ (ltn_ord l)); rewrite nth_zip //= -/(column l).
  move/(all_nthP (0%N, (q0, q1)))/(_ i); rewrite size_zip size_iota minnn => /(_ il).
  rewrite nth_zip ?size_iota //= nth_iota // add0n !(Q2F_eq R) => /andP[/eqP aE /eqP bE].
  by rewrite /rec_a /rec_b /= aE bE jacobi_a_QE jacobi_b_QE.
have E i : (i <= size (column l))%N -> onp (rec_a R l) (rec_b R l) (masses R pb weights l) i =
    onp (jacobi_a al%:R be%:R) (jacobi_b al%:R be%:R) (integral R (weight R al be)) i.
  by move=> il; rewrite /masses wE; apply: onp_eq il => m /col[].
have [_ on _] := jacobi_orthonormal R al be.
by rewrite !E // wE -weightedE on.
Qed.

(** For Legendre columns lambda is 2^(-d). *)
Theorem legendre_lambda (pb : problem) :
  lambda (masses R pb (nseq (dimension pb) (0%N, 0%N))) = 2%:R ^- dimension pb.
Proof.
rewrite /lambda (eq_bigr (fun=> 2%:R^-1)) => [|l _]; first by rewrite prodr_const card_ord exprVn.
by rewrite /masses /column_weight nth_nseq; case: ifP; rewrite mass_legendre.
Qed.
End Proof.
