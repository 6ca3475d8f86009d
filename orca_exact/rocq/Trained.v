(** * The trained SVM in its coordinates (between sections 2 and 4)

    Svm.v is about vectors in an inner-product space, Expansion.v about families of functions
    p_k. The feature map Phi(x) = (p_k(x))_k in R^M connects them: <Phi(x), Phi(z)> = K(x,z)
    [feat_kernel], and w(alpha) has the coordinates c_k = sum_i alpha_i y_i p_k(x_i) [feat_w].
    Hence every theorem of Svm.v holds of the classifiers of Expansion.v, and their c_k do not
    depend on the solver [coordinates_unique]. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Orca Require Import Form Family Expansion Svm StrongDuality.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Trained.
Variables (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S).
Variables (m : nat) (x : 'I_m -> X).

(** Phi(x) = (p_k(x))_k. *)
Definition feat (u : X) : 'rV[R]_#|M| := \row_k ev u (p (enum_val k)).
Local Notation E := (euclid R #|M|).
Local Notation phi := (fun i => feat (x i)).

(** Its inner products are the kernel of the family. *)
Theorem feat_kernel u v : dot E (feat u) (feat v) = kernel_of p u v.
Proof.
rewrite /= /kernel_of (reindex (@enum_val M predT)) /=; last first.
  by exists enum_rank => ? _; rewrite ?enum_valK ?enum_rankK.
by apply: eq_bigr => k _; rewrite !mxE.
Qed.

(** The coordinates of w(alpha) are the c_k of the expansion. *)
Theorem feat_w y a k :
  (w_of phi y a) 0 (enum_rank k) = trained_coef p x (fun i => a i * y i) k.
Proof. by rewrite summxE; apply: eq_bigr => i _; rewrite !mxE enum_rankK. Qed.

(** The c_k do not depend on which dual solution was found. *)
Theorem coordinates_unique y C a a' w b : (forall i, 0 <= C i) ->
  primal_optimal E phi y C w b -> dual_optimal E phi y C a -> dual_optimal E phi y C a' ->
  trained_coef p x (fun i => a i * y i) =1 trained_coef p x (fun i => a' i * y i).
Proof.
move=> C0 opt d1 d2 k; rewrite -!feat_w.
by have [<- _] := optimal_pair C0 opt d1; have [<- _] := optimal_pair C0 opt d2.
Qed.
End Trained.

(** The norm of h counts c_0 and not b: moving a constant from b to c_0 does not change h + b. *)
Theorem bias_unregularized (R : realFieldType) (X : Type) (S : space R X) (M : finType)
    (p : M -> S) (c : M -> R) (k0 : M) (p0 b delta : R) :
  orthonormal p -> (forall z, ev z (p k0) = p0) ->
  let h := combination p c in let h' := h + delta *: p k0 in
  (forall z, ev z h' + (b - delta * p0) = ev z h + b) /\
  '[h', h'] = '[h, h] + 2%:R * delta * c k0 + delta ^+ 2.
Proof.
move=> p_on p0E h h'; split=> [z|]; first by rewrite linearD linearZ /= p0E; ring.
rewrite !(dotDl, dotDr, dotZl, dotZr) (dotC _ (p k0) h) (coefficients p_on) p_on eqxx /=.
by ring.
Qed.
