(** Twin of Additive.additive_any: order 1 has to vanish too. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Family Expansion Additive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Additive_additive_any.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (n d : nat) (p : 'I_n.+1 -> S) (p0 : R)
    (c : {ffun 'I_d.+1 -> 'I_n.+1} -> R),
  (forall u : X, ev u (p ord0) = p0) -> p0 != 0 -> independent p ->
  (forall q : nat, (1 < q)%N -> okc_order c q = 0) <->
  (exists f : 'I_d.+1 -> X -> R,
     forall x : 'I_d.+1 -> X, \sum_k c k * \prod_l ev (x l) (p (k l)) = \sum_i f i (x i)).

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (n d : nat) (p : 'I_n.+1 -> S) (p0 : R)
    (c : {ffun 'I_d.+1 -> 'I_n.+1} -> R),
  (forall u : X, ev u (p ord0) = p0) -> p0 != 0 -> independent p ->
  (forall q : nat, (0 < q)%N -> okc_order c q = 0) <->
  (exists f : 'I_d.+1 -> X -> R,
     forall x : 'I_d.+1 -> X, \sum_k c k * \prod_l ev (x l) (p (k l)) = \sum_i f i (x i)).

Definition proved : right := @Additive.additive_any.
Fail Definition falsified : wrong := @Additive.additive_any.

End Additive_additive_any.
