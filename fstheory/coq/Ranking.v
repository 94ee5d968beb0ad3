(* The area under the ROC curve (AUC) of the last class against the rest, from its definition: that of the best ranking. *)
From Coq Require Import Reals ZArith PArith List Bool Lra Lia Classical ClassicalEpsilon.
From FS Require Import Sums Distributions Entropies States Bridge.
Import ListNotations.
Open Scope R_scope.

(* The probability of a state together with the last class, that of the state together with another class, and that of the last class. *)
Definition hit d x := p d x (classes d - 1)%nat.
Definition miss d x := px d x - hit d x.
Definition rate d := sum (hit d) (omega d).
(* A score ranks the states. It sees a set of features alone if it is the same wherever these features agree. *)
Definition scores d (S : set) (f : list nat -> R) := forall x x', In x (omega d) -> In x' (omega d) -> agree S x x' -> f x = f x'.
(* A case of the last class and a case of another class are drawn. The score wins if the first case has the larger score. A tie
   counts half. [ranked] is the chance that the score wins. *)
Definition wins (a b : R) := if Rlt_dec b a then 1 else if Rlt_dec a b then 0 else 1 / 2.
Definition won d (f : list nat -> R) := sum (fun x => sum (fun x' => hit d x * miss d x' * wins (f x) (f x')) (omega d)) (omega d).
Definition ranked d f := won d f / (rate d * (1 - rate d)).
(* The AUC of S is the largest chance to win, of all scores that see S alone. It is 1 if the last class is certain or impossible. *)
Definition largest_area d (S : set) a := (exists f, scores d S f /\ ranked d f = a) /\ forall f, scores d S f -> ranked d f <= a.
Definition auc d (S : list nat) : R := if Req_EM_T (rate d * (1 - rate d)) 0 then 1 else epsilon (inhabits 0) (largest_area d (mem S)).

Lemma wins_between a b : 0 <= wins a b <= 1.
Proof. unfold wins. destruct (Rlt_dec b a), (Rlt_dec a b); lra. Qed.
Lemma wins_other a b : wins b a = 1 - wins a b.
Proof. unfold wins. destruct (Rlt_dec b a), (Rlt_dec a b); lra. Qed.
Lemma sum_pairs_ext {A} (f g : A -> A -> R) l : (forall a b, In a l -> In b l -> f a b = g a b) -> sum (fun a => sum (f a) l) l = sum (fun a => sum (g a) l) l.
Proof. intros E. apply sum_ext; intros a Ha. apply sum_ext; auto. Qed.

Lemma scaled_pairs {A} c (f g : A -> A -> R) l : sum (fun a => sum (fun b => c * (f a b * g a b)) l) l = c * sum (fun a => sum (fun b => f a b * g a b) l) l.
Proof. rewrite <- sum_scale. apply sum_ext; intros a _. apply sum_scale. Qed.

Section Ranking.
Variable d : dist.
Notation e V x := (post d V x (classes d - 1)%nat).
Notation pairs F := (sum (fun x => sum (F x) (omega d)) (omega d)).
(* Twice the chance that the best score loses: each pair of states counts with the less likely of its two orders. *)
Definition lost V := pairs (fun x x' => px d x * px d x' * Rmin (e V x * (1 - e V x')) (e V x' * (1 - e V x))).
Lemma last_label : In (classes d - 1)%nat (labels d).
Proof. pose proof (some_class d) as N. unfold labels in *. apply in_seq. destruct (classes d); [now destruct N|lia]. Qed.
Lemma post_between V x : In x (omega d) -> 0 < px d x -> 0 <= e V x <= 1.
Proof.
  intros Hx P. split; [now apply post_ge0|]. rewrite <- (total_post d V x Hx P). apply sum_term; [intros; now apply post_ge0|exact last_label].
Qed.
Lemma rate_between : 0 <= rate d <= 1.
Proof.
  split; [apply sum_ge0; intros; apply nonneg|]. rewrite <- (total_px d). apply sum_le. intros x _. apply (sum_term (p d x)); [intros; apply nonneg|exact last_label].
Qed.
Lemma both_classes : rate d * (1 - rate d) <> 0 -> 0 < rate d < 1 /\ 0 < rate d * (1 - rate d).
Proof.
  intros N. pose proof rate_between as B. assert (rate d <> 0) by (intros Z; apply N; rewrite Z; ring). assert (rate d <> 1) by (intros Z; apply N; rewrite Z; ring).
  split; [lra|apply Rmult_lt_0_compat; lra].
Qed.
(* What V knows may be weighed by the last class, or by its probability given V. *)
Lemma hits V g : (forall x x', In x (omega d) -> In x' (omega d) -> alike V x x' = true -> g x = g x') ->
  sum (fun x => hit d x * g x) (omega d) = sum (fun x => px d x * (e V x * g x)) (omega d).
Proof.
  intros G. set (f := fun x y => if Nat.eqb (classes d - 1) y then g x else 0).
  assert (One : forall h x, sum (fun y => h y * f x y) (labels d) = h (classes d - 1)%nat * g x).
  { intros h x. unfold f. rewrite (sum_ext _ (fun y => if Nat.eqb (classes d - 1) y then h (classes d - 1)%nat * g x else 0)).
    - apply (sum_one Nat.eqb Nat.eqb_eq); [apply seq_NoDup|exact last_label].
    - intros y _. destruct (Nat.eqb_spec (classes d - 1) y) as [<-|_]; ring. }
  pose proof (mean_by_states d V f) as M. rewrite (sum_ext _ (fun x => hit d x * g x)) in M by (intros x _; apply One). rewrite M.
  - apply sum_ext; intros x _. f_equal. apply One.
  - intros x x' y Hx Hx' A. unfold f. now rewrite (G x x').
Qed.
Lemma misses V g : (forall x x', In x (omega d) -> In x' (omega d) -> alike V x x' = true -> g x = g x') ->
  sum (fun x => miss d x * g x) (omega d) = sum (fun x => px d x * ((1 - e V x) * g x)) (omega d).
Proof.
  intros G. unfold miss. rewrite (sum_ext _ (fun x => px d x * g x - hit d x * g x)) by (intros; ring). rewrite sum_minus, (hits V g G), <- sum_minus.
  apply sum_ext; intros; ring.
Qed.
Lemma by_states V h : (forall x x' z, In x (omega d) -> In x' (omega d) -> In z (omega d) -> alike V x x' = true -> h x z = h x' z /\ h z x = h z x') ->
  pairs (fun x x' => hit d x * miss d x' * h x x') = pairs (fun x x' => px d x * px d x' * (e V x * (1 - e V x') * h x x')).
Proof.
  intros K. rewrite (sum_ext _ (fun x => hit d x * sum (fun x' => miss d x' * h x x') (omega d))).
  - rewrite (hits V). 
    + apply sum_ext; intros x Hx. rewrite (misses V) by (intros; now apply K). rewrite <- sum_scale, <- sum_scale. apply sum_ext; intros; ring.
    + intros x x' Hx Hx' A. apply sum_ext; intros z Hz. f_equal. now apply K.
  - intros x _. rewrite <- sum_scale. apply sum_ext; intros; ring.
Qed.
Lemma both_orders F : pairs F = pairs (fun x x' => F x' x).
Proof. apply sum_swap. Qed.
Lemma all_pairs V : pairs (fun x x' => px d x * px d x' * (e V x * (1 - e V x'))) = rate d * (1 - rate d).
Proof.
  rewrite (sum_pairs_ext _ (fun x x' => px d x * px d x' * (e V x * (1 - e V x') * 1))) by (intros; ring). rewrite <- (by_states V (fun _ _ => 1)) by auto.
  rewrite (sum_ext _ (fun x => (1 - rate d) * hit d x)); [rewrite sum_scale; fold (rate d); ring|]. intros x _.
  rewrite (sum_ext _ (fun x' => hit d x * (px d x' - hit d x'))) by (intros; unfold miss; ring). rewrite sum_scale, sum_minus, total_px. fold (rate d). ring.
Qed.
Lemma won_by_states V f : scores d (mem V) f ->
  2 * won d f = pairs (fun x x' => px d x * px d x' * (e V x * (1 - e V x') * wins (f x) (f x') + e V x' * (1 - e V x) * (1 - wins (f x) (f x')))).
Proof.
  intros Sees. assert (W : won d f = pairs (fun x x' => px d x * px d x' * (e V x * (1 - e V x') * wins (f x) (f x')))).
  { apply (by_states V (fun x x' => wins (f x) (f x'))). intros x x' z Hx Hx' _ A. now rewrite (Sees x x' Hx Hx' (proj1 (agree_alike V x x') A)). }
  replace (2 * won d f) with (won d f + won d f) by ring. rewrite W at 2. rewrite both_orders in W. rewrite W, <- sum_plus.
  apply sum_ext; intros x _. rewrite <- sum_plus. apply sum_ext; intros x' _. rewrite (wins_other (f x) (f x')). ring.
Qed.
Lemma twice_all_pairs V : 2 * (rate d * (1 - rate d)) = pairs (fun x x' => px d x * px d x' * (e V x * (1 - e V x') + e V x' * (1 - e V x))).
Proof.
  pose proof (all_pairs V) as E. replace (2 * (rate d * (1 - rate d))) with (rate d * (1 - rate d) + rate d * (1 - rate d)) by ring. rewrite <- E at 2. rewrite both_orders in E.
  rewrite <- E, <- sum_plus. apply sum_ext; intros x _. rewrite <- sum_plus. apply sum_ext; intros; ring.
Qed.
Lemma mixed_min a b w : 0 <= w <= 1 -> Rmin a b <= a * (1 - w) + b * w.
Proof.
  intros W. pose proof (Rmin_l a b). pose proof (Rmin_r a b). set (m := Rmin a b) in *.
  assert (0 <= (a - m) * (1 - w)) by (apply Rmult_le_pos; lra). assert (0 <= (b - m) * w) by (apply Rmult_le_pos; lra). lra.
Qed.
(* No score that sees V alone wins more often than the probability of the last class given V. *)
Lemma won_at_most V f : scores d (mem V) f -> 2 * won d f <= 2 * (rate d * (1 - rate d)) - lost V.
Proof.
  intros Sees. rewrite (won_by_states V f Sees), (twice_all_pairs V). unfold lost. rewrite <- sum_minus. apply sum_le; intros x _. rewrite <- sum_minus. apply sum_le; intros x' _.
  pose proof (mixed_min (e V x * (1 - e V x')) (e V x' * (1 - e V x)) _ (wins_between (f x) (f x'))) as M.
  apply (Rmult_le_compat_l (px d x * px d x')) in M; [lra|]. apply Rmult_le_pos; apply px_ge0.
Qed.
Lemma posterior_scores V : scores d (mem V) (fun x => e V x).
Proof. intros x x' _ _ A. apply post_alike, agree_alike, A. Qed.
Lemma won_by_posterior V : 2 * won d (fun x => e V x) = 2 * (rate d * (1 - rate d)) - lost V.
Proof.
  rewrite (won_by_states V _ (posterior_scores V)), (twice_all_pairs V). unfold lost. rewrite <- sum_minus. apply sum_ext; intros x _. rewrite <- sum_minus. apply sum_ext; intros x' _.
  rewrite <- Rmult_minus_distr_l. f_equal. unfold wins, Rmin. destruct (Rlt_dec (e V x') (e V x)), (Rlt_dec (e V x) (e V x')), (Rle_dec (e V x * (1 - e V x')) (e V x' * (1 - e V x))); lra.
Qed.
Lemma largest V : rate d * (1 - rate d) <> 0 -> largest_area d (mem V) (1 - lost V / (2 * (rate d * (1 - rate d)))).
Proof.
  intros N. destruct (both_classes N) as [_ P]. set (m := rate d * (1 - rate d)) in *. split.
  - exists (fun x => e V x). split; [apply posterior_scores|]. unfold ranked. fold m. pose proof (won_by_posterior V) as W. fold m in W.
    replace (won d (fun x => e V x)) with (m - lost V / 2) by lra. field. exact N.
  - intros f Sees. unfold ranked. fold m. pose proof (won_at_most V f Sees) as W. fold m in W. apply Rmult_le_reg_l with (2 * m); [lra|].
    replace (2 * m * (won d f / m)) with (2 * won d f) by (field; exact N). replace (2 * m * (1 - lost V / (2 * m))) with (2 * m - lost V) by (field; exact N). exact W.
Qed.
Lemma auc_ok V : rate d * (1 - rate d) <> 0 -> largest_area d (mem V) (auc d V).
Proof.
  intros N. unfold auc. destruct (Req_EM_T (rate d * (1 - rate d)) 0) as [|_]; [contradiction|]. apply epsilon_spec. eexists. exact (largest V N).
Qed.
(* The AUC as certificates define it: 1 less the sum over pairs of states, divided by 2 p (1 - p). *)
Theorem auc_by_states V : rate d * (1 - rate d) <> 0 -> auc d V = 1 - lost V / (2 * (rate d * (1 - rate d))).
Proof.
  intros N. destruct (auc_ok V N) as [(f & Sf & <-) L], (largest V N) as [(g & Sg & <-) M]. apply Rle_antisym; auto.
Qed.
Lemma auc_of_one_class V : rate d * (1 - rate d) = 0 -> auc d V = 1.
Proof. intros Z. unfold auc. now destruct (Req_EM_T (rate d * (1 - rate d)) 0). Qed.

Theorem auc_less S T : incl S T -> auc d S <= auc d T.
Proof.
  intros I. destruct (Req_dec (rate d * (1 - rate d)) 0) as [Z|N]; [rewrite !auc_of_one_class by exact Z; lra|].
  destruct (auc_ok S N) as [(f & Sees & <-) _], (auc_ok T N) as [_ L]. apply L. intros x x' Hx Hx' A. apply Sees; auto.
  apply agree_alike, (alike_less S T x x' I), agree_alike, A.
Qed.
Lemma lost_ge0 V : 0 <= lost V.
Proof.
  apply sum_ge0; intros x Hx. apply sum_ge0; intros x' Hx'. pose proof (px_ge0 d x) as P. pose proof (px_ge0 d x') as P'.
  destruct (Rle_lt_or_eq_dec 0 _ P) as [Q|<-]; [|lra]. destruct (Rle_lt_or_eq_dec 0 _ P') as [Q'|<-]; [|lra].
  pose proof (post_between V x Hx Q). pose proof (post_between V x' Hx' Q'). apply Rmult_le_pos; [now apply Rmult_le_pos|]. apply Rmin_glb; apply Rmult_le_pos; lra.
Qed.
Theorem auc_at_most_1 V : auc d V <= 1.
Proof.
  destruct (Req_dec (rate d * (1 - rate d)) 0) as [Z|N]; [rewrite auc_of_one_class by exact Z; lra|]. rewrite auc_by_states by exact N.
  destruct (both_classes N) as [_ P]. pose proof (lost_ge0 V). enough (0 <= lost V / (2 * (rate d * (1 - rate d)))) by lra.
  apply Rmult_le_pos; [assumption|]. left. apply Rinv_0_lt_compat. lra.
Qed.
(* Without features all scores tie. *)
Theorem auc_none : auc d [] = 1 / 2 /\ rate d * (1 - rate d) <> 0 \/ auc d [] = 1 /\ rate d * (1 - rate d) = 0.
Proof.
  destruct (Req_dec (rate d * (1 - rate d)) 0) as [Z|N]; [right; auto using auc_of_one_class|left]. split; [|exact N].
  assert (W : forall f, scores d (mem []) f -> ranked d f = 1 / 2).
  { intros f Sees. unfold ranked. assert (E : 2 * won d f = rate d * (1 - rate d)); [|replace (won d f) with (rate d * (1 - rate d) / 2) by lra; destruct (both_classes N) as [B _]; field; lra].
    rewrite <- (all_pairs []), (won_by_states [] f Sees).
    transitivity (1 / 2 * pairs (fun x x' => px d x * px d x' * (e [] x * (1 - e [] x') + e [] x' * (1 - e [] x)))).
    - rewrite <- sum_scale. apply sum_ext; intros x Hx. rewrite <- sum_scale. apply sum_ext; intros x' Hx'. rewrite (Sees x x' Hx Hx') by (intros i Hi; discriminate).
      unfold wins. destruct (Rlt_dec (f x') (f x')); [lra|]. field.
    - rewrite <- (twice_all_pairs []), (all_pairs []). field. }
  destruct (auc_ok [] N) as [(f & Sees & <-) _]. now apply W.
Qed.
Theorem auc_half V : 1 / 2 <= auc d V.
Proof. assert (I : incl [] V) by (intros i []). pose proof (auc_less [] V I). destruct auc_none as [[E _]|[E _]]; lra. Qed.

(* Two classes: in each state, the guess is wrong with the smaller of their two probabilities. *)
Hypothesis two : classes d = 2%nat.
Lemma top_of_two V x : In x (omega d) -> 0 < px d x -> 1 - top d V x = Rmin (e V x) (1 - e V x).
Proof.
  intros Hx P. destruct (guess_ok d V x) as [Hg Eg]. pose proof (total_post d V x Hx P) as Total.
  assert (Top : forall y, In y (labels d) -> post d V x y <= top d V x) by (intros y Hy; now apply post_top).
  unfold labels in *. rewrite two in *. cbn [seq sum In Nat.sub] in *. pose proof (Top 0%nat ltac:(auto)). pose proof (Top 1%nat ltac:(auto)).
  unfold Rmin. destruct (Rle_dec (post d V x 1) (1 - post d V x 1)); destruct Hg as [G|[G|[]]]; rewrite <- G in Eg; lra.
Qed.
Lemma risk_of_two V : bayes_risk d V = sum (fun x => px d x * Rmin (e V x) (1 - e V x)) (omega d).
Proof.
  rewrite risk_by_states. apply sum_ext; intros x Hx. destruct (Rle_lt_or_eq_dec 0 _ (px_ge0 d x)) as [P|<-]; [|ring]. now rewrite top_of_two.
Qed.
Lemma post_none x : In x (omega d) -> e [] x = rate d.
Proof.
  intros _. unfold post. assert (T : tot d [] x = 1) by exact (total_px d). rewrite T. unfold Rdiv. rewrite Rinv_1, Rmult_1_r. reflexivity.
Qed.
Theorem risk_none : bayes_risk d [] = Rmin (rate d) (1 - rate d).
Proof.
  rewrite risk_of_two. rewrite (sum_ext _ (fun x => Rmin (rate d) (1 - rate d) * px d x)) by (intros x Hx; rewrite post_none by exact Hx; ring). rewrite sum_scale, total_px. ring.
Qed.
Theorem both_or_one : 0 < bayes_risk d [] /\ auc d [] = 1 / 2 \/ bayes_risk d [] = 0 /\ auc d [] = 1.
Proof.
  rewrite risk_none. pose proof rate_between as B. destruct auc_none as [[E N]|[E Z]]; [left|right]; split; try exact E.
  - destruct (both_classes N) as [[L U] _]. apply Rmin_glb_lt; lra.
  - apply Rmult_integral in Z. unfold Rmin. destruct Z, (Rle_dec (rate d) (1 - rate d)); lra.
Qed.

(* The sum over all pairs, each of which has at least or at most so much. *)
Lemma pairs_le F G : (forall x x', In x (omega d) -> In x' (omega d) -> 0 < px d x -> 0 < px d x' -> F x x' <= G x x') -> pairs (fun x x' => px d x * px d x' * F x x') <= pairs (fun x x' => px d x * px d x' * G x x').
Proof.
  intros L. apply sum_le; intros x Hx. apply sum_le; intros x' Hx'. pose proof (px_ge0 d x) as P. pose proof (px_ge0 d x') as P'.
  destruct (Rle_lt_or_eq_dec 0 _ P) as [Q|<-]; [|lra]. destruct (Rle_lt_or_eq_dec 0 _ P') as [Q'|<-]; [|lra]. apply Rmult_le_compat_l; [now apply Rmult_le_pos|auto].
Qed.
Lemma product_of_means f g : pairs (fun x x' => px d x * px d x' * (f x * g x')) = sum (fun x => px d x * f x) (omega d) * sum (fun x => px d x * g x) (omega d).
Proof.
  rewrite (sum_ext _ (fun x => sum (fun x' => px d x' * g x') (omega d) * (px d x * f x))); [rewrite sum_scale; ring|]. intros x _.
  rewrite (sum_ext _ (fun x' => px d x * f x * (px d x' * g x'))) by (intros; ring). rewrite sum_scale. ring.
Qed.
(* If each order of two states has at least the chance c f(x) f(x'), then c times the square of the mean of f is lost. *)
Lemma lost_square V c f : (forall x x', In x (omega d) -> In x' (omega d) -> 0 < px d x -> 0 < px d x' -> c * (f x * f x') <= e V x * (1 - e V x')) ->
  c * (sum (fun x => px d x * f x) (omega d) * sum (fun x => px d x * f x) (omega d)) <= lost V.
Proof.
  intros L. rewrite <- product_of_means, <- (scaled_pairs c (fun x x' => px d x * px d x')). rewrite (sum_pairs_ext _ (fun x x' => px d x * px d x' * (c * (f x * f x')))) by (intros; ring). apply pairs_le. intros x x' Hx Hx' P P'. apply Rmin_glb; [auto|]. rewrite (Rmult_comm (f x)). auto.
Qed.
Theorem auc_by_risk V : auc d V <= 1 - 2 * (bayes_risk d V * bayes_risk d V).
Proof.
  assert (Least : bayes_risk d V <= bayes_risk d []) by (apply (monotone d (mem []) (mem V)); try apply bayes_risk_ok; intros i Hi; discriminate).
  pose proof (floor d _ _ (bayes_risk_ok d V)) as R0.
  destruct (Req_dec (rate d * (1 - rate d)) 0) as [Z|N].
  - rewrite auc_of_one_class by exact Z. destruct both_or_one as [[_ E]|[E _]]; [|assert (bayes_risk d V = 0) as -> by lra; lra].
    rewrite auc_of_one_class in E by exact Z. lra.
  - rewrite auc_by_states by exact N. destruct (both_classes N) as [B P]. set (m := rate d * (1 - rate d)) in *.
    assert (M : 4 * m <= 1) by (pose proof (Rle_0_sqr (1 - 2 * rate d)) as S; unfold Rsqr in S; unfold m; lra).
    assert (L : 1 * (bayes_risk d V * bayes_risk d V) <= lost V).
    { rewrite risk_of_two. apply lost_square. intros x x' Hx Hx' Q Q'. rewrite Rmult_1_l. pose proof (post_between V x Hx Q). pose proof (post_between V x' Hx' Q').
      apply Rmult_le_compat; [apply Rmin_glb; lra|apply Rmin_glb; lra|apply Rmin_l|apply Rmin_r]. }
    assert (D : 2 * lost V <= lost V / (2 * m)).
    { apply Rmult_le_reg_r with (2 * m); [lra|]. replace (lost V / (2 * m) * (2 * m)) with (lost V) by (field; lra). pose proof (lost_ge0 V) as L0.
      assert (0 <= lost V * (1 - 4 * m)) by (apply Rmult_le_pos; lra). lra. }
    lra.
Qed.
Theorem auc_certain V : 0 < bayes_risk d V /\ auc d V < 1 \/ bayes_risk d V = 0 /\ auc d V = 1.
Proof.
  pose proof (auc_at_most_1 V) as A. pose proof (auc_by_risk V) as U. destruct (floor d _ _ (bayes_risk_ok d V)) as [R0|Z].
  - left. split; [exact R0|]. pose proof (Rmult_lt_0_compat _ _ R0 R0). lra.
  - right. split; [now symmetry|]. destruct (Req_dec (rate d * (1 - rate d)) 0) as [O|N]; [now apply auc_of_one_class|]. rewrite auc_by_states by exact N.
    replace (lost V) with 0; [unfold Rdiv; ring|]. symmetry. unfold lost. rewrite (sum_ext _ (fun _ => 0)); [apply sum_0|]. intros x Hx.
    rewrite (sum_ext _ (fun _ => 0)); [apply sum_0|]. intros x' Hx'. rewrite risk_of_two in Z.
    assert (Each : forall z, In z (omega d) -> px d z = 0 \/ 0 < px d z /\ (e V z = 0 \/ e V z = 1)).
    { intros z Hz. destruct (Rle_lt_or_eq_dec 0 _ (px_ge0 d z)) as [Pz|E]; [right|auto]. split; [exact Pz|]. pose proof (post_between V z Hz Pz) as B.
      assert (S : px d z * Rmin (e V z) (1 - e V z) = 0).
      { apply (sum_zero (fun y => px d y * Rmin (e V y) (1 - e V y)) (omega d)); [|now symmetry|exact Hz]. intros y Hy. destruct (Rle_lt_or_eq_dec 0 _ (px_ge0 d y)) as [Py|<-]; [|lra].
        pose proof (post_between V y Hy Py). apply Rmult_le_pos; [lra|apply Rmin_glb; lra]. }
      apply Rmult_integral in S as [S|S]; [lra|]. unfold Rmin in S. destruct (Rle_dec (e V z) (1 - e V z)); lra. }
    destruct (Each x Hx) as [->|[P Ex]]; [ring|]. destruct (Each x' Hx') as [->|[P' Ex']]; [ring|].
    destruct Ex as [->| ->], Ex' as [->| ->]; unfold Rmin; match goal with |- context [Rle_dec ?a ?b] => destruct (Rle_dec a b) end; lra.
Qed.
(* The area is larger than without features if and only if V says anything about the class. *)
Lemma same_area V : (forall x, In x (omega d) -> 0 < px d x -> e V x = rate d) -> auc d V = auc d [].
Proof.
  intros E. destruct (Req_dec (rate d * (1 - rate d)) 0) as [Z|N]; [now rewrite !auc_of_one_class|]. rewrite !auc_by_states by exact N. do 2 f_equal.
  apply Rle_antisym; apply pairs_le; intros x x' Hx Hx' P P'; rewrite !post_none, !E by assumption; lra.
Qed.
Lemma mean_of_posts V : sum (fun x => px d x * e V x) (omega d) = rate d.
Proof.
  unfold rate. rewrite (sum_ext (hit d) (fun x => hit d x * 1)) by (intros; ring). rewrite (hits V (fun _ => 1)) by auto. apply sum_ext; intros; ring.
Qed.
Lemma area_of_rate V : auc d V <= auc d [] -> forall x, In x (omega d) -> 0 < px d x -> e V x = rate d.
Proof.
  intros L. pose proof (mean_of_posts V) as Mean. assert (Zero : forall f, (forall x, In x (omega d) -> 0 < px d x -> 0 <= f x) -> sum (fun x => px d x * f x) (omega d) = 0 ->
    forall x, In x (omega d) -> 0 < px d x -> f x = 0).
  { intros f F Z x Hx P. assert (X : px d x * f x = 0).
    { apply (sum_zero (fun y => px d y * f y) (omega d)); [|exact Z|exact Hx]. intros y Hy. destruct (Rle_lt_or_eq_dec 0 _ (px_ge0 d y)) as [Q|<-]; [|lra]. apply Rmult_le_pos; [lra|auto]. }
    apply Rmult_integral in X as [X|X]; lra. }
  destruct (Req_dec (rate d * (1 - rate d)) 0) as [Z|N].
  - apply Rmult_integral in Z as [Z|Z].
    + rewrite Z in *. apply (Zero (fun x => e V x)); [intros x Hx P; now apply post_between|exact Mean].
    + intros x Hx P. enough (1 - e V x = 0) by lra. apply (Zero (fun x => 1 - e V x)); try assumption; [intros y Hy Q; pose proof (post_between V y Hy Q); lra|].
      rewrite (sum_ext _ (fun x => px d x - px d x * e V x)) by (intros; ring). rewrite sum_minus, total_px, Mean. exact Z.
  - destruct auc_none as [[E _]|[_ Z]]; [|contradiction]. rewrite auc_by_states, E in L by exact N. destruct (both_classes N) as [_ P]. set (m := rate d * (1 - rate d)) in *.
    assert (Most : m <= lost V).
    { apply (Rmult_le_compat_l (2 * m)) in L; [|lra]. replace (2 * m * (1 - lost V / (2 * m))) with (2 * m - lost V) in L by (field; exact N). lra. }
    assert (Alike : forall x x', In x (omega d) -> In x' (omega d) -> 0 < px d x -> 0 < px d x' -> e V x <= e V x').
    { set (gap := fun x x' => e V x * (1 - e V x') - Rmin (e V x * (1 - e V x')) (e V x' * (1 - e V x))).
      assert (G : forall x x', 0 <= gap x x') by (intros x x'; unfold gap; pose proof (Rmin_l (e V x * (1 - e V x')) (e V x' * (1 - e V x))); lra).
      assert (G' : forall x x', 0 <= px d x * px d x' * gap x x') by (intros x x'; pose proof (px_ge0 d x); pose proof (px_ge0 d x'); repeat apply Rmult_le_pos; auto).
      assert (Z : pairs (fun x x' => px d x * px d x' * gap x x') = 0).
      { apply Rle_antisym; [|apply sum_ge0; intros x _; apply sum_ge0; auto].
        rewrite (sum_pairs_ext _ (fun x x' => px d x * px d x' * (e V x * (1 - e V x')) - px d x * px d x' * Rmin (e V x * (1 - e V x')) (e V x' * (1 - e V x)))) by (intros; unfold gap; ring).
        rewrite (sum_ext _ (fun x => sum (fun x' => px d x * px d x' * (e V x * (1 - e V x'))) (omega d) - sum (fun x' => px d x * px d x' * Rmin (e V x * (1 - e V x')) (e V x' * (1 - e V x))) (omega d)))
          by (intros; apply sum_minus). rewrite sum_minus, all_pairs. fold (lost V) m. lra. }
      intros x x' Hx Hx' Q Q'. assert (Zx : sum (fun x' => px d x * px d x' * gap x x') (omega d) = 0).
      { apply (sum_zero (fun x => sum (fun x' => px d x * px d x' * gap x x') (omega d)) (omega d)); [intros y _; apply sum_ge0; auto|exact Z|exact Hx]. }
      assert (Zxx : px d x * px d x' * gap x x' = 0) by (apply (sum_zero (fun x' => px d x * px d x' * gap x x') (omega d)); [auto|exact Zx|exact Hx']).
      apply Rmult_integral in Zxx as [Zxx|Zxx]; [apply Rmult_integral in Zxx as [Zxx|Zxx]; lra|]. unfold gap in Zxx.
      pose proof (Rmin_r (e V x * (1 - e V x')) (e V x' * (1 - e V x))). lra. }
    intros x Hx Q. rewrite <- Mean. replace (e V x) with (sum (fun x' => px d x' * e V x) (omega d)).
    + apply sum_ext; intros x' Hx'. destruct (Rle_lt_or_eq_dec 0 _ (px_ge0 d x')) as [Q'|<-]; [|ring]. f_equal. apply Rle_antisym; auto.
    + rewrite (sum_ext _ (fun x' => e V x * px d x')) by (intros; ring). rewrite sum_scale, total_px. ring.
Qed.
Theorem auc_informed V : of_features d V -> auc d [] < auc d V /\ left d V < left d [] \/ auc d [] = auc d V /\ left d [] = left d V.
Proof.
  intros FV. assert (I : incl [] V) by (intros i []). assert (F0 : of_features d []) by (intros i []). pose proof (auc_less [] V I) as Rises.
  destruct (Rlt_or_le (auc d []) (auc d V)) as [L|L]; [left|right].
  - split; [exact L|]. apply Rnot_le_lt. intros Z. rewrite (same_area V) in L; [lra|]. intros x Hx P.
    rewrite <- (no_information_same_posts d [] V FV I Z x _ Hx P last_label). now apply post_none.
  - split; [lra|]. pose proof (area_of_rate V L) as E. rewrite !left_by_states by assumption. apply sum_ext; intros x Hx.
    destruct (Rle_lt_or_eq_dec 0 _ (px_ge0 d x)) as [P|<-]; [|ring]. f_equal. unfold surprise. apply sum_ext; intros y Hy.
    assert (S : post d [] x y = post d V x y); [|now rewrite S]. pose proof (total_post d V x Hx P) as TV. pose proof (total_post d [] x Hx P) as T0.
    pose proof (E x Hx P) as EV. pose proof (post_none x Hx) as E0. unfold labels in *. rewrite two in *. cbn [seq sum In Nat.sub] in *.
    destruct Hy as [<-|[<-|[]]]; lra.
Qed.
(* Both bounds of the AUC by the balanced loss b, where both classes occur. *)
Theorem auc_by_loss V b : rate d * (1 - rate d) <> 0 -> rate d * (1 - rate d) * b = sum (fun x => px d x * Rmin ((1 - rate d) * e V x) (rate d * (1 - e V x))) (omega d) ->
  1 - b / 2 <= auc d V <= 1 - b * b / 2.
Proof.
  intros N. rewrite auc_by_states by exact N. destruct (both_classes N) as [B P]. set (m := rate d * (1 - rate d)) in *. set (f := fun x => Rmin ((1 - rate d) * e V x) (rate d * (1 - e V x))).
  intros L. fold (f) in L. assert (Low : m * (b * b) <= lost V).
  { replace (m * (b * b)) with (/ m * (m * b * (m * b))) by (field; lra). rewrite L. apply lost_square. intros x x' Hx Hx' Q Q'. pose proof (post_between V x Hx Q). pose proof (post_between V x' Hx' Q').
    replace (e V x * (1 - e V x')) with (/ m * ((1 - rate d) * e V x * (rate d * (1 - e V x')))) by (unfold m; field; lra).
    apply Rmult_le_compat_l; [left; now apply Rinv_0_lt_compat|]. unfold f.
    apply Rmult_le_compat; [apply Rmin_glb; apply Rmult_le_pos; lra|apply Rmin_glb; apply Rmult_le_pos; lra|apply Rmin_l|apply Rmin_r]. }
  assert (High : lost V <= m * b).
  { rewrite L. unfold lost. apply sum_le; intros x _. rewrite (sum_ext _ (fun x' => px d x * (px d x' * Rmin (e V x * (1 - e V x')) (e V x' * (1 - e V x))))) by (intros; ring). rewrite sum_scale.
    apply Rmult_le_compat_l; [apply px_ge0|]. pose proof (mean_of_posts V) as Mean. unfold f. apply Rmin_glb.
    - replace ((1 - rate d) * e V x) with (sum (fun x' => e V x * (px d x' - px d x' * e V x')) (omega d)) by (rewrite sum_scale, sum_minus, total_px, Mean; ring).
      apply sum_le; intros x' _. pose proof (Rmult_le_compat_l _ _ _ (px_ge0 d x') (Rmin_l (e V x * (1 - e V x')) (e V x' * (1 - e V x)))). lra.
    - replace (rate d * (1 - e V x)) with (sum (fun x' => (1 - e V x) * (px d x' * e V x')) (omega d)) by (rewrite sum_scale, Mean; ring).
      apply sum_le; intros x' _. pose proof (Rmult_le_compat_l _ _ _ (px_ge0 d x') (Rmin_r (e V x * (1 - e V x')) (e V x' * (1 - e V x)))). lra. }
  assert (E : 2 * m * (lost V / (2 * m)) = lost V) by (field; lra). split; apply Rmult_le_reg_l with (2 * m); lra.
Qed.
End Ranking.
