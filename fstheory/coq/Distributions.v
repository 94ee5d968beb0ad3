(* Distributions of features and a class with finitely many states, and their Bayes risks, from the definition. *)
From Coq Require Import Reals ZArith PArith NArith List Bool Lra Lia Classical ClassicalEpsilon.
From FS Require Import Sums.
Import ListNotations.
Open Scope R_scope.

(* All states of features with these numbers of states: lists of indices, the last feature fastest. *)
Fixpoint states (sizes : list nat) : list (list nat) :=
  match sizes with [] => [[]] | c :: t => flat_map (fun i => map (cons i) (states t)) (seq 0 c) end.

(* Any number of features with any numbers of states, any number of classes, and real probabilities. *)
Record dist := { sizes : list nat; classes : nat; p : list nat -> nat -> R; nonneg : forall x y, 0 <= p x y;
  total : sum (fun x => sum (p x) (seq 0 classes)) (states sizes) = 1 }.
Definition omega d := states (sizes d).
Definition labels d := seq 0 (classes d).
Definition features d := length (sizes d).

(* A classifier sees a set S of features alone if it says the same wherever the features in S agree. *)
Definition set := nat -> bool.
Definition mem (l : list nat) : set := fun i => existsb (Nat.eqb i) l.
Definition agree (S : set) (x x' : list nat) := forall i, S i = true -> nth i x 0%nat = nth i x' 0%nat.
Definition sees d (S : set) (f : list nat -> nat) := forall x x', In x (omega d) -> In x' (omega d) -> agree S x x' -> f x = f x'.
(* How often the class at x is another than v, and the error of a classifier. *)
Definition row d x v := sum (fun y => if Nat.eqb v y then 0 else p d x y) (labels d).
Definition err d (f : list nat -> nat) := sum (fun x => row d x (f x)) (omega d).
(* The Bayes risk of S is the least error of a classifier that sees S alone. *)
Definition risk d S r := (exists f, sees d S f /\ err d f = r) /\ forall f, sees d S f -> r <= err d f.
Definition bayes_risk d (S : list nat) : R := epsilon (inhabits 0) (risk d (mem S)).

(* The two assumptions of Pena and Nilsson. *)
Definition px d x := sum (p d x) (labels d).
Definition positive d := forall x, In x (omega d) -> 0 < px d x.
Definition unique_maximum d := forall x, In x (omega d) -> 0 < px d x ->
  exists y, In y (labels d) /\ forall z, In z (labels d) -> z <> y -> p d x z < p d x y.

(* The probability of a partial state: None stands for any state of a feature, and for any class. *)
Fixpoint matches (s : list (option nat)) (x : list nat) : bool :=
  match s, x with
  | Some i :: s, j :: x => Nat.eqb i j && matches s x
  | None :: s, _ :: x => matches s x
  | _, _ => true
  end.
Definition probability d (s : list (option nat)) (y : option nat) : R :=
  sum (fun x => match y with Some y => p d x y | None => px d x end) (filter (matches s) (omega d)).

(* States. *)
Lemma in_states cs x : In x (states cs) <-> Forall2 lt x cs.
Proof.
  revert x; induction cs as [|c t IH]; intros x; simpl; [split; [intros [<-|[]]; constructor|intros H; inversion H; auto]|].
  rewrite in_flat_map. split.
  - intros (i & Hi & Hx). apply in_map_iff in Hx as (y & <- & Hy). apply in_seq in Hi. constructor; [lia|]. now apply IH.
  - intros H; inversion H as [|i ? y ? Hi Hy]; subst. exists i; split; [apply in_seq; lia|]. apply in_map_iff; exists y; split; [auto|now apply IH].
Qed.
Lemma states_once cs : NoDup (states cs).
Proof.
  induction cs as [|c t IH]; simpl; [repeat constructor; auto|]. generalize (seq_NoDup c 0). induction (seq 0 c) as [|i l IHl]; intros N; simpl; [constructor|].
  inversion_clear N as [|? ? Ni Nl]. assert (D : forall (A B : list (list nat)), NoDup A -> NoDup B -> (forall z, In z A -> ~ In z B) -> NoDup (A ++ B)).
  { clear. induction A as [|a A IH]; simpl; intros B NA NB H; [auto|]. inversion_clear NA. constructor; [rewrite in_app_iff; intros [Q|Q]; [auto|apply (H a); auto]|apply IH; auto]. }
  apply D; [|auto|].
  - clear - IH. induction IH as [|x l Nx Nl IHn]; simpl; constructor; auto. rewrite in_map_iff. intros (y & E & Hy). congruence.
  - intros z Hz Hz'. apply in_map_iff in Hz as (y & <- & _). apply in_flat_map in Hz' as (j & Hj & Q). apply in_map_iff in Q as (y' & E & _). congruence.
Qed.
Lemma same cs : forall x x', Forall2 lt x cs -> Forall2 lt x' cs -> (forall i, (i < length cs)%nat -> nth i x 0%nat = nth i x' 0%nat) -> x = x'.
Proof.
  induction cs as [|c t IH]; intros x x' H K E; inversion H; inversion K; subst; [reflexivity|].
  f_equal; [apply (E 0%nat); simpl; lia|]. apply IH; auto. intros i Hi; apply (E (S i)); simpl; lia.
Qed.
Lemma sees_all d (X : set) f : (forall i, (i < features d)%nat -> X i = true) -> sees d X f.
Proof. intros HX x x' Hx Hx' A. f_equal. apply in_states in Hx, Hx'. apply (same _ _ _ Hx Hx'). intros i Hi; apply A, HX, Hi. Qed.
Lemma sees_more d (S T : set) f : (forall i, S i = true -> T i = true) -> sees d S f -> sees d T f.
Proof. intros I Hf x x' Hx Hx' A. apply Hf; auto. intros i Hi; apply A, I, Hi. Qed.
Lemma sees_none d S y : sees d S (fun _ => y).
Proof. intros ? ? _ _ _; reflexivity. Qed.

(* Every subset has one risk: errors are among finitely many numbers. *)
Fixpoint sums (ls : list (list R)) := match ls with [] => [0] | l :: t => flat_map (fun a => map (Rplus a) (sums t)) l end.
Lemma in_sums {A} (f : A -> R) (g : A -> list R) l : (forall a, In a l -> In (f a) (g a)) -> In (sum f l) (sums (map g l)).
Proof.
  induction l as [|a t IH]; simpl; intros H; [auto|]. apply in_flat_map; exists (f a); split; [auto|]. apply in_map, IH; auto.
Qed.
Lemma least (l : list R) : forall P : R -> Prop, (forall r, P r -> In r l) -> (exists r, P r) -> exists r, P r /\ forall s, P s -> r <= s.
Proof.
  induction l as [|a t IH]; intros P H (r & Hr); [destruct (H r Hr)|].
  destruct (classic (exists s, P s /\ s <> a)) as [(s & Hs & Ns)|N].
  - destruct (IH (fun s => P s /\ s <> a)) as (m & (Pm & _) & L); [intros q (Pq & Nq); destruct (H q Pq); [congruence|auto]|eauto|].
    destruct (classic (P a)) as [Pa|Na]; [destruct (Rle_or_lt m a)|].
    + exists m; split; [auto|]. intros q Pq; destruct (Req_dec q a) as [->|D]; [lra|auto].
    + exists a; split; [auto|]. intros q Pq; destruct (Req_dec q a) as [->|D]; [lra|]. assert (m <= q) by auto; lra.
    + exists m; split; [auto|]. intros q Pq; apply L; split; [auto|congruence].
  - exists r; split; [auto|]. intros s Hs. assert (s = a) by (apply NNPP; intros D; apply N; eauto).
    assert (r = a) by (apply NNPP; intros D; apply N; eauto). lra.
Qed.
Theorem has_risk d S : exists r, risk d S r.
Proof.
  destruct (least (sums (map (fun x => sums (map (fun y => [0; p d x y]) (labels d))) (omega d))) (fun r => exists f, sees d S f /\ err d f = r))
    as (r & (f & Hf & E) & L).
  - intros r (f & _ & <-). apply (in_sums (fun x => row d x (f x))); intros x _.
    apply (in_sums (fun y => if Nat.eqb (f x) y then 0 else p d x y)); intros y _. destruct (Nat.eqb (f x) y); simpl; auto.
  - exists (err d (fun _ => 0%nat)), (fun _ => 0%nat); split; [apply sees_none|reflexivity].
  - exists r; split; [eauto|]. intros g Hg; apply L; eauto.
Qed.
Lemma one_risk d S r s : risk d S r -> risk d S s -> r = s.
Proof. intros [(f & Hf & <-) L] [(g & Hg & <-) M]. apply Rle_antisym; auto. Qed.
Lemma bayes_risk_ok d S : risk d (mem S) (bayes_risk d S).
Proof. unfold bayes_risk. apply epsilon_spec, has_risk. Qed.

(* Bounds. *)
Lemma row_ge0 d x v : 0 <= row d x v.
Proof. apply sum_ge0; intros y _. destruct (Nat.eqb v y); [lra|apply nonneg]. Qed.
Lemma row_plus d x v : In v (labels d) -> row d x v + p d x v = px d x.
Proof.
  intros Hv. unfold row, px. rewrite <- (sum_one Nat.eqb Nat.eqb_eq (p d x v) v (labels d)) at 1; [|apply seq_NoDup|exact Hv].
  rewrite <- sum_plus. apply sum_ext; intros y _. destruct (Nat.eqb_spec v y) as [->|_]; lra.
Qed.
Lemma row_le d x v : row d x v <= px d x.
Proof. apply sum_le; intros y _. destruct (Nat.eqb v y); [apply nonneg|lra]. Qed.
Lemma row_out d x v : ~ In v (labels d) -> row d x v = px d x.
Proof. intros N. apply sum_ext; intros y Hy. destruct (Nat.eqb_spec v y) as [->|_]; [contradiction|reflexivity]. Qed.
Lemma total_px d : sum (px d) (omega d) = 1.
Proof. exact (total d). Qed.
Lemma some_class d : labels d <> [].
Proof.
  intros E. pose proof (total_px d) as T. rewrite (sum_ext _ (fun _ => 0)), sum_0 in T; [lra|]. intros x _. unfold px. now rewrite E.
Qed.
Lemma monotone d S T r s : (forall i, S i = true -> T i = true) -> risk d S r -> risk d T s -> s <= r.
Proof. intros I [(f & Hf & E) _] [_ M]. rewrite <- E. apply M. exact (sees_more d S T f I Hf). Qed.
Lemma floor d S r : risk d S r -> 0 <= r.
Proof. intros [(f & _ & <-) _]. apply sum_ge0; intros x _; apply row_ge0. Qed.
Lemma ceiling d S r : risk d S r -> r < 1.
Proof.
  intros [_ M]. destruct (sum_pos (px d) (omega d)) as (x & Hx & P); [rewrite total_px; lra|].
  destruct (sum_pos _ _ P) as (y & Hy & Q). apply Rle_lt_trans with (err d (fun _ => y)); [apply M, sees_none|].
  rewrite <- (total_px d). apply sum_lt; [intros; apply row_le|]. exists x; split; [exact Hx|]. pose proof (row_plus d x y Hy). lra.
Qed.
(* Some class has at least the average probability, and a guess of it is right so often. *)
Lemma average (f : nat -> R) l : l <> [] -> exists y, In y l /\ sum f l / INR (length l) <= f y.
Proof.
  intros N. apply NNPP; intros Q. assert (L : 0 < INR (length l)) by (apply lt_0_INR; destruct l; [congruence|simpl; lia]).
  assert (sum f l < sum (fun _ => sum f l / INR (length l)) l); [|rewrite sum_const in *; field_simplify in H; lra].
  apply sum_lt.
  - intros y Hy. apply Rnot_lt_le; intros Lt. apply Q; exists y; split; [auto|lra].
  - destruct l as [|y l]; [congruence|]. exists y; split; [left; auto|]. apply Rnot_le_lt; intros Le. apply Q; exists y; split; [left; auto|lra].
Qed.
Lemma ceiling_of_classes d S r : risk d S r -> r <= 1 - / INR (classes d).
Proof.
  intros [_ M]. destruct (average (fun y => sum (fun x => p d x y) (omega d)) (labels d) (some_class d)) as (y & Hy & A).
  eapply Rle_trans; [apply (M (fun _ => y)), sees_none|].
  assert (E : err d (fun _ => y) + sum (fun x => p d x y) (omega d) = 1).
  { unfold err. rewrite <- sum_plus, <- (total_px d). apply sum_ext; intros x _. now apply row_plus. }
  assert (T : sum (fun y => sum (fun x => p d x y) (omega d)) (labels d) = 1) by (rewrite sum_swap; apply total_px).
  rewrite T in A. unfold labels in A. rewrite seq_length in A. unfold Rdiv in A. lra.
Qed.
(* If maxima are single, the guess of the likeliest class is right more often than the average. *)
Lemma ceiling_of_maxima d X r : (2 <= classes d)%nat -> unique_maximum d -> (forall i, (i < features d)%nat -> X i = true) ->
  risk d X r -> r < 1 - / INR (classes d).
Proof.
  intros K U HX [_ M]. set (c := / INR (classes d)).
  assert (G : forall x, exists y, In x (omega d) -> row d x y <= px d x - c * px d x /\ (0 < px d x -> row d x y < px d x - c * px d x)).
  { intros x. destruct (classic (In x (omega d) /\ 0 < px d x)) as [(Hx & P)|N].
    - destruct (U x Hx P) as (y & Hy & L). exists y; intros _. pose proof (row_plus d x y Hy).
      assert (px d x < sum (fun _ => p d x y) (labels d)).
      { apply sum_lt; [intros z Hz; destruct (Nat.eq_dec z y) as [->|D]; [lra|left; auto]|].
        destruct y as [|y]; [exists 1%nat|exists 0%nat]; (split; [apply in_seq; lia|apply L; [apply in_seq; lia|discriminate]]). }
      rewrite sum_const in H0. unfold labels in H0. rewrite seq_length in H0.
      assert (0 < INR (classes d)) by (apply lt_0_INR; lia).
      assert (c * px d x < p d x y); [|split; intros; lra]. unfold c. apply Rmult_lt_reg_l with (INR (classes d)); [auto|].
      rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. lra.
    - exists 0%nat; intros Hx. assert (Z : px d x = 0).
      { assert (0 <= px d x) by (apply sum_ge0; intros; apply nonneg). apply Rle_antisym; [apply Rnot_lt_le; intros Q; apply N; auto|auto]. }
      pose proof (row_le d x 0). rewrite Z in *. split; intros; lra. }
  destruct (choice (fun x y => In x (omega d) -> row d x y <= px d x - c * px d x /\ (0 < px d x -> row d x y < px d x - c * px d x)) G) as (f & Hf).
  eapply Rle_lt_trans; [apply (M f), (sees_all d X f HX)|].
  assert (E : sum (fun x => px d x - c * px d x) (omega d) = 1 - c) by (rewrite sum_minus, sum_scale, total_px; ring).
  rewrite <- E. apply sum_lt; [intros x Hx; now apply Hf|].
  destruct (sum_pos (px d) (omega d)) as (x & Hx & P); [rewrite total_px; lra|]. exists x; split; [auto|]. now apply Hf.
Qed.

(* A state that agrees with x where b says so, and with x' elsewhere. *)
Fixpoint mix (b : set) (x x' : list nat) : list nat :=
  match x, x' with i :: t, j :: t' => (if b 0%nat then i else j) :: mix (fun k => b (S k)) t t' | _, _ => [] end.
Lemma mix_in cs : forall b x x', Forall2 lt x cs -> Forall2 lt x' cs -> Forall2 lt (mix b x x') cs.
Proof. induction cs; intros b x x' H K; inversion H; inversion K; subst; simpl; constructor; auto. destruct (b 0%nat); auto. Qed.
Lemma mix_nth cs : forall b x x' i, Forall2 lt x cs -> Forall2 lt x' cs -> nth i (mix b x x') 0%nat = if b i then nth i x 0%nat else nth i x' 0%nat.
Proof.
  induction cs as [|c t IH]; intros b x x' i H K; inversion H; inversion K; subst; simpl.
  - destruct i, (b 0%nat); simpl; try destruct (b (S i)); reflexivity.
  - destruct i; simpl; [reflexivity|]. rewrite IH; auto.
Qed.

(* Theorem 4 of Pena and Nilsson: under both assumptions, the subsets with the least risk are closed under intersection. *)
Theorem theorem_4 d S T X U a b c e :
  positive d -> unique_maximum d -> (forall i, (i < features d)%nat -> X i = true) -> (forall i, U i = (S i && T i)%bool) ->
  risk d S a -> risk d T b -> risk d X c -> risk d U e -> a = c -> b = c -> e = c.
Proof.
  intros Pos Uni HX HU RS RT RX RU -> ->.
  assert (G : exists g, forall x, In x (omega d) -> In (g x) (labels d) /\ forall z, In z (labels d) -> z <> g x -> p d x z < p d x (g x)).
  { exists (fun x => epsilon (inhabits 0%nat) (fun y => In y (labels d) /\ forall z, In z (labels d) -> z <> y -> p d x z < p d x y)).
    intros x Hx. apply (epsilon_spec (inhabits 0%nat) (fun y => In y (labels d) /\ forall z, In z (labels d) -> z <> y -> p d x z < p d x y)). apply Uni; auto. }
  destruct G as (g & Hg).
  assert (Strict : forall x v, In x (omega d) -> v <> g x -> row d x (g x) < row d x v).
  { intros x v Hx Hv. destruct (Hg x Hx) as (I & L). pose proof (row_plus d x (g x) I) as E.
    destruct (in_dec Nat.eq_dec v (labels d)) as [J|J]; [pose proof (row_plus d x v J); specialize (L v J Hv); lra|].
    rewrite (row_out d x v J). destruct (sum_pos _ _ (Pos x Hx)) as (y & Hy & Py). destruct (Nat.eq_dec y (g x)) as [->|D]; [lra|]. specialize (L y Hy D). lra. }
  assert (Weak : forall x v, In x (omega d) -> row d x (g x) <= row d x v).
  { intros x v Hx. destruct (Nat.eq_dec v (g x)) as [->|D]; [lra|]. left; auto. }
  assert (Low : c <= err d g) by (apply RX, (sees_all d X g HX)).
  assert (Sees : forall Q, risk d Q c -> sees d Q g /\ err d g <= c).
  { intros Q [(f & Hf & E) _]. assert (err d g <= err d f) by (apply sum_le; auto). split; [|lra].
    assert (Same : forall x, In x (omega d) -> f x = g x).
    { intros x Hx. apply NNPP; intros N. assert (err d g < err d f); [apply sum_lt; eauto|lra]. }
    intros x x' Hx Hx' A. rewrite <- !Same; auto. }
  destruct (Sees S RS) as (GS & HE), (Sees T RT) as (GT & _).
  assert (GU : sees d U g).
  { intros x x' Hx Hx' A. pose proof (proj1 (in_states _ _) Hx) as Fx. pose proof (proj1 (in_states _ _) Hx') as Fx'.
    assert (Hz : In (mix S x x') (omega d)) by (apply in_states, mix_in; auto). transitivity (g (mix S x x')).
    - apply GS; auto. intros i Hi. rewrite (mix_nth _ _ _ _ _ Fx Fx'), Hi. reflexivity.
    - apply GT; auto. intros i Hi. rewrite (mix_nth _ _ _ _ _ Fx Fx'). destruct (S i) eqn:Si; [|reflexivity]. apply A. rewrite HU, Si, Hi; reflexivity. }
  pose proof (proj2 RU g GU). enough (c <= e) by lra.
  destruct RU as [(f & Hf & <-) _]. apply (proj2 RX), (sees_all d X f HX).
Qed.
(* A risk of 0 needs no second assumption: where the class is certain, maxima are single. *)
Lemma certain d S : positive d -> risk d S 0 -> unique_maximum d.
Proof.
  intros Pos [(f & _ & E) _] x Hx P.
  assert (Z : row d x (f x) = 0) by (apply (sum_zero (fun x => row d x (f x)) (omega d)); [intros; apply row_ge0|exact E|exact Hx]).
  destruct (in_dec Nat.eq_dec (f x) (labels d)) as [I|I]; [|rewrite (row_out d x _ I) in Z; lra].
  exists (f x); split; [exact I|]. intros z Hz D. pose proof (row_plus d x (f x) I).
  assert (Q : (fun y => if Nat.eqb (f x) y then 0 else p d x y) z = 0).
  { apply (sum_zero (fun y => if Nat.eqb (f x) y then 0 else p d x y) (labels d)); [intros y _; destruct (Nat.eqb (f x) y); [lra|apply nonneg]|exact Z|exact Hz]. }
  cbv beta in Q. destruct (Nat.eqb_spec (f x) z); [congruence|]. lra.
Qed.
Theorem zero_closed d S T X U e : positive d -> (forall i, (i < features d)%nat -> X i = true) -> (forall i, U i = (S i && T i)%bool) ->
  risk d S 0 -> risk d T 0 -> risk d U e -> e = 0.
Proof.
  intros Pos HX HU RS RT RU. assert (RX : risk d X 0).
  { destruct RS as [(f & _ & E) _]. split; [exists f; split; [apply (sees_all d X f HX)|exact E]|].
    intros g _. apply sum_ge0; intros; apply row_ge0. }
  exact (theorem_4 d S T X U 0 0 0 e Pos (certain d S Pos RS) HX HU RS RT RX RU eq_refl eq_refl).
Qed.
