(** Twin of Checker.alpha_unique_mod: a determinant that is 0. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm Checker.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Checker_alpha_unique_mod.

Definition right : Prop :=
  forall (F : realFieldType) (V : lmodType F) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> F),
  (forall i : 'I_m, y i = 1 \/ y i = -1) ->
  (forall i : 'I_m, 0 < C i) ->
  forall (lam : F) (R : 'I_m -> 'I_m -> F),
  0 < lam ->
  (forall i j : 'I_m, K H phi i j = lam * R i j) ->
  forall (a : 'I_m -> F) (b1 b2 c : F) (d : 'I_m -> int) (N : 'I_m -> 'I_m -> int) (p : nat),
  proved y C lam R a b1 ->
  proved y C lam R a b2 ->
  prime p ->
  (forall i : 'I_m, d i != 0) ->
  (forall i j : 'I_m, (N i j)%:~R = c * (d i)%:~R * (d j)%:~R * R i j) ->
  \det (map_mx (intr : int -> 'F_p) (scaled N d (tight_set y R a b1 b2))) != 0 ->
  forall a' : 'I_m -> F,
  dual_optimal H phi y C a' ->
  a' =1 alpha lam a.

Definition wrong : Prop :=
  forall (F : realFieldType) (V : lmodType F) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> F),
  (forall i : 'I_m, y i = 1 \/ y i = -1) ->
  (forall i : 'I_m, 0 < C i) ->
  forall (lam : F) (R : 'I_m -> 'I_m -> F),
  0 < lam ->
  (forall i j : 'I_m, K H phi i j = lam * R i j) ->
  forall (a : 'I_m -> F) (b1 b2 c : F) (d : 'I_m -> int) (N : 'I_m -> 'I_m -> int) (p : nat),
  proved y C lam R a b1 ->
  proved y C lam R a b2 ->
  prime p ->
  (forall i : 'I_m, d i != 0) ->
  (forall i j : 'I_m, (N i j)%:~R = c * (d i)%:~R * (d j)%:~R * R i j) ->
  \det (map_mx (intr : int -> 'F_p) (scaled N d (tight_set y R a b1 b2))) == 0 ->
  forall a' : 'I_m -> F,
  dual_optimal H phi y C a' ->
  a' =1 alpha lam a.

Definition proved : right := @alpha_unique_mod.
Fail Definition falsified : wrong := @alpha_unique_mod.

End Checker_alpha_unique_mod.
