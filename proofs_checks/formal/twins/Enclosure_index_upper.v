(** Twin of Enclosure.index_upper: phi < theta allowed. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Compat Enclosure.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Enclosure_index_upper.

Definition right : Prop :=
  forall (R : rcfType) (M : finType) (P : pred M) (w w' : M -> R) (r : R),
  norm (fun k : M => w k - w' k) <= r ->
  r < norm w ->
  sine w r <= sin_phi P w ->
  OKC P w' <= (cos_phi P w * cosine w r + sin_phi P w * sine w r) ^+ 2.

Definition wrong : Prop :=
  forall (R : rcfType) (M : finType) (P : pred M) (w w' : M -> R) (r : R),
  norm (fun k : M => w k - w' k) <= r ->
  r < norm w ->
  OKC P w' <= (cos_phi P w * cosine w r + sin_phi P w * sine w r) ^+ 2.

Definition proved : right := @index_upper.

Lemma norm1 (R : rcfType) (a : R) : 0 <= a -> norm (fun _ : unit => a) = a.
Proof. by move=> a0; rewrite /norm big_const card_unit /= addr0 sqrtr_sqr ger0_norm. Qed.

(** One mode, P everything: the index is 1, and cos^2(phi - theta) = cos^2(theta) < 1. *)
Theorem refuted (R : rcfType) : ~ wrong.
Proof.
have h0 : 0 < 2%:R^-1 :> R by rewrite invr_gt0 ltr0n.
have close : norm (fun k : unit => 1 - 1 : R) <= 2%:R^-1 by rewrite subrr norm1// ltW.
have small : 2%:R^-1 < norm (fun _ : unit => 1 : R)
  by rewrite norm1 ?ler01// invf_lt1 ?ltr0n// ltr1n.
move=> /(_ R _ xpredT (fun _ : unit => 1) (fun _ : unit => 1) _ close small).
have O1 : OKC xpredT (fun _ : unit => 1 : R) = 1.
  by rewrite /OKC big_const card_unit /= addr0 expr1n divr1.
rewrite /cos_phi /sin_phi O1 subrr sqrtr0 sqrtr1 mul0r addr0 mul1r /cosine /sine norm1 ?ler01//
  divr1.
have q1 : 2%:R^-1 <= 1 :> R by rewrite invf_le1 ?ltr0n// ler1n.
have s0 : 0 <= 1 - 2%:R^-1 ^+ 2 :> R by rewrite subr_ge0 expr_le1 ?(ltW h0).
by rewrite sqr_sqrtr// lerDl oppr_ge0 leNgt exprn_gt0.
Qed.

End Enclosure_index_upper.
