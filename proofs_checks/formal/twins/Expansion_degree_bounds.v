(** Twin of Expansion.degree_bounds: N <= q. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Form Family Expansion.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Expansion_degree_bounds.

Definition right : Prop :=
  forall (n d : nat) (k : {ffun 'I_d -> 'I_n.+1}), (order k <= degree k <= order k * n)%N.

Definition wrong : Prop :=
  forall (n d : nat) (k : {ffun 'I_d -> 'I_n.+1}), (order k <= degree k <= order k)%N.

Definition proved : right := @degree_bounds.

Theorem refuted : ~ wrong.
Proof.
have [k k2] := @degree_onto 2 1 2 isT; move=> /(_ 2%N 1%N k); rewrite k2 => /andP[_].
by rewrite leqNgt ltnS order_le.
Qed.

End Expansion_degree_bounds.
