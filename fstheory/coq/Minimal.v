(* Minimal-optimal sets, which exported statements name. *)
From Coq Require Import Reals List Bool.
From FS Require Import Distributions.
Import ListNotations.
Open Scope R_scope.

(* The lists of k elements of a list, and all its proper parts, in its order: the shortest come first. *)
Fixpoint choices (k : nat) (l : list nat) : list (list nat) := match k, l with
  | O, _ => [[]] | S _, [] => [] | S j, a :: rest => map (cons a) (choices j rest) ++ choices k rest end.
Definition proper l := flat_map (fun k => choices k l) (seq 0 (length l)).

(* One statement and another and so on, and one of them. The last one stands alone. *)
Fixpoint all_of (l : list Prop) : Prop := match l with [] => True | [P] => P | P :: rest => P /\ all_of rest end.
Fixpoint any_of (l : list Prop) : Prop := match l with [] => False | [P] => P | P :: rest => P \/ any_of rest end.
Lemma all_of_each l : all_of l <-> forall P, In P l -> P.
Proof.
  induction l as [|P l IH]; [split; [intros _ P []|intros _; exact I]|].
  assert (K : all_of (P :: l) <-> P /\ all_of l) by (destruct l; cbn [all_of]; tauto).
  rewrite K, IH. split.
  - intros [H A] P' [<-|B]; [exact H|exact (A P' B)].
  - intros H. split; [apply H; now left|]. intros P' B. apply H. now right.
Qed.
Lemma any_of_one l : any_of l <-> exists P, In P l /\ P.
Proof.
  induction l as [|P l IH]; [split; [intros []|intros (P & [] & _)]|].
  assert (K : any_of (P :: l) <-> P \/ any_of l) by (destruct l; cbn [any_of]; tauto).
  rewrite K, IH. split.
  - intros [H|(P' & B & H)]; [exists P|exists P']; (split; [|exact H]); [now left|now right].
  - intros (P' & [<-|B] & H); [now left|right; exists P'; now split].
Qed.

(* S has the risk of all n features, and no proper part of it has. If S is all features, the first is true. *)
Definition minimal_optimal d n S := all_of ((if Nat.eqb (length S) n then [] else [bayes_risk d S = bayes_risk d (seq 0 n)]) ++
  map (fun T => ~ bayes_risk d T = bayes_risk d (seq 0 n)) (proper S)).
Theorem minimal_optimal_means d n S : length S <> n -> minimal_optimal d n S <->
  bayes_risk d S = bayes_risk d (seq 0 n) /\ forall T, In T (proper S) -> bayes_risk d T <> bayes_risk d (seq 0 n).
Proof.
  intros N. unfold minimal_optimal. apply Nat.eqb_neq in N. rewrite N, all_of_each. cbn [app]. split.
  - intros H. split; [apply H; now left|]. intros T I. apply H. right. apply in_map_iff. now exists T.
  - intros [E H] P [<-|I]; [exact E|]. apply in_map_iff in I. destruct I as (T & <- & I). now apply H.
Qed.

(* A named set is written out as the equations that it is. *)
Ltac minimal_sets := cbv [minimal_optimal all_of proper choices flat_map map app seq length Nat.eqb].
