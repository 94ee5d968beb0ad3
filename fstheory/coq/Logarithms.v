(* Rational bounds of logarithms of rationals, by a computation with integers. *)
From Coq Require Import Reals ZArith PArith Lra Lia.
Open Scope R_scope.

(* The exponential function from below: exp c = (exp (c / 2^k))^(2^k), and exp t >= 1 + t. The integer y stands for
   y / 2^p, and each of the k squarings rounds down. *)
Fixpoint squared (p : Z) (k : nat) (y : Z) : Z := match k with O => y | S k => squared p k (Z.shiftr (y * y) p) end.
Definition exp_from_below (p : Z) (k : nat) (a : Z) (b : positive) : Z :=
  squared p k (Z.max 0 (2 ^ p + a * 2 ^ p / (2 ^ Z.of_nat k * Zpos b))).
(* Whether the computation shows that ln (n / m) is at most a / b. It is precise to some 2 log2 b + 40 bits. *)
Definition ln_at_most (n m : positive) (a : Z) (b : positive) : bool :=
  let k := (Nat.mul 2 (Pos.to_nat (Pos.size b)) + 40)%nat in let p := (2 * Z.of_nat k + 8)%Z in
  (Zpos n * 2 ^ p <=? exp_from_below p k a b * Zpos m)%Z.

Lemma quotient_le a b : (0 < b)%Z -> IZR (a / b) <= IZR a / IZR b.
Proof.
  intros B. apply Rmult_le_reg_l with (IZR b); [now apply IZR_lt|]. replace (IZR b * (IZR a / IZR b)) with (IZR a).
  - rewrite <- mult_IZR. now apply IZR_le, Z.mul_div_le.
  - field. apply Rgt_not_eq. now apply IZR_lt.
Qed.
Lemma squared_below p k : (0 <= p)%Z -> forall y t, (0 <= y)%Z -> IZR y <= IZR (2 ^ p) * exp t ->
  IZR (squared p k y) <= IZR (2 ^ p) * exp (2 ^ k * t).
Proof.
  intros P. assert (U : 0 < IZR (2 ^ p)) by (apply IZR_lt; lia). induction k as [|k IH]; intros y t Y B.
  - simpl. now rewrite Rmult_1_l.
  - cbn [squared]. replace (2 ^ S k * t) with (2 ^ k * (t + t)) by (simpl; ring). apply IH.
    + rewrite Z.shiftr_div_pow2 by exact P. apply Z.div_pos; lia.
    + rewrite Z.shiftr_div_pow2 by exact P. eapply Rle_trans; [apply quotient_le; lia|]. rewrite mult_IZR, exp_plus.
      apply IZR_le in Y. assert (IZR y * IZR y <= (IZR (2 ^ p) * exp t) * (IZR (2 ^ p) * exp t)) by (apply Rmult_le_compat; lra).
      apply Rmult_le_reg_r with (IZR (2 ^ p)); [exact U|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.
Lemma below_exp p k a b : (0 <= p)%Z -> IZR (exp_from_below p k a b) <= IZR (2 ^ p) * exp (IZR a / IZR (Zpos b)).
Proof.
  intros P. assert (U : 0 < IZR (2 ^ p)) by (apply IZR_lt; lia). assert (B : 0 < IZR (Zpos b)) by now apply IZR_lt.
  assert (K : 0 < 2 ^ k) by (apply pow_lt; lra). set (t := IZR a / IZR (Zpos b) / 2 ^ k).
  replace (IZR a / IZR (Zpos b)) with (2 ^ k * t) by (unfold t; field; lra).
  apply squared_below; [exact P|lia|]. destruct (Z.max_spec 0 (2 ^ p + a * 2 ^ p / (2 ^ Z.of_nat k * Zpos b))) as [[_ ->]|[_ ->]].
  - apply Rle_trans with (IZR (2 ^ p) * (1 + t)); [|apply Rmult_le_compat_l; [lra|apply exp_ineq1_le]].
    rewrite plus_IZR. pose proof (quotient_le (a * 2 ^ p) (2 ^ Z.of_nat k * Zpos b)) as Q. rewrite !mult_IZR, <- pow_IZR in Q.
    enough (IZR a * IZR (2 ^ p) / (2 ^ k * IZR (Zpos b)) = IZR (2 ^ p) * t) by (assert (0 < 2 ^ Z.of_nat k * Zpos b)%Z by lia; specialize (Q H0); lra).
    unfold t. field. lra.
  - pose proof (exp_pos t). apply Rmult_le_pos; lra.
Qed.
Theorem ln_at_most_ok n m a b : ln_at_most n m a b = true -> ln (IZR (Zpos n) / IZR (Zpos m)) <= IZR a / IZR (Zpos b).
Proof.
  unfold ln_at_most. set (k := (_ + 40)%nat). set (p := (_ + 8)%Z). intros Q. apply Z.leb_le, IZR_le in Q. rewrite !mult_IZR in Q.
  assert (P : (0 <= p)%Z) by lia. pose proof (below_exp p k a b P) as B.
  assert (U : 0 < IZR (2 ^ p)) by (apply IZR_lt; lia). assert (M : 0 < IZR (Zpos m)) by now apply IZR_lt. assert (N : 0 < IZR (Zpos n)) by now apply IZR_lt.
  rewrite <- (ln_exp (IZR a / IZR (Zpos b))). apply Rnot_lt_le; intros L. apply ln_lt_inv in L; [|apply exp_pos|now apply Rdiv_lt_0_compat].
  set (e := exp (IZR a / IZR (Zpos b))) in *. assert (IZR (exp_from_below p k a b) * IZR (Zpos m) <= IZR (2 ^ p) * e * IZR (Zpos m)) by (apply Rmult_le_compat_r; lra).
  assert (e * IZR (Zpos m) < IZR (Zpos n)).
  { apply Rmult_lt_reg_r with (/ IZR (Zpos m)); [now apply Rinv_0_lt_compat|]. rewrite Rmult_assoc, Rinv_r by lra. unfold Rdiv in L. lra. }
  assert (IZR (2 ^ p) * (e * IZR (Zpos m)) < IZR (2 ^ p) * IZR (Zpos n)) by (apply Rmult_lt_compat_l; lra). lra.
Qed.
