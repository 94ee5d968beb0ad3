(* The facts about entropies that a proof may use: Shannon's inequalities, and that of Zhang and Yeung. *)
From Coq Require Import Reals ZArith PArith NArith List Bool Lra Lia.
From FS Require Import Cases Sums Maxima Distributions EverySize Entropies ZhangYeung.
Import ListNotations.
Open Scope R_scope.

(* I(a; b | c) of sets of variables as numbers. *)
Definition i_ n (a b c : N) := Minus (Plus (h_ n (N.lor a c)) (h_ n (N.lor b c))) (Plus (h_ n (N.lor (N.lor a b) c)) (h_ n c)).
Inductive about_entropies := Information (a b c : N) | FourSets (a b c d : N).
Definition said_entropy n f := match f with
  | Information a b c => Le (C 0) (i_ n a b c)
  | FourSets a b c d =>
    Le (Scale 2 (i_ n c d 0)) (Plus (i_ n a b 0) (Plus (i_ n a (N.lor c d) 0) (Plus (Scale 3 (i_ n c d a)) (i_ n c d b))))
  end.
Definition in_joint n f := match f with
  | Information a b c => joint n a && joint n b && joint n c
  | FourSets a b c d => joint n a && joint n b && joint n c && joint n d
  end.

Section Facts.
Variables (d : dist) (n : nat) (rho : Pos.t -> R).
Hypotheses (has_n : length (sizes d) = n) (rho_entropy : forall m, joint n m = true -> val rho (var (2 ^ N.of_nat n + m)) = mean_log d (variables d n m)).
Lemma joint_lor a b : joint n a = true -> joint n b = true -> joint n (N.lor a b) = true.
Proof.
  assert (E : forall m, joint n m = small (S n) m) by (intros m; unfold joint, small; now rewrite Nat2N.inj_succ, N.pow_succ_r').
  rewrite !E. apply small_lor.
Qed.
Lemma in_lor a b i : In i (variables d n (N.lor a b)) <-> In i (variables d n a) \/ In i (variables d n b).
Proof. rewrite !(in_variables d n has_n), N.lor_spec, orb_true_iff. tauto. Qed.
Ltac sets := intros i; rewrite ?in_app_iff, ?in_lor; tauto.
Lemma at_information a b c : joint n a = true -> joint n b = true -> joint n c = true ->
  val rho (i_ n a b c) = information d (variables d n a) (variables d n b) (variables d n c).
Proof.
  intros Ja Jb Jc. unfold i_, information. cbn [val]. rewrite !(at_entropy d n rho rho_entropy) by auto using joint_lor.
  assert (L : forall m V, (forall i, In i (variables d n m) <-> In i V) -> mean_log d (variables d n m) = mean_log d V) by (intros; now apply mean_log_same).
  rewrite (L (N.lor a c) (variables d n a ++ variables d n c)), (L (N.lor b c) (variables d n b ++ variables d n c)),
    (L (N.lor (N.lor a b) c) (variables d n a ++ variables d n b ++ variables d n c)) by sets.
  ring.
Qed.
Lemma joint_0 : joint n 0 = true.
Proof. apply N.ltb_lt. assert (0 < 2 ^ N.of_nat n)%N by (apply N.neq_0_lt_0, N.pow_nonzero; lia). lia. Qed.
Lemma variables_0 : variables d n 0 = [].
Proof. apply incl_l_nil. intros i Hi. apply (in_variables d n has_n) in Hi as [_ B]. now rewrite N.bits_0 in B. Qed.
Lemma of_variables m : of_cells d (variables d n m).
Proof. intros i Hi. apply (in_variables d n has_n) in Hi as [L _]. unfold count. rewrite app_length, has_n. simpl. lia. Qed.
Theorem entropies_true facts : forallb (in_joint n) facts = true -> sat rho (And (map (said_entropy n) facts)).
Proof.
  intros Q. rewrite forallb_forall in Q. apply sat_and; intros g Hg; apply in_map_iff in Hg as (f & <- & Hf). specialize (Q f Hf).
  destruct f as [a b c|a b c e]; cbn [said_entropy sat in_joint val] in *; rewrite !andb_true_iff in Q.
  - destruct Q as ((Ja & Jb) & Jc). rewrite at_information by assumption. unfold information.
    pose proof (information_ge0 d (variables d n a ++ variables d n c) (variables d n b ++ variables d n c) (variables d n a ++ variables d n b ++ variables d n c) (variables d n c)) as I.
    apply I; sets.
  - destruct Q as (((Ja & Jb) & Jc) & Je). rewrite !at_information by auto using joint_lor, joint_0. rewrite variables_0.
    pose proof (zhang_yeung d (variables d n a) (variables d n b) (variables d n c) (variables d n e)) as Z.
    replace (information d (variables d n a) (variables d n (N.lor c e)) []) with (information d (variables d n a) (variables d n c ++ variables d n e) []).
    + specialize (Z (of_variables a) (of_variables b) (of_variables c) (of_variables e)). lra.
    + unfold information. do 2 f_equal; [f_equal|]; apply mean_log_same; sets.
Qed.
End Facts.
