(* Theorem R: which tables of numbers are the Bayes risks of all subsets of n features, for k classes. *)
From Coq Require Import Reals List.
From FS Require Import Distributions Realizable.
Open Scope R_scope.

Definition statement := forall n k r, (2 <= k)%nat ->
  (exists d, length (sizes d) = n /\ classes d = k /\ forall S, within n S -> bayes_risk d S = r S) <->
  (forall S T, incl S T -> within n T -> r T <= r S) /\ forall S, within n S -> 0 <= r S <= 1 - / INR k.

Theorem theorem_r : statement.
Proof. exact theorem_R. Qed.
Print Assumptions theorem_r.

(* The distribution of a table of fractions has fractions. And what is proved of all distributions is true of all tables. *)
Print Assumptions realizable.
Print Assumptions complete_for_all_classes.
