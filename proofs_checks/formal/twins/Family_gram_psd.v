(** Twin of Family.gram_psd: without u_i. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence Family Point.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Family_gram_psd.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType)
    (p : M -> S) (m : nat) (x : 'I_m -> X) (u : 'I_m -> R),
  0 <= \sum_i \sum_j u i * u j * K p (x i) (x j).

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType)
    (p : M -> S) (m : nat) (x : 'I_m -> X) (u : 'I_m -> R),
  0 <= \sum_i \sum_j u j * K p (x i) (x j).

Definition proved : right := @gram_psd.

Theorem refuted : ~ wrong.
Proof. by move=> /(_ _ _ point _ mode 1%N (fun=> tt) (fun=> -1)); rewrite !big_ord1 Kpoint. Qed.

End Family_gram_psd.
