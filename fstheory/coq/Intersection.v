(* The intersection property: if all states of the features are possible, what S says of a variable, and T as well, is a
   function of what S and T share. *)
From Coq Require Import Reals ZArith PArith NArith List Bool Lra Lia.
From FS Require Import Cases Sums Maxima Distributions EverySize Entropies Bridge.
Import ListNotations.
Open Scope R_scope.

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

Section Intersection.
Variables (d : dist) (a : nat) (S T : list nat).
Hypotheses (all_possible : positive d) (S_features : of_features d S) (T_features : of_features d T).
Hypotheses (a_variable : (a <= features d)%nat) (a_not_in_S : ~ In a S) (a_not_in_T : ~ In a T).
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
Lemma chance_pos V c : of_features d V -> In c (cells d) -> 0 < chance d V c.
Proof.
  intros F Hc. apply in_states, Forall2_app_inv_r in Hc as (x & y & Hx & Hy & ->). inversion Hy as [|z k l l' Hz Hl]; subst. inversion Hl; subst.
  apply in_states in Hx. rewrite chance_tot by assumption. pose proof (tot_px d V x Hx). pose proof (all_possible x Hx). lra.
Qed.
Lemma chance_of_values V c : ~ In a V -> In c (cells d) ->
  sum (fun v => chance d (V ++ [a]) (put a v c)) (seq 0 (nth a sizes_of_cells 0%nat)) = chance d V c.
Proof.
  intros N Hc. unfold chance. rewrite sum_filter. rewrite (sum_ext _ (fun v => sum (fun e => if alike V c e then (if Nat.eqb (nth a e 0%nat) v then weight d e else 0) else 0) (cells d))).
  - rewrite sum_swap. apply sum_ext; intros e He. destruct (alike V c e); [|apply sum_0].
    apply (sum_one Nat.eqb Nat.eqb_eq); [apply seq_NoDup|]. apply in_seq. pose proof (value_in e He). lia.
  - intros v _. rewrite sum_filter. apply sum_ext; intros e _. rewrite alike_and, put_nth, Nat.eqb_refl by now apply cell_length.
    rewrite <- (alike_trans V c (put a v c) e) by now apply alike_put. rewrite Nat.eqb_sym. destruct (alike V c e), (Nat.eqb (nth a e 0%nat) v); reflexivity.
Qed.

(* The probability that a is as in the cell c, given that V is. *)
Definition given V c := chance d (V ++ [a]) c / chance d V c.
Lemma given_alike V c c' : alike (V ++ [a]) c c' = true -> given V c = given V c'.
Proof.
  intros A. unfold given. rewrite (chance_alike d (V ++ [a]) c c' A). rewrite (chance_alike d V c c'); [reflexivity|].
  rewrite alike_and in A. now apply andb_prop in A.
Qed.
(* If W adds nothing to what V says of a, the two predict alike, also where a has the probability 0. *)
Lemma nothing_added V W : of_features d W -> incl V W -> ~ In a W -> open V <= open W -> forall c, In c (cells d) -> given V c = given W c.
Proof.
  intros FW I N Z c Hc. assert (FV : of_features d V) by (intros i Hi; auto). assert (NV : ~ In a V) by auto.
  assert (Occurs : forall e, In e (cells d) -> 0 < weight d e -> chance d (V ++ [a]) e * chance d W e = chance d (W ++ [a]) e * chance d V e).
  { intros e He P. apply (information_zero d (V ++ [a]) W (W ++ [a]) V); auto; unfold open in Z; try lra; intros i Hi; rewrite ?in_app_iff in *; auto.
    - destruct Hi; auto.
    - destruct Hi; auto. }
  set (h := fun v => chance d (V ++ [a]) (put a v c) * chance d W c - chance d (W ++ [a]) (put a v c) * chance d V c).
  assert (Same : forall X v, ~ In a X -> chance d X (put a v c) = chance d X c).
  { intros X v NX. symmetry. now apply chance_alike, alike_put. }
  assert (G : forall v, In v (seq 0 (nth a sizes_of_cells 0%nat)) -> 0 <= h v).
  { intros v _. unfold h. destruct (Rle_lt_or_eq_dec 0 _ (chance_ge0 d (W ++ [a]) (put a v c))) as [P|E].
    - pose proof P as Q. unfold chance in Q. apply sum_pos in Q as (e & He & We). apply filter_In in He as [He A].
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
  rewrite !Own in E. unfold given. pose proof (chance_pos V c FV Hc). pose proof (chance_pos W c FW Hc).
  apply Rmult_eq_reg_r with (chance d V c * chance d W c); [|apply Rmult_integral_contrapositive_currified; lra]. field_simplify; lra.
Qed.

Theorem intersection U : (forall i, In i U <-> In i S /\ In i T) ->
  open S <= open (S ++ T) -> open T <= open (S ++ T) -> open U = open (S ++ T).
Proof.
  intros HU ZS ZT. set (W := S ++ T).
  assert (FW : of_features d W) by (intros i Hi; apply in_app_or in Hi as [Hi|Hi]; auto).
  assert (NW : ~ In a W) by (intros H; apply in_app_or in H as [H|H]; auto).
  assert (FU : of_features d U) by (intros i Hi; apply HU in Hi as [Hi _]; auto).
  assert (NU : ~ In a U) by (intros Hi; apply HU in Hi as [Hi _]; auto).
  assert (GS : forall c, In c (cells d) -> given S c = given W c) by (apply nothing_added; auto; intros i Hi; apply in_or_app; auto).
  assert (GT : forall c, In c (cells d) -> given T c = given W c) by (apply nothing_added; auto; intros i Hi; apply in_or_app; auto).
  assert (Shared : forall c c', In c (cells d) -> In c' (cells d) -> alike (U ++ [a]) c c' = true -> given W c = given W c').
  { intros c c' Hc Hc' A. rewrite alike_and in A. apply andb_prop in A as [A B]. apply Nat.eqb_eq in B. rewrite alike_ok in A.
    pose proof (proj1 (in_states _ _) Hc) as Fc. pose proof (proj1 (in_states _ _) Hc') as Fc'. set (m := mix (mem S) c c').
    assert (Hm : In m (cells d)) by (apply in_states, mix_in; auto).
    assert (Nm : forall i, nth i m 0%nat = if mem S i then nth i c 0%nat else nth i c' 0%nat) by (intros i; apply (mix_nth sizes_of_cells); auto).
    assert (In_mem : forall i, mem S i = true <-> In i S).
    { intros i. unfold mem. rewrite existsb_exists. split; [intros (j & Hj & E); apply Nat.eqb_eq in E; now subst|intros H; exists i; split; [exact H|apply Nat.eqb_refl]]. }
    assert (Am : nth a m 0%nat = nth a c 0%nat) by (rewrite Nm; destruct (mem S a); auto).
    transitivity (given W m); [rewrite <- !GS by auto|rewrite <- !GT by auto]; apply given_alike; rewrite alike_and; apply andb_true_intro; split.
    - apply alike_ok. intros i Hi. rewrite Nm. apply In_mem in Hi. now rewrite Hi.
    - now rewrite Am, Nat.eqb_refl.
    - apply alike_ok. intros i Hi. rewrite Nm. destruct (mem S i) eqn:E; [|reflexivity]. apply A, HU. split; [now apply In_mem|exact Hi].
    - now rewrite Am, B, Nat.eqb_refl. }
  assert (Part : forall c, In c (cells d) -> chance d (U ++ [a]) c = given W c * chance d U c).
  { intros c Hc.
    (* Each cell e counts once; it is spread over the cells f that agree with it in W, and these are summed first. *)
    transitivity (sum (fun f => sum (fun e => if alike U c f && alike (W ++ [a]) (put a (nth a c 0%nat) f) e then weight d f * (weight d e / chance d W f) else 0) (cells d)) (cells d)).
    - rewrite sum_swap. unfold chance at 1. rewrite sum_filter. apply sum_ext; intros e He.
      assert (Q : forall f, In f (cells d) -> (alike U c f && alike (W ++ [a]) (put a (nth a c 0%nat) f) e = alike (U ++ [a]) c e && alike W e f)%bool).
      { intros f Hf. rewrite !alike_and, put_nth, Nat.eqb_refl by now apply cell_length.
        rewrite <- (alike_trans W f (put a (nth a c 0%nat) f) e) by now apply alike_put. rewrite (alike_sym W f e).
        destruct (alike W e f) eqn:E; [|now rewrite !andb_false_r]. rewrite andb_true_r. f_equal.
        rewrite (alike_sym U c f), (alike_sym U c e). symmetry. apply alike_trans, (alike_less U W); [|exact E].
        intros i Hi. apply in_or_app. left. now apply HU. }
      rewrite (sum_ext _ (fun f => if alike W e f then (if alike (U ++ [a]) c e then weight d e / chance d W e else 0) * weight d f else 0)).
      + rewrite <- (sum_filter (fun f => _ * weight d f)), sum_scale. fold (chance d W e). destruct (alike (U ++ [a]) c e); [|ring].
        field. pose proof (chance_pos W e FW He). lra.
      + intros f Hf. rewrite Q by exact Hf. destruct (alike (U ++ [a]) c e), (alike W e f) eqn:E; simpl; try ring.
        rewrite (chance_alike d W e f E). ring.
    - unfold chance at 2. rewrite sum_filter, <- sum_scale. apply sum_ext; intros f Hf. destruct (alike U c f) eqn:E; simpl; [|rewrite sum_0; ring].
      set (g := put a (nth a c 0%nat) f). assert (Hg : In g (cells d)) by now apply put_cell.
      rewrite (sum_ext _ (fun e => weight d f / chance d W f * (if alike (W ++ [a]) g e then weight d e else 0))) by (intros e _; destruct (alike _ g e); unfold Rdiv; ring).
      rewrite sum_scale, <- sum_filter. fold (chance d (W ++ [a]) g).
      rewrite (Shared c g Hc Hg).
      + unfold given. rewrite (chance_alike d W f g) by now apply alike_put. field. pose proof (chance_pos W g FW Hg). lra.
      + rewrite alike_and. unfold g. rewrite put_nth, !Nat.eqb_refl, andb_true_r by now apply cell_length.
        rewrite alike_sym, <- (alike_trans U f (put a (nth a c 0%nat) f) c) by now apply alike_put. now rewrite alike_sym. }
  unfold open, mean_log. rewrite <- !sum_minus. apply sum_ext; intros c Hc.
  destruct (Rle_lt_or_eq_dec 0 (weight d c) (weight_ge0 d c)) as [P|Z]; [|rewrite <- Z; ring].
  pose proof (chance_pos U c FU Hc). pose proof (chance_pos W c FW Hc). pose proof (chance_weight d (W ++ [a]) c Hc).
  assert (0 < given W c) by (apply Rdiv_lt_0_compat; lra).
  rewrite Part, ln_mult by assumption. replace (chance d (W ++ [a]) c) with (given W c * chance d W c) by (unfold given; field; lra).
  rewrite ln_mult by assumption. ring.
Qed.
End Intersection.
