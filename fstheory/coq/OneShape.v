(* Distributions with given numbers of states: risks as sums of maxima, and the probabilities of cells as variables. *)
From Coq Require Import Reals ZArith PArith NArith List Bool Lra Lia ClassicalEpsilon.
From FS Require Import Cases Sums Maxima Distributions EverySize.
Import ListNotations.
Open Scope R_scope.

(* The states of the features in S, as states of all features that are 0 elsewhere. *)
Fixpoint keep (S : set) (cs : list nat) : list nat :=
  match cs with [] => [] | c :: t => (if S 0%nat then c else 1%nat) :: keep (fun i => S (Datatypes.S i)) t end.
Fixpoint project (S : set) (x : list nat) : list nat :=
  match x with [] => [] | i :: t => (if S 0%nat then i else 0%nat) :: project (fun i => S (Datatypes.S i)) t end.
Fixpoint same_state (x y : list nat) : bool :=
  match x, y with [], [] => true | i :: x, j :: y => Nat.eqb i j && same_state x y | _, _ => false end.
Lemma same_state_ok x : forall y, same_state x y = true <-> x = y.
Proof.
  induction x as [|i x IH]; intros [|j y]; simpl; try (split; congruence). rewrite andb_true_iff, Nat.eqb_eq, IH. split; [intros [-> ->]|intros E; injection E]; auto.
Qed.
Lemma project_in cs : forall S x, Forall2 lt x cs -> Forall2 lt (project S x) (keep S cs).
Proof. induction cs as [|c t IH]; intros S x H; inversion H; subst; simpl; constructor; auto. destruct (S 0%nat); [auto|lia]. Qed.
Lemma project_nth x : forall S i, nth i (project S x) 0%nat = if S i then nth i x 0%nat else 0%nat.
Proof. induction x as [|j t IH]; intros S [|i]; simpl; try (destruct (S _); reflexivity); rewrite ?IH; destruct (S _); reflexivity. Qed.
Lemma project_agree cs S x y : Forall2 lt x cs -> Forall2 lt y cs -> agree S x y <-> project S x = project S y.
Proof.
  intros Hx Hy. split.
  - intros A. apply (same (keep S cs)); try now apply project_in. intros i _. rewrite !project_nth. specialize (A i). destruct (S i); auto.
  - intros E i Hi. pose proof (f_equal (fun z => nth i z 0%nat) E) as N. cbv beta in N. rewrite !project_nth, Hi in N. exact N.
Qed.

(* R(S) = 1 - sum over the states s of S of the largest P(s, y). *)
Definition cell_of d (S : set) s y := sum (fun x => p d x y) (filter (fun x => same_state (project S x) s) (omega d)).
Definition closed_risk d (S : set) : R :=
  1 - sum (fun s => maximum (map (cell_of d S s) (labels d))) (states (keep S (sizes d))).
Lemma right_or_wrong d f : (forall x, In x (omega d) -> In (f x) (labels d)) -> err d f = 1 - sum (fun x => p d x (f x)) (omega d).
Proof.
  intros H. rewrite <- (total_px d). enough (err d f + sum (fun x => p d x (f x)) (omega d) = sum (px d) (omega d)) by lra.
  unfold err. rewrite <- sum_plus. apply sum_ext; intros x Hx. now apply row_plus, H.
Qed.
Lemma by_states d S f : sum f (omega d) =
  sum (fun s => sum f (filter (fun x => same_state (project S x) s) (omega d))) (states (keep S (sizes d))).
Proof.
  apply sum_parts; [exact same_state_ok|apply states_once|]. intros x Hx. apply in_states, project_in. now apply in_states.
Qed.
Theorem closed_risk_ok d S : risk d S (closed_risk d S).
Proof.
  assert (Best : forall s, exists y, In y (labels d) /\ maximum (map (cell_of d S s) (labels d)) = cell_of d S s y).
  { intros s. assert (NE : map (cell_of d S s) (labels d) <> []) by (intros E; apply map_eq_nil in E; exact (some_class d E)).
    pose proof (maximum_in _ NE) as I. apply in_map_iff in I as (y & E & Hy). exists y; auto. }
  assert (Value : forall g : list nat -> nat, sum (fun x => p d x (g (project S x))) (omega d) = sum (fun s => cell_of d S s (g s)) (states (keep S (sizes d)))).
  { intros g. rewrite (by_states d S). apply sum_ext; intros s _. unfold cell_of. apply sum_ext; intros x Hx.
    apply filter_In in Hx as [_ E]. apply same_state_ok in E. now rewrite E. }
  split.
  - destruct (choice _ Best) as (g & Hg). exists (fun x => g (project S x)); split.
    + intros x y Hx Hy A. apply in_states in Hx, Hy. now rewrite (proj1 (project_agree _ S x y Hx Hy) A).
    + rewrite right_or_wrong by (intros; apply Hg). rewrite Value. unfold closed_risk. f_equal. apply sum_ext; intros s _. symmetry; apply Hg.
  - intros f Hf. (* a guess that is no class is replaced by one that is *)
    destruct (labels d) as [|y0 l] eqn:EL; [destruct (some_class d EL)|]. rewrite <- EL in *.
    set (f' := fun x => if in_dec Nat.eq_dec (f x) (labels d) then f x else y0).
    assert (I : forall x, In (f' x) (labels d)) by (intros x; unfold f'; destruct (in_dec Nat.eq_dec (f x) (labels d)); [auto|rewrite EL; left; auto]).
    assert (Le : err d f' <= err d f).
    { apply sum_le; intros x Hx. unfold f'. destruct (in_dec Nat.eq_dec (f x) (labels d)) as [J|J]; [lra|]. rewrite (row_out d x _ J). apply row_le. }
    apply Rle_trans with (err d f'); [|exact Le]. rewrite right_or_wrong by auto. unfold closed_risk.
    enough (sum (fun x => p d x (f' x)) (omega d) <= sum (fun s => maximum (map (cell_of d S s) (labels d))) (states (keep S (sizes d)))) by lra.
    rewrite (by_states d S). apply sum_le; intros s _.
    destruct (filter (fun x => same_state (project S x) s) (omega d)) as [|x0 rest] eqn:EF.
    + simpl. apply Rle_trans with (cell_of d S s y0); [unfold cell_of; rewrite EF; simpl; lra|]. apply maximum_ge, in_map. rewrite EL; left; auto.
    + apply Rle_trans with (cell_of d S s (f' x0)); [|apply maximum_ge, in_map, I]. right. unfold cell_of. rewrite EF. apply sum_ext; intros x Hx.
      f_equal. rewrite <- EF in Hx. assert (Hx0 : In x0 (x0 :: rest)) by (left; auto). rewrite <- EF in Hx0.
      apply filter_In in Hx as [Hx E]; apply filter_In in Hx0 as [Hx0 E0]. apply same_state_ok in E, E0.
      assert (Q : f x = f x0) by (apply Hf; auto; apply in_states in Hx, Hx0; apply (project_agree _ S x x0 Hx Hx0); congruence).
      unfold f'. now rewrite Q.
Qed.
Theorem bayes_risk_closed d l : bayes_risk d l = closed_risk d (mem l).
Proof. exact (one_risk d _ _ _ (bayes_risk_ok d l) (closed_risk_ok d (mem l))). Qed.

(* The cells as variables, in the order of their states, the class last. *)
Definition cell d (i : N) : R := p d (nth (N.to_nat i / classes d) (omega d) []) (N.to_nat i mod classes d).
Inductive about_cells := AtLeast0 (i : N) | Total.
Definition cells (n : nat) := map (fun i => var (N.of_nat i)) (seq 0 n).
Definition said_cell n f := match f with AtLeast0 i => Le (C 0) (var i) | Total => Eq (C 1) (plus (cells n)) end.
Definition fits_cell n f := match f with AtLeast0 i => (i <? N.of_nat n)%N | Total => true end.
Lemma shifted a m : forall s, map (fun j => (a + j)%nat) (seq s m) = seq (a + s) m.
Proof. induction m as [|m IH]; intros s; simpl; [reflexivity|]. rewrite IH. f_equal. f_equal. lia. Qed.
Lemma blocks {A} (f : A -> nat -> R) k (a0 : A) l : forall from, (0 < k)%nat ->
  sum (fun i => f (nth (i / k - from) l a0) (i mod k)%nat) (seq (from * k) (length l * k)) = sum (fun a => sum (f a) (seq 0 k)) l.
Proof.
  induction l as [|a t IH]; intros from K; [reflexivity|]. cbn [length sum Nat.mul]. rewrite seq_app, sum_app. f_equal.
  - rewrite <- (Nat.add_0_r (from * k)), <- (shifted (from * k) k 0), sum_map. apply sum_ext; intros j Hj. apply in_seq in Hj.
    replace ((from * k + j) / k)%nat with from by (rewrite Nat.div_add_l, Nat.div_small; lia).
    replace ((from * k + j) mod k)%nat with j by (rewrite Nat.add_comm, Nat.mod_add, Nat.mod_small; lia).
    replace (from - from)%nat with 0%nat by lia. reflexivity.
  - replace (from * k + k)%nat with (S from * k)%nat by lia. rewrite <- (IH (S from) K). apply sum_ext; intros i Hi. apply in_seq in Hi.
    assert (S from <= i / k)%nat by (apply Nat.div_le_lower_bound; lia). replace (i / k - from)%nat with (S (i / k - S from)) by lia. reflexivity.
Qed.
Lemma total_cells d : sum (cell d) (map N.of_nat (seq 0 (length (omega d) * classes d))) = 1.
Proof.
  assert (K : (0 < classes d)%nat) by (pose proof (some_class d) as N; unfold labels in N; destruct (classes d); [exfalso; auto|lia]).
  rewrite sum_map. rewrite <- (total d). fold (omega d). rewrite <- (blocks (p d) (classes d) [] (omega d) 0 K).
  apply sum_ext; intros i _. unfold cell. rewrite Nat2N.id, Nat.sub_0_r. reflexivity.
Qed.
Theorem cells_true d n rho facts : (length (omega d) * classes d)%nat = n -> (forall i, (i < N.of_nat n)%N -> val rho (var i) = cell d i) ->
  forallb (fits_cell n) facts = true -> sat rho (And (map (said_cell n) facts)).
Proof.
  intros E H Q. rewrite forallb_forall in Q. apply sat_and; intros g Hg; apply in_map_iff in Hg as (f & <- & Hf). specialize (Q f Hf).
  destruct f as [i|]; cbn [said_cell sat fits_cell] in *.
  - apply N.ltb_lt in Q. rewrite H by exact Q. apply nonneg.
  - rewrite val_plus. unfold cells. rewrite sum_map. cbn [val]. rewrite <- (total_cells d), E, sum_map. apply sum_ext; intros i Hi.
    apply in_seq in Hi. symmetry. apply H. lia.
Qed.

(* What the exported files use for one shape, of [count] cells. They have the virtual machine of Coq compare what is said
   here with the claim for people, which is many times faster than to unfold both. *)
Definition true_of d count ts tops formulas :=
  sat (env (build (given_or (cell d) (N.of_nat count) ts) (N.of_nat count + N.of_nat (length ts)) tops)) (And formulas).
Theorem one_shape d count ts tops cs ms ks assumed claims trees :
  let size := (N.of_nat count + N.of_nat (length ts))%N in
  (length (omega d) * classes d)%nat = count ->
  forallb (fits_cell count) cs && maxima_fit size (N.of_nat count) tops ms ks
    && trees_fit (map (said_cell count) cs ++ map (said_max size tops) ms) (map (some_top size tops) ks) assumed claims trees = true ->
  true_of d count ts tops assumed -> true_of d count ts tops claims.
Proof.
  intros size E Q A. unfold true_of in *. fold size in A |- *. set (rho := env _) in A |- *. rewrite !andb_true_iff in Q. destruct Q as ((Q1 & Q2) & Q3).
  unfold maxima_fit in Q2. rewrite !andb_true_iff in Q2. destruct Q2 as ((W & Q2) & Q4).
  assert (B : forall i, (i < N.of_nat count)%N -> val rho (var i) = cell d i).
  { intros i L. unfold rho, size. rewrite env_var, build_below by lia. now apply given_value. }
  apply (proved_all rho _ _ assumed claims trees Q3); [|exact (some_top_true size tops _ W ks Q4)|exact A].
  apply sat_app; [exact (cells_true d count rho cs E B Q1)|]. apply (maxima_true size tops _ W (N.of_nat count)); [|exact Q2].
  intros i L. rewrite given_value by exact L. apply nonneg.
Qed.
