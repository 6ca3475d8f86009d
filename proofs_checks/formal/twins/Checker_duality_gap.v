(** Twin of Checker.duality_gap: the lower bound for the upper. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Svm Checker.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Module Checker_duality_gap.

Definition right : Prop :=
  forall (F : realFieldType) (V : lmodType F) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> F) (lam : F) (R : 'I_m -> 'I_m -> F),
  0 < lam ->
  (forall i j : 'I_m, K H phi i j = lam * R i j) ->
  forall (a : 'I_m -> F) (b C0 lower upper : F) (omega u v p q : 'I_m -> F) (k0 k1 k2 : F)
    (S0 : {set 'I_m}),
  let tau := lam * C0 in
  0 < C0 ->
  0 < lower ->
  enclosed lower upper tau ->
  (forall i : 'I_m, 0 <= omega i) ->
  (forall i : 'I_m, C i = C0 * omega i) ->
  (forall i : 'I_m, a i = u i + tau * v i) ->
  (forall i : 'I_m, gm y R a b i - 1 = p i + q i * tau) ->
  lam * dot H (w phi y lam a) (w phi y lam a) = k0 + k1 * tau + k2 * tau ^+ 2 ->
  (forall i : 'I_m, i \in S0 -> 0 <= - p i - q i * lower /\ 0 <= - p i - q i * upper) ->
  P H phi y C (w phi y lam a) b - D H phi y (alpha lam a) <=
    C0 * (over_high lower upper (k0 - \sum_i u i) (k1 - \sum_i v i - \sum_(i in S0) omega i * p i)
    (k2 - \sum_(i in S0) omega i * q i) + \sum_(i in ~: S0) omega i * Num.max 0
    (Num.max (- p i - q i * lower) (- p i - q i * upper))).

Definition wrong : Prop :=
  forall (F : realFieldType) (V : lmodType F) (H : inner_product V) (m : nat) (phi : 'I_m -> V)
    (y C : 'I_m -> F) (lam : F) (R : 'I_m -> 'I_m -> F),
  0 < lam ->
  (forall i j : 'I_m, K H phi i j = lam * R i j) ->
  forall (a : 'I_m -> F) (b C0 lower upper : F) (omega u v p q : 'I_m -> F) (k0 k1 k2 : F)
    (S0 : {set 'I_m}),
  let tau := lam * C0 in
  0 < C0 ->
  0 < lower ->
  enclosed lower upper tau ->
  (forall i : 'I_m, 0 <= omega i) ->
  (forall i : 'I_m, C i = C0 * omega i) ->
  (forall i : 'I_m, a i = u i + tau * v i) ->
  (forall i : 'I_m, gm y R a b i - 1 = p i + q i * tau) ->
  lam * dot H (w phi y lam a) (w phi y lam a) = k0 + k1 * tau + k2 * tau ^+ 2 ->
  (forall i : 'I_m, i \in S0 -> 0 <= - p i - q i * lower /\ 0 <= - p i - q i * upper) ->
  P H phi y C (w phi y lam a) b - D H phi y (alpha lam a) <=
    C0 * (over_low lower upper (k0 - \sum_i u i) (k1 - \sum_i v i - \sum_(i in S0) omega i * p i)
    (k2 - \sum_(i in S0) omega i * q i) + \sum_(i in ~: S0) omega i * Num.max 0
    (Num.max (- p i - q i * lower) (- p i - q i * upper))).

Definition proved : right := @duality_gap.
Fail Definition falsified : wrong := @duality_gap.

End Checker_duality_gap.
