(** Twin of Checker.norm2_affine: the factor 2 forgotten. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm Checker.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Checker_norm2_affine.

Definition right : Prop :=
  forall (F : realFieldType) (V : lmodType F) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y : 'I_m -> F) (lam : F) (R : 'I_m -> 'I_m -> F),
  0 < lam ->
  (forall i j : 'I_m, K H phi i j = lam * R i j) ->
  forall (a u v : 'I_m -> F) (tau : F),
  (forall i : 'I_m, a i = u i + tau * v i) ->
  let p := fun i : 'I_m => \sum_j R i j * (y j * u j) in
  let q := fun i : 'I_m => \sum_j R i j * (y j * v j) in
  lam * dot H (w phi y lam a) (w phi y lam a) =
    \sum_i y i * u i * p i + 2 * (\sum_i y i * u i * q i) * tau + (\sum_i y i * v i * q i) * tau ^+ 2.

Definition wrong : Prop :=
  forall (F : realFieldType) (V : lmodType F) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y : 'I_m -> F) (lam : F) (R : 'I_m -> 'I_m -> F),
  0 < lam ->
  (forall i j : 'I_m, K H phi i j = lam * R i j) ->
  forall (a u v : 'I_m -> F) (tau : F),
  (forall i : 'I_m, a i = u i + tau * v i) ->
  let p := fun i : 'I_m => \sum_j R i j * (y j * u j) in
  let q := fun i : 'I_m => \sum_j R i j * (y j * v j) in
  lam * dot H (w phi y lam a) (w phi y lam a) =
    \sum_i y i * u i * p i + (\sum_i y i * u i * q i) * tau + (\sum_i y i * v i * q i) * tau ^+ 2.

Definition proved : right := @norm2_affine.
Fail Definition falsified : wrong := @norm2_affine.

End Checker_norm2_affine.
