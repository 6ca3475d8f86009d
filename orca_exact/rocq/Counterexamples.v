(** * Examples, and false statements near those of Svm.v

    The smallest example: functions on one point of mass 1/4, over the rationals, with
    <f,g> = f g / 4, one mode p_0 = 2 and K = 4. It satisfies the hypotheses of Family.v, and
    falsified twins are refuted on it.

    The false statements are refuted by two points on the line. With x = 1, -1, labels 1, -1 and
    C = 1/2, as in [gap_bound_sharp]: |w - w*|^2 <= P - D holds with no better constant, nor for a
    w other than w(alpha), nor with min P for D; P <= D is false; a feasible alpha alone does not
    make w(alpha) optimal. With both points at 0, b is not unique. *)
From mathcomp Require Import all_ssreflect ssralg zmodp ssrnum rat.
From mathcomp Require Import ring.
From Orca Require Import Compat Form Family Svm.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** ** One point *)

Lemma point_ev_scalar (x : unit) : scalar (fun f : rat^o => f : rat).
Proof. by []. Qed.

Lemma point_ip_scalar (f : rat^o) : scalar (fun g : rat^o => (f : rat) * g / 4%:R).
Proof. by move=> a g e; rewrite -[a *: g]/(a * g : rat) mulrDr mulrDl mulrCA -!mulrA. Qed.

Lemma point_sym (f g : rat^o) : (f : rat) * g / 4%:R = (g : rat) * f / 4%:R.
Proof. by congr (_ / _); rewrite mulrC. Qed.

Definition point : space _ unit :=
  Space (fun x => functional (point_ev_scalar x))
    (SymmetricForm point_sym point_ip_scalar).

Definition point_mode (k : 'I_1) : point := 2%:R : rat^o.

Lemma point_mode_on : orthonormal point_mode.
Proof. by move=> j k; rewrite (ord1 j) (ord1 k). Qed.

Lemma kernel_of_point x z : kernel_of point_mode x z = 4%:R.
Proof. exact: big_ord1. Qed.

(** ** Two points on the line *)

Section Counterexamples.

Variable R : realFieldType.
Local Notation primal := (primal (line R) (@phi2 R) (@sign2 R) (@half R)).
Local Notation dual := (dual (line R) (@phi2 R) (@sign2 R)).
Local Notation w_of := (w_of (@phi2 R) (@sign2 R)).

Let zero : 'I_2 -> R := fun=> 0.
Let w0 : w_of zero = 0. Proof. by rewrite w_of2 mulr0. Qed.
Let sharp := gap_bound_sharp (introT andP (conj (lexx (0 : R)) (etrans (invr_ge0 _) (ler0n R 2)))).
Let opt : primal_optimal (line R) (@phi2 R) (@sign2 R) (@half R) (1 : R^o) 0.
Proof. by case: sharp. Qed.
Let ok : feasible (@sign2 R) (@half R) zero. Proof. by case: sharp. Qed.
Let dist : dot (line R) (w_of zero - 1) (w_of zero - 1) = 1.
Proof. by case: sharp => _ _ -> _; rewrite mulr0 subr0 expr1n. Qed.
Let gap : primal (w_of zero) 0 - dual zero = 1.
Proof. by case: sharp => _ _ _ ->; rewrite mulr0 subr0 expr1n. Qed.
Let half_ge0 i : 0 <= half R i. Proof. by rewrite invr_ge0 ler0n. Qed.
Let half_lt1 : 2%:R^-1 < 1 :> R. Proof. by rewrite invf_lt1 ?ltr0n // ltr1n. Qed.

(** P(0, 0) = 1 and min P = max D = 1/2. *)
Let P0 : primal (w_of zero) 0 = 1.
Proof. by move: gap; rewrite /Svm.dual w0 dot0l mul0r subr0 big1 // subr0. Qed.
Let P1 : primal (1 : R^o) 0 = 2%:R^-1.
Proof.
rewrite /Svm.primal big1 => [|i _].
  by rewrite addr0 /= mulr1 mul1r.
by rewrite /slack margin2 subrr maxxx mulr0.
Qed.

Theorem not_gap_bound_twice (c : R) : 1 < c ->
  ~ (c * dot (line R) (w_of zero - 1) (w_of zero - 1) <= primal (w_of zero) 0 - dual zero).
Proof. by move=> c1; rewrite dist gap mulr1 leNgt c1. Qed.

(** alpha = (1/2, 1/2) is optimal, w = 0. *)
Theorem not_gap_bound_any :
  ~ (dot (line R) (w_of zero - 1) (w_of zero - 1) <= primal (w_of zero) 0 - dual (@half R)).
Proof.
rewrite dist P0; have -> : dual (@half R) = 2%:R^-1.
  rewrite /Svm.dual -/(fun=> 2%:R^-1) w_of2 divff ?pnatr_eq0 // /= !big_ord_recl big_ord0 /half.
  by field.
have -> : 1 - 2%:R^-1 = 2%:R^-1 :> R by field.
by rewrite leNgt half_lt1.
Qed.

Theorem not_strong_convexity_twice :
  ~ (dot (line R) (w_of zero - 1) (w_of zero - 1) <= primal (w_of zero) 0 - primal (1 : R^o) 0).
Proof.
rewrite dist P0 P1; have -> : 1 - 2%:R^-1 = 2%:R^-1 :> R by field.
by rewrite leNgt half_lt1.
Qed.

(** alpha = 0 is feasible, and D(0) = 0 < P(w(0), 0); (w(0), 0) is not optimal. *)
Theorem not_weak_duality_reversed :
  feasible (@sign2 R) (@half R) zero /\ ~ (primal (w_of zero) 0 <= dual zero).
Proof. by split=> //; rewrite -subr_le0 gap leNgt ltr01. Qed.

Theorem not_feasible_optimal : feasible (@sign2 R) (@half R) zero /\
  ~ primal_optimal (line R) (@phi2 R) (@sign2 R) (@half R) (w_of zero) 0.
Proof. by split=> // /(_ (1 : R^o) 0); rewrite P0 P1 leNgt half_lt1. Qed.

(** Two points at 0 with both labels: every b in [-1, 1] is optimal. *)
Let at0 (i : 'I_2) : R^o := 0.

Theorem not_b_unique : exists b b' : R, [/\ b != b',
  primal_optimal (line R) at0 (@sign2 R) (@half R) 0 b &
  primal_optimal (line R) at0 (@sign2 R) (@half R) 0 b'].
Proof.
have wa a : Svm.w_of at0 (@sign2 R) a = 0 by rewrite /Svm.w_of big1 // => i _; rewrite scaler0.
have k b : -1 <= b <= 1 -> kkt (line R) at0 (@sign2 R) (@half R) (@half R) b.
  case/andP=> lo hi; split=> [|i].
    split=> [i|]; first by rewrite half_ge0 lexx.
    rewrite !big_ord_recl big_ord0 /half /sign2 /= /bump /= expr0 expr1.
    by rewrite mulr1 mulrN1 addr0 subrr.
  rewrite ltxx wa /margin dot0l add0r; split=> // _.
  by rewrite /sign2 -signr_odd; case: (odd i); rewrite ?expr0 ?expr1 ?mul1r ?mulN1r // lerNl.
have le11 : -1 <= 1 :> R by rewrite (le_trans (lerN10 R)) ?ler01.
exists 0, 1; split; first by rewrite eq_sym oner_eq0.
  by have [_] := kkt_optimal (k 0 (introT andP (conj (lerN10 R) ler01))); rewrite wa.
by have [_] := kkt_optimal (k 1 (introT andP (conj le11 (lexx _)))); rewrite wa.
Qed.

End Counterexamples.
