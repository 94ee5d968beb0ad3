(* The facts about Gini impurities that a proof may use, alone and beside risks. *)
From Coq Require Import Reals ZArith QArith Qreals PArith NArith List Bool Lra Lia.
From FS Require Import Cases Sums Maxima Distributions EverySize Entropies States Gini Facts LogSums Envelopes Trees.
Import ListNotations.
Open Scope R_scope.

(* A sum over a tree of subsets for a proof. A number z of an amount is 1 or a prime. The product of an amount with a
   variable has multiples of the variable itself, and of its products with logarithms of primes. *)
Fixpoint index (z : Pos.t) (ps : list BinNums.positive) : nat := match ps with [] => 0 | p :: ps => if Pos.eqb p z then 0 else S (index z ps) end.
Definition multiple (a : amount) (plain : tm) (logged : nat -> tm) : tm :=
  plus (map (fun one => Scale (fst one) (if Pos.eqb (snd one) 1 then plain else logged (index (snd one) primes))) a).
Definition amount_fits (ok : nat -> bool) (a : amount) : bool :=
  forallb (fun one => Pos.eqb (snd one) 1 || Nat.ltb (index (snd one) primes) 25 && ok (index (snd one) primes)) a.
Lemma nth_index z ps : (index z ps < length ps)%nat -> nth (index z ps) ps 1%positive = z.
Proof. induction ps as [|p ps IH]; cbn [index length nth]; [lia|]. destruct (Pos.eqb_spec p z) as [->|_]; [reflexivity|]. intros L. apply IH. lia. Qed.
Lemma val_multiple rho ok a plain logged : amount_fits ok a = true -> (forall i, (i < 25)%nat -> ok i = true -> val rho (logged i) = ln (IZR (Zpos (nth i primes 1%positive))) * val rho plain) ->
  val rho (multiple a plain logged) = value a * val rho plain.
Proof.
  intros F L. unfold multiple, value. rewrite val_plus, sum_map. unfold amount_fits in F. rewrite forallb_forall in F.
  rewrite Rmult_comm, <- sum_scale. apply sum_ext; intros [c z] Hz. specialize (F (c, z) Hz). cbn [fst snd val] in *. unfold base.
  destruct (Pos.eqb z 1); cbn [orb] in F; [ring|]. apply andb_prop in F as [I O]. apply Nat.ltb_lt in I. rewrite (L _ I O). rewrite (nth_index z primes I). ring.
Qed.
Section Sums.
(* The product of G(S) with the logarithm of a prime, and whether there is one. The same for a cost-sensitive risk. *)
Variables (n : nat) (log_g : N -> nat -> tm) (has : N -> nat -> bool) (cost_ : Q -> N -> tm) (log_cost : Q -> N -> nat -> tm) (has_cost : Q -> bool) (has_log_cost : Q -> N -> nat -> bool).
Definition risk_multiple (a : amount) s := multiple a (r_ s) (fun i => log_at n i (s + 1)).
Definition cost_multiples costs s := plus (map (fun one => multiple (snd one) (cost_ (fst one) s) (log_cost (fst one) s)) costs).
Fixpoint tree_ t := match t with Node s r g h costs f =>
  Plus (Plus (Plus (Plus (risk_multiple r s) (multiple g (g_ n s) (log_g s))) (Scale h (left_ n s))) (cost_multiples costs s)) (forest_ f) end
with forest_ f := match f with Leafless => C 0 | Grow t f => Plus (tree_ t) (forest_ f) end.
Definition said_tree t c s := Le (Plus (multiple c (C 1) (fun i => log_at n i 0)) (risk_multiple s 0)) (tree_ t).
Definition costs_fit s costs := forallb (fun one : Q * amount => has_cost (fst one) && amount_fits (has_log_cost (fst one) s) (snd one)) costs.
Fixpoint amounts_fit t := match t with Node s r g h costs f => amount_fits (fun _ => true) r && amount_fits (has s) g && costs_fit s costs && all_fit f end
with all_fit f := match f with Leafless => true | Grow t f => amounts_fit t && all_fit f end.
Definition fits_tree given t c s cover l := given_classes given 2 && free t && grows n 0 t && amount_fits (fun _ => true) c && amount_fits (fun _ => true) s && amounts_fit t
  && table_fits l && shown true l t (of_amount c) (of_amount s) 0%Q cover.
Variables (d : dist) (rho : Pos.t -> R).
Hypothesis has_n : length (sizes d) = n.
Hypothesis rho_amount : forall i, (i < amount_count n)%N -> val rho (var i) = amounts d n i.
Hypothesis rho_log_g : forall s i, small n s = true -> (i < 25)%nat -> has s i = true -> val rho (log_g s i) = ln (IZR (Zpos (nth i primes 1%positive))) * gini d (elements n s).
Lemma val_risk_multiple a s : small n s = true -> amount_fits (fun _ => true) a = true -> val rho (risk_multiple a s) = value a * bayes_risk d (elements n s).
Proof.
  intros Ss F. pose proof (at_risk d n rho (amount_risk d n rho has_n rho_amount) s Ss) as E. unfold risk_multiple. rewrite <- E.
  apply (val_multiple rho (fun _ => true)); [exact F|]. intros i I _. rewrite E, (amount_log d n rho has_n rho_amount) by (exact I || now apply (small_place d n has_n)).
  now rewrite (times_risk_of d n has_n).
Qed.
Variable cost : Q -> list nat -> R.
Hypothesis rho_cost : forall t s, has_cost t = true -> small n s = true -> val rho (cost_ t s) = cost t (elements n s).
Hypothesis rho_log_cost : forall t s i, has_cost t = true -> small n s = true -> (i < 25)%nat -> has_log_cost t s i = true ->
  val rho (log_cost t s i) = ln (IZR (Zpos (nth i primes 1%positive))) * cost t (elements n s).
Lemma val_costs costs s : small n s = true -> costs_fit s costs = true -> val rho (cost_multiples costs s) = sum (fun one => value (snd one) * cost (fst one) (elements n s)) costs.
Proof.
  intros Ss F. unfold cost_multiples. rewrite val_plus, sum_map. unfold costs_fit in F. rewrite forallb_forall in F. apply sum_ext. intros one I. specialize (F one I). apply andb_prop in F as [H A].
  pose proof (rho_cost _ s H Ss) as E. rewrite (val_multiple rho (has_log_cost (fst one) s) (snd one) _ _ A), E; [reflexivity|]. intros i Li Hi. rewrite E. now apply rho_log_cost.
Qed.
Lemma val_tree t : forall m, grows n m t = true -> amounts_fit t = true -> val rho (tree_ t) = sum_of d n cost t.
Proof.
  apply (tree_rec_ (fun t => forall m, grows n m t = true -> amounts_fit t = true -> val rho (tree_ t) = sum_of d n cost t)
    (fun f => forall m, all_grow n m f = true -> all_fit f = true -> val rho (forest_ f) = sums_of d n cost f)); clear t.
  - intros s r g h costs f IH m. cbn [grows amounts_fit tree_ val].
    change (sum_of d n cost (Node s r g h costs f)) with (value r * bayes_risk d (elements n s) + value g * gini d (elements n s) + IZR h * left d (elements n s)
      + sum (fun one => value (snd one) * cost (fst one) (elements n s)) costs + sums_of d n cost f).
    rewrite !andb_true_iff. intros ((Ss & _) & G) (((R & I) & Co) & A). pose proof (amount_gini d n rho has_n rho_amount s Ss) as E.
    rewrite (IH s G A), (val_risk_multiple r s Ss R), (at_left d n rho has_n rho_amount s Ss), (val_costs costs s Ss Co), <- E, (val_multiple rho (has s) g _ _ I); [reflexivity|].
    intros i Li Hi. rewrite E. now apply rho_log_g.
  - reflexivity.
  - intros t IHt f IHf m. cbn [all_grow all_fit forest_ val]. change (sums_of d n cost (Grow t f)) with (sum_of d n cost t + sums_of d n cost f). rewrite !andb_true_iff. intros [G1 G2] [A1 A2].
    now rewrite (IHt m G1 A1), (IHf m G2 A2).
Qed.
Variable given : option Pos.t.
Hypothesis class_count : match given with Some k => classes d = Pos.to_nat k | None => True end.
Local Opaque shown table_fits.
Theorem tree_true t c s cover l : fits_tree given t c s cover l = true -> sat rho (said_tree t c s).
Proof.
  unfold fits_tree. rewrite !andb_true_iff. intros (((((((K & Fr) & Gr) & Ac) & As) & A) & F) & Sh). unfold said_tree. cbn [sat val].
  assert (Z : small n 0 = true) by (apply N.ltb_lt, N.neq_0_lt_0, N.pow_nonzero; lia).
  rewrite (val_tree t 0%N Gr A), (val_risk_multiple s 0 Z As), elements_none, (val_multiple rho (fun _ => true) c (C 1) _ Ac).
  - pose proof (tree_above d n l t _ _ cover Fr (classes_given d n rho has_n rho_amount given class_count 2%positive K) has_n F Gr Sh) as B.
    rewrite !real_of_amount, (free_sum d n _ cost t Fr) in B. cbn [val]. lra.
  - intros i I _. rewrite (amount_log d n rho has_n rho_amount) by (exact I || (unfold each; pose proof (N.pow_nonzero 2 (N.of_nat n)); lia)). reflexivity.
Qed.
End Sums.

(* [GiniBelow] is the line for a guess that has the probability 1 - a/b. In [GiniBelowOf], the other classes share a/b.
   [Gain] is about s and t, after the share a/b is given to the guess of t. [GiniPair] is the tangent, for two classes, of
   the largest impurity of t at states of s with the risks a/e, b/e and 1/2. [Tree] is about a sum over a tree of subsets,
   with amounts of risks, impurities and entropies, which a cover shows to be above a line. *)
Inductive about_impurities :=
  | GiniLess (s t : N)
  | GiniFloor (s : N)
  | GiniCeiling (s : N)
  | GiniCeilingOf (k : Pos.t) (s : N)
  | GiniAbove (s : N)
  | GiniBelow (s : N) (a : Z) (b : Pos.t)
  | GiniBelowOf (k : Pos.t) (s : N) (a : Z) (b : Pos.t)
  | Gain (s t : N) (a : Z) (b : Pos.t)
  | GiniPair (s t : N) (a b : Z) (e : Pos.t)
  | Tree (t : amounts_tree) (c s : amount) (cover : cover_of) (logarithms : table).
(* Here are no products of impurities with logarithms. *)
Definition no_log (s : N) (i : nat) := C 0.
Definition none (s : N) (i : nat) := false.
Definition no_cost (t : Q) (s : N) := C 0.
Definition no_log_cost (t : Q) := no_log.
Definition none_of (t : Q) := none.
Definition never (t : Q) := false.
Definition said_impurity n f := match f with
  | GiniLess s t => Le (g_ n t) (g_ n s)
  | GiniFloor s => Le (C 0) (g_ n s)
  | GiniCeiling s => Lt (g_ n s) (C 1)
  | GiniCeilingOf k s => Le (g_ n s) (most k)
  | GiniAbove s => Le (r_ s) (g_ n s)
  | GiniBelow s a b => Le (Scale (Zpos b * Zpos b) (g_ n s)) (Plus (Scale (2 * Zpos b * (Zpos b - a)) (r_ s)) (C (a * a)))
  | GiniBelowOf k s a b =>
    Le (Scale ((Zpos k - 1) * (Zpos b * Zpos b)) (g_ n s)) (Plus (Scale (2 * Zpos b * ((Zpos k - 1) * Zpos b - Zpos k * a)) (r_ s)) (C (Zpos k * (a * a))))
  | Gain s t a b =>
    Le (Plus (Scale (Zpos b * Zpos b) (g_ n t)) (Scale (2 * a * Zpos b) (Minus (r_ s) (r_ t)))) (Plus (Scale (Zpos b * Zpos b) (g_ n s)) (Scale (a * a) (r_ s)))
  | GiniPair s t a b e =>
    let low := (Zpos e - 2 * a)%Z in let high := (Zpos e - 2 * b)%Z in
    Le (Scale (Zpos e * Zpos e * (low * low)) (g_ n t))
      (Plus (C (2 * (high * high) * (a * a))) (Plus (Scale (2 * Zpos e * (high * high * low - high * (low * low))) (r_ s))
        (Plus (Scale (Zpos e * Zpos e * (low * low - high * high)) (g_ n s)) (Scale (2 * Zpos e * (high * (low * low))) (r_ t)))))
  | Tree t c s _ _ => said_tree n no_log no_cost no_log_cost t c s
  end.
Definition fits_impurity n given f := match f with
  | GiniLess s t => small n s && small n t && N.eqb (N.land s t) s
  | GiniFloor s | GiniCeiling s | GiniAbove s | GiniBelow s _ _ => small n s
  | GiniCeilingOf k s => given_classes given k && small n s
  | GiniBelowOf k s _ _ => given_classes given k && negb (Pos.eqb k 1) && small n s
  | Gain s t a b => small n s && small n t && N.eqb (N.land s t) s && (0 <=? a)%Z && (a <=? Zpos b)%Z
  | GiniPair s t a b e => given_classes given 2 && small n s && small n t && N.eqb (N.land s t) s && (0 <=? a)%Z && (a <=? b)%Z && (2 * b <? Zpos e)%Z
  | Tree t c s cover l => fits_tree n none never none_of given t c s cover l
  end.

Section Facts.
Variables (d : dist) (n : nat) (rho : Pos.t -> R).
Hypothesis has_n : length (sizes d) = n.
Hypothesis rho_amount : forall i, (i < amount_count n)%N -> val rho (var i) = amounts d n i.
Variable given : option Pos.t.
Hypothesis class_count : match given with Some k => classes d = Pos.to_nat k | None => True end.
Notation set := (elements n).
Let of_set s : of_features d (set s) := elements_features d n has_n s.
Let count_of k := classes_given d n rho has_n rho_amount given class_count k.
Lemma gain_of_shares s t c : N.land s t = s -> 0 <= c <= 1 ->
  gini d (set t) + 2 * c * (bayes_risk d (set s) - bayes_risk d (set t)) <= gini d (set s) + c * c * bayes_risk d (set s).
Proof. intros I. apply gini_gain; [apply of_set|now apply elements_incl]. Qed.
Lemma share_of a b : (0 <=? a)%Z = true -> (a <=? Zpos b)%Z = true -> 0 <= IZR a / IZR (Zpos b) <= 1.
Proof.
  intros L R. apply Z.leb_le, IZR_le in L, R. pose proof (one_le b) as Hb. split; [apply Rmult_le_pos; [lra|]; left; apply Rinv_0_lt_compat; lra|].
  apply Rmult_le_reg_r with (IZR (Zpos b)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.
Local Opaque fits_tree said_tree.
Theorem impurities_true facts : forallb (fits_impurity n given) facts = true -> sat rho (And (map (said_impurity n) facts)).
Proof.
  intros Q. rewrite forallb_forall in Q. apply sat_and; intros g Hg; apply in_map_iff in Hg as (f & <- & Hf). specialize (Q f Hf).
  pose proof (amount_gini d n rho has_n rho_amount) as G. pose proof (at_risk d n rho (amount_risk d n rho has_n rho_amount)) as Rk.
  destruct f as [s t|s|s|k s|s|s a b|k s a b|s t a b|s t a b e|t c s cover l]; cbn [said_impurity sat fits_impurity] in *; rewrite ?andb_true_iff in Q; cbn [val].
  - destruct Q as ((Ss & St) & I). apply N.eqb_eq in I. rewrite !G by assumption. pose proof (gain_of_shares s t 0 I ltac:(lra)). lra.
  - rewrite G by exact Q. apply gini_ge0, of_set.
  - rewrite G by exact Q. apply Rle_lt_trans with (1 - / INR (classes d)); [apply gini_of_classes, of_set|]. enough (0 < / INR (classes d)) by lra.
    apply Rinv_0_lt_compat, lt_0_INR, Nat.neq_0_lt_0. intros Z. apply (some_class d). unfold labels. now rewrite Z.
  - destruct Q as (K & Ss). rewrite G by exact Ss. rewrite (val_most rho k). rewrite <- (count_of k K). apply gini_of_classes, of_set.
  - rewrite G, Rk by exact Q. apply risk_at_most_gini, of_set.
  - rewrite G, Rk by exact Q. pose proof (one_le b) as Hb. pose proof (gini_below d (set s) (IZR a / IZR (Zpos b)) 0 (of_set s)) as B.
    rewrite !mult_IZR, minus_IZR. set (y := IZR (Zpos b)) in *. set (x := IZR a) in *. apply (Rmult_le_compat_l (y * y)) in B; [|apply Rmult_le_pos; lra].
    eapply Rle_trans; [exact B|]. right. field. lra.
  - destruct Q as ((K & N1) & Ss). rewrite G, Rk by exact Ss. pose proof (one_le b) as Hb. destruct (two_classes d n rho has_n rho_amount given class_count k K N1) as [K2 _].
    apply le_INR in K2. simpl (INR 2) in K2. rewrite (count_of k K), real_pos in K2.
    pose proof (gini_below d (set s) (IZR a / IZR (Zpos b)) (IZR a / IZR (Zpos b) / (IZR (Zpos k) - 1)) (of_set s)) as B.
    rewrite (count_of k K), real_pos in B.
    rewrite !mult_IZR, !minus_IZR, !mult_IZR, minus_IZR. set (y := IZR (Zpos b)) in *. set (x := IZR a) in *. set (z := IZR (Zpos k)) in *.
    apply (Rmult_le_compat_l ((z - 1) * (y * y))) in B; [|apply Rmult_le_pos; [|apply Rmult_le_pos]; lra]. eapply Rle_trans; [exact B|]. right. field. lra.
  - destruct Q as ((((Ss & St) & I) & A0) & A1). apply N.eqb_eq in I. rewrite !G, !Rk by assumption. pose proof (one_le b) as Hb.
    pose proof (gain_of_shares s t _ I (share_of a b A0 A1)) as B. rewrite !mult_IZR. set (y := IZR (Zpos b)) in *. set (x := IZR a) in *.
    set (r := bayes_risk d (set s)) in *. set (q := bayes_risk d (set t)) in *.
    apply (Rmult_le_compat_l (y * y)) in B; [|apply Rmult_le_pos; lra].
    replace (y * y * (gini d (set t) + 2 * (x / y) * (r - q))) with (y * y * gini d (set t) + 2 * x * y * (r - q)) in B by (field; lra).
    replace (y * y * (gini d (set s) + x / y * (x / y) * r)) with (y * y * gini d (set s) + x * x * r) in B by (field; lra). lra.
  - destruct Q as ((((((K & Ss) & St) & I) & A0) & A1) & B1). apply N.eqb_eq in I. rewrite !G, !Rk by assumption. pose proof (one_le e) as He.
    apply Z.leb_le, IZR_le in A0, A1. apply Z.ltb_lt, IZR_lt in B1. rewrite mult_IZR in B1.
    rewrite !mult_IZR, !minus_IZR, !mult_IZR, !minus_IZR, !mult_IZR. set (z := IZR (Zpos e)) in *. set (x := IZR a) in *. set (y := IZR b) in *.
    assert (Q : 0 <= x / z <= y / z) by (split; [apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]|apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|lra]]).
    assert (Half : y / z < 1 / 2) by (apply Rmult_lt_reg_r with z; [lra|]; unfold Rdiv at 1; rewrite Rmult_assoc, Rinv_l; lra).
    pose proof (gini_pair d (count_of 2%positive K) (set s) (set t) (x / z) (y / z) (of_set t) (elements_incl n s t I) Q Half) as B. cbv zeta in B. unfold Rsqr in B.
    apply (Rmult_le_compat_l (z * z * ((z - 2 * x) * (z - 2 * x)))) in B; [|repeat apply Rmult_le_pos; lra]. eapply Rle_trans; [exact B|]. right. field. lra.
  - apply (tree_true n no_log none no_cost no_log_cost never none_of d rho has_n rho_amount) with (cost := fun _ _ => 0) (given := given) (cover := cover) (l := l); auto; discriminate.
Qed.
End Facts.
