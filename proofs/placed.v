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
Definition ok now c := sound c /\ (arrival (of c) <= now)%nat /\ (arrival (of c) <= landing c)%nat /\ (left c = 0 -> arrival (of c) < ended c)%nat.
Definition least_price b now (queues : list queue) c := let j := of c in
  (forall w d, (w < workers)%nat -> reach j w = Some d -> exists q, (forall e, In e q -> earlier b (arrival j) d (parts j) e) /\
    later (after b (arrival j) d (parts j)) (arrival j) q now (nth w queues []) /\
    price_of c <= INR (d + time j) / INR (parts j) + counted (parts j) (time j) (run d (arrival j) q)) /\
  forall d, cloud_delay j = Some d -> price_of c <= INR (d + cloud_time j) / INR (parts j).
Record inv b now queues (todo : list job) : Prop := {
  wide : (workers <= length queues)%nat;
  accounted : forall q, In q queues -> accounts now q;
  all_ok : forall q c, In q queues -> In c q -> ok now c;
  placed_there : forall w c, (w < workers)%nat -> In c (nth w queues []) -> exists d, reach (of c) w = Some d /\ landing c = (arrival (of c) + d)%nat;
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
  assert (H' : forall c, In c q -> ok (S now) c) by (intros c I; destruct (H c I) as (A & B & C); split; auto). revert H'. apply slot_all.
  intros c (A & B & C & D) R. apply ready_spec in R. split; auto. split; auto. split; auto. intros _. unfold ended. simpl. lia. Qed.
Lemma inv_run b n now queues todo : inv b now queues todo -> inv b (now + n) (map (run n now) queues) todo.
Proof.
  intros [W A O P G L]. split.
  - rewrite map_length. auto.
  - intros q' I m F. apply in_map_iff in I. destruct I as (q & <- & I). rewrite <- run_more in *. replace (now + n + m)%nat with (now + (n + m))%nat by lia.
    unfold price_of. rewrite <- (sum_map alpha Q2R), run_keeps, sum_map by auto. apply A; auto.
  - intros q' c I. apply in_map_iff in I. destruct I as (q & <- & I). apply ok_run. intros. apply (O q); auto.
  - intros w c Hw I. rewrite <- (run_nil n now), map_nth in I. revert c I. apply run_all; auto.
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
  intros [W A O P G L] Now [(D0 & T0 & C0) U] P0 Cl Ag. assert (Aj : agree b j j) by (split; auto; destruct b; auto; intros w d e _ -> X; injection X as <-; auto).
  assert (Ag' : forall k, In k (j :: todo) -> agree b j k) by (intros k [<-|I]; auto).
  assert (Early : forall w d e, (w < workers)%nat -> reach j w = Some d -> In e (nth w queues []) -> earlier b now d (parts j) e).
  { intros w d e Hw R I. assert (Q : In (nth w queues []) queues) by (apply nth_In; lia). split; [apply (O _ _ Q I)|].
    destruct (P w e Hw I) as (d' & R' & Le). destruct (G _ e j Q I (or_introl eq_refl)) as [_ X]. destruct b; auto. rewrite Le, Now. apply (X w); auto. }
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
    (forall v, (v < workers)%nat -> nth v queues' [] = nth v queues [] \/ nth v queues' [] = nth v queues [] ++ [c] /\ exists d, reach j v = Some d /\ landing c = (now + d)%nat) ->
    inv b now queues' (j :: todo)).
  { intros c queues' Oc Pc Ok Len In' Nth.
    assert (Old : forall q e, In q queues' -> In e q -> e = c \/ exists q', In q' queues /\ In e q').
    { intros q e I J. destruct (In' q I) as [K | (_ & q' & K & ->)]; [eauto|]. apply in_app_or in J. destruct J as [J|[<-|[]]]; auto.
      destruct K as [K| ->]; [eauto | destruct J]. }
    split.
    - lia.
    - intros q I. destruct (In' q I) as [K | (K & _)]; auto.
    - intros q e I J. destruct (Old q e I J) as [->|(q' & K & M)]; eauto.
    - intros v e Hv I. destruct (Nth v Hv) as [E | (E & d & R & Lc)]; rewrite E in I; [apply (P v e Hv I)|].
      apply in_app_or in I. destruct I as [I|[<-|[]]]; [apply (P v e Hv I)|]. exists d. rewrite Oc, <- Now. auto.
    - intros q e k I J K. destruct (Old q e I J) as [->|(q' & M & N)]; [rewrite Oc; auto | apply (G q' e k M N K)].
    - intros q e I J.
      assert (Grow : forall v d, (v < workers)%nat -> forall r dd D q0, later (after b r dd D) r q0 now (nth v queues []) ->
         (reach j v = Some d -> landing c = (now + d)%nat -> after b r dd D c) -> (nth v queues' [] = nth v queues [] \/ nth v queues' [] = nth v queues [] ++ [c] /\ reach j v = Some d /\ landing c = (now + d)%nat) ->
         later (after b r dd D) r q0 now (nth v queues' [])).
      { intros v d Hv r dd D q0 La Af [->|(-> & R & Lc)]; auto. constructor; auto. }
      assert (Sc : sound c) by apply Ok.
      destruct (Old q e I J) as [->|(q' & K & M)].
      + unfold least_price. rewrite Oc, Pc, <- Now. split; auto. intros v d Hv R. exists (nth v queues []). split; [intros e' Ie; apply (Early v); auto|]. split; [|apply Edge; auto].
        apply (Grow v d Hv); [constructor | |].
        * intros _ Lc. split; auto. destruct b; [lia | rewrite Oc; auto].
        * destruct (Nth v Hv) as [E | (E & d' & R' & Lc)]; auto. rewrite R in R'. injection R' as <-. auto.
      + destruct (L q' e K M) as [X Y]. split; auto. intros v d Hv R. destruct (X v d Hv R) as (q0 & E0 & La & Z). exists q0. split; auto. split; auto.
        destruct (Nth v Hv) as [E | (E & d' & R' & Lc)]; [rewrite E; auto|]. rewrite E. constructor; auto. split; auto.
        destruct (G q' e j K M (or_introl eq_refl)) as [_ V]. destruct b; [specialize (V v d d' Hv R R'); lia | rewrite Oc; auto]. }
  assert (NewOk : forall v t, (0 < t)%nat -> ok now (new workers i j now v t a)).
  { intros v t Ht. split; [auto|]. simpl. split; [lia|]. split; [lia|]. intro; lia. }
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
    + intros v Hv. left. rewrite app_nth1 by lia. auto. Qed.
