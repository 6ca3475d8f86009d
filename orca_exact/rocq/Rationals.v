(** * Integers and fractions of the standard library in an ordered field

    What `vm_compute` computes are numbers of type Z and Q; what is proved is about an ordered
    field F. [Z2F] and [Q2F] are the embeddings, with one lemma for each operation. *)
From Coq Require Import ZArith QArith Qreduction.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring zify ssrZ.
From Orca Require Import Compat.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coq_Z.

Arguments Qred : simpl never. Arguments Qplus : simpl never. Arguments Qmult : simpl never.
Arguments Qminus : simpl never. Arguments Qinv : simpl never. Arguments Qopp : simpl never.
Definition q0 : Q := Qmake Z0 xH.
Definition q1 : Q := Qmake (Zpos xH) xH.

Section Embedding.
Variable F : realFieldType.
Definition Z2F (z : Z) : F := (int_of_Z z)%:~R.
Lemma Z2FD a b : Z2F (a + b)%coq_Z = Z2F a + Z2F b.
Proof. by rewrite /Z2F -[(a + b)%coq_Z]/(a + b)%R !rmorphD. Qed.
Lemma Z2FM a b : Z2F (a * b)%coq_Z = Z2F a * Z2F b.
Proof. by rewrite /Z2F -[(a * b)%coq_Z]/(a * b)%R !rmorphM. Qed.
Lemma Z2FN a : Z2F (- a)%coq_Z = - Z2F a.
Proof. by rewrite /Z2F -[(- a)%coq_Z]/(- a)%R !rmorphN. Qed.
Lemma Z2FB a b : Z2F (a - b)%coq_Z = Z2F a - Z2F b.
Proof. by rewrite -[(a - b)%coq_Z]/(a + (- b))%coq_Z Z2FD Z2FN. Qed.
Lemma Z2F0 : Z2F Z0 = 0. Proof. by []. Qed.
Lemma Z2F1 : Z2F (Zpos xH) = 1. Proof. by []. Qed.
Lemma Z2F_le a b : (Z2F a <= Z2F b) = Z.leb a b.
Proof. rewrite /Z2F ler_int; lia. Qed.
Lemma Z2F_lt a b : (Z2F a < Z2F b) = Z.ltb a b.
Proof. rewrite /Z2F ltr_int; lia. Qed.
Lemma Z2F_eq a b : (Z2F a == Z2F b) = Z.eqb a b.
Proof. rewrite /Z2F eqr_int; lia. Qed.
Lemma Z2F_abs a : Z2F (Z.abs a) = `|Z2F a|.
Proof. rewrite /Z2F -intr_norm; congr (_%:~R); lia. Qed.
Lemma Z2F_gt0 p : 0 < Z2F (Zpos p).
Proof. by rewrite /Z2F -[0]/(0%:~R) ltr_int; lia. Qed.
Lemma Z2F_neq0 p : Z2F (Zpos p) != 0.
Proof. by rewrite gt_eqF // Z2F_gt0. Qed.

Definition Q2F (q : Q) : F := Z2F (Qnum q) / Z2F (Zpos (Qden q)).
Lemma Q2F0 : Q2F q0 = 0. Proof. by rewrite /Q2F /= Z2F0 mul0r. Qed.
Lemma Q2F1 : Q2F q1 = 1. Proof. by rewrite /Q2F /= divff // Z2F_neq0. Qed.
Lemma Q2FD p q : Q2F (Qplus p q) = Q2F p + Q2F q.
Proof.
case: p q => [a b] [c d]; rewrite /Q2F /Qplus /= Pos2Z.inj_mul Z2FD !Z2FM.
by field; rewrite !Z2F_neq0.
Qed.
Lemma Q2FM p q : Q2F (Qmult p q) = Q2F p * Q2F q.
Proof.
case: p q => [a b] [c d]; rewrite /Q2F /Qmult /= Pos2Z.inj_mul !Z2FM.
by field; rewrite !Z2F_neq0.
Qed.
Lemma Q2FN p : Q2F (Qopp p) = - Q2F p.
Proof. by case: p => a b; rewrite /Q2F /Qopp /= Z2FN mulNr. Qed.
Lemma Q2FB p q : Q2F (Qminus p q) = Q2F p - Q2F q.
Proof. by rewrite /Qminus Q2FD Q2FN. Qed.
Lemma Q2FV p : Q2F (Qinv p) = (Q2F p)^-1.
Proof.
case: p => [[|a|a] b]; rewrite /Q2F /Qinv /=; first by rewrite !Z2F0 !mul0r invr0.
  by rewrite invf_div.
have -> : Z2F (Zneg b) = - Z2F (Zpos b) by rewrite -Z2FN.
have -> : Z2F (Zneg a) = - Z2F (Zpos a) by rewrite -Z2FN.
by rewrite invfM invrK invrN !mulNr [in RHS]mulrC.
Qed.
Lemma Q2F_eq p q : Qeq_bool p q = (Q2F p == Q2F q).
Proof.
case: p q => [a b] [c d]; rewrite /Qeq_bool /Q2F /=.
rewrite eqr_div ?Z2F_neq0 // -!Z2FM Z2F_eq.
apply/idP/idP => [/Zeq_bool_eq e|/Z.eqb_eq e]; first by apply/Z.eqb_eq.
by apply/Zeq_is_eq_bool.
Qed.
Lemma Q2F_le p q : Qle_bool p q = (Q2F p <= Q2F q).
Proof.
case: p q => [a b] [c d]; rewrite /Qle_bool /Q2F /=.
by rewrite ler_pdivrMr ?Z2F_gt0 // mulrAC ler_pdivlMr ?Z2F_gt0 // -!Z2FM Z2F_le.
Qed.
Lemma Q2F_red p : Q2F (Qred p) = Q2F p.
Proof. by apply/eqP; rewrite -Q2F_eq; apply/Qeq_bool_iff/Qred_correct. Qed.
Lemma Q2FZ z : Q2F (Qmake z 1) = Z2F z.
Proof. by rewrite /Q2F /= divr1. Qed.

(** Strictly less, as a test. *)
Definition Qlt_bool (p q : Q) := ~~ Qle_bool q p.
Lemma Q2F_lt p q : Qlt_bool p q = (Q2F p < Q2F q).
Proof. by rewrite /Qlt_bool Q2F_le -ltNge. Qed.
End Embedding.
