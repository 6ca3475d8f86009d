(** Twin of Svm.gram_ge0: definite, not semidefinite. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Form Svm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Svm_gram_ge0.

Definition right : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (z : 'I_m -> R),
  0 <= \sum_i \sum_j z i * z j * gram H phi i j.

Definition wrong : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (z : 'I_m -> R),
  0 < \sum_i \sum_j z i * z j * gram H phi i j.

Definition proved : right := @gram_ge0.

(** No point: 0 is not positive. *)
Theorem refuted : ~ wrong.
Proof.
by move=> /(_ _ _ (line [the realFieldType of rat : Type]) 0%N (fun=> 0) (fun=> 0));
  rewrite big_ord0.
Qed.

End Svm_gram_ge0.
