(** Twin of Recurrence.op_size: degree k - 1. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Recurrence_op_size.

Definition right : Prop :=
  forall (F : fieldType) (a b : nat -> F) (k : nat), size (op a b k) = k.+1.

Definition wrong : Prop :=
  forall (F : fieldType) (a b : nat -> F) (k : nat), size (op a b k) = k.

Definition proved : right := @op_size.

Theorem refuted : ~ wrong.
Proof. by move=> /(_ [the fieldType of rat : Type] (fun=> 0) (fun=> 0) 0%N); rewrite op_size. Qed.

End Recurrence_op_size.
