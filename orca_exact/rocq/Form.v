(** * Symmetric bilinear forms and inner products

    A [symmetric_form] on a vector space V over an ordered field is a map <u, v> that is linear in
    v and symmetric. An [inner_product] is one with <u, u> > 0 for every u <> 0. The spaces of
    functions of Family.v have a symmetric form, the support vector machines of Svm.v an inner
    product. No square root is taken: what is proved holds over the rationals already. *)
From mathcomp Require Import all_ssreflect ssralg zmodp ssrnum matrix.
From mathcomp Require Import ring.
From Orca Require Import Compat.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Reserved Notation "''<' u , v >"
  (at level 0, u at level 69, v at level 69, format "''<' u ,  v >").

(** ** Symmetric forms *)

Record symmetric_form (R : realFieldType) (V : lmodType R) := SymmetricForm {
  dot : V -> V -> R;
  dotC : forall u v, dot u v = dot v u;
  dot_is_scalar : forall u, scalar (dot u) }.

Canonical dot_linear (R : realFieldType) (V : lmodType R) (H : symmetric_form V) (u : V) :=
  functional (dot_is_scalar H u).

Section SymmetricForm.
Variables (R : realFieldType) (V : lmodType R) (H : symmetric_form V).
Local Notation "''<' u , v >" := (dot H u v).

Lemma dotDr u v w : '<u, v + w> = '<u, v> + '<u, w>.
Proof. exact: linearD. Qed.

Lemma dotZr t u v : '<u, t *: v> = t * '<u, v>.
Proof. exact: linearZ. Qed.

Lemma dot0r u : '<u, 0> = 0.
Proof. exact: linear0. Qed.

Lemma dotNr u v : '<u, - v> = - '<u, v>.
Proof. exact: linearN. Qed.

Lemma dot_sumr (I : finType) (f : I -> V) u : '<u, \sum_i f i> = \sum_i '<u, f i>.
Proof. exact: linear_sum. Qed.

Lemma dot_sumZr (I : finType) u (c : I -> R) (f : I -> V) :
  '<u, \sum_i c i *: f i> = \sum_i c i * '<u, f i>.
Proof. by rewrite dot_sumr; apply: eq_bigr => i _; rewrite dotZr. Qed.

Lemma dotDl u v w : '<u + v, w> = '<u, w> + '<v, w>.
Proof. by rewrite !(dotC _ _ w) dotDr. Qed.

Lemma dotZl t u v : '<t *: u, v> = t * '<u, v>.
Proof. by rewrite !(dotC _ _ v) dotZr. Qed.

Lemma dot0l u : '<0, u> = 0.
Proof. by rewrite dotC dot0r. Qed.

Lemma dotNl u v : '<- u, v> = - '<u, v>.
Proof. by rewrite !(dotC _ _ v) dotNr. Qed.

Lemma dot_suml (I : finType) (f : I -> V) u : '<\sum_i f i, u> = \sum_i '<f i, u>.
Proof. by rewrite dotC dot_sumr; apply: eq_bigr => i _; rewrite dotC. Qed.

Lemma dotBB u v : '<u - v, u - v> = '<u, u> - 2%:R * '<u, v> + '<v, v>.
Proof. by rewrite !(dotDl, dotDr, dotNl, dotNr) (dotC _ v u); ring. Qed.
End SymmetricForm.

(** ** Inner products *)

Record inner_product (R : realFieldType) (V : lmodType R) := InnerProduct {
  inner_form :> symmetric_form V;
  dot_gt0 : forall u, u != 0 -> 0 < dot inner_form u u }.
Arguments InnerProduct {R V} inner_form dot_gt0.

Section InnerProduct.
Variables (R : realFieldType) (V : lmodType R) (H : inner_product V).
Local Notation "''<' u , v >" := (dot H u v).

Lemma dot_ge0 u : 0 <= '<u, u>.
Proof. by have [->|/(dot_gt0 H)/ltW//] := eqVneq u 0; rewrite dot0l. Qed.

Lemma dot_eq0 u : '<u, u> = 0 -> u = 0.
Proof. by move=> z; apply/eqP; apply: contraT => /(dot_gt0 H); rewrite z ltxx. Qed.

(** <u, v>^2 <= |u|^2 |v|^2 *)
Theorem cauchy_schwarz u v : '<u, v> ^+ 2 <= '<u, u> * '<v, v>.
Proof.
have [->|v0] := eqVneq v 0; first by rewrite !dot0r expr0n mulr0.
have := dot_ge0 ('<v, v> *: u - '<u, v> *: v); rewrite dotBB !(dotZl, dotZr).
have -> : '<v, v> * ('<v, v> * '<u, u>) - 2%:R * ('<v, v> * ('<u, v> * '<u, v>))
   + '<u, v> * ('<u, v> * '<v, v>) = '<v, v> * ('<u, u> * '<v, v> - '<u, v> ^+ 2) by ring.
by rewrite pmulr_rge0 ?(dot_gt0 H) // subr_ge0.
Qed.
End InnerProduct.

(** R^p with the inner product of the coordinates. *)
Section Euclid.
Variables (R : realFieldType) (p : nat).
Let row_dot (u v : 'rV[R]_p) := \sum_k u 0 k * v 0 k.

Fact row_dotC u v : row_dot u v = row_dot v u.
Proof. by apply: eq_bigr => k _; rewrite mulrC. Qed.

Fact row_dot_is_scalar u : scalar (row_dot u).
Proof.
move=> t v w; rewrite /row_dot mulr_sumr -big_split; apply: eq_bigr => k _.
by rewrite !mxE mulrDr mulrCA.
Qed.

Fact row_dot_gt0 u : u != 0 -> 0 < row_dot u u.
Proof.
move=> u0; have sq k : true -> 0 <= u 0 k * u 0 k by rewrite -expr2 sqr_ge0.
rewrite lt_def sumr_ge0 // andbT; apply: contraNneq u0 => /eqP; rewrite psumr_eq0 // => /allP z.
apply/eqP/rowP => k; rewrite mxE; apply/eqP.
by have := z k (mem_index_enum k); rewrite /= mulf_eq0 orbb.
Qed.

Definition euclid : inner_product _ :=
  InnerProduct (SymmetricForm row_dotC row_dot_is_scalar) row_dot_gt0.
End Euclid.

(** The field itself, with the product. *)
Section Line.
Variable R : realFieldType.
Let line_dot (u v : R^o) : R := u * v.

Fact line_dotC u v : line_dot u v = line_dot v u.
Proof. exact: mulrC. Qed.

Fact line_dot_is_scalar u : scalar (line_dot u).
Proof. by move=> t v w; rewrite /line_dot mulrDr mulrCA. Qed.

Fact line_dot_gt0 u : u != 0 -> 0 < line_dot u u.
Proof. by move=> u0; rewrite /line_dot -expr2 exprn_even_gt0. Qed.

Definition line : inner_product _ :=
  InnerProduct (SymmetricForm line_dotC line_dot_is_scalar) line_dot_gt0.
End Line.
