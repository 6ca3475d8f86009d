(** Twin of Enclosure.index_le1: strictly positive. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Enclosure.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Enclosure_index_le1.

Definition right : Prop :=
  forall (R : rcfType) (M : finType) (P : pred M) (c : M -> R), 0 <= OKC P c <= 1.

Definition wrong : Prop :=
  forall (R : rcfType) (M : finType) (P : pred M) (c : M -> R), 0 < OKC P c <= 1.

Definition proved : right := @index_le1.

Theorem refuted (R : rcfType) : ~ wrong.
Proof.
move=> /(_ R _ xpred0 (fun _ : unit => 1)).
by rewrite /OKC big_pred0 ?mul0r ?ltxx.
Qed.

End Enclosure_index_le1.
