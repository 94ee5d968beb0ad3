(* The facts about Gini impurities that a proof may use, alone and beside risks. *)
From Coq Require Import Reals ZArith QArith Qreals PArith NArith List Bool Lra Lia.
From FS Require Import Cases Sums Maxima Distributions EverySize Entropies States Gini Facts Envelopes Trees.
Import ListNotations.
Open Scope R_scope.

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
  | Tree (t : amounts_tree) (c s : Z) (cover : cover_of) (logarithms : table).
(* The sum of a tree for a proof. *)
Fixpoint tree_ n t := match t with Node s r g h f =>
  Plus (Plus (Plus (Scale r (r_ s)) (Scale g (g_ n s))) (Scale h (left_ n s))) (forest_ n f) end
with forest_ n f := match f with Leafless => C 0 | Grow t f => Plus (tree_ n t) (forest_ n f) end.
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
  | Tree t c s _ _ => Le (Plus (C c) (Scale s (r_ 0))) (tree_ n t)
  end.
Definition fits_impurity n given f := match f with
  | GiniLess s t => small n s && small n t && N.eqb (N.land s t) s
  | GiniFloor s | GiniCeiling s | GiniAbove s | GiniBelow s _ _ => small n s
  | GiniCeilingOf k s => given_classes given k && small n s
  | GiniBelowOf k s _ _ => given_classes given k && negb (Pos.eqb k 1) && small n s
  | Gain s t a b => small n s && small n t && N.eqb (N.land s t) s && (0 <=? a)%Z && (a <=? Zpos b)%Z
  | GiniPair s t a b e => given_classes given 2 && small n s && small n t && N.eqb (N.land s t) s && (0 <=? a)%Z && (a <=? b)%Z && (2 * b <? Zpos e)%Z
  | Tree t c s cover l => given_classes given 2 && grows n 0 t && table_fits l && shown l t (inject_Z c) (inject_Z s) 0%Q cover
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
Lemma val_tree t : forall m, grows n m t = true -> val rho (tree_ n t) = sum_of d n t.
Proof.
  apply (tree_rec_ (fun t => forall m, grows n m t = true -> val rho (tree_ n t) = sum_of d n t) (fun f => forall m, all_grow n m f = true -> val rho (forest_ n f) = sums_of d n f)); clear t.
  - intros s r g h f IH m. cbn [grows tree_ val]. change (sum_of d n (Node s r g h f)) with (IZR r * bayes_risk d (set s) + IZR g * gini d (set s) + IZR h * left d (set s) + sums_of d n f). rewrite !andb_true_iff. intros ((Ss & _) & G).
    rewrite (IH s G), (at_risk d n rho (amount_risk d n rho has_n rho_amount) s Ss), (amount_gini d n rho has_n rho_amount s Ss), (at_left d n rho has_n rho_amount s Ss). reflexivity.
  - reflexivity.
  - intros t IHt f IHf m. cbn [all_grow forest_ val]. change (sums_of d n (Grow t f)) with (sum_of d n t + sums_of d n f). rewrite andb_true_iff. intros [G1 G2]. now rewrite (IHt m G1), (IHf m G2).
Qed.
Local Opaque shown table_fits.
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
  - destruct Q as (((K & Gr) & F) & Sh). rewrite (val_tree t 0%N Gr), Rk by (apply N.ltb_lt, N.neq_0_lt_0, N.pow_nonzero; lia). rewrite elements_none.
    pose proof (tree_above d n l t _ _ cover (count_of 2%positive K) has_n F Gr Sh) as B. now rewrite !Q2R_Z in B.
Qed.
End Facts.
