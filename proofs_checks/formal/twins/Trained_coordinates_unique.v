(** Twin of Trained.coordinates_unique: alpha is unique. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Family Expansion Svm StrongDuality Trained.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Trained_coordinates_unique.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S) (m : nat) (x : 'I_m -> X)
    (y C a a' : 'I_m -> R) (w : 'rV[R]_#|M|) (b : R),
  (forall i : 'I_m, 0 <= C i) ->
  primal_optimal (euclid R #|M|) (fun i => feat R X S M p (x i)) y C w b ->
  dual_optimal (euclid R #|M|) (fun i => feat R X S M p (x i)) y C a ->
  dual_optimal (euclid R #|M|) (fun i => feat R X S M p (x i)) y C a' ->
  c p x (fun i => a i * y i) =1 c p x (fun i => a' i * y i).

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S) (m : nat) (x : 'I_m -> X)
    (y C a a' : 'I_m -> R) (w : 'rV[R]_#|M|) (b : R),
  (forall i : 'I_m, 0 <= C i) ->
  primal_optimal (euclid R #|M|) (fun i => feat R X S M p (x i)) y C w b ->
  dual_optimal (euclid R #|M|) (fun i => feat R X S M p (x i)) y C a ->
  dual_optimal (euclid R #|M|) (fun i => feat R X S M p (x i)) y C a' ->
  a =1 a'.

Definition proved : right := @Trained.coordinates_unique.
Fail Definition falsified : wrong := @Trained.coordinates_unique.

End Trained_coordinates_unique.
