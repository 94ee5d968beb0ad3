(* The intersection property: if all states of the features are possible, what S says of a variable, and T as well, is a
   function of what S and T share. *)
From Coq Require Import Reals ZArith PArith NArith List Bool Lra Lia.
From FS Require Import Sums Distributions Entropies States Bridge.
Import ListNotations.
Open Scope R_scope.

Section Intersection.
Variables (d : dist) (a : nat) (S T : list nat).
Hypotheses (all_possible : positive d) (S_features : of_features d S) (T_features : of_features d T).
Hypotheses (a_variable : (a <= features d)%nat) (a_not_in_S : ~ In a S) (a_not_in_T : ~ In a T).
Notation open := (open d a).
Notation given := (given d a).
Lemma chance_pos V c : of_features d V -> In c (cells d) -> 0 < chance d V c.
Proof.
  intros F Hc. apply in_states, Forall2_app_inv_r in Hc as (x & y & Hx & Hy & ->). inversion Hy as [|z k l l' Hz Hl]; subst. inversion Hl; subst.
  apply in_states in Hx. rewrite chance_tot by assumption. pose proof (tot_px d V x Hx). pose proof (all_possible x Hx). lra.
Qed.

Theorem intersection U : (forall i, In i U <-> In i S /\ In i T) ->
  open S <= open (S ++ T) -> open T <= open (S ++ T) -> open U = open (S ++ T).
Proof.
  intros HU ZS ZT. set (W := S ++ T).
  assert (FW : of_features d W) by (intros i Hi; apply in_app_or in Hi as [Hi|Hi]; auto).
  assert (NW : ~ In a W) by (intros H; apply in_app_or in H as [H|H]; auto).
  assert (FU : of_features d U) by (intros i Hi; apply HU in Hi as [Hi _]; auto).
  assert (NU : ~ In a U) by (intros Hi; apply HU in Hi as [Hi _]; auto).
  assert (GS : forall c, In c (cells d) -> given S c = given W c) by (intros c Hc; apply nothing_added; auto using chance_pos; intros i Hi; apply in_or_app; auto).
  assert (GT : forall c, In c (cells d) -> given T c = given W c) by (intros c Hc; apply nothing_added; auto using chance_pos; intros i Hi; apply in_or_app; auto).
  assert (Shared : forall c c', In c (cells d) -> In c' (cells d) -> alike (U ++ [a]) c c' = true -> given W c = given W c').
  { intros c c' Hc Hc' A. rewrite alike_and in A. apply andb_prop in A as [A B]. apply Nat.eqb_eq in B. rewrite alike_ok in A.
    pose proof (proj1 (in_states _ _) Hc) as Fc. pose proof (proj1 (in_states _ _) Hc') as Fc'. set (m := mix (mem S) c c').
    assert (Hm : In m (cells d)) by (apply in_states, mix_in; auto).
    assert (Nm : forall i, nth i m 0%nat = if mem S i then nth i c 0%nat else nth i c' 0%nat) by (intros i; apply (mix_nth (sizes d ++ [classes d])); auto).
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
      { intros f Hf. rewrite !alike_and, put_nth, Nat.eqb_refl by now apply (cell_length d).
        rewrite <- (alike_trans W f (put a (nth a c 0%nat) f) e) by now apply (alike_put d). rewrite (alike_sym W f e).
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
      + unfold given. rewrite (chance_alike d W f g) by now apply (alike_put d). field. pose proof (chance_pos W g FW Hg). lra.
      + rewrite alike_and. unfold g. rewrite put_nth, !Nat.eqb_refl, andb_true_r by now apply (cell_length d).
        rewrite alike_sym, <- (alike_trans U f (put a (nth a c 0%nat) f) c) by now apply (alike_put d). now rewrite alike_sym. }
  unfold open, mean_log. rewrite <- !sum_minus. apply sum_ext; intros c Hc.
  destruct (Rle_lt_or_eq_dec 0 (weight d c) (weight_ge0 d c)) as [P|Z]; [|rewrite <- Z; ring].
  pose proof (chance_pos U c FU Hc). pose proof (chance_pos W c FW Hc). pose proof (chance_weight d (W ++ [a]) c Hc).
  assert (0 < given W c) by (apply Rdiv_lt_0_compat; lra).
  rewrite Part, ln_mult by assumption. replace (chance d (W ++ [a]) c) with (given W c * chance d W c) by (unfold given; field; lra).
  rewrite ln_mult by assumption. ring.
Qed.
End Intersection.
