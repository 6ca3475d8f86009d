(** Twin of Family.tensor_independent: any functions. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence Family.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Family_tensor_independent.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType)
    (p : M -> S) (d : nat) (c : multiindex M d -> R),
  independent p ->
  (forall x : 'I_d -> X, \sum_k c k * \prod_i ev (x i) (p (k i)) = 0) -> c =1 (fun=> 0).

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType)
    (p : M -> S) (d : nat) (c : multiindex M d -> R),
  (forall x : 'I_d -> X, \sum_k c k * \prod_i ev (x i) (p (k i)) = 0) -> c =1 (fun=> 0).

Definition proved : right := @tensor_independent.
Fail Definition falsified : wrong := @tensor_independent.

End Family_tensor_independent.
