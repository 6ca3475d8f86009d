(** Twin of Svm.gap_identity: the factor 1/2 forgotten. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Svm_gap_identity.

Definition right : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C a : 'I_m -> R) (w : V) (b : R),
  \sum_i a i * y i = 0 ->
  P H phi y C w b - D H phi y a = dot H (w - w_of phi y a) (w - w_of phi y a) / 2 + \sum_i a i *
    (margin H phi y w b i - 1 + slack H phi y w b i) + \sum_i (C i - a i) * slack H phi y w b i.

Definition wrong : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C a : 'I_m -> R) (w : V) (b : R),
  \sum_i a i * y i = 0 ->
  P H phi y C w b - D H phi y a = dot H (w - w_of phi y a) (w - w_of phi y a) + \sum_i a i *
    (margin H phi y w b i - 1 + slack H phi y w b i) + \sum_i (C i - a i) * slack H phi y w b i.

Definition proved : right := @gap_identity.
Fail Definition falsified : wrong := @gap_identity.

End Svm_gap_identity.
