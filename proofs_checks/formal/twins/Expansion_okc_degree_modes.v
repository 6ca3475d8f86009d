(** Twin of Expansion.okc_degree_modes: modes of degree N + 1. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Family Expansion.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Expansion_okc_degree_modes.

Definition right : Prop :=
  forall (n d : nat) (R : realFieldType) (c : {ffun 'I_d -> 'I_n.+1} -> R) (N : nat),
  okc_degree c N = share c (fun k : {ffun 'I_d -> 'I_n.+1} => degree k == N).

Definition wrong : Prop :=
  forall (n d : nat) (R : realFieldType) (c : {ffun 'I_d -> 'I_n.+1} -> R) (N : nat),
  okc_degree c N = share c (fun k : {ffun 'I_d -> 'I_n.+1} => degree k == N.+1).

Definition proved : right := @okc_degree_modes.
Fail Definition falsified : wrong := @okc_degree_modes.

End Expansion_okc_degree_modes.
