(** Twin of StrongDuality.dual_kkt: feasible is enough. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm StrongDuality.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module StrongDuality_dual_kkt.

Definition right : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> R),
  (forall i : 'I_m, y i = 1 \/ y i = -1) ->
  forall a : 'I_m -> R, dual_optimal H phi y C a -> exists b : R, kkt H phi y C a b.

Definition wrong : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> R),
  (forall i : 'I_m, y i = 1 \/ y i = -1) ->
  forall a : 'I_m -> R, feasible y C a -> exists b : R, kkt H phi y C a b.

Definition proved : right := @StrongDuality.dual_kkt.
Fail Definition falsified : wrong := @StrongDuality.dual_kkt.

End StrongDuality_dual_kkt.
