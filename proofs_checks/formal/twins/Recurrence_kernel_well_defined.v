(** Twin of Recurrence.kernel_well_defined: q need not be orthonormal. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Recurrence_kernel_well_defined.

Definition right : Prop :=
  forall (F : fieldType) (L : {scalar {poly F}}) (p q : nat -> {poly F}) (n : nat) (x z : F),
  graded p -> graded q -> orthonormal_for L p -> orthonormal_for L q ->
  \sum_(k < n) (p k).[x] * (p k).[z] = \sum_(k < n) (q k).[x] * (q k).[z].

Definition wrong : Prop :=
  forall (F : fieldType) (L : {scalar {poly F}}) (p q : nat -> {poly F}) (n : nat) (x z : F),
  graded p -> graded q -> orthonormal_for L p ->
  \sum_(k < n) (p k).[x] * (p k).[z] = \sum_(k < n) (q k).[x] * (q k).[z].

Definition proved : right := @Recurrence.kernel_well_defined.
Fail Definition falsified : wrong := @Recurrence.kernel_well_defined.

End Recurrence_kernel_well_defined.
