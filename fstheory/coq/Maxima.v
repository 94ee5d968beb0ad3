(* Maxima of terms as further variables of a proof.

   The first [size] variables are given: probabilities, risks, entropies. Variable [size + k] is the greatest of the
   terms [args k], which speak of variables before it alone. *)
From Coq Require Import Reals ZArith PArith NArith List Bool Lra Lia.
From FS Require Import Cases Sums.
Import ListNotations.
Open Scope R_scope.

Fixpoint plus (l : list tm) : tm := match l with [] => C 0 | a :: t => Plus a (plus t) end.
Lemma val_plus rho l : val rho (plus l) = sum (val rho) l.
Proof. induction l as [|a t IH]; [reflexivity|]. cbn [plus val sum]. now rewrite IH. Qed.

(* Whether a term speaks of the first n variables alone. *)
Fixpoint below (n : N) (t : tm) : bool :=
  match t with V v => (Pos.pred_N v <? n)%N | C _ | Quot _ _ => true | Plus a b | Minus a b => below n a && below n b
  | Scale _ a | Part _ _ a => below n a end.
Definition var (i : N) := V (N.succ_pos i).
Definition env (base : N -> R) (v : positive) : R := base (Pos.pred_N v).
Lemma env_var base i : val (env base) (var i) = base i.
Proof. unfold var, env; cbn [val]. now rewrite N.pos_pred_succ. Qed.
Lemma val_below base base' n t : (forall i, (i < n)%N -> base i = base' i) -> below n t = true -> val (env base) t = val (env base') t.
Proof.
  intros H; induction t; simpl; intros Q; try (apply andb_prop in Q as [Q1 Q2]); rewrite ?IHt, ?IHt1, ?IHt2; auto.
  apply H. now apply N.ltb_lt.
Qed.

Fixpoint build (base : N -> R) (n : N) (tops : list (list tm)) : N -> R :=
  match tops with
  | [] => base
  | args :: t => build (fun i => if N.eqb i n then maximum (map (val (env base)) args) else base i) (N.succ n) t
  end.
Fixpoint well (n : N) (tops : list (list tm)) : bool :=
  match tops with [] => true | args :: t => forallb (below n) args && well (N.succ n) t end.
Lemma build_below tops : forall base n i, (i < n)%N -> build base n tops i = base i.
Proof.
  induction tops as [|args t IH]; intros base n i L; [reflexivity|]. cbn [build]. rewrite IH by lia.
  destruct (N.eqb_spec i n); [lia|reflexivity].
Qed.
Lemma build_top tops : forall base n k, well n tops = true -> (k < length tops)%nat ->
  build base n tops (n + N.of_nat k) = maximum (map (val (env (build base n tops))) (nth k tops [])).
Proof.
  induction tops as [|args t IH]; intros base n k W L; [simpl in L; lia|]. cbn [well] in W. apply andb_prop in W as [W1 W2].
  cbn [build]. destruct k as [|k].
  - rewrite N.add_0_r, build_below by lia. rewrite N.eqb_refl. cbn [nth]. f_equal. apply map_ext_in. intros a Ha.
    rewrite forallb_forall in W1. apply (val_below _ _ n); [|auto]. intros i Li. rewrite build_below by lia.
    destruct (N.eqb_spec i n); [lia|reflexivity].
  - cbn [nth length] in *. replace (n + N.of_nat (S k))%N with (N.succ n + N.of_nat k)%N by lia. apply IH; [exact W2|lia].
Qed.

(* The given variables: the first [count] by their number, then the parameters of a claim. *)
Definition given_or (values : N -> R) (count : N) (parameters : list R) (i : N) : R :=
  if (i <? count)%N then values i else nth (N.to_nat (i - count)) parameters 0.
Lemma given_value values count ts i : (i < count)%N -> given_or values count ts i = values i.
Proof. intros L. unfold given_or. apply N.ltb_lt in L. now rewrite L. Qed.

Section Facts.
Variables (size : N) (tops : list (list tm)) (base : N -> R).
Hypothesis well_formed : well size tops = true.
Definition M (k : nat) := var (size + N.of_nat k).
Definition args (k : nat) := nth k tops [].
Notation full := (build base size tops).
Notation rho := (env full).
Lemma val_top k : (k < length tops)%nat -> val rho (M k) = maximum (map (val rho) (args k)).
Proof. intros L. unfold M. rewrite env_var. now apply build_top. Qed.

(* A maximum is at least each of its terms; it is at most a sum of other maxima whose terms add up to its own; and it is
   at most the sum of its terms if these are sums of probabilities, the first variables. *)
Inductive about_maxima := Above (k j : nat) | Parts (k : nat) (l : list nat) | Whole (k : nat).
Definition said_max f := match f with
  | Above k j => Le (nth j (args k) (C 0)) (M k) | Parts k l => Le (M k) (plus (map M l)) | Whole k => Le (M k) (plus (args k)) end.
Definition filled (k : nat) := Nat.ltb k (length tops) && negb (Nat.eqb (length (args k)) 0).
Definition none (l : lin) := forallb (fun q : positive * Z => (snd q =? 0)%Z) l.
Fixpoint of_probabilities (cells : N) (t : tm) : bool :=
  match t with V v => (Pos.pred_N v <? cells)%N | C z => (z =? 0)%Z | Plus a b => of_probabilities cells a && of_probabilities cells b | _ => false end.
Definition fits_max (cells : N) f := match f with
  | Above k j => Nat.ltb k (length tops) && Nat.ltb j (length (args k))
  | Parts k l => filled k && forallb (fun i => Nat.ltb i (length tops) && Nat.eqb (length (args i)) (length (args k))) l
      && forallb (fun j => none (dif (nth j (args k) (C 0)) (plus (map (fun i => nth j (args i) (C 0)) l)))) (seq 0 (length (args k)))
  | Whole k => filled k && (cells <=? size)%N && forallb (of_probabilities cells) (args k)
  end.
Definition some_top k := map (fun a => Eq a (M k)) (args k).

Variable cells : N.
Hypothesis base_ge0 : forall i, (i < cells)%N -> 0 <= base i.

Lemma filled_some k : filled k = true -> (k < length tops)%nat /\ map (val rho) (args k) <> [].
Proof.
  intros Q. apply andb_prop in Q as [Q1 Q2]. split; [now apply Nat.ltb_lt|]. intros E; apply map_eq_nil in E. rewrite E in Q2; discriminate.
Qed.
Lemma some_term k : filled k = true -> exists j, (j < length (args k))%nat /\ val rho (M k) = val rho (nth j (args k) (C 0)).
Proof.
  intros F. destruct (filled_some k F) as (L & NE). rewrite (val_top k L). pose proof (maximum_in _ NE) as I.
  apply in_map_iff in I as (a & E & Ha). destruct (In_nth _ _ (C 0) Ha) as (j & Lj & Ej). exists j; split; [exact Lj|]. now rewrite Ej.
Qed.
Lemma none_dif a b : none (dif a b) = true -> val rho a = val rho b.
Proof. intros Q. apply dif_eq. now apply zeros. Qed.
Lemma of_probabilities_ge0 t : (cells <= size)%N -> of_probabilities cells t = true -> 0 <= val rho t.
Proof.
  intros C. induction t; simpl; intros Q; try discriminate.
  - apply N.ltb_lt in Q. unfold env. rewrite build_below by lia. now apply base_ge0.
  - apply Z.eqb_eq in Q; subst; lra.
  - apply andb_prop in Q as [Q1 Q2]. specialize (IHt1 Q1). specialize (IHt2 Q2). lra.
Qed.
Lemma said_max_ok f : fits_max cells f = true -> sat rho (said_max f).
Proof.
  destruct f as [k j|k l|k]; cbn [fits_max said_max sat]; intros Q.
  - apply andb_prop in Q as [Q1 Q2]. apply Nat.ltb_lt in Q1, Q2. rewrite (val_top k Q1). apply maximum_ge, in_map, nth_In, Q2.
  - apply andb_prop in Q as [Q Q3]; apply andb_prop in Q as [Q1 Q2]. rewrite forallb_forall in Q2, Q3.
    destruct (some_term k Q1) as (j & Lj & ->). assert (Hj : In j (seq 0 (length (args k)))) by (apply in_seq; lia).
    rewrite (none_dif _ _ (Q3 j Hj)). rewrite !val_plus, !sum_map. apply sum_le; intros i Hi. specialize (Q2 i Hi).
    apply andb_prop in Q2 as [L E]. apply Nat.ltb_lt in L; apply Nat.eqb_eq in E. rewrite (val_top i L). apply maximum_ge, in_map, nth_In. lia.
  - apply andb_prop in Q as [Q Q3]; apply andb_prop in Q as [Q1 Q2]. rewrite forallb_forall in Q3. apply N.leb_le in Q2.
    destruct (some_term k Q1) as (j & Lj & ->). rewrite val_plus. apply sum_term; [|now apply nth_In].
    intros a Ha. apply of_probabilities_ge0; auto.
Qed.
Lemma maxima_true facts : forallb (fits_max cells) facts = true -> sat rho (And (map said_max facts)).
Proof. intros Q. rewrite forallb_forall in Q. apply sat_and; intros f Hf. apply in_map_iff in Hf as (a & <- & Ha). apply said_max_ok; auto. Qed.
Lemma some_top_true ks : forallb filled ks = true -> forall o, In o (map some_top ks) -> sat rho (Or o).
Proof.
  intros Q o Ho. rewrite forallb_forall in Q. apply in_map_iff in Ho as (k & <- & Hk). destruct (some_term k (Q k Hk)) as (j & Lj & E).
  apply sat_or. exists (Eq (nth j (args k) (C 0)) (M k)); split; [|cbn [sat]; congruence].
  unfold some_top. apply (in_map (fun a => Eq a (M k))), nth_In, Lj.
Qed.
End Facts.

(* Facts and disjunctions from several sources. *)
Lemma sat_app rho l m : sat rho (And l) -> sat rho (And m) -> sat rho (And (l ++ m)).
Proof. rewrite !sat_and. intros H K f Hf. apply in_app_or in Hf as [Hf|Hf]; auto. Qed.
Lemma known_app rho (l m : list (list fm)) : (forall o, In o l -> sat rho (Or o)) -> (forall o, In o m -> sat rho (Or o)) ->
  forall o, In o (l ++ m) -> sat rho (Or o).
Proof. intros H K o Ho. apply in_app_or in Ho as [Ho|Ho]; auto. Qed.
