(** Twin of Svm.kkt_optimal: feasible only, not KKT. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Svm_kkt_optimal.

Definition right : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C a : 'I_m -> R) (b : R),
  kkt H phi y C a b ->
  [/\ P H phi y C (w_of phi y a) b = D H phi y a, primal_optimal H phi y C (w_of phi y a) b &
    dual_optimal H phi y C a].

Definition wrong : Prop :=
  forall (R : realFieldType) (V : lmodType R) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C a : 'I_m -> R) (b : R),
  feasible y C a ->
  [/\ P H phi y C (w_of phi y a) b = D H phi y a, primal_optimal H phi y C (w_of phi y a) b &
    dual_optimal H phi y C a].

Definition proved : right := @kkt_optimal.
Fail Definition falsified : wrong := @kkt_optimal.

End Svm_kkt_optimal.
