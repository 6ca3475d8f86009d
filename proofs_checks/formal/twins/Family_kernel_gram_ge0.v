(** Twin of Family.kernel_gram_ge0: without u_i. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence Form Family Counterexamples.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Family_kernel_gram_ge0.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType)
    (p : M -> S) (m : nat) (x : 'I_m -> X) (u : 'I_m -> R),
  0 <= \sum_i \sum_j u i * u j * kernel_of p (x i) (x j).

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType)
    (p : M -> S) (m : nat) (x : 'I_m -> X) (u : 'I_m -> R),
  0 <= \sum_i \sum_j u j * kernel_of p (x i) (x j).

Definition proved : right := @kernel_gram_ge0.

Theorem refuted : ~ wrong.
Proof. by move=> /(_ _ _ point _ point_mode 1%N (fun=> tt) (fun=> -1));
rewrite !big_ord1 kernel_of_point. Qed.

End Family_kernel_gram_ge0.
