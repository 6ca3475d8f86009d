(** Twin of Generating.generating_value: t and z exchanged. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Family Expansion Generating.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Generating_generating_value.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (n d m : nat) (e : 'I_n.+1 -> X -> R)
    (w : 'I_n.+1 -> R) (x : 'I_m -> 'I_d -> X) (s : 'I_m -> R) (t z : R),
  (generating e w x s).[t%:P].[z] =
  \sum_k t ^+ order k * z ^+ degree k * (weight w k * amplitude e x s k ^+ 2).

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (n d m : nat) (e : 'I_n.+1 -> X -> R)
    (w : 'I_n.+1 -> R) (x : 'I_m -> 'I_d -> X) (s : 'I_m -> R) (t z : R),
  (generating e w x s).[t%:P].[z] =
  \sum_k z ^+ order k * t ^+ degree k * (weight w k * amplitude e x s k ^+ 2).

Definition proved : right := @generating_value.
Fail Definition falsified : wrong := @generating_value.

End Generating_generating_value.
