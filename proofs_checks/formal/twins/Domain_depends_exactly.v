(** Twin of Domain.depends_exactly: p_k depends on every coordinate. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Compat Recurrence Form Family Expansion Product Domain.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Domain_depends_exactly.

Definition right : Prop :=
  forall (R : realFieldType) (n d : nat) (L : 'I_d -> {scalar {poly R}}) (I : 'I_d -> R -> Prop),
  (forall i, infinite (I i)) -> forall p : 'I_d -> nat -> {poly R},
  (forall i, orthonormal_upto n (L i) (p i)) ->
  forall (k : {ffun 'I_d -> 'I_n.+1}) (i : 'I_d), i \in act k <->
  exists x z, [/\ in_domain I x, in_domain I z, forall j, j != i -> x j = z j
                & ev x (tbasis L p k) <> ev z (tbasis L p k)].

Definition wrong : Prop :=
  forall (R : realFieldType) (n d : nat) (L : 'I_d -> {scalar {poly R}}) (I : 'I_d -> R -> Prop),
  (forall i, infinite (I i)) -> forall p : 'I_d -> nat -> {poly R},
  (forall i, orthonormal_upto n (L i) (p i)) ->
  forall (k : {ffun 'I_d -> 'I_n.+1}) (i : 'I_d),
  exists x z, [/\ in_domain I x, in_domain I z, forall j, j != i -> x j = z j
                & ev x (tbasis L p k) <> ev z (tbasis L p k)].

Definition proved : right := @depends_exactly.

(** n = 0, d = 1: p_0 = 1 is constant. *)
Theorem refuted : ~ wrong.
Proof.
have Ls : scalar (fun f : {poly rat} => f.[0]) by move=> c f g; rewrite hornerD hornerZ.
have on (i : 'I_1) : orthonormal_upto 0 (functional Ls) (fun=> 1).
  by split=> [[]|[] []]//; rewrite ?size_poly1//= mulr1 hornerC.
have inf (i : 'I_1) : infinite (fun t : rat => 0 <= t <= 1) by apply: interval_infinite ltr01.
move=> /(_ _ 0%N 1%N (fun=> functional Ls) (fun=> _) inf (fun=> fun=> 1) on [ffun=> ord0] ord0).
by case=> x [z [_ _ _]]; rewrite !(tbasis_at on) !big_ord1 !hornerC.
Qed.

End Domain_depends_exactly.
