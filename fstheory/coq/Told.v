(* The lines of Tebbe and Dwyer below H(Y | S), and those below I(Y; T | S) and R(T), in terms of R(S). *)
From Coq Require Import Reals ZArith PArith List Bool Lra Lia FunctionalExtensionality.
From FS Require Import Sums Distributions Entropies States Curves Layers.
Import ListNotations.
Open Scope R_scope.

Lemma sum_layer {A} (K : A -> bool) m l : sum (fun y => if K y then m else 0) l = m * INR (length (filter K l)).
Proof. now rewrite <- sum_const, sum_filter. Qed.
Lemma some_of {A} (l : list A) : l <> [] -> 1 <= INR (length l).
Proof. intros N. apply (le_INR 1). destruct l; [congruence|simpl; lia]. Qed.

Section Lines.
Variables (d : dist) (j : nat).
Hypothesis j_pos : (1 <= j)%nat.
(* The line through the values of a curve at the risks of j and of j + 1 equally likely classes. *)
Definition line (value : nat -> R) r := value j + INR j * (INR j + 1) * (value (S j) - value j) * (r - (1 - / INR j)).
Lemma j_real : 1 <= INR j.
Proof. now apply (le_INR 1). Qed.
Lemma mean_of_lines value V : sum (fun x => px d x * line value (1 - top d V x)) (omega d) = line value (bayes_risk d V).
Proof.
  rewrite (risk_by_states d V). unfold line. set (c := INR j * (INR j + 1) * (value (S j) - value j)).
  rewrite (sum_ext _ (fun x => (value j - c * (1 - / INR j)) * px d x + c * (px d x * (1 - top d V x)))) by (intros; ring).
  rewrite sum_plus, !sum_scale, total_px. ring.
Qed.
Lemma rises value : value j <= value (S j) -> 0 <= INR j * (INR j + 1) * (value (S j) - value j).
Proof. intros R. pose proof j_real. apply Rmult_le_pos; [apply Rmult_le_pos; lra|lra]. Qed.
Lemma top_le1 V x : In x (omega d) -> 0 < px d x -> top d V x <= 1.
Proof.
  intros Hx P. destruct (guess_ok d V x) as [Hg <-]. rewrite <- (total_post d V x Hx P). apply sum_term; [intros; now apply post_ge0|exact Hg].
Qed.
Lemma top_ge0 V x : In x (omega d) -> 0 < px d x -> 0 <= top d V x.
Proof. intros Hx P. destruct (guess_ok d V x) as [Hg <-]. now apply post_ge0. Qed.

Theorem tebbe_dwyer V : of_features d V -> line (fun t => ln (INR t)) (bayes_risk d V) <= left d V.
Proof.
  intros FV. rewrite left_by_states, <- mean_of_lines by exact FV. apply mean_le. intros x Hx P. pose proof j_real as J.
  set (value := fun t => ln (INR t)). set (b := INR j * (INR j + 1) * (value (S j) - value j)). set (a := value j + b * / INR j).
  assert (B : 0 <= b).
  { apply rises. unfold value. left; apply ln_increasing; [lra|rewrite S_INR; lra]. }
  replace (line value (1 - top d V x)) with (a * sum (post d V x) (labels d) - b * top d V x) by (rewrite total_post by auto; unfold a, line; fold b; ring).
  replace (surprise d V x) with (spread_of (post d V x) (labels d)) by (unfold spread_of; rewrite total_post, ln_1 by auto; unfold surprise; ring).
  apply (layers (labels d) (fun _ => True) (fun u => spread_of u (labels d)) a b B) with (n := length (filter (has (post d V x)) (labels d))); auto.
  - intros u v E. unfold spread_of. rewrite (sum_ext u v) by exact E. f_equal. apply sum_ext; intros y Hy. now rewrite E.
  - intros u v U W. now apply spread_plus.
  - unfold spread_of. rewrite sum_0, (sum_ext _ (fun _ => 0)), sum_0 by (intros; ring). lra.
  - intros m K M _ N. set (k := INR (length (filter K (labels d)))). pose proof (some_of _ N) as K1. fold k in K1.
    replace (spread_of (fun y => if K y then m else 0) (labels d)) with (m * k * ln k).
    + pose proof (polygon 0 1 j (length (filter K (labels d))) ltac:(lra) ltac:(lra) ltac:(lra) j_pos ltac:(apply INR_le; simpl; exact K1)) as Q. cbv beta zeta in Q.
      assert (V1 : forall t, 1 <= INR t -> - ln (0 + 1 / INR t) = value t) by (intros t T; unfold value; rewrite Rplus_0_l; unfold Rdiv; rewrite Rmult_1_l, ln_Rinv by lra; ring).
      rewrite !V1 in Q by (assumption || (rewrite S_INR; lra)). fold k b in Q. unfold value at 2 in Q. fold k in Q.
      apply (Rmult_le_compat_l (m * k)) in Q; [|apply Rmult_le_pos; lra]. unfold a. replace (b * m) with (m * k * (b * / k)) by (field; lra). lra.
    + unfold spread_of. rewrite sum_layer. fold k. rewrite (sum_ext _ (fun y => if K y then m * - ln m else 0)) by (intros y _; destruct (K y); ring).
      rewrite sum_layer. fold k. rewrite ln_mult by lra. ring.
  - intros y Hy. split; [now apply post_ge0|now apply post_top].
  - now apply top_ge0.
Qed.

(* T is told where S says what it says at x0. A channel from the class to T's states is given, and E. *)
Section Told.
Variables (S T : list nat) (E : R) (x0 : list nat).
Hypotheses (T_features : of_features d T) (S_in_T : incl S T) (E_ge1 : 1 <= E) (x0_in : In x0 (omega d)) (x0_occurs : 0 < px d x0).
Let near := filter (alike S x0) (omega d).
Let joint x y := px d x * post d T x y.
Let channel x y := joint x y / mass d S x0 y.
Let wrong x y := if Nat.eqb (guess d T x) y then 0 else 1.
Lemma near_in x : In x near -> In x (omega d).
Proof. intros H. now apply filter_In in H. Qed.
Lemma joint_ge0 x y : In x near -> 0 <= joint x y.
Proof.
  intros Hx. unfold joint. destruct (Rle_lt_or_eq_dec 0 (px d x) (px_ge0 d x)) as [P|Z]; [|rewrite <- Z; lra].
  apply Rmult_le_pos; [lra|]. apply post_ge0; [now apply near_in|exact P].
Qed.
Lemma near_mass y : In y (labels d) -> sum (fun x => joint x y) near = mass d S x0 y.
Proof.
  intros Hy. set (f := fun x z => if alike S x0 x then (if Nat.eqb y z then 1 else 0) else 0).
  assert (One : forall g x, sum (fun z => g z * f x z) (labels d) = if alike S x0 x then g y else 0).
  { intros g x. unfold f. destruct (alike S x0 x).
    - rewrite (sum_ext _ (fun z => if Nat.eqb y z then g y else 0)); [apply (sum_one Nat.eqb Nat.eqb_eq); [apply seq_NoDup|exact Hy]|].
      intros z _. destruct (Nat.eqb_spec y z) as [->|_]; ring.
    - rewrite (sum_ext _ (fun _ => 0)); [apply sum_0|intros; ring]. }
  transitivity (sum (fun x => px d x * sum (fun z => post d T x z * f x z) (labels d)) (omega d)).
  - unfold near. rewrite sum_filter. apply sum_ext; intros x _. rewrite One. unfold joint. destruct (alike S x0 x); ring.
  - rewrite <- (mean_by_states d T f).
    + apply sum_ext; intros x _. apply One.
    + intros x x' z _ _ A. unfold f. rewrite (alike_sym S x0 x), (alike_sym S x0 x'). now rewrite (alike_trans S x x' x0 (alike_less S T x x' S_in_T A)).
Qed.
Lemma mass_joint x y : In x near -> In y (labels d) -> mass d S x0 y * channel x y = joint x y.
Proof.
  intros Hx Hy. unfold channel. destruct (Req_dec (mass d S x0 y) 0) as [Z|N]; [|field; exact N].
  rewrite (sum_zero (fun x => joint x y) near); [unfold Rdiv; ring| |now rewrite near_mass|exact Hx]. intros z Hz. now apply joint_ge0.
Qed.
Lemma channel_ge0 x y : In x near -> 0 <= channel x y.
Proof.
  intros Hx. unfold channel, Rdiv. destruct (Rle_lt_or_eq_dec 0 _ (mass_ge0 d S x0 y)) as [P|Z]; [|rewrite <- Z, Rinv_0; lra].
  apply Rmult_le_pos; [now apply joint_ge0|left; now apply Rinv_0_lt_compat].
Qed.
Lemma total_channel y : In y (labels d) -> 0 < mass d S x0 y -> sum (fun x => channel x y) near = 1.
Proof.
  intros Hy P. unfold channel, Rdiv. rewrite (sum_ext _ (fun x => / mass d S x0 y * joint x y)) by (intros; ring).
  rewrite sum_scale, near_mass by exact Hy. field. lra.
Qed.
Lemma total_joint x : In x near -> sum (joint x) (labels d) = px d x.
Proof.
  intros Hx. unfold joint. rewrite sum_scale. destruct (Rle_lt_or_eq_dec 0 (px d x) (px_ge0 d x)) as [P|Z]; [|rewrite <- Z; ring].
  rewrite total_post; [ring|now apply near_in|exact P].
Qed.
(* What the channel tells, and log E times the chance that T's guess is wrong, if the class has the measure u. *)
Let tells u := sum (fun x => sum (fun y => u y * (channel x y * (ln (channel x y) + ln E * wrong x y))) (labels d)) near
  + spread_of (fun x => sum (fun y => u y * channel x y) (labels d)) near.
Lemma tells_plus u v : (forall y, In y (labels d) -> 0 <= u y) -> (forall y, In y (labels d) -> 0 <= v y) -> tells u + tells v <= tells (fun y => u y + v y).
Proof.
  intros U V. assert (Pos : forall w : nat -> R, (forall y, In y (labels d) -> 0 <= w y) -> forall x, In x near -> 0 <= sum (fun y => w y * channel x y) (labels d)).
  { intros w W x Hx. apply sum_ge0; intros y Hy. apply Rmult_le_pos; [now apply W|now apply channel_ge0]. }
  pose proof (spread_plus (fun x => sum (fun y => u y * channel x y) (labels d)) (fun x => sum (fun y => v y * channel x y) (labels d)) near (Pos u U) (Pos v V)) as Q.
  assert (Add : forall f : list nat -> nat -> R, sum (fun x => sum (fun y => (u y + v y) * f x y) (labels d)) near =
    sum (fun x => sum (fun y => u y * f x y) (labels d)) near + sum (fun x => sum (fun y => v y * f x y) (labels d)) near).
  { intros f. rewrite <- sum_plus. apply sum_ext; intros x _. rewrite <- sum_plus. apply sum_ext; intros; ring. }
  unfold tells. rewrite Add. replace (fun x => sum (fun y => (u y + v y) * channel x y) (labels d)) with
    (fun x => sum (fun y => u y * channel x y) (labels d) + sum (fun y => v y * channel x y) (labels d)); [lra|].
  apply functional_extensionality; intros x. rewrite <- sum_plus. apply sum_ext; intros; ring.
Qed.
(* For one layer: a guess is right with E times the chance of each other class. *)
Lemma tells_layer m K : 0 < m -> (forall y, In y (labels d) -> K y = true -> 0 < mass d S x0 y) -> filter K (labels d) <> [] ->
  let k := INR (length (filter K (labels d))) in m * k * (ln E - ln (1 + (E - 1) / k)) <= tells (fun y => if K y then m else 0).
Proof.
  intros M Allowed N k. pose proof (some_of _ N) as K1. fold k in K1. set (lK := filter K (labels d)) in *. set (w := fun x => sum (channel x) lK).
  assert (InK : forall y, In y lK -> In y (labels d) /\ 0 < mass d S x0 y).
  { intros y Hy. apply filter_In in Hy as [Hy Ky]. split; [exact Hy|now apply Allowed]. }
  assert (W0 : forall x, In x near -> 0 <= w x) by (intros x Hx; apply sum_ge0; intros; now apply channel_ge0).
  assert (Wk : sum w near = k).
  { unfold w. rewrite sum_swap. rewrite (sum_ext _ (fun _ => 1)), sum_const; [fold lK; unfold k; ring|]. intros y Hy. now apply total_channel; apply InK. }
  assert (Part : forall (f : nat -> R), sum (fun y => (if K y then m else 0) * f y) (labels d) = m * sum f lK).
  { intros f. unfold lK. rewrite sum_filter, <- sum_scale. apply sum_ext; intros y _. destruct (K y); ring. }
  assert (Row : forall x, In x near -> w x * ln (w x) + w x * (ln E - ln (E + k - 1)) <= sum (fun y => channel x y * (ln (channel x y) + ln E * wrong x y)) lK).
  { intros x Hx. destruct (Rle_lt_or_eq_dec 0 _ (W0 x Hx)) as [P|Z].
    - set (r := fun y => w x * ((if Nat.eqb (guess d T x) y then E else 1) / (E + k - 1))).
      assert (R0 : forall y, 0 < r y).
      { intros y. apply Rmult_lt_0_compat; [exact P|]. apply Rdiv_lt_0_compat; [destruct (Nat.eqb _ y); lra|lra]. }
      assert (G : sum (fun y => channel x y * - ln (channel x y)) lK <= sum (fun y => channel x y * - ln (r y)) lK).
      { apply (gibbs_sum (channel x) r); [intros; now apply channel_ge0|intros; left; apply R0|intros; apply R0|].
        unfold r. rewrite sum_scale. fold (w x). rewrite <- (Rmult_1_r (w x)) at 2. apply Rmult_le_compat_l; [lra|].
        unfold Rdiv. rewrite (sum_ext _ (fun y => / (E + k - 1) * (1 + if Nat.eqb (guess d T x) y then E - 1 else 0))) by (intros y _; destruct (Nat.eqb _ y); ring).
        rewrite sum_scale, sum_plus, sum_const. fold lK k.
        assert (I : sum (fun y => if Nat.eqb (guess d T x) y then E - 1 else 0) lK <= E - 1).
        { eapply Rle_trans; [|right; exact (sum_one Nat.eqb Nat.eqb_eq (E - 1) (guess d T x) (labels d) (seq_NoDup _ _) (proj1 (guess_ok d T x)))].
          unfold lK. rewrite sum_filter. apply sum_le; intros y _. destruct (K y), (Nat.eqb _ y); lra. }
        apply Rmult_le_reg_l with (E + k - 1); [lra|]. rewrite <- Rmult_assoc, Rinv_r by lra. lra. }
      assert (Log : forall c, 0 < c -> - ln (w x * (c / (E + k - 1))) = - ln (w x) - ln c + ln (E + k - 1)).
      { intros c C. assert (0 < / (E + k - 1)) by (apply Rinv_0_lt_compat; lra). unfold Rdiv.
        rewrite ln_mult, ln_mult, ln_Rinv by (try apply Rmult_lt_0_compat; lra). ring. }
      assert (L : forall y, - ln (r y) = - ln (w x) - ln E + ln E * wrong x y + ln (E + k - 1)).
      { intros y. unfold r, wrong. destruct (Nat.eqb _ y); rewrite Log, ?ln_1 by lra; ring. }
      rewrite (sum_ext (fun y => channel x y * - ln (r y)) (fun y => (- ln (w x) - ln E + ln (E + k - 1)) * channel x y + channel x y * (ln E * wrong x y))) in G
        by (intros y _; rewrite L; ring).
      rewrite sum_plus, sum_scale in G. fold (w x) in G.
      rewrite (sum_ext (fun y => channel x y * (ln (channel x y) + _)) (fun y => channel x y * (ln E * wrong x y) - channel x y * - ln (channel x y))) by (intros; ring).
      rewrite sum_minus. lra.
    - assert (C0 : forall y, In y lK -> channel x y = 0) by (apply (sum_zero (channel x) lK); [intros; now apply channel_ge0|symmetry; exact Z]).
      rewrite <- Z, (sum_ext _ (fun _ => 0)), sum_0 by (intros y Hy; rewrite (C0 y Hy); ring). lra. }
  unfold tells, spread_of. rewrite (sum_ext _ (fun x => m * sum (fun y => channel x y * (ln (channel x y) + ln E * wrong x y)) lK)) by (intros; apply Part).
  rewrite (sum_ext (fun x => sum (fun y => (if K y then m else 0) * channel x y) (labels d)) (fun x => m * w x)) by (intros; apply Part).
  rewrite (sum_ext (fun x => sum _ (labels d) * - ln _) (fun x => - m * ln m * w x - m * (w x * ln (w x)))).
  - rewrite sum_minus, !sum_scale, Wk. pose proof (sum_le _ _ near Row) as Q. rewrite sum_plus in Q.
    rewrite (sum_ext (fun x => w x * (ln E - ln (E + k - 1))) (fun x => (ln E - ln (E + k - 1)) * w x)), sum_scale, Wk in Q by (intros; ring).
    apply (Rmult_le_compat_l m) in Q; [|lra]. rewrite ln_mult by lra.
    replace (ln (1 + (E - 1) / k)) with (ln (E + k - 1) - ln k); [lra|].
    replace (1 + (E - 1) / k) with ((E + k - 1) * / k) by (field; lra). rewrite ln_mult, ln_Rinv by (try apply Rinv_0_lt_compat; lra). ring.
  - intros x Hx. rewrite Part. fold (w x). destruct (Rle_lt_or_eq_dec 0 _ (W0 x Hx)) as [P|Z]; [|rewrite <- Z; ring]. rewrite ln_mult by lra. ring.
Qed.
Lemma tells_all : tells (mass d S x0) = sum (fun x => px d x * (ln E * (1 - top d T x) - surprise d T x)) near + tot d S x0 * surprise d S x0.
Proof.
  assert (U : forall x, In x near -> sum (fun y => mass d S x0 y * channel x y) (labels d) = px d x).
  { intros x Hx. rewrite <- (total_joint x Hx). apply sum_ext; intros y Hy. now apply mass_joint. }
  assert (Near : sum (px d) near = tot d S x0) by (unfold near; now rewrite sum_filter).
  pose proof (tot_px d S x0 x0_in) as TP.
  unfold tells, spread_of. rewrite (sum_ext (fun x => sum (fun y => mass d S x0 y * channel x y) (labels d)) (px d)) by exact U. rewrite Near.
  rewrite (sum_ext (fun x => sum (fun y => mass d S x0 y * channel x y) (labels d) * - ln _) (fun x => px d x * - ln (px d x))) by (intros x Hx; now rewrite U).
  rewrite (sum_ext (fun x => sum (fun y => mass d S x0 y * _) (labels d))
    (fun x => px d x * (ln E * (1 - top d T x) - surprise d T x) + px d x * ln (px d x) - sum (fun y => joint x y * ln (mass d S x0 y)) (labels d))).
  - rewrite sum_minus, sum_plus, sum_swap.
    rewrite (sum_ext (fun y => sum (fun x => joint x y * ln (mass d S x0 y)) near) (fun y => mass d S x0 y * ln (mass d S x0 y))).
    + rewrite (sum_ext (fun x => px d x * - ln (px d x)) (fun x => -1 * (px d x * ln (px d x)))), sum_scale by (intros; ring).
      enough (tot d S x0 * surprise d S x0 = tot d S x0 * ln (tot d S x0) - sum (fun y => mass d S x0 y * ln (mass d S x0 y)) (labels d)) by lra.
      rewrite <- (sum_mass d S x0) at 2. rewrite (Rmult_comm (sum _ _)), <- sum_scale, <- sum_minus. unfold surprise. rewrite <- sum_scale. apply sum_ext; intros y _.
      unfold post. destruct (Rle_lt_or_eq_dec 0 _ (mass_ge0 d S x0 y)) as [P|Z]; [|rewrite <- Z; unfold Rdiv; ring].
      unfold Rdiv. rewrite ln_mult, ln_Rinv by (try apply Rinv_0_lt_compat; lra). field. lra.
    + intros y Hy. rewrite (sum_ext _ (fun x => ln (mass d S x0 y) * joint x y)), sum_scale, near_mass by (auto; intros; ring). ring.
  - intros x Hx. destruct (Rle_lt_or_eq_dec 0 (px d x) (px_ge0 d x)) as [P|Z].
    + destruct (guess_ok d T x) as [Hg Eg].
      assert (Wrong : sum (fun y => post d T x y * wrong x y) (labels d) = 1 - top d T x).
      { rewrite <- (total_post d T x (near_in x Hx) P), <- Eg. unfold wrong.
        rewrite (sum_ext _ (fun y => if Nat.eqb (guess d T x) y then 0 else post d T x y)) by (intros y _; destruct (Nat.eqb _ y); ring).
        rewrite (guess_or_other d (fun _ => 0) (post d T x) _ Hg). ring. }
      rewrite (sum_ext _ (fun y => px d x * ln E * (post d T x y * wrong x y) - px d x * (post d T x y * - ln (post d T x y)) + ln (px d x) * joint x y - joint x y * ln (mass d S x0 y))).
      * rewrite sum_minus, sum_plus, sum_minus, !sum_scale, total_joint, Wrong by exact Hx. unfold surprise. ring.
      * intros y Hy. rewrite <- Rmult_assoc, mass_joint by assumption.
        destruct (Rle_lt_or_eq_dec 0 _ (post_ge0 d T x y (near_in x Hx) P)) as [Q|Z]; [|unfold joint; rewrite <- Z; ring].
        assert (J : 0 < joint x y) by (apply Rmult_lt_0_compat; lra).
        assert (M : joint x y <= mass d S x0 y) by (rewrite <- near_mass by exact Hy; apply (sum_term (fun x => joint x y)); [intros; now apply joint_ge0|exact Hx]).
        replace (ln (channel x y)) with (ln (px d x) + ln (post d T x y) - ln (mass d S x0 y)); [unfold joint; ring|].
        unfold channel, Rdiv. rewrite ln_mult, ln_Rinv by (try apply Rinv_0_lt_compat; lra). unfold joint. rewrite ln_mult by lra. ring.
    + assert (Z' : forall y, joint x y = 0) by (intros y; unfold joint; rewrite <- Z; ring).
      rewrite (sum_ext _ (fun _ => 0)), sum_0, (sum_ext _ (fun _ => 0)), sum_0; [rewrite <- Z; ring|intros y _; rewrite Z'; ring|].
      intros y Hy. rewrite <- Rmult_assoc, mass_joint, Z' by assumption. ring.
Qed.
Lemma told_here : let value t := ln E - ln (1 + (E - 1) / INR t) in
  tot d S x0 * line value (1 - top d S x0) <= sum (fun x => px d x * (ln E * (1 - top d T x) - surprise d T x)) near + tot d S x0 * surprise d S x0.
Proof.
  intros value. pose proof j_real as J. pose proof (tot_px d S x0 x0_in) as TP. rewrite <- tells_all.
  set (b := INR j * (INR j + 1) * (value (Datatypes.S j) - value j)). set (a := value j + b * / INR j).
  assert (B : 0 <= b).
  { apply rises. unfold value. apply Rplus_le_compat_l, Ropp_le_contravar. rewrite S_INR.
    assert (D : (E - 1) / (INR j + 1) <= (E - 1) / INR j) by (apply Rmult_le_compat_l; [lra|]; apply Rinv_le_contravar; lra).
    assert (D0 : 0 <= (E - 1) / (INR j + 1)) by (apply Rmult_le_pos; [lra|]; left; apply Rinv_0_lt_compat; lra).
    destruct D as [D|Eq]; [left; apply ln_increasing; lra|rewrite Eq; lra]. }
  replace (tot d S x0 * line value (1 - top d S x0)) with (a * sum (mass d S x0) (labels d) - b * (tot d S x0 * top d S x0)) by (rewrite sum_mass; unfold a, line; fold b; ring).
  apply (layers (labels d) (fun y => 0 < mass d S x0 y) tells a b B) with (n := length (filter (has (mass d S x0)) (labels d))); auto.
  - intros u v Eq. unfold tells. f_equal; [|f_equal; apply functional_extensionality; intros x]; [apply sum_ext; intros x _|]; apply sum_ext; intros y Hy; now rewrite Eq.
  - exact tells_plus.
  - assert (Z : forall f : nat -> R, sum (fun y => 0 * f y) (labels d) = 0) by (intros f; rewrite sum_scale; ring).
    unfold tells, spread_of. do 3 (rewrite (sum_ext _ (fun _ : list nat => 0) near); [rewrite sum_0|intros x _; rewrite ?Z; ring]). lra.
  - intros m K M Allowed N. eapply Rle_trans; [|now apply tells_layer]. cbv zeta. set (k := INR (length (filter K (labels d)))).
    pose proof (some_of _ N) as K1. fold k in K1.
    pose proof (polygon 1 (E - 1) j (length (filter K (labels d))) ltac:(lra) ltac:(lra) ltac:(lra) j_pos ltac:(apply INR_le; simpl; exact K1)) as Q.
    cbv beta zeta in Q. fold k in Q. unfold a, b, value. apply (Rmult_le_compat_l (m * k)) in Q; [|apply Rmult_le_pos; lra].
    set (c := INR j * (INR j + 1)) in *. set (z := ln (1 + (E - 1) / INR (Datatypes.S j))) in *. set (y := ln (1 + (E - 1) / INR j)) in *.
    replace ((ln E - y + c * (ln E - z - (ln E - y)) * / INR j) * (m * k) - c * (ln E - z - (ln E - y)) * m)
      with (m * k * ln E + m * k * (- y + c * (- z - - y) * (/ INR j - / k))) by (field; lra). lra.
  - intros y Hy. split; [apply mass_ge0|]. replace (mass d S x0 y) with (tot d S x0 * post d S x0 y) by (unfold post; field; lra).
    apply Rmult_le_compat_l; [lra|now apply post_top].
  - apply Rmult_le_pos; [lra|now apply top_ge0].
Qed.
End Told.
(* What T tells beyond S, with log E times the risk of T, is above these lines in the risk of S. *)
Theorem told S T E : of_features d T -> incl S T -> 1 <= E ->
  line (fun t => ln E - ln (1 + (E - 1) / INR t)) (bayes_risk d S) <= left d S - left d T + ln E * bayes_risk d T.
Proof.
  intros FT I E1. assert (FS : of_features d S) by (intros i Hi; auto). set (value := fun t => ln E - ln (1 + (E - 1) / INR t)).
  assert (G : sum (fun x => px d x * (ln E * (1 - top d T x) - surprise d T x)) (omega d) = ln E * bayes_risk d T - left d T).
  { rewrite left_by_states, risk_by_states by exact FT. rewrite <- sum_scale, <- sum_minus. apply sum_ext; intros; ring. }
  enough (sum (fun x => px d x * (line value (1 - top d S x) - surprise d S x)) (omega d) <= ln E * bayes_risk d T - left d T).
  { rewrite (sum_ext _ (fun x => px d x * line value (1 - top d S x) - px d x * surprise d S x)) in H by (intros; ring).
    rewrite sum_minus, mean_of_lines, <- left_by_states in H by exact FS. lra. }
  rewrite <- G, (regroup d S (fun x => px d x * (ln E * (1 - top d T x) - surprise d T x))) by (intros x Hx Z; rewrite Z; ring).
  apply sum_le; intros x Hx. destruct (Rle_lt_or_eq_dec 0 (px d x) (px_ge0 d x)) as [P|Z]; [|rewrite <- Z; unfold Rdiv; lra].
  pose proof (told_here S T E x I E1 Hx P) as Q. cbv zeta in Q. fold value in Q. rewrite sum_filter in Q. pose proof (tot_px d S x Hx).
  apply Rle_trans with (px d x / tot d S x * (tot d S x * line value (1 - top d S x) - tot d S x * surprise d S x)); [right; field; lra|].
  apply Rmult_le_compat_l; [apply Rmult_le_pos; [lra|]; left; apply Rinv_0_lt_compat; lra|lra].
Qed.
End Lines.
