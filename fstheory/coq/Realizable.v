(* Theorem R: a table of numbers is that of the Bayes risks of a distribution with k classes, if and only if it decreases
   under inclusion and its values lie between 0 and 1 - 1/k.

   So nothing else is true of risks alone. The facts [Less], [Floor] and [CeilingOf] of EverySize.v are complete: a
   statement about risks that holds for every distribution holds for every table that these facts allow. The last two
   theorems say so for the formulas of the verified checker.

   The distribution is a mixture of secrets. Features deal the class among themselves, so that some subsets know it, and
   all others know nothing about it. Each value of the table is the bound of one more secret. *)
From Coq Require Import Reals Qreals ZArith PArith NArith List Bool Lra Lia Classical FunctionalExtensionality.
From FS Require Import Cases Sums Maxima Distributions EverySize OneShape.
Import ListNotations.
Open Scope R_scope.

(* Fractions among the real numbers. *)
Definition rational (x : R) := exists q, x = Q2R q.
Lemma rational_integer z : rational (IZR z).
Proof. exists (QArith_base.inject_Z z). unfold Q2R; simpl. field. Qed.
Lemma rational_plus x y : rational x -> rational y -> rational (x + y).
Proof. intros (a & ->) (b & ->). exists (QArith_base.Qplus a b). symmetry. apply Q2R_plus. Qed.
Lemma rational_minus x y : rational x -> rational y -> rational (x - y).
Proof. intros (a & ->) (b & ->). exists (QArith_base.Qminus a b). symmetry. apply Q2R_minus. Qed.
Lemma rational_quotient x y : y <> 0 -> rational x -> rational y -> rational (x / y).
Proof.
  intros N (a & ->) (b & ->). exists (QArith_base.Qdiv a b). symmetry. apply Q2R_div. intros E. apply N. rewrite (Qeq_eqR _ _ E). unfold Q2R; simpl. field.
Qed.
Lemma rational_sum {A} (f : A -> R) l : (forall a, In a l -> rational (f a)) -> rational (sum f l).
Proof. induction l as [|a t IH]; simpl; intros H; [exact (rational_integer 0)|]. apply rational_plus; auto. Qed.

(* A source: atoms with masses, the labels of which are classes, and what each feature shows of an atom. *)
Record source k := { atom_type : Type; atoms_of : list atom_type; mass : atom_type -> R; view : nat -> atom_type -> list nat;
  label : atom_type -> nat; mass_ge0 : forall a, 0 <= mass a; label_below : forall a, (label a < k)%nat }.
Arguments atom_type {k}. Arguments atoms_of {k}. Arguments mass {k}. Arguments view {k}. Arguments label {k}.
Arguments mass_ge0 {k}. Arguments label_below {k}.
Definition weight {k} (s : source k) := sum (mass s) (atoms_of s).
(* As in Distributions.v: a guess that sees S alone, its error, and the least error. *)
Definition blind {k} (s : source k) (S : set) (g : atom_type s -> nat) :=
  forall a b, In a (atoms_of s) -> In b (atoms_of s) -> (forall i, S i = true -> view s i a = view s i b) -> g a = g b.
Definition missed {k} (s : source k) g := sum (fun a => if Nat.eqb (g a) (label s a) then 0 else mass s a) (atoms_of s).
Definition least_missed {k} (s : source k) S r := (exists g, blind s S g /\ missed s g = r) /\ forall g, blind s S g -> r <= missed s g.

(* A source of weight 1 as a distribution: the state of a feature is the place of the first atom that looks the same. *)
Fixpoint position (v : list nat) (l : list (list nat)) : nat :=
  match l with [] => 0%nat | u :: t => if same_state u v then 0%nat else S (position v t) end.
Lemma position_nth v l : In v l -> (position v l < length l)%nat /\ nth (position v l) l [] = v.
Proof.
  induction l as [|u t IH]; intros Hv; [destruct Hv|]. cbn [position]. destruct (same_state u v) eqn:E.
  - apply same_state_ok in E. simpl; split; [lia|exact E].
  - destruct Hv as [->|Hv]; [rewrite (proj2 (same_state_ok v v) eq_refl) in E; discriminate|]. destruct (IH Hv). simpl; split; [lia|auto].
Qed.

Section Realize.
Variables (n k : nat) (s : source k).
Definition code i a := position (view s i a) (map (view s i) (atoms_of s)).
Definition state a := map (fun i => code i a) (seq 0 n).
Definition places := repeat (length (atoms_of s)) n.
Definition share (x : list nat) (y : nat) := sum (fun a => if same_state (state a) x && Nat.eqb (label s a) y then mass s a else 0) (atoms_of s).

Lemma code_below i a : In a (atoms_of s) -> (code i a < length (atoms_of s))%nat.
Proof. intros Ha. unfold code. rewrite <- (map_length (view s i)). apply position_nth, in_map, Ha. Qed.
Lemma code_view i a b : In a (atoms_of s) -> In b (atoms_of s) -> code i a = code i b -> view s i a = view s i b.
Proof.
  intros Ha Hb E. unfold code in E. rewrite <- (proj2 (position_nth _ _ (in_map (view s i) _ a Ha))), E. apply position_nth, in_map, Hb.
Qed.
Lemma state_nth i a : (i < n)%nat -> nth i (state a) 0%nat = code i a.
Proof.
  intros L. unfold state. rewrite (nth_indep _ _ (code 0 a)) by now rewrite map_length, seq_length.
  rewrite (map_nth (fun i => code i a)), seq_nth by exact L. reflexivity.
Qed.
Lemma state_in a : In a (atoms_of s) -> In (state a) (states places).
Proof.
  intros Ha. apply in_states. unfold state, places. generalize 0%nat. induction n as [|m IH]; intros from; simpl; constructor; [now apply code_below|apply IH].
Qed.
(* The mass of the cells where c holds is that of the atoms where it holds. *)
Lemma sum_share (c : list nat -> nat -> bool) :
  sum (fun x => sum (fun y => if c x y then share x y else 0) (seq 0 k)) (states places) = sum (fun a => if c (state a) (label s a) then mass s a else 0) (atoms_of s).
Proof.
  set (w := fun a => if c (state a) (label s a) then mass s a else 0).
  rewrite (sum_ext _ (fun x => sum (fun a => if same_state (state a) x then w a else 0) (atoms_of s))).
  - rewrite sum_swap. apply sum_ext; intros a Ha. apply (sum_one same_state same_state_ok); [apply states_once|now apply state_in].
  - intros x _. rewrite (sum_ext _ (fun y => sum (fun a => if Nat.eqb (label s a) y then (if same_state (state a) x then w a else 0) else 0) (atoms_of s))).
    + rewrite sum_swap. apply sum_ext; intros a _. apply (sum_one Nat.eqb Nat.eqb_eq); [apply seq_NoDup|]. apply in_seq. pose proof (label_below s a). lia.
    + intros y _. unfold share, w. destruct (c x y) eqn:C.
      * apply sum_ext; intros a _. destruct (same_state (state a) x) eqn:E, (Nat.eqb_spec (label s a) y) as [<-|]; rewrite ?andb_false_r; try reflexivity.
        apply same_state_ok in E; subst x. cbn [andb]. now rewrite C.
      * rewrite <- (sum_0 (atoms_of s)) at 1. apply sum_ext; intros a _. destruct (same_state (state a) x) eqn:E, (Nat.eqb_spec (label s a) y) as [<-|]; rewrite ?andb_false_r; try reflexivity.
        apply same_state_ok in E; subst x. now rewrite C.
Qed.
Lemma share_ge0 x y : 0 <= share x y.
Proof. apply sum_ge0; intros a _. destruct (_ && _); [apply mass_ge0|lra]. Qed.
Lemma share_total : weight s = 1 -> sum (fun x => sum (share x) (seq 0 k)) (states places) = 1.
Proof. intros W. rewrite <- W. exact (sum_share (fun _ _ => true)). Qed.
Definition as_dist (W : weight s = 1) : dist :=
  {| sizes := places; classes := k; p := share; nonneg := share_ge0; total := share_total W |}.

Lemma err_missed W f : err (as_dist W) f = missed s (fun a => f (state a)).
Proof.
  unfold missed. rewrite (sum_ext _ (fun a => if negb (Nat.eqb (f (state a)) (label s a)) then mass s a else 0)) by (intros; now destruct (Nat.eqb _ _)).
  rewrite <- (sum_share (fun x y => negb (Nat.eqb (f x) y))). unfold err, row. apply sum_ext; intros x _. apply sum_ext; intros y _. now destruct (Nat.eqb _ _).
Qed.
(* A guess for atoms, as a classifier: it looks for an atom that shows the same to S. *)
Definition shows (S : set) (x : list nat) a := forallb (fun i => implb (S i) (Nat.eqb (code i a) (nth i x 0%nat))) (seq 0 n).
Definition classifier (S : set) (g : atom_type s -> nat) x := match find (shows S x) (atoms_of s) with Some a => g a | None => 0%nat end.
Lemma classifier_sees W S g : sees (as_dist W) S (classifier S g).
Proof.
  intros x x' _ _ A. unfold classifier. replace (shows S x') with (shows S x); [reflexivity|].
  apply functional_extensionality; intros a. unfold shows. induction (seq 0 n) as [|i t IH]; simpl; [reflexivity|]. rewrite IH. f_equal.
  destruct (S i) eqn:Si; [|reflexivity]. now rewrite (A i Si).
Qed.
Lemma classifier_state S g a : (forall i, S i = true -> (i < n)%nat) -> blind s S g -> In a (atoms_of s) -> classifier S g (state a) = g a.
Proof.
  intros Sn B Ha. unfold classifier. destruct (find (shows S (state a)) (atoms_of s)) as [b|] eqn:F.
  - apply find_some in F as [Hb F]. apply B; auto. intros i Si. unfold shows in F. rewrite forallb_forall in F. specialize (F i). rewrite in_seq, Si in F. simpl in F.
    pose proof (Sn i Si). rewrite state_nth in F by auto. apply code_view; auto. apply Nat.eqb_eq, F. lia.
  - pose proof (find_none _ _ F a Ha) as N. unfold shows in N. rewrite (proj2 (forallb_forall _ _)) in N; [discriminate|].
    intros i Hi. apply in_seq in Hi. rewrite state_nth by lia. rewrite Nat.eqb_refl. now destruct (S i).
Qed.
Lemma risk_missed W S r : (forall i, S i = true -> (i < n)%nat) -> least_missed s S r -> risk (as_dist W) S r.
Proof.
  intros Sn [(g & B & <-) M]. split.
  - exists (classifier S g); split; [apply classifier_sees|]. rewrite err_missed. unfold missed. apply sum_ext; intros a Ha. now rewrite classifier_state.
  - intros f Hf. rewrite err_missed. apply M. intros a b Ha Hb V. apply Hf; try now apply state_in.
    intros i Si. rewrite !state_nth by auto. unfold code. now rewrite (V i Si).
Qed.
End Realize.

(* Two sources side by side. Each feature shows from which of them an atom is. *)
Section Both.
Variables (k : nat) (s t : source k).
Definition both : source k.
Proof.
  refine {| atom_type := atom_type s + atom_type t; atoms_of := map inl (atoms_of s) ++ map inr (atoms_of t);
    mass := fun a => match a with inl b => mass s b | inr b => mass t b end;
    view := fun i a => match a with inl b => 0%nat :: view s i b | inr b => 1%nat :: view t i b end;
    label := fun a => match a with inl b => label s b | inr b => label t b end |}.
  - intros [a|a]; apply mass_ge0.
  - intros [a|a]; apply label_below.
Defined.
Lemma both_weight : weight both = weight s + weight t.
Proof. unfold weight. cbn [atoms_of both]. now rewrite sum_app, !sum_map. Qed.
Lemma both_missed g : missed both g = missed s (fun a => g (inl a)) + missed t (fun a => g (inr a)).
Proof. unfold missed. cbn [atoms_of both]. now rewrite sum_app, !sum_map. Qed.
(* Without features, the source of an atom is not seen. But the guess 0 may be best for both. *)
Lemma both_least S q r : (forall i, S i = false) /\ missed s (fun _ => 0%nat) = q /\ missed t (fun _ => 0%nat) = r \/ (exists i, S i = true) ->
  least_missed s S q -> least_missed t S r -> least_missed both S (q + r).
Proof.
  intros Seen [(g & Bg & Eg) Mg] [(h & Bh & Eh) Mh]. split.
  - destruct Seen as [(_ & E0 & E1)|(i & Si)].
    + exists (fun _ => 0%nat); split; [intros ? ? _ _ _; reflexivity|]. now rewrite both_missed, E0, E1.
    + exists (fun a => match a with inl b => g b | inr b => h b end); split; [|rewrite both_missed, <- Eg, <- Eh; reflexivity].
      intros a b Ha Hb V. cbn [atoms_of both] in Ha, Hb. apply in_app_or in Ha, Hb.
      destruct Ha as [Ha|Ha], Hb as [Hb|Hb]; apply in_map_iff in Ha as (a' & <- & Ha), Hb as (b' & <- & Hb).
      * apply Bg; auto. intros j Sj. now injection (V j Sj).
      * discriminate (V i Si).
      * discriminate (V i Si).
      * apply Bh; auto. intros j Sj. now injection (V j Sj).
  - intros f Bf. rewrite both_missed. apply Rplus_le_compat; [apply Mg|apply Mh]; intros a b Ha Hb V; apply Bf.
    1, 2, 4, 5: cbn [atoms_of both]; apply in_or_app; auto using in_map.
    + intros i Si. cbn [view both]. now rewrite (V i Si).
    + intros i Si. cbn [view both]. now rewrite (V i Si).
Qed.
End Both.

(* A secret: pieces below k, one for each set B of a list, drawn uniformly. The class is their sum modulo k, and the
   features outside of B show the piece of B. *)
Fixpoint put (j t : nat) (a : list nat) : list nat :=
  match a, j with [], _ => [] | _ :: l, 0%nat => t :: l | i :: l, S j => i :: put j t l end.
Definition pieces_sum (a : list nat) := fold_right Nat.add 0%nat a.

Section Pieces.
Variable k : nat.
Hypothesis some : (0 < k)%nat.
Definition pieces (m : nat) := states (repeat k m).
Lemma pieces_length m a : In a (pieces m) -> length a = m.
Proof.
  intros Ha. apply in_states in Ha. rewrite <- (repeat_length k m). induction Ha; simpl; congruence.
Qed.
Lemma some_pieces m : 0 < INR (length (pieces m)).
Proof.
  apply lt_0_INR. assert (In (repeat 0%nat m) (pieces m)); [|destruct (pieces m); [contradiction|simpl; lia]].
  apply in_states. induction m; simpl; constructor; auto.
Qed.
(* A sum over all pieces, where one piece is drawn again. *)
Lemma drawn_again (f : list nat -> R) m : forall j, (j < m)%nat ->
  sum (fun a => sum (fun t => f (put j t a)) (seq 0 k)) (pieces m) = INR k * sum f (pieces m).
Proof.
  revert f; induction m as [|m IH]; intros f j L; [lia|]. unfold pieces. cbn [repeat states]. rewrite !sum_flat_map. destruct j as [|j].
  - rewrite (sum_ext _ (fun _ => sum (fun i => sum f (map (cons i) (states (repeat k m)))) (seq 0 k))).
    + rewrite sum_const, seq_length. ring.
    + intros i _. rewrite sum_map. cbn [put]. rewrite sum_swap. apply sum_ext; intros t _. now rewrite sum_map.
  - rewrite <- sum_scale. apply sum_ext; intros i _. rewrite !sum_map. cbn [put]. apply (IH (fun a => f (i :: a))). lia.
Qed.
Lemma project_length S x : length (project S x) = length x.
Proof. revert S; induction x; intros S; simpl; congruence. Qed.
Lemma put_length j t : forall a, length (put j t a) = length a.
Proof. induction j; intros [|x a]; simpl; congruence. Qed.
Lemma put_nth j t : forall a i, i <> j -> nth i (put j t a) 0%nat = nth i a 0%nat.
Proof. induction j as [|j IH]; intros [|x a] [|i] N; simpl; auto; lia. Qed.

Lemma put_in j t a : forall m, (t < k)%nat -> In a (pieces m) -> In (put j t a) (pieces m).
Proof.
  unfold pieces. intros m L Ha. apply in_states in Ha. apply in_states. revert j m Ha.
  induction a as [|x a IH]; intros j [|m] Ha; inversion Ha; subst; destruct j; simpl; constructor; auto.
Qed.
Lemma put_sum t a : forall j, (j < length a)%nat -> pieces_sum (put j t a) = (pieces_sum (put j 0 a) + t)%nat.
Proof.
  induction a as [|x a IH]; intros j L; simpl in L; [lia|]. destruct j as [|j]; cbn [put pieces_sum fold_right].
  - lia.
  - fold (pieces_sum (put j t a)). fold (pieces_sum (put j 0 a)). rewrite IH by lia. lia.
Qed.
(* As t runs through all numbers below k, so does b + t modulo k. *)
Lemma rotate (f : nat -> R) b : sum (fun t => f ((b + t) mod k)) (seq 0 k) = sum f (seq 0 k).
Proof.
  rewrite <- (sum_map (fun t => (b + t)%nat) (fun t => f (t mod k))), shifted, Nat.add_0_r. induction b as [|b IH].
  - apply sum_ext; intros t Ht. apply in_seq in Ht. now rewrite Nat.mod_small by lia.
  - rewrite <- IH. destruct k as [|h]; [lia|]. rewrite seq_S, sum_app. cbn [seq sum]. replace (S b + h)%nat with (b + 1 * S h)%nat by lia.
    rewrite Nat.mod_add by lia. ring.
Qed.
Lemma others v w : (v < k)%nat -> sum (fun t => if Nat.eqb v t then 0 else w) (seq 0 k) = w * (INR k - 1).
Proof.
  intros L. rewrite (sum_ext _ (fun t => w - (if Nat.eqb v t then w else 0))) by (intros t _; destruct (Nat.eqb v t); ring).
  rewrite sum_minus, sum_const, seq_length, (sum_one Nat.eqb Nat.eqb_eq); [ring|apply seq_NoDup|apply in_seq; lia].
Qed.
Lemma others_at_least v w : 0 <= w -> w * (INR k - 1) <= sum (fun t => if Nat.eqb v t then 0 else w) (seq 0 k).
Proof.
  intros W. destruct (Nat.ltb_spec v k) as [L|L]; [rewrite others by exact L; lra|]. rewrite (sum_ext _ (fun _ => w)); [rewrite sum_const, seq_length; lra|].
  intros t Ht. apply in_seq in Ht. destruct (Nat.eqb_spec v t); [lia|reflexivity].
Qed.

Variables (Bs : list (list nat)) (amount : R).
Hypothesis amount_ge0 : 0 <= amount.
Definition each := amount / INR (length (pieces (length Bs))).
Lemma each_ge0 : 0 <= each.
Proof. apply Rmult_le_pos; [exact amount_ge0|]. left. apply Rinv_0_lt_compat, some_pieces. Qed.
Definition secret : source k.
Proof.
  refine {| atom_type := list nat; atoms_of := pieces (length Bs); mass := fun _ => each;
    view := fun i => project (fun j => negb (mem (nth j Bs []) i)); label := fun a => (pieces_sum a mod k)%nat |}.
  - intros _. exact each_ge0.
  - intros a. apply Nat.mod_upper_bound. lia.
Defined.
Lemma each_total : each * INR (length (pieces (length Bs))) = amount.
Proof. unfold each. field. apply Rgt_not_eq, some_pieces. Qed.
Lemma secret_weight : weight secret = amount.
Proof. unfold weight; cbn [atoms_of mass secret]. rewrite sum_const. apply each_total. Qed.

(* A guess that does not depend on one of the pieces is wrong as often as a guess without features. *)
Notation top := (amount * (1 - / INR k)).
Lemma k_real : 0 < INR k.
Proof. now apply lt_0_INR. Qed.
Lemma missed_again g j : (j < length Bs)%nat -> (forall a t, In a (pieces (length Bs)) -> (t < k)%nat -> g (put j t a) = g a) ->
  INR k * missed secret g = sum (fun a => sum (fun t => if Nat.eqb (g a) t then 0 else each) (seq 0 k)) (pieces (length Bs)).
Proof.
  intros L G. unfold missed; cbn [atoms_of mass label secret]. rewrite <- (drawn_again _ _ j L). apply sum_ext; intros a Ha.
  rewrite <- (rotate (fun t => if Nat.eqb (g a) t then 0 else each) (pieces_sum (put j 0 a))). apply sum_ext; intros t Ht. apply in_seq in Ht.
  rewrite G by (auto; lia). rewrite put_sum by (rewrite (pieces_length _ _ Ha); exact L). reflexivity.
Qed.
Lemma times_top : amount * (INR k - 1) = INR k * top.
Proof. field. apply Rgt_not_eq, k_real. Qed.
Lemma missed_at_least g j : (j < length Bs)%nat -> (forall a t, In a (pieces (length Bs)) -> (t < k)%nat -> g (put j t a) = g a) -> top <= missed secret g.
Proof.
  intros L G. apply (Rmult_le_reg_l (INR k)); [exact k_real|]. rewrite (missed_again g j L G), <- times_top, <- each_total.
  apply Rle_trans with (sum (fun _ => each * (INR k - 1)) (pieces (length Bs))); [rewrite sum_const; right; ring|].
  apply sum_le; intros a _. apply others_at_least, each_ge0.
Qed.
Lemma missed_by_0 : Bs <> [] -> missed secret (fun _ => 0%nat) = top.
Proof.
  intros N. assert (L : (0 < length Bs)%nat) by (destruct Bs; [congruence|simpl; lia]). apply (Rmult_eq_reg_l (INR k)); [|apply Rgt_not_eq, k_real].
  rewrite (missed_again _ 0 L) by auto. rewrite <- times_top, <- each_total. rewrite (sum_ext _ (fun _ => each * (INR k - 1))) by (intros; now apply others).
  rewrite sum_const. ring.
Qed.

(* A set knows the secret unless one of the sets B contains it. *)
Definition knows (S : list nat) := forallb (fun B => existsb (fun i => negb (mem B i)) S) Bs.
Lemma secret_least S : least_missed secret (mem S) (if knows S then 0 else top).
Proof.
  destruct (knows S) eqn:E.
  - unfold knows in E; rewrite forallb_forall in E. split.
    + exists (label secret); split.
      * intros a b Ha Hb V. f_equal. cbn [atoms_of secret] in Ha, Hb. pose proof (pieces_length _ _ Ha) as La. pose proof (pieces_length _ _ Hb) as Lb.
        apply (nth_ext a b 0%nat 0%nat); [congruence|]. intros j Lj. rewrite La in Lj.
        specialize (E _ (nth_In Bs [] Lj)). apply existsb_exists in E as (i & Hi & E).
        assert (Si : mem S i = true) by (apply existsb_exists; exists i; split; [exact Hi|apply Nat.eqb_refl]).
        pose proof (f_equal (fun l => nth j l 0%nat) (V i Si)) as Q. cbv beta in Q. cbn [view secret] in Q. now rewrite !project_nth, E in Q.
      * transitivity (sum (fun _ => 0) (atoms_of secret)); [|apply sum_0]. apply sum_ext; intros a _. now rewrite Nat.eqb_refl.
    + intros g _. apply sum_ge0; intros a _. destruct (Nat.eqb _ _); [lra|apply mass_ge0].
  - assert (H : exists j, (j < length Bs)%nat /\ forall i, mem S i = true -> mem (nth j Bs []) i = true).
    { assert (Q : existsb (fun B => forallb (mem B) S) Bs = true).
      { apply not_false_iff_true; intros F. rewrite <- not_true_iff_false in E. apply E. apply forallb_forall; intros B HB.
        apply not_false_iff_true; intros G. rewrite <- not_true_iff_false in F. apply F. apply existsb_exists; exists B; split; [exact HB|].
        apply forallb_forall; intros i Hi. apply not_false_iff_true; intros M. rewrite <- not_true_iff_false in G. apply G.
        apply existsb_exists; exists i; split; [exact Hi|]. now rewrite M. }
      apply existsb_exists in Q as (B & HB & Q). destruct (In_nth _ _ [] HB) as (j & Lj & Ej). exists j; split; [exact Lj|]. rewrite Ej.
      rewrite forallb_forall in Q. intros i Hi. apply Q. apply existsb_exists in Hi as (i' & Hi & Ei). apply Nat.eqb_eq in Ei; now subst. }
    destruct H as (j & Lj & HS). split.
    + exists (fun _ => 0%nat); split; [intros ? ? _ _ _; reflexivity|]. apply missed_by_0. intros N. rewrite N in Lj. simpl in Lj; lia.
    + intros g G. apply (missed_at_least g j Lj). intros a t Ha Lt. apply G; [now apply put_in|exact Ha|]. intros i Si. cbn [view secret].
      apply (nth_ext _ _ 0%nat 0%nat); [rewrite !project_length; apply put_length|]. intros l _. rewrite !project_nth.
      destruct (Nat.eq_dec l j) as [->|D]; [now rewrite (HS i Si)|now rewrite put_nth].
Qed.
Lemma secret_by_0 : missed secret (fun _ => 0%nat) = if knows [] then 0 else top.
Proof.
  unfold knows. destruct (forallb _ Bs) eqn:E.
  - assert (N : Bs = []) by (clear - E; destruct Bs; [reflexivity|discriminate E]). unfold missed; cbn [atoms_of label mass secret]. rewrite N.
    unfold pieces. cbn [length repeat states sum pieces_sum fold_right]. rewrite Nat.mod_0_l by lia. simpl. ring.
  - apply missed_by_0. intros N. rewrite N in E. discriminate E.
Qed.
End Pieces.

(* The subsets of n features. *)
Definition within n (S : list nat) := forall i, In i S -> (i < n)%nat.
Fixpoint power (l : list nat) : list (list nat) := match l with [] => [[]] | i :: t => power t ++ map (cons i) (power t) end.
Lemma filter_in_power f l : In (filter f l) (power l).
Proof.
  induction l as [|i t IH]; simpl; [auto|]. apply in_or_app. destruct (f i); [right; now apply in_map|now left].
Qed.
Lemma power_within n S : In S (power (seq 0 n)) -> within n S.
Proof.
  enough (H : forall l, In S (power l) -> incl S l) by (intros HS i Hi; apply (H _ HS) in Hi; apply in_seq in Hi; lia).
  intros l; revert S; induction l as [|i t IH]; simpl; intros S HS; [destruct HS as [<-|[]]; apply incl_refl|].
  apply in_app_or in HS as [HS|HS]; [now apply incl_tl, IH|]. apply in_map_iff in HS as (T & <- & HT). apply incl_cons; [now left|now apply incl_tl, IH].
Qed.
Lemma mem_in S i : mem S i = true <-> In i S.
Proof. unfold mem. rewrite existsb_exists. split; [intros (j & Hj & E); apply Nat.eqb_eq in E; now subst|intros Hi; exists i; split; [exact Hi|apply Nat.eqb_refl]]. Qed.
Definition sorted n (S : list nat) := filter (mem S) (seq 0 n).
Lemma sorted_in n S i : within n S -> In i (sorted n S) <-> In i S.
Proof. intros W. unfold sorted. rewrite filter_In, mem_in, in_seq. split; [tauto|]. intros Hi. specialize (W i Hi). split; [lia|exact Hi]. Qed.
Lemma fewer {A} (f g : A -> bool) l a : (forall b, f b = true -> g b = true) -> In a l -> g a = true -> f a = false ->
  (length (filter f l) < length (filter g l))%nat.
Proof.
  intros I. assert (L : forall l, (length (filter f l) <= length (filter g l))%nat).
  { clear l. induction l as [|b t IH]; simpl; [lia|]. specialize (I b). destruct (f b); [rewrite (I eq_refl)|destruct (g b)]; simpl; lia. }
  induction l as [|b t IH]; intros Ha G F; [destruct Ha|]. simpl. destruct Ha as [->|Ha].
  - rewrite F, G. specialize (L t). simpl; lia.
  - specialize (IH Ha G F). specialize (I b). destruct (f b); [rewrite (I eq_refl)|destruct (g b)]; simpl; lia.
Qed.

(* Tables of risks. They are functions of lists of features, and equal for lists of the same features. *)
Definition decreasing n (r : list nat -> R) := forall S T, incl S T -> within n T -> r T <= r S.
Definition has_risks {k} n (s : source k) (r : list nat -> R) :=
  missed s (fun _ => 0%nat) = r [] /\ forall S, within n S -> least_missed s (mem S) (r S).
Lemma within_nil n : within n [].
Proof. intros i []. Qed.
Lemma has_both k n (s t : source k) q r : has_risks n s q -> has_risks n t r -> has_risks n (both k s t) (fun S => q S + r S).
Proof.
  intros [Zq Hq] [Zr Hr]. split; [now rewrite both_missed, <- Zq, <- Zr|]. intros S W. apply both_least; auto.
  destruct S as [|i S]; [left; auto|right; exists i; apply mem_in; now left].
Qed.
Lemma has_same k n (s : source k) q r : (forall S, within n S -> q S = r S) -> has_risks n s q -> has_risks n s r.
Proof. intros E [Z H]. split; [rewrite <- E by apply within_nil; exact Z|]. intros S W. rewrite <- E by exact W. auto. Qed.
Lemma has_secret k n (some : (0 < k)%nat) Bs amount ge0 :
  has_risks n (secret k some Bs amount ge0) (fun S => if knows Bs S then 0 else amount * (1 - / INR k)).
Proof. split; [apply secret_by_0|]. intros S _. apply secret_least. Qed.

(* The sets where a table is positive share a secret, whose bound is the least positive value. What is left of the table
   has more zeros. *)
Definition is_positive (r : list nat -> R) S := if Rlt_dec 0 (r S) then true else false.
Lemma is_positive_ok r S : is_positive r S = true <-> 0 < r S.
Proof. unfold is_positive. destruct (Rlt_dec 0 (r S)); split; auto; discriminate. Qed.
Section Levels.
Variables (n k : nat).
Hypothesis classes_2 : (2 <= k)%nat.
Lemma some_label : (0 < k)%nat.
Proof. lia. Qed.
Notation c := (1 - / INR k).
Lemma top_positive : 0 < c.
Proof.
  assert (1 < INR k) by (apply (lt_INR 1); lia). assert (/ INR k < / 1) by (apply Rinv_lt_contravar; lra). rewrite Rinv_1 in *. lra.
Qed.
Lemma rational_top : rational c.
Proof.
  assert (INR k <> 0) by (apply not_0_INR; lia). replace c with (1 - 1 / INR k) by (field; assumption).
  apply rational_minus; [exact (rational_integer 1)|]. apply rational_quotient; [assumption|exact (rational_integer 1)|]. rewrite INR_IZR_INZ. apply rational_integer.
Qed.
Lemma levels : forall zeros r amount, (length (filter (is_positive r) (power (seq 0 n))) <= zeros)%nat -> decreasing n r -> (forall S, within n S -> 0 <= r S) ->
  r [] <= amount * c -> exists s : source k, weight s = amount /\ has_risks n s r /\
    (rational amount -> (forall S, within n S -> rational (r S)) -> forall a, rational (mass s a)).
Proof.
  pose proof top_positive as Top.
  induction zeros as [|zeros IH]; intros r amount Few Dec Ge0 Le; assert (A0 : 0 <= amount).
  1, 3: pose proof (Ge0 [] (within_nil n)); apply Rnot_lt_le; intros N; assert (amount * c < 0 * c) by (apply Rmult_lt_compat_r; lra); lra.
  all: assert (InPower : forall S, within n S -> 0 < r S -> exists B, In B (filter (is_positive r) (power (seq 0 n))) /\ r B = r S /\ incl S B).
  1, 3: intros S W P; pose proof (fun i => sorted_in n S i W) as Q; assert (WB : within n (sorted n S)) by (intros i Hi; apply W, Q, Hi);
    assert (E : r (sorted n S) = r S) by (apply Rle_antisym; apply Dec; auto; intros i Hi; now apply Q);
    exists (sorted n S); split; [apply filter_In; split; [apply filter_in_power|apply is_positive_ok; lra]|split; [exact E|intros i Hi; now apply Q]].
  - (* nothing is positive *)
    exists (secret k some_label [] amount A0); split; [apply secret_weight|split].
    + apply (has_same k n _ (fun S => if knows [] S then 0 else amount * c)); [|apply has_secret]. intros S W. cbn [knows forallb].
      destruct (Ge0 S W) as [P|E]; [|exact E]. destruct (InPower S W P) as (B & HB & _). destruct (filter _ _); [destruct HB|simpl in Few; lia].
    + intros Q _ a. cbn [mass secret]. apply rational_quotient; [apply Rgt_not_eq, some_pieces; lia|exact Q|rewrite INR_IZR_INZ; apply rational_integer].
  - set (Bs := filter (is_positive r) (power (seq 0 n))) in *.
    assert (InBs : forall B, In B Bs -> within n B /\ 0 < r B) by (intros B HB; apply filter_In in HB as [H1 H2]; split; [now apply power_within|now apply is_positive_ok]).
    destruct (classic (exists B, In B Bs)) as [Some|None].
    2: { apply IH; auto. fold Bs. destruct Bs as [|B l]; [simpl; lia|exfalso; apply None; exists B; now left]. }
    destruct (least (map r Bs) (fun q => exists B, In B Bs /\ r B = q)) as (v & (B0 & HB0 & E0) & Low).
    1: { intros q (B & HB & <-). now apply in_map. } 1: { destruct Some as (B & HB). eauto. }
    assert (V : 0 < v) by (rewrite <- E0; now apply InBs).
    assert (AtLeast : forall S, within n S -> 0 < r S -> v <= r S) by (intros S W P; destruct (InPower S W P) as (B & HB & <- & _); eauto).
    set (r' := fun S => if is_positive r S then r S - v else r S).
    assert (V0 : 0 <= v / c) by (apply Rmult_le_pos; [lra|left; now apply Rinv_0_lt_compat]).
    assert (VC : v / c * c = v) by (unfold Rdiv; rewrite Rmult_assoc, Rinv_l, Rmult_1_r; [reflexivity|now apply Rgt_not_eq]).
    assert (Split : forall S, within n S -> r' S + (if knows Bs S then 0 else v / c * c) = r S).
    { intros S W. rewrite VC. unfold r', knows. destruct (is_positive r S) eqn:P.
      - apply is_positive_ok in P. destruct (InPower S W P) as (B & HB & _ & I). destruct (forallb _ Bs) eqn:F; [exfalso|lra].
        rewrite forallb_forall in F. specialize (F B HB). apply existsb_exists in F as (i & Hi & F). apply I, mem_in in Hi. rewrite Hi in F. discriminate.
      - destruct (forallb _ Bs) eqn:F; [lra|exfalso]. apply not_true_iff_false in F. apply F, forallb_forall. intros B HB.
        apply not_false_iff_true; intros G. apply not_true_iff_false in P. apply P, is_positive_ok. destruct (InBs B HB) as [WB PB].
        apply Rlt_le_trans with (r B); [exact PB|]. apply Dec; [|exact WB]. intros i Hi. apply mem_in, not_false_iff_true; intros M.
        apply not_true_iff_false in G. apply G, existsb_exists. exists i; split; [exact Hi|now rewrite M]. }
    assert (Positive : 0 < r []).
    { apply Rlt_le_trans with (r B0); [now apply InBs|]. apply Dec; [intros i []|now apply InBs]. }
    destruct (IH r' (amount - v / c)) as (s & Ws & Hs & Qs).
    + apply Nat.lt_succ_r. apply Nat.lt_le_trans with (length Bs); [|exact Few]. unfold Bs. apply filter_In in HB0 as [HB0 P0]. apply (fewer _ _ _ B0); auto.
      * intros B HB. apply is_positive_ok in HB. apply is_positive_ok. unfold r' in HB. destruct (is_positive r B) eqn:P; [now apply is_positive_ok in P|exact HB].
      * apply not_true_iff_false; intros HB. apply is_positive_ok in HB. unfold r' in HB. rewrite P0 in HB. lra.
    + intros S T I W. assert (WS : within n S) by (intros i Hi; now apply W, I). pose proof (Dec S T I W). unfold r'.
      destruct (is_positive r S) eqn:PS, (is_positive r T) eqn:PT; try lra. apply is_positive_ok in PS. pose proof (AtLeast S WS PS).
      assert (~ 0 < r T) by (intros P; apply is_positive_ok in P; congruence). lra.
    + intros S W. unfold r'. destruct (is_positive r S) eqn:P; [|auto]. apply is_positive_ok in P. pose proof (AtLeast S W P). lra.
    + unfold r'. rewrite (proj2 (is_positive_ok r []) Positive). rewrite Rmult_minus_distr_r, VC. lra.
    + exists (both k s (secret k some_label Bs (v / c) V0)); split; [|split].
      * rewrite both_weight, Ws, secret_weight. ring.
      * apply (has_same k n _ _ r Split). apply has_both; [exact Hs|apply has_secret].
      * intros Qa Qr. assert (Qv : rational v) by (rewrite <- E0; apply Qr; now apply InBs).
        assert (Qc : rational (v / c)) by (apply rational_quotient; [lra|exact Qv|exact rational_top]). intros [a|a]; cbn [mass both secret].
        -- apply Qs; [now apply rational_minus|]. intros S W. unfold r'. destruct (is_positive r S); [apply rational_minus|]; auto.
        -- apply rational_quotient; [apply Rgt_not_eq, some_pieces; lia|exact Qc|rewrite INR_IZR_INZ; apply rational_integer].
Qed.
End Levels.

(* Theorem R. If the table has fractions alone, the distribution has as well. *)
Theorem realizable n k r : (2 <= k)%nat -> decreasing n r -> (forall S, within n S -> 0 <= r S <= 1 - / INR k) ->
  exists d, length (sizes d) = n /\ classes d = k /\ (forall S, within n S -> bayes_risk d S = r S) /\
    ((forall S, within n S -> rational (r S)) -> forall x y, rational (p d x y)).
Proof.
  intros K Dec Range. destruct (levels n k K (length (filter (is_positive r) (power (seq 0 n)))) r 1) as (s & W & (_ & H) & Q); auto.
  - intros S Hs. now apply Range.
  - rewrite Rmult_1_l. apply Range, within_nil.
  - exists (as_dist n k s W); split; [apply repeat_length|split; [reflexivity|split]].
    + intros S Hs. apply (one_risk (as_dist n k s W) (mem S)); [apply bayes_risk_ok|]. apply risk_missed; [|now apply H].
      intros i Hi. now apply Hs, mem_in.
    + intros Qr x y. apply rational_sum; intros a _. destruct (_ && _); [|exact (rational_integer 0)]. apply Q; [exact (rational_integer 1)|exact Qr].
Qed.
Theorem theorem_R n k r : (2 <= k)%nat ->
  (exists d, length (sizes d) = n /\ classes d = k /\ forall S, within n S -> bayes_risk d S = r S) <->
  decreasing n r /\ forall S, within n S -> 0 <= r S <= 1 - / INR k.
Proof.
  intros K. split.
  - intros (d & Hn & Hk & E). split.
    + intros S T I W. assert (WS : within n S) by (intros i Hi; now apply W, I). rewrite <- !E by assumption.
      apply (monotone d (mem S) (mem T)); try apply bayes_risk_ok. intros i Hi. apply mem_in. apply I. now apply mem_in.
    + intros S W. rewrite <- E by exact W. rewrite <- Hk. split; [exact (floor _ _ _ (bayes_risk_ok d S))|exact (ceiling_of_classes _ _ _ (bayes_risk_ok d S))].
  - intros [Dec Range]. destruct (realizable n k r K Dec Range) as (d & Hn & Hk & E & _). eauto.
Qed.

(* What is proved of the risks of all distributions, is true of all tables: the other direction of [every_size]. Here a
   table has a value for each number of a set of features. *)
Definition decreasing_numbers n (v : N -> R) := forall a b, (b < 2 ^ N.of_nat n)%N -> N.land a b = a -> v b <= v a.
Definition number (S : list nat) : N := fold_right (fun i m => N.setbit m (N.of_nat i)) 0%N S.
Lemma number_bit S i : N.testbit (number S) (N.of_nat i) = mem S i.
Proof.
  induction S as [|j S IH]; [apply N.bits_0|]. cbn [number fold_right]. fold (number S). rewrite N.setbit_eqb, IH. unfold mem. cbn [existsb].
  f_equal. destruct (N.eqb_spec (N.of_nat j) (N.of_nat i)), (Nat.eqb_spec i j); try reflexivity; lia.
Qed.
Lemma bit_nat m i : N.testbit m i = N.testbit m (N.of_nat (N.to_nat i)).
Proof. now rewrite N2Nat.id. Qed.
Lemma high_bit n m i : (m < 2 ^ N.of_nat n)%N -> (n <= i)%nat -> N.testbit m (N.of_nat i) = false.
Proof.
  intros L G. destruct (N.eq_dec m 0) as [->|Z]; [apply N.bits_0|]. apply N.bits_above_log2. apply N.log2_lt_pow2 in L; lia.
Qed.
Lemma number_small n S : within n S -> (number S < 2 ^ N.of_nat n)%N.
Proof.
  intros W. destruct (N.eq_dec (number S) 0) as [->|Z]; [apply N.neq_0_lt_0, N.pow_nonzero; lia|]. apply N.log2_lt_pow2; [lia|].
  pose proof (N.bit_log2 _ Z) as B. rewrite bit_nat, number_bit in B. apply mem_in, W in B. lia.
Qed.
Lemma number_incl S T : incl S T -> N.land (number S) (number T) = number S.
Proof.
  intros I. apply N.bits_inj; intros i. rewrite N.land_spec, bit_nat, (bit_nat (number T)), !number_bit.
  destruct (mem S (N.to_nat i)) eqn:E; [|reflexivity]. apply mem_in, I, mem_in in E. now rewrite E.
Qed.
Lemma number_elements n m : (m < 2 ^ N.of_nat n)%N -> number (elements n m) = m.
Proof.
  intros L. apply N.bits_inj; intros i. rewrite bit_nat, (bit_nat m), number_bit, mem_elements. destruct (Nat.ltb_spec (N.to_nat i) n) as [|G]; [reflexivity|].
  now rewrite (high_bit n m _ L G).
Qed.
Lemma elements_within n m : within n (elements n m).
Proof. intros i Hi. apply filter_In in Hi as [Hi _]. apply in_seq in Hi. lia. Qed.

Lemma risks_of_numbers n k v : (2 <= k)%nat -> decreasing_numbers n v -> (forall m, (m < 2 ^ N.of_nat n)%N -> 0 <= v m <= 1 - / INR k) ->
  exists d, length (sizes d) = n /\ classes d = k /\ forall m, (m < 2 ^ N.of_nat n)%N -> risks d n m = v m.
Proof.
  intros K Dec Range. destruct (realizable n k (fun S => v (number S)) K) as (d & Hn & Hk & E & _).
  - intros S T I W. apply Dec; [now apply number_small|now apply number_incl].
  - intros S W. now apply Range, number_small.
  - exists d; split; [exact Hn|split; [exact Hk|]]. intros m L. unfold risks. rewrite E by apply elements_within. now rewrite number_elements.
Qed.
Theorem complete n k ts size tops f : (2 <= k)%nat ->
  (forall d, length (sizes d) = n -> classes d = k -> sat (env (build (given_or (risks d n) (2 ^ N.of_nat n) ts) size tops)) f) ->
  forall v, decreasing_numbers n v -> (forall m, (m < 2 ^ N.of_nat n)%N -> 0 <= v m <= 1 - / INR k) ->
  sat (env (build (given_or v (2 ^ N.of_nat n) ts) size tops)) f.
Proof.
  intros K All v Dec Range. destruct (risks_of_numbers n k v K Dec Range) as (d & Hn & Hk & E). specialize (All d Hn Hk).
  replace (given_or v (2 ^ N.of_nat n) ts) with (given_or (risks d n) (2 ^ N.of_nat n) ts); [exact All|].
  apply functional_extensionality; intros i. unfold given_or. destruct (N.ltb_spec i (2 ^ N.of_nat n)) as [L|_]; [now apply E|reflexivity].
Qed.
(* Any number of classes: every number below 1 is at most 1 - 1/k for some k. *)
Theorem complete_for_all_classes n ts size tops f :
  (forall d, length (sizes d) = n -> sat (env (build (given_or (risks d n) (2 ^ N.of_nat n) ts) size tops)) f) ->
  forall v, decreasing_numbers n v -> (forall m, (m < 2 ^ N.of_nat n)%N -> 0 <= v m < 1) ->
  sat (env (build (given_or v (2 ^ N.of_nat n) ts) size tops)) f.
Proof.
  intros All v Dec Range. assert (P : (0 < 2 ^ N.of_nat n)%N) by (apply N.neq_0_lt_0, N.pow_nonzero; lia). pose proof (Range 0%N P) as [Z L].
  destruct (archimed_cor1 (1 - v 0%N)) as (k & Small & K); [lra|].
  apply (complete n (S k)); [lia|auto|exact Dec|]. intros m Lm. split; [now apply Range|]. apply Rle_trans with (v 0%N); [now apply Dec|].
  assert (/ INR (S k) <= / INR k) by (apply Rinv_le_contravar; [now apply lt_0_INR|apply le_INR; lia]). lra.
Qed.
