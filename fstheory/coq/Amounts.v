(* Proofs that use entropies beside risks: the splits that they may use, and what the exported files use. *)
From Coq Require Import Reals ZArith PArith NArith List Bool Lra Lia.
From FS Require Import Cases Sums Maxima Distributions EverySize Entropies Informations States Bridge Intersection Curves Told Gini Coins Facts Impurities Products.
Import ListNotations.
Open Scope R_scope.

(* For subsets s of t: t says more about the class than s, or it has the risk of s.
   If all states are possible: s says less of the variable a than s and t together, or t does, or what they share says as
   much of it. And the class is certain given s, or it is not: by its risk as by its entropy.
   For subsets s of t: t has a smaller Gini impurity than s, or it has the impurity and the risk of s. And t says more about
   the class than s, and has a smaller impurity, or neither. If all states are possible: s has a larger impurity than s and t
   together, or t does, or what they share has the same.
   For two classes: the risk of no feature is below a / b or above a' / b', or H(Y) is above a line that is a chord of the
   entropy of a coin, or below it. The last four numbers bound the logarithms of both ends, and of 1 minus them.
   What is at least 0, above 0, or 0, keeps its sign times the difference between a logarithm and a number. *)
Inductive split_entropies := Bridge (s t : N) | Shared (a : nat) (s t : N) | Sure (s : N) | Ties (s t : N) | Strict (s t : N) | Closed (s t : N)
  | Prior (a : Z) (b : Pos.t) (a' : Z) (b' : Pos.t) (slope : Z) (per : Pos.t) (height : Z) (over : Pos.t) (first first' last last' : Z)
  | Times (i : nat) (above : bool) (e : Z) (u : Pos.t) (sign : rel) (c : Z) (l : list (N * Z)).
Definition split_cases n q := match q with
  | Bridge s t => [Lt (left_ n t) (left_ n s); Eq (r_ s) (r_ t)]
  | Shared a s t => let all := given_ n (N.lor s t) a in
    [Lt all (given_ n s a); Lt all (given_ n t a); Eq (given_ n (N.land s t) a) all]
  | Sure s => [And [Lt (C 0) (r_ s); Lt (C 0) (left_ n s)]; And [Eq (r_ s) (C 0); Eq (left_ n s) (C 0)]]
  | Ties s t => [And [Lt (g_ n t) (g_ n s)]; And [Eq (g_ n s) (g_ n t); Eq (r_ s) (r_ t)]]
  | Strict s t => [And [Lt (g_ n t) (g_ n s); Lt (left_ n t) (left_ n s)]; And [Eq (g_ n s) (g_ n t); Eq (left_ n s) (left_ n t)]]
  | Closed s t => let all := g_ n (N.lor s t) in [Lt all (g_ n s); Lt all (g_ n t); Eq (g_ n (N.land s t)) all]
  | Prior a b a' b' slope per height over _ _ _ _ =>
    [Lt (r_ 0) (Quot a b); Lt (Quot a' b') (r_ 0); Le (Plus (Part slope per (r_ 0)) (Quot height over)) (left_ n 0)]
  | Times i above e u sign c l =>
    let form := of_risks c l in let times := product_of n i above e u c l in
    match sign with
    | Ge => [Lt form (C 0); Le (C 0) times] | Gt => [Le form (C 0); Lt (C 0) times]
    | Ze => [Lt form (C 0); Lt (C 0) form; Eq (C 0) times] end
  end.
(* Whether bounds x and y of the logarithms of a / b and of 1 - a / b show that the line is not above the entropy of a coin there. *)
Definition below_coin (slope : Z) (per : Pos.t) (height : Z) (over : Pos.t) (a : Z) (b : Pos.t) (x y : Z) := match a with
  | Z0 => (height <=? 0)%Z
  | Zpos p => (p <? b)%positive && fine_bound p b x && fine_bound (b - p) b y
      && (Zpos fine * (slope * a * Zpos over + height * Zpos per * Zpos b) <=? - (Zpos per * Zpos over * (a * x + (Zpos b - a) * y)))%Z
  | Zneg _ => false
  end.
Definition split_fits n given (pos : bool) q := match q with
  | Bridge s t | Ties s t | Strict s t => small n s && small n t && N.eqb (N.land s t) s
  | Shared a s t => pos && small n s && small n t && Nat.leb a n && negb (N.testbit (N.lor s t) (N.of_nat a))
  | Sure s => small n s
  | Closed s t => pos && small n s && small n t
  | Prior a b a' b' slope per height over first first' last last' =>
    given_classes given 2 && below_coin slope per height over a b first first' && below_coin slope per height over a' b' last last'
  | Times i above e u _ _ l => Nat.ltb i 25 && forallb (fun one => small n (fst one)) l && around i above e u
  end.

Local Opaque fine_bound.
Lemma below_coin_ok slope per height over a b x y : below_coin slope per height over a b x y = true ->
  0 <= IZR a / IZR (Zpos b) <= 1 /\ IZR slope / IZR (Zpos per) * (IZR a / IZR (Zpos b)) + IZR height / IZR (Zpos over) <= coin (IZR a / IZR (Zpos b)).
Proof.
  pose proof (pos_real b) as B. pose proof (pos_real per) as P. pose proof (pos_real over) as O. destruct a as [|p|p]; cbn [below_coin]; [| |discriminate].
  - intros Q. apply Z.leb_le, IZR_le in Q. unfold Rdiv at 1 2 4 6. rewrite !Rmult_0_l, coin_0. split; [lra|].
    assert (0 <= - IZR height * / IZR (Zpos over)) by (apply Rmult_le_pos; [lra|left; now apply Rinv_0_lt_compat]). lra.
  - rewrite !andb_true_iff. intros (((L & F1) & F2) & Q). apply fine_bound_ok in F1, F2. apply Pos.ltb_lt in L.
    replace (IZR (Zpos (b - p))) with (IZR (Zpos b) - IZR (Zpos p)) in F2 by (rewrite <- minus_IZR; f_equal; lia).
    apply Z.leb_le, IZR_le in Q. rewrite opp_IZR, !mult_IZR, !plus_IZR, !mult_IZR, minus_IZR in Q. change (IZR (Zpos fine)) with 1000000000000000000 in Q.
    assert (LR : IZR (Zpos p) < IZR (Zpos b)) by now apply IZR_lt. pose proof (pos_real p) as A.
    set (z := IZR (Zpos p)) in *. set (w := IZR (Zpos b)) in *. set (k := IZR (Zpos per)) in *. set (m := IZR (Zpos over)) in *.
    assert (In1 : 0 < z / w < 1) by (split; [now apply Rdiv_lt_0_compat|apply Rmult_lt_reg_r with w; [exact B|unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra]]).
    split; [lra|]. unfold coin. replace (1 - z / w) with ((w - z) / w) by (field; lra).
    apply (Rmult_le_compat_l z) in F1; [|lra]. apply (Rmult_le_compat_l (w - z)) in F2; [|lra].
    apply Rmult_le_reg_l with (1000000000000000000 * (k * m * w)); [repeat apply Rmult_lt_0_compat; lra|].
    replace (1000000000000000000 * (k * m * w) * (IZR slope / k * (z / w) + IZR height / m)) with (1000000000000000000 * (IZR slope * z * m + IZR height * k * w)) by (field; lra).
    replace (1000000000000000000 * (k * m * w) * (- (z / w * ln (z / w)) - (w - z) / w * ln ((w - z) / w)))
      with (- (k * m * (z * (1000000000000000000 * ln (z / w)) + (w - z) * (1000000000000000000 * ln ((w - z) / w))))) by (field; lra).
    eapply Rle_trans; [exact Q|]. apply Ropp_le_contravar, Rmult_le_compat_l; [left; now apply Rmult_lt_0_compat|lra].
Qed.

Section Known.
Variables (d : dist) (n : nat) (rho : Pos.t -> R).
Hypothesis has_n : length (sizes d) = n.
Hypothesis rho_amount : forall i, (i < amount_count n)%N -> val rho (var i) = amounts d n i.
Lemma gini_falls_or_ties s t : N.land s t = s -> let g m := gini d (elements n m) in
  g t < g s \/ g s = g t /\ bayes_risk d (elements n s) = bayes_risk d (elements n t) /\ left d (elements n s) = left d (elements n t).
Proof.
  intros I g. pose proof (elements_features d n has_n t) as F. pose proof (elements_incl n s t I) as Sub.
  destruct (Rlt_or_le (g t) (g s)) as [L|G]; [auto|right]. pose proof (gini_gain d _ _ 0 F Sub ltac:(lra)) as Falls. fold (g s) (g t) in Falls.
  split; [lra|]. now apply gini_ties.
Qed.
Variable given : option Pos.t.
Hypothesis class_count : match given with Some k => classes d = Pos.to_nat k | None => True end.
Local Opaque below_coin around.
Theorem splits_true pos splits : (pos = true -> positive d) -> forallb (split_fits n given pos) splits = true ->
  forall o, In o (map (split_cases n) splits) -> sat rho (Or o).
Proof.
  intros P Q o Ho. apply in_map_iff in Ho as (q & <- & Hq). rewrite forallb_forall in Q. specialize (Q q Hq).
  destruct q as [s t|a s t|s|s t|s t|s t|a b a' b' slope per height over first first' last last'|i above e u sign c l]; cbn [split_fits split_cases sat] in *; rewrite ?andb_true_iff in Q.
  - destruct Q as ((Ss & St) & I). apply N.eqb_eq in I. rewrite !(at_left d n rho has_n rho_amount), !(at_risk d n rho (amount_risk d n rho has_n rho_amount)) by auto.
    destruct (Rlt_or_le (left d (elements n t)) (left d (elements n s))) as [L|G]; [left; exact L|right].
    apply no_information_no_gain; auto using (elements_features d n has_n), elements_incl.
  - destruct Q as ((((Pos & Ss) & St) & La) & B). apply Nat.leb_le in La. rewrite N.lor_spec, negb_orb, andb_true_iff, !negb_true_iff in B. destruct B as [Bs Bt].
    rewrite !(at_given d n rho has_n (amount_entropy d n rho has_n rho_amount)) by (solve [auto using small_lor] || now apply (small_land d)).
    assert (U : mean_log d (elements n (N.lor s t) ++ [a]) - mean_log d (elements n (N.lor s t)) = open d a (elements n s ++ elements n t)).
    { unfold open. f_equal; apply mean_log_same; intros i; rewrite ?in_app_iff, !in_elements, N.lor_spec, orb_true_iff; intuition. }
    rewrite U. fold (open d a (elements n s)) (open d a (elements n t)) (open d a (elements n (N.land s t))).
    destruct (Rlt_or_le (open d a (elements n s ++ elements n t)) (open d a (elements n s))) as [L|GS]; [auto|].
    destruct (Rlt_or_le (open d a (elements n s ++ elements n t)) (open d a (elements n t))) as [L|GT]; [auto|]. right; right.
    apply intersection; auto using (elements_features d n has_n); try (unfold features; rewrite has_n; exact La); try (rewrite in_elements; intros [_ B]; congruence).
    intros i. rewrite !in_elements, N.land_spec, andb_true_iff. intuition.
  - cbn [val]. rewrite (at_left d n rho has_n rho_amount), (at_risk d n rho (amount_risk d n rho has_n rho_amount)) by exact Q.
    pose proof (elements_features d n has_n s) as F. destruct (floor d _ _ (bayes_risk_ok d (elements n s))) as [L|E].
    + left. split; [exact L|]. pose proof (tebbe_dwyer d 1 (Nat.le_refl 1) (elements n s) F) as T. unfold line in T. simpl INR in T.
      rewrite ln_1 in T. pose proof ln_lt_2. pose proof (Rmult_lt_0_compat (ln 2) _ ltac:(lra) L).
      replace (1 + 1) with 2 in T by ring. replace (1 - / 1) with 0 in T by field. lra.
    + right. split; [now symmetry|]. now apply sure_risk.
  - destruct Q as ((Ss & St) & I). apply N.eqb_eq in I. rewrite !(amount_gini d n rho has_n rho_amount), !(at_risk d n rho (amount_risk d n rho has_n rho_amount)) by assumption.
    destruct (gini_falls_or_ties s t I) as [L|(E & R & _)]; [left|right]; auto.
  - destruct Q as ((Ss & St) & I). apply N.eqb_eq in I. rewrite !(amount_gini d n rho has_n rho_amount), !(at_left d n rho has_n rho_amount) by assumption.
    destruct (gini_falls_or_ties s t I) as [L|(E & _ & H)]; [left|right]; [split; [exact L|]|auto].
    apply Rnot_le_lt. intros Z. apply no_information_same_gini in Z; [lra|exact (elements_features d n has_n t)|now apply elements_incl].
  - destruct Q as ((Pos & Ss) & St). rewrite !(amount_gini d n rho has_n rho_amount) by (solve [auto using small_lor] || now apply (small_land d)).
    assert (U : gini d (elements n (N.lor s t)) = gini d (elements n s ++ elements n t)).
    { apply gini_same. intros i. rewrite in_app_iff, !in_elements, N.lor_spec, orb_true_iff. intuition. }
    rewrite U. destruct (Rlt_or_le (gini d (elements n s ++ elements n t)) (gini d (elements n s))) as [L|GS]; [auto|].
    destruct (Rlt_or_le (gini d (elements n s ++ elements n t)) (gini d (elements n t))) as [L|GT]; [auto|]. right; right.
    apply gini_closed; auto using (elements_features d n has_n). intros i. rewrite !in_elements, N.land_spec, andb_true_iff. intuition.
  - destruct Q as ((G & B) & B'). apply below_coin_ok in B as [A B], B' as [A' B'].
    assert (Z : small n 0 = true) by (apply N.ltb_lt, N.neq_0_lt_0, N.pow_nonzero; lia). cbn [val]. rewrite (at_left d n rho has_n rho_amount), (at_risk d n rho (amount_risk d n rho has_n rho_amount)) by exact Z.
    rewrite elements_none.
    set (r := bayes_risk d []). destruct (Rlt_or_le r (IZR a / IZR (Zpos b))) as [L|L]; [auto|]. destruct (Rlt_or_le (IZR a' / IZR (Zpos b')) r) as [L'|L']; [auto|]. right; right.
    rewrite (left_of_none d (classes_given d n rho has_n rho_amount given class_count 2 G)). fold r.
    pose proof (between 1 (- (IZR slope / IZR (Zpos per))) (- (IZR height / IZR (Zpos over))) _ _ r Rle_0_1 (proj1 A) (proj2 A') (conj L L') ltac:(lra) ltac:(lra)). lra.
  - destruct Q as ((I & F) & A). apply Nat.ltb_lt in I. destruct (product_sign d n rho has_n rho_amount i above e u c l I F A) as (w & W & E).
    set (form := val rho (of_risks c l)) in *. destruct sign; cbn [sat val]; rewrite E; fold form.
    + destruct (Rlt_or_le form 0) as [L|L]; [auto|right]. apply Rmult_le_pos; lra.
    + destruct (Rlt_or_le 0 form) as [L|L]; [right; now apply Rmult_lt_0_compat|auto].
    + destruct (Rtotal_order form 0) as [L|[L|L]]; [auto|right; right; rewrite L; ring|auto].
Qed.
End Known.

(* What the exported files use where a claim is about entropies. *)
Theorem every_size_with_entropies d n given pos uni ts tops rs es cs gs ms ss os zs ks assumed claims trees :
  let size := (amount_count n + N.of_nat (length ts))%N in
  let rho := env (build (given_or (amounts d n) (amount_count n) ts) size tops) in
  length (sizes d) = n -> match given with Some k => classes d = Pos.to_nat k | None => True end -> granted pos uni d ->
  facts_fit n given pos uni rs os zs && forallb (in_joint n) es && forallb (fits_curve n given) cs && forallb (fits_impurity n given) gs && forallb (split_fits n given pos) ss
    && maxima_fit size 0 tops ms ks
    && trees_fit (map (said n) rs ++ map (said_entropy n) es ++ map (said_curve n) cs ++ map (said_impurity n) gs ++ map (said_max size tops) ms)
         (map (split_cases n) ss ++ split_known n size tops os zs ks) assumed claims trees = true ->
  sat rho (And assumed) -> sat rho (And claims).
Proof.
  intros size rho Hn K G Q A. rewrite !andb_true_iff in Q. destruct Q as ((((((Q1 & E) & Cu) & Gi) & Q5) & Q2) & Q3).
  unfold maxima_fit in Q2. rewrite !andb_true_iff in Q2. destruct Q2 as ((W & Q2) & Q4).
  assert (V : forall i, (i < amount_count n)%N -> val rho (var i) = amounts d n i).
  { intros m L. unfold rho, size. rewrite env_var, build_below by lia. now apply given_value. }
  pose proof (amount_risk d n rho Hn V) as B. pose proof (amount_entropy d n rho Hn V) as H.
  destruct (risks_and_splits d n given pos uni rho rs os zs Hn K G Q1 B) as (F & O & Z).
  apply (proved_all rho _ _ assumed claims trees Q3); [|unfold split_known|exact A].
  - apply sat_app; [exact F|]. apply sat_app; [exact (entropies_true d n rho Hn H es E)|].
    apply sat_app; [exact (curves_true d n rho Hn V given K cs Cu)|]. apply sat_app; [exact (impurities_true d n rho Hn V given K gs Gi)|].
    apply (maxima_true size tops _ W 0); [intros i L; destruct (N.nlt_0_r i L)|exact Q2].
  - apply known_app; [exact (splits_true d n rho Hn V given K pos ss (proj1 G) Q5)|]. apply known_app; [exact O|]. apply known_app; [exact Z|]. exact (some_top_true size tops _ W ks Q4).
Qed.
