(* Svm.zero_gap_kkt falsified: a factor 2. The proof of the theorem must fail here. *)
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
Local Notation w_of := (Svm.w_of phi y).
Local Notation D := (Svm.D H phi y).
Local Notation feasible := (Svm.feasible y).
Local Notation kkt := (Svm.kkt H phi y).
Local Notation slack_ge0 := (Svm.slack_ge0 H phi y).
Local Notation slack_eq0 := (Svm.slack_eq0 H phi y).
Local Notation gap_identity := (Svm.gap_identity H phi).
Local Notation gap_terms := (Svm.gap_terms H phi y).
Let two_neq0 : 2%:R != 0 :> R. Proof. by rewrite pnatr_eq0. Qed.
Let half_ge0 (x : R) : (0 <= x / 2%:R) = (0 <= x). Proof. by rewrite pmulr_lge0 // invr_gt0 ltr0n. Qed.

Theorem falsified C a w b : feasible C a -> P C w b = 2%:R * D a <-> w = w_of a /\ kkt C a b.
Proof.
move=> ok; have [box bal] := ok.
have pos1 i : 0 <= a i * (margin w b i - 1 + slack w b i) := (gap_terms w b (box i)).1.
have pos2 i : 0 <= (C i - a i) * slack w b i := (gap_terms w b (box i)).2.
split=> [/eqP|[ww [_ cond]]]; last first.
  apply/eqP; rewrite -subr_eq0 gap_identity // ww subrr dot0l mul0r add0r addr_eq0.
  rewrite !big1 ?oppr0 // => i _.
    have [lo _] := cond i; have [/lo h|h] := ltP (a i) (C i).
      by have /eqP -> : slack (w_of a) b i == 0; rewrite ?mulr0 // slack_eq0.
    have /eqP -> : C i - a i == 0 by rewrite subr_eq0 eq_le h; case/andP: (box i).
    by rewrite mul0r.
  have [_ hi] := cond i; have [/hi h|h] := ltP 0 (a i); last first.
    by have -> : a i = 0 by [apply/eqP; rewrite eq_le h; case/andP: (box i)]; rewrite mul0r.
  have -> : slack (w_of a) b i = 1 - margin (w_of a) b i by apply/max_r; rewrite subr_ge0.
  by have -> : margin (w_of a) b i - 1 + (1 - margin (w_of a) b i) = 0 by [ring]; rewrite mulr0.
rewrite -subr_eq0 gap_identity // paddr_eq0 ?addr_ge0 ?sumr_ge0 ?half_ge0 ?dot_ge0 //.
rewrite paddr_eq0 ?sumr_ge0 ?half_ge0 ?dot_ge0 // -andbA => /and3P[].
rewrite mulf_eq0 invr_eq0 (negbTE two_neq0) orbF => /eqP/dot_eq0/eqP; rewrite subr_eq0 => /eqP ww.
rewrite !psumr_eq0 // => /allP z1 /allP z2; split=> //; split=> // i; rewrite -ww.
have := z1 i (mem_index_enum i); have := z2 i (mem_index_enum i); rewrite /= !mulf_eq0 => h2 h1.
split=> h.
  move: h2; rewrite subr_eq0 eq_sym (lt_eqF h) /= => s0.
  by rewrite -slack_eq0.
move: h1; rewrite (gt_eqF h) /= addrAC subr_eq0 => /eqP s0.
by rewrite -s0 ler_addl slack_ge0.
Qed.

End Twin.
