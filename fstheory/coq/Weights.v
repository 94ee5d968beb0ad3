(* A distribution with given whole weights, and claims that are decided at it: counterexamples. *)
From Coq Require Import Reals Qreals QArith ZArith PArith NArith List Bool Lra Lia.
From FS Require Import Cases Sums Maxima Distributions EverySize OneShape.
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

(* Terms and formulas at rational values. *)
Section Rational.
Variable rho : Pos.t -> Q.
Fixpoint val_Q (t : tm) : Q :=
  match t with V v => rho v | C z => inject_Z z | Quot z q => z # q | Plus a b => val_Q a + val_Q b
  | Minus a b => val_Q a - val_Q b | Scale z a => inject_Z z * val_Q a | Part z q a => (z # q) * val_Q a end.
Fixpoint decide (f : fm) : bool :=
  match f with
  | Lt a b => negb (Qle_bool (val_Q b) (val_Q a)) | Le a b => Qle_bool (val_Q a) (val_Q b)
  | Eq a b => Qle_bool (val_Q a) (val_Q b) && Qle_bool (val_Q b) (val_Q a)
  | And l => forallb decide l | Or l => existsb decide l
  | Not f => negb (decide f) | Imp f g => negb (decide f) || decide g | Iff f g => eqb (decide f) (decide g)
  end.
Variable real : Pos.t -> R.
Hypothesis same_values : forall v, real v = Q2R (rho v).
Lemma Q2R_quot z q : IZR z / IZR (Zpos q) = Q2R (z # q).
Proof. reflexivity. Qed.
Lemma Q2R_inject z : IZR z = Q2R (inject_Z z).
Proof. unfold Q2R; simpl. field. Qed.
Lemma val_rational t : val real t = Q2R (val_Q t).
Proof.
  induction t; cbn [val val_Q]; rewrite ?Q2R_plus, ?Q2R_minus, ?Q2R_mult, ?IHt, ?IHt1, ?IHt2; auto using Q2R_inject, Q2R_quot.
  now rewrite Q2R_inject.
Qed.
Lemma le_decided a b : Qle_bool (val_Q a) (val_Q b) = true <-> val real a <= val real b.
Proof. rewrite !val_rational, Qle_bool_iff. split; [apply Qle_Rle|apply Rle_Qle]. Qed.
Lemma decide_ok f : decide f = true <-> sat real f.
Proof.
  induction f as [a b|a b|a b|l IH|l IH|f IH|f g IHf IHg|f g IHf IHg] using fm_rec'; cbn [decide].
  - rewrite negb_true_iff. cbn [sat]. destruct (Qle_bool (val_Q b) (val_Q a)) eqn:E.
    + apply le_decided in E. split; [discriminate|lra].
    + split; [intros _|reflexivity]. apply Rnot_le_lt. intros L. apply le_decided in L. congruence.
  - apply le_decided.
  - rewrite andb_true_iff, !le_decided. cbn [sat]. lra.
  - rewrite forallb_forall, sat_and. rewrite Forall_forall in IH. split; intros H f Hf; apply (IH f Hf); auto.
  - rewrite existsb_exists, sat_or. rewrite Forall_forall in IH. split; intros (f & Hf & H); exists f; split; auto; now apply (IH f Hf).
  - rewrite negb_true_iff. cbn [sat]. rewrite <- IH. destruct (decide f); split; congruence.
  - rewrite orb_true_iff, negb_true_iff. cbn [sat]. rewrite <- IHf, <- IHg. destruct (decide f), (decide g); intuition congruence.
  - rewrite eqb_true_iff. cbn [sat]. rewrite <- IHf, <- IHg. destruct (decide f), (decide g); intuition congruence.
Qed.
End Rational.

Fixpoint maximum_Q (l : list Q) : Q := match l with [] => 0%Q | [a] => a | a :: t => let m := maximum_Q t in if Qle_bool a m then m else a end.
Lemma maximum_rational l : maximum (map Q2R l) = Q2R (maximum_Q l).
Proof.
  induction l as [|a [|b t] IH]; [unfold Q2R; simpl; field|reflexivity|]. cbn [map]. rewrite maximum_cons. cbn [map] in IH. rewrite IH.
  cbn [maximum_Q]. destruct (Qle_bool a _) eqn:E.
  - apply Rmax_right, Qle_Rle. now apply Qle_bool_iff.
  - apply Rmax_left, Rlt_le, Qlt_Rlt, Qnot_le_lt. intros L. apply Qle_bool_iff in L. simpl in *; congruence.
Qed.
Fixpoint build_Q (base : N -> Q) (n : N) (tops : list (list tm)) : N -> Q :=
  match tops with
  | [] => base
  | args :: t => let m := maximum_Q (map (val_Q (fun v => base (Pos.pred_N v))) args) in build_Q (fun i => if N.eqb i n then m else base i) (N.succ n) t
  end.
Lemma build_rational tops : forall base base' n i, (forall i, base i = Q2R (base' i)) -> build base n tops i = Q2R (build_Q base' n tops i).
Proof.
  induction tops as [|args t IH]; intros base base' n i H; [apply H|]. cbn [build build_Q]. apply IH. intros j.
  destruct (N.eqb j n); [|apply H]. rewrite <- maximum_rational, map_map. f_equal. apply map_ext. intros a. apply val_rational.
  intros v. unfold env. apply H.
Qed.

(* What the exported files use: claims are decided at rational weights, with rational values of the parameters. *)
Definition cell_Q cs k ws T (i : N) : Q := weight_of cs k ws (nth (N.to_nat i / k) (states cs) []) (N.to_nat i mod k) # T.
Definition given_Q (values : N -> Q) (count : N) (ts : list Q) (i : N) : Q := if (i <? count)%N then values i else nth (N.to_nat (i - count)) ts 0%Q.
Theorem at_weights cs k ws T fit count ts tops f :
  let d := with_weights cs k ws T fit in
  let size := (N.of_nat count + N.of_nat (length ts))%N in
  decide (fun v => build_Q (given_Q (cell_Q cs k ws T) (N.of_nat count) ts) size tops (Pos.pred_N v)) f = true ->
  sat (env (build (given_or (cell d) (N.of_nat count) (map Q2R ts)) size tops)) f.
Proof.
  intros d size Q. revert Q. apply decide_ok. intros v. unfold env. apply build_rational. intros i. unfold given_or, given_Q.
  destruct (i <? N.of_nat count)%N; [reflexivity|]. rewrite <- (map_nth Q2R). f_equal. unfold Q2R; simpl; field.
Qed.
