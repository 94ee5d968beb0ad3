(* The balanced loss: the number of classes less the sum, over the states of a subset, of the largest P(s, y) / P(y). *)
From Coq Require Import Reals ZArith PArith NArith List Bool Lra Lia ClassicalEpsilon FunctionalExtensionality.
From FS Require Import Cases Sums Maxima Distributions EverySize Entropies States Curves Bridge Gini Facts Known Trees Further PerState.
Import ListNotations.
Open Scope R_scope.

(* A class that does not occur counts as 0 in each state. *)
Definition best_rate d (v : nat -> R) := maximum (map (fun y => v y / prior d y) (labels d)).
Definition balanced_loss d (S : list nat) := INR (classes d) - sum (fun s => best_rate d (chance_of d S s)) (states_of d S).

Section Balanced.
Variable d : dist.
Notation rate V x := (best_rate d (post d V x)).
Theorem balanced_by_states V : balanced_loss d V = INR (classes d) - sum (fun x => px d x * rate V x) (omega d).
Proof.
  unfold balanced_loss. rewrite (sum_of_states d V (best_rate d)); [reflexivity|..].
  - intros u v E. unfold best_rate. f_equal. apply map_ext_in. intros y Hy. now rewrite (E y Hy).
  - intros c v C. unfold best_rate. rewrite <- maximum_scale, map_map by exact C. f_equal. apply map_ext. intros y. unfold Rdiv. ring.
Qed.
Lemma rate_ge V x y : In y (labels d) -> post d V x y / prior d y <= rate V x.
Proof. intros Hy. apply maximum_ge, (in_map (fun y => post d V x y / prior d y)), Hy. Qed.
(* The class with the best rate, which is the same in all states that V does not tell apart. *)
Definition favorite V x : nat := epsilon (inhabits 0%nat) (fun y => In y (labels d) /\ post d V x y / prior d y = rate V x).
Lemma favorite_ok V x : In (favorite V x) (labels d) /\ post d V x (favorite V x) / prior d (favorite V x) = rate V x.
Proof.
  unfold favorite. apply epsilon_spec. assert (NE : map (fun y => post d V x y / prior d y) (labels d) <> []) by (intros E; apply map_eq_nil in E; exact (some_class d E)).
  pose proof (maximum_in _ NE) as I. apply in_map_iff in I as (y & E & Hy). exists y. split; [exact Hy|exact E].
Qed.
Lemma favorite_alike V x x' : alike V x x' = true -> favorite V x = favorite V x'.
Proof. intros A. unfold favorite. assert (E : post d V x = post d V x') by (apply functional_extensionality; intros y; now apply post_alike). now rewrite E. Qed.
Theorem balanced_less S T : incl S T -> balanced_loss d T <= balanced_loss d S.
Proof.
  intros I. rewrite !balanced_by_states. enough (sum (fun x => px d x * rate S x) (omega d) <= sum (fun x => px d x * rate T x) (omega d)) by lra.
  set (f := fun x y => if Nat.eqb (favorite S x) y then / prior d y else 0).
  assert (One : forall V x, sum (fun y => post d V x y * f x y) (labels d) = post d V x (favorite S x) / prior d (favorite S x)).
  { intros V x. unfold f. rewrite (sum_ext _ (fun y => if Nat.eqb (favorite S x) y then post d V x (favorite S x) / prior d (favorite S x) else 0)).
    - apply (sum_one Nat.eqb Nat.eqb_eq); [apply seq_NoDup|apply favorite_ok].
    - intros y _. destruct (Nat.eqb_spec (favorite S x) y) as [<-|_]; [reflexivity|ring]. }
  assert (Seen : forall V, incl S V -> sum (fun x => px d x * (post d V x (favorite S x) / prior d (favorite S x))) (omega d) = sum (fun x => sum (fun y => p d x y * f x y) (labels d)) (omega d)).
  { intros V IV. rewrite (mean_by_states d V f); [apply sum_ext; intros x _; now rewrite One|].
    intros x x' y _ _ A. unfold f. now rewrite (favorite_alike S x x' (alike_less S V x x' IV A)). }
  rewrite (sum_ext (fun x => px d x * rate S x) (fun x => px d x * (post d S x (favorite S x) / prior d (favorite S x)))) by (intros x _; now rewrite (proj2 (favorite_ok S x))).
  rewrite (Seen S (incl_refl S)), <- (Seen T I). apply mean_le. intros x _ _. apply rate_ge, favorite_ok.
Qed.
Lemma rates_of_occurring V : sum (fun x => px d x * sum (fun y => post d V x y / prior d y) (labels d)) (omega d) <= INR (classes d).
Proof.
  rewrite (sum_ext _ (fun x => sum (fun y => px d x * (post d V x y / prior d y)) (labels d))) by (intros; now rewrite <- sum_scale). rewrite sum_swap.
  rewrite <- (Rmult_1_l (INR (classes d))), <- total_labels. apply sum_le. intros y Hy.
  rewrite (sum_ext _ (fun x => / prior d y * (px d x * post d V x y))) by (intros; unfold Rdiv; ring). rewrite sum_scale, (mean_post d V y Hy).
  destruct (Req_dec (prior d y) 0) as [Z|N]; [rewrite Z; lra|]. rewrite Rinv_l by exact N. lra.
Qed.
Theorem balanced_ge0 V : 0 <= balanced_loss d V.
Proof.
  rewrite balanced_by_states. enough (sum (fun x => px d x * rate V x) (omega d) <= INR (classes d)) by lra. eapply Rle_trans; [|apply (rates_of_occurring V)].
  apply mean_le. intros x Hx P. rewrite <- (proj2 (favorite_ok V x)). apply (sum_term (fun y => post d V x y / prior d y)); [|apply favorite_ok]. intros y _.
  destruct (Req_dec (prior d y) 0) as [Z|N]; [rewrite (no_post d V x y Z); unfold Rdiv; lra|]. pose proof (prior_ge0 d y).
  apply Rmult_le_pos; [now apply post_ge0|left; apply Rinv_0_lt_compat; lra].
Qed.
Theorem balanced_blind : balanced_loss d [] = INR (classes d) - 1.
Proof.
  rewrite balanced_by_states, (sum_ext _ (px d)); [now rewrite total_px|]. intros x _. replace (rate [] x) with 1; [ring|].
  assert (At : forall y, post d [] x y / prior d y = if Req_EM_T (prior d y) 0 then 0 else 1).
  { intros y. rewrite post_of_none. destruct (Req_EM_T (prior d y) 0) as [Z|N]; [rewrite Z; unfold Rdiv; ring|field; exact N]. }
  destruct (sum_pos (prior d) (labels d)) as (y & Hy & P); [rewrite total_prior; lra|]. apply Rle_antisym.
  - pose proof (rate_ge [] x y Hy) as G. rewrite At in G. destruct (Req_EM_T (prior d y) 0); [lra|exact G].
  - rewrite <- (proj2 (favorite_ok [] x)), At. destruct (Req_EM_T _ 0); lra.
Qed.

(* Two classes, of which class 1 has the probability p. *)
Hypothesis two : classes d = 2%nat.
Notation p := (prior d 1).
Notation q V x := (post d V x 1).
Lemma one_of_two : In 1%nat (labels d).
Proof. rewrite (two_labels d two). cbn. auto. Qed.
Lemma other_prior : prior d 0 = 1 - p.
Proof. pose proof (total_prior d) as T. rewrite (two_labels d two) in T. cbn [sum] in T. lra. Qed.
Lemma other_post V x : In x (omega d) -> 0 < px d x -> post d V x 0 = 1 - q V x.
Proof. intros Hx P. pose proof (total_post d V x Hx P) as T. rewrite (two_labels d two) in T. cbn [sum] in T. lra. Qed.
Lemma rate_of_two V x : In x (omega d) -> 0 < px d x -> rate V x = Rmax ((1 - q V x) / (1 - p)) (q V x / p).
Proof. intros Hx P. unfold best_rate. rewrite (two_labels d two). cbn [map maximum]. now rewrite other_prior, other_post. Qed.
(* The same value of a cost-sensitive risk: a mistake in class 0 costs c, and one in class 1 costs 1 - c. *)
Definition mean_cost c V := mean d (fun x => Rmin ((1 - c) * q V x) (c * (1 - q V x))).
Lemma mean_mean V : mean d (fun x => q V x) = p.
Proof. exact (mean_post d V 1 one_of_two). Qed.
Lemma mean_one : mean d (fun _ => 1) = 1.
Proof. unfold mean. rewrite (sum_ext _ (px d)) by (intros; ring). apply total_px. Qed.
Lemma mean_times c f : mean d (fun x => c * f x) = c * mean d f.
Proof. unfold mean. rewrite <- sum_scale. apply sum_ext; intros; ring. Qed.
Theorem risk_of_two V : bayes_risk d V = 2 * mean_cost (1 / 2) V.
Proof.
  rewrite risk_by_states. unfold mean_cost. rewrite <- mean_times. apply mean_same. intros x Hx P. rewrite (proj1 (by_phi d two 1 one_of_two V x Hx P)).
  unfold Rmin. destruct (Rle_dec (q V x) (1 - q V x)), (Rle_dec ((1 - 1 / 2) * q V x) (1 / 2 * (1 - q V x))); lra.
Qed.
Theorem cost_of_none c : mean_cost c [] = Rmin ((1 - c) * p) (c * (1 - p)).
Proof.
  unfold mean_cost. rewrite (mean_same d _ (fun _ => Rmin ((1 - c) * p) (c * (1 - p)) * 1)) by (intros; rewrite post_of_none; ring). rewrite mean_times, mean_one. ring.
Qed.
Theorem balanced_of_one V : p = 0 \/ p = 1 -> balanced_loss d V = 1.
Proof.
  intros Z. rewrite balanced_by_states, two. replace (sum (fun x => px d x * rate V x) (omega d)) with (mean d (fun _ => 1)); [rewrite mean_one; simpl; ring|].
  apply mean_same. intros x Hx P. rewrite rate_of_two by assumption. pose proof (other_post V x Hx P) as O.
  destruct Z as [Z|Z].
  - rewrite Z, (no_post d V x 1 Z). unfold Rdiv. rewrite Rmult_0_l, Rminus_0_r, Rinv_1. unfold Rmax. destruct (Rle_dec _ _); lra.
  - assert (Z0 : prior d 0 = 0) by (rewrite other_prior; lra). rewrite (no_post d V x 0 Z0) in O. replace (q V x) with 1 by lra. rewrite Z. replace (1 - 1) with 0 by ring.
    unfold Rdiv. rewrite Rmult_0_l, Rinv_1. unfold Rmax. destruct (Rle_dec _ _); lra.
Qed.
Theorem balanced_of_two V : 0 < p < 1 -> p * (1 - p) * balanced_loss d V = mean_cost p V.
Proof.
  intros P. rewrite balanced_by_states, two. change (INR 2) with 2.
  assert (E : mean_cost p V = mean d (fun x => p * (1 - p) * (q V x / p + (1 - q V x) / (1 - p) - rate V x))).
  { apply mean_same. intros x Hx Px. rewrite rate_of_two by assumption. set (z := q V x). pose proof (Rinv_0_lt_compat p ltac:(lra)). pose proof (Rinv_0_lt_compat (1 - p) ltac:(lra)).
    assert (E1 : (1 - p) * z = p * (1 - p) * (z / p)) by (field; lra). assert (E2 : p * (1 - z) = p * (1 - p) * ((1 - z) / (1 - p))) by (field; lra).
    assert (W : 0 < p * (1 - p)) by (apply Rmult_lt_0_compat; lra). rewrite E1, E2. set (u := z / p). set (v := (1 - z) / (1 - p)).
    assert (C : u <= v \/ v < u) by (destruct (Rle_lt_dec u v); auto). destruct C as [C|C].
    - rewrite Rmin_left, Rmax_left by (try (apply Rmult_le_compat_l; lra); lra). ring.
    - rewrite Rmin_right, Rmax_right by (try (apply Rmult_le_compat_l; lra); lra). ring. }
  rewrite E, mean_times. f_equal. unfold mean.
  rewrite (sum_ext (fun x => px d x * (q V x / p + (1 - q V x) / (1 - p) - rate V x)) (fun x => (/ p - / (1 - p)) * (px d x * q V x) + / (1 - p) * px d x - px d x * rate V x)) by (intros; unfold Rdiv; ring).
  rewrite sum_minus, sum_plus, !sum_scale, total_px. pose proof mean_mean V as MM. unfold mean in MM. rewrite MM. field. lra.
Qed.
Lemma occurring : (p = 0 \/ p = 1) \/ 0 < p < 1.
Proof.
  pose proof (prior_ge0 d 1) as P1. pose proof (prior_ge0 d 0) as P0. rewrite other_prior in P0. destruct (Req_dec p 0); [auto|]. destruct (Req_dec p 1); [auto|]. right. lra.
Qed.
Theorem balanced_certain V : 0 < bayes_risk d V /\ 0 < balanced_loss d V \/ bayes_risk d V = 0 /\ balanced_loss d V = 0 \/ bayes_risk d [] = 0 /\ balanced_loss d V = 1.
Proof.
  destruct occurring as [One|P].
  - right; right. split; [|now apply balanced_of_one]. rewrite risk_of_two, cost_of_none. unfold Rmin. destruct One as [Z|Z]; rewrite Z; destruct (Rle_dec _ _); lra.
  - assert (W : 0 < p * (1 - p)) by (apply Rmult_lt_0_compat; lra). pose proof (balanced_of_two V P) as B. rewrite risk_of_two. set (h := mean_cost (1 / 2) V).
    assert (Q : forall x, In x (omega d) -> 0 < px d x -> 0 <= q V x <= 1) by (apply (phi_01 d 1 one_of_two)).
    assert (Below : mean_cost p V <= 2 * h).
    { unfold h, mean_cost. rewrite <- mean_times. apply mean_below. intros x Hx Px. specialize (Q x Hx Px). set (z := q V x) in *.
      assert ((1 - p) * z <= z) by (rewrite <- (Rmult_1_l z) at 2; apply Rmult_le_compat_r; lra). assert (p * (1 - z) <= 1 - z) by (rewrite <- (Rmult_1_l (1 - z)) at 2; apply Rmult_le_compat_r; lra).
      unfold Rmin. destruct (Rle_dec ((1 - p) * z) (p * (1 - z))), (Rle_dec ((1 - 1 / 2) * z) (1 / 2 * (1 - z))); lra. }
    assert (Above : p * (1 - p) * (2 * h) <= mean_cost p V).
    { unfold h, mean_cost. rewrite <- !mean_times. apply mean_below. intros x Hx Px. specialize (Q x Hx Px). set (z := q V x) in *.
      assert (p * ((1 - p) * z) <= (1 - p) * z) by (rewrite <- (Rmult_1_l ((1 - p) * z)) at 2; apply Rmult_le_compat_r; [apply Rmult_le_pos|]; lra).
      assert ((1 - p) * (p * (1 - z)) <= p * (1 - z)) by (rewrite <- (Rmult_1_l (p * (1 - z))) at 2; apply Rmult_le_compat_r; [apply Rmult_le_pos|]; lra).
      assert (p * (1 - p) * (2 * Rmin ((1 - 1 / 2) * z) (1 / 2 * (1 - z))) <= p * (1 - p) * z /\ p * (1 - p) * (2 * Rmin ((1 - 1 / 2) * z) (1 / 2 * (1 - z))) <= p * (1 - p) * (1 - z)).
      { split; apply Rmult_le_compat_l; try lra; unfold Rmin; destruct (Rle_dec _ _); lra. }
      apply Rmin_glb; lra. }
    pose proof (floor d _ _ (bayes_risk_ok d V)) as R0. rewrite risk_of_two in R0. fold h in R0.
    destruct (Rle_lt_or_eq_dec 0 _ R0) as [L|Z].
    + left. split; [exact L|]. apply Rmult_lt_reg_l with (p * (1 - p)); [exact W|]. rewrite B, Rmult_0_r. eapply Rlt_le_trans; [|exact Above]. now apply Rmult_lt_0_compat.
    + right; left. split; [now symmetry|]. apply Rmult_eq_reg_l with (p * (1 - p)); [|lra]. rewrite B, Rmult_0_r. rewrite <- Z in Above, Below. lra.
Qed.
Theorem equal_priors V : bayes_risk d [] < 1 / 2 \/ balanced_loss d V = 2 * bayes_risk d V.
Proof.
  destruct (Rlt_or_le (bayes_risk d []) (1 / 2)) as [L|G]; [auto|right]. rewrite risk_of_two, cost_of_none in G.
  assert (H : p = 1 / 2) by (unfold Rmin in G; destruct (Rle_dec _ _); lra). pose proof (balanced_of_two V ltac:(lra)) as B. rewrite H in B. rewrite risk_of_two. lra.
Qed.
(* The loss is at least R / (1 - R). *)
Theorem balanced_odds V a : bayes_risk d V - a * a <= (1 - a) * (1 - a) * balanced_loss d V.
Proof.
  pose proof (floor d _ _ (bayes_risk_ok d V)) as R0. pose proof (ceiling d _ _ (bayes_risk_ok d V)) as R1. pose proof (balanced_ge0 V) as B0.
  assert (L : bayes_risk d V <= bayes_risk d []) by (apply (monotone d (mem []) (mem V)); try apply bayes_risk_ok; intros i Hi; discriminate).
  pose proof (Rle_0_sqr a) as A0. pose proof (Rle_0_sqr (1 - a)) as A1. pose proof (Rle_0_sqr (bayes_risk d V - a)) as A2. unfold Rsqr in A0, A1, A2.
  assert (None_ : bayes_risk d [] <= p /\ bayes_risk d [] <= 1 - p /\ bayes_risk d [] * (1 - bayes_risk d []) = p * (1 - p)).
  { rewrite risk_of_two, cost_of_none. unfold Rmin. destruct (Rle_dec ((1 - 1 / 2) * p) (1 / 2 * (1 - p))); repeat split; lra. }
  set (b := balanced_loss d V) in *. set (r := bayes_risk d V) in *. set (r0 := bayes_risk d []) in *. destruct None_ as (N1 & N2 & N).
  destruct occurring as [One|P]; [unfold b; rewrite (balanced_of_one V One); lra|].
  assert (W : 0 < p * (1 - p)) by (apply Rmult_lt_0_compat; lra). assert (Pos : 0 < r0).
  { destruct (Rle_lt_or_eq_dec 0 r0 ltac:(lra)) as [G|Z]; [exact G|]. rewrite <- Z in N. lra. }
  assert (Below : r0 * r <= r0 * ((1 - r0) * b)).
  { replace (r0 * ((1 - r0) * b)) with (r0 * (1 - r0) * b) by ring. rewrite N. unfold b. rewrite (balanced_of_two V P). unfold r. rewrite risk_of_two. unfold mean_cost. rewrite <- !mean_times.
    apply mean_below. intros x Hx Px. pose proof (phi_01 d 1 one_of_two V x Hx Px) as Q. set (z := q V x) in *. set (m := Rmin ((1 - 1 / 2) * z) (1 / 2 * (1 - z))).
    assert (M : 0 <= 2 * m /\ 2 * m <= z /\ 2 * m <= 1 - z) by (unfold m, Rmin; destruct (Rle_dec _ _); lra).
    apply Rmin_glb; (apply Rmult_le_compat; lra). }
  apply Rmult_le_reg_l in Below; [|exact Pos]. assert (Odds : r <= (1 - r) * b) by (eapply Rle_trans; [exact Below|apply Rmult_le_compat_r; lra]).
  apply Rmult_le_reg_r with (1 - r); [lra|]. apply (Rmult_le_compat_l ((1 - a) * (1 - a))) in Odds; [lra|exact A1].
Qed.
(* If the balanced loss is the same as without features, so is what is said of the class. *)
Theorem balanced_ties V : balanced_loss d [] <= balanced_loss d V -> forall x y, In x (omega d) -> 0 < px d x -> In y (labels d) -> post d V x y = post d [] x y.
Proof.
  intros L x y Hx Px Hy. rewrite post_of_none. enough (E : q V x = p).
  { rewrite (two_labels d two) in Hy. destruct Hy as [<-|[<-|[]]]; [rewrite other_post, other_prior by assumption; lra|exact E]. }
  destruct occurring as [[Z|Z]|P].
  - now rewrite (no_post d V x 1 Z).
  - pose proof (other_post V x Hx Px) as O. rewrite (no_post d V x 0) in O by (rewrite other_prior; lra). lra.
  - assert (W : 0 < p * (1 - p)) by (apply Rmult_lt_0_compat; lra). apply (Rmult_le_compat_l (p * (1 - p))) in L; [|lra]. rewrite !balanced_of_two, cost_of_none in L by exact P.
    set (g := fun x => p * (1 - p) - Rmin ((1 - p) * q V x) (p * (1 - q V x))).
    assert (G : forall z, In z (omega d) -> 0 < px d z -> 0 <= g z /\ (g z = 0 -> q V z = p)).
    { intros z Hz Pz. unfold g. set (t := q V z). assert (S : p * ((1 - p) * t) + (1 - p) * (p * (1 - t)) = p * (1 - p)) by ring.
      destruct (Rtotal_order t p) as [C|[C|C]].
      - assert ((1 - p) * t < (1 - p) * p) by (apply Rmult_lt_compat_l; lra). unfold Rmin. destruct (Rle_dec _ _); split; intros; lra.
      - rewrite C. rewrite Rmin_left by lra. split; [lra|reflexivity].
      - assert (p * (1 - t) < p * (1 - p)) by (apply Rmult_lt_compat_l; lra). unfold Rmin. destruct (Rle_dec _ _); split; intros; lra. }
    assert (Z : sum (fun x => px d x * g x) (omega d) = 0).
    { apply Rle_antisym; [|apply sum_ge0; intros z Hz; destruct (Rle_lt_or_eq_dec 0 _ (px_ge0 d z)) as [Pz|E]; [apply Rmult_le_pos; [lra|now apply G]|rewrite <- E; lra]].
      rewrite (sum_ext _ (fun x => p * (1 - p) * px d x - px d x * Rmin ((1 - p) * q V x) (p * (1 - q V x)))) by (intros; unfold g; ring).
      rewrite sum_minus, sum_scale, total_px. fold (mean d (fun x => Rmin ((1 - p) * q V x) (p * (1 - q V x)))). fold (mean_cost p V). rewrite Rmin_left in L by lra. lra. }
    apply (G x Hx Px). assert (E : px d x * g x = 0).
    { apply (sum_zero (fun x => px d x * g x) (omega d)); [|exact Z|exact Hx]. intros z Hz. destruct (Rle_lt_or_eq_dec 0 _ (px_ge0 d z)) as [Pz|E]; [apply Rmult_le_pos; [lra|now apply G]|rewrite <- E; lra]. }
    apply Rmult_integral in E as [E|E]; lra.
Qed.
End Balanced.

(* The facts and splits, where e says that criterion j is the balanced loss. For subsets s of t: the loss falls. It is at
   least 0, and 1 less than the number of classes for no features. For two classes: the risk and the loss are above 0, or
   both are 0, or only one class occurs, and the loss is 1. Or: the loss is twice the risk unless the risk without features
   is below 1/2. And it changes with any information. *)
Local Obligation Tactic := idtac.
Notation is_balanced a j := (nth_error (criteria a) j = Some (balanced_loss (law a))).
Program Definition balanced_falls a j (e : is_balanced a j) s t : known a := {| options := [Le (q_ a j t) (q_ a j s)]; checked := within a s t |}.
Next Obligation.
  cbn [sat]. intros a j e s t Q rho M. destruct (within_ok a s t Q) as (Ss & St & I). rewrite !(val_criterion a rho M j _ _ e) by assumption. now apply balanced_less.
Qed.
Program Definition balanced_least a j (e : is_balanced a j) s : known a := {| options := [Le (C 0) (q_ a j s)]; checked := member a s |}.
Next Obligation. cbn [sat val]. intros a j e s Q rho M. rewrite (val_criterion a rho M j _ _ e Q). apply balanced_ge0. Qed.
Program Definition balanced_of_none a j (e : is_balanced a j) : known a := {|
  options := [match given_count a with Some k => Eq (C (Zpos k - 1)) (q_ a j 0) | None => Eq (C 0) (C 0) end]; checked := true |}.
Next Obligation.
  intros a j e _ rho M. pose proof (val_criterion a rho M j _ _ e (no_member a)) as E. pose proof (has_classes a rho M) as K. destruct (given_count a) as [k|]; cbn [sat val]; [|reflexivity].
  rewrite E, elements_none, balanced_blind, K, real_pos. apply minus_IZR.
Qed.
Program Definition balanced_certain_or a j (e : is_balanced a j) s : known a := {|
  options := [And [Lt (C 0) (r_ s); Lt (C 0) (q_ a j s)]; And [Eq (r_ s) (C 0); Eq (q_ a j s) (C 0)]; And [Eq (r_ 0) (C 0); Eq (q_ a j s) (C 1)]];
  checked := given_classes (given_count a) 2 && member a s |}.
Next Obligation.
  cbn [sat val]. intros a j e s Q rho M. apply andb_prop in Q as [K S]. rewrite !(val_criterion a rho M j _ _ e S), !(val_risk a rho M) by auto using no_member. rewrite elements_none.
  exact (balanced_certain (law a) (classes_are a rho M 2 K) (elements (width a) s)).
Qed.
Program Definition equal_priors_or a j (e : is_balanced a j) s : known a := {|
  options := [Lt (r_ 0) (Quot 1 2); Eq (q_ a j s) (Scale 2 (r_ s))]; checked := given_classes (given_count a) 2 && member a s |}.
Next Obligation.
  cbn [sat val]. intros a j e s Q rho M. apply andb_prop in Q as [K S]. rewrite !(val_criterion a rho M j _ _ e S), !(val_risk a rho M) by auto using no_member. rewrite elements_none.
  exact (equal_priors (law a) (classes_are a rho M 2 K) (elements (width a) s)).
Qed.
Program Definition balanced_informed_or a j (e : is_balanced a j) s : known a := {|
  options := falls_with_entropy (width a) (q_ a j) s; checked := given_classes (given_count a) 2 && member a s |}.
Next Obligation.
  cbn [sat falls_with_entropy]. intros a j e s Q rho M. apply andb_prop in Q as [K S]. rewrite !(val_criterion a rho M j _ _ e), !(val_left a rho M) by auto using no_member. rewrite elements_none.
  set (V := elements (width a) s). set (d := law a). pose proof (subset_features a rho M s) as F. fold V d in F.
  assert (I : incl [] V) by (intros i []). pose proof (balanced_less d [] V I) as B.
  destruct (Rlt_or_le (balanced_loss d V) (balanced_loss d [])) as [L|G]; right; [left|right].
  - split; [exact L|]. apply Rnot_le_lt. intros H. pose proof (no_information_same_posts d [] V F I H) as P.
    enough (balanced_loss d V = balanced_loss d []) by lra. rewrite !balanced_by_states. f_equal. apply (mean_same d). intros x Hx Px. unfold best_rate. f_equal. apply map_ext_in. intros y Hy. now rewrite (P x y Hx Px Hy).
  - split; [lra|]. rewrite !left_by_states by (exact F || intros i []). apply (mean_same d). intros x Hx Px. apply sum_ext. intros y Hy.
    now rewrite (balanced_ties d (classes_are a rho M 2 K) V G x y Hx Px Hy).
Qed.
Program Definition balanced_over_risk a j (e : is_balanced a j) s x y : known a := {|
  options := [Le (Scale (Zpos y * Zpos y) (r_ s)) (Plus (Scale ((Zpos y - x) * (Zpos y - x)) (q_ a j s)) (C (x * x)))]; checked := given_classes (given_count a) 2 && member a s |}.
Next Obligation.
  cbn [sat val]. intros a j e s x y Q rho M. apply andb_prop in Q as [K S]. rewrite (val_criterion a rho M j _ _ e S), (val_risk a rho M s S). pose proof (one_le y) as Y.
  pose proof (balanced_odds (law a) (classes_are a rho M 2 K) (elements (width a) s) (IZR x / IZR (Zpos y))) as O. rewrite !mult_IZR, !minus_IZR. set (u := IZR x) in *. set (v := IZR (Zpos y)) in *.
  set (r := bayes_risk _ _) in *. set (b := balanced_loss _ _) in *. apply (Rmult_le_compat_l (v * v)) in O; [|apply Rmult_le_pos; lra].
  replace (v * v * (r - u / v * (u / v))) with (v * v * r - u * u) in O by (field; lra). replace (v * v * ((1 - u / v) * (1 - u / v) * b)) with ((v - u) * (v - u) * b) in O by (field; lra). lra.
Qed.
