(** Twin of Family.tensor_orthonormal: norm 2. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence Form Family Counterexamples.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Family_tensor_orthonormal.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S),
  orthonormal p -> forall (d : nat) (T : tensor_space p d), orthonormal (tensor_basis T).

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S),
  orthonormal p -> forall (d : nat) (T : tensor_space p d),
    forall k, '<tensor_basis T k, tensor_basis T k> = 2%:R.

Definition proved : right := @tensor_orthonormal.

Theorem refuted : ~ wrong.
Proof.
have [T _] := tensor_exists point_mode_on 1;
  move=> /(_ _ _ _ _ _ point_mode_on 1%N T [ffun=> ord0]).
by rewrite (tensor_orthonormal point_mode_on) eqxx.
Qed.

End Family_tensor_orthonormal.
