(** Twin of Family.kernel_sym: a sign. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence Family Point.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Family_kernel_sym.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S) (x z : X),
  K p x z = K p z x.

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S) (x z : X),
  K p x z = - K p z x.

Definition proved : right := @kernel_sym.

Theorem refuted : ~ wrong.
Proof. by move=> /(_ _ _ point _ mode tt tt); rewrite Kpoint. Qed.

End Family_kernel_sym.
