(* The Gini impurity: how often a second draw of the class, among all cells that agree in S, is another one. *)
From Coq Require Import Reals ZArith PArith List Bool Lra Lia.
From FS Require Import Sums Distributions Entropies States Bridge Curves.
Import ListNotations.
Open Scope R_scope.

Definition gini d (S : list nat) := sum (fun c => weight d c * (1 - chance d (S ++ [features d]) c / chance d S c)) (cells d).

Lemma gini_same d V W : (forall i, In i V <-> In i W) -> gini d V = gini d W.
Proof.
  intros E. unfold gini. apply sum_ext; intros c _.
  rewrite (chance_same d V W c E), (chance_same d (V ++ [features d]) (W ++ [features d]) c); [reflexivity|]. intros i. rewrite !in_app_iff. now rewrite E.
Qed.
Section Gini.
Variable d : dist.
(* It is 1 less the mean over states of the sum of squares of the classes' probabilities. *)
Definition squares V x := sum (fun y => post d V x y * post d V x y) (labels d).
Lemma gini_by_states V : of_features d V -> gini d V = 1 - sum (fun x => px d x * squares V x) (omega d).
Proof.
  intros FV. unfold squares. rewrite <- (mean_by_states d V (post d V)) by (intros x x' y _ _ A; now apply post_alike).
  rewrite <- (total_px d) at 1. rewrite <- sum_minus. unfold gini, cells. rewrite cells_of_states. apply sum_ext; intros x Hx.
  unfold px at 1. rewrite <- sum_minus. apply sum_ext; intros y Hy.
  rewrite weight_at, chance_mass, chance_tot by assumption. unfold post. ring.
Qed.
Lemma mean_impurity V : of_features d V -> gini d V = sum (fun x => px d x * (1 - squares V x)) (omega d).
Proof.
  intros FV. rewrite gini_by_states by exact FV. rewrite (sum_ext (fun x => px d x * (1 - squares V x)) (fun x => px d x - px d x * squares V x)) by (intros; ring).
  now rewrite sum_minus, total_px.
Qed.
Lemma squares_le V x : In x (omega d) -> 0 < px d x -> squares V x <= top d V x.
Proof.
  intros Hx P. rewrite <- (Rmult_1_r (top d V x)), <- (total_post d V x Hx P), <- sum_scale. apply sum_le; intros y Hy.
  apply Rmult_le_compat_r; [now apply post_ge0|now apply post_top].
Qed.
(* The sum of squares is above each of its tangents. *)
Lemma above_tangent V x v : sum (fun y => v y * (2 * post d V x y - v y)) (labels d) <= squares V x.
Proof.
  apply sum_le; intros y _. pose proof (Rle_0_sqr (post d V x y - v y)) as Q. unfold Rsqr in Q. lra.
Qed.
Lemma mean_of_squares_ge V (f : list nat -> R) : (forall x, In x (omega d) -> 0 < px d x -> f x <= squares V x) -> of_features d V ->
  gini d V <= 1 - sum (fun x => px d x * f x) (omega d).
Proof. intros H FV. rewrite gini_by_states by exact FV. pose proof (mean_le d f (squares V) H). lra. Qed.

Theorem risk_at_most_gini V : of_features d V -> bayes_risk d V <= gini d V.
Proof.
  intros FV. rewrite mean_impurity, risk_by_states by exact FV. apply mean_le. intros x Hx P. pose proof (squares_le V x Hx P). lra.
Qed.
(* With a tangent at the probability 1 - a of the guess, and b of each other class. *)
Theorem gini_below V a b : of_features d V ->
  gini d V <= 2 * bayes_risk d V * (1 - a - b) + a * a + b * b * (INR (classes d) - 1).
Proof.
  intros FV. set (k := INR (classes d)).
  apply Rle_trans with (1 - sum (fun x => px d x * ((1 - a) * (2 * top d V x - (1 - a)) + b * (2 * (1 - top d V x) - (k - 1) * b))) (omega d)).
  - apply mean_of_squares_ge; [|exact FV]. intros x Hx P. destruct (guess_ok d V x) as [Hg Eg]. set (g := guess d V x) in *.
    eapply Rle_trans; [|apply (above_tangent V x (fun y => if Nat.eqb g y then 1 - a else b))].
    rewrite (sum_ext _ (fun y => if Nat.eqb g y then (1 - a) * (2 * post d V x y - (1 - a)) else b * (2 * post d V x y - b))) by (intros y _; now destruct (Nat.eqb g y)).
    rewrite (guess_or_other d (fun y => (1 - a) * (2 * post d V x y - (1 - a))) (fun y => b * (2 * post d V x y - b)) g Hg), Eg.
    rewrite (sum_ext _ (fun y => 2 * b * post d V x y - b * b)) by (intros; ring). rewrite sum_minus, sum_scale, total_post, total_labels by assumption.
    right. unfold k. ring.
  - rewrite (risk_by_states d V). rewrite (sum_ext _ (fun x => ((1 - a) * (1 + a) - (k - 1) * b * b) * px d x + 2 * (b - (1 - a)) * (px d x * (1 - top d V x)))) by (intros; ring).
    rewrite sum_plus, !sum_scale, total_px. right. ring.
Qed.
Theorem gini_of_classes V : of_features d V -> gini d V <= 1 - / INR (classes d).
Proof.
  intros FV. set (c := / INR (classes d)). assert (K : c * INR (classes d) = 1).
  { apply Rinv_l, not_0_INR. pose proof (some_class d) as N. unfold labels in N. now destruct (classes d). }
  replace (1 - c) with (1 - sum (fun x => px d x * c) (omega d)).
  - apply mean_of_squares_ge; [|exact FV]. intros x Hx P. eapply Rle_trans; [|apply (above_tangent V x (fun _ => c))]. right.
    rewrite (sum_ext _ (fun y => 2 * c * post d V x y - c * c)) by (intros; ring). rewrite sum_minus, sum_scale, total_post, total_labels by assumption.
    replace (c * c * INR (classes d)) with (c * (c * INR (classes d))) by ring. rewrite K. ring.
  - rewrite (sum_ext _ (fun x => c * px d x)) by (intros; ring). rewrite sum_scale, total_px. ring.
Qed.
Theorem gini_ge0 V : of_features d V -> 0 <= gini d V.
Proof. intros FV. pose proof (risk_at_most_gini V FV). pose proof (floor d _ _ (bayes_risk_ok d V)). lra. Qed.
(* What S says, weighed by what T says, has the mean of the squares of S. *)
Definition both S T x := sum (fun y => post d T x y * post d S x y) (labels d).
Lemma mean_of_both S T : incl S T -> sum (fun x => px d x * both S T x) (omega d) = sum (fun x => px d x * squares S x) (omega d).
Proof.
  intros I. unfold both, squares. rewrite <- (mean_by_states d T (post d S)), <- (mean_by_states d S (post d S)); [reflexivity|..];
  intros x x' y _ _ A; apply post_alike; [exact A|exact (alike_less S T x x' I A)].
Qed.
(* The gain of T beside S: with a tangent at what S says, after the share c of it is given to T's guess. *)
Theorem gini_gain S T c : of_features d T -> incl S T -> 0 <= c <= 1 ->
  gini d T + 2 * c * (bayes_risk d S - bayes_risk d T) <= gini d S + c * c * bayes_risk d S.
Proof.
  intros FT I C. assert (FS : of_features d S) by (intros i Hi; auto).
  apply Rle_trans with (1 - sum (fun x => px d x * (2 * (1 - c) * both S T x - (1 - 2 * c) * squares S x + 2 * c * (1 - top d S x) - 2 * c * (1 - top d T x) - c * c * (1 - top d S x))) (omega d)
    + 2 * c * (bayes_risk d S - bayes_risk d T)).
  - apply Rplus_le_compat_r, mean_of_squares_ge; [|exact FT]. intros x Hx P. destruct (guess_ok d T x) as [Hg Eg]. set (g := guess d T x) in *.
    eapply Rle_trans; [|apply (above_tangent T x (fun y => if Nat.eqb g y then (1 - c) * post d S x y + c else (1 - c) * post d S x y))].
    set (q := fun y => (1 - c) * (2 * (post d T x y * post d S x y) - (1 - c) * (post d S x y * post d S x y))).
    rewrite (sum_ext _ (fun y => if Nat.eqb g y then q y + c * (2 * post d T x y - 2 * (1 - c) * post d S x y - c) else q y)) by (intros y _; unfold q; destruct (Nat.eqb g y); ring).
    rewrite (guess_or_other d (fun y => q y + c * (2 * post d T x y - 2 * (1 - c) * post d S x y - c)) q g Hg), Eg.
    unfold q at 3. rewrite sum_scale, sum_minus, !sum_scale. fold (both S T x) (squares S x).
    pose proof (squares_le S x Hx P) as Q. pose proof (post_top d S x g Hg) as A.
    apply (Rmult_le_compat_l (c * c)) in Q; [|apply Rmult_le_pos; lra]. apply (Rmult_le_compat_l (2 * c * (1 - c))) in A; [|apply Rmult_le_pos; lra]. lra.
  - rewrite (gini_by_states S FS), !(risk_by_states d).
    rewrite (sum_ext _ (fun x => 2 * (1 - c) * (px d x * both S T x) - (1 - 2 * c) * (px d x * squares S x) + (2 * c - c * c) * (px d x * (1 - top d S x)) - 2 * c * (px d x * (1 - top d T x)))) by (intros; ring).
    rewrite sum_minus, sum_plus, sum_minus, !sum_scale, mean_of_both by assumption. right. ring.
Qed.
(* Impurities tie only where S and T say the same about the class, and so only where the risks and H(Y | S), H(Y | T) do. *)
Theorem gini_same_posts S T : of_features d T -> incl S T -> gini d S <= gini d T ->
  forall x y, In x (omega d) -> 0 < px d x -> In y (labels d) -> post d S x y = post d T x y.
Proof.
  intros FT I G x y Hx P Hy. assert (FS : of_features d S) by (intros i Hi; auto).
  set (gap := fun x => sum (fun y => (post d T x y - post d S x y)²) (labels d)).
  assert (Gap0 : forall x, 0 <= gap x) by (intros z; apply sum_ge0; intros; apply Rle_0_sqr).
  assert (Z : sum (fun x => px d x * gap x) (omega d) = 0).
  { apply Rle_antisym; [|apply sum_ge0; intros z _; apply Rmult_le_pos; [apply px_ge0|apply Gap0]].
    apply Rle_trans with (gini d S - gini d T); [right|lra]. rewrite !gini_by_states by assumption.
    rewrite (sum_ext _ (fun x => px d x * squares T x - 2 * (px d x * both S T x) + px d x * squares S x)).
    - rewrite sum_plus, sum_minus, sum_scale, mean_of_both by assumption. ring.
    - intros z _. transitivity (px d z * (squares T z - 2 * both S T z + squares S z)); [|ring]. f_equal.
      unfold gap, squares, both. rewrite <- sum_scale, <- sum_minus, <- sum_plus. apply sum_ext; intros; unfold Rsqr; ring. }
  assert (Zx : px d x * gap x = 0) by (apply (sum_zero (fun x => px d x * gap x) (omega d)); auto; intros z _; apply Rmult_le_pos; [apply px_ge0|apply Gap0]).
  apply Rmult_integral in Zx as [Zx|Zx]; [lra|].
  pose proof (sum_zero (fun y => (post d T x y - post d S x y)²) (labels d) (fun z _ => Rle_0_sqr _) Zx y Hy) as E. apply Rsqr_0_uniq in E. lra.
Qed.
Theorem gini_ties S T : of_features d T -> incl S T -> gini d S <= gini d T -> bayes_risk d S = bayes_risk d T /\ left d S = left d T.
Proof.
  intros FT I G. pose proof (gini_same_posts S T FT I G) as E. split; [now apply same_posts_same_risk|].
  rewrite !left_by_states by (assumption || intros i Hi; auto). apply sum_ext; intros x Hx.
  destruct (Rle_lt_or_eq_dec 0 (px d x) (px_ge0 d x)) as [P|Z]; [|rewrite <- Z; ring]. f_equal. apply sum_ext; intros y Hy. now rewrite E.
Qed.
Theorem no_information_same_gini S T : of_features d T -> incl S T -> left d S <= left d T -> gini d S = gini d T.
Proof.
  intros FT I Z. rewrite !mean_impurity by (assumption || intros i Hi; auto). apply sum_ext; intros x Hx.
  destruct (Rle_lt_or_eq_dec 0 (px d x) (px_ge0 d x)) as [P|N]; [|rewrite <- N; ring]. do 2 f_equal. apply sum_ext; intros y Hy.
  now rewrite (no_information_same_posts d S T FT I Z).
Qed.
(* If all states are possible: what S and T say of the class as well as both together, U, in which they meet, says as well. *)
Theorem gini_closed S T U : positive d -> of_features d S -> of_features d T -> (forall i, In i U <-> In i S /\ In i T) ->
  gini d S <= gini d (S ++ T) -> gini d T <= gini d (S ++ T) -> gini d U = gini d (S ++ T).
Proof.
  intros Pos FS FT HU GS GT. set (W := S ++ T) in *. assert (FW : of_features d W) by (intros i Hi; apply in_app_iff in Hi as [Hi|Hi]; auto).
  assert (UW : incl U W) by (intros i Hi; apply HU in Hi; apply in_or_app; tauto). assert (FU : of_features d U) by (intros i Hi; apply FW, UW, Hi).
  set (f := fun x y => if Nat.ltb y (classes d) then post d W x y else 0).
  assert (InF : forall x y, In y (labels d) -> f x y = post d W x y).
  { intros x y Hy. apply in_seq in Hy. unfold f. destruct (Nat.ltb_spec y (classes d)); [reflexivity|lia]. }
  assert (Seen : forall V, incl V W -> gini d V <= gini d W -> forall x x' y, In x (omega d) -> In x' (omega d) -> alike V x x' = true -> f x y = f x' y).
  { intros V VW G x x' y Hx Hx' A. unfold f. destruct (Nat.ltb_spec y (classes d)) as [L|_]; [|reflexivity].
    assert (Hy : In y (labels d)) by (apply in_seq; lia). rewrite <- !(gini_same_posts V W FW VW G) by auto. now apply post_alike. }
  assert (Shared : forall x x' y, In x (omega d) -> In x' (omega d) -> alike U x x' = true -> f x y = f x' y).
  { intros x x' y Hx Hx' A. pose proof (proj1 (in_states _ _) Hx) as X. pose proof (proj1 (in_states _ _) Hx') as X'. set (z := mix (mem S) x x').
    assert (Hz : In z (omega d)) by (apply in_states, mix_in; assumption). rewrite alike_ok in A. transitivity (f z y).
    - apply (Seen S); auto; [intros i Hi; apply in_or_app; auto|]. apply alike_ok. intros i Hi. unfold z. rewrite (mix_nth _ _ _ _ _ X X').
      unfold mem. replace (existsb (Nat.eqb i) S) with true; [reflexivity|]. symmetry. apply existsb_exists. exists i; split; [exact Hi|apply Nat.eqb_refl].
    - apply (Seen T); auto; [intros i Hi; apply in_or_app; auto|]. apply alike_ok. intros i Hi. unfold z. rewrite (mix_nth _ _ _ _ _ X X').
      destruct (mem S i) eqn:E; [|reflexivity]. apply A, HU. split; [|exact Hi]. unfold mem in E. apply existsb_exists in E as (j & Hj & E). apply Nat.eqb_eq in E. now subst. }
  assert (WW : forall x x' y, In x (omega d) -> In x' (omega d) -> alike W x x' = true -> f x y = f x' y) by (intros; now apply (Seen W); auto using incl_refl; lra).
  apply Rle_antisym; [|pose proof (gini_gain U W 0 FW UW ltac:(lra)); lra].
  apply Rle_trans with (1 - sum (fun x => px d x * sum (fun y => f x y * (2 * post d U x y - f x y)) (labels d)) (omega d)).
  - apply mean_of_squares_ge; [|exact FU]. intros x _ _. apply above_tangent.
  - rewrite (gini_by_states W FW).
    assert (E : sum (fun x => px d x * sum (fun y => post d U x y * f x y) (labels d)) (omega d) = sum (fun x => px d x * squares W x) (omega d)).
    { rewrite <- (mean_by_states d U f Shared), (mean_by_states d W f WW). apply sum_ext; intros x _. f_equal. apply sum_ext; intros y Hy. now rewrite InF. }
    rewrite (sum_ext _ (fun x => 2 * (px d x * sum (fun y => post d U x y * f x y) (labels d)) - px d x * squares W x)).
    + rewrite sum_minus, sum_scale, E. lra.
    + intros x _. transitivity (px d x * (2 * sum (fun y => post d U x y * f x y) (labels d) - squares W x)); [f_equal|ring].
      unfold squares. rewrite <- sum_scale, <- sum_minus. apply sum_ext; intros y Hy. rewrite InF by exact Hy. ring.
Qed.
(* T's guesses are right at least as often as those of S, also with weights that depend on what S says alone. *)
Lemma top_rises S T w : incl S T -> (forall x, 0 <= w x) -> (forall x x', alike S x x' = true -> w x = w x') ->
  sum (fun x => px d x * (w x * top d S x)) (omega d) <= sum (fun x => px d x * (w x * top d T x)) (omega d).
Proof.
  intros I W A. set (f := fun x y => if Nat.eqb (guess d S x) y then w x else 0).
  assert (One : forall g x, sum (fun y => g y * f x y) (labels d) = w x * g (guess d S x)).
  { intros g x. unfold f. rewrite (sum_ext _ (fun y => if Nat.eqb (guess d S x) y then w x * g (guess d S x) else 0)).
    - apply (sum_one Nat.eqb Nat.eqb_eq); [apply seq_NoDup|apply guess_ok].
    - intros y _. destruct (Nat.eqb_spec (guess d S x) y) as [->|_]; ring. }
  assert (F : forall x x', alike S x x' = true -> forall y, f x y = f x' y) by (intros x x' E y; unfold f; now rewrite (guess_alike d S x x' E), (A x x' E)).
  apply Rle_trans with (sum (fun x => px d x * sum (fun y => post d T x y * f x y) (labels d)) (omega d)).
  - right. rewrite <- (mean_by_states d T f), (mean_by_states d S f); [|intros x x' y _ _ E; now apply F|intros x x' y _ _ E; apply F; exact (alike_less S T x x' I E)].
    apply sum_ext; intros x _. now rewrite One, (proj2 (guess_ok d S x)).
  - apply mean_le. intros x Hx P. rewrite One. apply Rmult_le_compat_l; [apply W|]. apply post_top, guess_ok.
Qed.

(* Two classes: the impurity in a state is twice its risk times the chance of no error. *)
Hypothesis two : classes d = 2%nat.
Lemma squares_of_two V x : In x (omega d) -> 0 < px d x -> squares V x = 1 - 2 * top d V x * (1 - top d V x) /\ 1 / 2 <= top d V x <= 1.
Proof.
  intros Hx P. destruct (guess_ok d V x) as [Hg Eg]. pose proof (total_post d V x Hx P) as Total.
  assert (Top : forall y, In y (labels d) -> 0 <= post d V x y <= top d V x) by (intros y Hy; split; [now apply post_ge0|now apply post_top]).
  unfold squares, labels in *. rewrite two in *. cbn [seq sum In] in *. pose proof (Top 0%nat ltac:(auto)). pose proof (Top 1%nat ltac:(auto)).
  destruct Hg as [G|[G|[]]]; rewrite <- G in Eg; (split; [|lra]); rewrite <- Eg in *; set (a := post d V x 0) in *; set (b := post d V x 1) in *.
  - replace b with (1 - a) by lra. ring.
  - replace a with (1 - b) by lra. ring.
Qed.
(* The line at the point q and c, above the tangent of 2r (1 - r) at r or at c, whichever is less. *)
Lemma pair_line q c r : 0 <= q <= c -> c < 1 / 2 -> 0 <= r <= 1 / 2 -> let u := ((1 - 2 * c) / (1 - 2 * q))² in let m := Rmin r c in
  2 * m * m + 4 * (c - m) * r <= 2 * u * (q * q) + (u * (2 - 4 * q) - (2 - 4 * c)) * r + (1 - u) * (2 * r * (1 - r)).
Proof.
  intros Q C Hr. set (v := (1 - 2 * c) / (1 - 2 * q)). intros u m. unfold u, Rsqr. unfold m, Rmin. destruct (Rle_dec r c) as [L|L].
  - pose proof (Rle_0_sqr (v * (q - r))) as P. unfold Rsqr in P. lra.
  - assert (V : 0 <= r - c <= v * (r - q)).
    { split; [lra|]. apply Rmult_le_reg_r with (1 - 2 * q); [lra|]. replace (v * (r - q) * (1 - 2 * q)) with ((1 - 2 * c) * (r - q)) by (unfold v; field; lra).
      assert (0 <= (c - q) * (1 - 2 * r)) by (apply Rmult_le_pos; lra). lra. }
    assert ((r - c) * (r - c) <= v * (r - q) * (v * (r - q))) by (apply Rmult_le_compat; lra). lra.
Qed.
Theorem gini_pair S T q c : of_features d T -> incl S T -> 0 <= q <= c -> c < 1 / 2 -> let u := ((1 - 2 * c) / (1 - 2 * q))² in
  gini d T <= 2 * u * (q * q) + (u * (2 - 4 * q) - (2 - 4 * c)) * bayes_risk d S + (1 - u) * gini d S + (2 - 4 * c) * bayes_risk d T.
Proof.
  intros FT I Q C u. assert (FS : of_features d S) by (intros i Hi; auto).
  set (m := fun x => Rmin (1 - top d S x) c). set (w := fun x => 4 * (c - m x)).
  assert (M : sum (fun x => px d x * (w x * top d S x)) (omega d) <= sum (fun x => px d x * (w x * top d T x)) (omega d)).
  { apply top_rises; [exact I|intros x; unfold w, m; pose proof (Rmin_r (1 - top d S x) c); lra|].
    intros x x' A. unfold w, m. do 4 f_equal. unfold top. f_equal. apply map_ext. intros y. now apply post_alike. }
  assert (H : sum (fun x => px d x * (1 - squares T x)) (omega d) <= sum (fun x => px d x * (2 * u * (q * q) + (u * (2 - 4 * q) - (2 - 4 * c)) * (1 - top d S x)
    + (1 - u) * (1 - squares S x) + (2 - 4 * c) * (1 - top d T x) + w x * top d S x - w x * top d T x)) (omega d)).
  { apply mean_le. intros x Hx P. destruct (squares_of_two S x Hx P) as [-> B]. destruct (squares_of_two T x Hx P) as [-> _].
    pose proof (pair_line q c (1 - top d S x) Q C ltac:(lra)) as L. cbv zeta in L. fold u (m x) in L. unfold w.
    pose proof (Rle_0_sqr (1 - top d T x - m x)) as Sq. unfold Rsqr in Sq. lra. }
  rewrite <- mean_impurity in H by exact FT.
  rewrite (sum_ext _ (fun x => 2 * u * (q * q) * px d x + (u * (2 - 4 * q) - (2 - 4 * c)) * (px d x * (1 - top d S x)) + (1 - u) * (px d x * (1 - squares S x))
    + (2 - 4 * c) * (px d x * (1 - top d T x)) + px d x * (w x * top d S x) - px d x * (w x * top d T x))) in H by (intros; ring).
  rewrite sum_minus, !sum_plus, !sum_scale, <- !risk_by_states, <- mean_impurity, total_px in H by exact FS. lra.
Qed.
End Gini.
