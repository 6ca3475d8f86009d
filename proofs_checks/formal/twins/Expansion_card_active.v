(** Twin of Expansion.card_active: (n+1)^|A|. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Form Family Expansion.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Expansion_card_active.

Definition right : Prop :=
  forall (n d : nat) (A : {set 'I_d}), #|[set k : {ffun 'I_d -> 'I_n.+1} | act k == A]| =
    (n ^ #|A|)%N.

Definition wrong : Prop :=
  forall (n d : nat) (A : {set 'I_d}), #|[set k : {ffun 'I_d -> 'I_n.+1} | act k == A]| =
    (n.+1 ^ #|A|)%N.

Definition proved : right := @card_active.

Theorem refuted : ~ wrong.
Proof. by move=> /(_ 1%N 1%N setT); rewrite card_active cardsT card_ord. Qed.

End Expansion_card_active.
