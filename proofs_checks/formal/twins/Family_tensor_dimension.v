(** Twin of Family.tensor_dimension: d^(n+1). *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence Form Family Counterexamples.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Family_tensor_dimension.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (n d : nat)
    (p : 'I_n.+1 -> S) (T : tensor_space p d),
  orthonormal p ->
  #|{ffun 'I_d -> 'I_n.+1}| = (n.+1 ^ d)%N /\
  (forall c : {ffun 'I_d -> 'I_n.+1} -> R,
   combination (tensor_basis T) c = 0 -> c =1 (fun=> 0)).

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (n d : nat)
    (p : 'I_n.+1 -> S) (T : tensor_space p d),
  orthonormal p ->
  #|{ffun 'I_d -> 'I_n.+1}| = (d ^ n.+1)%N /\
  (forall c : {ffun 'I_d -> 'I_n.+1} -> R,
   combination (tensor_basis T) c = 0 -> c =1 (fun=> 0)).

Definition proved : right := @tensor_dimension.

Theorem refuted : ~ wrong.
Proof.
have [T _] := tensor_exists point_mode_on 2; move=> /(_ _ _ _ 0%N 2%N _ T point_mode_on)[].
by rewrite card_ffun !card_ord.
Qed.

End Family_tensor_dimension.
