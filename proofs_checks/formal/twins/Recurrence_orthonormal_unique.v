(** Twin of Recurrence.orthonormal_unique: without the sign. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Recurrence_orthonormal_unique.

Definition right : Prop :=
  forall (F : fieldType) (L : {scalar {poly F}}) (p q : nat -> {poly F}),
  graded p ->
  graded q ->
  orthonormal_for L p -> orthonormal_for L q -> forall k : nat, q k = p k \/ q k = - p k.

Definition wrong : Prop :=
  forall (F : fieldType) (L : {scalar {poly F}}) (p q : nat -> {poly F}),
  graded p ->
  graded q ->
  orthonormal_for L p -> orthonormal_for L q -> forall k : nat, q k = p k.

Definition proved : right := @orthonormal_unique.

(** With a_k = 0, b_k = h_0 = 1 the monic polynomials are orthonormal,
  and so are their negatives. *)
Theorem refuted : ~ wrong.
Proof.
pose F := [the fieldType of rat : Type]; pose p := op (fun=> 0 : F) (fun=> 1).
have [L [L0 _]] := @favard_functional F (fun=> 0) (fun=> 1) 1.
have gp : graded p by move=> k; apply: op_size.
have op_ : orthonormal_for L p by move=> j k; rewrite (favard L0) /norm2 big1 // !mulr1.
have gn : graded (fun k => - p k) by move=> k; rewrite size_opp.
have on : orthonormal_for L (fun k => - p k) by move=> j k; rewrite mulrNN.
move=> /(_ F L p _ gp gn op_ on 0%N)/(congr1 (fun f : {poly F} => f.[0])).
by rewrite /p op0 hornerN hornerC.
Qed.

End Recurrence_orthonormal_unique.
