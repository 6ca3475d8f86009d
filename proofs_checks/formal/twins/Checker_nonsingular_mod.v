(** Twin of Checker.nonsingular_mod: a determinant that is 0. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm Checker.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Checker_nonsingular_mod.

Definition right : Prop :=
  forall (F : realFieldType) (p k : nat) (M : 'M[int]_k),
  prime p ->
  \det (map_mx (intr : int -> 'F_p) M) != 0 ->
  map_mx (intr : int -> F) M \in unitmx.

Definition wrong : Prop :=
  forall (F : realFieldType) (p k : nat) (M : 'M[int]_k),
  prime p ->
  \det (map_mx (intr : int -> 'F_p) M) == 0 ->
  map_mx (intr : int -> F) M \in unitmx.

Definition proved : right := @nonsingular_mod.
Fail Definition falsified : wrong := @nonsingular_mod.

(** The matrix 0 mod 2. *)
Theorem refuted : ~ wrong.
Proof.
move=> /(_ [realFieldType of rat] 2%N 1%N 0 isT); rewrite !map_mx0 det0 eqxx => /(_ isT).
by rewrite unitmxE det0 unitr0.
Qed.

End Checker_nonsingular_mod.
