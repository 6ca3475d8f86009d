(** Twin of Expansion.okc_order_sum: c may be 0. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Form Family Expansion.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Expansion_okc_order_sum.

Definition right : Prop :=
  forall (n d : nat) (R : realFieldType) (c : {ffun 'I_d -> 'I_n.+1} -> R),
  (exists k : {ffun 'I_d -> 'I_n.+1}, c k != 0) -> \sum_(q < d.+1) okc_order c q = 1.

Definition wrong : Prop :=
  forall (n d : nat) (R : realFieldType) (c : {ffun 'I_d -> 'I_n.+1} -> R),
  \sum_(q < d.+1) okc_order c q = 1.

Definition proved : right := @okc_order_sum.

Theorem refuted : ~ wrong.
Proof.
move=> /(_ 0%N 0%N [the realFieldType of rat : Type] (fun=> 0)).
by rewrite big_ord1 okc_order_modes /share big1 ?mul0r.
Qed.

End Expansion_okc_order_sum.
