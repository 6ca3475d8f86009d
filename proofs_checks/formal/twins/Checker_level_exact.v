(** Twin of Checker.level_exact: b is not unique. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Compat Form Svm Checker.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Checker_level_exact.

Definition right : Prop :=
  forall (F : realFieldType) (V : lmodType F) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> F),
  (forall i : 'I_m, 0 < C i) ->
  forall (lam : F) (R : 'I_m -> 'I_m -> F),
  0 < lam ->
  (forall i j : 'I_m, gram H phi i j = lam * R i j) ->
  forall (a : 'I_m -> F) (b : F),
  proved y C lam R a b ->
  [/\ primal_optimal H phi y C (w phi y lam a) b, dual_optimal H phi y C (alpha lam a),
    primal H phi y C (w phi y lam a) b = dual H phi y (alpha lam a) & forall (w' : V) (b' : F),
    primal_optimal H phi y C w' b' -> w' = w phi y lam a].

Definition wrong : Prop :=
  forall (F : realFieldType) (V : lmodType F) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> F),
  (forall i : 'I_m, 0 < C i) ->
  forall (lam : F) (R : 'I_m -> 'I_m -> F),
  0 < lam ->
  (forall i j : 'I_m, gram H phi i j = lam * R i j) ->
  forall (a : 'I_m -> F) (b : F),
  proved y C lam R a b ->
  [/\ primal_optimal H phi y C (w phi y lam a) b, dual_optimal H phi y C (alpha lam a),
    primal H phi y C (w phi y lam a) b = dual H phi y (alpha lam a) & forall (w' : V) (b' : F),
    primal_optimal H phi y C w' b' -> w' = w phi y lam a /\ b' = b].

Definition proved : right := @level_exact.

(** Two points at 0 with both labels and alpha = C = 1/2: every b in [-1, 1] is optimal. *)
Lemma conditions (F : realFieldType) (b : F) : -1 <= b <= 1 ->
  Checker.proved (@sign2 F) (@half F) 1 (fun _ _ => 0) (@half F) b.
Proof.
case/andP=> lo hi; split=> [|i|i].
- split=> [i|]; first by rewrite /tau_ mul1r lexx andbT invr_ge0 ler0n.
  by rewrite !big_ord_recl big_ord0 /half /sign2 /= /bump /= expr0 expr1 mul1r mulN1r addr0 subrr.
- by rewrite /bound /tau_ mul1r eqxx.
rewrite /free /tau_ mul1r ltxx andbF; split=> // _.
rewrite /gm /score big1 => [|j _]; last by rewrite mul0r.
by rewrite add0r /sign2 -signr_odd; case: (odd i);
  rewrite ?expr0 ?expr1 ?mul1r ?mulN1r // lerNl.
Qed.

Theorem refuted : ~ wrong.
Proof.
pose F := [the realFieldType of rat : Type]; pose at0 (i : 'I_2) : F^o := 0.
have C0 i : 0 < half F i by rewrite invr_gt0 ltr0n.
have K0 i j : gram (line F) at0 i j = 1 * 0 by rewrite /gram dot0l mulr0.
have p0 := @conditions F 0 (introT andP (conj (lerN10 F) ler01)).
have p1 := @conditions F 1 (introT andP (conj (le_trans (lerN10 F) ler01) (lexx (1 : F)))).
have [opt1 _ _ _] := level_exact C0 ltr01 K0 p1.
move=> /(_ _ _ _ _ _ _ _ C0 _ _ ltr01 K0 _ _ p0)[_ _ _ /(_ _ _ opt1)[_ /eqP]].
by rewrite oner_eq0.
Qed.

End Checker_level_exact.
