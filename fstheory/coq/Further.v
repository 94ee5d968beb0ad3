(* Proofs that multiply: squared risks and other products are variables beside risks, entropies and impurities. And facts
   and splits that fewer proofs need. *)
From Coq Require Import Reals ZArith PArith NArith List Bool Lra Lia.
From FS Require Import Cases Sums Maxima Distributions EverySize Entropies Informations States Curves Gini Facts Impurities Amounts Polynomials Orthogonal Falls Explained.
Import ListNotations.
Open Scope R_scope.

(* For subsets s of t: the squared risk of t is at most that of s. [SquareAbove] is the tangent of a squared risk at a/b.
   A squared risk is at most the risk times the largest risk of k classes, or of any number of them. [Spread] bounds the
   impurity by the risk and its square. For subsets s of t: the impurity falls by at most the information,
   and the share of the variance that is explained grows. It is at most 1, and 0 for no features. *)
Inductive further_facts :=
  | SquareLess (s t : N)
  | SquareAbove (s : N) (a : Z) (b : Pos.t)
  | SquareChord (s : N)
  | SquareChordOf (k : Pos.t) (s : N)
  | Spread (s : N)
  | SpreadOf (k : Pos.t) (s : N)
  | GiniFalls (s t : N)
  | ExplainedMore (s t : N)
  | ExplainedMost (s : N)
  | ExplainedNone.
(* A product of facts, by the signs of its premises; a square; and sets s and t of features: they are dependent given the
   features that they share, or their gains of impurity add up at most. So do those of the explained variance. If all
   states are possible: s explains less than s and t together, or t does, or the features that they share explain as much. *)
Inductive further_splits := Multiply (l : list (rel * tm)) | Squared (a : tm) | GiniApart (s t : N) | ExplainedApart (s t : N) | ExplainedClosed (s t : N).

Section Squares.
Variables (shares start : N) (products : list (list tm)) (n : nat).
(* The share that s explains is a variable, as its product with another one is. *)
Definition v_ s := var (shares + s).
Definition square_ s := product_form start products [r_ s; r_ s].
Definition has_square s := small n s && product_fits start products [r_ s; r_ s].
Definition said_square f := match f with
  | SquareLess s t => Le (square_ t) (square_ s)
  | SquareAbove s a b => Le (Scale (2 * a * Zpos b) (r_ s)) (Plus (Scale (Zpos b * Zpos b) (square_ s)) (C (a * a)))
  | SquareChord s => Le (square_ s) (r_ s)
  | SquareChordOf k s => Le (Scale (Zpos k) (square_ s)) (Scale (Zpos k - 1) (r_ s))
  | Spread s => Le (Plus (g_ n s) (square_ s)) (Scale 2 (r_ s))
  | SpreadOf k s => Le (Plus (Scale (Zpos k - 1) (g_ n s)) (Scale (Zpos k) (square_ s))) (Scale (2 * (Zpos k - 1)) (r_ s))
  | GiniFalls s t => Le (Minus (g_ n s) (g_ n t)) (Minus (left_ n s) (left_ n t))
  | ExplainedMore s t => Le (v_ s) (v_ t)
  | ExplainedMost s => Le (v_ s) (C 1)
  | ExplainedNone => Eq (C 0) (v_ 0)
  end.
Definition fits_square given f := match f with
  | SquareLess s t => has_square s && has_square t && N.eqb (N.land s t) s
  | SquareAbove s _ _ | SquareChord s | Spread s => has_square s
  | SquareChordOf k s => has_square s && given_classes given k
  | SpreadOf k s => has_square s && given_classes given k && negb (Pos.eqb k 1)
  | GiniFalls s t | ExplainedMore s t => small n s && small n t && N.eqb (N.land s t) s
  | ExplainedMost s => small n s
  | ExplainedNone => true
  end.
Definition product_split q := match q with
  | Multiply l => flat_map denied l ++ [product_said start products l]
  | Squared a => [Le (C 0) (product_form start products [a; a])]
  | GiniApart s t => let all := N.lor s t in let both := N.land s t in
    [Lt (Plus (h_ n all) (h_ n both)) (Plus (h_ n s) (h_ n t)); Le (Plus (g_ n all) (g_ n both)) (Plus (g_ n s) (g_ n t))]
  | ExplainedApart s t => let all := N.lor s t in let both := N.land s t in
    [Lt (Plus (h_ n all) (h_ n both)) (Plus (h_ n s) (h_ n t)); Le (Plus (v_ s) (v_ t)) (Plus (v_ all) (v_ both))]
  | ExplainedClosed s t => let all := v_ (N.lor s t) in [Lt (v_ s) all; Lt (v_ t) all; Eq (v_ (N.land s t)) all]
  end.
Definition product_split_fits (pos : bool) q := match q with
  | Multiply l => product_fits start products (map snd l)
  | Squared a => product_fits start products [a; a]
  | GiniApart s t | ExplainedApart s t => small n s && small n t
  | ExplainedClosed s t => pos && small n s && small n t
  end.

Variables (d : dist) (rho : Pos.t -> R).
Hypothesis has_n : length (sizes d) = n.
Hypothesis rho_amount : forall i, (i < amount_count n)%N -> val rho (var i) = amounts d n i.
Hypothesis all_variables : forallb (forallb (is_variable start)) products = true.
Hypothesis rho_product : forall j l, nth_error products j = Some l -> val rho (var (start + N.of_nat j)) = times rho l.
Hypothesis rho_share : forall s, small n s = true -> val rho (v_ s) = explained d (elements n s).
Variable given : option Pos.t.
Hypothesis class_count : match given with Some k => classes d = Pos.to_nat k | None => True end.
Notation risk s := (bayes_risk d (elements n s)).
Lemma val_square s : has_square s = true -> val rho (r_ s) = risk s /\ val rho (square_ s) = risk s * risk s.
Proof.
  unfold has_square. rewrite andb_true_iff. intros [Ss F]. pose proof (at_risk d n rho (amount_risk d n rho has_n rho_amount) s Ss) as E. split; [exact E|].
  unfold square_. rewrite (val_product start products rho all_variables rho_product _ F). unfold times. cbn [fold_right]. rewrite E. ring.
Qed.
Lemma small_of s : has_square s = true -> small n s = true.
Proof. unfold has_square. rewrite andb_true_iff. tauto. Qed.
Local Opaque square_.
Theorem squares_true facts : forallb (fits_square given) facts = true -> sat rho (And (map said_square facts)).
Proof.
  intros Q. rewrite forallb_forall in Q. apply sat_and; intros g Hg; apply in_map_iff in Hg as (f & <- & Hf). specialize (Q f Hf).
  assert (Class : forall k, given_classes given k = true -> INR (classes d) = IZR (Zpos k)).
  { intros k G. rewrite (classes_given d n rho has_n rho_amount given class_count k G). apply real_pos. }
  destruct f as [s t|s a b|s|k s|s|k s|s t|s t|s|]; cbn [said_square fits_square sat val] in *; rewrite ?andb_true_iff in Q.
  - destruct Q as ((Qs & Qt) & I). apply N.eqb_eq in I. destruct (val_square s Qs) as [_ ->], (val_square t Qt) as [_ ->].
    assert (L : risk t <= risk s).
    { apply (monotone d (mem (elements n s)) (mem (elements n t))); try apply bayes_risk_ok. intros i Hi. rewrite <- I, mem_land in Hi. now apply andb_prop in Hi. }
    pose proof (risk_ge0 d n t). apply Rmult_le_compat; lra.
  - destruct (val_square s Q) as [-> ->]. pose proof (Rle_0_sqr (IZR (Zpos b) * risk s - IZR a)) as S. unfold Rsqr in S. rewrite !mult_IZR. lra.
  - destruct (val_square s Q) as [-> ->]. pose proof (risk_ge0 d n s) as R0. pose proof (risk_below_1 d n s) as R1.
    pose proof (Rmult_le_compat_l (risk s) (risk s) 1 R0 ltac:(lra)). lra.
  - destruct Q as (Qs & G). destruct (val_square s Qs) as [-> ->]. pose proof (risk_ge0 d n s) as R0. pose proof (one_le k) as K1.
    pose proof (ceiling_of_classes _ _ _ (bayes_risk_ok d (elements n s))) as T. rewrite (Class k G) in T. rewrite minus_IZR.
    apply (Rmult_le_compat_l (IZR (Zpos k) * risk s)) in T; [|apply Rmult_le_pos; lra].
    replace (IZR (Zpos k) * risk s * (1 - / IZR (Zpos k))) with ((IZR (Zpos k) - 1) * risk s) in T by (field; lra). lra.
  - destruct (val_square s Q) as [-> ->]. rewrite (amount_gini d n rho has_n rho_amount s (small_of s Q)).
    pose proof (gini_below d (elements n s) (risk s) 0 (elements_features d n has_n s)). lra.
  - destruct Q as ((Qs & G) & N1). destruct (val_square s Qs) as [-> ->]. rewrite (amount_gini d n rho has_n rho_amount s (small_of s Qs)).
    destruct (two_classes d n rho has_n rho_amount given class_count k G N1) as [K2 _]. apply le_INR in K2. simpl (INR 2) in K2. rewrite (Class k G) in K2.
    pose proof (gini_below d (elements n s) (risk s) (risk s / (IZR (Zpos k) - 1)) (elements_features d n has_n s)) as B. rewrite (Class k G) in B.
    rewrite !mult_IZR, !minus_IZR. set (z := IZR (Zpos k)) in *. set (r := risk s) in *. apply (Rmult_le_compat_l (z - 1)) in B; [|lra].
    replace ((z - 1) * (2 * r * (1 - r - r / (z - 1)) + r * r + r / (z - 1) * (r / (z - 1)) * (z - 1))) with (2 * (z - 1) * r - z * (r * r)) in B by (field; lra). lra.
  - destruct Q as ((Ss & St) & I). apply N.eqb_eq in I. rewrite !(amount_gini d n rho has_n rho_amount), !(at_left d n rho has_n rho_amount) by assumption.
    apply gini_falls; [apply (elements_features d n has_n)|now apply elements_incl].
  - destruct Q as ((Ss & St) & I). apply N.eqb_eq in I. rewrite !rho_share by assumption.
    apply explained_less; [apply (elements_features d n has_n)|now apply elements_incl].
  - rewrite rho_share by exact Q. apply explained_at_most_1, (elements_features d n has_n).
  - rewrite rho_share by (apply N.ltb_lt, N.neq_0_lt_0, N.pow_nonzero; lia). rewrite elements_none. symmetry. apply explained_none.
Qed.
Theorem product_splits_true pos l : (pos = true -> positive d) -> forallb (product_split_fits pos) l = true -> forall o, In o (map product_split l) -> sat rho (Or o).
Proof.
  intros Pos Q o Ho. apply in_map_iff in Ho as (q & <- & Hq). rewrite forallb_forall in Q. specialize (Q q Hq).
  assert (Ent : forall m, small n m = true -> val rho (h_ n m) = mean_log d (elements n m)).
  { intros m Sm. pose proof (proj1 (N.ltb_lt _ _) Sm) as L.
    rewrite (at_entropy d n rho (amount_entropy d n rho has_n rho_amount)) by (apply N.ltb_lt; lia).
    unfold variables. rewrite (small_bits n m n Sm (Nat.le_refl n)), app_nil_r. reflexivity. }
  assert (Union : forall s t i, In i (elements n (N.lor s t)) <-> In i (elements n s ++ elements n t)).
  { intros s t i. rewrite in_app_iff, !in_elements, N.lor_spec, orb_true_iff. intuition. }
  assert (Shared : forall s t i, In i (elements n (N.land s t)) <-> In i (elements n s) /\ In i (elements n t)).
  { intros s t i. rewrite !in_elements, N.land_spec, andb_true_iff. intuition. }
  destruct q as [p|a|s t|s t|s t]; cbn [product_split product_split_fits] in *.
  - exact (product_cases start products rho all_variables rho_product p Q).
  - exact (square_at_least_0 start products rho all_variables rho_product a Q).
  - apply andb_prop in Q as [Ss St]. pose proof (small_lor n s t Ss St) as Su. pose proof (small_land d n has_n s t Ss) as Sl.
    cbn [sat val]. rewrite !(amount_gini d n rho has_n rho_amount), !Ent by assumption. rewrite (mean_log_same d _ _ (Union s t)), (gini_same d _ _ (Union s t)).
    destruct (Rlt_or_le (mean_log d (elements n s ++ elements n t) + mean_log d (elements n (N.land s t))) (mean_log d (elements n s) + mean_log d (elements n t))) as [L|L]; [auto|right].
    apply gini_apart; auto using (elements_features d n has_n).
  - apply andb_prop in Q as [Ss St]. pose proof (small_lor n s t Ss St) as Su. pose proof (small_land d n has_n s t Ss) as Sl.
    cbn [sat val]. rewrite !rho_share, !Ent by assumption. rewrite (mean_log_same d _ _ (Union s t)), (explained_same d _ _ (Union s t)).
    destruct (Rlt_or_le (mean_log d (elements n s ++ elements n t) + mean_log d (elements n (N.land s t))) (mean_log d (elements n s) + mean_log d (elements n t))) as [L|L]; [auto|right].
    apply explained_apart; auto using (elements_features d n has_n).
  - rewrite !andb_true_iff in Q. destruct Q as ((P & Ss) & St). pose proof (small_lor n s t Ss St) as Su. pose proof (small_land d n has_n s t Ss) as Sl.
    cbn [sat]. rewrite !rho_share by assumption. rewrite (explained_same d _ _ (Union s t)).
    destruct (Rlt_or_le (explained d (elements n s)) (explained d (elements n s ++ elements n t))) as [L|GS]; [auto|].
    destruct (Rlt_or_le (explained d (elements n t)) (explained d (elements n s ++ elements n t))) as [L|GT]; [auto|]. right; right.
    apply explained_closed; auto using (elements_features d n has_n).
Qed.
End Squares.

(* What the exported files use where a proof multiplies. *)
(* The explained shares of all subsets come after the parameters of a claim, then products. *)
Theorem every_size_further d n given pos uni ts products tops rs es cs gs qs ms ss ps os zs ks assumed claims trees :
  let shares := (amount_count n + N.of_nat (length ts))%N in
  let start := (shares + 2 ^ N.of_nat n)%N in
  let size := (start + N.of_nat (length products))%N in
  let before := ts ++ map (fun s => explained d (elements n (N.of_nat s))) (seq 0 (2 ^ n)) in
  let values := map (times (env (given_or (amounts d n) (amount_count n) before))) products in
  let rho := env (build (given_or (amounts d n) (amount_count n) (before ++ values)) size tops) in
  length (sizes d) = n -> match given with Some k => classes d = Pos.to_nat k | None => True end -> granted pos uni d ->
  facts_fit n given pos uni rs os zs && forallb (in_joint n) es && forallb (fits_curve n given) cs && forallb (fits_impurity n given) gs && forallb (split_fits n given pos) ss
    && forallb (forallb (is_variable start)) products && forallb (fits_square start products n given) qs && forallb (product_split_fits start products n pos) ps
    && maxima_fit size 0 tops ms ks
    && trees_fit (map (said n) rs ++ map (said_entropy n) es ++ map (said_curve n) cs ++ map (said_impurity n) gs ++ map (said_square shares start products n) qs ++ map (said_max size tops) ms)
         (map (split_cases n) ss ++ map (product_split shares start products n) ps ++ split_known n size tops os zs ks) assumed claims trees = true ->
  sat rho (And assumed) -> sat rho (And claims).
Proof.
  intros shares start size before values rho Hn K G Q A. rewrite !andb_true_iff in Q. destruct Q as (((((((((Q1 & E) & Cu) & Gi) & Q5) & Va) & Sq) & Pr) & Q2) & Q3).
  unfold maxima_fit in Q2. rewrite !andb_true_iff in Q2. destruct Q2 as ((W & Q2) & Q4).
  assert (Pow : N.to_nat (2 ^ N.of_nat n) = (2 ^ n)%nat) by (rewrite <- (Nat2N.id (2 ^ n)), Nat2N.inj_pow; reflexivity).
  assert (Len : N.of_nat (length before) = (N.of_nat (length ts) + 2 ^ N.of_nat n)%N) by (unfold before; rewrite app_length, map_length, seq_length; lia).
  assert (Below : forall i, (i < start)%N -> val rho (var i) = given_or (amounts d n) (amount_count n) before i).
  { intros m L. unfold rho. rewrite env_var, build_below by lia. unfold given_or. destruct (m <? amount_count n)%N eqn:C; [reflexivity|].
    apply N.ltb_ge in C. apply app_nth1. unfold start, shares in L. lia. }
  assert (V : forall i, (i < amount_count n)%N -> val rho (var i) = amounts d n i).
  { intros m L. rewrite Below by (unfold start, shares; lia). now apply given_value. }
  assert (Sh : forall s, small n s = true -> val rho (v_ shares s) = explained d (elements n s)).
  { intros s Ss. apply N.ltb_lt in Ss. unfold v_. rewrite Below by (unfold start; lia). unfold given_or.
    destruct (N.ltb_spec (shares + s) (amount_count n)) as [L|_]; [unfold shares in L; lia|].
    replace (N.to_nat (shares + s - amount_count n)) with (length ts + N.to_nat s)%nat by (unfold shares; lia). unfold before. rewrite app_nth2_plus.
    rewrite (nth_indep _ 0 (explained d (elements n (N.of_nat 0)))) by (rewrite map_length, seq_length; lia).
    rewrite (map_nth (fun s => explained d (elements n (N.of_nat s)))), seq_nth by lia. now rewrite Nat.add_0_l, N2Nat.id. }
  assert (P : forall j l, nth_error products j = Some l -> val rho (var (start + N.of_nat j)) = times rho l).
  { intros j l J. assert (Lj : (j < length products)%nat) by (apply nth_error_Some; congruence).
    unfold rho. rewrite env_var, build_below by (unfold size; lia). unfold given_or at 1.
    destruct (N.ltb_spec (start + N.of_nat j) (amount_count n)) as [L|_]; [unfold start, shares in L; lia|].
    replace (N.to_nat (start + N.of_nat j - amount_count n)) with (length before + j)%nat by (unfold start, shares; lia). rewrite app_nth2_plus. unfold values.
    rewrite (nth_indep _ 0 (times (env (given_or (amounts d n) (amount_count n) before)) [])) by (now rewrite map_length). rewrite map_nth, (nth_error_nth _ _ _ J).
    rewrite forallb_forall in Va. specialize (Va l (nth_error_In _ _ J)). clear J. induction l as [|t l IH]; [reflexivity|]. cbn [forallb] in Va. apply andb_prop in Va as [Va1 Va2].
    unfold times in *. cbn [fold_right]. rewrite IH by exact Va2. f_equal. destruct t as [v| | | | | |]; try discriminate. cbn [is_variable] in Va1. apply N.ltb_lt in Va1.
    pose proof (Below _ Va1) as B. unfold var in B. replace (N.succ_pos (Pos.pred_N v)) with v in B; [symmetry; exact B|].
    enough (X : N.pos v = N.pos (N.succ_pos (Pos.pred_N v))) by congruence. now rewrite N.succ_pos_spec, N.succ_pos_pred. }
  pose proof (amount_risk d n rho Hn V) as B. pose proof (amount_entropy d n rho Hn V) as H.
  destruct (risks_and_splits d n given pos uni rho rs os zs Hn K G Q1 B) as (F & O & Z).
  apply (proved_all rho _ _ assumed claims trees Q3); [|unfold split_known|exact A].
  - apply sat_app; [exact F|]. apply sat_app; [exact (entropies_true d n rho Hn H es E)|].
    apply sat_app; [exact (curves_true d n rho Hn V given K cs Cu)|]. apply sat_app; [exact (impurities_true d n rho Hn V given K gs Gi)|].
    apply sat_app; [exact (squares_true shares start products n d rho Hn V Va P Sh given K qs Sq)|].
    apply (maxima_true size tops _ W 0); [intros i L; destruct (N.nlt_0_r i L)|exact Q2].
  - apply known_app; [exact (splits_true d n rho Hn V given K pos ss (proj1 G) Q5)|]. apply known_app; [exact (product_splits_true shares start products n d rho Hn V Va P Sh pos ps (proj1 G) Pr)|].
    apply known_app; [exact O|]. apply known_app; [exact Z|]. exact (some_top_true size tops _ W ks Q4).
Qed.
