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
