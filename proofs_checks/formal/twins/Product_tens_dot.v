(** Twin of Product.tens_dot: polynomials of any degree. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Compat Recurrence Form Family Product.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Product_tens_dot.

Definition right : Prop :=
  forall (R : realFieldType) (n d : nat) (L : 'I_d -> {scalar {poly R}}) (f g : 'I_d -> {poly R}),
  (forall i, (size (f i) <= n.+1)%N) -> (forall i, (size (g i) <= n.+1)%N) ->
  '<tens n L f, tens n L g> = \prod_i L i (f i * g i).

Definition wrong : Prop :=
  forall (R : realFieldType) (n d : nat) (L : 'I_d -> {scalar {poly R}}) (f g : 'I_d -> {poly R}),
  '<tens n L f, tens n L g> = \prod_i L i (f i * g i).

Definition proved : right := @tens_dot.

(** n = 0, d = 1, the mass at 1 and f = g = X: X is not constant. *)
Theorem refuted : ~ wrong.
Proof.
have Ls : scalar (fun f : {poly rat} => f.[1]) by move=> c f g; rewrite hornerD hornerZ.
move=> /(_ _ 0%N 1%N (fun=> functional Ls) (fun=> 'X) (fun=> 'X)).
rewrite big_ord1 (_ : tens _ _ _ = 0) ?linear0; first by rewrite /= hornerM hornerX.
by apply/ffunP => k; rewrite !ffunE big_ord1 (ord1 (k _)) coefX.
Qed.

End Product_tens_dot.
