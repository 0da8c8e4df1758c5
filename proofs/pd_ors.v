(* dmlrs, from the instance to the ratio: jobs, schedules (2)-(7), Algorithm 1 with the best schedule of each job (exact
   theta), and Theorem 5 repaired. The definitions hold for any numbers: with real numbers they are the theorem's objects,
   and with floating-point numbers the functions run (schedules.ml). *)
From Schedproof Require Import sums prices dmlrs.
From Coq Require Import Arith Bool Wf_nat.

Record numbers := { number : Type; zero : number; plus : number -> number -> number; minus : number -> number -> number;
  times : number -> number -> number; at_most : number -> number -> bool; whole : nat -> number }.

Section Definitions.
Context (K : numbers).
Notation N := (number K).
Definition total {A} (f : A -> N) (l : list A) : N := fold_right (fun a n => plus K (f a) n) (zero K) l.

(* V, F, the largest number of parameter servers on a machine, gamma, the samples that a worker trains in a slot at the
   internal and at the external rate (1/c_i, 1/c_e), alpha^r, beta^r, and the utility of a number of slots *)
Record ml_job := { arrival : nat; workload : N; batch : nat; servers : nat; ratio : N; inner : N; outer : N;
  worker : nat -> N; server : nat -> N; utility : nat -> N }.
(* T, the numbers of machines and resources, C_h^r, and what is in use before the first job, by slot, machine and resource *)
Record cluster := { horizon : nat; machines : nat; resources : nat; capacity : nat -> nat -> N; reserved : nat * nat * nat -> N }.

Definition placement := list (nat * nat).       (* workers and parameter servers on each machine *)
Definition schedule := list placement.          (* one for each slot *)
Definition workers_in (p : placement) := list_sum (map fst p).
Definition servers_in (p : placement) := list_sum (map snd p).
Definition together (p : placement) := length (filter (fun m => 0 <? fst m + snd m) p) <=? 1.
Definition trained (j : ml_job) p := times K (whole K (workers_in p)) (if together p then inner j else outer j).
(* the number of slots up to the last slot with workers *)
Fixpoint ends (pi : schedule) : nat :=
  match pi with [] => O | p :: pi => match ends pi with O => if workers_in p =? 0 then O else 1%nat | n => S n end end.
Definition earned (j : ml_job) pi := utility j (ends pi - arrival j).

Context (c : cluster) (x : N).                  (* no schedule takes more than x C of a resource in a slot *)
Definition spot := (nat * nat * nat)%type.      (* slot, machine, resource *)
Definition every_spot : list spot := list_prod (list_prod (seq 0 (horizon c)) (seq 0 (machines c))) (seq 0 (resources c)).
Definition room (s : spot) := capacity c (snd (fst s)) (snd s).
Definition spots := filter (fun s => negb (at_most K (room s) (zero K))) every_spot.   (* those with a capacity *)
Definition takes (j : ml_job) (pi : schedule) (s : spot) : N :=
  let m := nth (snd (fst s)) (nth (fst (fst s)) pi []) (O, O) in
  if snd s <? resources c then plus K (times K (worker j (snd s)) (whole K (fst m))) (times K (server j (snd s)) (whole K (snd m))) else zero K.

(* (7), (4), (2) in a slot; (3) and the limit x C for the whole schedule *)
Definition slot_ok (j : ml_job) (t : nat) (p : placement) : bool :=
  (if t <? arrival j then workers_in p + servers_in p =? 0 else true) && (workers_in p <=? batch j) &&
  at_most K (whole K (workers_in p)) (times K (ratio j) (whole K (servers_in p))).
Definition complete (j : ml_job) (pi : schedule) : bool :=
  at_most K (workload j) (total (trained j) pi) && forallb (fun s => at_most K (takes j pi s) (times K x (room s))) every_spot.
Fixpoint tuples {A} (choices : list (list A)) : list (list A) :=
  match choices with [] => [[]] | l :: choices => flat_map (fun a => map (cons a) (tuples choices)) l end.
Definition placements (j : ml_job) : list placement := tuples (repeat (list_prod (seq 0 (S (batch j))) (seq 0 (S (servers j)))) (machines c)).
Definition schedules (j : ml_job) : list schedule :=
  filter (complete j) (tuples (map (fun t => filter (slot_ok j t) (placements j)) (seq 0 (horizon c)))).

(* Algorithm 1: the best schedule that fits is taken if it pays, and what it takes is added to rho *)
Context (price : spot -> N -> N).
Definition payoff (rho : spot -> N) (j : ml_job) pi := minus K (earned j pi) (total (fun s => times K (price s (rho s)) (takes j pi s)) spots).
Definition fitting (rho : spot -> N) (j : ml_job) pi := forallb (fun s => at_most K (plus K (rho s) (takes j pi s)) (room s)) spots.
Fixpoint best {A} (f : A -> N) (l : list A) : option A :=
  match l with [] => None | a :: l => match best f l with Some b => if at_most K (f b) (f a) then Some a else Some b | None => Some a end end.
Definition decide (rho : spot -> N) (j : ml_job) : option schedule :=
  match best (payoff rho j) (filter (fitting rho j) (schedules j)) with
  | Some pi => if at_most K (payoff rho j pi) (zero K) then None else Some pi
  | None => None
  end.
Fixpoint pd_ors (rho : spot -> N) (jobs : list ml_job) : list (option schedule) :=
  match jobs with
  | [] => []
  | j :: jobs => let d := decide rho j in
      d :: pd_ors (fun s => match d with Some pi => plus K (rho s) (takes j pi s) | None => rho s end) jobs
  end.
End Definitions.
Arguments arrival {K}. Arguments workload {K}. Arguments batch {K}. Arguments servers {K}. Arguments ratio {K}. Arguments inner {K}. Arguments outer {K}.
Arguments worker {K}. Arguments server {K}. Arguments utility {K}. Arguments horizon {K}. Arguments machines {K}. Arguments resources {K}. Arguments capacity {K}. Arguments reserved {K}.

(* --- with real numbers ------------------------------------------------------------------------------------------------- *)

Definition reals : numbers := {| number := R; zero := 0; plus := Rplus; minus := Rminus; times := Rmult;
  at_most := fun a b => if Rle_dec a b then true else false; whole := INR |}.
Lemma leb_le a b : at_most reals a b = true <-> a <= b.
Proof. simpl. destruct (Rle_dec a b); split; auto; discriminate. Qed.
Lemma leb_gt a b : at_most reals a b = false -> b < a.
Proof. simpl. destruct (Rle_dec a b); [discriminate | lra]. Qed.
Lemma total_sum {A} f (l : list A) : total reals f l = sum f l.
Proof. induction l as [|a l IH]; [reflexivity|]. simpl in *. rewrite IH. reflexivity. Qed.
Lemma in_tuples {A} (ls : list (list A)) : forall l, In l (tuples ls) <-> Forall2 (@In A) l ls.
Proof.
  induction ls as [|k ls IH]; intro l; simpl.
  - split; [intros [<-|[]]; constructor | intro H; inversion H; auto].
  - rewrite in_flat_map. split.
    + intros (a & Ia & H). apply in_map_iff in H. destruct H as (r & <- & Hr). constructor; auto. apply IH; auto.
    + intro H. inversion H; subst. exists x. split; auto. apply in_map, IH; auto. Qed.

Section Ratio.
Context (c : cluster reals) (x : R).
Notation Job := (ml_job reals).
Notation spots := (spots reals c).
Notation takes := (takes reals c).
Notation schedules := (schedules reals c x).

(* The schedules are those of (2)-(7) in which no machine holds more than F workers or `servers` parameter servers. *)
Theorem schedules_spec : forall (j : Job) pi, In pi (schedules j) <->
  length pi = horizon c /\ complete reals c x j pi = true /\ forall t, (t < horizon c)%nat ->
  let p := nth t pi [] in slot_ok reals j t p = true /\ length p = machines c /\
    forall m, In m p -> (fst m <= batch j)%nat /\ (snd m <= servers j)%nat.
Proof.
  intros j pi. unfold pd_ors.schedules. rewrite filter_In. unfold schedule. rewrite in_tuples.
  assert (P : forall p, In p (placements reals c j) <-> length p = machines c /\ forall m, In m p -> (fst m <= batch j)%nat /\ (snd m <= servers j)%nat).
  { assert (M : forall m, In m (list_prod (seq 0 (S (batch j))) (seq 0 (S (servers j)))) <-> (fst m <= batch j)%nat /\ (snd m <= servers j)%nat)
      by (intros [w s]; rewrite in_prod_iff, !in_seq; simpl; lia).
    intro p. unfold placements, placement. rewrite in_tuples. revert M p. generalize (machines c) as n.
    generalize (list_prod (seq 0 (S (batch j))) (seq 0 (S (servers j)))) as k. intros k n M. induction n as [|n IH]; intro p; simpl.
    - split; [intro H; inversion H; split; [auto | intros m []] | intros [H _]; destruct p; [constructor | discriminate]].
    - split.
      + intro H. inversion H as [|m ? p' ? I H']; subst. apply IH in H'. destruct H' as [L Q]. split; [simpl; auto|].
        intros m' [<-|I']; auto. apply M, I.
      + intros [L Q]. destruct p as [|m p]; [discriminate|]. constructor; [apply M, Q; simpl; auto|].
        apply IH. split; [simpl in L; lia | intros; apply Q; simpl; auto]. }
  assert (F : forall n a pi, Forall2 (@In placement) pi (map (fun t => filter (slot_ok reals j t) (placements reals c j)) (seq a n)) <->
    length pi = n /\ forall t, (t < n)%nat -> In (nth t pi []) (filter (slot_ok reals j (a + t)) (placements reals c j))).
  { induction n as [|n IH]; intros a q; simpl.
    - split; [intro H; inversion H; split; [auto | intros; lia] | intros [H _]; destruct q; [constructor | discriminate]].
    - split.
      + intro H. inversion H as [|p ? q' ? M H']; subst. apply IH in H'. destruct H' as [L Q]. split; [simpl; auto|].
        intros [|t] T; simpl; [rewrite Nat.add_0_r; auto|]. replace (a + S t)%nat with (S a + t)%nat by lia. apply Q. lia.
      + intros [L Q]. destruct q as [|p q]; [discriminate|]. constructor; [specialize (Q O ltac:(lia)); simpl in Q; rewrite Nat.add_0_r in Q; auto|].
        apply IH. split; [simpl in L; lia|]. intros t T. specialize (Q (S t) ltac:(lia)). simpl in Q. replace (S a + t)%nat with (a + S t)%nat by lia. exact Q. }
  rewrite F. split.
  - intros [[L Q] Cm]. split; [auto|]. split; [auto|]. intros t T. specialize (Q t T). simpl in Q. apply filter_In in Q. destruct Q as [Q1 Q2]. apply P in Q1. tauto.
  - intros (L & Cm & Q). split; [|auto]. split; [auto|]. intros t T. specialize (Q t T). simpl. apply filter_In. rewrite P. tauto. Qed.

(* The data of a job: nonnegative, the internal rate is the faster, and the utility does not rise with time. *)
Definition sound (j : Job) := 0 <= outer j <= inner j /\ (forall r, 0 <= worker j r /\ 0 <= server j r) /\
  (forall n, 0 <= utility j n) /\ forall m n, (m <= n)%nat -> utility j n <= utility j m.
(* the least number of slots in which F workers at the internal rate train V: the ceiling of V c_i/F *)
Definition fastest (j : Job) n := workload j <= INR n * (INR (batch j) * inner j) /\
  forall m, workload j <= INR m * (INR (batch j) * inner j) -> (n <= m)%nat.
(* U^r is at least u_i(ceil(V c_i/F)) over each positive alpha and beta *)
Definition highest (jobs : list Job) (U : nat -> R) := forall j r d n, In j jobs -> d = worker j r \/ d = server j r -> 0 < d ->
  fastest j n -> utility j n <= U r * d.

Lemma trained_le (j : Job) pi : forall a, 0 <= outer j <= inner j ->
  (forall t, (t < length pi)%nat -> (workers_in (nth t pi []) <= batch j)%nat /\ ((t < a)%nat -> workers_in (nth t pi []) = O)) ->
  sum (trained reals j) pi <= INR (ends pi - a) * (INR (batch j) * inner j).
Proof.
  induction pi as [|p pi IH]; intros a I W; [simpl; lra|]. set (f := INR (batch j) * inner j) in *.
  assert (F : 0 <= f) by (apply Rmult_le_pos; [apply pos_INR | lra]).
  assert (One : trained reals j p <= f).
  { destruct (W O ltac:(simpl; lia)) as [B _]. simpl in B. apply le_INR in B. unfold trained, f; simpl. pose proof (pos_INR (workers_in p)). destruct (together p); nra. }
  assert (Zero : workers_in p = O -> trained reals j p = 0) by (intro Z; unfold trained; rewrite Z; simpl; lra).
  assert (Q : forall b, (forall t, (t < length pi)%nat -> (workers_in (nth t pi []) <= batch j)%nat /\ ((t < b)%nat -> workers_in (nth t pi []) = O)) ->
    sum (trained reals j) pi <= INR (ends pi - b) * f) by (intros; apply IH; auto).
  destruct a as [|a].
  - assert (Q0 := Q O). rewrite Nat.sub_0_r in Q0. rewrite Nat.sub_0_r. clear Q. rename Q0 into Q. specialize (Q ltac:(intros t T; destruct (W (S t) ltac:(simpl; lia)); split; [auto | intro; lia])). cbn [ends sum]. destruct (ends pi) as [|n].
    + change (INR 0) with 0 in Q. destruct (Nat.eqb_spec (workers_in p) 0) as [Z|Z]; [rewrite (Zero Z); change (INR 0) with 0 | change (INR 1) with 1]; lra.
    + rewrite S_INR. lra.
  - specialize (Q a ltac:(intros t T; destruct (W (S t) ltac:(simpl; lia)) as [W1 W2]; split; [auto | intro; apply W2; lia])).
    destruct (W O ltac:(simpl; lia)) as [_ Z]. specialize (Z ltac:(lia)). simpl in Z. cbn [ends sum]. rewrite (Zero Z), Z.
    destruct (ends pi) as [|n]; [simpl in *; lra|]. replace (S (S n) - S a)%nat with (S n - a)%nat by lia. lra. Qed.

Lemma workload_le (j : Job) pi : sound j -> In pi (schedules j) -> workload j <= INR (ends pi - arrival j) * (INR (batch j) * inner j).
Proof.
  intros (I & _) S. apply schedules_spec in S. destruct S as (L & Cm & Sl). unfold complete in Cm. apply andb_prop in Cm.
  destruct Cm as [Cm _]. apply leb_le in Cm. rewrite total_sum in Cm. eapply Rle_trans; [apply Cm|]. apply trained_le; auto. intros t T.
  assert (T' : (t < horizon c)%nat) by (rewrite <- L; exact T). destruct (Sl t T') as [Q _]. unfold slot_ok in Q.
  apply andb_prop in Q. destruct Q as [Q _]. apply andb_prop in Q. destruct Q as [Z B]. split; [apply Nat.leb_le; auto|].
  intro A. apply Nat.ltb_lt in A. rewrite A in Z. apply Nat.eqb_eq, Nat.eq_add_0 in Z. apply Z. Qed.
Lemma earned_le (j : Job) pi n : sound j -> In pi (schedules j) -> fastest j n -> earned reals j pi <= utility j n.
Proof. intros So S [_ Le]. destruct (So) as (_ & _ & _ & Mo). apply Mo, Le, workload_le; auto. Qed.
Lemma fastest_exists (j : Job) pi : sound j -> In pi (schedules j) -> exists n, fastest j n.
Proof.
  intros So S. pose proof (ex_intro (fun n => workload j <= INR n * (INR (batch j) * inner j)) _ (workload_le j pi So S)) as E.
  destruct (dec_inh_nat_subset_has_unique_least_element _ (fun n => match Rle_dec (workload j) (INR n * (INR (batch j) * inner j)) with
    left H => or_introl H | right H => or_intror H end) E) as (n & H & _). exists n. exact H. Qed.

(* --- the run of prices.v, and the ratio --------------------------------------------------------------------------------- *)

Definition as_plan (j : Job) (pi : schedule) : plan spot := {| worth := earned reals j pi; use := takes j pi |}.
Definition as_job (j : Job) : prices.job := fun p => exists pi, In pi (schedules j) /\ p = as_plan j pi.
Notation room := (room reals c).
Definition size s := if Rle_dec (room s) 0 then 1 else room s.
Lemma size_room s : In s spots -> size s = room s.
Proof. unfold spots, pd_ors.spots, size. rewrite filter_In. intros [_ H]. apply negb_true_iff, leb_gt in H. simpl in H. destruct (Rle_dec (room s) 0); lra. Qed.
Lemma size_positive s : 0 < size s.
Proof. unfold size. destruct (Rle_dec (room s) 0); lra. Qed.

Lemma takes_in (j : Job) pi s : sound j -> In pi (schedules j) -> (forall s, 0 <= room s) -> 0 <= x -> 0 <= takes j pi s <= x * size s.
Proof.
  intros (_ & D & _) S C X. assert (RS : x * room s <= x * size s) by (apply Rmult_le_compat_l; [auto|]; unfold size; destruct (Rle_dec (room s) 0); lra).
  split; [|eapply Rle_trans; [|apply RS]; clear RS].
  - unfold takes, pd_ors.takes; simpl. destruct (snd s <? resources c); [|lra]. destruct (D (snd s)). set (m := nth _ _ _).
    pose proof (pos_INR (fst m)). pose proof (pos_INR (snd m)). nra.
  - pose proof S as S0. apply schedules_spec in S. destruct S as (L & Cm & Sl). unfold complete in Cm. apply andb_prop in Cm. destruct Cm as [_ Cm].
    rewrite forallb_forall in Cm. destruct s as [[t h] r].
    assert (Z : takes j pi (t, h, r) = 0 -> takes j pi (t, h, r) <= x * room (t, h, r)) by (intro Z; rewrite Z; specialize (C (t, h, r)); apply Rmult_le_pos; auto).
    destruct (lt_dec r (resources c)) as [R1|R1]; [|apply Z; unfold takes, pd_ors.takes; simpl; destruct (Nat.ltb_spec r (resources c)); [lia | auto]].
    assert (Empty : nth h (nth t pi []) (O, O) = (O, O) -> takes j pi (t, h, r) = 0).
    { intro E. unfold takes, pd_ors.takes. simpl. rewrite E. simpl. destruct (r <? resources c); lra. }
    destruct (lt_dec t (horizon c)) as [T1|T1]; [|apply Z, Empty; rewrite (nth_overflow pi) by (rewrite L; lia); destruct h; auto].
    destruct (Sl t T1) as (_ & M & _).
    destruct (lt_dec h (machines c)) as [H1|H1]; [|apply Z, Empty, nth_overflow; rewrite M; lia].
    apply leb_le. apply Cm. apply in_prod; [apply in_prod|]; apply in_seq; lia. Qed.

Theorem unit_bounds (jobs : list Job) U j : highest jobs U -> In j jobs -> sound j -> unit_bound (fun s => U (snd s)) (as_job j).
Proof.
  intros H I So p s [pi [S ->]] P. simpl in *. destruct (fastest_exists j pi So S) as [n Fn].
  pose proof (earned_le j pi n So S Fn) as E. unfold takes, pd_ors.takes in *. simpl in *. destruct (snd s <? resources c); [|lra].
  set (m := nth _ _ _) in *. destruct So as (_ & D & N & _). destruct (D (snd s)) as [A B]. specialize (N n).
  pose proof (H j (snd s) (worker j (snd s)) n I (or_introl eq_refl)) as HA. pose proof (H j (snd s) (server j (snd s)) n I (or_intror eq_refl)) as HB.
  destruct m as [w q]; simpl in *.
  assert (W1 : w = O \/ 1 <= INR w) by (destruct w; [auto | right; rewrite S_INR; pose proof (pos_INR w); lra]).
  assert (Q1 : q = O \/ 1 <= INR q) by (destruct q; [auto | right; rewrite S_INR; pose proof (pos_INR q); lra]).
  eapply Rle_trans; [apply E|].
  assert (U0 : 0 <= U (snd s)). { destruct A as [A|A]; [specialize (HA A Fn); nra|]. destruct B as [B|B]; [specialize (HB B Fn); nra|]. rewrite <- A, <- B in P. lra. }
  rewrite Rmult_plus_distr_l. pose proof (pos_INR w). pose proof (pos_INR q).
  assert (PA : 0 <= U (snd s) * (worker j (snd s) * INR w)) by (apply Rmult_le_pos; [auto | apply Rmult_le_pos; auto]).
  assert (PB : 0 <= U (snd s) * (server j (snd s) * INR q)) by (apply Rmult_le_pos; [auto | apply Rmult_le_pos; auto]).
  assert (CA : 0 < worker j (snd s) -> 1 <= INR w -> utility j n <= U (snd s) * (worker j (snd s) * INR w)).
  { intros A1 W. specialize (HA A1 Fn). assert (U (snd s) * worker j (snd s) * 1 <= U (snd s) * worker j (snd s) * INR w) by (apply Rmult_le_compat_l; [nra | auto]). lra. }
  assert (CB : 0 < server j (snd s) -> 1 <= INR q -> utility j n <= U (snd s) * (server j (snd s) * INR q)).
  { intros B1 Q. specialize (HB B1 Fn). assert (U (snd s) * server j (snd s) * 1 <= U (snd s) * server j (snd s) * INR q) by (apply Rmult_le_compat_l; [nra | auto]). lra. }
  destruct A as [A|A].
  - destruct W1 as [->|W1]; [|specialize (CA A W1); lra]. destruct B as [B|B]; [|rewrite <- B in P; simpl in P; lra].
    destruct Q1 as [->|Q1]; [simpl in P; lra | specialize (CB B Q1); lra].
  - destruct B as [B|B]; [|rewrite <- A, <- B in P; lra]. destruct Q1 as [->|Q1]; [rewrite <- A in P; simpl in P; lra | specialize (CB B Q1); lra]. Qed.

Section Run.
Variable price : spot -> R -> R.
Lemma best_spec {A} (f : A -> R) l : match best reals f l with Some a => In a l /\ forall b, In b l -> f b <= f a | None => l = [] end.
Proof.
  induction l as [|a l IH]; simpl; auto. destruct (best reals f l) as [b|].
  - destruct IH as [I M]. destruct (Rle_dec (f b) (f a)) as [Q|Q].
    + split; auto. intros b' [<-|J]; [lra|]. specialize (M b' J). lra.
    + split; auto. intros b' [<-|J]; [lra | auto].
  - subst. split; auto. intros b [<-|[]]. lra. Qed.
Lemma fitting_fits rho (j : Job) pi : fitting reals c rho j pi = true <-> fits spots size rho (as_plan j pi).
Proof. unfold fitting, fits. rewrite forallb_forall. split; intros H s I; specialize (H s I); [rewrite size_room by auto; apply leb_le; exact H | rewrite size_room in H by auto; apply leb_le; exact H]. Qed.
Lemma payoff_is rho (j : Job) pi : payoff reals c price rho j pi = worth (as_plan j pi) - cost spots (posted price rho) (as_plan j pi).
Proof. unfold payoff. rewrite total_sum. reflexivity. Qed.
Definition chosen (j : Job) (o : option schedule) := option_map (as_plan j) o.

Lemma decide_spec rho (j : Job) :
  let beaten lam := forall b, In b (schedules j) -> fitting reals c rho j b = true -> payoff reals c price rho j b <= lam in
  match decide reals c x price rho j with
  | Some pi => In pi (schedules j) /\ fitting reals c rho j pi = true /\ 0 < payoff reals c price rho j pi /\ beaten (payoff reals c price rho j pi)
  | None => beaten 0
  end.
Proof.
  intro beaten. unfold decide. pose proof (best_spec (payoff reals c price rho j) (filter (fitting reals c rho j) (schedules j))) as B.
  assert (All : forall lam, (forall b, In b (filter (fitting reals c rho j) (schedules j)) -> payoff reals c price rho j b <= lam) -> beaten lam)
    by (intros lam H b I F; apply H, filter_In; auto).
  destruct (best reals _ _) as [pi|]; [|apply All; rewrite B; intros b []]. destruct B as [I M]. apply filter_In in I.
  destruct (at_most reals (payoff reals c price rho j pi) (zero reals)) eqn:Q.
  - apply leb_le in Q. apply All. intros b J. specialize (M b J). eapply Rle_trans; [exact M | exact Q].
  - split; [apply I|]. split; [apply I|]. split; [apply leb_gt, Q | apply All, M]. Qed.

Theorem pd_ors_runs : forall (jobs : list Job) rho, exists lams final,
  run spots size price 1 rho (map as_job jobs) lams (map (fun jo => chosen (fst jo) (snd jo)) (combine jobs (pd_ors reals c x price rho jobs))) final.
Proof.
  induction jobs as [|j jobs IH]; intro rho; [exists [], rho; constructor|]. cbn [pd_ors map combine fst snd].
  assert (Other : forall lam, (forall b, In b (schedules j) -> fitting reals c rho j b = true -> payoff reals c price rho j b <= lam) ->
    forall p, as_job j p -> fits spots size rho p -> worth p - 1 * cost spots (posted price rho) p <= lam).
  { intros lam H p [b [S ->]] F. rewrite Rmult_1_l, <- payoff_is. apply H; auto. apply fitting_fits; auto. }
  pose proof (decide_spec rho j) as D. cbv zeta in D. destruct (decide reals c x price rho j) as [pi|].
  - destruct D as (S & F & P & M). destruct (IH (fun s => rho s + takes j pi s)) as (lams & final & H).
    exists (payoff reals c price rho j pi :: lams), final.
    apply (admits spots size price 1 rho (as_job j) _ _ _ (as_plan j pi)); [exists pi; auto | apply fitting_fits; auto | lra | rewrite payoff_is; lra | auto | exact H].
  - destruct (IH rho) as (lams & final & H). exists (0 :: lams), final. apply rejects; [auto | exact H]. Qed.
End Run.

(* A solution: for each job one of its schedules or none, within the capacities. *)
Definition allowed_all (jobs : list Job) (o : list (option schedule)) := Forall2 (fun j o => match o with Some pi => In pi (schedules j) | None => True end) jobs o.
Definition utilities (jobs : list Job) (o : list (option schedule)) :=
  sum (fun jo => match snd jo with Some pi => earned reals (fst jo) pi | None => 0 end) (combine jobs o).
Definition taken (jobs : list Job) (o : list (option schedule)) s :=
  sum (fun jo => match snd jo with Some pi => takes (fst jo) pi s | None => 0 end) (combine jobs o).
Definition feasible (jobs : list Job) o := allowed_all jobs o /\ forall s, In s spots -> taken jobs o s <= room s - reserved c s.

Definition plans (jobs : list Job) o := map (fun jo => chosen (fst jo) (snd jo)) (combine jobs o).
Lemma feasible_plans (jobs : list Job) o : feasible jobs o ->
  allowed (map as_job jobs) (plans jobs o) /\ forall s, In s spots -> used (plans jobs o) s <= room s - reserved c s.
Proof.
  intros [A C]. split.
  - clear C. induction A as [|j o jobs os H A IH]; simpl; auto. split; auto. destruct o as [pi|]; simpl; auto. exists pi; auto.
  - intros s I. specialize (C s I). unfold used, plans. rewrite sum_map. eapply Rle_trans; [|apply C]. right. apply sum_ext.
    intros [j [pi|]] _; reflexivity. Qed.
Lemma value_utilities (jobs : list Job) o : value (plans jobs o) = utilities jobs o.
Proof. unfold value, plans, utilities. rewrite sum_map. apply sum_ext. intros [j [pi|]] _; reflexivity. Qed.

(* Theorem 5, repaired: the price L (U^r/L)^(rho/((1-x) C)); D_0 is what the free capacity costs at the start *)
Definition price_repaired (L : R) (U : nat -> R) : spot -> R -> R := price12 size (fun s => U (snd s)) L (1 - x).
Section Theorem5.
Variables (jobs : list Job) (L eps psi : R) (U : nat -> R).
Hypotheses (Jobs : forall j, In j jobs -> sound j) (Room : forall s, 0 <= reserved c s <= room s) (X : 0 < x < 1).
Hypotheses (LU : 0 < L /\ forall r, L <= U r) (Highest : highest jobs U) (Psi : 1 <= psi).
Hypotheses (Eps : 1 <= eps /\ forall r, (Rpower (U r / L) (x / (1 - x)) - 1) / x <= eps).
Notation price := (price_repaired L U).
Definition start_value := sum (fun s => (room s - reserved c s) * price s (reserved c s)) spots.
(* Algorithm 1, where the cost of the schedule that a job gets is within the factor psi of the least; psi = 1 for pd_ors *)
Definition earns (P : R) := exists lams choice final, run spots size price psi (reserved c) (map as_job jobs) lams choice final /\ P = value choice.

Theorem pd_ors_within_psi : forall o P, earns P -> feasible jobs o -> utilities jobs o <= psi * (start_value + eps * P).
Proof.
  intros o P (lams & choice & final & H & ->) F. destruct (feasible_plans jobs o F) as [A Fit]. rewrite <- value_utilities.
  assert (D : start_value = sum (fun s => (size s - reserved c s) * price s (reserved c s)) spots)
    by (apply sum_ext; intros s I; rewrite size_room by auto; reflexivity).
  rewrite D. apply (theorem5_reserved spots size (fun s => U (snd s)) L) with (x := x) (jobs := map as_job jobs) (lams := lams) (final := final); auto;
    try (intro; apply size_positive); try (intro; apply LU); try apply LU.
  - split; [apply Eps | intro s; apply Eps].
  - apply Forall_forall. intros J I. apply in_map_iff in I. destruct I as (j & <- & I). split; [|apply (unit_bounds jobs); auto].
    intros p [pi [Sp ->]]. split; [apply (Jobs j I)|]. intro s. apply takes_in; auto; [|lra].
    intro s'. specialize (Room s'). lra.
  - intro s. specialize (Room s). unfold size. destruct (Rle_dec (room s) 0); lra.
  - intros s I. rewrite size_room by auto. apply Fit, I. Qed.

(* ... and OPT <= 2 psi eps P, where a job that can finish earns 2 psi D_0 at the horizon *)
Theorem pd_ors_ratio_within_psi : forall o P j pi, earns P -> feasible jobs o -> In j jobs -> In pi (schedules j) ->
  (forall s, In s spots -> takes j pi s <= room s - reserved c s) -> 2 * psi * start_value <= utility j (horizon c - arrival j) ->
  utilities jobs o <= 2 * psi * eps * P.
Proof.
  intros o P j pi H F I S Free D. destruct (in_split j jobs I) as (before & after & E).
  assert (Le : forall q, (ends q <= length q)%nat).
  { induction q as [|p q IH]; simpl; [lia|]. destruct (ends q); [destruct (workers_in p =? 0)|]; lia. }
  assert (W : utility j (horizon c - arrival j) <= earned reals j pi).
  { apply (Jobs j I). pose proof (Le pi) as Q. apply schedules_spec in S. destruct S as [L0 _]. rewrite L0 in Q. lia. }
  set (alone := map (fun _ : Job => @None schedule) before ++ Some pi :: map (fun _ => None) after).
  assert (Z : forall (f : Job * option schedule -> R) l, (forall j, f (j, None) = 0) -> sum f (combine l (map (fun _ : Job => @None schedule) l)) = 0).
  { intros f l Hf. induction l as [|a l IH]; simpl; auto. rewrite Hf, IH. lra. }
  assert (Sum : forall f, (forall j, f (j, None) = 0) -> sum f (combine jobs alone) = f (j, Some pi)).
  { intros f Hf. unfold alone. rewrite E. clear E. induction before as [|b before IH]; simpl; [rewrite Z; auto; lra | rewrite Hf, IH; lra]. }
  assert (A : feasible jobs alone).
  { split.
    - unfold alone. rewrite E. clear - S. induction before as [|b before IH]; simpl; constructor; auto. induction after; simpl; constructor; auto.
    - intros s Is. unfold taken. rewrite Sum by auto. apply Free, Is. }
  pose proof (pd_ors_within_psi o P H F). pose proof (pd_ors_within_psi alone P H A) as B. unfold utilities in B. rewrite Sum in B by auto. simpl in B. lra. Qed.
End Theorem5.

(* PD-ORS as defined above has psi = 1. *)
Theorem pd_ors_earns : forall jobs L U, earns jobs L 1 U (utilities jobs (pd_ors reals c x (price_repaired L U) (reserved c) jobs)).
Proof.
  intros jobs L U. destruct (pd_ors_runs (price_repaired L U) jobs (reserved c)) as (lams & final & H).
  exists lams, (plans jobs (pd_ors reals c x (price_repaired L U) (reserved c) jobs)), final. split; [exact H | rewrite value_utilities; reflexivity]. Qed.
Theorem pd_ors_ratio : forall (jobs : list Job) L eps U o j pi, (forall j, In j jobs -> sound j) -> (forall s, 0 <= reserved c s <= room s) ->
  0 < x < 1 -> 0 < L /\ (forall r, L <= U r) -> highest jobs U -> 1 <= eps /\ (forall r, (Rpower (U r / L) (x / (1 - x)) - 1) / x <= eps) ->
  feasible jobs o -> In j jobs -> In pi (schedules j) -> (forall s, In s spots -> takes j pi s <= room s - reserved c s) ->
  2 * start_value L U <= utility j (horizon c - arrival j) ->
  utilities jobs o <= 2 * eps * utilities jobs (pd_ors reals c x (price_repaired L U) (reserved c) jobs).
Proof.
  intros jobs L eps U o j pi J Rm X LU Hi Ep F I S Free D. replace (2 * eps) with (2 * 1 * eps) by lra.
  apply (pd_ors_ratio_within_psi jobs L eps 1 U) with (j := j) (pi := pi); auto; try lra. apply pd_ors_earns. Qed.
End Ratio.
