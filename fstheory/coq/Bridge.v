(* Features that say nothing about the class do not lower the risk. *)
From Coq Require Import Reals ZArith PArith NArith List Bool Lra Lia ClassicalEpsilon.
From FS Require Import Cases Sums Maxima Distributions EverySize Entropies.
Import ListNotations.
Open Scope R_scope.

(* Gibbs' inequality is an equation only if the prediction is right on all cells that occur. *)
Lemma ln_equal t : 0 < t -> ln t = t - 1 -> t = 1.
Proof.
  intros P E. destruct (Req_dec (ln t) 0) as [Z|N]; [lra|]. pose proof (exp_ineq1 (ln t) N) as Q. rewrite exp_ln in Q by exact P. lra.
Qed.
Lemma gibbs_equal d (b q : list nat -> R) : (forall c, In c (cells d) -> 0 < weight d c -> 0 < b c /\ 0 < q c) ->
  sum (fun c => if Rlt_dec 0 (weight d c) then weight d c * (q c / b c) else 0) (cells d) <= 1 ->
  sum (fun c => weight d c * - ln (q c)) (cells d) <= sum (fun c => weight d c * - ln (b c)) (cells d) ->
  forall c, In c (cells d) -> 0 < weight d c -> q c = b c.
Proof.
  intros P Q E.
  set (g := fun c => (if Rlt_dec 0 (weight d c) then weight d c * (q c / b c) else 0) - weight d c - (weight d c * - ln (b c) - weight d c * - ln (q c))).
  assert (Log : forall c, In c (cells d) -> 0 < weight d c -> 0 < q c / b c /\ ln (q c / b c) = ln (q c) - ln (b c)).
  { intros c Hc W. destruct (P c Hc W) as [Pb Pq]. split; [now apply Rdiv_lt_0_compat|].
    unfold Rdiv. rewrite ln_mult, ln_Rinv by (auto; now apply Rinv_0_lt_compat). ring. }
  assert (G : forall c, In c (cells d) -> 0 <= g c).
  { intros c Hc. unfold g. destruct (Rlt_dec 0 (weight d c)) as [W|W].
    - destruct (Log c Hc W) as [T L]. pose proof (ln_below _ T) as B. rewrite L in B.
      assert (0 <= weight d c * (q c / b c - 1 - (ln (q c) - ln (b c)))) by (apply Rmult_le_pos; lra). lra.
    - pose proof (weight_ge0 d c). replace (weight d c) with 0 by lra. lra. }
  assert (Z : sum g (cells d) = 0).
  { apply Rle_antisym; [|now apply sum_ge0]. unfold g. rewrite !sum_minus, total_weight. lra. }
  intros c Hc W. pose proof (sum_zero g (cells d) G Z c Hc) as Zc. unfold g in Zc. destruct (Rlt_dec 0 (weight d c)) as [_|]; [|contradiction].
  destruct (Log c Hc W) as [T L]. destruct (P c Hc W) as [Pb Pq].
  assert (O : q c / b c = 1).
  { apply ln_equal; [exact T|]. rewrite L. apply Rmult_eq_reg_l with (weight d c); lra. }
  apply Rmult_eq_reg_r with (/ b c); [|apply Rinv_neq_0_compat; lra]. unfold Rdiv in O. rewrite O. symmetry. apply Rinv_r. lra.
Qed.
Lemma information_zero d AC BC ABC C : incl AC ABC -> incl BC ABC -> (forall i, In i ABC -> In i AC \/ In i BC) -> incl C AC -> incl C BC ->
  mean_log d AC + mean_log d BC - mean_log d ABC - mean_log d C <= 0 ->
  forall c, In c (cells d) -> 0 < weight d c -> chance d AC c * chance d BC c = chance d ABC c * chance d C c.
Proof.
  intros I1 I2 U I3 I4 Z c Hc W.
  assert (Pos : forall V e, In e (cells d) -> 0 < weight d e -> 0 < chance d V e) by (intros V e He We; pose proof (chance_weight d V e He); lra).
  assert (E : split_chance d AC BC C c = chance d ABC c).
  { apply (gibbs_equal d (chance d ABC) (split_chance d AC BC C)); auto.
    - intros e He We. split; [auto|]. unfold split_chance. apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat|]; auto.
    - apply split_at_most_1; auto.
    - enough (sum (fun e => weight d e * - ln (split_chance d AC BC C e)) (cells d) = mean_log d AC + mean_log d BC - mean_log d C) by (unfold mean_log at 3 in Z; lra).
      unfold mean_log. rewrite <- sum_plus, <- sum_minus. apply sum_ext; intros e He.
      destruct (Rle_lt_or_eq_dec 0 (weight d e) (weight_ge0 d e)) as [P|Q]; [|rewrite <- Q; ring].
      unfold split_chance, Rdiv. rewrite !ln_mult, ln_Rinv by (auto using Rinv_0_lt_compat, Rmult_lt_0_compat). ring. }
  unfold split_chance, Rdiv in E. rewrite <- E. field. apply Rgt_not_eq, Pos; auto.
Qed.

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

(* How often a classifier is right, from the probabilities of the classes given what it sees. *)
Definition right g := sum (fun x => p d x (g x)) (omega d).
Lemma p_le_px x y : In y (labels d) -> p d x y <= px d x.
Proof. intros Hy. apply (sum_term (p d x)); [intros; apply nonneg|exact Hy]. Qed.
Lemma tower V g : (forall x, In (g x) (labels d)) -> (forall x x', In x (omega d) -> In x' (omega d) -> alike V x x' = true -> g x = g x') ->
  right g = sum (fun x => px d x * (mass V x (g x) * / tot V x)) (omega d).
Proof.
  intros Hg Sees. symmetry.
  rewrite (sum_ext _ (fun x => sum (fun x' => p d x' (g x') * ((if alike V x' x then px d x else 0) * / tot V x')) (omega d))).
  - rewrite sum_swap. apply sum_ext; intros x' Hx'. rewrite sum_scale.
    rewrite (sum_ext _ (fun x => / tot V x' * (if alike V x' x then px d x else 0))) by (intros; ring). rewrite sum_scale. fold (tot V x').
    destruct (Req_dec (tot V x') 0) as [Z|N]; [|field; exact N].
    pose proof (tot_px V x' Hx'). pose proof (p_le_px x' (g x') (Hg x')). pose proof (nonneg d x' (g x')). assert (p d x' (g x') = 0) by lra. rewrite H2. ring.
  - intros x Hx. unfold mass at 1. rewrite (Rmult_comm (sum _ _)), <- Rmult_assoc, (Rmult_comm (px d x * _)), Rmult_comm, <- sum_scale.
    apply sum_ext; intros x' Hx'. rewrite (alike_sym V x' x). destruct (alike V x x') eqn:A; [|ring].
    rewrite (Sees x x' Hx Hx' A), (tot_alike V x x' A). ring.
Qed.
Definition best (l : list R) : nat := epsilon (inhabits 0%nat) (fun y => (y < length l)%nat /\ forall z, (z < length l)%nat -> nth z l 0 <= nth y l 0).
Lemma best_ok l : l <> [] -> (best l < length l)%nat /\ forall z, (z < length l)%nat -> nth z l 0 <= nth (best l) l 0.
Proof.
  intros N. unfold best. apply epsilon_spec. destruct (In_nth l (maximum l) 0 (maximum_in l N)) as (y & Ly & E). exists y; split; [exact Ly|].
  intros z Lz. rewrite E. apply maximum_ge, nth_In, Lz.
Qed.
Theorem no_information_no_gain S T r t : of_features T -> incl S T ->
  mean_log d (S ++ [n]) - mean_log d S <= mean_log d (T ++ [n]) - mean_log d T ->
  risk d (mem S) r -> risk d (mem T) t -> r <= t.
Proof.
  intros FT ST Z RS RT. assert (FS : of_features S) by (intros i Hi; apply FT, ST, Hi).
  assert (Cell : forall x y, In x (omega d) -> In y (labels d) -> 0 < p d x y -> tot T x * mass S x y = mass T x y * tot S x).
  { intros x y Hx Hy P.
    pose proof (information_zero d T (S ++ [n]) (T ++ [n]) S) as I. rewrite <- (chance_tot T x y), <- (chance_tot S x y), <- (chance_mass S x y), <- (chance_mass T x y) by auto.
    apply I; auto using in_cells; try (intros i Hi; apply in_app_iff in Hi || apply in_app_iff; auto).
    - apply in_app_iff. destruct Hi; [left; auto|right; auto].
    - destruct Hi as [Hi|Hi]; [left; auto|right; apply in_app_iff; auto].
    - lra.
    - now rewrite weight_at. }
  assert (Same : forall x y, In x (omega d) -> In y (labels d) -> 0 < px d x -> mass S x y * tot T x = mass T x y * tot S x).
  { intros x y Hx Hy P. set (h := fun y => mass S x y * tot T x - mass T x y * tot S x).
    assert (G : forall z, In z (labels d) -> 0 <= h z).
    { intros z Hz. unfold h. destruct (Rle_lt_or_eq_dec 0 (mass T x z) (mass_ge0 T x z)) as [M|M].
      - destruct (sum_pos _ _ M) as (x' & Hx' & Px'). destruct (alike T x x') eqn:A; [|lra].
        assert (B : alike S x x' = true) by (apply alike_ok; rewrite alike_ok in A; auto).
        rewrite (mass_alike T x x' z A), (tot_alike T x x' A), (mass_alike S x x' z B), (tot_alike S x x' B).
        pose proof (Cell x' z Hx' Hz Px'). lra.
      - rewrite <- M. apply Rle_trans with (mass S x z * tot T x); [|lra]. apply Rmult_le_pos; [apply mass_ge0|]. pose proof (tot_px T x Hx); lra. }
    assert (S0 : sum h (labels d) = 0).
    { unfold h. rewrite sum_minus. rewrite (sum_ext (fun a => mass S x a * tot T x) (fun a => tot T x * mass S x a)) by (intros; ring).
      rewrite (sum_ext (fun a => mass T x a * tot S x) (fun a => tot S x * mass T x a)) by (intros; ring). rewrite !sum_scale, !sum_mass. ring. }
    pose proof (sum_zero h (labels d) G S0 y Hy) as E. unfold h in E. lra. }
  assert (Agree : forall V x x', alike V x x' = true -> agree (mem V) x x').
  { intros V x x' A i Hi. unfold mem in Hi. apply existsb_exists in Hi as (j & Hj & E). apply Nat.eqb_eq in E; subst j. rewrite alike_ok in A; auto. }
  assert (Alike : forall V x x', agree (mem V) x x' -> alike V x x' = true).
  { intros V x x' A. apply alike_ok. intros i Hi. apply A. unfold mem. apply existsb_exists. exists i; split; [exact Hi|apply Nat.eqb_refl]. }
  destruct RT as [(f & Hf & E) MT].
  destruct (labels d) as [|y0 l] eqn:EL; [destruct (some_class d EL)|]. rewrite <- EL in *.
  set (f' := fun x => if in_dec Nat.eq_dec (f x) (labels d) then f x else y0).
  assert (I : forall x, In (f' x) (labels d)) by (intros x; unfold f'; destruct (in_dec Nat.eq_dec (f x) (labels d)); [auto|rewrite EL; left; auto]).
  assert (Le : err d f' <= t).
  { rewrite <- E. apply sum_le; intros x Hx. unfold f'. destruct (in_dec Nat.eq_dec (f x) (labels d)) as [J|J]; [lra|]. rewrite (row_out d x _ J). apply row_le. }
  set (g := fun x => best (map (mass S x) (labels d))).
  assert (NE : forall x, map (mass S x) (labels d) <> []) by (intros x Q; apply map_eq_nil in Q; exact (some_class d Q)).
  assert (Lg : forall x, length (map (mass S x) (labels d)) = classes d) by (intros; rewrite map_length; apply seq_length).
  assert (Hg : forall x, In (g x) (labels d)) by (intros x; destruct (best_ok _ (NE x)) as [L _]; rewrite Lg in L; apply in_seq; unfold g; lia).
  assert (At : forall x y, In y (labels d) -> nth y (map (mass S x) (labels d)) 0 = mass S x y).
  { intros x y Hy. apply in_seq in Hy. rewrite nth_indep with (d' := mass S x 0%nat) by (rewrite Lg; lia). rewrite map_nth. unfold labels. now rewrite seq_nth by lia. }
  assert (Bg : forall x y, In y (labels d) -> mass S x y <= mass S x (g x)).
  { intros x y Hy. destruct (best_ok _ (NE x)) as [_ B]. rewrite <- (At x y Hy), <- (At x (g x) (Hg x)). apply B. rewrite Lg. apply in_seq in Hy. lia. }
  assert (Sg : forall x x', alike S x x' = true -> g x = g x').
  { intros x x' A. unfold g. f_equal. apply map_ext. intros y. now apply mass_alike. }
  apply Rle_trans with (err d g).
  - apply (proj2 RS). intros x x' _ _ A. apply Sg, Alike, A.
  - apply Rle_trans with (err d f'); [|exact Le].
    assert (R1 : forall h, (forall x, In (h x) (labels d)) -> err d h = 1 - right h).
    { intros h Hh. rewrite <- (total_px d). enough (err d h + right h = sum (px d) (omega d)) by lra.
      unfold err, right. rewrite <- sum_plus. apply sum_ext; intros x _. now apply row_plus. }
    rewrite !R1 by auto. enough (right f' <= right g) by lra.
    rewrite (tower T f' I), (tower S g Hg) by (intros; auto; unfold f'; rewrite (Hf x x'); auto).
    apply sum_le; intros x Hx. destruct (Rle_lt_or_eq_dec 0 (px d x) (px_ge0 x)) as [P|Q]; [|rewrite <- Q; lra].
    apply Rmult_le_compat_l; [lra|]. pose proof (tot_px S x Hx). pose proof (tot_px T x Hx).
    apply Rle_trans with (mass S x (f' x) * / tot S x).
    + right. apply Rmult_eq_reg_r with (tot T x * tot S x); [|apply Rmult_integral_contrapositive_currified; lra].
      replace (mass T x (f' x) * / tot T x * (tot T x * tot S x)) with (mass T x (f' x) * tot S x) by (field; lra).
      replace (mass S x (f' x) * / tot S x * (tot T x * tot S x)) with (mass S x (f' x) * tot T x) by (field; lra).
      symmetry. apply Same; auto.
    + apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|]. apply Bg, I.
Qed.
End States.
