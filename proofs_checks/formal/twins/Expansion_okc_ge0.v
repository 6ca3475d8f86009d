(** Twin of Expansion.okc_ge0: strictly. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Form Family Expansion.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Expansion_okc_ge0.

Definition right : Prop :=
  forall (n d : nat) (R : realFieldType) (c : {ffun 'I_d -> 'I_n.+1} -> R) (q N : nat),
  0 <= okc c q N.

Definition wrong : Prop :=
  forall (n d : nat) (R : realFieldType) (c : {ffun 'I_d -> 'I_n.+1} -> R) (q N : nat),
  0 < okc c q N.

Definition proved : right := @okc_ge0.

Theorem refuted : ~ wrong.
Proof.
move=> /(_ 0%N 0%N [the realFieldType of rat : Type] (fun=> 1) 1%N 0%N).
by rewrite /okc block_empty ?mul0r.
Qed.

End Expansion_okc_ge0.
