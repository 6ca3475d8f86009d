(** Twin of Measure.discrete_positive: n = N is allowed. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence Form Product Measure.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Measure_discrete_positive.

Definition right : Prop :=
  forall (R : realFieldType) (N : nat) (t w : 'I_N -> R) (n : nat),
  injective t -> (forall a, 0 < w a) -> (n < N)%N -> positive_upto n (discrete t w).

Definition wrong : Prop :=
  forall (R : realFieldType) (N : nat) (t w : 'I_N -> R) (n : nat),
  injective t -> (forall a, 0 < w a) -> (n <= N)%N -> positive_upto n (discrete t w).

Definition proved : right := @discrete_positive.

(** The mass at 0 and n = N = 1: X vanishes there. *)
Theorem refuted (R : rcfType) : ~ wrong.
Proof.
have inj : injective (fun _ : 'I_1 => 0 : R) by move=> a b _; rewrite (ord1 a) (ord1 b).
have pos (a : 'I_1) : 0 < 1 :> R by apply: ltr01.
move=> /(_ _ _ _ _ 1%N inj pos (leqnn 1)) H.
have := H 'X; rewrite polyX_eq0 size_polyX discreteE big_ord1 hornerM hornerX mul0r mulr0 ltxx.
by move=> /(_ isT isT).
Qed.

End Measure_discrete_positive.
