(* Checker.nonsingular_mod falsified: a determinant that is 0. The proof of the theorem must fail here. *)
Set Warnings "-notation-overridden,-ambiguous-paths".
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From Orca Require Import Svm Checker.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Twin.


Theorem falsified (F : realFieldType) (p k : nat) (M : 'M[int]_k) : prime p ->
  \det (map_mx (intr : int -> 'F_p) M) == 0 -> map_mx (intr : int -> F) M \in unitmx.
Proof.
move=> p1; rewrite unitmxE unitfE !(det_map_mx (intmul1_rmorphism _)) intr_eq0.
by apply: contraNneq => ->; rewrite rmorph0.
Qed.

End Twin.
