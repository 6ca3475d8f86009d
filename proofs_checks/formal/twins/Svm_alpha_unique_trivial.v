(** Twin of Svm.alpha_unique_trivial: the tight points turned round. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Svm_alpha_unique_trivial.

Definition right : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y : 'I_m -> R),
  (forall i : 'I_m, y i = 1 \/ y i = -1) ->
  forall (C a : 'I_m -> R) (b0 : R) (T : {set 'I_m}),
  kkt H phi y C a b0 ->
  (forall i : 'I_m, i \notin T -> exists2 b : R, primal_optimal H phi y C (w_of phi y a) b &
    margin H phi y (w_of phi y a) b i != 1) ->
  bordered_trivial H phi T ->
  forall a' : 'I_m -> R,
  dual_optimal H phi y C a' ->
  a' =1 a.

Definition wrong : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y : 'I_m -> R),
  (forall i : 'I_m, y i = 1 \/ y i = -1) ->
  forall (C a : 'I_m -> R) (b0 : R) (T : {set 'I_m}),
  kkt H phi y C a b0 ->
  (forall i : 'I_m, i \notin T -> exists2 b : R, primal_optimal H phi y C (w_of phi y a) b &
    margin H phi y (w_of phi y a) b i == 1) ->
  bordered_trivial H phi T ->
  forall a' : 'I_m -> R,
  dual_optimal H phi y C a' ->
  a' =1 a.

Definition proved : right := @alpha_unique_trivial.
Fail Definition falsified : wrong := @alpha_unique_trivial.

End Svm_alpha_unique_trivial.
