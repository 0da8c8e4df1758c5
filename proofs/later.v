(* preemptive: the rows of Lemma 2 for A_online's lists, in the residual order: what becomes of a list when slots pass and chunks
   join it, and what that means for the prices (5). *)
From Schedproof Require Import sums levels a_online lists.
From Coq Require Import Arith.
Open Scope R_scope.

(* --- the rows of Lemma 2 --------------------------------------------------------------------------------------------- *)

(* what becomes of a list: slots pass, and chunks with P join it *)
Inductive later (P : chunk -> Prop) : nat -> queue -> nat -> queue -> Prop :=
| now_same t q : later P t q t q
| slot_passes t q u k : later P t q u k -> later P t q (S u) (slot u k)
| chunk_joins t q u k c : later P t q u k -> P c -> (arrival (of c) <= u)%nat -> later P t q u (k ++ [c]).
Definition lasting (P : chunk -> Prop) := forall t c, P c -> P (trained t c).
Lemma later_le P t q u k : later P t q u k -> (t <= u)%nat.
Proof. induction 1; lia. Qed.
Lemma later_trans P t q u k v l : later P t q u k -> later P u k v l -> later P t q v l.
Proof. intros A B. induction B; auto; constructor; auto. Qed.
Lemma later_run P n : forall t q, later P t q (t + n) (run n t q).
Proof.
  induction n as [|n IH]; intros t q; simpl; [rewrite Nat.add_0_r; constructor|]. replace (t + S n)%nat with (S t + n)%nat by lia.
  apply later_trans with (S t) (slot t q); [repeat constructor | apply IH]. Qed.
Lemma later_through P t q v l : later P t q v l -> forall u, (t <= u <= v)%nat -> exists k, later P t q u k /\ later P u k v l.
Proof.
  induction 1 as [t q | t q v l A IH | t q v l c A IH Pc Ac]; intros u U.
  - assert (u = t) as -> by lia. exists q. split; constructor.
  - destruct (Nat.eq_dec u (S v)) as [->|N]; [exists (slot v l); split; [constructor; auto | constructor]|].
    destruct (IH u ltac:(lia)) as (k & B & C). exists k. split; auto. constructor; auto.
  - destruct (IH u U) as (k & B & C). exists k. split; auto. constructor; auto. Qed.
Lemma later_arrivals P t q u k : later P t q u k -> (forall c, In c q -> (arrival (of c) <= t)%nat) -> forall c, In c k -> (arrival (of c) <= u)%nat.
Proof.
  intros A H. induction A as [t q | t q u k A IH | t q u k c A IH Pc Ac]; auto.
  - specialize (IH H). apply slot_all; auto.
  - intros e I. apply in_app_or in I. destruct I as [I|[<-|[]]]; auto. Qed.
Lemma later_sound P t q u k : later P t q u k -> (forall c, P c -> sound c) -> (forall c, In c q -> sound c) -> forall c, In c k -> sound c.
Proof.
  intros A S H. induction A as [t q | t q u k A IH | t q u k c A IH Pc Ac]; auto.
  - apply slot_all; auto.
  - intros e I. apply in_app_or in I. destruct I as [I|[<-|[]]]; auto. Qed.
(* chunks placed before, and those that came later *)
Definition splits (P : chunk -> Prop) (R : queue -> Prop) (k : queue) := exists old more, k = old ++ more /\ R old /\ forall e, In e more -> P e.
Lemma counted_slot D p now q : (0 < D)%nat -> counted D p q <= counted D p (slot now q) + / INR D.
Proof.
  intro HD. assert (0 < / INR D) by (apply Rinv_0_lt_compat, lt_0_INR; auto).
  destruct (slot_spec residual now q) as [[-> _] | (u & c & v & -> & -> & R & _)]; [lra|]. unfold counted. rewrite !sum_app. cbn [sum].
  change (share (trained now c)) with (share c). simpl (left (trained now c)). apply ready_spec in R. rewrite minus_INR by lia. simpl (INR 1).
  unfold Rdiv. rewrite Rmult_minus_distr_r. unfold Rmin. repeat destruct (Rle_dec _ _); lra. Qed.
Lemma splits_later P r q d D p : lasting P -> (0 < D)%nat -> let R old := counted D p (run d r q) <= counted D p old in
  (forall k, later P r q (r + d) k -> splits P R k) ->
  forall u k, later P r q u k -> (r + d <= u)%nat -> splits P (fun old => counted D p (run d r q) <= counted D p old + INR (u - (r + d)) / INR D) k.
Proof.
  intros LP HD R S u k A. remember r as t eqn:Et in A. remember q as q' eqn:Eq in A. induction A as [t q' | t q' u k A IH | t q' u k c A IH Pc Ac]; subst; intro U.
  - assert (d = 0)%nat as -> by lia. destruct (S q ltac:(rewrite Nat.add_0_r; constructor)) as (old & more & E & H & J). exists old, more.
    replace (r - (r + 0))%nat with 0%nat by lia. simpl INR. unfold R, Rdiv in *. rewrite Rmult_0_l, Rplus_0_r. auto.
  - destruct (Nat.eq_dec (Datatypes.S u) (r + d)) as [E|N].
    + assert (B : later P r q (r + d) (slot u k)) by (rewrite <- E; constructor; auto). destruct (S _ B) as (old & more & K & H & J). exists old, more.
      replace (Datatypes.S u - (r + d))%nat with 0%nat by lia. simpl INR. unfold R, Rdiv in *. rewrite Rmult_0_l, Rplus_0_r. auto.
    + destruct (IH eq_refl eq_refl ltac:(lia)) as (old & more & -> & H & J). assert (0 < / INR D) by (apply Rinv_0_lt_compat, lt_0_INR; auto).
      replace (Datatypes.S u - (r + d))%nat with (Datatypes.S (u - (r + d))) by lia. rewrite S_INR. unfold Rdiv in *. rewrite Rmult_plus_distr_r.
      destruct (slot_app residual u old more) as [-> | [-> _]].
      * exists (slot u old), more. split; [reflexivity|]. split; [|exact J]. pose proof (counted_slot D p u old HD). lra.
      * exists old, (slot u more). split; [reflexivity|]. split; [lra|]. apply slot_all; auto.
  - destruct (IH eq_refl eq_refl U) as (old & more & -> & H & J). exists old, (more ++ [c]). rewrite app_assoc. split; [reflexivity|]. split; [exact H|].
    intros e I. apply in_app_or in I. destruct I as [I|[<-|[]]]; auto. Qed.

(* where chunks land in order (b), or all jobs have equally many chunks: of a chunk with r, D and delay d, the chunks before and after *)
Definition earlier (b : bool) r d D c := sound c /\ if b then (landing c <= r + d)%nat else parts (of c) = D.
Definition after (b : bool) r d D c := sound c /\ if b then (r + d <= landing c)%nat else parts (of c) = D.
Lemma after_lasts b r d D : lasting (after b r d D).
Proof. intros t c [S H]. split; auto. Qed.
Lemma start_in_order r q d D p k : later (after true r d D) r q (r + d) k -> splits (after true r d D) (fun old => counted D p (run d r q) <= counted D p old) k.
Proof.
  intro A. assert (G : forall u, later (after true r d D) r q u k -> (u <= r + d)%nat -> exists more, k = run (u - r) r q ++ more /\ forall e, In e more -> after true r d D e).
  { clear A. intros u A. set (P := after true r d D) in A |- *. remember r as t eqn:Et in A. remember q as q' eqn:Eq in A.
    induction A as [t q' | t q' u k A IH | t q' u k c A IH Pc Ac]; subst; intro U.
    - exists []. rewrite Nat.sub_diag, app_nil_r. split; auto. intros e [].
    - destruct (IH eq_refl eq_refl ltac:(lia)) as (more & -> & J). pose proof (later_le _ _ _ _ _ A). exists more. split; auto.
      replace (S u - r)%nat with ((u - r) + 1)%nat by lia. rewrite run_more. simpl. replace (r + (u - r))%nat with u by lia. apply slot_first.
      intros e I. destruct (J e I) as [_ L]. simpl in L. unfold ready. destruct (Nat.leb_spec (landing e) u); [lia | auto].
    - destruct (IH eq_refl eq_refl U) as (more & -> & J). exists (more ++ [c]). rewrite app_assoc. split; auto.
      intros e I. apply in_app_or in I. destruct I as [I|[<-|[]]]; auto. }
  destruct (G _ A (le_n _)) as (more & -> & J). replace (r + d - r)%nat with d by lia. exists (run d r q), more. split; [reflexivity|]. split; [apply Rle_refl | exact J]. Qed.
Lemma drops_slower f f' : drops f f' -> slower f f'.
Proof.
  intros [[Z E] | (k & P & K & L & C & O)] p; [rewrite (upto_ext f' f) by auto; lia|]. destruct (le_lt_dec p k) as [J|J].
  - rewrite (upto_ext f' f) by (intros; apply O; lia). lia.
  - rewrite (upto_change f f' k p J C O). lia. Qed.
Lemma start_alike r q d D p k : (0 < D)%nat -> alike D q -> later (after false r d D) r q (r + d) k -> splits (after false r d D) (fun old => counted D p (run d r q) <= counted D p old) k.
Proof.
  intros HD AL A. assert (G : forall u, later (after false r d D) r q u k -> let a := run (u - r) r q in
    splits (after false r d D) (fun old => alike D a /\ alike D old /\ transit u a = transit u old /\ dominates (level u a) (level u old)) k).
  { clear A. intros u A. set (P := after false r d D) in A |- *. remember r as t eqn:Et in A. remember q as q' eqn:Eq in A.
    induction A as [t q' | t q' u k A IH | t q' u k c A IH Pc Ac]; subst.
    - rewrite Nat.sub_diag. exists q, []. rewrite app_nil_r. split; auto. split; [|intros e []]. split; auto. split; auto. split; auto. intro x. apply le_n.
    - destruct (IH eq_refl eq_refl) as (old & more & -> & (B1 & B2 & T & M) & J). pose proof (later_le _ _ _ _ _ A).
      replace (S u - r)%nat with ((u - r) + 1)%nat by lia. rewrite run_more. simpl. replace (r + (u - r))%nat with u by lia. set (a := run (u - r) r q) in *.
      assert (N : forall old', slower (level u old) (level u old') -> alike D old' -> transit u old' = transit u old ->
        alike D (slot u a) /\ alike D old' /\ transit (S u) (slot u a) = transit (S u) old' /\ dominates (level (S u) (slot u a)) (level (S u) old')).
      { intros old' S1 S2 S3. split; [apply alike_slot; auto|]. split; [exact S2|]. split; [rewrite !transit_next, transit_slot, S3, T; reflexivity|].
        intro x. rewrite (upto_ext _ _ x (fun i _ => level_next u (slot u a) i)), (upto_ext _ _ x (fun i _ => level_next u old' i)).
        rewrite (fresh u (slot u a)), (fresh u old'), transit_slot, S3, T. apply schrage_lands.
        apply (schrage (level u a) _ (level u old)); auto using level_falling. apply (level_slot u D); auto. }
      destruct (slot_app residual u old more) as [-> | [-> _]].
      + exists (slot u old), more. split; auto. split; auto. apply N; [apply drops_slower, (level_slot u D); auto | apply alike_slot; auto | apply transit_slot].
      + exists old, (slot u more). split; auto. split; [apply N; auto; intro; lia|]. apply slot_all; auto.
    - destruct (IH eq_refl eq_refl) as (old & more & -> & B & J). exists old, (more ++ [c]). rewrite app_assoc. split; [reflexivity|]. split; [exact B|].
      intros e I. apply in_app_or in I. destruct I as [I|[<-|[]]]; [apply J; exact I | exact Pc]. }
  destruct (G _ A) as (old & more & -> & (B1 & B2 & T & M) & J). replace (r + d - r)%nat with d in * by lia. exists old, more. split; [reflexivity|]. split; [|exact J].
  rewrite (counted_alike D p (r + d)), (counted_alike D p (r + d) old), T by auto. apply Rmult_le_compat_l; [left; apply Rinv_0_lt_compat, lt_0_INR; auto|].
  specialize (M p). apply le_INR in M. lra. Qed.
Lemma open_nonneg c : sound c -> 0 <= open c.
Proof. intro S. unfold open. pose proof (share_pos c S). destruct (pending c); lra. Qed.
Lemma counted_beta D p q : (forall c, In c q -> sound c) -> counted D p q <= INR p * beta q.
Proof.
  intro S. unfold counted, beta. rewrite <- sum_scal. apply sum_le. intros c I. specialize (S c I). unfold open. destruct (pending_spec c) as [P|P]; [apply Rmin_l|].
  assert (left c = 0)%nat as -> by lia. rewrite Rmult_0_r. simpl INR. unfold Rdiv. rewrite Rmult_0_l. apply Rmin_r. Qed.
Theorem row b r q d D p u k : (0 < D)%nat -> (forall e, In e q -> earlier b r d D e) -> later (after b r d D) r q u k -> (r + d <= u)%nat ->
  counted D p (run d r q) <= INR (u - (r + d)) / INR D + INR p * beta k.
Proof.
  intros HD E A U. assert (SK : forall c, In c k -> sound c) by (apply (later_sound _ _ _ _ _ A); [intros c [S _] | intros c I; apply (E c I)]; auto).
  destruct (splits_later (after b r d D) r q d D p (after_lasts b r d D) HD) with (u := u) (k := k) as (old & more & -> & H & J); auto.
  { intros l L. destruct b; [apply start_in_order; auto | apply start_alike; auto]. intros e I. apply (E e I). }
  pose proof (counted_beta D p old ltac:(intros; apply SK, in_or_app; auto)) as C. unfold beta in *. rewrite sum_app.
  assert (0 <= sum open more) by (apply sum_nonneg; intros; apply open_nonneg, SK, in_or_app; auto). pose proof (pos_INR p). nra. Qed.
Theorem further b c r d p q n : joins c r d p -> (forall e, In e q -> earlier b r d (parts (of c)) e) -> finished (run n r q) -> finished (run n r (q ++ [c])) ->
  aged (r + n) (run n r (q ++ [c])) <= aged (r + n) (run n r q) + (share c * INR (d + p) + counted (parts (of c)) p (run d r q)).
Proof.
  intros J E F G. destruct b; [apply further_in_order; auto; intros e I; destruct (E e I); auto | apply further_alike; auto; intros e I; apply (E e I)]. Qed.

(* beta in the final schedule *)
Definition live t c := if ((arrival (of c) <=? t)%nat && (pending c || (t <? ended c)%nat))%bool then share c else 0.
Lemma live_nonneg t c : sound c -> 0 <= live t c.
Proof. intro S. unfold live. pose proof (share_pos c S). destruct (_ && _)%bool; lra. Qed.
Theorem beta_live P t k u l : later P t k u l -> (forall c, P c -> sound c) -> (forall c, In c k -> (arrival (of c) <= t)%nat) -> (forall c, In c k -> sound c) -> beta k <= sum (live t) l.
Proof.
  intros A HP R S. induction A as [t k | t k u l A IH | t k u l c A IH Pc Ac].
  - apply sum_le. intros c I. unfold open, live. specialize (R c I). apply Nat.leb_le in R. rewrite R. simpl. pose proof (share_pos c (S c I)). destruct (pending c), (t <? ended c)%nat; simpl; lra.
  - specialize (IH R S). apply later_le in A. destruct (slot_spec residual u l) as [[-> _] | (x & c & y & -> & -> & K & _)]; auto.
    rewrite !sum_app in *. cbn [sum] in *. enough (live t (trained u c) = live t c) by lra. unfold live. change (share (trained u c)) with (share c). simpl (of (trained u c)).
    change (ended (trained u c)) with (Datatypes.S u). apply andb_prop in K. destruct K as [_ ->]. simpl. assert ((t <? Datatypes.S u)%nat = true) as -> by (apply Nat.ltb_lt; lia).
    rewrite Bool.orb_true_r. auto.
  - rewrite sum_app. cbn [sum]. pose proof (live_nonneg t c (HP c Pc)). specialize (IH R S). lra. Qed.
