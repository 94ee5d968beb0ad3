(* Curves that bound H(Y | S) and I(Y; T | S) from below. Each posterior is a mixture of uniform ones, in layers: one layer
   has the same part of each class that still has something. *)
From Coq Require Import Reals ZArith PArith List Bool Lra Lia.
From FS Require Import Sums Distributions Entropies States Curves.
Import ListNotations.
Open Scope R_scope.

(* Chords of the logarithm lie above it outside their ends. *)
Lemma tangent x z : 0 < x -> 0 < z -> z * ln x <= z * ln z + x - z.
Proof.
  intros X Z. pose proof (ln_below (x / z) (Rdiv_lt_0_compat _ _ X Z)) as L. unfold Rdiv in L. rewrite ln_mult, ln_Rinv in L by (auto; now apply Rinv_0_lt_compat).
  apply (Rmult_le_compat_l z) in L; [|lra]. replace (z * (x * / z - 1)) with (x - z) in L by (field; lra). lra.
Qed.
Lemma chord u u0 u1 : 0 < u -> 0 < u0 -> u0 <= u1 -> u <= u0 \/ u1 <= u -> (u1 - u0) * ln u <= (u - u0) * ln u1 - (u - u1) * ln u0.
Proof.
  intros U U0 U1 [O|O].
  - pose proof (tangent u u0 U U0) as A. pose proof (tangent u1 u0 ltac:(lra) U0) as B.
    apply Rmult_le_reg_l with u0; [exact U0|].
    apply (Rmult_le_compat_l (u1 - u0)) in A; [|lra]. apply (Rmult_le_compat_l (u0 - u)) in B; [|lra]. lra.
  - pose proof (tangent u u1 U ltac:(lra)) as A. pose proof (tangent u0 u1 U0 ltac:(lra)) as B.
    apply Rmult_le_reg_l with u1; [lra|].
    apply (Rmult_le_compat_l (u1 - u0)) in A; [|lra]. apply (Rmult_le_compat_l (u - u1)) in B; [|lra]. lra.
Qed.
(* The line through the values of - ln (al + be / m) at m = j and m = j + 1 is below the value at every whole m. *)
Lemma polygon al be (j m : nat) : 0 <= al -> 0 <= be -> 0 < al + be -> (1 <= j)%nat -> (1 <= m)%nat ->
  let value t := - ln (al + be / INR t) in
  value j + INR j * (INR j + 1) * (value (S j) - value j) * (/ INR j - / INR m) <= value m.
Proof.
  intros A B AB J M value. apply le_INR in J, M. simpl in J, M. pose proof (S_INR j) as E.
  assert (U : forall t, 1 <= INR t -> 0 < al + be / INR t).
  { intros t T. replace (al + be / INR t) with ((al * INR t + be) / INR t) by (field; lra). apply Rdiv_lt_0_compat; [|lra].
    assert (al * 1 <= al * INR t) by (apply Rmult_le_compat_l; lra). lra. }
  destruct (Rle_lt_or_eq_dec 0 be B) as [PB|Z]; [|unfold value; rewrite <- Z; unfold Rdiv; rewrite !Rmult_0_l; lra].
  assert (O : al + be / INR m <= al + be / INR (S j) \/ al + be / INR j <= al + be / INR m).
  { assert (D : forall s t, 1 <= INR s -> INR s <= INR t -> be / INR t <= be / INR s) by (intros s t S T; apply Rmult_le_compat_l; [lra|]; apply Rinv_le_contravar; lra).
    destruct (le_lt_dec m j) as [L|L]; [right|left]; apply Rplus_le_compat_l, D; try lra; try (apply le_INR; lia). }
  assert (I : be / INR (S j) <= be / INR j) by (apply Rmult_le_compat_l; [lra|]; apply Rinv_le_contravar; lra).
  pose proof (chord _ (al + be / INR (S j)) (al + be / INR j) (U m M) (U (S j) ltac:(lra)) ltac:(lra) O) as C.
  assert (W : be * / (INR j * (INR j + 1)) = al + be / INR j - (al + be / INR (S j))) by (rewrite E; field; lra).
  assert (P : 0 < INR j * (INR j + 1)) by (apply Rmult_lt_0_compat; lra).
  assert (Q : 0 < be * / (INR j * (INR j + 1))) by (apply Rmult_lt_0_compat; [lra|now apply Rinv_0_lt_compat]).
  unfold value. set (x := ln (al + be / INR m)) in *. set (y := ln (al + be / INR j)) in *. set (z := ln (al + be / INR (S j))) in *.
  apply Rmult_le_reg_l with (be * / (INR j * (INR j + 1))); [exact Q|]. rewrite <- W in C.
  replace (be * / (INR j * (INR j + 1)) * (- y + INR j * (INR j + 1) * (- z - - y) * (/ INR j - / INR m)))
    with (- ((al + be / INR m - (al + be / INR (S j))) * y - (al + be / INR m - (al + be / INR j)) * z)) by (rewrite E; field; lra).
  lra.
Qed.

(* The entropy of a measure, times its total, grows at least as much as its parts tell. *)
Definition spread_of {A} (u : A -> R) l := sum (fun a => u a * - ln (u a)) l + sum u l * ln (sum u l).
Lemma spread_plus {A} (u v : A -> R) l : (forall a, In a l -> 0 <= u a) -> (forall a, In a l -> 0 <= v a) ->
  spread_of u l + spread_of v l <= spread_of (fun a => u a + v a) l.
Proof.
  assert (Part : forall u v : A -> R, (forall a, In a l -> 0 <= u a) -> (forall a, In a l -> 0 <= v a) ->
    spread_of u l <= sum (fun a => u a * - ln (u a + v a)) l + sum u l * ln (sum u l + sum v l)).
  { clear u v. intros u v U V. assert (SU : 0 <= sum u l) by now apply sum_ge0. assert (SV : 0 <= sum v l) by now apply sum_ge0.
    unfold spread_of. destruct (Rle_lt_or_eq_dec 0 _ SU) as [P|Z].
    - set (s := sum u l / (sum u l + sum v l)). assert (S0 : 0 < s) by (apply Rdiv_lt_0_compat; lra).
      apply Rle_trans with (sum (fun a => u a * - ln (s * (u a + v a))) l + sum u l * ln (sum u l)).
      + apply Rplus_le_compat_r, (gibbs_sum u (fun a => s * (u a + v a))); auto.
        * intros a Ha. specialize (U a Ha). specialize (V a Ha). apply Rmult_le_pos; lra.
        * intros a Ha Pa. specialize (V a Ha). apply Rmult_lt_0_compat; lra.
        * rewrite sum_scale, sum_plus. unfold s. right. field. lra.
      + right. rewrite (sum_ext _ (fun a => u a * - ln (u a + v a) + - ln s * u a)).
        * rewrite sum_plus, sum_scale. unfold s, Rdiv. rewrite ln_mult, ln_Rinv by (try apply Rinv_0_lt_compat; lra). ring.
        * intros a Ha. destruct (Rle_lt_or_eq_dec 0 _ (U a Ha)) as [Pa|E]; [|rewrite <- E; ring]. specialize (V a Ha). rewrite ln_mult by lra. ring.
    - rewrite <- Z. rewrite (sum_ext _ (fun _ => 0)), sum_0, (sum_ext _ (fun _ => 0)), sum_0; [lra|..]; intros a Ha; rewrite (sum_zero u l U (eq_sym Z) a Ha); ring. }
  intros U V. pose proof (Part u v U V) as PU. pose proof (Part v u V U) as PV. unfold spread_of at 3. rewrite sum_plus.
  rewrite (sum_ext (fun a => (u a + v a) * - ln (u a + v a)) (fun a => u a * - ln (u a + v a) + v a * - ln (v a + u a))) by (intros; rewrite (Rplus_comm (v a)); ring).
  rewrite sum_plus. rewrite (Rplus_comm (sum v l) (sum u l)) in PV. lra.
Qed.

Lemma fewer {A} (p q : A -> bool) l z : In z l -> (forall a, q a = true -> p a = true) -> p z = true -> q z = false ->
  (length (filter q l) < length (filter p l))%nat.
Proof.
  intros Hz I Pz Qz. assert (Sub : forall k, (length (filter q k) <= length (filter p k))%nat).
  { induction k as [|a k IH]; [simpl; lia|]. simpl. destruct (q a) eqn:Qa; [rewrite (I a Qa); simpl; lia|destruct (p a); simpl; lia]. }
  induction l as [|a k IH]; [destruct Hz|]. simpl. destruct Hz as [->|Hz].
  - rewrite Pz, Qz. simpl. specialize (Sub k). lia.
  - specialize (IH Hz). destruct (q a) eqn:Qa; [rewrite (I a Qa); simpl; lia|destruct (p a); simpl; lia].
Qed.
(* What is superadditive, and linear on uniform layers up to a constant for each, is so for all measures up to their height. *)
Section Layers.
Variables (l : list nat) (allowed : nat -> Prop) (F : (nat -> R) -> R) (a b : R).
Hypothesis b_ge0 : 0 <= b.
Hypothesis same_values : forall u v, (forall y, In y l -> u y = v y) -> F u = F v.
Hypothesis superadditive : forall u v, (forall y, In y l -> 0 <= u y) -> (forall y, In y l -> 0 <= v y) -> F u + F v <= F (fun y => u y + v y).
Hypothesis nothing : 0 <= F (fun _ => 0).
Hypothesis layer : forall m (K : nat -> bool), 0 < m -> (forall y, In y l -> K y = true -> allowed y) -> filter K l <> [] ->
  a * (m * INR (length (filter K l))) - b * m <= F (fun y => if K y then m else 0).
Definition has (u : nat -> R) y := if Rlt_dec 0 (u y) then true else false.
Lemma has_true u y : has u y = true <-> 0 < u y.
Proof. unfold has. destruct (Rlt_dec 0 (u y)); split; intros; auto; discriminate || contradiction. Qed.
Theorem layers n : forall u h, (length (filter (has u) l) <= n)%nat -> (forall y, In y l -> 0 <= u y <= h) -> 0 <= h -> (forall y, In y l -> 0 < u y -> allowed y) ->
  a * sum u l - b * h <= F u.
Proof.
  induction n as [|n IH]; intros u h N U H Al; destruct (filter (has u) l) as [|y0 t] eqn:E.
  1, 3: (* nothing is left *)
    assert (Z : forall y, In y l -> 0 = u y) by (intros y Hy; destruct (U y Hy) as [[L|L] _]; [|exact L]; apply has_true in L;
      assert (In y (filter (has u) l)) by (apply filter_In; auto); rewrite E in *; contradiction);
    rewrite <- (same_values _ u Z), <- (sum_ext (fun _ => 0) u l Z), sum_0; assert (0 <= b * h) by (apply Rmult_le_pos; lra); lra.
  - simpl in N. lia.
  - set (m := - maximum (map (fun y => - u y) (filter (has u) l))).
    assert (M : exists z, In z l /\ 0 < u z /\ u z = m).
    { assert (NE : map (fun y => - u y) (filter (has u) l) <> []) by (rewrite E; discriminate). pose proof (maximum_in _ NE) as I.
      apply in_map_iff in I as (z & Ez & Hz). apply filter_In in Hz as [Hz Pz]. exists z; split; [exact Hz|]. split; [now apply has_true|]. unfold m. rewrite <- Ez. ring. }
    destruct M as (z & Hz & Pz & Ez).
    assert (Least : forall y, In y l -> 0 < u y -> m <= u y).
    { intros y Hy P. unfold m. pose proof (maximum_ge (map (fun y => - u y) (filter (has u) l)) (- u y)) as G.
      enough (- u y <= maximum (map (fun y => - u y) (filter (has u) l))) by lra. apply G, (in_map (fun y => - u y)), filter_In. split; [exact Hy|now apply has_true]. }
    set (v := fun y => if has u y then u y - m else 0).
    assert (V0 : forall y, In y l -> 0 <= v y).
    { intros y Hy. unfold v. destruct (has u y) eqn:Hu; [|lra]. apply has_true in Hu. specialize (Least y Hy Hu). lra. }
    rewrite <- (same_values (fun y => (if has u y then m else 0) + v y) u).
    2: { intros y Hy. unfold v. destruct (has u y) eqn:Hu; [ring|]. destruct (U y Hy) as [[L|L] _]; [apply has_true in L; congruence|lra]. }
    eapply Rle_trans; [|apply superadditive; [|exact V0]; intros y _; destruct (has u y); lra].
    assert (L1 : a * (m * INR (length (filter (has u) l))) - b * m <= F (fun y => if has u y then m else 0)).
    { apply layer; [lra| |rewrite E; discriminate]. intros y Hy P. apply Al; [exact Hy|now apply has_true]. }
    assert (L2 : a * sum v l - b * (h - m) <= F v).
    { apply IH.
      - apply le_S_n. eapply Nat.le_trans; [|exact N]. rewrite <- E. apply (fewer (has u) (has v) l z Hz).
        + intros y Hv. apply has_true in Hv. unfold v in Hv. destruct (has u y); [reflexivity|lra].
        + now apply has_true.
        + destruct (has v z) eqn:Hv; [|reflexivity]. apply has_true in Hv. unfold v in Hv. destruct (has u z); lra.
      - intros y Hy. split; [now apply V0|]. unfold v. pose proof (U y Hy). pose proof (U z Hz). destruct (has u y); lra.
      - pose proof (U z Hz). lra.
      - intros y Hy P. apply Al; [exact Hy|]. unfold v in P. destruct (has u y) eqn:Hu; [now apply has_true|lra]. }
    assert (Total : sum u l = m * INR (length (filter (has u) l)) + sum v l).
    { rewrite <- sum_const, sum_filter, <- sum_plus. apply sum_ext; intros y Hy. unfold v. destruct (has u y) eqn:Hu; [ring|].
      destruct (U y Hy) as [[L|L] _]; [apply has_true in L; congruence|lra]. }
    rewrite Total. lra.
Qed.
End Layers.
