(** Twin of Certified.exact_certified: another claim than the checked ones. *)
From Coq Require Import ZArith QArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence Form Svm Expansion Rationals Claims Certified.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Certified_exact_certified.

Definition right : Prop :=
  forall (R : rcfType) (pb : problem) (lower upper : Q) (cert : exact_certificate)
    (claims : seq claim), check_exact pb lower upper cert claims = true ->
  forall h0 : 'I_(dimension pb) -> R, (forall l, 0 < h0 l) ->
  Q2F R lower <= lambda h0 <= Q2F R upper ->
  let alpha := exact_alpha pb h0 cert in
  let w := exact_w pb h0 cert in
  let b := Q2F R (exact_b cert) in
  [/\ optimal pb h0 w b, optimal_dual pb h0 alpha, no_gap pb h0 w b alpha,
      forall w' b', optimal pb h0 w' b' -> w' = w & all_hold w claims].

Definition wrong : Prop :=
  forall (R : rcfType) (pb : problem) (lower upper : Q) (cert : exact_certificate)
    (claims : seq claim), check_exact pb lower upper cert claims = true ->
  forall h0 : 'I_(dimension pb) -> R, (forall l, 0 < h0 l) ->
  Q2F R lower <= lambda h0 <= Q2F R upper ->
  let alpha := exact_alpha pb h0 cert in
  let w := exact_w pb h0 cert in
  let b := Q2F R (exact_b cert) in
  [/\ optimal pb h0 w b, optimal_dual pb h0 alpha, no_gap pb h0 w b alpha,
      forall w' b', optimal pb h0 w' b' -> w' = w & holds w (Equal (Order 0) q1)].

Definition proved : right := @exact_certified.

(** The points 1 and -1 with their signs as labels, p_0 and p_1 of Legendre: OKC^(0) is 0. *)
Definition two : problem :=
  Problem [:: [:: (q0, Qmake 1 3)]] 1
    [:: Sample [:: q1] 1 q1; Sample [:: Qmake (-1) 1] (-1) q1].
Definition solved : exact_certificate := ExactCertificate [:: Qmake 1 6; Qmake 1 6] q0.

Lemma checked : check_exact two q1 q1 solved [:: Equal (Order 0) q0] = true.
Proof. by vm_compute. Qed.

Theorem refuted (R : rcfType) : ~ wrong.
Proof.
pose h0 (l : 'I_(dimension two)) : R := 1; have pos l : 0 < h0 l by exact: ltr01.
have one : Q2F R q1 <= lambda h0 <= Q2F R q1.
  by rewrite /lambda big1 => [|l _]; rewrite ?invr1 // Q2F1 lexx.
move=> /(_ R two q1 q1 solved _ checked h0 pos one)[_ _ _ _]; rewrite /holds.
have [_ _ _ _] := exact_certified checked pos one; rewrite /all_hold /holds => ->.
by rewrite Q2F0 Q2F1 => /esym/eqP; rewrite oner_eq0.
Qed.

End Certified_exact_certified.
