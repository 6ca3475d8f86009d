(** Twin of Generating.tensor_coefficients: a sign. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Family Expansion Generating.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Generating_tensor_coefficients.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (n d m : nat)
    (p : 'I_n.+1 -> S) (T : tensor_space p d) (x : 'I_m -> 'I_d -> X)
    (s : 'I_m -> R),
  c (tensor_basis T) x s =1 amplitude (fun (k : 'I_n.+1) (u : X) => ev u (p k)) x s.

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (n d m : nat)
    (p : 'I_n.+1 -> S) (T : tensor_space p d) (x : 'I_m -> 'I_d -> X)
    (s : 'I_m -> R),
  forall j, c (tensor_basis T) x s j = - amplitude (fun (k : 'I_n.+1) (u : X) => ev u (p k)) x s j.

Definition proved : right := @tensor_coefficients.
Fail Definition falsified : wrong := @tensor_coefficients.

End Generating_tensor_coefficients.
