(** Twin of Expansion.order_le: order < d. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Form Family Expansion.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Expansion_order_le.

Definition right : Prop :=
  forall (n d : nat) (k : {ffun 'I_d -> 'I_n.+1}), (order k <= d)%N.

Definition wrong : Prop :=
  forall (n d : nat) (k : {ffun 'I_d -> 'I_n.+1}), (order k < d)%N.

Definition proved : right := @order_le.

Theorem refuted : ~ wrong.
Proof. by move=> /(_ 0%N 0%N [ffun=> ord0]). Qed.

End Expansion_order_le.
