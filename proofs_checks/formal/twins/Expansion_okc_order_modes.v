(** Twin of Expansion.okc_order_modes: modes of order q + 1. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Family Expansion.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Expansion_okc_order_modes.

Definition right : Prop :=
  forall (n d : nat) (R : realFieldType) (c : {ffun 'I_d -> 'I_n.+1} -> R) (q : nat),
  okc_order c q = share c (fun k : {ffun 'I_d -> 'I_n.+1} => order k == q).

Definition wrong : Prop :=
  forall (n d : nat) (R : realFieldType) (c : {ffun 'I_d -> 'I_n.+1} -> R) (q : nat),
  okc_order c q = share c (fun k : {ffun 'I_d -> 'I_n.+1} => order k == q.+1).

Definition proved : right := @okc_order_modes.
Fail Definition falsified : wrong := @okc_order_modes.

End Expansion_okc_order_modes.
