(** Twin of Enclosure.norm_close: strictly. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Enclosure.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Enclosure_norm_close.

Definition right : Prop :=
  forall (R : rcfType) (M : finType) (w w' : M -> R) (r : R),
  norm (fun k : M => w k - w' k) <= r -> `|norm w - norm w'| <= r.

Definition wrong : Prop :=
  forall (R : rcfType) (M : finType) (w w' : M -> R) (r : R),
  norm (fun k : M => w k - w' k) <= r -> `|norm w - norm w'| < r.

Definition proved : right := @norm_close.

Theorem refuted (R : rcfType) : ~ wrong.
Proof.
have n0 : norm (fun _ : unit => 0 : R) = 0.
  by rewrite /norm big1 ?sqrtr0// => k _; rewrite expr0n.
move=> /(_ R _ (fun _ : unit => 0) (fun=> 0) 0).
by rewrite subrr n0 lexx subrr normr0 ltxx => /(_ isT).
Qed.

End Enclosure_norm_close.
