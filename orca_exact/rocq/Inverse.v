(** * A matrix of integers is nonsingular if it has a left inverse modulo a number

    Any program may propose the inverse; [is_inverse] multiplies. *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring zify ssrZ.
From Orca Require Import Compat Rationals Engine.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coq_Z.

Definition modulus : Z := 2305843009213693951%coq_Z.
Definition product_of (r c : seq Z) : Z := zsum [seq Z.mul w.1 w.2 | w <- zip r c].
Definition is_inverse (A M : seq (seq Z)) : bool :=
  let k := size M in
  let columns := [seq [seq nth Z0 row j | row <- M] | j <- iota 0 k] in
  (size A == k) && all (fun r => all (fun c =>
    Z.eqb (Z.modulo (product_of r.2 c.2) modulus) (if r.1 == c.1 then 1%coq_Z else Z0))
      (zip (iota 0 k) columns)) (zip (iota 0 k) A).

(** The matrix of a list of rows. *)
Definition matrix_of (k : nat) (M : seq (seq Z)) : 'M[int]_k :=
  \matrix_(i, j) int_of_Z (nth Z0 (nth [::] M i) j).

Lemma product_ofE (r c : seq Z) k : size c = k ->
  int_of_Z (product_of r c) = \sum_(i < k) int_of_Z (nth Z0 r i) * int_of_Z (nth Z0 c i).
Proof.
rewrite /product_of.
elim: c r k => [|z c IH] [|x r] [|k] //= => [_|_|[sz]|[sz]]; rewrite ?big_ord0 //.
- by rewrite big1 // => i _; rewrite nth_nil mul0r.
- by rewrite big_ord_recl -(IH r k sz) /=; lia.
Qed.

Section Modular.
Variables (pz : Z) (p : nat).
Hypothesis p_gt1 : (1 < p)%N.
Hypothesis pE : int_of_Z pz = p :> int.
Lemma residue (x : Z) (b : bool) : Z.modulo x pz = (if b then 1%coq_Z else Z0) ->
  (int_of_Z x)%:~R = b%:R :> 'Z_p.
Proof.
move=> rE; have pz0 : pz <> Z0 by move=> z0; move: pE p_gt1; rewrite z0; lia.
have := Z.div_mod x pz pz0; rewrite rE; move: (Z.div x pz) => t xE.
have -> : int_of_Z x = int_of_Z pz * int_of_Z t + b%:R.
  rewrite xE; case: b {rE xE}; lia.
rewrite pE rmorphD rmorphM /= -[(p%:Z)%:~R]pmulrn (char_Zp p_gt1) mul0r add0r.
by case: b {rE xE}.
Qed.
End Modular.

Theorem is_inverse_det (A M : seq (seq Z)) k : size M = k -> is_inverse A M ->
  \det (matrix_of k M) != 0.
Proof.
move=> sz; rewrite /is_inverse sz => /andP[/eqP sA /all_nthP rows].
have gt1 : Z.lt 1 modulus by [].
move: (modulus) gt1 rows => pz gt1 rows; pose p := absz (int_of_Z pz).
have p_gt1 : (1 < p)%N by rewrite /p; lia.
have pE : int_of_Z pz = p :> int by rewrite /p; lia.
move: p p_gt1 pE => p p_gt1 pE.
have prod : map_mx (intr : int -> 'Z_p) (matrix_of k A) *m map_mx intr (matrix_of k M) = 1%:M.
  apply/matrixP => i j; rewrite !mxE.
  have := rows (0%N, [::]) i; rewrite size_zip size_iota sA minnn ltn_ord => /(_ isT).
  rewrite nth_zip ?size_iota // nth_iota // add0n; cbn [fst snd].
  move/(all_nthP (0%N, [::])) => - /(_ j).
  rewrite size_zip size_map !size_iota minnn ltn_ord => /(_ isT).
  rewrite nth_zip ?size_map ?size_iota // nth_iota // add0n (nth_map 0%N) ?size_iota //.
  rewrite nth_iota // add0n; cbn [fst snd] => /Z.eqb_eq/(residue p_gt1 pE).
  have sc : size [seq nth Z0 row j | row <- M] = k by rewrite size_map.
  rewrite (product_ofE _ sc) rmorph_sum => <-; apply: eq_bigr => t _.
  by rewrite !mxE rmorphM /= (nth_map [::]) ?sz.
apply/eqP => d0; have := congr1 determinant prod.
rewrite det_mulmx det1 !det_map_mx d0 rmorph0 mulr0.
by move/eqP; rewrite eq_sym oner_eq0.
Qed.
