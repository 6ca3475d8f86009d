(** Twin of Expansion.h_matrix_form: a sign. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Family Expansion.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Expansion_h_matrix_form.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType)
    (p : M -> S) (m : nat) (x : 'I_m -> X) (s : 'I_m -> R),
  \col_(k < #|M|) c p x s (enum_val k) = (\matrix_(i < m, k < #|M|) ev (x i) (p (enum_val k)))^T *m \col_i s i.

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType)
    (p : M -> S) (m : nat) (x : 'I_m -> X) (s : 'I_m -> R),
  \col_(k < #|M|) c p x s (enum_val k) = (\matrix_(i < m, k < #|M|) ev (x i) (p (enum_val k)))^T *m \col_i - s i.

Definition proved : right := @h_matrix_form.
Fail Definition falsified : wrong := @h_matrix_form.

End Expansion_h_matrix_form.
