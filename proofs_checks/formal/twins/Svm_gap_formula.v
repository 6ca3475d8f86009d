(** Twin of Svm.gap_formula: a factor 1/2. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Svm_gap_formula.

Definition right : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C a : 'I_m -> R) (b : R),
  P H phi y C (w_of phi y a) b - D H phi y a =
    dot H (w_of phi y a) (w_of phi y a) - \sum_i a i + \sum_i C i * slack H phi y (w_of phi y a) b i.

Definition wrong : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C a : 'I_m -> R) (b : R),
  P H phi y C (w_of phi y a) b - D H phi y a =
    dot H (w_of phi y a) (w_of phi y a) / 2 - \sum_i a i + \sum_i C i * slack H phi y (w_of phi y a) b i.

Definition proved : right := @gap_formula.
Fail Definition falsified : wrong := @gap_formula.

End Svm_gap_formula.
