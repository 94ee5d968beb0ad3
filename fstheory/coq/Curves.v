(* Curves that bound H(Y | S) from above: Fano's inequality and the logarithm of the number of classes. *)
From Coq Require Import Reals ZArith PArith List Bool Lra Lia.
From FS Require Import Sums Distributions Entropies States.
Import ListNotations.
Open Scope R_scope.

(* Gibbs' inequality for sums: no prediction r has a smaller mean of minus its logarithm than q has. *)
Lemma gibbs_sum {A} (q r : A -> R) l : (forall a, In a l -> 0 <= q a) -> (forall a, In a l -> 0 <= r a) -> (forall a, In a l -> 0 < q a -> 0 < r a) ->
  sum r l <= sum q l -> sum (fun a => q a * - ln (q a)) l <= sum (fun a => q a * - ln (r a)) l.
Proof.
  intros Q0 R0 P S. enough (sum (fun a => q a * - ln (q a) - q a * - ln (r a)) l <= sum (fun a => r a - q a) l) by (rewrite !sum_minus in *; lra).
  apply sum_le; intros a Ha. destruct (Rle_lt_or_eq_dec 0 (q a) (Q0 a Ha)) as [Pq|Z]; [|rewrite <- Z; specialize (R0 a Ha); lra].
  pose proof (P a Ha Pq) as Pr. pose proof (ln_below (r a / q a) (Rdiv_lt_0_compat _ _ Pr Pq)) as L.
  unfold Rdiv in L. rewrite ln_mult, ln_Rinv in L by (auto; now apply Rinv_0_lt_compat).
  apply Rle_trans with (q a * (ln (r a) + - ln (q a))); [right; ring|]. apply Rle_trans with (q a * (r a * / q a - 1)); [apply Rmult_le_compat_l; lra|].
  right. field. lra.
Qed.

Section Above.
Variables (d : dist) (S : list nat).
Hypothesis S_features : of_features d S.
Notation risk := (bayes_risk d S).
Notation others := (INR (classes d) - 1).

Lemma total_labels (c : R) : sum (fun _ => c) (labels d) = c * INR (classes d).
Proof. rewrite sum_const. unfold labels. now rewrite seq_length. Qed.
(* The sum of f at the guess and g at all other classes. *)
Lemma guess_or_other (f g : nat -> R) y : In y (labels d) ->
  sum (fun z => if Nat.eqb y z then f z else g z) (labels d) = f y - g y + sum g (labels d).
Proof.
  intros Hy. rewrite (sum_ext _ (fun z => (if Nat.eqb y z then f y - g y else 0) + g z)).
  - rewrite sum_plus. f_equal. apply (sum_one Nat.eqb Nat.eqb_eq); [apply seq_NoDup|exact Hy].
  - intros z _. destruct (Nat.eqb_spec y z) as [->|_]; ring.
Qed.
(* The log loss of a prediction that gives the guess the probability a, and each other class the probability b. *)
Lemma prediction V x a b : In x (omega d) -> 0 < px d x -> 0 < a -> 0 <= b -> (top d V x < 1 -> 0 < b) -> a + others * b <= 1 ->
  surprise d V x <= top d V x * - ln a + (1 - top d V x) * - ln b.
Proof.
  intros Hx P A B0 B T. destruct (guess_ok d V x) as [Hg Eg]. set (g := guess d V x) in *.
  pose proof (total_post d V x Hx P) as Total.
  assert (Rest : sum (fun y => if Nat.eqb g y then 0 else post d V x y) (labels d) = 1 - top d V x).
  { rewrite (guess_or_other (fun _ => 0) (post d V x) g Hg), Total, Eg. ring. }
  apply Rle_trans with (sum (fun y => post d V x y * - ln (if Nat.eqb g y then a else b)) (labels d)).
  - apply (gibbs_sum (post d V x) (fun y => if Nat.eqb g y then a else b)); [intros; now apply post_ge0|..].
    + intros y _. destruct (Nat.eqb g y); lra.
    + intros y Hy Py. destruct (Nat.eqb_spec g y) as [|N]; [exact A|]. apply B.
      pose proof (sum_term (fun y => if Nat.eqb g y then 0 else post d V x y) (labels d) y) as L. cbv beta in L. rewrite Rest in L.
      destruct (Nat.eqb_spec g y); [contradiction|]. assert (post d V x y <= 1 - top d V x); [|lra]. apply L; [|exact Hy].
      intros z _. destruct (Nat.eqb g z); [lra|now apply post_ge0].
    + rewrite (guess_or_other (fun _ => a) (fun _ => b) g Hg), total_labels, Total. lra.
  - right. rewrite (sum_ext _ (fun y => if Nat.eqb g y then post d V x y * - ln a else post d V x y * - ln b)) by (intros y _; destruct (Nat.eqb g y); reflexivity).
    rewrite (guess_or_other (fun y => post d V x y * - ln a) (fun y => post d V x y * - ln b) g Hg), Eg.
    rewrite (sum_ext (fun z => post d V x z * - ln b) (fun z => - ln b * post d V x z)) by (intros; ring). rewrite sum_scale, Total. ring.
Qed.
Lemma mean_of_line a b : sum (fun x => px d x * (top d S x * a + (1 - top d S x) * b)) (omega d) = (1 - risk) * a + risk * b.
Proof.
  rewrite (risk_by_states d S). rewrite (sum_ext _ (fun x => a * px d x + (b - a) * (px d x * (1 - top d S x)))) by (intros; ring).
  rewrite sum_plus, !sum_scale, total_px. ring.
Qed.
Lemma mean_le (f g : list nat -> R) : (forall x, In x (omega d) -> 0 < px d x -> f x <= g x) ->
  sum (fun x => px d x * f x) (omega d) <= sum (fun x => px d x * g x) (omega d).
Proof.
  intros H. apply sum_le; intros x Hx. destruct (Rle_lt_or_eq_dec 0 (px d x) (px_ge0 d x)) as [P|Z]; [|rewrite <- Z; lra].
  apply Rmult_le_compat_l; [lra|auto].
Qed.
(* Fano's inequality as a family of lines: the guess is predicted with probability 1 - r, and r is shared among the others. *)
Theorem fano_line r : (2 <= classes d)%nat -> 0 < r < 1 -> left d S <= (1 - risk) * - ln (1 - r) + risk * (ln others - ln r).
Proof.
  intros K R01. assert (O : 1 <= others) by (apply le_INR in K; simpl in K; lra). rewrite left_by_states, <- mean_of_line by exact S_features.
  apply mean_le. intros x Hx P. replace (ln others - ln r) with (- ln (r / others)).
  - apply prediction; try lra; auto.
    + left. apply Rdiv_lt_0_compat; lra.
    + intros _. apply Rdiv_lt_0_compat; lra.
    + right. field. lra.
  - unfold Rdiv. rewrite ln_mult, ln_Rinv by (try apply Rinv_0_lt_compat; lra). ring.
Qed.
Theorem at_most_log_classes : left d S <= ln (INR (classes d)).
Proof.
  assert (K : 1 <= INR (classes d)).
  { apply (le_INR 1). pose proof (some_class d) as N. unfold labels in N. destruct (classes d); [now destruct N|lia]. }
  rewrite left_by_states by exact S_features.
  apply Rle_trans with (sum (fun x => px d x * ln (INR (classes d))) (omega d)).
  - apply mean_le. intros x Hx P. replace (ln (INR (classes d))) with (top d S x * - ln (/ INR (classes d)) + (1 - top d S x) * - ln (/ INR (classes d))) by (rewrite ln_Rinv by lra; ring).
    assert (0 < / INR (classes d)) by (apply Rinv_0_lt_compat; lra). apply prediction; auto; try lra. right. field. lra.
  - rewrite (sum_ext _ (fun x => ln (INR (classes d)) * px d x)) by (intros; ring). rewrite sum_scale, total_px. lra.
Qed.
Lemma left_ge0 : 0 <= left d S.
Proof.
  pose proof (information_ge0 d (S ++ [features d]) (S ++ [features d]) (S ++ [features d]) S) as I. unfold left.
  enough (0 <= mean_log d (S ++ [features d]) + mean_log d (S ++ [features d]) - mean_log d (S ++ [features d]) - mean_log d S) by lra.
  apply I; auto using incl_refl; intros i Hi; apply in_or_app; auto.
Qed.
(* The class is certain. *)
Theorem sure_risk : risk = 0 -> left d S = 0.
Proof.
  intros Z. apply Rle_antisym; [|exact left_ge0]. rewrite left_by_states by exact S_features. rewrite risk_by_states in Z.
  apply Rle_trans with (sum (fun x => px d x * 0) (omega d)); [|rewrite (sum_ext _ (fun _ => 0)) by (intros; ring); rewrite sum_0; lra].
  apply mean_le. intros x Hx P.
  assert (Le : forall z, In z (omega d) -> 0 < px d z -> top d S z <= 1).
  { intros z Hz Pz. destruct (guess_ok d S z) as [Hg <-]. rewrite <- (total_post d S z Hz Pz). apply sum_term; [intros; now apply post_ge0|exact Hg]. }
  assert (T : top d S x = 1).
  { assert (px d x * (1 - top d S x) = 0).
    - apply (sum_zero (fun x => px d x * (1 - top d S x)) (omega d)); auto. intros z Hz.
      destruct (Rle_lt_or_eq_dec 0 (px d z) (px_ge0 d z)) as [Pz|E]; [|rewrite <- E; lra]. specialize (Le z Hz Pz). apply Rmult_le_pos; lra.
    - apply Rmult_integral in H as [H|H]; lra. }
  pose proof (prediction S x 1 0 Hx P) as Q. rewrite T, ln_1 in Q. lra.
Qed.
(* Fano's inequality. If the risk is 0, all terms are 0. *)
Theorem fano : (2 <= classes d)%nat -> left d S <= risk * ln others - risk * ln risk - (1 - risk) * ln (1 - risk).
Proof.
  intros K. pose proof (floor d _ _ (bayes_risk_ok d S)) as F. pose proof (ceiling d _ _ (bayes_risk_ok d S)) as C.
  destruct F as [F|F].
  - pose proof (fano_line risk K (conj F C)). lra.
  - rewrite (sure_risk (eq_sym F)), <- F, Rminus_0_r, ln_1. lra.
Qed.
End Above.

(* A line above p log (1/p). *)
Lemma coin_line p a : 0 <= p -> 0 < a -> - (p * ln p) <= p * (- ln a - 1) + a.
Proof.
  intros [P|<-] A; [|lra]. pose proof (ln_below (a / p) (Rdiv_lt_0_compat _ _ A P)) as L.
  unfold Rdiv in L. rewrite ln_mult, ln_Rinv in L by (auto; now apply Rinv_0_lt_compat).
  apply (Rmult_le_compat_l p) in L; [|lra]. replace (p * (a * / p - 1)) with (a - p) in L by (field; lra). lra.
Qed.
