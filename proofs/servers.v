(* preemptive: with enough parameter servers every running job of A_online's schedule finds a free one, in every slot (Theorem 2 repaired). *)
From Schedproof Require Import sums levels a_online lists later placed.
From Coq Require Import Arith Permutation.
Open Scope nat_scope.

(* jobs R, each with a server without limit (None) or with n servers of its own to choose from, where n is at least their number *)
Definition assigned (R : list nat) (unlimited : nat -> Prop) (open : nat -> list nat) (server : nat -> option nat) := forall i, In i R ->
  match server i with None => unlimited i | Some s => In s (open i) /\ forall k, In k R -> server k = Some s -> k = i end.
Lemma choose n unlimited open : forall R, NoDup R -> length R <= n -> (forall i, In i R -> unlimited i \/ NoDup (open i) /\ n <= length (open i)) ->
  exists server, assigned R unlimited open server.
Proof.
  intro R. induction R as [|i R IH]; intros N L H; [exists (fun _ => None); intros i []|]. inversion_clear N as [|? ? F N']. simpl in L.
  destruct (IH N' ltac:(lia) (fun k K => H k (or_intror K))) as [server A].
  set (used := flat_map (fun k => match server k with Some s => [s] | None => [] end) R).
  assert (U : length used <= length R) by (unfold used; clear; induction R as [|k R IH]; simpl; auto; rewrite app_length; destruct (server k); simpl; lia).
  assert (G : unlimited i \/ exists s, In s (open i) /\ ~ In s used).
  { destruct (H i (or_introl eq_refl)) as [C|[Nd Ln]]; auto. right.
    destruct (existsb (fun s => if in_dec Nat.eq_dec s used then false else true) (open i)) eqn:X.
    - apply existsb_exists in X. destruct X as (s & I & X). exists s. destruct (in_dec Nat.eq_dec s used); [discriminate | auto].
    - exfalso. assert (incl (open i) used); [|pose proof (NoDup_incl_length Nd H0); lia]. intros s I. destruct (in_dec Nat.eq_dec s used) as [J|J]; auto.
      assert (Y : existsb (fun s => if in_dec Nat.eq_dec s used then false else true) (open i) = true); [|congruence].
      apply existsb_exists. exists s. split; auto. destruct (in_dec Nat.eq_dec s used); tauto. }
  assert (Us : forall k s, In k R -> server k = Some s -> In s used) by (intros k s K E; apply in_flat_map; exists k; rewrite E; simpl; auto).
  assert (Ne : forall k, In k R -> (k =? i) = false) by (intros k K; apply Nat.eqb_neq; intros ->; auto).
  set (pick := fun x k => if k =? i then x else server k).
  assert (B : exists x, match x with None => unlimited i | Some s => In s (open i) /\ ~ In s used end) by (destruct G as [C|(s & C)]; [exists None | exists (Some s)]; auto).
  destruct B as [x B]. exists (pick x). intros k [<-|K]; unfold pick.
  - rewrite Nat.eqb_refl. destruct x as [s|]; auto. destruct B as [B1 B2]. split; auto. intros k [<-|K]; auto. rewrite (Ne k K). intro E. destruct (B2 (Us k s K E)).
  - rewrite (Ne k K). specialize (A k K). destruct (server k) as [s|] eqn:E; auto. destruct A as [A1 A2]. split; auto. intros l [<-|M].
    + rewrite Nat.eqb_refl. intros ->. destruct B as [_ B]. destruct (B (Us k s K E)).
    + rewrite (Ne l M). apply A2. auto. Qed.

Definition runs_in t c := existsb (Nat.eqb t) (ran c).
Definition running (queues : list queue) t := nodup Nat.eq_dec (map owner (filter (runs_in t) (concat queues))).
Definition may_use_cloud jobs i := match nth_error jobs i with Some j => match cloud_delay j with Some _ => true | None => false end | None => false end.
Lemma one_runs t q : NoDup (flat_map ran q) -> length (filter (runs_in t) q) <= 1.
Proof.
  induction q as [|c q IH]; simpl; intro N; [lia|]. assert (N' : NoDup (flat_map ran q)) by (revert N; clear; induction (ran c); simpl; auto; inversion 1; auto).
  specialize (IH N'). destruct (runs_in t c) eqn:E; simpl; auto. enough (filter (runs_in t) q = []) as -> by (simpl; lia).
  apply existsb_exists in E. destruct E as (x & I & X). apply Nat.eqb_eq in X. subst x.
  destruct (filter (runs_in t) q) as [|d l] eqn:Fq; auto. exfalso. assert (D : In d (filter (runs_in t) q)) by (rewrite Fq; simpl; auto).
  apply filter_In in D. destruct D as [D R]. apply existsb_exists in R. destruct R as (x & J & X). apply Nat.eqb_eq in X. subst x.
  destruct (in_split t (ran c) I) as (a & b & Ec). rewrite Ec, <- app_assoc in N. simpl in N. apply NoDup_remove_2 in N. apply N, in_or_app. right. apply in_or_app. right.
  apply in_flat_map. eauto. Qed.
(* the premise: each running job may take the cloud's parameter servers, or as many others as there are edge workers and jobs that may use
   the cloud, together *)
Theorem parameter_servers : forall workers b jobs, ForallOrdPairs (agree workers b) jobs -> (forall j, In j jobs -> usable workers j /\ never_split j) ->
  let queues := a_online residual workers jobs in forall t (clouds : nat -> Prop) (open : nat -> list nat),
  (forall i, In i (running queues t) -> clouds i \/ NoDup (open i) /\ workers + length (filter (may_use_cloud jobs) (seq 0 (length jobs))) <= length (open i)) ->
  exists server, assigned (running queues t) clouds open server.
Proof.
  intros workers b jobs O V queues t clouds open H. destruct (a_online_feasible workers b jobs O V) as [T F]. fold queues in T, F.
  apply (choose _ clouds open _ (NoDup_nodup _ _)) in H; auto.
  set (on := fun w => map owner (filter (runs_in t) (nth w queues []))). set (away := filter (may_use_cloud jobs) (seq 0 (length jobs))).
  apply Nat.le_trans with (length (flat_map on (seq 0 workers) ++ away)).
  - apply NoDup_incl_length; [apply NoDup_nodup|]. intros i I. apply nodup_In, in_map_iff in I. destruct I as (c & <- & I). apply filter_In in I. destruct I as [I R].
    assert (J : In (owner c, of c) (tags 0 jobs)) by (apply (Permutation_in _ T), (in_map tag _ _ I)).
    apply in_concat in I. destruct I as (q & Q & I). destruct (In_nth _ _ [] Q) as (w & _ & E). subst q. destruct (F w c I) as (_ & _ & _ & P). apply in_or_app.
    destruct (Nat.ltb_spec w workers) as [Hw|Hw].
    + left. apply in_flat_map. exists w. split; [apply in_seq; lia|]. apply in_map, filter_In. auto.
    + right. destruct P as (_ & _ & d & Cd & _). assert (K : nth_error jobs (owner c) = Some (of c)).
      { destruct (tags_in _ _ _ _ J) as [_ K]. rewrite Nat.sub_0_r in K. exact K. }
      apply filter_In. split; [apply in_seq; split; [lia|]; simpl; apply nth_error_Some; congruence | unfold may_use_cloud; rewrite K, Cd; auto].
  - rewrite app_length. apply Nat.add_le_mono_r. clear -F T. assert (G : forall l, (forall w, In w l -> length (on w) <= 1) -> length (flat_map on l) <= length l).
    { induction l as [|w l IH]; simpl; intro H; auto. rewrite app_length. pose proof (H w (or_introl eq_refl)). specialize (IH (fun v I => H v (or_intror I))). lia. }
    rewrite <- (seq_length workers 0) at 2. apply G. intros w _. unfold on. rewrite map_length. destruct (nth w queues []) as [|c q] eqn:E; [simpl; lia|].
    rewrite <- E. apply one_runs. destruct (F w c) as (_ & _ & N & _); auto. rewrite E. simpl. auto. Qed.
