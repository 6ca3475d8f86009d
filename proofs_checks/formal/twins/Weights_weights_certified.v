(** Twin of Weights.weights_certified: lambda above its upper bound. *)
From Coq Require Import ZArith QArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence Jacobi Form Svm Expansion Rationals Claims Weights.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Weights_weights_certified.

Definition right : Prop :=
  forall (R : rcfType) (pb : problem) (weights : seq (nat * nat)) (lower upper : Q),
  check_weights pb weights lower upper = true ->
  [/\ forall l, 0 < masses R pb weights l,
      Q2F R lower <= lambda (masses R pb weights) <= Q2F R upper
    & orthonormal_columns R pb weights].

Definition wrong : Prop :=
  forall (R : rcfType) (pb : problem) (weights : seq (nat * nat)) (lower upper : Q),
  check_weights pb weights lower upper = true ->
  [/\ forall l, 0 < masses R pb weights l,
      Q2F R upper < lambda (masses R pb weights)
    & orthonormal_columns R pb weights].

Definition proved : right := @weights_certified.

(** One column of Legendre with n = 1 and one with alpha = 1, beta = 0. *)
Definition two : problem :=
  Problem [:: [:: (q0, Qmake 1 3)]; [:: (Qmake (-1) 3, Qmake 2 9)]] 2 [::].

Lemma checked : check_weights two [:: (0, 0); (1, 0)]%N (Qmake 1 4) (Qmake 1 4) = true.
Proof. by vm_compute. Qed.
(** The check rejects other weights and another lambda. *)
Lemma other_weights : check_weights two [:: (0, 0); (0, 0)]%N (Qmake 1 4) (Qmake 1 4) = false.
Proof. by vm_compute. Qed.
Lemma other_lambda : check_weights two [:: (0, 0); (1, 0)]%N (Qmake 1 5) (Qmake 6 25) = false.
Proof. by vm_compute. Qed.

Theorem refuted (R : rcfType) : ~ wrong.
Proof.
move=> /(_ R _ _ _ _ checked)[_ above _].
by have [_ /andP[_ below] _] := weights_certified R checked; rewrite ltNge below in above.
Qed.

End Weights_weights_certified.
