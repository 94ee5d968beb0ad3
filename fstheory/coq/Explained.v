(* The share of the variance of the class that features explain. The classes count as the numbers 0, 1, 2, ... *)
From Coq Require Import Reals ZArith PArith NArith List Bool Lra Lia.
From FS Require Import Cases Sums Distributions EverySize Entropies States Bridge Intersection Curves Facts Known Orthogonal Further.
Import ListNotations.
Open Scope R_scope.

(* The mean of the class among the cells that agree in S, and the share of the variance that it has. *)
Definition value d (c : list nat) := INR (nth (features d) c 0%nat).
Definition expected d V c := sum (fun e => weight d e * value d e) (filter (alike V c) (cells d)) / chance d V c.
Definition mean_value d := sum (fun c => weight d c * value d c) (cells d).
Definition explained d (S : list nat) :=
  (sum (fun c => weight d c * (expected d S c)²) (cells d) - (mean_value d)²) / (sum (fun c => weight d c * (value d c)²) (cells d) - (mean_value d)²).

Lemma explained_same d V W : (forall i, In i V <-> In i W) -> explained d V = explained d W.
Proof.
  intros E. unfold explained. do 2 f_equal. apply sum_ext; intros c _. unfold expected. rewrite (chance_same d V W c E). do 4 f_equal.
  apply filter_ext. intros e. apply eq_true_iff_eq. rewrite !alike_ok. split; intros A i Hi; apply A, E, Hi.
Qed.
Section Explained.
Variable d : dist.
Definition level V x := sum (fun y => post d V x y * INR y) (labels d).
Definition told V := sum (fun x => px d x * (level V x * level V x)) (omega d).
Definition second := sum (fun c => weight d c * (value d c)²) (cells d).
Notation mu := (mean_value d).
Lemma value_at x y : In x (omega d) -> value d (x ++ [y]) = INR y.
Proof. intros Hx. unfold value. rewrite <- (state_length d x Hx), app_nth2, Nat.sub_diag by lia. reflexivity. Qed.
Lemma expected_at V x y : of_features d V -> In x (omega d) -> expected d V (x ++ [y]) = level V x.
Proof.
  intros FV Hx. unfold expected. rewrite chance_tot by assumption. unfold level, post, Rdiv.
  rewrite (sum_ext (fun y => mass d V x y * / tot d V x * INR y) (fun y => / tot d V x * (mass d V x y * INR y))) by (intros; ring).
  rewrite sum_scale, Rmult_comm. f_equal. unfold cells. rewrite sum_filter, cells_of_states. unfold mass.
  rewrite (sum_ext (fun y => sum (fun x' => if alike V x x' then p d x' y else 0) (omega d) * INR y) (fun y => sum (fun x' => if alike V x x' then p d x' y * INR y else 0) (omega d))).
  - rewrite sum_swap. apply sum_ext; intros y' _. apply sum_ext; intros x' Hx'. rewrite (alike_features d), (weight_at d), value_at by assumption. reflexivity.
  - intros z _. rewrite Rmult_comm, <- sum_scale. apply sum_ext; intros x' _. destruct (alike V x x'); ring.
Qed.
Lemma told_by_states V : of_features d V -> sum (fun c => weight d c * (expected d V c)²) (cells d) = told V.
Proof.
  intros FV. unfold cells, told. rewrite cells_of_states. apply sum_ext; intros x Hx.
  rewrite (sum_ext _ (fun y => level V x * level V x * p d x y)) by (intros y _; rewrite expected_at, weight_at by assumption; unfold Rsqr; ring).
  rewrite sum_scale. unfold px, labels. ring.
Qed.
Lemma level_alike V x x' : alike V x x' = true -> level V x = level V x'.
Proof. intros A. apply sum_ext; intros y _. now rewrite (post_alike d V x x' y A). Qed.
(* The mean of the class times g, which V knows. *)
Definition against g := sum (fun x => sum (fun y => p d x y * (INR y * g x)) (labels d)) (omega d).
Lemma weighed V g : (forall x x', In x (omega d) -> In x' (omega d) -> alike V x x' = true -> g x = g x') -> sum (fun x => px d x * (level V x * g x)) (omega d) = against g.
Proof.
  intros G. unfold against. rewrite (mean_by_states d V (fun x y => INR y * g x)).
  - apply sum_ext; intros x _. f_equal. unfold level. rewrite Rmult_comm, <- sum_scale. apply sum_ext; intros; ring.
  - intros x x' y Hx Hx' A. now rewrite (G x x' Hx Hx' A).
Qed.
Lemma tower S T g : incl S T -> (forall x x', alike S x x' = true -> g x = g x') ->
  sum (fun x => px d x * (level T x * g x)) (omega d) = sum (fun x => px d x * (level S x * g x)) (omega d).
Proof. intros I G. rewrite (weighed S g), (weighed T g); [reflexivity|..]; intros x x' _ _ A; apply G; [exact (alike_less S T x x' I A)|exact A]. Qed.
(* told V is above each of its tangents. *)
Lemma told_above V v : sum (fun x => px d x * (v x * (2 * level V x - v x))) (omega d) <= told V.
Proof. apply mean_le. intros x _ _. pose proof (Rle_0_sqr (level V x - v x)) as Q. unfold Rsqr in Q. lra. Qed.
Lemma told_less S T : incl S T -> told S <= told T.
Proof.
  intros I. eapply Rle_trans; [|apply (told_above T (level S))].
  rewrite (sum_ext _ (fun x => 2 * (px d x * (level T x * level S x)) - px d x * (level S x * level S x))) by (intros; ring).
  rewrite sum_minus, sum_scale, (tower S T (level S) I (level_alike S)). fold (told S). lra.
Qed.
Lemma told_none : told [] = mu * mu.
Proof.
  assert (F : of_features d []) by (intros i []). rewrite <- (told_by_states [] F).
  assert (All : forall c, filter (alike [] c) (cells d) = cells d) by (intros c; induction (cells d); simpl; congruence).
  rewrite (sum_ext _ (fun c => mu * mu * weight d c)); [rewrite sum_scale, total_weight; ring|].
  intros c _. unfold expected, chance. rewrite All, total_weight. fold mu. unfold Rsqr. field.
Qed.
Lemma told_most V : of_features d V -> told V <= second.
Proof.
  intros FV. assert (E : second = sum (fun x => px d x * sum (fun y => post d V x y * (INR y * INR y)) (labels d)) (omega d)).
  { rewrite <- (mean_by_states d V (fun _ y => INR y * INR y)) by reflexivity. unfold second, cells. rewrite cells_of_states. apply sum_ext; intros x Hx. apply sum_ext; intros y _.
    rewrite weight_at, value_at by exact Hx. reflexivity. }
  rewrite E. apply mean_le. intros x Hx P.
  assert (Q : 0 <= sum (fun y => post d V x y * ((INR y - level V x) * (INR y - level V x))) (labels d)).
  { apply sum_ge0. intros y _. apply Rmult_le_pos; [now apply post_ge0|apply Rle_0_sqr]. }
  rewrite (sum_ext _ (fun y => post d V x y * (INR y * INR y) - 2 * level V x * (post d V x y * INR y) + level V x * level V x * post d V x y)) in Q by (intros; ring).
  rewrite sum_plus, sum_minus, !sum_scale, total_post in Q by assumption. fold (level V x) in Q. lra.
Qed.
(* The shares are what is told beyond the mean, times one number. *)
Lemma share : exists k, 0 <= k /\ (forall V, of_features d V -> explained d V = k * (told V - mu * mu)) /\ (forall V, of_features d V -> explained d V <= 1).
Proof.
  assert (Between : forall V, of_features d V -> mu * mu <= told V <= second).
  { intros V FV. split; [rewrite <- told_none; apply told_less; intros i []|now apply told_most]. }
  assert (E : forall V, of_features d V -> explained d V = (told V - mu * mu) / (second - mu * mu)).
  { intros V FV. unfold explained. rewrite (told_by_states V FV). reflexivity. }
  assert (F : of_features d []) by (intros i []). pose proof (Between [] F) as B.
  destruct (Rle_lt_or_eq_dec (mu * mu) second ltac:(lra)) as [L|Z].
  - exists (/ (second - mu * mu)). assert (P : 0 < / (second - mu * mu)) by (apply Rinv_0_lt_compat; lra). repeat split; [lra| |].
    + intros V FV. rewrite (E V FV). unfold Rdiv. ring.
    + intros V FV. rewrite (E V FV). apply Rmult_le_reg_r with (second - mu * mu); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. pose proof (Between V FV). lra.
  - exists 0. repeat split; [lra| |]; intros V FV; rewrite (E V FV); pose proof (Between V FV); replace (told V - mu * mu) with 0 by lra; unfold Rdiv; lra.
Qed.
Theorem explained_less S T : of_features d T -> incl S T -> explained d S <= explained d T.
Proof.
  intros FT I. assert (FS : of_features d S) by (intros i Hi; auto). destruct share as (k & K & E & _). rewrite !E by assumption.
  pose proof (told_less S T I). apply Rmult_le_compat_l; lra.
Qed.
Theorem explained_none : explained d [] = 0.
Proof. destruct share as (k & _ & E & _). rewrite E by (intros i []). rewrite told_none. ring. Qed.
Theorem explained_at_most_1 V : of_features d V -> explained d V <= 1.
Proof. destruct share as (k & _ & _ & B). apply B. Qed.

Section Apart.
Variables S T U : list nat.
Hypotheses (S_features : of_features d S) (T_features : of_features d T) (shared : forall i, In i U <-> In i S /\ In i T).
Notation W := (S ++ T).
Let US : incl U S := shared_in_s S T U shared.
Let UT : incl U T := shared_in_t S T U shared.
Let SW : incl S W := fun i Hi => in_or_app S T i (or_introl Hi).
Let TW : incl T W := fun i Hi => in_or_app S T i (or_intror Hi).
Let FW : of_features d W := all_features d S T S_features T_features.
Let FU : of_features d U := shared_features d S T U S_features shared.
Theorem explained_apart : mean_log d S + mean_log d T <= mean_log d W + mean_log d U -> explained d S + explained d T <= explained d W + explained d U.
Proof.
  intros Apart. destruct share as (k & K & E & _). rewrite !E by assumption. enough (told S + told T <= told W + told U) by (assert (0 <= k * (told W + told U - told S - told T)) by (apply Rmult_le_pos; lra); lra).
  assert (UW : incl U W) by (intros i Hi; apply SW, US, Hi).
  assert (Pos : forall V x, In x (omega d) -> 0 < px d x -> 0 <= level V x) by (intros V x Hx P; apply sum_ge0; intros y _; apply Rmult_le_pos; [now apply post_ge0|apply pos_INR]).
  assert (Cross : sum (fun x => px d x * (level S x * level T x)) (omega d) <= told U).
  { eapply Rle_trans; [apply (cross d S T U S_features T_features shared Apart); auto using level_alike|]. right.
    rewrite (tower U S (smooth d U (level T))) by (exact US || apply smooth_alike).
    rewrite (smooth_moves d U (level U) (level T) (level_alike U)).
    rewrite (sum_ext _ (fun x => px d x * (level T x * level U x))) by (intros; ring). rewrite (tower U T (level U) UT (level_alike U)). reflexivity. }
  pose proof (told_above W (fun x => level S x + level T x - level U x)) as B.
  rewrite (sum_ext _ (fun x => 2 * (px d x * (level W x * level S x)) + 2 * (px d x * (level W x * level T x)) - 2 * (px d x * (level W x * level U x)) - px d x * (level S x * level S x) - px d x * (level T x * level T x)
    - px d x * (level U x * level U x) - 2 * (px d x * (level S x * level T x)) + 2 * (px d x * (level S x * level U x)) + 2 * (px d x * (level T x * level U x)))) in B by (intros; ring).
  rewrite !sum_plus, !sum_minus, !sum_plus, !sum_scale, (tower S W (level S) SW (level_alike S)), (tower T W (level T) TW (level_alike T)), (tower U W (level U) UW (level_alike U)),
    (tower U S (level U) US (level_alike U)), (tower U T (level U) UT (level_alike U)) in B.
  fold (told S) (told T) (told U) in B. lra.
Qed.
(* Where the mean given T does not differ from that given V, and all states are possible. *)
Lemma same_levels V : positive d -> incl V W -> told W <= told V -> forall x, In x (omega d) -> level W x = level V x.
Proof.
  intros Pos I L x Hx. set (gap := fun x => (level W x - level V x)²).
  assert (Z : sum (fun x => px d x * gap x) (omega d) = 0).
  { apply Rle_antisym; [|apply sum_ge0; intros z _; apply Rmult_le_pos; [apply px_ge0|apply Rle_0_sqr]].
    rewrite (sum_ext _ (fun x => px d x * (level W x * level W x) - 2 * (px d x * (level W x * level V x)) + px d x * (level V x * level V x))) by (intros; unfold gap, Rsqr; ring).
    rewrite sum_plus, sum_minus, sum_scale, (tower V W (level V) I (level_alike V)). fold (told W) (told V). lra. }
  pose proof (sum_zero (fun x => px d x * gap x) (omega d) (fun z _ => Rmult_le_pos _ _ (px_ge0 d z) (Rle_0_sqr _)) Z x Hx) as E. cbv beta in E.
  pose proof (Pos x Hx). apply Rmult_integral in E as [E|E]; [lra|]. apply Rsqr_0_uniq in E. lra.
Qed.
Theorem explained_closed : positive d -> explained d W <= explained d S -> explained d W <= explained d T -> explained d U = explained d W.
Proof.
  intros Pos GS GT. destruct share as (k & K & E & _). rewrite !E in * by assumption. destruct (Rle_lt_or_eq_dec 0 k K) as [P|Z]; [|rewrite <- Z; ring].
  assert (LS : told W <= told S) by (apply Rmult_le_reg_l with k; [exact P|]; lra). assert (LT : told W <= told T) by (apply Rmult_le_reg_l with k; [exact P|]; lra).
  enough (told U = told W) by congruence. assert (UW : incl U W) by (intros i Hi; apply SW, US, Hi).
  assert (Shared : forall x x', In x (omega d) -> In x' (omega d) -> alike U x x' = true -> level W x = level W x').
  { intros x x' Hx Hx' A. pose proof (proj1 (in_states _ _) Hx) as X. pose proof (proj1 (in_states _ _) Hx') as X'. set (z := mix (mem S) x x').
    assert (Hz : In z (omega d)) by (apply in_states, mix_in; assumption). rewrite alike_ok in A. transitivity (level W z).
    - rewrite !(same_levels S Pos SW LS) by assumption. apply level_alike, alike_ok. intros i Hi. unfold z. rewrite (mix_nth _ _ _ _ _ X X').
      unfold mem. replace (existsb (Nat.eqb i) S) with true; [reflexivity|]. symmetry. apply existsb_exists. exists i; split; [exact Hi|apply Nat.eqb_refl].
    - rewrite !(same_levels T Pos TW LT) by assumption. apply level_alike, alike_ok. intros i Hi. unfold z. rewrite (mix_nth _ _ _ _ _ X X').
      destruct (mem S i) eqn:M; [|reflexivity]. apply A, shared. split; [|exact Hi]. unfold mem in M. apply existsb_exists in M as (j & Hj & M). apply Nat.eqb_eq in M. now subst. }
  apply Rle_antisym; [now apply told_less|]. eapply Rle_trans; [|apply (told_above U (level W))].
  rewrite (sum_ext _ (fun x => 2 * (px d x * (level U x * level W x)) - px d x * (level W x * level W x))) by (intros; ring).
  rewrite sum_minus, sum_scale, (weighed U (level W) Shared), <- (weighed W (level W)) by (intros x x' _ _ A; now apply level_alike). fold (told W). lra.
Qed.
End Apart.
End Explained.

(* The facts and splits, where e says that criterion j is the share that is explained. For subsets s of t: the share grows.
   It is at most 1, and 0 for no features. And sets s and t of features are dependent given the features that they share,
   or their shares add up at most. If all states are possible: s explains less than s and t together, or t does, or the
   features that they share explain as much. *)
Local Obligation Tactic := idtac.
Program Definition explained_more a j (e : nth_error (criteria a) j = Some (explained (law a))) s t : known a := {|
  options := [Le (q_ a j s) (q_ a j t)]; checked := within a s t |}.
Next Obligation.
  cbn [sat]. intros a j e s t Q rho M. destruct (within_ok a s t Q) as (Ss & St & I). rewrite !(val_criterion a rho M j _ _ e) by assumption.
  apply explained_less; [exact (subset_features a rho M t)|exact I].
Qed.
Program Definition explained_most a j (e : nth_error (criteria a) j = Some (explained (law a))) s : known a := {|
  options := [Le (q_ a j s) (C 1)]; checked := member a s |}.
Next Obligation. cbn [sat val]. intros a j e s Q rho M. rewrite (val_criterion a rho M j _ _ e Q). apply explained_at_most_1, (subset_features a rho M). Qed.
Program Definition explained_blind a j (e : nth_error (criteria a) j = Some (explained (law a))) : known a := {|
  options := [Eq (C 0) (q_ a j 0)]; checked := true |}.
Next Obligation. cbn [sat val]. intros a j e _ rho M. rewrite (val_criterion a rho M j _ _ e (no_member a)), elements_none. symmetry. apply explained_none. Qed.
Program Definition explained_apart_or a j (e : nth_error (criteria a) j = Some (explained (law a))) s t : known a := {|
  options := [dependent (width a) s t; Le (Plus (q_ a j s) (q_ a j t)) (Plus (q_ a j (N.lor s t)) (q_ a j (N.land s t)))];
  checked := member a s && member a t |}.
Next Obligation.
  intros a j e s t Q rho M. apply andb_prop in Q as [Ss St]. destruct (dependent_or a rho s t M Ss St) as [L|L]; [left; exact L|right].
  cbn [sat val]. rewrite !(val_criterion a rho M j _ _ e) by auto using member_union, (member_shared a rho M). rewrite (explained_same _ _ _ (in_union a s t)).
  apply explained_apart; auto using in_shared; apply (subset_features a rho M).
Qed.
Program Definition explained_closed_or a j (e : nth_error (criteria a) j = Some (explained (law a))) s t : known a := {|
  options := let all := q_ a j (N.lor s t) in [Lt (q_ a j s) all; Lt (q_ a j t) all; Eq (q_ a j (N.land s t)) all];
  checked := possible a && member a s && member a t |}.
Next Obligation.
  intros a j e s t Q rho M. rewrite !andb_true_iff in Q. destruct Q as ((P & Ss) & St). pose proof (subset_features a rho M) as F. cbn [sat]. rewrite !(val_criterion a rho M j _ _ e) by auto using member_union, (member_shared a rho M).
  rewrite (explained_same _ _ _ (in_union a s t)). set (V := elements (width a)) in *.
  destruct (Rlt_or_le (explained (law a) (V s)) (explained (law a) (V s ++ V t))) as [L|GS]; [auto|].
  destruct (Rlt_or_le (explained (law a) (V t)) (explained (law a) (V s ++ V t))) as [L|GT]; [auto|]. right; right.
  apply explained_closed; auto using (is_positive a rho M). exact (in_shared a s t).
Qed.
