(* The facts and splits about the area under the curve, where e says that criterion j is the area, and e' that i is the
   balanced loss. *)
From Coq Require Import Reals ZArith PArith NArith List Bool Lra Lia.
From FS Require Import Cases Sums Distributions EverySize Entropies States Facts Polynomials Known Further PerState Balanced Ranking.
Import ListNotations.
Open Scope R_scope.
Local Obligation Tactic := idtac.
Notation is_area a j := (nth_error (criteria a) j = Some (auc (law a))).

(* For subsets s of t: the area of t is at least that of s. It is at most 1, and at least 1/2 without features. *)
Program Definition area_less a j (e : is_area a j) s t : known a := {|
  options := [Le (q_ a j s) (q_ a j t)]; checked := within a s t |}.
Next Obligation.
  cbn [sat]. intros a j e s t Q rho M. destruct (within_ok a s t Q) as (Ss & St & I). rewrite !(val_criterion a rho M j _ _ e) by assumption. now apply auc_less.
Qed.
Program Definition area_most a j (e : is_area a j) s : known a := {|
  options := [Le (q_ a j s) (C 1)]; checked := member a s |}.
Next Obligation. cbn [sat val]. intros a j e s Q rho M. rewrite (val_criterion a rho M j _ _ e Q). apply auc_at_most_1. Qed.
Program Definition area_blind a j (e : is_area a j) : known a := {|
  options := [Le (C 1) (Scale 2 (q_ a j 0))]; checked := true |}.
Next Obligation.
  cbn [sat val]. intros a j e _ rho M. rewrite (val_criterion a rho M j _ _ e (no_member a)). pose proof (auc_half (law a) (elements (width a) 0)). lra.
Qed.
(* Without features it is 1/2 or 1. Of two classes, both have a probability above 0, or one of them is certain. *)
Program Definition area_chance_or a j (e : is_area a j) : known a := {|
  options := [Eq (q_ a j 0) (Quot 1 2); Eq (q_ a j 0) (C 1)]; checked := true |}.
Next Obligation.
  cbn [sat val]. intros a j e _ rho M. rewrite (val_criterion a rho M j _ _ e (no_member a)), elements_none. destruct (auc_none (law a)) as [[E _]|[E _]]; lra.
Qed.
Definition of_two a := given_classes (given_count a) 2.
Lemma two_classes_of a rho : means a rho -> of_two a = true -> classes (law a) = 2%nat.
Proof. intros M. exact (classes_are a rho M 2). Qed.
Program Definition both_classes_or a j (e : is_area a j) : known a := {|
  options := [And [Lt (C 0) (r_ 0); Eq (q_ a j 0) (Quot 1 2)]; And [Eq (r_ 0) (C 0); Eq (q_ a j 0) (C 1)]]; checked := of_two a |}.
Next Obligation.
  cbn [sat val]. intros a j e Q rho M. rewrite (val_criterion a rho M j _ _ e (no_member a)), (val_risk a rho M 0 (no_member a)), elements_none.
  pose proof (both_or_one (law a) (two_classes_of a rho M Q)). tauto.
Qed.
(* Two classes. The area is 1 if and only if the risk is 0. [area_cut] is the tangent of 1 - 2 R^2 at the risk x/y. And the
   area is larger than without features if and only if s says anything about the class. *)
Program Definition area_certain_or a j (e : is_area a j) s : known a := {|
  options := [And [Lt (C 0) (r_ s); Lt (q_ a j s) (C 1)]; And [Eq (r_ s) (C 0); Eq (q_ a j s) (C 1)]]; checked := of_two a && member a s |}.
Next Obligation.
  cbn [sat val]. intros a j e s Q rho M. apply andb_prop in Q as [K Ss]. rewrite (val_criterion a rho M j _ _ e Ss), (val_risk a rho M s Ss).
  exact (auc_certain (law a) (two_classes_of a rho M K) _).
Qed.
Program Definition area_cut a j (e : is_area a j) s x y : known a := {|
  options := [Le (Plus (Scale (Zpos y * Zpos y) (q_ a j s)) (Scale (4 * x * Zpos y) (r_ s))) (C (Zpos y * Zpos y + 2 * x * x))];
  checked := of_two a && member a s |}.
Next Obligation.
  cbn [sat val]. intros a j e s x y Q rho M. apply andb_prop in Q as [K Ss]. rewrite (val_criterion a rho M j _ _ e Ss), (val_risk a rho M s Ss).
  pose proof (auc_by_risk (law a) (two_classes_of a rho M K) (elements (width a) s)) as U. set (r := bayes_risk _ _) in *. rewrite plus_IZR, !mult_IZR.
  pose proof (Rle_0_sqr (IZR (Zpos y) * r - IZR x)) as S. unfold Rsqr in S. apply (Rmult_le_compat_l (IZR (Zpos y) * IZR (Zpos y))) in U; [lra|]. apply Rmult_le_pos; apply IZR_le; lia.
Qed.
Program Definition area_cut_square a j (e : is_area a j) s : known a := {|
  options := [Le (Plus (q_ a j s) (Scale 2 (square_ a s))) (C 1)]; checked := of_two a && has_square a s |}.
Next Obligation.
  cbn [sat val]. intros a j e s Q rho M. apply andb_prop in Q as [K H]. destruct (val_square a rho M s H) as [_ ->].
  unfold has_square in H. apply andb_prop in H as [Ss _]. rewrite (val_criterion a rho M j _ _ e Ss).
  pose proof (auc_by_risk (law a) (two_classes_of a rho M K) (elements (width a) s)). lra.
Qed.
Program Definition area_informed_or a j (e : is_area a j) s : known a := {|
  options := let gained := Lt (left_ (width a) s) (left_ (width a) 0) in
    [And [Lt (q_ a j 0) (q_ a j s); gained]; And [Lt (q_ a j s) (q_ a j 0); gained]; And [Eq (q_ a j 0) (q_ a j s); Eq (left_ (width a) 0) (left_ (width a) s)]];
  checked := of_two a && member a s |}.
Next Obligation.
  cbn [sat]. intros a j e s Q rho M. apply andb_prop in Q as [K Ss]. rewrite !(val_criterion a rho M j _ _ e), !(val_left a rho M) by (exact Ss || exact (no_member a)).
  rewrite elements_none. pose proof (auc_informed (law a) (two_classes_of a rho M K) (elements (width a) s) (subset_features a rho M s)). tauto.
Qed.

(* Two classes, the area and the balanced loss B of s. The area is at least 1 - B/2. If both classes occur, it is at most
   1 - B^2/2. [area_corner] is the tangent at the loss x/y. If only one class occurs, both are 1, and so is the area without features. *)
Lemma area_and_loss a rho s : means a rho -> of_two a = true -> let area := auc (law a) (elements (width a) s) in let b := balanced_loss (law a) (elements (width a) s) in
  auc (law a) [] = 1 / 2 /\ 1 - b / 2 <= area <= 1 - b * b / 2 \/ auc (law a) [] = 1 /\ area = 1 /\ b = 1.
Proof.
  intros M K area b. set (d := law a) in *. pose proof (two_classes_of a rho M K) as two. fold d in two. set (V := elements (width a) s) in *.
  assert (P : prior d 1 = rate d) by (unfold prior, rate, hit; now rewrite two). destruct (auc_none d) as [[E N]|[E Z]]; [left|right]; (split; [exact E|]).
  - apply auc_by_loss; [exact N|]. rewrite two. cbn [Nat.sub]. destruct (both_classes d N) as [B _]. rewrite <- P in *. exact (balanced_of_two d two V B).
  - split; [now apply auc_of_one_class|]. apply (balanced_of_one d two). rewrite P. apply Rmult_integral in Z. destruct Z; [left|right]; lra.
Qed.
Program Definition area_rates a j (e : is_area a j) i (e' : is_balanced a i) s : known a := {|
  options := [Le (C 2) (Plus (Scale 2 (q_ a j s)) (q_ a i s))]; checked := of_two a && member a s |}.
Next Obligation.
  cbn [sat val]. intros a j e i e' s Q rho M. apply andb_prop in Q as [K S]. rewrite (val_criterion a rho M j _ _ e S), (val_criterion a rho M i _ _ e' S).
  destruct (area_and_loss a rho s M K) as [(_ & L & _)|(_ & -> & ->)]; lra.
Qed.
Program Definition area_corner a j (e : is_area a j) i (e' : is_balanced a i) s x y : known a := {|
  options := [Le (Plus (Scale (Zpos y * Zpos y) (q_ a j s)) (Scale (x * Zpos y) (q_ a i s)))
    (Plus (C (Zpos y * Zpos y + x * x - x * Zpos y)) (Scale (2 * x * Zpos y - x * x) (q_ a j 0)))];
  checked := of_two a && member a s |}.
Next Obligation.
  cbn [sat val]. intros a j e i e' s x y Q rho M. apply andb_prop in Q as [K S]. rewrite !(val_criterion a rho M j _ _ e), (val_criterion a rho M i _ _ e' S) by auto using no_member.
  rewrite elements_none. rewrite !minus_IZR, !plus_IZR, !mult_IZR. set (u := IZR x). set (v := IZR (Zpos y)). destruct (area_and_loss a rho s M K) as [(-> & _ & L)|(-> & -> & ->)]; [|lra].
  set (b := balanced_loss _ _) in *. apply (Rmult_le_compat_l (v * v)) in L; [|apply Rmult_le_pos; apply IZR_le; lia]. pose proof (Rle_0_sqr (v * b - u)) as Sq. unfold Rsqr in Sq. lra.
Qed.
Program Definition area_corner_square a j (e : is_area a j) i (e' : is_balanced a i) s : known a := {|
  options := [Le (Plus (Scale 2 (q_ a j s)) (product_form (start a) (products a) [q_ a i s; q_ a i s])) (Plus (C 1) (Scale 2 (q_ a j 0)))];
  checked := of_two a && member a s && product_fits (start a) (products a) [q_ a i s; q_ a i s] |}.
Next Obligation.
  cbn [sat val]. intros a j e i e' s Q rho M. apply andb_prop in Q as [Q F]. apply andb_prop in Q as [K S].
  rewrite (val_product (start a) (products a) rho (all_variables a rho M) (has_products a rho M) _ F). unfold times. cbn [fold_right].
  rewrite !(val_criterion a rho M j _ _ e), !(val_criterion a rho M i _ _ e' S) by auto using no_member. rewrite elements_none.
  destruct (area_and_loss a rho s M K) as [(-> & _ & L)|(-> & -> & ->)]; lra.
Qed.
