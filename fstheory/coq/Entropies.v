(* Entropies of features and the class, from the definition, and Shannon's inequalities. *)
From Coq Require Import Reals ZArith PArith NArith List Bool Lra Lia.
From FS Require Import Cases Sums Maxima Distributions EverySize.
Import ListNotations.
Open Scope R_scope.

(* A cell is a state of all features, followed by the class, which so is the variable after the last feature. *)
Definition cells d := states (sizes d ++ [classes d]).
Definition weight d (c : list nat) := p d (firstn (features d) c) (nth (features d) c 0%nat).
Definition alike (V : list nat) (c c' : list nat) : bool := forallb (fun i => Nat.eqb (nth i c 0%nat) (nth i c' 0%nat)) V.
(* The probability that the variables V are as in the cell c, and the entropy: the mean of minus its logarithm, in nats. *)
Definition chance d V c := sum (weight d) (filter (alike V c) (cells d)).
Definition mean_log d V := sum (fun c => weight d c * - ln (chance d V c)) (cells d).
Definition entropy d (S : list nat) := mean_log d S.
Definition joint_entropy d (S : list nat) := mean_log d (S ++ [features d]).

Lemma alike_ok V c c' : alike V c c' = true <-> forall i, In i V -> nth i c 0%nat = nth i c' 0%nat.
Proof. unfold alike. rewrite forallb_forall. split; intros H i Hi; [apply Nat.eqb_eq|apply Nat.eqb_eq]; auto. Qed.
Lemma alike_self V c : alike V c c = true.
Proof. now apply alike_ok. Qed.
Lemma alike_sym V c c' : alike V c c' = alike V c' c.
Proof. apply eq_true_iff_eq. rewrite !alike_ok. split; intros H i Hi; symmetry; auto. Qed.
Lemma weight_ge0 d c : 0 <= weight d c.
Proof. apply nonneg. Qed.
Lemma cells_by_state cs k (f : list nat -> nat -> R) : sum (fun c => f (firstn (length cs) c) (nth (length cs) c 0%nat)) (states (cs ++ [k])) =
  sum (fun x => sum (f x) (seq 0 k)) (states cs).
Proof.
  revert f; induction cs as [|c t IH]; intros f; cbn [app states length].
  - cbn [sum]. rewrite sum_flat_map. rewrite Rplus_0_r. apply sum_ext; intros i _. cbn [map sum firstn nth]. lra.
  - rewrite !sum_flat_map. apply sum_ext; intros i _. rewrite !sum_map. cbn [firstn nth]. apply (IH (fun x y => f (i :: x) y)).
Qed.
Lemma total_weight d : sum (weight d) (cells d) = 1.
Proof. unfold weight, cells, features. rewrite (cells_by_state (sizes d) (classes d) (p d)). exact (total d). Qed.
Lemma chance_ge0 d V c : 0 <= chance d V c.
Proof. apply sum_ge0; intros; apply weight_ge0. Qed.
Lemma chance_alike d V c c' : alike V c c' = true -> chance d V c = chance d V c'.
Proof.
  intros A. unfold chance. f_equal. apply filter_ext. intros e. apply eq_true_iff_eq. rewrite alike_ok in A. rewrite !alike_ok.
  split; intros H i Hi; [rewrite <- A|rewrite A]; auto.
Qed.
Lemma chance_weight d V c : In c (cells d) -> weight d c <= chance d V c.
Proof. intros Hc. apply (sum_term (weight d)); [intros; apply weight_ge0|]. apply filter_In; split; [exact Hc|apply alike_self]. Qed.
Lemma ln_below x : 0 < x -> ln x <= x - 1.
Proof. intros P. pose proof (exp_ineq1_le (ln x)) as E. rewrite exp_ln in E by exact P. lra. Qed.

(* Gibbs' inequality: no prediction q of the cells has a smaller mean of minus its logarithm than the weights have. *)
Lemma gibbs d (b q : list nat -> R) : (forall c, In c (cells d) -> 0 < weight d c -> 0 < b c /\ 0 < q c) ->
  sum (fun c => if Rlt_dec 0 (weight d c) then weight d c * (q c / b c) else 0) (cells d) <= 1 ->
  sum (fun c => weight d c * - ln (b c)) (cells d) <= sum (fun c => weight d c * - ln (q c)) (cells d).
Proof.
  intros P Q. enough (sum (fun c => weight d c * - ln (b c) - weight d c * - ln (q c)) (cells d) <= 0) by (rewrite sum_minus in *; lra).
  apply Rle_trans with (sum (fun c => (if Rlt_dec 0 (weight d c) then weight d c * (q c / b c) else 0) - weight d c) (cells d)).
  - apply sum_le; intros c Hc. destruct (Rlt_dec 0 (weight d c)) as [W|W].
    + destruct (P c Hc W) as [Pb Pq]. pose proof (ln_below (q c / b c) (Rdiv_lt_0_compat _ _ Pq Pb)) as L.
      unfold Rdiv in L. rewrite ln_mult, ln_Rinv in L by (auto; now apply Rinv_0_lt_compat).
      apply Rle_trans with (weight d c * (ln (q c) + - ln (b c))); [right; ring|].
      unfold Rdiv. apply Rle_trans with (weight d c * (q c * / b c - 1)); [|right; ring]. apply Rmult_le_compat_l; lra.
    + pose proof (weight_ge0 d c). replace (weight d c) with 0 by lra. lra.
  - rewrite sum_minus, total_weight. lra.
Qed.

(* I(A; B | C) >= 0, for the unions AC, BC and ABC as sets of variables. *)
Section Information.
Variables (d : dist) (AC BC ABC C : list nat).
Hypotheses (left : incl AC ABC) (right : incl BC ABC) (union : forall i, In i ABC -> In i AC \/ In i BC)
  (in_left : incl C AC) (in_right : incl C BC).
Definition split_chance c := chance d AC c * chance d BC c / chance d C c.
Lemma alike_less V W c c' : incl V W -> alike W c c' = true -> alike V c c' = true.
Proof. rewrite !alike_ok. auto. Qed.
(* The pairs of cells e, f that agree in C count w(e) w(f) / P(C) in one class of cells that agree in ABC at most. *)
Lemma one_class e f : In e (cells d) -> In f (cells d) -> 0 < weight d e ->
  sum (fun c => if Rlt_dec 0 (weight d c) then (if alike AC c e && alike BC c f then weight d c * / chance d ABC c * / chance d C c else 0) else 0) (cells d)
  <= if alike C e f then / chance d C e else 0.
Proof.
  intros He Hf Pe.
  destruct (existsb (fun c => alike AC c e && alike BC c f && if Rlt_dec 0 (weight d c) then true else false) (cells d)) eqn:E.
  - apply existsb_exists in E as (c0 & H0 & E). apply andb_prop in E as [E W0]; apply andb_prop in E as [E1 E2].
    destruct (Rlt_dec 0 (weight d c0)) as [P0|]; [|discriminate]. clear W0.
    assert (Cef : alike C e f = true).
    { rewrite alike_ok in E1, E2 |- *. intros i Hi. rewrite <- E1, <- E2; auto. }
    rewrite Cef. assert (Pc : 0 < chance d C e) by (pose proof (chance_weight d C e He); lra).
    assert (P0' : 0 < chance d ABC c0) by (pose proof (chance_weight d ABC c0 H0); lra).
    apply Rle_trans with (sum (fun c => (if alike ABC c0 c then weight d c else 0) * (/ chance d ABC c0 * / chance d C e)) (cells d)).
    + apply sum_le; intros c Hc. destruct (Rlt_dec 0 (weight d c)) as [W|W].
      * destruct (alike AC c e && alike BC c f) eqn:Q.
        -- apply andb_prop in Q as [Q1 Q2]. assert (A : alike ABC c0 c = true).
           { rewrite alike_ok in *. intros i Hi. destruct (union i Hi) as [U|U]; [rewrite E1, Q1|rewrite E2, Q2]; auto. }
           rewrite A, (chance_alike d ABC c0 c A), (chance_alike d C c e (alike_less C AC c e in_left Q1)). lra.
        -- apply Rmult_le_pos; [destruct (alike ABC c0 c); [apply weight_ge0|lra]|]. apply Rmult_le_pos; left; now apply Rinv_0_lt_compat.
      * apply Rmult_le_pos; [destruct (alike ABC c0 c); [apply weight_ge0|lra]|]. apply Rmult_le_pos; left; now apply Rinv_0_lt_compat.
    + rewrite (sum_ext _ (fun c => (/ chance d ABC c0 * / chance d C e) * (if alike ABC c0 c then weight d c else 0))) by (intros; ring).
      rewrite sum_scale, <- sum_filter. fold (chance d ABC c0). right. field. lra.
  - apply Rle_trans with (sum (fun _ : list nat => 0) (cells d)).
    + apply sum_le; intros c Hc. destruct (Rlt_dec 0 (weight d c)) as [W|W]; [|lra]. destruct (alike AC c e && alike BC c f) eqn:Q; [|lra].
      exfalso. assert (X : existsb (fun c => alike AC c e && alike BC c f && if Rlt_dec 0 (weight d c) then true else false) (cells d) = true).
      { apply existsb_exists. exists c; split; [exact Hc|]. rewrite Q. now destruct (Rlt_dec 0 (weight d c)). }
      congruence.
    + rewrite sum_0. destruct (alike C e f); [left; apply Rinv_0_lt_compat; pose proof (chance_weight d C e He); lra|lra].
Qed.
Lemma spread c : chance d AC c * chance d BC c =
  sum (fun e => sum (fun f => if alike AC c e && alike BC c f then weight d e * weight d f else 0) (cells d)) (cells d).
Proof.
  unfold chance at 1. rewrite sum_filter. rewrite (Rmult_comm (sum _ _)), <- sum_scale. apply sum_ext; intros e _.
  unfold chance. rewrite sum_filter, (Rmult_comm (sum _ _)), <- sum_scale. apply sum_ext; intros f _.
  destruct (alike AC c e), (alike BC c f); simpl; lra.
Qed.
Lemma split_at_most_1 :
  sum (fun c => if Rlt_dec 0 (weight d c) then weight d c * (split_chance c / chance d ABC c) else 0) (cells d) <= 1.
Proof.
  apply Rle_trans with (sum (fun e => sum (fun f => weight d e * weight d f * (if alike C e f then / chance d C e else 0)) (cells d)) (cells d)).
  - rewrite (sum_ext _ (fun c => sum (fun e => sum (fun f => weight d e * weight d f *
      (if Rlt_dec 0 (weight d c) then (if alike AC c e && alike BC c f then weight d c * / chance d ABC c * / chance d C c else 0) else 0)) (cells d)) (cells d))).
    + rewrite sum_swap. apply sum_le; intros e He. rewrite sum_swap. apply sum_le; intros f Hf. rewrite sum_scale.
      destruct (Rle_lt_or_eq_dec 0 (weight d e) (weight_ge0 d e)) as [P|Z]; [|rewrite <- Z; lra].
      apply Rmult_le_compat_l; [apply Rmult_le_pos; apply weight_ge0|]. now apply one_class.
    + intros c Hc. destruct (Rlt_dec 0 (weight d c)) as [W|W].
      * unfold split_chance, Rdiv. rewrite spread.
        replace (weight d c * (sum (fun e => sum (fun f => if alike AC c e && alike BC c f then weight d e * weight d f else 0) (cells d)) (cells d) * / chance d C c * / chance d ABC c))
          with ((weight d c * / chance d ABC c * / chance d C c) * sum (fun e => sum (fun f => if alike AC c e && alike BC c f then weight d e * weight d f else 0) (cells d)) (cells d)) by ring.
        rewrite <- sum_scale. apply sum_ext; intros e _. rewrite <- sum_scale. apply sum_ext; intros f _.
        destruct (alike AC c e && alike BC c f); ring.
      * symmetry. rewrite (sum_ext _ (fun _ => 0)); [apply sum_0|]. intros e _. rewrite (sum_ext _ (fun _ => 0)); [apply sum_0|]. intros f _. ring.
  - rewrite <- (total_weight d). apply sum_le; intros e He.
    rewrite (sum_ext _ (fun f => (weight d e * (if Rlt_dec 0 (weight d e) then / chance d C e else 0)) * (if alike C e f then weight d f else 0))).
    + rewrite sum_scale, <- sum_filter. fold (chance d C e). destruct (Rlt_dec 0 (weight d e)) as [P|P].
      * right. field. pose proof (chance_weight d C e He). lra.
      * pose proof (weight_ge0 d e). lra.
    + intros f _. destruct (Rlt_dec 0 (weight d e)) as [P|P]; [destruct (alike C e f); ring|].
      pose proof (weight_ge0 d e). replace (weight d e) with 0 by lra. ring.
Qed.
Theorem information_ge0 : 0 <= mean_log d AC + mean_log d BC - mean_log d ABC - mean_log d C.
Proof.
  enough (mean_log d ABC <= mean_log d AC + mean_log d BC - mean_log d C) by lra.
  apply Rle_trans with (sum (fun c => weight d c * - ln (split_chance c)) (cells d)).
  - apply (gibbs d (chance d ABC) split_chance); [|exact split_at_most_1]. intros c Hc P.
    assert (Q : forall V, 0 < chance d V c) by (intros V; pose proof (chance_weight d V c Hc); lra).
    split; [apply Q|]. unfold split_chance. apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; apply Q|apply Q].
  - right. unfold mean_log. rewrite <- sum_plus, <- sum_minus. apply sum_ext; intros c Hc.
    destruct (Rle_lt_or_eq_dec 0 (weight d c) (weight_ge0 d c)) as [P|Z]; [|rewrite <- Z; ring].
    assert (Q : forall V, 0 < chance d V c) by (intros V; pose proof (chance_weight d V c Hc); lra).
    unfold split_chance, Rdiv. rewrite !ln_mult, ln_Rinv by (auto using Rinv_0_lt_compat, Rmult_lt_0_compat). ring.
Qed.
End Information.
Lemma entropy_of_none d : mean_log d [] = 0.
Proof.
  unfold mean_log. rewrite (sum_ext _ (fun _ => 0)); [apply sum_0|]. intros c _. replace (chance d [] c) with 1; [rewrite ln_1; ring|].
  symmetry. unfold chance. rewrite <- (total_weight d). f_equal. clear. induction (cells d); simpl; congruence.
Qed.

(* Sets of variables as numbers, as in certificates: bit n, after those of the features, stands for the class. *)
Definition variables d n (m : N) : list nat := elements n m ++ if N.testbit m (N.of_nat n) then [features d] else [].
Definition h_ n (m : N) : tm := if N.eqb m 0 then C 0 else var (2 ^ N.of_nat n + m).
(* Risks, then entropies, by their numbers. *)
Definition risks_and_entropies d n (i : N) : R :=
  if (i <? 2 ^ N.of_nat n)%N then bayes_risk d (elements n i) else mean_log d (variables d n (i - 2 ^ N.of_nat n)).
Lemma risk_values d n m : (m < 2 ^ N.of_nat n)%N -> risks_and_entropies d n m = bayes_risk d (elements n m).
Proof. intros L. unfold risks_and_entropies. apply N.ltb_lt in L. now rewrite L. Qed.
Lemma entropy_values d n m : risks_and_entropies d n (2 ^ N.of_nat n + m) = mean_log d (variables d n m).
Proof.
  unfold risks_and_entropies. destruct (N.ltb_spec (2 ^ N.of_nat n + m) (2 ^ N.of_nat n)); [lia|]. do 2 f_equal. lia.
Qed.
(* H(a | S) for a variable that is not in S: a feature, or the class, which is variable n. *)
Definition given_ n (s : N) (a : nat) := Minus (h_ n (N.lor s (2 ^ N.of_nat a))) (h_ n s).

Lemma in_elements n m i : In i (elements n m) <-> (i < n)%nat /\ N.testbit m (N.of_nat i) = true.
Proof. unfold elements. rewrite filter_In, in_seq. intuition lia. Qed.
Lemma elements_none n : elements n 0 = [].
Proof. unfold elements. induction (seq 0 n) as [|i l IH]; [reflexivity|]. cbn [filter]. now rewrite N.bits_0. Qed.
Lemma small_bits n m i : small n m = true -> (n <= i)%nat -> N.testbit m (N.of_nat i) = false.
Proof.
  unfold small. intros L I. apply N.ltb_lt in L. destruct (N.eq_dec m 0) as [->|Z]; [apply N.bits_0|]. apply N.bits_above_log2. apply N.log2_lt_pow2 in L; lia.
Qed.
Lemma small_lor n s t : small n s = true -> small n t = true -> small n (N.lor s t) = true.
Proof.
  intros Ss St. apply N.ltb_lt. destruct (N.eq_dec (N.lor s t) 0) as [->|Z]; [apply N.neq_0_lt_0, N.pow_nonzero; lia|].
  apply N.log2_lt_pow2; [lia|]. apply N.nle_gt. intros L. pose proof (N.bit_log2 _ Z) as B. rewrite N.lor_spec in B.
  replace (N.log2 (N.lor s t)) with (N.of_nat (N.to_nat (N.log2 (N.lor s t)))) in B by lia. rewrite !(small_bits n) in B; auto; [discriminate|lia..].
Qed.
Lemma chance_same d V W c : (forall i, In i V <-> In i W) -> chance d V c = chance d W c.
Proof.
  intros E. unfold chance. f_equal. apply filter_ext. intros e. apply eq_true_iff_eq. rewrite !alike_ok. split; intros A i Hi; apply A, E, Hi.
Qed.
Lemma mean_log_same d V W : (forall i, In i V <-> In i W) -> mean_log d V = mean_log d W.
Proof. intros E. apply sum_ext; intros c _. now rewrite (chance_same d V W c E). Qed.
Section Facts.
Variables (d : dist) (n : nat) (rho : Pos.t -> R).
Hypothesis has_n : length (sizes d) = n.
Definition joint m := (m <? 2 * 2 ^ N.of_nat n)%N.
Hypothesis rho_entropy : forall m, joint m = true -> val rho (var (2 ^ N.of_nat n + m)) = mean_log d (variables d n m).
Lemma at_entropy m : joint m = true -> val rho (h_ n m) = mean_log d (variables d n m).
Proof.
  intros J. unfold h_. destruct (N.eqb_spec m 0) as [->|_]; [|now apply rho_entropy]. cbn [val].
  unfold variables. now rewrite N.bits_0, app_nil_r, elements_none, entropy_of_none.
Qed.
Lemma in_variables m i : In i (variables d n m) <-> (i <= n)%nat /\ N.testbit m (N.of_nat i) = true.
Proof.
  unfold variables, elements, features. rewrite in_app_iff, filter_In, in_seq, has_n. split.
  - intros [[L B]|I]; [split; [lia|exact B]|]. destruct (N.testbit m (N.of_nat n)) eqn:E; [|destruct I]. destruct I as [<-|[]]. auto.
  - intros [L B]. destruct (Nat.eq_dec i n) as [->|D]; [right; rewrite B; left; reflexivity|left; split; [lia|exact B]].
Qed.
Lemma at_given m a : small n m = true -> (a <= n)%nat -> val rho (given_ n m a) = mean_log d (elements n m ++ [a]) - mean_log d (elements n m).
Proof.
  intros Sm L. assert (J : forall k, (forall i, (n < i)%nat -> N.testbit k (N.of_nat i) = false) -> joint k = true).
  { intros k H. apply N.ltb_lt. replace (2 * 2 ^ N.of_nat n)%N with (2 ^ N.of_nat (S n))%N by (rewrite Nat2N.inj_succ; apply N.pow_succ_r').
    destruct (N.eq_dec k 0) as [->|Z]; [apply N.neq_0_lt_0, N.pow_nonzero; lia|]. apply N.log2_lt_pow2; [lia|]. apply N.nle_gt. intros G.
    pose proof (N.bit_log2 _ Z) as B. replace (N.log2 k) with (N.of_nat (N.to_nat (N.log2 k))) in B by lia. rewrite H in B; [discriminate|lia]. }
  assert (below_n : forall i, N.testbit m (N.of_nat i) = true -> (i < n)%nat).
  { intros i B. apply Nat.nle_gt. intros G. rewrite (small_bits n) in B; auto; discriminate. }
  assert (Bit : forall i, N.testbit (N.lor m (2 ^ N.of_nat a)) (N.of_nat i) = (N.testbit m (N.of_nat i) || Nat.eqb i a)%bool).
  { intros i. rewrite N.lor_spec, N.pow2_bits_eqb. f_equal. destruct (Nat.eqb_spec i a) as [->|D]; [apply N.eqb_refl|apply N.eqb_neq; lia]. }
  unfold given_; cbn [val]. rewrite !at_entropy.
  - f_equal; apply mean_log_same; intros i; rewrite in_variables.
    + rewrite Bit, in_app_iff, in_elements. simpl. destruct (Nat.eqb_spec i a) as [->|D].
      * rewrite orb_true_r. intuition.
      * rewrite orb_false_r. pose proof (below_n i). intuition lia.
    + rewrite in_elements. pose proof (below_n i). intuition.
  - apply J. intros i Li. apply (small_bits n); auto; lia.
  - apply J. intros i Li. rewrite Bit, (small_bits n) by (auto; lia). apply Nat.eqb_neq. lia.
Qed.
End Facts.
