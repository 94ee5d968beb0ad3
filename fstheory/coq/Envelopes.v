(* Two classes: sums of risks, Gini impurities, entropies and cost-sensitive risks over a tree of subsets are above lines in
   the risk of no feature. A cover shows it, interval by interval of the posterior of one class. *)
From Coq Require Import Reals ZArith QArith Qreals PArith NArith List Bool Lra Lia.
From FS Require Import Cases Sums Distributions EverySize Entropies States Curves Coins Gini Facts Convex LogSums.
Import ListNotations.
Open Scope R_scope.

(* A subset with its amounts of R, G and H(Y | S), those of cost-sensitive risks by their costs, and the trees of larger
   subsets. The amounts but that of H are lists: the pair of a and z is a ln z, and a itself if z is 1. *)
Notation amount := (list (Z * Pos.t)).
Inductive amounts_tree := Node (s : N) (r g : amount) (h : Z) (costs : list (Q * amount)) (larger : forest) with forest := Leafless | Grow (t : amounts_tree) (rest : forest).
(* How a curve is seen to be at least 0 on an interval with the right end v: whether G and H are replaced by their
   tangents, and where these touch. *)
Definition seen_part : Type := Q * bool * bool * Q.
(* Why a tree is above a function of the posterior: all its curves are convex, or a cover shows a line [c + s p], or it has
   a single curve, which is convex on the interval of the cover. Then it is above its tangents at both ends of the interval,
   on the left and on the right. An interval of a cover has its right end v, the bounds of the larger subsets, and how the
   sum is seen to be at least 0 there. *)
Inductive bound_of := All_convex | Line (c s : number) (cover : cover_of) | Convex_here (left right : list seen_part)
with cover_of := Covered | Piece (v : Q) (on_g on_h : bool) (x : Q) (bounds : bounds_of) (rest : cover_of)
with bounds_of := No_bound | Bound (b : bound_of) (rest : bounds_of).
(* What exported files write. *)
Definition ratio_ (a : Z) (b : Pos.t) : Q := Qmake a b.
Definition whole_ (a : Z) (z : Pos.t) : Z * Pos.t := (a, z).
Definition part_ (a : Z) (b z : Pos.t) : Q * Pos.t := (Qmake a b, z).
Definition seen_ (v : Q) (on_g on_h : bool) (x : Q) : seen_part := (v, on_g, on_h, x).
Definition log_at_most (a b : Pos.t) (u : Z) : Q * Z := (Qmake (Zpos a) b, u).

Definition of_amount (a : amount) : number := map (fun one => (inject_Z (fst one), snd one)) a.
Definition opposite := scaled (-1 # 1).
Lemma real_opposite a : real (opposite a) = - real a.
Proof. unfold opposite. rewrite real_scaled. replace (Q2R (-1 # 1)) with (-1) by (unfold Q2R; simpl; field). ring. Qed.
(* The function c + s p + 2 g p (1 - p) + h H(p), and for each kink (t, a) a times the least of (1 - t) p and t (1 - p).
   So r min(p, 1 - p) is the kink (1/2, 2 r). *)
Record curve := Curve { c_ : number; s_ : number; kinks : list (Q * number); gg : number; hh : Q }.
Definition halfQ := (1 # 2)%Q.
Definition kink t p := Rmin ((1 - t) * p) (t * (1 - p)).
Definition at_kinks (l : list (Q * number)) p := sum (fun one => real (snd one) * kink (Q2R (fst one)) p) l.
Definition at_curve k p := real (c_ k) + real (s_ k) * p + at_kinks (kinks k) p + bent (real (gg k)) (Q2R (hh k)) p.
Definition sum_curve k l := Curve (c_ k ++ c_ l) (s_ k ++ s_ l) (kinks k ++ kinks l) (gg k ++ gg l) (hh k + hh l).
Definition own_curve r g h (costs : list (Q * amount)) :=
  Curve [] [] ((halfQ, scaled (2 # 1) (of_amount r)) :: map (fun one => (fst one, of_amount (snd one))) costs) (of_amount g) (inject_Z h).
Definition line_curve c s := Curve c s [] [] 0.
Lemma at_sum k l p : at_curve (sum_curve k l) p = at_curve k p + at_curve l p.
Proof. unfold at_curve, at_kinks, sum_curve, bent; cbn [c_ s_ kinks gg hh]. rewrite !real_app, Q2R_plus, sum_app. ring. Qed.
Lemma at_line c s p : at_curve (line_curve c s) p = real c + real s * p.
Proof. unfold at_curve, at_kinks, line_curve, bent; cbn [c_ s_ kinks sum gg hh]. rewrite !real_none, RMicromega.Q2R_0. ring. Qed.

(* h times the cross entropy of p and y. *)
Definition part_of (h p y : Q) : option number := if zero_Q p then Some [] else option_map (scaled (- (h * p))%Q) (log_number y).
Definition cross_of (h p y : Q) : option number :=
  if zero_Q h then Some [] else match part_of h p y, part_of h (1 - p)%Q (1 - y)%Q with Some a, Some b => Some (a ++ b) | _, _ => None end.
Lemma part_of_ok h p y a : part_of h p y = Some a -> real a = Q2R h * (Q2R p * - ln (Q2R y)).
Proof.
  unfold part_of, zero_Q. destruct (Qeq_bool p 0) eqn:Z.
  - intros Q. injection Q as <-. apply Qeq_real in Z. rewrite Z, RMicromega.Q2R_0, real_none. ring.
  - destruct (log_number y) as [b|] eqn:L; [|discriminate]. intros Q. injection Q as <-. apply real_log in L as [_ L].
    rewrite real_scaled, Q2R_opp, Q2R_mult, L. ring.
Qed.
Lemma cross_of_ok h p y a : cross_of h p y = Some a -> real a = Q2R h * cross (Q2R p) (Q2R y).
Proof.
  unfold cross_of, zero_Q. destruct (Qeq_bool h 0) eqn:Z.
  - intros Q. injection Q as <-. apply Qeq_real in Z. rewrite Z, RMicromega.Q2R_0, real_none. ring.
  - destruct (part_of h p y) as [b|] eqn:B; [|discriminate]. destruct (part_of h (1 - p) (1 - y)) as [e|] eqn:E; [|discriminate].
    intros Q. injection Q as <-. apply part_of_ok in B. apply part_of_ok in E.
    rewrite !Q2R_minus, !Q2R_1 in E. rewrite real_app, B, E. unfold cross. ring.
Qed.

(* Whether a curve is seen to be at least 0 from u to v. *)
Fixpoint put_kink t (a : number) (l : list (Q * number)) := match l with
  | [] => [(t, a)] | (y, b) :: l => if Qeq_bool y t then (y, a ++ b) :: l else (y, b) :: put_kink t a l end.
Definition merged (l : list (Q * number)) := fold_right (fun one => put_kink (fst one) (snd one)) [] l.
Definition straight v (l : list (Q * number)) : number * number := fold_right (fun (one : Q * number) (line : number * number) => let (t, a) := one in
  if Qle_bool v t then (fst line, scaled (1 - t)%Q a ++ snd line) else (scaled t a ++ fst line, scaled (- t)%Q a ++ snd line)) ([], []) l.
Definition smooth k (v : Q) := let line := straight v (merged (kinks k)) in Curve (c_ k ++ fst line) (s_ k ++ snd line) [] (gg k) (hh k).
Definition one_sided k u v := forallb (fun one => Qle_bool v (fst one) || Qle_bool (fst one) u || is_zero (snd one)) (merged (kinks k)).
(* Whether h + 4 g q has a sign for all q = z (1 - z) from u to v. *)
Definition bends_at tbl (up : bool) g h q := let z := const h ++ scaled ((4 # 1) * q)%Q g in at_least_0 tbl (if up then opposite z else z).
Definition bends tbl (up : bool) g h u v := let ok := bends_at tbl up g h in
  ok (u * (1 - u))%Q && ok (v * (1 - v))%Q && (Qle_bool v halfQ || Qle_bool halfQ u || ok (1 # 4)%Q).
Definition end_of k (on_g on_h : bool) x p : option number :=
  option_map (fun a => c_ k ++ scaled p (s_ k) ++ scaled ((2 # 1) * (if on_g then x * (1 - x) + (1 - (2 # 1) * x) * (p - x) else p * (1 - p)))%Q (gg k) ++ a)
    (cross_of (hh k) p (if on_h then x else p)).
Definition end_above tbl k (on_g on_h : bool) x p := match end_of k on_g on_h x p with Some a => at_least_0 tbl a | None => false end.
(* A part of a curve, or nothing of it. *)
Definition only (b : bool) (a : number) : number := if b then a else [].
Definition only_Q (b : bool) (a : Q) : Q := if b then a else 0%Q.
Definition above tbl k u v (on_g on_h : bool) x :=
  let s := smooth k v in
  Qle_bool u x && Qle_bool x v && one_sided k u v && (zero_Q (only_Q on_h (hh k)) || negb (Qle_bool x 0) && negb (Qle_bool 1 x))
    && bends tbl true (only on_g (gg k)) (only_Q on_h (hh k)) u v && bends tbl false (only (negb on_g) (gg k)) (only_Q (negb on_h) (hh k)) u v
    && end_above tbl s on_g on_h x u && end_above tbl s on_g on_h x v.
Lemma half_real : Q2R halfQ = 1 / 2.
Proof. unfold Q2R, halfQ; simpl. lra. Qed.
Ltac reals := repeat progress rewrite ?Q2R_plus, ?Q2R_minus, ?Q2R_mult, ?Q2R_1, ?RMicromega.Q2R_0, ?half_real, ?real_app, ?real_scaled, ?real_const, ?real_opposite, ?real_none in *;
  change (Q2R (1 # 4)) with (1 * / 4) in *; change (Q2R (4 # 1)) with (4 * / 1) in *; change (Q2R (2 # 1)) with (2 * / 1) in *.
Lemma affine_between g h a b q : a <= q <= b -> 0 <= h + 4 * g * a -> 0 <= h + 4 * g * b -> 0 <= h + 4 * g * q.
Proof. intros Q A B. destruct (Rle_or_lt 0 g) as [G|G]; [pose proof (Rmult_le_compat_l g a q G ltac:(lra))|pose proof (Rmult_le_compat_l (- g) q b ltac:(lra) ltac:(lra))]; lra. Qed.
Lemma bends_ok tbl up g h u v z : table_fits tbl = true -> bends tbl up g h u v = true -> Q2R u <= z <= Q2R v ->
  let w := Q2R h + 4 * real g * (z * (1 - z)) in if up then w <= 0 else 0 <= w.
Proof.
  intros F. unfold bends. set (ok := bends_at tbl up g h). cbv zeta. rewrite !andb_true_iff, !orb_true_iff. intros ((U & V) & M) Z.
  assert (Ok : forall q, ok q = true -> let sg := if up then -1 else 1 in 0 <= sg * Q2R h + 4 * (sg * real g) * Q2R q).
  { intros q E. unfold ok, bends_at in E. cbv zeta in E. apply (at_least_0_ok _ _ F) in E. destruct up; reals; cbv zeta; lra. }
  enough (let sg := if up then -1 else 1 in 0 <= sg * Q2R h + 4 * (sg * real g) * (z * (1 - z))) by (destruct up; cbv zeta in *; lra).
  apply Ok in U, V. cbv zeta in U, V |- *. set (sg := if up then -1 else 1) in *. reals.
  pose proof (Rle_0_sqr (z - 1 / 2)) as Sq. unfold Rsqr in Sq. destruct M as [[M|M]|M].
  - apply Qle_real in M. reals. pose proof (Rmult_le_pos (z - Q2R u) (1 - z - Q2R u) ltac:(lra) ltac:(lra)). pose proof (Rmult_le_pos (Q2R v - z) (1 - z - Q2R v) ltac:(lra) ltac:(lra)).
    eapply affine_between; [|exact U|exact V]. lra.
  - apply Qle_real in M. reals. pose proof (Rmult_le_pos (z - Q2R u) (z + Q2R u - 1) ltac:(lra) ltac:(lra)). pose proof (Rmult_le_pos (Q2R v - z) (z + Q2R v - 1) ltac:(lra) ltac:(lra)).
    eapply affine_between; [|exact V|exact U]. lra.
  - apply Ok in M. cbv zeta in M. fold sg in M. reals. destruct (Rle_or_lt z (1 / 2)) as [L|L].
    + pose proof (Rmult_le_pos (z - Q2R u) (1 - z - Q2R u)) as A. destruct (Rle_or_lt (Q2R u) (1 - z)); [|lra].
      eapply affine_between; [|exact U|exact M]. split; [|lra]. specialize (A ltac:(lra) ltac:(lra)). lra.
    + pose proof (Rmult_le_pos (Q2R v - z) (z + Q2R v - 1)) as A. eapply affine_between; [|exact V|exact M]. split; [|lra]. specialize (A ltac:(lra) ltac:(lra)). lra.
Qed.
Lemma end_of_ok k on_g on_h x p a : end_of k on_g on_h x p = Some a ->
  real a = real (s_ k) * Q2R p + real (c_ k) + tangent (real (only on_g (gg k))) (Q2R (only_Q on_h (hh k))) (Q2R x) (Q2R p)
    + bent (real (only (negb on_g) (gg k))) (Q2R (only_Q (negb on_h) (hh k))) (Q2R p).
Proof.
  unfold end_of. destruct (cross_of _ _ _) as [b|] eqn:E; [|discriminate]. intros L. injection L as <-. apply cross_of_ok in E.
  unfold tangent, bent. replace (coin (Q2R p)) with (cross (Q2R p) (Q2R p)) by (unfold coin, cross; ring). unfold only, only_Q. destruct on_g, on_h; cbn [negb] in *; cbv iota in *; reals; lra.
Qed.
Lemma end_above_ok tbl k on_g on_h x p : table_fits tbl = true -> end_above tbl k on_g on_h x p = true ->
  0 <= real (s_ k) * Q2R p + real (c_ k) + tangent (real (only on_g (gg k))) (Q2R (only_Q on_h (hh k))) (Q2R x) (Q2R p)
    + bent (real (only (negb on_g) (gg k))) (Q2R (only_Q (negb on_h) (hh k))) (Q2R p).
Proof.
  intros F. unfold end_above. destruct (end_of k on_g on_h x p) as [a|] eqn:E; [|discriminate]. intros L. apply (at_least_0_ok _ _ F) in L. now rewrite <- (end_of_ok _ _ _ _ _ _ E).
Qed.
Lemma at_merged l p : at_kinks (merged l) p = at_kinks l p.
Proof.
  assert (Put : forall t a m, at_kinks (put_kink t a m) p = real a * kink (Q2R t) p + at_kinks m p).
  { intros t a m. unfold at_kinks. induction m as [|[y b] m IH]; cbn [put_kink sum fst snd]; [ring|]. destruct (Qeq_bool y t) eqn:E; cbn [sum fst snd].
    - apply Qeq_real in E. rewrite E, real_app. ring.
    - rewrite IH. ring. }
  induction l as [|[t a] l IH]; [reflexivity|]. unfold merged in *. cbn [fold_right fst snd]. rewrite Put, IH. reflexivity.
Qed.
Lemma kink_left t p : p <= t -> kink t p = (1 - t) * p.
Proof. intros L. unfold kink. apply Rmin_left. lra. Qed.
Lemma kink_right t p : t <= p -> kink t p = t * (1 - p).
Proof. intros L. unfold kink. apply Rmin_right. lra. Qed.
Lemma straight_ok u v l p : forallb (fun one => Qle_bool v (fst one) || Qle_bool (fst one) u || is_zero (snd one)) l = true -> Q2R u <= p <= Q2R v ->
  at_kinks l p = real (fst (straight v l)) + real (snd (straight v l)) * p.
Proof.
  intros O P. unfold at_kinks, straight. induction l as [|[t a] l IH]; [unfold real; cbn; ring|]. cbn [forallb fst snd] in O. apply andb_prop in O as [O1 O2].
  cbn [sum fold_right fst snd]. rewrite (IH O2). rewrite !orb_true_iff in O1. destruct (Qle_bool v t) eqn:H; cbn [fst snd]; reals.
  - apply Qle_real in H. rewrite kink_left by lra. ring.
  - destruct O1 as [[O1|O1]|O1]; [congruence| |].
    + apply Qle_real in O1. rewrite kink_right by lra. rewrite Q2R_opp. ring.
    + apply is_zero_ok in O1. rewrite O1. ring.
Qed.
Lemma smooth_ok k u v p : one_sided k u v = true -> Q2R u <= p <= Q2R v -> at_curve k p = real (s_ (smooth k v)) * p + real (c_ (smooth k v)) + bent (real (gg k)) (Q2R (hh k)) p.
Proof.
  intros O P. unfold at_curve, smooth. cbn [c_ s_]. rewrite !real_app, <- (at_merged (kinks k)), (straight_ok u v _ p O P). ring.
Qed.
Lemma smooth_bends k v : gg (smooth k v) = gg k /\ hh (smooth k v) = hh k.
Proof. split; reflexivity. Qed.
Lemma above_ok tbl k u v on_g on_h x p : table_fits tbl = true -> 0 <= Q2R u -> Q2R v <= 1 -> above tbl k u v on_g on_h x = true -> Q2R u <= p <= Q2R v -> 0 <= at_curve k p.
Proof.
  intros F U V. unfold above. cbv zeta. rewrite !andb_true_iff. intros (((((((X1 & X2) & O) & X3) & C1) & C2) & E1) & E2) P. apply Qle_real in X1, X2.
  pose proof (smooth_ok k u v p O P) as Smooth. destruct (smooth_bends k v) as [G H].
  apply (end_above_ok _ _ _ _ _ _ F) in E1, E2. rewrite G, H in E1, E2. rewrite Smooth.
  assert (Split : bent (real (gg k)) (Q2R (hh k)) p = bent (real (only on_g (gg k))) (Q2R (only_Q on_h (hh k))) p + bent (real (only (negb on_g) (gg k))) (Q2R (only_Q (negb on_h) (hh k))) p).
  { unfold bent, only, only_Q. destruct on_g, on_h; cbn [negb]; reals; ring. }
  rewrite Split, <- Rplus_assoc.
  apply (above_between _ _ _ _ _ _ (Q2R x) (Q2R u) (Q2R v)); try assumption; try lra.
  - apply orb_prop in X3 as [X3|X3]; [left; apply Qeq_real in X3; reals; exact X3|right]. rewrite andb_true_iff, !negb_true_iff in X3. destruct X3 as [A B].
    assert (Lt : forall a b, Qle_bool a b = false -> Q2R b < Q2R a) by (intros a b N; apply Qlt_Rlt, Qnot_le_lt; intros Y; apply Qle_bool_iff in Y; congruence).
    apply Lt in A, B. reals. lra.
  - intros z Z. exact (bends_ok tbl true _ _ u v z F C1 Z).
  - intros z Z. exact (bends_ok tbl false _ _ u v z F C2 Z).
Qed.

(* A curve that is at least 0 from u to [stop], by intervals. *)
Fixpoint covered tbl k (u stop : Q) (l : list seen_part) : bool := match l with
  | [] => Qle_bool stop u | (v, on_g, on_h, x) :: l => Qle_bool v 1 && above tbl k u v on_g on_h x && covered tbl k v stop l end.
Lemma covered_ok tbl k stop l p : table_fits tbl = true -> forall u, 0 <= Q2R u -> covered tbl k u stop l = true -> Q2R u <= p <= Q2R stop -> p < Q2R stop \/ l <> [] -> 0 <= at_curve k p.
Proof.
  intros F. induction l as [|[[[v on_g] on_h] x] l IH]; intros u U; cbn [covered].
  - intros L P S. apply Qle_real in L. destruct S as [S|S]; [lra|congruence].
  - rewrite !andb_true_iff. intros ((V & A) & C) P S. apply Qle_real in V. rewrite Q2R_1 in V. destruct (Rle_or_lt p (Q2R v)) as [L|L].
    + exact (above_ok tbl k u v on_g on_h x p F U V A ltac:(lra)).
    + pose proof A as A'. unfold above in A'. cbv zeta in A'. rewrite !andb_true_iff in A'. destruct A' as (((((((X1 & X2) & _) & _) & _) & _) & _) & _). apply Qle_real in X1, X2.
      apply (IH v); [lra|exact C|lra|]. destruct l; [apply Qle_real in C; lra|right; discriminate].
Qed.
(* A curve that is convex from u to v, and above its tangents at u and at v elsewhere. *)
Definition less_tangent k v x : option curve := let s := smooth k v in match end_of s true true x 0, end_of s true true x 1 with
  | Some a, Some b => Some (sum_curve k (line_curve (opposite a) (a ++ opposite b))) | _, _ => None end.
Definition above_tangent tbl k v x u stop l := match less_tangent k v x with Some k => covered tbl k u stop l | None => false end.
Definition convex_here tbl k u v left right := one_sided k u v && bends tbl true (gg k) (hh k) u v
  && (Qle_bool u 0 || above_tangent tbl k v u 0 u left) && (Qle_bool 1 v || above_tangent tbl k v v v 1 right).
Definition slope_here k v p := real (s_ (smooth k v)) + (tangent (real (gg k)) (Q2R (hh k)) p 1 - tangent (real (gg k)) (Q2R (hh k)) p 0).
Definition line_here k v x q := real (s_ (smooth k v)) * q + real (c_ (smooth k v)) + tangent (real (gg k)) (Q2R (hh k)) x q.
Lemma line_here_straight k v x q : line_here k v x q = line_here k v x 0 + q * slope_here k v x.
Proof. unfold line_here, slope_here. rewrite (tangent_line _ _ x q). ring. Qed.
Lemma above_tangent_ok tbl k v x u stop l q : table_fits tbl = true -> 0 <= Q2R u -> above_tangent tbl k v x u stop l = true -> Q2R u <= q <= Q2R stop -> q < Q2R stop \/ l <> [] -> line_here k v (Q2R x) q <= at_curve k q.
Proof.
  intros F U. unfold above_tangent, less_tangent. destruct (end_of (smooth k v) true true x 0) as [a|] eqn:A; [|discriminate]. destruct (end_of (smooth k v) true true x 1) as [b|] eqn:B; [|discriminate].
  intros C Q S. pose proof (covered_ok _ _ _ _ q F u U C Q S) as P. apply end_of_ok in A, B. destruct (smooth_bends k v) as [G H]. rewrite G, H in A, B.
  cbn [only only_Q negb] in A, B. rewrite at_sum, at_line in P. unfold bent in A, B. reals.
  rewrite A, B in P. rewrite line_here_straight. unfold line_here, slope_here. lra.
Qed.
