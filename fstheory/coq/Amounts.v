(* Proofs that use entropies beside risks: the facts and the splits that they may use, by their numbers. *)
From Coq Require Import Reals ZArith PArith NArith List Bool Lra Lia.
From FS Require Import Cases Sums Maxima Distributions EverySize Entropies Bridge Intersection.
Import ListNotations.
Open Scope R_scope.

(* H(a | S) for a variable that is not in S: a feature, or the class, which is variable n. *)
Definition given_ n (s : N) (a : nat) := Minus (h_ n (N.lor s (2 ^ N.of_nat a))) (h_ n s).
(* For subsets s of t: t says more about the class than s, or it has the risk of s.
   If all states are possible: s says less of the variable a than s and t together, or t does, or what they share says as
   much of it. *)
Inductive split_entropies := Bridge (s t : N) | Shared (a : nat) (s t : N).
Definition split_cases n q := match q with
  | Bridge s t => [Lt (given_ n t n) (given_ n s n); Eq (r_ s) (r_ t)]
  | Shared a s t => let all := given_ n (N.lor s t) a in
    [Lt all (given_ n s a); Lt all (given_ n t a); Eq (given_ n (N.land s t) a) all]
  end.
Definition split_fits n (pos : bool) q := match q with
  | Bridge s t => small n s && small n t && N.eqb (N.land s t) s
  | Shared a s t => pos && small n s && small n t && Nat.leb a n && negb (N.testbit (N.lor s t) (N.of_nat a))
  end.

Section Known.
Variables (d : dist) (n : nat) (rho : Pos.t -> R).
Hypotheses (has_n : length (sizes d) = n) (rho_risk : forall m, (m < 2 ^ N.of_nat n)%N -> val rho (r_ m) = bayes_risk d (elements n m))
  (rho_entropy : forall m, joint n m = true -> val rho (var (2 ^ N.of_nat n + m)) = mean_log d (variables d n m)).
Lemma in_elements m i : In i (elements n m) <-> (i < n)%nat /\ N.testbit m (N.of_nat i) = true.
Proof. unfold elements. rewrite filter_In, in_seq. intuition lia. Qed.
Lemma elements_features m : of_features d (elements n m).
Proof. intros i Hi. apply in_elements in Hi as [L _]. unfold features. now rewrite has_n. Qed.
Lemma small_bits m i : small n m = true -> (n <= i)%nat -> N.testbit m (N.of_nat i) = false.
Proof.
  unfold small. intros L I. apply N.ltb_lt in L. destruct (N.eq_dec m 0) as [->|Z]; [apply N.bits_0|]. apply N.bits_above_log2. apply N.log2_lt_pow2 in L; lia.
Qed.
Lemma small_lor s t : small n s = true -> small n t = true -> small n (N.lor s t) = true.
Proof.
  intros Ss St. apply N.ltb_lt. destruct (N.eq_dec (N.lor s t) 0) as [->|Z]; [apply N.neq_0_lt_0, N.pow_nonzero; lia|].
  apply N.log2_lt_pow2; [lia|]. apply N.nle_gt. intros L. pose proof (N.bit_log2 _ Z) as B. rewrite N.lor_spec in B.
  replace (N.log2 (N.lor s t)) with (N.of_nat (N.to_nat (N.log2 (N.lor s t)))) in B by lia. rewrite !small_bits in B; auto; [discriminate|lia..].
Qed.
Lemma mean_log_same V W : (forall i, In i V <-> In i W) -> mean_log d V = mean_log d W.
Proof.
  intros E. apply sum_ext; intros c _. do 3 f_equal. unfold chance. f_equal. apply filter_ext. intros e. apply eq_true_iff_eq. rewrite !alike_ok.
  split; intros A i Hi; apply A, E, Hi.
Qed.
Lemma at_given m a : small n m = true -> (a <= n)%nat -> val rho (given_ n m a) = mean_log d (elements n m ++ [a]) - mean_log d (elements n m).
Proof.
  intros Sm L. assert (J : forall k, (forall i, (n < i)%nat -> N.testbit k (N.of_nat i) = false) -> joint n k = true).
  { intros k H. apply N.ltb_lt. replace (2 * 2 ^ N.of_nat n)%N with (2 ^ N.of_nat (S n))%N by (rewrite Nat2N.inj_succ; apply N.pow_succ_r').
    destruct (N.eq_dec k 0) as [->|Z]; [apply N.neq_0_lt_0, N.pow_nonzero; lia|]. apply N.log2_lt_pow2; [lia|]. apply N.nle_gt. intros G.
    pose proof (N.bit_log2 _ Z) as B. replace (N.log2 k) with (N.of_nat (N.to_nat (N.log2 k))) in B by lia. rewrite H in B; [discriminate|lia]. }
  assert (below_n : forall i, N.testbit m (N.of_nat i) = true -> (i < n)%nat).
  { intros i B. apply Nat.nle_gt. intros G. rewrite small_bits in B; auto; discriminate. }
  assert (Bit : forall i, N.testbit (N.lor m (2 ^ N.of_nat a)) (N.of_nat i) = (N.testbit m (N.of_nat i) || Nat.eqb i a)%bool).
  { intros i. rewrite N.lor_spec, N.pow2_bits_eqb. f_equal. destruct (Nat.eqb_spec i a) as [->|D]; [apply N.eqb_refl|apply N.eqb_neq; lia]. }
  unfold given_; cbn [val]. rewrite !(at_entropy d n rho rho_entropy).
  - f_equal; apply mean_log_same; intros i; rewrite (in_variables d n has_n).
    + rewrite Bit, in_app_iff, in_elements. simpl. destruct (Nat.eqb_spec i a) as [->|D].
      * rewrite orb_true_r. intuition.
      * rewrite orb_false_r. pose proof (below_n i). intuition lia.
    + rewrite in_elements. pose proof (below_n i). intuition.
  - apply J. intros i Li. apply small_bits; auto; lia.
  - apply J. intros i Li. rewrite Bit, small_bits by (auto; lia). apply Nat.eqb_neq. lia.
Qed.
Theorem splits_true pos splits : (pos = true -> positive d) -> forallb (split_fits n pos) splits = true ->
  forall o, In o (map (split_cases n) splits) -> sat rho (Or o).
Proof.
  intros P Q o Ho. apply in_map_iff in Ho as (q & <- & Hq). rewrite forallb_forall in Q. specialize (Q q Hq).
  assert (Nn : features d = n) by (unfold features; exact has_n).
  destruct q as [s t|a s t]; cbn [split_fits split_cases sat] in *; rewrite !andb_true_iff in Q.
  - destruct Q as ((Ss & St) & I). apply N.eqb_eq in I. rewrite !at_given, !(at_risk d n rho rho_risk) by auto.
    assert (Sub : incl (elements n s) (elements n t)).
    { intros i Hi. apply in_elements in Hi as [L B]. apply in_elements. split; [exact L|]. rewrite <- I, N.land_spec in B. now apply andb_prop in B. }
    destruct (Rlt_or_le (mean_log d (elements n t ++ [n]) - mean_log d (elements n t)) (mean_log d (elements n s ++ [n]) - mean_log d (elements n s))) as [L|G]; [left; exact L|right].
    rewrite <- Nn in G at 2 5. apply Rle_antisym.
    + apply (no_information_no_gain d (elements n s) (elements n t)); auto using bayes_risk_ok, elements_features.
    + apply (monotone d (mem (elements n s)) (mem (elements n t))); auto using bayes_risk_ok.
      intros i Hi. unfold mem in *. apply existsb_exists in Hi as (j & Hj & E). apply existsb_exists. exists j; auto.
  - destruct Q as ((((Pos & Ss) & St) & La) & B). apply Nat.leb_le in La. rewrite N.lor_spec, negb_orb, andb_true_iff, !negb_true_iff in B. destruct B as [Bs Bt].
    rewrite !at_given by (solve [auto using small_lor] || now apply (small_land d)).
    assert (U : mean_log d (elements n (N.lor s t) ++ [a]) - mean_log d (elements n (N.lor s t)) = open d a (elements n s ++ elements n t)).
    { unfold open. f_equal; apply mean_log_same; intros i; rewrite ?in_app_iff, !in_elements, N.lor_spec, orb_true_iff; intuition. }
    rewrite U. fold (open d a (elements n s)) (open d a (elements n t)) (open d a (elements n (N.land s t))).
    destruct (Rlt_or_le (open d a (elements n s ++ elements n t)) (open d a (elements n s))) as [L|GS]; [auto|].
    destruct (Rlt_or_le (open d a (elements n s ++ elements n t)) (open d a (elements n t))) as [L|GT]; [auto|]. right; right.
    apply intersection; auto using elements_features; try lia; try (rewrite in_elements; intros [_ B]; congruence).
    intros i. rewrite !in_elements, N.land_spec, andb_true_iff. intuition.
Qed.
End Known.

(* What the exported files use where a claim is about entropies. *)
Theorem every_size_with_entropies d n given pos uni ts tops rs es ms ss os zs ks assumed claims trees :
  let size := (3 * 2 ^ N.of_nat n + N.of_nat (length ts))%N in
  let rho := env (build (given_or (risks_and_entropies d n) (3 * 2 ^ N.of_nat n) ts) size tops) in
  length (sizes d) = n -> match given with Some k => classes d = Pos.to_nat k | None => True end -> granted pos uni d ->
  facts_fit n given pos uni rs os zs && forallb (in_joint n) es && forallb (split_fits n pos) ss && maxima_fit size 0 tops ms ks
    && trees_fit (map (said n) rs ++ map (said_entropy n) es ++ map (said_max size tops) ms)
         (map (split_cases n) ss ++ split_known n size tops os zs ks) assumed claims trees = true ->
  sat rho (And assumed) -> sat rho (And claims).
Proof.
  intros size rho Hn K G Q A. rewrite !andb_true_iff in Q. destruct Q as ((((Q1 & E) & Q5) & Q2) & Q3).
  unfold maxima_fit in Q2. rewrite !andb_true_iff in Q2. destruct Q2 as ((W & Q2) & Q4).
  assert (V : forall m, (m < 3 * 2 ^ N.of_nat n)%N -> val rho (var m) = risks_and_entropies d n m).
  { intros m L. unfold rho, size. rewrite env_var, build_below by lia. now apply given_value. }
  assert (B : forall m, (m < 2 ^ N.of_nat n)%N -> val rho (r_ m) = bayes_risk d (elements n m)).
  { intros m L. unfold r_. rewrite V by lia. now apply risk_values. }
  assert (H : forall m, joint n m = true -> val rho (var (2 ^ N.of_nat n + m)) = mean_log d (variables d n m)).
  { intros m L. apply N.ltb_lt in L. rewrite V by lia. apply entropy_values. }
  destruct (risks_and_splits d n given pos uni rho rs os zs Hn K G Q1 B) as (F & O & Z).
  apply (proved_all rho _ _ assumed claims trees Q3); [|unfold split_known|exact A].
  - apply sat_app; [exact F|]. apply sat_app; [exact (entropies_true d n rho Hn H es E)|].
    apply (maxima_true size tops _ W 0); [intros i L; destruct (N.nlt_0_r i L)|exact Q2].
  - apply known_app; [exact (splits_true d n rho Hn B H pos ss (proj1 G) Q5)|]. apply known_app; [exact O|]. apply known_app; [exact Z|]. exact (some_top_true size tops _ W ks Q4).
Qed.
