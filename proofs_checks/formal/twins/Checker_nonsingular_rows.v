(* Checker.nonsingular_rows falsified: turned round. The proof of the theorem must fail here. *)
Set Warnings "-notation-overridden,-ambiguous-paths".
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From Orca Require Import Svm Checker.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Twin.


Theorem falsified (F : fieldType) k (s : {perm 'I_k}) (A : 'M[F]_k) :
  (row_perm s A \in unitmx) = (A \notin unitmx).
Proof. by rewrite row_permE unitmx_mul unitmx_perm. Qed.

End Twin.
