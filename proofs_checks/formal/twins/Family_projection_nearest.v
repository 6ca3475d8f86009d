(** Twin of Family.projection_nearest: the inequality turned. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Recurrence Family.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Family_projection_nearest.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S),
  orthonormal p ->
  forall f g : S,
  (forall e : S, 0 <= '[e, e]) ->
  in_span p g -> '[f - projection p f, f - projection p f] <= '[f - g, f - g].

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S),
  orthonormal p ->
  forall f g : S,
  (forall e : S, 0 <= '[e, e]) ->
  in_span p g -> '[f - projection p f, f - projection p f] >= '[f - g, f - g].

Definition proved : right := @projection_nearest.
Fail Definition falsified : wrong := @projection_nearest.

End Family_projection_nearest.
