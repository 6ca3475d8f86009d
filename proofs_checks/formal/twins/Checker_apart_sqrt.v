(* Checker.apart_sqrt falsified: the sign of the distance. The proof of the theorem must fail here. *)
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


Theorem falsified (F : rcfType) (small large err : F) : 0 <= small -> 0 <= large -> 0 <= err ->
  apart small large err <-> Num.sqrt small - err <= Num.sqrt large.
Proof.
move=> s0 l0 e0; set s := Num.sqrt small; set l := Num.sqrt large.
have sp : 0 <= s by apply: sqrtr_ge0.
have lp : 0 <= l by apply: sqrtr_ge0.
have sE : small = s ^+ 2 by rewrite sqr_sqrtr.
have lE : large = l ^+ 2 by rewrite sqr_sqrtr.
have -> : (s + err <= l) = ((s + err) ^+ 2 <= l ^+ 2) by rewrite ler_sqr ?nnegrE ?addr_ge0.
rewrite /apart sE lE; have -> : 4%:R * err ^+ 2 * s ^+ 2 = (2%:R * s * err) ^+ 2 by ring.
have -> : ((s + err) ^+ 2 <= l ^+ 2) = (2%:R * s * err <= l ^+ 2 - s ^+ 2 - err ^+ 2).
  by rewrite -subr_ge0 -[RHS]subr_ge0; congr (0 <= _); ring.
have x0 : 0 <= 2%:R * s * err by rewrite !mulr_ge0 // ler0n.
split=> [/andP[r0]|le]; first by rewrite ler_sqr ?nnegrE.
by rewrite (le_trans x0 le) ler_sqr ?nnegrE ?(le_trans x0 le).
Qed.

End Twin.
