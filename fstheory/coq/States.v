(* Entropies and risks as means over the states of all features, of what the classes' probabilities are there given S. *)
From Coq Require Import Reals ZArith PArith NArith List Bool Lra Lia ClassicalEpsilon FunctionalExtensionality.
From FS Require Import Sums Distributions Entropies.
From FS Require OneShape.
Import ListNotations.
Open Scope R_scope.

(* Sums over cells as sums over states and classes. *)
Lemma cells_of_states cs k (F : list nat -> R) : sum F (states (cs ++ [k])) = sum (fun x => sum (fun y => F (x ++ [y])) (seq 0 k)) (states cs).
Proof.
  revert F; induction cs as [|c t IH]; intros F; cbn [app states].
  - cbn [sum]. rewrite sum_flat_map, Rplus_0_r. apply sum_ext; intros i _. cbn [map sum app]. lra.
  - rewrite !sum_flat_map. apply sum_ext; intros i _. rewrite !sum_map. apply (IH (fun x => F (i :: x))).
Qed.
Section States.
Variable d : dist.
Notation n := (features d).
Lemma state_length x : In x (omega d) -> length x = n.
Proof. intros H. apply in_states in H. unfold features. clear - H. induction H; simpl; congruence. Qed.
Lemma weight_at x y : In x (omega d) -> weight d (x ++ [y]) = p d x y.
Proof.
  intros H. unfold weight. pose proof (state_length x H) as L. rewrite <- L, firstn_app, Nat.sub_diag, firstn_all, app_nil_r.
  now rewrite app_nth2, Nat.sub_diag by lia.
Qed.
Lemma in_cells x y : In x (omega d) -> In y (labels d) -> In (x ++ [y]) (cells d).
Proof.
  intros Hx Hy. apply in_states. apply in_states in Hx. apply in_seq in Hy. apply Forall2_app; [exact Hx|]. constructor; [lia|constructor].
Qed.
Definition of_features V := forall i, In i V -> (i < n)%nat.
Lemma alike_features V x x' y y' : of_features V -> In x (omega d) -> In x' (omega d) -> alike V (x ++ [y]) (x' ++ [y']) = alike V x x'.
Proof.
  intros HV Hx Hx'. apply eq_true_iff_eq. rewrite !alike_ok. pose proof (state_length x Hx). pose proof (state_length x' Hx').
  split; intros H1 i Hi; specialize (H1 i Hi); specialize (HV i Hi); rewrite ?app_nth1 in * by lia; exact H1.
Qed.
Lemma alike_class V x x' y y' : of_features V -> In x (omega d) -> In x' (omega d) ->
  alike (V ++ [n]) (x ++ [y]) (x' ++ [y']) = (alike V x x' && Nat.eqb y y')%bool.
Proof.
  intros HV Hx Hx'. unfold alike at 1. rewrite forallb_app. fold (alike V (x ++ [y]) (x' ++ [y'])). rewrite alike_features by auto. f_equal.
  cbn [forallb]. rewrite andb_true_r, !app_nth2 by (rewrite ?(state_length x Hx), ?(state_length x' Hx'); lia).
  rewrite (state_length x Hx), (state_length x' Hx'), Nat.sub_diag. reflexivity.
Qed.
(* The probability of what S says at x, and of that together with the class y. *)
Definition tot V x := sum (fun x' => if alike V x x' then px d x' else 0) (omega d).
Definition mass V x y := sum (fun x' => if alike V x x' then p d x' y else 0) (omega d).
Lemma chance_tot V x y : of_features V -> In x (omega d) -> chance d V (x ++ [y]) = tot V x.
Proof.
  intros HV Hx. unfold chance, cells. rewrite sum_filter, cells_of_states. apply sum_ext; intros x' Hx'.
  rewrite (sum_ext _ (fun y' => if alike V x x' then p d x' y' else 0)).
  - destruct (alike V x x'); [reflexivity|apply sum_0].
  - intros y' _. rewrite alike_features by auto. now rewrite weight_at.
Qed.
Lemma chance_mass V x y : of_features V -> In x (omega d) -> In y (labels d) -> chance d (V ++ [n]) (x ++ [y]) = mass V x y.
Proof.
  intros HV Hx Hy. unfold chance, cells. rewrite sum_filter, cells_of_states. apply sum_ext; intros x' Hx'.
  rewrite (sum_ext _ (fun y' => if Nat.eqb y y' then (if alike V x x' then p d x' y else 0) else 0)).
  - apply (sum_one Nat.eqb Nat.eqb_eq); [apply seq_NoDup|exact Hy].
  - intros y' _. rewrite alike_class, weight_at by auto. destruct (alike V x x'); simpl; [|now destruct (Nat.eqb y y')].
    destruct (Nat.eqb_spec y y') as [->|_]; reflexivity.
Qed.
Lemma px_ge0 x : 0 <= px d x.
Proof. apply sum_ge0; intros; apply nonneg. Qed.
Lemma mass_ge0 V x y : 0 <= mass V x y.
Proof. apply sum_ge0; intros x' _. destruct (alike V x x'); [apply nonneg|lra]. Qed.
Lemma tot_px V x : In x (omega d) -> px d x <= tot V x.
Proof.
  intros Hx. apply Rle_trans with ((fun x' => if alike V x x' then px d x' else 0) x); [cbv beta; rewrite alike_self; lra|].
  apply (sum_term (fun x' => if alike V x x' then px d x' else 0)); [|exact Hx]. intros x' _. destruct (alike V x x'); [apply px_ge0|lra].
Qed.
Lemma sum_mass V x : sum (mass V x) (labels d) = tot V x.
Proof.
  unfold mass, tot. rewrite sum_swap. apply sum_ext; intros x' _. destruct (alike V x x'); [reflexivity|apply sum_0].
Qed.
Lemma alike_trans V x x' z : alike V x x' = true -> alike V x z = alike V x' z.
Proof.
  intros A. apply eq_true_iff_eq. rewrite alike_ok in A. rewrite !alike_ok. split; intros H1 i Hi; [rewrite <- A|rewrite A]; auto.
Qed.
Lemma tot_alike V x x' : alike V x x' = true -> tot V x = tot V x'.
Proof. intros A. apply sum_ext; intros z _. now rewrite (alike_trans V x x' z A). Qed.
Lemma mass_alike V x x' y : alike V x x' = true -> mass V x y = mass V x' y.
Proof. intros A. apply sum_ext; intros z _. now rewrite (alike_trans V x x' z A). Qed.

(* Each state x counts once; it is spread over the states that S does not tell from it, and these are summed first. *)
Lemma regroup V u : (forall x, In x (omega d) -> px d x = 0 -> u x = 0) ->
  sum u (omega d) = sum (fun x => px d x / tot V x * sum (fun x' => if alike V x x' then u x' else 0) (omega d)) (omega d).
Proof.
  intros Z. rewrite (sum_ext (fun x => px d x / tot V x * _) (fun x => sum (fun x' => u x' / tot V x' * (if alike V x' x then px d x else 0)) (omega d))).
  - rewrite sum_swap. apply sum_ext; intros x Hx. rewrite sum_scale. fold (tot V x).
    destruct (Req_dec (tot V x) 0) as [T|N]; [|field; exact N]. rewrite (Z x Hx); [unfold Rdiv; ring|].
    pose proof (tot_px V x Hx). pose proof (px_ge0 x). lra.
  - intros x _. rewrite <- sum_scale. apply sum_ext; intros x' _. rewrite (alike_sym V x' x). destruct (alike V x x') eqn:A; [|ring].
    rewrite (tot_alike V x x' A). unfold Rdiv. ring.
Qed.
(* The probability of the class y given what V says at x. *)
Definition post V x y := mass V x y / tot V x.
Lemma post_ge0 V x y : In x (omega d) -> 0 < px d x -> 0 <= post V x y.
Proof. intros Hx P. pose proof (tot_px V x Hx). apply Rmult_le_pos; [apply mass_ge0|]. left; apply Rinv_0_lt_compat. lra. Qed.
Lemma total_post V x : In x (omega d) -> 0 < px d x -> sum (post V x) (labels d) = 1.
Proof.
  intros Hx P. pose proof (tot_px V x Hx). unfold post, Rdiv. rewrite (sum_ext _ (fun y => / tot V x * mass V x y)) by (intros; ring).
  rewrite sum_scale, sum_mass. field. lra.
Qed.
Lemma post_alike V x x' y : alike V x x' = true -> post V x y = post V x' y.
Proof. intros A. unfold post. now rewrite (mass_alike V x x' y A), (tot_alike V x x' A). Qed.
Lemma p_0 x y : px d x = 0 -> In y (labels d) -> p d x y = 0.
Proof. intros Z Hy. apply (sum_zero (p d x) (labels d)); auto. intros; apply nonneg. Qed.
(* The mean of what depends on the class, and otherwise only on what V says. *)
Lemma mean_by_states V f : (forall x x' y, In x (omega d) -> In x' (omega d) -> alike V x x' = true -> f x y = f x' y) ->
  sum (fun x => sum (fun y => p d x y * f x y) (labels d)) (omega d) = sum (fun x => px d x * sum (fun y => post V x y * f x y) (labels d)) (omega d).
Proof.
  intros F. rewrite (regroup V).
  - apply sum_ext; intros x Hx. unfold Rdiv. rewrite Rmult_assoc. f_equal. rewrite <- sum_scale.
    rewrite (sum_ext (fun x' => / tot V x * _) (fun x' => sum (fun y => / tot V x * f x y * (if alike V x x' then p d x' y else 0)) (labels d))).
    + rewrite sum_swap. apply sum_ext; intros y _. rewrite sum_scale. fold (mass V x y). unfold post, Rdiv. ring.
    + intros x' Hx'. destruct (alike V x x') eqn:A.
      * rewrite <- sum_scale. apply sum_ext; intros y _. rewrite (F x x' y Hx Hx' A). ring.
      * rewrite Rmult_0_r. symmetry. rewrite (sum_ext _ (fun _ => 0)); [apply sum_0|intros; ring].
  - intros x Hx Z. rewrite (sum_ext _ (fun _ => 0)); [apply sum_0|]. intros y Hy. rewrite (p_0 x y Z Hy). ring.
Qed.

(* H(Y | V) is the mean of the entropies of these probabilities. *)
Definition surprise V x := sum (fun y => post V x y * - ln (post V x y)) (labels d).
Definition left V := mean_log d (V ++ [n]) - mean_log d V.
Theorem left_by_states V : of_features V -> left V = sum (fun x => px d x * surprise V x) (omega d).
Proof.
  intros FV. unfold surprise. rewrite <- (mean_by_states V (fun x y => - ln (post V x y))).
  - unfold left, mean_log, cells. rewrite <- sum_minus, cells_of_states. apply sum_ext; intros x Hx. apply sum_ext; intros y Hy.
    rewrite weight_at, chance_mass, chance_tot by auto. destruct (Rle_lt_or_eq_dec 0 (p d x y) (nonneg d x y)) as [P|Z]; [|rewrite <- Z; ring].
    assert (p d x y <= px d x) by (apply (sum_term (p d x)); [intros; apply nonneg|exact Hy]). pose proof (tot_px V x Hx).
    assert (M : p d x y <= mass V x y).
    { apply Rle_trans with ((fun x' => if alike V x x' then p d x' y else 0) x); [cbv beta; rewrite alike_self; lra|].
      apply (sum_term (fun x' => if alike V x x' then p d x' y else 0)); [|exact Hx]. intros x' _. destruct (alike V x x'); [apply nonneg|lra]. }
    unfold post, Rdiv. rewrite ln_mult, ln_Rinv by (try apply Rinv_0_lt_compat; lra). ring.
  - intros x x' y _ _ A. now rewrite (post_alike V x x' y A).
Qed.

(* The risk is the mean of 1 minus the largest of these probabilities. *)
Definition top V x := maximum (map (post V x) (labels d)).
Definition guess V x : nat := epsilon (inhabits 0%nat) (fun y => In y (labels d) /\ post V x y = top V x).
Lemma guess_ok V x : In (guess V x) (labels d) /\ post V x (guess V x) = top V x.
Proof.
  unfold guess. apply epsilon_spec. assert (NE : map (post V x) (labels d) <> []) by (intros E; apply map_eq_nil in E; exact (some_class d E)).
  pose proof (maximum_in _ NE) as I. apply in_map_iff in I as (y & E & Hy). exists y; auto.
Qed.
Lemma post_top V x y : In y (labels d) -> post V x y <= top V x.
Proof. intros Hy. now apply maximum_ge, in_map. Qed.
Lemma guess_alike V x x' : alike V x x' = true -> guess V x = guess V x'.
Proof.
  intros A. unfold guess, top. assert (E : post V x = post V x' ) by (apply functional_extensionality; intros y; now apply post_alike). now rewrite E.
Qed.
Lemma right_by_states V f : (forall x, In (f x) (labels d)) -> (forall x x', In x (omega d) -> In x' (omega d) -> alike V x x' = true -> f x = f x') ->
  sum (fun x => p d x (f x)) (omega d) = sum (fun x => px d x * post V x (f x)) (omega d).
Proof.
  intros Hf Sees. assert (One : forall g x, sum (fun y => g y * (if Nat.eqb (f x) y then 1 else 0)) (labels d) = g (f x)).
  { intros g x. rewrite (sum_ext _ (fun y => if Nat.eqb (f x) y then g (f x) else 0)).
    - apply (sum_one Nat.eqb Nat.eqb_eq); [apply seq_NoDup|apply Hf].
    - intros y _. destruct (Nat.eqb_spec (f x) y) as [->|_]; ring. }
  transitivity (sum (fun x => sum (fun y => p d x y * (if Nat.eqb (f x) y then 1 else 0)) (labels d)) (omega d)).
  - apply sum_ext; intros x _. symmetry. apply One.
  - rewrite (mean_by_states V (fun x y => if Nat.eqb (f x) y then 1 else 0)).
    + apply sum_ext; intros x _. f_equal. apply One.
    + intros x x' y Hx Hx' A. now rewrite (Sees x x' Hx Hx' A).
Qed.
Lemma agree_alike V x x' : alike V x x' = true <-> agree (mem V) x x'.
Proof.
  rewrite alike_ok. unfold agree, mem. split; intros A i Hi.
  - apply existsb_exists in Hi as (j & Hj & E). apply Nat.eqb_eq in E; subst j. auto.
  - apply A, existsb_exists. exists i; split; [exact Hi|apply Nat.eqb_refl].
Qed.
Theorem risk_by_states V : bayes_risk d V = sum (fun x => px d x * (1 - top V x)) (omega d).
Proof.
  apply (one_risk d (mem V)); [apply bayes_risk_ok|].
  assert (Wrong : forall f, (forall x, In (f x) (labels d)) -> (forall x x', In x (omega d) -> In x' (omega d) -> alike V x x' = true -> f x = f x') ->
    err d f = sum (fun x => px d x * (1 - post V x (f x))) (omega d)).
  { intros f Hf Sees. rewrite OneShape.right_or_wrong, (right_by_states V f Hf Sees) by auto. rewrite <- (total_px d) at 1. rewrite <- sum_minus. apply sum_ext; intros; ring. }
  split.
  - exists (guess V); split; [intros x x' _ _ A; apply guess_alike, agree_alike, A|]. rewrite Wrong.
    + apply sum_ext; intros x _. now rewrite (proj2 (guess_ok V x)).
    + intros x; apply guess_ok.
    + intros x x' _ _ A. now apply guess_alike.
  - intros f Hf. (* A guess that is no class is replaced by one that is. *)
    set (f' := fun x => if in_dec Nat.eq_dec (f x) (labels d) then f x else guess V x).
    assert (I : forall x, In (f' x) (labels d)) by (intros x; unfold f'; destruct (in_dec Nat.eq_dec (f x) (labels d)); [auto|apply guess_ok]).
    apply Rle_trans with (err d f').
    + rewrite Wrong; [|exact I|].
      * apply sum_le; intros x Hx. apply Rmult_le_compat_l; [apply px_ge0|]. pose proof (post_top V x (f' x) (I x)). lra.
      * intros x x' Hx Hx' A. unfold f'. rewrite (Hf x x' Hx Hx'), (guess_alike V x x' A) by (now apply agree_alike). reflexivity.
    + apply sum_le; intros x Hx. unfold f'. destruct (in_dec Nat.eq_dec (f x) (labels d)) as [J|J]; [lra|]. rewrite (row_out d x _ J). apply row_le.
Qed.
End States.
