(** Twin of Expansion.okc_sum: c may be 0, as Definition 5.1 is printed. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Form Family Expansion.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Expansion_okc_sum.

Definition right : Prop :=
  forall (n d : nat) (R : realFieldType) (c : {ffun 'I_d -> 'I_n.+1} -> R),
  (exists k : {ffun 'I_d -> 'I_n.+1}, c k != 0) ->
  \sum_(q < d.+1) \sum_(N < (d * n).+1) okc c q N = 1.

Definition wrong : Prop :=
  forall (n d : nat) (R : realFieldType) (c : {ffun 'I_d -> 'I_n.+1} -> R),
 
  \sum_(q < d.+1) \sum_(N < (d * n).+1) okc c q N = 1.

Definition proved : right := @okc_sum.

Theorem refuted : ~ wrong.
Proof.
move=> /(_ 0%N 0%N [the realFieldType of rat : Type] (fun=> 0)).
by rewrite !big_ord1 /okc /block big1 ?mul0r.
Qed.

End Expansion_okc_sum.
