(* placement: rows, rewards and starts of (1)-(8), the games against policies without preemption, and scores. *)
From Schedproof Require Import sums.
From Coq Require Import Arith Bool Permutation.

(* --- slots in the system -------------------------------------------------------------------------------------------- *)

(* A task comes in slot `came`, starts in `start` and runs for `duration` slots; phi is the slots in the system. *)
Record task := { came : nat; start : nat; duration : nat }.
Definition phi t := (start t + duration t - came t)%nat.
Definition runs_in t s := (start t <= s < start t + duration t)%nat.
Definition valid t := (came t <= start t)%nat.
(* the slots of [start, came + phi) are those in which it runs *)
Theorem half_open : forall t s, valid t -> (runs_in t s <-> (start t <= s < came t + phi t)%nat).
Proof. unfold valid, runs_in, phi. intros. lia. Qed.
(* a slot counts a task that is in the system, waiting or running *)
Definition alive (s : nat) (t : task) := if (came t <=? s)%nat && (s <? came t + phi t)%nat then 1%nat else 0%nat.
Fixpoint count {A} (f : A -> nat) (l : list A) : nat := match l with [] => 0 | a :: l => f a + count f l end.
Lemma count_swap {A B} (h : A -> B -> nat) l k : count (fun a => count (h a) k) l = count (fun b => count (fun a => h a b) l) k.
Proof. induction l as [|a l IH]; simpl; [induction k; simpl; auto|]. rewrite IH. clear IH. induction k as [|b k IHk]; simpl; [auto | lia]. Qed.
Lemma count_ext {A} (f g : A -> nat) l : (forall a, In a l -> f a = g a) -> count f l = count g l.
Proof. induction l as [|a l IH]; simpl; intros H; [auto|]. rewrite (H a) by auto. f_equal. auto. Qed.
Lemma alive_slots t T : (came t + phi t <= T)%nat -> count (fun s => alive s t) (seq 0 T) = phi t.
Proof.
  intro H. assert (G : forall n, (n <= T)%nat -> count (fun s => alive s t) (seq 0 n) = (Nat.min n (came t + phi t) - came t)%nat).
  { induction n; intros L; [simpl; lia|]. rewrite seq_S. change (0 + n)%nat with n.
    assert (app : forall l k, count (fun s => alive s t) (l ++ k) = (count (fun s => alive s t) l + count (fun s => alive s t) k)%nat) by (induction l; simpl; intros; [auto | rewrite IHl; lia]).
    rewrite app, IHn by lia. cbn [count]. assert (V : ((came t <= n < came t + phi t)%nat -> alive n t = 1%nat) /\ (~ (came t <= n < came t + phi t)%nat -> alive n t = 0%nat)).
    { unfold alive. destruct (Nat.leb_spec (came t) n), (Nat.ltb_spec n (came t + phi t)); simpl; lia. }
    destruct V. destruct (le_lt_dec (came t) n), (le_lt_dec (came t + phi t) n); lia. }
  rewrite (G T) by lia. lia. Qed.
(* the numbers of alive tasks, over all slots, add up to the total completion time *)
Theorem reward_identity : forall tasks T, (forall t, In t tasks -> (came t + phi t <= T)%nat) ->
  count (fun s => count (alive s) tasks) (seq 0 T) = count phi tasks.
Proof. intros tasks T H. rewrite count_swap. apply count_ext. intros t I. apply alive_slots. auto. Qed.
(* each alive task belongs to one cluster: so do its rewards *)
Theorem reward_identity_clusters : forall tasks T clusters (home : nat -> task -> nat), NoDup clusters ->
  (forall t, In t tasks -> (came t + phi t <= T)%nat) -> (forall s (t : task), In (home s t) clusters) ->
  count (fun n => count (fun s => count (fun t => if Nat.eq_dec (home s t) n then alive s t else 0%nat) tasks) (seq 0 T)) clusters = count phi tasks.
Proof.
  intros tasks T cl home N H I. rewrite count_swap. rewrite <- (reward_identity tasks T H). apply count_ext; intros s _.
  rewrite count_swap. apply count_ext; intros t _. specialize (I s t).
  induction N as [|c cl F N IH]; simpl in *; [tauto|]. destruct (Nat.eq_dec (home s t) c) as [E|E].
  - assert (Z : count (fun n => if Nat.eq_dec (home s t) n then alive s t else 0%nat) cl = 0%nat); [|lia].
    clear -F E. induction cl as [|d cl IH]; simpl in *; [auto|]. destruct (Nat.eq_dec (home s t) d); [exfalso; apply F; left; congruence | apply IH; tauto].
  - destruct I; [congruence | rewrite IH; auto]. Qed.

(* --- (2), (3), (6), (7), (8): binary y of a task over pairs of a cluster and a slot ---------------------------------- *)

Definition binary (y : nat -> nat) := forall p, (y p = 0 \/ y p = 1)%nat.
Fixpoint largest (f : nat -> nat) (l : list nat) : nat := match l with [] => 0 | p :: l => Nat.max (f p) (largest f l) end.
Lemma none (y : nat -> nat) (l : list nat) : count y l = 0%nat -> forall p, In p l -> y p = 0%nat.
Proof. induction l as [|q l IH]; simpl; intros E p I; [tauto|]. destruct I as [<-|I]; [lia | apply IH; auto; lia]. Qed.
(* (3) allows one start at most: the maximum in (6) is the sum, and so is the one in (7) times C *)
Theorem maximum_is_sum : forall y slot pairs, binary y -> (count y pairs <= 1)%nat ->
  largest (fun p => slot p * y p)%nat pairs = count (fun p => slot p * y p)%nat pairs.
Proof.
  intros y slot l B. induction l as [|p l IH]; simpl; intros C; auto. destruct (B p) as [E|E]; rewrite E in *.
  - rewrite Nat.mul_0_r. simpl. apply IH; auto.
  - assert (Z : count y l = 0%nat) by lia. pose proof (none y l Z) as N. 
    assert (largest (fun p => slot p * y p)%nat l = 0%nat /\ count (fun p => slot p * y p)%nat l = 0%nat) as [-> ->]; [|lia].
    clear -N. induction l as [|q l IH]; simpl; auto. rewrite (N q) by (simpl; auto). destruct IH as [A1 A2]; [intros; apply N; simpl; auto|]. rewrite A1, A2, Nat.mul_0_r. auto. Qed.
(* of a task that is scheduled t* is the only time *)
Theorem only_time : forall y slot pairs p, NoDup pairs -> binary y -> (count y pairs <= 1)%nat -> In p pairs -> y p = 1%nat ->
  count (fun q => slot q * y q)%nat pairs = slot p /\ forall q, In q pairs -> y q = 1%nat -> q = p.
Proof.
  intros y slot l p N B. induction N as [|q l F N IH]; simpl; intros C I E; [tauto|]. destruct (Nat.eq_dec q p) as [->|D].
  - assert (Z : count y l = 0%nat) by lia. pose proof (none y l Z) as M. split.
    + rewrite E. assert (count (fun q => slot q * y q)%nat l = 0%nat) as ->; [|lia]. clear -M. induction l as [|q l IH]; simpl; auto. rewrite (M q) by (simpl; auto). rewrite IH; [lia | intros; apply M; simpl; auto].
    + intros q' [<-|J] Q; auto. rewrite (M q' J) in Q. discriminate.
  - destruct I as [|I]; [congruence|]. assert (y q = 0%nat).
    { destruct (B q) as [|O]; auto. exfalso. assert (count y l >= 1)%nat; [|lia]. clear -I E. induction l as [|r l IH]; simpl in *; [tauto|]. destruct I as [->|I]; [lia | specialize (IH I); lia]. }
    destruct IH as [S U]; auto; [lia|]. split; [rewrite H, S; lia|]. intros q' [<-|J] Q; [lia | auto]. Qed.
(* (8), repaired: at least b of each resource for a task that is scheduled *)
Theorem requirements8 : forall (x b : nat -> R) scheduled, scheduled = 1 -> (forall r, b r * scheduled <= x r) -> forall r, b r <= x r.
Proof. intros x b s -> H r. specialize (H r). lra. Qed.
(* (2) counts the tasks that a cluster starts in a slot, and (3) the clusters of a task *)
Theorem one_task2 : forall y l, NoDup l -> binary y -> (count y l <= 1)%nat -> forall p q, In p l -> In q l -> y p = 1%nat -> y q = 1%nat -> p = q.
Proof. intros y l N B C p q P Q E F. destruct (only_time y (fun _ => O) l q N B C Q F) as [_ U]. auto. Qed.
(* what is free decides which allocations can start *)
Theorem mask12 : forall C busy x, C - busy >= 0 -> (busy + x <= C <-> x <= C - busy).
Proof. intros. lra. Qed.

(* --- policies that let each task run to its end ---------------------------------------------------------------------- *)

(* A task of n slots starts in slot s; then n tasks of one slot come, the i-th in s + i, and complete one after the other
   from s + n on. The costs are completion times less arrivals. *)
Fixpoint upto_nat (f : nat -> nat) (n : nat) : nat := match n with O => O | S k => (upto_nat f k + f (S k))%nat end.
Definition policy_costs (n s : nat) := ((s + n) + upto_nat (fun i => (s + n + i) - (s + i)) n)%nat.
Definition better_costs (n s : nat) := if (n <=? s)%nat then (n + upto_nat (fun _ => 1) n)%nat else (upto_nat (fun _ => 1) n + (s + n + 1 + n))%nat.
Lemma constant c n : upto_nat (fun _ => c) n = (n * c)%nat.
Proof. induction n; simpl; [auto|]. rewrite IHn. lia. Qed.
Lemma policy_closed n s : policy_costs n s = (n * n + n + s)%nat.
Proof.
  unfold policy_costs. assert (E : forall k, upto_nat (fun i => (s + n + i) - (s + i))%nat k = (k * n)%nat).
  { induction k; cbn [upto_nat]; [auto|]. rewrite IHk. lia. } rewrite E. lia. Qed.
Theorem online_ratio : forall n s, (1 <= n)%nat -> (n * better_costs n s <= 4 * policy_costs n s)%nat.
Proof.
  intros n s H. rewrite policy_closed. unfold better_costs. rewrite !constant. destruct (Nat.leb_spec n s); [nia|].
  destruct (Nat.le_gt_cases n 4); [|nia]. assert (n = 1 \/ n = 2 \/ n = 3 \/ n = 4)%nat as [->|[->|[->| ->]]] by lia; lia. Qed.
(* the schedules behind these costs: tasks on one unit, which each holds from its start to its end *)
Definition apart t u := (start t + duration t <= start u \/ start u + duration u <= start t)%nat.
Definition on_one_unit (tasks : list task) := (forall t, In t tasks -> valid t) /\ ForallOrdPairs apart tasks.
Definition adversary n s (long : task) (short : list task) := came long = 0%nat /\ duration long = n /\
  map came short = map (fun i => s + i)%nat (seq 1 n) /\ forall t, In t short -> duration t = 1%nat.
Lemma least_sum : forall l m, NoDup l -> (forall k, In k l -> (m <= k)%nat) -> (length l * m + list_sum (seq 0 (length l)) <= list_sum l)%nat.
Proof.
  intro l. remember (length l) as n eqn:E. revert l E. induction n as [|n IH]; intros l E m N B; simpl; [lia|].
  assert (top : exists a u v, l = u ++ a :: v /\ (m + n <= a)%nat).
  { destruct (Exists_dec (fun a => (m + n <= a)%nat) l (fun a => le_dec (m + n) a)) as [X|X].
    - apply Exists_exists in X. destruct X as (a & I & L). apply in_split in I. destruct I as (u & v & ->). eauto.
    - exfalso. assert (I : incl l (seq m n)). { intros k K. apply in_seq. split; [auto|]. destruct (le_lt_dec (m + n) k) as [L|]; auto. exfalso. apply X, Exists_exists. eauto. }
      pose proof (NoDup_incl_length N I) as L. rewrite seq_length in L. lia. }
  destruct top as (a & u & v & -> & L). rewrite app_length in E. simpl in E.
  pose proof (IH (u ++ v) ltac:(rewrite app_length; lia) m (NoDup_remove_1 _ _ _ N)) as H. rewrite list_sum_app in *. simpl.
  specialize (H ltac:(intros k K; apply B, in_or_app; apply in_app_or in K; simpl; tauto)).
  assert (S : forall k b, list_sum (seq b (S k)) = (list_sum (seq b k) + (b + k))%nat).
  { clear. intros k b. rewrite seq_S, list_sum_app. simpl. lia. }
  pose proof (S n 0%nat) as S0. simpl in S0. lia. Qed.
Lemma phi_sum l : (forall t, In t l -> valid t) -> (forall t, In t l -> duration t = 1%nat) -> (count phi l + list_sum (map came l) = list_sum (map start l) + length l)%nat.
Proof.
  induction l as [|t l IH]; simpl; intros V D; auto. pose proof (V t (or_introl eq_refl)) as Vt. pose proof (D t (or_introl eq_refl)) as Dt.
  specialize (IH (fun t I => V t (or_intror I)) (fun t I => D t (or_intror I))). unfold valid in Vt. unfold phi at 1. lia. Qed.
Lemma list_sum_shift s b n : list_sum (map (fun i => s + i)%nat (seq b n)) = (n * (s + b) + list_sum (seq 0 n))%nat.
Proof.
  revert b. assert (S : forall k b, list_sum (seq b (S k)) = (list_sum (seq b k) + (b + k))%nat) by (intros; rewrite seq_S, list_sum_app; simpl; lia).
  induction n as [|n IH]; intro b; [reflexivity|]. rewrite seq_S, map_app, list_sum_app, IH, S. simpl. lia. Qed.
Theorem online_ratio_schedules : forall n s long short, (1 <= n)%nat -> adversary n s long short -> start long = s -> on_one_unit (long :: short) ->
  exists long' short', adversary n s long' short' /\ on_one_unit (long' :: short') /\
    (n * count phi (long' :: short') <= 4 * count phi (long :: short))%nat.
Proof.
  intros n s long short N (A0 & A1 & A2 & A3) St [V O]. inversion O as [|? ? F O' Eq]; subst. rewrite Forall_forall in F.
  assert (Len : length short = duration long) by (rewrite <- (map_length came short), A2, map_length, seq_length; auto).
  assert (Vs : forall t, In t short -> valid t) by (intros; apply V; right; auto).
  assert (Late : forall k, In k (map start short) -> (start long + duration long <= k)%nat).
  { intros k K. apply in_map_iff in K. destruct K as (t & <- & I). destruct (F t I) as [G|G]; auto. exfalso.
    assert (C : In (came t) (map came short)) by (apply in_map; auto). rewrite A2 in C. apply in_map_iff in C. destruct C as (i & E & I'). apply in_seq in I'.
    specialize (Vs t I). unfold valid in Vs. rewrite (A3 t I) in G. lia. }
  assert (Nd : NoDup (map start short)).
  { clear -O' A3. induction O' as [|t l F O IH]; simpl; [constructor|]. constructor; [|apply IH; intros; apply A3; right; auto].
    intro I. apply in_map_iff in I. destruct I as (u & E & I). rewrite Forall_forall in F. specialize (F u I). unfold apart in F.
    rewrite (A3 t) in F by (left; auto). rewrite (A3 u) in F by (right; auto). lia. }
  pose proof (least_sum _ _ Nd Late) as L. rewrite map_length, Len in L. pose proof (phi_sum short Vs A3) as P. rewrite A2, list_sum_shift, Len in P.
  set (m := duration long) in *. set (s := start long) in *.
  assert (Paid : (policy_costs m s <= count phi (long :: short))%nat).
  { rewrite policy_closed. cbn [count]. unfold phi at 1. rewrite A0. fold m s. nia. }
  set (sh := map (fun i => {| came := s + i; start := s + i; duration := 1 |}) (seq 1 m)).
  assert (Csh : map came sh = map (fun i => s + i)%nat (seq 1 m)) by (unfold sh; rewrite map_map; reflexivity).
  assert (Ssh : forall t, In t sh -> valid t /\ duration t = 1%nat /\ (s + 1 <= start t <= s + m)%nat /\ phi t = 1%nat).
  { intros t I. apply in_map_iff in I. destruct I as (i & <- & I). apply in_seq in I. unfold valid, phi. simpl. lia. }
  assert (Osh : ForallOrdPairs apart sh).
  { unfold sh. generalize 1%nat at 2 as b. clear. induction m as [|m IH]; intro b; simpl; constructor; auto. apply Forall_forall. intros t I.
    apply in_map_iff in I. destruct I as (i & <- & I). apply in_seq in I. unfold apart. simpl. lia. }
  assert (Psh : count phi sh = m).
  { assert (G : forall l, (forall t, In t l -> phi t = 1%nat) -> count phi l = length l) by (induction l as [|t l IH]; simpl; intro H; auto; rewrite (H t), IH by auto; lia).
    rewrite G by (intros t I; apply (Ssh t I)). unfold sh. rewrite map_length, seq_length. auto. }
  pose proof (online_ratio m s N) as R0. unfold better_costs in R0. rewrite constant in R0. destruct (Nat.leb_spec m s) as [B|B].
  - exists {| came := 0; start := 0; duration := m |}, sh. split; [|split; [split|]].
    + repeat split; auto. intros t I. apply (Ssh t I).
    + intros t [<-|I]; [unfold valid; simpl; lia | apply (Ssh t I)].
    + constructor; auto. apply Forall_forall. intros t I. destruct (Ssh t I) as (_ & _ & Q & _). unfold apart. simpl. lia.
    + cbn [count]. rewrite Psh. unfold phi at 1. simpl start. simpl duration. simpl came. nia.
  - exists {| came := 0; start := s + m + 1; duration := m |}, sh. split; [|split; [split|]].
    + repeat split; auto. intros t I. apply (Ssh t I).
    + intros t [<-|I]; [unfold valid; simpl; lia | apply (Ssh t I)].
    + constructor; auto. apply Forall_forall. intros t I. destruct (Ssh t I) as (_ & D & Q & _). unfold apart. simpl. lia.
    + cbn [count]. rewrite Psh. unfold phi at 1. simpl start. simpl duration. simpl came. nia. Qed.
(* A deterministic policy gives each task of an instance, a list of arrivals and durations, its start. It is online if tasks that
   come after a slot change nothing that starts up to this slot. *)
Definition policy := list (nat * nat) -> list nat.
Definition online (P : policy) := forall I later s, (forall t, In t later -> (s < fst t)%nat) ->
  forall i, (i < length I)%nat -> (Nat.min (nth i (P (I ++ later)) 0) (s + 1) = Nat.min (nth i (P I) 0) (s + 1))%nat.
Definition tasks_of (I : list (nat * nat)) (starts : list nat) := map (fun p => {| came := fst (fst p); start := snd p; duration := snd (fst p) |}) (combine I starts).
Definition schedules (P : policy) := forall I, length (P I) = length I /\ on_one_unit (tasks_of I (P I)).
Definition instance_of (tasks : list task) := map (fun t => (came t, duration t)) tasks.
Theorem online_ratio_policies : forall P n, (1 <= n)%nat -> online P -> schedules P ->
  exists I other, length I = (n + 1)%nat /\ instance_of other = I /\ on_one_unit other /\ (n * count phi other <= 4 * count phi (tasks_of I (P I)))%nat.
Proof.
  intros P n N O S. set (s := nth 0 (P [(0, n)]%nat) 0%nat). set (later := map (fun i => (s + i, 1))%nat (seq 1 n)). set (I := ((0, n) :: later)%nat).
  assert (Late : forall t, In t later -> (s < fst t)%nat) by (intros t J; apply in_map_iff in J; destruct J as (i & <- & J); apply in_seq in J; simpl; lia).
  pose proof (O [(0, n)]%nat later s Late 0%nat ltac:(simpl; lia)) as E. fold s in E. change ([(0, n)]%nat ++ later) with I in E.
  destruct (S I) as [L U]. destruct (P I) as [|a starts] eqn:Q; [discriminate|]. simpl in E, L. assert (a = s) as -> by lia. injection L as L.
  change (tasks_of I (s :: starts)) with ({| came := 0; start := s; duration := n |} :: tasks_of later starts) in *.
  assert (C : forall (l : list (nat * nat)) k, length k = length l -> map came (tasks_of l k) = map fst l /\ map duration (tasks_of l k) = map snd l).
  { induction l as [|t l IH]; intros [|b k] G; try discriminate; [split; reflexivity|]. injection G as G. destruct (IH k G) as [G1 G2]. unfold tasks_of in *. simpl. rewrite G1, G2. auto. }
  destruct (C later starts L) as [C1 C2].
  assert (A : adversary n s {| came := 0; start := s; duration := n |} (tasks_of later starts)).
  { repeat split; auto; [rewrite C1; unfold later; rewrite map_map; reflexivity|]. intros t J. apply (in_map duration) in J. rewrite C2 in J.
    unfold later in J. rewrite map_map in J. apply in_map_iff in J. destruct J as (? & <- & _). reflexivity. }
  destruct (online_ratio_schedules n s _ _ N A eq_refl U) as (long & short & (B0 & B1 & B2 & B3) & V & R).
  exists I, (long :: short). split; [unfold I, later; simpl; rewrite map_length, seq_length; lia|]. split; [|rewrite Q; split; [exact V | exact R]].
  unfold instance_of. simpl. rewrite B0, B1. unfold I. f_equal. unfold later.
  rewrite <- (map_map (fun i => s + i)%nat (fun c => (c, 1%nat))), <- B2, map_map. apply map_ext_in. intros t J. rewrite (B3 t J). reflexivity. Qed.
(* P tasks of L slots ahead of n tasks of one: one long first and then the shortest, against the shortest first *)
Definition long_first (P L n : nat) := (L + upto_nat (fun i => L + i) n + upto_nat (fun i => n + (i + 1) * L) (P - 1))%nat.
Definition short_first (P L n : nat) := (upto_nat (fun i => i) n + upto_nat (fun i => n + i * L) P)%nat.
Lemma upto_split (f g h : nat -> nat) n : (forall i, f i = g i + h i)%nat -> upto_nat f n = (upto_nat g n + upto_nat h n)%nat.
Proof. intro H. induction n; simpl; [auto|]. rewrite IHn, H. lia. Qed.
Theorem window_optimal_gap : forall P L n, (1 <= P)%nat -> (1 <= L)%nat -> (long_first P L n = short_first P L n + n * (L - 1))%nat.
Proof.
  intros P L n HP HL. destruct P as [|P]; [lia|]. unfold long_first, short_first. replace (S P - 1)%nat with P by lia.
  rewrite (upto_split (fun i => L + i)%nat (fun _ => L) (fun i => i) n) by (intros; lia). rewrite constant.
  assert (E : upto_nat (fun i => n + i * L)%nat (S P) = (n + L + upto_nat (fun i => n + (i + 1) * L) P)%nat).
  { induction P as [|P IH]; [simpl; lia|]. remember (S P) as Q. cbn [upto_nat] in *. subst Q. rewrite IH by lia. cbn [upto_nat]. lia. }
  rewrite E. nia. Qed.

(* --- scores ----------------------------------------------------------------------------------------------------------- *)

(* (11): the share of one agent among those that chose the task *)
Definition share w others := w / (w + others).
Theorem bayes_monotone : forall w w' o, 0 <= w <= w' -> 0 <= o -> 0 < w + o -> share w o <= share w' o /\ o / (w' + o) <= o / (w + o).
Proof.
  intros w w' o W O P. unfold share. split.
  - apply Rmult_le_reg_r with ((w + o) * (w' + o)); [nra|]. replace (w / (w + o) * ((w + o) * (w' + o))) with (w * (w' + o)) by (field; lra).
    replace (w' / (w' + o) * ((w + o) * (w' + o))) with (w' * (w + o)) by (field; lra). nra.
  - unfold Rdiv. apply Rmult_le_compat_l; auto. apply Rinv_le_contravar; lra. Qed.
(* the masked softmax: dummies have weight 0, and another order of the tasks gives the same scores *)
Definition softmax {A} (weight : A -> R) (l : list A) a := weight a / sum weight l.
Theorem dummies : forall {A} (weight : A -> R) l (dummy : A -> bool), (forall a, dummy a = true -> weight a = 0) ->
  (forall a, dummy a = false -> 0 < weight a) -> (exists a, In a l /\ dummy a = false) ->
  (forall a, dummy a = true -> softmax weight l a = 0) /\ 0 < sum weight l /\ sum (softmax weight l) (filter (fun a => negb (dummy a)) l) = 1.
Proof.
  intros A w l d D0 D1 [a [I E]].
  assert (P : 0 < sum w l). { apply Rlt_le_trans with (w a); auto. apply sum_term; auto. intros b _. destruct (d b) eqn:F; [rewrite D0 by auto; lra | left; auto]. }
  repeat split; auto.
  - intros b F. unfold softmax. rewrite D0 by auto. unfold Rdiv; lra.
  - unfold softmax. unfold Rdiv. rewrite sum_scal_r. assert (Q : sum w (filter (fun a => negb (d a)) l) = sum w l).
    { clear -D0. induction l as [|b l IH]; simpl; auto. destruct (d b) eqn:F; simpl; rewrite IH; [rewrite D0 by auto; lra | auto]. }
    rewrite Q. field. lra. Qed.
Lemma sum_permutation {A} (f : A -> R) l l' : Permutation l l' -> sum f l = sum f l'.
Proof. induction 1; simpl; lra. Qed.
Theorem pointer_equivariance : forall {A} (weight : R -> A -> R) (embedding : A -> R) l l', Permutation l l' ->
  let mean k := sum embedding k / INR (length k) in
  forall a, softmax (weight (mean l)) l a = softmax (weight (mean l')) l' a.
Proof.
  intros A w h l l' P mean a. assert (mean l = mean l') as E by (unfold mean; rewrite (sum_permutation h l l' P), (Permutation_length P); reflexivity).
  rewrite E. unfold softmax. rewrite (sum_permutation _ l l' P). reflexivity. Qed.
(* the expected score of a distribution is the derivative of its sum, which is 0 *)
Theorem mean_of_scores : forall {A} (l : list A) (pr score derivative : A -> R), (forall a, In a l -> pr a * score a = derivative a) ->
  sum derivative l = 0 -> sum (fun a => pr a * score a) l = 0.
Proof. intros A l p s d H Z. rewrite <- Z. apply sum_ext. auto. Qed.
(* an action is (task, allocation) where the agent gets the task and the task alone where it does not *)
Theorem factor_m13_distribution : forall {T X} (tasks : list T) (options : T -> list X) (gets : T -> bool) (pt : T -> R) (px : T -> X -> R),
  sum pt tasks = 1 -> (forall j, sum (px j) (options j) = 1) ->
  sum (fun j => if gets j then sum (fun x => pt j * px j x) (options j) else pt j) tasks = 1.
Proof. intros T X ts os g pt px P Q. rewrite <- P. apply sum_ext; intros j _. destruct (g j); auto. rewrite sum_scal, Q. lra. Qed.

(* (11): each agent has the product of the score and the room of those that chose the task; of the largest the first gets it, nobody for 0/0. *)
Definition product {A} (chose : A -> bool) (room score : A -> R) n := if chose n then score n * room n else 0.
Fixpoint first_largest {A} (w : A -> R) (l : list A) : option A :=
  match l with [] => None | a :: l => match first_largest w l with None => Some a | Some b => if Rle_dec (w b) (w a) then Some a else Some b end end.
Definition chosen11 {A} (w : A -> R) l := if Rlt_dec 0 (sum w l) then first_largest (fun n => w n / sum w l) l else None.
Lemma first_largest_max {A} (w : A -> R) l : forall a, first_largest w l = Some a -> In a l /\ forall b, In b l -> w b <= w a.
Proof.
  induction l as [|b l IH]; simpl; [discriminate|]. destruct (first_largest w l) as [m|] eqn:E; intros a H.
  - destruct (IH m eq_refl) as [I M]. destruct (Rle_dec (w m) (w b)); injection H as <-; (split; [auto|]); intros c [<-|J]; try lra; specialize (M c J); lra.
  - injection H as <-. destruct l as [|c l]; [|simpl in E; destruct (first_largest w l) as [m|]; [destruct (Rle_dec (w m) (w c))|]; discriminate].
    split; [auto | intros c [<-|[]]; lra]. Qed.
Lemma chosen_positive {A} (w : A -> R) l a : (forall n, 0 <= w n) -> chosen11 w l = Some a -> In a l /\ 0 < w a /\ forall b, In b l -> w b <= w a.
Proof.
  intros W H. unfold chosen11 in H. destruct (Rlt_dec 0 (sum w l)) as [S|]; [|discriminate]. destruct (first_largest_max _ _ _ H) as [I M].
  assert (L : forall b, In b l -> w b <= w a).
  { intros b J. specialize (M b J). simpl in M. unfold Rdiv in M. apply Rmult_le_reg_r with (/ sum w l); auto. apply Rinv_0_lt_compat; auto. }
  split; [|split]; auto. destruct (W a) as [|Z]; auto. exfalso. assert (sum w l <= sum (fun _ => 0) l) by (apply sum_le; intros b J; specialize (L b J); lra).
  rewrite sum_zero in H0. lra. Qed.
Theorem bayes11 : forall {A} (chose : A -> bool) (room score : A -> R) agents, (forall n, 0 <= room n) -> (forall n, 0 <= score n) ->
  (forall n, chose n = true -> 0 < score n) -> (exists n, In n agents /\ chose n = true /\ 0 < room n) ->
  exists n, chosen11 (product chose room score) agents = Some n /\ In n agents /\ chose n = true /\ 0 < room n.
Proof.
  intros A chose room score l R0 S0 S1 (n & I & C & P). set (w := product chose room score).
  assert (W : forall n, 0 <= w n) by (intro m; unfold w, product; destruct (chose m); [apply Rmult_le_pos; auto | lra]).
  assert (T : 0 < sum w l). { apply Rlt_le_trans with (w n); [unfold w, product; rewrite C; apply Rmult_lt_0_compat; auto | apply sum_term; auto]. }
  destruct (chosen11 w l) as [m|] eqn:E.
  - destruct (chosen_positive w l m W E) as (J & Q & _). exists m. split; [auto|]. split; [auto|]. unfold w, product in Q.
    destruct (chose m); [|lra]. split; auto. destruct (R0 m) as [|Z]; auto. rewrite <- Z in Q. lra.
  - exfalso. unfold chosen11 in E. destruct (Rlt_dec 0 (sum w l)); [|tauto]. destruct l as [|a l]; [destruct I|]. simpl in E.
    destruct (first_largest _ l) as [m|]; [destruct (Rle_dec _ _)|]; discriminate. Qed.
(* who gets the task chose it *)
Theorem z_dominates_y : forall {A} (chose : A -> bool) (room score : A -> R) agents n, (forall n, 0 <= room n) -> (forall n, 0 <= score n) ->
  chosen11 (product chose room score) agents = Some n -> chose n = true.
Proof.
  intros A chose room score l n R0 S0 E. apply chosen_positive in E; [|intro m; unfold product; destruct (chose m); [apply Rmult_le_pos; auto | lra]].
  destruct E as (_ & Q & _). unfold product in Q. destruct (chose n); auto. lra. Qed.
(* what is free and what an allocation needs, resource by resource: how many fit *)
Definition room_for (free need : nat -> nat) (first : nat) (others : list nat) :=
  fold_left (fun m r => Nat.min m (free r / need r)) others (free first / need first)%nat.
Theorem room_grows : forall free free' need first others, (forall r, (free r <= free' r)%nat) -> (forall r, need r <> 0%nat) ->
  (room_for free need first others <= room_for free' need first others)%nat.
Proof.
  intros f f' b r l F B. unfold room_for. assert (D : forall r, (f r / b r <= f' r / b r)%nat) by (intro; apply Nat.div_le_mono; auto).
  pose proof (D r) as M. revert M. generalize (f r / b r)%nat, (f' r / b r)%nat. induction l as [|s l IH]; simpl; intros m m' M; auto.
  apply IH. specialize (D s). lia. Qed.
Lemma first_largest_keeps {A} (w w' : A -> R) a : (forall b, b <> a -> w' b = w b) -> w a <= w' a ->
  forall l, first_largest w l = Some a -> first_largest w' l = Some a.
Proof.
  intros O G. induction l as [|b l IH]; simpl; [discriminate|]. destruct (first_largest w l) as [m|] eqn:E.
  - destruct (Rle_dec (w m) (w b)) as [L|L]; intro H; injection H as ->.
    + destruct (first_largest w' l) as [m'|] eqn:E'; auto. destruct (Rle_dec (w' m') (w' a)) as [|N]; auto. exfalso. apply N.
      destruct (first_largest_max w' l m' E') as [I _]. destruct (first_largest_max w l m E) as [_ M]. specialize (M m' I).
      destruct (Req_dec (w' m') (w' a)); [lra|]. rewrite (O m') by congruence. lra.
    + rewrite (IH eq_refl). destruct (Rle_dec (w' a) (w' b)) as [N|]; auto. exfalso. destruct (Req_dec (w b) (w a)); [lra|].
      rewrite (O b) in N by congruence. lra.
  - intro H. injection H as ->. destruct l as [|c l]; auto. simpl in E. destruct (first_largest w l) as [m|]; [destruct (Rle_dec (w m) (w c))|]; discriminate. Qed.
Theorem bayes_keeps : forall {A} (w w' : A -> R) agents a, (forall n, 0 <= w n) -> (forall b, b <> a -> w' b = w b) -> w a <= w' a ->
  chosen11 w agents = Some a -> chosen11 w' agents = Some a.
Proof.
  intros A w w' l a W O G. unfold chosen11. destruct (Rlt_dec 0 (sum w l)) as [S|]; [|discriminate]. intro H.
  assert (W' : forall n, w n <= w' n) by (intro n; destruct (Req_dec (w' n) (w n)); [lra|]; destruct (Req_dec (w n) (w a));
    [|rewrite O; [lra | congruence]]; destruct (Rle_dec (w n) (w' n)); auto; exfalso; assert (w' n = w n); [apply O; intros ->; lra | lra]).
  assert (S' : 0 < sum w' l) by (apply Rlt_le_trans with (sum w l); auto; apply sum_le; auto).
  assert (scale : forall (v : A -> R) s k, 0 < s -> first_largest (fun n => v n / s) k = first_largest v k).
  { intros v s k P. induction k as [|b k IH]; simpl; auto. rewrite IH. destruct (first_largest v k) as [m|]; auto.
    assert (I : 0 < / s) by (apply Rinv_0_lt_compat; auto). unfold Rdiv.
    destruct (Rle_dec (v m * / s) (v b * / s)), (Rle_dec (v m) (v b)); auto; exfalso; nra. }
  rewrite scale in * by auto. destruct (Rlt_dec 0 (sum w' l)); [|tauto]. apply (first_largest_keeps w w'); auto. Qed.
(* (10): a mean over the tasks that are none of the dummies, and a softmax in which these weigh nothing, do not see how many there are *)
Theorem mean_embedding : forall {A} (weight : R -> A -> R) (embedding : A -> R) (dummy : A -> bool) l l',
  let real k := filter (fun a => negb (dummy a)) k in let mean k := sum embedding (real k) / INR (length (real k)) in
  (forall m a, dummy a = true -> weight m a = 0) -> real l = real l' ->
  mean l = mean l' /\ forall a, softmax (weight (mean l)) l a = softmax (weight (mean l')) l' a.
Proof.
  intros A w h d l l' real mean D E. assert (M : mean l = mean l') by (unfold mean; rewrite E; reflexivity). split; auto. intro a. rewrite M. unfold softmax. f_equal.
  assert (G : forall k, sum (w (mean l')) k = sum (w (mean l')) (real k)).
  { clear -D. intro k. unfold real. induction k as [|b k IH]; simpl; auto. destruct (d b) eqn:F; simpl; rewrite IH; [rewrite D by auto; lra | auto]. }
  rewrite (G l), (G l'), E. reflexivity. Qed.
Lemma derivable_sum {A} (f : R -> A -> R) (f' : A -> R) t l : (forall a, In a l -> derivable_pt_lim (fun s => f s a) t (f' a)) ->
  derivable_pt_lim (fun s => sum (f s) l) t (sum f' l).
Proof.
  induction l as [|a l IH]; intro H; [apply derivable_pt_lim_const|].
  apply (derivable_pt_lim_plus (fun s => f s a)); [apply H; left; auto | apply IH; intros; apply H; right; auto]. Qed.
(* the derivative of ln Pr*(x) by a logit: none for a masked allocation, that of the softmax for a valid one *)
Definition at_logit {A} (dec : forall a b : A, {a = b} + {a <> b}) (u : A -> R) k t a := if dec a k then t else u a.
Theorem masked_gradient : forall {A} (dec : forall a b : A, {a = b} + {a <> b}) (valid : list A) (u : A -> R) x k, NoDup valid -> In x valid ->
  derivable_pt_lim (fun t => ln (exp (at_logit dec u k t x) / sum (fun a => exp (at_logit dec u k t a)) valid)) (u k)
    (if in_dec dec k valid then (if dec x k then 1 else 0) - exp (u k) / sum (fun a => exp (u a)) valid else 0).
Proof.
  intros A dec valid u x k N I. set (v := at_logit dec u k).
  assert (E : forall t, ln (exp (v t x) / sum (fun a => exp (v t a)) valid) = v t x - ln (sum (fun a => exp (v t a)) valid)).
  { intro t. assert (0 < sum (fun a => exp (v t a)) valid).
    { apply Rlt_le_trans with (exp (v t x)); [apply exp_pos|]. apply (sum_term (fun a => exp (v t a))); auto. intros; left; apply exp_pos. }
    unfold Rdiv. rewrite ln_mult, ln_exp, ln_Rinv; auto; [apply exp_pos | apply Rinv_0_lt_compat; auto]. }
  assert (S0 : forall a, v (u k) a = u a) by (intro a; unfold v, at_logit; destruct (dec a k); congruence).
  assert (V : forall a, derivable_pt_lim (fun t => v t a) (u k) (if dec a k then 1 else 0)).
  { intro a. unfold v, at_logit. destruct (dec a k); [apply derivable_pt_lim_id | apply derivable_pt_lim_const]. }
  assert (Z : derivable_pt_lim (fun t => sum (fun a => exp (v t a)) valid) (u k) (sum (fun a => exp (u a) * (if dec a k then 1 else 0)) valid)).
  { apply (derivable_sum (fun t a => exp (v t a))). intros a _. rewrite <- (S0 a) at 1. apply (derivable_pt_lim_comp (fun t => v t a) exp); [apply V | apply derivable_pt_lim_exp]. }
  assert (P : 0 < sum (fun a => exp (u a)) valid).
  { apply Rlt_le_trans with (exp (u x)); [apply exp_pos|]. apply (sum_term (fun a => exp (u a))); auto. intros; left; apply exp_pos. }
  assert (T : sum (fun a => exp (u a) * (if dec a k then 1 else 0)) valid = if in_dec dec k valid then exp (u k) else 0).
  { clear -N. induction N as [|a l O N IH]; simpl; auto. rewrite IH. destruct (dec a k) as [->|D].
    - destruct (in_dec dec k l); [tauto|]. lra.
    - destruct (in_dec dec k l); lra. }
  assert (D : derivable_pt_lim (fun t => v t x - ln (sum (fun a => exp (v t a)) valid)) (u k)
    ((if dec x k then 1 else 0) - / sum (fun a => exp (v (u k) a)) valid * sum (fun a => exp (u a) * (if dec a k then 1 else 0)) valid)).
  { apply (derivable_pt_lim_minus (fun t => v t x)); auto. apply (derivable_pt_lim_comp (fun t => sum (fun a => exp (v t a)) valid) ln); auto.
    apply derivable_pt_lim_ln. rewrite (sum_ext _ (fun a => exp (u a))) by (intros; rewrite S0; auto). auto. }
  rewrite T, (sum_ext (fun a => exp (v (u k) a)) (fun a => exp (u a))) in D by (intros; rewrite S0; auto).
  intros e He. destruct (D e He) as [dl Hd]. exists dl. intros s Hs Hl. rewrite !E. 
  replace (if in_dec dec k valid then _ else 0) with ((if dec x k then 1 else 0) - / sum (fun a => exp (u a)) valid * (if in_dec dec k valid then exp (u k) else 0)); auto.
  destruct (in_dec dec k valid) as [J|J]; [unfold Rdiv; lra|]. destruct (dec x k) as [->|]; [tauto | lra]. Qed.

(* --- (13): one agent's logit t moves its moved pt of tasks and px of allocations; o is what the others do, with probability po --- *)

Lemma derivable_one {A} (f : R -> A -> R) (f' : A -> R) t l : (forall a, In a l -> derivable_pt_lim (fun s => f s a) t (f' a)) ->
  (forall s, sum (f s) l = 1) -> sum f' l = 0.
Proof.
  intros H E. apply (uniqueness_limite (fun s => sum (f s) l) t); [apply derivable_sum; auto|].
  intros e P. exists (mkposreal 1 Rlt_0_1). intros h H0 _. rewrite !E. replace (_ / h - 0) with 0 by (field; auto). rewrite Rabs_R0. auto. Qed.
Section Score.
Context {O T X : Type} (others : list O) (tasks : list T) (allocations : T -> list X).
Variables (po : O -> R) (pt : R -> T -> R) (px : R -> T -> X -> R) (t : R) (dpt : T -> R) (dpx : T -> X -> R).
Definition sampled (f : O -> T -> X -> R) (s : R) := sum (fun o => sum (fun j => sum (fun x => po o * (pt s j * px s j x) * f o j x) (allocations j)) tasks) others.
Definition moved := (forall j, In j tasks -> 0 < pt t j /\ derivable_pt_lim (fun s => pt s j) t (dpt j)) /\ (forall s, sum (pt s) tasks = 1) /\
  forall j, In j tasks -> (forall x, In x (allocations j) -> 0 < px t j x /\ derivable_pt_lim (fun s => px s j x) t (dpx j x)) /\ forall s, sum (px s j) (allocations j) = 1.
(* the score: the derivative of the logarithm of (13), where m counts the allocation *)
Definition log_derivative (m : O -> T -> R) o j x := dpt j / pt t j + m o j * (dpx j x / px t j x).
Lemma worth_of_scores (m : O -> T -> R) (worth : O -> T -> R) o j : moved -> In j tasks ->
  sum (fun x => po o * (pt t j * px t j x) * (worth o j * log_derivative m o j x)) (allocations j) = po o * worth o j * dpt j.
Proof.
  intros (S1 & S2 & S3) J. destruct (S3 j J) as [Q E]. destruct (S1 j J) as [P _].
  rewrite (sum_ext _ (fun x => po o * worth o j * dpt j * px t j x + po o * worth o j * pt t j * m o j * dpx j x)).
  - rewrite sum_plus, !sum_scal. rewrite (derivable_one (fun s => px s j) (dpx j) t (allocations j)); auto; [|intros x I; apply (Q x I)].
    change (fun x => px t j x) with (px t j). rewrite E. lra.
  - intros x I. destruct (Q x I) as [W _]. unfold log_derivative. field. split; lra. Qed.
Theorem pg_scores : forall m, moved -> sampled (log_derivative m) t = 0 /\
  forall (value : R) (gain : O -> T -> X -> R), sampled (fun o j x => (gain o j x - value) * log_derivative m o j x) t = sampled (fun o j x => gain o j x * log_derivative m o j x) t.
Proof.
  intros m S. assert (Z : sampled (log_derivative m) t = 0).
  { unfold sampled. rewrite (sum_ext _ (fun _ => 0)), sum_zero; auto. intros o _.
    rewrite (sum_ext _ (fun j => po o * 1 * dpt j)).
    - rewrite sum_scal, (derivable_one pt dpt t tasks); [lra | intros j J; apply S; auto | apply S].
    - intros j J. rewrite <- (worth_of_scores m (fun _ _ => 1) o j S J). apply sum_ext; intros; lra. }
  split; auto. intros v g. unfold sampled in *.
  rewrite (sum_ext _ (fun o => sum (fun j => sum (fun x => po o * (pt t j * px t j x) * (g o j x * log_derivative m o j x)) (allocations j)) tasks
    - v * sum (fun j => sum (fun x => po o * (pt t j * px t j x) * log_derivative m o j x) (allocations j)) tasks)).
  - rewrite sum_minus, sum_scal, Z. lra.
  - intros o _. rewrite <- sum_scal, <- sum_minus. apply sum_ext; intros j _. rewrite <- sum_scal, <- sum_minus. apply sum_ext; intros; lra. Qed.
(* where the agent does not get the task its allocation earns nothing: with and without that factor the mean of return
   times score is the derivative of the mean return *)
Theorem factor_m13 : forall (gain : O -> T -> X -> R) (gets : O -> T -> bool), moved ->
  (forall o j, gets o j = false -> forall x x', gain o j x = gain o j x') ->
  let m o j := if gets o j then 1 else 0 in
  derivable_pt_lim (sampled gain) t (sampled (fun o j x => gain o j x * log_derivative (fun _ _ => 1) o j x) t) /\
  sampled (fun o j x => gain o j x * log_derivative m o j x) t = sampled (fun o j x => gain o j x * log_derivative (fun _ _ => 1) o j x) t.
Proof.
  intros g gets S G m. pose proof S as (S1 & S2 & S3). split.
  - unfold sampled. apply (derivable_sum (fun s o => sum (fun j => sum (fun x => po o * (pt s j * px s j x) * g o j x) (allocations j)) tasks)). intros o _.
    apply (derivable_sum (fun s j => sum (fun x => po o * (pt s j * px s j x) * g o j x) (allocations j))). intros j J.
    apply (derivable_sum (fun s x => po o * (pt s j * px s j x) * g o j x)). intros x I. destruct (S1 j J) as [P D]. destruct (S3 j J) as [Q _]. destruct (Q x I) as [W D'].
    replace (po o * (pt t j * px t j x) * (g o j x * log_derivative (fun _ _ => 1) o j x)) with (po o * g o j x * (dpt j * px t j x + pt t j * dpx j x))
      by (unfold log_derivative; field; split; lra).
    intros e He. destruct (derivable_pt_lim_scal _ (po o * g o j x) t _ (derivable_pt_lim_mult _ _ t _ _ D D') e He) as [d Hd]. exists d. intros h H0 H1.
    specialize (Hd h H0 H1). unfold mult_real_fct, mult_fct in Hd. replace (po o * (pt (t + h) j * px (t + h) j x) * g o j x - po o * (pt t j * px t j x) * g o j x)
      with (po o * g o j x * (pt (t + h) j * px (t + h) j x) - po o * g o j x * (pt t j * px t j x)) by ring. exact Hd.
  - unfold sampled. apply sum_ext; intros o _. apply sum_ext; intros j J. destruct (gets o j) eqn:E.
    + apply sum_ext; intros x _. unfold log_derivative, m. rewrite E. reflexivity.
    + destruct (allocations j) as [|x0 l] eqn:A; auto. rewrite <- A.
      assert (C : forall k, sum (fun x => po o * (pt t j * px t j x) * (g o j x * log_derivative k o j x)) (allocations j) = po o * g o j x0 * dpt j).
      { intro k. rewrite <- (worth_of_scores k (fun o j => g o j x0) o j S J). apply sum_ext; intros x _. rewrite (G o j E x x0). reflexivity. }
      rewrite !C. reflexivity. Qed.
End Score.

(* --- the graph, its features and the queue ---------------------------------------------------------------------------- *)

(* G^(0) has seen no layer, G^(l) is a layer on G^(l-1) *)
Fixpoint after_layers {A} (layer : A -> A) (input : A) (l : nat) := match l with O => input | S l => layer (after_layers layer input l) end.
Theorem embedding_layers : forall {A} (layer : A -> A) L input, fold_left (fun x f => f x) (repeat layer L) input = after_layers layer input L.
Proof.
  intros A g. assert (C : forall L x, after_layers g (g x) L = g (after_layers g x L)) by (induction L; simpl; congruence).
  induction L as [|L IH]; intro x; simpl; auto. rewrite IH, C. reflexivity. Qed.
(* R numbers and one of K kinds, coded one by one: as many for any tasks *)
Definition one_hot K kind := map (fun k => if Nat.eq_dec k kind then 1%nat else 0%nat) (seq 0 K).
Theorem feature_width : forall (minimum : list nat) K kind, (kind < K)%nat ->
  length (minimum ++ one_hot K kind) = (length minimum + K)%nat /\ list_sum (one_hot K kind) = 1%nat.
Proof.
  intros m K kind L. unfold one_hot. rewrite app_length, map_length, seq_length. split; auto.
  assert (Q : forall n s, list_sum (map (fun k => if Nat.eq_dec k kind then 1%nat else 0%nat) (seq s n)) = if (s <=? kind)%nat && (kind <? s + n)%nat then 1%nat else 0%nat).
  { induction n; intro s; simpl; [destruct (Nat.leb_spec s kind), (Nat.ltb_spec kind (s + 0)); simpl; auto; lia|]. rewrite IHn.
    destruct (Nat.eq_dec s kind), (Nat.leb_spec s kind), (Nat.leb_spec (S s) kind), (Nat.ltb_spec kind (s + S n)), (Nat.ltb_spec kind (S s + n)); simpl; lia. }
  rewrite Q. destruct (Nat.leb_spec 0 kind), (Nat.ltb_spec kind (0 + K)); simpl; auto; lia. Qed.
(* x_t <= y_t C for each timestep: what is allowed before the start is not what is allowed at it *)
Theorem time_varying_region : forall (y : nat -> R) C before start, y before = 0 -> y start = 1 -> 0 < C ->
  exists x, (0 <= x <= y start * C) /\ ~ (0 <= x <= y before * C).
Proof. intros y C b s -> -> P. exists C. split; lra. Qed.
(* each node is a cluster, the shortcut or next to a cluster, and every cluster is next to the shortcut *)
Inductive hops {A} (edge : A -> A -> Prop) : nat -> A -> A -> Prop :=
  | no_hop n a : hops edge n a a
  | one_hop n a b c : edge a b -> hops edge n b c -> hops edge (S n) a c.
Theorem shortcut_reach : forall {A} (edge : A -> A -> Prop) (cluster : A -> Prop) shortcut, (forall a b, edge a b -> edge b a) ->
  (forall c, cluster c -> edge c shortcut) -> (forall a, a = shortcut \/ cluster a \/ exists c, cluster c /\ edge a c) -> forall a b, hops edge 4 a b.
Proof.
  intros A edge cl s Sy C N a b.
  assert (far : forall n, hops edge (S (S n)) s b).
  { intro n. destruct (N b) as [->|[K|(c & K & E)]]; [apply no_hop | apply (one_hop _ _ _ b); auto; apply no_hop | apply (one_hop _ _ _ c); auto; apply (one_hop _ _ _ b); auto; apply no_hop]. }
  destruct (N a) as [->|[K|(c & K & E)]]; [apply far | apply (one_hop _ _ _ s); auto | apply (one_hop _ _ _ c); auto; apply (one_hop _ _ _ s); auto]. Qed.
(* a layer is a function of the means over the neighbours of each kind, by softmax; a task's only neighbour is its cluster *)
Fixpoint embedded {A E : Type} (join : list E -> E) (attend : E -> E -> R) (mix : (E -> R) -> list E -> E) (near : A -> list (list A)) (input : A -> E) (l : nat) (a : A) : E :=
  match l with O => input a | S l => let h := embedded join attend mix near input l in
    join (map (fun kind => mix (fun b => softmax (attend (h a)) (map h kind) b) (map h kind)) (near a)) end.
Theorem own_features : forall {A E : Type} (join : list E -> E) (attend : E -> E -> R) (mix : (E -> R) -> list E -> E) (near : A -> list (list A)) (input : A -> E) a a' cluster l,
  (forall e e', 0 < attend e e') -> (forall p q e, p e = q e -> mix p [e] = mix q [e]) -> (forall p q, mix p [] = mix q []) ->
  (forall kind, In kind (near a) -> kind = [] \/ kind = [cluster]) -> near a' = near a ->
  embedded join attend mix near input (S l) a = embedded join attend mix near input (S l) a'.
Proof.
  intros A E join at_ mix near input a a' c l P M M0 N Q. simpl. rewrite Q. f_equal. apply map_ext_in. intros k I.
  destruct (N k I) as [->| ->]; simpl; [apply M0 | apply M]. unfold softmax. simpl. rewrite !Rplus_0_r. unfold Rdiv. rewrite !Rinv_r; auto; apply Rgt_not_eq, P. Qed.
(* rewards of skipped timesteps go to the one before them that is kept *)
Fixpoint handed (last : R) (slots : list (bool * R)) : list R :=
  match slots with [] => [last] | (true, r) :: l => last :: handed r l | (false, r) :: l => handed (last + r) l end.
Fixpoint handed_on (slots : list (bool * R)) : list R :=
  match slots with [] => [] | (true, r) :: l => handed r l | (false, _) :: l => handed_on l end.
Theorem skip_reward : forall before r after, (forall p, In p before -> snd p = 0) -> (forall p, In p before -> fst p = false) ->
  sum (fun r => r) (handed_on (before ++ (true, r) :: after)) = sum snd (before ++ (true, r) :: after).
Proof.
  intros before r after Z S. assert (H : forall l v, sum (fun r => r) (handed v l) = v + sum snd l).
  { induction l as [|[[|] q] l IH]; intro v; simpl; [lra | |]; rewrite IH; simpl; lra. }
  induction before as [|[b q] l IH]; simpl; [apply H|]. pose proof (S _ (or_introl eq_refl)) as B. pose proof (Z _ (or_introl eq_refl)) as V. simpl in *. subst. rewrite IH; auto. lra. Qed.
(* of P tasks or fewer, those that wait are all pending: a schedule may start them as it likes *)
Theorem window_optimal : forall {A X} (tasks : list A) (P : nat) (queue : X -> nat -> list A) (starts : X -> nat -> A -> Prop) (cost : X -> nat), (length tasks <= P)%nat ->
  (forall x s, NoDup (queue x s) /\ incl (queue x s) tasks) -> (forall x s a, starts x s a -> In a (queue x s)) ->
  let pending_alone x := forall s a, starts x s a -> In a (firstn P (queue x s)) in
  forall best, pending_alone best -> (forall x, pending_alone x -> (cost best <= cost x)%nat) -> forall x, (cost best <= cost x)%nat.
Proof.
  intros A X ts P q st cost L Q W pa best B M x. apply M. intros s a S. destruct (Q x s) as [N I]. rewrite firstn_all2; [auto|].
  eapply Nat.le_trans; [apply (NoDup_incl_length N I) | auto]. Qed.
