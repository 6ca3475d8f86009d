(** Twin of Expansion.okc_marginal_sum: OKC^(2). *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Family Expansion.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Expansion_okc_marginal_sum.

Definition right : Prop :=
  forall (n d : nat) (R : realFieldType) (c : {ffun 'I_d -> 'I_n.+1} -> R),
  \sum_i okc_marginal c i = okc_order c 1.

Definition wrong : Prop :=
  forall (n d : nat) (R : realFieldType) (c : {ffun 'I_d -> 'I_n.+1} -> R),
  \sum_i okc_marginal c i = okc_order c 2.

Definition proved : right := @okc_marginal_sum.
Fail Definition falsified : wrong := @okc_marginal_sum.

End Expansion_okc_marginal_sum.
