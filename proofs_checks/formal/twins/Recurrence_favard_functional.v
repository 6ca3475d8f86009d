(** Twin of Recurrence.favard_functional: a sign. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Recurrence_favard_functional.

Definition right : Prop :=
  forall (F : fieldType) (a b : nat -> F) (h0 : F),
  exists L : {scalar {poly F}},
    (forall k : nat, L (op a b k) = (k == 0%N)%:R * h0) /\
    (forall L' : {scalar {poly F}},
     (forall k : nat, L' (op a b k) = (k == 0%N)%:R * h0) -> L' =1 L).

Definition wrong : Prop :=
  forall (F : fieldType) (a b : nat -> F) (h0 : F),
  exists L : {scalar {poly F}},
    (forall k : nat, L (op a b k) = (k == 0%N)%:R * h0) /\
    (forall L' : {scalar {poly F}},
     (forall k : nat, L' (op a b k) = (k == 0%N)%:R * h0) -> forall f, L' f = - L f).

Definition proved : right := @favard_functional.

Theorem refuted : ~ wrong.
Proof.
move=> /(_ [the fieldType of rat : Type] (fun=> 0) (fun=> 1) 1)[L [L0 /(_ L L0 1)]].
by rewrite -[X in L X]/(op (fun=> 0 : rat) (fun=> 1) 0) L0.
Qed.

End Recurrence_favard_functional.
