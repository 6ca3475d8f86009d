(** Twin of Certified.gap_certified: another claim than the checked ones. *)
From Coq Require Import ZArith QArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence Form Svm Expansion Rationals Claims Certified.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Certified_gap_certified.

Definition right : Prop :=
  forall (R : rcfType) (pb : problem) (lower upper : Q) (cert : gap_certificate)
    (claims : seq claim), check_gap pb lower upper cert claims = true ->
  forall h0 : 'I_(dimension pb) -> R, (forall l, 0 < h0 l) ->
  Q2F R lower <= lambda h0 <= Q2F R upper ->
  forall w b, optimal pb h0 w b -> all_hold w claims.

Definition wrong : Prop :=
  forall (R : rcfType) (pb : problem) (lower upper : Q) (cert : gap_certificate)
    (claims : seq claim), check_gap pb lower upper cert claims = true ->
  forall h0 : 'I_(dimension pb) -> R, (forall l, 0 < h0 l) ->
  Q2F R lower <= lambda h0 <= Q2F R upper ->
  forall w b, optimal pb h0 w b -> holds w (Between (Order 1) q0 (Qmake 1 2)).

Definition proved : right := @gap_certified.

(** The points 1 and -1 with their signs as labels, p_0 and p_1 of Legendre: OKC^(1) is 1. *)
Definition two : problem :=
  Problem [:: [:: (q0, Qmake 1 3)]] 1
    [:: Sample [:: q1] 1 q1; Sample [:: Qmake (-1) 1] (-1) q1].
Definition solved : exact_certificate := ExactCertificate [:: Qmake 1 6; Qmake 1 6] q0.
(** alpha = 1/6, rounded to 40 bits. *)
Definition rounded : gap_certificate :=
  GapCertificate 60 40 40 [:: 183251937962; 183251937962]%coq_Z 0.

Lemma optimum : check_exact two q1 q1 solved [::] = true.
Proof. by vm_compute. Qed.
Lemma checked : check_gap two q1 q1 rounded [:: Between (Order 1) (Qmake 9 10) q1] = true.
Proof. by vm_compute. Qed.

Theorem refuted (R : rcfType) : ~ wrong.
Proof.
pose h0 (l : 'I_(dimension two)) : R := 1; have pos l : 0 < h0 l by exact: ltr01.
have one : Q2F R q1 <= lambda h0 <= Q2F R q1.
  by rewrite /lambda big1 => [|l _]; rewrite ?invr1 // Q2F1 lexx.
have [opt _ _ _ _] := exact_certified optimum pos one.
have := gap_certified checked pos one opt; rewrite /all_hold /holds => /andP[large _].
move=> /(_ R two q1 q1 rounded _ checked h0 pos one _ _ opt); rewrite /holds => /andP[_ small].
by have := le_trans large small; rewrite -Q2F_le.
Qed.

End Certified_gap_certified.
