(* preemptive: one worker's queue and the price (5), weak duality, and sum alpha against LP+. Times are real numbers, so
   that whole slots are a special case. *)
From Schedproof Require Import sums.
From Coq Require Import Arith.

(* --- a worker's queue, in the order in which it will run ----------------------------------------------------------- *)

(* of a chunk: what is left, the job's arrival, and the weight 1/D *)
Record chunk := { left : R; arrived : R; weight : R }.
Definition work (l : list chunk) := sum left l.
Definition weights (l : list chunk) := sum weight l.
(* the sum of (C - r)/D if the queue runs from now on as it stands *)
Fixpoint planned (now : R) (l : list chunk) : R :=
  match l with [] => 0 | c :: l => weight c * (now + left c - arrived c) + planned (now + left c) l end.
(* (5): a chunk that lands after the delay, with `ahead` before it and `behind` after it *)
Definition Q5 (delay : R) (ahead : list chunk) (c : chunk) (behind : list chunk) : R :=
  weight c * (delay + work ahead + left c) + left c * weights behind.

Lemma planned_app now l k : planned now (l ++ k) = planned now l + planned (now + work l) k.
Proof. revert now. induction l as [|c l IH]; intro now; unfold work in *; simpl; [replace (now + 0) with now by lra; lra|].
  rewrite IH. replace (now + left c + sum left l) with (now + (left c + sum left l)) by lra. lra. Qed.
Lemma planned_later now d l : planned (now + d) l = planned now l + d * weights l.
Proof. revert now. induction l as [|c l IH]; intro now; unfold weights in *; simpl; [lra|].
  replace (now + d + left c) with (now + left c + d) by lra. rewrite IH. lra. Qed.

(* Q of (5) is the growth of the sum of (C - r)/D on the worker. *)
Theorem eq5_marginal : forall now delay ahead c behind, now = arrived c + delay ->
  planned now (ahead ++ c :: behind) = planned now (ahead ++ behind) + Q5 delay ahead c behind.
Proof.
  intros now delay ahead c behind E. rewrite !planned_app. simpl.
  rewrite planned_later. unfold Q5. rewrite E. lra. Qed.

(* Chunks land in the order of placement: when one is priced at its landing, all that was placed before has landed. A run
   goes from (now, queue, completed) through landings at any place of the queue, runs of its head, and idle times. The
   last two numbers are the sum of the prices and that of (completion - arrival)/D. *)
Inductive queue_run : R -> list chunk -> R -> list chunk -> R -> R -> Prop :=
| stops now l : queue_run now l now l 0 0
| lands now ahead behind c delay now' l' alphas done : now = arrived c + delay ->
    queue_run now (ahead ++ c :: behind) now' l' alphas done ->
    queue_run now (ahead ++ behind) now' l' (Q5 delay ahead c behind + alphas) done
| runs now c l dt now' l' alphas done : 0 <= dt <= left c ->
    queue_run (now + dt) ({| left := left c - dt; arrived := arrived c; weight := weight c |} :: l) now' l' alphas done ->
    queue_run now (c :: l) now' l' alphas done
| completes now c l now' l' alphas done : left c = 0 ->
    queue_run now l now' l' alphas done -> queue_run now (c :: l) now' l' alphas (weight c * (now - arrived c) + done)
| idles now dt now' l' alphas done : 0 <= dt -> queue_run (now + dt) [] now' l' alphas done -> queue_run now [] now' l' alphas done.

Lemma telescopes : forall now l now' l' alphas done, queue_run now l now' l' alphas done ->
  planned now l + alphas = done + planned now' l'.
Proof.
  induction 1; simpl in *; try lra.
  - pose proof (eq5_marginal now delay ahead c behind H). lra.
  - replace (now + dt + (left c - dt)) with (now + left c) in IHqueue_run by lra.
    replace (weight c * (now + dt + (left c - dt) - arrived c)) with (weight c * (now + left c - arrived c)) in IHqueue_run by ring. lra.
  - rewrite H. replace (now + 0) with now by lra. lra. Qed.
(* The queue stays in order: in the residual order the chunk with the least left * D comes first, and runs. *)
Theorem first_stays_first : forall c dt (l : list chunk), 0 < weight c -> 0 <= dt ->
  (forall d, In d l -> left c / weight c <= left d / weight d) -> forall d, In d l -> (left c - dt) / weight c <= left d / weight d.
Proof.
  intros c dt l W T H d I. eapply Rle_trans; [|apply (H d I)]. unfold Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; auto | lra]. Qed.
(* Lemma 4: the prices add up to the sum of (c - r)/D. *)
Theorem lemma4 : forall now now' alphas done, queue_run now [] now' [] alphas done -> alphas = done.
Proof. intros now now' al d H. apply telescopes in H. simpl in H. lra. Qed.

(* --- duals --------------------------------------------------------------------------------------------------------- *)

(* (6) and (9) against relaxed (4) and (8): chunks c, workers w of a server, slots t. A chunk needs its time on workers, a
   worker serves one chunk, and a server's storage U holds the chunks while they are trained, of sizes u. *)
Section Duals.
Context {Chunk Worker Server Slot : Type} (chunks : list Chunk) (servers : list Server) (workers : Server -> list Worker) (slots : list Slot).
Variables (rate cost : Chunk -> Server -> Slot -> R) (u : Chunk -> R) (U : Server -> R).
Definition over (f : Server -> Worker -> Slot -> R) := sum (fun s => sum (fun w => sum (fun t => f s w t) slots) (workers s)) servers.
Definition feasible8 (y : Chunk -> Server -> Worker -> Slot -> R) :=
  (forall c s w t, 0 <= y c s w t) /\ (forall c, In c chunks -> 1 <= over (fun s w t => rate c s t * y c s w t)) /\
  (forall s w t, sum (fun c => y c s w t) chunks <= 1) /\
  (forall s t, sum (fun c => u c * sum (fun w => y c s w t) (workers s)) chunks <= U s).
Definition feasible9 (alpha : Chunk -> R) (beta : Server -> Worker -> Slot -> R) (eta : Server -> Slot -> R) :=
  (forall c, 0 <= alpha c) /\ (forall s w t, 0 <= beta s w t) /\ (forall s t, 0 <= eta s t) /\
  (forall c s w t, alpha c * rate c s t <= cost c s t + beta s w t + u c * eta s t).
Definition primal_cost y := sum (fun c => over (fun s w t => cost c s t * y c s w t)) chunks.
Definition dual_worth alpha beta eta := sum alpha chunks - over beta - sum (fun s => sum (fun t => U s * eta s t) slots) servers.
Lemma over_le f g : (forall s w t, f s w t <= g s w t) -> over f <= over g.
Proof. intro H. repeat (apply sum_le; intros). apply H. Qed.
Lemma over_plus f g : over (fun s w t => f s w t + g s w t) = over f + over g.
Proof. unfold over. rewrite <- sum_plus. apply sum_ext; intros. rewrite <- sum_plus. apply sum_ext; intros. apply sum_plus. Qed.
Lemma over_scal k f : over (fun s w t => k * f s w t) = k * over f.
Proof. unfold over. rewrite <- sum_scal. apply sum_ext; intros. rewrite <- sum_scal. apply sum_ext; intros. apply sum_scal. Qed.
Lemma over_swap (f : Chunk -> Server -> Worker -> Slot -> R) : sum (fun c => over (f c)) chunks = over (fun s w t => sum (fun c => f c s w t) chunks).
Proof. unfold over. rewrite sum_swap. apply sum_ext; intros. rewrite sum_swap. apply sum_ext; intros. apply sum_swap. Qed.
Theorem weak_duality_9_8 : forall y alpha beta eta, feasible8 y -> feasible9 alpha beta eta -> dual_worth alpha beta eta <= primal_cost y.
Proof.
  intros y al be et (Y & A & B & S) (A0 & B0 & E0 & Ro).
  assert (H1 : sum al chunks <= sum (fun c => over (fun s w t => al c * (rate c s t * y c s w t))) chunks).
  { apply sum_le; intros c C. rewrite over_scal. specialize (A c C). specialize (A0 c). nra. }
  assert (H2 : sum (fun c => over (fun s w t => al c * (rate c s t * y c s w t))) chunks <=
     sum (fun c => over (fun s w t => cost c s t * y c s w t + (be s w t * y c s w t + et s t * (u c * y c s w t)))) chunks).
  { apply sum_le; intros c _. apply over_le; intros s w t. specialize (Ro c s w t). specialize (Y c s w t). nra. }
  rewrite (sum_ext (fun c => over (fun s w t => cost c s t * y c s w t + _))
     (fun c => over (fun s w t => cost c s t * y c s w t) + (over (fun s w t => be s w t * y c s w t) + over (fun s w t => et s t * (u c * y c s w t))))) in H2
    by (intros; rewrite !over_plus; reflexivity).
  rewrite !sum_plus in H2.
  assert (H3 : sum (fun c => over (fun s w t => be s w t * y c s w t)) chunks <= over be).
  { rewrite over_swap. apply over_le; intros s w t. rewrite (sum_scal (be s w t) (fun c => y c s w t)). pose proof (Rmult_le_compat_l _ _ _ (B0 s w t) (B s w t)). lra. }
  assert (H4 : sum (fun c => over (fun s w t => et s t * (u c * y c s w t))) chunks <= sum (fun s => sum (fun t => U s * et s t) slots) servers).
  { unfold over. rewrite sum_swap. apply sum_le; intros s _.
    rewrite (sum_ext _ (fun c => sum (fun t => et s t * (u c * sum (fun w => y c s w t) (workers s))) slots)).
    - rewrite sum_swap. apply sum_le; intros t _. rewrite (sum_scal (et s t) (fun c => u c * sum (fun w => y c s w t) (workers s))).
      pose proof (Rmult_le_compat_l _ _ _ (E0 s t) (S s t)). lra.
    - intros c _. rewrite sum_swap. apply sum_ext; intros t _. rewrite <- !sum_scal. reflexivity. }
  unfold dual_worth, primal_cost. lra. Qed.
End Duals.

(* Lemma 5: feasible for (6) at speed 1 + eps gives feasible for (11). *)
Definition row6 (n work D : R) (t r alpha beta : R) := alpha * (n / work) - beta <= n / work * ((t - r) / D).
Theorem lemma5 : forall n work D t r alpha beta eps, 0 < eps -> row6 n work D t r alpha beta -> row6 (n / (1 + eps)) work D t r alpha (beta / (1 + eps)).
Proof.
  intros n w D t r al be e E H. unfold row6 in *.
  replace (n / (1 + e) / w) with (n / w / (1 + e)) by (unfold Rdiv; ring). set (q := n / w) in *.
  replace (al * (q / (1 + e)) - be / (1 + e)) with ((al * q - be) / (1 + e)) by (field; lra).
  replace (q / (1 + e) * ((t - r) / D)) with (q * ((t - r) / D) / (1 + e)) by (unfold Rdiv; ring).
  unfold Rdiv at 1 3. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra | auto]. Qed.
Definition row_slots (p D t r alpha beta : R) := alpha <= (t - r) / D + p * beta.
Theorem lemma5_whole_slots : forall fast slow factor D t r alpha beta, 0 < slow -> 0 <= beta -> fast / slow <= factor ->
  row_slots fast D t r alpha beta -> row_slots slow D t r alpha (factor * beta).
Proof.
  intros f s k D t r al be S B F H. unfold row_slots in *. assert (f <= s * k).
  { apply Rmult_le_reg_r with (/ s); [apply Rinv_0_lt_compat; auto|]. replace (s * k * / s) with k by (field; lra). auto. } nra. Qed.

(* A cloud worker of the chunk's own: price (delay + p)/D, and beta = 1/D until the chunk is complete. *)
Theorem appendix_c_cloud : forall r delay p D t beta, 0 < D -> 0 <= p -> r + delay <= t -> 0 <= beta ->
  (t < r + delay + p -> beta = 1 / D) -> (delay + p) / D <= (t - r) / D + p * beta.
Proof.
  intros r d p D t be HD HP T B H. apply Rmult_le_reg_r with D; auto.
  replace ((d + p) / D * D) with (d + p) by (field; lra). replace (((t - r) / D + p * be) * D) with (t - r + p * (be * D)) by (field; lra).
  destruct (Rlt_le_dec t (r + d + p)) as [L|L]; [rewrite (H L); replace (1 / D * D) with 1 by (field; lra); lra | assert (0 <= p * (be * D)) by (apply Rmult_le_pos; [auto | apply Rmult_le_pos; lra]); lra]. Qed.

(* Busy slots are different whole numbers from r on and before c. *)
Theorem completion : forall r c (busy : list nat), NoDup busy -> (forall t, In t busy -> r <= t < c)%nat -> (length busy <= c - r)%nat.
Proof.
  intros r c busy N H. rewrite <- (seq_length (c - r) r). apply NoDup_incl_length; auto.
  intros t I. specialize (H t I). apply in_seq. lia. Qed.

(* With one worker (4b) gives (4e); and a bound without a constraint is one with it. *)
Theorem eq4e_one_worker : forall (workers : list nat) (y : nat -> R), (length workers <= 1)%nat -> (forall w, In w workers -> y w <= 1) -> sum y workers <= 1.
Proof. intros [|w [|v l]] y L H; simpl in *; [lra | specialize (H w (or_introl eq_refl)); lra | lia]. Qed.
Theorem without_a_constraint : forall (X : Type) (feasible row : X -> Prop) (cost : X -> R) bound,
  (forall x, feasible x -> bound <= cost x) -> forall x, feasible x /\ row x -> bound <= cost x.
Proof. intros X f r c b H x [F _]. auto. Qed.

(* --- Theorem 3 against LP+ ------------------------------------------------------------------------------------------ *)

(* alphas at least betas, and weak duality at speed 1 for (alpha, beta/(1+eps)): LP+ bounds the prices *)
Theorem theorem3_lp_at_least : forall eps LP alphas betas, 0 < eps -> betas <= alphas -> alphas - betas / (1 + eps) <= LP ->
  betas <= (1 + 1 / eps) * LP /\ alphas <= (1 + 1 / eps) * LP.
Proof.
  intros e LP al be E L W. assert (B : be <= (1 + 1 / e) * LP).
  { apply Rmult_le_reg_r with (e / (1 + e)); [apply Rdiv_lt_0_compat; lra|]. replace ((1 + 1 / e) * LP * (e / (1 + e))) with LP by (field; lra).
    replace (be * (e / (1 + e))) with (be - be / (1 + e)) by (field; lra). lra. }
  split; auto. assert (be / (1 + e) <= LP / e); [|replace ((1 + 1 / e) * LP) with (LP + LP / e) by (field; lra); lra].
  apply Rmult_le_reg_r with (1 + e); [lra|]. replace (be / (1 + e) * (1 + e)) with be by (field; lra).
  replace (LP / e * (1 + e)) with ((1 + 1 / e) * LP) by (field; lra). auto. Qed.
(* A chunk's runs, from the last to the first, as start and length, times from its arrival on: f charges the mean of its time over them. *)
Fixpoint runs_within (c : R) (l : list (R * R)) : Prop :=
  match l with [] => True | (s, d) :: l => 0 <= s /\ 0 <= d /\ s + d <= c /\ runs_within s l end.
Definition run_time (l : list (R * R)) := sum snd l.
Definition charged (D p : R) (l : list (R * R)) := sum (fun '(s, d) => d * (s + d / 2)) l / (D * p).
Lemma charged_less D p c l : 0 < D -> 0 < p -> runs_within c l -> run_time l = p -> charged D p l <= c / D.
Proof.
  intros HD P. unfold charged, run_time. intros H E. apply Rle_trans with (p * c / (D * p)); [|right; field; lra].
  unfold Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; nra|]. rewrite <- E. clear E P HD. revert c H.
  induction l as [|[s d] l IH]; intros c H; simpl; [lra|]. destruct H as (S & T & L & H). specialize (IH s H).
  assert (N : 0 <= sum snd l) by (clear -H; revert s H; induction l as [|[s' d'] l IH]; intros s H; simpl; [lra|]; destruct H as (_ & T & _ & H); specialize (IH s' H); lra).
  assert (sum snd l * s <= sum snd l * c) by (apply Rmult_le_compat_l; lra). assert (d * (s + d / 2) <= d * c) by (apply Rmult_le_compat_l; lra). lra. Qed.
(* What (4) charges for all chunks is at most (1 + 1/eps) LP+: betas is the sum of (c_jd - r_j)/D_j. *)
Theorem theorem3_ilp_fluid_repaired : forall {Chunk : Type} eps LP (chunks : list Chunk) (D p c : Chunk -> R) (runs : Chunk -> list (R * R)) alphas, 0 < eps ->
  (forall k, In k chunks -> 0 < D k /\ 0 < p k /\ runs_within (c k) (runs k) /\ run_time (runs k) = p k) ->
  let betas := sum (fun k => c k / D k) chunks in betas <= alphas -> alphas - betas / (1 + eps) <= LP ->
  sum (fun k => charged (D k) (p k) (runs k)) chunks <= (1 + 1 / eps) * LP.
Proof.
  intros Chunk e LP ks D p c runs al E H be A W. apply Rle_trans with be; [|apply (theorem3_lp_at_least e LP al be E A W)].
  apply sum_le; intros k I. destruct (H k I) as (HD & P & R1 & T). apply charged_less; auto. Qed.
(* storage: where a server has room for all chunks of all jobs the test finds room whatever is stored, and leaves no server out *)
Definition room_left (size : nat -> R) (U : R) (stored : list nat) (more : R) := if Rle_dec (sum size stored + more) U then true else false.
Theorem room_for_all : forall (size : nat -> R) (chunks : list nat) (servers : list nat) (U : nat -> R), (forall i, 0 <= size i) ->
  (forall s, In s servers -> sum size chunks <= U s) ->
  (forall s stored i, In s servers -> NoDup (i :: stored) -> incl (i :: stored) chunks -> room_left size (U s) stored (size i) = true) /\
  (forall (stored : nat -> list nat) i, (forall s, In s servers -> NoDup (i :: stored s) /\ incl (i :: stored s) chunks) ->
     filter (fun s => room_left size (U s) (stored s) (size i)) servers = servers) /\
  forall s stored, In s servers -> NoDup stored -> incl stored chunks -> sum size stored <= U s.
Proof.
  intros size ks ss U P H. assert (A : forall s stored i, In s ss -> NoDup (i :: stored) -> incl (i :: stored) ks -> room_left size (U s) stored (size i) = true).
  { intros s st i S N I. unfold room_left. destruct (Rle_dec (sum size st + size i) (U s)) as [|F]; auto. exfalso. apply F.
    pose proof (sum_incl size (i :: st) ks P N I). simpl in H0. specialize (H s S). lra. }
  split; [auto | split].
  - intros st i W. assert (G : forall l, incl l ss -> filter (fun s => room_left size (U s) (st s) (size i)) l = l).
    { induction l as [|s l IH]; intro I; simpl; auto. destruct (W s (I s (or_introl eq_refl))) as [N J]. rewrite A; [|apply I; left; auto | auto | auto].
      f_equal. apply IH. intros s' I'. apply I. right; auto. }
    apply G, incl_refl.
  - intros s st S N I. eapply Rle_trans; [apply (sum_incl size st ks P N I) | auto]. Qed.
(* Algorithm 2: prices of workers, each a function of its own list alone; the chosen worker is priced anew for the next chunk when the
   chunk has joined its list *)
Section Prices.
Variables (Worker List : Type) (dec : forall v w : Worker, {v = w} + {v <> w}) (Q : Worker -> List -> R) (joins : List -> List).
Definition chunk_placed (lists : Worker -> List) (prices : Worker -> R) (chosen : Worker) :=
  let lists' := fun w => if dec w chosen then joins (lists w) else lists w in
  (lists', fun w => if dec w chosen then Q w (lists' w) else prices w).
Fixpoint place_all (choice : (Worker -> R) -> Worker) (n : nat) (state : (Worker -> List) * (Worker -> R)) :=
  match n with O => state | S n => place_all choice n (chunk_placed (fst state) (snd state) (choice (snd state))) end.
Theorem algorithm2_least_q : forall (choice : (Worker -> R) -> Worker) workers, (forall prices w, In w workers -> prices (choice prices) <= prices w) ->
  forall n lists, let state := place_all choice n (lists, fun w => Q w (lists w)) in
  (forall w, snd state w = Q w (fst state w)) /\ forall w, In w workers -> Q (choice (snd state)) (fst state (choice (snd state))) <= Q w (fst state w).
Proof.
  intros choice ws H n lists state. assert (E : forall n l p, (forall w, p w = Q w (l w)) -> forall w, snd (place_all choice n (l, p)) w = Q w (fst (place_all choice n (l, p)) w)).
  { clear. induction n as [|n IH]; intros l p G w; simpl; auto. unfold chunk_placed. apply IH. intro v. simpl. destruct (dec v (choice p)); auto. }
  assert (F : forall w, snd state w = Q w (fst state w)) by (apply E; auto). split; auto. intros w I. rewrite <- !F. apply H; auto. Qed.
End Prices.

(* --- (4a), (4b), (4e) against (2b), (2d), (2c): a job with D chunks of p slots ------------------------------------------ *)

(* units are pairs of a worker and a slot; a unit is trained at most once, which is (2d) and (4b) *)
Definition in_slot (units : list (nat * nat)) t := filter (fun u => snd u =? t) units.
Definition feasible2 D p (units : list (nat * nat)) := NoDup units /\ (D * p <= length units)%nat /\ forall t, (length (in_slot units t) <= D)%nat.
(* of each chunk: p units, at most one in a slot; no unit in two chunks *)
Definition feasible4 D p (chunk : nat -> list (nat * nat)) := NoDup (flat_map chunk (seq 0 D)) /\
  forall d, (d < D)%nat -> (p <= length (chunk d))%nat /\ forall t, (length (in_slot (chunk d) t) <= 1)%nat.
Lemma flat_length {A} (f : nat -> list A) b l : (forall d, In d l -> (b <= length (f d))%nat) -> (length l * b <= length (flat_map f l))%nat.
Proof. induction l as [|d l IH]; simpl; intro H; [lia|]. rewrite app_length. pose proof (H d (or_introl eq_refl)). specialize (IH (fun d I => H d (or_intror I))). lia. Qed.
Lemma flat_slots (f : nat -> list (nat * nat)) t l : (forall d, In d l -> (length (in_slot (f d) t) <= 1)%nat) -> (length (in_slot (flat_map f l) t) <= length l)%nat.
Proof.
  unfold in_slot. induction l as [|d l IH]; simpl; intro H; [lia|]. rewrite filter_app, app_length. pose proof (H d (or_introl eq_refl)).
  specialize (IH (fun d I => H d (or_intror I))). lia. Qed.
(* units u, u + D, u + 2 D, ... of a list *)
Fixpoint every {A} (D wait : nat) (l : list A) : list A :=
  match l with [] => [] | a :: l => match wait with O => a :: every D (D - 1) l | S w => every D w l end end.
Lemma every_incl {A} D (l : list A) : forall w a, In a (every D w l) -> In a l.
Proof. induction l as [|b l IH]; intros [|w] a; simpl; auto; [intros [->|I]; eauto | intro I; eauto]. Qed.
Lemma every_long {A} D p (l : list A) : (1 <= D)%nat -> forall w, (w < D)%nat -> (D * p <= length l + (D - 1 - w))%nat -> (p <= length (every D w l))%nat.
Proof.
  intro HD. revert p. induction l as [|a l IH]; intros p [|w] W H; simpl in *.
  - destruct p; [lia | nia].
  - destruct p; [lia | nia].
  - destruct p as [|p]; [lia|]. enough (p <= length (every D (D - 1) l))%nat by lia. apply IH; nia.
  - apply IH; lia. Qed.
Lemma every_disjoint {A} D (l : list A) : NoDup l -> (1 <= D)%nat -> forall v w a, (v < D)%nat -> (w < D)%nat -> In a (every D v l) -> In a (every D w l) -> v = w.
Proof.
  intros N HD. induction N as [|b l F N IH]; intros v w a V W I J; simpl in *; [destruct I|]. destruct v as [|v], w as [|w]; auto; simpl in *.
  - exfalso. destruct I as [->|I]; [apply F, (every_incl D l w); auto|]. assert (D - 1 = w)%nat by (apply (IH (D - 1)%nat w a); auto; lia). lia.
  - exfalso. destruct J as [->|J]; [apply F, (every_incl D l v); auto|]. assert (D - 1 = v)%nat by (apply (IH (D - 1)%nat v a); auto; lia). lia.
  - f_equal. apply (IH v w a); auto; lia. Qed.
Lemma every_nodup {A} D (l : list A) : NoDup l -> forall w, NoDup (every D w l).
Proof. induction 1 as [|b l F N IH]; intros [|w]; simpl; auto; constructor; auto. intro I. apply F, (every_incl D l (D - 1)); auto. Qed.
Lemma every_cover {A} D (l : list A) : (1 <= D)%nat -> forall a, In a l -> exists d, (d < D)%nat /\ In a (every D d l).
Proof.
  intro HD. induction l as [|b l IH]; intros a I; [destruct I|]. destruct I as [->|I]; [exists 0%nat; simpl; auto|].
  destruct (IH a I) as (d & B & J). destruct (Nat.eq_dec d (D - 1)) as [->|E]; [exists 0%nat; simpl; auto | exists (S d); simpl; split; auto; lia]. Qed.
(* of a block of at most D it takes one unit at most, and goes on behind it *)
Lemma every_block {A} D (block rest : list A) : (1 <= D)%nat -> (length block <= D)%nat -> forall w, (w < D)%nat -> exists taken w', (w' < D)%nat /\
  (length taken <= 1)%nat /\ (forall a, In a taken -> In a block) /\ every D w (block ++ rest) = taken ++ every D w' rest.
Proof.
  intros HD. induction block as [|a block IH]; simpl; intros L w W; [exists [], w; simpl; repeat split; auto; intros ? []|]. destruct w as [|w].
  - assert (G : forall k v, (length k <= v)%nat -> every D v (k ++ rest) = every D (v - length k) rest).
    { clear. induction k as [|b k IH]; intros [|v] H; simpl in *; auto; [lia|]. apply IH. lia. }
    exists [a], (D - 1 - length block)%nat. rewrite G by lia. simpl. repeat split; auto; try lia. intros b [->|[]]; auto.
  - destruct (IH ltac:(lia) w ltac:(lia)) as (k & w' & W' & K & I & E). exists k, w'. repeat split; auto. Qed.
Lemma every_slot D (units : list (nat * nat)) t : (1 <= D)%nat -> (forall s, (length (in_slot units s) <= D)%nat) ->
  forall slots, NoDup slots -> forall w, (w < D)%nat -> (length (in_slot (every D w (flat_map (in_slot units) slots)) t) <= 1)%nat.
Proof.
  intros HD U slots N. induction N as [|s slots F N IH]; intros w W; simpl; auto.
  destruct (every_block D (in_slot units s) (flat_map (in_slot units) slots) HD (U s) w W) as (k & w' & W' & K & I & ->).
  unfold in_slot at 1. rewrite filter_app, app_length. specialize (IH w' W'). unfold in_slot at 1 in IH. destruct (Nat.eq_dec s t) as [->|Ne].
  - assert (Z : filter (fun u => snd u =? t) (every D w' (flat_map (in_slot units) slots)) = []).
    { destruct (filter (fun u => snd u =? t) (every D w' (flat_map (in_slot units) slots))) as [|u l] eqn:E; auto. exfalso.
      assert (J : In u (u :: l)) by (left; auto). rewrite <- E in J. apply filter_In in J.
      destruct J as [J Q]. apply every_incl in J. apply in_flat_map in J. destruct J as (s & S & J). apply filter_In in J. destruct J as [_ J].
      apply Nat.eqb_eq in Q. apply Nat.eqb_eq in J. apply F. congruence. }
    rewrite Z. simpl. assert (forall m : list (nat * nat), length (filter (fun u => snd u =? t) m) <= length m)%nat by (induction m as [|b m IHm]; simpl; auto; destruct (snd b =? t); simpl; lia).
    specialize (H k). lia.
  - assert (Z : filter (fun u => snd u =? t) k = []).
    { destruct (filter (fun u => snd u =? t) k) as [|u l] eqn:E; auto. exfalso. assert (J : In u (u :: l)) by (left; auto). rewrite <- E in J. apply filter_In in J.
      destruct J as [J Q]. apply I in J. apply filter_In in J. destruct J as [_ J]. apply Nat.eqb_eq in Q. apply Nat.eqb_eq in J. congruence. }
    rewrite Z. simpl. exact IH. Qed.
(* binary worker-slots are feasible for (2) if and only if they are those of chunks feasible for (4) *)
Theorem constraints_equivalent : forall D p slots, (1 <= D)%nat -> NoDup slots ->
  (forall chunk, feasible4 D p chunk -> feasible2 D p (flat_map chunk (seq 0 D))) /\
  forall units, feasible2 D p units -> (forall u, In u units -> In (snd u) slots) -> exists chunk, feasible4 D p chunk /\
    forall u, In u (flat_map chunk (seq 0 D)) <-> In u units.
Proof.
  intros D p slots HD NS. split.
  - intros chunk [N H]. split; [auto | split].
    + pose proof (flat_length chunk p (seq 0 D)) as G. rewrite seq_length in G. apply G. intros d I. apply in_seq in I. apply H. lia.
    + intro t. pose proof (flat_slots chunk t (seq 0 D)) as G. rewrite seq_length in G. apply G. intros d I. apply in_seq in I. apply H. lia.
  - intros units (N & L & U) S. set (l := flat_map (in_slot units) slots).
    assert (Il : forall u, In u l <-> In u units).
    { intro u. unfold l, in_slot. rewrite in_flat_map. split; [intros (s & _ & I); apply filter_In in I; tauto|]. intro I. exists (snd u). split; auto.
      apply filter_In. split; auto. apply Nat.eqb_refl. }
    assert (Nl : NoDup l).
    { unfold l. clear -N NS. induction NS as [|s slots F NS IH]; simpl; [constructor|].
      assert (M : NoDup (in_slot units s)) by (apply NoDup_filter; auto). assert (O : forall u, In u (in_slot units s) -> ~ In u (flat_map (in_slot units) slots)).
      { intros u I J. apply filter_In in I. destruct I as [_ I]. apply in_flat_map in J. destruct J as (s' & S' & J). apply filter_In in J. destruct J as [_ J].
        apply Nat.eqb_eq in I. apply Nat.eqb_eq in J. apply F. congruence. }
      revert M O. generalize (in_slot units s). induction l as [|u l IHl]; simpl; intros M O; auto. inversion_clear M. constructor.
      - rewrite in_app_iff. intros [I|I]; [auto | apply (O u); auto].
      - apply IHl; auto. }
    assert (Ll : (length units <= length l)%nat) by (apply NoDup_incl_length; auto; intros u I; apply Il; auto).
    exists (fun d => every D d l). split; [split|].
    + assert (G : forall ds, NoDup ds -> (forall d, In d ds -> (d < D)%nat) -> NoDup (flat_map (fun d => every D d l) ds)).
      { intros ds Nd. induction Nd as [|d ds F Nd IH]; simpl; intro B; [constructor|]. specialize (IH (fun d I => B d (or_intror I))).
        pose proof (every_nodup D l Nl d) as M. assert (O : forall u, In u (every D d l) -> ~ In u (flat_map (fun d => every D d l) ds)).
        { intros u I J. apply in_flat_map in J. destruct J as (d' & I' & J). apply F. rewrite (every_disjoint D l Nl HD d d' u); auto. }
        revert M O. generalize (every D d l). intro m. induction m as [|u m IHm]; simpl; intros M O; auto. inversion_clear M. constructor.
        - rewrite in_app_iff. intros [I|I]; [auto | apply (O u); auto].
        - apply IHm; auto. }
      apply G; [apply seq_NoDup | intros d I; apply in_seq in I; lia].
    + intros d B. split; [apply (every_long D p l HD d B); nia | intro t; apply (every_slot D units t HD U slots NS d B)].
    + intro u. rewrite in_flat_map, <- Il. split; [intros (d & _ & I); apply (every_incl D l d); auto|]. intro I.
      destruct (every_cover D l HD u I) as (d & B & J). exists d. split; auto. apply in_seq. lia. Qed.
