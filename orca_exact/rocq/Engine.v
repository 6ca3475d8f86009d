(** * The sums behind the indices, computed (definitions only)

    One algorithm for two arithmetics: exact fractions, and vectors of integers in fixed point
    with one bound of the l1 norm of the error. For each pair of points (i, j) and column l it
    takes the products of the polynomials, U_k V_k = pi_k(x_il) pi_k(x_jl) h_0 / h_k up to a scale,
    as a list in z (degrees) or as the pair [constant, rest] in t (orders), and multiplies these
    lists over the columns; [quadratic] and [scores] sum over the points and use the symmetry. *)
From Coq Require Import ZArith QArith Qreduction.
From mathcomp Require Import ssreflect ssrbool ssrfun eqtype ssrnat seq.
From Orca Require Import Rationals Claims.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** A type of (approximate) polynomials with the operations needed. *)
Record arithmetic := Arithmetic {
  vec : Type;
  vzero : vec; vone : vec;
  vadd : vec -> vec -> vec; vmul : vec -> vec -> vec;
  vtake : nat -> vec -> vec;       (* the coefficients below a degree *)
  vsum : vec -> vec;               (* the value at 1, as a constant *)
  vhead : vec -> vec;              (* the constant term *)
  vtail : vec -> vec;              (* the rest divided by the variable *)
  vshift : vec -> vec;             (* times the variable *)
  col : Type;                      (* the values at one coordinate of one point *)
  vdegrees : col -> col -> vec;    (* sum_k z^k U_k V_k *)
  vorders : col -> col -> vec }.   (* U_0 V_0 + t sum_{k>0} U_k V_k *)

Section Engine.
Variable (a : arithmetic) (q : nat) (limited : bool).
Notation vec := (vec a).
Notation cols := (seq (col a)).

Definition vsuml (s : seq vec) : vec := foldr (@vadd a) (vzero a) s.
Definition vprod (s : seq vec) : vec := foldr (@vmul a) (vone a) s.

(** sum over the orders r <= q of t^r e_r *)
Definition order_poly (c c' : cols) : vec :=
  foldr (fun u acc => vtake q.+1 (vmul (vorders u.1 u.2) acc)) (vone a) (zip c c').

Definition kernel_value (c c' : cols) : vec :=
  if limited then vsum (order_poly c c')
  else foldr (fun u acc => vmul (vsum (vorders u.1 u.2)) acc) (vone a) (zip c c').

(** The coefficients of 1, t, ..., t^q of prod_l (M_l + t B_l(z)). *)
Fixpoint order_step (m b prev : vec) (es : seq vec) : seq vec :=
  if es is e :: es' then vadd (vmul m e) (vmul b prev) :: order_step m b e es' else [::].
Definition order_degrees (c c' : cols) : seq vec :=
  foldr (fun u es => let f := vdegrees u.1 u.2 in
           order_step (vhead f) (vshift (vtail f)) (vzero a) es)
    (vone a :: nseq q (vzero a)) (zip c c').

Definition degree_poly (c c' : cols) : vec :=
  if limited then vsuml (order_degrees c c')
  else foldr (fun u acc => vmul (vdegrees u.1 u.2) acc) (vone a) (zip c c').

(** One coefficient for each mask of active columns. *)
Definition subset_value (mask : seq bool) (parts : seq (vec * vec)) : vec :=
  foldr (fun u acc => vmul (if u.1 then u.2.2 else u.2.1) acc) (vone a) (zip mask parts).
Definition subset_poly (masks : seq (seq bool)) (c c' : cols) : vec :=
  let parts := [seq let f := vorders u.1 u.2 in (vhead f, vhead (vtail f)) | u <- zip c c'] in
  foldr (fun mask acc => vadd (subset_value mask parts) (vshift acc)) (vzero a) masks.

(** sum_ij s_i s_j f(i, j) for symmetric f *)
Fixpoint quadratic (f : cols -> cols -> vec) (pts : seq (vec * cols)) : vec :=
  if pts is (s, c) :: pts' then
    let cross := foldr (fun u acc => vadd (vmul u.1 (f c u.2)) acc) (vzero a) pts' in
    vadd (vmul s (vadd (vmul s (f c c)) (vadd cross cross))) (quadratic f pts')
  else vzero a.

(** acc_i + sum_j s_j f(i, j) for symmetric f *)
Fixpoint scores (f : cols -> cols -> vec) (pts : seq (vec * cols)) (acc : seq vec) : seq vec :=
  if pts is (s, c) :: pts' then
    let row := [seq f c u.2 | u <- pts'] in
    let cross := foldr (fun u r => vadd (vmul u.1.1 u.2) r) (vzero a) (zip pts' row) in
    vadd (head (vzero a) acc) (vadd (vmul s (f c c)) cross)
    :: scores f pts' [seq vadd u.1 (vmul s u.2) | u <- zip (behead acc) row]
  else [::].
End Engine.

(** ** Exact fractions *)

Fixpoint qadd (s t : seq Q) : seq Q :=
  match s, t with
  | u :: s', v :: t' => Qred (Qplus u v) :: qadd s' t'
  | [::], _ => t
  | _, [::] => s
  end.
Fixpoint qmul (s t : seq Q) : seq Q :=
  if s is u :: s' then qadd [seq Qred (Qmult u v) | v <- t] (q0 :: qmul s' t) else [::].
Definition qsum (s : seq Q) : Q := foldr (fun u r => Qred (Qplus u r)) q0 s.
Definition qpair (c c' : seq (Q * Q)) : seq Q :=
  [seq Qred (Qmult u.1.1 u.2.2) | u <- zip c c'].
Definition exact_arithmetic : arithmetic := {|
  vec := seq Q; vzero := [::]; vone := [:: q1]; vadd := qadd; vmul := qmul;
  vtake := @take Q; vsum := fun s => [:: qsum s];
  vhead := @take Q 1; vtail := @behead Q; vshift := cons q0;
  col := seq (Q * Q); vdegrees := qpair;
  vorders := fun c c' => let s := qpair c c' in [:: head q0 s; qsum (behead s)] |}.

(** ** Fixed point: integers in units of 2^(-bits), and the l1 norm of their errors *)

Section Fixed.
Local Open Scope Z_scope.
Variable bits : Z.
Definition fixed := (seq Z * Z)%type.
Fixpoint zadd (s t : seq Z) : seq Z :=
  match s, t with
  | u :: s', v :: t' => u + v :: zadd s' t'
  | [::], _ => t
  | _, [::] => s
  end.
Fixpoint zmul (s t : seq Z) : seq Z :=
  if s is u :: s' then zadd [seq u * v | v <- t] (0 :: zmul s' t) else [::].
Definition zsum (s : seq Z) : Z := foldr Z.add 0 s.
Definition magnitude (s : seq Z) : Z := foldr (fun u r => Z.abs u + r) 0 s.
Definition length (s : seq Z) : Z := foldr (fun _ r => 1 + r) 0 s.
Definition shr (k z : Z) : Z := Z.shiftr z k.

(** The error of a product of vectors with errors r, r' and magnitudes m, m'. *)
Definition product_error (r m r' m' : Z) : Z := shr bits (r * (m' + r') + r' * m) + 1.

Definition fadd (f g : fixed) : fixed := (zadd f.1 g.1, f.2 + g.2).
Definition fmul (f g : fixed) : fixed :=
  let c := zmul f.1 g.1 in
  ([seq shr bits z | z <- c],
   product_error f.2 (magnitude f.1) g.2 (magnitude g.1) + length c).

(** Values U_k and V_k with error and magnitude. *)
Record values := Values { digits : seq Z; error : Z; size1 : Z }.
Definition fpair (u v : values) : seq Z := [seq w.1 * w.2 | w <- zip (digits u) (digits v)].
Definition fpair_error (u v : values) : Z :=
  product_error (error u) (size1 u) (error v) (size1 v).
Definition fdegrees (c c' : values * values) : fixed :=
  let s := fpair c.1 c'.2 in
  ([seq shr bits z | z <- s], fpair_error c.1 c'.2 + length s).
Definition forders (c c' : values * values) : fixed :=
  let s := fpair c.1 c'.2 in
  ([:: shr bits (head 0 s); shr bits (zsum (behead s))], fpair_error c.1 c'.2 + 2).
Definition fixed_arithmetic : arithmetic := {|
  vec := fixed; vzero := ([::], 0); vone := ([:: Z.shiftl 1 bits], 0);
  vadd := fadd; vmul := fmul;
  vtake := fun k f => (take k f.1, f.2); vsum := fun f => ([:: zsum f.1], f.2);
  vhead := fun f => (take 1 f.1, f.2); vtail := fun f => (behead f.1, f.2);
  vshift := fun f => (0 :: f.1, f.2);
  col := (values * values)%type; vdegrees := fdegrees; vorders := forders |}.
End Fixed.

(** ** Tables *)

(** h_0 / h_k of one column *)
Fixpoint ratios (rec : seq (Q * Q)) (cur : Q) : seq Q :=
  cur :: (if rec is (_, b) :: rec' then ratios rec' (Qred (Qmult cur (Qinv b))) else [::]).

Section ExactTables.
(** pi_0(x), ..., pi_n(x) *)
Fixpoint exact_values (x : Q) (rec : seq (Q * Q)) (cur prev b : Q) : seq Q :=
  cur :: (if rec is (a, b') :: rec' then
    exact_values x rec'
      (Qred (Qminus (Qmult (Qminus x a) cur) (Qmult b prev))) cur b' else [::]).
Definition exact_col (x : Q) (rec : seq (Q * Q)) : seq (Q * Q) :=
  [seq (u.1, Qred (Qmult u.1 u.2)) | u <- zip (exact_values x rec q1 q0 q0) (ratios rec q1)].
Definition exact_cols (recs : seq (seq (Q * Q))) (xs : seq Q) : seq (seq (Q * Q)) :=
  [seq exact_col u.1 u.2 | u <- zip xs recs].
End ExactTables.

Section FixedTables.
Local Open Scope Z_scope.
Definition ball := (Z * Z)%type.
Definition ball_of_Q (k : Z) (q : Q) : ball :=
  (Z.div (Z.shiftl (Qnum q) k) (Zpos (Qden q)), 1).
Definition badd (u v : ball) : ball := (u.1 + v.1, u.2 + v.2).
Definition bsub (u v : ball) : ball := (u.1 - v.1, u.2 + v.2).
Definition bmul (k : Z) (u v : ball) : ball :=
  (shr k (u.1 * v.1), shr k (u.2 * (Z.abs v.1 + v.2) + v.2 * Z.abs u.1) + 2).
(** Times 2^(-k). *)
Definition bshr (k : Z) (u : ball) : ball := (shr k u.1, shr k u.2 + 2).

(** pi_0(x), ..., pi_n(x) in balls of precision k *)
Fixpoint ball_values (k : Z) (x : ball) (rec : seq (ball * ball)) (cur prev b : ball) :
    seq ball :=
  cur :: (if rec is (a, b') :: rec' then
    ball_values k x rec' (bsub (bmul k (bsub x a) cur) (bmul k b prev)) cur b' else [::]).

Definition values_of (s : seq ball) : values :=
  let ds := [seq u.1 | u <- s] in Values ds (zsum [seq u.2 | u <- s]) (magnitude ds).

(** Halves of binary logarithms, to scale by: any numbers will do. *)
Definition half_log (k z : Z) : Z := Z.div (Z.log2 (Z.abs z) - k) 2.

(** The recurrence of a column in balls, h_0 / h_k and the exponents to balance with. *)
Definition column_table (k : Z) (rec : seq (Q * Q)) : seq (ball * ball) * seq (ball * Z) :=
  ([seq (ball_of_Q k u.1, ball_of_Q k u.2) | u <- rec],
   [seq let w := ball_of_Q k r in (w, half_log k w.1) | r <- ratios rec q1]).

(** U_k = 2^(s_k - e) pi_k(x) and V_k = 2^(-s_k - e) pi_k(x) h_0 / h_k, and e. *)
Definition fixed_col (bits k : Z) (x : Q) (tab : seq (ball * ball) * seq (ball * Z)) :
    (values * values) * Z :=
  let one := (Z.shiftl 1 k, 0) in
  let us := ball_values k (ball_of_Q k x) tab.1 one (0, 0) (0, 0) in
  let vs := [seq (bmul k u.1 u.2.1, u.2.2) | u <- zip us tab.2] in
  let square := zsum [seq shr k (u.1.1 * u.2.1.1) | u <- zip us vs] in
  let e := half_log k square + 1 in
  let drop := k - bits + e in
  (values_of [seq bshr (drop - u.2.2) u.1 | u <- zip us tab.2],
   values_of [seq bshr (drop + v.2) v.1 | v <- vs], e).

Definition fixed_cols (bits k : Z) (tabs : seq (seq (ball * ball) * seq (ball * Z)))
    (xs : seq Q) : seq (values * values) * Z :=
  let cs := [seq fixed_col bits k u.1 u.2 | u <- zip xs tabs] in
  ([seq c.1 | c <- cs], zsum [seq c.2 | c <- cs]).

(** Bits beyond the working precision for the values of the polynomials. *)
Definition guard (recs : seq (seq (Q * Q))) : Z :=
  32 + 8 * Z.of_nat (foldr maxn 0%N (map size recs)).
Definition fixed_table (bits : Z) (pb : problem) : seq (seq (values * values) * Z) :=
  let k := bits + guard (recurrences pb) in
  let tabs := [seq column_table k rec | rec <- recurrences pb] in
  [seq fixed_cols bits k tabs (inputs s) | s <- samples pb].

(** The weight 2^(e_i + shift) z_i 2^(-scale) of a point. *)
Definition weight_of (bits scale shift z e : Z) : fixed :=
  let u := bshr (scale - bits - e - shift) (z, 0) in ([:: u.1], u.2).
End FixedTables.
