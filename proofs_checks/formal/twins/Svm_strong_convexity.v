(* Svm.strong_convexity falsified: the factor 1/2 forgotten. The proof of the theorem must fail here. *)
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
Local Notation primal_optimal := (Svm.primal_optimal H phi y).
Local Notation P_convex := (Svm.P_convex H phi y).
Let two_neq0 : 2%:R != 0 :> R. Proof. by rewrite pnatr_eq0. Qed.

Theorem falsified C ws bs w b : (forall i, 0 <= C i) -> primal_optimal C ws bs ->
  << w - ws, w - ws >> <= P C w b - P C ws bs.
Proof.
move=> C0 opt; set q := _ / 2%:R; set d := _ - _.
have d0 : 0 <= d by rewrite subr_ge0.
have step t : 0 < t <= 1 -> (1 - t) * q <= d.
  case/andP=> t0 t1; have := P_convex ws bs w b C0 (introT andP (conj (ltW t0) t1)).
  move/(le_trans (opt _ _)); rewrite -subr_ge0.
  have -> : (1 - t) * P C ws bs + t * P C w b - t * (1 - t) * q - P C ws bs = t * (d - (1 - t) * q).
    by rewrite /d; ring.
  by rewrite pmulr_rge0 // subr_ge0.
rewrite leNgt; apply/negP => dq; have q0 : 0 < q by apply: le_lt_trans d0 dq.
pose t := (q - d) / (2%:R * q).
have pos : 0 < 2%:R * q by rewrite mulr_gt0 // ltr0n.
have t01 : 0 < t <= 1.
  rewrite divr_gt0 ?subr_gt0 //= ler_pdivr_mulr // mul1r ler_subl_addr.
  by rewrite mulr_natl mulr2n -addrA ler_addl addr_ge0 // ltW.
have := step t t01; rewrite /t.
have -> : (1 - (q - d) / (2%:R * q)) * q = d + (q - d) / 2%:R by field; rewrite ?(gt_eqF q0) ?two_neq0.
by rewrite ger_addl leNgt divr_gt0 ?subr_gt0 ?ltr0n.
Qed.

End Twin.
