(** * The smallest example

    Functions on one point of mass 1/4, over the rationals: <f,g> = f g / 4, one mode
    p_0 = 2, K = 4. It satisfies the hypotheses of Family.v, and the falsified twins are
    refuted on it. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Form Family.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Notation ratF := [realFieldType of rat].

Lemma point_ev_scalar (x : unit) : scalar (fun f : rat^o => f : rat).
Proof. by []. Qed.

Lemma point_ip_scalar (f : rat^o) : scalar (fun g : rat^o => (f : rat) * g / 4%:R).
Proof. by move=> a g e; rewrite -[a *: g]/(a * g : rat) mulrDr mulrDl mulrCA -!mulrA. Qed.

Lemma point_sym (f g : rat^o) : (f : rat) * g / 4%:R = (g : rat) * f / 4%:R.
Proof. by congr (_ / _); rewrite mulrC. Qed.

Definition point : space ratF unit :=
  @Space ratF unit [lmodType rat of rat^o] (fun x => Linear (point_ev_scalar x))
    (SymmetricForm point_sym point_ip_scalar).

Definition point_mode (k : 'I_1) : point := 2%:R : rat^o.

Lemma point_mode_on : orthonormal point_mode.
Proof. by move=> j k; rewrite (ord1 j) (ord1 k). Qed.

Lemma kernel_of_point x z : kernel_of point_mode x z = 4%:R.
Proof. by rewrite /kernel_of big_ord1. Qed.
