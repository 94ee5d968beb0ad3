(* Products of a form of risks and of the difference between the logarithm of a prime and a number near it. *)
From Coq Require Import Reals ZArith PArith NArith List Bool Lra Lia.
From FS Require Import Cases Sums Maxima Distributions EverySize Logarithms Entropies Facts.
Import ListNotations.
Open Scope R_scope.

(* The number c and multiples of risks, then the same times ln p for prime i. *)
Definition of_risks (c : Z) (l : list (N * Z)) : tm := fold_right (fun one => Plus (Scale (snd one) (r_ (fst one)))) (C c) l.
Definition times_log n i (c : Z) (l : list (N * Z)) : tm :=
  fold_right (fun one => Plus (Scale (snd one) (log_at n i (fst one + 1)))) (Scale c (log_at n i 0)) l.
(* The form times e - u ln p, or times u ln p - e. *)
Definition product_of n i (above : bool) (e : Z) (u : Pos.t) c l : tm :=
  let plain := Scale e (of_risks c l) in let logarithmic := Scale (Zpos u) (times_log n i c l) in
  if above then Minus plain logarithmic else Minus logarithmic plain.
Definition prime i := nth i primes 1%positive.
(* Whether e / u is above ln p, or below it. The margin shows that they are not equal. *)
Definition around i (above : bool) (e : Z) (u : Pos.t) : bool :=
  if above then ln_at_most (prime i) 1 (e * 1000000000 - 1) (u * 1000000000) else ln_at_most 1 (prime i) (- e * 1000000000 - 1) (u * 1000000000).

Lemma with_margin x (e : Z) (u : Pos.t) : x <= IZR (e * 1000000000 - 1) / IZR (Zpos (u * 1000000000)) -> x < IZR e / IZR (Zpos u).
Proof.
  intros L. pose proof (pos_real u) as U. rewrite minus_IZR, mult_IZR, Pos2Z.inj_mul, mult_IZR in L. eapply Rle_lt_trans; [exact L|].
  apply Rmult_lt_reg_r with (IZR (Zpos u) * 1000000000); [lra|]. replace ((IZR e * 1000000000 - 1) / (IZR (Zpos u) * 1000000000) * (IZR (Zpos u) * 1000000000)) with (IZR e * 1000000000 - 1) by (field; lra).
  replace (IZR e / IZR (Zpos u) * (IZR (Zpos u) * 1000000000)) with (IZR e * 1000000000) by (field; lra). lra.
Qed.
Lemma around_ok i above e u : around i above e u = true ->
  0 < if above then IZR e - IZR (Zpos u) * ln (IZR (Zpos (prime i))) else IZR (Zpos u) * ln (IZR (Zpos (prime i))) - IZR e.
Proof.
  intros Q. pose proof (pos_real u) as U. pose proof (pos_real (prime i)) as P.
  assert (Cleared : forall x y, x < y / IZR (Zpos u) -> IZR (Zpos u) * x < y).
  { intros x y L. apply (Rmult_lt_compat_l (IZR (Zpos u))) in L; [|exact U]. replace (IZR (Zpos u) * (y / IZR (Zpos u))) with y in L by (field; lra). exact L. }
  unfold around in Q. destruct above; apply ln_at_most_ok, with_margin, Cleared in Q; rewrite ln_quotient in Q by lra; rewrite ln_1 in Q; [|rewrite opp_IZR in Q]; lra.
Qed.

Section Products.
Variables (d : dist) (n : nat) (rho : Pos.t -> R).
Hypothesis has_n : length (sizes d) = n.
Hypothesis rho_amount : forall i, (i < amount_count n)%N -> val rho (var i) = amounts d n i.
Lemma val_times_log i c l : (i < 25)%nat -> forallb (fun one => small n (fst one)) l = true ->
  val rho (times_log n i c l) = ln (IZR (Zpos (prime i))) * val rho (of_risks c l).
Proof.
  intros I. unfold times_log, of_risks. induction l as [|[s z] l IH]; cbn [fold_right forallb fst snd val].
  - intros _. rewrite (amount_log d n rho has_n rho_amount) by (exact I || (unfold each; pose proof (N.pow_nonzero 2 (N.of_nat n)); lia)). unfold prime. change (times_risk d n 0) with 1. ring.
  - rewrite andb_true_iff. intros [Ss Q]. rewrite IH by exact Q. rewrite (amount_log d n rho has_n rho_amount) by (exact I || now apply (small_place d n has_n)). rewrite (times_risk_of d n has_n).
    rewrite (at_risk d n rho (amount_risk d n rho has_n rho_amount)) by exact Ss. unfold prime. ring.
Qed.
Theorem product_sign i above e u c l : (i < 25)%nat -> forallb (fun one => small n (fst one)) l = true -> around i above e u = true ->
  exists w, 0 < w /\ val rho (product_of n i above e u c l) = w * val rho (of_risks c l).
Proof.
  intros I Q A. eexists. split; [exact (around_ok i above e u A)|]. unfold product_of. destruct above; cbn [val]; rewrite val_times_log by assumption; ring.
Qed.
End Products.
