(* A distribution with given integer weights, and claims about risks, probabilities and entropies that are decided there. *)
From Coq Require Import Reals ZArith Znumtheory PArith NArith List Bool Lra Lia.
From FS Require Import Cases Sums Maxima Distributions EverySize OneShape Logarithms Entropies.
Import ListNotations.
Open Scope R_scope.

(* The weights of the cells in the order of their states, the class last, over their total. *)
Fixpoint place (cs x : list nat) : nat :=
  match cs, x with c :: cs, i :: x => i * fold_right Nat.mul 1%nat cs + place cs x | _, _ => 0%nat end.
Definition weight_of cs k (ws : list Z) x y : Z := nth (place cs x * k + y) ws 0%Z.
Definition sum_Z {A} (f : A -> Z) (l : list A) : Z := fold_right (fun a s => (f a + s)%Z) 0%Z l.
Definition weights_fit cs k ws (T : Pos.t) : bool :=
  forallb (fun w => (0 <=? w)%Z) ws && (sum_Z (fun x => sum_Z (weight_of cs k ws x) (seq 0 k)) (states cs) =? Zpos T)%Z.
Lemma sum_IZR {A} (f : A -> Z) c l : sum (fun a => IZR (f a) * c) l = IZR (sum_Z f l) * c.
Proof. induction l as [|a t IH]; simpl; [lra|]. rewrite IH, plus_IZR. lra. Qed.
Lemma weight_ge0_of cs k ws x y : forallb (fun w => (0 <=? w)%Z) ws = true -> (0 <= weight_of cs k ws x y)%Z.
Proof.
  intros Q. unfold weight_of. destruct (nth_in_or_default (place cs x * k + y) ws 0%Z) as [I|E]; [|lia].
  rewrite forallb_forall in Q. apply Z.leb_le, Q, I.
Qed.
Definition with_weights cs k ws T (fit : weights_fit cs k ws T = true) : dist.
Proof.
  refine {| sizes := cs; classes := k; p := fun x y => IZR (weight_of cs k ws x y) * / IZR (Zpos T) |};
    apply andb_prop in fit as [Q S].
  - intros x y. apply Rmult_le_pos; [apply IZR_le, weight_ge0_of, Q|left; apply Rinv_0_lt_compat, pos_real].
  - rewrite (sum_ext _ (fun x => IZR (sum_Z (weight_of cs k ws x) (seq 0 k)) * / IZR (Zpos T))) by (intros; apply sum_IZR).
    rewrite sum_IZR. apply Z.eqb_eq in S. rewrite S. apply Rinv_r, not_zero.
Defined.


(* Exact numbers: (d, l) is l / d, where l is a sum of integers times logarithms of integers. In place of the logarithm of
   1, which is 0, variable 1 is the number 1. *)
Definition num := (Pos.t * lin)%type.
Definition logs (v : Pos.t) : R := ln (IZR (Zpos (Pos.succ v))).
Definition real (a : num) : R := over logs a.
Definition whole (z : Z) (q : Pos.t) : num := (q, [(1%positive, z)]).
Definition times (z : Z) (q : Pos.t) (a : num) : num := ((q * fst a)%positive, addm z (snd a) []).
(* Adds z times the logarithm of v. *)
Definition add_log (z : Z) (v : Pos.t) (l : lin) : lin := if Pos.eqb v 1 then l else ins v z l.
Lemma real_whole z q : real (whole z q) = IZR z / IZR (Zpos q).
Proof. unfold real, over, whole; cbn [fst snd ev]. rewrite at_one. field. apply not_zero. Qed.
Lemma real_times z q a : real (times z q a) = IZR z / IZR (Zpos q) * real a.
Proof. destruct a as [d l]; unfold real, over, times; cbn [fst snd]. rewrite ev_addm, Pos2Z.inj_mul, mult_IZR; cbn [ev]. field. split; apply not_zero. Qed.
Lemma at_log v : v <> 1%positive -> at_ (up logs) v = ln (IZR (Zpos v)).
Proof. intros N. unfold at_, up, logs. destruct (Pos.eqb_spec v 1); [contradiction|]. now rewrite Pos.succ_pred. Qed.
Lemma ev_add_log z v l : ev (up logs) (add_log z v l) = IZR z * ln (IZR (Zpos v)) + ev (up logs) l.
Proof.
  unfold add_log. destruct (Pos.eqb_spec v 1) as [->|N]; [rewrite ln_1; ring|]. now rewrite ev_ins, at_log.
Qed.

(* The same number in lowest terms. *)
Definition divisor (a : num) : Z := fold_right (fun t g => Z.gcd (snd t) g) (Zpos (fst a)) (snd a).
Definition tidy (a : num) : num := let g := divisor a in
  (Z.to_pos (Zpos (fst a) / g), map (fun t => (fst t, (snd t / g)%Z)) (filter (fun t => negb (snd t =? 0)%Z) (snd a))).
Lemma divisor_divides a : (divisor a | Zpos (fst a))%Z /\ forall t, In t (snd a) -> (divisor a | snd t)%Z.
Proof.
  destruct a as [d l]; unfold divisor; cbn [fst snd]. induction l as [|q l [IH1 IH2]]; cbn [fold_right]; [split; [apply Z.divide_refl|intros _ []]|].
  split; [eapply Z.divide_trans; [apply Z.gcd_divide_r|exact IH1]|]. intros t [<-|Ht]; [apply Z.gcd_divide_l|].
  eapply Z.divide_trans; [apply Z.gcd_divide_r|auto].
Qed.
Lemma divisor_pos a : (0 < divisor a)%Z.
Proof.
  destruct (divisor_divides a) as [D _]. enough (0 <= divisor a)%Z by (destruct (Z.eq_dec (divisor a) 0) as [E|]; [rewrite E in D; destruct D as [c D]; lia|lia]).
  destruct a as [d l]; unfold divisor; cbn [fst snd]. destruct l; [simpl; lia|apply Z.gcd_nonneg].
Qed.
Lemma real_tidy a : real (tidy a) = real a.
Proof.
  pose proof (divisor_pos a) as P. destruct (divisor_divides a) as [D1 D2]. unfold tidy. set (g := divisor a) in *. clearbody g.
  destruct a as [d l]; cbn [fst snd] in *. apply Zdivide_Zdiv_eq in D1; [|exact P]. assert (P' : (0 < Zpos d / g)%Z) by nia.
  assert (E : IZR g * ev (up logs) (map (fun t => (fst t, (snd t / g)%Z)) (filter (fun t => negb (snd t =? 0)%Z) l)) = ev (up logs) l).
  { clear D1 P'. induction l as [|[v z] l IH]; [simpl; ring|].
    cbn [filter snd ev]. rewrite <- IH by (intros; apply D2; right; auto). destruct (Z.eqb_spec z 0) as [->|_]; cbn [negb map ev fst snd]; [ring|].
    specialize (D2 (v, z) (or_introl eq_refl)). apply Zdivide_Zdiv_eq in D2; [|exact P]. cbn [snd] in D2. rewrite D2 at 2. rewrite mult_IZR. ring. }
  unfold real, over; cbn [fst snd]. rewrite Z2Pos.id by exact P'. rewrite <- E. set (q := (Zpos d / g)%Z) in *. clearbody q. rewrite D1, mult_IZR.
  field. split; apply Rgt_not_eq, IZR_lt; assumption.
Qed.

(* The sign of a number: a sum of logarithms is that of a quotient of two integers, its powers and those of its opposite. *)
Definition constant (l : lin) : Z := fold_right (fun t s => if Pos.eqb (fst t) 1 then (snd t + s)%Z else s) 0%Z l.
Definition power (sign : Z) (l : lin) : Pos.t := fold_right (fun t n =>
  if Pos.eqb (fst t) 1 then n else match (sign * snd t)%Z with Zpos e => (Pos.pow (fst t) e * n)%positive | _ => n end) 1%positive l.
Definition sign (a : num) : option comparison :=
  let l := snd a in let z := constant l in let n := power 1 l in let m := power (-1) l in let u := (2 ^ 20)%positive in
  if (z =? 0)%Z then Some (Pos.compare n m)
  else if Pos.eqb n m then Some (Z.compare z 0)
  else if ln_at_most n m (- z * Zpos u - 1) u then Some Datatypes.Lt
  else if ln_at_most m n (z * Zpos u - 1) u then Some Datatypes.Gt else None.
Definition has_sign (x : R) (c : comparison) := match c with Datatypes.Lt => x < 0 | Datatypes.Eq => x = 0 | Datatypes.Gt => 0 < x end.
Lemma ln_power v e : ln (IZR (Zpos (v ^ e))) = IZR (Zpos e) * ln (IZR (Zpos v)).
Proof.
  rewrite Pos2Z.inj_pow, <- (positive_nat_Z e), <- pow_IZR, <- INR_IZR_INZ. rewrite <- Rpower_pow by apply pos_real. unfold Rpower. now rewrite ln_exp.
Qed.
Lemma ev_power l : ev (up logs) l = IZR (constant l) + ln (IZR (Zpos (power 1 l))) - ln (IZR (Zpos (power (-1) l))).
Proof.
  induction l as [|[v z] l IH]; [simpl; rewrite ln_1; ring|]. cbn [ev constant power fold_right fst snd]. fold (constant l) (power 1 l) (power (-1) l). rewrite IH.
  destruct (Pos.eqb_spec v 1) as [->|N]; [rewrite at_one, plus_IZR; ring|]. rewrite at_log by exact N.
  destruct z as [|e|e]; cbn [Z.mul Z.opp]; rewrite ?Pos2Z.inj_mul, ?mult_IZR, ?ln_mult, ?ln_power by apply pos_real; rewrite ?Pos.mul_1_l; [ring|ring|].
  change (Z.neg e) with (- Z.pos e)%Z. rewrite opp_IZR. ring.
Qed.
Lemma ln_apart n m : ln (IZR (Zpos n) / IZR (Zpos m)) = ln (IZR (Zpos n)) - ln (IZR (Zpos m)).
Proof. unfold Rdiv. rewrite ln_mult, ln_Rinv by auto using pos_real, Rinv_0_lt_compat. ring. Qed.
Lemma divided_sign x q c : has_sign x c -> has_sign (x / IZR (Zpos q)) c.
Proof.
  pose proof (Rinv_0_lt_compat _ (pos_real q)) as P. unfold Rdiv. destruct c; cbn [has_sign]; intros H.
  - rewrite H. ring.
  - rewrite <- (Rmult_0_l (/ IZR (Zpos q))). now apply Rmult_lt_compat_r.
  - now apply Rmult_lt_0_compat.
Qed.
Lemma sign_ok a c : sign a = Some c -> has_sign (real a) c.
Proof.
  destruct a as [d l]. intros Q. apply divided_sign. cbn [fst snd] in *. rewrite ev_power. revert Q. unfold sign; cbn [fst snd]; cbv zeta. set (u := (2 ^ 20)%positive). pose proof (pos_real u) as U.
  generalize (power 1 l) (power (-1) l) (constant l). intros n m z Q.
  destruct (Z.eqb_spec z 0) as [E|NZ].
  { subst z. injection Q as <-. destruct (Pos.compare_spec n m) as [->|L|L]; cbn [has_sign].
    - ring.
    - assert (ln (IZR (Zpos n)) < ln (IZR (Zpos m))) by (apply ln_increasing; [apply pos_real|now apply IZR_lt]). lra.
    - assert (ln (IZR (Zpos m)) < ln (IZR (Zpos n))) by (apply ln_increasing; [apply pos_real|now apply IZR_lt]). lra. }
  destruct (Pos.eqb_spec n m) as [->|_].
  { injection Q as <-. destruct (Z.compare_spec z 0) as [E|L|L]; cbn [has_sign]; [contradiction|apply IZR_lt in L; lra|apply IZR_lt in L; lra]. }
  destruct (ln_at_most n m _ u) eqn:A; [injection Q as <-|destruct (ln_at_most m n _ u) eqn:B; [injection Q as <-|discriminate]]; cbn [has_sign].
  - apply ln_at_most_ok in A. rewrite ln_apart, minus_IZR, mult_IZR, opp_IZR in A.
    assert ((- IZR z * IZR (Zpos u) - 1) / IZR (Zpos u) = - IZR z - / IZR (Zpos u)) by (field; lra). pose proof (Rinv_0_lt_compat _ U). lra.
  - apply ln_at_most_ok in B. rewrite ln_apart, minus_IZR, mult_IZR in B.
    assert ((IZR z * IZR (Zpos u) - 1) / IZR (Zpos u) = IZR z - / IZR (Zpos u)) by (field; lra). pose proof (Rinv_0_lt_compat _ U). lra.
Qed.
Definition compare (a b : num) : option comparison := sign (tidy (join (-1) a b)).
Lemma compare_ok a b c : compare a b = Some c -> has_sign (real a - real b) c.
Proof.
  intros Q. apply sign_ok in Q. rewrite real_tidy in Q. unfold real in Q. rewrite over_join in Q. unfold real. replace (over logs a - over logs b) with (over logs a + IZR (-1) * over logs b) by ring. exact Q.
Qed.
(* The greatest of some numbers, as in [maximum]. *)
Fixpoint largest (l : list (option num)) : option num :=
  match l with
  | [] => Some (whole 0 1) | [a] => a
  | a :: t => match a, largest t with
    | Some a, Some m => option_map (fun c => match c with Datatypes.Lt => m | _ => a end) (compare a m) | _, _ => None end
  end.
Lemma largest_cons a b t : largest (a :: b :: t) = match a, largest (b :: t) with
  | Some a, Some m => option_map (fun c => match c with Datatypes.Lt => m | _ => a end) (compare a m) | _, _ => None end.
Proof. reflexivity. Qed.
Lemma largest_ok l : forall xs m, Forall2 (fun x o => forall a, o = Some a -> x = real a) xs l -> largest l = Some m -> maximum xs = real m.
Proof.
  induction l as [|o [|o' t] IH]; intros xs m H Q; inversion H as [|x ? xs' ? Hx Ht]; subst.
  - injection Q as <-. rewrite real_whole. simpl. field.
  - inversion Ht; subst. apply Hx, Q.
  - inversion Ht as [|x' ? xs'' ? Hx' Ht']; subst. rewrite maximum_cons. rewrite largest_cons in Q.
    destruct o as [a|]; [|discriminate]. destruct (largest (o' :: t)) as [b|] eqn:L; [|discriminate]. rewrite (Hx a eq_refl), (IH _ b Ht eq_refl).
    destruct (compare a b) as [c|] eqn:C; [|discriminate]. apply compare_ok in C.
    destruct c; cbn [has_sign option_map] in C, Q; injection Q as <-; [rewrite Rmax_left by lra; reflexivity|rewrite Rmax_right by lra; reflexivity|rewrite Rmax_left by lra; reflexivity].
Qed.
(* A number as a quotient of integers, if no logarithm is left. *)
Definition rational (a : num) : option (Z * Pos.t) :=
  let a := tidy a in match snd a with [] => Some (0%Z, 1%positive) | [(1%positive, z)] => Some (z, fst a) | _ => None end.
Lemma rational_ok a z q : rational a = Some (z, q) -> real a = IZR z / IZR (Zpos q).
Proof.
  unfold rational. rewrite <- (real_tidy a). destruct (tidy a) as [d l]; cbn [fst snd]. unfold real, over; cbn [fst snd].
  destruct l as [|[[v|v|] y] [|]]; try discriminate; intros Q; injection Q as <- <-; cbn [ev]; rewrite ?at_one; field; try apply not_zero.
Qed.
(* a * b, where one of them is rational; a / b, where b is; and the logarithm and the square root of a rational. *)
Definition product (a b : num) : option num :=
  match rational a, rational b with Some (z, q), _ => Some (times z q b) | _, Some (z, q) => Some (times z q a) | _, _ => None end.
Definition quotient (a b : num) : option num :=
  match rational b with
  | Some (Z0, _) => Some (whole 0 1) | Some (Zpos z, q) => Some (times (Zpos q) z a) | Some (Zneg z, q) => Some (times (Zneg q) z a) | None => None end.
Definition logarithm (a : num) : option num :=
  match rational a with Some (Zpos z, q) => Some (1%positive, add_log 1 z (add_log (-1) q [])) | _ => None end.
Definition root (a : num) : option num :=
  match rational a with
  | Some (z, q) => let s := Z.sqrt z in let r := Pos.sqrt q in if ((0 <=? z) && (s * s =? z) && (Zpos r * Zpos r =? Zpos q))%Z then Some (whole s r) else None
  | None => None end.
Lemma product_ok a b c : product a b = Some c -> real c = real a * real b.
Proof.
  unfold product. destruct (rational a) as [[z q]|] eqn:A; [|destruct (rational b) as [[z q]|] eqn:B; [|discriminate]]; intros Q; injection Q as <-; rewrite real_times.
  - now rewrite (rational_ok a z q A).
  - rewrite (rational_ok b z q B). ring.
Qed.
Lemma quotient_ok a b c : quotient a b = Some c -> real c = real a / real b.
Proof.
  unfold quotient. destruct (rational b) as [[z q]|] eqn:B; [|discriminate]. rewrite (rational_ok b z q B). destruct z as [|z|z]; intros Q; injection Q as <-.
  - rewrite real_whole. unfold Rdiv. rewrite !Rmult_0_l, Rinv_0. ring.
  - rewrite real_times. field. split; apply not_zero.
  - rewrite real_times. change (Z.neg z) with (- Zpos z)%Z. change (Z.neg q) with (- Zpos q)%Z. rewrite !opp_IZR. pose proof (not_zero z). pose proof (not_zero q). field. lra.
Qed.
Lemma logarithm_ok a c : logarithm a = Some c -> real c = ln (real a).
Proof.
  unfold logarithm. destruct (rational a) as [[[|z|z] q]|] eqn:A; try discriminate. rewrite (rational_ok a _ q A). intros Q; injection Q as <-.
  rewrite ln_apart. unfold real, over; cbn [fst snd]. rewrite !ev_add_log. cbn [ev]. field.
Qed.
Lemma root_ok a c : root a = Some c -> real c = sqrt (real a).
Proof.
  unfold root. destruct (rational a) as [[z q]|] eqn:A; [|discriminate]. rewrite (rational_ok a z q A).
  destruct (((0 <=? z) && _ && _)%Z) eqn:E; [|discriminate]. rewrite !andb_true_iff in E. destruct E as ((P & E) & F). apply Z.leb_le in P. apply Z.eqb_eq in E, F.
  intros Q; injection Q as <-. rewrite real_whole. apply (f_equal IZR) in E, F. rewrite mult_IZR in E, F. rewrite <- E, <- F. symmetry.
  apply IZR_le in P. pose proof (pos_real (Pos.sqrt q)) as R0. pose proof (IZR_le _ _ (Z.sqrt_nonneg z)) as S0.
  revert R0 S0. generalize (IZR (Z.sqrt z)) (IZR (Zpos (Pos.sqrt q))). intros s r R0 S0.
  replace (s * s / (r * r)) with ((s / r) * (s / r)) by (field; lra). apply sqrt_square.
  apply Rmult_le_pos; [exact S0|left; now apply Rinv_0_lt_compat].
Qed.

(* The terms of claims, and what they mean at a distribution. *)
Inductive term := Whole (z : Z) | Ratio (z : Z) (q : Pos.t) | Risk (S : list nat) | Chance (s : list (option nat)) (y : option nat)
  | Entropy (S : list nat) | Joint (S : list nat) | Sum (a b : term) | Difference (a b : term) | Product (a b : term)
  | Quotient (a b : term) | Log (a : term) | Root (a : term) | Largest (l : list term) | Smallest (l : list term).
Section Terms.
Variable P : term -> Prop.
Hypotheses (leaf : forall t, match t with Whole _ | Ratio _ _ | Risk _ | Chance _ _ | Entropy _ | Joint _ => P t | _ => True end)
  (two : forall a b, P a -> P b -> P (Sum a b) /\ P (Difference a b) /\ P (Product a b) /\ P (Quotient a b))
  (one : forall a, P a -> P (Log a) /\ P (Root a)) (some : forall l, Forall P l -> P (Largest l) /\ P (Smallest l)).
Fixpoint term_rec' (t : term) : P t :=
  let all := fix all l : Forall P l := match l with [] => Forall_nil _ | t :: l => Forall_cons _ (term_rec' t) (all l) end in
  match t with
  | Sum a b => proj1 (two a b (term_rec' a) (term_rec' b)) | Difference a b => proj1 (proj2 (two a b (term_rec' a) (term_rec' b)))
  | Product a b => proj1 (proj2 (proj2 (two a b (term_rec' a) (term_rec' b)))) | Quotient a b => proj2 (proj2 (proj2 (two a b (term_rec' a) (term_rec' b))))
  | Log a => proj1 (one a (term_rec' a)) | Root a => proj2 (one a (term_rec' a))
  | Largest l => proj1 (some l (all l)) | Smallest l => proj2 (some l (all l)) | t => leaf t
  end.
End Terms.
Fixpoint means d (t : term) : R :=
  match t with
  | Whole z => IZR z | Ratio z q => IZR z / IZR (Zpos q) | Risk fs => bayes_risk d fs | Chance s y => probability d s y
  | Entropy fs => entropy d fs | Joint fs => joint_entropy d fs | Sum a b => means d a + means d b | Difference a b => means d a - means d b
  | Product a b => means d a * means d b | Quotient a b => means d a / means d b | Log a => ln (means d a) | Root a => sqrt (means d a)
  | Largest l => maximum (map (means d) l) | Smallest l => minimum (map (means d) l) end.

(* Their values at given weights. *)
Section Values.
Variables (cs : list nat) (k : nat) (ws : list Z) (T : Pos.t) (fit : weights_fit cs k ws T = true).
Definition here := with_weights cs k ws T fit.
Definition count_at (S : list nat) s y : Z := sum_Z (fun x => weight_of cs k ws x y) (filter (fun x => same_state (project (mem S) x) s) (states cs)).
Fixpoint most_Z (l : list Z) : Z := match l with [] => 0 | [a] => a | a :: t => Z.max a (most_Z t) end.
Definition right_guesses (S : list nat) : Z := sum_Z (fun s => most_Z (map (count_at S s) (seq 0 k))) (states (keep (mem S) cs)).
Definition count_of (s : list (option nat)) (y : option nat) : Z :=
  sum_Z (fun x => match y with Some y => weight_of cs k ws x y | None => sum_Z (weight_of cs k ws x) (seq 0 k) end) (filter (matches s) (states cs)).
Definition cell_weight c : Z := weight_of cs k ws (firstn (length cs) c) (nth (length cs) c 0%nat).
Definition alike_weight (V : list nat) c : Z := sum_Z cell_weight (filter (alike V c) (states (cs ++ [k]))).
Definition mean_of_logs (V : list nat) : lin := fold_right (fun c l =>
  match cell_weight c with Zpos w => add_log (- Zpos w) (Z.to_pos (alike_weight V c)) (add_log (Zpos w) T l) | _ => l end) [] (states (cs ++ [k])).
Fixpoint calc (t : term) : option num :=
  let both f a b := match calc a, calc b with Some a, Some b => f a b | _, _ => None end in
  option_map tidy match t with
  | Whole z => Some (whole z 1) | Ratio z q => Some (whole z q) | Risk fs => Some (whole (Zpos T - right_guesses fs) T)
  | Chance s y => Some (whole (count_of s y) T) | Entropy fs => Some (T, mean_of_logs fs) | Joint fs => Some (T, mean_of_logs (fs ++ [length cs]))
  | Sum a b => both (fun a b => Some (join 1 a b)) a b | Difference a b => both (fun a b => Some (join (-1) a b)) a b
  | Product a b => both product a b | Quotient a b => both quotient a b
  | Log a => match calc a with Some a => logarithm a | None => None end | Root a => match calc a with Some a => root a | None => None end
  | Largest l => largest (map calc l) | Smallest l => option_map (times (-1) 1) (largest (map (option_map (times (-1) 1)) (map calc l))) end.
Lemma most_IZR l : maximum (map (fun z => IZR z * / IZR (Zpos T)) l) = IZR (most_Z l) * / IZR (Zpos T).
Proof.
  induction l as [|a [|b t] IH]; [simpl; ring|reflexivity|]. cbn [map]. rewrite maximum_cons. cbn [map] in IH. rewrite IH. change (most_Z (a :: b :: t)) with (Z.max a (most_Z (b :: t))).
  pose proof (Rinv_0_lt_compat _ (pos_real T)). destruct (Z.max_spec a (most_Z (b :: t))) as [[L ->]|[L ->]].
  - apply Rmax_right, Rmult_le_compat_r; [lra|]. apply IZR_le. lia.
  - apply Rmax_left, Rmult_le_compat_r; [lra|]. now apply IZR_le.
Qed.
Lemma risk_here S : bayes_risk here S = real (whole (Zpos T - right_guesses S) T).
Proof.
  rewrite bayes_risk_closed, real_whole, minus_IZR. unfold closed_risk, right_guesses. cbn [sizes here with_weights].
  rewrite (sum_ext _ (fun s => IZR (most_Z (map (count_at S s) (seq 0 k))) * / IZR (Zpos T))).
  - rewrite sum_IZR. field. apply not_zero.
  - intros s _. rewrite <- most_IZR, map_map. f_equal. apply map_ext. intros y. apply sum_IZR.
Qed.
Lemma chance_here s y : probability here s y = real (whole (count_of s y) T).
Proof.
  rewrite real_whole. unfold Rdiv. unfold count_of. rewrite <- sum_IZR. apply sum_ext; intros x _. destruct y; [reflexivity|]. apply sum_IZR.
Qed.
Lemma cell_weight_ge0 c : (0 <= cell_weight c)%Z.
Proof. apply weight_ge0_of. now apply andb_prop in fit as [Q _]. Qed.
Lemma alike_here V c : chance here V c = IZR (alike_weight V c) * / IZR (Zpos T).
Proof. apply sum_IZR. Qed.
Lemma logs_here V : mean_log here V = real (T, mean_of_logs V).
Proof.
  unfold real, over; cbn [fst snd]. apply Rmult_eq_reg_r with (IZR (Zpos T)); [|apply not_zero]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by apply not_zero.
  unfold mean_log, mean_of_logs. assert (I : incl (cells here) (states (cs ++ [k]))) by apply incl_refl. change (cells here) with (states (cs ++ [k])) in *.
  revert I. generalize (states (cs ++ [k])) at 1 3 4. intros l; induction l as [|c l IH]; intros I; [simpl; ring|]. cbn [sum fold_right].
  rewrite Rmult_plus_distr_r, IH by (intros e He; apply I; right; exact He). clear IH.
  change (weight here c) with (IZR (cell_weight c) * / IZR (Zpos T)). pose proof (cell_weight_ge0 c) as W.
  assert (A : (cell_weight c <= alike_weight V c)%Z).
  { apply le_IZR. apply Rmult_le_reg_r with (/ IZR (Zpos T)); [apply Rinv_0_lt_compat, pos_real|]. rewrite <- alike_here. apply (chance_weight here V c), I. left; auto. }
  destruct (cell_weight c) as [|w|w]; [ring| |lia]. rewrite !ev_add_log, alike_here. rewrite Z2Pos.id by lia. change (IZR (alike_weight V c) * / IZR (Zpos T)) with (IZR (alike_weight V c) / IZR (Zpos T)).
  destruct (alike_weight V c) as [|u|u]; [lia| |lia]. rewrite ln_apart. change (- Zpos w)%Z with (Z.neg w). change (Z.neg w) with (- Zpos w)%Z. rewrite opp_IZR. field. apply not_zero.
Qed.
Theorem calc_ok t : forall a, calc t = Some a -> means here t = real a.
Proof.
  assert (Tidy : forall o x, (forall a, o = Some a -> x = real a) -> forall a, option_map tidy o = Some a -> x = real a).
  { intros [b|] x H a Q; [|discriminate]. injection Q as <-. rewrite real_tidy. now apply H. }
  assert (Join : forall z a b, real (join z a b) = real a + IZR z * real b) by (intros; apply over_join).
  assert (Known : forall l, Forall (fun t => forall a, calc t = Some a -> means here t = real a) l ->
    Forall2 (fun x o => forall a, o = Some a -> x = real a) (map (means here) l) (map calc l)) by (intros l H; induction H; simpl; auto).
  revert t. apply (term_rec' (fun t => forall a, calc t = Some a -> means here t = real a)); [intros t|intros a b IHa IHb; split; [|split; [|split]]|intros a IH; split|intros l IH; split];
    try (intros c; cbn [calc means]; apply Tidy; intros; destruct (calc a) as [x|]; [|discriminate]; destruct (calc b) as [y|]; [|discriminate];
      rewrite (IHa x eq_refl), (IHb y eq_refl)).
  - destruct t; auto; intros a; cbn [calc means]; apply Tidy; intros x Q; injection Q as <-.
    + rewrite real_whole. field.
    + symmetry. apply real_whole.
    + apply risk_here.
    + apply chance_here.
    + apply logs_here.
    + apply logs_here.
  - injection H as <-. rewrite Join. ring.
  - injection H as <-. rewrite Join. ring.
  - symmetry. now apply product_ok.
  - symmetry. now apply quotient_ok.
  - intros c; cbn [calc means]; apply Tidy; intros b Q. destruct (calc a) as [x|]; [|discriminate]. rewrite (IH x eq_refl). symmetry. now apply logarithm_ok.
  - intros c; cbn [calc means]; apply Tidy; intros b Q. destruct (calc a) as [x|]; [|discriminate]. rewrite (IH x eq_refl). symmetry. now apply root_ok.
  - intros c; cbn [calc means]; apply Tidy; intros b Q. apply (largest_ok (map calc l)); auto.
  - intros c; cbn [calc means]; apply Tidy; intros b Q. destruct (largest (map (option_map (times (-1) 1)) (map calc l))) as [m|] eqn:L; [|discriminate].
    injection Q as <-. rewrite real_times. unfold minimum. rewrite (largest_ok (map (option_map (times (-1) 1)) (map calc l)) (map (fun a => -1 * a) (map (means here) l)) m); [field| |exact L].
    specialize (Known l IH). clear - Known. induction Known as [|x o xs os H1 H2]; cbn [map]; constructor; auto.
    intros a Q. destruct o as [b|]; [|discriminate]. injection Q as <-. rewrite real_times, (H1 b eq_refl). field.
Qed.

(* Whether a computation shows that a claim is true, or that it is false. Its variables are terms. *)
Definition compared (vs : list (option num)) (a b : tm) : option comparison :=
  match a, b with
  | V v, V w => match nth (Pos.to_nat v - 1) vs None, nth (Pos.to_nat w - 1) vs None with Some a, Some b => compare a b | _, _ => None end
  | _, _ => None end.
Fixpoint shows (vs : list (option num)) (yes : bool) (f : fm) : bool :=
  match f with
  | Lt a b => match compared vs a b with Some Datatypes.Lt => yes | Some _ => negb yes | None => false end
  | Le a b => match compared vs a b with Some Datatypes.Gt => negb yes | Some _ => yes | None => false end
  | Eq a b => match compared vs a b with Some Datatypes.Eq => yes | Some _ => negb yes | None => false end
  | And l => if yes then forallb (shows vs true) l else existsb (shows vs false) l
  | Or l => if yes then existsb (shows vs true) l else forallb (shows vs false) l
  | Not f => shows vs (negb yes) f | Imp f g => if yes then shows vs false f || shows vs true g else shows vs true f && shows vs false g
  | Iff f g => shows vs true f && shows vs yes g || shows vs false f && shows vs (negb yes) g
  end.
Variable ts : list term.
Definition given (v : Pos.t) : R := means here (nth (Pos.to_nat v - 1) ts (Whole 0)).
Lemma compared_ok a b c : compared (map calc ts) a b = Some c -> has_sign (val given a - val given b) c.
Proof.
  assert (Value : forall v a, nth (Pos.to_nat v - 1) (map calc ts) None = Some a -> given v = real a).
  { intros v x Q. apply calc_ok. rewrite <- Q. destruct (Nat.lt_ge_cases (Pos.to_nat v - 1) (length ts)) as [L|G].
    - rewrite <- (map_nth calc). apply nth_indep. now rewrite map_length.
    - rewrite nth_overflow in Q by (now rewrite map_length). discriminate. }
  destruct a as [v|?|? ?|? ?|? ?|? ?|? ? ?], b as [w|?|? ?|? ?|? ?|? ?|? ? ?]; try discriminate. cbn [compared val].
  destruct (nth _ _ None) as [x|] eqn:X; [|discriminate]. destruct (nth (Pos.to_nat w - 1) _ None) as [y|] eqn:Y; [|discriminate].
  intros Q. rewrite (Value v x X), (Value w y Y). now apply compare_ok.
Qed.
Lemma shows_ok f : forall yes, shows (map calc ts) yes f = true -> if yes then sat given f else ~ sat given f.
Proof.
  induction f as [a b|a b|a b|l IH|l IH|f IH|f g IHf IHg|f g IHf IHg] using fm_rec'; intros yes; cbn [shows].
  1-3: destruct (compared _ a b) as [c|] eqn:C; [|discriminate]; apply compared_ok in C; cbn [sat]; destruct c, yes; cbn [has_sign negb] in *; try discriminate; intros _; lra.
  - rewrite Forall_forall in IH. destruct yes.
    + intros Q. rewrite forallb_forall in Q. apply sat_and; intros f Hf. exact (IH f Hf true (Q f Hf)).
    + intros Q N. apply existsb_exists in Q as (f & Hf & Q). rewrite sat_and in N. exact (IH f Hf false Q (N f Hf)).
  - rewrite Forall_forall in IH. destruct yes.
    + intros Q. apply existsb_exists in Q as (f & Hf & Q). apply sat_or. exists f; split; [exact Hf|]. exact (IH f Hf true Q).
    + intros Q N. rewrite forallb_forall in Q. apply sat_or in N as (f & Hf & N). exact (IH f Hf false (Q f Hf) N).
  - intros Q. specialize (IH (negb yes) Q). destruct yes; cbn [negb sat] in *; tauto.
  - pose proof (IHf true). pose proof (IHf false). pose proof (IHg true). pose proof (IHg false). clear IHf IHg. cbn [sat]. cbv iota in *.
    destruct yes; rewrite ?orb_true_iff, ?andb_true_iff; tauto.
  - pose proof (IHf true). pose proof (IHf false). pose proof (IHg true). pose proof (IHg false). clear IHf IHg. cbn [sat]. cbv iota in *.
    destruct yes; cbn [negb]; rewrite ?orb_true_iff, ?andb_true_iff; tauto.
Qed.
End Values.

(* What the exported files use. *)
Theorem at_weights cs k ws T fit ts f : shows (map (calc cs k ws T) ts) true f = true -> sat (given cs k ws T fit ts) f.
Proof. apply (shows_ok cs k ws T fit ts f true). Qed.
