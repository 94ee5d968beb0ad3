(* Two classes: sums of risks, Gini impurities and entropies over a tree of subsets are above lines in the risk of no
   feature. A cover shows it, interval by interval of the posterior of the rarer class. *)
From Coq Require Import Reals ZArith QArith Qreals PArith NArith List Bool Lra Lia.
From FS Require Import Cases Sums Distributions EverySize Entropies States Curves Coins Gini Facts Convex.
Import ListNotations.
Open Scope R_scope.

(* A subset with its amounts of R, G and H(Y | S), and the trees of larger subsets. *)
Inductive amounts_tree := Node (s : N) (r g h : Z) (larger : forest) with forest := Leafless | Grow (t : amounts_tree) (rest : forest).
(* Why a tree is above a function of the posterior: all its curves are convex, or a cover shows a line [c + s p]. An
   interval of a cover has its right end v, the bounds of the larger subsets, and how the sum is seen to be at least 0
   there: whether G and H are replaced by their tangents, and where these touch. *)
Inductive bound_of := All_convex | Line (c s : Q) (cover : cover_of)
with cover_of := Covered | Piece (v : Q) (on_g on_h : bool) (x : Q) (bounds : bounds_of) (rest : cover_of)
with bounds_of := No_bound | Bound (b : bound_of) (rest : bounds_of).

(* The function c + s p + r min(p, 1 - p) + 2 g p (1 - p) + h H(p). *)
Record curve := Curve { c_ : Q; s_ : Q; m_ : Q; gg : Q; hh : Q }.
Definition at_curve k p := Q2R (c_ k) + Q2R (s_ k) * p + Q2R (m_ k) * Rmin p (1 - p) + bent (Q2R (gg k)) (Q2R (hh k)) p.
Definition sum_curve k l := Curve (c_ k + c_ l) (s_ k + s_ l) (m_ k + m_ l) (gg k + gg l) (hh k + hh l).
Definition own_curve r g h := Curve 0 0 (inject_Z r) (inject_Z g) (inject_Z h).
Definition line_curve c s := Curve c s 0 0 0.
Lemma at_sum k l p : at_curve (sum_curve k l) p = at_curve k p + at_curve l p.
Proof. unfold at_curve, sum_curve, bent; cbn [c_ s_ m_ gg hh]. rewrite !Q2R_plus. ring. Qed.
Lemma Q2R_Z z : Q2R (inject_Z z) = IZR z.
Proof. unfold Q2R, inject_Z; cbn [Qnum Qden]. field. Qed.
Lemma at_line c s p : at_curve (line_curve c s) p = Q2R c + Q2R s * p.
Proof. unfold at_curve, line_curve, bent; cbn [c_ s_ m_ gg hh]. rewrite RMicromega.Q2R_0. ring. Qed.
Lemma Qle_real a b : Qle_bool a b = true -> Q2R a <= Q2R b.
Proof. intros L. now apply Qle_Rle, Qle_bool_iff. Qed.
Lemma Qeq_real a b : Qeq_bool a b = true -> Q2R a = Q2R b.
Proof. intros L. now apply Qeq_eqR, Qeq_bool_iff. Qed.

(* Numbers that logarithms are at most. *)
Local Opaque fine_bound.
Definition table := list (Q * Z).
(* What exported files write. *)
Definition q_ (a : Z) (b : Pos.t) : Q := Qmake a b.
Definition log_at_most (a b : Pos.t) (u : Z) : Q * Z := (Qmake (Zpos a) b, u).
Definition table_fits (l : table) := forallb (fun one => match fst one with Qmake (Zpos a) b => fine_bound a b (snd one) | _ => false end) l.
Fixpoint log_above (l : table) (z : Q) : option Q :=
  match l with [] => None | (y, u) :: l => if Qeq_bool y z then Some (u # fine) else log_above l z end.
Lemma log_above_ok l z b : table_fits l = true -> log_above l z = Some b -> 0 < Q2R z /\ ln (Q2R z) <= Q2R b.
Proof.
  intros F. unfold table_fits in F. rewrite forallb_forall in F. induction l as [|[y u] l IH]; [discriminate|]. cbn [log_above].
  destruct (Qeq_bool y z) eqn:E.
  - intros Q. injection Q as <-. apply Qeq_real in E. rewrite <- E. specialize (F (y, u) (or_introl eq_refl)). cbn [fst snd] in F.
    destruct y as [[|a|a] w]; [discriminate F| |discriminate F]. pose proof (fine_bound_ok _ _ _ F) as F'. clear F. unfold Q2R; cbn [Qnum Qden]. change (IZR (Zpos fine)) with 1000000000000000000.
    split; [apply Rmult_lt_0_compat; [apply pos_real|apply Rinv_0_lt_compat, pos_real]|]. unfold Rdiv in F'. lra.
  - intros Q. apply IH; auto. intros one I. apply F. now right.
Qed.
Definition zero_Q a := Qeq_bool a 0.
(* A number below h times the cross entropy of p and y. *)
Definition part_below tbl (h p y : Q) : option Q :=
  if zero_Q p then Some 0%Q else
  if Qle_bool 0 h then option_map (fun u => - (h * p * u))%Q (log_above tbl y) else option_map (fun u => h * p * u)%Q (log_above tbl (/ y)%Q).
Definition cross_below tbl (h p y : Q) : option Q :=
  if zero_Q h then Some 0%Q else
  match part_below tbl h p y, part_below tbl h (1 - p)%Q (1 - y)%Q with Some a, Some b => Some (a + b)%Q | _, _ => None end.
Lemma part_below_ok tbl h p y a : table_fits tbl = true -> 0 <= Q2R p -> part_below tbl h p y = Some a -> Q2R a <= Q2R h * (Q2R p * - ln (Q2R y)).
Proof.
  intros F P. unfold part_below, zero_Q. destruct (Qeq_bool p 0) eqn:Z.
  - intros Q. injection Q as <-. apply Qeq_real in Z. rewrite Z, RMicromega.Q2R_0. right; ring.
  - destruct (Qle_bool 0 h) eqn:S.
    + destruct (log_above tbl y) as [u|] eqn:L; [|discriminate]. intros Q. injection Q as <-. apply (log_above_ok _ _ _ F) in L as [_ L].
      apply Qle_real in S. rewrite RMicromega.Q2R_0 in S. rewrite Q2R_opp, !Q2R_mult.
      pose proof (Rmult_le_compat_l (Q2R h * Q2R p) _ _ (Rmult_le_pos _ _ S P) L). lra.
    + destruct (log_above tbl (/ y)) as [u|] eqn:L; [|discriminate]. intros Q. injection Q as <-. apply (log_above_ok _ _ _ F) in L as [Y L].
      assert (N : ~ (y == 0)%Q). { intros E. rewrite (Qeq_eqR (/ y) 0) in Y; [rewrite RMicromega.Q2R_0 in Y; lra|]. rewrite E. reflexivity. }
      rewrite Q2R_inv in Y, L by exact N. assert (Y' : 0 < Q2R y) by (rewrite <- (Rinv_inv (Q2R y)); now apply Rinv_0_lt_compat).
      rewrite ln_Rinv in L by exact Y'. assert (H : Q2R h < 0).
      { rewrite <- RMicromega.Q2R_0. apply Qlt_Rlt. apply Qnot_le_lt. intros B. apply Qle_bool_iff in B. congruence. }
      rewrite !Q2R_mult. pose proof (Rmult_le_compat_l (- Q2R h * Q2R p) _ _ ltac:(apply Rmult_le_pos; lra) L). lra.
Qed.
Lemma Q2R_1 : Q2R 1 = 1.
Proof. unfold Q2R; simpl. field. Qed.
Lemma cross_below_ok tbl h p y a : table_fits tbl = true -> 0 <= Q2R p <= 1 -> cross_below tbl h p y = Some a -> Q2R a <= Q2R h * cross (Q2R p) (Q2R y).
Proof.
  intros F P. unfold cross_below, zero_Q. destruct (Qeq_bool h 0) eqn:Z.
  - intros Q. injection Q as <-. apply Qeq_real in Z. rewrite Z, RMicromega.Q2R_0. right; ring.
  - destruct (part_below tbl h p y) as [b|] eqn:B; [|discriminate]. destruct (part_below tbl h (1 - p) (1 - y)) as [e|] eqn:E; [|discriminate].
    intros Q. injection Q as <-. apply (part_below_ok _ _ _ _ _ F) in B; [|lra]. apply (part_below_ok _ _ _ _ _ F) in E; [|rewrite Q2R_minus, Q2R_1; lra].
    rewrite !Q2R_minus, !Q2R_1 in E. rewrite Q2R_plus. unfold cross. lra.
Qed.

(* Whether a curve is seen to be at least 0 from u to v. *)
Definition halfQ := (1 # 2)%Q.
Definition smooth k (v : Q) := if Qle_bool v halfQ then Curve (c_ k) (s_ k + m_ k) 0 (gg k) (hh k) else Curve (c_ k + m_ k) (s_ k - m_ k) 0 (gg k) (hh k).
Definition one_sided k u v := Qle_bool v halfQ || Qle_bool halfQ u || zero_Q (m_ k).
(* Whether h + 4 g q has a sign for all q = z (1 - z) from u to v. *)
Definition bends_at (up : bool) g h q := let z := (h + (4 # 1) * g * q)%Q in if up then Qle_bool z 0 else Qle_bool 0 z.
Definition bends (up : bool) g h u v := let ok := bends_at up g h in
  ok (u * (1 - u))%Q && ok (v * (1 - v))%Q && (Qle_bool v halfQ || Qle_bool halfQ u || ok (1 # 4)%Q).
Definition end_above tbl k (on_g on_h : bool) x p := match cross_below tbl (hh k) p (if on_h then x else p) with
  | Some a => Qle_bool 0 (c_ k + s_ k * p + (2 # 1) * gg k * (if on_g then x * (1 - x) + (1 - (2 # 1) * x) * (p - x) else p * (1 - p)) + a)%Q | None => false end.
Definition above tbl k u v (on_g on_h : bool) x :=
  let s := smooth k v in let only (b : bool) (a : Q) := if b then a else 0%Q in
  Qle_bool u x && Qle_bool x v && one_sided k u v && (zero_Q (only on_h (hh k)) || negb (Qle_bool x 0) && negb (Qle_bool 1 x))
    && bends true (only on_g (gg k)) (only on_h (hh k)) u v && bends false (only (negb on_g) (gg k)) (only (negb on_h) (hh k)) u v
    && end_above tbl s on_g on_h x u && end_above tbl s on_g on_h x v.
Lemma half_real : Q2R halfQ = 1 / 2.
Proof. unfold Q2R, halfQ; simpl. lra. Qed.
Ltac reals := repeat progress rewrite ?Q2R_plus, ?Q2R_minus, ?Q2R_mult, ?Q2R_1, ?RMicromega.Q2R_0, ?half_real in *; change (Q2R (1 # 4)) with (1 * / 4) in *; change (Q2R (4 # 1)) with (4 * / 1) in *; change (Q2R (2 # 1)) with (2 * / 1) in *.
Lemma affine_between g h a b q : a <= q <= b -> 0 <= h + 4 * g * a -> 0 <= h + 4 * g * b -> 0 <= h + 4 * g * q.
Proof. intros Q A B. destruct (Rle_or_lt 0 g) as [G|G]; [pose proof (Rmult_le_compat_l g a q G ltac:(lra))|pose proof (Rmult_le_compat_l (- g) q b ltac:(lra) ltac:(lra))]; lra. Qed.
Lemma bends_ok up g h u v z : bends up g h u v = true -> Q2R u <= z <= Q2R v -> 
  let w := Q2R h + 4 * Q2R g * (z * (1 - z)) in if up then w <= 0 else 0 <= w.
Proof.
  unfold bends. set (ok := bends_at up g h). cbv zeta. rewrite !andb_true_iff, !orb_true_iff. intros ((U & V) & M) Z.
  assert (Ok : forall q, ok q = true -> let sg := if up then -1 else 1 in 0 <= sg * Q2R h + 4 * (sg * Q2R g) * Q2R q).
  { intros q E. unfold ok, bends_at in E. cbv zeta in E. destruct up; apply Qle_real in E; reals; cbv zeta; lra. }
  enough (let sg := if up then -1 else 1 in 0 <= sg * Q2R h + 4 * (sg * Q2R g) * (z * (1 - z))) by (destruct up; cbv zeta in *; lra).
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
Lemma end_above_ok tbl k on_g on_h x p : table_fits tbl = true -> 0 <= Q2R p <= 1 -> end_above tbl k on_g on_h x p = true ->
  let only (b : bool) (a : Q) := if b then a else 0%Q in
  0 <= Q2R (s_ k) * Q2R p + Q2R (c_ k) + tangent (Q2R (only on_g (gg k))) (Q2R (only on_h (hh k))) (Q2R x) (Q2R p)
    + bent (Q2R (only (negb on_g) (gg k))) (Q2R (only (negb on_h) (hh k))) (Q2R p).
Proof.
  intros F P. unfold end_above. destruct (cross_below _ _ _ _) as [a|] eqn:E; [|discriminate]. intros L. apply Qle_real in L. apply (cross_below_ok _ _ _ _ _ F P) in E.
  unfold tangent, bent. replace (coin (Q2R p)) with (cross (Q2R p) (Q2R p)) by (unfold coin, cross; ring). cbv beta zeta. destruct on_g, on_h; cbn [negb] in *; cbv iota in *; reals; lra.
Qed.
Lemma above_ok tbl k u v on_g on_h x p : table_fits tbl = true -> 0 <= Q2R u -> Q2R v <= 1 -> above tbl k u v on_g on_h x = true -> Q2R u <= p <= Q2R v -> 0 <= at_curve k p.
Proof.
  intros F U V. unfold above. cbv zeta. rewrite !andb_true_iff. intros (((((((X1 & X2) & O) & X3) & C1) & C2) & E1) & E2) P. apply Qle_real in X1, X2.
  assert (Smooth : at_curve k p = Q2R (s_ (smooth k v)) * p + Q2R (c_ (smooth k v)) + bent (Q2R (gg k)) (Q2R (hh k)) p).
  { unfold at_curve, smooth. unfold one_sided in O. rewrite !orb_true_iff in O. destruct (Qle_bool v halfQ) eqn:H; cbn [c_ s_].
    - apply Qle_real in H. reals. rewrite Rmin_left by lra. ring.
    - destruct O as [[O|O]|O]; [congruence| |].
      + apply Qle_real in O. reals. rewrite Rmin_right by lra. ring.
      + apply Qeq_real in O. reals. rewrite O. ring. }
  assert (G : gg (smooth k v) = gg k /\ hh (smooth k v) = hh k) by (unfold smooth; destruct (Qle_bool v halfQ); split; reflexivity). destruct G as [G H].
  apply (end_above_ok _ _ _ _ _ _ F) in E1; [|lra]. apply (end_above_ok _ _ _ _ _ _ F) in E2; [|lra]. cbv zeta in E1, E2. rewrite G, H in E1, E2. rewrite Smooth.
  set (only := fun (b : bool) (a : Q) => if b then a else 0%Q) in *.
  assert (Split : bent (Q2R (gg k)) (Q2R (hh k)) p = bent (Q2R (only on_g (gg k))) (Q2R (only on_h (hh k))) p + bent (Q2R (only (negb on_g) (gg k))) (Q2R (only (negb on_h) (hh k))) p).
  { unfold bent, only. destruct on_g, on_h; cbn [negb]; reals; ring. }
  rewrite Split, <- Rplus_assoc.
  apply (above_between _ _ _ _ _ _ (Q2R x) (Q2R u) (Q2R v)); try assumption; try lra.
  - apply orb_prop in X3 as [X3|X3]; [left; apply Qeq_real in X3; reals; exact X3|right]. rewrite andb_true_iff, !negb_true_iff in X3. destruct X3 as [A B].
    assert (Lt : forall a b, Qle_bool a b = false -> Q2R b < Q2R a) by (intros a b N; apply Qlt_Rlt, Qnot_le_lt; intros Y; apply Qle_bool_iff in Y; congruence).
    apply Lt in A, B. reals. lra.
  - intros z Z. exact (bends_ok true _ _ u v z C1 Z).
  - intros z Z. exact (bends_ok false _ _ u v z C2 Z).
Qed.
