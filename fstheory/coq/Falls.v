(* The impurity falls by at most the information: Pinsker's inequality for all classes of a state. *)
From Coq Require Import Reals ZArith PArith List Bool Lra Lia.
From FS Require Import Sums Distributions Entropies States Curves Pinsker Gini.
Import ListNotations.
Open Scope R_scope.

Lemma sum_of_squares {A} (f : A -> R) l : (forall a, In a l -> 0 <= f a) -> sum (fun a => f a * f a) l <= sum f l * sum f l.
Proof.
  induction l as [|a l IH]; cbn [sum]; intros F; [lra|]. assert (0 <= f a) by (apply F; now left). assert (0 <= sum f l) by (apply sum_ge0; intros; apply F; now right).
  specialize (IH (fun b Hb => F b (or_intror Hb))). assert (0 <= f a * sum f l) by now apply Rmult_le_pos. lra.
Qed.
Section Divergence.
Variables (l : list nat) (p q : nat -> R).
Hypotheses (p_ge0 : forall y, In y l -> 0 <= p y) (q_ge0 : forall y, In y l -> 0 <= q y) (p_total : sum p l = 1) (q_total : sum q l = 1)
  (q_less : forall y, In y l -> 0 < q y -> 0 < p y).
Definition more y := if Rlt_dec (p y) (q y) then true else false.
Definition rise := sum (fun y => if more y then q y - p y else 0) l.
Lemma rise_ge0 : 0 <= rise.
Proof. apply sum_ge0; intros y _. unfold more. destruct (Rlt_dec (p y) (q y)); lra. Qed.
Lemma distance : sum (fun y => (q y - p y) * (q y - p y)) l <= 2 * (rise * rise).
Proof.
  set (up := fun y => if more y then q y - p y else 0). set (down := fun y => if more y then 0 else p y - q y).
  assert (Up : forall y, In y l -> 0 <= up y) by (intros y _; unfold up, more; destruct (Rlt_dec (p y) (q y)); lra).
  assert (Down : forall y, In y l -> 0 <= down y) by (intros y _; unfold down, more; destruct (Rlt_dec (p y) (q y)); lra).
  assert (E : sum down l = rise).
  { assert (Z : sum (fun y => up y - down y) l = 0).
    { rewrite (sum_ext _ (fun y => q y - p y)) by (intros y _; unfold up, down; destruct (more y); ring). rewrite sum_minus. lra. }
    rewrite sum_minus in Z. unfold rise. fold up. lra. }
  rewrite (sum_ext _ (fun y => up y * up y + down y * down y)) by (intros y _; unfold up, down; destruct (more y); ring).
  rewrite sum_plus. pose proof (sum_of_squares up l Up) as A. pose proof (sum_of_squares down l Down) as B. rewrite E in B. unfold rise in *. fold up in B |- *. lra.
Qed.
Lemma divergence : sum (fun y => q y * - ln (q y)) l + 2 * (rise * rise) <= sum (fun y => q y * - ln (p y)) l.
Proof.
  set (t := 4 * rise). pose proof rise_ge0 as D0. assert (T0 : 0 <= t) by (unfold t; lra).
  set (r := sum (fun y => if more y then p y else 0) l). set (s := sum (fun y => if more y then q y else 0) l).
  assert (S : s - r = rise) by (unfold s, r, rise; rewrite <- sum_minus; apply sum_ext; intros y _; destruct (more y); ring).
  assert (R01 : 0 <= r <= 1).
  { unfold r. split; [apply sum_ge0; intros y Hy; destruct (more y); [now apply p_ge0|lra]|]. rewrite <- p_total. apply sum_le. intros y Hy. specialize (p_ge0 y Hy). destruct (more y); lra. }
  pose proof (moment_pos r R01 t T0) as M. pose proof (coin_moment r R01 t T0) as C. set (m := moment r t) in *. pose proof (exp_pos t) as Et.
  set (w := fun y => p y * ((if more y then exp t else 1) / m)).
  assert (G : sum (fun y => q y * - ln (q y)) l <= sum (fun y => q y * - ln (w y)) l).
  { apply (gibbs_sum q w); [exact q_ge0| | |].
    - intros y Hy. apply Rmult_le_pos; [now apply p_ge0|]. left. apply Rdiv_lt_0_compat; [destruct (more y); lra|exact M].
    - intros y Hy Q. apply Rmult_lt_0_compat; [now apply q_less|]. apply Rdiv_lt_0_compat; [destruct (more y); lra|exact M].
    - rewrite q_total. right. unfold w. rewrite (sum_ext _ (fun y => / m * (p y + (exp t - 1) * (if more y then p y else 0)))) by (intros y _; destruct (more y); unfold Rdiv; ring).
      rewrite sum_scale, sum_plus, sum_scale, p_total. fold r. replace (1 + (exp t - 1) * r) with m by (unfold m, moment; ring). field. lra. }
  rewrite (sum_ext (fun y => q y * - ln (w y)) (fun y => q y * - ln (p y) + (ln m * q y - t * (if more y then q y else 0)))) in G.
  - rewrite sum_plus, sum_minus, !sum_scale, q_total in G. fold s in G. replace s with (r + rise) in G by lra. unfold t, Rsqr in *. lra.
  - intros y Hy. destruct (Rle_lt_or_eq_dec 0 _ (q_ge0 y Hy)) as [Q|Z]; [|rewrite <- Z; destruct (more y); ring].
    pose proof (q_less y Hy Q). pose proof (Rinv_0_lt_compat m M). unfold w, Rdiv. destruct (more y).
    + rewrite ln_mult, ln_mult, ln_Rinv, ln_exp by (assumption || now apply Rmult_lt_0_compat). ring.
    + rewrite Rmult_1_l, ln_mult, ln_Rinv by assumption. ring.
Qed.
End Divergence.
Theorem gini_falls d S T : of_features d T -> incl S T -> gini d S - gini d T <= left d S - left d T.
Proof.
  intros FT I. assert (FS : of_features d S) by (intros i Hi; auto).
  assert (L : left d S = sum (fun x => px d x * sum (fun y => post d T x y * - ln (post d S x y)) (labels d)) (omega d)).
  { rewrite left_by_states by exact FS. unfold surprise.
    rewrite <- (mean_by_states d T (fun x y => - ln (post d S x y))), <- (mean_by_states d S (fun x y => - ln (post d S x y))); [reflexivity|..];
    intros x x' y _ _ Al; do 2 f_equal; apply post_alike; [exact Al|exact (alike_less S T x x' I Al)]. }
  assert (B : left d T <= sum (fun x => px d x * (sum (fun y => post d T x y * - ln (post d S x y)) (labels d) - (squares d T x - 2 * both d S T x + squares d S x))) (omega d)).
  { rewrite left_by_states by exact FT. apply mean_le. intros x Hx P. unfold surprise.
    pose proof (distance (labels d) (post d S x) (post d T x) (total_post d S x Hx P) (total_post d T x Hx P)) as Di.
    pose proof (divergence (labels d) (post d S x) (post d T x) (fun y _ => post_ge0 d S x y Hx P) (fun y _ => post_ge0 d T x y Hx P) (total_post d S x Hx P) (total_post d T x Hx P)
      (fun y _ => post_less d S T I x y Hx P)) as Dv.
    replace (squares d T x - 2 * both d S T x + squares d S x) with (sum (fun y => (post d T x y - post d S x y) * (post d T x y - post d S x y)) (labels d)); [lra|].
    unfold squares, both. rewrite <- sum_scale, <- sum_minus, <- sum_plus. apply sum_ext; intros; ring. }
  rewrite (sum_ext _ (fun x => px d x * sum (fun y => post d T x y * - ln (post d S x y)) (labels d) - px d x * squares d T x + 2 * (px d x * both d S T x) - px d x * squares d S x)) in B by (intros; ring).
  rewrite sum_minus, sum_plus, sum_minus, sum_scale, <- L, mean_of_both in B by exact I. rewrite !gini_by_states by assumption. lra.
Qed.
