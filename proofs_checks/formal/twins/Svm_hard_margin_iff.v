(* Svm.hard_margin_iff falsified: C' may be C. The proof of the theorem must fail here. *)
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
Local Notation margin := (Svm.margin H phi y).
Local Notation slack := (Svm.slack H phi y).
Local Notation P := (Svm.P H phi y).
Local Notation primal_optimal := (Svm.primal_optimal H phi y).
Local Notation slack_ge0 := (Svm.slack_ge0 H phi y).
Local Notation slack_eq0 := (Svm.slack_eq0 H phi y).
Local Notation P_le := (Svm.P_le H phi y).

Theorem falsified C C' w b : (forall i, 0 < C i <= C' i) -> primal_optimal C w b ->
  (forall i, 1 <= margin w b i) <-> exists w' b', P C' w' b' <= P C w b.
Proof.
move=> CC opt; have C0 i : 0 < C i by case/andP: (CC i).
split=> [hard|[w' [b' le]]].
  by exists w, b; rewrite (hard_margin_raise _ opt hard).2 // => i; case/andP: (CC i) => _ /ltW.
have le' : P C w' b' <= P C' w' b' by apply: P_le => i; case/andP: (CC i) => _ /ltW.
have opt' : primal_optimal C w' b' by move=> u c; apply: le_trans (le_trans le' le) (opt u c).
apply: (hard_margin_invariant C0 opt' opt) => i.
have /eqP : P C' w' b' - P C w' b' = 0.
  by apply/eqP; rewrite subr_eq0 eq_le le' andbT; apply: le_trans le (opt w' b').
have -> : P C' w' b' - P C w' b' = \sum_j (C' j - C j) * slack w' b' j.
  by rewrite /P opprD addrACA subrr add0r -sumrB; apply: eq_bigr => j _; rewrite mulrBl.
rewrite psumr_eq0 => [/allP z|j _]; last first.
  by rewrite mulr_ge0 ?slack_ge0 // subr_ge0; case/andP: (CC j) => _ /ltW.
have := z i (mem_index_enum i); rewrite /= mulf_eq0 subr_eq0 gt_eqF ?slack_eq0 //.
by case/andP: (CC i).
Qed.

End Twin.
