(* A verified checker of proofs by cases.

   A proof is a tree. Each inner node splits into cases, at least one of which is true. Each leaf adds up known
   inequalities, times integers, to an absurd one, such as 0 < 0 (Farkas' lemma). Theorem [proved_ok] at the end says:
   what [proved] accepts is true. The numbers are real; the checker computes with integers alone. *)
From Coq Require Import Reals ZArith PArith NArith List Bool Lra Lia Classical.
Import ListNotations.
Open Scope R_scope.

(* Terms and formulas. [Quot z q] is the number z / q, and [Part z q a] is z / q times a. *)
Inductive tm := V (v : positive) | C (z : Z) | Quot (z : Z) (q : positive) | Plus (a b : tm) | Minus (a b : tm)
  | Scale (z : Z) (a : tm) | Part (z : Z) (q : positive) (a : tm).
Inductive fm := Lt (a b : tm) | Le (a b : tm) | Eq (a b : tm) | And (l : list fm) | Or (l : list fm)
  | Not (f : fm) | Imp (f g : fm) | Iff (f g : fm).

Section Meaning.
Variable rho : positive -> R.
Fixpoint val (t : tm) : R :=
  match t with V v => rho v | C z => IZR z | Quot z q => IZR z / IZR (Zpos q) | Plus a b => val a + val b
  | Minus a b => val a - val b | Scale z a => IZR z * val a | Part z q a => IZR z / IZR (Zpos q) * val a end.
Fixpoint sat (f : fm) : Prop :=
  match f with
  | Lt a b => val a < val b | Le a b => val a <= val b | Eq a b => val a = val b
  | And l => (fix all l := match l with [] => True | [f] => sat f | f :: t => sat f /\ all t end) l
  | Or l => (fix any l := match l with [] => False | [f] => sat f | f :: t => sat f \/ any t end) l
  | Not f => ~ sat f | Imp f g => sat f -> sat g | Iff f g => sat f <-> sat g
  end.

Definition lin := list (positive * Z).           (* a sum of z * x_v; number 1 is the constant *)
Definition at_ v := if Pos.eqb v 1 then 1 else rho v.
Fixpoint ev (l : lin) : R := match l with [] => 0 | (v, z) :: t => IZR z * at_ v + ev t end.
Fixpoint ins (v : positive) (z : Z) (l : lin) : lin :=
  match l with
  | [] => [(v, z)]
  | (w, y) :: t => match Pos.compare v w with
    | Datatypes.Eq => (w, (z + y)%Z) :: t | Datatypes.Lt => (v, z) :: l | Datatypes.Gt => (w, y) :: ins v z t end
  end.
Fixpoint addm (k : Z) (l acc : lin) : lin := match l with [] => acc | (v, z) :: t => ins v (k * z)%Z (addm k t acc) end.
(* [join k (d, l) (e, m)] is l / d + k * m / e over one denominator. *)
Definition join (k : Z) (a b : positive * lin) : positive * lin :=
  let (d, l) := a in let (e, m) := b in
  if Pos.eqb d e then (d, addm k m l) else ((d * e)%positive, addm (k * Zpos d) m (addm (Zpos e) l [])).
(* A term as integers over one denominator. *)
Fixpoint linear (t : tm) : positive * lin :=
  match t with
  | V v => (1%positive, [(Pos.succ v, 1%Z)]) | C z => (1%positive, [(1%positive, z)]) | Quot z q => (q, [(1%positive, z)])
  | Plus a b => join 1 (linear a) (linear b) | Minus a b => join (-1) (linear a) (linear b)
  | Scale z a => let (d, l) := linear a in (d, addm z l [])
  | Part z q a => let (d, l) := linear a in ((q * d)%positive, addm z l [])
  end.
End Meaning.

Definition up (rho : positive -> R) (v : positive) := rho (Pos.pred v).

Lemma ev_ins rho v z l : ev rho (ins v z l) = IZR z * at_ rho v + ev rho l.
Proof.
  induction l as [|[w y] t IH]; simpl; [reflexivity|].
  destruct (Pos.compare_spec v w) as [->|H|H]; simpl; rewrite ?plus_IZR, ?IH; ring.
Qed.
Lemma ev_addm rho k l acc : ev rho (addm k l acc) = IZR k * ev rho l + ev rho acc.
Proof. induction l as [|[v z] t IH]; simpl; [ring|]. rewrite ev_ins, IH, mult_IZR. ring. Qed.
Lemma at_succ rho v : at_ (up rho) (Pos.succ v) = rho v.
Proof.
  unfold at_, up; rewrite Pos.pred_succ. destruct (Pos.eqb_spec (Pos.succ v) 1) as [E|_]; [destruct v; discriminate|reflexivity].
Qed.
Lemma at_one rho : at_ rho 1 = 1.
Proof. reflexivity. Qed.
Definition over rho (a : positive * lin) := ev (up rho) (snd a) / IZR (Zpos (fst a)).
Lemma pos_real q : 0 < IZR (Zpos q).
Proof. now apply (IZR_lt 0). Qed.
Lemma not_zero q : IZR (Zpos q) <> 0.
Proof. apply Rgt_not_eq, pos_real. Qed.
Lemma over_join rho k a b : over rho (join k a b) = over rho a + IZR k * over rho b.
Proof.
  destruct a as [d l], b as [e m]; unfold over, join. destruct (Pos.eqb_spec d e) as [->|_]; cbn [fst snd].
  - rewrite ev_addm. field. apply not_zero.
  - rewrite !ev_addm, Pos2Z.inj_mul, !mult_IZR; cbn [ev]. field. split; apply not_zero.
Qed.
Lemma over_linear rho t : over rho (linear t) = val rho t.
Proof.
  induction t as [v|z|z q|a IHa b IHb|a IHa b IHb|z a IH|z q a IH]; cbn [linear val].
  - unfold over; cbn [fst snd ev]. rewrite at_succ. field.
  - unfold over; cbn [fst snd ev]. rewrite at_one. field.
  - unfold over; cbn [fst snd ev]. rewrite at_one. field. apply not_zero.
  - rewrite over_join, IHa, IHb. ring.
  - rewrite over_join, IHa, IHb. ring.
  - rewrite <- IH. destruct (linear a) as [d l]; unfold over; cbn [fst snd]. rewrite ev_addm; cbn [ev]. field. apply not_zero.
  - rewrite <- IH. destruct (linear a) as [d l]; unfold over; cbn [fst snd].
    rewrite ev_addm, Pos2Z.inj_mul, mult_IZR; cbn [ev]. field. split; apply not_zero.
Qed.

Inductive rel := Ge | Gt | Ze.
Definition atom := (rel * lin)%type.
Definition holds rho (a : atom) :=
  match a with (Ge, l) => 0 <= ev (up rho) l | (Gt, l) => 0 < ev (up rho) l | (Ze, l) => ev (up rho) l = 0 end.

(* A branch: the facts that hold in it, and the disjunctions that may be split. [ext] adds a formula, or its negation. *)
Definition ctx := (list atom * list (list fm))%type.
Definition fact (a : atom) (c : ctx) : ctx := (fst c ++ [a], snd c).
Definition alt (l : list fm) (c : ctx) : ctx := (fst c, snd c ++ [l]).
Definition dif a b := snd (join (-1) (linear a) (linear b)).
Fixpoint ext (pos : bool) (f : fm) (c : ctx) {struct f} : ctx :=
  match f, pos with
  | Lt a b, true => fact (Gt, dif b a) c | Lt a b, false => fact (Ge, dif a b) c
  | Le a b, true => fact (Ge, dif b a) c | Le a b, false => fact (Gt, dif a b) c
  | Eq a b, true => fact (Ze, dif b a) c | Eq a b, false => alt [Lt a b; Lt b a] c
  | Not g, _ => ext (negb pos) g c
  | And l, true => (fix go l c := match l with [] => c | f :: t => go t (ext true f c) end) l c
  | Or [f], _ | And [f], _ => ext pos f c
  | Or l, true => alt l c
  | Or l, false => (fix go l c := match l with [] => c | f :: t => go t (ext false f c) end) l c
  | And l, false => alt (map Not l) c
  | Imp g h, true => alt [Not g; h] c | Imp g h, false => ext false h (ext true g c)
  | Iff g h, true => alt [And [g; h]; And [Not g; Not h]] c
  | Iff g h, false => alt [And [g; Not h]; And [Not g; h]] c
  end.
Definition ctx_ok rho (c : ctx) :=
  (forall a, In a (fst c) -> holds rho a) /\ (forall d, In d (snd c) -> exists f, In f d /\ sat rho f).
Lemma fact_ok rho a c : holds rho a -> ctx_ok rho c -> ctx_ok rho (fact a c).
Proof. intros H [F D]; split; simpl; [|exact D]. intros b Hb; apply in_app_or in Hb as [Hb|[<-|[]]]; auto. Qed.
Lemma alt_ok rho l c : (exists f, In f l /\ sat rho f) -> ctx_ok rho c -> ctx_ok rho (alt l c).
Proof. intros H [F D]; split; simpl; [exact F|]. intros b Hb; apply in_app_or in Hb as [Hb|[<-|[]]]; auto. Qed.
(* The integers of a difference are a positive multiple of it, so they have its sign. *)
Lemma ev_dif rho a b : exists k, 0 < k /\ ev (up rho) (dif a b) = k * (val rho a - val rho b).
Proof.
  exists (IZR (Zpos (fst (join (-1) (linear a) (linear b))))); split; [apply pos_real|].
  pose proof (over_join rho (-1) (linear a) (linear b)) as E. rewrite !over_linear in E. unfold over in E. unfold dif.
  replace (val rho a - val rho b) with (val rho a + IZR (-1) * val rho b) by ring. rewrite <- E. field. apply not_zero.
Qed.
Lemma dif_le rho a b : val rho b <= val rho a <-> 0 <= ev (up rho) (dif a b).
Proof.
  destruct (ev_dif rho a b) as (k & P & ->). split; intros Q; [apply Rmult_le_pos; lra|]. apply Rnot_lt_le; intros N.
  assert (k * (val rho a - val rho b) < k * 0) by (apply Rmult_lt_compat_l; lra). lra.
Qed.
Lemma dif_lt rho a b : val rho b < val rho a <-> 0 < ev (up rho) (dif a b).
Proof.
  destruct (ev_dif rho a b) as (k & P & ->). split; intros Q; [apply Rmult_lt_0_compat; lra|]. apply Rnot_le_lt; intros N.
  assert (k * (val rho a - val rho b) <= k * 0) by (apply Rmult_le_compat_l; lra). lra.
Qed.
Lemma dif_eq rho a b : val rho a = val rho b <-> ev (up rho) (dif a b) = 0.
Proof.
  destruct (ev_dif rho a b) as (k & P & ->). split; intros Q; [rewrite Q; ring|]. apply Rmult_integral in Q as [Q|Q]; lra.
Qed.

(* Coq's own induction says nothing of the formulas in lists. *)
Section Induction.
Variable P : fm -> Prop.
Hypotheses (hlt : forall a b, P (Lt a b)) (hle : forall a b, P (Le a b)) (heq : forall a b, P (Eq a b))
  (hand : forall l, Forall P l -> P (And l)) (hor : forall l, Forall P l -> P (Or l)) (hnot : forall f, P f -> P (Not f))
  (himp : forall f g, P f -> P g -> P (Imp f g)) (hiff : forall f g, P f -> P g -> P (Iff f g)).
Fixpoint fm_rec' (f : fm) : P f :=
  match f with
  | Lt a b => hlt a b | Le a b => hle a b | Eq a b => heq a b
  | And l => hand l ((fix go l : Forall P l := match l with [] => Forall_nil _ | f :: t => Forall_cons _ (fm_rec' f) (go t) end) l)
  | Or l => hor l ((fix go l : Forall P l := match l with [] => Forall_nil _ | f :: t => Forall_cons _ (fm_rec' f) (go t) end) l)
  | Not f => hnot f (fm_rec' f) | Imp f g => himp f g (fm_rec' f) (fm_rec' g) | Iff f g => hiff f g (fm_rec' f) (fm_rec' g)
  end.
End Induction.

Lemma sat_and rho l : sat rho (And l) <-> forall f, In f l -> sat rho f.
Proof.
  induction l as [|f [|g t] IH]; simpl in *; [firstorder|firstorder; subst; auto|].
  rewrite IH; clear IH; firstorder; subst; auto.
Qed.
Lemma sat_or rho l : sat rho (Or l) <-> exists f, In f l /\ sat rho f.
Proof.
  induction l as [|f [|g t] IH]; simpl in *; [firstorder| |].
  - split; [intros H; exists f; auto|intros (g & [<-|[]] & H); exact H].
  - rewrite IH; clear IH; split.
    + intros [H|(h & H & K)]; [exists f; auto|exists h; auto].
    + intros (h & [<-|H] & K); [left; auto|right; exists h; auto].
Qed.

Lemma ext_ok rho f : forall pos c, (if pos : bool then sat rho f else ~ sat rho f) -> ctx_ok rho c -> ctx_ok rho (ext pos f c).
Proof.
  induction f as [a b|a b|a b|l IH|l IH|f IH|f g IHf IHg|f g IHf IHg] using fm_rec'; intros pos c H K.
  - destruct pos; simpl in *; apply fact_ok; auto; [apply dif_lt; exact H|apply dif_le; lra].
  - destruct pos; simpl in *; apply fact_ok; auto; [apply dif_le; exact H|apply dif_lt; lra].
  - destruct pos; simpl in *; [apply fact_ok; auto; apply dif_eq; auto|].
    apply alt_ok; auto. destruct (Rtotal_order (val rho a) (val rho b)) as [L|[L|L]]; [|contradiction|].
    + exists (Lt a b); simpl; auto. + exists (Lt b a); simpl; auto.
  - assert (T : (if pos then forall f, In f l -> sat rho f else exists f, In f l /\ ~ sat rho f)).
    { destruct pos; [now apply sat_and|]. apply NNPP; intros N; apply H, sat_and; intros f Hf; apply NNPP; intros Q; apply N; eauto. }
    clear H. destruct pos.
    + assert (G : forall c, ctx_ok rho c -> ctx_ok rho ((fix go l c := match l with [] => c | f :: t => go t (ext true f c) end) l c)).
      { induction l as [|f t IHl]; intros c' K'; [exact K'|]. inversion_clear IH. apply IHl; auto; [|].
        - intros g Hg; apply T; right; auto. - apply (H true); auto. apply T; left; auto. }
      destruct l as [|f [|g t]]; apply G; auto.
    + destruct T as (f & Hf & N). destruct l as [|g [|h t]]; [destruct Hf| |].
      * destruct Hf as [<-|[]]. inversion_clear IH. apply (H false); auto.
      * apply alt_ok; auto. exists (Not f); split; [now apply in_map|exact N].
  - assert (T : (if pos then exists f, In f l /\ sat rho f else forall f, In f l -> ~ sat rho f)).
    { destruct pos; [now apply sat_or|]. intros f Hf Q; apply H, sat_or; eauto. }
    clear H. destruct pos.
    + destruct T as (f & Hf & N). destruct l as [|g [|h t]]; [destruct Hf| |].
      * destruct Hf as [<-|[]]. inversion_clear IH. apply (H true); auto.
      * apply alt_ok; eauto.
    + assert (G : forall c, ctx_ok rho c -> ctx_ok rho ((fix go l c := match l with [] => c | f :: t => go t (ext false f c) end) l c)).
      { induction l as [|f t IHl]; intros c' K'; [exact K'|]. inversion_clear IH. apply IHl; auto; [|].
        - intros g Hg; apply T; right; auto. - apply (H false); auto. apply T; left; auto. }
      destruct l as [|f [|g t]]; apply G; auto.
  - destruct pos; simpl in *; apply IH; simpl; auto. now apply NNPP.
  - destruct pos; simpl in *.
    + apply alt_ok; auto. destruct (classic (sat rho f)); [exists g|exists (Not f)]; simpl; auto.
    + apply (IHg false); [tauto|]. apply (IHf true); [tauto|auto].
  - destruct pos; simpl in *; apply alt_ok; auto.
    + destruct (classic (sat rho f)); [exists (And [f; g])|exists (And [Not f; Not g])]; simpl; tauto.
    + destruct (classic (sat rho f)); [exists (And [f; Not g])|exists (And [Not f; g])]; simpl; tauto.
Qed.

(* A fact times an integer: H i is fact i of the branch, K i is fact i of those that are always true. The numbers are
   binary, since Coq reads a tree several times faster than with numbers of type [nat]. *)
Inductive multiple := H (i : N) (z : Z) | K (i : N) (z : Z).
Inductive tree := Leaf (l : list multiple) | Split (i : N) (ts : list tree) | Known (i : N) (ts : list tree).

Definition start : ctx := ([], []).
Section Check.
Variables (facts : list atom) (known : list (list fm)).
Definition factor (m : multiple) := match m with H _ z | K _ z => z end.
(* The sum of the multiples, and whether it is strict; [None] if a multiplier of an inequality is not positive. *)
Fixpoint add_up (l : list multiple) (own : list atom) : option (bool * lin) :=
  match l with
  | [] => Some (false, [])
  | m :: t =>
    let z := factor m in
    match (match m with H i _ => nth_error own (N.to_nat i) | K i _ => nth_error facts (N.to_nat i) end), add_up t own with
    | Some (Ze, f), Some (s, acc) => Some (s, addm z f acc)
    | Some (Ge, f), Some (s, acc) => if (0 <? z)%Z then Some (s, addm z f acc) else None
    | Some (Gt, f), Some (s, acc) => if (0 <? z)%Z then Some (true, addm z f acc) else None
    | _, _ => None
    end
  end.
(* Whether a sum is a negative number that should be at least 0, or 0 that should be positive. *)
Definition absurd (x : option (bool * lin)) : bool :=
  match x with
  | None => false
  | Some (s, l) => match l with
    | (1%positive, c) :: t => forallb (fun q => (snd q =? 0)%Z) t && ((c <? 0)%Z || (s && (c =? 0)%Z))
    | _ => s && forallb (fun q => (snd q =? 0)%Z) l end
  end.
Fixpoint check (t : tree) (c : ctx) {struct t} : bool :=
  let each := (fix go (ts : list tree) (fs : list fm) : bool :=
    match ts, fs with [], [] => true | t :: ts, f :: fs => check t (ext true f c) && go ts fs | _, _ => false end) in
  match t with
  | Leaf l => absurd (add_up l (fst c))
  | Split i ts => match nth_error (snd c) (N.to_nat i) with Some d => each ts d | None => false end
  | Known i ts => match nth_error known (N.to_nat i) with Some d => each ts d | None => false end
  end.

Variable rho : positive -> R.
Hypothesis facts_ok : forall a, In a facts -> holds rho a.
Hypothesis known_ok : forall d, In d known -> exists f, In f d /\ sat rho f.

Lemma add_up_ok l own s f : (forall a, In a own -> holds rho a) -> add_up l own = Some (s, f) ->
  0 <= ev (up rho) f /\ (s = true -> 0 < ev (up rho) f).
Proof.
  intros O; revert s f; induction l as [|m t IH]; simpl; intros s f E.
  - injection E as <- <-; simpl; split; [lra|discriminate].
  - set (z := factor m) in E. destruct (match m with H i _ => nth_error own (N.to_nat i) | K i _ => nth_error facts (N.to_nat i) end) as [[r' l']|] eqn:Q; [|discriminate].
    assert (A : holds rho (r', l')) by (destruct m; apply nth_error_In in Q; auto).
    destruct (add_up t own) as [[s' acc]|]; [|destruct r'; discriminate]. destruct (IH s' acc eq_refl) as [G S].
    destruct r'; simpl in A; [destruct (0 <? z)%Z eqn:Z; [|discriminate]..|]; injection E as <- <-; rewrite ev_addm.
    + apply Z.ltb_lt, IZR_lt in Z. assert (0 <= IZR z * ev (up rho) l') by (apply Rmult_le_pos; lra). split; [lra|]. intros T; apply S in T; lra.
    + apply Z.ltb_lt, IZR_lt in Z. assert (0 < IZR z * ev (up rho) l') by (apply Rmult_lt_0_compat; lra). split; intros; lra.
    + rewrite A. split; [lra|]. intros T; apply S in T; lra.
Qed.
Lemma zeros l : forallb (fun q : positive * Z => (snd q =? 0)%Z) l = true -> ev (up rho) l = 0.
Proof.
  induction l as [|[v z] t IH]; simpl; [reflexivity|]. intros Q; apply andb_prop in Q as [A B].
  apply Z.eqb_eq in A; subst; rewrite IH; auto; lra.
Qed.
Lemma absurd_ok x : absurd x = true -> (forall s f, x = Some (s, f) -> 0 <= ev (up rho) f /\ (s = true -> 0 < ev (up rho) f)) -> False.
Proof.
  destruct x as [[s f]|]; [|discriminate]; intros A B; destruct (B s f eq_refl) as [G S]; clear B; simpl in A.
  assert (Case1 : s && forallb (fun q : positive * Z => (snd q =? 0)%Z) f = true -> False).
  { intros Q; apply andb_prop in Q as [Q1 Q2]; apply S in Q1; rewrite (zeros _ Q2) in Q1; lra. }
  destruct f as [|[[v|v|] c] t]; try exact (Case1 A).
  apply andb_prop in A as [A B]. cbn [ev] in G, S; rewrite at_one in G, S; rewrite (zeros _ A) in G, S.
  apply orb_prop in B as [B|B].
  - apply Z.ltb_lt, IZR_lt in B; lra.
  - apply andb_prop in B as [B1 B2]; apply S in B1; apply Z.eqb_eq in B2; subst; lra.
Qed.
Lemma check_ok : forall t c, check t c = true -> ctx_ok rho c -> False.
Proof.
  fix IH 1. intros t c. destruct t as [l|i ts|i ts]; simpl; intros Q O.
  - apply (absurd_ok _ Q). intros s f E; apply (add_up_ok l (fst c)); auto. apply O.
  - destruct (nth_error (snd c) (N.to_nat i)) as [d|] eqn:N; [|discriminate]. apply nth_error_In in N.
    destruct (proj2 O d N) as (f & Hf & S). clear N. revert d Q Hf.
    induction ts as [|t ts IHts]; intros [|g d] Q Hf; try discriminate; [destruct Hf|].
    apply andb_prop in Q as [Q1 Q2]. destruct Hf as [->|Hf]; [|exact (IHts d Q2 Hf)].
    exact (IH t _ Q1 (ext_ok rho f true c S O)).
  - destruct (nth_error known (N.to_nat i)) as [d|] eqn:N; [|discriminate]. apply nth_error_In in N.
    destruct (known_ok d N) as (f & Hf & S). clear N. revert d Q Hf.
    induction ts as [|t ts IHts]; intros [|g d] Q Hf; try discriminate; [destruct Hf|].
    apply andb_prop in Q as [Q1 Q2]. destruct Hf as [->|Hf]; [|exact (IHts d Q2 Hf)].
    exact (IH t _ Q1 (ext_ok rho f true c S O)).
Qed.
End Check.

Definition atoms (l : list fm) : list atom := fst (ext true (And l) start).
Definition proved facts known assume (job : fm * tree) : bool :=
  check (atoms facts) known (snd job) (ext false (fst job) (ext true (And assume) start)).
Theorem proved_ok rho facts known assume jobs :
  forallb (proved facts known assume) jobs = true ->
  sat rho (And facts) -> (forall d, In d known -> sat rho (Or d)) -> sat rho (And assume) -> sat rho (And (map fst jobs)).
Proof.
  intros Q F D A. assert (Z : ctx_ok rho start) by (split; simpl; tauto).
  apply sat_and; intros g G; apply in_map_iff in G as ([g' t] & <- & G).
  rewrite forallb_forall in Q; specialize (Q _ G). apply NNPP; intros N.
  assert (W : forall a, In a (atoms facts) -> holds rho a) by exact (proj1 (ext_ok rho (And facts) true start F Z)).
  assert (X : forall d, In d known -> exists f, In f d /\ sat rho f) by (intros d Hd; apply sat_or; exact (D d Hd)).
  apply (check_ok (atoms facts) known rho W X t _ Q).
  apply (ext_ok rho g' false); [exact N|]. apply (ext_ok rho (And assume) true); assumption.
Qed.

(* The same, with the claims and their proofs in two lists. *)
Theorem proved_all rho facts known assume claims trees :
  Nat.eqb (length claims) (length trees) && forallb (proved facts known assume) (combine claims trees) = true ->
  sat rho (And facts) -> (forall d, In d known -> sat rho (Or d)) -> sat rho (And assume) -> sat rho (And claims).
Proof.
  intros Q F D A. apply andb_prop in Q as [L Q]. apply Nat.eqb_eq in L. pose proof (proved_ok rho facts known assume _ Q F D A) as P.
  replace (map fst (combine claims trees)) with claims in P; [exact P|]. clear - L. revert trees L.
  induction claims as [|f t IH]; intros [|w ws] L; try discriminate; [reflexivity|]. cbn [combine map fst]. f_equal. apply IH. now injection L.
Qed.
