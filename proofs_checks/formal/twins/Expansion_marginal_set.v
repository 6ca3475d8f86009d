(** Twin of Expansion.marginal_set: k_i may be 0. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Form Family Expansion.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Expansion_marginal_set.

Definition right : Prop :=
  forall (n d : nat) (i : 'I_d) (k : {ffun 'I_d -> 'I_n.+1}),
  (act k == [set i]) = (0 < k i)%N && [forall j, (j != i) ==> (k j == 0%N :> nat)].

Definition wrong : Prop :=
  forall (n d : nat) (i : 'I_d) (k : {ffun 'I_d -> 'I_n.+1}),
  (act k == [set i]) = [forall j, (j != i) ==> (k j == 0%N :> nat)].

Definition proved : right := @marginal_set.

Theorem refuted : ~ wrong.
Proof.
move=> /(_ 0%N 1%N ord0 [ffun=> ord0]); have -> : [forall j : 'I_1, (j != ord0) ==>
    (([ffun=> ord0] : {ffun 'I_1 -> 'I_1}) j == 0%N :> nat)].
  by apply/forallP => j; rewrite ffunE implybT.
by move/eqP/setP/(_ ord0); rewrite !inE ffunE.
Qed.

End Expansion_marginal_set.
