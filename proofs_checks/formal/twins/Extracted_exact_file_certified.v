(** Twin of Extracted.exact_file_certified: the classifier is constant. *)
From Coq Require Import ZArith QArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence Form Svm Expansion Rationals Claims Checker.
From Orca Require Import Files Verdict Extracted.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Extracted_exact_file_certified.

Definition right : Prop :=
  forall (R : rcfType) inverse (f : file), exact f -> check inverse f = None ->
  let pb := problem_of f in
  forall h0 : 'I_(dimension pb) -> R, (forall l, 0 < h0 l) ->
  enclosed (Q2F R (lambda_lower f)) (Q2F R (lambda_upper f)) (lambda h0) ->
  let H := ffun_inner R (modes pb) in
  let alpha i := scaled_alpha h0 i / lambda h0 in
  let w := w_of (feature pb h0) (label_at pb) alpha in
  let b := bias_of h0 (first_b f) in
  let b' := bias_of h0 (last_b f) in
  [/\ optimal pb h0 w b, optimal_dual pb h0 alpha, no_gap pb h0 w b alpha,
      forall w' x, optimal pb h0 w' x -> w' = w
    & forall x, optimal pb h0 w x <-> b <= x <= b'] /\
  [/\ Q2F R (claimed_lower f) <= dot H w w <= Q2F R (claimed_upper f),
      forall i : 'I_(points pb), (i.+1 \in free_points f) = (0 < alpha i < box_at pb i) /\
        (i.+1 \in bound_points f) = (alpha i == box_at pb i),
      claimed_hard_margin f =
        Some [forall i, 1 <= margin H (feature pb h0) (label_at pb) w b i],
      forall t, claimed_b_unique f = Some t -> t = (b == b')
    & claimed_alpha_unique f <> None ->
      forall alpha', optimal_dual pb h0 alpha' -> alpha' =1 alpha].

Definition wrong : Prop :=
  forall (R : rcfType) inverse (f : file), exact f -> check inverse f = None ->
  let pb := problem_of f in
  forall h0 : 'I_(dimension pb) -> R, (forall l, 0 < h0 l) ->
  enclosed (Q2F R (lambda_lower f)) (Q2F R (lambda_upper f)) (lambda h0) ->
  forall w' x, optimal pb h0 w' x -> w' = 0.

Definition proved : right := @exact_file_certified.

(** The points 1 and -1 with their signs as labels, p_0 and p_1 of Legendre: |w|^2 is 1/3. *)
Definition two : file := {|
  exact := true; measures := [:: Jacobi q0 q0]; degrees := [:: 1%N]; order_of := 1%N;
  rows := [:: [:: q1]; [:: Qmake (-1) 1]]; rescale := false; labels := [:: 1; -1]%coq_Z;
  boxes := [:: q1; q1]; lambda_lower := q1; lambda_upper := q1;
  u_of := [:: Qmake 1 6; Qmake 1 6]; v_of := [:: q0; q0]; b_of := [:: (q0, q0)];
  free_points := [:: 1; 2]%N; bound_points := [::];
  claimed_gap := q0; claimed_error := q0;
  claimed_lower := Qmake 1 4; claimed_upper := Qmake 1 2;
  claimed_alpha_unique := None; claimed_b_unique := Some true; claimed_hard_margin := Some true |}.

Lemma checked : check id two = None.
Proof. by vm_compute. Qed.

Theorem refuted (R : rcfType) : ~ wrong.
Proof.
pose h0 (l : 'I_(dimension (problem_of two))) : R := 1.
have pos l : 0 < h0 l by exact: ltr01.
have one : enclosed (Q2F R (lambda_lower two)) (Q2F R (lambda_upper two)) (lambda h0).
  by rewrite /enclosed /lambda big1 => [|l _]; rewrite ?invr1 // Q2F1 eqxx.
have [[opt _ _ _ _] [/andP[large _] _ _ _ _]] :=
  @exact_file_certified R id two isT checked h0 pos one.
move=> /(_ R id two isT checked h0 pos one _ _ opt) w0; move: large; rewrite w0 dot0l.
by rewrite -(Q2F0 R) -Q2F_le.
Qed.

End Extracted_exact_file_certified.
