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
