(* Checker.whole_b falsified: floor and ceiling exchanged. The proof of the theorem must fail here. *)
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
Local Notation tau_ := (Checker.tau_ C lam).
Local Notation w := (Checker.w phi y lam a).
Local Notation gm := (Checker.gm y R a).
Local Notation free := (Checker.free C lam a).
Local Notation bound := (Checker.bound C lam a).
Local Notation proved := (Checker.proved y C lam R a).
Local Notation tau_gt0 := (Checker.tau_gt0 C_gt0 lam_gt0).
Local Notation stationarity := (Checker.stationarity y lam_gt0 gram_ratio a).
Local Notation alpha_lt := (Checker.alpha_lt C lam_gt0 a).
Local Notation alpha_gt0 := (Checker.alpha_gt0 lam_gt0 a).
Local Notation exact_kkt := (Checker.exact_kkt lam_gt0 gram_ratio).
Local Notation level_exact := (Checker.level_exact C_gt0 lam_gt0 gram_ratio).
Local Notation ends_suffice := (Checker.ends_suffice y_sign).
Local Notation floor := (Checker.floor y C lam R a).
Local Notation ceiling := (Checker.ceiling y C lam R a).
Local Notation primal_optimal := (primal_optimal H phi y C).

Theorem falsified b1 b2 b : proved b1 -> proved b2 -> ceiling b1 -> floor b2 ->
  (forall i, ~~ free i) -> primal_optimal w b <-> b1 <= b <= b2.
Proof.
move=> pr1 pr2 [i [ti fi]] [j [tj cj]] nofree; have k1 := exact_kkt pr1.
have opp1 : (0 < -1 :> F) = false by rewrite oppr_gt0 ltr10.
have m11 : (-1 == 1 :> F) = false by rewrite lt_eqF // (lt_trans (ltrN10 F)) ?ltr01.
have tight (l : 'I_m) c : gm c l = 1 -> c = y l - << w, phi l >>.
  rewrite stationarity /gm; have [->|->] := y_sign l; rewrite ?mul1r ?mulN1r => e.
    by rewrite -e addrC addKr.
  by rewrite -e opprK addrC addKr.
have ifb (l : 'I_m) : bound l -> 0 < a l by move/eqP->; apply: tau_gt0.
have ifn (l : 'I_m) : ~~ bound l -> a l < tau_ l.
  by case: pr1 => [[box _] _ _] nb; rewrite lt_neqAle nb; case/andP: (box l).
split=> [/(b_interval y_sign b k1)[fl ce]|].
  rewrite (tight _ _ ti) (tight _ _ tj) fl ?ce // /ceil_point /floor_point alpha_lt alpha_gt0.
    move: cj; have [->|->] := y_sign j; rewrite ?ltr01 ?opp1 ?eqxx ?m11 /=.
      by move/esym/ifb ->.
    by move/esym/negbT/ifn ->.
  move: fi; have [->|->] := y_sign i; rewrite ?ltr01 ?opp1 ?eqxx ?m11 /=.
    by rewrite eq_sym eqb_id => /ifn ->.
  by rewrite eq_sym eqbF_neg negbK => /ifb ->.
by move=> bb; have [] := level_exact (ends_suffice pr1 pr2 bb).
Qed.

End Twin.
