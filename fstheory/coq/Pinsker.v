(* Pinsker's inequality for risks: R(S) - R(T) is at most the root of half of what T says of the class beyond S. *)
From Coq Require Import Reals ZArith PArith List Bool Lra Lia.
From FS Require Import Sums Distributions Entropies States Curves.
Import ListNotations.
Open Scope R_scope.

(* A function that is 0 at 0 and does not fall is not negative. *)
Lemma rises_from_0 f f' t : (forall x, 0 <= x -> derivable_pt_lim f x (f' x)) -> (forall x, 0 <= x -> 0 <= f' x) -> f 0 = 0 -> 0 <= t -> 0 <= f t.
Proof.
  intros D P Z [T|<-]; [|lra]. destruct (MVT_cor2 f f' 0 t T) as (x & E & X); [intros; apply D; lra|].
  assert (0 <= f' x * (t - 0)) by (apply Rmult_le_pos; [apply P|]; lra). lra.
Qed.

(* Hoeffding's lemma for a coin that is 1 with probability r: its moments e^t are at most those of a normal variable. *)
Section Coin.
Variable r : R.
Hypothesis r_chance : 0 <= r <= 1.
Definition moment x := 1 - r + r * exp x.
Lemma moment_pos x : 0 <= x -> 0 < moment x.
Proof.
  intros X. unfold moment. pose proof (exp_ineq1_le x). assert (0 <= r * (exp x - 1)) by (apply Rmult_le_pos; lra). lra.
Qed.
Lemma moment_derivative x : derivable_pt_lim moment x (r * exp x).
Proof.
  replace (r * exp x) with (0 + r * exp x) by ring. apply (derivable_pt_lim_plus (fun _ => 1 - r) (fun x => r * exp x)); [apply derivable_pt_lim_const|].
  apply derivable_pt_lim_scal, derivable_pt_lim_exp.
Qed.
(* The slope of the logarithm of the moment, and that of a line below it. *)
Definition slope x := r * exp x / moment x.
Lemma slope_below t : 0 <= t -> 0 <= r + / 4 * t - slope t.
Proof.
  apply (rises_from_0 (fun x => r + / 4 * x - slope x) (fun x => 0 + / 4 * 1 - (r * exp x * moment x - r * exp x * (r * exp x)) / (moment x)²)).
  - intros x X. pose proof (moment_pos x X) as M. apply (derivable_pt_lim_minus (fun x => r + / 4 * x) slope).
    + apply (derivable_pt_lim_plus (fun _ => r)); [apply derivable_pt_lim_const|]. apply derivable_pt_lim_scal, derivable_pt_lim_id.
    + apply (derivable_pt_lim_div (fun x => r * exp x) moment); [|apply moment_derivative|lra].
      apply derivable_pt_lim_scal, derivable_pt_lim_exp.
  - intros x X. pose proof (moment_pos x X) as M. set (u := r * exp x). set (m := moment x) in *.
    replace (0 + / 4 * 1 - (u * m - u * u) / m²) with ((m - 2 * u)² * / (4 * (m * m))) by (unfold Rsqr; field; lra).
    apply Rmult_le_pos; [apply Rle_0_sqr|]. left; apply Rinv_0_lt_compat. assert (0 < m * m) by now apply Rmult_lt_0_compat. lra.
  - unfold slope, moment. rewrite exp_0. field. lra.
Qed.
Lemma coin_moment t : 0 <= t -> ln (moment t) <= r * t + / 8 * t².
Proof.
  intros T. enough (0 <= r * t + / 8 * t² - ln (moment t)) by lra. revert t T.
  refine (fun t => rises_from_0 (fun x => r * x + / 8 * x² - ln (moment x)) (fun x => r * 1 + / 8 * (2 * x) - / moment x * (r * exp x)) t _ _ _).
  - intros x X. pose proof (moment_pos x X) as M. apply (derivable_pt_lim_minus (fun x => r * x + / 8 * x²) (fun x => ln (moment x))).
    + apply (derivable_pt_lim_plus (fun x => r * x)); apply derivable_pt_lim_scal; [apply derivable_pt_lim_id|apply derivable_pt_lim_Rsqr].
    + apply (derivable_pt_lim_comp moment ln); [apply moment_derivative|now apply derivable_pt_lim_ln].
  - intros x X. pose proof (slope_below x X) as B. unfold slope, Rdiv in B. lra.
  - unfold moment. rewrite exp_0. replace (1 - r + r * 1) with 1 by ring. rewrite ln_1. unfold Rsqr. ring.
Qed.
End Coin.

(* The mean over the states of T of the log loss of the prediction that S makes, after more weight is given to T's guess. *)
Section Pinsker.
Variables (d : dist) (S T : list nat).
Hypotheses (T_features : of_features d T) (S_in_T : incl S T).
Lemma S_features : of_features d S.
Proof. intros i Hi; auto. Qed.
Lemma post_less x y : In x (omega d) -> 0 < px d x -> 0 < post d T x y -> 0 < post d S x y.
Proof.
  intros Hx P Q. pose proof (tot_px d S x Hx). pose proof (tot_px d T x Hx). apply Rdiv_lt_0_compat; [|lra].
  apply Rlt_le_trans with (mass d T x y).
  - apply (Rmult_lt_compat_r (tot d T x)) in Q; [|lra]. unfold post, Rdiv in Q. rewrite Rmult_assoc, Rinv_l in Q by lra. lra.
  - apply sum_le; intros x' _. destruct (alike T x x') eqn:A; [rewrite (alike_less S T x x' S_in_T A); lra|]. destruct (alike S x x'); [apply nonneg|lra].
Qed.
Definition agreed x := post d S x (guess d T x).
Lemma agreed_chance x : In x (omega d) -> 0 < px d x -> 0 <= agreed x <= top d S x.
Proof. intros Hx P. split; [now apply post_ge0|]. apply post_top, guess_ok. Qed.
(* One state of T. *)
Lemma tilted t x : 0 <= t -> In x (omega d) -> 0 < px d x ->
  surprise d T x <= sum (fun y => post d T x y * - ln (post d S x y)) (labels d) + / 8 * t² - t * top d T x + t * agreed x.
Proof.
  intros Ht Hx P. set (g := guess d T x). destruct (guess_ok d T x) as [Hg Eg]. fold g in Hg, Eg.
  assert (R01 : 0 <= agreed x <= 1).
  { split; [now apply post_ge0|]. rewrite <- (total_post d S x Hx P). apply (sum_term (post d S x)); [intros; now apply post_ge0|exact Hg]. }
  pose proof (moment_pos (agreed x) R01 t Ht) as M. pose proof (coin_moment (agreed x) R01 t Ht) as C. set (m := moment (agreed x) t) in *. pose proof (exp_pos t) as Et.
  set (q := fun y => post d S x y * ((if Nat.eqb g y then exp t else 1) / m)).
  apply Rle_trans with (sum (fun y => post d T x y * - ln (q y)) (labels d)).
  - apply (gibbs_sum (post d T x) q).
    + intros; now apply post_ge0.
    + intros y _. apply Rmult_le_pos; [now apply post_ge0|]. left. apply Rdiv_lt_0_compat; [destruct (Nat.eqb g y); lra|exact M].
    + intros y _ Q. apply Rmult_lt_0_compat; [now apply post_less|]. apply Rdiv_lt_0_compat; [destruct (Nat.eqb g y); lra|exact M].
    + rewrite total_post by auto. right. unfold q.
      rewrite (sum_ext _ (fun y => / m * (if Nat.eqb g y then post d S x y * exp t else post d S x y))) by (intros y _; destruct (Nat.eqb g y); unfold Rdiv; ring).
      rewrite sum_scale, (guess_or_other d (fun y => post d S x y * exp t) (post d S x) g Hg), total_post by auto.
      replace (post d S x g * exp t - post d S x g + 1) with m by (unfold m, moment, agreed; fold g; ring). field. lra.
  - rewrite (sum_ext _ (fun y => post d T x y * - ln (post d S x y) + ((if Nat.eqb g y then post d T x y * - t else post d T x y * 0) + ln m * post d T x y))).
    + rewrite !sum_plus, sum_scale, (guess_or_other d (fun y => post d T x y * - t) (fun y => post d T x y * 0) g Hg), total_post, Eg by auto.
      rewrite (sum_ext (fun y => post d T x y * 0) (fun _ => 0)), sum_0 by (intros; ring). lra.
    + intros y _. destruct (Rle_lt_or_eq_dec 0 _ (post_ge0 d T x y Hx P)) as [Q|Z]; [|rewrite <- Z; destruct (Nat.eqb g y); ring].
      pose proof (post_less x y Hx P Q). pose proof (Rinv_0_lt_compat m M). unfold q, Rdiv. destruct (Nat.eqb g y).
      * rewrite ln_mult, ln_mult, ln_Rinv, ln_exp by (assumption || now apply Rmult_lt_0_compat). ring.
      * rewrite Rmult_1_l, ln_mult, ln_Rinv by assumption. ring.
Qed.
Theorem pinsker a : 0 <= a -> 4 * a * (bayes_risk d S - bayes_risk d T) <= left d S - left d T + 2 * a².
Proof.
  intros A. set (t := 4 * a). assert (Ht : 0 <= t) by (unfold t; lra).
  assert (E : left d T <= sum (fun x => px d x * (sum (fun y => post d T x y * - ln (post d S x y)) (labels d) + / 8 * t² - t * top d T x + t * top d S x)) (omega d)).
  { rewrite left_by_states by exact T_features. apply mean_le. intros x Hx P. pose proof (tilted t x Ht Hx P). pose proof (agreed_chance x Hx P) as [_ G].
    apply (Rmult_le_compat_l t) in G; [|exact Ht]. lra. }
  assert (L : left d S = sum (fun x => px d x * sum (fun y => post d T x y * - ln (post d S x y)) (labels d)) (omega d)).
  { rewrite left_by_states by exact S_features. unfold surprise.
    rewrite <- (mean_by_states d T (fun x y => - ln (post d S x y))), <- (mean_by_states d S (fun x y => - ln (post d S x y))); [reflexivity|..];
    intros x x' y _ _ Al; do 2 f_equal; apply post_alike; [exact Al|exact (alike_less S T x x' S_in_T Al)]. }
  rewrite (sum_ext _ (fun x => px d x * sum (fun y => post d T x y * - ln (post d S x y)) (labels d) + / 8 * t² * px d x + t * (px d x * (1 - top d T x)) - t * (px d x * (1 - top d S x)))) in E by (intros; ring).
  rewrite sum_minus, !sum_plus, !sum_scale, <- L, <- !risk_by_states, total_px in E. unfold t, Rsqr in *. lra.
Qed.
End Pinsker.
