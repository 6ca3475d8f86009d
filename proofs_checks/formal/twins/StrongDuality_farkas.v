(* StrongDuality.farkas falsified: strict. The proof of the theorem must fail here. *)
Set Warnings "-notation-overridden,-ambiguous-paths".
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From Orca Require Import Svm StrongDuality.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Twin.

Variables (R : realFieldType) (V : lmodType R) (H : inner_product V) (I : finType).
Local Notation "<< u , v >>" := (dot H u v) (format "<< u ,  v >>").
Local Notation farkas_seq := (farkas_seq H).

Theorem falsified (a : I -> V) (b : V) :
  (exists2 u : I -> R, forall i, 0 <= u i & b = \sum_i u i *: a i) \/
  (exists2 x, forall i, << a i, x >> < 0 & 0 < << b, x >>).
Proof.
have [[u u0 bu]|[x ax bx]] := farkas_seq a b (index_enum_uniq I); first by left; exists u.
by right; exists x => // i; apply: ax; apply: mem_index_enum.
Qed.

End Twin.
