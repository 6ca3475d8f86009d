(** Twin of Svm.gap_bound_sharp: a factor 2 forgotten. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Svm_gap_bound_sharp.

Definition right : Prop :=
  forall (R : realFieldType) (t : R),
  0 <= t <= 2^-1 ->
  let a := fun=> t in
  [/\ feasible (sign2 R) (half R) a, primal_optimal (line R) (phi2 R) (sign2 R) (half R) 1 0,
    dot (line R) (w_of (phi2 R) (sign2 R) a - 1) (w_of (phi2 R) (sign2 R) a - 1) = (1 - 2 * t) ^+ 2 &
    P (line R) (phi2 R) (sign2 R) (half R) (w_of (phi2 R) (sign2 R) a) 0 - D (line R) (phi2 R) (sign2 R) a
    = (1 - 2 * t) ^+ 2].

Definition wrong : Prop :=
  forall (R : realFieldType) (t : R),
  0 <= t <= 2^-1 ->
  let a := fun=> t in
  [/\ feasible (sign2 R) (half R) a, primal_optimal (line R) (phi2 R) (sign2 R) (half R) 1 0,
    dot (line R) (w_of (phi2 R) (sign2 R) a - 1) (w_of (phi2 R) (sign2 R) a - 1) = (1 - t) ^+ 2 &
    P (line R) (phi2 R) (sign2 R) (half R) (w_of (phi2 R) (sign2 R) a) 0 - D (line R) (phi2 R) (sign2 R) a
    = (1 - 2 * t) ^+ 2].

Definition proved : right := @gap_bound_sharp.
Fail Definition falsified : wrong := @gap_bound_sharp.

End Svm_gap_bound_sharp.
