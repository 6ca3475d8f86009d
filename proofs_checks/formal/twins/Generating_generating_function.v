(** Twin of Generating.generating_function: t^(q+1). *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Family Expansion Generating.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Generating_generating_function.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (n d m : nat) (e : 'I_n.+1 -> X -> R)
    (w : 'I_n.+1 -> R) (x : 'I_m -> 'I_d -> X) (s : 'I_m -> R) (q N : nat),
  (generating e w x s)`_q`_N = weighted_block e w x s q N.

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (n d m : nat) (e : 'I_n.+1 -> X -> R)
    (w : 'I_n.+1 -> R) (x : 'I_m -> 'I_d -> X) (s : 'I_m -> R) (q N : nat),
  (generating e w x s)`_q.+1`_N = weighted_block e w x s q N.

Definition proved : right := @generating_function.
Fail Definition falsified : wrong := @generating_function.

End Generating_generating_function.
