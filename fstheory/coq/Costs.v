(* The cost-sensitive risk: a mistake costs c, but 1 - c if the class is the last one. *)
From Coq Require Import Reals ZArith PArith NArith List Bool Lra Lia.
From FS Require Import Cases Sums Distributions EverySize Entropies States Facts Known Trees PerState Balanced.
Import ListNotations.
Open Scope R_scope.

(* The sum, over the states of a subset, of what the better of two predictions costs: the last class, or another one. *)
Definition last_class d := (classes d - 1)%nat.
Definition least_cost d c (v : nat -> R) := Rmin ((1 - c) * v (last_class d)) (c * (sum v (labels d) - v (last_class d))).
Definition cost_sensitive_risk d c (S : list nat) := sum (fun s => least_cost d c (chance_of d S s)) (states_of d S).

Lemma last_in d : In (last_class d) (labels d).
Proof. unfold last_class, labels. apply in_seq. pose proof (some_class d) as N. unfold labels in N. destruct (classes d); [now destruct N|lia]. Qed.
Theorem cost_by_states d c V : cost_sensitive_risk d c V = sum (fun x => px d x * least_cost d c (post d V x)) (omega d).
Proof.
  unfold cost_sensitive_risk. rewrite (sum_of_states d V (least_cost d c)); [reflexivity|..].
  - intros u v E. unfold least_cost. now rewrite (E _ (last_in d)), (sum_ext u v (labels d) E).
  - intros k v K. unfold least_cost. rewrite sum_scale. set (z := v (last_class d)). set (w := sum v (labels d)).
    replace ((1 - c) * (k * z)) with (k * ((1 - c) * z)) by ring. replace (c * (k * w - k * z)) with (k * (c * (w - z))) by ring.
    unfold Rmin at 2. destruct (Rle_dec ((1 - c) * z) (c * (w - z))); [apply Rmin_left|apply Rmin_right]; apply Rmult_le_compat_l; lra.
Qed.
Theorem cost_of_two d c V : classes d = 2%nat -> cost_sensitive_risk d c V = mean_cost d c V.
Proof.
  intros two. rewrite cost_by_states. apply (mean_same d). intros x Hx P. unfold least_cost, last_class. rewrite two, (total_post d V x Hx P). reflexivity.
Qed.
Theorem prior_costs d c V : classes d = 2%nat -> 0 < c < 1 -> cost_sensitive_risk d c [] < c * (1 - c) \/ c * (1 - c) * balanced_loss d V = cost_sensitive_risk d c V.
Proof.
  intros two C. rewrite !cost_of_two by exact two. destruct (Rlt_or_le (mean_cost d c []) (c * (1 - c))) as [L|G]; [auto|right]. rewrite cost_of_none in G. set (p := prior d 1) in *.
  assert (A : c <= p) by (apply Rmult_le_reg_l with (1 - c); [lra|]; pose proof (Rmin_l ((1 - c) * p) (c * (1 - p))); lra).
  assert (B : 1 - c <= 1 - p) by (apply Rmult_le_reg_l with c; [lra|]; pose proof (Rmin_r ((1 - c) * p) (c * (1 - p))); lra).
  assert (E : c = p) by lra. rewrite E. apply (balanced_of_two d two). fold p. lra.
Qed.

(* The split, where e and f say that criterion j is the balanced loss, and i the risk for the cost x / y. *)
Local Obligation Tactic := idtac.
Program Definition prior_costs_or a j (e : is_balanced a j) x y i (f : nth_error (criteria a) i = Some (cost_sensitive_risk (law a) (IZR (Zpos x) / IZR (Zpos y)))) s : known a := {|
  options := let top := (Zpos x * (Zpos y - Zpos x))%Z in [Lt (q_ a i 0) (Quot top (y * y)); Eq (Part top (y * y) (q_ a j s)) (q_ a i s)];
  checked := given_classes (given_count a) 2 && member a s && (x <? y)%positive |}.
Next Obligation.
  cbn [sat val]. intros a j e x y i f s Q rho M. rewrite !andb_true_iff in Q. destruct Q as ((K & S) & L). apply Pos.ltb_lt, Pos2Z.pos_lt_pos, IZR_lt in L. pose proof (pos_real x) as X. pose proof (pos_real y) as Y.
  rewrite (val_criterion a rho M j _ _ e S), !(val_criterion a rho M i _ _ f) by auto using no_member. rewrite elements_none, Pos2Z.inj_mul, !mult_IZR, minus_IZR.
  set (u := IZR (Zpos x)) in *. set (v := IZR (Zpos y)) in *. replace (u * (v - u) / (v * v)) with (u / v * (1 - u / v)) by (field; lra).
  apply prior_costs; [exact (classes_are a rho M 2 K)|]. split; [now apply Rdiv_lt_0_compat|]. apply Rmult_lt_reg_r with v; [exact Y|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.
