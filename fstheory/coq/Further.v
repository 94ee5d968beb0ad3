(* Proofs that multiply: squared risks and other products are variables beside risks, entropies and impurities. And facts
   and splits that fewer proofs need. *)
From Coq Require Import Reals ZArith PArith NArith List Bool Lra Lia.
From FS Require Import Cases Sums Maxima Distributions EverySize Entropies Informations States Curves Intersection Gini Facts Impurities Amounts Polynomials Known Orthogonal Falls Bits.
Import ListNotations.
Open Scope R_scope.
Local Obligation Tactic := idtac.

(* Facts about squared risks. For subsets s of t: the squared risk of t is at most that of s. [square_above] is the
   tangent of a squared risk at x/y. A squared risk is at most the risk times the largest risk of k classes, or of any
   number of them. [spread] bounds the impurity by the risk and its square. *)
Definition square_ a s := product_form (start a) (products a) [r_ s; r_ s].
Definition has_square a s := member a s && product_fits (start a) (products a) [r_ s; r_ s].
Section Squares.
Variables (a : about) (rho : Pos.t -> R).
Hypothesis M : means a rho.
Notation risk s := (bayes_risk (law a) (elements (width a) s)).
Lemma val_square s : has_square a s = true -> val rho (r_ s) = risk s /\ val rho (square_ a s) = risk s * risk s.
Proof.
  unfold has_square. rewrite andb_true_iff. intros [Ss F]. pose proof (val_risk a rho M s Ss) as E. split; [exact E|].
  unfold square_. rewrite (val_product (start a) (products a) rho (all_variables a rho M) (has_products a rho M) _ F). unfold times. cbn [fold_right]. rewrite E. ring.
Qed.
Lemma member_of s : has_square a s = true -> member a s = true.
Proof. unfold has_square. rewrite andb_true_iff. tauto. Qed.
Lemma val_log i : (i < 25)%nat -> val rho (log_at (width a) i 0) = ln (IZR (Zpos (nth i primes 1%positive))).
Proof.
  intros I. rewrite (amount_log (law a) (width a) rho (has_width a rho M) (has_amounts a rho M)) by (exact I || (unfold each; pose proof (N.pow_nonzero 2 (N.of_nat (width a))); lia)).
  change (times_risk (law a) (width a) 0) with 1. ring.
Qed.
Lemma real_classes k : given_count a = Some k -> INR (classes (law a)) = IZR (Zpos k).
Proof. intros E. pose proof (has_classes a rho M) as K. rewrite E in K. rewrite K. apply real_pos. Qed.
End Squares.
Local Opaque square_.
Program Definition square_less a s t : known a := {|
  options := [Le (square_ a t) (square_ a s)]; checked := has_square a s && has_square a t && N.eqb (N.land s t) s |}.
Next Obligation.
  cbn [sat]. intros a s t Q rho M. rewrite !andb_true_iff in Q. destruct Q as ((Qs & Qt) & I). apply N.eqb_eq in I.
  destruct (val_square a rho M s Qs) as [_ ->], (val_square a rho M t Qt) as [_ ->]. set (risk := fun s => bayes_risk (law a) (elements (width a) s)).
  assert (L : risk t <= risk s).
  { apply (monotone (law a) (mem (elements (width a) s)) (mem (elements (width a) t))); try apply bayes_risk_ok. intros i Hi. rewrite <- I, mem_land in Hi. now apply andb_prop in Hi. }
  pose proof (risk_ge0 (law a) (width a) t). fold (risk t) in *. fold (risk s). apply Rmult_le_compat; lra.
Qed.
Program Definition square_above a s (x : Z) (y : Pos.t) : known a := {|
  options := [Le (Scale (2 * x * Zpos y) (r_ s)) (Plus (Scale (Zpos y * Zpos y) (square_ a s)) (C (x * x)))]; checked := has_square a s |}.
Next Obligation.
  cbn [sat val]. intros a s x y Q rho M. destruct (val_square a rho M s Q) as [-> ->]. set (r := bayes_risk _ _).
  pose proof (Rle_0_sqr (IZR (Zpos y) * r - IZR x)) as S. unfold Rsqr in S. rewrite !mult_IZR. lra.
Qed.
Program Definition square_chord a s : known a := {|
  options := [match given_count a with Some k => Le (Scale (Zpos k) (square_ a s)) (Scale (Zpos k - 1) (r_ s)) | None => Le (square_ a s) (r_ s) end]; checked := has_square a s |}.
Next Obligation.
  intros a s Q rho M. pose proof (risk_ge0 (law a) (width a) s) as R0. pose proof (risk_below_1 (law a) (width a) s) as R1. pose proof (val_square a rho M s Q) as [E E2]. pose proof (real_classes a rho M) as Class.
  destruct (given_count a) as [k|]; cbn [sat val]; rewrite E, E2; set (r := bayes_risk _ _) in *.
  - pose proof (one_le k) as K1. pose proof (ceiling_of_classes _ _ _ (bayes_risk_ok (law a) (elements (width a) s))) as T. rewrite (Class k eq_refl) in T. fold r in T. rewrite minus_IZR.
    apply (Rmult_le_compat_l (IZR (Zpos k) * r)) in T; [|apply Rmult_le_pos; lra].
    replace (IZR (Zpos k) * r * (1 - / IZR (Zpos k))) with ((IZR (Zpos k) - 1) * r) in T by (field; lra). lra.
  - pose proof (Rmult_le_compat_l _ _ 1 R0 (Rlt_le _ _ R1)). lra.
Qed.
Program Definition spread a s : known a := {|
  options := [match given_count a with
    | Some k => Le (Plus (Scale (Zpos k - 1) (g_ (width a) s)) (Scale (Zpos k) (square_ a s))) (Scale (2 * (Zpos k - 1)) (r_ s))
    | None => Le (Plus (g_ (width a) s) (square_ a s)) (Scale 2 (r_ s)) end];
  checked := has_square a s && negb (given_classes (given_count a) 1) |}.
Next Obligation.
  intros a s Q rho M. apply andb_prop in Q as [Q N1]. pose proof (val_square a rho M s Q) as [E E2]. pose proof (val_gini a rho M s (member_of a s Q)) as EG. pose proof (real_classes a rho M) as Class.
  pose proof (gini_below (law a) (elements (width a) s) (bayes_risk (law a) (elements (width a) s))) as B. pose proof (subset_features a rho M s) as F.
  destruct (given_count a) as [k|]; cbn [sat val]; rewrite E, E2, EG; set (r := bayes_risk _ _) in *.
  - assert (K2 : 2 <= IZR (Zpos k)) by (apply (IZR_le 2); destruct (Pos.eqb_spec 1 k) as [<-|]; [discriminate|lia]). specialize (B (r / (IZR (Zpos k) - 1)) F). rewrite (Class k eq_refl) in B.
    rewrite !mult_IZR, !minus_IZR. set (z := IZR (Zpos k)) in *. apply (Rmult_le_compat_l (z - 1)) in B; [|lra].
    replace ((z - 1) * (2 * r * (1 - r - r / (z - 1)) + r * r + r / (z - 1) * (r / (z - 1)) * (z - 1))) with (2 * (z - 1) * r - z * (r * r)) in B by (field; lra). lra.
  - specialize (B 0 F). lra.
Qed.

(* A sum over a tree of subsets, where amounts of impurities have logarithms. *)
Definition log_times a (t : tm) i := product_form (start a) (products a) [log_at (width a) i 0; t].
Definition has_log_times a t i := product_fits (start a) (products a) [log_at (width a) i 0; t].
Definition log_g a s := log_times a (g_ (width a) s).
Definition has_log_g a s := has_log_times a (g_ (width a) s).
Lemma val_log_times a rho t i : means a rho -> (i < 25)%nat -> has_log_times a t i = true -> val rho (log_times a t i) = ln (IZR (Zpos (nth i primes 1%positive))) * val rho t.
Proof.
  intros M I H. unfold log_times. rewrite (val_product (start a) (products a) rho (all_variables a rho M) (has_products a rho M) _ H). unfold times. cbn [fold_right].
  rewrite (val_log a rho M i I). ring.
Qed.
Lemma val_log_g a rho : means a rho -> forall s i, member a s = true -> (i < 25)%nat -> has_log_g a s i = true ->
  val rho (log_g a s i) = ln (IZR (Zpos (nth i primes 1%positive))) * gini (law a) (elements (width a) s).
Proof. intros M s i S I H. rewrite <- (val_gini a rho M s S). now apply val_log_times. Qed.
Program Definition log_tree a t c s cover l : known a := {|
  options := [said_tree (width a) (log_g a) no_cost no_log_cost t c s]; checked := fits_tree (width a) (has_log_g a) never none_of (given_count a) t c s cover l |}.
Next Obligation.
  intros a t c s cover l Q rho M. apply (tree_true (width a) (log_g a) (has_log_g a) no_cost no_log_cost never none_of (law a) rho (has_width a rho M) (has_amounts a rho M) (val_log_g a rho M))
    with (cost := fun _ _ => 0) (given := given_count a) (cover := cover) (l := l); [discriminate|discriminate|exact (has_classes a rho M)|exact Q].
Qed.

(* For two classes: the squared entropy is at most (ln 2)^2 times twice the impurity, or times four times the risk. *)
Definition squared_left a s := [left_ (width a) s; left_ (width a) s].
Definition in_bits a s (of_impurity : bool) := [log_at (width a) 0 0; log_at (width a) 0 0; if of_impurity then g_ (width a) s else r_ s].
Program Definition bits a s (of_impurity : bool) : known a := let product := product_form (start a) (products a) in let fits := product_fits (start a) (products a) in {|
  options := [Le (product (squared_left a s)) (Scale (if of_impurity then 2 else 4) (product (in_bits a s of_impurity)))];
  checked := member a s && given_classes (given_count a) 2 && fits (squared_left a s) && fits (in_bits a s of_impurity) |}.
Next Obligation.
  cbv zeta. intros a s g Q rho M. rewrite !andb_true_iff in Q. destruct Q as (((Ss & G) & F1) & F2). cbn [sat val].
  rewrite !(val_product (start a) (products a) rho (all_variables a rho M) (has_products a rho M)) by assumption. unfold times, squared_left, in_bits. cbn [fold_right].
  rewrite (val_left a rho M s Ss), (val_log a rho M 0) by lia. change (IZR (Zpos (nth 0 primes 1%positive))) with 2.
  destruct (bits_square (law a) (elements (width a) s) (classes_are a rho M 2 G) (subset_features a rho M s)) as [B1 B2].
  destruct g; [rewrite (val_gini a rho M s Ss)|rewrite (val_risk a rho M s Ss)]; lra.
Qed.

(* A product of facts, by the signs of its premises, and a square. *)
Program Definition multiply a l : known a := {|
  options := flat_map denied l ++ [product_said (start a) (products a) l]; checked := product_fits (start a) (products a) (map snd l) |}.
Next Obligation. intros a l Q rho M. exact (product_cases (start a) (products a) rho (all_variables a rho M) (has_products a rho M) l Q). Qed.
Program Definition squared a t : known a := {|
  options := [Le (C 0) (product_form (start a) (products a) [t; t])]; checked := product_fits (start a) (products a) [t; t] |}.
Next Obligation. intros a t Q rho M. exact (square_at_least_0 (start a) (products a) rho (all_variables a rho M) (has_products a rho M) t Q). Qed.

(* For subsets s of t: the impurity falls by at most the information. And sets s and t of features are dependent given the
   features that they share, or their gains of impurity add up at most. *)
Program Definition gini_falls_less a s t : known a := {|
  options := [Le (Minus (g_ (width a) s) (g_ (width a) t)) (Minus (left_ (width a) s) (left_ (width a) t))]; checked := within a s t |}.
Next Obligation.
  cbn [sat val]. intros a s t Q rho M. destruct (within_ok a s t Q) as (Ss & St & I). rewrite !(val_gini a rho M), !(val_left a rho M) by assumption.
  apply gini_falls; [exact (subset_features a rho M t)|exact I].
Qed.
Definition dependent n s t := Lt (Plus (h_ n (N.lor s t)) (h_ n (N.land s t))) (Plus (h_ n s) (h_ n t)).
Lemma dependent_or a rho s t : means a rho -> member a s = true -> member a t = true -> let set := elements (width a) in
  sat rho (dependent (width a) s t) \/ mean_log (law a) (set s) + mean_log (law a) (set t) <= mean_log (law a) (set s ++ set t) + mean_log (law a) (set (N.land s t)).
Proof.
  intros M Ss St. cbv zeta. unfold dependent. cbn [sat val]. rewrite !(val_entropy a rho M) by auto using member_union, (member_shared a rho M). rewrite (mean_log_same _ _ _ (in_union a s t)). apply Rlt_or_le.
Qed.
Program Definition gini_apart_or a s t : known a := {|
  options := [dependent (width a) s t; Le (Plus (g_ (width a) (N.lor s t)) (g_ (width a) (N.land s t))) (Plus (g_ (width a) s) (g_ (width a) t))];
  checked := member a s && member a t |}.
Next Obligation.
  intros a s t Q rho M. apply andb_prop in Q as [Ss St]. pose proof (subset_features a rho M) as F. destruct (dependent_or a rho s t M Ss St) as [L|L]; [left; exact L|right].
  cbn [sat val]. rewrite !(val_gini a rho M) by auto using member_union, (member_shared a rho M). rewrite (gini_same _ _ _ (in_union a s t)). apply gini_apart; auto using in_shared.
Qed.
(* And the impurity of s is that of no features, or less, as what is left of the entropy of the class. *)
Definition falls_with_entropy n (q : N -> tm) s :=
  let less := Lt (left_ n s) (left_ n 0) in [And [Lt (q 0%N) (q s); less]; And [Lt (q s) (q 0%N); less]; And [Eq (q 0%N) (q s); Eq (left_ n 0) (left_ n s)]].
Program Definition gini_informed_or a s : known a := {| options := falls_with_entropy (width a) (g_ (width a)) s; checked := member a s |}.
Next Obligation.
  cbn [sat falls_with_entropy]. intros a s S rho M. rewrite !(val_gini a rho M), !(val_left a rho M) by auto using no_member.
  destruct (gini_falls_or_ties (law a) (width a) (has_width a rho M) 0 s (N.land_0_l s)) as [L|(E & _ & H)]; right; [left|right; auto]. split; [exact L|].
  apply Rnot_le_lt. intros Z. apply no_information_same_gini in Z; [lra|exact (subset_features a rho M s)|apply elements_incl, N.land_0_l].
Qed.

(* What the exported files use where a proof multiplies, or is about further criteria. *)
Theorem every_size_further d n given pos uni ts further multiplied tops rs es cs gs
  (qs : list (known (About d n given pos (length ts) further multiplied))) ms ss (ps : list (known (About d n given pos (length ts) further multiplied))) os zs ks assumed claims trees :
  let a := About d n given pos (length ts) further multiplied in
  let size := (start a + N.of_nat (length multiplied))%N in
  let before := ts ++ flat_map (fun f => map (fun s => f (elements n (N.of_nat s))) (seq 0 (2 ^ n))) further in
  let values := map (times (env (given_or (amounts d n) (amount_count n) before))) multiplied in
  let rho := env (build (given_or (amounts d n) (amount_count n) (before ++ values)) size tops) in
  length (sizes d) = n -> match given with Some k => classes d = Pos.to_nat k | None => True end -> granted pos uni d ->
  facts_fit n given pos uni rs os zs && forallb (in_joint n) es && forallb (fits_curve n given) cs && forallb (fits_impurity n given) gs && forallb (split_fits n given pos) ss
    && forallb (forallb (is_variable (start a))) multiplied && forallb checked qs && forallb checked ps
    && maxima_fit size 0 tops ms ks
    && trees_fit (map (said n) rs ++ map (said_entropy n) es ++ map (said_curve n) cs ++ map (said_impurity n) gs ++ map (fun q => Or (options q)) qs ++ map (said_max size tops) ms)
         (map (split_cases n) ss ++ map options ps ++ split_known n size tops os zs ks) assumed claims trees = true ->
  sat rho (And assumed) -> sat rho (And claims).
Proof.
  intros a size before values rho Hn K G Q A. rewrite !andb_true_iff in Q. destruct Q as (((((((((Q1 & E) & Cu) & Gi) & Q5) & Va) & Sq) & Pr) & Q2) & Q3).
  unfold maxima_fit in Q2. rewrite !andb_true_iff in Q2. destruct Q2 as ((W & Q2) & Q4).
  assert (Pow : N.to_nat (2 ^ N.of_nat n) = (2 ^ n)%nat) by (rewrite <- (Nat2N.id (2 ^ n)), Nat2N.inj_pow; reflexivity).
  set (table := fun f : list nat -> R => map (fun s => f (elements n (N.of_nat s))) (seq 0 (2 ^ n))) in before.
  assert (Table : forall f, length (table f) = (2 ^ n)%nat) by (intros f; unfold table; now rewrite map_length, seq_length).
  assert (Rows : forall l, length (flat_map table l) = (length l * 2 ^ n)%nat) by (induction l as [|f l IH]; [reflexivity|]; cbn [flat_map length]; rewrite app_length, IH, Table; lia).
  assert (Len : (amount_count n + N.of_nat (length before))%N = start a).
  { unfold before, start, first. rewrite app_length, Rows. cbn [width parameters criteria a]. rewrite Nat2N.inj_add, Nat2N.inj_mul. rewrite Nat2N.inj_pow. lia. }
  assert (Below : forall i, (i < start a)%N -> val rho (var i) = given_or (amounts d n) (amount_count n) before i).
  { intros m L. unfold rho. rewrite env_var, build_below by (unfold size; lia). unfold given_or. destruct (m <? amount_count n)%N eqn:C; [reflexivity|].
    apply N.ltb_ge in C. apply app_nth1. lia. }
  assert (V : forall i, (i < amount_count n)%N -> val rho (var i) = amounts d n i).
  { intros m L. rewrite Below by lia. now apply given_value. }
  assert (Cr : forall j f, nth_error further j = Some f -> forall s, small n s = true -> val rho (q_ a j s) = f (elements n s)).
  { intros j f J s Ss. apply N.ltb_lt in Ss. assert (Lj : (j < length further)%nat) by (apply nth_error_Some; congruence).
    assert (B : (N.of_nat j * 2 ^ N.of_nat n + s < N.of_nat (length further) * 2 ^ N.of_nat n)%N) by nia.
    unfold q_. cbn [width a]. rewrite Below by (unfold start; cbn [width criteria a]; lia). unfold given_or.
    destruct (N.ltb_spec (first a + N.of_nat j * 2 ^ N.of_nat n + s) (amount_count n)) as [L|_]; [unfold first in L; cbn [width a] in L; lia|].
    replace (N.to_nat (first a + N.of_nat j * 2 ^ N.of_nat n + s - amount_count n)) with (length ts + (j * 2 ^ n + N.to_nat s))%nat by (unfold first; cbn [width parameters a]; nia).
    unfold before. rewrite app_nth2_plus. assert (Ls : (N.to_nat s < 2 ^ n)%nat) by lia. clear - J Ls Table Rows. revert j J. induction further as [|g l IH]; intros [|j] J; try discriminate.
    - injection J as ->. cbn [flat_map Nat.mul Nat.add]. rewrite app_nth1 by (rewrite Table; exact Ls). unfold table.
      rewrite (nth_indep _ 0 (f (elements n (N.of_nat 0)))) by (rewrite map_length, seq_length; exact Ls).
      rewrite (map_nth (fun s => f (elements n (N.of_nat s)))), seq_nth by exact Ls. now rewrite Nat.add_0_l, N2Nat.id.
    - cbn [flat_map]. replace (S j * 2 ^ n + N.to_nat s)%nat with (length (table g) + (j * 2 ^ n + N.to_nat s))%nat by (rewrite Table; lia). rewrite app_nth2_plus. exact (IH j J). }
  assert (P : forall j l, nth_error multiplied j = Some l -> val rho (var (start a + N.of_nat j)) = times rho l).
  { intros j l J. assert (Lj : (j < length multiplied)%nat) by (apply nth_error_Some; congruence).
    unfold rho. rewrite env_var, build_below by (unfold size; lia). unfold given_or at 1.
    destruct (N.ltb_spec (start a + N.of_nat j) (amount_count n)) as [L|_]; [lia|].
    replace (N.to_nat (start a + N.of_nat j - amount_count n)) with (length before + j)%nat by lia. rewrite app_nth2_plus. unfold values.
    rewrite (nth_indep _ 0 (times (env (given_or (amounts d n) (amount_count n) before)) [])) by (now rewrite map_length). rewrite map_nth, (nth_error_nth _ _ _ J).
    rewrite forallb_forall in Va. specialize (Va l (nth_error_In _ _ J)). clear J. induction l as [|t l IH]; [reflexivity|]. cbn [forallb] in Va. apply andb_prop in Va as [Va1 Va2].
    unfold times in *. cbn [fold_right]. rewrite IH by exact Va2. f_equal. destruct t as [v| | | | | |]; try discriminate. cbn [is_variable] in Va1. apply N.ltb_lt in Va1.
    pose proof (Below _ Va1) as B. unfold var in B. replace (N.succ_pos (Pos.pred_N v)) with v in B; [symmetry; exact B|].
    enough (X : N.pos v = N.pos (N.succ_pos (Pos.pred_N v))) by congruence. now rewrite N.succ_pos_spec, N.succ_pos_pred. }
  pose proof (Means a rho Hn K (proj1 G) V Cr Va P) as M.
  assert (Known : forall l : list (known a), forallb checked l = true -> forall o, In o (map options l) -> sat rho (Or o)).
  { intros l F o Ho. apply in_map_iff in Ho as (q & <- & Hq). rewrite forallb_forall in F. exact (shown q (F q Hq) rho M). }
  pose proof (amount_risk d n rho Hn V) as B. pose proof (amount_entropy d n rho Hn V) as H.
  destruct (risks_and_splits d n given pos uni rho rs os zs Hn K G Q1 B) as (F & O & Z).
  apply (proved_all rho _ _ assumed claims trees Q3); [|unfold split_known|exact A].
  - apply sat_app; [exact F|]. apply sat_app; [exact (entropies_true d n rho Hn H es E)|].
    apply sat_app; [exact (curves_true d n rho Hn V given K cs Cu)|]. apply sat_app; [exact (impurities_true d n rho Hn V given K gs Gi)|].
    apply sat_app; [|apply (maxima_true size tops _ W 0); [intros i L; destruct (N.nlt_0_r i L)|exact Q2]].
    apply sat_and. intros o Ho. apply in_map_iff in Ho as (q & <- & Hq). apply (Known qs Sq), in_map, Hq.
  - apply known_app; [exact (splits_true d n rho Hn V given K pos ss (proj1 G) Q5)|]. apply known_app; [exact (Known ps Pr)|].
    apply known_app; [exact O|]. apply known_app; [exact Z|]. exact (some_top_true size tops _ W ks Q4).
Qed.
