(** Twin of Generating.subset_closed_form: K_n without - p_0^2. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Family Expansion Generating.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Generating_subset_closed_form.

Definition right : Prop :=
  forall (R : realFieldType) (X : Type) (n d m : nat) (p : 'I_n.+1 -> X -> R)
    (p0 : R) (x : 'I_m -> 'I_d -> X) (s : 'I_m -> R) (A : {set 'I_d}),
  (forall u : X, p ord0 u = p0) ->
  let Kn := fun u v : X => \sum_k p k u * p k v in
  \sum_(k : {ffun 'I_d -> 'I_n.+1} | act k == A) amplitude p x s k ^+ 2 =
  \sum_i
     \sum_j s i * s j * p0 ^+ (2 * (d - #|A|)) * \prod_(l in A) (Kn (x i l) (x j l) - p0 ^+ 2).

Definition wrong : Prop :=
  forall (R : realFieldType) (X : Type) (n d m : nat) (p : 'I_n.+1 -> X -> R)
    (p0 : R) (x : 'I_m -> 'I_d -> X) (s : 'I_m -> R) (A : {set 'I_d}),
  (forall u : X, p ord0 u = p0) ->
  let Kn := fun u v : X => \sum_k p k u * p k v in
  \sum_(k : {ffun 'I_d -> 'I_n.+1} | act k == A) amplitude p x s k ^+ 2 =
  \sum_i
     \sum_j s i * s j * p0 ^+ (2 * (d - #|A|)) * \prod_(l in A) (Kn (x i l) (x j l)).

Definition proved : right := @subset_closed_form.
Fail Definition falsified : wrong := @subset_closed_form.

End Generating_subset_closed_form.
