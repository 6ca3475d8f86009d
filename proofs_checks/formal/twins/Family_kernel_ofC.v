(** Twin of Family.kernel_ofC: a sign. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence Form Family Counterexamples.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Family_kernel_ofC.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S) (x z : X),
  kernel_of p x z = kernel_of p z x.

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S) (x z : X),
  kernel_of p x z = - kernel_of p z x.

Definition proved : right := @kernel_ofC.

Theorem refuted : ~ wrong.
Proof. by move=> /(_ _ _ point _ point_mode tt tt); rewrite kernel_of_point. Qed.

End Family_kernel_ofC.
