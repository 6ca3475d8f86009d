(** Twin of Recurrence.favard: h_{k+1} for h_k. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Recurrence_favard.

Definition right : Prop :=
  forall (F : fieldType) (a b : nat -> F) (h0 : F) (L : {scalar {poly F}}),
  (forall k : nat, L (op a b k) = (k == 0%N)%:R * h0) ->
  forall j k : nat, L (op a b j * op a b k) = (j == k)%:R * norm2 b h0 k.

Definition wrong : Prop :=
  forall (F : fieldType) (a b : nat -> F) (h0 : F) (L : {scalar {poly F}}),
  (forall k : nat, L (op a b k) = (k == 0%N)%:R * h0) ->
  forall j k : nat, L (op a b j * op a b k) = (j == k)%:R * norm2 b h0 k.+1.

Definition proved : right := @favard.

Theorem refuted : ~ wrong.
Proof.
pose b (k : nat) : rat := 2%:R; have [L [L0 _]] := favard_functional (fun=> 0) b 1.
move=> /(_ [the fieldType of rat : Type] (fun=> 0) b 1 L L0 0%N 0%N).
by rewrite (favard L0) norm2S norm20.
Qed.

End Recurrence_favard.
