(** Twin of Recurrence.christoffel_darboux_quotient: z - x for x - z. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Recurrence_christoffel_darboux_quotient.

Definition right : Prop :=
  forall (F : fieldType) (a b : nat -> F) (h0 : F) (n : nat) (x z : F),
  h0 != 0 ->
  (forall k : nat, b k.+1 != 0) ->
  x != z ->
  kernel a b h0 n x z =
  ((op a b n.+1).[x] * (op a b n).[z] - (op a b n).[x] * (op a b n.+1).[z]) / norm2 b h0 n /
  (x - z).

Definition wrong : Prop :=
  forall (F : fieldType) (a b : nat -> F) (h0 : F) (n : nat) (x z : F),
  h0 != 0 ->
  (forall k : nat, b k.+1 != 0) ->
  x != z ->
  kernel a b h0 n x z =
  ((op a b n.+1).[x] * (op a b n).[z] - (op a b n).[x] * (op a b n.+1).[z]) / norm2 b h0 n /
  (z - x).

Definition proved : right := @christoffel_darboux_quotient.

Theorem refuted : ~ wrong.
Proof.
have b1 : forall k : nat, (fun=> 1 : rat) k.+1 != 0 by [].
move=> /(_ [the fieldType of rat : Type] (fun=> 0) (fun=> 1) 1 0%N 1 0 isT b1 isT).
by rewrite christoffel_darboux_quotient// op0 op1 norm20 !hornerE.
Qed.

End Recurrence_christoffel_darboux_quotient.
