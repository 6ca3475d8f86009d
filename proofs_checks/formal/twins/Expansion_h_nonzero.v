(** Twin of Expansion.h_nonzero: every c_k. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Family Expansion.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Expansion_h_nonzero.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType)
    (p : M -> S) (m : nat) (x : 'I_m -> X) (s : 'I_m -> R),
  orthonormal p -> trained p x s <> 0 <-> (exists k : M, c p x s k != 0).

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType)
    (p : M -> S) (m : nat) (x : 'I_m -> X) (s : 'I_m -> R),
  orthonormal p -> trained p x s <> 0 <-> (forall k : M, c p x s k != 0).

Definition proved : right := @h_nonzero.
Fail Definition falsified : wrong := @h_nonzero.

End Expansion_h_nonzero.
