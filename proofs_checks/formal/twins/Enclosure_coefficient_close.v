(** Twin of Enclosure.coefficient_close: strictly. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Enclosure.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Enclosure_coefficient_close.

Definition right : Prop :=
  forall (R : rcfType) (M : finType) (w w' : M -> R) (r : R),
  norm (fun k : M => w k - w' k) <= r -> forall k : M, `|w k - w' k| <= r.

Definition wrong : Prop :=
  forall (R : rcfType) (M : finType) (w w' : M -> R) (r : R),
  norm (fun k : M => w k - w' k) <= r -> forall k : M, `|w k - w' k| < r.

Definition proved : right := @coefficient_close.

Theorem refuted (R : rcfType) : ~ wrong.
Proof.
move=> /(_ R _ (fun _ : unit => 0) (fun=> 0) 0).
by rewrite /norm big1 ?sqrtr0 ?lexx => [/(_ isT tt)|k _]; rewrite subrr ?normr0 ?ltxx ?expr0n.
Qed.

End Enclosure_coefficient_close.
