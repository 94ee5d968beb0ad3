(* The facts about curves that a proof may use: coins of risks, logarithms of primes and their products with risks are
   variables of it, beside risks and entropies. Coefficients that are rounded are checked here. *)
From Coq Require Import Reals ZArith PArith NArith List Bool Lra Lia.
From FS Require Import Cases Sums Maxima Distributions EverySize Logarithms Entropies States Curves Layers Told Pinsker Gini Coins.
Import ListNotations.
Open Scope R_scope.

Definition primes := [2; 3; 5; 7; 11; 13; 17; 19; 23; 29; 31; 37; 41; 43; 47; 53; 59; 61; 67; 71; 73; 79; 83; 89; 97]%positive.
(* The variables: R(S), H(V), then -R(S) ln R(S), -(1 - R(S)) ln (1 - R(S)), then ln p and ln p * R(S) for each prime,
   and G(S). *)
Definition each n := (1 + 2 ^ N.of_nat n)%N.
Definition coins n := (3 * 2 ^ N.of_nat n)%N.
Definition others n := (4 * 2 ^ N.of_nat n)%N.
Definition logs n := (5 * 2 ^ N.of_nat n)%N.
Definition impurities n := (logs n + 25 * each n)%N.
Definition amount_count n := (impurities n + 2 ^ N.of_nat n)%N.
Definition coin_ n (s : N) := var (coins n + s).
Definition other_ n (s : N) := var (others n + s).
Definition log_at n (i : nat) (place : N) := var (logs n + N.of_nat i * each n + place).
Definition g_ n (s : N) := var (impurities n + s).
Definition minus_log (q : R) := - (q * ln q).
(* The same as ln. Exported files write sums with it, so that no rewriting of a logarithm changes them again. *)
Definition prime_log (p : R) := ln p.
Definition log_value d n (j : N) :=
  let l := ln (IZR (Zpos (nth (N.to_nat (j / each n)) primes 1%positive))) in
  let place := (j mod each n)%N in if (place =? 0)%N then l else l * bayes_risk d (elements n (place - 1)).
Definition amounts d n (i : N) : R :=
  if (i <? coins n)%N then risks_and_entropies d n i
  else if (i <? others n)%N then minus_log (bayes_risk d (elements n (i - coins n)))
  else if (i <? logs n)%N then minus_log (1 - bayes_risk d (elements n (i - others n)))
  else if (i <? impurities n)%N then log_value d n (i - logs n)
  else gini d (elements n (i - impurities n)).

(* The logarithm of a number whose prime factors are below 100, alone (place 0) or times R(S) (place S + 1). *)
Fixpoint exponent (fuel : nat) (p z : Z) : nat :=
  match fuel with O => 0%nat | S fuel => if (z mod p =? 0)%Z then S (exponent fuel p (z / p)) else 0%nat end.
Definition exponents (z : Pos.t) := map (fun p => exponent (Pos.size_nat z) (Zpos p) (Zpos z)) primes.
Fixpoint product (ps : list Pos.t) (es : list nat) : Z :=
  match ps, es with p :: ps, e :: es => (Zpos p ^ Z.of_nat e * product ps es)%Z | _, _ => 1%Z end.
Fixpoint log_terms n (place : N) (i : nat) (es : list nat) : list tm :=
  match es with [] => [] | O :: t => log_terms n place (S i) t | e :: t => Scale (Z.of_nat e) (log_at n i place) :: log_terms n place (S i) t end.
Definition log_of n (place : N) (z : Pos.t) := plus (log_terms n place 0 (exponents z)).
Definition of_primes (z : Pos.t) : bool := (product primes (exponents z) =? Zpos z)%Z.

(* H(Y | S), and lines above and below it. Whole numbers u with a bound 10^-6 u of a logarithm are given. *)
Definition unit := 1000000%positive.
Definition bound (a b : Pos.t) (u : Z) := ln_at_most a b u unit.
(* Finer bounds, where a sum of logarithms is rounded. *)
Definition fine := 1000000000000000000%positive.
Definition fine_bound (a b : Pos.t) (u : Z) := ln_at_most a b u fine.
Definition left_ n (s : N) := given_ n s n.
Inductive about_curves :=
  | LogClasses (k : Pos.t)
  | LowerLog (s : N) (j : Pos.t)
  | FanoLog (k : Pos.t) (s : N)
  | Lower (s : N) (j : Pos.t) (less rise fall : Z)
  | Fano (k : Pos.t) (s : N) (a b : Pos.t) (hit miss : Z)
  | Told (s t : N) (a b j : Pos.t) (strength start rise fall : Z)
  | Coin (s : N) (mistaken : bool) (a b : Pos.t) (rate : Z)
  | Pinsker (s t : N) (a b : Pos.t)
  | Pair (s t : N) (a b a' b' v w : Pos.t) (start fall miss : Z) (odds odds' gap gap' : Z).
Definition said_curve n f := match f with
  | LogClasses k => Le (left_ n 0) (log_of n 0 k)
  | LowerLog s j =>
    let rise place := Minus (log_of n place (j + 1)) (log_of n place j) in
    Le (Plus (Minus (log_of n 0 j) (Scale (Zpos j * Zpos j - 1) (rise 0%N))) (Scale (Zpos j * (Zpos j + 1)) (rise (s + 1)%N))) (left_ n s)
  | FanoLog k s => Le (left_ n s) (Plus (coin_ n s) (Plus (other_ n s) (log_of n (s + 1) (Pos.pred k))))
  | Lower s j less rise fall =>
    Le (C 0) (Plus (Scale (Zpos unit) (left_ n s)) (Plus (C (less + (Zpos j * Zpos j - 1) * rise)) (Scale (Zpos j * (Zpos j + 1) * fall) (r_ s))))
  | Fano k s a b hit miss => Le (Scale (Zpos unit) (left_ n s)) (Plus (C hit) (Scale (miss - hit) (r_ s)))
  | Told s t a b j strength start rise fall =>
    Le (C 0) (Plus (Scale (Zpos unit) (Minus (left_ n s) (left_ n t)))
      (Plus (C (start + (Zpos j * Zpos j - 1) * rise)) (Plus (Scale (Zpos j * (Zpos j + 1) * fall) (r_ s)) (Scale strength (r_ t)))))
  | Coin s true a b rate => Le (Scale (Zpos (unit * b)) (coin_ n s)) (Plus (C (Zpos (unit * a))) (Scale (Zpos b * (rate - Zpos unit)) (r_ s)))
  | Coin s false a b rate =>
    Le (Scale (Zpos (unit * b)) (other_ n s)) (Plus (C (Zpos (unit * a))) (Scale (Zpos b * (rate - Zpos unit)) (Minus (C 1) (r_ s))))
  | Pinsker s t a b =>
    Le (Scale (4 * Zpos a * Zpos b) (Minus (r_ s) (r_ t))) (Plus (Scale (Zpos b * Zpos b) (Minus (left_ n s) (left_ n t))) (C (2 * Zpos a * Zpos a)))
  | Pair s t a b a' b' v w start fall miss _ _ _ _ =>
    Le (C 0) (Plus (C (Zpos v * start)) (Plus (Scale (Zpos w * fall) (r_ s)) (Plus (Scale (Zpos w * miss) (r_ t))
      (Minus (Scale ((Zpos w - Zpos v) * Zpos unit) (left_ n s)) (Scale (Zpos w * Zpos unit) (left_ n t))))))
  end.
Definition given_classes (given : option Pos.t) k := match given with Some g => Pos.eqb k g | None => false end.
Definition fits_curve n given f := match f with
  | LogClasses k => given_classes given k && of_primes k
  | LowerLog s j => small n s && of_primes j && of_primes (j + 1)
  | FanoLog k s => given_classes given k && negb (Pos.eqb k 1) && small n s && of_primes (Pos.pred k)
  | Lower s j less rise fall => small n s && bound 1 j less && bound (j + 1) j rise && bound j (j + 1) fall
  | Fano k s a b hit miss => given_classes given k && negb (Pos.eqb k 1) && small n s && (a <? b)%positive && bound b (b - a) hit && bound (Pos.pred k * b) a miss
  | Told s t a b j strength start rise fall => small n s && small n t && N.eqb (N.land s t) s && (b <=? a)%positive && bound a b strength
      && bound (a + j * b - b) (j * a) start && bound ((j + 1) * (a + j * b - b)) (j * (a + j * b)) rise && bound (j * (a + j * b)) ((j + 1) * (a + j * b - b)) fall
  | Coin s _ a b rate => small n s && bound b a rate
  | Pinsker s t _ _ => small n s && small n t && N.eqb (N.land s t) s
  | Pair s t a b a' b' v w start fall miss odds odds' gap gap' =>
    given_classes given 2 && small n s && small n t && N.eqb (N.land s t) s
      && (a * b' <=? a' * b)%positive && (2 * a' <? b')%positive && (v <=? w)%positive && bound b (b - a) start && bound (b' - a') a' miss
      && fine_bound (b - a) a odds && fine_bound a' (b' - a') odds' && (Zpos v * odds + Zpos w * odds' <=? Zpos w * (fall * 1000000000000))%Z
      && ((v =? w)%positive || fine_bound (4 * a * (b - a)) (b * b) gap && fine_bound (b' * b') (4 * a' * (b' - a')) gap' && (Zpos v * gap + Zpos w * gap' <=? 0)%Z)
  end.

Lemma real_pos z : INR (Pos.to_nat z) = IZR (Zpos z).
Proof. now rewrite INR_IZR_INZ, positive_nat_Z. Qed.
Lemma one_le z : 1 <= IZR (Zpos z).
Proof. apply (IZR_le 1). lia. Qed.
Lemma bound_ok a b u : bound a b u = true -> 1000000 * ln (IZR (Zpos a) / IZR (Zpos b)) <= IZR u.
Proof.
  unfold bound. intros Q. pose proof (ln_at_most_ok a b u unit Q) as L. clear Q. change (IZR (Zpos unit)) with 1000000 in L. apply (Rmult_le_compat_l 1000000) in L; [|lra].
  replace (1000000 * (IZR u / 1000000)) with (IZR u) in L by field. exact L.
Qed.
Lemma fine_bound_ok a b u : fine_bound a b u = true -> 1000000000000000000 * ln (IZR (Zpos a) / IZR (Zpos b)) <= IZR u.
Proof.
  unfold fine_bound. intros Q. pose proof (ln_at_most_ok a b u fine Q) as L. clear Q. change (IZR (Zpos fine)) with 1000000000000000000 in L.
  apply (Rmult_le_compat_l 1000000000000000000) in L; [|lra]. replace (1000000000000000000 * (IZR u / 1000000000000000000)) with (IZR u) in L by field. exact L.
Qed.
Lemma ln_power x e : 0 < x -> ln (x ^ e) = INR e * ln x.
Proof.
  intros X. induction e as [|e IH]; [simpl; rewrite ln_1; ring|]. rewrite S_INR. cbn [pow]. rewrite ln_mult, IH by (auto using pow_lt). ring.
Qed.
Lemma product_pos ps : forall es, (0 < product ps es)%Z.
Proof. induction ps as [|p ps IH]; intros [|e es]; simpl; try lia. apply Z.mul_pos_pos; [apply Z.pow_pos_nonneg; lia|apply IH]. Qed.

Lemma ln_quotient x y : 0 < x -> 0 < y -> ln (x / y) = ln x - ln y.
Proof. intros X Y. unfold Rdiv. rewrite ln_mult, ln_Rinv by (auto using Rinv_0_lt_compat). ring. Qed.
(* A line with its three logarithms rounded to the safe side. *)
Lemma rounded_line start rise fall z r l0 l1 x : 1 <= z -> 0 <= r ->
  1000000 * - l0 <= start -> 1000000 * (l1 - l0) <= rise -> 1000000 * (l0 - l1) <= fall ->
  l0 + z * (z + 1) * (l1 - l0) * (r - (1 - / z)) <= x -> 0 <= 1000000 * x + (start + (z * z - 1) * rise) + z * (z + 1) * fall * r.
Proof.
  intros Z R0 S Ri F L. replace (z * (z + 1) * (l1 - l0) * (r - (1 - / z))) with (z * (z + 1) * r * (l1 - l0) - (z * z - 1) * (l1 - l0)) in L by (field; lra).
  assert (P : 0 <= z * (z + 1) * r) by (apply Rmult_le_pos; [apply Rmult_le_pos; lra|exact R0]).
  assert (Q : 0 <= z * z - 1) by (assert (1 * 1 <= z * z) by (apply Rmult_le_compat; lra); lra).
  apply (Rmult_le_compat_l (z * z - 1)) in Ri; [|exact Q]. apply (Rmult_le_compat_l (z * (z + 1) * r)) in F; [|exact P]. lra.
Qed.

Section Facts.
Variables (d : dist) (n : nat) (rho : Pos.t -> R).
Hypothesis has_n : length (sizes d) = n.
Hypothesis rho_amount : forall i, (i < amount_count n)%N -> val rho (var i) = amounts d n i.
Lemma power_pos : (0 < 2 ^ N.of_nat n)%N.
Proof. apply N.neq_0_lt_0, N.pow_nonzero. lia. Qed.
Ltac sizes := unfold amount_count, impurities, coins, others, logs, each in *; pose proof power_pos; lia.
Lemma amount_low i : (i < coins n)%N -> val rho (var i) = risks_and_entropies d n i.
Proof.
  intros L. rewrite rho_amount by sizes. unfold amounts. apply N.ltb_lt in L. now rewrite L.
Qed.
Lemma amount_coin s : small n s = true -> val rho (coin_ n s) = minus_log (bayes_risk d (elements n s)).
Proof.
  intros L. apply N.ltb_lt in L. unfold coin_. rewrite rho_amount by sizes. unfold amounts.
  destruct (N.ltb_spec (coins n + s) (coins n)); [sizes|]. destruct (N.ltb_spec (coins n + s) (others n)); [|sizes].
  do 3 f_equal. lia.
Qed.
Lemma amount_other s : small n s = true -> val rho (other_ n s) = minus_log (1 - bayes_risk d (elements n s)).
Proof.
  intros L. apply N.ltb_lt in L. unfold other_. rewrite rho_amount by sizes. unfold amounts.
  destruct (N.ltb_spec (others n + s) (coins n)); [sizes|]. destruct (N.ltb_spec (others n + s) (others n)); [sizes|].
  destruct (N.ltb_spec (others n + s) (logs n)); [|sizes]. do 4 f_equal. lia.
Qed.
Lemma amount_gini s : small n s = true -> val rho (g_ n s) = gini d (elements n s).
Proof.
  intros L. apply N.ltb_lt in L. unfold g_. rewrite rho_amount by sizes. unfold amounts.
  destruct (N.ltb_spec (impurities n + s) (coins n)); [sizes|]. destruct (N.ltb_spec (impurities n + s) (others n)); [sizes|].
  destruct (N.ltb_spec (impurities n + s) (logs n)); [sizes|]. destruct (N.ltb_spec (impurities n + s) (impurities n)); [lia|]. do 2 f_equal. lia.
Qed.
(* A logarithm is taken once, or times a risk. *)
Definition times_risk (place : N) := if (place =? 0)%N then 1 else bayes_risk d (elements n (place - 1)).
Lemma amount_log i place : (i < 25)%nat -> (place < each n)%N -> val rho (log_at n i place) = ln (IZR (Zpos (nth i primes 1%positive))) * times_risk place.
Proof.
  intros I P. unfold log_at. assert (B : (N.of_nat i * each n + place < 25 * each n)%N).
  { assert (N.of_nat i * each n <= 24 * each n)%N by (apply N.mul_le_mono_r; lia). lia. }
  assert (L : (logs n + N.of_nat i * each n + place < impurities n)%N) by (unfold impurities; lia).
  rewrite rho_amount by (unfold amount_count; lia). unfold amounts. apply N.ltb_lt in L. rewrite L.
  destruct (N.ltb_spec (logs n + N.of_nat i * each n + place) (coins n)); [sizes|].
  destruct (N.ltb_spec (logs n + N.of_nat i * each n + place) (others n)); [sizes|].
  destruct (N.ltb_spec (logs n + N.of_nat i * each n + place) (logs n)); [lia|].
  replace (logs n + N.of_nat i * each n + place - logs n)%N with (N.of_nat i * each n + place)%N by lia. unfold log_value, times_risk.
  assert (E0 : each n <> 0%N) by lia.
  rewrite N.div_add_l, N.div_small, N.add_0_r, Nat2N.id by assumption. rewrite N.add_comm, N.mod_add, N.mod_small by assumption.
  destruct (place =? 0)%N; ring.
Qed.
Lemma val_log_terms place : (place < each n)%N -> forall es i, (i + length es <= 25)%nat ->
  sum (val rho) (log_terms n place i es) = ln (IZR (product (skipn i primes) es)) * times_risk place.
Proof.
  intros P. induction es as [|e es IH]; intros i L.
  - replace (product (skipn i primes) []) with 1%Z by (now destruct (skipn i primes)). rewrite ln_1. simpl. ring.
  - simpl length in L. assert (Sk : skipn i primes = nth i primes 1%positive :: skipn (S i) primes).
    { clear - L. assert (B : (i < length primes)%nat) by (simpl length; lia). revert B. generalize primes. clear. induction i as [|i IH]; intros [|p ps] B; simpl in B; try lia; [reflexivity|].
      simpl. apply IH. lia. }
    rewrite Sk. cbn [product]. set (p := nth i primes 1%positive) in *. pose proof (product_pos (skipn (S i) primes) es) as PP. apply IZR_lt in PP.
    assert (T : sum (val rho) (log_terms n place i (e :: es)) = INR e * ln (IZR (Zpos p)) * times_risk place + sum (val rho) (log_terms n place (S i) es)).
    { destruct e as [|e]; [simpl INR; cbn [log_terms]; ring|]. cbn [log_terms sum]. f_equal. cbn [val]. rewrite amount_log by (assumption || lia).
      rewrite <- INR_IZR_INZ. fold p. ring. }
    rewrite T, IH by lia. rewrite mult_IZR, <- pow_IZR, ln_mult, ln_power by (auto using pow_lt, pos_real). ring.
Qed.
Lemma val_log_of place z : (place < each n)%N -> of_primes z = true -> val rho (log_of n place z) = ln (IZR (Zpos z)) * times_risk place.
Proof.
  intros P Q. apply Z.eqb_eq in Q. unfold log_of. rewrite val_plus, val_log_terms by (assumption || (unfold exponents; rewrite map_length; reflexivity)).
  now rewrite <- Q.
Qed.
Lemma elements_features m : of_features d (elements n m).
Proof. intros i Hi. apply in_elements in Hi as [L _]. unfold features. now rewrite has_n. Qed.
Lemma elements_incl s t : N.land s t = s -> incl (elements n s) (elements n t).
Proof.
  intros I i Hi. apply in_elements in Hi as [Li Bi]. apply in_elements. split; [exact Li|]. rewrite <- I, N.land_spec in Bi. now apply andb_prop in Bi.
Qed.
Lemma amount_risk m : (m < 2 ^ N.of_nat n)%N -> val rho (r_ m) = bayes_risk d (elements n m).
Proof. intros L. unfold r_. rewrite amount_low by sizes. now apply risk_values. Qed.
Lemma amount_entropy m : joint n m = true -> val rho (var (2 ^ N.of_nat n + m)) = mean_log d (variables d n m).
Proof. intros L. apply N.ltb_lt in L. rewrite amount_low by sizes. apply entropy_values. Qed.
Lemma at_left s : small n s = true -> val rho (left_ n s) = left d (elements n s).
Proof. intros S. unfold left_. rewrite (at_given d n rho has_n amount_entropy) by auto. unfold left, features. now rewrite has_n. Qed.
Lemma small_place s : small n s = true -> (s + 1 < each n)%N.
Proof. intros S. apply N.ltb_lt in S. unfold each. lia. Qed.
Lemma times_risk_of s : times_risk (s + 1) = bayes_risk d (elements n s).
Proof. unfold times_risk. destruct (N.eqb_spec (s + 1) 0); [lia|]. now rewrite N.add_sub. Qed.
Lemma minus_log_0 : minus_log 0 = 0.
Proof. unfold minus_log. ring. Qed.

(* The kernel compares what follows without computing logarithms. *)
Variable given : option Pos.t.
Hypothesis class_count : match given with Some k => classes d = Pos.to_nat k | None => True end.
Lemma classes_given k : given_classes given k = true -> classes d = Pos.to_nat k.
Proof. intros G. destruct given as [c|]; [|discriminate]. apply Pos.eqb_eq in G. now subst. Qed.
Lemma two_classes k : given_classes given k = true -> negb (Pos.eqb k 1) = true -> (2 <= classes d)%nat /\ INR (classes d) - 1 = IZR (Zpos (Pos.pred k)).
Proof.
  intros G N. rewrite (classes_given k G), real_pos. apply negb_true_iff, Pos.eqb_neq in N. split; [lia|]. rewrite <- minus_IZR. f_equal. lia.
Qed.
Lemma risk_ge0 s : 0 <= bayes_risk d (elements n s).
Proof. exact (floor d _ _ (bayes_risk_ok d (elements n s))). Qed.
Lemma risk_below_1 s : bayes_risk d (elements n s) < 1.
Proof. exact (ceiling d _ _ (bayes_risk_ok d (elements n s))). Qed.
Local Opaque bound fine_bound log_of of_primes.
Lemma log_classes_true k : fits_curve n given (LogClasses k) = true -> sat rho (said_curve n (LogClasses k)).
Proof.
  cbn [fits_curve]. rewrite ?andb_true_iff. intros Q. destruct Q as [G P]. cbn [said_curve sat]. rewrite at_left by (apply N.ltb_lt, power_pos). rewrite val_log_of by (exact P || (unfold each; pose proof power_pos; lia)).
  unfold times_risk. simpl (0 =? 0)%N. rewrite Rmult_1_r. rewrite <- real_pos, <- (classes_given k G). apply at_most_log_classes, elements_features.
Qed.
Lemma lower_log_true s j : fits_curve n given (LowerLog s j) = true -> sat rho (said_curve n (LowerLog s j)).
Proof.
  cbn [fits_curve]. rewrite ?andb_true_iff. intros Q. destruct Q as ((Ss & Pj) & Pj1). pose proof (small_place s Ss) as Hp. assert (H0 : (0 < each n)%N) by lia.
  cbn [said_curve sat val]. rewrite at_left, !val_log_of, times_risk_of by assumption. unfold times_risk. simpl (0 =? 0)%N.
  pose proof (tebbe_dwyer d (Pos.to_nat j) ltac:(lia) (elements n s) (elements_features s)) as T. unfold line in T. rewrite S_INR, real_pos in T.
  pose proof (one_le j). rewrite Pos2Z.inj_add, minus_IZR, !mult_IZR, !plus_IZR. eapply Rle_trans; [|exact T]. right. field. lra.
Qed.
Lemma fano_log_true k s : fits_curve n given (FanoLog k s) = true -> sat rho (said_curve n (FanoLog k s)).
Proof.
  cbn [fits_curve]. rewrite ?andb_true_iff. intros Q. destruct Q as (((G & N) & Ss) & P). destruct (two_classes k G N) as [T E]. cbn [said_curve sat val].
  rewrite at_left, amount_coin, amount_other, val_log_of, times_risk_of by (assumption || now apply small_place).
  pose proof (fano d (elements n s) (elements_features s) T) as F. rewrite E in F. unfold minus_log. lra.
Qed.
Lemma lower_true s j less rise fall : fits_curve n given (Lower s j less rise fall) = true -> sat rho (said_curve n (Lower s j less rise fall)).
Proof.
  cbn [fits_curve]. rewrite ?andb_true_iff. intros Q. destruct Q as (((Ss & B1) & B2) & B3). cbn [said_curve sat val]. rewrite at_left, (at_risk d n rho amount_risk) by assumption.
  apply bound_ok in B1, B2, B3. pose proof (tebbe_dwyer d (Pos.to_nat j) ltac:(lia) (elements n s) (elements_features s)) as T. unfold line in T. rewrite S_INR, real_pos in T.
  pose proof (one_le j) as J. rewrite Pos2Z.inj_add, plus_IZR in B2, B3. rewrite ln_quotient in B1, B2, B3 by lra. rewrite ln_1 in B1.
  rewrite plus_IZR, !mult_IZR, minus_IZR, mult_IZR, plus_IZR. change (IZR (Zpos unit)) with 1000000.
  pose proof (rounded_line (IZR less) (IZR rise) (IZR fall) _ _ (ln (IZR (Zpos j))) (ln (IZR (Zpos j) + 1)) _ J (risk_ge0 s) ltac:(lra) B2 B3 T). lra.
Qed.
Lemma fano_true k s a b hit miss : fits_curve n given (Fano k s a b hit miss) = true -> sat rho (said_curve n (Fano k s a b hit miss)).
Proof.
  cbn [fits_curve]. rewrite ?andb_true_iff. intros Q. destruct Q as (((((G & N) & Ss) & AB) & B1) & B2). destruct (two_classes k G N) as [K2 O]. cbn [said_curve sat val]. rewrite at_left, (at_risk d n rho amount_risk) by assumption.
  apply bound_ok in B1, B2. apply Pos.ltb_lt in AB. rewrite Pos2Z.inj_sub, minus_IZR in B1 by exact AB. rewrite Pos2Z.inj_mul, mult_IZR, <- O in B2.
  assert (L : IZR (Zpos a) < IZR (Zpos b)) by now apply IZR_lt. pose proof (one_le a) as A1. apply le_INR in K2. simpl (INR 2) in K2.
  pose proof (fano_line d (elements n s) (elements_features s) (IZR (Zpos a) / IZR (Zpos b)) ltac:(apply INR_le; simpl; exact K2)) as F.
  replace (1 - IZR (Zpos a) / IZR (Zpos b)) with ((IZR (Zpos b) - IZR (Zpos a)) / IZR (Zpos b)) in F by (field; lra).
  rewrite ln_quotient in B1, B2 by (try apply Rmult_lt_0_compat; lra). rewrite ln_mult in B2 by lra. rewrite !ln_quotient in F by lra.
  assert (P : 0 < IZR (Zpos a) / IZR (Zpos b) < 1) by (split; [apply Rdiv_lt_0_compat; lra|apply Rmult_lt_reg_r with (IZR (Zpos b)); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra]).
  specialize (F P). pose proof (risk_ge0 s) as R0. pose proof (risk_below_1 s) as R1. set (r := bayes_risk d (elements n s)) in *. change (IZR (Zpos unit)) with 1000000. rewrite minus_IZR.
  apply (Rmult_le_compat_l (1 - r)) in B1; [|lra]. apply (Rmult_le_compat_l r) in B2; [|lra]. lra.
Qed.
Lemma told_true s t a b j strength start rise fall : fits_curve n given (Told s t a b j strength start rise fall) = true ->
  sat rho (said_curve n (Told s t a b j strength start rise fall)).
Proof.
  cbn [fits_curve]. rewrite ?andb_true_iff. intros Q. destruct Q as (((((((Ss & St) & I) & AB) & B1) & B2) & B3) & B4). apply bound_ok in B1, B2, B3, B4. apply Pos.leb_le in AB. apply N.eqb_eq in I.
  cbn [said_curve sat val]. rewrite !at_left, !(at_risk d n rho amount_risk) by assumption.
  assert (L : IZR (Zpos b) <= IZR (Zpos a)) by now apply IZR_le. pose proof (one_le b) as Hb. pose proof (one_le j) as J.
  assert (E1 : 1 <= IZR (Zpos a) / IZR (Zpos b)) by (apply Rmult_le_reg_r with (IZR (Zpos b)); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra).
  pose proof (told d (Pos.to_nat j) ltac:(lia) (elements n s) (elements n t) (IZR (Zpos a) / IZR (Zpos b)) (elements_features t) (elements_incl s t I) E1) as T.
  unfold line in T. rewrite S_INR, real_pos in T.
  assert (Less : (b < a + j * b)%positive) by nia.
  assert (W0 : IZR (Zpos (a + j * b - b)) = IZR (Zpos a) + IZR (Zpos j) * IZR (Zpos b) - IZR (Zpos b)).
  { now rewrite (Pos2Z.inj_sub _ _ Less), minus_IZR, Pos2Z.inj_add, plus_IZR, Pos2Z.inj_mul, mult_IZR. }
  assert (W1 : IZR (Zpos (a + j * b)) = IZR (Zpos a) + IZR (Zpos j) * IZR (Zpos b)) by now rewrite Pos2Z.inj_add, plus_IZR, Pos2Z.inj_mul, mult_IZR.
  assert (W2 : IZR (Zpos (j + 1)) = IZR (Zpos j) + 1) by now rewrite Pos2Z.inj_add, plus_IZR.
  rewrite Pos2Z.inj_mul, mult_IZR, W0 in B2. rewrite !Pos2Z.inj_mul, !mult_IZR, W0, W1, W2 in B3. rewrite !Pos2Z.inj_mul, !mult_IZR, W0, W1, W2 in B4.
  rewrite plus_IZR, !mult_IZR, minus_IZR, mult_IZR, plus_IZR. change (IZR (Zpos unit)) with 1000000.
  set (x := IZR (Zpos a)) in *. set (y := IZR (Zpos b)) in *. set (z := IZR (Zpos j)) in *.
  assert (V : forall u, 1 <= u -> ln (x / y) - ln (1 + (x / y - 1) / u) = ln x + ln u - ln (x + u * y - y)).
  { intros u U. assert (0 <= (u - 1) * y) by (apply Rmult_le_pos; lra). replace (1 + (x / y - 1) / u) with ((x + u * y - y) / (u * y)) by (field; lra).
    rewrite !ln_quotient, ln_mult by (try apply Rmult_lt_0_compat; lra). ring. }
  rewrite !V in T by lra. replace (x + (z + 1) * y - y) with (x + z * y) in T by ring.
  assert (P0 : 0 <= (z - 1) * y) by (apply Rmult_le_pos; lra). assert (P1 : 0 < z * y) by (apply Rmult_lt_0_compat; lra).
  rewrite !ln_quotient in B2, B3, B4 by (repeat apply Rmult_lt_0_compat; lra).
  rewrite ln_mult in B2 by lra. rewrite (ln_mult (z + 1)), (ln_mult z) in B3 by lra. rewrite (ln_mult z), (ln_mult (z + 1)) in B4 by lra.
  pose proof (rounded_line (IZR start) (IZR rise) (IZR fall) z _ (ln x + ln z - ln (x + z * y - y)) (ln x + ln (z + 1) - ln (x + z * y)) _ J (risk_ge0 s) ltac:(lra) ltac:(lra) ltac:(lra) T).
  apply (Rmult_le_compat_r (bayes_risk d (elements n t))) in B1; [|apply risk_ge0]. lra.
Qed.
Lemma coin_true s mistaken a b rate : fits_curve n given (Coin s mistaken a b rate) = true -> sat rho (said_curve n (Coin s mistaken a b rate)).
Proof.
  cbn [fits_curve]. rewrite ?andb_true_iff. intros Q. destruct Q as [Ss B]. apply bound_ok in B. pose proof (one_le a) as Ha. pose proof (one_le b) as Hb. pose proof (risk_ge0 s) as R0. pose proof (risk_below_1 s) as R1. rewrite ln_quotient in B by lra.
  assert (Line : forall q, 0 <= q -> IZR (Zpos (unit * b)) * minus_log q <= IZR (Zpos (unit * a)) + IZR (Zpos b * (rate - Zpos unit)) * q).
  { intros q Q0. rewrite !Pos2Z.inj_mul, !mult_IZR, minus_IZR. change (IZR (Zpos unit)) with 1000000.
    pose proof (coin_line q (IZR (Zpos a) / IZR (Zpos b)) Q0 ltac:(apply Rdiv_lt_0_compat; lra)) as C. rewrite ln_quotient in C by lra. fold (minus_log q) in C.
    apply (Rmult_le_compat_l (1000000 * IZR (Zpos b))) in C; [|lra]. apply (Rmult_le_compat_l (IZR (Zpos b) * q)) in B; [|apply Rmult_le_pos; lra].
    replace (1000000 * IZR (Zpos b) * (q * (- (ln (IZR (Zpos a)) - ln (IZR (Zpos b))) - 1) + IZR (Zpos a) / IZR (Zpos b)))
      with (IZR (Zpos b) * q * (1000000 * (ln (IZR (Zpos b)) - ln (IZR (Zpos a)))) - 1000000 * IZR (Zpos b) * q + 1000000 * IZR (Zpos a)) in C by (field; lra). lra. }
  destruct mistaken; cbn [said_curve sat val]; rewrite ?amount_coin, ?amount_other, (at_risk d n rho amount_risk) by assumption; apply Line; lra.
Qed.
Lemma pinsker_true s t a b : fits_curve n given (Pinsker s t a b) = true -> sat rho (said_curve n (Pinsker s t a b)).
Proof.
  cbn [fits_curve]. rewrite ?andb_true_iff. intros Q. destruct Q as ((Ss & St) & I). apply N.eqb_eq in I.
  cbn [said_curve sat val]. rewrite !at_left, !(at_risk d n rho amount_risk) by assumption. pose proof (one_le a) as Ha. pose proof (one_le b) as Hb. rewrite !mult_IZR.
  pose proof (pinsker d (elements n s) (elements n t) (elements_features t) (elements_incl s t I) (IZR (Zpos a) / IZR (Zpos b))) as P. unfold Rsqr in P.
  set (x := IZR (Zpos a)) in *. set (y := IZR (Zpos b)) in *. set (r := bayes_risk d (elements n s)) in *. set (q := bayes_risk d (elements n t)) in *.
  apply (Rmult_le_compat_l (y * y)) in P; [|apply Rmult_le_pos; lra|apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]].
  replace (y * y * (4 * (x / y) * (r - q))) with (4 * x * y * (r - q)) in P by (field; lra).
  replace (y * y * (left d (elements n s) - left d (elements n t) + 2 * (x / y * (x / y)))) with (y * y * (left d (elements n s) - left d (elements n t)) + 2 * x * x) in P by (field; lra). lra.
Qed.
Lemma pair_true s t a b a' b' v w start fall miss odds odds' gap gap' : fits_curve n given (Pair s t a b a' b' v w start fall miss odds odds' gap gap') = true ->
  sat rho (said_curve n (Pair s t a b a' b' v w start fall miss odds odds' gap gap')).
Proof.
  cbn [fits_curve]. rewrite ?andb_true_iff. intros Q. destruct Q as ((((((((((((G & Ss) & St) & I) & QC) & Half) & VW) & B1) & B2) & O1) & O2) & Fall) & Gap). apply N.eqb_eq in I.
  cbn [said_curve sat val]. rewrite !at_left, !(at_risk d n rho amount_risk) by assumption.
  pose proof (one_le a) as Ha. pose proof (one_le a') as Ha'. pose proof (one_le v) as Hv.
  apply Pos.leb_le in QC. apply Pos.ltb_lt in Half. apply Pos.leb_le in VW. apply Z.leb_le in Fall.
  assert (AB : (2 * a < b)%positive) by nia. assert (Lb : IZR (Zpos (b - a)) = IZR (Zpos b) - IZR (Zpos a)) by (rewrite <- minus_IZR; f_equal; lia).
  assert (Lb' : IZR (Zpos (b' - a')) = IZR (Zpos b') - IZR (Zpos a')) by (rewrite <- minus_IZR; f_equal; lia).
  apply bound_ok in B1, B2. apply fine_bound_ok in O1, O2. rewrite Lb in B1, O1. rewrite Lb' in B2, O2.
  apply IZR_le in Fall. rewrite plus_IZR, !mult_IZR in Fall.
  assert (HalfR : 2 * IZR (Zpos a') < IZR (Zpos b')) by (rewrite <- mult_IZR; apply IZR_lt; lia).
  assert (HalfR' : 2 * IZR (Zpos a) < IZR (Zpos b)) by (rewrite <- mult_IZR; apply IZR_lt; lia).
  assert (QCR : IZR (Zpos a) * IZR (Zpos b') <= IZR (Zpos a') * IZR (Zpos b)) by (rewrite <- !mult_IZR; apply IZR_le; lia).
  assert (VWR : IZR (Zpos v) <= IZR (Zpos w)) by now apply IZR_le.
  assert (GapR : v = w \/ IZR (Zpos v) * ln (4 * IZR (Zpos a) * (IZR (Zpos b) - IZR (Zpos a)) / (IZR (Zpos b) * IZR (Zpos b)))
    <= - (IZR (Zpos w) * ln (IZR (Zpos b') * IZR (Zpos b') / (4 * IZR (Zpos a') * (IZR (Zpos b') - IZR (Zpos a')))))).
  { apply orb_prop in Gap as [E|Gap]; [left; now apply Pos.eqb_eq|right]. rewrite !andb_true_iff in Gap. destruct Gap as ((G1 & G2) & G3).
    apply fine_bound_ok in G1, G2. rewrite !Pos2Z.inj_mul, !mult_IZR in G1, G2. rewrite Lb in G1. rewrite Lb' in G2. apply Z.leb_le, IZR_le in G3. rewrite plus_IZR, !mult_IZR in G3.
    apply (Rmult_le_compat_l (IZR (Zpos v))) in G1; [|lra]. apply (Rmult_le_compat_l (IZR (Zpos w))) in G2; [|lra]. lra. }
  change (IZR (Zpos unit)) with 1000000 in *. rewrite !mult_IZR, minus_IZR. change (IZR (Zpos unit)) with 1000000.
  clear Half AB QC VW Gap Lb Lb'.
  set (x := IZR (Zpos a)) in *. set (y := IZR (Zpos b)) in *. set (x' := IZR (Zpos a')) in *. set (y' := IZR (Zpos b')) in *. set (g := IZR (Zpos v)) in *. set (h := IZR (Zpos w)) in *.
  assert (Div : forall s t z, 0 < t -> s <= z * t -> s / t <= z) by (intros s0 t0 z T L; apply Rmult_le_reg_r with t0; [exact T|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra).
  assert (Q0 : 0 < x / y) by (apply Rdiv_lt_0_compat; lra).
  assert (C0 : x / y <= x' / y') by (apply Div; [lra|]; apply Rmult_le_reg_r with y'; [lra|]; replace (x' / y' * y * y') with (x' * y) by (field; lra); lra).
  assert (C1 : x' / y' < 1 / 2) by (apply Rmult_lt_reg_r with y'; [lra|]; replace (x' / y' * y') with x' by (field; lra); lra).
  assert (U1 : 0 <= g / h <= 1) by (split; [apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]|apply Div; lra]).
  assert (Gaps : g / h * ln (4 * (x / y) * (1 - x / y)) <= ln (4 * (x' / y') * (1 - x' / y'))).
  { destruct GapR as [E|L].
    - unfold g, h. rewrite E. fold h. unfold Rdiv at 1. rewrite Rinv_r by lra. rewrite Rmult_1_l.
      set (c := x' / y') in *. set (q := x / y) in *. assert (0 < q * (1 - q)) by (apply Rmult_lt_0_compat; lra).
      assert (0 <= (c - q) * (1 - c - q)) by (apply Rmult_le_pos; lra). assert (L : 4 * q * (1 - q) <= 4 * c * (1 - c)) by lra.
      destruct L as [L|L]; [left; apply ln_increasing; lra|rewrite L; lra].
    - replace (4 * (x / y) * (1 - x / y)) with (4 * x * (y - x) / (y * y)) by (field; lra). replace (4 * (x' / y') * (1 - x' / y')) with (/ (y' * y' / (4 * x' * (y' - x')))) by (field; lra).
      rewrite ln_Rinv by (apply Rdiv_lt_0_compat; repeat apply Rmult_lt_0_compat; lra). apply Rmult_le_reg_l with h; [lra|].
      replace (h * (g / h * ln (4 * x * (y - x) / (y * y)))) with (g * ln (4 * x * (y - x) / (y * y))) by (field; lra). lra. }
  pose proof (pair_line d (classes_given 2 G) (elements n s) (elements n t) (elements_features t) (elements_incl s t I) (x / y) (x' / y') (g / h) Q0 C0 C1 U1 Gaps) as P. cbv beta zeta in P.
  replace (1 - x / y) with ((y - x) / y) in P by (field; lra). replace (1 - x' / y') with ((y' - x') / y') in P by (field; lra).
  rewrite !ln_quotient in P by lra. rewrite ln_quotient in B1, B2, O1, O2 by lra.
  pose proof (risk_ge0 s) as Rs. pose proof (risk_ge0 t) as Rt. set (r := bayes_risk d (elements n s)) in *. set (r' := bayes_risk d (elements n t)) in *.
  apply (Rmult_le_compat_l g) in B1; [|lra]. apply (Rmult_le_compat_r r') in B2; [|exact Rt]. apply (Rmult_le_compat_l h) in B2; [|lra].
  assert (Falls : 1000000 * (g * (ln (y - x) - ln x) - h * (ln (y' - x') - ln x')) <= h * IZR fall).
  { apply (Rmult_le_compat_l g) in O1; [|lra]. apply (Rmult_le_compat_l h) in O2; [|lra]. lra. }
  apply (Rmult_le_compat_r r) in Falls; [|exact Rs]. apply (Rmult_le_compat_l (1000000 * h)) in P; [|lra].
  set (ls := left d (elements n s)) in *. set (lt := left d (elements n t)) in *.
  replace (1000000 * h * (g / h * - (ln (y - x) - ln y) + (g / h * (ln (y - x) - ln y - (ln x - ln y)) - (ln (y' - x') - ln y' - (ln x' - ln y'))) * r + (1 - g / h) * ls + (ln (y' - x') - ln y' - (ln x' - ln y')) * r'))
    with (1000000 * (g * (ln y - ln (y - x))) + 1000000 * (g * (ln (y - x) - ln x) - h * (ln (y' - x') - ln x')) * r + 1000000 * ((h - g) * ls) + h * (1000000 * (ln (y' - x') - ln x') * r')) in P by (field; lra).
  lra.
Qed.

Theorem curves_true facts : forallb (fits_curve n given) facts = true -> sat rho (And (map (said_curve n) facts)).
Proof.
  intros Q. rewrite forallb_forall in Q. apply sat_and; intros g Hg; apply in_map_iff in Hg as (f & <- & Hf). specialize (Q f Hf). clear Hf.
  destruct f; auto using log_classes_true, lower_log_true, fano_log_true, lower_true, fano_true, told_true, coin_true, pinsker_true, pair_true.
Qed.
End Facts.
