(** * The function that is extracted

    [check] decides the conditions of a certificate file in integers and fractions. They are the
    conditions of the checker in Python, which Checker.v names; the Gram matrix is that of
    IntegerGram.v. Extracted.v says what an accepted file proves. *)
From Coq Require Import ZArith QArith Qreduction.
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq.
From Orca Require Import Rationals Claims Engine Checks IntegerGram Inverse Files.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Delimit Scope Z_scope with coq_Z.
Delimit Scope Q_scope with coq_Q.

(** ** The function *)

(** The condition that fails. *)
Inductive condition :=
  | Format | DualFeasibility | Stationarity | PrimalFeasibility | Complementarity | Claim.

Section Signs.
(** Bounds of tau = lambda C. *)
Variables lo hi : Q.
Definition ends (p q : Q) : Q * Q := (Qplus p (Qmult q lo), Qplus p (Qmult q hi)).
Definition positive_at (e : Q * Q) : bool :=
  [&& Qle_bool q0 e.1, Qle_bool q0 e.2 & Qlt_bool q0 e.1 || Qlt_bool q0 e.2].
Definition negative_at (e : Q * Q) : bool :=
  [&& Qle_bool e.1 q0, Qle_bool e.2 q0 & Qlt_bool e.1 q0 || Qlt_bool e.2 q0].
Definition zero_at (e : Q * Q) : bool := Qeq_bool e.1 q0 && Qeq_bool e.2 q0.
(** Bounds of (k_0 + k_1 tau + k_2 tau^2) / tau. *)
Definition quotient_lower (k0 k1 k2 : Q) : Q :=
  Qplus k1 (Qplus (qmin (Qdiv k0 lo) (Qdiv k0 hi)) (qmin (Qmult k2 lo) (Qmult k2 hi))).
Definition quotient_upper (k0 k1 k2 : Q) : Q :=
  Qplus k1 (Qplus (qmax (Qdiv k0 lo) (Qdiv k0 hi)) (qmax (Qmult k2 lo) (Qmult k2 hi))).
End Signs.

(** sqrt small + by <= sqrt large *)
Definition roots_differ (small large by_ : Q) : bool :=
  let rest := Qminus (Qminus large small) (Qmult by_ by_) in
  Qle_bool q0 rest && Qle_bool (Qmult (Qmult (Qmake 4 1) (Qmult by_ by_)) small) (Qmult rest rest).

(** One point: whether 0 <= alpha_i <= C_i, 0 < alpha_i < C_i, alpha_i = C_i. *)
Record status := Status { in_box : bool; is_free : bool; is_bound : bool }.

(** One point and one b: y_i g(x_i) - 1 = p + q tau, its values at the bounds of tau, and whether
    it is >= 0, <= 0, and 0. *)
Record margin_data := Margin {
  margin_p : Q; margin_q : Q; margin_ends : Q * Q; above : bool; below : bool; tight : bool }.

(** C_1, ..., C_m are C omega_i with the greatest of them as C. *)
Definition top_box (pb : problem) : Q := foldr (fun s => qmax (box s)) q0 (samples pb).

Section Check.
Variables (pb : problem) (C lo hi : Q).

Definition well_posed (f : file) : bool :=
  [&& well_formed pb, size (u_of f) == points pb, size (v_of f) == points pb,
      all (fun s => (Z.eqb (label s) 1 || Z.eqb (label s) (-1)) && Qlt_bool q0 (box s))
        (samples pb), Qlt_bool q0 (lambda_lower f) & Qlt_bool q0 C].

(** *** Dual feasibility and the active sets *)

Definition omega (s : sample) : Q := Qdiv (box s) C.
Definition status_of (s : sample) (u v : Q) : status :=
  let e := ends lo hi u v in
  let e' := ends lo hi (Qopp u) (Qminus (omega s) v) in
  let p := positive_at e in let p' := positive_at e' in let z' := zero_at e' in
  Status ((p || zero_at e) && (p' || z')) (p && p') z'.
Definition numbered (sel : seq bool) : seq nat :=
  [seq u.1 | u <- zip (iota 1 (size sel)) sel & u.2].

(** *** The scores, in integers: y_i u_i = D_i x_i / L for common L *)

Definition weight_over (s : sample) (u : Q) (D : positive) : Q :=
  Qmake (Z.mul (label s) (Qnum u)) (Pos.mul (Qden u) D).
Definition weights_over (us : seq Q) (Ds : seq positive) : seq Q :=
  [seq weight_over w.1 w.2.1 w.2.2 | w <- zip (samples pb) (zip us Ds)].
Definition balanced (Ds : seq positive) (xs : seq Z) : bool :=
  Z.eqb (zsum [seq Z.mul (Zpos w.1) w.2 | w <- zip Ds xs]) 0.

(** sum_j N_ij x_j for both lists x, over the points where one of them is not 0 *)
Definition support (cols : seq (seq integer_column)) (xu xv : seq Z) :=
  [seq w <- zip cols (zip xu xv) | ~~ (Z.eqb w.2.1 0 && Z.eqb w.2.2 0)].
Definition sums_of (sup : seq (seq integer_column * (Z * Z))) (c : seq integer_column) : Z * Z :=
  foldr (fun w r => let N := entry pb (is_limited pb) c w.1 in
                    (Z.add (Z.mul N w.2.1) r.1, Z.add (Z.mul N w.2.2) r.2)) (Z0, Z0) sup.

(** *** The margins, for one b *)

Definition margin_of (s : sample) (score b : Q * Q) : margin_data :=
  let y := Qmake (label s) 1 in
  let p := Qminus (Qmult y (Qplus score.1 b.1)) q1 in
  let q := Qmult y (Qplus score.2 b.2) in
  let e := ends lo hi p q in let z := zero_at e in
  Margin p q e (positive_at e || z) (negative_at e || z) z.
Definition margins_of (scores : seq (Q * Q)) (b : Q * Q) : seq margin_data :=
  [seq margin_of w.1 w.2 b | w <- zip (samples pb) scores].

Definition primal_ok (sts : seq status) (gs : seq margin_data) : bool :=
  all (fun w => is_bound w.1 || above w.2) (zip sts gs).
Definition complementary (sts : seq status) (gs : seq margin_data) : bool :=
  all (fun w => (is_free w.1 ==> Qeq_bool (margin_p w.2) q0 && Qeq_bool (margin_q w.2) q0)
                && (is_bound w.1 ==> below w.2)) (zip sts gs).

(** No other b is optimal. *)
Definition stops (way : bool) (sts : seq status) (gs : seq margin_data) : bool :=
  has (fun w => tight w.2.2 && ((Z.ltb 0 (label w.1) == is_bound w.2.1) == way))
    (zip (samples pb) (zip sts gs)).
Definition whole (sts : seq status) (first last : seq margin_data) (both : bool) : bool :=
  if both then [&& ~~ has is_free sts, stops false sts first & stops true sts last]
  else has is_free sts.

(** *** P - D *)

(** The xi_i that are not negative at either bound of tau are summed as p_i + q_i tau. *)
Definition sure (g : margin_data) : bool :=
  Qle_bool (margin_ends g).1 q0 && Qle_bool (margin_ends g).2 q0.
Definition slack_rest (w : sample * margin_data) : Q :=
  Qmult (omega w.1)
    (qmax q0 (qmax (Qopp (margin_ends w.2).1) (Qopp (margin_ends w.2).2))).
Definition gap_of (f : file) (k : Q * Q * Q) (gs : seq margin_data) : Q :=
  let pairs := zip (samples pb) gs in
  let yes := [seq w <- pairs | sure w.2] in
  let rest := qtotal [seq slack_rest w | w <- pairs & ~~ sure w.2] in
  let k0 := Qminus k.1.1 (qtotal (u_of f)) in
  let k1 := Qminus (Qminus k.1.2 (qtotal (v_of f)))
    (qtotal [seq Qmult (omega w.1) (margin_p w.2) | w <- yes]) in
  let k2 := Qminus k.2 (qtotal [seq Qmult (omega w.1) (margin_q w.2) | w <- yes]) in
  Qmult C (Qplus (quotient_upper lo hi k0 k1 k2) rest).

(** *** Uniqueness of alpha *)

Definition bordered_gram (pts : seq (seq integer_column * positive)) : seq (seq Z) :=
  [seq rcons [seq entry pb (is_limited pb) u.1 w.1 | w <- pts] (Zpos u.2) | u <- pts]
  ++ [:: rcons [seq Zpos w.2 | w <- pts] Z0].
Definition only_alpha (inverse : seq (seq Z) -> seq (seq Z)) (sel : seq bool)
    (cols : seq (seq integer_column)) (Ds : seq positive) : bool :=
  if mask sel (zip cols Ds) is w :: E then
    let M := bordered_gram (w :: E) in is_inverse (inverse M) M
  else true.

(** *** Claims *)

Definition claims_norm2 (f : file) (k : Q * Q * Q) : bool :=
  let least := Qmult C (quotient_lower lo hi k.1.1 k.1.2 k.2) in
  let most := Qmult C (quotient_upper lo hi k.1.1 k.1.2 k.2) in
  (Qle_bool (claimed_lower f) q0
   || roots_differ (claimed_lower f) (qmax q0 least) (claimed_error f))
  && roots_differ (qmax q0 most) (claimed_upper f) (claimed_error f).
Definition claims_flag (claim : option bool) (b : bool) : bool :=
  if claim is Some c then c == b else false.
Definition claims_nothing (claim : option bool) : bool := if claim is None then true else false.
End Check.

(** None if every condition holds, else the first that fails. *)
Definition check (inverse : seq (seq Z) -> seq (seq Z)) (f : file) : option condition :=
  let pb := problem_of f in
  let C := top_box pb in
  let lo := Qmult (lambda_lower f) C in
  let hi := Qmult (lambda_upper f) C in
  if ~~ well_posed pb C f then Some Format else
  let tabs := tables_of (recurrences pb) in
  let cols := [seq columns_of tabs (inputs s) | s <- samples pb] in
  let Ds := map scale_of cols in
  let sts := [seq status_of C lo hi w.1 w.2.1 w.2.2
             | w <- zip (samples pb) (zip (u_of f) (v_of f))] in
  let wu := weights_over pb (u_of f) Ds in
  let wv := weights_over pb (v_of f) Ds in
  let L := common_denominator (wu ++ wv) in
  let xu := numerators L wu in
  let xv := numerators L wv in
  if ~~ [&& all in_box sts, balanced Ds xu & balanced Ds xv] then Some DualFeasibility else
  if ~~ ((free_points f == numbered (map is_free sts))
         && (bound_points f == numbered (map is_bound sts))) then Some Stationarity else
  let c := common_scale pb in
  let sup := support cols xu xv in
  let sums := map (sums_of pb sup) cols in
  let scores := [seq let q := Pos.mul (Pos.mul c w.1) L in (Qmake w.2.1 q, Qmake w.2.2 q)
                | w <- zip Ds sums] in
  let unit := Pos.mul c (Pos.mul L L) in
  let form (x : seq Z) (part : Z * Z -> Z) := zsum [seq Z.mul w.1 (part w.2) | w <- zip x sums] in
  let k := (Qmake (form xu fst) unit, Qmake (Z.add (form xu snd) (form xv fst)) unit,
            Qmake (form xv snd) unit) in
  let b := head (q0, q0) (b_of f) in
  let b' := last (q0, q0) (b_of f) in
  let both := (size (b_of f) == 2)%N in
  if ~~ (both || (size (b_of f) == 1)%N) then Some Format else
  let first := margins_of pb lo hi scores b in
  let last := if both then margins_of pb lo hi scores b' else first in
  if exact f then
    if ~~ (primal_ok sts first && primal_ok sts last) then Some PrimalFeasibility else
    if ~~ [&& complementary sts first, complementary sts last
            & whole pb sts first last both] then Some Complementarity else
    let e := ends lo hi (Qminus b'.1 b.1) (Qminus b'.2 b.2) in
    if [&& Qeq_bool (claimed_gap f) q0, Qeq_bool (claimed_error f) q0, claims_norm2 C lo hi f k,
        claims_flag (claimed_hard_margin f)
          (all (fun w => is_bound w.1 ==> tight w.2) (zip sts first)),
        claims_nothing (claimed_b_unique f)
        || (positive_at e || zero_at e) && claims_flag (claimed_b_unique f) (zero_at e)
      & claims_nothing (claimed_alpha_unique f)
        || claims_flag (claimed_alpha_unique f) true
           && only_alpha pb inverse [seq tight w.1 && tight w.2 | w <- zip first last] cols Ds]
    then None else Some Claim
  else
    if both then Some Format else
    let gap := gap_of pb C lo hi f k first in
    if ~~ Qle_bool gap (claimed_gap f) then Some Complementarity else
    if [&& Qle_bool q0 (claimed_error f), Qle_bool gap (Qmult (claimed_error f) (claimed_error f)),
        claims_norm2 C lo hi f k, claims_nothing (claimed_alpha_unique f),
        claims_nothing (claimed_b_unique f)
      & claims_nothing (claimed_hard_margin f)] then None else Some Claim.
