(* Facts and splits as values that carry their proofs. So a criterion joins the library by a file of its own, which defines
   it and its facts and splits. No other file has to list them. *)
From Coq Require Import Reals ZArith PArith NArith List Bool Lra Lia.
From FS Require Import Cases Sums Maxima Distributions EverySize Entropies States Gini Facts Polynomials.
Import ListNotations.
Open Scope R_scope.

(* What a proof is about: a distribution of so many features, its number of classes if that is given, whether all states
   are assumed to be possible, the number of parameters of the claim, further criteria, and products of variables. *)
Record about := About { law : dist; width : nat; given_count : option Pos.t; possible : bool; parameters : nat;
  criteria : list (list nat -> R); products : list (list tm) }.
(* Its variables: amounts, parameters, criterion j of each subset s, products. *)
Definition first a := (amount_count (width a) + N.of_nat (parameters a))%N.
Definition q_ a (j : nat) (s : N) := var (first a + N.of_nat j * 2 ^ N.of_nat (width a) + s).
Definition start a := (first a + N.of_nat (length (criteria a)) * 2 ^ N.of_nat (width a))%N.
Record means a (rho : Pos.t -> R) : Prop := Means {
  has_width : length (sizes (law a)) = width a;
  has_classes : match given_count a with Some k => classes (law a) = Pos.to_nat k | None => True end;
  is_positive : possible a = true -> positive (law a);
  has_amounts : forall i, (i < amount_count (width a))%N -> val rho (var i) = amounts (law a) (width a) i;
  has_criteria : forall j f, nth_error (criteria a) j = Some f -> forall s, small (width a) s = true -> val rho (q_ a j s) = f (elements (width a) s);
  all_variables : forallb (forallb (is_variable (start a))) (products a) = true;
  has_products : forall j l, nth_error (products a) j = Some l -> val rho (var (start a + N.of_nat j)) = times rho l }.
(* Formulas, at least one of which is true if a condition holds. A fact is one formula. *)
Record known a := Know { options : list fm; checked : bool; shown : checked = true -> forall rho, means a rho -> sat rho (Or options) }.
Arguments options {a}. Arguments checked {a}. Arguments shown {a}.

(* What the proofs of facts and splits use. *)
Definition member a s := small (width a) s.
Definition within a s t := member a s && member a t && N.eqb (N.land s t) s.
Section Means.
Variables (a : about) (rho : Pos.t -> R).
Hypothesis M : means a rho.
Notation d := (law a).
Notation set := (elements (width a)).
Lemma subset_features s : of_features d (set s).
Proof. exact (elements_features d (width a) (has_width a rho M) s). Qed.
Lemma within_ok s t : within a s t = true -> member a s = true /\ member a t = true /\ incl (set s) (set t).
Proof. unfold within. rewrite !andb_true_iff. intros ((Ss & St) & I). apply N.eqb_eq in I. repeat split; auto using elements_incl. Qed.
Lemma no_member : member a 0 = true.
Proof. apply N.ltb_lt, N.neq_0_lt_0, N.pow_nonzero. lia. Qed.
Lemma val_risk s : member a s = true -> val rho (r_ s) = bayes_risk d (set s).
Proof. exact (at_risk d (width a) rho (amount_risk d (width a) rho (has_width a rho M) (has_amounts a rho M)) s). Qed.
Lemma val_gini s : member a s = true -> val rho (g_ (width a) s) = gini d (set s).
Proof. exact (amount_gini d (width a) rho (has_width a rho M) (has_amounts a rho M) s). Qed.
Lemma val_left s : member a s = true -> val rho (left_ (width a) s) = left d (set s).
Proof. exact (at_left d (width a) rho (has_width a rho M) (has_amounts a rho M) s). Qed.
Lemma val_entropy s : member a s = true -> val rho (h_ (width a) s) = mean_log d (set s).
Proof.
  intros S. pose proof (proj1 (N.ltb_lt _ _) S) as L. rewrite (at_entropy d (width a) rho (amount_entropy d (width a) rho (has_width a rho M) (has_amounts a rho M))) by (apply N.ltb_lt; lia).
  unfold variables. rewrite (small_bits (width a) s (width a) S (Nat.le_refl (width a))), app_nil_r. reflexivity.
Qed.
Lemma val_criterion j f s : nth_error (criteria a) j = Some f -> member a s = true -> val rho (q_ a j s) = f (set s).
Proof. intros E. exact (has_criteria a rho M j f E s). Qed.
Lemma in_union s t i : In i (set (N.lor s t)) <-> In i (set s ++ set t).
Proof. rewrite in_app_iff, !in_elements, N.lor_spec, orb_true_iff. intuition. Qed.
Lemma in_shared s t i : In i (set (N.land s t)) <-> In i (set s) /\ In i (set t).
Proof. rewrite !in_elements, N.land_spec, andb_true_iff. intuition. Qed.
Lemma member_union s t : member a s = true -> member a t = true -> member a (N.lor s t) = true.
Proof. exact (small_lor (width a) s t). Qed.
Lemma member_shared s t : member a s = true -> member a (N.land s t) = true.
Proof. exact (small_land d (width a) (has_width a rho M) s t). Qed.
Lemma classes_are k : given_classes (given_count a) k = true -> classes d = Pos.to_nat k.
Proof. exact (classes_given d (width a) rho (has_width a rho M) (has_amounts a rho M) (given_count a) (has_classes a rho M) k). Qed.
End Means.
