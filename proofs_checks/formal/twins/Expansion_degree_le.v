(** Twin of Expansion.degree_le: N < dn. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Form Family Expansion.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Expansion_degree_le.

Definition right : Prop :=
  forall (n d : nat) (k : {ffun 'I_d -> 'I_n.+1}), (degree k <= d * n)%N.

Definition wrong : Prop :=
  forall (n d : nat) (k : {ffun 'I_d -> 'I_n.+1}), (degree k < d * n)%N.

Definition proved : right := @degree_le.

Theorem refuted : ~ wrong.
Proof. by have [k k1] := @degree_onto 1 1 1 isT; move=> /(_ 1%N 1%N k); rewrite k1. Qed.

End Expansion_degree_le.
