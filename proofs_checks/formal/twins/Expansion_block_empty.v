(** Twin of Expansion.block_empty: also at the ends. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Form Family Expansion.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Expansion_block_empty.

Definition right : Prop :=
  forall (n d : nat) (R : realFieldType) (c : {ffun 'I_d -> 'I_n.+1} -> R) (q N : nat),
  ~~ (q <= N <= q * n)%N -> block c q N = 0.

Definition wrong : Prop :=
  forall (n d : nat) (R : realFieldType) (c : {ffun 'I_d -> 'I_n.+1} -> R) (q N : nat),
  ~~ (q < N < q * n)%N -> block c q N = 0.

Definition proved : right := @block_empty.

Theorem refuted : ~ wrong.
Proof.
move=> /(_ 0%N 0%N [the realFieldType of rat : Type] (fun=> 1) 0%N 0%N isT) B0.
have := @block_sum 0 0 [the realFieldType of rat : Type] (fun=> 1).
rewrite !big_ord1 B0 => /esym/eqP.
by rewrite sumr_const card_ffun !card_ord.
Qed.

End Expansion_block_empty.
