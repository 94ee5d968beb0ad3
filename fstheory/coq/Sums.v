(* Finite sums and maxima of real numbers, over lists. *)
From Coq Require Import Reals ZArith List Bool Lra Lia Classical.
Import ListNotations.
Open Scope R_scope.

Fixpoint sum {A} (f : A -> R) (l : list A) : R := match l with [] => 0 | a :: t => f a + sum f t end.
Fixpoint maximum (l : list R) : R := match l with [] => 0 | [a] => a | a :: t => Rmax a (maximum t) end.
(* Written so that a minimum of linear terms is a linear term of a maximum; [minimum_two] says what it is. *)
Definition minimum (l : list R) : R := -1 * maximum (map (fun a => -1 * a) l).

Section Sums.
Context {A : Type}.
Lemma sum_le (f g : A -> R) l : (forall a, In a l -> f a <= g a) -> sum f l <= sum g l.
Proof. induction l as [|a t IH]; simpl; intros H; [lra|]. assert (f a <= g a) by auto. assert (sum f t <= sum g t) by auto. lra. Qed.
Lemma sum_lt (f g : A -> R) l : (forall a, In a l -> f a <= g a) -> (exists a, In a l /\ f a < g a) -> sum f l < sum g l.
Proof.
  induction l as [|a t IH]; simpl; intros H (b & Hb & L); [destruct Hb|].
  assert (f a <= g a) by auto. assert (sum f t <= sum g t) by (apply sum_le; auto).
  destruct Hb as [->|Hb]; [lra|]. assert (sum f t < sum g t) by (apply IH; eauto). lra.
Qed.
Lemma sum_0 l : sum (fun _ : A => 0) l = 0.
Proof. induction l; simpl; lra. Qed.
Lemma sum_ge0 (f : A -> R) l : (forall a, In a l -> 0 <= f a) -> 0 <= sum f l.
Proof. intros H; rewrite <- (sum_0 l); now apply sum_le. Qed.
Lemma sum_pos (f : A -> R) l : 0 < sum f l -> exists a, In a l /\ 0 < f a.
Proof.
  intros H; apply NNPP; intros N. assert (sum f l <= sum (fun _ => 0) l); [|rewrite sum_0 in *; lra].
  apply sum_le; intros a Ha. destruct (Rle_or_lt (f a) 0); [auto|exfalso; eauto].
Qed.
Lemma sum_ext (f g : A -> R) l : (forall a, In a l -> f a = g a) -> sum f l = sum g l.
Proof. induction l as [|a t IH]; simpl; intros H; [reflexivity|]. rewrite (H a), IH; auto. Qed.
Lemma sum_plus (f g : A -> R) l : sum (fun a => f a + g a) l = sum f l + sum g l.
Proof. induction l; simpl; lra. Qed.
Lemma sum_minus (f g : A -> R) l : sum (fun a => f a - g a) l = sum f l - sum g l.
Proof. induction l; simpl; lra. Qed.
Lemma sum_scale c (f : A -> R) l : sum (fun a => c * f a) l = c * sum f l.
Proof. induction l; simpl; lra. Qed.
Lemma sum_app (f : A -> R) l m : sum f (l ++ m) = sum f l + sum f m.
Proof. induction l; simpl; lra. Qed.
Lemma sum_const c (l : list A) : sum (fun _ => c) l = c * INR (length l).
Proof. induction l as [|a t IH]; [simpl; lra|]. cbn [sum length]. rewrite S_INR, IH. lra. Qed.
Lemma sum_term (f : A -> R) l a : (forall b, In b l -> 0 <= f b) -> In a l -> f a <= sum f l.
Proof.
  induction l as [|b t IH]; simpl; intros H Ha; [destruct Ha|]. assert (0 <= sum f t) by (apply sum_ge0; auto).
  assert (0 <= f b) by auto. destruct Ha as [->|Ha]; [lra|]. assert (f a <= sum f t) by auto. lra.
Qed.
Lemma sum_zero (f : A -> R) l : (forall a, In a l -> 0 <= f a) -> sum f l = 0 -> forall a, In a l -> f a = 0.
Proof. intros H Z a Ha. pose proof (sum_term f l a H Ha). assert (0 <= f a) by auto. lra. Qed.
Lemma sum_filter (f : A -> R) (b : A -> bool) l : sum f (filter b l) = sum (fun a => if b a then f a else 0) l.
Proof. induction l as [|a t IH]; simpl; [reflexivity|]. destruct (b a); simpl; lra. Qed.
End Sums.

Lemma sum_map {A B} (g : A -> B) f l : sum f (map g l) = sum (fun a => f (g a)) l.
Proof. induction l; simpl; congruence. Qed.
Lemma sum_flat_map {A B} (g : A -> list B) f l : sum f (flat_map g l) = sum (fun a => sum f (g a)) l.
Proof. induction l as [|a t IH]; simpl; [reflexivity|]. rewrite sum_app; congruence. Qed.
Lemma sum_swap {A B} (f : A -> B -> R) l m : sum (fun a => sum (f a) m) l = sum (fun b => sum (fun a => f a b) l) m.
Proof. induction l as [|a t IH]; simpl; [now rewrite sum_0|]. now rewrite sum_plus, IH. Qed.

(* One element of a list without repetitions counts once. *)
Lemma sum_one {A} (same : A -> A -> bool) (same_ok : forall a b, same a b = true <-> a = b) (c : R) a l :
  NoDup l -> In a l -> sum (fun b => if same a b then c else 0) l = c.
Proof.
  induction l as [|b t IH]; intros N Ha; [destruct Ha|]. inversion_clear N as [|? ? Nb Nt]. cbn [sum].
  destruct Ha as [->|Ha].
  - rewrite (proj2 (same_ok a a) eq_refl). rewrite (sum_ext _ (fun _ => 0)); [rewrite sum_0; lra|].
    intros x Hx. destruct (same a x) eqn:E; [apply same_ok in E; congruence|reflexivity].
  - destruct (same a b) eqn:E; [apply same_ok in E; congruence|]. rewrite IH; auto; lra.
Qed.
(* A sum is a sum of sums over the parts that a function tells apart. *)
Lemma sum_parts {A B} (same : B -> B -> bool) (same_ok : forall a b, same a b = true <-> a = b) (h : A -> B) f l parts :
  NoDup parts -> (forall a, In a l -> In (h a) parts) ->
  sum f l = sum (fun b => sum f (filter (fun a => same (h a) b) l)) parts.
Proof.
  intros N H. rewrite (sum_ext _ (fun b => sum (fun a => if same (h a) b then f a else 0) l)) by (intros; apply sum_filter).
  rewrite sum_swap. apply sum_ext; intros a Ha. symmetry. apply sum_one; auto.
Qed.

Lemma maximum_cons a b t : maximum (a :: b :: t) = Rmax a (maximum (b :: t)).
Proof. reflexivity. Qed.
Lemma maximum_ge l a : In a l -> a <= maximum l.
Proof.
  induction l as [|b [|c t] IH]; intros Ha; [destruct Ha|destruct Ha as [<-|[]]; simpl; lra|].
  rewrite maximum_cons. destruct Ha as [<-|Ha]; [apply Rmax_l|]. eapply Rle_trans; [apply IH, Ha|apply Rmax_r].
Qed.
Lemma maximum_in l : l <> [] -> In (maximum l) l.
Proof.
  induction l as [|b [|c t] IH]; intros N; [congruence|left; reflexivity|]. rewrite maximum_cons.
  unfold Rmax; destruct (Rle_dec b (maximum (c :: t))); [right; apply IH; discriminate|left; auto].
Qed.
Lemma minimum_two a b : minimum [a; b] = Rmin a b.
Proof. unfold minimum, Rmin; simpl; unfold Rmax. destruct (Rle_dec (-1 * a) (-1 * b)), (Rle_dec a b); lra. Qed.
