(** Twin of Generating.generating_function_monic: without the scale. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Family Expansion Generating.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Generating_generating_function_monic.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (n d m : nat) (pi : 'I_n.+1 -> X -> R)
    (h : 'I_n.+1 -> R) (x : 'I_m -> 'I_d -> X) (s : 'I_m -> R) (q N : nat),
  (generating pi (fun k : 'I_n.+1 => h ord0 / h k) x s)`_q`_N =
  h ord0 ^+ d * weighted_block pi (fun k : 'I_n.+1 => (h k)^-1) x s q N.

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (n d m : nat) (pi : 'I_n.+1 -> X -> R)
    (h : 'I_n.+1 -> R) (x : 'I_m -> 'I_d -> X) (s : 'I_m -> R) (q N : nat),
  (generating pi (fun k : 'I_n.+1 => h ord0 / h k) x s)`_q`_N =
  weighted_block pi (fun k : 'I_n.+1 => (h k)^-1) x s q N.

Definition proved : right := @generating_function_monic.
Fail Definition falsified : wrong := @generating_function_monic.

End Generating_generating_function_monic.
