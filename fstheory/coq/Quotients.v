(* Comparisons with quotients. A proof reads each of them as comparisons in which its divisors are multiplied out. *)
From Coq Require Import Reals List Lra Classical.
From FS Require Import Sums Distributions.
Import ListNotations.
Open Scope R_scope.

(* In claims, 0 / 0 is 0. In Coq, every quotient by 0 is 0. *)
Lemma quotient_by_0 x b : b = 0 -> x / b = 0.
Proof. intros ->. unfold Rdiv. rewrite Rinv_0. ring. Qed.

(* A term times t, where t is the divisor b or -b. *)
Lemma quotient_times x b : b <> 0 -> x / b * b = x.
Proof. intros N. now field. Qed.
Lemma quotient_times_minus x b : b <> 0 -> x / b * (-1 * b) = -1 * x.
Proof. intros N. now field. Qed.
Lemma divisor_times x y t : t <> 0 -> x / y * t = x * t * t / (y * t).
Proof.
  intros N. destruct (Req_dec y 0) as [->|Y]; [|now field]. rewrite Rmult_0_l, !quotient_by_0 by reflexivity. ring.
Qed.
Lemma dividend_times x y t : x / y * t = x * t / y.
Proof. unfold Rdiv. ring. Qed.
Lemma factor_times a c t : a * c * t = a * t * c.
Proof. ring. Qed.
Lemma difference_times a c t : (a - c) * t = a * t - c * t.
Proof. ring. Qed.
Lemma maximum_times l t : 0 < t -> maximum l * t = maximum (map (fun a => a * t) l).
Proof.
  intros P. induction l as [|a [|c l] IH]; [simpl; ring|reflexivity|].
  rewrite maximum_cons. cbn [map] in *. rewrite maximum_cons, <- IH. symmetry. rewrite !(Rmult_comm _ t). apply RmaxRmult. lra.
Qed.
Lemma minimum_times l t : 0 < t -> minimum l * t = minimum (map (fun a => a * t) l).
Proof.
  intros P. unfold minimum. rewrite Rmult_assoc, maximum_times by exact P. rewrite !map_map. do 2 f_equal. apply map_ext. intros a. ring.
Qed.

(* A comparison times t. *)
Lemma minus_above_0 b : b < 0 -> 0 < -1 * b.
Proof. lra. Qed.
Lemma times_lt l r t l' r' : 0 < t -> l * t = l' -> r * t = r' -> l < r -> l' < r'.
Proof. intros P <- <-. now apply Rmult_lt_compat_r. Qed.
Lemma times_le l r t l' r' : 0 < t -> l * t = l' -> r * t = r' -> l <= r -> l' <= r'.
Proof. intros P <- <-. apply Rmult_le_compat_r. lra. Qed.
Lemma times_eq l r t l' r' : 0 < t -> l * t = l' -> r * t = r' -> l = r -> l' = r'.
Proof. now intros P <- <- ->. Qed.

(* A term times t, in which quotients by b are gone: the parts that have them are multiplied. *)
Ltac times_out term b t :=
  lazymatch term with
  | context [_ / b] =>
    lazymatch term with
    | ?x / b => lazymatch t with b => x | _ => constr:(-1 * x) end
    | ?x + ?y => let x := times_out x b t in let y := times_out y b t in constr:(x + y)
    | ?x - ?y => let x := times_out x b t in let y := times_out y b t in constr:(x - y)
    | maximum ?l => let l := all_times_out l b t in constr:(maximum l)
    | minimum ?l => let l := all_times_out l b t in constr:(minimum l)
    | ?x * ?y => lazymatch x with
      | context [_ / b] => let x := times_out x b t in constr:(x * y)
      | _ => let y := times_out y b t in constr:(x * y) end
    | ?x / ?y => lazymatch x with
      | context [_ / b] => let x := times_out x b t in constr:(x / y)
      | _ => let y := times_out y b t in constr:(x * t * t / y) end
    end
  | _ => constr:(term * t)
  end
with all_times_out l b t :=
  lazymatch l with
  | ?x :: ?l => let x := times_out x b t in let l := all_times_out l b t in constr:(x :: l)
  | _ => l
  end.
(* That it is this term. N says that b is not 0, and P that t is above 0. *)
Ltac by_parts b N P :=
  lazymatch goal with
  | |- ?x = ?x => reflexivity
  | |- ?x / b * b = _ => exact (quotient_times x b N)
  | |- ?x / b * _ = _ => exact (quotient_times_minus x b N)
  | |- (?x + ?y) * ?t = _ => rewrite (Rmult_plus_distr_r x y t); apply f_equal2; by_parts b N P
  | |- (?x - ?y) * ?t = _ => rewrite (difference_times x y t); apply f_equal2; by_parts b N P
  | |- maximum ?l * ?t = _ => rewrite (maximum_times l t P); cbn [map]; by_parts b N P
  | |- minimum ?l * ?t = _ => rewrite (minimum_times l t P); cbn [map]; by_parts b N P
  | |- maximum _ = _ => f_equal; by_parts b N P
  | |- minimum _ = _ => f_equal; by_parts b N P
  | |- _ :: _ = _ => apply f_equal2; by_parts b N P
  | |- ?x * ?y * ?t = ?x * _ => rewrite Rmult_assoc; apply f_equal; by_parts b N P
  | |- ?x * ?y * ?t = _ => rewrite (factor_times x y t); apply f_equal2; [by_parts b N P|reflexivity]
  | |- ?x / ?y * ?t = ?x * ?t * ?t / _ => rewrite (divisor_times x y t (Rgt_not_eq _ _ P)); apply f_equal2; [reflexivity|by_parts b N P]
  | |- ?x / ?y * ?t = _ => rewrite (dividend_times x y t); apply f_equal2; [by_parts b N P|reflexivity]
  end.

(* Formulas without "not", "implies" and "iff". *)
Lemma equal_or_not (l r : R) : l <> r -> l < r \/ r < l.
Proof. exact (Rdichotomy l r). Qed.
Lemma both_or_neither A B : (A <-> B) -> (A /\ B) \/ (~ A /\ ~ B).
Proof. destruct (classic A); tauto. Qed.
Lemma one_of_two A B : ~ (A <-> B) -> (A /\ ~ B) \/ (~ A /\ B).
Proof. destruct (classic A), (classic B); tauto. Qed.

Lemma probability_ge0 d s y : 0 <= probability d s y.
Proof. apply sum_ge0. intros x _. destruct y; [apply nonneg|apply sum_ge0; intros; apply nonneg]. Qed.

(* Prove from a formula H what a proof reads in its place, where the parts of formulas and of sums may have other places.
   For a comparison with quotients by b, this is a disjunction of the cases b > 0, b < 0 and b = 0. A probability has no
   second case. *)
Ltac undivided H :=
  let A := fresh "A" in let B := fresh "B" in
  lazymatch type of H with
  | _ /\ _ => destruct H as [A B]; split; first [undivided A|undivided B]
  | _ \/ _ => destruct H as [A|A]; first [left; undivided A|right; undivided A]
  | _ <-> _ => apply both_or_neither in H; undivided H
  | ~ (_ < _) => apply Rnot_lt_le in H; undivided H
  | ~ (_ <= _) => apply Rnot_le_lt in H; undivided H
  | ~ (_ = _) => apply equal_or_not in H; undivided H
  | ~ (_ /\ _) => apply not_and_or in H; undivided H
  | ~ (_ \/ _) => apply not_or_and in H; undivided H
  | ~ (_ <-> _) => apply one_of_two in H; undivided H
  | ~ ~ _ => apply NNPP in H; undivided H
  | ~ (_ -> _) => apply imply_to_and in H; undivided H
  | ~ True => destruct (H I)
  | ~ False => exact I
  | False => destruct H
  | True => exact I
  | _ -> _ => apply imply_to_or in H; undivided H
  | _ => lazymatch goal with
    | |- (0 < ?b /\ _) \/ (?b < 0 /\ _) \/ (?b = 0 /\ _) =>
      destruct (Rtotal_order 0 b) as [A|[A|A]];
      [left; split; [exact A|]; multiplied H b b (Rgt_not_eq _ _ A) A
      |right; right; split; [exact (eq_sym A)|]; rewrite ?(fun x => quotient_by_0 x b (eq_sym A)) in H; left; undivided H
      |right; left; split; [exact A|]; multiplied H b (-1 * b) (Rlt_not_eq _ _ A) (minus_above_0 b A)]
    | |- (0 < ?b /\ _) \/ (?b = 0 /\ _) =>
      destruct (Rle_lt_or_eq_dec 0 b (probability_ge0 _ _ _)) as [A|A];
      [left; split; [exact A|]; multiplied H b b (Rgt_not_eq _ _ A) A
      |right; split; [exact (eq_sym A)|]; rewrite ?(fun x => quotient_by_0 x b (eq_sym A)) in H; undivided H]
    | |- ?F => let said := type of H in tryif constr_eq said F then exact H else
      (revert H; clear; unfold minimum; cbn [map maximum]; unfold Rmax; repeat destruct (Rle_dec _ _); lra)
    end
  end
with multiplied H b t N P :=
  let B := fresh "B" in
  lazymatch type of H with
  | ?l < ?r => let x := times_out l b t in let y := times_out r b t in
    assert (B : x < y) by (apply (times_lt l r t x y P); [by_parts b N P|by_parts b N P|exact H])
  | ?l <= ?r => let x := times_out l b t in let y := times_out r b t in
    assert (B : x <= y) by (apply (times_le l r t x y P); [by_parts b N P|by_parts b N P|exact H])
  | ?l = ?r => let x := times_out l b t in let y := times_out r b t in
    assert (B : x = y) by (apply (times_eq l r t x y P); [by_parts b N P|by_parts b N P|exact H])
  end; undivided B.

(* Prove a claim from X, which states the same without quotients: what is read in the place of its premises contradicts
   what is read in the place of its negation. *)
Ltac without_quotients X :=
  let A := fresh "A" in let B := fresh "B" in
  lazymatch type of X with
  | ~ _ => apply NNPP; intros A; apply X; undivided A
  | ~ _ /\ _ => destruct X as [A B]; split; [without_quotients A|without_quotients B]
  | ?P -> _ => intros A; assert (B : P) by undivided A; specialize (X B); without_quotients X
  end.
