(** * What MathComp 1 and MathComp 2 name or build differently, stated once

    The theory compiles with both. The lemmas have MathComp 2's names and statements, and proofs
    from what both libraries have; [functional] makes an element of {scalar V} of a map that is
    known to be linear, whatever the records of the library are. *)
From mathcomp Require Import all_ssreflect ssralg ssrnum.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** ** Linear functionals *)

Section Functional.
Variables (R : ringType) (V : lmodType R) (f : V -> R) (fP : scalar f).

Let f0 : f 0 = 0.
Proof. by apply: (addrI (f 0)); have := fP 1 0 0; rewrite scaler0 mul1r !addr0 => <-. Qed.

Let fD : {morph f : u v / u + v}.
Proof. by move=> u v; have := fP 1 u v; rewrite scale1r mul1r. Qed.

Let fZ t : {morph f : v / t *: v >-> t * v}.
Proof. by move=> v; have := fP t v 0; rewrite f0 !addr0. Qed.

Let fB : {morph f : u v / u - v}.
Proof. by move=> u v; rewrite fD -scaleN1r fZ mulN1r. Qed.

Definition functional : {scalar V}.
Proof. by exists f; repeat split. Defined.
End Functional.

(** ** The order *)

Section Order.
Variables (disp : _) (T : orderType disp).
Implicit Types x y z : T.

Lemma ge_max z x y : (Order.max x y <= z)%O = (x <= z)%O && (y <= z)%O.
Proof.
by case: (leP x y) => [xy|/ltW yx]; [rewrite andb_idl // | rewrite andb_idr //]; apply: le_trans.
Qed.

Lemma le_max z x y : (z <= Order.max x y)%O = (z <= x)%O || (z <= y)%O.
Proof.
by case: (leP x y) => [xy|/ltW yx]; [rewrite orb_idl // | rewrite orb_idr //] => /le_trans; apply.
Qed.

Lemma ge_min z x y : (Order.min x y <= z)%O = (x <= z)%O || (y <= z)%O.
Proof.
by case: (leP x y) => [xy|/ltW yx]; [rewrite orb_idr // | rewrite orb_idl //]; apply: le_trans.
Qed.

Lemma le_min z x y : (z <= Order.min x y)%O = (z <= x)%O && (z <= y)%O.
Proof.
by case: (leP x y) => [xy|/ltW yx]; [rewrite andb_idr // | rewrite andb_idl //] => /le_trans;
  apply.
Qed.

Lemma lt_min z x y : (z < Order.min x y)%O = (z < x)%O && (z < y)%O.
Proof.
case: (leP x y) => [xy|yx]; [rewrite andb_idr // | rewrite andb_idl //] => zx.
- exact: lt_le_trans xy.
- exact: lt_trans yx.
Qed.
End Order.

(** ** Sums and products in an ordered domain *)

Section Domain.
Variable R : numDomainType.
Implicit Types x y z t : R.

Lemma lerN2 : {mono -%R : x y /~ (x : R) <= (y : R)}.
Proof. by move=> x y; rewrite /= -subr_ge0 opprK addrC subr_ge0. Qed.

Lemma lerNl x y : (- x <= y) = (- y <= x).
Proof. by rewrite -subr_ge0 -[RHS]subr_ge0 !opprK addrC. Qed.

Lemma lerNr x y : (x <= - y) = (y <= - x).
Proof. by rewrite -subr_ge0 -[RHS]subr_ge0 -!opprD addrC. Qed.

Lemma lerD2l x : {mono +%R x : y z / y <= z}.
Proof. by move=> y z; rewrite /= -subr_ge0 opprD addrACA subrr add0r subr_ge0. Qed.

Lemma lerD2r x : {mono +%R^~ x : y z / y <= z}.
Proof. by move=> y z; rewrite /= !(addrC _ x) lerD2l. Qed.

Lemma ltrD2l x : {mono +%R x : y z / y < z}.
Proof. by move=> y z; rewrite /= -subr_gt0 opprD addrACA subrr add0r subr_gt0. Qed.

Lemma lerDl x y : (x <= x + y) = (0 <= y).
Proof. by rewrite -{1}(addr0 x) lerD2l. Qed.

Lemma lerDr x y : (x <= y + x) = (0 <= y).
Proof. by rewrite addrC lerDl. Qed.

Lemma gerDl x y : (x + y <= x) = (y <= 0).
Proof. by rewrite -{2}(addr0 x) lerD2l. Qed.

Lemma gerDr x y : (y + x <= x) = (y <= 0).
Proof. by rewrite addrC gerDl. Qed.

Lemma ltrDl x y : (x < x + y) = (0 < y).
Proof. by rewrite -{1}(addr0 x) ltrD2l. Qed.

Lemma lerD x y z t : x <= y -> z <= t -> x + z <= y + t.
Proof. by move=> xy zt; apply: (@le_trans _ _ (y + z)); rewrite ?lerD2r ?lerD2l. Qed.

Lemma lerB x y z t : x <= y -> t <= z -> x - z <= y - t.
Proof. by move=> xy tz; rewrite lerD // lerN2. Qed.

Lemma ltr_wpDl y x z : 0 <= x -> y < z -> y < x + z.
Proof. by move=> x0 /lt_le_trans; apply; rewrite lerDr. Qed.

Lemma ltr_wpDr y x z : 0 <= x -> y < z -> y < z + x.
Proof. by move=> x0 /lt_le_trans; apply; rewrite lerDl. Qed.

Lemma lerBlDr x y z : (x - y <= z) = (x <= z + y).
Proof. by rewrite -[LHS](lerD2r y) subrK. Qed.

Lemma lerBlDl x y z : (x - y <= z) = (x <= y + z).
Proof. by rewrite lerBlDr addrC. Qed.

Lemma lerBrDr x y z : (x <= y - z) = (x + z <= y).
Proof. by rewrite -[LHS](lerD2r z) subrK. Qed.

Lemma lerBrDl x y z : (x <= y - z) = (z + x <= y).
Proof. by rewrite lerBrDr addrC. Qed.

Lemma ltrBlDl x y z : (x - y < z) = (x < y + z).
Proof. by rewrite -[LHS](ltrD2l y) addrC subrK. Qed.

Lemma ltrBlDr x y z : (x - y < z) = (x < z + y).
Proof. by rewrite ltrBlDl addrC. Qed.

Lemma ler_wpM2l x : 0 <= x -> {homo *%R x : y z / y <= z}.
Proof. by move=> x0 y z yz; rewrite -subr_ge0 -mulrBr mulr_ge0 ?subr_ge0. Qed.

Lemma ler_wpM2r x : 0 <= x -> {homo *%R^~ x : y z / y <= z}.
Proof. by move=> x0 y z yz; rewrite /= !(mulrC _ x) ler_wpM2l. Qed.

Lemma ler_wnM2l x : x <= 0 -> {homo *%R x : y z /~ y <= z}.
Proof. by move=> x0 y z yz; rewrite -lerN2 -!mulNr ler_wpM2l // oppr_ge0. Qed.

Lemma ler_pM2l x : 0 < x -> {mono *%R x : y z / y <= z}.
Proof. by move=> x0 y z; rewrite /= -subr_ge0 -mulrBr pmulr_rge0 // subr_ge0. Qed.

Lemma ler_pM2r x : 0 < x -> {mono *%R^~ x : y z / y <= z}.
Proof. by move=> x0 y z; rewrite /= !(mulrC _ x) ler_pM2l. Qed.

Lemma ltr_pM2r x : 0 < x -> {mono *%R^~ x : y z / y < z}.
Proof. by move=> x0 y z; rewrite /= -subr_gt0 -mulrBl pmulr_lgt0 // subr_gt0. Qed.

Lemma ger_pMr x y : 0 < y -> (y * x <= y) = (x <= 1).
Proof. by move=> y0; rewrite -{2}(mulr1 y) ler_pM2l. Qed.

Lemma ler_piMl x y : 0 <= y -> x <= 1 -> x * y <= y.
Proof. by move=> y0 x1; rewrite -{2}(mul1r y) ler_wpM2r. Qed.

Lemma ler_pM x1 y1 x2 y2 : 0 <= x1 -> 0 <= x2 -> x1 <= y1 -> x2 <= y2 -> x1 * x2 <= y1 * y2.
Proof.
move=> x10 x20 xy1 xy2; apply: (@le_trans _ _ (y1 * x2)); first exact: ler_wpM2r.
by rewrite ler_wpM2l // (le_trans x10).
Qed.

Lemma ler_pXn2r n : (0 < n)%N -> {in Num.nneg &, {mono (@GRing.exp R)^~ n : x y / x <= y}}.
Proof.
case: n => // n _ x y; rewrite !nnegrE => x0 y0 /=.
have [->|xy] := eqVneq x y; first by rewrite !lexx.
rewrite -subr_ge0 -[RHS]subr_ge0 subrXX pmulr_lge0 //.
have terms (i : 'I_n.+1) : true -> 0 <= y ^+ (n - i) * x ^+ i by rewrite mulr_ge0 ?exprn_ge0.
rewrite lt_def sumr_ge0 // andbT psumr_eq0 //; apply: contra_neqN xy => /allP zero.
have xn := zero ord_max (mem_index_enum _); have yn := zero ord0 (mem_index_enum _).
move: xn yn; rewrite /= subnn !expr0 subn0 mulr1 mul1r => /eqP xn /eqP yn.
case: n terms zero xn yn => [|n] _ _; first by rewrite expr0 => /eqP; rewrite oner_eq0.
by move=> /eqP; rewrite expf_eq0 => /eqP-> /eqP; rewrite expf_eq0 => /eqP->.
Qed.

Lemma ler_normD (V : normedZmodType R) (x y : V) : `|x + y| <= `|x| + `|y|.
Proof. by have := ler_norm_sum [:: x; y] id xpredT; rewrite !big_cons !big_nil !addr0. Qed.

Lemma ler_normB (V : normedZmodType R) (x y : V) : `|x - y| <= `|x| + `|y|.
Proof. by rewrite -(normrN y) ler_normD. Qed.
End Domain.

(** ** Quotients *)

Section Field.
Variable F : numFieldType.
Implicit Types x y z : F.

Lemma ler_pdivlMr z x y : 0 < z -> (x <= y / z) = (x * z <= y).
Proof. by move=> z0; rewrite -[LHS](ler_pM2r z0) /= divfK ?gt_eqF. Qed.

Lemma ler_pdivrMr z x y : 0 < z -> (y / z <= x) = (y <= x * z).
Proof. by move=> z0; rewrite -[LHS](ler_pM2r z0) /= divfK ?gt_eqF. Qed.

Lemma ltr_pdivrMr z x y : 0 < z -> (y / z < x) = (y < x * z).
Proof. by move=> z0; rewrite -[LHS](ltr_pM2r z0) /= divfK ?gt_eqF. Qed.

Lemma ler_pdivlMl z x y : 0 < z -> (x <= z^-1 * y) = (z * x <= y).
Proof. by move=> z0; rewrite mulrC ler_pdivlMr // mulrC. Qed.

Lemma ler_pdivrMl z x y : 0 < z -> (z^-1 * y <= x) = (y <= z * x).
Proof. by move=> z0; rewrite mulrC ler_pdivrMr // mulrC. Qed.

Lemma lef_pV2 : {in Num.pos &, {mono (@GRing.inv F) : x y /~ x <= y}}.
Proof.
move=> x y; rewrite !posrE => x0 y0 /=.
by rewrite -[x^-1]mul1r ler_pdivrMr // mulrC ler_pdivlMr // mul1r.
Qed.
End Field.
