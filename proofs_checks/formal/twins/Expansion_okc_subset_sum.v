(** Twin of Expansion.okc_subset_sum: subsets of at most q coordinates. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Family Expansion.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Expansion_okc_subset_sum.

Definition right : Prop :=
  forall (n d : nat) (R : realFieldType) (c : {ffun 'I_d -> 'I_n.+1} -> R) (q : nat),
  \sum_(A : {set 'I_d} | #|A| == q) okc_subset c A = okc_order c q.

Definition wrong : Prop :=
  forall (n d : nat) (R : realFieldType) (c : {ffun 'I_d -> 'I_n.+1} -> R) (q : nat),
  \sum_(A : {set 'I_d} | (#|A| <= q)%N) okc_subset c A = okc_order c q.

Definition proved : right := @okc_subset_sum.
Fail Definition falsified : wrong := @okc_subset_sum.

End Expansion_okc_subset_sum.
