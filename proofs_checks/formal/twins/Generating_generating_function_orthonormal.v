(** Twin of Generating.generating_function_orthonormal: weights 2. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Family Expansion Generating.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Generating_generating_function_orthonormal.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (n d m : nat) (p : 'I_n.+1 -> X -> R)
    (x : 'I_m -> 'I_d -> X) (s : 'I_m -> R) (q N : nat),
  (generating p (fun=> 1) x s)`_q`_N = block (amplitude p x s) q N.

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (n d m : nat) (p : 'I_n.+1 -> X -> R)
    (x : 'I_m -> 'I_d -> X) (s : 'I_m -> R) (q N : nat),
  (generating p (fun=> 2%:R) x s)`_q`_N = block (amplitude p x s) q N.

Definition proved : right := @generating_function_orthonormal.
Fail Definition falsified : wrong := @generating_function_orthonormal.

End Generating_generating_function_orthonormal.
