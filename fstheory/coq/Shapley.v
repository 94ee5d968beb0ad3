(* The Shapley value, which exported statements name. *)
From Coq Require Import Reals ZArith List Bool Factorial.
From FS Require Import Sums Distributions.
Import ListNotations.
Open Scope R_scope.

(* The lists of some of the elements of a list, in its order. *)
Fixpoint parts (l : list nat) : list (list nat) := match l with [] => [[]] | a :: rest => parts rest ++ map (cons a) (parts rest) end.

(* A set S of other features stands before feature i, alone, in |S|! (n - 1 - |S|)! of the n! orders of the features. *)
Definition share n (S : list nat) : R := IZR (Z.of_nat (fact (length S) * fact (n - 1 - length S))) / IZR (Z.of_nat (fact n)).
Definition others n i := filter (fun j => negb (Nat.eqb j i)) (seq 0 n).
Definition with_feature n i S := filter (fun j => Nat.eqb j i || mem S j) (seq 0 n).

(* The mean, over all orders of n features, of the amount by which feature i lowers r(features before it). *)
Definition shapley (r : list nat -> R) (n i : nat) : R :=
  sum (fun S => share n S * (r S - r (with_feature n i S))) (parts (others n i)).

(* The amounts by which all features lower r, each by its value, add up to the whole. *)
Example efficient_2 r : shapley r 2 0 + shapley r 2 1 = r [] - r [0%nat; 1%nat].
Proof. cbv -[Rplus Rmult Rinv Rdiv Rminus Ropp IZR]. field. Qed.
Example efficient_3 r : shapley r 3 0 + shapley r 3 1 + shapley r 3 2 = r [] - r [0%nat; 1%nat; 2%nat].
Proof. cbv -[Rplus Rmult Rinv Rdiv Rminus Ropp IZR]. field. Qed.

(* A value is written out as the sum that it is. *)
Ltac shapley_values := repeat match goal with |- context [shapley ?r ?n ?i] =>
  let f := fresh "r" in let E := fresh "E" in set (f := r); let s := eval cbv -[Rplus Rmult Rinv Rdiv Rminus Ropp IZR f] in (shapley f n i) in
  change (shapley f n i) with s; subst f end; cbv beta.
