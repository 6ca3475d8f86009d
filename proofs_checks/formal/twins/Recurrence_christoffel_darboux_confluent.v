(** Twin of Recurrence.christoffel_darboux_confluent: without h_n. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Recurrence_christoffel_darboux_confluent.

Definition right : Prop :=
  forall (F : fieldType) (a b : nat -> F) (h0 : F) (n : nat) (x : F),
  h0 != 0 ->
  (forall k : nat, b k.+1 != 0) ->
  kernel a b h0 n x x =
  (((op a b n.+1)^`()).[x] * (op a b n).[x] - ((op a b n)^`()).[x] * (op a b n.+1).[x]) /
  norm2 b h0 n.

Definition wrong : Prop :=
  forall (F : fieldType) (a b : nat -> F) (h0 : F) (n : nat) (x : F),
  h0 != 0 ->
  (forall k : nat, b k.+1 != 0) ->
  kernel a b h0 n x x =
  (((op a b n.+1)^`()).[x] * (op a b n).[x] - ((op a b n)^`()).[x] * (op a b n.+1).[x]).

Definition proved : right := @christoffel_darboux_confluent.

Theorem refuted : ~ wrong.
Proof.
have b1 : forall k : nat, (fun=> 1 : rat) k.+1 != 0 by [].
move=> /(_ [the fieldType of rat : Type] (fun=> 0) (fun=> 1) 2%:R 0%N 0 isT b1).
by rewrite christoffel_darboux_confluent// op0 op1 norm20 derivB derivX !derivC !hornerE.
Qed.

End Recurrence_christoffel_darboux_confluent.
