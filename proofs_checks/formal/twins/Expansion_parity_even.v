(** Twin of Expansion.parity_even: a sign. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Form Family Expansion.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Expansion_parity_even.

Definition right : Prop :=
  forall (n d : nat) (R : realFieldType) (c : {ffun 'I_d -> 'I_n.+1} -> R),
  \sum_(k | ~~ odd (degree k)) c k ^+ 2 = (total c + alternating c) / 2%:R.

Definition wrong : Prop :=
  forall (n d : nat) (R : realFieldType) (c : {ffun 'I_d -> 'I_n.+1} -> R),
  \sum_(k | ~~ odd (degree k)) c k ^+ 2 = (total c - alternating c) / 2%:R.

Definition proved : right := @parity_even.

Theorem refuted : ~ wrong.
Proof.
move=> /(_ 0%N 0%N [the realFieldType of rat : Type] (fun=> 1)).
rewrite parity_even /total /alternating.
rewrite [X in _ + X](eq_bigr (fun=> 1)) => [|k _]; last by rewrite /degree big_ord0 mul1r expr1n.
rewrite [X in _ - X](eq_bigr (fun=> 1)) => [|k _]; last by rewrite /degree big_ord0 mul1r expr1n.
by rewrite !sumr_const card_ffun !card_ord.
Qed.

End Expansion_parity_even.
