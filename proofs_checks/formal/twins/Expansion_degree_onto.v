(** Twin of Expansion.degree_onto: degrees up to dn + 1. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Form Family Expansion.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Expansion_degree_onto.

Definition right : Prop :=
  forall n d N : nat, (N <= d * n)%N -> exists k : {ffun 'I_d -> 'I_n.+1}, degree k = N.

Definition wrong : Prop :=
  forall n d N : nat, (N <= (d * n).+1)%N -> exists k : {ffun 'I_d -> 'I_n.+1}, degree k = N.

Definition proved : right := @degree_onto.

Theorem refuted : ~ wrong.
Proof. by move=> /(_ 0%N 0%N 1%N isT)[k k1]; have := degree_le k; rewrite k1. Qed.

End Expansion_degree_onto.
