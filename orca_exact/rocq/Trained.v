(** * The trained SVM in its coordinates (between sections 2 and 4)

    Svm.v is about vectors in an inner-product space, Expansion.v about families of functions p_k. With the
    feature map Phi(x) = (p_k(x))_k in R^M both are about the same thing: <Phi(x), Phi(z)> = K(x,z), and
    w(alpha) has the coordinates c_k = sum_i alpha_i y_i p_k(x_i). Hence every theorem of Svm.v holds of
    the classifiers of Expansion.v, and their c_k depend on no choice of the solver.
    *)
From mathcomp Require Import all_ssreflect all_algebra.
From Orca Require Import Form Family Expansion Svm StrongDuality.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Trained.
Variables (R : realFieldType) (X : Type) (S : space R X) (M : finType) (p : M -> S) (m : nat) (x : 'I_m -> X).
(** Phi(x) = (p_k(x))_k. *)
Definition feat (u : X) : 'rV[R]_#|M| := \row_k ev u (p (enum_val k)).
(** Its inner products are the kernel of the family. *)
Theorem feat_kernel u v : dot (euclid R #|M|) (feat u) (feat v) = kernel_of p u v.
Proof.
rewrite /= /kernel_of (eq_bigr (fun k => ev u (p (enum_val k)) * ev v (p (enum_val k)))) => [|k _]; last by rewrite !mxE.
by rewrite (reindex (@enum_val M predT)) //; exists enum_rank => ? _; rewrite ?enum_valK ?enum_rankK.
Qed.
(** The coordinates of w(alpha) are the c_k of the expansion. *)
Theorem feat_w y a k : (w_of (fun i => feat (x i)) y a) 0 (enum_rank k) = trained_coef p x (fun i => a i * y i) k.
Proof. by rewrite summxE; apply: eq_bigr => i _; rewrite !mxE enum_rankK. Qed.
(** The c_k do not depend on which dual solution was found. *)
Theorem coordinates_unique y C a a' w b : (forall i, 0 <= C i) ->
  primal_optimal (euclid R #|M|) (fun i => feat (x i)) y C w b ->
  dual_optimal (euclid R #|M|) (fun i => feat (x i)) y C a -> dual_optimal (euclid R #|M|) (fun i => feat (x i)) y C a' ->
  trained_coef p x (fun i => a i * y i) =1 trained_coef p x (fun i => a' i * y i).
Proof.
move=> C0 opt d1 d2 k; rewrite -!feat_w.
by have [<- _] := optimal_pair C0 opt d1; have [<- _] := optimal_pair C0 opt d2.
Qed.
End Trained.
