(** Twin of Expansion.parity_odd: a factor 2. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Family Expansion.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Expansion_parity_odd.

Definition right : Prop :=
  forall (n d : nat) (R : realFieldType) (c : {ffun 'I_d -> 'I_n.+1} -> R),
  \sum_(k | odd (degree k)) c k ^+ 2 = (total c - alternating c) / 2%:R.

Definition wrong : Prop :=
  forall (n d : nat) (R : realFieldType) (c : {ffun 'I_d -> 'I_n.+1} -> R),
  \sum_(k | odd (degree k)) c k ^+ 2 = (total c - alternating c) .

Definition proved : right := @parity_odd.
Fail Definition falsified : wrong := @parity_odd.

End Expansion_parity_odd.
