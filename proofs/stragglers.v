(* preemptive: the factor D_max of Theorem 3 is necessary: one chunk of each of h D jobs waits on a hub behind n short jobs. *)
From Schedproof Require Import sums levels a_online lists later placed theorem3.
From Coq Require Import Arith QArith Qreals Permutation.
Open Scope nat_scope.

Section Family.
Variables (a b D h n : nat). (* speed a/b *)
Hypotheses (B0 : 0 < b) (Sp : b < a) (D2 : 2 <= D) (H1 : 1 <= h) (N1 : 1 <= n).
Definition unit := 2 * b.
Definition pause := (D - 1) * unit.
Definition waiting := h * D.
(* one edge worker, the hub, without a delay; the i-th job is a little later in the cloud than behind i chunks on the hub *)
Definition big i := {| arrival := 0; parts := D; time := unit; cloud_time := unit; slow := 2 * a; slow_cloud := 2 * a;
  delays := [Some 0]; cloud_delay := Some (i * unit + 1) |}.
Definition short k := {| arrival := k * pause; parts := 1; time := pause; cloud_time := pause; slow := (D - 1) * (2 * a); slow_cloud := (D - 1) * (2 * a);
  delays := [Some 0]; cloud_delay := Some (h * pause + 1) |}.
Definition stragglers := map big (seq 0 waiting) ++ map short (seq 0 n).
Notation place_chunk := (place_chunk residual 1).

Lemma unit2 : 2 <= unit. Proof. unfold unit. lia. Qed.
Lemma pause2 : 2 <= pause. Proof. pose proof unit2. unfold pause. nia. Qed.

(* --- A_online ------------------------------------------------------------------------------------------------------- *)

Lemma to_hub i j p now hub clouds d : delays j = [Some 0] -> cloud_delay j = Some d -> 0 < parts j -> (forall c, In c hub -> sound c) ->
  (INR (time j) / INR (parts j) + counted (parts j) (time j) hub < INR (d + p) / INR (parts j))%R ->
  exists x, place_chunk i j p now (hub :: clouds) = (false, (hub ++ [new 1 i j now 0 (time j) x]) :: clouds).
Proof.
  intros Dl Cd P S L. unfold a_online.place_chunk, options. simpl. unfold reach. rewrite Dl, Cd. simpl.
  set (x := price residual (parts j) (time j) now 0 hub). set (y := price residual (parts j) p now d []).
  assert (X : Q2R x = (INR (time j) / INR (parts j) + counted (parts j) (time j) hub)%R) by (unfold x; rewrite price_is; auto).
  assert (Y : Q2R y = (INR (d + p) / INR (parts j))%R).
  { unfold y. rewrite price_is, run_nil; auto; [unfold counted; simpl; lra | intros c []]. }
  assert (E : Qle_bool x y = true) by (apply Qle_bool_iff, Rle_Qle; lra). rewrite E. simpl. eauto. Qed.
Lemma to_cloud i j p now hub clouds d : delays j = [Some 0] -> cloud_delay j = Some d -> 0 < parts j -> (forall c, In c hub -> sound c) ->
  (INR (d + p) / INR (parts j) < INR (time j) / INR (parts j) + counted (parts j) (time j) hub)%R ->
  exists q, place_chunk i j p now (hub :: clouds) = (true, hub :: clouds ++ [q]).
Proof.
  intros Dl Cd P S L. unfold a_online.place_chunk, options. simpl. unfold reach. rewrite Dl, Cd. simpl.
  set (x := price residual (parts j) (time j) now 0 hub). set (y := price residual (parts j) p now d []).
  assert (X : Q2R x = (INR (time j) / INR (parts j) + counted (parts j) (time j) hub)%R) by (unfold x; rewrite price_is; auto).
  assert (Y : Q2R y = (INR (d + p) / INR (parts j))%R).
  { unfold y. rewrite price_is, run_nil; auto; [unfold counted; simpl; lra | intros c []]. }
  assert (E : Qle_bool x y = false). { apply Bool.not_true_is_false. intro T. apply Qle_bool_iff, Qle_Rle in T. lra. } rewrite E. simpl. eauto. Qed.

(* chunks that wait, untouched, one of each of the first jobs *)
Definition waits c := landing c = 0 /\ left c = unit /\ ran c = [] /\ parts (of c) = D /\ arrival (of c) = 0.
Definition waiters i hub := map owner hub = seq 0 i /\ forall c, In c hub -> waits c.
Lemma waits_sound c : waits c -> sound c.
Proof. intros (_ & _ & _ & E & _). unfold sound. lia. Qed.
Lemma waiters_length i hub : waiters i hub -> length hub = i.
Proof. intros [E _]. rewrite <- (map_length owner), E, seq_length. auto. Qed.
Lemma counted_waiters i hub : waiters i hub -> counted D unit hub = (INR i * (INR unit / INR D))%R.
Proof.
  intro W. rewrite <- (waiters_length i hub W), <- (sum_const (INR unit / INR D)%R hub). apply sum_ext. intros c I. destruct W as [_ W]. destruct (W c I) as (_ & L & _ & P & _).
  unfold share. rewrite P, L. apply Rmin_left. unfold Rdiv. lra. Qed.
Lemma place_big i hub clouds : waiters i hub -> exists hub' clouds', place residual 1 i (big i) 0 (hub :: clouds) = hub' :: clouds' /\ waiters (S i) hub'.
Proof.
  intro W. pose proof W as [Wo Ww]. assert (SH : forall c, In c hub -> sound c) by (intros c I; apply waits_sound; auto).
  assert (DP : (0 < INR D)%R) by (apply lt_0_INR; lia). assert (U : (2 <= INR unit)%R) by (change 2%R with (INR 2); apply le_INR, unit2).
  destruct (to_hub i (big i) unit 0 hub clouds (i * unit + 1) eq_refl eq_refl ltac:(simpl; lia) SH) as [x E].
  { simpl parts. simpl time. rewrite (counted_waiters i hub W), !plus_INR, mult_INR. simpl (INR 1). apply Rmult_lt_reg_r with (INR D); auto.
    replace ((INR unit / INR D + INR i * (INR unit / INR D)) * INR D)%R with (INR unit + INR i * INR unit)%R by (field; lra).
    replace ((INR i * INR unit + 1 + INR unit) / INR D * INR D)%R with (INR i * INR unit + 1 + INR unit)%R by (field; lra). lra. }
  set (c := new 1 i (big i) 0 0 unit x) in *.
  assert (W' : waiters (S i) (hub ++ [c])).
  { split; [rewrite map_app, Wo, seq_S; auto|]. intros e I. apply in_app_or in I. destruct I as [I|[<-|[]]]; auto. repeat split; auto. }
  assert (It : forall k clouds, exists clouds', Nat.iter k (fun queues => snd (place_chunk i (big i) unit 0 queues)) ((hub ++ [c]) :: clouds) = (hub ++ [c]) :: clouds').
  { induction k as [|k IH]; intro cl; [simpl; eauto|]. destruct (IH cl) as [cl' Ek]. cbn [Nat.iter nat_rect]. simpl. unfold Nat.iter in Ek. rewrite Ek.
    destruct (to_cloud i (big i) unit 0 (hub ++ [c]) cl' (i * unit + 1) eq_refl eq_refl ltac:(simpl; lia)) as [q Eq].
    - intros e I. apply waits_sound, W', I.
    - simpl parts. simpl time. rewrite (counted_waiters (S i) _ W'), !plus_INR, mult_INR, (S_INR i). simpl (INR 1). apply Rmult_lt_reg_r with (INR D); auto.
      replace ((INR unit / INR D + (INR i + 1) * (INR unit / INR D)) * INR D)%R with (INR unit + (INR i + 1) * INR unit)%R by (field; lra).
      replace ((INR i * INR unit + 1 + INR unit) / INR D * INR D)%R with (INR i * INR unit + 1 + INR unit)%R by (field; lra). lra.
    - rewrite Eq. simpl. eauto. }
  unfold place. simpl cloud_time. simpl time in E. rewrite E. fold c. simpl time. destruct (It (parts (big i) - 1) clouds) as [cl Ec]. rewrite Ec. eauto. Qed.
Lemma run_none now (queues : list queue) : map (run 0 now) queues = queues.
Proof. apply map_id. Qed.
Lemma arrivals_big rest l : forall i hub clouds, waiters i hub -> exists hub' clouds',
  arrivals residual 1 i 0 (map big (seq i l) ++ rest) (hub :: clouds) = arrivals residual 1 (i + l) 0 rest (hub' :: clouds') /\ waiters (i + l) hub'.
Proof.
  induction l as [|l IH]; intros i hub clouds W; [simpl; rewrite Nat.add_0_r; eauto|]. cbn [seq map app arrivals]. change (arrival (big i)) with 0. rewrite Nat.sub_diag, run_none. change (a_online.run residual 0 0 hub) with hub.
  destruct (place_big i hub clouds W) as (hub1 & clouds1 & -> & W1). destruct (IH (S i) hub1 clouds1 W1) as (hub2 & clouds2 & -> & W2).
  replace (i + S l) with (S i + l) by lia. eauto. Qed.

(* short jobs preempt those that wait *)
Lemma slot_last now q s : ready now s = true -> (forall c, In c q -> ready now c = true -> residual s < residual c) -> slot now (q ++ [s]) = q ++ [trained now s].
Proof.
  intros R H. destruct (slot_spec residual now (q ++ [s])) as [[_ N] | (u & c & v & E & -> & Rc & A & _)].
  - rewrite N in R; [discriminate | apply in_or_app; simpl; auto].
  - specialize (A s ltac:(apply in_or_app; simpl; auto) R). destruct v as [|v0 v1] using rev_ind; [|clear IHv1; rename v1 into v'; rename v0 into x].
    + apply app_inj_tail in E. destruct E as [-> ->]. auto.
    + rewrite app_comm_cons, app_assoc in E. apply app_inj_tail in E. destruct E as [-> ->]. specialize (H c ltac:(apply in_or_app; simpl; auto) Rc). lia. Qed.
Lemma run_last r : forall t q s, (forall c, In c q -> left c = 0 \/ pause < residual c) -> parts (of s) = 1 -> landing s <= t -> left s <= pause -> r <= left s ->
  exists s', run r t (q ++ [s]) = q ++ [s'] /\ of s' = of s /\ owner s' = owner s /\ left s' = left s - r /\ (0 < r -> S (hd 0 (ran s')) = t + r).
Proof.
  induction r as [|r IH]; intros t q s H P L F R; [exists s; simpl; repeat split; auto; lia|]. cbn [a_online.run]. rewrite slot_last.
  - destruct (IH (S t) q (trained t s) H P ltac:(simpl; lia) ltac:(simpl; lia) ltac:(simpl; lia)) as (s' & E & A & B & C & G). exists s'. rewrite E. simpl in *. repeat split; auto; [lia|].
    intros _. destruct r as [|r]; [|rewrite G by lia; lia]. simpl in E. apply app_inv_head in E. injection E as <-. simpl. lia.
  - apply ready_spec. lia.
  - intros c I K. apply ready_spec in K. destruct (H c I) as [Z|Z]; [lia|]. unfold residual at 1. rewrite P. lia. Qed.
Definition is_done c := left c = 0 /\ ended c = arrival (of c) + pause /\ sound c.
Definition shorts k l := map owner l = seq waiting k /\ forall c, In c l -> is_done c.
Definition hub_with k hub := exists A B s, hub = (A ++ B) ++ [s] /\ waiters waiting A /\ shorts k B /\
  of s = short k /\ owner s = waiting + k /\ left s = pause /\ landing s = k * pause.
Lemma place_short k A B clouds : waiters waiting A -> shorts k B -> exists hub,
  place residual 1 (waiting + k) (short k) (k * pause) ((A ++ B) :: clouds) = hub :: clouds /\ hub_with k hub.
Proof.
  intros WA SB. assert (SH : forall c, In c (A ++ B) -> sound c).
  { intros c I. apply in_app_or in I. destruct I as [I|I]; [apply waits_sound, WA, I | apply SB, I]. }
  assert (DP : (0 < INR D)%R) by (apply lt_0_INR; lia). assert (PD : pause <= D * unit) by (unfold pause; nia). apply le_INR in PD. rewrite mult_INR in PD.
  assert (C : counted 1 pause (A ++ B) = (INR waiting * (INR pause / INR D))%R).
  { unfold counted. rewrite sum_app, (sum_ext _ (fun _ => (INR pause / INR D)%R) A), (sum_ext _ (fun _ => 0%R) B), sum_const, sum_zero, (waiters_length _ _ WA); [lra| |].
    - intros c I. destruct SB as [_ SB]. destruct (SB c I) as (Z & _ & Sc). rewrite Z. simpl (INR 0). pose proof (share_pos c Sc). pose proof (pos_INR pause).
      replace (0 / INR 1)%R with 0%R by (simpl; field). apply Rmin_right. nra.
    - intros c I. destruct WA as [_ WA]. destruct (WA c I) as (_ & Lc & _ & Pc & _). unfold share. rewrite Pc, Lc. apply Rmin_left. simpl (INR 1). replace (INR unit / 1)%R with (INR unit) by field.
      apply Rmult_le_reg_r with (INR D); auto. replace (INR pause / INR D * INR D)%R with (INR pause) by (field; lra). lra. }
  destruct (to_hub (waiting + k) (short k) pause (k * pause) (A ++ B) clouds (h * pause + 1) eq_refl eq_refl ltac:(simpl; lia) SH) as [x E].
  { change (parts (short k)) with 1. change (time (short k)) with pause. rewrite C, !plus_INR, mult_INR. unfold waiting. rewrite mult_INR. simpl (INR 1).
    replace (INR h * INR D * (INR pause / INR D))%R with (INR h * INR pause)%R by (field; lra). lra. }
  unfold place. change (cloud_time (short k)) with pause. rewrite E. simpl Nat.iter. eexists. split; [reflexivity|].
  exists A, B, (new 1 (waiting + k) (short k) (k * pause) 0 (time (short k)) x). split; [reflexivity|]. split; [exact WA|]. split; [exact SB|]. split; [reflexivity|].
  split; [reflexivity|]. split; [reflexivity|]. unfold new, delay_to. simpl. lia. Qed.
Lemma run_short k hub : hub_with k hub -> exists A B, run pause (k * pause) hub = A ++ B /\ waiters waiting A /\ shorts (S k) B.
Proof.
  intros (A & B & s & -> & WA & SB & Of & Ow & L & La). pose proof pause2 as P2.
  destruct (run_last pause (k * pause) (A ++ B) s) as (s' & E & Of' & Ow' & L' & G); auto; try lia.
  - intros c I. apply in_app_or in I. destruct I as [I|I]; [right | left; apply SB, I]. destruct WA as [_ WA]. destruct (WA c I) as (_ & Lc & _ & Pc & _). unfold residual. rewrite Lc, Pc. unfold pause. pose proof unit2. nia.
  - rewrite Of. auto.
  - rewrite E. exists A, (B ++ [s']). rewrite app_assoc. split; auto. split; auto. destruct SB as [Bo Bd]. split; [rewrite map_app, Bo, seq_S; simpl; rewrite Ow', Ow; auto|].
    intros c I. apply in_app_or in I. destruct I as [I|[<-|[]]]; auto. split; [lia|]. unfold ended. rewrite G, Of', Of by lia. split; [simpl; lia|]. unfold sound. rewrite Of', Of. simpl. lia. Qed.
Lemma arrivals_short l : forall k hub clouds, hub_with k hub -> exists hub' clouds',
  arrivals residual 1 (waiting + S k) (k * pause) (map short (seq (S k) l)) (hub :: clouds) = ((k + l) * pause, hub' :: clouds') /\ hub_with (k + l) hub'.
Proof.
  induction l as [|l IH]; intros k hub clouds H; [simpl; rewrite Nat.add_0_r; eauto|]. cbn [seq map arrivals]. change (arrival (short (S k))) with (S k * pause).
  replace (S k * pause - k * pause) with pause by lia. destruct (run_short k hub H) as (A & B & E & WA & SB). cbn [map]. rewrite E.
  destruct (place_short (S k) A B (map (run pause (k * pause)) clouds) WA SB) as (hub1 & -> & H1'). destruct (IH (S k) hub1 (map (run pause (k * pause)) clouds) H1') as (hub2 & clouds2 & E2 & H2).
  replace (k + S l) with (S k + l) by lia. exists hub2, clouds2. split; auto. rewrite <- E2. f_equal. lia. Qed.

(* what waits ends after all short jobs *)
Definition late T c := owner c < waiting -> arrival (of c) = 0 /\ (forall t, In t (ran c) -> T <= t) /\ (left c = 0 -> ran c <> []).
Lemma late_run T r : forall t q, T <= t -> (forall c, In c q -> late T c) -> forall c, In c (run r t q) -> late T c.
Proof.
  induction r as [|r IH]; intros t q L H; simpl; auto. apply IH; [lia|]. apply slot_all; auto. intros c Lc _ O. destruct (Lc O) as (A & B & _). simpl. split; auto. split; [intros u [<-|I]; auto | discriminate]. Qed.
Lemma done_run r : forall t q c, In c q -> left c = 0 -> In c (run r t q).
Proof.
  induction r as [|r IH]; intros t q c I Z; simpl; auto. apply IH; auto. destruct (slot_spec residual t q) as [[-> _] | (u & d & v & E & -> & R & _)]; auto.
  rewrite E in I. apply in_app_or in I. apply in_or_app. simpl in *. destruct I as [I|[->|I]]; auto. apply ready_spec in R. lia. Qed.
Lemma jct_at_least queues c : In c (concat queues) -> ended c - arrival (of c) <= jct queues (owner c).
Proof.
  intro I. unfold jct. pose proof (proj1 (list_max_le (map (fun c => ended c - arrival (of c)) (chunks_of (owner c) queues)) _) (le_n _)) as Mx. rewrite Forall_forall in Mx.
  apply Mx, in_map_iff. exists c. split; auto. apply filter_In. rewrite Nat.eqb_refl. auto. Qed.
Lemma list_sum_at_least v (f : nat -> nat) l : (forall i, In i l -> v <= f i) -> length l * v <= list_sum (map f l).
Proof. unfold list_sum. induction l as [|i l IH]; simpl; intro H; auto. specialize (IH (fun k K => H k (or_intror K))). specialize (H i (or_introl eq_refl)). lia. Qed.
Theorem stragglers_cost : (waiting + 1) * (n * pause) <= total_jct stragglers (a_online residual 1 stragglers).
Proof.
  assert (En : exists l, n = S l) by (exists (n - 1); lia). destruct En as [l En]. pose proof pause2 as P2. rewrite En at 1.
  assert (F : exists hub clouds, a_online residual 1 stragglers = map (fun q => run (time_left q) (l * pause) q) (hub :: clouds) /\ hub_with l hub).
  { unfold a_online, stragglers. rewrite En. simpl (repeat [] 1).
    destruct (arrivals_big (map short (seq 0 (S l))) waiting 0 [] []) as (hub & clouds & E & W); [split; [auto | intros c []]|].
    rewrite E. cbn [seq map arrivals]. change (arrival (short 0)) with 0. rewrite Nat.sub_diag. cbn [map]. change (run 0 0 hub) with hub. rewrite Nat.add_0_l in *.
    destruct (place_short 0 hub [] (map (run 0 0) clouds) W) as (hub1 & E1 & S1); [split; [auto | intros c []]|]. rewrite app_nil_r, Nat.add_0_r in E1. simpl (0 * pause) in E1. rewrite E1.
    destruct (arrivals_short l 0 hub1 (map (run 0 0) clouds) S1) as (hub2 & clouds2 & E2 & S2). rewrite Nat.add_1_r in E2. simpl (0 * pause) in E2. rewrite E2. exists hub2, clouds2. split; [reflexivity | exact S2]. }
  destruct F as (hub & clouds & E & Hw). rewrite E. clear E. set (queues := map _ (hub :: clouds)).
  destruct (run_short l hub Hw) as (A & B & Er & [Ao Aw] & [Bo Bd]). set (now := l * pause) in *.
  assert (TL : pause <= time_left hub).
  { destruct Hw as (X & Y & s & -> & _ & _ & _ & _ & L & _). unfold time_left. rewrite map_app, list_sum_app. cbn [map]. unfold list_sum at 2. simpl. lia. }
  set (final := run (time_left hub) now hub).
  assert (Ef : final = run (time_left hub - pause) (now + pause) (A ++ B)) by (unfold final; rewrite <- Er, <- run_more; f_equal; lia).
  assert (Fin : finished final) by (apply all_finish; auto). assert (In_ : forall c, In c final -> In c (concat queues)) by (intros c I; unfold queues; simpl; apply in_or_app; auto).
  assert (T1 : now + pause = S l * pause) by (unfold now; lia). rewrite T1 in Ef.
  assert (Late : forall c, In c final -> late (S l * pause) c).
  { rewrite Ef. apply late_run; auto. intros c I O. apply in_app_or in I. destruct I as [I|I].
    - destruct (Aw c I) as (_ & Lc & Rc & _ & Ac). split; auto. split; [rewrite Rc; intros t [] | rewrite Lc; pose proof unit2; lia].
    - exfalso. assert (J : In (owner c) (seq waiting (S l))) by (rewrite <- Bo; apply in_map; auto). apply in_seq in J. lia. }
  unfold total_jct. assert (Ln : length stragglers = waiting + S l) by (unfold stragglers; rewrite app_length, !map_length, !seq_length, En; auto).
  rewrite Ln, seq_app, map_app, list_sum_app, Nat.add_0_l.
  assert (G1 : waiting * (S l * pause) <= list_sum (map (jct queues) (seq 0 waiting))).
  { rewrite <- (seq_length waiting 0) at 1. apply list_sum_at_least. intros i I. assert (J : In i (map owner final)).
    { rewrite Ef, run_keeps, map_app, Ao by auto. apply in_or_app. auto. }
    apply in_map_iff in J. destruct J as (c & <- & J). apply in_seq in I. destruct (Late c J ltac:(lia)) as (Ac & Rc & Nc). specialize (Nc (Fin c J)).
    eapply Nat.le_trans; [|apply jct_at_least, In_, J]. rewrite Ac. unfold ended. destruct (ran c) as [|t r]; [congruence|]. specialize (Rc t (or_introl eq_refl)). simpl hd. lia. }
  assert (G2 : S l * pause <= list_sum (map (jct queues) (seq waiting (S l)))).
  { rewrite <- (seq_length (S l) waiting) at 1. apply list_sum_at_least. intros i I. rewrite <- Bo in I. apply in_map_iff in I. destruct I as (c & <- & I). destruct (Bd c I) as (Z & Ec & _).
    eapply Nat.le_trans; [|apply jct_at_least, In_; rewrite Ef; apply done_run; [apply in_or_app; right; exact I | exact Z]]. rewrite Ec. lia. }
  lia. Qed.

(* --- every job in the cloud, and the quotient ------------------------------------------------------------------------ *)

Definition starts j := arrival j + match cloud_delay j with Some d => d | None => 0 end.
Definition ends j := starts j + slow_cloud j.
Definition in_the_cloud t := [{| lasts := 1%R; serves := fun _ => None; clouds := fun i =>
  match nth_error stragglers i with Some j => if (starts j <=? t) && (t <? ends j) then parts j else 0 | None => 0 end |}].
Definition ended_at i := match nth_error stragglers i with Some j => INR (ends j) | None => 0%R end.
Lemma held_cloud t f i : In f (in_the_cloud t) -> lasts f = 1%R /\ edge_workers 1 f i = 0 /\
  held 1 f i = match nth_error stragglers i with Some j => if (starts j <=? t) && (t <? ends j) then parts j else 0 | None => 0 end.
Proof. intros [<-|[]]. auto. Qed.
Lemma window v x y t : x <= y -> sum (fun u => INR (if (x <=? u) && (u <? y) then v else 0)) (seq 0 t) = (INR v * INR (min t y - x))%R.
Proof.
  intro L. induction t as [|t IH]; [simpl; lra|]. rewrite seq_S, sum_app, IH. cbn [sum]. rewrite Nat.add_0_l.
  destruct (Nat.leb_spec x t), (Nat.ltb_spec t y); cbn [andb].
  - rewrite (Nat.min_l t), (Nat.min_l (S t)) by lia. rewrite (Nat.sub_succ_l x t), S_INR by auto. lra.
  - rewrite !Nat.min_r by lia. simpl (INR 0). lra.
  - replace (min (S t) y - x) with (min t y - x) by lia. simpl (INR 0). lra.
  - replace (min (S t) y - x) with (min t y - x) by lia. simpl (INR 0). lra. Qed.
Lemma straggler_is j : In j stragglers -> (exists i, i < waiting /\ j = big i) \/ exists k, k < n /\ j = short k.
Proof.
  intro I. apply in_app_or in I. destruct I as [I|I]; apply in_map_iff in I; destruct I as (k & <- & I); apply in_seq in I; [left | right]; exists k; split; auto; lia. Qed.
Theorem cloud_feasible : exists slots, feasible 1 stragglers slots in_the_cloud ended_at.
Proof.
  exists (list_max (map ends stragglers)). split; [intros t f I; destruct (held_cloud t f 0 I) as [-> _]; lra|]. split; [intro t; simpl; lra|]. intros i j E.
  assert (CD : exists d, cloud_delay j = Some d) by (destruct (straggler_is j (nth_error_In _ _ E)) as [(x & _ & ->)|(x & _ & ->)]; simpl; eauto).
  assert (Le : ends j <= list_max (map ends stragglers)).
  { pose proof (proj1 (list_max_le (map ends stragglers) _) (le_n _)) as Mx. rewrite Forall_forall in Mx. apply Mx, in_map, (nth_error_In _ _ E). }
  destruct CD as [d Cd]. split; [|split; [|split; [|split]]].
  - intros t f I. destruct (held_cloud t f i I) as (_ & _ & ->). rewrite E. destruct (_ && _); lia.
  - intros t f w [<-|[]] _. discriminate.
  - intros t f [<-|[]]. simpl. rewrite E. destruct (Nat.leb_spec (starts j) t) as [L|L]; simpl; [|lia]. intros _. exists d. split; auto. unfold starts in L. rewrite Cd in L. auto.
  - right. split; [intros t f I; apply (held_cloud t f i I)|]. right. unfold worked.
    rewrite (sum_ext _ (fun u => INR (if (starts j <=? u) && (u <? ends j) then parts j else 0))).
    + rewrite window, Nat.min_r by (unfold ends in *; lia). rewrite mult_INR. do 2 f_equal. unfold ends. lia.
    + intros t _. cbn [in_the_cloud sum]. destruct (held_cloud t _ i (or_introl eq_refl)) as (-> & _ & ->). rewrite E. lra.
  - intros t _. cbn [in_the_cloud ends_by]. split; auto. destruct (held_cloud t _ i (or_introl eq_refl)) as (-> & _ & ->). unfold ended_at. rewrite E.
    destruct (Nat.leb_spec (starts j) t); simpl; auto. destruct (Nat.ltb_spec t (ends j)) as [L|L]; auto. right. rewrite <- S_INR. apply le_INR. lia. Qed.
Lemma cloud_cost : (opt_cost stragglers ended_at <= INR waiting * (INR waiting * INR unit + INR (2 * a)) + INR n * INR (h * pause + 1 + (D - 1) * (2 * a)))%R.
Proof.
  unfold opt_cost, numbered. rewrite (sum_ext _ (fun x => INR (ends (snd x) - arrival (snd x)))).
  - assert (Snd : forall (f : job -> R) l k, sum (fun x => f (snd x)) (combine (seq k (length l)) l) = sum f l) by (intros f; induction l as [|j l IH]; intro k; simpl; auto; rewrite IH; auto).
    rewrite (Snd (fun j => INR (ends j - arrival j))). unfold stragglers. rewrite sum_app, !sum_map. apply Rplus_le_compat.
    + rewrite <- (seq_length waiting 0) at 2. rewrite <- sum_const. apply sum_le. intros i I. apply in_seq in I. rewrite <- mult_INR, <- plus_INR. apply le_INR.
      pose proof unit2. assert (S i * unit <= waiting * unit) by (apply Nat.mul_le_mono_r; lia). simpl in H0. unfold ends, starts. simpl. lia.
    + rewrite <- (seq_length n 0) at 2. rewrite <- sum_const. apply sum_le. intros k _. apply le_INR. unfold ends, starts. cbn [arrival cloud_delay slow_cloud short].
      generalize ((D - 1) * (2 * a)) (k * pause) (h * pause). lia.
  - intros [i j] I. assert (E : nth_error stragglers i = Some j).
    { assert (G : forall l k, In (i, j) (combine (seq k (length l)) l) -> k <= i /\ nth_error l (i - k) = Some j).
      { induction l as [|y l IH]; simpl; intros k J; [tauto|]. destruct J as [J|J]; [injection J as -> ->; rewrite Nat.sub_diag; auto|].
        destruct (IH _ J) as [L E]. split; [lia|]. replace (i - k) with (S (i - S k)) by lia. auto. }
      destruct (G _ _ I) as [_ E]. rewrite Nat.sub_0_r in E. auto. }
    unfold ended_at. rewrite E. simpl. rewrite minus_INR; auto. unfold ends, starts. lia. Qed.
Theorem dmax_quotient : let eps := (INR a / INR b - 1)%R in
  ((INR waiting + 1) / (INR h + 2 + eps + 3 * INR h * (INR waiting + 1 + eps) / INR n) * opt_cost stragglers ended_at <= INR (total_jct stragglers (a_online residual 1 stragglers)))%R.
Proof.
  intro eps. pose proof stragglers_cost as A. apply le_INR in A. pose proof cloud_cost as O. rewrite !mult_INR, plus_INR in A. simpl (INR 1) in A.
  assert (b0 : (0 < INR b)%R) by (apply lt_0_INR; auto). assert (n0 : (1 <= INR n)%R) by (change 1%R with (INR 1); apply le_INR; auto).
  assert (h0 : (1 <= INR h)%R) by (change 1%R with (INR 1); apply le_INR; auto). assert (P2 : (2 <= INR pause)%R) by (change 2%R with (INR 2); apply le_INR, pause2).
  set (s := (INR a / INR b)%R). assert (s0 : (0 < s)%R) by (apply Rdiv_lt_0_compat; auto; apply lt_0_INR; lia).
  assert (Slow : INR (2 * a) = (s * INR unit)%R) by (unfold s, unit; rewrite !mult_INR; field; lra).
  assert (Pause : INR ((D - 1) * (2 * a)) = (s * INR pause)%R) by (rewrite mult_INR, Slow; unfold pause; rewrite mult_INR; ring).
  assert (m0 : (0 <= INR waiting)%R) by apply pos_INR. assert (Mq : (INR waiting * INR unit <= 2 * (INR h * INR pause))%R).
  { rewrite <- !mult_INR. change 2%R with (INR 2). rewrite <- mult_INR. apply le_INR. unfold waiting, pause. nia. }
  rewrite !plus_INR, Pause, Slow, mult_INR in O. simpl (INR 1) in O. replace (INR h + 2 + eps)%R with (INR h + 1 + s)%R by (unfold eps; fold s; ring).
  replace (INR waiting + 1 + eps)%R with (INR waiting + s)%R by (unfold eps; fold s; ring).
  set (m := INR waiting) in *. set (N := INR n) in *. set (H := INR h) in *. set (X := INR pause) in *. set (q := INR unit) in *.
  set (K := (H + 1 + s + 3 * H * (m + s) / N)%R).
  assert (K0 : (0 < K)%R). { assert (0 <= 3 * H * (m + s) / N)%R by (unfold Rdiv; apply Rmult_le_pos; [nra | left; apply Rinv_0_lt_compat; lra]). unfold K. lra. }
  assert (Opt : (opt_cost stragglers ended_at <= K * (N * X))%R).
  { eapply Rle_trans; [apply O|]. replace (K * (N * X))%R with (N * X * (H + 1 + s) + 3 * (H * X) * (m + s))%R by (unfold K; field; lra).
    assert (m * q * (m + s) <= 2 * (H * X) * (m + s))%R by (apply Rmult_le_compat_r; lra). assert (0 <= H * X * (m + s))%R by (apply Rmult_le_pos; [apply Rmult_le_pos|]; lra).
    assert (N * 1 <= N * X)%R by (apply Rmult_le_compat_l; lra). lra. }
  apply Rle_trans with ((m + 1) / K * (K * (N * X)))%R.
  - apply Rmult_le_compat_l; auto. unfold Rdiv. apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; auto].
  - replace ((m + 1) / K * (K * (N * X)))%R with ((m + 1) * (N * X))%R by (field; lra). lra. Qed.
Lemma ordered {A} (P : A -> A -> Prop) (f : nat -> A) k : (forall i j, i < j -> P (f i) (f j)) -> forall x, ForallOrdPairs P (map f (seq x k)).
Proof.
  intro H. induction k as [|k IH]; intro x; simpl; constructor; auto. apply Forall_forall. intros y I. apply in_map_iff in I. destruct I as (j & <- & I). apply in_seq in I. apply H. lia. Qed.
Lemma ordered_app {A} (P : A -> A -> Prop) l k : ForallOrdPairs P l -> ForallOrdPairs P k -> (forall x y, In x l -> In y k -> P x y) -> ForallOrdPairs P (l ++ k).
Proof.
  intros L K H. induction L as [|x l F L IH]; simpl; auto. constructor; [apply Forall_app; split; auto; apply Forall_forall; intros y I; apply H; simpl; auto | apply IH; intros; apply H; simpl; auto]. Qed.
Theorem stragglers_arrive (P : job -> job -> Prop) : (forall j k, In j stragglers -> In k stragglers -> arrival j <= arrival k -> P j k) -> ForallOrdPairs P stragglers.
Proof.
  intro H. assert (S : forall l, incl l stragglers -> ForallOrdPairs (fun j k => arrival j <= arrival k) l -> ForallOrdPairs P l).
  { intros l I O. induction O as [|j l F O IH]; constructor; [|apply IH; intros x X; apply I; simpl; auto].
    rewrite Forall_forall in *. intros k K. apply H; [apply I; simpl; auto | apply I; simpl; auto | apply F; auto]. }
  apply S; [apply incl_refl|]. unfold stragglers. apply ordered_app.
  - apply ordered. simpl. lia.
  - apply ordered. intros i j L. simpl. nia.
  - intros x y I _. apply in_map_iff in I. destruct I as (i & <- & _). simpl. lia. Qed.
End Family.
(* For every speed a/b above 1, D, h and n there are such jobs of at most D chunks; with n = h^3 the quotient tends to D. *)
Theorem theorem3_dmax : forall a b D h n, 0 < b < a -> 2 <= D -> 1 <= h -> 1 <= n -> let eps := (INR a / INR b - 1)%R in exists jobs,
  in_arrival_order jobs /\ lands_in_order 1 jobs /\ (forall j, In j jobs -> usable 1 j /\ never_split j /\ at_speed eps j /\ parts j <= D) /\
  exists slots plan finish, feasible 1 jobs slots plan finish /\
  ((INR (h * D) + 1) / (INR h + 2 + eps + 3 * INR h * (INR (h * D) + 1 + eps) / INR n) * opt_cost jobs finish <= INR (total_jct jobs (a_online residual 1 jobs)))%R.
Proof.
  intros a b D h n [B0 Sp] D2 H1 N1 eps. exists (stragglers a b D h n). pose proof (straggler_is a b D h n B0 Sp D2 H1 N1) as Is.
  split; [apply stragglers_arrive; auto|]. split.
  - apply stragglers_arrive; auto. intros j k J K L w d e W R1 R2. destruct w; [|lia].
    destruct (Is j J) as [(x & _ & ->)|(x & _ & ->)], (Is k K) as [(y & _ & ->)|(y & _ & ->)]; simpl in *; injection R1 as <-; injection R2 as <-; lia.
  - split.
    + intros j J. assert (b0 : (0 < INR b)%R) by (apply lt_0_INR; auto).
      assert (U : INR (2 * a) = ((1 + eps) * INR (unit b))%R) by (unfold eps, unit; rewrite !mult_INR; field; lra).
      assert (P : 0 < unit b /\ 0 < pause b D) by (unfold pause, unit; nia).
      assert (Q : INR ((D - 1) * (2 * a)) = ((1 + eps) * INR (pause b D))%R) by (rewrite mult_INR, U; unfold pause; rewrite mult_INR; ring).
      destruct (Is j J) as [(x & _ & ->)|(x & _ & ->)]; (split; [split; [simpl; lia | left; discriminate] | split; [right; right; auto | split; [split; auto | simpl; lia]]]).
    + destruct (cloud_feasible a b D h n B0 Sp D2 H1 N1) as [slots F]. exists slots, (in_the_cloud a b D h n), (ended_at a b D h n). split; auto.
      apply (dmax_quotient a b D h n B0 Sp D2 H1 N1). Qed.
