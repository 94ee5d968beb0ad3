(* Criteria that are sums over the states of a subset, as means over the states of all features. *)
From Coq Require Import Reals ZArith PArith List Bool Lra Lia FunctionalExtensionality.
From FS Require Import Sums Distributions OneShape Entropies States.
Import ListNotations.
Open Scope R_scope.

(* The states of a subset S, as states of all features that are 0 elsewhere, the probability of state s and class y, and
   that of class y. *)
Definition states_of d (S : list nat) := states (keep (mem S) (sizes d)).
Definition chance_of d (S s : list nat) (y : nat) := cell_of d (mem S) s y.
Definition prior d (y : nat) := sum (fun x => p d x y) (omega d).

Section PerState.
Variables (d : dist) (V : list nat).
Lemma mass_in_state x s y : In x (omega d) -> project (mem V) x = s -> mass d V x y = chance_of d V s y.
Proof.
  intros Hx <-. unfold mass, chance_of, cell_of. rewrite sum_filter. apply sum_ext; intros x' Hx'.
  replace (same_state (project (mem V) x') (project (mem V) x)) with (alike V x x'); [reflexivity|].
  apply eq_true_iff_eq. rewrite same_state_ok, agree_alike, (project_agree (sizes d)) by (apply in_states; assumption). split; congruence.
Qed.
(* What a state counts may depend on its probabilities, and is proportional to them. *)
Variable F : (nat -> R) -> R.
Hypothesis same_values : forall u v, (forall y, In y (labels d) -> u y = v y) -> F u = F v.
Hypothesis proportional : forall c v, 0 <= c -> F (fun y => c * v y) = c * F v.
Theorem sum_of_states : sum (fun s => F (chance_of d V s)) (states_of d V) = sum (fun x => px d x * F (post d V x)) (omega d).
Proof.
  rewrite (by_states d (mem V) (fun x => px d x * F (post d V x))). apply sum_ext; intros s _.
  set (xs := filter (fun x => same_state (project (mem V) x) s) (omega d)). set (t := sum (chance_of d V s) (labels d)).
  assert (T : sum (px d) xs = t) by (unfold t, chance_of, cell_of, px; apply sum_swap).
  assert (T0 : 0 <= t) by (rewrite <- T; apply sum_ge0; intros; apply px_ge0).
  rewrite (sum_ext _ (fun x => / t * F (chance_of d V s) * px d x)).
  - rewrite sum_scale, T. destruct (Req_dec t 0) as [Z|N]; [|field; exact N].
    assert (Zero : forall y, In y (labels d) -> chance_of d V s y = 0).
    { intros y Hy. apply (sum_zero (chance_of d V s) (labels d)); auto. intros z _. apply sum_ge0; intros; apply nonneg. }
    rewrite (same_values (chance_of d V s) (fun y => 0 * 0)) by (intros y Hy; rewrite (Zero y Hy); ring). rewrite (proportional 0 (fun _ => 0)) by lra. rewrite Z. ring.
  - intros x Hx. apply filter_In in Hx as [Hx E]. apply same_state_ok in E.
    assert (Total : tot d V x = t) by (rewrite <- sum_mass; apply sum_ext; intros y _; now apply mass_in_state).
    destruct (Rle_lt_or_eq_dec 0 _ (px_ge0 d x)) as [P|P]; [|rewrite <- P; ring]. pose proof (tot_px d V x Hx). rewrite Total in *.
    rewrite (same_values (post d V x) (fun y => / t * chance_of d V s y)).
    + rewrite proportional by (left; apply Rinv_0_lt_compat; lra). ring.
    + intros y _. unfold post, Rdiv. rewrite Total, (mass_in_state x s y Hx E). ring.
Qed.
End PerState.

Section Priors.
Variable d : dist.
Lemma prior_ge0 y : 0 <= prior d y.
Proof. apply sum_ge0; intros; apply nonneg. Qed.
Lemma total_prior : sum (prior d) (labels d) = 1.
Proof. unfold prior. rewrite sum_swap. exact (total_px d). Qed.
Lemma mean_post V y : In y (labels d) -> sum (fun x => px d x * post d V x y) (omega d) = prior d y.
Proof.
  intros Hy. assert (One : forall g : nat -> R, sum (fun z => g z * (if Nat.eqb y z then 1 else 0)) (labels d) = g y).
  { intros g. rewrite (sum_ext _ (fun z => if Nat.eqb y z then g y else 0)); [apply (sum_one Nat.eqb Nat.eqb_eq); [apply seq_NoDup|exact Hy]|].
    intros z _. destruct (Nat.eqb_spec y z) as [->|_]; ring. }
  unfold prior. rewrite (sum_ext (fun x => p d x y) (fun x => sum (fun z => p d x z * (if Nat.eqb y z then 1 else 0)) (labels d))) by (intros; now rewrite One).
  rewrite (mean_by_states d V (fun _ z => if Nat.eqb y z then 1 else 0)) by reflexivity. apply sum_ext; intros x _. now rewrite One.
Qed.
Lemma post_of_none x y : post d [] x y = prior d y.
Proof.
  unfold post. replace (tot d [] x) with 1; [|symmetry; exact (total_px d)]. replace (mass d [] x y) with (prior d y) by reflexivity. field.
Qed.
(* A class that does not occur has no probability in any state. *)
Lemma no_post V x y : prior d y = 0 -> post d V x y = 0.
Proof.
  intros Z. unfold post. replace (mass d V x y) with 0; [unfold Rdiv; ring|]. apply Rle_antisym; [apply mass_ge0|]. rewrite <- Z.
  apply sum_le; intros z _. pose proof (nonneg d z y). destruct (alike V x z); lra.
Qed.
End Priors.
Lemma maximum_scale c l : 0 <= c -> maximum (map (fun a => c * a) l) = c * maximum l.
Proof.
  intros H. induction l as [|a [|b t] IH]; [cbn; ring|reflexivity|]. cbn [map] in *. rewrite !maximum_cons, IH. rewrite RmaxRmult by exact H. reflexivity.
Qed.
