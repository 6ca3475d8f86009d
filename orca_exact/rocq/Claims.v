(** * What an emitted certificate states

    Everything that the theorem of an emitted file mentions is defined here or in Recurrence.v,
    Svm.v and Expansion.v.

    A [problem] is a list of columns, each given by the recurrence of its measure, an order limit
    q and the samples: inputs x_i, label y_i, box C_i. For real masses h_0 of the measures

      p_k = pi_k / sqrt(h_k),        pi_{k+1} = (x - a_k) pi_k - b_k pi_{k-1},

    and the feature of x at the mode k is p_{k_1}(x_1) ... p_{k_d}(x_d) if k is allowed, that is
    if k_l <= n_l for every column l and at most q of the k_l are not 0, and 0 otherwise. The
    SVM is the one of Svm.v in the space of all vectors (w_k) with the inner product
    sum_k w_k w'_k, so that w itself is the vector of coefficients of which Expansion.v takes
    the shares. *)
From Coq Require Import ZArith QArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence Form Svm Expansion Rationals.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** One training point: its coordinates, its label (1 or -1), its bound C_i. *)
Record sample := Sample { inputs : seq Q; label : Z; box : Q }.

(** For each column the list of (a_k, b_{k+1}), k = 0, ..., n_l - 1, whose length is n_l. *)
Record problem := Problem {
  recurrences : seq (seq (Q * Q));
  order_limit : nat;
  samples : seq sample }.

Definition dimension (pb : problem) : nat := size (recurrences pb).
Definition max_degree (pb : problem) : nat := foldr maxn 0%N (map size (recurrences pb)).
Definition points (pb : problem) : nat := size (samples pb).

(** The space of vectors (w_k), k in a finite set of modes, with sum_k w_k w'_k. *)
Section Coefficients.
Variables (R : realFieldType) (M : finType).
Let ffun_dot (u v : {ffun M -> R^o}) : R := \sum_k u k * v k.
Fact ffun_dotC u v : ffun_dot u v = ffun_dot v u.
Proof. by apply: eq_bigr => k _; rewrite [LHS]mulrC. Qed.
Fact ffun_dot_is_scalar u : scalar (ffun_dot u).
Proof.
move=> t v w; rewrite /ffun_dot mulr_sumr -big_split; apply: eq_bigr => k _ /=.
by rewrite !ffunE mulrDr mulrCA.
Qed.
Fact ffun_dot_gt0 u : u != 0 -> 0 < ffun_dot u u.
Proof.
move=> u0; have ge k : 0 <= u k * u k :> R by rewrite -expr2 sqr_ge0.
rewrite lt_def sumr_ge0 // andbT; apply: contraNneq u0 => z.
apply/eqP/ffunP => k; rewrite ffunE; apply/eqP.
have /eqP := psumr_eq0P (fun k _ => ge k) z (i := k) isT.
by rewrite mulf_eq0 orbb.
Qed.
Definition ffun_inner_of of phant M : inner_product _ :=
  InnerProduct (SymmetricForm ffun_dotC ffun_dot_is_scalar) ffun_dot_gt0.
End Coefficients.
Notation ffun_inner R M := (ffun_inner_of R (Phant M)).

Notation modes pb := {ffun 'I_(dimension pb) -> 'I_(max_degree pb).+1}.
Notation vectors R pb := {ffun modes pb -> R^o}.

(** K = lambda times a number that does not depend on the masses. *)
Definition lambda (R : rcfType) d (h0 : 'I_d -> R) : R := \prod_l (h0 l)^-1.

Section Model.
Variables (R : rcfType) (pb : problem).
Local Notation d := (dimension pb).
Local Notation m := (points pb).
Local Notation mode := (modes pb).
Local Notation V := (vectors R pb).

(** a_k and b_k of column l. *)
Definition column (l : 'I_d) : seq (Q * Q) := nth [::] (recurrences pb) l.
Definition rec_a (l : 'I_d) (k : nat) : R := Q2F R (nth (q0, q1) (column l) k).1.
Definition rec_b (l : 'I_d) (k : nat) : R := Q2F R (nth (q0, q1) (column l) k.-1).2.

Definition nth_sample (i : 'I_m) : sample := nth (Sample [::] Z0 q0) (samples pb) i.
Definition input_at (i : 'I_m) (l : 'I_d) : R := Q2F R (nth q0 (inputs (nth_sample i)) l).
Definition label_at (i : 'I_m) : R := Z2F R (label (nth_sample i)).
Definition box_at (i : 'I_m) : R := Q2F R (box (nth_sample i)).

(** Modes of degree at most n_l in column l and with at most q active columns. *)
Definition allowed (k : mode) : bool :=
  [forall l, (k l <= size (column l))%N] && (order k <= order_limit pb)%N.

(** The masses h_0 of the measures; h_k = h_0 b_1 ... b_k. *)
Variable h0 : 'I_d -> R.
Definition p_of (l : 'I_d) (k : nat) : {poly R} := onp (rec_a l) (rec_b l) (h0 l) k.
Definition feature (i : 'I_m) : V :=
  [ffun k : mode => if allowed k then \prod_l (p_of l (k l)).[input_at i l] : R^o else 0].

(** (w, b) minimises |w|^2 / 2 + sum_i C_i max(0, 1 - y_i (<w, phi_i> + b)). *)
Definition optimal (w : V) (b : R) : Prop :=
  primal_optimal (ffun_inner R mode) feature label_at box_at w b.
Definition optimal_dual (alpha : 'I_m -> R) : Prop :=
  dual_optimal (ffun_inner R mode) feature label_at box_at alpha.
(** The least value of the primal problem is the greatest of the dual one. *)
Definition no_gap (w : V) (b : R) (alpha : 'I_m -> R) : Prop :=
  primal (ffun_inner R mode) feature label_at box_at w b =
  dual (ffun_inner R mode) feature label_at alpha.
End Model.
Arguments feature {R} pb h0 i.
Arguments label_at {R} pb i.
Arguments box_at {R} pb i.
Arguments optimal {R} pb h0 w b.
Arguments optimal_dual {R} pb h0 alpha.
Arguments no_gap {R} pb h0 w b alpha.

(** ** Indices and claims *)

(** OKC^(q); OKC_N; OKC_S (columns counted from 1); even and odd degrees; degrees <= T. *)
Inductive index :=
  | Order of nat | Degree of nat | Subset of seq nat | Even | Odd | Cumulative of nat.

Inductive claim :=
  | Between of index & Q & Q     (* lower <= index <= upper *)
  | Equal of index & Q           (* only at level exact *)
  | Peak of nat                  (* N*: the degree of the largest OKC_N *)
  | Threshold of Q & nat.        (* T_eps *)

Section Claims.
Variables (R : realFieldType) (n d : nat) (w : {ffun {ffun 'I_d -> 'I_n.+1} -> R^o}).

Definition column_set (A : seq nat) : {set 'I_d} := [set l : 'I_d | l.+1 \in A].
Definition okc_even : R := share w (fun k => ~~ odd (degree k)).
Definition okc_odd : R := share w (fun k => odd (degree k)).
Definition okc_cumulative (T : nat) : R := share w (fun k => degree k <= T)%N.

(** N is the only degree of the largest index. *)
Definition is_peak (N : nat) : Prop :=
  forall N', N' <> N -> okc_degree w N' < okc_degree w N.

(** T is the least number with okc_cumulative T >= 1 - eps. *)
Definition is_threshold (eps : R) (T : nat) : Prop :=
  1 - eps <= okc_cumulative T /\
  forall T', (T' < T)%N -> okc_cumulative T' < 1 - eps.

Definition value (i : index) : R :=
  match i with
  | Order q => okc_order w q
  | Degree N => okc_degree w N
  | Subset A => okc_subset w (column_set A)
  | Even => okc_even
  | Odd => okc_odd
  | Cumulative T => okc_cumulative T
  end.

Definition holds (c : claim) : Prop :=
  match c with
  | Between i lower upper => Q2F R lower <= value i <= Q2F R upper
  | Equal i q => value i = Q2F R q
  | Peak N => is_peak N
  | Threshold eps T => is_threshold (Q2F R eps) T
  end.

Fixpoint all_hold (cs : seq claim) : Prop :=
  match cs with
  | [::] => True
  | [:: c] => holds c
  | c :: cs' => holds c /\ all_hold cs'
  end.
End Claims.
