(** Twin of Expansion.h_coefficients: a factor. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Family Expansion.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Expansion_h_coefficients.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType)
    (p : M -> S) (m : nat) (x : 'I_m -> X) (s : 'I_m -> R) (e : M -> R),
  orthonormal p -> trained p x s = \sum_k e k *: p k -> e =1 c p x s.

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType)
    (p : M -> S) (m : nat) (x : 'I_m -> X) (s : 'I_m -> R) (e : M -> R),
  orthonormal p -> trained p x s = \sum_k e k *: p k -> forall k, e k = 2%:R * c p x s k.

Definition proved : right := @h_coefficients.
Fail Definition falsified : wrong := @h_coefficients.

End Expansion_h_coefficients.
