(* preemptive: what A_online leaves behind in the residual order: all chunks placed and completed, the sum of (c - r)/D at most the sum
   of the prices (Lemma 4), and every price within the rows of Lemma 2. *)
From Schedproof Require Import sums levels a_online lists later.
From Coq Require Import Arith QArith Qreals Permutation.
Open Scope R_scope.

Section Instance.
Variable workers : nat.
Notation place_chunk := (place_chunk residual workers). Notation options := (options residual workers).

(* --- instances ------------------------------------------------------------------------------------------------------ *)

Definition usable j := (0 < parts j /\ 0 < time j /\ 0 < cloud_time j)%nat /\ (cloud_delay j <> None \/ exists w, (w < workers)%nat /\ reach j w <> None).
Definition never_split j := cloud_delay j = None \/ parts j = 1%nat \/ cloud_time j = time j.
(* of a job and a later one: chunks land in order, or there are equally many *)
Definition agree (b : bool) j k := (arrival j <= arrival k)%nat /\
  if b then forall w d e, (w < workers)%nat -> reach j w = Some d -> reach k w = Some e -> (arrival j + d <= arrival k + e)%nat else parts j = parts k.

(* --- what holds all the time ---------------------------------------------------------------------------------------- *)

Definition price_of c := Q2R (alpha c).
Definition accounts now q := forall n, finished (run n now q) -> aged (now + n) (run n now q) <= sum price_of q.
Definition ok now c := sound c /\ (arrival (of c) <= now)%nat /\ (arrival (of c) <= landing c)%nat /\ (left c = 0 -> arrival (of c) < ended c)%nat /\
  (length (ran c) + left c = size c)%nat /\ forall t, In t (ran c) -> (landing c <= t < now)%nat.
Definition least_price b now (queues : list queue) c := let j := of c in
  (forall w d, (w < workers)%nat -> reach j w = Some d -> exists q, (forall e, In e q -> earlier b (arrival j) d (parts j) e /\ (arrival (of e) <= arrival j)%nat) /\
    later (after b (arrival j) d (parts j)) (arrival j) q now (nth w queues []) /\
    price_of c <= INR (d + time j) / INR (parts j) + counted (parts j) (time j) (run d (arrival j) q)) /\
  forall d, cloud_delay j = Some d -> price_of c <= INR (d + cloud_time j) / INR (parts j).
Record inv b now queues (todo : list job) : Prop := {
  wide : (workers <= length queues)%nat;
  accounted : forall q, In q queues -> accounts now q;
  all_ok : forall q c, In q queues -> In c q -> ok now c;
  placed_there : forall w c, (w < workers)%nat -> In c (nth w queues []) -> exists d, reach (of c) w = Some d /\ landing c = (arrival (of c) + d)%nat /\ size c = time (of c);
  in_cloud : forall w c, (workers <= w)%nat -> In c (nth w queues []) -> nth w queues [] = [c] /\ exists d, cloud_delay (of c) = Some d /\ landing c = (arrival (of c) + d)%nat /\ size c = cloud_time (of c);
  alone : forall q, In q queues -> NoDup (flat_map ran q);
  agreeing : forall q c j, In q queues -> In c q -> In j todo -> agree b (of c) j;
  priced : forall q c, In q queues -> In c q -> least_price b now queues c }.

Lemma run_nil n : forall now, run n now [] = [].
Proof. induction n; simpl; auto. Qed.
Lemma run_keeps {A} (f : chunk -> A) n : (forall t c, f (trained t c) = f c) -> forall now q, map f (run n now q) = map f q.
Proof. intro H. induction n as [|n IH]; intros now q; simpl; auto. rewrite IH. apply slot_keeps. auto. Qed.
Lemma slot_finished now q : finished q -> slot now q = q.
Proof.
  intro F. destruct (slot_spec residual now q) as [[-> _] | (u & c & v & E & _ & R & _)]; auto. apply ready_spec in R. rewrite (F c) in R; [lia|].
  rewrite E. apply in_or_app. simpl. auto. Qed.
Lemma run_finished n : forall now q, finished q -> run n now q = q.
Proof. induction n as [|n IH]; intros now q F; simpl; auto. rewrite slot_finished; auto. Qed.
Lemma aged_finished t u q : finished q -> aged t q = aged u q.
Proof. intro F. apply sum_ext. intros c I. unfold age. destruct (pending_spec c) as [P|P]; auto. rewrite (F c I) in P. lia. Qed.
Lemma ok_run n : forall now q, (forall c, In c q -> ok now c) -> forall c, In c (run n now q) -> ok (now + n) c.
Proof.
  induction n as [|n IH]; intros now q H; simpl; [rewrite Nat.add_0_r; auto|]. replace (now + S n)%nat with (S now + n)%nat by lia. apply IH.
  intros c I. assert (K : forall d, In d q -> ok (S now) d) by (intros d J; destruct (H d J) as (A & B & C & D & E & F); do 5 (split; [auto|]); intros t T; specialize (F t T); lia).
  destruct (slot_spec residual now q) as [[E _] | (u & d & v & Q & E & R & _)]; rewrite E in I; auto. apply in_app_or in I. simpl in I.
  assert (Kd : ok now d) by (apply H; rewrite Q; apply in_or_app; simpl; auto).
  destruct I as [I|[<-|I]]; [apply K; rewrite Q; apply in_or_app; auto | | apply K; rewrite Q; apply in_or_app; simpl; auto].
  destruct Kd as (A & B & C & _ & L & F). apply ready_spec in R. unfold ok, ended. simpl. split; [exact A|]. do 4 (split; [lia|]). intros t [<-|T]; [lia | specialize (F t T); lia]. Qed.
Lemma alone_slot now q : (forall c, In c q -> ok now c) -> NoDup (flat_map ran q) -> NoDup (flat_map ran (slot now q)).
Proof.
  intros H N. destruct (slot_spec residual now q) as [[-> _] | (u & c & v & E & -> & _)]; auto.
  assert (P : Permutation (flat_map ran (u ++ trained now c :: v)) (now :: flat_map ran q)).
  { rewrite E, !flat_map_app. simpl. symmetry. apply Permutation_middle. }
  apply (Permutation_NoDup (Permutation_sym P)). constructor; auto. intro I. apply in_flat_map in I. destruct I as (d & J & T). destruct (H d J) as (_ & _ & _ & _ & _ & F). specialize (F _ T). lia. Qed.
Lemma alone_run n : forall now q, (forall c, In c q -> ok now c) -> NoDup (flat_map ran q) -> NoDup (flat_map ran (run n now q)).
Proof.
  induction n as [|n IH]; intros now q H N; simpl; auto. apply IH; [|apply alone_slot; auto].
  replace (S now) with (now + 1)%nat by lia. apply (ok_run 1 now q H). Qed.
Lemma inv_run b n now queues todo : inv b now queues todo -> inv b (now + n) (map (run n now) queues) todo.
Proof.
  intros [W A O P Cl Al G L]. split.
  - rewrite map_length. auto.
  - intros q' I m F. apply in_map_iff in I. destruct I as (q & <- & I). rewrite <- run_more in *. replace (now + n + m)%nat with (now + (n + m))%nat by lia.
    unfold price_of. rewrite <- (sum_map alpha Q2R), run_keeps, sum_map by auto. apply A; auto.
  - intros q' c I. apply in_map_iff in I. destruct I as (q & <- & I). apply ok_run. intros. apply (O q); auto.
  - intros w c Hw I. rewrite <- (run_nil n now), map_nth in I. revert c I. apply run_all; auto.
  - intros w c Hw I. assert (M : nth w (map (run n now) queues) [] = run n now (nth w queues [])) by (rewrite <- (run_nil n now) at 1; apply map_nth). rewrite M in *.
    destruct (nth w queues []) as [|c0 l] eqn:Q; [rewrite run_nil in I; destruct I|].
    destruct (Cl w c0 Hw ltac:(rewrite Q; simpl; auto)) as [E X]. rewrite Q in E. injection E as ->. assert (Ln : length (run n now [c0]) = 1%nat) by (rewrite <- (map_length landing), run_keeps; auto).
    destruct (run n now [c0]) as [|c' [|? ?]] eqn:R; try discriminate. destruct I as [->|[]]. split; auto.
    assert (Y : forall e, In e (run n now [c0]) -> exists d, cloud_delay (of e) = Some d /\ landing e = (arrival (of e) + d)%nat /\ size e = cloud_time (of e)) by (apply run_all; auto; intros e [<-|[]]; auto).
    apply Y. rewrite R. simpl. auto.
  - intros q' I. apply in_map_iff in I. destruct I as (q & <- & I). apply alone_run; auto. intros c J. apply (O q c I J).
  - intros q' c j I J K. apply in_map_iff in I. destruct I as (q & <- & I). revert c J. apply run_all; auto. intros c J. apply (G q); auto.
  - intros q' c I J. apply in_map_iff in I. destruct I as (q & <- & I).
    assert (X : least_price b now queues c) by (revert c J; apply run_all; [auto | intros c J; apply (L q); auto]).
    destruct X as [X Y]. split; auto. intros w d Hw R. destruct (X w d Hw R) as (q0 & E & T & Z). exists q0. split; auto. split; auto.
    apply later_trans with now (nth w queues []); auto. rewrite <- (run_nil n now) at 2. rewrite map_nth. apply later_run. Qed.

(* --- all is completed ----------------------------------------------------------------------------------------------- *)

Lemma left_less now q : (forall c, In c q -> (landing c <= now)%nat) -> (list_sum (map left (slot now q)) <= list_sum (map left q) - 1)%nat.
Proof.
  intro H. destruct (slot_spec residual now q) as [[-> N] | (u & c & v & -> & -> & R & _)].
  - enough (list_sum (map left q) = 0)%nat by lia. unfold list_sum. induction q as [|c q IH]; simpl; auto.
    rewrite IH by (intros; first [apply H | apply N]; simpl; auto). specialize (N c (or_introl eq_refl)). specialize (H c (or_introl eq_refl)).
    unfold ready, pending in N. apply Nat.leb_le in H. rewrite H in N. simpl in N. apply Nat.ltb_ge in N. lia.
  - rewrite !map_app, !list_sum_app. cbn [map]. change (left (trained now c)) with (left c - 1)%nat. apply ready_spec in R. unfold list_sum. simpl. lia. Qed.
Lemma sum_zero_finished q : list_sum (map left q) = 0%nat -> finished q.
Proof. unfold finished, list_sum. induction q as [|c q IH]; simpl; intros E d I; [destruct I|]. destruct I as [<-|I]; [lia | apply IH; auto; lia]. Qed.
Lemma landed_finish n : forall now q, (forall c, In c q -> (landing c <= now)%nat) -> (list_sum (map left q) <= n)%nat -> finished (run n now q).
Proof.
  induction n as [|n IH]; intros now q H L; simpl; [apply sum_zero_finished; lia|]. apply IH; [|pose proof (left_less now q H); lia].
  apply slot_all; auto. Qed.
Lemma left_run n : forall now q, (list_sum (map left (run n now q)) <= list_sum (map left q))%nat.
Proof.
  induction n as [|n IH]; intros now q; simpl; auto. etransitivity; [apply IH|].
  destruct (slot_spec residual now q) as [[-> _] | (u & c & v & -> & -> & _)]; auto. rewrite !map_app, !list_sum_app. unfold list_sum. simpl. lia. Qed.
Theorem all_finish now q n : (time_left q <= n)%nat -> finished (run n now q).
Proof.
  intro N. unfold time_left in N. set (m := list_sum (map landing q)). replace n with (m + (n - m))%nat.
  - rewrite run_more. apply landed_finish.
    + intros c I. enough (landing c <= m)%nat by lia. assert (K : In (landing c) (map landing (run m now q))) by (apply in_map; auto). rewrite run_keeps in K by auto.
      unfold m, list_sum. clear -K. induction (map landing q) as [|x l IH]; simpl in *; [tauto|]. destruct K as [->|K]; [lia | specialize (IH K); lia].
    + pose proof (left_run m now q). enough (list_sum (map (fun c => landing c + left c) q) = m + list_sum (map left q))%nat by lia.
      unfold m, list_sum. clear. induction q; simpl; lia.
  - enough (m <= list_sum (map (fun c => landing c + left c) q))%nat by lia. apply list_sum_le. intros. lia. Qed.

(* --- a chunk is placed ---------------------------------------------------------------------------------------------- *)

Lemma cheapest_spec l : forall w a, cheapest l = Some (w, a) -> nth_error l w = Some (Some a) /\ forall v x, nth_error l v = Some (Some x) -> Q2R a <= Q2R x.
Proof.
  induction l as [|p l IH]; simpl; intros w a E; [discriminate|]. assert (N : cheapest l = None -> forall v x, nth_error l v = Some (Some x) -> False).
  { clear. induction l as [|p l IH]; simpl; intros E v x V; [destruct v; discriminate|]. destruct p as [y|].
    - destruct (cheapest l) as [[? ?]|]; [destruct (Qle_bool y q)|]; discriminate.
    - destruct v; simpl in V; [discriminate|]. destruct (cheapest l) as [[? ?]|]; [discriminate|]. apply (IH eq_refl v x V). }
  destruct p as [y|].
  - destruct (cheapest l) as [[v b]|].
    + destruct (IH v b eq_refl) as [A B]. destruct (Qle_bool y b) eqn:K; injection E as <- <-; split; auto.
      * apply Qle_bool_iff, Qle_Rle in K. intros [|u] x U; simpl in U; [injection U as <-; lra | specialize (B u x U); lra].
      * assert (Q2R b <= Q2R y). { apply Qle_Rle. destruct (Qlt_le_dec b y) as [L|L]; [apply Qlt_le_weak; auto|]. apply Qle_bool_iff in L. congruence. }
        intros [|u] x U; simpl in U; [injection U as <-; auto | apply (B u x U)].
    + injection E as <- <-. split; auto. intros [|u] x U; simpl in U; [injection U as <-; lra | destruct (N eq_refl u x U)].
  - destruct (cheapest l) as [[v b]|]; [|discriminate]. injection E as <- <-. destruct (IH v b eq_refl) as [A B]. split; auto.
    intros [|u] x U; simpl in U; [discriminate | apply (B u x U)]. Qed.
Lemma cheapest_some l : forall v x, nth_error l v = Some (Some x) -> cheapest l <> None.
Proof.
  induction l as [|p l IH]; intros v x V; [destruct v; discriminate|]. simpl. destruct p as [y|].
  - destruct (cheapest l) as [[? ?]|]; [destruct (Qle_bool y q)|]; discriminate.
  - destruct v; simpl in V; [discriminate|]. specialize (IH v x V). destruct (cheapest l) as [[? ?]|]; [discriminate | tauto]. Qed.
Lemma option_at j p now queues w d : (w < workers)%nat -> reach j w = Some d -> nth_error (options j p now queues) w = Some (Some (price residual (parts j) (time j) now d (nth w queues []))).
Proof.
  intros W R. unfold a_online.options. rewrite nth_error_app1 by (rewrite map_length, seq_length; auto). rewrite nth_error_map.
  rewrite (nth_error_nth' _ 0%nat) by (rewrite seq_length; auto). rewrite seq_nth by auto. simpl. rewrite R. auto. Qed.
Lemma option_cloud j p now queues d : cloud_delay j = Some d -> nth_error (options j p now queues) workers = Some (Some (price residual (parts j) p now d [])).
Proof. intro R. unfold a_online.options. rewrite nth_error_app2; rewrite map_length, seq_length; auto. rewrite Nat.sub_diag. simpl. rewrite R. auto. Qed.
Lemma option_of j p now queues w a : nth_error (options j p now queues) w = Some (Some a) ->
  (exists d, (w < workers)%nat /\ reach j w = Some d /\ a = price residual (parts j) (time j) now d (nth w queues [])) \/
  exists d, w = workers /\ cloud_delay j = Some d /\ a = price residual (parts j) p now d [].
Proof.
  intro E. destruct (le_lt_dec workers w) as [L|L].
  - right. unfold a_online.options in E. rewrite nth_error_app2 in E; rewrite map_length, seq_length in *; auto. destruct (w - workers)%nat as [|m] eqn:M; [|destruct m; discriminate].
    simpl in E. destruct (cloud_delay j) as [d|]; [|discriminate]. injection E as <-. exists d. split; [lia | auto].
  - left. destruct (reach j w) as [d|] eqn:R.
    + rewrite (option_at j p now queues w d L R) in E. injection E as <-. exists d. auto.
    + unfold a_online.options in E. rewrite nth_error_app1 in E by (rewrite map_length, seq_length; auto). rewrite nth_error_map in E.
      rewrite (nth_error_nth' _ 0%nat) in E by (rewrite seq_length; auto). rewrite seq_nth in E by auto. simpl in E. rewrite R in E. discriminate. Qed.
Lemma join_length w c : forall queues : list queue, (length queues <= length (join w c queues))%nat.
Proof. revert w. intros w queues. revert w. induction queues as [|q l IH]; intros [|w]; simpl; auto. specialize (IH w). lia. Qed.
Lemma join_in w c : forall queues q, (w < length queues)%nat -> In q (join w c queues) -> In q queues \/ q = nth w queues [] ++ [c].
Proof.
  revert w. intros w queues. revert w. induction queues as [|q l IH]; intros [|w] x L; simpl in *; try lia; intros [<-|I]; auto.
  destruct (IH w x ltac:(lia) I); auto. Qed.
Lemma join_nth w c : forall queues v, (w < length queues)%nat -> nth v (join w c queues) [] = if (v =? w)%nat then nth w queues [] ++ [c] else nth v queues [].
Proof. intros queues. revert w. induction queues as [|q l IH]; intros [|w] [|v] L; simpl in *; try lia; auto. apply IH. lia. Qed.
Lemma join_concat w c : forall queues, Permutation (concat (join w c queues)) (c :: concat queues).
Proof.
  intros queues. revert w. induction queues as [|q l IH]; intros [|w]; simpl; auto.
  - rewrite <- app_assoc. simpl. symmetry. apply Permutation_middle.
  - etransitivity; [apply Permutation_app_head, IH | symmetry; apply Permutation_middle]. Qed.

Lemma accounts_join b now q c d p : accounts now q -> joins c now d p -> (forall e, In e q -> earlier b now d (parts (of c)) e) ->
  price_of c = INR (d + p) / INR (parts (of c)) + counted (parts (of c)) p (run d now q) -> accounts now (q ++ [c]).
Proof.
  intros A J E P n F. set (m := (n + time_left q)%nat).
  assert (Fq : finished (run m now q)) by (apply all_finish; unfold m; lia).
  assert (R : run m now (q ++ [c]) = run n now (q ++ [c])) by (unfold m; rewrite run_more; apply run_finished; auto).
  assert (Fc : finished (run m now (q ++ [c]))) by (rewrite R; auto).
  pose proof (further b c now d p q m J E Fq Fc) as G. rewrite R, (aged_finished _ (now + n) _ F) in G. specialize (A m Fq).
  rewrite sum_app. cbn [sum]. rewrite P. unfold share, Rdiv in *. lra. Qed.
Theorem inv_place b i j p now queues todo : inv b now queues (j :: todo) -> now = arrival j -> usable j -> (0 < p)%nat ->
  (cloud_delay j = None \/ p = cloud_time j) -> (forall k, In k todo -> agree b j k) ->
  let queues' := snd (place_chunk i j p now queues) in inv b now queues' (j :: todo) /\
  exists c, Permutation (concat queues') (c :: concat queues) /\ owner c = i /\ of c = j.
Proof.
  intros [W A O P InC Al G L] Now [(D0 & T0 & C0) U] P0 Cl Ag. assert (Aj : agree b j j) by (split; auto; destruct b; auto; intros w d e _ -> X; injection X as <-; auto).
  assert (Ag' : forall k, In k (j :: todo) -> agree b j k) by (intros k [<-|I]; auto).
  assert (Early : forall w d e, (w < workers)%nat -> reach j w = Some d -> In e (nth w queues []) -> earlier b now d (parts j) e).
  { intros w d e Hw R I. assert (Q : In (nth w queues []) queues) by (apply nth_In; lia). split; [apply (O _ _ Q I)|].
    destruct (P w e Hw I) as (d' & R' & Le & _). destruct (G _ e j Q I (or_introl eq_refl)) as [_ X]. destruct b; auto. rewrite Le, Now. apply (X w); auto. }
  assert (Snd : forall w c, (w < workers)%nat -> In c (nth w queues []) -> sound c).
  { intros w c Hw I. apply (O (nth w queues []) c); auto. apply nth_In. lia. }
  unfold a_online.place_chunk. destruct (cheapest (options j p now queues)) as [[w a]|] eqn:Ch.
  2: { exfalso. destruct (cloud_delay j) as [d|] eqn:Cd; [apply (cheapest_some _ _ _ (option_cloud j p now queues d Cd)); auto|].
       destruct U as [U|(w & Hw & U)]; [tauto|]. destruct (reach j w) as [d|] eqn:R; [|tauto]. apply (cheapest_some _ _ _ (option_at j p now queues w d Hw R)); auto. }
  destruct (cheapest_spec _ _ _ Ch) as [At Least]. clear Ch.
  assert (Edge : forall v d, (v < workers)%nat -> reach j v = Some d -> Q2R a <= INR (d + time j) / INR (parts j) + counted (parts j) (time j) (run d now (nth v queues []))).
  { intros v d Hv R. specialize (Least v _ (option_at j p now queues v d Hv R)). rewrite price_is in Least; auto. intros c I. apply (Snd v c Hv I). }
  assert (Cloud : forall d, cloud_delay j = Some d -> Q2R a <= INR (d + cloud_time j) / INR (parts j)).
  { intros d Cd. destruct Cl as [Cl| ->]; [congruence|]. specialize (Least _ _ (option_cloud j _ now queues d Cd)). rewrite price_is in Least; auto.
    rewrite run_nil in Least. unfold counted in Least. simpl in Least. lra. intros c []. }
  (* what holds for the lists with a new chunk c of j *)
  assert (General : forall c queues', of c = j -> price_of c = Q2R a -> ok now c -> (length queues <= length queues')%nat ->
    (forall q, In q queues' -> In q queues \/ accounts now q /\ exists q', (In q' queues \/ q' = []) /\ q = q' ++ [c]) ->
    (forall v, (v < workers)%nat -> nth v queues' [] = nth v queues [] \/ nth v queues' [] = nth v queues [] ++ [c] /\ exists d, reach j v = Some d /\ landing c = (now + d)%nat /\ size c = time j) ->
    ran c = [] -> (forall v e, (workers <= v)%nat -> In e (nth v queues' []) -> In e (nth v queues []) /\ nth v queues' [] = nth v queues [] \/
      nth v queues' [] = [e] /\ of e = j /\ exists d, cloud_delay j = Some d /\ landing e = (now + d)%nat /\ size e = cloud_time j) ->
    inv b now queues' (j :: todo)).
  { intros c queues' Oc Pc Ok Len In' Nth Ran Cloud'.
    assert (Old : forall q e, In q queues' -> In e q -> e = c \/ exists q', In q' queues /\ In e q').
    { intros q e I J. destruct (In' q I) as [K | (_ & q' & K & ->)]; [eauto|]. apply in_app_or in J. destruct J as [J|[<-|[]]]; auto.
      destruct K as [K| ->]; [eauto | destruct J]. }
    split.
    - lia.
    - intros q I. destruct (In' q I) as [K | (K & _)]; auto.
    - intros q e I J. destruct (Old q e I J) as [->|(q' & K & M)]; eauto.
    - intros v e Hv I. destruct (Nth v Hv) as [E | (E & d & R & Lc & Sz)]; rewrite E in I; [apply (P v e Hv I)|].
      apply in_app_or in I. destruct I as [I|[<-|[]]]; [apply (P v e Hv I)|]. exists d. rewrite Oc, <- Now. auto.
    - intros v e Hv I. destruct (Cloud' v e Hv I) as [[J E] | (E & Oe & d & Cd & Lc & Sz)]; [rewrite E; apply (InC v e Hv J)|].
      split; auto. exists d. rewrite Oe, <- Now. auto.
    - intros q I. destruct (In' q I) as [K | (_ & q' & K & ->)]; auto. rewrite flat_map_app. simpl. rewrite Ran. simpl. rewrite !app_nil_r.
      destruct K as [K| ->]; [auto | constructor].
    - intros q e k I J K. destruct (Old q e I J) as [->|(q' & M & N)]; [rewrite Oc; auto | apply (G q' e k M N K)].
    - intros q e I J.
      assert (Grow : forall v d, (v < workers)%nat -> forall r dd D q0, later (after b r dd D) r q0 now (nth v queues []) ->
         (reach j v = Some d -> landing c = (now + d)%nat -> after b r dd D c) -> (nth v queues' [] = nth v queues [] \/ nth v queues' [] = nth v queues [] ++ [c] /\ reach j v = Some d /\ landing c = (now + d)%nat) ->
         later (after b r dd D) r q0 now (nth v queues' [])).
      { intros v d Hv r dd D q0 La Af [->|(-> & R & Lc)]; auto. constructor; auto. apply Ok. }
      assert (Sc : sound c) by apply Ok.
      destruct (Old q e I J) as [->|(q' & K & M)].
      + unfold least_price. rewrite Oc, Pc, <- Now. split; auto. intros v d Hv R. exists (nth v queues []). split; [intros e' Ie; split; [apply (Early v) | apply (O (nth v queues []) e'); auto; apply nth_In; lia]; auto|]. split; [|apply Edge; auto].
        apply (Grow v d Hv); [constructor | |].
        * intros _ Lc. split; auto. destruct b; [lia | rewrite Oc; auto].
        * destruct (Nth v Hv) as [E | (E & d' & R' & Lc & _)]; auto. rewrite R in R'. injection R' as <-. auto.
      + destruct (L q' e K M) as [X Y]. split; auto. intros v d Hv R. destruct (X v d Hv R) as (q0 & E0 & La & Z). exists q0. split; auto. split; auto.
        destruct (Nth v Hv) as [E | (E & d' & R' & Lc & _)]; [rewrite E; auto|]. rewrite E. constructor; auto; [|apply Ok]. split; auto.
        destruct (G q' e j K M (or_introl eq_refl)) as [_ V]. destruct b; [specialize (V v d d' Hv R R'); lia | rewrite Oc; auto]. }
  assert (NewOk : forall v t, (0 < t)%nat -> ok now (new workers i j now v t a)).
  { intros v t Ht. split; [auto|]. simpl. split; [lia|]. split; [lia|]. split; [intro; lia|]. split; [auto | intros t0 []]. }
  destruct (option_of _ _ _ _ _ _ At) as [(d & Hw & R & Ea) | (d & -> & Cd & Ea)].
  - assert ((w <? workers)%nat = true) as -> by (apply Nat.ltb_lt; auto). simpl. set (c := new workers i j now w (time j) a).
    assert (Lc : landing c = (now + d)%nat) by (unfold c, new, delay_to; simpl; apply Nat.ltb_lt in Hw; rewrite Hw, R; auto).
    split; [|exists c; split; [apply join_concat | auto]]. apply (General c); auto.
    + apply NewOk. auto.
    + apply join_length.
    + intros q I. destruct (join_in w c queues q ltac:(lia) I) as [K| ->]; auto. right. assert (Q : In (nth w queues []) queues) by (apply nth_In; lia). split; [|eauto].
      apply (accounts_join b now _ c d (time j)); auto; [split; [auto|]; split; [auto|]; split; [auto | split; [auto | exact D0]] | intros e Ie; apply (Early w); auto|].
      unfold price_of, c. simpl. rewrite Ea, price_is; auto. intros e Ie. apply (Snd w e Hw Ie).
    + intros v Hv. rewrite join_nth by lia. destruct (Nat.eqb_spec v w) as [->|]; auto. right. split; auto. exists d. auto.
    + intros v e Hv I. rewrite join_nth in * by lia. destruct (Nat.eqb_spec v w); [lia|]. auto.
  - rewrite Nat.ltb_irrefl. simpl. set (c := new workers i j now workers p a).
    assert (Lc : landing c = (now + d)%nat) by (unfold c, new, delay_to; simpl; rewrite Nat.ltb_irrefl, Cd; auto).
    split; [|exists c; split; [rewrite concat_app; simpl; symmetry; apply Permutation_cons_append | auto]]. apply (General c); auto.
    + apply NewOk. auto.
    + rewrite app_length. lia.
    + intros q I. apply in_app_or in I. destruct I as [I|[<-|[]]]; auto. right. split; [|exists []; auto]. change [c] with ([] ++ [c]).
      apply (accounts_join b now [] c d p); auto.
      * intros n _. rewrite run_nil. unfold aged. simpl. lra.
      * split; [auto|]; split; [auto|]; split; [auto | split; [auto | exact D0]].
      * intros e [].
      * unfold price_of, c. simpl. rewrite Ea, price_is; auto. intros e [].
    + intros v Hv. left. rewrite app_nth1 by lia. auto.
    + intros v e Hv I. destruct (le_lt_dec (length queues) v) as [Lv|Lv]; [|rewrite app_nth1 in * by auto; auto].
      right. rewrite app_nth2 in * by auto. destruct (v - length queues)%nat as [|k]; [|destruct k; destruct I]. destruct I as [<-|[]]. split; auto. split; auto.
      exists d. destruct Cl as [Cl|Cl]; [congruence|]. unfold c. simpl. auto. Qed.

(* --- all jobs ------------------------------------------------------------------------------------------------------- *)

Definition tag c := (owner c, of c).
Fixpoint tags i jobs := match jobs with [] => [] | j :: jobs => repeat (i, j) (parts j) ++ tags (S i) jobs end.
Lemma tags_in jobs : forall k i j, In (i, j) (tags k jobs) -> (k <= i)%nat /\ nth_error jobs (i - k) = Some j.
Proof.
  induction jobs as [|h jobs IH]; simpl; intros k i j I; [tauto|]. apply in_app_or in I. destruct I as [I|I].
  - apply repeat_spec in I. injection I as -> ->. rewrite Nat.sub_diag. auto.
  - destruct (IH _ _ _ I) as [L E]. split; [lia|]. replace (i - k)%nat with (S (i - S k)) by lia. auto. Qed.
Definition tagged (queues : list queue) := map tag (concat queues).
Lemma tagged_run n now queues : tagged (map (run n now) queues) = tagged queues.
Proof. unfold tagged. induction queues as [|q l IH]; simpl; auto. rewrite !map_app, IH, run_keeps; auto. Qed.
Lemma inv_iter b i j p now todo n : now = arrival j -> usable j -> (0 < p)%nat -> (cloud_delay j = None \/ p = cloud_time j) -> (forall k, In k todo -> agree b j k) ->
  forall queues, inv b now queues (j :: todo) -> let queues' := Nat.iter n (fun queues => snd (place_chunk i j p now queues)) queues in
  inv b now queues' (j :: todo) /\ Permutation (tagged queues') (repeat (i, j) n ++ tagged queues).
Proof.
  intros A U P C Ag queues I. induction n as [|n [I' P']]; simpl; [auto|].
  destruct (inv_place b i j p now _ todo I' A U P C Ag) as (I2 & c & Pe & O & F). split; auto. unfold tagged in *. rewrite Pe. simpl. unfold tag at 1. rewrite O, F. auto. Qed.
Lemma inv_place_all b i j now queues todo : inv b now queues (j :: todo) -> now = arrival j -> usable j -> never_split j -> (forall k, In k todo -> agree b j k) ->
  let queues' := place residual workers i j now queues in inv b now queues' (j :: todo) /\ Permutation (tagged queues') (repeat (i, j) (parts j) ++ tagged queues).
Proof.
  intros I A U N Ag. unfold place. destruct U as [(D0 & T0 & C0) U].
  pose proof (inv_iter b i j (cloud_time j) now todo 1 A (conj (conj D0 (conj T0 C0)) U) C0 (or_intror eq_refl) Ag queues I) as [I1 P1]. simpl in I1, P1.
  destruct (place_chunk i j (cloud_time j) now queues) as [away queues1]. simpl in I1, P1.
  set (p := if away then cloud_time j else time j). assert (P0 : (0 < p)%nat) by (unfold p; destruct away; auto).
  assert (PD : exists n, parts j = S n) by (exists (parts j - 1)%nat; lia). destruct PD as [n E]. rewrite E, Nat.sub_succ, Nat.sub_0_r.
  destruct (Nat.eq_dec n 0) as [->|Nn]; [simpl; auto|].
  assert (Cl : cloud_delay j = None \/ p = cloud_time j) by (destruct N as [N|[N|N]]; [auto | lia | right; unfold p; destruct away; auto]).
  destruct (inv_iter b i j p now todo n A (conj (conj D0 (conj T0 C0)) U) P0 Cl Ag queues1 I1) as [I2 P2]. split; auto.
  rewrite P2, P1. simpl. rewrite <- Permutation_middle. auto. Qed.
Definition next_jobs now (jobs : list job) := forall j, In j jobs -> (now <= arrival j)%nat.
Theorem inv_arrivals b jobs : forall i now queues, inv b now queues jobs -> ForallOrdPairs (agree b) jobs -> next_jobs now jobs ->
  (forall j, In j jobs -> usable j /\ never_split j) ->
  let '(now', queues') := arrivals residual workers i now jobs queues in inv b now' queues' [] /\ Permutation (tagged queues') (tags i jobs ++ tagged queues).
Proof.
  induction jobs as [|j jobs IH]; intros i now queues I O X V; simpl; [auto|]. inversion_clear O as [|? ? Oj Os]. rewrite Forall_forall in Oj.
  pose proof (X j (or_introl eq_refl)) as Xj. pose proof (inv_run b (arrival j - now) now queues (j :: jobs) I) as I1. replace (now + (arrival j - now))%nat with (arrival j) in I1 by lia.
  destruct (V j (or_introl eq_refl)) as [U N]. destruct (inv_place_all b i j (arrival j) _ jobs I1 eq_refl U N Oj) as [I2 P2].
  set (queues2 := place residual workers i j (arrival j) (map (run (arrival j - now) now) queues)) in *. rewrite tagged_run in P2.
  assert (I3 : inv b (arrival j) queues2 jobs) by (destruct I2 as [W A K P InC Al G L]; split; auto; intros q c k J M Z; apply (G q c k J M); simpl; auto).
  specialize (IH (S i) (arrival j) queues2 I3 Os). specialize (IH ltac:(intros k K; apply (Oj k K)) ltac:(intros k K; apply V; simpl; auto)).
  destruct (arrivals residual workers (S i) (arrival j) jobs queues2) as [now' queues']. destruct IH as [I4 P4]. split; auto.
  rewrite P4, P2, <- app_assoc, !app_assoc. apply Permutation_app_tail, Permutation_app_comm. Qed.

Lemma concat_map_sum (f : chunk -> R) (g : queue -> queue) l : sum f (concat (map g l)) = sum (fun q => sum f (g q)) l.
Proof. induction l as [|q l IH]; simpl; auto. rewrite sum_app, IH. auto. Qed.
(* the final schedule: a chunk's price is within all rows, with the final beta *)
Definition beta_at (queues : list queue) w t := sum (live t) (nth w queues []).
Definition within_rows queues c := let j := of c in
  (forall w d t, (w < workers)%nat -> reach j w = Some d -> (arrival j + d <= t)%nat ->
    price_of c <= (INR t - INR (arrival j) + INR (time j)) / INR (parts j) + INR (time j) * beta_at queues w t) /\
  forall d t, cloud_delay j = Some d -> (arrival j + d <= t)%nat -> price_of c <= (INR t - INR (arrival j) + INR (cloud_time j)) / INR (parts j).
Definition stop now q := run (time_left q) now q.
Lemma all_placed b jobs : ForallOrdPairs (agree b) jobs -> (forall j, In j jobs -> usable j /\ never_split j) ->
  exists now queues, a_online residual workers jobs = map (stop now) queues /\ inv b now queues [] /\ Permutation (tagged queues) (tags 0 jobs).
Proof.
  intros O V. unfold a_online. pose proof (inv_arrivals b jobs 0 0 (repeat [] workers)) as H.
  assert (None_ : forall q, In q (repeat (@nil chunk) workers) -> q = []) by (intros q I; apply repeat_spec in I; auto).
  assert (I0 : inv b 0 (repeat [] workers) jobs).
  { split; [rewrite repeat_length; auto | | | | | | | ]; try (intros q c I J; rewrite (None_ q I) in J; destruct J).
    - intros q I n _. rewrite (None_ q I), run_nil. unfold aged. simpl. lra.
    - intros w c _ I. rewrite nth_repeat in I. destruct I.
    - intros w c _ I. rewrite nth_repeat in I. destruct I.
    - intros q I. rewrite (None_ q I). constructor.
    - intros q c j I J. rewrite (None_ q I) in J. destruct J. }
  specialize (H I0 O ltac:(intros j _; lia) V). destruct (arrivals residual workers 0 0 jobs (repeat [] workers)) as [now queues].
  destruct H as [I T]. exists now, queues. split; [reflexivity|]. split; [exact I|].
  assert (E0 : tagged (repeat [] workers) = []) by (unfold tagged; clear; induction workers; simpl; auto). rewrite E0, app_nil_r in T. exact T. Qed.
(* A_online's lists are a schedule: every chunk runs for its time from its landing on, on a worker that its job may use, alone in its slots *)
Definition runs queues w c := let j := of c in
  length (ran c) = size c /\ (forall t, In t (ran c) -> (landing c <= t)%nat) /\ NoDup (flat_map ran (nth w queues [])) /\
  if (w <? workers)%nat then size c = time j /\ exists d, reach j w = Some d /\ landing c = (arrival j + d)%nat
  else size c = cloud_time j /\ nth w queues [] = [c] /\ exists d, cloud_delay j = Some d /\ landing c = (arrival j + d)%nat.
Theorem a_online_feasible b jobs : ForallOrdPairs (agree b) jobs -> (forall j, In j jobs -> usable j /\ never_split j) ->
  let queues := a_online residual workers jobs in
  Permutation (tagged queues) (tags 0 jobs) /\ forall w c, In c (nth w queues []) -> runs queues w c.
Proof.
  intros O V queues'. destruct (all_placed b jobs O V) as (now & queues & E & I & T). unfold queues'. rewrite E. clear queues' E.
  assert (M : forall w, nth w (map (stop now) queues) [] = stop now (nth w queues [])).
  { intro w. replace [] with (stop now []) at 1 by apply run_nil. apply map_nth. }
  split.
  - rewrite <- T. unfold tagged. clear. induction queues as [|q l IH]; simpl; auto. rewrite !map_app. unfold stop at 1. rewrite run_keeps by auto. apply Permutation_app_head, IH.
  - intros w c J. unfold runs. rewrite M in *. set (q := nth w queues []) in *. destruct (nth_in_or_default w queues []) as [Q|Q]; fold q in Q; [|rewrite Q in J; unfold stop in J; rewrite run_nil in J; destruct J].
    destruct (ok_run (time_left q) now q (fun e => all_ok _ _ _ _ I _ e Q) c J) as (_ & _ & _ & _ & L & F).
    assert (Z : left c = 0%nat) by (apply (all_finish now q (time_left q) (le_n _) c J)). rewrite Z, Nat.add_0_r in L.
    split; [exact L|]. split; [intros t K; apply (F t K)|]. split; [apply alone_run; [intros e Ie; apply (all_ok _ _ _ _ I _ e Q Ie) | apply (alone _ _ _ _ I _ Q)]|].
    destruct (Nat.ltb_spec w workers) as [Hw|Hw].
    + assert (X : forall e, In e q -> exists d, reach (of e) w = Some d /\ landing e = (arrival (of e) + d)%nat /\ size e = time (of e)) by (intros e Ie; apply (placed_there _ _ _ _ I w e Hw Ie)).
      assert (Y : exists d, reach (of c) w = Some d /\ landing c = (arrival (of c) + d)%nat /\ size c = time (of c)) by (clear L F Z; revert c J; apply run_all; auto).
      destruct Y as (d & R & Lc & Sz). split; eauto.
    + pose proof (inv_run b (time_left q) now queues [] I) as I'.
      assert (M' : nth w (map (run (time_left q) now) queues) [] = run (time_left q) now q) by (rewrite <- (run_nil (time_left q) now) at 1; apply map_nth).
      destruct (in_cloud _ _ _ _ I' w c Hw ltac:(rewrite M'; exact J)) as (E1 & d & Cd & Lc & Sz). rewrite M' in E1. change (stop now q) with (run (time_left q) now q). split; [exact Sz|]. split; [exact E1|]. exists d. auto. Qed.
Theorem a_online_placed b jobs : ForallOrdPairs (agree b) jobs -> (forall j, In j jobs -> usable j /\ never_split j) ->
  let queues := a_online residual workers jobs in
  Permutation (tagged queues) (tags 0 jobs) /\
  (forall q c, In q queues -> In c q -> sound c /\ left c = 0%nat /\ (arrival (of c) < ended c)%nat /\ within_rows queues c) /\
  sum (fun c => share c * (INR (ended c) - INR (arrival (of c)))) (concat queues) <= sum price_of (concat queues).
Proof.
  intros O V. destruct (a_online_feasible b jobs O V) as [T _]. destruct (all_placed b jobs O V) as (now & queues & E & [W A K P _ _ G L] & _). rewrite E in *. clear E.
  assert (Fin : forall q, finished (stop now q)) by (intro q; apply all_finish; auto).
  split; [exact T|]. split.
  - intros q' c I J. apply in_map_iff in I. destruct I as (q & <- & I).
    destruct (ok_run (time_left q) now q (fun e => K q e I) c J) as (S & B & _ & E & _). pose proof (Fin q c J) as Z. split; auto. split; auto. split; auto.
    assert (Lp : least_price b now queues c) by (unfold stop in J; revert c J S B E Z; clear -L I; intros c J _ _ _ _; revert c J; apply run_all; [auto | intros e Ie; apply (L q); auto]).
    destruct Lp as [X Y]. pose proof (lt_0_INR _ S) as D0. unfold within_rows. split.
    + intros w d t Hw R Lt. destruct (X w d Hw R) as (q0 & E0' & La & Pr). set (qw := nth w queues []) in *.
      assert (Hq : nth w (map (stop now) queues) [] = stop now qw) by (replace [] with (stop now []) at 1 by apply run_nil; rewrite map_nth; auto).
      assert (Last : later (after b (arrival (of c)) d (parts (of c))) (arrival (of c)) q0 (now + (time_left qw + t)) (stop now qw)).
      { apply later_trans with now qw; auto. unfold stop. rewrite <- (run_finished t (now + time_left qw) (run (time_left qw) now qw)) by apply Fin. rewrite <- run_more. apply later_run. }
      destruct (later_through _ _ _ _ _ Last t ltac:(lia)) as (k & L1 & L2).
      pose proof (row b _ _ d (parts (of c)) (time (of c)) t k S (fun e Ie => proj1 (E0' e Ie)) L1 Lt) as Rw.
      assert (Bl : beta k <= beta_at (map (stop now) queues) w t).
      { unfold beta_at. rewrite Hq. apply (beta_live _ t k _ _ L2); [intros e [Se _]; auto | |].
        - apply (later_arrivals _ _ _ _ _ L1). intros e Ie. apply (E0' e Ie).
        - apply (later_sound _ _ _ _ _ L1); [intros e [Se _]; auto | intros e Ie; apply (E0' e Ie)]. }
      pose proof (pos_INR (time (of c))). rewrite minus_INR, !plus_INR in * by auto.
      assert (INR (time (of c)) * beta k <= INR (time (of c)) * beta_at (map (stop now) queues) w t) by (apply Rmult_le_compat_l; auto).
      replace ((INR t - INR (arrival (of c)) + INR (time (of c))) / INR (parts (of c))) with ((INR d + INR (time (of c))) / INR (parts (of c)) + (INR t - (INR (arrival (of c)) + INR d)) / INR (parts (of c))) by (field; lra). lra.
    + intros d t Cd Lt. specialize (Y d Cd). eapply Rle_trans; [apply Y|]. apply le_INR in Lt. rewrite !plus_INR in *. unfold Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; auto | lra].
  - assert (B : forall q, sum (fun c => share c * (INR (ended c) - INR (arrival (of c)))) (stop now q) = aged (now + time_left q) (stop now q)).
    { intro q. apply sum_ext. intros c I. unfold age. destruct (pending_spec c) as [Pc|Pc]; auto. rewrite (Fin q c I) in Pc. lia. }
    assert (M : forall q, sum price_of (stop now q) = sum price_of q) by (intro q; unfold stop, price_of; rewrite <- (sum_map alpha Q2R), run_keeps, sum_map; auto).
    rewrite !concat_map_sum. apply sum_le. intros q I. rewrite B, M. apply A; auto. apply Fin. Qed.
End Instance.
