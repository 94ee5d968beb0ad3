(* Products of variables as further variables of a proof, and products of forms as forms of these. *)
From Coq Require Import Reals ZArith PArith NArith List Bool Lra Lia Classical.
From FS Require Import Cases Sums Maxima.
Import ListNotations.
Open Scope R_scope.

(* The terms of a product are variables before [start]; product j is variable [start + j]. *)
Definition variable (t : tm) : Pos.t := match t with V v => v | _ => 1%positive end.
Definition is_variable (start : N) (t : tm) : bool := match t with V v => (Pos.pred_N v <? start)%N | _ => false end.
Definition times rho (l : list tm) : R := fold_right (fun t x => val rho t * x) 1 l.

(* A polynomial is a sum of integers times monomials, and a monomial a list of variables. *)
Notation monomial := (list Pos.t).
Definition polynomial := list (monomial * Z).
Fixpoint put_in (v : Pos.t) (m : monomial) : monomial := match m with [] => [v] | w :: t => if (v <=? w)%positive then v :: m else w :: put_in v t end.
Definition sorted (m : monomial) : monomial := fold_right put_in [] m.
Definition multiplied (a b : polynomial) : polynomial := flat_map (fun x => map (fun y => (fst x ++ fst y, (snd x * snd y)%Z)) b) a.

Section Products.
Variables (start : N) (products : list (list tm)).
Definition factors (v : Pos.t) : monomial :=
  if (Pos.pred_N v <? start)%N then [v] else match nth_error products (N.to_nat (Pos.pred_N v - start)) with Some l => map variable l | None => [v] end.
Definition of_lin (l : lin) : polynomial := map (fun one => (if Pos.eqb (fst one) 1 then [] else factors (Pos.pred (fst one)), snd one)) l.
Fixpoint place (m : monomial) (l : list (list tm)) (j : N) : option N :=
  match l with [] => None | a :: t => if list_eq_dec Pos.eq_dec (sorted (map variable a)) m then Some j else place m t (N.succ j) end.
(* The variable that a monomial is. *)
Definition term_of (m : monomial) : option tm :=
  match m with [] => Some (C 1) | [v] => Some (V v) | _ => option_map (fun j => var (start + j)) (place (sorted m) products 0) end.
Fixpoint form_of (a : polynomial) : option tm :=
  match a with [] => Some (C 0) | (m, z) :: t => match term_of m, form_of t with Some x, Some y => Some (Plus (Scale z x) y) | _, _ => None end end.
(* Terms without fractions as polynomials, and their product as a sum of variables. *)
Definition whole (t : tm) : bool := Pos.eqb (fst (linear t)) 1.
Definition product_of_terms (l : list tm) : polynomial := fold_right (fun t => multiplied (of_lin (snd (linear t)))) [([], 1%Z)] l.
Definition product_form (l : list tm) : tm := match form_of (product_of_terms l) with Some t => t | None => C 0 end.
Definition product_fits (l : list tm) : bool := forallb whole l && match form_of (product_of_terms l) with Some _ => true | None => false end.

Variable rho : Pos.t -> R.
Hypothesis all_variables : forallb (forallb (is_variable start)) products = true.
Hypothesis rho_product : forall j l, nth_error products j = Some l -> val rho (var (start + N.of_nat j)) = times rho l.
Definition mval (m : monomial) : R := fold_right (fun v x => rho v * x) 1 m.
Definition pval (a : polynomial) : R := sum (fun one => IZR (snd one) * mval (fst one)) a.
Lemma mval_app a b : mval (a ++ b) = mval a * mval b.
Proof. unfold mval. induction a as [|v a IH]; cbn [fold_right app]; [ring|]. rewrite IH. ring. Qed.
Lemma mval_sorted m : mval (sorted m) = mval m.
Proof.
  induction m as [|v m IH]; [reflexivity|]. change (mval (put_in v (sorted m)) = rho v * mval m). rewrite <- IH. generalize (sorted m) as l. clear.
  induction l as [|w l IH]; [reflexivity|]. cbn [put_in]. destruct (v <=? w)%positive; [reflexivity|]. cbn [mval fold_right]. fold (mval (put_in v l)) (mval l). rewrite IH. ring.
Qed.
Lemma mval_variables l : forallb (is_variable start) l = true -> mval (map variable l) = times rho l.
Proof.
  unfold mval, times. induction l as [|t l IH]; cbn [forallb map fold_right]; [reflexivity|]. rewrite andb_true_iff. intros [Q1 Q2]. rewrite IH by exact Q2.
  destruct t; try discriminate. reflexivity.
Qed.
Lemma mval_factors v : mval (factors v) = rho v.
Proof.
  unfold factors. destruct (N.ltb_spec (Pos.pred_N v) start) as [_|L]; [cbn [mval fold_right]; ring|].
  destruct (nth_error products (N.to_nat (Pos.pred_N v - start))) as [l|] eqn:E; [|cbn [mval fold_right]; ring].
  pose proof (rho_product _ _ E) as R. rewrite mval_variables.
  - rewrite <- R. unfold var. cbn [val]. f_equal. rewrite N2Nat.id. replace (start + (Pos.pred_N v - start))%N with (Pos.pred_N v) by lia.
    enough (X : N.pos (N.succ_pos (Pos.pred_N v)) = N.pos v) by congruence. now rewrite N.succ_pos_spec, N.succ_pos_pred.
  - pose proof all_variables as A. rewrite forallb_forall in A. apply A. exact (nth_error_In _ _ E).
Qed.
Lemma pval_of_lin l : pval (of_lin l) = ev (up rho) l.
Proof.
  unfold pval, of_lin. rewrite sum_map. cbn [fst snd]. induction l as [|[v z] l IH]; [reflexivity|]. cbn [sum ev fst snd]. rewrite IH. do 2 f_equal. unfold at_, up.
  destruct (Pos.eqb_spec v 1) as [->|_]; [reflexivity|]. apply mval_factors.
Qed.
Lemma pval_multiplied a b : pval (multiplied a b) = pval a * pval b.
Proof.
  unfold pval, multiplied. rewrite sum_flat_map. induction a as [|[m z] a IH]; cbn [sum]; [ring|]. rewrite IH, sum_map. cbn [fst snd].
  assert (E : sum (fun y => IZR (z * snd y) * mval (m ++ fst y)) b = IZR z * mval m * sum (fun y => IZR (snd y) * mval (fst y)) b).
  { rewrite <- sum_scale. apply sum_ext; intros y _. rewrite mult_IZR, mval_app. ring. }
  rewrite E. ring.
Qed.
Lemma place_ok m : forall l j k, place m l j = Some k -> exists a, nth_error l (N.to_nat (k - j)) = Some a /\ sorted (map variable a) = m /\ (j <= k)%N.
Proof.
  induction l as [|a l IH]; intros j k; cbn [place]; [discriminate|]. destruct (list_eq_dec Pos.eq_dec (sorted (map variable a)) m) as [E|_].
  - intros Q. injection Q as <-. exists a. rewrite N.sub_diag. split; [reflexivity|split; [exact E|lia]].
  - intros Q. destruct (IH _ _ Q) as (b & B & E & L). exists b. replace (N.to_nat (k - j)) with (S (N.to_nat (k - N.succ j))) by lia. split; [exact B|split; [exact E|lia]].
Qed.
Lemma term_of_ok m t : term_of m = Some t -> val rho t = mval m.
Proof.
  assert (Long : option_map (fun j => var (start + j)) (place (sorted m) products 0) = Some t -> val rho t = mval m).
  { destruct (place (sorted m) products 0) as [k|] eqn:E; [|discriminate]. intros Q. cbn [option_map] in Q. injection Q as <-.
    destruct (place_ok _ _ _ _ E) as (a & A & S & _). rewrite N.sub_0_r in A. rewrite <- (mval_sorted m), <- S, mval_sorted, mval_variables.
    - rewrite <- (rho_product _ _ A), N2Nat.id. reflexivity.
    - pose proof all_variables as F. rewrite forallb_forall in F. apply F. exact (nth_error_In _ _ A). }
  destruct m as [|v [|w m]]; [|cbn [term_of]|exact Long].
  - intros Q. injection Q as <-. reflexivity.
  - intros Q. injection Q as <-. cbn [val mval fold_right]. ring.
Qed.
Lemma form_of_ok a : forall t, form_of a = Some t -> val rho t = pval a.
Proof.
  induction a as [|[m z] a IH]; cbn [form_of]; intros t.
  - intros Q. injection Q as <-. reflexivity.
  - destruct (term_of m) as [x|] eqn:E; [|discriminate]. destruct (form_of a) as [y|] eqn:F; [|discriminate]. intros Q. injection Q as <-.
    cbn [val]. rewrite (term_of_ok _ _ E), (IH y eq_refl). reflexivity.
Qed.
Theorem val_product l : product_fits l = true -> val rho (product_form l) = times rho l.
Proof.
  unfold product_fits, product_form. rewrite andb_true_iff. destruct (form_of (product_of_terms l)) as [t|] eqn:E; [|intros [_ Q]; discriminate].
  intros [W _]. rewrite (form_of_ok _ _ E). clear E t. unfold product_of_terms, times. induction l as [|t l IH]; cbn [forallb fold_right] in *.
  - unfold pval. cbn [sum fst snd mval fold_right]. ring.
  - rewrite andb_true_iff in W. destruct W as [W1 W2]. rewrite pval_multiplied, (IH W2), pval_of_lin. f_equal.
    pose proof (over_linear rho t) as O. unfold over in O. apply Pos.eqb_eq in W1. rewrite W1 in O. lra.
Qed.

(* Facts with a sign, and what is true of their product. *)
Definition denied (premise : rel * tm) : list fm := let (sign, f) := premise in
  match sign with Ge => [Lt f (C 0)] | Gt => [Le f (C 0)] | Ze => [Lt f (C 0); Lt (C 0) f] end.
Definition is_sign (a : rel) (premise : rel * tm) := match a, fst premise with Ge, Ge | Gt, Gt | Ze, Ze => true | _, _ => false end.
Definition product_said (l : list (rel * tm)) : fm :=
  let p := product_form (map snd l) in if existsb (is_sign Ze) l then Eq (C 0) p else if existsb (is_sign Ge) l then Le (C 0) p else Lt (C 0) p.
Theorem product_cases l : product_fits (map snd l) = true -> sat rho (Or (flat_map denied l ++ [product_said l])).
Proof.
  intros Q. apply sat_or. destruct (classic (exists f, In f (flat_map denied l) /\ sat rho f)) as [(f & Hf & S)|None].
  - exists f. split; [apply in_or_app; auto|exact S].
  - exists (product_said l). split; [apply in_or_app; right; left; reflexivity|].
    assert (N : forall one, In one l -> forall f, In f (denied one) -> ~ sat rho f) by (intros one H1 f Hf S; apply None; exists f; split; [apply in_flat_map; eauto|exact S]).
    assert (Signs : forall one, In one l -> match fst one with Ge => 0 <= val rho (snd one) | Gt => 0 < val rho (snd one) | Ze => val rho (snd one) = 0 end).
    { intros [[| |] f] H1; specialize (N _ H1); cbn [denied fst snd] in *.
      - specialize (N _ (or_introl eq_refl)). cbn [sat val] in N. lra.
      - specialize (N _ (or_introl eq_refl)). cbn [sat val] in N. lra.
      - pose proof (N _ (or_introl eq_refl)) as N1. specialize (N _ (or_intror (or_introl eq_refl))). cbn [sat val] in N, N1. lra. }
    unfold product_said. assert (P : forall g, g = times rho (map snd l) -> val rho (product_form (map snd l)) = g) by (intros g ->; now apply val_product).
    assert (Ge0 : 0 <= times rho (map snd l)).
    { unfold times. clear - Signs. induction l as [|one l IH]; cbn [map fold_right]; [lra|]. apply Rmult_le_pos; [|apply IH; intros; apply Signs; now right].
      specialize (Signs one (or_introl eq_refl)). destruct (fst one); lra. }
    destruct (existsb (is_sign Ze) l) eqn:Z0; [|destruct (existsb (is_sign Ge) l) eqn:G0]; cbn [sat val]; rewrite (P _ eq_refl).
    + apply existsb_exists in Z0 as (one & H1 & Z0). specialize (Signs one H1). unfold is_sign in Z0. destruct (fst one); try discriminate.
      clear - H1 Signs. unfold times. induction l as [|a l IH]; [destruct H1|]. cbn [map fold_right]. destruct H1 as [->|H1]; [rewrite Signs; ring|]. rewrite <- IH by exact H1. ring.
    + exact Ge0.
    + clear - Signs Z0 G0. unfold times. induction l as [|one l IH]; cbn [map fold_right]; [lra|]. cbn [existsb] in Z0, G0. apply orb_false_iff in Z0 as [Z1 Z0], G0 as [G1 G0].
      apply Rmult_lt_0_compat; [|apply IH; auto; intros; apply Signs; now right]. specialize (Signs one (or_introl eq_refl)). unfold is_sign in Z1, G1. destruct (fst one); try discriminate. exact Signs.
Qed.
Theorem square_at_least_0 a : product_fits [a; a] = true -> sat rho (Or [Le (C 0) (product_form [a; a])]).
Proof. intros Q. cbn [sat val]. rewrite val_product by exact Q. unfold times. cbn [fold_right]. pose proof (Rle_0_sqr (val rho a)) as S. unfold Rsqr in S. lra. Qed.
End Products.
