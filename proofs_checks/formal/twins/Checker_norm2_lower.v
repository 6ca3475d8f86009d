(* Checker.norm2_lower falsified: squares added, not roots. The proof of the theorem must fail here. *)
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

Variables (F : realFieldType) (V : lmodType F) (H : inner_product V).
Variables (m : nat) (phi : 'I_m -> V) (y : 'I_m -> F) (C : 'I_m -> F).
Hypothesis y_sign : forall i, y i = 1 \/ y i = -1.
Hypothesis C_gt0 : forall i, 0 < C i.
Variables (lam : F) (R : 'I_m -> 'I_m -> F).
Hypothesis lam_gt0 : 0 < lam.
Hypothesis gram_ratio : forall i j, K H phi i j = lam * R i j.
Variable a : 'I_m -> F.
Local Notation "<< u , v >>" := (dot H u v) (format "<< u ,  v >>").
Local Notation w := (Checker.w phi y lam a).

Theorem falsified ws low least err : least <= << w, w >> -> << w - ws, w - ws >> <= err ^+ 2 ->
  (low <= 0) || (low + err ^+ 2 <= least) -> low <= << ws, ws >>.
Proof.
move=> le d /orP[l0|ap]; first exact: le_trans l0 (dot_ge0 H ws).
rewrite leNgt; apply/negP => lt.
(* With small = |w*|^2 < low the same root distance is strict. *)
have ap' : apart (<< ws, ws >>) (least - (low - << ws, ws >>)) err.
  have e : least - (low - << ws, ws >>) - << ws, ws >> - err ^+ 2 = least - low - err ^+ 2 by ring.
  case/andP: ap => r0 r2; rewrite /apart e r0; apply: le_trans r2.
  by apply: ler_wpmul2l (ltW lt); rewrite mulr_ge0 ?ler0n ?sqr_ge0.
have := le_trans le (apart_le (lexx _) d ap').
by rewrite leNgt ltr_subl_addr ltr_addl subr_gt0 lt.
Qed.

End Twin.
