(* Markov blankets and boundaries of the class, which exported statements name. *)
From Coq Require Import Reals List Bool.
From FS Require Import Distributions Notions Minimal.
Import ListNotations.

(* The class is independent of the other features given S; and of no proper part of S. *)
Definition markov_blanket d n S := conditionally_independent d [class d] (filter (fun i => negb (mem S i)) (seq 0 n)) S.
Definition markov_boundary d n S := markov_blanket d n S /\ ~ any_of (map (markov_blanket d n) (proper S)).
Theorem markov_boundary_means d n S : markov_boundary d n S <->
  markov_blanket d n S /\ forall T, In T (proper S) -> ~ markov_blanket d n T.
Proof.
  unfold markov_boundary. rewrite any_of_one. split; intros [B H]; (split; [exact B|]).
  - intros T I K. apply H. exists (markov_blanket d n T). split; [now apply in_map|exact K].
  - intros (P & I & K). apply in_map_iff in I. destruct I as (T & <- & I). exact (H T I K).
Qed.
Ltac boundaries := cbv [markov_boundary markov_blanket any_of proper choices flat_map map app seq length Nat.eqb filter mem existsb negb orb].
