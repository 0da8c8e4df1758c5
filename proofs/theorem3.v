(* preemptive: Theorem 3 repaired, end to end: A_online in the residual order at speed 1 + eps costs at most
   D_max max(1 + 1/eps, (3 + eps)/(2 eps)) times every feasible schedule of (2) at speed 1. *)
From Schedproof Require Import sums levels a_online lists later placed.
From Coq Require Import Arith Permutation.
Open Scope R_scope.

(* --- program (2), on workers ---------------------------------------------------------------------------------------- *)

(* A schedule in real time, in phases: each lasts for a time, in which each edge worker serves a job or none, and each job has a number
   of workers in the cloud. No phase crosses a whole time, so that there is a list of phases for each slot; in whole slots a slot has
   one phase. *)
Record phase := { lasts : R; serves : nat -> option nat; clouds : nat -> nat }.
Section Program.
Variables (workers : nat) (jobs : list job) (slots : nat) (plan : nat -> list phase) (finish : nat -> R).
Definition edge_workers f i := list_sum (map (fun w => match serves f w with Some k => if k =? i then 1 else 0 | None => 0 end) (seq 0 workers))%nat.
Definition held f i := (edge_workers f i + clouds f i)%nat.
Definition worked i := sum (fun t => sum (fun f => INR (held f i) * lasts f) (plan t)) (seq 0 slots).
Fixpoint ends_by c i (now : R) (l : list phase) : Prop :=
  match l with [] => True | f :: l => (held f i = 0%nat \/ now + lasts f <= c) /\ ends_by c i (now + lasts f) l end.
(* job i: (2c) at most D workers; (2h) from the landing on; (2b) all work, at the cloud's rate if it is in the cloud alone; c_i *)
Definition served i j :=
  (forall t f, In f (plan t) -> (held f i <= parts j)%nat) /\
  (forall t f w, In f (plan t) -> (w < workers)%nat -> serves f w = Some i -> exists d, reach j w = Some d /\ (arrival j + d <= t)%nat) /\
  (forall t f, In f (plan t) -> (0 < clouds f i)%nat -> exists d, cloud_delay j = Some d /\ (arrival j + d <= t)%nat) /\
  (INR (parts j * slow j) <= worked i \/ (forall t f, In f (plan t) -> edge_workers f i = 0%nat) /\ INR (parts j * slow_cloud j) <= worked i) /\
  (forall t, (t < slots)%nat -> ends_by (finish i) i (INR t) (plan t)).
Definition feasible := (forall t f, In f (plan t) -> 0 <= lasts f) /\ (forall t, sum lasts (plan t) <= 1) /\
  forall i j, nth_error jobs i = Some j -> served i j.
Definition numbered := combine (seq 0 (length jobs)) jobs.
Definition opt_cost := sum (fun '(i, j) => finish i - INR (arrival j)) numbered.

(* --- a job in a feasible schedule ----------------------------------------------------------------------------------- *)

Section Job.
Variables (i : nat) (j : job).
Hypotheses (D0 : (0 < parts j)%nat) (Len : forall t f, In f (plan t) -> 0 <= lasts f) (One : forall t, sum lasts (plan t) <= 1) (Sv : served i j).
Let D := INR (parts j). Let c := finish i.
Definition work_in t := sum (fun f => INR (held f i) * lasts f) (plan t).
Lemma work_nonneg t : 0 <= work_in t.
Proof. apply sum_nonneg. intros f I. apply Rmult_le_pos; [apply pos_INR | apply (Len t); auto]. Qed.
Lemma work_short t : (t < slots)%nat -> work_in t <= D * Rmax 0 (Rmin 1 (c - INR t)).
Proof.
  intro T. destruct Sv as (A & _ & _ & _ & E). specialize (E t T). specialize (A t). specialize (Len t). specialize (One t). unfold work_in.
  assert (HD : 0 < D) by (apply lt_0_INR; auto).
  assert (H : forall l s, (forall f, In f l -> (held f i <= parts j)%nat /\ 0 <= lasts f) -> ends_by c i s l ->
    sum (fun f => INR (held f i) * lasts f) l <= D * sum lasts l /\ sum (fun f => INR (held f i) * lasts f) l <= D * Rmax 0 (c - s)).
  { induction l as [|f l IH]; intros s H G; cbn [sum]; [split; [lra | apply Rmult_le_pos; [lra | apply Rmax_l]]|]. destruct G as [B G]. destruct (H f (or_introl eq_refl)) as [Hf Lf].
    destruct (IH _ (fun f I => H f (or_intror I)) G) as [P Q]. apply le_INR in Hf. fold D in Hf. pose proof (pos_INR (held f i)). split; [nra|].
    destruct B as [Z|B].
    - rewrite Z. simpl INR. rewrite Rmult_0_l, Rplus_0_l. eapply Rle_trans; [apply Q|]. apply Rmult_le_compat_l; [lra|]. apply Rle_max_compat_l. lra.
    - rewrite (Rmax_right 0 (c - (s + lasts f))) in Q by lra. rewrite Rmax_right by lra. nra. }
  destruct (H (plan t) (INR t)) as [P Q]; auto. unfold Rmin. destruct (Rle_dec 1 (c - INR t)).
  - rewrite Rmax_right by lra. eapply Rle_trans; [apply P|]. apply Rmult_le_compat_l; lra.
  - auto. Qed.
Lemma work_before t : (t < arrival j)%nat -> work_in t = 0.
Proof.
  intro T. destruct Sv as (_ & B & C & _). unfold work_in. rewrite (sum_ext _ (fun _ => 0)); [apply sum_zero|]. intros f I.
  assert (Z : held f i = 0%nat); [|rewrite Z; simpl; lra]. unfold held. assert (clouds f i = 0)%nat as ->.
  { destruct (clouds f i) eqn:E; auto. destruct (C t f I ltac:(lia)) as (d & _ & L). lia. }
  rewrite Nat.add_0_r. unfold edge_workers. assert (E : forall w, In w (seq 0 workers) -> match serves f w with Some k => if k =? i then 1 else 0 | None => 0 end%nat = 0%nat).
  { intros w W. apply in_seq in W. destruct (serves f w) as [k|] eqn:S; auto. destruct (Nat.eqb_spec k i) as [->|]; auto. destruct (B t f w I ltac:(lia) S) as (d & _ & L). lia. }
  clear -E. unfold list_sum. induction (seq 0 workers) as [|w l IH]; simpl; auto. rewrite IH, E by (intros; try apply E; simpl; auto). auto. Qed.
(* at most D workers at any time before c: the mean start of the work is early *)
Lemma moment n : (n <= slots)%nat -> let X := sum work_in (seq 0 n) in 0 <= X /\
  2 * D * sum (fun t => work_in t * INR t) (seq 0 n) <= 2 * D * X * Rmin c (INR n) - X * X /\ X <= D * Rmax 0 (Rmin c (INR n) - INR (arrival j)).
Proof.
  assert (HD : 0 < D) by (apply lt_0_INR; auto).
  induction n as [|n IH]; intros N X.
  - simpl in *. unfold X. split; [lra|]. split; [lra|]. apply Rmult_le_pos; [lra | apply Rmax_l].
  - destruct (IH ltac:(lia)) as (P & M & B). clear IH. unfold X. clear X. rewrite seq_S, !sum_app. cbn [sum]. rewrite Nat.add_0_l. set (X := sum work_in (seq 0 n)) in *.
    set (Y := sum (fun t => work_in t * INR t) (seq 0 n)) in *. pose proof (work_nonneg n) as V0. pose proof (work_short n ltac:(lia)) as V. set (v := work_in n) in *. rewrite S_INR.
    destruct (Rle_lt_dec c (INR n)) as [L|L].
    + assert (v = 0). { rewrite Rmax_left in V; [lra|]. unfold Rmin. destruct (Rle_dec 1 (c - INR n)); lra. }
      rewrite Rmin_left in * by lra. rewrite H. split; [lra|]. split; lra.
    + rewrite (Rmin_right c (INR n)) in * by lra. set (e := Rmin 1 (c - INR n)) in *. assert (E0 : 0 < e) by (unfold e, Rmin; destruct (Rle_dec 1 (c - INR n)); lra).
      assert (Rmin c (INR n + 1) = INR n + e) as -> by (unfold e, Rmin; repeat destruct (Rle_dec _ _); lra). rewrite Rmax_right in V by lra.
      split; [lra|]. split.
      * assert (0 <= 2 * X * (D * e - v)) by (apply Rmult_le_pos; lra). assert (0 <= v * (2 * D * e - v)) by (apply Rmult_le_pos; lra). lra.
      * destruct (le_lt_dec (arrival j) n) as [A|A].
        -- apply le_INR in A. rewrite Rmax_right in B by lra. rewrite Rmax_right by lra. lra.
        -- assert (v = 0) by (apply work_before; auto). rewrite H, !Rplus_0_r. eapply Rle_trans; [apply B|]. apply Rmult_le_compat_l; [lra|]. apply Rle_max_compat_l. lra. Qed.

(* the price of a chunk of the job, against what the job costs here; the workers of the job meet the betas of these workers *)
Variables (eps price : R) (beta : nat -> nat -> R).
Definition met t f := sum (fun w => match serves f w with Some k => if (k =? i)%nat then beta w t else 0 | None => 0 end) (seq 0 workers).
Definition all_met := sum (fun t => sum (fun f => lasts f * met t f) (plan t)) (seq 0 slots).
Lemma one_rate p : 0 <= p -> (forall w t, 0 <= beta w t) ->
  (forall w d t, (w < workers)%nat -> (exists f, In f (plan t) /\ serves f w = Some i) -> reach j w = Some d -> (arrival j + d <= t)%nat -> price <= (INR t - INR (arrival j) + p) / D + p * beta w t) ->
  (forall d t, cloud_delay j = Some d -> (arrival j + d <= t)%nat -> price <= (INR t - INR (arrival j) + p) / D) ->
  let X := sum work_in (seq 0 slots) in
  price * X <= (sum (fun t => work_in t * INR t) (seq 0 slots) + (p - INR (arrival j)) * X) / D + p * all_met.
Proof.
  intros P B Edge Cloud X. assert (HD : 0 < D) by (apply lt_0_INR; auto). destruct Sv as (_ & SE & SC & _).
  assert (Row : forall t f, In f (plan t) -> INR (held f i) * price <= INR (held f i) * ((INR t - INR (arrival j) + p) / D) + p * met t f).
  { intros t f I. unfold held. rewrite plus_INR.
    assert (C : INR (clouds f i) * price <= INR (clouds f i) * ((INR t - INR (arrival j) + p) / D)).
    { destruct (clouds f i) as [|m] eqn:E; [simpl; lra|]. destruct (SC t f I ltac:(lia)) as (d & R & L). apply Rmult_le_compat_l; [apply pos_INR | apply (Cloud d); auto]. }
    enough (INR (edge_workers f i) * price <= INR (edge_workers f i) * ((INR t - INR (arrival j) + p) / D) + p * met t f) by lra.
    unfold edge_workers, met. assert (E : forall w, In w (seq 0 workers) -> serves f w = Some i -> price <= (INR t - INR (arrival j) + p) / D + p * beta w t).
    { intros w W S. apply in_seq in W. destruct (SE t f w I ltac:(lia) S) as (d & R & L). apply (Edge w d); eauto. lia. }
    clear -E. unfold list_sum. induction (seq 0 workers) as [|w l IH]; cbn [map fold_right sum]; [simpl; lra|]. specialize (IH (fun v I => E v (or_intror I))).
    specialize (E w (or_introl eq_refl)). rewrite plus_INR. destruct (serves f w) as [k|]; [destruct (Nat.eqb_spec k i) as [->|]|]; [specialize (E eq_refl) | |]; simpl INR; lra. }
  unfold X, all_met. rewrite <- sum_scal. rewrite <- (sum_scal p), <- (sum_scal (p - INR (arrival j))), <- sum_plus.
  replace (sum (fun t => work_in t * INR t + (p - INR (arrival j)) * work_in t) (seq 0 slots) / D) with (sum (fun t => (work_in t * INR t + (p - INR (arrival j)) * work_in t) / D) (seq 0 slots)) by (unfold Rdiv; apply sum_scal_r).
  rewrite <- sum_plus. apply sum_le. intros t _. unfold work_in.
  replace ((sum (fun f => INR (held f i) * lasts f) (plan t) * INR t + (p - INR (arrival j)) * sum (fun f => INR (held f i) * lasts f) (plan t)) / D)
    with ((INR t - INR (arrival j) + p) / D * sum (fun f => INR (held f i) * lasts f) (plan t)) by (field; lra).
  rewrite <- !sum_scal, <- sum_plus. apply sum_le. intros f I. specialize (Row t f I). pose proof (Len t f I). nra. Qed.
Theorem price_bound : 0 < eps -> INR (slow j) = (1 + eps) * INR (time j) -> INR (slow_cloud j) = (1 + eps) * INR (cloud_time j) ->
  (0 < time j)%nat -> (0 < cloud_time j <= time j)%nat -> (forall w t, 0 <= beta w t) ->
  (forall w d t, (w < workers)%nat -> reach j w = Some d -> (arrival j + d <= t)%nat -> price <= (INR t - INR (arrival j) + INR (time j)) / D + INR (time j) * beta w t) ->
  (forall d t, cloud_delay j = Some d -> (arrival j + d <= t)%nat -> price <= (INR t - INR (arrival j) + INR (cloud_time j)) / D) ->
  price * D <= Rmax 1 (1 / 2 + 1 / (1 + eps)) * (c - INR (arrival j)) + all_met / (1 + eps) /\ 0 <= c - INR (arrival j).
Proof.
  intros E0 Sl Sc T0 [C0 CT] B Edge Cloud. assert (HD : 0 < D) by (apply lt_0_INR; auto).
  assert (G : exists p, 0 < p /\ D * ((1 + eps) * p) <= sum work_in (seq 0 slots) /\
    price * sum work_in (seq 0 slots) <= (sum (fun t => work_in t * INR t) (seq 0 slots) + (p - INR (arrival j)) * sum work_in (seq 0 slots)) / D + p * all_met).
  { apply le_INR in CT. apply lt_0_INR in T0. apply lt_0_INR in C0. destruct Sv as (_ & SE & _ & [W|[None_ W]] & _).
    - exists (INR (time j)). rewrite mult_INR, Sl in W. split; auto. split; auto. apply one_rate; auto; [lra | intros; apply (Edge w d); auto|].
      intros d t R L. specialize (Cloud d t R L). eapply Rle_trans; [apply Cloud|]. unfold Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; auto | lra].
    - exists (INR (cloud_time j)). rewrite mult_INR, Sc in W. split; auto. split; auto. apply one_rate; auto; [lra|].
      intros w d t Hw (f & I & S) _ _. exfalso. specialize (None_ t f I). unfold edge_workers in None_.
      assert (K : In w (seq 0 workers)) by (apply in_seq; lia). clear -K S None_. unfold list_sum in None_. induction (seq 0 workers) as [|v l IH]; [destruct K|].
      cbn [map fold_right] in None_. destruct K as [->|K]; [rewrite S, Nat.eqb_refl in None_; lia | apply IH; [lia | auto]]. }
  destruct G as (p & P0 & W & R). destruct (moment slots (le_n _)) as (X0 & M & V). set (X := sum work_in (seq 0 slots)) in *. set (Y := sum (fun t => work_in t * INR t) (seq 0 slots)) in *.
  set (r := INR (arrival j)) in *. set (m := Rmax 1 (1 / 2 + 1 / (1 + eps))).
  assert (XP : 0 < X) by (assert (0 < D * ((1 + eps) * p)) by (apply Rmult_lt_0_compat; [auto | apply Rmult_lt_0_compat; lra]); lra).
  assert (V' : X <= D * (c - r)).
  { assert (L : Rmax 0 (Rmin c (INR slots) - r) <= Rmax 0 (c - r)) by (apply Rle_max_compat_l; pose proof (Rmin_l c (INR slots)); lra).
    destruct (Rle_lt_dec (c - r) 0) as [Z|Z]; [rewrite (Rmax_left 0 (c - r)) in L by lra; pose proof (Rmax_l 0 (Rmin c (INR slots) - r)); nra | rewrite (Rmax_right 0 (c - r)) in L by lra; nra]. }
  assert (C0' : 0 < c - r) by nra.
  assert (M' : 2 * D * Y <= 2 * D * X * c - X * X) by (pose proof (Rmin_l c (INR slots)); assert (2 * D * X * Rmin c (INR slots) <= 2 * D * X * c) by (apply Rmult_le_compat_l; [apply Rmult_le_pos; lra | auto]); lra).
  assert (Met : 0 <= all_met).
  { apply sum_nonneg. intros t _. apply sum_nonneg. intros f I. apply Rmult_le_pos; [apply (Len t); auto|]. apply sum_nonneg. intros w _.
    destruct (serves f w) as [k|]; [destruct (k =? i)%nat|]; auto; lra. }
  split; [|lra].
  (* times X, with Y and the share of p put in *)
  assert (R' : price * D * X <= Y + (p - r) * X + D * p * all_met).
  { apply (Rmult_le_compat_l D) in R; [|lra]. replace (D * ((Y + (p - r) * X) / D + p * all_met)) with (Y + (p - r) * X + D * p * all_met) in R by (field; lra). lra. }
  assert (Pm : D * p * all_met <= X * (all_met / (1 + eps))).
  { replace (D * p * all_met) with (D * ((1 + eps) * p) * (all_met / (1 + eps))) by (field; lra). apply Rmult_le_compat_r; auto. unfold Rdiv. apply Rmult_le_pos; [auto | left; apply Rinv_0_lt_compat; lra]. }
  assert (Yb : Y <= X * c - X * X / (2 * D)).
  { apply Rmult_le_reg_l with (2 * D); [lra|]. replace (2 * D * (X * c - X * X / (2 * D))) with (2 * D * X * c - X * X) by (field; lra). auto. }
  apply Rmult_le_reg_r with X; auto. eapply Rle_trans; [apply R'|].
  set (v := X / D). assert (Xv : X = D * v) by (unfold v; field; lra). assert (vc : v <= c - r) by (apply Rmult_le_reg_l with D; [auto | rewrite <- Xv; auto]).
  assert (v0 : 0 < v) by (unfold v; apply Rdiv_lt_0_compat; auto). assert (pv : p <= v * (1 / (1 + eps))).
  { apply Rmult_le_reg_l with (1 + eps); [lra|]. replace ((1 + eps) * (v * (1 / (1 + eps)))) with v by (field; lra). apply Rmult_le_reg_l with D; [auto | rewrite <- Xv; lra]. }
  assert (Key : (c - r) - v / 2 + p <= m * (c - r)).
  { pose proof (Rmax_l 1 (1 / 2 + 1 / (1 + eps))). pose proof (Rmax_r 1 (1 / 2 + 1 / (1 + eps))). fold m in H, H0. set (u := 1 / (1 + eps)) in *.
    destruct (Rle_lt_dec u (1 / 2)); nra. }
  assert (XX : X * X / (2 * D) = X * (v / 2)) by (unfold v; field; lra). rewrite XX in Yb.
  assert (X * ((c - r) - v / 2 + p) <= X * (m * (c - r))) by (apply Rmult_le_compat_l; lra). lra. Qed.
End Job.
End Program.

(* --- Theorem 3 ------------------------------------------------------------------------------------------------------ *)

Lemma sum_perm {A} (f : A -> R) l k : Permutation l k -> sum f l = sum f k.
Proof. induction 1; simpl; lra. Qed.
Lemma one_index (g : R) x : forall l, 0 <= g -> NoDup l -> sum (fun i => if (x =? i)%nat then g else 0) l <= g.
Proof.
  intros l G N. induction N as [|i l F N IH]; simpl; auto. destruct (Nat.eqb_spec x i) as [->|]; [|lra].
  rewrite (sum_ext _ (fun _ => 0)), sum_zero; [lra|]. intros k K. destruct (Nat.eqb_spec i k) as [->|]; tauto. Qed.
Lemma sum_filter {A} (f : A -> R) p l : sum f (filter p l) = sum (fun a => if p a then f a else 0) l.
Proof. induction l as [|a l IH]; simpl; auto. destruct (p a); simpl; rewrite IH; lra. Qed.
Lemma INR_list_sum l : INR (list_sum l) = sum INR l.
Proof. unfold list_sum. induction l as [|n l IH]; simpl; auto. rewrite plus_INR, IH. auto. Qed.
Lemma sum_tags (f : nat * job -> R) jobs : forall k, sum f (tags k jobs) = sum (fun x => INR (parts (snd x)) * f x) (combine (seq k (length jobs)) jobs).
Proof.
  induction jobs as [|j jobs IH]; simpl; intro k; auto. rewrite sum_app, IH. f_equal. induction (parts j) as [|n IHn]; [simpl; lra|]. cbn [repeat sum]. rewrite IHn, S_INR. lra. Qed.
Lemma sum_fst (f : nat -> R) (jobs : list job) : forall k, sum (fun x => f (fst x)) (combine (seq k (length jobs)) jobs) = sum f (seq k (length jobs)).
Proof. induction jobs as [|j jobs IH]; simpl; intro k; auto. rewrite IH. auto. Qed.
Lemma sum_first (f : queue -> R) : f [] = 0 -> forall (l : list queue) n, (forall q, In q l -> 0 <= f q) -> sum (fun w => f (nth w l [])) (seq 0 n) <= sum f l.
Proof.
  intro Z. induction l as [|q l IH]; intros n H.
  - rewrite (sum_ext _ (fun _ => 0)), sum_zero; [simpl; lra|]. intros w _. destruct w; auto.
  - destruct n as [|n]; [apply sum_nonneg; auto|]. cbn [seq sum nth]. rewrite <- seq_shift, sum_map. specialize (IH n (fun q I => H q (or_intror I))). simpl. lra. Qed.
Lemma live_total c n : left c = 0%nat -> (arrival (of c) < ended c)%nat -> sound c -> sum (fun t => live t c) (seq 0 n) <= share c * (INR (ended c) - INR (arrival (of c))).
Proof.
  intros Z L S. pose proof (share_pos c S). assert (E : sum (fun t => live t c) (seq 0 n) = share c * INR (min n (ended c) - arrival (of c))).
  { induction n as [|n IH]; [simpl; lra|]. rewrite seq_S, sum_app, IH. cbn [sum]. rewrite Nat.add_0_l. unfold live, pending. rewrite Z. change (0 <? 0)%nat with false. cbn [orb].
    destruct (Nat.leb_spec (arrival (of c)) n), (Nat.ltb_spec n (ended c)); cbn [andb].
    - rewrite (Nat.min_l n), (Nat.min_l (Datatypes.S n)) by lia. rewrite (Nat.sub_succ_l (arrival (of c)) n), S_INR by auto. lra.
    - rewrite !Nat.min_r by lia. lra.
    - replace (min (Datatypes.S n) (ended c) - arrival (of c))%nat with (min n (ended c) - arrival (of c))%nat by lia. lra.
    - replace (min (Datatypes.S n) (ended c) - arrival (of c))%nat with (min n (ended c) - arrival (of c))%nat by lia. lra. }
  rewrite E. apply Rmult_le_compat_l; [lra|]. rewrite <- minus_INR by lia. apply le_INR. lia. Qed.

(* the premises: jobs in the order of arrival; chunk times at the two speeds without rounding; chunks land in order *)
Definition in_arrival_order := ForallOrdPairs (fun j k => (arrival j <= arrival k)%nat).
Definition at_speed eps j := INR (slow j) = (1 + eps) * INR (time j) /\ INR (slow_cloud j) = (1 + eps) * INR (cloud_time j) /\ (cloud_time j <= time j)%nat.
Definition lands_in_order workers := ForallOrdPairs (fun j k => forall w d e, (w < workers)%nat -> reach j w = Some d -> reach k w = Some e -> (arrival j + d <= arrival k + e)%nat).
Definition equally_many (jobs : list job) := forall j k, In j jobs -> In k jobs -> parts j = parts k.
Definition most_parts jobs := list_max (map parts jobs).

Lemma agreed workers jobs : in_arrival_order jobs -> lands_in_order workers jobs \/ equally_many jobs -> exists b, ForallOrdPairs (agree workers b) jobs.
Proof.
  intros A [L|E]; [exists true | exists false].
  - unfold in_arrival_order, lands_in_order in *. induction A as [|j jobs Aj A IH]; [constructor|]. inversion_clear L as [|? ? Lj L']. constructor; [|apply IH; exact L'].
    rewrite Forall_forall in Aj, Lj |- *. intros k K. split; [apply Aj; exact K | apply Lj; exact K].
  - unfold in_arrival_order in A. induction A as [|j jobs Aj A IH]; [constructor|]. constructor; [|apply IH; intros x y X Y; apply E; simpl; auto].
    rewrite Forall_forall in Aj |- *. intros k K. split; [apply Aj; exact K | apply E; simpl; auto]. Qed.
Theorem theorem3_minlp_repaired : forall workers jobs eps, 0 < eps -> in_arrival_order jobs -> lands_in_order workers jobs \/ equally_many jobs ->
  (forall j, In j jobs -> usable workers j /\ never_split j /\ at_speed eps j) ->
  forall slots plan finish, feasible workers jobs slots plan finish ->
  INR (total_jct jobs (a_online residual workers jobs)) <= INR (most_parts jobs) * Rmax (1 + 1 / eps) ((3 + eps) / (2 * eps)) * opt_cost jobs finish.
Proof.
  intros workers jobs eps E0 Ar Pr V slots plan finish (Len & One & Sv). destruct (agreed workers jobs Ar Pr) as (b & Ag).
  destruct (a_online_placed workers b jobs Ag ltac:(intros j J; destruct (V j J) as (A & B & _); auto)) as (T & Ch & Lemma4).
  set (queues := a_online residual workers jobs) in *. set (flow := fun c => share c * (INR (ended c) - INR (arrival (of c)))) in *.
  set (m := Rmax 1 (1 / 2 + 1 / (1 + eps))). set (B := beta_at queues).
  assert (All : forall c, In c (concat queues) -> sound c /\ left c = 0%nat /\ (arrival (of c) < ended c)%nat /\ within_rows workers queues c /\ nth_error jobs (owner c) = Some (of c)).
  { intros c I. pose proof I as J. apply in_concat in J. destruct J as (q & Q & J). destruct (Ch q c Q J) as (S & L & A & W). repeat (split; [auto|]).
    assert (K : In (owner c, of c) (tags 0 jobs)) by (apply (Permutation_in _ T), (in_map tag _ _ I)). apply tags_in in K. rewrite Nat.sub_0_r in K. apply K. }
  assert (B0 : forall w t, 0 <= B w t).
  { intros w t. apply sum_nonneg. intros c I. apply live_nonneg. destruct (nth_in_or_default w queues []) as [N|N]; [apply (Ch _ c N I) | rewrite N in I; destruct I]. }
  set (bound := fun x : nat * job => m * (finish (fst x) - INR (arrival (snd x))) + all_met workers slots plan (fst x) B / (1 + eps)).
  (* every price is within the rows, which the job's work meets in the plan *)
  assert (P : forall i j c, In c (concat queues) -> tag c = (i, j) -> price_of c * INR (parts j) <= bound (i, j)).
  { intros i j c I E. injection E as <- <-. destruct (All c I) as (S & _ & _ & (R1 & R2) & N). pose proof (nth_error_In _ _ N) as J.
    destruct (V _ J) as (((_ & T0 & C0) & _) & _ & (S1 & S2 & S3)).
    apply (price_bound workers slots plan finish (owner c) (of c) S Len One (Sv _ _ N) eps (price_of c) B E0 S1 S2 T0 (conj C0 S3) B0); auto. }
  assert (Prices : sum price_of (concat queues) <= m * opt_cost jobs finish + sum (fun i => all_met workers slots plan i B) (seq 0 (length jobs)) / (1 + eps)).
  { apply Rle_trans with (sum (fun c => bound (tag c) / INR (parts (snd (tag c)))) (concat queues)).
    - apply sum_le. intros c I. specialize (P _ _ c I eq_refl). pose proof (lt_0_INR _ (proj1 (All c I))) as D. simpl in *.
      apply Rmult_le_reg_r with (INR (parts (of c))); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. apply P.
    - rewrite <- (sum_map tag (fun x => bound x / INR (parts (snd x)))). fold (tagged queues). rewrite (sum_perm _ _ _ T), sum_tags.
      rewrite (sum_ext _ (fun x => m * (finish (fst x) - INR (arrival (snd x))) + all_met workers slots plan (fst x) B * (/ (1 + eps)))).
      + rewrite sum_plus, sum_scal, sum_scal_r, (sum_fst (fun i => all_met workers slots plan i B)). unfold opt_cost, numbered. apply Rplus_le_compat_r.
        right. f_equal. apply sum_ext. intros [i j] _. auto.
      + intros [i j] I. apply in_combine_r in I. destruct (V j I) as (((D & _) & _) & _). apply lt_0_INR in D. unfold bound. simpl. field. split; lra. }
  (* the workers of a slot meet beta at most once *)
  assert (Met : sum (fun i => all_met workers slots plan i B) (seq 0 (length jobs)) <= sum flow (concat queues)).
  { apply Rle_trans with (sum (fun t => sum (fun w => B w t) (seq 0 workers)) (seq 0 slots)).
    - unfold all_met. rewrite sum_swap. apply sum_le. intros t _. rewrite sum_swap.
      apply Rle_trans with (sum (fun f => lasts f * sum (fun w => B w t) (seq 0 workers)) (plan t)).
      + apply sum_le. intros f I. rewrite sum_scal. apply Rmult_le_compat_l; [apply (Len t); auto|]. unfold met. rewrite sum_swap. apply sum_le. intros w _.
        destruct (serves f w) as [k|]; [apply one_index; auto using seq_NoDup | rewrite sum_zero; auto].
      + rewrite sum_scal_r. rewrite <- (Rmult_1_l (sum (fun w => B w t) (seq 0 workers))) at 2. apply Rmult_le_compat_r; [apply sum_nonneg; auto | auto].
    - rewrite sum_swap. unfold B, beta_at.
      apply Rle_trans with (sum (fun w => sum flow (nth w queues [])) (seq 0 workers)).
      + apply sum_le. intros w _. rewrite sum_swap. apply sum_le. intros c I. destruct (nth_in_or_default w queues []) as [N|N]; [|rewrite N in I; destruct I].
        destruct (Ch _ c N I) as (S & L & A & _). apply live_total; auto.
      + assert (C : sum flow (concat queues) = sum (fun q => sum flow q) queues) by (clear; induction queues as [|q l IH]; simpl; auto; rewrite sum_app, IH; auto).
        rewrite C. apply (sum_first (fun q => sum flow q)); auto. intros q Q. apply sum_nonneg. intros c I. destruct (Ch q c Q I) as (S & _ & A & _).
        apply lt_INR in A. unfold flow. apply Rmult_le_pos; [left; apply share_pos; auto | lra]. }
  (* Theorem 3 from these *)
  set (F := sum flow (concat queues)) in *. set (G := sum price_of (concat queues)) in *. set (O := opt_cost jobs finish) in *. set (A := sum (fun i => all_met workers slots plan i B) _) in *.
  assert (Inv : 0 < / (1 + eps)) by (apply Rinv_0_lt_compat; lra).
  assert (Fm : F <= (1 + 1 / eps) * (m * O)).
  { assert (A / (1 + eps) <= F / (1 + eps)) by (unfold Rdiv; apply Rmult_le_compat_r; lra).
    apply Rmult_le_reg_r with (eps / (1 + eps)); [apply Rdiv_lt_0_compat; lra|]. replace ((1 + 1 / eps) * (m * O) * (eps / (1 + eps))) with (m * O) by (field; lra).
    replace (F * (eps / (1 + eps))) with (F - F / (1 + eps)) by (field; lra). lra. }
  assert (Mm : (1 + 1 / eps) * m = Rmax (1 + 1 / eps) ((3 + eps) / (2 * eps))).
  { unfold m. assert (0 < 1 / eps) by (apply Rdiv_lt_0_compat; lra). rewrite <- RmaxRmult by lra. f_equal; field; lra. }
  assert (J : INR (total_jct jobs queues) <= INR (most_parts jobs) * F).
  { unfold total_jct. rewrite INR_list_sum, sum_map. apply Rle_trans with (sum (fun c => INR (ended c) - INR (arrival (of c))) (concat queues)).
    - apply Rle_trans with (sum (fun i => sum (fun c => if (owner c =? i)%nat then INR (ended c) - INR (arrival (of c)) else 0) (concat queues)) (seq 0 (length jobs))).
      + apply sum_le. intros i _. rewrite <- sum_filter. fold (chunks_of i queues). unfold jct.
        assert (K : forall c, In c (chunks_of i queues) -> (arrival (of c) < ended c)%nat) by (intros c I; apply filter_In in I; apply All, I).
        clear -K. induction (chunks_of i queues) as [|c l IH]; [simpl; lra|]. cbn [map sum]. specialize (IH (fun d I => K d (or_intror I))). specialize (K c (or_introl eq_refl)).
        assert (Max : (list_max ((ended c - arrival (of c)) :: map (fun c => ended c - arrival (of c)) l) <= (ended c - arrival (of c)) + list_max (map (fun c => ended c - arrival (of c)) l))%nat) by (simpl; lia).
        apply le_INR in Max. rewrite plus_INR, minus_INR in Max by lia. lra.
      + rewrite sum_swap. apply sum_le. intros c I. apply one_index; [|apply seq_NoDup]. destruct (All c I) as (_ & _ & L & _). apply lt_INR in L. lra.
    - unfold F. rewrite <- sum_scal. apply sum_le. intros c I. destruct (All c I) as (S & _ & L & _ & N). apply lt_INR in L. unfold flow, share.
      assert (D : INR (parts (of c)) <= INR (most_parts jobs)).
      { apply le_INR. unfold most_parts. pose proof (proj1 (list_max_le (map parts jobs) (list_max (map parts jobs))) (le_n _)) as Mx. rewrite Forall_forall in Mx.
        apply Mx, in_map, (nth_error_In _ _ N). }
      pose proof (lt_0_INR _ S) as D0. replace (INR (ended c) - INR (arrival (of c))) with (INR (parts (of c)) * (/ INR (parts (of c)) * (INR (ended c) - INR (arrival (of c))))) at 1 by (field; lra).
      apply Rmult_le_compat_r; auto. apply Rmult_le_pos; [left; apply Rinv_0_lt_compat; auto | lra]. }
  eapply Rle_trans; [apply J|]. rewrite <- Mm, !Rmult_assoc. apply Rmult_le_compat_l; [apply pos_INR|]. rewrite <- Rmult_assoc in Fm. rewrite <- Rmult_assoc. auto. Qed.
