(* Checker.nonsingular_step falsified: the sign of the elimination. The proof of the theorem must fail here. *)
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


Theorem falsified (F : fieldType) k (A : 'M[F]_k) (c : 'cV[F]_k) (r : 'rV[F]_k) (d : F) : d != 0 ->
  (A + c *m (d^-1 *: r) \in unitmx) -> block_mx A c r d%:M \in unitmx.
Proof.
move=> d0 S0.
have -> : block_mx A c r d%:M = block_mx 1%:M (d^-1 *: c) 0 1%:M *m block_mx (A - c *m (d^-1 *: r)) 0 r d%:M.
  rewrite mulmx_block !mul1mx !mul0mx !add0r; congr block_mx.
    by rewrite -scalemxAl -scalemxAr subrK.
  by rewrite mul_mx_scalar scalerA mulfV // scale1r.
rewrite unitmx_mul !unitmxE det_ublock det_lblock !det1 mulr1 unitr1 /= unitrM.
by move: S0; rewrite unitmxE => ->; rewrite det_scalar1 unitfE.
Qed.

End Twin.
