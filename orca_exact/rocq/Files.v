(** * What a certificate file contains, and the problem that it is about

    The measures by their parameters, the points as they are written, and the numbers of the
    proof. [problem_of] computes the recurrences, scales the points and yields the problem of
    Claims.v. Nothing here needs a proof: these are definitions that the theorems of Extracted.v
    mention. *)
From Coq Require Import ZArith QArith Qreduction.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring zify ssrZ.
From Orca Require Import Rationals Claims Jacobi.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Delimit Scope Q_scope with coq_Q.

(** The weight (1-x)^alpha (1+x)^beta on [-1, 1]; exp(-x^2/2); x^alpha exp(-x) for x >= 0; finitely
    many nodes with their weights. *)
Inductive measure :=
  | Jacobi of Q & Q | Hermite | Laguerre of Q | Discrete of seq (Q * Q).

Record file := File {
  exact : bool;                         (* the level: exact, or gap (ball is proved like gap) *)
  measures : seq measure; degrees : seq nat; order_of : nat;
  rows : seq (seq Q); rescale : bool; labels : seq Z; boxes : seq Q;
  lambda_lower : Q; lambda_upper : Q;
  u_of : seq Q; v_of : seq Q;           (* lambda alpha_i = u_i + lambda C v_i, C = max C_i *)
  b_of : seq (Q * Q);                   (* b = p + lambda C q: one number, or the two ends *)
  free_points : seq nat; bound_points : seq nat;                       (* counted from 1 *)
  claimed_gap : Q; claimed_error : Q; claimed_lower : Q; claimed_upper : Q;
  claimed_alpha_unique : option bool; claimed_b_unique : option bool;
  claimed_hard_margin : option bool }.

(** ** Recurrences *)

Section Recurrences.
Local Open Scope Q_scope.
Definition qnat (k : nat) : Q := Qmake (Z.of_nat k) 1.

(** (a_k, b_{k+1}) *)
Definition jacobi_step (al be : Q) (k : nat) : Q * Q :=
  let j := qnat k.+1 in
  let s := qnat k.*2 + al + be in
  let r := qnat k.+1.*2 + al + be in
  if k is O then
    ((be - al) / (al + be + qnat 2), qnat 4 * (q1 + al) * (q1 + be) / (r * r * (r + q1)))
  else ((be * be - al * al) / (s * (s + qnat 2)),
        qnat 4 * j * (j + al) * (j + be) * (j + al + be) / (r * r * (r + q1) * (r - q1))).
Definition hermite_step (k : nat) : Q * Q := (q0, qnat k.+1).
Definition laguerre_step (al : Q) (k : nat) : Q * Q :=
  (qnat k.*2 + q1 + al, qnat k.+1 * (qnat k.+1 + al)).
End Recurrences.

(** Of a discrete measure: a_k = <x pi_k, pi_k> / h_k, b_{k+1} = h_{k+1} / h_k, with the values of
    pi_k and pi_{k-1} at the nodes. *)
Definition qtotal (s : seq Q) : Q := foldr (fun x r => Qred (Qplus x r)) q0 s.
Fixpoint discrete_steps (n : nat) (nodes : seq (Q * Q)) (cur prev : seq Q) (b h : Q) :
    seq (Q * Q) :=
  if n is n'.+1 then
    let a := Qred (Qdiv (qtotal [seq Qmult (Qmult u.1.1 u.1.2) (Qmult u.2 u.2)
                                | u <- zip nodes cur]) h) in
    let next := [seq Qred (Qminus (Qmult (Qminus u.1.1 a) u.2.1) (Qmult b u.2.2))
                | u <- zip nodes (zip cur prev)] in
    let h' := qtotal [seq Qmult u.1.2 (Qmult u.2 u.2) | u <- zip nodes next] in
    let b' := Qred (Qdiv h' h) in
    (a, b') :: discrete_steps n' nodes next cur b' h'
  else [::].

Definition reduced (u : Q * Q) : Q * Q := (Qred u.1, Qred u.2).
Definition recurrence_of (mu : measure) (n : nat) : seq (Q * Q) :=
  match mu with
  | Jacobi al be => [seq reduced (jacobi_step al be k) | k <- iota 0 n]
  | Hermite => [seq hermite_step k | k <- iota 0 n]
  | Laguerre al => [seq reduced (laguerre_step al k) | k <- iota 0 n]
  | Discrete nodes => discrete_steps n nodes [seq q1 | _ <- nodes] [seq q0 | _ <- nodes] q0
                        (qtotal [seq u.2 | u <- nodes])
  end.

(** ** Points *)

Definition qmin (x z : Q) : Q := if Qle_bool x z then x else z.
Definition qmax (x z : Q) : Q := if Qle_bool x z then z else x.

(** The least and the greatest value of each column. *)
Definition ranges (rows : seq (seq Q)) : seq (Q * Q) :=
  foldl (fun found row => [seq (qmin u.1.1 u.2, qmax u.1.2 u.2) | u <- zip found row])
    [seq (x, x) | x <- head [::] rows] (behead rows).
(** Jacobi's columns are mapped onto [-1, 1] if the file says so; others stay as they are. *)
Definition scaled_row (mus : seq measure) (found : seq (Q * Q)) (row : seq Q) : seq Q :=
  [seq if u.1 is Jacobi _ _ then
         let: (lo, hi) := u.2.1 in
         Qred (Qminus (Qdiv (Qmult (Qmake 2 1) (Qminus u.2.2 lo)) (Qminus hi lo)) q1)
       else u.2.2 | u <- zip mus (zip found row)].
Definition points_of (f : file) : seq (seq Q) :=
  if rescale f then
    let found := ranges (rows f) in [seq scaled_row (measures f) found row | row <- rows f]
  else rows f.

Definition problem_of (f : file) : problem := Problem
  [seq recurrence_of u.1 u.2 | u <- zip (measures f) (degrees f)] (order_of f)
  [seq Sample u.1 u.2.1 u.2.2 | u <- zip (points_of f) (zip (labels f) (boxes f))].

(** The recurrence of Jacobi is that of Jacobi.v. *)
Local Open Scope ring_scope.
Lemma Q2F_nat (F : realFieldType) k : Q2F F (qnat k) = k%:R.
Proof. by rewrite /qnat Q2FZ /Z2F; have -> : int_of_Z (Z.of_nat k) = k by lia. Qed.

Theorem jacobi_stepE (F : realFieldType) (al be : Q) k (u := reduced (jacobi_step al be k)) :
  Q2F F u.1 = jacobi_a (Q2F F al) (Q2F F be) k /\
  Q2F F u.2 = jacobi_b (Q2F F al) (Q2F F be) k.+1.
Proof.
rewrite /u /reduced !Q2F_red /jacobi_step; case: k {u} => [|k]; cbn [fst snd];
  rewrite /jacobi_a /jacobi_b !(Q2FD, Q2FM, Q2FV, Q2FB) !Q2F_nat Q2F1 //.
Qed.
