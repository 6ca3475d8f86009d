(** Twin of Trained.feat_w: without the labels. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Family Expansion Svm StrongDuality Trained.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Trained_feat_w.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S) (m : nat) (x : 'I_m -> X)
    (y a : 'I_m -> R) (k : M),
  w_of (fun i => feat R X S M p (x i)) y a 0 (enum_rank k) = c p x (fun i => a i * y i) k.

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S) (m : nat) (x : 'I_m -> X)
    (y a : 'I_m -> R) (k : M),
  w_of (fun i => feat R X S M p (x i)) y a 0 (enum_rank k) = c p x a k.

Definition proved : right := @Trained.feat_w.
Fail Definition falsified : wrong := @Trained.feat_w.

End Trained_feat_w.
