(** Twin of Sobol.sobol_okc: c_0 may be other than 0. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Compat Recurrence Form Family Expansion Product Sobol.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Sobol_sobol_okc.

Definition right : Prop :=
  forall (R : realFieldType) (n d : nat) (L : 'I_d -> {scalar {poly R}})
    (p : 'I_d -> nat -> {poly R}), (forall i, orthonormal_upto n (L i) (p i)) ->
  forall c : {ffun 'I_d -> 'I_n.+1} -> R, c [ffun=> ord0] = 0 ->
  forall S : {set 'I_d}, sobol S (combination (@tbasis R n d L p) c) = okc_subset c S.

Definition wrong : Prop :=
  forall (R : realFieldType) (n d : nat) (L : 'I_d -> {scalar {poly R}})
    (p : 'I_d -> nat -> {poly R}), (forall i, orthonormal_upto n (L i) (p i)) ->
  forall (c : {ffun 'I_d -> 'I_n.+1} -> R) (S : {set 'I_d}),
  sobol S (combination (@tbasis R n d L p) c) = okc_subset c S.

Definition proved : right := @sobol_okc.

(** n = 0, d = 1: a constant has the variance 0, and OKC of the empty set is 1. *)
Theorem refuted : ~ wrong.
Proof.
have Ls : scalar (fun f : {poly rat} => f.[0]) by move=> c f g; rewrite hornerD hornerZ.
have on (i : 'I_1) : orthonormal_upto 0 (functional Ls) (fun=> 1).
  by split=> [[]|[] []]//; rewrite ?size_poly1//= mulr1 hornerC.
have a0 (k : {ffun 'I_1 -> 'I_1}) : act k = set0.
  by apply/setP => i; rewrite !inE (ord1 (k i)).
move=> /(_ _ 0%N 1%N (fun=> functional Ls) (fun=> fun=> 1) on (fun=> 1) set0).
rewrite /sobol (var_modes on) big1 => [|k]; last by rewrite a0 eqxx.
rewrite mul0r invr0 mulr0 /okc_subset /share (eq_bigl xpredT) => [|k]; last by rewrite a0 eqxx.
rewrite -/(total _) divff// total_neq0//.
by exists [ffun=> ord0].
Qed.

End Sobol_sobol_okc.
