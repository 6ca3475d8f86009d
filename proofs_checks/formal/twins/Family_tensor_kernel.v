(** Twin of Family.tensor_kernel: a sum of kernels. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence Form Family Counterexamples.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Family_tensor_kernel.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType)
    (p : M -> S) (d : nat) (T : tensor_space p d) (x z : 'I_d -> X),
  kernel_of (tensor_basis T) x z = \prod_i kernel_of p (x i) (z i).

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType)
    (p : M -> S) (d : nat) (T : tensor_space p d) (x z : 'I_d -> X),
  kernel_of (tensor_basis T) x z = \sum_i kernel_of p (x i) (z i).

Definition proved : right := @tensor_kernel.

Theorem refuted : ~ wrong.
Proof.
have [T _] := tensor_exists point_mode_on 1; have [T2 _] := tensor_exists point_mode_on 2.
move=> /(_ _ _ _ _ _ 2%N T2 (fun=> tt) (fun=> tt)); rewrite tensor_kernel.
by rewrite !big_ord_recl !big_ord0 !kernel_of_point.
Qed.

End Family_tensor_kernel.
