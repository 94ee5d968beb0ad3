(* The notions that exported statements name. Variable i is feature i; the class is the variable after the features. *)
From Coq Require Import Reals NArith List Bool Lra Lia.
From FS Require Import Sums Distributions EverySize Entropies Bridge.
Import ListNotations.
Open Scope R_scope.

(* H(A, B) is [entropy d (A ++ B)]; here are H(A | C), I(A; B | C), and that A and B are independent given C. *)
Definition class d : nat := features d.
Definition conditional_entropy d (A C : list nat) := entropy d (A ++ C) - entropy d C.
Definition mutual_information d (A B C : list nat) := entropy d (A ++ C) + entropy d (B ++ C) - entropy d (A ++ B ++ C) - entropy d C.
Definition conditionally_independent d A B C := mutual_information d A B C = 0.

(* This is independence: wherever it is possible, P(a, b, c) P(c) = P(a, c) P(b, c). *)
Theorem independence d A B C : conditionally_independent d A B C <->
  forall c, In c (cells d) -> 0 < weight d c -> chance d (A ++ B ++ C) c * chance d C c = chance d (A ++ C) c * chance d (B ++ C) c.
Proof.
  unfold conditionally_independent, mutual_information, entropy. split.
  - intros Z c Hc W. symmetry. apply information_zero; auto; try (intros i Hi; rewrite !in_app_iff in *; tauto). lra.
  - intros F. unfold mean_log. rewrite <- sum_plus, <- !sum_minus. rewrite (sum_ext _ (fun _ => 0)); [apply sum_0|]. intros c Hc.
    destruct (Rle_lt_or_eq_dec 0 _ (weight_ge0 d c)) as [W|W]; [|rewrite <- W; ring].
    assert (P : forall V, 0 < chance d V c) by (intros V; pose proof (chance_weight d V c Hc); lra).
    apply F, (f_equal ln) in W; [|exact Hc]. rewrite !ln_mult in W by apply P. replace (ln (chance d (A ++ B ++ C) c))
      with (ln (chance d (A ++ C) c) + ln (chance d (B ++ C) c) - ln (chance d C c)) by lra. ring.
Qed.

(* What the proofs use: a sum of such notions is a sum of entropies of sets whose variables are in order. *)
Definition ordered n V := filter (mem V) (seq 0 (S n)).
Lemma entropy_ordered d n V : forallb (fun i => Nat.leb i n) V = true -> mean_log d V = mean_log d (ordered n V).
Proof.
  intros Q. apply mean_log_same. intros i. unfold ordered, mem. rewrite filter_In, in_seq, existsb_exists. rewrite forallb_forall in Q. split.
  - intros Hi. pose proof (Q i Hi) as L. apply Nat.leb_le in L. split; [lia|]. exists i. split; [exact Hi|apply Nat.eqb_refl].
  - intros (_ & j & Hj & E). apply Nat.eqb_eq in E. now subst j.
Qed.
Ltac notions d n has_n := unfold mutual_information, conditional_entropy, entropy, joint_entropy, class; rewrite ?has_n;
  repeat match goal with |- context [mean_log d ?V] => lazymatch V with ordered _ _ => fail | _ => rewrite (entropy_ordered d n V eq_refl) end end;
  cbv [ordered filter mem existsb seq Nat.eqb orb app]; rewrite ?entropy_of_none; first [ring | field].
