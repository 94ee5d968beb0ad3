(* Two classes: the square of H(Y | S) in bits is at most twice the Gini impurity, and so at most four times the risk. *)
From Coq Require Import Reals ZArith List Bool Lra Lia.
From FS Require Import Sums Distributions Entropies States Curves Told Coins Gini.
Import ListNotations.
Open Scope R_scope.

(* The first function is 1 + a times the entropy of a coin with the odds a. The second one is at least 0 from a = 1 on.
   If they are n and f, then the quotient n^2 / a has the slope -n f / a^2.
   So this quotient falls. *)
Definition odds_entropy a := (1 + a) * ln (1 + a) - a * ln a.
Definition odds_fall a := (1 - a) * ln (1 + a) + a * ln a.
Lemma ln_more a : 0 < a -> derivable_pt_lim (fun a => ln (1 + a)) a (/ (1 + a)).
Proof.
  intros A. replace (/ (1 + a)) with (/ (1 + a) * (0 + 1)) by ring. refine (derivable_pt_lim_comp (fun a => 1 + a) ln a _ _ _ _).
  - refine (derivable_pt_lim_plus (fun _ => 1) id a _ _ _ _); [apply derivable_pt_lim_const|apply derivable_pt_lim_id].
  - apply derivable_pt_lim_ln. lra.
Qed.
Lemma a_ln_a a : 0 < a -> derivable_pt_lim (fun a => a * ln a) a (ln a + 1).
Proof.
  intros A. replace (ln a + 1) with (1 * ln a + a * / a) by (field; lra).
  refine (derivable_pt_lim_mult id ln a _ _ _ _); [apply derivable_pt_lim_id|now apply derivable_pt_lim_ln].
Qed.
Lemma odds_fall_ge0 a : 1 <= a -> 0 <= odds_fall a.
Proof.
  assert (One : odds_fall 1 = 0) by (unfold odds_fall; rewrite ln_1; ring).
  intros [A|<-]; [|lra]. destruct (MVT_cor2 odds_fall (fun a => ((0 - 1) * ln (1 + a) + (1 - a) * / (1 + a)) + (ln a + 1)) 1 a A) as (z & E & Z).
  - intros z Z. refine (derivable_pt_lim_plus (fun a => (1 - a) * ln (1 + a)) (fun a => a * ln a) z _ _ _ _); [|apply a_ln_a; lra].
    refine (derivable_pt_lim_mult (fun a => 1 - a) (fun a => ln (1 + a)) z _ _ _ _); [|apply ln_more; lra].
    refine (derivable_pt_lim_minus (fun _ => 1) id z _ _ _ _); [apply derivable_pt_lim_const|apply derivable_pt_lim_id].
  - rewrite One in E. enough (0 <= ((0 - 1) * ln (1 + z) + (1 - z) * / (1 + z) + (ln z + 1)) * (a - 1)) by lra. apply Rmult_le_pos; [|lra].
    pose proof (ln_below ((1 + z) / z) ltac:(apply Rdiv_lt_0_compat; lra)) as L. unfold Rdiv in L. rewrite ln_mult, ln_Rinv in L by (try apply Rinv_0_lt_compat; lra).
    replace ((0 - 1) * ln (1 + z) + (1 - z) * / (1 + z) + (ln z + 1)) with (2 * / (1 + z) - (ln (1 + z) + - ln z)) by (field; lra).
    enough ((1 + z) * / z - 1 <= 2 * / (1 + z)) by lra. replace ((1 + z) * / z - 1) with (/ z) by (field; lra).
    apply Rmult_le_reg_l with (z * (1 + z)); [apply Rmult_lt_0_compat; lra|]. replace (z * (1 + z) * / z) with (1 + z) by (field; lra).
    replace (z * (1 + z) * (2 * / (1 + z))) with (2 * z) by (field; lra). lra.
Qed.
Lemma odds_entropy_ge0 a : 1 <= a -> 0 <= odds_entropy a.
Proof.
  intros A. assert (L : ln a <= ln (1 + a)) by (left; apply ln_increasing; lra). assert (P : 0 <= ln (1 + a)) by (rewrite <- ln_1; left; apply ln_increasing; lra).
  unfold odds_entropy. apply (Rmult_le_compat_l a) in L; lra.
Qed.
Lemma odds_square a : 1 <= a -> odds_entropy a * odds_entropy a <= 4 * (ln 2 * ln 2) * a.
Proof.
  assert (One : odds_entropy 1 = 2 * ln 2) by (unfold odds_entropy; rewrite ln_1; replace (1 + 1) with 2 by ring; ring).
  intros [A|<-]; [|rewrite One; lra]. set (n := odds_entropy). set (f := fun a => n a * n a / a).
  enough (f a <= f 1) as F.
  { unfold f in F. unfold n in F at 3 4. rewrite One in F. apply (Rmult_le_compat_r a) in F; [|lra]. replace (n a * n a / a * a) with (n a * n a) in F by (field; lra). fold n. lra. }
  assert (D : forall z, 0 < z -> derivable_pt_lim n z (((0 + 1) * ln (1 + z) + (1 + z) * / (1 + z)) - (ln z + 1))).
  { intros z Z. refine (derivable_pt_lim_minus (fun a => (1 + a) * ln (1 + a)) (fun a => a * ln a) z _ _ _ _); [|now apply a_ln_a].
    refine (derivable_pt_lim_mult (fun a => 1 + a) (fun a => ln (1 + a)) z _ _ _ _); [|now apply ln_more].
    refine (derivable_pt_lim_plus (fun _ => 1) id z _ _ _ _); [apply derivable_pt_lim_const|apply derivable_pt_lim_id]. }
  set (n' := fun z => ((0 + 1) * ln (1 + z) + (1 + z) * / (1 + z)) - (ln z + 1)) in *.
  destruct (MVT_cor2 f (fun z => ((n' z * n z + n z * n' z) * id z - 1 * (n z * n z)) / Rsqr (id z)) 1 a A) as (z & E & Z).
  - intros z Z. refine (derivable_pt_lim_div (fun z => n z * n z) id z _ _ _ _ _); [|apply derivable_pt_lim_id|unfold id; lra].
    refine (derivable_pt_lim_mult n n z _ _ _ _); apply D; lra.
  - enough (0 <= - (((n' z * n z + n z * n' z) * id z - 1 * (n z * n z)) / Rsqr (id z))) as S.
    { apply (Rmult_le_compat_r (a - 1)) in S; lra. }
    replace (- (((n' z * n z + n z * n' z) * id z - 1 * (n z * n z)) / Rsqr (id z))) with (n z * odds_fall z * / (z * z)).
    + apply Rmult_le_pos; [apply Rmult_le_pos; [apply odds_entropy_ge0|apply odds_fall_ge0]; lra|]. left. apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra.
    + replace (odds_fall z) with (n z - 2 * z * n' z) by (unfold n, n', odds_entropy, odds_fall; field; lra). unfold id, Rsqr. field. lra.
Qed.
Lemma coin_square p : 0 <= p <= 1 -> coin p * coin p <= 4 * (ln 2 * ln 2) * (p * (1 - p)).
Proof.
  assert (Half : forall p, 0 <= p <= 1 / 2 -> coin p * coin p <= 4 * (ln 2 * ln 2) * (p * (1 - p))).
  { intros q [[Q|<-] Q2]; [|rewrite coin_0; lra]. set (a := (1 - q) / q). assert (A : 1 <= a) by (apply Rmult_le_reg_r with q; [exact Q|unfold a, Rdiv; rewrite Rmult_assoc, Rinv_l; lra]).
    assert (E : coin q = q * odds_entropy a).
    { unfold odds_entropy. replace (1 + a) with (/ q) by (unfold a; field; lra). unfold a, Rdiv. rewrite ln_mult, ln_Rinv by (try apply Rinv_0_lt_compat; lra). unfold coin. field. lra. }
    pose proof (odds_square a A) as S. apply (Rmult_le_compat_l (q * q)) in S; [|apply Rmult_le_pos; lra]. rewrite E.
    replace (q * q * (4 * (ln 2 * ln 2) * a)) with (4 * (ln 2 * ln 2) * (q * (1 - q))) in S by (unfold a; field; lra). lra. }
  intros P. destruct (Rle_or_lt p (1 / 2)) as [L|L]; [apply Half; lra|].
  pose proof (Half (1 - p) ltac:(lra)) as H. replace (coin (1 - p)) with (coin p) in H by (unfold coin; replace (1 - (1 - p)) with p by ring; ring). replace (1 - (1 - p)) with p in H by ring. lra.
Qed.

Section Bits.
Variables (d : dist) (S : list nat).
Hypotheses (two : classes d = 2%nat) (S_features : of_features d S).
(* The square of a mean is at most the mean of the squares. *)
Lemma square_of_mean (f : list nat -> R) : let m g := sum (fun x => px d x * g x) (omega d) in m f * m f <= m (fun x => f x * f x).
Proof.
  intros m. assert (P : 0 <= m (fun x => (f x - m f) * (f x - m f))) by (apply sum_ge0; intros; apply Rmult_le_pos; [apply px_ge0|apply Rle_0_sqr]).
  unfold m at 1 in P. rewrite (sum_ext _ (fun x => px d x * (f x * f x) + (-2 * m f * (px d x * f x) + m f * m f * px d x))) in P by (intros; ring).
  rewrite !sum_plus, !sum_scale, total_px in P. fold (m f) in P. fold (m (fun x => f x * f x)) in P. lra.
Qed.
Theorem bits_square : left d S * left d S <= 2 * (ln 2 * ln 2) * gini d S /\ left d S * left d S <= 4 * (ln 2 * ln 2) * bayes_risk d S.
Proof.
  set (r := fun x => 1 - top d S x). assert (R01 : forall x, In x (omega d) -> 0 < px d x -> 0 <= r x <= 1 / 2 /\ surprise d S x = coin (r x) /\ 1 - squares d S x = 2 * (r x * (1 - r x))).
  { intros x Hx P. destruct (two_posts d two S x Hx P) as (T & H & C). unfold r. destruct (guess_ok d S x) as [Hg Eg].
    pose proof (post_ge0 d S x) as N. assert (L : labels d = [0; 1]%nat) by (unfold labels; now rewrite two).
    rewrite L in Hg. unfold squares. rewrite L. cbn [sum In] in *.
    assert (N0 : 0 <= post d S x 0) by (apply N; auto). assert (N1 : 0 <= post d S x 1) by (apply N; auto).
    destruct Hg as [G|[G|[]]]; rewrite <- G in Eg; rewrite <- Eg in *; (split; [lra|]); (split; [exact C|]).
    - replace (post d S x 1) with (1 - post d S x 0) by lra. ring.
    - replace (post d S x 0) with (1 - post d S x 1) by lra. ring. }
  pose proof (square_of_mean (surprise d S)) as Sq. cbv beta zeta in Sq. rewrite <- left_by_states in Sq by exact S_features.
  assert (B : left d S * left d S <= sum (fun x => px d x * (4 * (ln 2 * ln 2) * (r x * (1 - r x)))) (omega d)).
  { eapply Rle_trans; [exact Sq|]. apply mean_le. intros x Hx P. destruct (R01 x Hx P) as (I & -> & _). apply coin_square. lra. }
  assert (C : 0 <= 4 * (ln 2 * ln 2)) by (pose proof (Rle_0_sqr (ln 2)) as Q; unfold Rsqr in Q; lra). split; eapply Rle_trans; try exact B.
  - rewrite (mean_impurity d S S_features), <- sum_scale. right. apply sum_ext; intros x Hx.
    destruct (Rle_lt_or_eq_dec 0 (px d x) (px_ge0 d x)) as [P|Z]; [|rewrite <- Z; ring]. destruct (R01 x Hx P) as (_ & _ & ->). ring.
  - rewrite risk_by_states, <- sum_scale. fold r. rewrite (sum_ext (fun x => 4 * (ln 2 * ln 2) * _) (fun x => px d x * (4 * (ln 2 * ln 2) * r x))) by (intros; unfold r; ring).
    apply mean_le. intros x Hx P. destruct (R01 x Hx P) as (I & _). apply Rmult_le_compat_l; [exact C|]. pose proof (Rmult_le_pos (r x) (r x) ltac:(lra) ltac:(lra)). lra.
Qed.
End Bits.
