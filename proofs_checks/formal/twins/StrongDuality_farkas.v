(** Twin of StrongDuality.farkas: strict. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm StrongDuality.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module StrongDuality_farkas.

Definition right : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (I : finType) (a : I -> V) (b : V),
  (exists2 u : I -> R, forall i : I, 0 <= u i & b = \sum_i u i *: a i) \/
    (exists2 x : V, forall i : I, dot H (a i) x <= 0 & 0 < dot H b x).

Definition wrong : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (I : finType) (a : I -> V) (b : V),
  (exists2 u : I -> R, forall i : I, 0 <= u i & b = \sum_i u i *: a i) \/
    (exists2 x : V, forall i : I, dot H (a i) x < 0 & 0 < dot H b x).

Definition proved : right := @farkas.
Fail Definition falsified : wrong := @farkas.

End StrongDuality_farkas.
