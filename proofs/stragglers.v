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
End Family.
