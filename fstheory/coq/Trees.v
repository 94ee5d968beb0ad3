(* The mean of a tree of subsets, given the posterior of the rarer class in a state, is above what its bounds show. *)
From Coq Require Import Reals ZArith QArith Qreals PArith NArith List Bool Lra Lia.
From FS Require Import Cases Sums Distributions EverySize Entropies States Curves Coins Gini Facts Convex LogSums Envelopes.
Import ListNotations.
Open Scope R_scope.

(* The sum of all curves of a tree, if it is convex, and that of each tree in it. *)
Definition is_convex tbl k := forallb (fun one => at_least_0 tbl (opposite (snd one))) (merged (kinks k)) && bends tbl true (gg k) (hh k) 0 1.
Fixpoint own tbl t := match t with Node s r g h costs f =>
  match owns tbl f with Some k => let l := sum_curve (own_curve r g h costs) k in if is_convex tbl l then Some l else None | None => None end end
with owns tbl f := match f with Leafless => Some (line_curve [] [])
  | Grow t f => match own tbl t, owns tbl f with Some k, Some l => Some (sum_curve k l) | _, _ => None end end.
Definition subset t := match t with Node s _ _ _ _ _ => s end.
Definition larger t := match t with Node _ _ _ _ _ f => f end.
Definition curve_at t := match t with Node _ r g h costs _ => own_curve r g h costs end.
(* A curve that a tree is above by a bound, between u and v, and whether a cover from u on shows a line. If [half] is true, the posterior
   without features is at most 1/2. *)
Fixpoint least (half : bool) (tbl : table) u v t (b : bound_of) : option curve := match b with
  | All_convex => own tbl t
  | Convex_here before after => match t with Node _ r g h costs Leafless => if convex_here tbl (own_curve r g h costs) u v before after then Some (own_curve r g h costs) else None | _ => None end
  | Line c s cover => if shown half tbl t c s 0%Q cover then Some (line_curve c s) else None end
with shown (half : bool) (tbl : table) t (c s : number) (u : Q) (cover : cover_of) : bool := match cover with
  | Covered => Qle_bool 1 u || half && N.eqb (subset t) 0 && Qle_bool halfQ u
  | Piece v on_g on_h x bs rest => match leasts half tbl u v (larger t) bs with
    | Some k => Qle_bool u v && Qle_bool v 1 && above tbl (sum_curve (sum_curve (curve_at t) k) (line_curve (opposite c) (opposite s))) u v on_g on_h x && shown half tbl t c s v rest
    | None => false end end
with leasts (half : bool) (tbl : table) u v (f : forest) (bs : bounds_of) : option curve := match bs, f with
  | No_bound, Leafless => Some (line_curve [] [])
  | Bound b bs, Grow t f => match least half tbl u v t b, leasts half tbl u v f bs with Some k, Some l => Some (sum_curve k l) | _, _ => None end
  | _, _ => None end.
(* Subsets grow along a tree. *)
Fixpoint grows n (within : N) t := match t with Node s _ _ _ _ f => small n s && N.eqb (N.land within s) within && all_grow n s f end
with all_grow n within f := match f with Leafless => true | Grow t f => grows n within t && all_grow n within f end.

Section Means.
Variable d : dist.
Hypothesis two : classes d = 2%nat.
Variable c : nat.
Hypothesis c_class : In c (labels d).
Notation phi V x := (post d V x c).
Lemma two_labels : labels d = [0; 1]%nat.
Proof. unfold labels. now rewrite two. Qed.
Lemma phi_01 V x : In x (omega d) -> 0 < px d x -> 0 <= phi V x <= 1.
Proof.
  intros Hx P. split; [now apply post_ge0|]. rewrite <- (total_post d V x Hx P). apply sum_term; [intros; now apply post_ge0|exact c_class].
Qed.
Lemma by_phi V x : In x (omega d) -> 0 < px d x ->
  1 - top d V x = Rmin (phi V x) (1 - phi V x) /\ 1 - squares d V x = 2 * (phi V x * (1 - phi V x)) /\ surprise d V x = coin (phi V x).
Proof.
  intros Hx P. pose proof (total_post d V x Hx P) as T. pose proof (post_top d V x 0%nat) as T0. pose proof (post_top d V x 1%nat) as T1. destruct (guess_ok d V x) as [Hg Eg].
  pose proof c_class as C. unfold squares, surprise, coin. rewrite two_labels in *. cbn [sum In] in *. specialize (T0 ltac:(auto)). specialize (T1 ltac:(auto)).
  set (a := post d V x 0%nat) in *. set (b := post d V x 1%nat) in *. assert (B : b = 1 - a) by lra.
  assert (M : 1 - top d V x = Rmin a b) by (destruct Hg as [G|[G|[]]]; rewrite <- G in Eg; unfold Rmin; destruct (Rle_dec a b); fold a b in Eg; lra).
  destruct C as [<-|[<-|[]]]; fold a b.
  - rewrite M, B. split; [reflexivity|]. split; ring.
  - rewrite M, B. replace (1 - (1 - a)) with a by ring. split; [apply Rmin_comm|]. split; ring.
Qed.
Definition mean (f : list nat -> R) := sum (fun x => px d x * f x) (omega d).
Definition seen V (w : list nat -> R) := forall x x', In x (omega d) -> In x' (omega d) -> alike V x x' = true -> w x = w x'.
Lemma mean_below f g : (forall x, In x (omega d) -> 0 < px d x -> f x <= g x) -> mean f <= mean g.
Proof. apply mean_le. Qed.
Lemma mean_same f g : (forall x, In x (omega d) -> 0 < px d x -> f x = g x) -> mean f = mean g.
Proof. intros E. apply Rle_antisym; apply mean_below; intros x Hx P; rewrite (E x Hx P); lra. Qed.
Lemma mean_plus f g : mean (fun x => f x + g x) = mean f + mean g.
Proof. unfold mean. rewrite <- sum_plus. apply sum_ext; intros; ring. Qed.
Lemma seen_more S T w : incl S T -> seen S w -> seen T w.
Proof. intros I W x x' Hx Hx' A. apply W; auto. exact (alike_less S T x x' I A). Qed.
(* The posterior given T has the mean of the posterior given S, also with weights that S sees. *)
Lemma tower S T w : incl S T -> seen S w -> mean (fun x => w x * phi T x) = mean (fun x => w x * phi S x).
Proof.
  intros I W. set (f := fun x y => if Nat.eqb c y then w x else 0).
  assert (One : forall V x, sum (fun y => post d V x y * f x y) (labels d) = w x * phi V x).
  { intros V x. unfold f. rewrite (sum_ext _ (fun y => if Nat.eqb c y then w x * phi V x else 0)).
    - apply (sum_one Nat.eqb Nat.eqb_eq); [apply seq_NoDup|exact c_class].
    - intros y _. destruct (Nat.eqb_spec c y) as [<-|_]; ring. }
  unfold mean. rewrite (sum_ext _ (fun x => px d x * sum (fun y => post d T x y * f x y) (labels d))) by (intros; now rewrite One).
  rewrite (sum_ext (fun x => px d x * (w x * phi S x)) (fun x => px d x * sum (fun y => post d S x y * f x y) (labels d))) by (intros; now rewrite One).
  rewrite <- (mean_by_states d T f), <- (mean_by_states d S f); [reflexivity|..]; intros x x' y Hx Hx' A; unfold f.
  - now rewrite (W x x' Hx Hx' A).
  - now rewrite (seen_more S T w I W x x' Hx Hx' A).
Qed.
Lemma phi_seen V : seen V (fun x => phi V x).
Proof. intros x x' _ _ A. now apply post_alike. Qed.

Variable n : nat.
Notation at_ s x := (phi (elements n s) x).
Fixpoint total_at t x := match t with Node s r g h costs f => at_curve (own_curve r g h costs) (at_ s x) + totals_at f x end
with totals_at f x := match f with Leafless => 0 | Grow t f => total_at t x + totals_at f x end.
(* On average, where S is known, f is above a function of the posterior there. *)
Definition over (S : N) (f : list nat -> R) k := forall w, (forall x, 0 <= w x) -> seen (elements n S) w ->
  mean (fun x => w x * at_curve k (at_ S x)) <= mean (fun x => w x * f x).
Lemma over_sum S f g k l : over S f k -> over S g l -> over S (fun x => f x + g x) (sum_curve k l).
Proof.
  intros F G w W Sw. rewrite (mean_same _ (fun x => w x * at_curve k (at_ S x) + w x * at_curve l (at_ S x))) by (intros; rewrite at_sum; ring).
  rewrite (mean_same (fun x => w x * (f x + g x)) (fun x => w x * f x + w x * g x)) by (intros; ring).
  rewrite !mean_plus. specialize (F w W Sw). specialize (G w W Sw). lra.
Qed.
Lemma over_0 S : over S (fun _ => 0) (line_curve [] []).
Proof. intros w W Sw. right. apply mean_same. intros. rewrite at_line, !real_none. ring. Qed.
Lemma over_own S t : over S (fun x => at_curve (curve_at t) (at_ S x)) (curve_at t).
Proof. intros w W Sw. lra. Qed.
Hypothesis has_n : length (sizes d) = n.
(* A line, or a convex curve, passes from T to S. *)
Lemma line_passes S T f a b : N.land S T = S -> over T f (line_curve a b) -> over S f (line_curve a b).
Proof.
  intros I O w W Sw. pose proof (elements_incl n S T I) as In_. eapply Rle_trans; [|apply O; [exact W|exact (seen_more _ _ w In_ Sw)]].
  rewrite (mean_same _ (fun x => real a * w x + real b * (w x * at_ S x))) by (intros; rewrite at_line; ring).
  rewrite (mean_same (fun x => w x * at_curve (line_curve a b) (at_ T x)) (fun x => real a * w x + real b * (w x * at_ T x))) by (intros; rewrite at_line; ring).
  rewrite !mean_plus. right. f_equal.
  assert (Sc : forall V, mean (fun x => real b * (w x * at_ V x)) = real b * mean (fun x => w x * at_ V x)) by (intros V; unfold mean; rewrite <- sum_scale; apply sum_ext; intros; ring).
  rewrite !Sc. f_equal. symmetry. now apply tower.
Qed.
Lemma ends_stay S T x : incl S T -> In x (omega d) -> 0 < px d x -> phi S x = 0 \/ phi S x = 1 -> phi T x = phi S x.
Proof.
  intros I Hx P.
  assert (Zero : forall y, post d S x y = 0 -> post d T x y = 0).
  { intros y E. pose proof (tot_px d S x Hx) as Q. pose proof (Rinv_0_lt_compat (tot d S x) ltac:(lra)) as Q'. unfold post, Rdiv in E.
    apply Rmult_integral in E as [E|E]; [|lra]. unfold post. replace (mass d T x y) with 0; [unfold Rdiv; ring|]. apply Rle_antisym; [apply mass_ge0|].
    rewrite <- E. apply sum_le; intros z Hz. destruct (alike T x z) eqn:A; [rewrite (alike_less S T x z I A); lra|]. destruct (alike S x z); [apply nonneg|lra]. }
  intros [E|E]; [rewrite E; now apply Zero|]. pose proof (total_post d S x Hx P) as TS. pose proof (total_post d T x Hx P) as TT. rewrite E.
  pose proof c_class as C. rewrite two_labels in *. cbn [sum In] in *. destruct C as [C|[C|[]]]; rewrite <- C in *.
  - pose proof (Zero 1%nat ltac:(lra)). lra.
  - pose proof (Zero 0%nat ltac:(lra)). lra.
Qed.
Variable tbl : table.
Hypothesis tbl_fits : table_fits tbl = true.
Definition slope k p := real (s_ k) + sum (fun one => real (snd one) * (if Rle_dec p (Q2R (fst one)) then 1 - Q2R (fst one) else - Q2R (fst one))) (merged (kinks k)) + (tangent (real (gg k)) (Q2R (hh k)) p 1 - tangent (real (gg k)) (Q2R (hh k)) p 0).
Lemma above_slope k p q : is_convex tbl k = true -> 0 <= p <= 1 -> 0 <= q <= 1 -> (p = 0 \/ p = 1 -> q = p) -> at_curve k p + slope k p * (q - p) <= at_curve k q.
Proof.
  unfold is_convex. rewrite andb_true_iff. intros (M & B) P Q E. rewrite forallb_forall in M.
  destruct (Req_dec p 0) as [Z|Z]; [rewrite (E (or_introl Z)); right; ring|]. destruct (Req_dec p 1) as [O|O]; [rewrite (E (or_intror O)); right; ring|]. clear E.
  pose proof (above_tangent' (real (gg k)) (Q2R (hh k)) q p Q P ltac:(right; lra)) as T. specialize (T ltac:(intros z Hz; apply (bends_ok tbl true _ _ _ _ z tbl_fits B); rewrite RMicromega.Q2R_0, Q2R_1; lra)).
  pose proof (tangent_touches (real (gg k)) (Q2R (hh k)) p) as Tp. rewrite (tangent_line _ _ p q) in T. rewrite (tangent_line _ _ p p) in Tp. unfold at_curve, slope.
  assert (K : at_kinks (merged (kinks k)) p + sum (fun one => real (snd one) * (if Rle_dec p (Q2R (fst one)) then 1 - Q2R (fst one) else - Q2R (fst one))) (merged (kinks k)) * (q - p) <= at_kinks (merged (kinks k)) q).
  { unfold at_kinks. rewrite Rmult_comm, <- sum_scale, <- sum_plus. apply sum_le. intros [t a] I. specialize (M (t, a) I). cbn [fst snd] in *.
    apply (at_least_0_ok _ _ tbl_fits) in M. rewrite real_opposite in M. set (z := Q2R t). destruct (Rle_dec p z) as [L|L].
    - rewrite (kink_left z p) by lra. pose proof (Rmult_le_compat_l (- real a) _ _ ltac:(lra) (Rmin_l ((1 - z) * q) (z * (1 - q)))) as W. fold (kink z q) in W. lra.
    - rewrite (kink_right z p) by lra. pose proof (Rmult_le_compat_l (- real a) _ _ ltac:(lra) (Rmin_r ((1 - z) * q) (z * (1 - q)))) as W. fold (kink z q) in W. lra. }
  rewrite !at_merged in K. lra.
Qed.
Lemma convex_passes S T f k : is_convex tbl k = true -> N.land S T = S -> over T f k -> over S f k.
Proof.
  intros K I O w W Sw. pose proof (elements_incl n S T I) as In_. eapply Rle_trans; [|apply O; [exact W|exact (seen_more _ _ w In_ Sw)]].
  apply Rle_trans with (mean (fun x => w x * at_curve k (at_ S x) + (w x * slope k (at_ S x) * at_ T x + -1 * (w x * slope k (at_ S x) * at_ S x)))).
  - rewrite !mean_plus. pose proof (tower _ _ (fun x => w x * slope k (at_ S x)) In_) as E.
    rewrite E by (intros x x' Hx Hx' A; rewrite (Sw x x' Hx Hx' A), (post_alike d (elements n S) x x' c A); reflexivity).
    right. replace (mean (fun x => -1 * (w x * slope k (at_ S x) * at_ S x))) with (-1 * mean (fun x => w x * slope k (at_ S x) * at_ S x)); [ring|].
    unfold mean. rewrite <- sum_scale. apply sum_ext; intros; ring.
  - apply mean_below. intros x Hx P. pose proof (above_slope k (at_ S x) (at_ T x) K (phi_01 _ x Hx P) (phi_01 _ x Hx P) (ends_stay _ _ x In_ Hx P)) as A.
    pose proof (Rmult_le_compat_l (w x) _ _ (W x) A). lra.
Qed.
(* On average, where S is known and the posterior is between u and v, f is above a function of the posterior there. *)
Definition over_in u v (S : N) (f : list nat -> R) k := forall w, (forall x, 0 <= w x) -> seen (elements n S) w ->
  (forall x, In x (omega d) -> 0 < px d x -> w x = 0 \/ Q2R u <= at_ S x <= Q2R v) -> mean (fun x => w x * at_curve k (at_ S x)) <= mean (fun x => w x * f x).
Lemma over_here u v S f k : over S f k -> over_in u v S f k.
Proof. intros O w W Sw _. now apply O. Qed.
Lemma over_in_sum u v S f g k l : over_in u v S f k -> over_in u v S g l -> over_in u v S (fun x => f x + g x) (sum_curve k l).
Proof.
  intros F G w W Sw B. rewrite (mean_same _ (fun x => w x * at_curve k (at_ S x) + w x * at_curve l (at_ S x))) by (intros; rewrite at_sum; ring).
  rewrite (mean_same (fun x => w x * (f x + g x)) (fun x => w x * f x + w x * g x)) by (intros; ring).
  rewrite !mean_plus. specialize (F w W Sw B). specialize (G w W Sw B). lra.
Qed.
Lemma above_line_here k u v before after p q : 0 <= Q2R u -> Q2R v <= 1 -> convex_here tbl k u v before after = true -> Q2R u <= p <= Q2R v -> 0 <= q <= 1 -> (p = 0 \/ p = 1 -> q = p) ->
  at_curve k p + slope_here k v p * (q - p) <= at_curve k q.
Proof.
  intros U V K P Q E. destruct (Req_dec q p) as [->|D]; [right; ring|]. unfold convex_here in K. rewrite !andb_true_iff in K. destruct K as (((O & B) & L) & Rt).
  assert (T : forall x y, 0 < x < 1 -> Q2R u <= x <= Q2R v -> Q2R u <= y <= Q2R v -> line_here k v x y <= at_curve k y).
  { intros x y X X' Y. rewrite (smooth_ok k u v y O Y). unfold line_here. apply Rplus_le_compat_l. apply above_tangent'; [lra|lra|right; exact X|].
    intros z Z. apply (bends_ok tbl true _ _ _ _ z tbl_fits B). lra. }
  assert (Touch : forall x, Q2R u <= x <= Q2R v -> line_here k v x x = at_curve k x) by (intros x X; unfold line_here; rewrite tangent_touches; symmetry; now apply (smooth_ok k u)).
  assert (P01 : 0 < p < 1) by (destruct (Req_dec p 0); [destruct D; auto|destruct (Req_dec p 1); [destruct D; auto|lra]]).
  replace (at_curve k p + slope_here k v p * (q - p)) with (line_here k v p q) by (rewrite <- (Touch p P), (line_here_straight k v p p), (line_here_straight k v p q); ring).
  destruct (Rlt_or_le q (Q2R u)) as [Lq|Lq]; [|destruct (Rlt_or_le (Q2R v) q) as [Gq|Gq]; [|apply T; lra]].
  - apply orb_prop in L as [L|L]; [apply Qle_real in L; rewrite RMicromega.Q2R_0 in L; lra|].
    apply Rle_trans with (line_here k v (Q2R u) q); [|apply (above_tangent_ok tbl k v u 0 u before q tbl_fits); [rewrite RMicromega.Q2R_0; lra|exact L|rewrite RMicromega.Q2R_0; lra|left; exact Lq]].
    destruct (Req_dec p (Q2R u)) as [->|N]; [lra|]. pose proof (T p (Q2R u) P01 P ltac:(lra)) as T1. pose proof (T (Q2R u) p ltac:(lra) ltac:(lra) P) as T2.
    rewrite <- (Touch (Q2R u)) in T1 by lra. rewrite <- (Touch p P) in T2. rewrite (line_here_straight k v p) in T1, T2 |- *. rewrite (line_here_straight k v (Q2R u)) in T1, T2 |- *.
    set (a := line_here k v p 0) in *. set (b := line_here k v (Q2R u) 0) in *. set (m := slope_here k v p) in *. set (m' := slope_here k v (Q2R u)) in *.
    assert (M : 0 <= m - m') by (apply Rmult_le_reg_r with (p - Q2R u); lra). pose proof (Rmult_le_compat_l (m - m') q (Q2R u) M ltac:(lra)). lra.
  - apply orb_prop in Rt as [Rt|Rt]; [apply Qle_real in Rt; rewrite Q2R_1 in Rt; lra|].
    assert (S : q < Q2R 1 \/ after <> []).
    { destruct after; [|right; discriminate]. exfalso. unfold above_tangent in Rt. destruct (less_tangent k v v); [|discriminate]. cbn [covered] in Rt. apply Qle_real in Rt. rewrite Q2R_1 in Rt. lra. }
    apply Rle_trans with (line_here k v (Q2R v) q); [|apply (above_tangent_ok tbl k v v v 1 after q tbl_fits); [lra|exact Rt|rewrite Q2R_1; lra|exact S]].
    destruct (Req_dec p (Q2R v)) as [->|N]; [lra|]. pose proof (T p (Q2R v) P01 P ltac:(lra)) as T1. pose proof (T (Q2R v) p ltac:(lra) ltac:(lra) P) as T2.
    rewrite <- (Touch (Q2R v)) in T1 by lra. rewrite <- (Touch p P) in T2. rewrite (line_here_straight k v p) in T1, T2 |- *. rewrite (line_here_straight k v (Q2R v)) in T1, T2 |- *.
    set (a := line_here k v p 0) in *. set (b := line_here k v (Q2R v) 0) in *. set (m := slope_here k v p) in *. set (m' := slope_here k v (Q2R v)) in *.
    assert (M : 0 <= m' - m) by (apply Rmult_le_reg_r with (Q2R v - p); lra). pose proof (Rmult_le_compat_l (m' - m) (Q2R v) q M ltac:(lra)). lra.
Qed.
Lemma convex_here_passes S T k u v before after : 0 <= Q2R u -> Q2R v <= 1 -> convex_here tbl k u v before after = true -> N.land S T = S -> over_in u v S (fun x => at_curve k (at_ T x)) k.
Proof.
  intros U V K I w W Sw B. pose proof (elements_incl n S T I) as In_.
  apply Rle_trans with (mean (fun x => w x * at_curve k (at_ S x) + (w x * slope_here k v (at_ S x) * at_ T x + -1 * (w x * slope_here k v (at_ S x) * at_ S x)))).
  - rewrite !mean_plus. pose proof (tower _ _ (fun x => w x * slope_here k v (at_ S x)) In_) as E.
    rewrite E by (intros x x' Hx Hx' A; rewrite (Sw x x' Hx Hx' A), (post_alike d (elements n S) x x' c A); reflexivity).
    right. replace (mean (fun x => -1 * (w x * slope_here k v (at_ S x) * at_ S x))) with (-1 * mean (fun x => w x * slope_here k v (at_ S x) * at_ S x)); [ring|].
    unfold mean. rewrite <- sum_scale. apply sum_ext; intros; ring.
  - apply mean_below. intros x Hx P. destruct (B x Hx P) as [->|B']; [lra|].
    pose proof (above_line_here k u v before after (at_ S x) (at_ T x) U V K B' (phi_01 _ x Hx P) (ends_stay _ _ x In_ Hx P)) as A.
    pose proof (Rmult_le_compat_l (w x) _ _ (W x) A). lra.
Qed.
Scheme tree_rec_ := Induction for amounts_tree Sort Prop with forest_rec_ := Induction for forest Sort Prop.
Scheme bound_rec_ := Induction for bound_of Sort Prop with cover_rec_ := Induction for cover_of Sort Prop with bounds_rec_ := Induction for bounds_of Sort Prop.
Lemma grows_ok S t : grows n S t = true -> N.land S (subset t) = S /\ all_grow n (subset t) (larger t) = true.
Proof. destruct t; cbn [grows subset larger]. rewrite !andb_true_iff, N.eqb_eq. tauto. Qed.
Lemma own_ok t : forall S k, own tbl t = Some k -> grows n S t = true -> over S (total_at t) k.
Proof.
  apply (tree_rec_ (fun t => forall S k, own tbl t = Some k -> grows n S t = true -> over S (total_at t) k) (fun f => forall S k, owns tbl f = Some k -> all_grow n S f = true -> over S (totals_at f) k)); clear t.
  - intros s r g h costs f IH S k. cbn [own]. destruct (owns tbl f) as [l|] eqn:E; [|discriminate]. cbv zeta.
    destruct (is_convex tbl (sum_curve (own_curve r g h costs) l)) eqn:K; [|discriminate]. intros Q G. injection Q as <-. apply grows_ok in G as [I G]. cbn [subset larger] in *.
    apply (convex_passes S s); [exact K|exact I|]. apply (over_sum s (fun x => at_curve (own_curve r g h costs) (at_ s x)) (totals_at f)); [intros w W Sw; lra|now apply IH].
  - intros S k Q _. injection Q as <-. apply over_0.
  - intros t IHt f IHf S k. cbn [owns all_grow]. destruct (own tbl t) as [a|]; [|discriminate]. destruct (owns tbl f) as [b|]; [|discriminate].
    rewrite andb_true_iff. intros Q [G1 G2]. injection Q as <-. apply (over_sum S (total_at t) (totals_at f)); auto.
Qed.
Variable half : bool.
Hypothesis rare : half = true -> forall x, In x (omega d) -> 0 < px d x -> at_ 0 x <= 1 / 2.
Definition over_from u T f k := forall w, (forall x, 0 <= w x) -> seen (elements n T) w -> (forall x, In x (omega d) -> 0 < px d x -> w x = 0 \/ Q2R u < at_ T x \/ Q2R u <= 0) ->
  mean (fun x => w x * at_curve k (at_ T x)) <= mean (fun x => w x * f x).
Lemma least_ok b : forall u v t S k, 0 <= Q2R u -> Q2R v <= 1 -> least half tbl u v t b = Some k -> grows n S t = true -> over_in u v S (total_at t) k.
Proof.
  apply (bound_rec_ (fun b => forall u v t S k, 0 <= Q2R u -> Q2R v <= 1 -> least half tbl u v t b = Some k -> grows n S t = true -> over_in u v S (total_at t) k)
    (fun cover => forall t e s u, 0 <= Q2R u -> shown half tbl t e s u cover = true -> all_grow n (subset t) (larger t) = true -> over_from u (subset t) (total_at t) (line_curve e s))
    (fun bs => forall u v f S k, 0 <= Q2R u -> Q2R v <= 1 -> leasts half tbl u v f bs = Some k -> all_grow n S f = true -> over_in u v S (totals_at f) k)); clear b.
  - intros u v t S k _ _. cbn [least]. intros O G. apply over_here. now apply own_ok.
  - intros e s cover IH u0 v0 t S k _ _. cbn [least]. destruct (shown half tbl t e s 0 cover) eqn:Sh; [|discriminate]. intros Q G. injection Q as <-. apply grows_ok in G as [I G]. apply over_here.
    apply (line_passes S (subset t)); [exact I|]. intros w W Sw. apply (IH t e s 0%Q); auto; [rewrite RMicromega.Q2R_0; lra|].
    intros x Hx P. right; right. rewrite RMicromega.Q2R_0. lra.
  - intros before after u v t S k U V. cbn [least]. destruct t as [s r g h costs f]. destruct f; [|discriminate]. destruct (convex_here tbl (own_curve r g h costs) u v before after) eqn:K; [|discriminate].
    intros Q G. injection Q as <-. apply grows_ok in G as [I _]. cbn [subset] in I. intros w W Sw B.
    rewrite (mean_same (fun x => w x * total_at _ x) (fun x => w x * at_curve (own_curve r g h costs) (at_ s x))) by (intros; cbn [total_at totals_at]; ring).
    exact (convex_here_passes S s (own_curve r g h costs) u v before after U V K I w W Sw B).
  - intros t e s u U Sh G w W Sw Z. cbn [shown] in Sh. apply mean_below. intros x Hx P. destruct (Z x Hx P) as [Z0|L]; [rewrite Z0; lra|]. exfalso.
    pose proof (phi_01 (elements n (subset t)) x Hx P) as B. apply orb_prop in Sh as [Sh|Sh]; [apply Qle_real in Sh; rewrite Q2R_1 in Sh; lra|].
    apply andb_prop in Sh as [Zero Sh]. apply andb_prop in Zero as [Half Zero]. apply N.eqb_eq in Zero. rewrite Zero in *. pose proof (rare Half x Hx P). apply Qle_real in Sh. rewrite half_real in Sh. lra.
  - intros v on_g on_h x bs IHb rest IHr t e s u U Sh G w W Sw Z. cbn [shown] in Sh. destruct (leasts half tbl u v (larger t) bs) as [k|] eqn:E; [|discriminate].
    rewrite !andb_true_iff in Sh. destruct Sh as (((UV & V1) & A) & Sh). apply Qle_real in UV, V1. rewrite Q2R_1 in V1.
    set (T := subset t) in *. set (near := fun x => if Rle_dec (at_ T x) (Q2R v) then w x else 0). set (far := fun x => if Rle_dec (at_ T x) (Q2R v) then 0 else w x).
    assert (Sn : seen (elements n T) near /\ seen (elements n T) far).
    { split; intros y y' Hy Hy' Al; unfold near, far; rewrite (Sw y y' Hy Hy' Al), (post_alike d (elements n T) y y' c Al); reflexivity. }
    destruct Sn as [Sn Sf].
    assert (Split : forall g, mean (fun y => w y * g y) = mean (fun y => near y * g y) + mean (fun y => far y * g y)).
    { intros g. rewrite <- mean_plus. apply mean_same. intros y _ _. unfold near, far. destruct (Rle_dec _ _); ring. }
    rewrite !Split. apply Rplus_le_compat.
    + assert (N0 : forall y, 0 <= near y) by (intros y; unfold near; destruct (Rle_dec _ _); [apply W|lra]).
      specialize (IHb u v (larger t) T k U V1 E G near N0 Sn). assert (Here : forall y, In y (omega d) -> 0 < px d y -> near y = 0 \/ Q2R u <= at_ T y <= Q2R v).
      { intros y Hy P. unfold near. destruct (Rle_dec (at_ T y) (Q2R v)) as [L|L]; [|now left]. destruct (Z y Hy P) as [Z0|L']; [left; exact Z0|right]. pose proof (phi_01 (elements n T) y Hy P). lra. }
      specialize (IHb Here).
      rewrite (mean_same (fun y => near y * total_at t y) (fun y => near y * at_curve (curve_at t) (at_ T y) + near y * totals_at (larger t) y)) by (intros; unfold T; destruct t; cbn [total_at curve_at subset larger]; ring).
      rewrite mean_plus. apply Rle_trans with (mean (fun y => near y * at_curve (curve_at t) (at_ T y)) + mean (fun y => near y * at_curve k (at_ T y))); [|lra].
      rewrite <- mean_plus. apply mean_below. intros y Hy P. unfold near. destruct (Rle_dec (at_ T y) (Q2R v)) as [L|L]; [|lra].
      destruct (Z y Hy P) as [Z0|L']; [rewrite Z0; lra|]. assert (U' : Q2R u <= at_ T y) by (pose proof (phi_01 (elements n T) y Hy P); lra). pose proof (above_ok tbl _ u v on_g on_h x (at_ T y) tbl_fits U V1 A (conj U' L)) as B.
      rewrite !at_sum, !at_line, !real_opposite in *. rewrite <- Rmult_plus_distr_l. apply Rmult_le_compat_l; [apply W|lra].
    + apply (IHr t e s v); try assumption; [lra|intros y; unfold far; destruct (Rle_dec _ _); [lra|apply W]|].
      intros y Hy P. unfold far. fold T. destruct (Rle_dec (at_ T y) (Q2R v)); [left; reflexivity|right; left; lra].
  - intros u v f S k _ _ Q _. cbn [leasts] in Q. destruct f; [|discriminate]. injection Q as <-. apply over_here, over_0.
  - intros b IHb bs IHs u v f S k U V. cbn [leasts]. destruct f as [|t f]; [discriminate|]. destruct (least half tbl u v t b) as [a|] eqn:A; [|discriminate]. destruct (leasts half tbl u v f bs) as [l|] eqn:B; [|discriminate].
    cbn [all_grow]. rewrite andb_true_iff. intros Q [G1 G2]. injection Q as <-. apply (over_in_sum u v S (total_at t) (totals_at f)); eauto.
Qed.
(* The sum of the criteria in a tree, each times its amount, where [cost t V] is the cost-sensitive risk. *)
Definition value (a : amount) := sum (fun one => IZR (fst one) * base (snd one)) a.
Lemma real_of_amount a : real (of_amount a) = value a.
Proof. unfold real, of_amount, value. induction a as [|one a IH]; cbn [map fold_right sum fst snd]; [reflexivity|]. now rewrite IH, Q2R_Z. Qed.
Variable cost : Q -> list nat -> R.
Fixpoint sum_of t := match t with Node s r g h costs f =>
  value r * bayes_risk d (elements n s) + value g * gini d (elements n s) + IZR h * left d (elements n s)
    + sum (fun one => value (snd one) * cost (fst one) (elements n s)) costs + sums_of f end
with sums_of f := match f with Leafless => 0 | Grow t f => sum_of t + sums_of f end.
Fixpoint free t := match t with Node _ _ _ _ costs f => match costs with [] => all_free f | _ => false end end
with all_free f := match f with Leafless => true | Grow t f => free t && all_free f end.
Hypothesis cost_is : forall t V, cost t V = mean (fun x => kink (Q2R t) (phi V x)).
Lemma sum_is_mean t : mean (total_at t) = sum_of t.
Proof.
  apply (tree_rec_ (fun t => mean (total_at t) = sum_of t) (fun f => mean (totals_at f) = sums_of f)); clear t.
  - intros s r g h costs f IH. cbn [sum_of]. rewrite <- IH. pose proof (elements_features d n has_n s) as F.
    rewrite risk_by_states, (mean_impurity d _ F), (left_by_states d _ F).
    change (mean (fun x => at_curve (own_curve r g h costs) (at_ s x) + totals_at f x) = value r * mean (fun x => 1 - top d (elements n s) x) + value g * mean (fun x => 1 - squares d (elements n s) x) + IZR h * mean (surprise d (elements n s))
      + sum (fun one => value (snd one) * cost (fst one) (elements n s)) costs + mean (totals_at f)).
    rewrite mean_plus. f_equal.
    assert (Sc : forall z f, z * mean f = mean (fun x => z * f x)) by (intros z f0; unfold mean; rewrite <- sum_scale; apply sum_ext; intros; ring).
    assert (Kinks : sum (fun one => value (snd one) * cost (fst one) (elements n s)) costs = mean (fun x => sum (fun one => value (snd one) * kink (Q2R (fst one)) (at_ s x)) costs)).
    { rewrite (sum_ext _ (fun one => mean (fun x => value (snd one) * kink (Q2R (fst one)) (at_ s x)))) by (intros; now rewrite cost_is, Sc).
      unfold mean. rewrite sum_swap. apply sum_ext; intros x _. now rewrite sum_scale. }
    rewrite !Sc, Kinks, <- !mean_plus. apply mean_same. intros x Hx P. destruct (by_phi (elements n s) x Hx P) as (-> & -> & ->).
    unfold at_curve, at_kinks, own_curve, bent; cbn [c_ s_ kinks sum fst snd gg hh]. rewrite real_scaled, !real_of_amount, Q2R_Z, !real_none, half_real, sum_map. cbn [fst snd].
    rewrite (sum_ext (fun one => real (of_amount (snd one)) * _) (fun one => value (snd one) * kink (Q2R (fst one)) (at_ s x))) by (intros; now rewrite real_of_amount).
    replace (Q2R (2 # 1)) with 2 by (unfold Q2R; simpl; field). replace (kink (1 / 2) (at_ s x)) with (Rmin (at_ s x) (1 - at_ s x) / 2); [field|].
    unfold kink, Rmin. destruct (Rle_dec (at_ s x) (1 - at_ s x)), (Rle_dec ((1 - 1 / 2) * at_ s x) (1 / 2 * (1 - at_ s x))); lra.
  - unfold mean. rewrite (sum_ext _ (fun _ => 0)) by (intros; cbn [totals_at]; ring). apply sum_0.
  - intros t IHt f IHf. cbn [sums_of]. rewrite <- IHt, <- IHf. apply (mean_plus (total_at t) (totals_at f)).
Qed.
Lemma sum_above t e s cover : grows n 0 t = true -> shown half tbl t e s 0%Q cover = true -> real e + real s * mean (fun x => at_ 0 x) <= sum_of t.
Proof.
  intros G Sh. rewrite <- sum_is_mean. assert (O : over_in 0 1 0 (total_at t) (line_curve e s)).
  { apply (least_ok (Line e s cover) 0%Q 1%Q t 0%N (line_curve e s)); [rewrite RMicromega.Q2R_0; lra|rewrite Q2R_1; lra|cbn [least]; now rewrite Sh|exact G]. }
  specialize (O (fun _ => 1) ltac:(intros; lra) ltac:(intros x x' _ _ _; reflexivity)). assert (B : forall x, In x (omega d) -> 0 < px d x -> 1 = 0 \/ Q2R 0 <= at_ 0 x <= Q2R 1).
  { intros x Hx P. right. rewrite RMicromega.Q2R_0, Q2R_1. now apply phi_01. }
  specialize (O B).
  rewrite (mean_same (total_at t) (fun x => 1 * total_at t x)) by (intros; ring). eapply Rle_trans; [|exact O].
  rewrite (mean_same (fun x => 1 * _) (fun x => real e * 1 + real s * at_ 0 x)) by (intros; rewrite at_line; ring). rewrite mean_plus.
  assert (Sc : forall a f, mean (fun x => a * f x) = a * mean f) by (intros a f0; unfold mean; rewrite <- sum_scale; apply sum_ext; intros; ring). rewrite !Sc.
  replace (mean (fun _ => 1)) with 1; [lra|]. unfold mean. rewrite (sum_ext _ (px d)) by (intros; ring). symmetry. apply total_px.
Qed.
End Means.

Lemma free_sum d n cost cost' t : free t = true -> sum_of d n cost t = sum_of d n cost' t.
Proof.
  apply (tree_rec_ (fun t => free t = true -> sum_of d n cost t = sum_of d n cost' t) (fun f => all_free f = true -> sums_of d n cost f = sums_of d n cost' f)); clear t.
  - intros s r g h costs f IH. cbn [free]. destruct costs; [|discriminate]. intros F. cbn [sum_of]. fold (sums_of d n cost) (sums_of d n cost'). now rewrite (IH F).
  - reflexivity.
  - intros t IHt f IHf. cbn [all_free]. rewrite andb_true_iff. intros [F1 F2]. cbn [sums_of]. fold (sum_of d n cost) (sum_of d n cost'). now rewrite (IHt F1), (IHf F2).
Qed.
(* The class that is no guess without features is the rarer one. *)
Theorem tree_above d n tbl t e s cover : free t = true -> classes d = 2%nat -> length (sizes d) = n -> table_fits tbl = true -> grows n 0 t = true -> shown true tbl t e s 0%Q cover = true ->
  real e + real s * bayes_risk d [] <= sum_of d n (fun _ _ => 0) t.
Proof.
  intros Free two Hn F G Sh. destruct (sum_pos (px d) (omega d)) as (x0 & Hx0 & P0); [rewrite total_px; lra|].
  destruct (guess_ok d [] x0) as [Hg Eg]. set (c := (1 - guess d [] x0)%nat).
  assert (Hc : In c (labels d)) by (unfold c; unfold labels in *; rewrite two in *; cbn [seq In] in *; destruct Hg as [<-|[<-|[]]]; auto).
  assert (Phi : forall x, In x (omega d) -> 0 < px d x -> post d [] x c = 1 - top d [] x).
  { intros x Hx P. pose proof (total_post d [] x Hx P) as T. replace (top d [] x) with (post d [] x (guess d [] x0)) by exact Eg.
    unfold c. unfold labels in *. rewrite two in *. cbn [seq In sum] in *. destruct Hg as [E|[E|[]]]; rewrite <- E; simpl; lra. }
  pose proof (sum_above d two c Hc n Hn) as A. rewrite elements_none in A.
  assert (R : mean d (fun x => post d [] x c) = bayes_risk d []) by (rewrite risk_by_states; apply mean_same; exact Phi).
  rewrite R in A. rewrite (free_sum d n (fun _ _ => 0) (fun t V => mean d (fun x => kink (Q2R t) (post d V x c))) t Free). apply A with (tbl := tbl) (half := true) (cover := cover); auto. intros _ x Hx P.
  destruct (by_phi d two c Hc [] x Hx P) as (M & _). rewrite (Phi x Hx P), M. unfold Rmin. destruct (Rle_dec _ _); lra.
Qed.
