(** Twin of Recurrence.op_monic: a sign. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Recurrence_op_monic.

Definition right : Prop :=
  forall (F : fieldType) (a b : nat -> F) (k : nat), op a b k \is monic.

Definition wrong : Prop :=
  forall (F : fieldType) (a b : nat -> F) (k : nat), - op a b k \is monic.

Definition proved : right := @op_monic.

Theorem refuted : ~ wrong.
Proof.
move=> /(_ [the fieldType of rat : Type] (fun=> 0) (fun=> 0) 0%N)/monicP/eqP.
by rewrite lead_coefN (monicP (op_monic _ _ _)).
Qed.

End Recurrence_op_monic.
