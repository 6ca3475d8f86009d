(** Twin of Checker.norm2_lower: squares added, not roots. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm Checker.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Checker_norm2_lower.

Definition right : Prop :=
  forall (F : realFieldType) (V : lmodType F) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y : 'I_m -> F) (lam : F) (a : 'I_m -> F) (ws : V) (low least err : F),
  least <= dot H (w phi y lam a) (w phi y lam a) ->
  dot H (w phi y lam a - ws) (w phi y lam a - ws) <= err ^+ 2 ->
  (low <= 0) || apart low least err ->
  low <= dot H ws ws.

Definition wrong : Prop :=
  forall (F : realFieldType) (V : lmodType F) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y : 'I_m -> F) (lam : F) (a : 'I_m -> F) (ws : V) (low least err : F),
  least <= dot H (w phi y lam a) (w phi y lam a) ->
  dot H (w phi y lam a - ws) (w phi y lam a - ws) <= err ^+ 2 ->
  (low <= 0) || (low + err ^+ 2 <= least) ->
  low <= dot H ws ws.

Definition proved : right := @norm2_lower.
Fail Definition falsified : wrong := @norm2_lower.

End Checker_norm2_lower.
