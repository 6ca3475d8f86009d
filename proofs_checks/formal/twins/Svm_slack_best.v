(* Svm.slack_best falsified: the sign of C_i. The proof of the theorem must fail here. *)
Set Warnings "-notation-overridden,-ambiguous-paths".
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From Orca Require Import Svm.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Twin.

Variables (R : realFieldType) (V : lmodType R) (H : inner_product V).
Variables (m : nat) (phi : 'I_m -> V) (y : 'I_m -> R).
Local Notation "<< u , v >>" := (dot H u v) (format "<< u ,  v >>").
Implicit Types (C a xi : 'I_m -> R) (w : V) (b : R).
Hypothesis y_sign : forall i, y i = 1 \/ y i = -1.
Local Notation P := (Svm.P H phi y).
Local Notation admissible := (Svm.admissible H phi y).

Theorem falsified C w b xi : (forall i, C i <= 0) -> admissible w b xi ->
  P C w b <= << w, w >> / 2%:R + \sum_i C i * xi i.
Proof.
move=> C0 ok; rewrite ler_add2l; apply: ler_sum => i _; apply: ler_wpmul2l => //.
have [x0 x1] := ok i; rewrite le_maxl x0 /=.
by rewrite ler_subl_addr addrC -ler_subl_addr.
Qed.

End Twin.
