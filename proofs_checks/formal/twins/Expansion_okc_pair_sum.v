(** Twin of Expansion.okc_pair_sum: i <= j. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Family Expansion.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Expansion_okc_pair_sum.

Definition right : Prop :=
  forall (n d : nat) (R : realFieldType) (c : {ffun 'I_d -> 'I_n.+1} -> R),
  \sum_(i < d) \sum_(j < d | (i < j)%N) okc_pair c i j = okc_order c 2.

Definition wrong : Prop :=
  forall (n d : nat) (R : realFieldType) (c : {ffun 'I_d -> 'I_n.+1} -> R),
  \sum_(i < d) \sum_(j < d | (i <= j)%N) okc_pair c i j = okc_order c 2.

Definition proved : right := @okc_pair_sum.
Fail Definition falsified : wrong := @okc_pair_sum.

End Expansion_okc_pair_sum.
