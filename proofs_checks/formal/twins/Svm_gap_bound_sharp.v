(* Svm.gap_bound_sharp falsified: a factor 2 forgotten. The proof of the theorem must fail here. *)
Set Warnings "-notation-overridden,-ambiguous-paths".
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From Orca Require Import Svm.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Twin.

Variable R : realFieldType.
Local Notation line := (line R).
Local Notation sign2 := (sign2 R).
Local Notation phi2 := (phi2 R).
Local Notation half := (half R).
Let line_dot (u v : R^o) : R := u * v.

Theorem falsified (t : R) : 0 <= t <= 2%:R^-1 ->
  let a (i : 'I_2) := t in
  [/\ feasible sign2 half a, primal_optimal line phi2 sign2 half (1 : R^o) 0,
      dot line (w_of phi2 sign2 a - 1) (w_of phi2 sign2 a - 1) = (1 - t) ^+ 2 &
      P line phi2 sign2 half (w_of phi2 sign2 a) 0 - D line phi2 sign2 a = (1 - 2%:R * t) ^+ 2].
Proof.
move=> t01 a; have two0 : 2%:R != 0 :> R by rewrite pnatr_eq0.
have bal (s : R) : \sum_(i < 2) s * sign2 i = 0.
  by rewrite !big_ord_recl big_ord0 /sign2 /= /bump /= expr0 expr1 mulr1 mulrN1 addr0 subrr.
have t1 : 2%:R * t <= 1 by rewrite -ler_pdivl_mull ?ltr0n // mulr1; case/andP: t01.
have opt : kkt line phi2 sign2 half (fun=> 2%:R^-1) 0.
  split=> [|i]; first by split=> [i|]; rewrite ?bal // lexx invr_ge0 ler0n.
  by rewrite margin2 w_of2 divff // lexx.
split.
- by split=> [i|]; rewrite ?bal.
- by have [_ opt' _] := kkt_optimal opt; move: opt'; rewrite w_of2 divff.
- by rewrite w_of2 /= /line_dot; ring.
rewrite gap_formula w_of2 /= /line_dot !big_ord_recl !big_ord0 /a.
have s i : slack line phi2 sign2 (2%:R * t : R^o) 0 i = 1 - 2%:R * t.
  by rewrite /slack margin2; apply/max_r; rewrite subr_ge0.
by rewrite !s /half; field.
Qed.

End Twin.
