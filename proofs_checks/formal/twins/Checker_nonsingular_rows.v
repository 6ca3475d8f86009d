(** Twin of Checker.nonsingular_rows: turned round. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import perm.
From Orca Require Import Svm Checker.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Checker_nonsingular_rows.

Definition right : Prop :=
  forall (F : fieldType) (k : nat) (s : {perm 'I_k}) (A : 'M[F]_k),
  (row_perm s A \in unitmx) = (A \in unitmx).

Definition wrong : Prop :=
  forall (F : fieldType) (k : nat) (s : {perm 'I_k}) (A : 'M[F]_k),
  (row_perm s A \in unitmx) = (A \notin unitmx).

Definition proved : right := @nonsingular_rows.
Fail Definition falsified : wrong := @nonsingular_rows.

(** The unit matrix. *)
Theorem refuted : ~ wrong.
Proof.
by move=> /(_ [realFieldType of rat] 1%N (perm_one _) 1%:M); rewrite nonsingular_rows unitmx1.
Qed.

End Checker_nonsingular_rows.
