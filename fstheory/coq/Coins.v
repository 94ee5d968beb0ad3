(* Two classes: H(Y | S) is a mean of entropies of coins, which are concave in the risk. So H(Y) is above chords, and
   H(Y | T) is below lines in R(S), H(Y | S) and R(T). *)
From Coq Require Import Reals ZArith PArith List Bool Lra Lia.
From FS Require Import Sums Distributions Entropies States Curves Told.
Import ListNotations.
Open Scope R_scope.

Definition coin p := - (p * ln p) - (1 - p) * ln (1 - p).
Lemma coin_tangent p a : 0 <= p <= 1 -> 0 < a < 1 -> coin p <= p * - ln a + (1 - p) * - ln (1 - a).
Proof. intros P A. pose proof (coin_line p a ltac:(lra) ltac:(lra)). pose proof (coin_line (1 - p) (1 - a) ltac:(lra) ltac:(lra)). unfold coin. lra. Qed.
Lemma coin_0 : coin 0 = 0.
Proof. unfold coin. rewrite Rminus_0_r, ln_1. ring. Qed.
Lemma coin_half : coin (1 / 2) = ln 2.
Proof. unfold coin. replace (1 - 1 / 2) with (/ 2) by lra. replace (1 / 2) with (/ 2) by lra. rewrite ln_Rinv by lra. field. Qed.
(* A multiple of the entropy of a coin and a line together are not below 0 between two places where they are not. *)
Lemma between w m e a b r : 0 <= w -> 0 <= a -> b <= 1 -> a <= r <= b ->
  0 <= w * coin a + m * a + e -> 0 <= w * coin b + m * b + e -> 0 <= w * coin r + m * r + e.
Proof.
  intros W A B [[Ra| <-] [Rb| ->]] Ha Hb; try assumption.
  pose proof (coin_tangent a r ltac:(lra) ltac:(lra)) as Ta. pose proof (coin_tangent b r ltac:(lra) ltac:(lra)) as Tb.
  apply (Rmult_le_compat_l w) in Ta, Tb; try exact W.
  assert (Ga : 0 <= (b - r) * (w * (a * - ln r + (1 - a) * - ln (1 - r)) + m * a + e)) by (apply Rmult_le_pos; lra).
  assert (Gb : 0 <= (r - a) * (w * (b * - ln r + (1 - b) * - ln (1 - r)) + m * b + e)) by (apply Rmult_le_pos; lra).
  apply Rmult_le_reg_l with (b - a); [lra|]. unfold coin. lra.
Qed.

Section TwoClasses.
Variable d : dist.
Hypothesis two : classes d = 2%nat.
Lemma two_posts V x : In x (omega d) -> 0 < px d x -> post d V x 0 + post d V x 1 = 1 /\ 1 - top d V x <= 1 / 2 /\ surprise d V x = coin (1 - top d V x).
Proof.
  intros Hx P. assert (L : labels d = [0; 1]%nat) by (unfold labels; now rewrite two).
  pose proof (total_post d V x Hx P) as T. rewrite L in T. cbn [sum] in T.
  pose proof (post_top d V x 0%nat) as T0. pose proof (post_top d V x 1%nat) as T1. rewrite L in T0, T1. specialize (T0 ltac:(simpl; auto)). specialize (T1 ltac:(simpl; auto)).
  split; [lra|]. split; [lra|]. destruct (guess_ok d V x) as [Hg <-]. unfold surprise, coin. rewrite L in Hg |- *. cbn [sum].
  destruct Hg as [<-|[<-|[]]].
  - replace (post d V x 1) with (1 - post d V x 0) by lra. replace (1 - (1 - post d V x 0)) with (post d V x 0) by ring. ring.
  - replace (post d V x 0) with (1 - post d V x 1) by lra. replace (1 - (1 - post d V x 1)) with (post d V x 1) by ring. ring.
Qed.
(* Without features all states are one. *)
Theorem left_of_none : left d [] = coin (bayes_risk d []).
Proof.
  destruct (sum_pos (px d) (omega d)) as (x0 & Hx0 & _); [rewrite total_px; lra|].
  assert (Same : forall x, top d [] x = top d [] x0) by (intros x; unfold top; f_equal; apply map_ext; intros y; now apply post_alike).
  assert (E : bayes_risk d [] = 1 - top d [] x0).
  { rewrite risk_by_states, (sum_ext _ (fun x => (1 - top d [] x0) * px d x)) by (intros x _; rewrite Same; ring). rewrite sum_scale, total_px. ring. }
  rewrite left_by_states by (intros i []). rewrite E, (sum_ext _ (fun x => coin (1 - top d [] x0) * px d x)).
  - rewrite sum_scale, total_px. ring.
  - intros x Hx. destruct (Rle_lt_or_eq_dec 0 _ (px_ge0 d x)) as [P|Z]; [|rewrite <- Z; ring].
    rewrite (proj2 (proj2 (two_posts [] x Hx P))), Same. ring.
Qed.

Section Pair.
Variables S T : list nat.
Hypotheses (T_features : of_features d T) (S_in_T : incl S T).
(* If T says more than S, its guess is not worse wherever S says the same. *)
Lemma guess_of_more B : (forall x, 0 <= B x) -> (forall x x', alike S x x' = true -> B x = B x') ->
  sum (fun x => px d x * (B x * (1 - top d T x))) (omega d) <= sum (fun x => px d x * (B x * (1 - top d S x))) (omega d).
Proof.
  intros B0 Same. set (f := fun x y => if Nat.eqb (guess d S x) y then B x else 0).
  assert (Guess : forall V x, sum (fun y => post d V x y * f x y) (labels d) = B x * post d V x (guess d S x)).
  { intros V x. unfold f. rewrite (sum_ext _ (fun y => if Nat.eqb (guess d S x) y then B x * post d V x (guess d S x) else 0)).
    - apply (sum_one Nat.eqb Nat.eqb_eq); [apply seq_NoDup|apply guess_ok].
    - intros y _. destruct (Nat.eqb_spec (guess d S x) y) as [->|_]; ring. }
  assert (Of : forall x x' y, alike S x x' = true -> f x y = f x' y) by (intros x x' y A; unfold f; now rewrite (guess_alike d S x x' A), (Same x x' A)).
  assert (E : sum (fun x => px d x * (B x * top d S x)) (omega d) = sum (fun x => px d x * (B x * post d T x (guess d S x))) (omega d)).
  { rewrite (sum_ext _ (fun x => px d x * sum (fun y => post d S x y * f x y) (labels d))) by (intros; now rewrite Guess, (proj2 (guess_ok d S _))).
    rewrite <- (mean_by_states d S f) by (intros; now apply Of). rewrite (mean_by_states d T f) by (intros; apply Of; eauto using alike_less).
    apply sum_ext; intros; now rewrite Guess. }
  enough (sum (fun x => px d x * (B x * top d S x)) (omega d) <= sum (fun x => px d x * (B x * top d T x)) (omega d)).
  { rewrite (sum_ext (fun x => px d x * (B x * (1 - top d T x))) (fun x => px d x * B x - px d x * (B x * top d T x))) by (intros; ring).
    rewrite (sum_ext (fun x => px d x * (B x * (1 - top d S x))) (fun x => px d x * B x - px d x * (B x * top d S x))) by (intros; ring).
    rewrite !sum_minus. lra. }
  rewrite E. apply sum_le; intros x _. apply Rmult_le_compat_l; [apply px_ge0|]. apply Rmult_le_compat_l; [apply B0|]. apply post_top, guess_ok.
Qed.
Notation risk_s x := (1 - top d S x).
Notation risk_t x := (1 - top d T x).
Lemma risks_here V x : In x (omega d) -> 0 < px d x -> 0 <= 1 - top d V x <= 1 / 2.
Proof. intros Hx P. pose proof (top_le1 d V x Hx P). pose proof (two_posts V x Hx P). lra. Qed.
(* Where S is certain, so is T. *)
Lemma certain_of_more x : In x (omega d) -> 0 < px d x -> risk_s x = 0 -> risk_t x = 0.
Proof.
  intros Hx P Z. set (B := fun z => if Req_EM_T (top d S z) 1 then 1 else 0).
  assert (G0 : forall V z, In z (omega d) -> 0 <= px d z * (B z * (1 - top d V z))).
  { intros V z Hz. destruct (Rle_lt_or_eq_dec 0 _ (px_ge0 d z)) as [Pz|E]; [|rewrite <- E; lra]. pose proof (risks_here V z Hz Pz).
    unfold B. destruct (Req_EM_T (top d S z) 1); repeat apply Rmult_le_pos; lra. }
  assert (N : sum (fun z => px d z * (B z * risk_t z)) (omega d) = 0).
  { apply Rle_antisym; [|now apply sum_ge0, G0]. eapply Rle_trans; [apply guess_of_more|].
    - intros z. unfold B. destruct (Req_EM_T (top d S z) 1); lra.
    - intros z z' A. unfold B, top. rewrite (map_ext _ _ (fun y => post_alike d S z z' y A)). reflexivity.
    - right. rewrite <- (sum_0 (omega d)). apply sum_ext; intros z _. unfold B. destruct (Req_EM_T (top d S z) 1) as [->|_]; ring. }
  pose proof (sum_zero _ _ (G0 T) N x Hx) as Q. cbv beta in Q. unfold B in Q. destruct (Req_EM_T (top d S x) 1); [|lra].
  apply Rmult_integral in Q as [Q|Q]; lra.
Qed.

Variables q c u : R.
Hypotheses (q_pos : 0 < q) (q_c : q <= c) (c_half : c < 1 / 2) (u_weight : 0 <= u <= 1) (gaps : u * ln (4 * q * (1 - q)) <= ln (4 * c * (1 - c))).
Let slope p := ln (1 - p) - ln p.
(* The line at one state of S, where T is told as well as it can be: its risk is the lower of c and that of S. *)
Lemma line_here p : 0 < p <= 1 / 2 -> let m := Rmin p c in - ln (1 - m) + (slope m - slope c) * p <= u * - ln (1 - q) + (u * slope q - slope c) * p + (1 - u) * coin p.
Proof.
  intros Hp. assert (Below : p <= c -> u * coin p <= u * (- ln (1 - q) + slope q * p)).
  { intros _. apply Rmult_le_compat_l; [lra|]. pose proof (coin_tangent p q ltac:(lra) ltac:(lra)). unfold slope. lra. }
  cbv zeta. destruct (Rle_or_lt p c) as [L|L].
  - rewrite Rmin_left by exact L. specialize (Below L). unfold coin in *. unfold slope in *. lra.
  - rewrite Rmin_right by lra. enough (0 <= (1 - u) * coin p + (u * slope q - slope c) * p + (ln (1 - c) - u * ln (1 - q))) by lra.
    apply (between (1 - u) _ _ c (1 / 2) p); try lra.
    + pose proof (coin_tangent c q ltac:(lra) ltac:(lra)) as Tc. apply (Rmult_le_compat_l u) in Tc; [|lra]. unfold slope, coin in *. lra.
    + rewrite coin_half. replace (4 * q * (1 - q)) with (2 * 2 * (q * (1 - q))) in gaps by ring. replace (4 * c * (1 - c)) with (2 * 2 * (c * (1 - c))) in gaps by ring.
      rewrite !ln_mult in gaps by (try apply Rmult_lt_0_compat; lra). unfold slope. lra.
Qed.
Theorem pair_line : left d T <= u * - ln (1 - q) + (u * slope q - slope c) * bayes_risk d S + (1 - u) * left d S + slope c * bayes_risk d T.
Proof.
  assert (S_features : of_features d S) by (intros i Hi; auto).
  set (m := fun x => Rmin (risk_s x) c). set (B := fun x => if Rlt_dec 0 (risk_s x) then slope (m x) - slope c else 0).
  set (A := fun x => if Rlt_dec 0 (risk_s x) then - ln (1 - m x) else 0).
  assert (Order : forall p, 0 < p <= c -> slope c <= slope p).
  { intros p Hp. unfold slope. destruct (proj2 Hp) as [L| ->]; [|lra]. pose proof (ln_increasing p c ltac:(lra) L). pose proof (ln_increasing (1 - c) (1 - p) ltac:(lra) ltac:(lra)). lra. }
  assert (M0 : forall x, 0 < risk_s x -> 0 < m x <= c) by (intros x P; unfold m; split; [apply Rmin_glb_lt; lra|apply Rmin_r]).
  assert (Told_T : sum (fun x => px d x * (coin (risk_t x) - slope c * risk_t x)) (omega d) <= sum (fun x => px d x * (A x + B x * risk_t x)) (omega d)).
  { apply mean_le. intros x Hx P. pose proof (risks_here S x Hx P). pose proof (risks_here T x Hx P). unfold A, B. destruct (Rlt_dec 0 (risk_s x)) as [L|L].
    - pose proof (M0 x L). pose proof (coin_tangent (risk_t x) (m x) ltac:(lra) ltac:(lra)). unfold slope. lra.
    - rewrite (certain_of_more x Hx P) by lra. rewrite coin_0. lra. }
  assert (Guesses : sum (fun x => px d x * (A x + B x * risk_t x)) (omega d) <= sum (fun x => px d x * (A x + B x * risk_s x)) (omega d)).
  { rewrite (sum_ext _ (fun x => px d x * A x + px d x * (B x * risk_t x))), (sum_ext (fun x => px d x * (A x + B x * risk_s x)) (fun x => px d x * A x + px d x * (B x * risk_s x))) by (intros; ring).
    rewrite !sum_plus. apply Rplus_le_compat_l, guess_of_more.
    - intros x. unfold B. destruct (Rlt_dec 0 (risk_s x)) as [L|L]; [|lra]. pose proof (Order _ (M0 x L)). lra.
    - intros x x' Al. unfold B, m, top. rewrite (map_ext _ _ (fun y => post_alike d S x x' y Al)). reflexivity. }
  assert (Lines : sum (fun x => px d x * (A x + B x * risk_s x)) (omega d) <= sum (fun x => px d x * (u * - ln (1 - q) + (u * slope q - slope c) * risk_s x + (1 - u) * coin (risk_s x))) (omega d)).
  { apply mean_le. intros x Hx P. pose proof (risks_here S x Hx P). unfold A, B, m. destruct (Rlt_dec 0 (risk_s x)) as [L|L].
    - apply line_here. lra.
    - replace (risk_s x) with 0 by lra. rewrite coin_0. assert (0 <= u * - ln (1 - q)); [|lra]. apply Rmult_le_pos; [lra|].
      pose proof (ln_below (1 - q) ltac:(lra)). lra. }
  assert (Coins : forall V, of_features d V -> left d V = sum (fun x => px d x * coin (1 - top d V x)) (omega d)).
  { intros V F. rewrite left_by_states by exact F. apply sum_ext; intros x Hx. destruct (Rle_lt_or_eq_dec 0 _ (px_ge0 d x)) as [P|Z]; [|rewrite <- Z; ring].
    now rewrite (proj2 (proj2 (two_posts V x Hx P))). }
  rewrite (Coins T T_features), (Coins S S_features), (risk_by_states d S), (risk_by_states d T).
  rewrite (sum_ext (fun x => px d x * (coin (risk_t x) - slope c * risk_t x)) (fun x => px d x * coin (risk_t x) - slope c * (px d x * risk_t x))) in Told_T by (intros; ring).
  rewrite sum_minus, sum_scale in Told_T.
  rewrite (sum_ext (fun x => px d x * (u * - ln (1 - q) + _ + _)) (fun x => u * - ln (1 - q) * px d x + (u * slope q - slope c) * (px d x * risk_s x) + (1 - u) * (px d x * coin (risk_s x)))) in Lines by (intros; ring).
  rewrite !sum_plus, !sum_scale, total_px in Lines. lra.
Qed.
End Pair.
End TwoClasses.
