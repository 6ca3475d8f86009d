(** Twin of Recurrence.stieltjes: L positive semidefinite only. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Compat Recurrence.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Recurrence_stieltjes.

Definition right : Prop :=
  forall (R : realFieldType) (L : {scalar {poly R}}),
  positive_definite L ->
  exists a b : nat -> R,
    (forall k : nat, 0 < b k.+1) /\ (forall k : nat, L (op a b k) = (k == 0%N)%:R * L 1).

Definition wrong : Prop :=
  forall (R : realFieldType) (L : {scalar {poly R}}),
  (forall f, 0 <= L (f * f)) ->
  exists a b : nat -> R,
    (forall k : nat, 0 < b k.+1) /\ (forall k : nat, L (op a b k) = (k == 0%N)%:R * L 1).

Definition proved : right := @stieltjes.

(** The mass at 0: L(pi_2) = a_0 a_1 - b_1 with a_0 = 0 is not 0. *)
Theorem refuted : ~ wrong.
Proof.
have Ls : scalar (fun f : {poly rat} => f.[0]) by move=> c f g; rewrite hornerD hornerZ.
have L0 f : 0 <= functional Ls (f * f) by rewrite /= hornerM -expr2 sqr_ge0.
case/(_ _ (functional Ls) L0) => a [b [/(_ 0%N) b1 L1]]; have := L1 2%N; have := L1 1%N.
rewrite /= op_at op1 op0 !hornerE => -> /eqP.
by rewrite mulr0 sub0r oppr_eq0 gt_eqF.
Qed.

End Recurrence_stieltjes.
