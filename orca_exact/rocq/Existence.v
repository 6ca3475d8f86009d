(** * The dual has a solution, hence so has the primal (section 2)

    Over every ordered field, for labels 1 or -1 and bounds C_i >= 0: the concave quadratic D
    attains its maximum on the box 0 <= alpha_i <= C_i with sum alpha_i y_i = 0 [dual_exists],
    and then P attains its minimum [primal_exists], so that (5) and (8) have solutions with
    min P = max D [svm_solvable]. No limit is taken. As C grows, the slacks do not grow and |w|
    does not shrink [larger_C].

    Induction on the number of coordinates that are not fixed at a bound: D has a stationary
    point among the alpha with these coordinates free, or grows without end in a direction
    [stationary_or_ray]. If the stationary point is in the box, it is the maximum; otherwise
    every alpha can be moved to a smaller face of the box without making D smaller [leave_box].
    So the best of finitely many candidates is the maximum [candidates]. *)
From mathcomp Require Import all_ssreflect ssralg zmodp ssrnum matrix mxalgebra.
From mathcomp Require Import ring.
From Orca Require Import Compat Form Svm StrongDuality.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** From a in the box towards a + s outside: stop at the first bound. *)
Lemma leave_box (R : realFieldType) (m : nat) (C a s : 'I_m -> R) j :
  (forall i, 0 <= a i <= C i) -> ~~ (0 <= a j + s j <= C j) ->
  exists t i, [/\ 0 <= t <= 1, s i != 0, forall k, 0 <= a k + t * s k <= C k
                & a i + t * s i = 0 \/ a i + t * s i = C i].
Proof.
move=> box out.
pose T i := if 0 < s i then (C i - a i) / s i else if s i < 0 then a i / - s i else 1.
have T0 i : 0 <= T i.
  have /andP[a0 aC] := box i; rewrite /T; case: ifP => [s0|_].
    by rewrite divr_ge0 ?subr_ge0// ltW.
  by case: ifP => [s0|_]; [rewrite divr_ge0// oppr_ge0 ltW | apply: ler01].
have Tj : T j < 1.
  have /andP[a0 aC] := box j; move: out; rewrite negb_and -!ltNge => /orP[] h.
    have sj : s j < 0 by rewrite -(ltrD2l (a j)) addr0 (lt_le_trans h).
    have ns : (0 < s j) = false by apply/negbTE; rewrite -leNgt ltW.
    rewrite /T ns sj ltr_pdivrMr ?oppr_gt0// mul1r.
    by rewrite -subr_gt0 -opprD oppr_gt0 addrC.
  have sj : 0 < s j by rewrite -(ltrD2l (a j)) addr0 (le_lt_trans aC).
  by rewrite /T sj ltr_pdivrMr// mul1r ltrBlDl.
have inside t k : 0 <= t <= T k -> 0 <= a k + t * s k <= C k.
  case/andP=> t0 tT; have /andP[a0 aC] := box k; move: tT; rewrite /T.
  have [s0|s0|<-] := ltgtP 0 (s k); last by rewrite mulr0 addr0 a0.
    rewrite ler_pdivlMr// => tT; rewrite addr_ge0 ?mulr_ge0 ?(ltW s0)//=.
    by rewrite addrC -lerBrDr.
  rewrite ler_pdivlMr ?oppr_gt0// mulrN => tT.
  rewrite addrC -lerBlDr sub0r lerNl tT /= (le_trans _ aC)// gerDr.
  by rewrite mulr_ge0_le0// ltW.
have [i _ imin] := @arg_minP _ _ _ j xpredT T isT.
exists (T i), i; have Ti1 : T i < 1 by apply: le_lt_trans (imin j isT) Tj.
have si : s i != 0 by apply: contraTneq Ti1 => s0; rewrite /T s0 !ltxx.
split=> [||k|//]; rewrite ?T0 ?(ltW Ti1)//; first by apply: inside; rewrite T0 imin.
rewrite /T; have [s0|s0|/esym/eqP] := ltgtP 0 (s i); last by rewrite (negPf si).
  by right; rewrite divfK// addrCA subrr addr0.
by left; rewrite invrN mulrN mulNr divfK// subrr.
Qed.

Section Existence.
Variables (R : realFieldType) (V : lmodType R) (H : inner_product V).
Variables (m : nat) (phi : 'I_m -> V) (y C : 'I_m -> R).
Hypothesis ys : forall i, y i = 1 \/ y i = -1.
Local Notation "''<' u , v >" := (dot H u v).
Local Notation W := (w_of phi y).
Local Notation dual := (dual H phi y).
Implicit Types (a s : 'I_m -> R) (J : {set 'I_m}).

Lemma w_ofD a s t : W (fun i => a i + t * s i) = W a + t *: W s.
Proof.
rewrite /w_of scaler_sumr -big_split; apply: eq_bigr => i _ /=.
by rewrite scalerA -scalerDl; congr (_ *: _); ring.
Qed.

(** The derivative of D at a in the direction s. *)
Definition slope a s : R := \sum_i s i - '<W a, W s>.

Lemma dual_line a s t :
  dual (fun i => a i + t * s i) = dual a + t * slope a s - t ^+ 2 * ('<W s, W s> / 2%:R).
Proof.
have two : 2%:R != 0 :> R by rewrite pnatr_eq0.
have sumE : \sum_i (a i + t * s i) = \sum_i a i + t * \sum_i s i.
  by rewrite big_split mulr_sumr.
rewrite /dual w_ofD sumE !(dotDl, dotDr, dotZl, dotZr) (dotC H (W s) (W a)).
by rewrite /slope; field.
Qed.

(** Directions that keep the coordinates outside J and sum_i a_i y_i. *)
Definition direction J s := (forall i, i \notin J -> s i = 0) /\ \sum_i s i * y i = 0.

Lemma stationary_or_ray J a :
  (exists2 s, direction J s & forall s', direction J s' -> slope (fun i => a i + s i) s' = 0) \/
  (exists2 s, direction J s & W s = 0 /\ 0 < \sum_i s i).
Proof.
pose A : 'M[R]_(m, m + 1) := row_mx (\matrix_(i, j) ((i == j) && (i \notin J))%:R) (\col_i y i).
pose N := kermx A.
have dirP (s : 'rV[R]_m) : direction J (fun i => s 0 i) <-> s *m A = 0.
  rewrite mul_mx_row -(row_mx0 R 1 m 1); split=> [[out bal]|].
    congr row_mx; apply/rowP => j; rewrite !mxE.
      rewrite (bigD1 j)//= !mxE eqxx /= big1 ?addr0 => [|i /negPf ij]; last first.
        by rewrite mxE ij mulr0.
      by case: (boolP (j \in J)) => [|/out->]; rewrite ?mulr0 ?mul0r.
    by rewrite -[RHS]bal; apply: eq_bigr => i _; rewrite mxE.
  move/eq_row_mx => [E1 E2]; split=> [i iJ|].
    have /rowP/(_ i) := E1; rewrite !mxE (bigD1 i)//= !mxE eqxx iJ mulr1 big1 ?addr0//.
    by move=> j /negPf ij; rewrite mxE ij mulr0.
  by have /rowP/(_ 0) := E2; rewrite !mxE => E3; rewrite -[RHS]E3; apply: eq_bigr => i _;
    rewrite mxE.
pose rw (s : 'I_m -> R) : 'rV[R]_m := \row_i s i.
pose dir (u : 'rV[R]_m) i : R := (u *m N) 0 i.
have dir_dir u : direction J (dir u).
  by apply/dirP; rewrite -mulmxA mulmx_ker mulmx0.
have dir_all s : direction J s -> exists u, s =1 dir u.
  move=> ds; have : rw s *m A = 0.
    apply/dirP; split=> [i|]; rewrite ?mxE; first by case: ds => + _; apply.
    by case: ds => _ bal; rewrite -[RHS]bal; apply: eq_bigr => i _; rewrite mxE.
  move/sub_kermxP/submxP => [u uE]; exists u => i.
  by rewrite /dir -/N -uE mxE.
have W_eq s s' : s =1 s' -> W s = W s' by move=> ss; apply: eq_bigr => i _; rewrite ss.
pose e j : 'rV[R]_m := delta_mx 0 j.
have dirE u i : dir u i = \sum_j u 0 j * dir (e j) i.
  rewrite /dir mxE; apply: eq_bigr => j _; congr (_ * _).
  by rewrite /e -rowE [RHS]mxE.
have W_dir u : W (dir u) = \sum_j u 0 j *: W (dir (e j)).
  rewrite /w_of; under [RHS]eq_bigr => j _ do rewrite scaler_sumr.
  rewrite exchange_big; apply: eq_bigr => i _; rewrite dirE mulr_suml scaler_suml.
  by apply: eq_bigr => j _; rewrite scalerA -mulrA.
have sum_dir u : \sum_i dir u i = \sum_j u 0 j * \sum_i dir (e j) i.
  under [RHS]eq_bigr => j _ do rewrite mulr_sumr.
  by rewrite exchange_big; apply: eq_bigr => i _; rewrite dirE.
pose M : 'M[R]_m := \matrix_(i, j) '<W (dir (e i)), W (dir (e j))>.
pose r : 'rV[R]_m := \row_j slope a (dir (e j)).
case: (boolP (r <= M)%MS) => [/submxP[u uE]|].
  left; exists (dir u) => // s' /dir_all[v vE].
  have -> : slope (fun i => a i + dir u i) s' = slope (fun i => a i + 1 * dir u i) (dir v).
    rewrite /slope (W_eq _ _ vE) (eq_bigr _ (fun i _ => vE i)); congr (_ - '<_, _>).
    by apply: W_eq => i; rewrite mul1r.
  rewrite /slope w_ofD scale1r dotDl opprD addrA -/(slope a (dir v)).
  have -> : slope a (dir v) = \sum_j v 0 j * r 0 j.
    rewrite /slope sum_dir W_dir dot_sumr -sumrB; apply: eq_bigr => j _.
    by rewrite dotZr -mulrBr mxE.
  rewrite W_dir (W_dir v) dot_sumr -sumrB big1// => j _; rewrite dotZr -mulrBr uE mxE dot_suml.
  by rewrite -sumrB big1 ?mulr0// => i _; rewrite mxE dotZl subrr.
rewrite submxE => /rowV0P nz; right.
have /existsP[l nzl] : [exists l, (r *m cokermx M) 0 l != 0].
  apply: contraT; rewrite negb_exists => /forallP z; case: nz => v /submxP[w ->].
  rewrite (_ : r *m cokermx M = 0) ?mulmx0//; apply/rowP => l; rewrite [RHS]mxE.
  by apply/eqP; have := z l; rewrite negbK.
pose z : 'rV[R]_m := \row_j cokermx M j l.
have Mz i : '<W (dir (e i)), W (dir z)> = 0.
  have := congr1 (fun X : 'M_m => X i l) (mulmx_coker M); rewrite !mxE => E; rewrite -[RHS]E.
  by rewrite (W_dir z) dot_sumr; apply: eq_bigr => j _; rewrite dotZr !mxE mulrC.
have Wz : W (dir z) = 0.
  apply: (@dot_eq0 _ _ H); rewrite {1}(W_dir z) dot_suml big1// => i _.
  by rewrite dotZl Mz mulr0.
have sz : \sum_i dir z i != 0.
  move: nzl; apply: contra_neq => s0; rewrite mxE.
  transitivity (slope a (dir z)); last by rewrite /slope s0 Wz dot0r subrr.
  rewrite /slope sum_dir W_dir dot_sumr -sumrB; apply: eq_bigr => j _.
  by rewrite dotZr -mulrBr !mxE mulrC.
have [pos|neg|/esym/eqP] := ltgtP 0 (\sum_i dir z i); last by rewrite (negPf sz).
  by exists (dir z).
exists (fun i => - dir z i).
  have [out bal] := dir_dir z; split=> [i /out->|]; first exact: oppr0.
  by under eq_bigr => i _ do rewrite mulNr; rewrite sumrN bal oppr0.
split; last by rewrite sumrN oppr_gt0.
by rewrite /w_of; under eq_bigr => i _ do rewrite mulNr scaleNr; rewrite sumrN -/(W _) Wz oppr0.
Qed.

Lemma w_of_eq a s : a =1 s -> W a = W s.
Proof. by move=> e; apply: eq_bigr => i _; rewrite e. Qed.

Lemma dual_eq a s : a =1 s -> dual a = dual s.
Proof.
by move=> e; rewrite /dual (w_of_eq e); congr (_ - _); apply: eq_bigr => i _; rewrite e.
Qed.

(** The feasible points whose coordinates outside J are those of c. *)
Definition in_face J c a := feasible y C a /\ forall i, i \notin J -> a i = c i.
Definition feasibleb a := [forall i, 0 <= a i <= C i] && (\sum_i a i * y i == 0).

Lemma feasibleP a : reflect (feasible y C a) (feasibleb a).
Proof.
apply: (iffP andP) => [[/forallP box /eqP bal]|[box bal]]; first by split.
by rewrite bal eqxx; split=> //; apply/forallP.
Qed.

Lemma feasible_eq a s : a =1 s -> feasible y C a -> feasible y C s.
Proof.
move=> e [box bal]; split=> [i|]; rewrite -?e//.
by rewrite -[RHS]bal; apply: eq_bigr => i _; rewrite e.
Qed.

Lemma candidates k J c : #|J| = k -> exists r : seq {ffun 'I_m -> R},
  (forall f, f \in r -> in_face J c f) /\
  (forall a, in_face J c a -> exists2 f : {ffun 'I_m -> R}, f \in r & dual a <= dual f).
Proof.
elim: k J c => [|k IH] J c Jk.
  have out i : i \notin J by rewrite (cards0_eq Jk) inE.
  exists (if feasibleb c then [:: [ffun i => c i]] else [::]); split=> [f|a [ok ac]].
    case: feasibleP => // ok; rewrite inE => /eqP->; split=> [|i _]; last by rewrite ffunE.
    by apply: feasible_eq ok => i; rewrite ffunE.
  have e : a =1 [ffun i => c i] by move=> i; rewrite ffunE ac.
  case: feasibleP => [_|[]]; last by apply: feasible_eq ok => i; rewrite ac.
  by exists [ffun i => c i]; rewrite ?mem_head// (dual_eq e).
pose end_of (jv : 'I_m * bool) i := if i == jv.1 then (if jv.2 then C i else 0) else c i.
have /fin_all_exists[l lE] (jv : 'I_m * bool) : exists r : seq {ffun 'I_m -> R}, jv.1 \in J ->
    (forall f, f \in r -> in_face (J :\ jv.1) (end_of jv) f) /\
    (forall a, in_face (J :\ jv.1) (end_of jv) a ->
       exists2 f : {ffun 'I_m -> R}, f \in r & dual a <= dual f).
  case: (boolP (jv.1 \in J)) => [jJ|_]; last by exists [::].
  have [|r rE] := IH (J :\ jv.1) (end_of jv); last by exists r.
  by move: Jk; rewrite (cardsD1 jv.1) jJ => -[].
pose faces := flatten [seq l jv | jv <- enum [pred jv : 'I_m * bool | jv.1 \in J]].
have face_ok f : f \in faces -> in_face J c f.
  case/flatten_mapP => jv; rewrite mem_enum /= => jJ /(lE jv jJ).1[ok e]; split=> // i iJ.
  have ij : i == jv.1 = false by apply: contraNF iJ => /eqP->.
  by rewrite e ?inE ?ij// /end_of ij.
have push a s j : in_face J c a -> direction J s -> ~~ (0 <= a j + s j <= C j) ->
    (forall t, 0 <= t <= 1 -> dual a <= dual (fun i => a i + t * s i)) ->
    exists2 f : {ffun 'I_m -> R}, f \in faces & dual a <= dual f.
  move=> [[box bal] ac] [sJ sbal] out up.
  have [t [i [t01 si inside ends]]] := leave_box box out.
  have iJ : i \in J by apply: contraNT si => /sJ->.
  have [v vE] : exists v, a i + t * s i = end_of (i, v) i.
    by case: ends => E; [exists false | exists true]; rewrite E /end_of /= eqxx.
  have [|f fl le] := (lE (i, v) iJ).2 (fun h => a h + t * s h).
    split=> [|h]; first split=> //.
      under eq_bigr => h _ do rewrite mulrDl -mulrA.
      by rewrite big_split /= bal add0r -mulr_sumr sbal mulr0.
    rewrite /= in_setD1 negb_and negbK; have [->|hi] /= := eqVneq h i; first by rewrite vE.
    by move=> hJ; rewrite sJ// mulr0 addr0 ac// /end_of /= (negPf hi).
  exists f; last exact: le_trans (up t t01) le.
  by apply/flatten_mapP; exists (i, v); rewrite // mem_enum.
have [j0 j0J] : exists j, j \in J by apply/set0Pn; rewrite -cards_eq0 Jk.
pose u := \sum_i c i * y i; pose a0 i := if i == j0 then c i - u * y i else c i.
have yy i : y i * y i = 1 by case: (ys i) => ->; rewrite ?mulrNN mulr1.
have a0J i : i \notin J -> a0 i = c i.
  by move=> iJ; rewrite /a0 ifN//; apply: contraNneq iJ => ->.
have a0bal : \sum_i a0 i * y i = 0.
  rewrite (bigD1 j0)//= /a0 eqxx (eq_bigr (fun i => c i * y i)) => [|i /negPf->//].
  have uE : u = c j0 * y j0 + \sum_(i | i != j0) c i * y i by rewrite /u (bigD1 j0).
  by rewrite mulrBl -mulrA yy mulr1 addrAC -uE subrr.
have [[s [sJ sbal] stat]|[s ds [Ws sum_s]]] := stationary_or_ray J a0; last first.
  exists faces; split=> // a fa.
  have [j sj] : exists j, s j != 0.
    apply/existsP; rewrite -[X in is_true X]negbK negb_exists; apply/negP => /forallP s0.
    by move: sum_s; rewrite big1 ?ltxx// => i _; apply/eqP; have := s0 i; rewrite negbK.
  have Cj : 0 <= C j by have [[box _] _] := fa; have /andP[h /(le_trans h)] := box j.
  pose T := (C j + 1) / `|s j|; have T0 : 0 <= T by rewrite divr_ge0// addr_ge0// ler01.
  have sj0 : `|s j| != 0 by rewrite normr_eq0.
  apply: (push a (fun i => T * s i) j) => //.
  - by case: ds => sJ sbal; split=> [i /sJ->|]; [rewrite mulr0 |
      under eq_bigr => i _ do rewrite -mulrA; rewrite -mulr_sumr sbal mulr0].
  - have [[box _] _] := fa; have /andP[h1 h2] := box j; rewrite negb_and -!ltNge.
    have [p|q|/esym/eqP] := ltgtP 0 (s j); last by rewrite (negPf sj).
      have -> : T * s j = C j + 1 by rewrite /T (gtr0_norm p) divfK// gt_eqF.
      by rewrite orbC addrCA ltrDl ltr_wpDl ?ltr01.
    have -> : T * s j = - (C j + 1) by rewrite /T (ltr0_norm q) invrN mulrN mulNr divfK// lt_eqF.
    by rewrite subr_lt0 (le_lt_trans h2)// ltrDl ltr01.
  move=> t /andP[t0 _]; have WT : W (fun i => T * s i) = 0.
    rewrite -[RHS](scaler0 _ T) -Ws scaler_sumr; apply: eq_bigr => i _.
    by rewrite scalerA mulrA.
  rewrite dual_line /slope WT dot0r dot0l mul0r mulr0 !subr0 lerDl mulr_ge0//.
  by rewrite -mulr_sumr mulr_ge0// ltW.
pose b i := a0 i + s i.
have bJ i : i \notin J -> b i = c i by move=> iJ; rewrite /b a0J// sJ// addr0.
have bbal : \sum_i b i * y i = 0.
  by under eq_bigr => i _ do rewrite mulrDl; rewrite big_split /= a0bal sbal addr0.
have below a : in_face J c a -> forall t, dual (fun i => b i + t * (a i - b i)) =
    dual b - t ^+ 2 * ('<W (fun i => a i - b i), W (fun i => a i - b i)> / 2%:R).
  move=> [[_ bal] ac] t; rewrite (dual_line b (fun i => a i - b i)) stat ?mulr0 ?addr0//.
  split=> [i iJ|]; first by rewrite ac// bJ// subrr.
  by under eq_bigr => i _ do rewrite mulrBl; rewrite sumrB bal bbal subrr.
have half0 v : 0 <= '<v, v> / 2%:R by rewrite divr_ge0 ?dot_ge0 ?ler0n.
have at1 a : in_face J c a ->
    dual a = dual b - '<W (fun i => a i - b i), W (fun i => a i - b i)> / 2%:R.
  move=> fa; have := below a fa 1; rewrite expr1n mul1r => <-.
  by apply: dual_eq => i; rewrite mul1r addrC subrK.
have [okb|bad] := boolP (feasibleb b).
  exists (rcons faces [ffun i => b i]); split=> [f|a fa].
    rewrite mem_rcons inE => /orP[/eqP->|/face_ok//]; split=> [|i /bJ]; last by rewrite ffunE.
    by apply: feasible_eq (elimT (feasibleP b) okb) => i; rewrite ffunE.
  exists [ffun i => b i]; first by rewrite mem_rcons mem_head.
  have <- : dual b = dual [ffun i => b i] by apply: dual_eq => i; rewrite ffunE.
  by rewrite (at1 a fa) gerDl oppr_le0.
exists faces; split=> // a fa; have [j bj] : exists j, ~~ (0 <= b j <= C j).
  by apply/existsP; move: bad; rewrite /feasibleb bbal eqxx andbT negb_forall.
apply: (push a (fun i => b i - a i) j) => //.
- case: fa => -[_ bal] ac; split=> [i iJ|]; first by rewrite ac// bJ// subrr.
  by under eq_bigr => i _ do rewrite mulrBl; rewrite sumrB bal bbal subrr.
- by rewrite addrC subrK.
move=> t /andP[t0 t1].
have -> : dual (fun i => a i + t * (b i - a i)) = dual (fun i => b i + (1 - t) * (a i - b i)).
  by apply: dual_eq => i; ring.
rewrite (below a fa) (at1 a fa) lerD2l lerNr opprK ler_piMl//.
by rewrite expr_le1 ?subr_ge0// gerDl oppr_le0.
Qed.

Lemma seq_max (T : eqType) (F : T -> R) (r : seq T) x : x \in r ->
  exists2 f, f \in r & forall g, g \in r -> F g <= F f.
Proof.
elim: r x => // z r IH x _; case: r IH => [|w r] IH.
  by exists z; rewrite ?mem_head// => g; rewrite inE => /eqP->.
have [f fr fmax] := IH w (mem_head _ _); have [le|lt] := leP (F z) (F f).
  by exists f; rewrite ?(in_cons z) ?fr ?orbT// => g; rewrite in_cons => /orP[/eqP->|/fmax].
exists z; rewrite ?mem_head// => g; rewrite in_cons => /orP[/eqP->//|/fmax le].
exact: le_trans le (ltW lt).
Qed.

Hypothesis C0 : forall i, 0 <= C i.

(** (8) has a solution. *)
Theorem dual_exists : exists a, dual_optimal H phi y C a.
Proof.
have [r [ok best]] := candidates (J := setT) (fun=> 0) erefl.
have face a : feasible y C a -> in_face setT (fun=> 0) a by split=> // i; rewrite inE.
have [f0 f0r _] : exists2 f : {ffun 'I_m -> R}, f \in r & dual (fun=> 0) <= dual f.
  apply/best/face; split=> [i|]; first by rewrite lexx C0.
  by rewrite big1// => i _; rewrite mul0r.
have [f fr fmax] := seq_max (fun f : {ffun 'I_m -> R} => dual f) f0r.
exists f; split=> [|a /face/best[g gr]]; first by case: (ok f fr).
by move=> /le_trans; apply; apply: fmax.
Qed.

(** (5) has a solution. *)
Theorem primal_exists : exists w b, primal_optimal H phi y C w b.
Proof.
have [a /(dual_kkt ys)[b /kkt_optimal[_ opt _]]] := dual_exists.
by exists (W a), b.
Qed.

Theorem svm_solvable : exists a b, [/\ dual_optimal H phi y C a,
  primal_optimal H phi y C (W a) b & primal H phi y C (W a) b = dual a].
Proof.
have [a opt] := dual_exists; have [b /kkt_optimal[gap0 popt _]] := dual_kkt ys opt.
by exists a, b.
Qed.
End Existence.

(** As C grows, the sum of the slacks does not rise and |w| does not fall. *)
Section Regularization.
Variables (R : realFieldType) (V : lmodType R) (H : inner_product V).
Variables (m : nat) (phi : 'I_m -> V) (y : 'I_m -> R).
Local Notation slacks w b := (\sum_i slack H phi y w b i).

Theorem larger_C (C C' : R) w b w' b' : 0 < C -> C < C' ->
  primal_optimal H phi y (fun=> C) w b -> primal_optimal H phi y (fun=> C') w' b' ->
  slacks w' b' <= slacks w b /\ dot H w w <= dot H w' w'.
Proof.
move=> C0 CC opt opt'; have := opt w' b'; have := opt' w b; rewrite /primal -!mulr_sumr.
set s := slacks w b; set s' := slacks w' b'; set n := dot H w w; set n' := dot H w' w' => le2 le1.
have ss : s' <= s.
  rewrite -subr_ge0 -(pmulr_rge0 _ (_ : 0 < C' - C)) ?subr_gt0 //.
  have := lerD le1 le2; rewrite -subr_ge0; congr (0 <= _); ring.
split=> //; have two : 0 < 2%:R^-1 :> R by rewrite invr_gt0 ltr0n.
rewrite -(ler_pM2r two); apply: le_trans (_ : n' / 2%:R + C * (s' - s) <= _).
  by rewrite mulrBr addrA lerBrDr.
by rewrite gerDl pmulr_rle0 // subr_le0.
Qed.
End Regularization.
