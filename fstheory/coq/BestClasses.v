(* Comparisons of the risks of a set and of a part of it, read by the best classes of states. *)
From Coq Require Import Reals ZArith PArith NArith List Bool Lra Lia.
From FS Require Import Cases Sums Maxima Distributions EverySize OneShape.
Import ListNotations.
Open Scope R_scope.

(* That in each state s of the features in S one class is a best one in all states of T within s, for k classes: P(t, z) is a sum of cells. *)
Definition chance_of cs k (T : set) t z : tm :=
  plus (map (fun i => var (N.of_nat (i * k + z))) (filter (fun i => same_state (project T (nth i (states cs) [])) t) (seq 0 (length (states cs))))).
Definition inside cs (S T : set) s := filter (fun t => same_state (project S t) s) (states (keep T cs)).
Definition best_in cs k (S T : set) s y : fm :=
  And (flat_map (fun t => map (fun z => Le (chance_of cs k T t z) (chance_of cs k T t y)) (filter (fun z => negb (Nat.eqb z y)) (seq 0 k))) (inside cs S T s)).
Definition tie cs k (S T : list nat) : fm := And (map (fun s => Or (map (best_in cs k (mem S) (mem T) s) (seq 0 k))) (states (keep (mem S) cs))).

Lemma project_less (S T : set) x : (forall i, S i = true -> T i = true) -> project S (project T x) = project S x.
Proof.
  revert S T. induction x as [|j t IH]; intros S T I; [reflexivity|]. cbn [project]. f_equal.
  - destruct (S 0%nat) eqn:E; [now rewrite (I 0%nat E)|reflexivity].
  - apply IH. intros i. apply I.
Qed.
Lemma sum_by_place {A} (f : A -> R) a (l : list A) : sum (fun i => f (nth i l a)) (seq 0 (length l)) = sum f l.
Proof.
  rewrite <- (sum_map (fun i => nth i l a) f). f_equal. induction l as [|b t IH]; [reflexivity|]. cbn [length seq map nth]. f_equal.
  rewrite <- seq_shift, map_map. exact IH.
Qed.

Section Ties.
Variables (d : dist) (rho : Pos.t -> R).
Hypothesis rho_cell : forall i, (i < N.of_nat (length (omega d) * classes d))%N -> val rho (var i) = cell d i.
Lemma val_chance_of T t z : In z (labels d) -> val rho (chance_of (sizes d) (classes d) T t z) = cell_of d T t z.
Proof.
  intros Hz. apply in_seq in Hz. unfold chance_of, cell_of. rewrite val_plus, sum_map, !sum_filter. fold (omega d).
  rewrite <- (sum_by_place (fun x => if same_state (project T x) t then p d x z else 0) [] (omega d)). apply sum_ext. intros i Hi. apply in_seq in Hi.
  destruct (same_state _ t); [|reflexivity]. rewrite rho_cell by nia. unfold cell. rewrite Nat2N.id, Nat.div_add_l, Nat.div_small, Nat.add_0_r by lia.
  now rewrite Nat.add_comm, Nat.mod_add, Nat.mod_small by lia.
Qed.

Variables S T : list nat.
Hypothesis S_in_T : incl S T.
Notation parts := (inside (sizes d) (mem S) (mem T)).
Notation in_t := (cell_of d (mem T)).
Notation most f := (maximum (map f (labels d))).
Lemma mem_less i : mem S i = true -> mem T i = true.
Proof. unfold mem. rewrite !existsb_exists. intros (j & Hj & E). eauto. Qed.
Lemma sat_best_in s y : In y (labels d) ->
  sat rho (best_in (sizes d) (classes d) (mem S) (mem T) s y) <-> forall t, In t (parts s) -> in_t t y = most (in_t t).
Proof.
  intros Hy. unfold best_in. rewrite sat_and. split.
  - intros H t Ht. apply Rle_antisym; [now apply maximum_ge, in_map|].
    assert (NE : map (in_t t) (labels d) <> []) by (intros E; apply map_eq_nil in E; exact (some_class d E)).
    pose proof (maximum_in _ NE) as I. apply in_map_iff in I as (z & <- & Hz). destruct (Nat.eq_dec z y) as [->|D]; [lra|].
    specialize (H (Le (chance_of (sizes d) (classes d) (mem T) t z) (chance_of (sizes d) (classes d) (mem T) t y))).
    cbn [sat] in H. rewrite !val_chance_of in H by assumption. apply H. apply in_flat_map. exists t; split; [exact Ht|].
    apply in_map_iff. exists z; split; [reflexivity|]. apply filter_In. split; [exact Hz|]. now apply negb_true_iff, Nat.eqb_neq.
  - intros H f Hf. apply in_flat_map in Hf as (t & Ht & Hf). apply in_map_iff in Hf as (z & <- & Hz). apply filter_In in Hz as [Hz _].
    cbn [sat]. rewrite !val_chance_of, (H t Ht) by assumption. now apply maximum_ge, in_map.
Qed.
Lemma sum_inside F : sum (fun s => sum F (parts s)) (states (keep (mem S) (sizes d))) = sum F (states (keep (mem T) (sizes d))).
Proof.
  symmetry. apply sum_parts; [exact same_state_ok|apply states_once|]. intros t Ht. apply in_states in Ht. apply in_states.
  revert Ht. generalize mem_less. generalize (mem S) (mem T). clear. intros S T I Ht.
  replace (keep S (sizes d)) with (keep S (keep T (sizes d))); [now apply project_in|].
  clear Ht. revert S T I. induction (sizes d) as [|c cs IH]; intros S T I; [reflexivity|]. cbn [keep]. f_equal.
  - destruct (S 0%nat) eqn:E; [now rewrite (I 0%nat E)|reflexivity].
  - apply IH. intros i. apply I.
Qed.
Lemma split_cell s y : cell_of d (mem S) s y = sum (fun t => in_t t y) (parts s).
Proof.
  unfold inside, cell_of. rewrite !sum_filter. rewrite (by_states d (mem T)). apply sum_ext. intros t _.
  assert (Within : forall x, In x (filter (fun x => same_state (project (mem T) x) t) (omega d)) -> project (mem S) x = project (mem S) t).
  { intros x Hx. apply filter_In in Hx as [_ E]. apply same_state_ok in E. rewrite <- E. symmetry. now apply project_less, mem_less. }
  rewrite (sum_ext _ (fun x => if same_state (project (mem S) t) s then p d x y else 0)) by (intros x Hx; now rewrite Within).
  destruct (same_state (project (mem S) t) s); [reflexivity|apply sum_0].
Qed.
Lemma best_here s : most (cell_of d (mem S) s) <= sum (fun t => most (in_t t)) (parts s).
Proof.
  assert (NE : map (cell_of d (mem S) s) (labels d) <> []) by (intros E; apply map_eq_nil in E; exact (some_class d E)).
  pose proof (maximum_in _ NE) as I. apply in_map_iff in I as (y & <- & Hy). rewrite split_cell.
  apply sum_le. intros t _. now apply maximum_ge, in_map.
Qed.
Lemma gain : bayes_risk d S - bayes_risk d T = sum (fun s => sum (fun t => most (in_t t)) (parts s) - most (cell_of d (mem S) s)) (states (keep (mem S) (sizes d))).
Proof. rewrite !bayes_risk_closed. unfold closed_risk. rewrite sum_minus, sum_inside. ring. Qed.
Lemma gain_ge0 s : 0 <= sum (fun t => most (in_t t)) (parts s) - most (cell_of d (mem S) s).
Proof. pose proof (best_here s). lra. Qed.
Theorem risks_tie : bayes_risk d S = bayes_risk d T <-> sat rho (tie (sizes d) (classes d) S T).
Proof.
  unfold tie. rewrite sat_and. split.
  - intros E f Hf. apply in_map_iff in Hf as (s & <- & Hs). apply sat_or.
    assert (Z : sum (fun t => most (in_t t)) (parts s) = most (cell_of d (mem S) s)).
    { pose proof (sum_zero _ _ (fun s _ => gain_ge0 s) (eq_trans (eq_sym gain) (Rminus_diag_eq _ _ E)) s Hs). cbv beta in *. lra. }
    assert (NE : map (cell_of d (mem S) s) (labels d) <> []) by (intros N; apply map_eq_nil in N; exact (some_class d N)).
    pose proof (maximum_in _ NE) as I. apply in_map_iff in I as (y & Ey & Hy). rewrite <- Ey, split_cell in Z.
    exists (best_in (sizes d) (classes d) (mem S) (mem T) s y). split; [now apply in_map|]. apply sat_best_in; [exact Hy|]. intros t Ht.
    assert (Q : most (in_t t) - in_t t y = 0); [|lra]. apply (sum_zero (fun t => most (in_t t) - in_t t y) (parts s)); [|rewrite sum_minus; lra|exact Ht].
    intros t' _. enough (in_t t' y <= most (in_t t')) by lra. now apply maximum_ge, in_map.
  - intros H. apply Rminus_diag_uniq. rewrite gain, (sum_ext _ (fun _ => 0)); [apply sum_0|]. intros s Hs. pose proof (gain_ge0 s).
    specialize (H _ (in_map _ _ s Hs)). apply sat_or in H as (f & Hf & H). apply in_map_iff in Hf as (y & <- & Hy). rewrite sat_best_in in H by exact Hy.
    enough (sum (fun t => most (in_t t)) (parts s) <= most (cell_of d (mem S) s)) by lra.
    rewrite (sum_ext _ (fun t => in_t t y)) by (intros t Ht; symmetry; now apply H). rewrite <- split_cell. now apply maximum_ge, in_map.
Qed.
End Ties.

(* What the exported files use to read a comparison by the best classes: R(S) is at least R(T), and they may be equal.
   All of these theorems take the same arguments. *)
Definition part_of (S T : list nat) : bool := forallb (mem T) S.
Section Read.
Variables (d : dist) (ts : list R) (tops : list (list tm)) (S T : list nat).
Hypothesis part : part_of S T = true.
Notation tied := (true_of d (length (omega d) * classes d) ts tops [tie (sizes d) (classes d) S T]).
Lemma part_incl : incl S T.
Proof.
  intros i Hi. unfold part_of in part. rewrite forallb_forall in part. specialize (part i Hi). unfold mem in part. apply existsb_exists in part as (j & Hj & E).
  apply Nat.eqb_eq in E. now subst.
Qed.
Lemma not_below : bayes_risk d T <= bayes_risk d S.
Proof. apply (monotone d (mem S) (mem T)); try apply bayes_risk_ok. intros i. apply mem_less, part_incl. Qed.
Theorem read_eq : bayes_risk d S = bayes_risk d T <-> tied.
Proof.
  apply risks_tie; [|exact part_incl]. intros i L. rewrite env_var, build_below by lia. now apply given_value.
Qed.
Theorem read_eq_back : bayes_risk d T = bayes_risk d S <-> tied.
Proof. rewrite <- read_eq. split; intros E; now symmetry. Qed.
Theorem read_le : bayes_risk d S <= bayes_risk d T <-> tied.
Proof. rewrite <- read_eq. pose proof not_below. split; intros; lra. Qed.
Theorem read_le_back : bayes_risk d T <= bayes_risk d S <-> True.
Proof using All. pose proof not_below. tauto. Qed.
Theorem read_lt : bayes_risk d S < bayes_risk d T <-> False.
Proof using All. pose proof not_below. split; [lra|tauto]. Qed.
Theorem read_lt_back : bayes_risk d T < bayes_risk d S <-> ~ tied.
Proof. rewrite <- read_eq. pose proof not_below. split; intros; lra. Qed.
End Read.
