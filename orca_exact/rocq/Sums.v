(** * Why the sums of Engine.v are the sums over modes

    [rep u f] says that the vector u stands for the polynomial f: exactly, or up to its error.
    Every arithmetic that respects the operations computes, for lists of columns with the
    polynomials A_l, the coefficients of G(t, z) = prod_l (A_l(0) + t (A_l(z) - A_l(0))). *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring zify.
From Orca Require Import Engine.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** ** Polynomials *)

Section Pieces.
Variable R : comRingType.
Implicit Type f g : {poly R}.

Definition ptake k f : {poly R} := \poly_(i < k) f`_i.
Definition ptail f : {poly R} := \poly_(i < size f) f`_i.+1.

Lemma coef_ptake k f i : (ptake k f)`_i = if (i < k)%N then f`_i else 0.
Proof. by rewrite coef_poly. Qed.

Lemma coef_ptail f i : (ptail f)`_i = f`_i.+1.
Proof. by rewrite coef_poly; case: ltnP => // /leqW/(nth_default 0)->. Qed.

Lemma ptake_mul k f g : ptake k (g * ptake k f) = ptake k (g * f).
Proof.
apply/polyP => i; rewrite !coef_ptake; case: ifP => // ik.
rewrite !coefM; apply: eq_bigr => j _; congr (_ * _).
by rewrite coef_ptake (leq_ltn_trans _ ik)// leq_subr.
Qed.

Lemma split_head f : f = (f`_0)%:P + 'X * ptail f.
Proof.
apply/polyP => -[|i]; rewrite coefD coefC coefXM /= ?addr0// add0r.
by rewrite coef_ptail.
Qed.

Lemma ptake_at1 k f : (ptake k f).[1] = \sum_(i < k) f`_i.
Proof. by rewrite horner_poly; apply: eq_bigr => i _; rewrite expr1n mulr1. Qed.

Lemma sum_coefs k f : (size f <= k)%N -> \sum_(i < k) f`_i = f.[1].
Proof.
by move=> fk; rewrite (horner_coef_wide _ fk); apply: eq_bigr => i _; rewrite expr1n mulr1.
Qed.

(** A(0) + t (A(1) - A(0)) and A(0) + t (A(z) - A(0)). *)
Definition oform f : {poly R} := (f`_0)%:P + 'X * (f.[1] - f`_0)%:P.
Definition bform f : {poly {poly R}} := (f`_0)%:P%:P + 'X * (f - (f`_0)%:P)%:P.

Lemma coef_bform_mul f (G : {poly {poly R}}) r :
  (bform f * G)`_r = (f`_0)%:P * G`_r + (f - (f`_0)%:P) * (if r is r'.+1 then G`_r' else 0).
Proof.
rewrite /bform [(_ + _) * G]mulrDl coefD coefCM -mulrA coefXM coefCM.
by case: r => [|r] /=; rewrite ?mulr0.
Qed.

Lemma oform_mul f g r :
  (oform f * g)`_r = f`_0 * g`_r + (f.[1] - f`_0) * (if r is r'.+1 then g`_r' else 0).
Proof.
rewrite /oform [(_ + _) * g]mulrDl coefD coefCM -mulrA coefXM coefCM.
by case: r => [|r] /=; rewrite ?mulr0.
Qed.

Definition gen (As : seq {poly R}) : {poly {poly R}} := \prod_(A <- As) bform A.

Lemma size_gen As : (size (gen As) <= (size As).+1)%N.
Proof.
rewrite /gen; elim: As => [|A As IH]; first by rewrite big_nil size_poly1.
rewrite big_cons; apply: leq_trans (size_mul_leq _ _) _ => /=.
apply: (@leq_trans (2 + (size As).+1).-1); last by [].
rewrite -!subn1 leq_sub2r // leq_add // /bform.
rewrite (leq_trans (size_add _ _)) // geq_max (leq_trans (size_polyC_leq1 _)) //=.
by rewrite mulrC (leq_trans (size_mul_leq _ _)) // size_polyX addn2 /= ltnS size_polyC_leq1.
Qed.

Lemma gen_at1 As : (gen As).[1] = \prod_(A <- As) A.
Proof.
rewrite /gen horner_prod; apply: eq_bigr => A _.
by rewrite !(hornerD, hornerM, hornerX, hornerC) mul1r addrC subrK.
Qed.

Lemma gen_orders As r : (\prod_(A <- As) oform A)`_r = ((gen As)`_r).[1].
Proof.
rewrite /gen; elim: As r => [|A As IH] r; first by rewrite !big_nil !coef1 hornerMn hornerC.
rewrite !big_cons oform_mul coef_bform_mul IH hornerD !hornerM hornerD hornerN !hornerC.
by congr (_ + _ * _); case: r => [|r]; rewrite ?horner0 ?IH.
Qed.
End Pieces.

(** ** The engine *)

Section Sound.
Variables (R : comRingType) (a : arithmetic) (rep : vec a -> {poly R} -> Prop).

Record respects := Respects {
  rep_zero : rep (vzero a) 0;
  rep_one : rep (vone a) 1;
  rep_add : forall u v f g, rep u f -> rep v g -> rep (vadd u v) (f + g);
  rep_mul : forall u v f g, rep u f -> rep v g -> rep (vmul u v) (f * g);
  rep_take : forall k u f, rep u f -> rep (vtake k u) (ptake k f);
  rep_sum : forall u f, rep u f -> rep (vsum u) f.[1]%:P;
  rep_head : forall u f, rep u f -> rep (vhead u) (f`_0)%:P;
  rep_tail : forall u f, rep u f -> rep (vtail u) (ptail f);
  rep_shift : forall u f, rep u f -> rep (vshift u) ('X * f) }.
Hypothesis ok : respects.

Fixpoint reps (us : seq (vec a)) (fs : seq {poly R}) : Prop :=
  match us, fs with
  | [::], [::] => True
  | u :: us', f :: fs' => rep u f /\ reps us' fs'
  | _, _ => False
  end.

Lemma reps_sum us fs : reps us fs -> rep (vsuml us) (\sum_(f <- fs) f).
Proof.
elim: us fs => [|u us IH] [|f fs] //=; first by rewrite big_nil => _; apply: (rep_zero ok).
by case=> uf usf; rewrite big_cons; apply: (rep_add ok) => //; apply: IH.
Qed.

(** The pairs of columns give the polynomials A_l, for degrees and for orders. *)
Fixpoint paired (us : seq (col a * col a)) (As : seq {poly R}) : Prop :=
  match us, As with
  | [::], [::] => True
  | u :: us', A :: As' =>
      (rep (vdegrees u.1 u.2) A /\ rep (vorders u.1 u.2) (oform A)) /\ paired us' As'
  | _, _ => False
  end.

Variables (q : nat) (c c' : seq (col a)) (As : seq {poly R}).
Hypothesis cA : paired (zip c c') As.

Lemma order_polyP : rep (order_poly q c c') (ptake q.+1 (\prod_(A <- As) oform A)).
Proof.
rewrite /order_poly; elim: (zip c c') As cA => [|u us IH] [|A As'] //=.
  rewrite big_nil => _; rewrite (_ : ptake _ _ = 1); first exact: (rep_one ok).
  by apply/polyP => -[|i]; rewrite coef_ptake coef1 //=; case: ifP.
case=> -[_ uo] usA; rewrite big_cons -ptake_mul; apply: (rep_take ok) => //.
by apply: (rep_mul ok) => //; apply: IH.
Qed.

Lemma order_polyE r :
  (ptake q.+1 (\prod_(A <- As) oform A))`_r = if (r <= q)%N then ((gen As)`_r).[1] else 0.
Proof. by rewrite coef_ptake ltnS gen_orders. Qed.

Lemma paired_size : size As = size (zip c c').
Proof.
elim: (zip c c') As cA => [|u us IH] [|A As'] //= [_ usA].
by rewrite (IH As').
Qed.

Lemma kernel_valueP limited : limited || (size As <= q)%N ->
  rep (kernel_value q limited c c') (\sum_(r < q.+1) ((gen As)`_r).[1])%:P.
Proof.
rewrite /kernel_value; case: limited => /= [_|dq].
  have := rep_sum ok order_polyP; rewrite ptake_at1.
  by rewrite (eq_bigr _ (fun (r : 'I_q.+1) _ => gen_orders As r)).
rewrite -horner_sum sum_coefs; last by rewrite (leq_trans (size_gen _)).
rewrite gen_at1 horner_prod rmorph_prod /=.
elim: (zip c c') As cA {dq} => [|u us IH] [|A As'] //=; first by rewrite big_nil => _;
  apply: (rep_one ok).
case=> -[_ uo] usA; rewrite big_cons; apply: (rep_mul ok) => //; last exact: IH.
have := rep_sum ok uo; rewrite /oform hornerD hornerM hornerX !hornerC mul1r addrC.
by rewrite subrK.
Qed.

Lemma order_stepP m b prev es M B fprev (E : nat -> {poly R})
    (fs := [seq E r | r <- iota 0 (size es)]) :
  rep m M -> rep b B -> rep prev fprev -> reps es fs ->
  reps (order_step m b prev es)
    [seq M * E r + B * (if r is r'.+1 then E r' else fprev) | r <- iota 0 (size es)].
Proof.
rewrite {}/fs => rm rb; elim: es prev fprev E => [|e es IH] prev fprev E rp //= [re res].
split; first by apply: (rep_add ok) => //; apply: (rep_mul ok).
have := IH e (E 0%N) (fun r => E r.+1) re.
rewrite -[iota 1 _]/(iota (1 + 0) _) !iotaDl -!map_comp in res * => /(_ res).
by congr reps; apply/eq_map => -[|r].
Qed.

Lemma size_order_step m b prev (es : seq (vec a)) : size (order_step m b prev es) = size es.
Proof. by elim: es prev => //= e es IH prev; rewrite IH. Qed.

Lemma order_degreesP :
  size (order_degrees q c c') = q.+1 /\
  reps (order_degrees q c c') [seq (gen As)`_r | r <- iota 0 q.+1].
Proof.
rewrite /order_degrees /gen; elim: (zip c c') As cA => [|u us IH] [|A As'] //=.
  move=> _; rewrite size_nseq; split=> //; rewrite big_nil coef1 /=; split;
    first exact: (rep_one ok).
  have tail k j : reps (nseq k (vzero a)) [seq (1 : {poly {poly R}})`_r | r <- iota j.+1 k].
    by elim: k j => //= k IHk j; rewrite coef1; split; [apply: (rep_zero ok) | apply: IHk].
  exact: tail.
case=> -[ud _] /IH[]; set es := foldr _ _ _ => sz res; rewrite size_order_step; split=> //.
have rt : rep (vshift (vtail (vdegrees u.1 u.2))) (A - (A`_0)%:P).
  rewrite {1}(split_head A) addrAC subrr add0r.
  by apply: (rep_shift ok) => //; apply: (rep_tail ok).
have := order_stepP (rep_head ok ud) rt (rep_zero ok) (es := es) (E := fun r => (gen As')`_r).
rewrite sz => /(_ res); congr reps; apply/eq_map => r.
by rewrite big_cons coef_bform_mul; case: r.
Qed.

Lemma degree_polyP limited : limited || (size As <= q)%N ->
  rep (degree_poly q limited c c') (\sum_(r < q.+1) (gen As)`_r).
Proof.
rewrite /degree_poly; case: limited => /= [_|dq].
  have [_ /reps_sum] := order_degreesP; rewrite big_map.
  by rewrite -[iota 0 _]/(index_iota 0 q.+1) big_mkord.
rewrite sum_coefs; last by rewrite (leq_trans (size_gen _)).
rewrite gen_at1.
elim: (zip c c') As cA {dq} => [|u us IH] [|A As'] //=; first by rewrite big_nil => _;
  apply: (rep_one ok).
by case=> -[ud _] usA; rewrite big_cons; apply: (rep_mul ok) => //; apply: IH.
Qed.

(** The modes active exactly on a mask. *)
Definition mask_value (mask : seq bool) : R :=
  \prod_(u <- zip mask As) (if u.1 then u.2.[1] - (u.2)`_0 else (u.2)`_0).

Lemma subset_polyP masks :
  rep (subset_poly masks c c') (\poly_(i < size masks) mask_value (nth [::] masks i)).
Proof.
rewrite /subset_poly; set parts := [seq _ | _ <- _].
have valP mask : rep (subset_value mask parts) (mask_value mask)%:P.
  rewrite /subset_value /mask_value /parts.
  elim: (zip c c') As cA mask => [|u us IH] [|A As'] //=.
    by move=> _ [|b mask] /=; rewrite big_nil; apply: (rep_one ok).
  case=> -[_ uo] usA [|b mask] /=; first by rewrite big_nil; apply: (rep_one ok).
  rewrite big_cons polyCM; apply: (rep_mul ok) => //; last exact: IH.
  case: b => /=.
    have := rep_head ok (rep_tail ok uo); rewrite coef_ptail /oform coefD coefC coefXM coefC /=.
    by rewrite add0r.
  by have := rep_head ok uo; rewrite /oform coefD coefC coefXM /= addr0.
elim: masks => [|mask masks IH] /=.
  by rewrite (_ : \poly_(i < 0) _ = 0); [apply: (rep_zero ok) | apply/polyP => i;
    rewrite coef_poly coef0].
rewrite (_ : \poly_(i < _) _ = (mask_value mask)%:P
    + 'X * \poly_(i < size masks) mask_value (nth [::] masks i)).
  by apply: (rep_add ok) => //; apply: (rep_shift ok).
by apply/polyP => -[|i]; rewrite coefD coefC coefXM !coef_poly /= ?addr0 ?add0r.
Qed.
End Sound.

(** ** Sums over the points *)

Section Points.
Variables (R : comRingType) (a : arithmetic) (rep : vec a -> {poly R} -> Prop).
Hypothesis ok : respects rep.
Variables (I : eqType) (wt : I -> vec a) (cols : I -> seq (col a)) (s : I -> R).
Variables (f : seq (col a) -> seq (col a) -> vec a) (F : I -> I -> {poly R}).
Hypothesis F_sym : forall i j, F i j = F j i.
Let pts r := [seq (wt i, cols i) | i <- r].

Section Known.
Variable r : seq I.
Hypothesis wtP : {in r, forall i, rep (wt i) (s i)%:P}.
Hypothesis fP : {in r &, forall i j, rep (f (cols i) (cols j)) (F i j)}.

Lemma quadraticP :
  rep (quadratic f (pts r)) (\sum_(i <- r) \sum_(j <- r) (s i * s j) *: F i j).
Proof.
elim: r wtP fP => [|i r' IH] wtr fr /=; first by rewrite big_nil; apply: (rep_zero ok).
have inr j : j \in r' -> j \in i :: r' by rewrite inE orbC => ->.
have {}IH := IH (fun j jr => wtr j (inr j jr)) (fun j k jr kr => fr j k (inr j jr) (inr k kr)).
have i0 : i \in i :: r' by rewrite inE eqxx.
have cross r2 : {subset r2 <= i :: r'} ->
    rep (foldr (fun u acc => vadd (vmul u.1 (f (cols i) u.2)) acc) (vzero a) (pts r2))
      (\sum_(j <- r2) s j *: F i j).
  elim: r2 => [|j r2 IH2] sub /=; first by rewrite big_nil; apply: (rep_zero ok).
  have j0 : j \in i :: r' by apply: sub; rewrite inE eqxx.
  rewrite big_cons; apply: (rep_add ok) => //.
    by rewrite -mul_polyC; apply: (rep_mul ok); [apply: wtr | apply: fr].
  by apply: IH2 => k k2; apply: sub; rewrite inE k2 orbT.
rewrite (_ : \sum_(i <- _) _ = (s i)%:P * ((s i)%:P * F i i
   + (\sum_(j <- r') s j *: F i j + \sum_(j <- r') s j *: F i j))
   + \sum_(i <- r') \sum_(j <- r') (s i * s j) *: F i j).
  apply: (rep_add ok) => //; apply: (rep_mul ok); first exact: wtr.
  apply: (rep_add ok).
    by apply: (rep_mul ok); [apply: wtr | apply: fr].
  by apply: (rep_add ok) => //; apply: cross => j /inr.
rewrite big_cons; under [X in _ + X]eq_bigr => k _ do rewrite big_cons.
rewrite big_split /= big_cons addrA; congr (_ + _); rewrite -addrA !mulrDr.
rewrite !mul_polyC scalerA !scaler_sumr; congr (_ + (_ + _)).
  by apply: eq_bigr => j _; rewrite scalerA.
by apply: eq_bigr => j _; rewrite scalerA mulrC F_sym.
Qed.
End Known.

Lemma scoresP r gs acc :
  {in r, forall i, rep (wt i) (s i)%:P} ->
  {in r &, forall i j, rep (f (cols i) (cols j)) (F i j)} ->
  size gs = size r -> reps rep acc gs ->
  reps rep (scores f (pts r) acc)
    [seq u.2 + \sum_(j <- r) s j *: F u.1 j | u <- zip r gs].
Proof.
elim: r gs acc => [|i r IH] [|g gs] [|u acc] //= wtr fr [sz] [ug accg].
have inr j : j \in r -> j \in i :: r by rewrite inE orbC => ->.
have i0 : i \in i :: r by rewrite inE eqxx.
have row (r2 : seq I) : {subset r2 <= i :: r} ->
    rep (foldr (fun w t => vadd (vmul w.1.1 w.2) t) (vzero a)
           (zip (pts r2) [seq f (cols i) w.2 | w <- pts r2]))
      (\sum_(j <- r2) s j *: F i j).
  elim: r2 => [|j r2 IH2] sub /=; first by rewrite big_nil; apply: (rep_zero ok).
  have j0 : j \in i :: r by apply: sub; rewrite inE eqxx.
  rewrite big_cons; apply: (rep_add ok) => //.
    by rewrite -mul_polyC; apply: (rep_mul ok); [apply: wtr | apply: fr].
  by apply: IH2 => k k2; apply: sub; rewrite inE k2 orbT.
split.
  apply: (rep_add ok) => //; rewrite big_cons; apply: (rep_add ok) => //.
    by rewrite -mul_polyC; apply: (rep_mul ok); [apply: wtr | apply: fr].
  by apply: row => j /inr.
have := IH [seq v.2 + s i *: F i v.1 | v <- zip r gs]
  [seq vadd v.1 (vmul (wt i) v.2) | v <- zip acc [seq f (cols i) w.2 | w <- pts r]].
rewrite size_map size_zip sz minnn => /(_ _ _ erefl).
have -> : [seq v.2 + \sum_(j <- i :: r) s j *: F v.1 j | v <- zip r gs] =
  [seq v.2 + \sum_(j <- r) s j *: F v.1 j
     | v <- zip r [seq v.2 + s i *: F i v.1 | v <- zip r gs]].
  have step (h : I -> {poly R}) r2 (gs2 : seq {poly R}) :
      [seq v.2 + (s i *: F v.1 i + h v.1) | v <- zip r2 gs2] =
      [seq v.2 + h v.1 | v <- zip r2 [seq v.2 + s i *: F i v.1 | v <- zip r2 gs2]].
    elim: r2 gs2 => [|j r2 IH2] [|g2 gs2] //=; rewrite IH2.
    by rewrite [F j i]F_sym addrA.
  by rewrite -(step (fun k => \sum_(j <- r) s j *: F k j)); apply: eq_map => v; rewrite big_cons.
apply; first by move=> j /inr; apply: wtr.
  by move=> j k /inr j0 /inr k0; apply: fr.
have step r2 gs2 acc2 : {subset r2 <= i :: r} -> size gs2 = size r2 -> reps rep acc2 gs2 ->
    reps rep [seq vadd v.1 (vmul (wt i) v.2)
               | v <- zip acc2 [seq f (cols i) w.2 | w <- pts r2]]
      [seq v.2 + s i *: F i v.1 | v <- zip r2 gs2].
  elim: r2 gs2 acc2 => [|j r2 IH2] [|g2 gs2] [|v acc2] //= sub [sz2] [vg accg2].
  have j0 : j \in i :: r by apply: sub; rewrite inE eqxx.
  split.
    apply: (rep_add ok) => //; rewrite -mul_polyC; apply: (rep_mul ok) => //;
      [exact: wtr | exact: fr].
  by apply: IH2 => // k k2; apply: sub; rewrite inE k2 orbT.
by apply: step => // j /inr.
Qed.
End Points.
