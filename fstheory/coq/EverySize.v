(* What is true of the risks of every distribution, whatever its numbers of states: the facts that a proof may use. *)
From Coq Require Import Reals ZArith PArith NArith List Bool Lra Lia.
From FS Require Import Cases Sums Maxima Distributions.
Import ListNotations.
Open Scope R_scope.

(* A set of features as a number, as in certificates: bit i stands for feature i. *)
Definition elements (n : nat) (m : N) : list nat := filter (fun i => N.testbit m (N.of_nat i)) (seq 0 n).
Definition full n := (2 ^ N.of_nat n - 1)%N.
Lemma mem_elements n m i : mem (elements n m) i = (Nat.ltb i n && N.testbit m (N.of_nat i))%bool.
Proof.
  unfold mem. apply eq_true_iff_eq. rewrite existsb_exists, andb_true_iff, Nat.ltb_lt. unfold elements. split.
  - intros (j & Hj & E). apply Nat.eqb_eq in E; subst j. apply filter_In in Hj as [Hj B]. apply in_seq in Hj. split; [lia|exact B].
  - intros [L B]. exists i; split; [apply filter_In; split; [apply in_seq; lia|exact B]|apply Nat.eqb_refl].
Qed.
Lemma mem_full n i : (i < n)%nat -> mem (elements n (full n)) i = true.
Proof.
  intros L. rewrite mem_elements. apply andb_true_iff; split; [now apply Nat.ltb_lt|].
  unfold full. rewrite N.sub_1_r, <- N.ones_equiv. apply N.ones_spec_low. lia.
Qed.
Lemma mem_land n s t i : mem (elements n (N.land s t)) i = (mem (elements n s) i && mem (elements n t) i)%bool.
Proof. rewrite !mem_elements, N.land_spec. destruct (Nat.ltb i n), (N.testbit s (N.of_nat i)), (N.testbit t (N.of_nat i)); reflexivity. Qed.

(* The risks by their numbers. *)
Definition risks d n (m : N) : R := bayes_risk d (elements n m).

(* The constant of [Ceiling] is 1 - 1/k for k classes. If the number of classes is not given, it is 1, and strict. *)
Inductive about_risks := Less (S T : N) | Floor (S : N) | Ceiling (S : N) | CeilingOf (k : Pos.t) (S : N) | MaximaOf (k : Pos.t).
Definition r_ (m : N) := var m.
Definition most (k : Pos.t) := Quot (Zpos k - 1) k.
Definition said n f := match f with
  | Less A B => Le (r_ B) (r_ A) | Floor A => Le (C 0) (r_ A) | Ceiling A => Lt (r_ A) (C 1)
  | CeilingOf k A => Le (r_ A) (most k) | MaximaOf k => Lt (r_ (full n)) (most k) end.
Definition fits f := match f with Less A B => N.eqb (N.land A B) A | _ => true end.
Definition classes_fit (given : option Pos.t) f := match f, given with
  | CeilingOf k _, Some g => Pos.eqb k g | MaximaOf k, Some g => Pos.eqb k g && negb (Pos.eqb k 1) | (CeilingOf _ _ | MaximaOf _), None => false | _, _ => true end.
Definition needs_maxima f := match f with MaximaOf _ => true | _ => false end.
Definition optimal n (q : N * N) :=
  [Lt (r_ (full n)) (r_ (fst q)); Lt (r_ (full n)) (r_ (snd q)); Eq (r_ (N.land (fst q) (snd q))) (r_ (full n))].
Definition zero (q : N * N) := [Lt (C 0) (r_ (fst q)); Lt (C 0) (r_ (snd q)); Eq (r_ (N.land (fst q) (snd q))) (C 0)].

Section Risks.
Variables (d : dist) (n : nat) (rho : Pos.t -> R).
Hypotheses (has_n : length (sizes d) = n) (rho_risk : forall m, (m < 2 ^ N.of_nat n)%N -> val rho (r_ m) = bayes_risk d (elements n m)).
Definition small m := (m <? 2 ^ N.of_nat n)%N.
Lemma at_risk m : small m = true -> val rho (r_ m) = bayes_risk d (elements n m).
Proof. intros L. apply rho_risk. now apply N.ltb_lt. Qed.
Lemma small_full : small (full n) = true.
Proof. apply N.ltb_lt. unfold full. assert (0 < 2 ^ N.of_nat n)%N by (apply N.neq_0_lt_0, N.pow_nonzero; lia). lia. Qed.
Lemma small_land s t : small s = true -> small (N.land s t) = true.
Proof.
  unfold small. rewrite !N.ltb_lt. intros L. destruct (N.eq_dec (N.land s t) 0) as [->|Z]; [assert (2 ^ N.of_nat n <> 0)%N by (apply N.pow_nonzero; lia); lia|].
  apply N.log2_lt_pow2; [lia|]. destruct (N.eq_dec s 0) as [->|Zs]; [rewrite N.land_0_l in Z; lia|]. apply N.log2_lt_pow2 in L; [|lia].
  pose proof (N.log2_land s t). lia.
Qed.
Definition in_range f := match f with Less A B => small A && small B | Floor A | Ceiling A | CeilingOf _ A => small A | MaximaOf _ => true end.
Lemma val_most k : val rho (most k) = 1 - / INR (Pos.to_nat k).
Proof.
  unfold most; cbn [val]. rewrite minus_IZR, INR_IZR_INZ, positive_nat_Z. field. apply not_zero.
Qed.
Lemma features_all i : (i < features d)%nat -> mem (elements n (full n)) i = true.
Proof. unfold features. rewrite has_n. apply mem_full. Qed.

Theorem risks_true given facts :
  forallb (fun f => fits f && in_range f && classes_fit given f) facts = true ->
  match given with Some k => classes d = Pos.to_nat k | None => True end ->
  (existsb needs_maxima facts = true -> unique_maximum d) -> sat rho (And (map (said n) facts)).
Proof.
  intros Q K U. rewrite forallb_forall in Q. apply sat_and; intros g Hg; apply in_map_iff in Hg as (f & <- & Hf).
  specialize (Q f Hf). apply andb_prop in Q as [Q Q3]; apply andb_prop in Q as [Q1 Q2].
  destruct f as [S T|S|S|k S|k]; cbn [said sat in_range fits classes_fit] in *.
  - apply andb_prop in Q2 as [S2 T2]. rewrite !at_risk by assumption. apply N.eqb_eq in Q1.
    apply (monotone d (mem (elements n S)) (mem (elements n T))); try apply bayes_risk_ok. intros i Hi. rewrite <- Q1, mem_land in Hi. now apply andb_prop in Hi.
  - rewrite at_risk by assumption. exact (floor _ _ _ (bayes_risk_ok d _)).
  - rewrite at_risk by assumption. exact (ceiling _ _ _ (bayes_risk_ok d _)).
  - destruct given as [g|]; [|discriminate]. apply Pos.eqb_eq in Q3; subst g. rewrite at_risk by assumption. rewrite val_most, <- K.
    exact (ceiling_of_classes _ _ _ (bayes_risk_ok d _)).
  - destruct given as [g|]; [|discriminate]. apply andb_prop in Q3 as [Q3 Q4]. apply Pos.eqb_eq in Q3; subst g.
    rewrite at_risk by apply small_full. rewrite val_most, <- K.
    apply (ceiling_of_maxima d (mem (elements n (full n)))); [|apply U; apply existsb_exists; exists (MaximaOf k); auto|exact features_all|apply bayes_risk_ok].
    rewrite K. destruct (Pos.eqb_spec k 1); [discriminate|]. lia.
Qed.
Theorem optimal_true pairs : forallb (fun q => small (fst q) && small (snd q)) pairs = true -> positive d -> unique_maximum d ->
  forall o, In o (map (optimal n) pairs) -> sat rho (Or o).
Proof.
  intros Q P U o Ho; apply in_map_iff in Ho as ([s t] & <- & Hq). rewrite forallb_forall in Q. specialize (Q _ Hq). apply andb_prop in Q as [Qs Qt].
  cbn [fst snd] in *. unfold optimal; cbn [sat fst snd]. rewrite !at_risk by (assumption || apply small_full || now apply small_land).
  pose proof (bayes_risk_ok d (elements n s)) as RS. pose proof (bayes_risk_ok d (elements n t)) as RT.
  pose proof (bayes_risk_ok d (elements n (full n))) as RX. pose proof (bayes_risk_ok d (elements n (N.land s t))) as RU.
  assert (L : forall A r, risk d A r -> bayes_risk d (elements n (full n)) <= r).
  { intros A r [(f & Hf & <-) _]. apply (proj2 RX), (sees_all d _ f features_all). }
  destruct (L _ _ RS) as [L1|E1]; [auto|]. destruct (L _ _ RT) as [L2|E2]; [auto|]. right; right.
  exact (theorem_4 d _ _ _ _ _ _ _ _ P U features_all (mem_land n s t) RS RT RX RU (eq_sym E1) (eq_sym E2)).
Qed.
Theorem zero_true pairs : forallb (fun q => small (fst q) && small (snd q)) pairs = true -> positive d ->
  forall o, In o (map zero pairs) -> sat rho (Or o).
Proof.
  intros Q P o Ho; apply in_map_iff in Ho as ([s t] & <- & Hq). rewrite forallb_forall in Q. specialize (Q _ Hq). apply andb_prop in Q as [Qs Qt].
  cbn [fst snd] in *. unfold zero; cbn [sat fst snd]. rewrite !at_risk by (assumption || now apply small_land).
  pose proof (bayes_risk_ok d (elements n s)) as RS. pose proof (bayes_risk_ok d (elements n t)) as RT. pose proof (bayes_risk_ok d (elements n (N.land s t))) as RU.
  cbn [val]. destruct (floor _ _ _ RS) as [L1|E1]; [auto|]. destruct (floor _ _ _ RT) as [L2|E2]; [auto|]. right; right.
  rewrite <- E1 in RS. rewrite <- E2 in RT. exact (zero_closed d _ _ _ _ _ P features_all (mem_land n s t) RS RT RU).
Qed.
End Risks.

(* What the exported files use: a proof about risks, with everything that has to be checked in one computation. *)
Definition granted (pos uni : bool) d := (pos = true -> positive d) /\ (uni = true -> unique_maximum d).
Definition facts_fit n given (pos uni : bool) (rs : list about_risks) (os zs : list (N * N)) : bool :=
  forallb (fun f => fits f && in_range n f && classes_fit given f) rs && (uni || negb (existsb needs_maxima rs))
  && (pos && uni || Nat.eqb (length os) 0) && (pos || Nat.eqb (length zs) 0)
  && forallb (fun q => small n (fst q) && small n (snd q)) os && forallb (fun q => small n (fst q) && small n (snd q)) zs.
Definition maxima_fit size cells tops ms ks : bool :=
  well size tops && forallb (fits_max size tops cells) ms && forallb (filled tops) ks.
Definition trees_fit facts known assumed (claims : list fm) (trees : list tree) : bool :=
  Nat.eqb (length claims) (length trees) && forallb (proved facts known assumed) (combine claims trees).
Definition split_known n size tops (os zs : list (N * N)) ks := map (optimal n) os ++ map zero zs ++ map (some_top size tops) ks.

Lemma risks_and_splits d n given pos uni rho rs os zs : length (sizes d) = n ->
  match given with Some k => classes d = Pos.to_nat k | None => True end -> granted pos uni d -> facts_fit n given pos uni rs os zs = true ->
  (forall m, (m < 2 ^ N.of_nat n)%N -> val rho (r_ m) = bayes_risk d (elements n m)) ->
  sat rho (And (map (said n) rs)) /\ (forall o, In o (map (optimal n) os) -> sat rho (Or o)) /\ (forall o, In o (map zero zs) -> sat rho (Or o)).
Proof.
  intros Hn K [P U] Q B. unfold facts_fit in Q. rewrite !andb_true_iff in Q. destruct Q as (((((Q1 & Q2) & Q3) & Q4) & Q5) & Q6).
  split; [|split].
  - apply (risks_true d n rho Hn B given rs Q1 K). intros E. rewrite E in Q2. destruct uni; [auto|discriminate].
  - destruct os as [|o os]; [intros o []|]. cbn [length Nat.eqb] in Q3. rewrite orb_false_r, andb_true_iff in Q3. destruct Q3 as [-> ->].
    apply (optimal_true d n rho Hn B); auto.
  - destruct zs as [|z zs]; [intros o []|]. cbn [length Nat.eqb] in Q4. rewrite orb_false_r in Q4. subst pos. apply (zero_true d n rho Hn B); auto.
Qed.
Theorem every_size d n given pos uni ts tops rs ms os zs ks assumed claims trees :
  let size := (2 ^ N.of_nat n + N.of_nat (length ts))%N in
  let rho := env (build (given_or (risks d n) (2 ^ N.of_nat n) ts) size tops) in
  length (sizes d) = n -> match given with Some k => classes d = Pos.to_nat k | None => True end -> granted pos uni d ->
  facts_fit n given pos uni rs os zs && maxima_fit size 0 tops ms ks
    && trees_fit (map (said n) rs ++ map (said_max size tops) ms) (split_known n size tops os zs ks) assumed claims trees = true ->
  sat rho (And assumed) -> sat rho (And claims).
Proof.
  intros size rho Hn K G Q A. rewrite !andb_true_iff in Q. destruct Q as ((Q1 & Q2) & Q3).
  unfold maxima_fit in Q2. rewrite !andb_true_iff in Q2. destruct Q2 as ((W & Q2) & Q4).
  assert (B : forall m, (m < 2 ^ N.of_nat n)%N -> val rho (r_ m) = bayes_risk d (elements n m)).
  { intros m L. unfold rho, r_, size. rewrite env_var, build_below by lia. now apply given_value. }
  destruct (risks_and_splits d n given pos uni rho rs os zs Hn K G Q1 B) as (F & O & Z).
  apply (proved_all rho _ _ assumed claims trees Q3); [|unfold split_known|exact A].
  - apply sat_app; [exact F|]. apply (maxima_true size tops _ W 0); [intros i L; destruct (N.nlt_0_r i L)|exact Q2].
  - apply known_app; [exact O|]. apply known_app; [exact Z|]. exact (some_top_true size tops _ W ks Q4).
Qed.
