(** Twin of Enclosure.index_lower: without max(0, .). *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Enclosure.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Enclosure_index_lower.

Definition right : Prop :=
  forall (R : rcfType) (M : finType) (P : pred M) (w w' : M -> R) (r : R),
  norm (fun k : M => w k - w' k) <= r ->
  r < norm w -> Num.max 0 (cos_phi P w * cosine w r - sin_phi P w * sine w r) ^+ 2 <= OKC P w'.

Definition wrong : Prop :=
  forall (R : rcfType) (M : finType) (P : pred M) (w w' : M -> R) (r : R),
  norm (fun k : M => w k - w' k) <= r ->
  r < norm w -> (cos_phi P w * cosine w r - sin_phi P w * sine w r) ^+ 2 <= OKC P w'.

Definition proved : right := @index_lower.

Lemma norm1 (R : rcfType) (a : R) : 0 <= a -> norm (fun _ : unit => a) = a.
Proof. by move=> a0; rewrite /norm big_const card_unit /= addr0 sqrtr_sqr ger0_norm. Qed.

(** One mode, P empty: phi is a right angle and the index is 0. *)
Theorem refuted (R : rcfType) : ~ wrong.
Proof.
have h0 : 0 < 2%:R^-1 :> R by rewrite invr_gt0 ltr0n.
have close : norm (fun k : unit => 1 - 1 : R) <= 2%:R^-1 by rewrite subrr norm1// ltW.
have small : 2%:R^-1 < norm (fun _ : unit => 1 : R)
  by rewrite norm1 ?ler01// invf_lt1 ?ltr0n// ltr1n.
move=> /(_ R _ xpred0 (fun _ : unit => 1) (fun _ : unit => 1) _ close small).
have O0 : OKC xpred0 (fun _ : unit => 1 : R) = 0 by rewrite /OKC big_pred0 ?mul0r.
rewrite /cos_phi /sin_phi /sine O0 subr0 sqrtr0 sqrtr1 norm1 ?ler01// mul0r sub0r mul1r sqrrN
  divr1.
by rewrite leNgt exprn_gt0.
Qed.

End Enclosure_index_lower.
