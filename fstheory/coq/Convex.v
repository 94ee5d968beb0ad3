(* Sums of the entropy of a coin and of p (1 - p), with amounts of any sign, beside their tangents and chords. *)
From Coq Require Import Reals Lra.
From FS Require Import Curves Coins.
Open Scope R_scope.

Definition bent g h p := 2 * g * (p * (1 - p)) + h * coin p.
Definition cross p x := p * - ln x + (1 - p) * - ln (1 - x).
Definition tangent g h x p := 2 * g * (x * (1 - x) + (1 - 2 * x) * (p - x)) + h * cross p x.
Lemma tangent_line g h x p : tangent g h x p = tangent g h x 0 + p * (tangent g h x 1 - tangent g h x 0).
Proof. unfold tangent, cross. ring. Qed.
Lemma tangent_touches g h x : tangent g h x x = bent g h x.
Proof. unfold tangent, bent, cross, coin. ring. Qed.
Lemma cross_swap p x : cross (1 - p) (1 - x) = cross p x.
Proof. unfold cross. replace (1 - (1 - p)) with p by ring. replace (1 - (1 - x)) with x by ring. ring. Qed.

Section Rise.
Variables (g h q : R).
Definition gap (t : R) := h * (- (q * ln t) - (1 - q) * ln (1 - t)) + 2 * g * ((t - q) * (t - q)).
Definition gap' t := (t - q) * (h / (t * (1 - t)) + 4 * g).
Lemma ln_other t : t < 1 -> derivable_pt_lim (fun t => ln (1 - t)) t (- / (1 - t)).
Proof.
  intros T. replace (- / (1 - t)) with (/ (1 - t) * (0 - 1)) by ring. refine (derivable_pt_lim_comp (fun t => 1 - t) ln t _ _ _ _).
  - refine (derivable_pt_lim_minus (fun _ => 1) id t _ _ _ _); [apply derivable_pt_lim_const|apply derivable_pt_lim_id].
  - apply derivable_pt_lim_ln. lra.
Qed.
Lemma gap_slope t : t < 1 -> (0 < t \/ t = 0 /\ q = 0) -> derivable_pt_lim gap t (if Req_EM_T t 0 then 0 else gap' t) \/ q = 0 /\ t = 0.
Proof.
  intros T [P|P]; [left|tauto]. destruct (Req_EM_T t 0) as [|_]; [lra|].
  replace (gap' t) with (h * (- (q * / t) - (1 - q) * - / (1 - t)) + 2 * g * (((1 - 0) * (t - q)) + (t - q) * (1 - 0))) by (unfold gap'; field; lra).
  assert (L : derivable_pt_lim (fun t => t - q) t (1 - 0)) by (refine (derivable_pt_lim_minus id (fun _ => q) t _ _ _ _); [apply derivable_pt_lim_id|apply derivable_pt_lim_const]).
  refine (derivable_pt_lim_plus (fun t => h * (- (q * ln t) - (1 - q) * ln (1 - t))) (fun t => 2 * g * ((t - q) * (t - q))) t _ _ _ _).
  - refine (derivable_pt_lim_scal (fun t => - (q * ln t) - (1 - q) * ln (1 - t)) h t _ _).
    refine (derivable_pt_lim_minus (fun t => - (q * ln t)) (fun t => (1 - q) * ln (1 - t)) t _ _ _ _).
    + refine (derivable_pt_lim_opp (fun t => q * ln t) t _ _). refine (derivable_pt_lim_scal ln q t _ _). now apply derivable_pt_lim_ln.
    + refine (derivable_pt_lim_scal (fun t => ln (1 - t)) (1 - q) t _ _). now apply ln_other.
  - refine (derivable_pt_lim_scal (fun t => (t - q) * (t - q)) (2 * g) t _ _). exact (derivable_pt_lim_mult (fun t => t - q) (fun t => t - q) t _ _ L L).
Qed.
End Rise.
(* The gap from a place to its image on a tangent grows with the distance, on the right of the place. *)
Lemma gap_right g h q x : 0 <= q -> q < x < 1 -> (forall z, q < z < x -> 0 <= h + 4 * g * (z * (1 - z))) -> h * coin q <= gap g h q x.
Proof.
  intros Q X C. assert (Rise : forall z, q < z < x -> 0 <= gap' g h q z).
  { intros z Z. unfold gap'. apply Rmult_le_pos; [lra|]. assert (P : 0 < z * (1 - z)) by (apply Rmult_lt_0_compat; lra).
    replace (h / (z * (1 - z)) + 4 * g) with ((h + 4 * g * (z * (1 - z))) / (z * (1 - z))) by (field; lra).
    apply Rmult_le_pos; [now apply C|left; now apply Rinv_0_lt_compat]. }
  destruct Q as [Q| <-].
  - destruct (MVT_cor2 (gap g h q) (gap' g h q) q x) as (z & E & Z); [lra| |].
    + intros t T. destruct (gap_slope g h q t) as [D|D]; [lra|lra| |lra]. destruct (Req_EM_T t 0); [lra|exact D].
    + pose proof (Rmult_le_pos _ _ (Rise z Z) (Rlt_le 0 (x - q) ltac:(lra))) as P. rewrite <- E in P. unfold coin. unfold gap at 2 in P. lra.
  - set (f := fun t => h * - ln (1 - t) + 2 * g * (t * t)).
    destruct (MVT_cor2 f (fun t => h * - - / (1 - t) + 2 * g * (1 * t + t * 1)) 0 x) as (z & E & Z); [lra| |].
    + intros t T. refine (derivable_pt_lim_plus (fun t => h * - ln (1 - t)) (fun t => 2 * g * (t * t)) t _ _ _ _).
      * refine (derivable_pt_lim_scal (fun t => - ln (1 - t)) h t _ _). refine (derivable_pt_lim_opp (fun t => ln (1 - t)) t _ _). apply ln_other. lra.
      * refine (derivable_pt_lim_scal (fun t => t * t) (2 * g) t _ _). refine (derivable_pt_lim_mult id id t _ _ _ _); apply derivable_pt_lim_id.
    + pose proof (Rmult_le_pos _ _ (Rise z Z) (Rlt_le 0 (x - 0) ltac:(lra))) as P.
      replace (gap' g h 0 z) with (h * - - / (1 - z) + 2 * g * (1 * z + z * 1)) in P by (unfold gap'; field; lra).
      rewrite <- E in P. unfold f in P. rewrite Rminus_0_r, ln_1 in P. rewrite coin_0. unfold gap. rewrite !Rminus_0_r. lra.
Qed.
Lemma below_tangent g h q x : 0 <= q <= 1 -> 0 <= x <= 1 -> h = 0 \/ 0 < x < 1 -> (forall z, q < z < x \/ x < z < q -> 0 <= h + 4 * g * (z * (1 - z))) ->
  bent g h q <= tangent g h x q.
Proof.
  intros Q X H C. replace (tangent g h x q) with (h * cross q x + 2 * g * ((x - q) * (x - q)) + 2 * g * (q * (1 - q))) by (unfold tangent; ring).
  enough (h * coin q <= h * cross q x + 2 * g * ((x - q) * (x - q))) by (unfold bent; lra).
  destruct (Rtotal_order q x) as [L|[->|L]]; [|unfold coin, cross; right; ring|].
  - destruct H as [->|H]; [|pose proof (gap_right g h q x ltac:(lra) ltac:(lra) ltac:(intros; apply C; lra)) as G; unfold gap in G; unfold cross; lra].
    set (z := (q + x) / 2). specialize (C z ltac:(unfold z; lra)). assert (0 < z * (1 - z)) by (apply Rmult_lt_0_compat; unfold z; lra).
    assert (0 <= g) by (apply Rnot_lt_le; intros N; assert (0 < - g * (z * (1 - z))) by (apply Rmult_lt_0_compat; lra); lra).
    assert (0 <= g * ((x - q) * (x - q))) by (apply Rmult_le_pos; [lra|apply Rle_0_sqr]). lra.
  - destruct H as [->|H].
    + set (z := (q + x) / 2). specialize (C z ltac:(unfold z; lra)). assert (0 < z * (1 - z)) by (apply Rmult_lt_0_compat; unfold z; lra).
      assert (0 <= g) by (apply Rnot_lt_le; intros N; assert (0 < - g * (z * (1 - z))) by (apply Rmult_lt_0_compat; lra); lra).
      assert (0 <= g * ((x - q) * (x - q))) by (apply Rmult_le_pos; [lra|apply Rle_0_sqr]). lra.
    + pose proof (gap_right g h (1 - q) (1 - x) ltac:(lra) ltac:(lra)) as G. assert (G' : h * coin (1 - q) <= gap g h (1 - q) (1 - x)).
      { apply G. intros z Z. replace (z * (1 - z)) with ((1 - z) * (1 - (1 - z))) by ring. apply C. lra. }
      replace (coin (1 - q)) with (coin q) in G' by (unfold coin; replace (1 - (1 - q)) with q by ring; ring).
      unfold gap in G'. rewrite <- (cross_swap q x). unfold cross. lra.
Qed.
Lemma above_tangent' g h q x : 0 <= q <= 1 -> 0 <= x <= 1 -> h = 0 \/ 0 < x < 1 -> (forall z, q < z < x \/ x < z < q -> h + 4 * g * (z * (1 - z)) <= 0) ->
  tangent g h x q <= bent g h q.
Proof.
  intros Q X H C. pose proof (below_tangent (- g) (- h) q x Q X ltac:(destruct H; [left|right]; lra)) as B.
  enough (bent (- g) (- h) q <= tangent (- g) (- h) x q) by (unfold bent, tangent in *; lra). apply B. intros z Z. specialize (C z Z). lra.
Qed.
(* A line, a part that is convex from u to v and a part that is concave there: it suffices to look at the ends, after the
   convex part is replaced by its tangent at x. *)
Lemma above_between m e g h g' h' x u v p : 0 <= u -> v <= 1 -> u <= x <= v -> u <= p <= v -> h = 0 \/ 0 < x < 1 ->
  (forall z, u <= z <= v -> h + 4 * g * (z * (1 - z)) <= 0) -> (forall z, u <= z <= v -> 0 <= h' + 4 * g' * (z * (1 - z))) ->
  0 <= m * u + e + tangent g h x u + bent g' h' u -> 0 <= m * v + e + tangent g h x v + bent g' h' v ->
  0 <= m * p + e + bent g h p + bent g' h' p.
Proof.
  intros U V X P H Convex Concave Hu Hv.
  assert (A : forall y, u <= y <= v -> tangent g h x y <= bent g h y) by (intros y Y; apply above_tangent'; try lra; intros z Z; apply Convex; lra).
  pose proof (A p P) as Ap. destruct (Req_dec p u) as [->|Nu]; [lra|]. destruct (Req_dec p v) as [->|Nv]; [lra|].
  assert (B : forall y, u <= y <= v -> bent g' h' y <= tangent g' h' p y) by (intros y Y; apply below_tangent; try lra; intros z Z; apply Concave; lra).
  pose proof (B u ltac:(lra)) as Bu. pose proof (B v ltac:(lra)) as Bv. pose proof (tangent_touches g' h' p) as T.
  rewrite (tangent_line g h x) in Hu, Hv, Ap. rewrite (tangent_line g' h' p) in Bu, Bv, T.
  set (a := tangent g h x 0) in *. set (b := tangent g h x 1 - a) in *. set (c := tangent g' h' p 0) in *. set (f := tangent g' h' p 1 - c) in *.
  assert (Eu : 0 <= (v - p) * ((m + b + f) * u + (e + a + c))) by (apply Rmult_le_pos; lra).
  assert (Ev : 0 <= (p - u) * ((m + b + f) * v + (e + a + c))) by (apply Rmult_le_pos; lra).
  enough (0 <= (m + b + f) * p + (e + a + c)) by lra. apply Rmult_le_reg_l with (v - u); [lra|]. lra.
Qed.
