(** Twin of Expansion.block_sum: N < dn. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Form Family Expansion.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Expansion_block_sum.

Definition right : Prop :=
  forall (n d : nat) (R : realFieldType) (c : {ffun 'I_d -> 'I_n.+1} -> R),
  \sum_(q < d.+1) \sum_(N < (d * n).+1) block c q N = \sum_k c k ^+ 2.

Definition wrong : Prop :=
  forall (n d : nat) (R : realFieldType) (c : {ffun 'I_d -> 'I_n.+1} -> R),
  \sum_(q < d.+1) \sum_(N < (d * n)) block c q N = \sum_k c k ^+ 2.

Definition proved : right := @block_sum.

Theorem refuted : ~ wrong.
Proof.
move=> /(_ 0%N 0%N [the realFieldType of rat : Type] (fun=> 1)); rewrite big_ord1 big_ord0 => /eqP.
by rewrite sumr_const card_ffun !card_ord.
Qed.

End Expansion_block_sum.
