(** Twin of Jacobi.weight_pearson: alpha and beta exchanged. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence Jacobi.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Jacobi_weight_pearson.

Definition right : Prop :=
  forall (R : realFieldType) (al be : nat), pearson al%:R be%:R (weighted R al be).

Definition wrong : Prop :=
  forall (R : realFieldType) (al be : nat), pearson be%:R al%:R (weighted R al be).

Definition proved : right := @weight_pearson.

(** alpha = 1, beta = 0 and p = 1: the sum of both equations is twice the first moment. *)
Theorem refuted (R : rcfType) : ~ wrong.
Proof.
move=> /(_ R 1%N 0%N 1); have := @weight_pearson R 1 0 1.
rewrite !derivC !mulr0 !(add0r, addr0) !mulr1 subr0; set X := _ *: 'X => E E'.
have : weighted R 1 0 (2%:R *: 1) = 0.
  have -> : 2%:R *: 1 = (1%:P - X) - ((- 1%:R)%:P - X) :> {poly R}.
    by rewrite polyCN opprB addrA subrK opprK polyC1 scaler_nat.
  by rewrite linearB [X in X - _]E' [X in _ - X]E subrr.
move/eqP; rewrite scalarZ weightedE mulr1 mulf_eq0 pnatr_eq0.
by rewrite (gt_eqF (mass_gt0 _ _ _)).
Qed.

End Jacobi_weight_pearson.
