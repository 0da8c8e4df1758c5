(* preemptive: a worker's list under A_online, slot by slot: what a slot trains, what a further chunk costs (Lemma 4), and the rows
   of Lemma 2, in the residual order, if chunks land in the order of placement or all jobs have equally many chunks. *)
From Schedproof Require Import sums levels a_online.
From Coq Require Import Arith QArith Qreals Permutation.
Open Scope R_scope.
Open Scope nat_scope.

(* --- a slot --------------------------------------------------------------------------------------------------------- *)

Section Any_order.
Variable rank : chunk -> nat.
Notation slot := (slot rank). Notation least := (least rank). Notation run := (run rank). Notation serve := (serve rank).

Lemma least_app now a b : least now (a ++ b) =
  match least now a, least now b with Some r, Some s => Some (min r s) | Some r, None => Some r | None, s => s end.
Proof.
  induction a as [|c a IH]; simpl; [destruct (least now b); auto|]. rewrite IH.
  destruct (ready now c), (least now a), (least now b); auto; f_equal; lia. Qed.
Lemma least_none now q : least now q = None -> forall c, In c q -> ready now c = false.
Proof. induction q as [|c q IH]; simpl; [tauto|]. destruct (ready now c) eqn:E; [discriminate|]. intros N d [<-|I]; auto. Qed.
Lemma none_least now q : (forall c, In c q -> ready now c = false) -> least now q = None.
Proof. induction q as [|c q IH]; simpl; intro H; auto. rewrite (H c) by auto. auto. Qed.
Lemma serve_none now r q : least now q = None -> serve now r q = q.
Proof. induction q as [|c q IH]; simpl; auto. destruct (ready now c); [discriminate|]. simpl. intro H. rewrite IH; auto. Qed.
Lemma serve_less now r q : (forall s, least now q = Some s -> r < s) -> serve now r q = q.
Proof.
  induction q as [|c q IH]; simpl; auto. intro H. destruct (ready now c); simpl.
  - specialize (H _ eq_refl). destruct (Nat.eqb_spec (rank c) r) as [E|N]; [destruct (least now q); lia|].
    rewrite IH; auto. intros s E. rewrite E in H. lia.
  - rewrite IH; auto. Qed.
Lemma serve_spec now r q : least now q = Some r -> exists u c v, q = u ++ c :: v /\ serve now r q = u ++ trained now c :: v /\ ready now c = true /\
  rank c = r /\ (forall d, In d q -> ready now d = true -> r <= rank d) /\ forall d, In d u -> ready now d = true -> r < rank d.
Proof.
  revert r. induction q as [|c q IH]; simpl; intros r E; [discriminate|]. destruct (ready now c) eqn:R; simpl.
  - injection E as E. destruct (Nat.eqb_spec (rank c) r) as [K|K].
    + exists [], c, q. repeat split; auto; [|intros d []]. intros d [<-|I] Rd; [lia|]. destruct (least now q) as [s|] eqn:L.
      * destruct (IH s eq_refl) as (_ & _ & _ & _ & _ & _ & _ & A & _). specialize (A d I Rd). lia.
      * rewrite (least_none now q L d I) in Rd. discriminate.
    + destruct (least now q) as [s|]; [|lia]. assert (s = r) as -> by lia. destruct (IH r eq_refl) as (u & d & v & -> & S & Rd & K' & A & B).
      exists (c :: u), d, v. rewrite S. repeat split; auto; intros x [<-|I] Rx; auto; lia.
  - destruct (IH r E) as (u & d & v & -> & S & Rd & K' & A & B). exists (c :: u), d, v. rewrite S.
    repeat split; auto; intros x [<-|I] Rx; auto; congruence. Qed.
Theorem slot_spec now q : (slot now q = q /\ forall c, In c q -> ready now c = false) \/
  exists u c v, q = u ++ c :: v /\ slot now q = u ++ trained now c :: v /\ ready now c = true /\
    (forall d, In d q -> ready now d = true -> rank c <= rank d) /\ forall d, In d u -> ready now d = true -> rank c < rank d.
Proof.
  unfold a_online.slot. destruct (least now q) as [r|] eqn:E; [right | left; split; auto; apply least_none; auto].
  destruct (serve_spec now r q E) as (u & c & v & Q & S & R & K & A & B). exists u, c, v. rewrite K. auto 6. Qed.
(* of two parts of a list, the one that has the chunk of the highest rate is served *)
Theorem slot_app now a b : slot now (a ++ b) = slot now a ++ b \/
  slot now (a ++ b) = a ++ slot now b /\ exists c, In c b /\ ready now c = true.
Proof.
  unfold a_online.slot. rewrite least_app.
  assert (SA : forall r, serve now r (a ++ b) = if existsb (fun c => ready now c && (rank c =? r)) a then serve now r a ++ b else a ++ serve now r b).
  { intro r. induction a as [|c a IH]; simpl; auto. destruct (ready now c && (rank c =? r)); simpl; auto. rewrite IH.
    destruct (existsb _ a); auto. }
  assert (EX : forall r q, least now q = Some r -> existsb (fun c => ready now c && (rank c =? r)) q = true).
  { intros r q E. destruct (serve_spec now r q E) as (u & c & v & -> & _ & R & K & _). apply existsb_exists. exists c.
    rewrite R, K, Nat.eqb_refl. split; auto. apply in_or_app. simpl. auto. }
  assert (NX : forall r q, (forall s, least now q = Some s -> r < s) -> existsb (fun c => ready now c && (rank c =? r)) q = false).
  { intros r q H. apply Bool.not_true_is_false. intro X. apply existsb_exists in X. destruct X as (c & I & X). apply andb_prop in X. destruct X as [R K].
    apply Nat.eqb_eq in K. destruct (least now q) as [s|] eqn:E; [|rewrite (least_none now q E c I) in R; discriminate].
    destruct (serve_spec now s q E) as (_ & _ & _ & _ & _ & _ & _ & A & _). specialize (A c I R). specialize (H s eq_refl). lia. }
  assert (RB : forall s, least now b = Some s -> exists c, In c b /\ ready now c = true).
  { intros s E. destruct (serve_spec now s b E) as (u & c & v & -> & _ & R & _). exists c. split; auto. apply in_or_app. simpl. auto. }
  destruct (least now a) as [r|] eqn:A, (least now b) as [s|] eqn:B.
  - rewrite SA. destruct (le_lt_dec r s) as [L|L].
    + rewrite Nat.min_l by auto. rewrite (EX r a A). auto.
    + rewrite Nat.min_r by lia. rewrite NX by (intros x E; congruence || (rewrite A in E; injection E as <-; auto)). right. split; auto. apply (RB s); auto.
  - rewrite SA, (EX r a A). auto.
  - rewrite SA, NX by (intros x E; congruence). right. split; auto. apply (RB s); auto.
  - auto. Qed.
Lemma slot_first now a b : (forall c, In c b -> ready now c = false) -> slot now (a ++ b) = slot now a ++ b.
Proof. intro H. destruct (slot_app now a b) as [E|(_ & c & I & R)]; auto. rewrite (H c I) in R. discriminate. Qed.
Lemma run_more n : forall m now q, run (n + m) now q = run m (now + n) (run n now q).
Proof. induction n as [|n IH]; intros m now q; simpl; [f_equal; lia|]. rewrite IH. f_equal; lia. Qed.

(* what no slot changes, and what becomes of each chunk *)
Lemma slot_keeps {A} (f : chunk -> A) now q : (forall t c, f (trained t c) = f c) -> map f (slot now q) = map f q.
Proof. intro H. destruct (slot_spec now q) as [[-> _] | (u & c & v & -> & -> & _)]; auto. rewrite !map_app. simpl. rewrite H. auto. Qed.
Lemma slot_all (P : chunk -> Prop) now q : (forall c, P c -> ready now c = true -> P (trained now c)) -> (forall c, In c q -> P c) -> forall c, In c (slot now q) -> P c.
Proof.
  intros T H c I. destruct (slot_spec now q) as [[E _] | (u & d & v & -> & E & R & _)]; rewrite E in I; auto.
  apply in_app_or in I. simpl in I. destruct I as [I|[<-|I]]; [apply H, in_or_app; auto | apply T; auto; apply H, in_or_app; simpl; auto | apply H, in_or_app; simpl; auto]. Qed.
Lemma run_all (P : chunk -> Prop) : (forall t c, P c -> P (trained t c)) -> forall n now q, (forall c, In c q -> P c) -> forall c, In c (run n now q) -> P c.
Proof. intros T n. induction n as [|n IH]; intros now q H; simpl; auto. apply IH. apply slot_all; auto. Qed.
End Any_order.

(* --- the sums of a list --------------------------------------------------------------------------------------------- *)

Open Scope R_scope.
Definition share c := / INR (parts (of c)).
Definition open c := if pending c then share c else 0.
(* beta now; and the sum of (c - r)/D, until now for what is unfinished *)
Definition beta q := sum open q.
Definition age now c := if pending c then INR now - INR (arrival (of c)) else INR (ended c) - INR (arrival (of c)).
Definition aged now q := sum (fun c => share c * age now c) q.
Lemma pending_spec c : reflect (0 < left c)%nat (pending c).
Proof. apply Nat.ltb_spec0. Qed.
Lemma ready_spec now c : ready now c = true <-> (landing c <= now /\ 0 < left c)%nat.
Proof. unfold ready, pending. rewrite Bool.andb_true_iff, Nat.leb_le, Nat.ltb_lt. tauto. Qed.
Lemma age_trained now c : ready now c = true -> age (S now) (trained now c) = age now c + 1.
Proof.
  intro R. apply ready_spec in R. unfold age. destruct (pending_spec c) as [Q|Q]; [|lia]. destruct (pending_spec (trained now c)) as [P|P].
  - change (of (trained now c)) with (of c). rewrite S_INR. lra.
  - change (of (trained now c)) with (of c). change (ended (trained now c)) with (S now). rewrite S_INR. lra. Qed.
Lemma age_waits now c : share c * age (S now) c = share c * age now c + open c.
Proof. unfold age, open. rewrite S_INR. destruct (pending c); lra. Qed.
Theorem aged_slot rank now q : aged (S now) (slot rank now q) = aged now q + beta q.
Proof.
  assert (W : forall l, aged (S now) l = aged now l + beta l).
  { intro l. unfold aged, beta. rewrite <- sum_plus. apply sum_ext. intros. apply age_waits. }
  destruct (slot_spec rank now q) as [[-> _] | (u & c & v & -> & -> & R & _)]; auto.
  unfold aged, beta in *. rewrite !sum_app. cbn [sum]. rewrite (W u), (W v), age_trained by auto.
  assert (O : open c = share c) by (apply andb_prop in R; destruct R as [_ R]; unfold open; rewrite R; auto).
  change (share (trained now c)) with (share c). lra. Qed.

(* --- (5) in the residual order -------------------------------------------------------------------------------------- *)

Notation slot := (slot residual). Notation run := (run residual).
Definition sound c := (0 < parts (of c))%nat.
(* what (5) counts of the other chunks: of each, what is left of it, or the time by which it is postponed *)
Definition counted D p q := sum (fun c => Rmin (INR p * share c) (INR (left c) / INR D)) q.
Lemma share_pos c : sound c -> 0 < share c.
Proof. intro S. apply Rinv_0_lt_compat, lt_0_INR. auto. Qed.
Lemma Q2R_rational n : Q2R (rational n) = INR n.
Proof. unfold rational, Q2R. simpl. rewrite INR_IZR_INZ. lra. Qed.
Lemma rational_pos n : (0 < n)%nat -> ~ (rational n == 0)%Q.
Proof. intros P E. apply Qeq_eqR in E. rewrite Q2R_rational in E. unfold Q2R in E. simpl in E. apply lt_INR in P. simpl in P. lra. Qed.
Theorem price_is D p now d q : (0 < D)%nat -> (forall c, In c q -> sound c) ->
  Q2R (price residual D p now d q) = INR (d + p) / INR D + counted D p (run d now q).
Proof.
  intros HD S. unfold price. assert (S' : forall c, In c (run d now q) -> sound c) by (apply run_all; auto).
  set (l := run d now q) in *. clearbody l. rewrite Q2R_plus, Q2R_div, Q2R_mult, !Q2R_rational, !plus_INR by (apply rational_pos; auto).
  assert (P : 0 < INR D) by (apply lt_0_INR; auto).
  enough (E : INR (list_sum (map left (filter (fun c => residual c <=? p * D) (filter pending l)))) / INR D +
    INR p * Q2R (fold_right (fun c total => Qred (over_parts c + total)) 0%Q (filter (fun c => negb (residual c <=? p * D)) (filter pending l))) = counted D p l).
  { unfold Rdiv in *. rewrite <- E. ring. }
  induction l as [|c l IH]; [unfold counted; simpl; unfold Q2R; simpl; field; lra|].
  specialize (IH (fun c I => S' c (or_intror I))). specialize (S' c (or_introl eq_refl)). unfold counted in *. cbn [filter sum].
  assert (HS : 0 < INR (parts (of c))) by (apply lt_0_INR; auto). pose proof (pos_INR p) as P0.
  destruct (pending_spec c) as [L|L]; cbn [filter].
  - destruct (Nat.leb_spec (residual c) (p * D)) as [K|K]; cbn [negb filter map list_sum fold_right]; unfold residual in K.
    + change (list_sum (left c :: ?l)) with (left c + list_sum l)%nat. rewrite plus_INR, <- IH. unfold list_sum. rewrite Rmin_right; [unfold Rdiv; ring|].
      apply le_INR in K. rewrite !mult_INR in K. unfold share. apply Rmult_le_reg_r with (INR D * INR (parts (of c))); [nra|].
      replace (INR (left c) / INR D * (INR D * INR (parts (of c)))) with (INR (left c) * INR (parts (of c))) by (field; lra).
      replace (INR p * / INR (parts (of c)) * (INR D * INR (parts (of c)))) with (INR p * INR D) by (field; lra). auto.
    + rewrite (Qeq_eqR _ _ (Qred_correct _)), Q2R_plus, <- IH. unfold over_parts at 1. rewrite Q2R_inv, Q2R_rational by (apply rational_pos; auto).
      fold (share c). rewrite Rmin_left; [ring|].
      apply lt_INR in K. rewrite !mult_INR in K. unfold share. apply Rmult_le_reg_r with (INR D * INR (parts (of c))); [nra|].
      replace (INR (left c) / INR D * (INR D * INR (parts (of c)))) with (INR (left c) * INR (parts (of c))) by (field; lra).
      replace (INR p * / INR (parts (of c)) * (INR D * INR (parts (of c)))) with (INR p * INR D) by (field; lra). lra.
  - assert (left c = 0)%nat as -> by lia. rewrite <- IH. simpl (INR 0). rewrite Rmin_right; [unfold Rdiv; ring|].
    replace (0 / INR D) with 0 by (unfold Rdiv; ring). apply Rmult_le_pos; auto. left. apply share_pos; auto. Qed.

(* --- a further chunk, where chunks land in order: what a list of landed chunks will still cost (Smith) --------------- *)

Definition pair c d := Rmin (INR (left c) * share d) (INR (left d) * share c).
Fixpoint smith q := match q with [] => 0 | c :: q => share c * INR (left c) + sum (pair c) q + smith q end.
Lemma smith_mid c v : forall u, smith (u ++ c :: v) = smith (u ++ v) + share c * INR (left c) + sum (pair c) (u ++ v).
Proof.
  induction u as [|d u IH]; simpl; [lra|]. rewrite IH, !sum_app. cbn [sum]. assert (pair d c = pair c d) as -> by apply Rmin_comm. lra. Qed.
Lemma smith_slot now q : (forall c, In c q -> (landing c <= now)%nat /\ sound c) -> smith q = beta q + smith (slot now q).
Proof.
  intro H. destruct (slot_spec residual now q) as [[-> N] | (u & c & v & E & -> & R & A & _)].
  - assert (Z : beta q = 0); [|lra]. unfold beta. rewrite (sum_ext _ (fun _ => 0)); [apply sum_zero|]. intros c I. unfold open.
    specialize (N c I). destruct (H c I) as [L _]. unfold ready in N. apply Nat.leb_le in L. rewrite L in N. simpl in N. rewrite N. auto.
  - assert (HS : sound c) by (apply H; rewrite E; apply in_or_app; simpl; auto).
    assert (B : beta q = share c + sum open (u ++ v)).
    { unfold beta. rewrite E, !sum_app. cbn [sum]. apply andb_prop in R. destruct R as [_ R]. unfold open at 2. rewrite R. lra. }
    rewrite B, E, !smith_mid. change (share (trained now c)) with (share c). apply ready_spec in R. simpl (left (trained now c)).
    rewrite minus_INR by lia. simpl (INR 1).
    enough (G : sum (pair c) (u ++ v) = sum open (u ++ v) + sum (pair (trained now c)) (u ++ v)) by lra.
    rewrite <- sum_plus. apply sum_ext. intros d I.
    assert (J : In d q) by (rewrite E; apply in_app_or in I; apply in_or_app; simpl; tauto). destruct (H d J) as [Ld Sd].
    pose proof (share_pos c HS). pose proof (share_pos d Sd). assert (1 <= INR (left c)) by (change 1 with (INR 1); apply le_INR; lia).
    unfold pair, open. change (share (trained now c)) with (share c). simpl (left (trained now c)). rewrite minus_INR by lia. simpl (INR 1).
    destruct (pending_spec d) as [P|P].
    + assert (K : INR (left c) * share d <= INR (left d) * share c).
      { specialize (A d J ltac:(apply ready_spec; auto)). unfold residual in A. apply le_INR in A. rewrite !mult_INR in A.
        assert (0 < INR (parts (of c))) by (apply lt_0_INR; auto). assert (0 < INR (parts (of d))) by (apply lt_0_INR; auto). unfold share in *.
        apply Rmult_le_reg_r with (INR (parts (of c)) * INR (parts (of d))); [nra|].
        replace (INR (left c) * / INR (parts (of d)) * (INR (parts (of c)) * INR (parts (of d)))) with (INR (left c) * INR (parts (of c))) by (field; lra).
        replace (INR (left d) * / INR (parts (of c)) * (INR (parts (of c)) * INR (parts (of d)))) with (INR (left d) * INR (parts (of d))) by (field; lra). auto. }
      rewrite !Rmin_left by nra. lra.
    + assert (left d = 0)%nat as -> by lia. simpl (INR 0). rewrite !Rmin_right by nra. lra. Qed.
Definition finished (q : queue) := forall c, In c q -> left c = 0%nat.
Lemma smith_nonneg q : (forall c, In c q -> sound c) -> 0 <= smith q.
Proof.
  induction q as [|c q IH]; simpl; intro H; [lra|]. specialize (IH ltac:(auto)). pose proof (share_pos c (H c (or_introl eq_refl))) as P. pose proof (pos_INR (left c)).
  assert (0 <= sum (pair c) q); [|nra]. apply sum_nonneg. intros d I. pose proof (share_pos d (H d (or_intror I))). pose proof (pos_INR (left d)).
  unfold pair. apply Rmin_glb; nra. Qed.
Lemma smith_finished q : finished q -> smith q = 0.
Proof.
  induction q as [|c q IH]; simpl; intro H; auto. rewrite (H c (or_introl eq_refl)), IH by (intros d I; apply H; simpl; auto).
  rewrite (sum_ext _ (fun _ => 0)), sum_zero; [simpl; lra|]. intros d I. unfold pair. rewrite (H c (or_introl eq_refl)), (H d (or_intror I)). simpl. rewrite !Rmult_0_l. apply Rmin_left; lra. Qed.
Lemma smith_run n : forall now q, (forall c, In c q -> (landing c <= now)%nat /\ sound c) ->
  aged (now + n) (run n now q) + smith (run n now q) = aged now q + smith q.
Proof.
  induction n as [|n IH]; intros now q H; simpl; [rewrite Nat.add_0_r; auto|]. replace (now + S n)%nat with (S now + n)%nat by lia.
  rewrite IH, aged_slot, (smith_slot now q H); [lra|]. apply slot_all.
  - intros c [L S] _. split; auto.
  - intros c I. destruct (H c I). split; auto. Qed.
Lemma run_first rank n : forall now a b, (forall c, In c b -> (now + n <= landing c)%nat) -> a_online.run rank n now (a ++ b) = a_online.run rank n now a ++ b.
Proof.
  induction n as [|n IH]; intros now a b H; simpl; auto. rewrite slot_first, IH; auto; intros c I; specialize (H c I); [lia|].
  unfold ready. destruct (Nat.leb_spec (landing c) now); [lia | auto]. Qed.

(* a chunk c of time p joins the list at r and lands at r + d *)
Definition joins c r d p := landing c = (r + d)%nat /\ arrival (of c) = r /\ left c = p /\ (0 < p)%nat /\ sound c.
Lemma landing_slot now q : map landing (slot now q) = map landing q.
Proof. apply slot_keeps. auto. Qed.
Lemma aged_app now a b : aged now (a ++ b) = aged now a + aged now b.
Proof. apply sum_app. Qed.
Theorem further_in_order c r d p q n : joins c r d p -> (forall e, In e q -> (landing e <= r + d)%nat /\ sound e) ->
  finished (run n r q) -> finished (run n r (q ++ [c])) ->
  aged (r + n) (run n r (q ++ [c])) <= aged (r + n) (run n r q) + (share c * INR (d + p) + counted (parts (of c)) p (run d r q)).
Proof.
  intros (L & A & P & P0 & S) H F G. assert (first : forall m, (m <= d)%nat -> run m r (q ++ [c]) = run m r q ++ [c]).
  { intros m M. apply run_first. intros e [<-|[]]. lia. }
  destruct (le_lt_dec d n) as [N|N].
  2: { rewrite first in G by lia. specialize (G c ltac:(apply in_or_app; simpl; auto)). lia. }
  replace n with (d + (n - d))%nat in * by lia. set (m := (n - d)%nat) in *. rewrite run_more in *. rewrite first in * by auto.
  rewrite run_more in *. replace (r + (d + m))%nat with (r + d + m)%nat by lia. set (a := run d r q) in *.
  assert (Ha : forall e, In e a -> (landing e <= r + d)%nat /\ sound e) by (unfold a; apply run_all; auto).
  pose proof (smith_run m (r + d) a Ha) as E. rewrite (smith_finished _ F) in E.
  assert (Hb : forall e, In e (a ++ [c]) -> (landing e <= r + d)%nat /\ sound e).
  { intros e I. apply in_app_or in I. destruct I as [I|[<-|[]]]; auto. split; auto. lia. }
  pose proof (smith_run m (r + d) (a ++ [c]) Hb) as E'. rewrite (smith_finished _ G), smith_mid, app_nil_r, aged_app in E'.
  assert (C : aged (r + d) [c] = share c * INR d).
  { unfold aged, age. simpl. destruct (pending_spec c); [|lia]. rewrite A, plus_INR. lra. }
  assert (W : sum (pair c) a = counted (parts (of c)) p a).
  { apply sum_ext. intros e _. unfold pair. rewrite P. reflexivity. }
  rewrite P, plus_INR in *. rewrite C, W in E'. lra. Qed.

(* --- a further chunk, where all jobs have equally many chunks -------------------------------------------------------- *)

Open Scope nat_scope.
Definition alike D (q : queue) := forall c, In c q -> parts (of c) = D.
(* of the landed chunks, those with more than i left; and the chunks in transit *)
Definition one now i c := if (landing c <=? now) && (i <? left c) then 1 else 0.
Definition level now q i := list_sum (map (one now i) q).
Definition transit now q := filter (fun c => negb (landing c <=? now)) q.
Lemma list_sum_le {A} (f g : A -> nat) l : (forall a, In a l -> f a <= g a) -> list_sum (map f l) <= list_sum (map g l).
Proof. induction l as [|a l IH]; simpl; intro H; auto. pose proof (H a (or_introl eq_refl)). specialize (IH (fun b I => H b (or_intror I))). unfold list_sum in *. lia. Qed.
Lemma list_sum_ext {A} (f g : A -> nat) l : (forall a, In a l -> f a = g a) -> list_sum (map f l) = list_sum (map g l).
Proof. intro H. f_equal. apply map_ext_in. auto. Qed.
Lemma level_app now a b i : level now (a ++ b) i = level now a i + level now b i.
Proof. unfold level. rewrite map_app, list_sum_app. auto. Qed.
Lemma level_falling now q : falling (level now q).
Proof. intro i. apply list_sum_le. intros c _. unfold one. destruct (landing c <=? now), (Nat.ltb_spec (S i) (left c)), (Nat.ltb_spec i (left c)); simpl; lia. Qed.
Lemma level_below M now q : (forall c, In c q -> left c <= M) -> below M (level now q).
Proof.
  intros H i L. unfold level. induction q as [|c q IH]; simpl; auto. rewrite IH by (intros; apply H; simpl; auto). specialize (H c (or_introl eq_refl)).
  unfold one. destruct (Nat.ltb_spec i (left c)); [lia|]. rewrite Bool.andb_false_r. auto. Qed.
Lemma level_upto now q p : upto (level now q) p = list_sum (map (fun c => if landing c <=? now then min (left c) p else 0) q).
Proof.
  unfold level. induction q as [|c q IH]; simpl.
  - induction p as [|p IHp]; simpl; lia.
  - rewrite <- IH. unfold list_sum in *. rewrite (upto_plus (fun i => one now i c)). f_equal. unfold one. destruct (landing c <=? now); simpl.
    + apply upto_step.
    + clear. induction p; simpl; lia. Qed.
Lemma level_next now q i : level (S now) q i = lands (level now q) (map left (filter (fun c => landing c =? S now) q)) i.
Proof.
  unfold lands, level. induction q as [|c q IH]; simpl; auto. rewrite IH. unfold one at 1 3, step at 2. unfold list_sum in *. unfold one, step.
  destruct (Nat.eqb_spec (landing c) (S now)) as [E|E]; simpl.
  - destruct (Nat.leb_spec (landing c) now), (Nat.ltb_spec i (left c)); try lia; rewrite E, Nat.leb_refl; simpl; lia.
  - assert ((landing c <=? S now) = (landing c <=? now)) as ->; [|lia].
    destruct (Nat.leb_spec (landing c) now), (Nat.leb_spec (landing c) (S now)); auto; lia. Qed.
Lemma level_slot now D q : 0 < D -> alike D q -> drops (level now q) (level now (slot now q)).
Proof.
  intros HD H. destruct (slot_spec residual now q) as [[-> N] | (u & c & v & E & -> & R & A & _)].
  - left. split; auto. unfold level. rewrite (list_sum_ext _ (fun _ => 0)). { clear. induction q; simpl; auto. }
    intros d I. specialize (N d I). unfold one, ready, pending in *. rewrite N. auto.
  - pose proof R as R'. apply ready_spec in R. destruct R as [L P]. right. exists (left c - 1).
    assert (one_c : forall i, one now i c = if i <? left c then 1 else 0) by (intro i; unfold one; apply Nat.leb_le in L; rewrite L; auto).
    assert (one_t : forall i, one now i (trained now c) = if i <? left c - 1 then 1 else 0) by (intro i; unfold one; simpl; apply Nat.leb_le in L; rewrite L; auto).
    assert (G : forall l, incl l q -> level now l (left c - 1) = level now l 0).
    { intros l I. apply list_sum_ext. intros d J. specialize (I d J). unfold one. destruct (landing d <=? now) eqn:Ld; auto. simpl.
      destruct (Nat.ltb_spec 0 (left d)) as [Pd|Pd], (Nat.ltb_spec (left c - 1) (left d)) as [Q|Q]; auto; try lia.
      assert (Rd : ready now d = true) by (unfold ready; rewrite Ld; apply Nat.ltb_lt; auto). specialize (A d I Rd). unfold residual in A.
      rewrite (H c), (H d) in A by (auto; rewrite E; apply in_or_app; simpl; auto). nia. }
    assert (Iu : incl u q) by (rewrite E; intros x I; apply in_or_app; auto). assert (Iv : incl v q) by (rewrite E; intros x I; apply in_or_app; simpl; auto).
    assert (V : forall i x, level now (u ++ x :: v) i = level now u i + (one now i x + level now v i)) by (intros; rewrite level_app; reflexivity).
    repeat split.
    + rewrite E, V, one_c. destruct (Nat.ltb_spec 0 (left c)); lia.
    + apply G, incl_refl.
    + rewrite E, !V, !one_c. pose proof (falls _ 0 (S (left c - 1)) (level_falling now u) ltac:(lia)). pose proof (falls _ 0 (S (left c - 1)) (level_falling now v) ltac:(lia)).
      destruct (Nat.ltb_spec (S (left c - 1)) (left c)), (Nat.ltb_spec 0 (left c)); lia.
    + rewrite E, !V, one_c, one_t. destruct (Nat.ltb_spec (left c - 1) (left c)), (Nat.ltb_spec (left c - 1) (left c - 1)); lia.
    + intros i N. rewrite E, !V, one_c, one_t. destruct (Nat.ltb_spec i (left c)), (Nat.ltb_spec i (left c - 1)); lia. Qed.
Lemma transit_slot now q : transit now (slot now q) = transit now q.
Proof.
  destruct (slot_spec residual now q) as [[-> _] | (u & c & v & -> & -> & R & _)]; auto. apply ready_spec in R. destruct R as [L _]. apply Nat.leb_le in L.
  unfold transit. rewrite !filter_app. simpl. rewrite L. auto. Qed.
Lemma transit_next now q : transit (S now) q = filter (fun c => negb (landing c =? S now)) (transit now q).
Proof.
  unfold transit. induction q as [|c q IH]; simpl; auto. rewrite IH.
  destruct (Nat.leb_spec (landing c) now) as [L|L], (Nat.leb_spec (landing c) (S now)) as [M|M]; simpl; auto; try lia;
    destruct (Nat.eqb_spec (landing c) (S now)); simpl; auto; lia. Qed.
Lemma fresh now q : filter (fun c => landing c =? S now) q = filter (fun c => landing c =? S now) (transit now q).
Proof.
  unfold transit. induction q as [|c q IH]; simpl; auto. rewrite IH.
  destruct (Nat.leb_spec (landing c) now) as [L|L], (Nat.eqb_spec (landing c) (S now)) as [M|M]; simpl; auto; try lia;
    destruct (Nat.eqb_spec (landing c) (S now)); simpl; auto; lia. Qed.
Lemma fresh_sum now p l : list_sum (map (fun c => min p (left c)) l) = list_sum (map (min p) (map left (filter (fun c => landing c =? S now) l))) +
  list_sum (map (fun c => min p (left c)) (filter (fun c => negb (landing c =? S now)) l)).
Proof. induction l as [|c l IH]; simpl; auto. unfold list_sum in *. destruct (landing c =? S now); simpl; lia. Qed.

Open Scope R_scope.
Lemma share_alike D q c : alike D q -> In c q -> share c = / INR D.
Proof. intros H I. unfold share. rewrite (H c I). auto. Qed.
Lemma beta_alike D now q : alike D q ->
  beta q = / INR D * (INR (level now q 0) + INR (list_sum (map (fun c => if pending c then 1 else 0)%nat (transit now q)))).
Proof.
  intro H. induction q as [|c q IH]; [unfold beta, level; simpl; lra|]. specialize (IH (fun d I => H d (or_intror I))).
  assert (S : share c = / INR D) by (apply (share_alike D (c :: q)); simpl; auto).
  change (beta (c :: q)) with (open c + beta q). change (level now (c :: q) 0) with (one now 0 c + level now q 0)%nat. rewrite IH, plus_INR.
  unfold open, one, transit. rewrite S. fold (pending c). cbn [filter]. destruct (landing c <=? now), (pending c) eqn:P; simpl; rewrite ?P; rewrite ?S_INR, ?plus_INR; simpl INR; lra. Qed.
Lemma alike_slot D now q : alike D q -> alike D (slot now q).
Proof. intro H. unfold alike. apply slot_all; auto. Qed.
Lemma left_slot M now q : (forall c, In c q -> (left c <= M)%nat) -> forall c, In c (slot now q) -> (left c <= M)%nat.
Proof. intro H. apply slot_all; auto. intros c L _. simpl. lia. Qed.
Theorem further_in_time p M D n : (0 < D)%nat -> forall now a b, alike D a -> alike D b -> (forall c, In c a -> (left c <= M)%nat) -> (forall c, In c b -> (left c <= M)%nat) ->
  transit now a = transit now b -> laced (level now a) (level now b) -> (upto (level now b) M <= upto (level now a) M + p)%nat ->
  2 * INR D * (aged (now + n) (run n now b) - aged now b) + INR (cost (level now a) M) <=
  2 * INR D * (aged (now + n) (run n now a) - aged now a) + INR (cost (level now b) M) + 2 * INR (list_sum (map (fun c => min p (left c)) (transit now a))).
Proof.
  intro HD. assert (D0 : 0 < INR D) by (apply lt_0_INR; auto).
  induction n as [|n IH]; intros now a b Aa Ab Ma Mb T L U.
  - simpl. rewrite Nat.add_0_r. pose proof (cost_laced _ _ M L) as C. apply le_INR in C. pose proof (pos_INR (list_sum (map (fun c => min p (left c)) (transit now a)))). lra.
  - cbn [a_online.run]. replace (now + S n)%nat with (S now + n)%nat by lia.
    pose proof (level_slot now D a HD Aa) as Da. pose proof (level_slot now D b HD Ab) as Db. set (a' := slot now a) in *. set (b' := slot now b) in *.
    assert (Ma' : forall c, In c a' -> (left c <= M)%nat) by (apply left_slot; auto). assert (Mb' : forall c, In c b' -> (left c <= M)%nat) by (apply left_slot; auto).
    set (zs := map left (filter (fun c => landing c =? S now)%nat a')).
    assert (Ta : transit now a' = transit now a) by apply transit_slot. assert (Tb : transit now b' = transit now b) by apply transit_slot.
    assert (Zb : map left (filter (fun c => landing c =? S now)%nat b') = zs) by (unfold zs; rewrite fresh, Tb, <- T, <- Ta, <- fresh; auto).
    pose proof (laced_drops _ _ _ _ (level_falling now a) (level_falling now b) L Da Db) as L'.
    pose proof (drops_total _ _ _ _ M (level_below M now a Ma) (level_below M now b Mb) L Da Db) as U'.
    assert (Ea : forall i, level (S now) a' i = lands (level now a') zs i) by (intro; apply level_next).
    assert (Eb : forall i, level (S now) b' i = lands (level now b') zs i) by (intro; rewrite <- Zb; apply level_next).
    assert (Ca : cost (level (S now) a') M = cost (lands (level now a') zs) M) by (apply upto_ext; intros; rewrite Ea; auto).
    assert (Cb : cost (level (S now) b') M = cost (lands (level now b') zs) M) by (apply upto_ext; intros; rewrite Eb; auto).
    specialize (IH (S now) a' b' (alike_slot D now a Aa) (alike_slot D now b Ab) Ma' Mb').
    assert (T' : transit (S now) a' = transit (S now) b') by (rewrite !transit_next, Ta, Tb, T; auto).
    specialize (IH T'). assert (LL : laced (level (S now) a') (level (S now) b')) by (intro i; rewrite Ea, Eb; apply laced_lands; auto).
    specialize (IH LL). assert (UU : (upto (level (S now) b') M <= upto (level (S now) a') M + p)%nat).
    { rewrite (upto_ext _ _ M (fun i _ => Ea i)), (upto_ext _ _ M (fun i _ => Eb i)). unfold lands. rewrite !upto_plus. lia. }
    specialize (IH UU). rewrite Ca, Cb in IH. assert (Ga : aged (S now) a' = aged now a + beta a) by apply aged_slot. assert (Gb : aged (S now) b' = aged now b + beta b) by apply aged_slot. rewrite Ga, Gb in IH.
    pose proof (cost_lands p M zs _ _ L' ltac:(lia)) as K. apply le_INR in K. rewrite !plus_INR, mult_INR in K.
    rewrite transit_next, Ta in IH. pose proof (fresh_sum now p (transit now a)) as S. rewrite <- Ta in S at 2. rewrite <- fresh in S. fold zs in S.
    apply (f_equal INR) in S. rewrite plus_INR in S.
    pose proof (cost_drops _ _ M (level_below M now a Ma) Da) as Pa. pose proof (cost_drops _ _ M (level_below M now b Mb) Db) as Pb.
    apply (f_equal INR) in Pa, Pb. rewrite plus_INR, mult_INR in Pa, Pb. simpl (INR 2) in *.
    pose proof (beta_alike D now a Aa) as Ba. pose proof (beta_alike D now b Ab) as Bb. rewrite T in Ba at 1.
    assert (B : 2 * INR D * (beta b - beta a) = 2 * (INR (level now b 0) - INR (level now a 0))) by (rewrite Ba, Bb; field; lra).
    lra. Qed.
Lemma counted_alike D p now a : (0 < D)%nat -> alike D a ->
  counted D p a = / INR D * (INR (upto (level now a) p) + INR (list_sum (map (fun e => min p (left e)) (transit now a)))).
Proof.
  intros HD Aa. assert (D0 : 0 < INR D) by (apply lt_0_INR; auto).
  rewrite level_upto. unfold counted, transit. induction a as [|e a IH]; [simpl; lra|]. cbn [sum map filter]. rewrite IH by (intros x I; apply Aa; simpl; auto).
  rewrite (share_alike D (e :: a)) by (simpl; auto). assert (G : Rmin (INR p * / INR D) (INR (left e) / INR D) = / INR D * INR (min p (left e))).
  { destruct (le_lt_dec p (left e)) as [K|K].
    - rewrite Nat.min_l by auto. apply le_INR in K. rewrite Rmin_left; [lra|]. unfold Rdiv. apply Rmult_le_compat_r; auto. left. apply Rinv_0_lt_compat. auto.
    - rewrite Nat.min_r by lia. apply lt_INR in K. rewrite Rmin_right; [lra|]. unfold Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; auto | lra]. }
  rewrite G, (Nat.min_comm (left e)). unfold list_sum. destruct (landing e <=? now)%nat; cbn [negb map fold_right]; rewrite ?plus_INR; simpl INR; lra. Qed.
Theorem further_alike c r d p q n : joins c r d p -> (forall e, In e q -> sound e) -> alike (parts (of c)) q ->
  aged (r + n) (run n r (q ++ [c])) <= aged (r + n) (run n r q) + (share c * INR (d + p) + counted (parts (of c)) p (run d r q)).
Proof.
  intros (L & A & P & P0 & S) H AL. assert (first : forall m, (m <= d)%nat -> run m r (q ++ [c]) = run m r q ++ [c]).
  { intros m M. apply run_first. intros e [<-|[]]. lia. }
  assert (C : forall m, aged (r + m) [c] = share c * INR m).
  { intro m. unfold aged, age. simpl. destruct (pending_spec c); [|lia]. rewrite A, plus_INR. lra. }
  pose proof (share_pos c S) as SP. set (D := parts (of c)) in *.
  set (a := run d r q). assert (Aa : alike D a) by (unfold alike; apply run_all; auto). assert (D0 : 0 < INR D) by (apply lt_0_INR; auto).
  assert (W := counted_alike D p (r + d) a S Aa).
  destruct (le_lt_dec d n) as [N|N].
  2: { rewrite first, aged_app, C by lia. rewrite W, plus_INR.
       assert (INR n <= INR d) by (apply le_INR; lia). pose proof (pos_INR p).
       assert (0 <= / INR D * (INR (upto (level (r + d) a) p) + INR (list_sum (map (fun e => min p (left e)) (transit (r + d) a))))).
       { apply Rmult_le_pos; [left; apply Rinv_0_lt_compat; auto|]. pose proof (pos_INR (upto (level (r + d) a) p)).
         pose proof (pos_INR (list_sum (map (fun e => min p (left e)) (transit (r + d) a)))). lra. } nra. }
  replace n with (d + (n - d))%nat by lia. set (m := (n - d)%nat). rewrite !run_more, first by auto. fold a.
  replace (r + (d + m))%nat with (r + d + m)%nat by lia. set (t := (r + d)%nat) in *.
  set (M := (p + list_sum (map left a))%nat).
  assert (Ma : forall e, In e a -> (left e <= M)%nat).
  { intros e I. unfold M. enough (left e <= list_sum (map left a))%nat by lia. clear -I. induction a as [|x a IH]; [destruct I|]. unfold list_sum in *. simpl. destruct I as [->|I]; [lia|]. specialize (IH I). lia. }
  assert (T : transit t a = transit t (a ++ [c])).
  { unfold transit. rewrite filter_app. simpl. rewrite L, Nat.leb_refl. simpl. rewrite app_nil_r. auto. }
  assert (V : forall i, level t (a ++ [c]) i = (level t a i + step p i)%nat).
  { intro i. rewrite level_app. unfold level at 2, one, step. simpl. rewrite L, Nat.leb_refl, P. simpl. lia. }
  assert (E : forall k, cost (level t (a ++ [c])) k = (cost (level t a) k + 2 * upto (fun i => step p i + step p i * level t a i) k)%nat).
  { unfold cost. induction k as [|k IHk]; simpl; auto. rewrite IHk, V. unfold step. destruct (k <? p)%nat; lia. }
  assert (F : (upto (fun i => step p i + step p i * level t a i) M = p + upto (level t a) p)%nat).
  { rewrite (upto_plus (step p)), upto_step, Nat.min_l by (unfold M; lia). f_equal. assert (K : (p <= M)%nat) by (unfold M; lia). clearbody M. clear -K.
    induction K as [|M K IH]; [apply upto_ext | cbn [upto]; rewrite IH]; intros; unfold step; [destruct (Nat.ltb_spec i p); lia | destruct (Nat.ltb_spec M p); lia]. }
  pose proof (further_in_time p M D m S t a (a ++ [c])) as G. specialize (G Aa). rewrite E, F in G. specialize (G
    ltac:(intros e I; apply in_app_or in I; destruct I as [I|[<-|[]]]; auto) Ma
    ltac:(intros e I; apply in_app_or in I; destruct I as [I|[<-|[]]]; auto; unfold M; lia) T
    ltac:(intro i; rewrite V; unfold step; destruct (i <? p)%nat; lia)
    ltac:(rewrite (upto_ext _ (fun i => level t a i + step p i)%nat), upto_plus, upto_step by auto; lia)).
  rewrite !plus_INR, mult_INR, plus_INR in G. simpl (INR 2) in G. pose proof (C d) as Cd. fold t in Cd. rewrite aged_app, Cd in G. rewrite W.
  replace (share c) with (/ INR D) in * by reflexivity. apply Rmult_le_reg_l with (2 * INR D); [lra|]. rewrite plus_INR.
  set (x := aged (t + m) (run m t (a ++ [c]))) in *. set (y := aged (t + m) (run m t a)) in *. set (z := aged t a) in *.
  set (g := INR (upto (level t a) p)) in *. set (h := INR (list_sum _)) in *.
  replace (2 * INR D * (y + (/ INR D * (INR d + INR p) + / INR D * (g + h)))) with (2 * INR D * y + 2 * (INR d + INR p + g + h)) by (field; lra).
  replace (2 * INR D * (x - (z + / INR D * INR d))) with (2 * INR D * x - 2 * INR D * z - 2 * INR d) in G by (field; lra). lra. Qed.
