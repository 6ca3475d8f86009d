(** Twin of Trained.feat_kernel: on the diagonal everywhere. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Family Expansion Svm StrongDuality Trained.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Trained_feat_kernel.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S) (u v : X),
  dot (euclid R #|M|) (feat R X S M p u) (feat R X S M p v) = Family.K p u v.

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S) (u v : X),
  dot (euclid R #|M|) (feat R X S M p u) (feat R X S M p v) = Family.K p u u.

Definition proved : right := @Trained.feat_kernel.
Fail Definition falsified : wrong := @Trained.feat_kernel.

End Trained_feat_kernel.
