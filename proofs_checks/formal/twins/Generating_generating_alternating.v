(** Twin of Generating.generating_alternating: z = 1. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Family Expansion Generating.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Generating_generating_alternating.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (n d m : nat) (p : 'I_n.+1 -> X -> R)
    (x : 'I_m -> 'I_d -> X) (s : 'I_m -> R),
  (generating p (fun=> 1) x s).[1].[-1] = alternating (amplitude p x s).

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (n d m : nat) (p : 'I_n.+1 -> X -> R)
    (x : 'I_m -> 'I_d -> X) (s : 'I_m -> R),
  (generating p (fun=> 1) x s).[1].[1] = alternating (amplitude p x s).

Definition proved : right := @generating_alternating.
Fail Definition falsified : wrong := @generating_alternating.

End Generating_generating_alternating.
