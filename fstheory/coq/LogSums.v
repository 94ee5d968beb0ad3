(* Sums of rational multiples of logarithms, and rational numbers, whose signs are decided: what is equal cancels, and the
   rest is bounded. *)
From Coq Require Import Reals ZArith QArith Qreals PArith List Bool Lra Lia.
From FS Require Import Cases Logarithms Facts.
Import ListNotations.
Open Scope R_scope.

Lemma Qle_real a b : Qle_bool a b = true -> Q2R a <= Q2R b.
Proof. intros L. now apply Qle_Rle, Qle_bool_iff. Qed.
Lemma Qeq_real a b : Qeq_bool a b = true -> Q2R a = Q2R b.
Proof. intros L. now apply Qeq_eqR, Qeq_bool_iff. Qed.
Lemma Q2R_Z z : Q2R (inject_Z z) = IZR z.
Proof. unfold Q2R, inject_Z; cbn [Qnum Qden]. field. Qed.
Lemma Q2R_1 : Q2R 1 = 1.
Proof. unfold Q2R; simpl. field. Qed.
Definition zero_Q a := Qeq_bool a 0.

(* The pair of c and z is c ln z, and c itself if z is 1. *)
Definition number := list (Q * Pos.t).
Definition base (z : Pos.t) := if Pos.eqb z 1 then 1 else ln (IZR (Zpos z)).
Definition real (a : number) : R := fold_right (fun one x => Q2R (fst one) * base (snd one) + x) 0 a.
Definition const (q : Q) : number := [(q, 1%positive)].
Definition scaled (q : Q) (a : number) : number := map (fun one => ((q * fst one)%Q, snd one)) a.
Lemma real_app a b : real (a ++ b) = real a + real b.
Proof. unfold real. induction a as [|one a IH]; cbn [app fold_right]; [ring|]. rewrite IH. ring. Qed.
Lemma real_const q : real (const q) = Q2R q.
Proof. unfold real, const. cbn [fold_right fst snd base Pos.eqb]. ring. Qed.
Lemma real_scaled q a : real (scaled q a) = Q2R q * real a.
Proof. unfold real, scaled. induction a as [|one a IH]; cbn [map fold_right fst snd]; [ring|]. rewrite IH, Q2R_mult. ring. Qed.
Lemma real_none : real [] = 0.
Proof. reflexivity. Qed.

(* The logarithm of a number: those of its primes below 100, and that of the rest. *)
Fixpoint powers (ps : list Pos.t) (es : list nat) : number := match ps, es with
  | _ :: ps, O :: es => powers ps es | p :: ps, e :: es => (inject_Z (Z.of_nat e), p) :: powers ps es | _, _ => [] end.
Definition log_whole (z : Pos.t) : number :=
  let es := exponents z in let smooth := product primes es in
  match (Zpos z / smooth)%Z with
  | Zpos rest => if (smooth * Zpos rest =? Zpos z)%Z then powers primes es ++ (if Pos.eqb rest 1 then [] else [(1%Q, rest)]) else [(1%Q, z)]
  | _ => [(1%Q, z)] end.
Definition log_number (y : Q) : option number := match y with Qmake (Zpos a) b => Some (log_whole a ++ scaled (-1 # 1) (log_whole b)) | _ => None end.
Lemma real_powers : forall ps es, forallb (fun p => negb (Pos.eqb p 1)) ps = true -> real (powers ps es) = ln (IZR (product ps es)).
Proof.
  induction ps as [|p ps IH]; intros es; [intros _; destruct es; cbn [powers product]; rewrite ln_1; reflexivity|].
  cbn [forallb]. rewrite andb_true_iff, negb_true_iff. intros [P Q].
  destruct es as [|e es]; [cbn [powers product]; rewrite ln_1; reflexivity|]. cbn [product].
  pose proof (product_pos ps es) as PP. apply IZR_lt in PP.
  rewrite mult_IZR, <- pow_IZR, ln_mult, ln_power, <- (IH es Q) by (auto using pow_lt, pos_real). rewrite INR_IZR_INZ.
  destruct e as [|e]; cbn [powers]; [simpl IZR; ring|].
  unfold real. cbn [fold_right fst snd]. rewrite Q2R_Z. unfold base at 1. rewrite P. reflexivity.
Qed.
Lemma real_log_whole z : real (log_whole z) = ln (IZR (Zpos z)) \/ z = 1%positive.
Proof.
  destruct (Pos.eqb_spec z 1) as [E|N]; [now right|left].
  assert (Itself : real [(1%Q, z)] = ln (IZR (Zpos z))).
  { unfold real, base. cbn [fold_right fst snd]. apply Pos.eqb_neq in N. rewrite N, Q2R_1. ring. }
  unfold log_whole. set (es := exponents z). set (smooth := product primes es). cbv zeta. destruct (Zpos z / smooth)%Z as [|rest|rest]; [exact Itself| |exact Itself].
  destruct (Z.eqb_spec (smooth * Zpos rest) (Zpos z)) as [E|_]; [|exact Itself].
  pose proof (product_pos primes es) as PP. apply IZR_lt in PP.
  rewrite real_app, real_powers by reflexivity. fold smooth in PP |- *. rewrite <- E, mult_IZR, ln_mult by (auto using pos_real). f_equal.
  destruct (Pos.eqb_spec rest 1) as [->|R1]; [rewrite ln_1; reflexivity|].
  unfold real, base. cbn [fold_right fst snd]. apply Pos.eqb_neq in R1. rewrite R1, Q2R_1. ring.
Qed.
Lemma log_whole_1 : log_whole 1 = [].
Proof. reflexivity. Qed.
Lemma real_log y a : log_number y = Some a -> 0 < Q2R y /\ real a = ln (Q2R y).
Proof.
  destruct y as [[|m|m] b]; cbn [log_number]; try discriminate. intros Q. injection Q as <-.
  assert (W : forall z, real (log_whole z) = ln (IZR (Zpos z))).
  { intros z. destruct (real_log_whole z) as [E| ->]; [exact E|]. rewrite log_whole_1, ln_1. reflexivity. }
  pose proof (pos_real m) as M. pose proof (pos_real b) as B. replace (Q2R (Z.pos m # b)) with (IZR (Zpos m) * / IZR (Zpos b)) by reflexivity.
  rewrite real_app, real_scaled, !W. split; [apply Rmult_lt_0_compat; [exact M|now apply Rinv_0_lt_compat]|].
  rewrite ln_mult, ln_Rinv by (auto using Rinv_0_lt_compat). replace (Q2R (-1 # 1)) with (-1) by (unfold Q2R; simpl; field). ring.
Qed.

(* Numbers that logarithms are at most. *)
Local Opaque fine_bound.
Definition table := list (Q * Z).
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

(* The same sum with one multiple of each logarithm. *)
Fixpoint put (c : Q) (z : Pos.t) (a : number) : number := match a with
  | [] => [(c, z)] | (e, y) :: a => if Pos.eqb y z then (Qred (c + e), z) :: a else (e, y) :: put c z a end.
Definition collected (a : number) : number := fold_right (fun one => put (fst one) (snd one)) [] a.
Lemma real_put c z a : real (put c z a) = Q2R c * base z + real a.
Proof.
  unfold real. induction a as [|[e y] a IH]; cbn [put fold_right fst snd]; [reflexivity|]. destruct (Pos.eqb_spec y z) as [->|_]; cbn [fold_right fst snd].
  - rewrite (Qeq_eqR _ _ (Qred_correct (c + e))), Q2R_plus. ring.
  - rewrite IH. ring.
Qed.
Lemma real_collected a : real (collected a) = real a.
Proof. induction a as [|[c z] a IH]; [reflexivity|]. unfold collected in *. cbn [fold_right fst snd]. rewrite real_put, IH. reflexivity. Qed.
(* A number below a multiple of a logarithm, and below a sum. *)
Definition part_below (tbl : table) (c : Q) (z : Pos.t) : option Q :=
  if Pos.eqb z 1 then Some c else if zero_Q c then Some 0%Q else
  if Qle_bool 0 c then option_map (fun u => - (c * u))%Q (log_above tbl (1 # z)) else option_map (Qmult c) (log_above tbl (Zpos z # 1)).
Fixpoint below tbl (a : number) : option Q := match a with
  | [] => Some 0%Q | (c, z) :: a => match part_below tbl c z, below tbl a with Some x, Some y => Some (x + y)%Q | _, _ => None end end.
Lemma part_below_ok tbl c z x : table_fits tbl = true -> part_below tbl c z = Some x -> Q2R x <= Q2R c * base z.
Proof.
  intros F. unfold part_below, base, zero_Q. destruct (Pos.eqb z 1); [intros Q; injection Q as <-; lra|].
  destruct (Qeq_bool c 0) eqn:Z.
  - intros Q. injection Q as <-. apply Qeq_real in Z. rewrite Z, RMicromega.Q2R_0. lra.
  - pose proof (pos_real z) as P. destruct (Qle_bool 0 c) eqn:S.
    + destruct (log_above tbl (1 # z)) as [u|] eqn:L; [|discriminate]. intros Q. injection Q as <-. apply (log_above_ok _ _ _ F) in L as [_ L].
      apply Qle_real in S. rewrite RMicromega.Q2R_0 in S. unfold Q2R at 1 in L; cbn [Qnum Qden] in L. rewrite Rmult_1_l, ln_Rinv in L by exact P.
      rewrite Q2R_opp, Q2R_mult. pose proof (Rmult_le_compat_l (Q2R c) _ _ S L). lra.
    + destruct (log_above tbl (Z.pos z # 1)) as [u|] eqn:L; [|discriminate]. intros Q. injection Q as <-. apply (log_above_ok _ _ _ F) in L as [_ L].
      assert (H : Q2R c < 0). { rewrite <- RMicromega.Q2R_0. apply Qlt_Rlt. apply Qnot_le_lt. intros B. apply Qle_bool_iff in B. congruence. }
      unfold Q2R at 1 in L; cbn [Qnum Qden] in L. rewrite Rinv_1, Rmult_1_r in L. rewrite Q2R_mult. pose proof (Rmult_le_compat_l (- Q2R c) _ _ ltac:(lra) L). lra.
Qed.
Lemma below_ok tbl a : table_fits tbl = true -> forall x, below tbl a = Some x -> Q2R x <= real a.
Proof.
  intros F. induction a as [|[c z] a IH]; intros x; cbn [below].
  - intros Q. injection Q as <-. rewrite RMicromega.Q2R_0. unfold real; simpl. lra.
  - destruct (part_below tbl c z) as [y|] eqn:P; [|discriminate]. destruct (below tbl a) as [w|]; [|discriminate]. intros Q. injection Q as <-.
    apply (part_below_ok _ _ _ _ F) in P. specialize (IH w eq_refl). rewrite Q2R_plus. unfold real in *. cbn [fold_right fst snd]. lra.
Qed.
Definition at_least_0 tbl (a : number) : bool := match below tbl (collected a) with Some x => Qle_bool 0 x | None => false end.
Definition is_zero (a : number) : bool := forallb (fun one => zero_Q (fst one)) (collected a).
Lemma at_least_0_ok tbl a : table_fits tbl = true -> at_least_0 tbl a = true -> 0 <= real a.
Proof.
  intros F. unfold at_least_0. destruct (below tbl (collected a)) as [x|] eqn:E; [|discriminate]. intros L. apply Qle_real in L. rewrite RMicromega.Q2R_0 in L.
  apply (below_ok _ _ F) in E. rewrite real_collected in E. lra.
Qed.
Lemma is_zero_ok a : is_zero a = true -> real a = 0.
Proof.
  unfold is_zero. rewrite <- (real_collected a). unfold real. induction (collected a) as [|[c z] l IH]; cbn [forallb fold_right fst snd]; [reflexivity|].
  rewrite andb_true_iff. intros [Z Q]. apply Qeq_real in Z. rewrite Z, (IH Q), RMicromega.Q2R_0. ring.
Qed.
