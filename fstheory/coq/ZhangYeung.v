(* The inequality of Zhang and Yeung, for any four sets of variables. It does not follow from Shannon's inequalities for
   these alone. It follows from them for the variables and a copy: given some variables K, the others are drawn twice,
   independently and with the same probabilities. *)
From Coq Require Import Reals ZArith PArith List Bool Lra Lia.
From FS Require Import Sums Distributions Entropies States.
Import ListNotations.
Open Scope R_scope.

Lemma states_of_both cs es (F : list nat -> R) : sum F (states (cs ++ es)) = sum (fun e => sum (fun f => F (e ++ f)) (states es)) (states cs).
Proof.
  revert F; induction cs as [|c t IH]; intros F; cbn [app states].
  - cbn [sum]. rewrite Rplus_0_r. now apply sum_ext.
  - rewrite !sum_flat_map. apply sum_ext; intros i _. rewrite !sum_map. apply (IH (fun x => F (i :: x))).
Qed.

Section Copy.
Variables (d : dist) (K : list nat).
Notation variables := (sizes d ++ [classes d]).
Definition count := length variables.
Lemma length_cell c : In c (cells d) -> length c = count.
Proof. intros H. apply in_states in H. unfold count. clear - H. induction H; simpl; congruence. Qed.
(* The probability of the cell e and its copy f, which agree in K. *)
Definition twin e f := if alike K e f then weight d e * weight d f / chance d K e else 0.
Lemma twin_ge0 e f : 0 <= twin e f.
Proof.
  unfold twin. destruct (alike K e f); [|lra]. destruct (Rle_lt_or_eq_dec 0 _ (chance_ge0 d K e)) as [P|Z].
  - apply Rmult_le_pos; [apply Rmult_le_pos; apply weight_ge0|]. left; now apply Rinv_0_lt_compat.
  - rewrite <- Z. unfold Rdiv. rewrite Rinv_0. lra.
Qed.
Lemma twin_sym e f : twin e f = twin f e.
Proof.
  unfold twin. rewrite (alike_sym K f e). destruct (alike K e f) eqn:A; [|reflexivity]. rewrite (chance_alike d K e f A). unfold Rdiv. ring.
Qed.
Lemma total_twin e : In e (cells d) -> sum (twin e) (cells d) = weight d e.
Proof.
  intros He. unfold twin. rewrite (sum_ext _ (fun f => weight d e / chance d K e * (if alike K e f then weight d f else 0))).
  - rewrite sum_scale, <- sum_filter. fold (chance d K e). destruct (Rle_lt_or_eq_dec 0 _ (weight_ge0 d e)) as [P|Z].
    + field. pose proof (chance_weight d K e He). lra.
    + rewrite <- Z. unfold Rdiv. ring.
  - intros f _. destruct (alike K e f); unfold Rdiv; ring.
Qed.
Definition twin_of c := twin (firstn count c) (skipn count c).
Lemma twin_of_both e f : In e (cells d) -> twin_of (e ++ f) = twin e f.
Proof.
  intros He. unfold twin_of. rewrite <- (length_cell e He), firstn_app, skipn_app, Nat.sub_diag, firstn_all, skipn_all, app_nil_r. reflexivity.
Qed.
Lemma twin_of_ge0 x y : 0 <= twin_of (x ++ [y]).
Proof. apply twin_ge0. Qed.
Lemma total_twin_of : sum (fun x => sum (fun y => twin_of (x ++ [y])) (seq 0 (classes d))) (states (variables ++ sizes d)) = 1.
Proof.
  rewrite <- (cells_of_states (variables ++ sizes d) (classes d) twin_of), <- app_assoc, states_of_both, <- (total_weight d).
  apply sum_ext; intros e He. rewrite <- (total_twin e He). apply sum_ext; intros f _. now apply twin_of_both.
Qed.
(* The distribution of all variables and their copies. The class is now the copy of the class. *)
Definition twins : dist := {| sizes := variables ++ sizes d; classes := classes d; p := fun x y => twin_of (x ++ [y]);
  nonneg := twin_of_ge0; total := total_twin_of |}.
Lemma sum_over_twins (F : list nat -> R) : sum F (cells twins) = sum (fun e => sum (fun f => F (e ++ f)) (cells d)) (cells d).
Proof. unfold cells at 1. simpl. rewrite <- app_assoc. apply states_of_both. Qed.
Lemma weight_of_twins e f : In e (cells d) -> In f (cells d) -> weight twins (e ++ f) = twin e f.
Proof.
  intros He Hf. rewrite <- (twin_of_both e f He). unfold weight, features. simpl p. f_equal. set (c := e ++ f). simpl sizes.
  assert (L : length c = S (length (variables ++ sizes d))).
  { unfold c. rewrite !app_length, (length_cell e He), (length_cell f Hf). unfold count. rewrite app_length. simpl. lia. }
  rewrite <- (firstn_skipn (length (variables ++ sizes d)) c) at 3. f_equal.
  remember (skipn (length (variables ++ sizes d)) c) as t eqn:E. assert (Lt : length t = 1%nat) by (subst t; rewrite skipn_length; lia).
  destruct t as [|i [|j t]]; simpl in Lt; try lia. rewrite <- (firstn_skipn (length (variables ++ sizes d)) c), <- E, app_nth2; rewrite firstn_length, Nat.min_l by lia; [|lia].
  now rewrite Nat.sub_diag.
Qed.

(* Sets of variables X, and Y of copies. *)
Definition copies (Y : list nat) := map (Nat.add count) Y.
Definition of_cells V := forall i, In i V -> (i < count)%nat.
Lemma alike_twins X Y e f e' f' : of_cells X -> In e (cells d) -> In e' (cells d) ->
  alike (X ++ copies Y) (e ++ f) (e' ++ f') = (alike X e e' && alike Y f f')%bool.
Proof.
  intros HX He He'. unfold alike. rewrite forallb_app. pose proof (length_cell e He) as L. pose proof (length_cell e' He') as L'. f_equal.
  - apply eq_true_iff_eq. rewrite !forallb_forall. split; intros A i Hi; specialize (A i Hi); specialize (HX i Hi); rewrite ?app_nth1 in * by lia; exact A.
  - unfold copies. induction Y as [|i Y IH]; [reflexivity|]. cbn [map forallb]. rewrite IH, !app_nth2, L, L' by lia. do 3 f_equal; lia.
Qed.
Definition pair_chance X Y e f := sum (fun e' => sum (fun f' => if alike X e e' && alike Y f f' then twin e' f' else 0) (cells d)) (cells d).
Lemma entropy_of_twins X Y : of_cells X ->
  mean_log twins (X ++ copies Y) = sum (fun e => sum (fun f => twin e f * - ln (pair_chance X Y e f)) (cells d)) (cells d).
Proof.
  intros HX. unfold mean_log. rewrite sum_over_twins. apply sum_ext; intros e He. apply sum_ext; intros f Hf. rewrite weight_of_twins by assumption.
  do 3 f_equal. unfold chance. rewrite sum_filter, sum_over_twins. apply sum_ext; intros e' He'. apply sum_ext; intros f' Hf'.
  now rewrite alike_twins, weight_of_twins by assumption.
Qed.
Lemma mean_of_first g : sum (fun e => sum (fun f => twin e f * g e) (cells d)) (cells d) = sum (fun e => weight d e * g e) (cells d).
Proof.
  apply sum_ext; intros e He. rewrite (sum_ext _ (fun f => g e * twin e f)), sum_scale, total_twin by (auto; intros; ring). ring.
Qed.
Lemma mean_of_second g : sum (fun e => sum (fun f => twin e f * g f) (cells d)) (cells d) = sum (fun f => weight d f * g f) (cells d).
Proof.
  rewrite sum_swap, <- mean_of_first. apply sum_ext; intros f _. apply sum_ext; intros e _. now rewrite twin_sym.
Qed.
(* What the cells or the copies say alone has its old probability. *)
Theorem entropy_of_first X : of_cells X -> mean_log twins X = mean_log d X.
Proof.
  intros HX. rewrite <- (app_nil_r X) at 1. change (@nil nat) with (copies []). rewrite entropy_of_twins by exact HX. unfold mean_log. rewrite <- mean_of_first.
  apply sum_ext; intros e He. apply sum_ext; intros f Hf. do 3 f_equal. unfold pair_chance, chance. rewrite sum_filter. apply sum_ext; intros e' He'.
  destruct (alike X e e') eqn:A; simpl; [now apply total_twin|apply sum_0].
Qed.
(* So has what copies say together with variables in K, which the two have in common. *)
Theorem entropy_of_second Y L : incl L K -> of_cells K -> mean_log twins (L ++ copies Y) = mean_log d (Y ++ L).
Proof.
  intros LK HK. rewrite entropy_of_twins by (intros i Hi; auto). unfold mean_log. rewrite <- mean_of_second.
  apply sum_ext; intros e He. apply sum_ext; intros f Hf. destruct (alike K e f) eqn:A; [|unfold twin; rewrite A; ring]. do 3 f_equal.
  unfold pair_chance, chance. rewrite sum_swap, sum_filter. apply sum_ext; intros f' Hf'. rewrite <- (total_twin f' Hf').
  assert (E : forall e', (alike L e e' && alike Y f f' && alike K e' f')%bool = (alike (Y ++ L) f f' && alike K e' f')%bool).
  { intros e'. unfold alike at 4. rewrite forallb_app. fold (alike Y f f') (alike L f f'). destruct (alike K e' f') eqn:A'; [|now rewrite !andb_false_r].
    rewrite (alike_trans L e f e' (alike_less L K e f LK A)), (alike_sym L f e'), (alike_trans L e' f' f (alike_less L K e' f' LK A')), (alike_sym L f' f).
    now rewrite !andb_true_r, andb_comm. }
  transitivity (sum (fun e' => if (alike (Y ++ L) f f' && alike K e' f')%bool then twin e' f' else 0) (cells d)).
  - apply sum_ext; intros e' _. rewrite <- E. destruct (alike K e' f') eqn:A'; [now rewrite andb_true_r|]. unfold twin. rewrite A'. now destruct (_ && _)%bool, (_ && _)%bool.
  - destruct (alike (Y ++ L) f f') eqn:B; simpl; [|apply sum_0]. apply sum_ext; intros e' _. rewrite (twin_sym f' e'). unfold twin. now destruct (alike K e' f').
Qed.
(* Given K, the cells and the copies are independent. *)
Theorem entropy_of_both X Y : of_cells (X ++ K) -> mean_log twins ((X ++ K) ++ copies Y) = mean_log d (X ++ K) + mean_log d (Y ++ K) - mean_log d K.
Proof.
  intros HX. rewrite entropy_of_twins by exact HX. unfold mean_log. rewrite <- (mean_of_first (fun e => - ln (chance d (X ++ K) e))), <- (mean_of_second (fun f => - ln (chance d (Y ++ K) f))),
    <- (mean_of_first (fun e => - ln (chance d K e))), <- sum_plus, <- sum_minus.
  apply sum_ext; intros e He. rewrite <- sum_plus, <- sum_minus. apply sum_ext; intros f Hf.
  destruct (alike K e f) eqn:A; [|unfold twin; rewrite A; ring].
  assert (Z : 0 < twin e f \/ twin e f = 0) by (pose proof (twin_ge0 e f); lra). destruct Z as [P|Z]; [|rewrite Z; ring].
  assert (We : 0 < weight d e /\ 0 < weight d f).
  { pose proof (weight_ge0 d e). pose proof (weight_ge0 d f). unfold twin in P. rewrite A in P. split; apply Rnot_le_lt; intros N.
    - replace (weight d e) with 0 in P by lra. unfold Rdiv in P. rewrite !Rmult_0_l in P. lra.
    - replace (weight d f) with 0 in P by lra. unfold Rdiv in P. rewrite Rmult_0_r, Rmult_0_l in P. lra. }
  destruct We as [Pe Pf].
  assert (Q : pair_chance (X ++ K) Y e f = chance d (X ++ K) e * chance d (Y ++ K) f / chance d K e).
  { unfold pair_chance. transitivity (sum (fun e' => sum (fun f' => / chance d K e * ((if alike (X ++ K) e e' then weight d e' else 0) * (if alike (Y ++ K) f f' then weight d f' else 0))) (cells d)) (cells d)).
    - apply sum_ext; intros e' _. apply sum_ext; intros f' _. unfold alike at 1 3 4. rewrite !forallb_app. fold (alike X e e') (alike K e e') (alike Y f f') (alike K f f').
      unfold twin. destruct (alike K e e') eqn:B; [|rewrite !andb_false_r; simpl; ring].
      rewrite <- (alike_trans K e e' f' B), <- (alike_trans K e f f' A), (chance_alike d K e e' B).
      destruct (alike X e e'), (alike Y f f'), (alike K e f'); simpl; unfold Rdiv; ring.
    - unfold chance at 2 3. rewrite !sum_filter. unfold Rdiv. rewrite (Rmult_comm (_ * _)), (Rmult_comm (sum _ _)), <- sum_scale, <- sum_scale. apply sum_ext; intros e' _.
      rewrite !sum_scale. ring. }
  rewrite Q. pose proof (chance_weight d (X ++ K) e He). pose proof (chance_weight d K e He). pose proof (chance_weight d (Y ++ K) f Hf).
  unfold Rdiv. rewrite !ln_mult, ln_Rinv by (try apply Rmult_lt_0_compat; try apply Rinv_0_lt_compat; lra). ring.
Qed.
End Copy.

Section Inequality.
Variables (d : dist) (A B C D : list nat).
Hypotheses (A_variables : of_cells d A) (B_variables : of_cells d B) (C_variables : of_cells d C) (D_variables : of_cells d D).
Notation K := (C ++ D).
Notation h := (mean_log d).
(* I(V; W | U) of sets of variables, as a sum of entropies. *)
Definition information V W U := h (V ++ U) + h (W ++ U) - h (V ++ W ++ U) - h U.
(* The copy is of A, with C and D kept; its entropies are those of the twins. *)
Notation t := (mean_log (twins d K)).
Notation Z := (copies d A).
Lemma kept V W : of_cells d V -> of_cells d W -> of_cells d (V ++ W).
Proof. intros HV HW i Hi. apply in_app_iff in Hi as [Hi|Hi]; auto. Qed.
Ltac sets := intros i; rewrite ?in_app_iff; cbn [In]; tauto.
Ltac kept := repeat apply kept; assumption.
(* Shannon's inequalities of the twins, for the copy Z, and sets of variables. *)
Lemma shannon V W U : 0 <= t (V ++ U) + t (W ++ U) - t (V ++ W ++ U) - t U.
Proof. apply information_ge0; sets. Qed.
Lemma same V W : (forall i, In i V <-> In i W) -> t V = t W.
Proof. apply mean_log_same. Qed.
Theorem zhang_yeung : 2 * information C D [] <= information A B [] + information A (C ++ D) [] + 3 * information C D A + information C D B.
Proof.
  unfold information.
  pose proof (shannon A B Z) as I1. pose proof (shannon A Z C) as I2. pose proof (shannon A Z D) as I3. pose proof (shannon B Z C) as I4. pose proof (shannon B Z D) as I5.
  pose proof (shannon C D (A ++ Z)) as I6. pose proof (shannon C D (B ++ Z)) as I7. pose proof (shannon (C ++ D) Z (A ++ B)) as I8.
  (* Entropies that have no copy, those of the copy with variables that are kept, and those that have both. *)
  assert (First : forall V W, of_cells d W -> (forall i, In i V <-> In i W) -> t V = h W) by (intros V W HW E; rewrite (same V W E); now apply entropy_of_first).
  assert (Second : forall V L, incl L K -> (forall i, In i V <-> In i (L ++ Z)) -> t V = h (A ++ L)).
  { intros V L HL E. rewrite (same V _ E). apply entropy_of_second; [exact HL|kept]. }
  assert (Both : forall V W, of_cells d W -> (forall i, In i V <-> In i ((W ++ K) ++ Z)) -> t V = h (W ++ K) + h (A ++ K) - h K).
  { intros V W HW E. rewrite (same V _ E). apply entropy_of_both; kept. }
  rewrite (Second Z []) in I1 by sets. rewrite (same (A ++ Z ++ C) (C ++ A ++ Z)), (First (A ++ C) (A ++ C)), (Second (Z ++ C) C), (First C C) in I2 by (kept || sets).
  rewrite (same (A ++ Z ++ D) (D ++ A ++ Z)), (First (A ++ D) (A ++ D)), (Second (Z ++ D) D), (First D D) in I3 by (kept || sets).
  rewrite (same (B ++ Z ++ C) (C ++ B ++ Z)), (First (B ++ C) (B ++ C)), (Second (Z ++ C) C), (First C C) in I4 by (kept || sets).
  rewrite (same (B ++ Z ++ D) (D ++ B ++ Z)), (First (B ++ D) (B ++ D)), (Second (Z ++ D) D), (First D D) in I5 by (kept || sets).
  rewrite (Both (C ++ D ++ A ++ Z) A) in I6 by (kept || sets). rewrite (Both (C ++ D ++ B ++ Z) B) in I7 by (kept || sets).
  rewrite (First (K ++ A ++ B) ((A ++ B) ++ K)), (same (Z ++ A ++ B) (A ++ B ++ Z)), (Both (K ++ Z ++ A ++ B) (A ++ B)), (First (A ++ B) (A ++ B)) in I8 by (kept || sets).
  rewrite !app_nil_r, entropy_of_none in *.
  assert (E : forall V W, (forall i, In i V <-> In i W) -> h V = h W) by (intros; now apply mean_log_same).
  rewrite (E (D ++ A) (A ++ D)), (E (C ++ A) (A ++ C)), (E (C ++ B) (B ++ C)), (E (D ++ B) (B ++ D)), (E (C ++ D ++ A) (A ++ K)), (E (C ++ D ++ B) (B ++ K)) by sets.
  lra.
Qed.
End Inequality.
