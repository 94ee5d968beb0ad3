(* Sums of criteria over a tree of subsets, with cost-sensitive risks. The posterior is that of the last class. *)
From Coq Require Import Reals ZArith QArith Qreals PArith NArith List Bool Lra Lia.
From FS Require Import Cases Sums Distributions EverySize Entropies States Gini Facts LogSums Envelopes Trees Impurities Known Further PerState Balanced Costs.
Import ListNotations.
Open Scope R_scope.

Theorem cost_tree_above d n tbl t e cover : classes d = 2%nat -> length (sizes d) = n -> table_fits tbl = true -> grows n 0 t = true ->
  Trees.shown false tbl t e [] 0%Q cover = true -> real e <= sum_of d n (fun c V => cost_sensitive_risk d (Q2R c) V) t.
Proof.
  intros two Hn F G Sh. pose proof (sum_above d two 1%nat (one_of_two d two) n Hn tbl F false ltac:(discriminate) (fun c V => cost_sensitive_risk d (Q2R c) V)) as A.
  specialize (A ltac:(intros c V; now apply cost_of_two) t e [] cover G Sh). rewrite real_none in A. lra.
Qed.

(* A criterion that is a cost-sensitive risk, by its place, and its variables. *)
Record cost_in a := At { cost : Q; at_place : nat; found : nth_error (criteria a) at_place = Some (cost_sensitive_risk (law a) (Q2R cost)) }.
Arguments cost {a}. Arguments at_place {a}.
Definition costs_here a (l : list (cost_in a)) (t : Q) := find (fun one => Qeq_bool (cost one) t) l.
Definition cost_variable a l t s := match costs_here a l t with Some one => q_ a (at_place one) s | None => C 0 end.
Definition has_variable a l t := match costs_here a l t with Some _ => true | None => false end.
Definition log_cost_variable a l t s := log_times a (cost_variable a l t s).
Definition has_log_variable a l t s := has_log_times a (cost_variable a l t s).
Local Obligation Tactic := idtac.
Local Opaque Trees.shown table_fits.
Program Definition cost_tree a (l : list (cost_in a)) t c cover logs : known a := let n := width a in {|
  options := [Le (multiple c (C 1) (fun i => log_at n i 0)) (tree_ n (log_g a) (cost_variable a l) (log_cost_variable a l) t)];
  checked := given_classes (given_count a) 2 && grows n 0 t && amount_fits (fun _ => true) c && amounts_fit (has_log_g a) (has_variable a l) (has_log_variable a l) t && table_fits logs
    && Trees.shown false logs t (of_amount c) [] 0%Q cover |}.
Next Obligation.
  intros a l t c cover logs n Q rho M. rewrite !andb_true_iff in Q. destruct Q as (((((K & Gr) & Ac) & Am) & F) & Sh). cbn [sat].
  pose proof (cost_tree_above (law a) n logs t _ cover (classes_are a rho M 2 K) (has_width a rho M) F Gr Sh) as B.
  assert (E : forall c' s, has_variable a l c' = true -> member a s = true -> val rho (cost_variable a l c' s) = cost_sensitive_risk (law a) (Q2R c') (elements n s)).
  { intros c' s H S. unfold has_variable, cost_variable in *. unfold costs_here in *. destruct (find _ l) as [one|] eqn:E; [|discriminate].
    apply find_some in E as [_ E]. apply Qeq_bool_iff, Qeq_eqR in E. rewrite <- E. exact (val_criterion a rho M (at_place one) _ s (found a one) S). }
  rewrite (val_tree n (log_g a) (has_log_g a) (cost_variable a l) (log_cost_variable a l) (has_variable a l) (has_log_variable a l) (law a) rho (has_width a rho M) (has_amounts a rho M) (val_log_g a rho M)
    (fun c V => cost_sensitive_risk (law a) (Q2R c) V) E) with (m := 0%N); [|..|exact Gr|exact Am].
  - rewrite real_of_amount in B. eapply Rle_trans; [|exact B]. right. rewrite (val_multiple rho (fun _ => true) c (C 1) _ Ac); [cbn [val]; ring|].
    intros i I _. rewrite (amount_log (law a) n rho (has_width a rho M) (has_amounts a rho M)) by (exact I || (unfold each; pose proof (N.pow_nonzero 2 (N.of_nat n)); lia)). reflexivity.
  - intros c' s i H S I L. rewrite <- (E c' s H S). now apply val_log_times.
Qed.
