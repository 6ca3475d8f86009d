(** Twin of Domain.product_separated: sets of n + 1 points are enough, sets of n points are not. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Compat Recurrence Form Family Product Domain.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Domain_product_separated.

Definition right : Prop :=
  forall (R : realFieldType) (n d : nat) (L : 'I_d -> {scalar {poly R}}) (I : 'I_d -> R -> Prop),
  (forall i, infinite (I i)) -> forall f : product_space n L,
  (forall x, in_domain I x -> ev x f = 0) -> f = 0.

Definition wrong : Prop :=
  forall (R : realFieldType) (n d : nat) (L : 'I_d -> {scalar {poly R}}) (I : 'I_d -> R -> Prop),
  (forall i, exists r : seq R, [/\ uniq r, size r = n & forall t, t \in r -> I i t]) ->
  forall f : product_space n L, (forall x, in_domain I x -> ev x f = 0) -> f = 0.

Definition proved : right := @product_separated.

(** n = d = 1 and the one point 0: X vanishes there. *)
Theorem refuted : ~ wrong.
Proof.
have Ls : scalar (fun f : {poly rat} => f.[0]) by move=> c f g; rewrite hornerD hornerZ.
move=> /(_ _ 1%N 1%N (fun=> functional Ls) (fun=> fun t : rat => t = 0)) H.
have : tens 1 (fun=> functional Ls) (fun _ : 'I_1 => 'X) = 0.
  apply: H => [i|x x0]; first by exists [:: 0]; split=> // t; rewrite inE => /eqP.
  by rewrite tens_at => [|i]; rewrite ?size_polyX// big_ord1 hornerX x0.
move/ffunP/(_ [ffun=> inord 1]); rewrite !ffunE big_ord1 ffunE coefX inordK//.
Qed.

End Domain_product_separated.
