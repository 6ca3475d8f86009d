(** Twin of Extracted.gap_file_certified: |w|^2 is at most the lower bound. *)
From Coq Require Import ZArith QArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence Form Svm Expansion Rationals Claims Checker.
From Orca Require Import Files Verdict Extracted.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Extracted_gap_file_certified.

Definition right : Prop :=
  forall (R : rcfType) inverse (f : file), ~~ exact f -> check inverse f = None ->
  let pb := problem_of f in
  forall h0 : 'I_(dimension pb) -> R, (forall l, 0 < h0 l) ->
  enclosed (Q2F R (lambda_lower f)) (Q2F R (lambda_upper f)) (lambda h0) ->
  let H := ffun_inner R (modes pb) in
  let alpha i := scaled_alpha h0 i / lambda h0 in
  let w := w_of (feature pb h0) (label_at pb) alpha in
  let b := bias_of h0 (first_b f) in
  [/\ feasible (label_at pb) (box_at pb) alpha,
      primal H (feature pb h0) (label_at pb) (box_at pb) w b
      - dual H (feature pb h0) (label_at pb) alpha <= Q2F R (claimed_gap f)
    & forall w' x, optimal pb h0 w' x ->
      dot H (w - w') (w - w') <= Q2F R (claimed_error f) ^+ 2 /\
      Q2F R (claimed_lower f) <= dot H w' w' <= Q2F R (claimed_upper f)].

Definition wrong : Prop :=
  forall (R : rcfType) inverse (f : file), ~~ exact f -> check inverse f = None ->
  let pb := problem_of f in
  forall h0 : 'I_(dimension pb) -> R, (forall l, 0 < h0 l) ->
  enclosed (Q2F R (lambda_lower f)) (Q2F R (lambda_upper f)) (lambda h0) ->
  let H := ffun_inner R (modes pb) in
  forall w' x, optimal pb h0 w' x -> dot H w' w' <= Q2F R (claimed_lower f).

Definition proved : right := @gap_file_certified.

(** The points 1 and -1 with their signs as labels, p_0 and p_1 of Legendre: |w|^2 is 1/3. *)
Definition two (level : bool) (u gap error lower upper : Q) (claim : option bool) : file := {|
  exact := level; measures := [:: Jacobi q0 q0]; degrees := [:: 1%N]; order_of := 1%N;
  rows := [:: [:: q1]; [:: Qmake (-1) 1]]; rescale := false; labels := [:: 1; -1]%coq_Z;
  boxes := [:: q1; q1]; lambda_lower := q1; lambda_upper := q1;
  u_of := [:: u; u]; v_of := [:: q0; q0]; b_of := [:: (q0, q0)];
  free_points := [:: 1; 2]%N; bound_points := [::];
  claimed_gap := gap; claimed_error := error; claimed_lower := lower; claimed_upper := upper;
  claimed_alpha_unique := None; claimed_b_unique := claim; claimed_hard_margin := claim |}.
Definition optimum : file := two true (Qmake 1 6) q0 q0 (Qmake 1 4) (Qmake 1 2) (Some true).
(** P - D is 7/16. *)
Definition near : file := two false (Qmake 1 8) (Qmake 1 2) q1 q0 (Qmake 4 1) None.

Lemma solved : check id optimum = None.
Proof. by vm_compute. Qed.
Lemma checked : check id near = None.
Proof. by vm_compute. Qed.

Theorem refuted (R : rcfType) : ~ wrong.
Proof.
pose h0 (l : 'I_(dimension (problem_of optimum))) : R := 1.
have pos l : 0 < h0 l by exact: ltr01.
have one : enclosed (Q2F R q1) (Q2F R q1) (lambda h0).
  by rewrite /enclosed /lambda big1 => [|l _]; rewrite ?invr1 // Q2F1 eqxx.
have [[opt _ _ _ _] [/andP[large _] _ _ _ _]] :=
  @exact_file_certified R id optimum isT solved h0 pos one.
move=> /(_ R id near isT checked h0 pos one _ _ opt) small.
by have := le_trans large small; rewrite -Q2F_le.
Qed.

End Extracted_gap_file_certified.
