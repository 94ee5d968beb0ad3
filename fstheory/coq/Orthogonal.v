(* Features that are independent given those that they share: their gains of impurity are orthogonal. *)
From Coq Require Import Reals ZArith PArith List Bool Lra Lia.
From FS Require Import Sums Distributions Entropies States Bridge Curves Gini.
Import ListNotations.
Open Scope R_scope.

Section Orthogonal.
Variables (d : dist) (S T U : list nat).
Hypotheses (S_features : of_features d S) (T_features : of_features d T) (shared : forall i, In i U <-> In i S /\ In i T).
Notation W := (S ++ T).
Hypothesis apart : mean_log d S + mean_log d T <= mean_log d W + mean_log d U.

Lemma shared_in_s : incl U S. Proof. intros i Hi. now apply shared in Hi. Qed.
Lemma shared_in_t : incl U T. Proof. intros i Hi. now apply shared in Hi. Qed.
Lemma all_features : of_features d W. Proof. intros i Hi. apply in_app_iff in Hi as [Hi|Hi]; auto. Qed.
Lemma shared_features : of_features d U. Proof. intros i Hi. apply S_features, shared_in_s, Hi. Qed.
Lemma tot_splits x : In x (omega d) -> 0 < px d x -> tot d S x * tot d T x = tot d W x * tot d U x.
Proof.
  intros Hx P. destruct (sum_pos (p d x) (labels d) P) as (y & Hy & Py).
  assert (Hc : In (x ++ [y]) (cells d)) by now apply in_cells. assert (Wc : 0 < weight d (x ++ [y])) by now rewrite weight_at.
  pose proof (information_zero d S T W U) as Z. rewrite <- !(chance_tot d _ x y) by auto using all_features, shared_features.
  apply Z; try (intros i Hi; rewrite ?in_app_iff in *; auto using shared_in_s, shared_in_t); try lra; auto.
Qed.
Definition seen x := if Rlt_dec 0 (px d x) then px d x * / (tot d W x) * / (tot d U x) else 0.
Lemma seen_ge0 x : In x (omega d) -> 0 <= seen x.
Proof.
  intros Hx. unfold seen. destruct (Rlt_dec 0 (px d x)) as [P|_]; [|lra].
  pose proof (tot_px d W x Hx). pose proof (tot_px d U x Hx). repeat apply Rmult_le_pos; try lra; left; apply Rinv_0_lt_compat; lra.
Qed.
(* The states that S does not tell from e, nor T from f. *)
Lemma at_most_one e f : In e (omega d) -> In f (omega d) -> 0 < px d e ->
  sum (fun x => if alike S x e && alike T x f then seen x else 0) (omega d) <= if alike U e f then / tot d U e else 0.
Proof.
  intros He Hf Pe. destruct (existsb (fun x => alike S x e && alike T x f && if Rlt_dec 0 (px d x) then true else false) (omega d)) eqn:E.
  - apply existsb_exists in E as (x0 & H0 & E). apply andb_prop in E as [E P0]; apply andb_prop in E as [E1 E2].
    destruct (Rlt_dec 0 (px d x0)) as [Q0|]; [|discriminate]. clear P0.
    assert (A : alike U e f = true).
    { rewrite alike_ok in *. intros i Hi. rewrite <- E1, <- E2; auto using shared_in_s, shared_in_t. }
    rewrite A. pose proof (tot_px d W x0 H0) as TW. pose proof (tot_px d U e He) as TU.
    apply Rle_trans with (sum (fun x => (if alike W x0 x then px d x else 0) * (/ tot d W x0 * / tot d U e)) (omega d)).
    + apply sum_le; intros x Hx. unfold seen. pose proof (px_ge0 d x). destruct (alike S x e && alike T x f) eqn:Q.
      * apply andb_prop in Q as [Q1 Q2]. assert (B : alike W x0 x = true).
        { rewrite alike_ok in *. intros i Hi. apply in_app_iff in Hi as [Hi|Hi]; [rewrite E1, Q1|rewrite E2, Q2]; auto. }
        rewrite B, (tot_alike d W x0 x B), <- (tot_alike d U x e (alike_less U S x e shared_in_s Q1)). destruct (Rlt_dec 0 (px d x)); [right; ring|].
        replace (px d x) with 0 by lra. lra.
      * apply Rmult_le_pos; [destruct (alike W x0 x); lra|]. apply Rmult_le_pos; left; apply Rinv_0_lt_compat; lra.
    + rewrite (sum_ext _ (fun x => / tot d W x0 * / tot d U e * (if alike W x0 x then px d x else 0))) by (intros; ring).
      rewrite sum_scale. fold (tot d W x0). right. field. lra.
  - apply Rle_trans with (sum (fun _ : list nat => 0) (omega d)).
    + apply sum_le; intros x Hx. destruct (alike S x e && alike T x f) eqn:Q; [|lra]. unfold seen. destruct (Rlt_dec 0 (px d x)) as [P|_]; [|lra].
      exfalso. assert (X : existsb (fun x => alike S x e && alike T x f && if Rlt_dec 0 (px d x) then true else false) (omega d) = true).
      { apply existsb_exists. exists x; split; [exact Hx|]. rewrite Q. now destruct (Rlt_dec 0 (px d x)). }
      congruence.
    + rewrite sum_0. destruct (alike U e f); [left; apply Rinv_0_lt_compat; pose proof (tot_px d U e He); lra|lra].
Qed.
(* The mean of g over the states that U does not tell from x. *)
Definition smooth g x := sum (fun z => if alike U x z then px d z * g z else 0) (omega d) / tot d U x.
Lemma cross f g : (forall x, In x (omega d) -> 0 < px d x -> 0 <= f x) -> (forall x, In x (omega d) -> 0 < px d x -> 0 <= g x) ->
  (forall x x', alike S x x' = true -> f x = f x') -> (forall x x', alike T x x' = true -> g x = g x') ->
  sum (fun x => px d x * (f x * g x)) (omega d) <= sum (fun x => px d x * (f x * smooth g x)) (omega d).
Proof.
  intros F0 G0 F G.
  rewrite (sum_ext _ (fun x => sum (fun e => sum (fun z => px d e * px d z * (f e * g z) * (if alike S x e && alike T x z then seen x else 0)) (omega d)) (omega d))).
  - rewrite sum_swap. apply sum_le; intros e He. rewrite sum_swap.
    apply Rle_trans with (sum (fun z => px d e * px d z * (f e * g z) * (if alike U e z then / tot d U e else 0)) (omega d)).
    + apply sum_le; intros z Hz. rewrite sum_scale. destruct (Rle_lt_or_eq_dec 0 _ (px_ge0 d e)) as [Pe|Z]; [|rewrite <- Z; lra].
      destruct (Rle_lt_or_eq_dec 0 _ (px_ge0 d z)) as [Pz|Z]; [|rewrite <- Z; lra].
      apply Rmult_le_compat_l; [repeat apply Rmult_le_pos; auto using px_ge0|now apply at_most_one].
    + right. unfold smooth. rewrite (sum_ext _ (fun z => px d e * f e * / tot d U e * (if alike U e z then px d z * g z else 0))).
      * rewrite sum_scale. unfold Rdiv. ring.
      * intros z _. destruct (alike U e z); ring.
  - intros x Hx. rewrite (sum_ext _ (fun e => sum (fun z => seen x * (f x * g x) * ((if alike S x e then px d e else 0) * (if alike T x z then px d z else 0))) (omega d))).
    + rewrite (sum_ext _ (fun e => seen x * (f x * g x) * tot d T x * (if alike S x e then px d e else 0))).
      * rewrite sum_scale. fold (tot d S x). unfold seen. destruct (Rlt_dec 0 (px d x)) as [P|N].
        -- pose proof (tot_splits x Hx P) as Sp. pose proof (tot_px d W x Hx). pose proof (tot_px d U x Hx).
           replace (px d x * / tot d W x * / tot d U x * (f x * g x) * tot d T x * tot d S x) with (px d x * / tot d W x * / tot d U x * (f x * g x) * (tot d S x * tot d T x)) by ring.
           rewrite Sp. field. lra.
        -- pose proof (px_ge0 d x). replace (px d x) with 0 by lra. ring.
      * intros e _. rewrite !sum_scale. fold (tot d T x). ring.
    + intros e _. apply sum_ext; intros z _. destruct (alike S x e) eqn:A, (alike T x z) eqn:B; cbn [andb]; try ring.
      rewrite (F x e A), (G x z B). ring.
Qed.
(* What U says may be smoothed on both sides. *)
Lemma smooth_moves p g : (forall x x', alike U x x' = true -> p x = p x') ->
  sum (fun x => px d x * (p x * smooth g x)) (omega d) = sum (fun x => px d x * (p x * g x)) (omega d).
Proof.
  intros P. rewrite (regroup d U (fun x => px d x * (p x * g x))) by (intros x _ Z; rewrite Z; ring). apply sum_ext; intros x _. unfold smooth, Rdiv.
  rewrite (sum_ext (fun x' => if alike U x x' then px d x' * (p x' * g x') else 0) (fun x' => p x * (if alike U x x' then px d x' * g x' else 0))).
  - rewrite sum_scale. ring.
  - intros z _. destruct (alike U x z) eqn:A; [rewrite (P x z A); ring|ring].
Qed.
Lemma smooth_alike g x x' : alike U x x' = true -> smooth g x = smooth g x'.
Proof. intros A. unfold smooth. rewrite (tot_alike d U x x' A). f_equal. apply sum_ext; intros z _. now rewrite (alike_trans U x x' z A). Qed.
(* A weighted sum over the classes, of products of what S and T say of each: its mean is at most that of U alone. *)
Lemma independent_product : sum (fun x => px d x * both d S T x) (omega d) <= sum (fun x => px d x * squares d U x) (omega d).
Proof.
  set (f := fun y x => post d S x y). set (g := fun y x => post d T x y).
  assert (Swap : forall h : nat -> list nat -> R, sum (fun x => px d x * sum (fun y => h y x) (labels d)) (omega d) = sum (fun y => sum (fun x => px d x * h y x) (omega d)) (labels d)).
  { intros h. rewrite (sum_ext _ (fun x => sum (fun y => px d x * h y x) (labels d))) by (intros; now rewrite sum_scale). apply sum_swap. }
  apply Rle_trans with (sum (fun x => px d x * sum (fun y => f y x * smooth (g y) x) (labels d)) (omega d)).
  - unfold both. rewrite (Swap (fun y x => post d T x y * post d S x y)), (Swap (fun y x => f y x * smooth (g y) x)). apply sum_le; intros y _.
    rewrite (sum_ext _ (fun x => px d x * (f y x * g y x))) by (intros; unfold f, g; ring).
    apply cross; unfold f, g; intros; try (now apply post_ge0); now apply post_alike.
  - right. unfold f. rewrite <- (mean_by_states d S (fun x y => smooth (g y) x)), (mean_by_states d U (fun x y => smooth (g y) x)).
    + rewrite (Swap (fun y x => post d U x y * smooth (g y) x)). rewrite (sum_ext _ (fun y => sum (fun x => px d x * (post d U x y * g y x)) (omega d))).
      * rewrite <- (Swap (fun y x => post d U x y * g y x)). rewrite <- (mean_of_both d U T shared_in_t). apply sum_ext; intros x _. f_equal.
        unfold both, g. apply sum_ext; intros; ring.
      * intros y _. apply (smooth_moves (fun x => post d U x y)). intros; now apply post_alike.
    + intros x x' y _ _ A. now apply smooth_alike.
    + intros x x' y _ _ A. apply smooth_alike. exact (alike_less U S x x' shared_in_s A).
Qed.
Theorem gini_apart : gini d W + gini d U <= gini d S + gini d T.
Proof.
  assert (SW : incl S W) by (intros i Hi; apply in_or_app; auto). assert (TW : incl T W) by (intros i Hi; apply in_or_app; auto).
  assert (UW : incl U W) by (intros i Hi; apply SW, shared_in_s, Hi).
  set (v := fun x y => post d S x y + post d T x y - post d U x y).
  pose proof (mean_of_squares_ge d W (fun x => sum (fun y => v x y * (2 * post d W x y - v x y)) (labels d)) (fun x _ _ => above_tangent d W x (v x)) all_features) as B.
  rewrite (sum_ext _ (fun x => 2 * (px d x * both d S W x) + 2 * (px d x * both d T W x) - 2 * (px d x * both d U W x) - px d x * squares d S x - px d x * squares d T x - px d x * squares d U x
    - 2 * (px d x * both d S T x) + 2 * (px d x * both d U S x) + 2 * (px d x * both d U T x))) in B.
  - rewrite !sum_plus, !sum_minus, !sum_plus, !sum_scale, (mean_of_both d S W), (mean_of_both d T W), (mean_of_both d U W), (mean_of_both d U S), (mean_of_both d U T) in B by auto using shared_in_s, shared_in_t.
    pose proof independent_product. rewrite (gini_by_states d S S_features), (gini_by_states d T T_features), (gini_by_states d U shared_features). lra.
  - intros x _. transitivity (px d x * (2 * both d S W x + 2 * both d T W x - 2 * both d U W x - squares d S x - squares d T x - squares d U x - 2 * both d S T x + 2 * both d U S x + 2 * both d U T x)); [f_equal|ring].
    unfold v, both, squares. rewrite <- !sum_scale, <- !sum_plus, <- !sum_minus, <- !sum_plus. apply sum_ext; intros; ring.
Qed.
End Orthogonal.
