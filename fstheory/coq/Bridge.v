(* Features that say nothing about the class do not lower the risk. *)
From Coq Require Import Reals ZArith PArith NArith List Bool Lra Lia.
From FS Require Import Sums Distributions Entropies States.
Import ListNotations.
Open Scope R_scope.

(* Gibbs' inequality is an equation only if the prediction is right on all cells that occur. *)
Lemma ln_equal t : 0 < t -> ln t = t - 1 -> t = 1.
Proof.
  intros P E. destruct (Req_dec (ln t) 0) as [Z|N]; [lra|]. pose proof (exp_ineq1 (ln t) N) as Q. rewrite exp_ln in Q by exact P. lra.
Qed.
Lemma gibbs_equal d (b q : list nat -> R) : (forall c, In c (cells d) -> 0 < weight d c -> 0 < b c /\ 0 < q c) ->
  sum (fun c => if Rlt_dec 0 (weight d c) then weight d c * (q c / b c) else 0) (cells d) <= 1 ->
  sum (fun c => weight d c * - ln (q c)) (cells d) <= sum (fun c => weight d c * - ln (b c)) (cells d) ->
  forall c, In c (cells d) -> 0 < weight d c -> q c = b c.
Proof.
  intros P Q E.
  set (g := fun c => (if Rlt_dec 0 (weight d c) then weight d c * (q c / b c) else 0) - weight d c - (weight d c * - ln (b c) - weight d c * - ln (q c))).
  assert (Log : forall c, In c (cells d) -> 0 < weight d c -> 0 < q c / b c /\ ln (q c / b c) = ln (q c) - ln (b c)).
  { intros c Hc W. destruct (P c Hc W) as [Pb Pq]. split; [now apply Rdiv_lt_0_compat|].
    unfold Rdiv. rewrite ln_mult, ln_Rinv by (auto; now apply Rinv_0_lt_compat). ring. }
  assert (G : forall c, In c (cells d) -> 0 <= g c).
  { intros c Hc. unfold g. destruct (Rlt_dec 0 (weight d c)) as [W|W].
    - destruct (Log c Hc W) as [T L]. pose proof (ln_below _ T) as B. rewrite L in B.
      assert (0 <= weight d c * (q c / b c - 1 - (ln (q c) - ln (b c)))) by (apply Rmult_le_pos; lra). lra.
    - pose proof (weight_ge0 d c). replace (weight d c) with 0 by lra. lra. }
  assert (Z : sum g (cells d) = 0).
  { apply Rle_antisym; [|now apply sum_ge0]. unfold g. rewrite !sum_minus, total_weight. lra. }
  intros c Hc W. pose proof (sum_zero g (cells d) G Z c Hc) as Zc. unfold g in Zc. destruct (Rlt_dec 0 (weight d c)) as [_|]; [|contradiction].
  destruct (Log c Hc W) as [T L]. destruct (P c Hc W) as [Pb Pq].
  assert (O : q c / b c = 1).
  { apply ln_equal; [exact T|]. rewrite L. apply Rmult_eq_reg_l with (weight d c); lra. }
  apply Rmult_eq_reg_r with (/ b c); [|apply Rinv_neq_0_compat; lra]. unfold Rdiv in O. rewrite O. symmetry. apply Rinv_r. lra.
Qed.
Lemma information_zero d AC BC ABC C : incl AC ABC -> incl BC ABC -> (forall i, In i ABC -> In i AC \/ In i BC) -> incl C AC -> incl C BC ->
  mean_log d AC + mean_log d BC - mean_log d ABC - mean_log d C <= 0 ->
  forall c, In c (cells d) -> 0 < weight d c -> chance d AC c * chance d BC c = chance d ABC c * chance d C c.
Proof.
  intros I1 I2 U I3 I4 Z c Hc W.
  assert (Pos : forall V e, In e (cells d) -> 0 < weight d e -> 0 < chance d V e) by (intros V e He We; pose proof (chance_weight d V e He); lra).
  assert (E : split_chance d AC BC C c = chance d ABC c).
  { apply (gibbs_equal d (chance d ABC) (split_chance d AC BC C)); auto.
    - intros e He We. split; [auto|]. unfold split_chance. apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat|]; auto.
    - apply split_at_most_1; auto.
    - enough (sum (fun e => weight d e * - ln (split_chance d AC BC C e)) (cells d) = mean_log d AC + mean_log d BC - mean_log d C) by (unfold mean_log at 3 in Z; lra).
      unfold mean_log. rewrite <- sum_plus, <- sum_minus. apply sum_ext; intros e He.
      destruct (Rle_lt_or_eq_dec 0 (weight d e) (weight_ge0 d e)) as [P|Q]; [|rewrite <- Q; ring].
      unfold split_chance, Rdiv. rewrite !ln_mult, ln_Rinv by (auto using Rinv_0_lt_compat, Rmult_lt_0_compat). ring. }
  unfold split_chance, Rdiv in E. rewrite <- E. field. apply Rgt_not_eq, Pos; auto.
Qed.

(* A cell in which variable [a] has the value v. *)
Fixpoint put (a v : nat) (c : list nat) {struct c} : list nat :=
  match c, a with [], _ => [] | _ :: t, O => v :: t | i :: t, S a => i :: put a v t end.
Lemma put_in cs : forall a v c, Forall2 lt c cs -> (v < nth a cs 0)%nat -> Forall2 lt (put a v c) cs.
Proof.
  induction cs as [|k cs IH]; intros a v c H L; inversion H; subst; [constructor|]. destruct a; simpl in *; constructor; auto.
Qed.
Lemma put_nth c : forall a v i, (a < length c)%nat -> nth i (put a v c) 0%nat = if Nat.eqb i a then v else nth i c 0%nat.
Proof.
  induction c as [|j c IH]; intros a v i L; [simpl in L; lia|]. destruct a, i; simpl in *; try reflexivity. apply IH. lia.
Qed.


Section One_variable.
Variables (d : dist) (a : nat).
Hypothesis a_variable : (a <= features d)%nat.
Definition open V := mean_log d (V ++ [a]) - mean_log d V.
Notation sizes_of_cells := (sizes d ++ [classes d]).

Lemma value_in c : In c (cells d) -> (nth a c 0 < nth a sizes_of_cells 0)%nat.
Proof.
  intros H. apply in_states in H. assert (L : (a < length sizes_of_cells)%nat) by (rewrite app_length; unfold features in a_variable; simpl; lia).
  clear - H L. revert a L. induction H as [|i k c cs Hi _ IH]; intros a L; [simpl in L; lia|]. destruct a; simpl in *; [exact Hi|]. apply IH. lia.
Qed.
Lemma cell_length c : In c (cells d) -> (a < length c)%nat.
Proof.
  intros H. pose proof (value_in c H) as L. apply Nat.nle_gt. intros N. rewrite nth_overflow in L by exact N.
  apply in_states in H. enough (length c = length sizes_of_cells) by (rewrite H0, app_length in N; unfold features in a_variable; simpl in N; lia).
  clear - H. induction H; simpl; congruence.
Qed.
Lemma put_cell c e : In c (cells d) -> In e (cells d) -> In (put a (nth a e 0%nat) c) (cells d).
Proof. intros Hc He. apply in_states, put_in; [now apply in_states|now apply value_in]. Qed.
Lemma alike_put V c v : ~ In a V -> In c (cells d) -> alike V c (put a v c) = true.
Proof.
  intros N Hc. apply alike_ok. intros i Hi. rewrite put_nth by now apply cell_length. destruct (Nat.eqb_spec i a) as [->|_]; [contradiction|reflexivity].
Qed.
Lemma alike_and V c e : alike (V ++ [a]) c e = (alike V c e && Nat.eqb (nth a c 0%nat) (nth a e 0%nat))%bool.
Proof. unfold alike. rewrite forallb_app. simpl. now rewrite andb_true_r. Qed.
Lemma chance_of_values V c : ~ In a V -> In c (cells d) ->
  sum (fun v => chance d (V ++ [a]) (put a v c)) (seq 0 (nth a sizes_of_cells 0%nat)) = chance d V c.
Proof.
  intros N Hc. unfold chance. rewrite sum_filter. rewrite (sum_ext _ (fun v => sum (fun e => if alike V c e then (if Nat.eqb (nth a e 0%nat) v then weight d e else 0) else 0) (cells d))).
  - rewrite sum_swap. apply sum_ext; intros e He. destruct (alike V c e); [|apply sum_0].
    apply (sum_one Nat.eqb Nat.eqb_eq); [apply seq_NoDup|]. apply in_seq. pose proof (value_in e He). lia.
  - intros v _. rewrite sum_filter. apply sum_ext; intros e _. rewrite alike_and, put_nth, Nat.eqb_refl by now apply cell_length.
    rewrite <- (alike_trans V c (put a v c) e) by now apply alike_put. rewrite Nat.eqb_sym. destruct (alike V c e), (Nat.eqb (nth a e 0%nat) v); reflexivity.
Qed.

Lemma chance_less V W c : incl V W -> chance d W c <= chance d V c.
Proof.
  intros I. unfold chance. rewrite !sum_filter. apply sum_le; intros e _. pose proof (weight_ge0 d e).
  destruct (alike W c e) eqn:A; [|destruct (alike V c e); lra]. rewrite (alike_less V W c e I A). lra.
Qed.

(* The probability that a is as in the cell c, given that V is. *)
Definition given V c := chance d (V ++ [a]) c / chance d V c.
Lemma given_alike V c c' : alike (V ++ [a]) c c' = true -> given V c = given V c'.
Proof.
  intros A. unfold given. rewrite (chance_alike d (V ++ [a]) c c' A). rewrite (chance_alike d V c c'); [reflexivity|].
  rewrite alike_and in A. now apply andb_prop in A.
Qed.
(* If W adds nothing to what V says of a, the two predict alike, also where a has the probability 0. *)
Theorem nothing_added V W : incl V W -> ~ In a W -> open V <= open W ->
  forall c, In c (cells d) -> 0 < chance d W c -> given V c = given W c.
Proof.
  intros I N Z c Hc Pos. assert (NV : ~ In a V) by auto.
  assert (Occurs : forall e, In e (cells d) -> 0 < weight d e -> chance d (V ++ [a]) e * chance d W e = chance d (W ++ [a]) e * chance d V e).
  { intros e He Pe. apply (information_zero d (V ++ [a]) W (W ++ [a]) V); auto; unfold open in Z; try lra; intros i Hi; rewrite ?in_app_iff in *; auto.
    - destruct Hi; auto.
    - destruct Hi; auto. }
  set (h := fun v => chance d (V ++ [a]) (put a v c) * chance d W c - chance d (W ++ [a]) (put a v c) * chance d V c).
  assert (Same : forall X v, ~ In a X -> chance d X (put a v c) = chance d X c).
  { intros X v NX. symmetry. now apply chance_alike, alike_put. }
  assert (G : forall v, In v (seq 0 (nth a sizes_of_cells 0%nat)) -> 0 <= h v).
  { intros v _. unfold h. destruct (Rle_lt_or_eq_dec 0 _ (chance_ge0 d (W ++ [a]) (put a v c))) as [Q|E].
    - unfold chance in Q; apply sum_pos in Q as (e & He & We). apply filter_In in He as [He A].
      assert (B : alike (V ++ [a]) (put a v c) e = true).
      { rewrite alike_ok in *. intros i Hi. apply A. rewrite in_app_iff in *. destruct Hi; auto. }
      pose proof (Occurs e He We) as O. rewrite <- (chance_alike d _ _ _ A), <- (chance_alike d _ _ _ B) in O.
      rewrite alike_and in A, B. apply andb_prop in A as [A _]. apply andb_prop in B as [B _].
      rewrite <- (chance_alike d W _ _ A), <- (chance_alike d V _ _ B), (Same W v), (Same V v) in O by auto. lra.
    - rewrite <- E. assert (0 <= chance d (V ++ [a]) (put a v c) * chance d W c) by (apply Rmult_le_pos; apply chance_ge0). lra. }
  assert (S0 : sum h (seq 0 (nth a sizes_of_cells 0%nat)) = 0).
  { unfold h. rewrite sum_minus, (sum_ext _ (fun v => chance d W c * chance d (V ++ [a]) (put a v c))) by (intros; ring).
    rewrite (sum_ext (fun v => chance d (W ++ [a]) (put a v c) * _) (fun v => chance d V c * chance d (W ++ [a]) (put a v c))) by (intros; ring).
    rewrite !sum_scale, !chance_of_values by auto. ring. }
  assert (L : In (nth a c 0%nat) (seq 0 (nth a sizes_of_cells 0%nat))) by (apply in_seq; pose proof (value_in c Hc); lia).
  pose proof (sum_zero h _ G S0 _ L) as E. unfold h in E.
  assert (Own : forall X, chance d X (put a (nth a c 0%nat) c) = chance d X c).
  { intros X. symmetry. apply chance_alike, alike_ok. intros i _. rewrite put_nth by now apply cell_length. destruct (Nat.eqb_spec i a) as [->|_]; reflexivity. }
  rewrite !Own in E. unfold given. pose proof (chance_less V W c I).
  apply Rmult_eq_reg_r with (chance d V c * chance d W c); [|apply Rmult_integral_contrapositive_currified; lra]. field_simplify; lra.
Qed.
End One_variable.

(* Nor do they change what is said about the class, where it occurs. *)
Theorem no_information_same_posts d S T : of_features d T -> incl S T -> left d S <= left d T ->
  forall x y, In x (omega d) -> 0 < px d x -> In y (labels d) -> post d S x y = post d T x y.
Proof.
  intros FT I Z x y Hx P Hy. assert (FS : of_features d S) by (intros i Hi; auto).
  pose proof (nothing_added d (features d) (Nat.le_refl _) S T I) as N. unfold given in N. unfold post.
  rewrite <- !(chance_mass d _ x y), <- !(chance_tot d _ x y) by assumption. apply N.
  - intros F. specialize (FT _ F). lia.
  - exact Z.
  - now apply in_cells.
  - rewrite chance_tot by assumption. pose proof (tot_px d T x Hx). lra.
Qed.
Lemma same_posts_same_risk d S T : (forall x y, In x (omega d) -> 0 < px d x -> In y (labels d) -> post d S x y = post d T x y) ->
  bayes_risk d S = bayes_risk d T.
Proof.
  intros E. rewrite !risk_by_states. apply sum_ext; intros x Hx. destruct (Rle_lt_or_eq_dec 0 (px d x) (px_ge0 d x)) as [P|Z]; [|rewrite <- Z; ring].
  do 2 f_equal. unfold top. f_equal. apply map_ext_in. auto.
Qed.
Theorem no_information_no_gain d S T : of_features d T -> incl S T -> left d S <= left d T -> bayes_risk d S = bayes_risk d T.
Proof. intros FT I Z. apply same_posts_same_risk. now apply no_information_same_posts. Qed.
