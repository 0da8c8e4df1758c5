(* jrp: the split of the deadline, upper bounds, what servers keep, and the counting behind accepted jobs.
   Needs are in the units of the deadline: a job that needs a of computing and b of sending, with rates rc and rb, takes
   the parts a/rc and b/rb of its time. *)
From Schedproof Require Import sums.
From Coq Require Import Arith Bool.

(* (10): the parts add up to at most 1; a rate may be 0 only where there is nothing to do. *)
Definition in_time10 (a rc b rb : R) := (a = 0 \/ 0 < rc) /\ (b = 0 \/ 0 < rb) /\ a / rc + b / rb <= 1.
Definition split16 (eps b rb : R) := b <= eps * rb.
Definition split17 (eps a rc : R) := a <= (1 - eps) * rc.

Lemma part_le n r e : 0 <= n -> 0 <= r -> 0 <= e -> n <= e * r -> (n = 0 \/ 0 < r) /\ n / r <= e.
Proof.
  intros N R0 E L. destruct (Req_dec n 0) as [->|P]; [split; [auto|]; unfold Rdiv; lra|].
  assert (0 < r) by nra. split; auto. apply Rmult_le_reg_r with r; auto. replace (n / r * r) with n by (field; lra). lra. Qed.
Theorem split_implies_10 : forall eps a rc b rb, 0 <= a -> 0 <= b -> 0 <= rc -> 0 <= rb -> 0 <= eps <= 1 ->
  split16 eps b rb -> split17 eps a rc -> in_time10 a rc b rb.
Proof.
  intros e a rc b rb A B RC RB E S T. destruct (part_le b rb e B RB ltac:(lra) S). destruct (part_le a rc (1 - e) A RC ltac:(lra) T).
  repeat split; auto. lra. Qed.
Lemma part_pos n r : 0 <= n -> (n = 0 \/ 0 < r) -> 0 <= n / r /\ n = n / r * r.
Proof. intros N [->|P]; [unfold Rdiv; split; lra|]. split; [apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra] | field; lra]. Qed.
Theorem share_of_its_own : forall a rc b rb, 0 <= a -> 0 <= b -> 0 <= rc -> 0 <= rb -> in_time10 a rc b rb ->
  exists eps, 0 <= eps <= 1 /\ split16 eps b rb /\ split17 eps a rc.
Proof.
  intros a rc b rb A B RC RB (X & Y & L). destruct (part_pos a rc A X) as [PA EA]. destruct (part_pos b rb B Y) as [PB EB].
  exists (b / rb). unfold split16, split17. repeat split; try lra. rewrite EA at 1. apply Rmult_le_compat_r; lra. Qed.
(* the share of the deadline that sending takes is at most eps, and eps with equality *)
Theorem share_of_deadline : forall eps a rc b rb, 0 <= a -> 0 <= b -> 0 <= rc -> 0 <= rb -> 0 <= eps <= 1 ->
  split16 eps b rb -> split17 eps a rc -> b / rb <= eps /\ a / rc <= 1 - eps /\
  (0 < rb -> b = eps * rb -> b / rb = eps) /\ (0 < rc -> a = (1 - eps) * rc -> a / rc = 1 - eps).
Proof.
  intros e a rc b rb A B RC RB E S T. destruct (part_le b rb e B RB ltac:(lra) S). destruct (part_le a rc (1 - e) A RC ltac:(lra) T).
  repeat split; auto; intros P Q; rewrite Q; field; lra. Qed.

(* Line 19: what (16) and (17) ask for, at least, satisfies (8)-(10), for jobs k with the needs a k and b k on a server. *)
Theorem line19 : forall {K : Type} (ks : list K) (a b : K -> R) eps rc rb, 0 < eps < 1 -> (forall k, 0 <= a k /\ 0 <= b k) ->
  sum a ks <= (1 - eps) * rc -> sum b ks <= eps * rb ->
  sum (fun k => a k / (1 - eps)) ks <= rc /\ sum (fun k => b k / eps) ks <= rb /\
  forall k, split16 eps (b k) (b k / eps) /\ split17 eps (a k) (a k / (1 - eps)) /\ in_time10 (a k) (a k / (1 - eps)) (b k) (b k / eps).
Proof.
  intros K ks a b e rc rb E P A B. unfold Rdiv at 1 2. rewrite !sum_scal_r.
  repeat split.
  - apply Rmult_le_reg_r with (1 - e); [lra|]. rewrite Rmult_assoc, Rinv_l by lra. lra.
  - apply Rmult_le_reg_r with e; [lra|]. rewrite Rmult_assoc, Rinv_l by lra. lra.
  - unfold split16. right. field. lra.
  - unfold split17. right. field. lra.
  - destruct (P k) as [[Q|Q] _]; [right; apply Rdiv_lt_0_compat; lra | left; auto].
  - destruct (P k) as [_ [Q|Q]]; [right; apply Rdiv_lt_0_compat; lra | left; auto].
  - destruct (P k) as [[Q|Q] [S|S]]; try rewrite <- Q; try rewrite <- S; unfold Rdiv; rewrite ?Rmult_0_l.
    + right. field. lra.
    + replace (a k * / (a k * / (1 - e))) with (1 - e) by (field; lra). lra.
    + replace (b k * / (b k * / e)) with e by (field; lra). lra.
    + lra. Qed.

(* --- JRP and its upper bounds -------------------------------------------------------------------------------------- *)

(* with numbers N: real numbers here, rationals in rounding.v *)
Record program_of (N : Type) := { servers : list nat; jobs : list nat; nodes : nat -> list nat;   (* the data nodes of a job *)
  assignable : nat -> nat -> bool;                                                   (* (i, j): j is in A_i *)
  size : nat -> N; storage : nat -> N; compute : nat -> N; bandwidth : nat -> N;
  a : nat -> N; b : nat -> N }.                                   (* of a job, for each GB, in units of its deadline *)
Arguments servers {N}. Arguments jobs {N}. Arguments nodes {N}. Arguments assignable {N}. Arguments size {N}. Arguments storage {N}.
Arguments compute {N}. Arguments bandwidth {N}. Arguments a {N}. Arguments b {N}.
Definition program := program_of R.
Definition data (P : program) (x : nat -> nat -> R) j k := sum (fun i => size P i * x i j) (nodes P k).
(* (5)-(9) and the bounds of x and y, for the resources rc and rb that a job gets on a server *)
Definition shared_rows (P : program) x y rc rb :=
  (forall i j, 0 <= x i j) /\ (forall k, 0 <= y k <= 1) /\ (forall j k, 0 <= rc j k /\ 0 <= rb j k) /\
  (forall k i, In k (jobs P) -> In i (nodes P k) ->
     sum (fun j => x i j) (servers P) = y k /\ forall j, assignable P i j = false -> x i j = 0) /\
  (forall j, In j (servers P) -> sum (fun k => data P x j k) (jobs P) <= storage P j) /\
  (forall j, In j (servers P) -> sum (fun k => rc j k) (jobs P) <= compute P j /\ sum (fun k => rb j k) (jobs P) <= bandwidth P j).
Definition JRP P x y rc rb := shared_rows P x y rc rb /\
  forall j k, In j (servers P) -> In k (jobs P) -> in_time10 (a P k * data P x j k) (rc j k) (b P k * data P x j k) (rb j k).
Definition LP_I P eps x y rc rb := shared_rows P x y rc rb /\
  forall j k, In j (servers P) -> In k (jobs P) -> split16 eps (b P k * data P x j k) (rb j k) /\ split17 eps (a P k * data P x j k) (rc j k).
Definition accepted (P : program) y := sum y (jobs P).
Definition natural P := (forall i, 0 <= size P i) /\ forall k, 0 <= a P k /\ 0 <= b P k.

Lemma data_pos P x j k : natural P -> (forall i j, 0 <= x i j) -> 0 <= data P x j k.
Proof. intros [S _] X. apply sum_nonneg; intros i _. specialize (S i). specialize (X i j). nra. Qed.
Lemma rate_covers n r : 0 <= n -> (n = 0 \/ 0 < r) -> 0 <= r -> n / r <= 1 -> n <= r.
Proof. intros N X R0 L. destruct (part_pos n r N X) as [_ E]. rewrite E at 1. nra. Qed.
Lemma each_rate P x y rc rb j k : natural P -> JRP P x y rc rb -> In j (servers P) -> In k (jobs P) ->
  a P k * data P x j k <= rc j k /\ b P k * data P x j k <= rb j k.
Proof.
  intros N [(X & _ & RR & _) T] J K. destruct (T j k J K) as (U & V & L). pose proof (data_pos P x j k N X). destruct N as [_ N].
  destruct (N k). destruct (RR j k).
  assert (A : 0 <= a P k * data P x j k) by nra. assert (B : 0 <= b P k * data P x j k) by nra.
  destruct (part_pos _ _ A U). destruct (part_pos _ _ B V). split; apply rate_covers; auto; lra. Qed.

(* The rows sum a D <= r^c and sum b D <= r^b hold on each server. *)
Theorem split_free_upper_bound : forall P x y rc rb j, natural P -> JRP P x y rc rb -> In j (servers P) ->
  sum (fun k => a P k * data P x j k) (jobs P) <= compute P j /\ sum (fun k => b P k * data P x j k) (jobs P) <= bandwidth P j.
Proof.
  intros P x y rc rb j N S J. pose proof S as [(_ & _ & _ & _ & _ & C) _]. destruct (C j J) as [C1 C2].
  split; (eapply Rle_trans; [|eassumption]); apply sum_le; intros k K; destruct (each_rate P x y rc rb j k N S J K); auto. Qed.

(* min(eps, 1 - eps) times a solution of JRP is a solution of LP_I, so that LP_I divided by it bounds JRP. *)
Theorem lp_i_after_division : forall P eps x y rc rb, natural P -> 0 <= eps <= 1 -> JRP P x y rc rb ->
  let s := Rmin eps (1 - eps) in
  exists rc' rb', LP_I P eps (fun i j => s * x i j) (fun k => s * y k) rc' rb' /\ accepted P (fun k => s * y k) = s * accepted P y.
Proof.
  intros P e x y rc rb N E S s. assert (S0 : 0 <= s) by (unfold s, Rmin; destruct (Rle_dec e (1 - e)); lra).
  assert (S1 : s <= e /\ s <= 1 - e) by (split; [apply Rmin_l | apply Rmin_r]).
  assert (DD : forall j k, data P (fun i j => s * x i j) j k = s * data P x j k).
  { intros. unfold data. rewrite <- sum_scal. apply sum_ext; intros; lra. }
  exists rc, rb. split; [|apply sum_scal].
  pose proof S as [(X & Y & RR & Six & Sev & Eight) T].
  split; [repeat split|]; auto.
  - intros i j. specialize (X i j). nra.
  - specialize (Y k). nra.
  - specialize (Y k). nra.
  - apply RR.
  - apply RR.
  - destruct (Six k i H H0) as [Q _]. rewrite <- Q. exact (sum_scal s (fun j => x i j) (servers P)).
  - intros j Hj. destruct (Six k i H H0) as [_ Q]. rewrite (Q j Hj). lra.
  - intros j J. rewrite (sum_ext _ (fun k => s * data P x j k)) by (intros; apply DD). rewrite sum_scal.
    specialize (Sev j J). assert (0 <= sum (fun k => data P x j k) (jobs P)) by (apply sum_nonneg; intros; apply data_pos; auto).
    change (fun k => data P x j k) with (data P x j) in *. set (S1' := sum (data P x j) (jobs P)) in *. assert (s <= 1) by lra. nra.
  - apply Eight; auto.
  - apply Eight; auto.
  - intros j k J K. rewrite DD. destruct (each_rate P x y rc rb j k N S J K) as [Ra Rb]. destruct (RR j k).
    pose proof (data_pos P x j k N X). destruct N as [_ N]. destruct (N k). unfold split16, split17.
    assert (0 <= b P k * data P x j k) by nra. assert (0 <= a P k * data P x j k) by nra. split; nra. Qed.
(* Binary solutions with (16) and (17) are solutions of LP_I: it only drops that they are binary. *)
Definition binary (x : nat -> nat -> R) (y : nat -> R) := (forall i j, x i j = 0 \/ x i j = 1) /\ forall k, y k = 0 \/ y k = 1.
Definition JRP_split P eps x y rc rb := binary x y /\ LP_I P eps x y rc rb.
Theorem lp_i_upper_bound : forall P eps best, (forall x y rc rb, LP_I P eps x y rc rb -> accepted P y <= best) ->
  forall x y rc rb, JRP_split P eps x y rc rb -> accepted P y <= best.
Proof. intros P eps best B x y rc rb [_ L]. eapply B; eauto. Qed.

(* Prices of storage, compute and bandwidth bound JRP, with (10) as it is. *)
Theorem conic_upper_bound : forall P x y rc rb (sigma p q : nat -> R) (w : nat -> nat -> R) (worth : nat -> R),
  natural P -> JRP P x y rc rb -> (forall j, 0 <= sigma j /\ 0 <= p j /\ 0 <= q j) ->
  (forall j k, 0 <= w j k /\ w j k * w j k <= 4 * (p j * q j) * (a P k * b P k)) ->
  (forall k i j, In i (nodes P k) -> In j (servers P) -> assignable P i j = true ->
     worth i <= (sigma j + p j * a P k + q j * b P k + w j k) * size P i) ->
  accepted P y <= sum (fun j => sigma j * storage P j + p j * compute P j + q j * bandwidth P j) (servers P)
    + sum (fun k => Rmax 0 (1 - sum worth (nodes P k))) (jobs P).
Proof.
  intros P x y rc rb sg p q w worth N S PR W CH. pose proof S as [(X & Y & RR & Six & Sev & Eight) T].
  assert (pair : forall j k, In j (servers P) -> In k (jobs P) ->
    (p j * a P k + q j * b P k + w j k) * data P x j k <= p j * rc j k + q j * rb j k).
  { intros j k J K. destruct (T j k J K) as (U & V & L). pose proof (data_pos P x j k N X) as D0. destruct N as [_ N].
    destruct (N k) as [A0 B0]. destruct (RR j k) as [C1 C2]. destruct (PR j) as (_ & P0 & Q0). destruct (W j k) as [W0 W1].
    set (D := data P x j k) in *. set (A := a P k * D) in *. set (B := b P k * D) in *.
    assert (HA : 0 <= A) by (unfold A; nra). assert (HB : 0 <= B) by (unfold B; nra).
    destruct (part_pos A _ HA U) as [pa ea]. destruct (part_pos B _ HB V) as [pb eb].
    set (u := rc j k - A). set (v := rb j k - B).
    set (s := A / rc j k) in *. set (t := B / rb j k) in *.
    assert (u0 : 0 <= u) by (unfold u; nra). assert (v0 : 0 <= v) by (unfold v; nra).
    assert (uv : A * B <= u * v).
    { unfold u, v. assert (hu : rc j k - A = (1 - s) * rc j k) by lra. assert (hv : rb j k - B = (1 - t) * rb j k) by lra.
      rewrite hu, hv, ea, eb. assert (0 <= rc j k * rb j k) by nra. assert (s * t <= (1 - s) * (1 - t)) by nra. nra. }
    assert (key : (w j k * D) * (w j k * D) <= (p j * u + q j * v) * (p j * u + q j * v)).
    { apply Rle_trans with (4 * (p j * q j) * (u * v)).
      - assert (0 <= D * D) by nra. assert (PQ : 0 <= p j * q j) by nra.
        apply Rle_trans with (4 * (p j * q j) * (a P k * b P k) * (D * D)).
        + replace (w j k * D * (w j k * D)) with (w j k * w j k * (D * D)) by ring. apply Rmult_le_compat_r; auto.
        + replace (4 * (p j * q j) * (a P k * b P k) * (D * D)) with (4 * (p j * q j) * (A * B)) by (unfold A, B; ring). apply Rmult_le_compat_l; lra.
      - pose proof (Rle_0_sqr (p j * u - q j * v)). unfold Rsqr in *. lra. }
    assert (0 <= p j * u + q j * v) by nra. assert (0 <= w j k * D) by nra.
    assert (F : w j k * D <= p j * u + q j * v) by (apply Rsqr_incr_0; auto).
    clear key uv ea eb pa pb U V L W1. unfold u, v, A, B in F. lra. }
  assert (per_server : forall j, In j (servers P) ->
    sum (fun k => (sg j + p j * a P k + q j * b P k + w j k) * data P x j k) (jobs P) <= sg j * storage P j + p j * compute P j + q j * bandwidth P j).
  { intros j J. specialize (Sev j J). destruct (Eight j J) as [E1 E2]. destruct (PR j) as (S0 & P0 & Q0).
    apply Rle_trans with (sum (fun k => sg j * data P x j k + (p j * rc j k + q j * rb j k)) (jobs P)).
    - apply sum_le; intros k K. specialize (pair j k J K). lra.
    - rewrite sum_plus, (sum_plus (fun k => p j * rc j k)), (sum_scal (sg j) (fun k => data P x j k)), (sum_scal (p j) (fun k => rc j k)), (sum_scal (q j) (fun k => rb j k)).
      pose proof (Rmult_le_compat_l _ _ _ S0 Sev). pose proof (Rmult_le_compat_l _ _ _ P0 E1). pose proof (Rmult_le_compat_l _ _ _ Q0 E2). lra. }
  assert (per_job : forall k, In k (jobs P) ->
    y k <= sum (fun j => (sg j + p j * a P k + q j * b P k + w j k) * data P x j k) (servers P) + Rmax 0 (1 - sum worth (nodes P k))).
  { intros k K. 
    assert (got : y k * sum worth (nodes P k) <= sum (fun j => (sg j + p j * a P k + q j * b P k + w j k) * data P x j k) (servers P)).
    { rewrite (sum_ext (fun j => _ * data P x j k) (fun j => sum (fun i => (sg j + p j * a P k + q j * b P k + w j k) * (size P i * x i j)) (nodes P k)))
        by (intros; unfold data; rewrite sum_scal; reflexivity).
      rewrite <- sum_swap, <- sum_scal. apply sum_le; intros i I. destruct (Six k i K I) as [Q Z]. rewrite <- Q, <- sum_scal_r.
      apply sum_le; intros j J. destruct (assignable P i j) eqn:E; [|rewrite (Z j E); lra].
      specialize (CH k i j I J E). specialize (X i j). nra. }
    destruct (Y k) as [y0 y1]. pose proof (Rmax_l 0 (1 - sum worth (nodes P k))). pose proof (Rmax_r 0 (1 - sum worth (nodes P k))).
    set (m := Rmax _ _) in *. nra. }
  unfold accepted. apply Rle_trans with (sum (fun k => sum (fun j => (sg j + p j * a P k + q j * b P k + w j k) * data P x j k) (servers P)
      + Rmax 0 (1 - sum worth (nodes P k))) (jobs P)); [apply sum_le; auto|].
  rewrite sum_plus. apply Rplus_le_compat_r. rewrite sum_swap. apply sum_le; auto. Qed.

(* --- what a server keeps ------------------------------------------------------------------------------------------- *)

(* the longest prefix, in order of priority, that passes a test of what is held *)
Fixpoint prefix (passes : list nat -> bool) (held : list nat) (l : list nat) : list nat :=
  match l with [] => held | i :: l => if passes (held ++ [i]) then prefix passes (held ++ [i]) l else held end.
Lemma prefix_passes t held l : t held = true -> t (prefix t held l) = true.
Proof. revert held. induction l as [|i l IH]; simpl; intros held H; auto. destruct (t (held ++ [i])) eqn:E; auto. Qed.
Definition fits_storage (d : nat -> R) (r : R) (l : list nat) : bool := if Rle_dec (sum d l) r then true else false.
Lemma overflow d r held l : sum d held <= r -> r < sum d (held ++ l) ->
  exists i, In i l /\ r < sum d (prefix (fits_storage d r) held l) + d i.
Proof.
  revert held. induction l as [|i l IH]; simpl; intros held H Q; [rewrite app_nil_r in Q; lra|].
  unfold fits_storage at 1. destruct (Rle_dec (sum d (held ++ [i])) r) as [L|L].
  - destruct (IH (held ++ [i]) L) as [i' [I W]]; [rewrite <- app_assoc; simpl; auto|]. exists i'. auto.
  - exists i. split; auto. rewrite sum_app in L. simpl in L. lra. Qed.
(* (24)'s premise, repaired: more than (1 - 1/eta) r is kept where more than r is drawn, eta = r / (largest d) *)
Theorem kept24 : forall d r dmax eta l, 0 < dmax -> 0 <= r -> 0 < eta <= r / dmax -> (forall i, In i l -> d i <= dmax) -> r < sum d l ->
  (1 - 1 / eta) * r < sum d (prefix (fits_storage d r) [] l).
Proof.
  intros d r m eta l M R0 [E0 E] B Q. destruct (overflow d r [] l) as [i [I W]]; auto. specialize (B i I).
  assert (1 / eta * r >= m). { apply Rle_ge. apply Rmult_le_reg_r with (eta / m); [apply Rdiv_lt_0_compat; lra|].
    replace (m * (eta / m)) with eta by (field; lra). replace (1 / eta * r * (eta / m)) with (r / m) by (field; lra). auto. } lra. Qed.
Lemma all_kept d r held l : (forall i, 0 <= d i) -> sum d (held ++ l) <= r -> prefix (fits_storage d r) held l = held ++ l.
Proof.
  intro P. revert held. induction l as [|i l IH]; simpl; intros held H; [now rewrite app_nil_r|].
  replace (held ++ i :: l) with ((held ++ [i]) ++ l) in * by (rewrite <- app_assoc; reflexivity).
  unfold fits_storage at 1. destruct (Rle_dec (sum d (held ++ [i])) r) as [L|L]; [apply IH; auto|]. exfalso. apply L.
  rewrite sum_app in H. assert (0 <= sum d l) by (apply sum_nonneg; auto). lra. Qed.
(* (24) on average over draws with the probabilities pr *)
Theorem kept24_average : forall d r dmax eta (draws : list (R * list nat)), 0 < dmax -> 0 <= r -> 0 < eta <= r / dmax ->
  (forall i, 0 <= d i) -> (forall pr l, In (pr, l) draws -> 0 <= pr /\ forall i, In i l -> d i <= dmax) ->
  sum (fun o => fst o * (if Rle_dec (sum d (snd o)) r then sum d (snd o) else (1 - 1 / eta) * r)) draws
  <= sum (fun o => fst o * sum d (prefix (fits_storage d r) [] (snd o))) draws.
Proof.
  intros d r m eta draws M R0 E F B. apply sum_le. intros [pr l] I. simpl. destruct (B pr l I) as [P D].
  destruct (Rle_dec (sum d l) r) as [L|L]; [rewrite (all_kept d r [] l F L); simpl; lra|].
  pose proof (kept24 d r m eta l M R0 E D ltac:(lra)). nra. Qed.
Theorem kept_dmax : forall d r mu dmax l, mu <= r -> (forall i, In i l -> d i <= dmax) -> r < sum d l -> 0 <= r ->
  mu - dmax <= sum d (prefix (fits_storage d r) [] l).
Proof. intros d r mu m l M B Q R0. destruct (overflow d r [] l) as [i [I W]]; auto. specialize (B i I). lra. Qed.

(* (26), repaired *)
Theorem variance26 : forall (d x : nat -> R) dmax l, (forall i, In i l -> 0 <= d i <= dmax) -> (forall i, In i l -> 0 <= x i <= 1) ->
  let mu := sum (fun i => d i * x i) l in
  sum (fun i => d i ^ 2 * (x i * (1 - x i))) l <= dmax * mu /\ (0 < dmax -> 0 < mu -> dmax * mu = mu ^ 2 / (mu / dmax)).
Proof.
  intros d x m l D X mu. split; [|intros; field; lra]. unfold mu. rewrite <- sum_scal. apply sum_le; intros i I.
  specialize (D i I). specialize (X i I). assert (d i * x i * (d i * (1 - x i)) <= d i * x i * m) by (apply Rmult_le_compat_l; nra). nra. Qed.

(* A server that copes with the data D copes with less: (18)-(20) with x = 1, and (7)-(10), (16), (17). *)
Theorem less_data : forall a b D D' eps r rc rb, 0 <= a -> 0 <= b -> 0 <= D' <= D ->
  D <= r -> b * D <= eps * rb -> a * D <= (1 - eps) * rc -> D' <= r /\ b * D' <= eps * rb /\ a * D' <= (1 - eps) * rc.
Proof. intros. repeat split; nra. Qed.
Theorem less_data_10 : forall a b D D' rc rb, 0 <= a -> 0 <= b -> 0 <= rc -> 0 <= rb -> 0 <= D' <= D ->
  in_time10 (a * D) rc (b * D) rb -> in_time10 (a * D') rc (b * D') rb.
Proof.
  intros a b D D' rc rb A B RC RB L (U & V & T). assert (W : forall n r, 0 <= n -> 0 <= r -> (n * D = 0 \/ 0 < r) -> (n * D' = 0 \/ 0 < r) /\ n * D' / r <= n * D / r).
  { intros n r N R0 [Z|P]; [|split; auto; unfold Rdiv; apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; auto | nra]].
    assert (n * D' = 0) by nra. rewrite Z, H. split; auto. lra. }
  destruct (W a rc A RC U). destruct (W b rb B RB V). repeat split; auto. lra. Qed.
Lemma sublist_less (d : nat -> R) (keep : nat -> bool) l : (forall i, 0 <= d i) -> 0 <= sum d (filter keep l) <= sum d l.
Proof. intro D. induction l as [|i l IH]; simpl; [lra|]. specialize (D i). destruct (keep i); simpl; lra. Qed.
Lemma prefix_keeps (t : list nat -> bool) mine rest : (forall l l', mine = l ++ l' -> t l = true) -> exists more, prefix t [] (mine ++ rest) = mine ++ more.
Proof.
  intro T. enough (G : forall l held, held ++ l = mine -> exists more, prefix t held (l ++ rest) = mine ++ more) by (apply (G mine []); reflexivity).
  induction l as [|i l IH]; simpl; intros held E.
  - rewrite app_nil_r in E. subst held. clear T. revert mine. induction rest as [|i l IH]; simpl; intro mine; [exists []; now rewrite app_nil_r|].
    destruct (t (mine ++ [i])); [|exists []; now rewrite app_nil_r]. destruct (IH (mine ++ [i])) as [m M]. exists (i :: m). rewrite M, <- app_assoc. reflexivity.
  - assert (E' : (held ++ [i]) ++ l = mine) by (rewrite <- app_assoc; auto). rewrite (T (held ++ [i]) l) by auto. auto. Qed.
(* The job that comes first on a server with which the server copes: all that is drawn of it passes, and is kept. *)
Theorem first_job_kept : forall (d : nat -> R) (keep : nat -> bool) cands rest a b eps r rc rb, (forall i, 0 <= d i) -> 0 <= a -> 0 <= b ->
  sum d cands <= r -> b * sum d cands <= eps * rb -> a * sum d cands <= (1 - eps) * rc ->
  forall t, (forall l, sum d l <= r -> b * sum d l <= eps * rb -> a * sum d l <= (1 - eps) * rc -> t l = true) ->
  exists more, prefix t [] (filter keep cands ++ rest) = filter keep cands ++ more.
Proof.
  intros d keep cands rest a b eps r rc rb D A B H1 H2 H3 t T. pose proof (sublist_less d keep cands D) as L.
  apply prefix_keeps. intros l l' E. rewrite E, sum_app in L. assert (0 <= sum d l) by (apply sum_nonneg; auto). assert (0 <= sum d l') by (apply sum_nonneg; auto).
  apply T; nra. Qed.

(* --- counting ------------------------------------------------------------------------------------------------------ *)

(* (6): binary x that add up to y have exactly one 1, or none *)
Fixpoint total_nat (x : nat -> nat) (l : list nat) := match l with [] => 0 | j :: l => x j + total_nat x l end%nat.
Theorem assignment6 : forall (x : nat -> nat) servers y, NoDup servers -> (forall j, x j = 0 \/ x j = 1)%nat -> total_nat x servers = y ->
  (y = 1%nat -> exists j, In j servers /\ x j = 1%nat /\ forall j', In j' servers -> x j' = 1%nat -> j' = j) /\
  (y = 0%nat -> forall j, In j servers -> x j = 0%nat).
Proof.
  intros x l y N B E. split; intros ->.
  - induction N as [|j l F N IH]; simpl in E; [lia|]. destruct (B j) as [Z|O].
    + rewrite Z in E. destruct (IH E) as [j0 (I & O & U)]. exists j0. simpl. repeat split; auto. intros j' [<-|I'] O'; [congruence | auto].
    + assert (Z : total_nat x l = 0%nat) by lia. exists j. simpl. repeat split; auto. intros j' [<-|I'] O'; auto. exfalso.
      clear -Z I' O'. induction l as [|k l IH]; simpl in *; [tauto|]. destruct I' as [<-|I']; [lia | apply IH; auto; lia].
  - intros j I. induction l as [|k l IH]; simpl in *; [tauto|]. inversion_clear N. destruct I as [<-|I]; [lia | apply IH; auto; lia]. Qed.
(* D = q f + s data: q mini-batches take g each, the last one its part *)
Theorem operations : forall q f g s, 0 < f -> q * g + s / f * g = (q * f + s) / f * g.
Proof. intros. field. lra. Qed.
Theorem both_ways : forall h, h / 2 + h / 2 = h.
Proof. intro. lra. Qed.
(* 3-PARTITION: sizes between B/4 and B/2 that fill m servers of B stand there in threes *)
Theorem full_servers_hold_three : forall (B : R) (parts : list (list R)), 0 < B -> (forall l s, In l parts -> In s l -> B / 4 < s < B / 2) ->
  (forall l, In l parts -> sum (fun s => s) l <= B) -> sum (fun l => sum (fun s => s) l) parts = INR (length parts) * B ->
  forall l, In l parts -> sum (fun s => s) l = B /\ length l = 3%nat.
Proof.
  intros B parts P Sz C T.
  assert (full : forall l, In l parts -> sum (fun s => s) l = B).
  { clear Sz. induction parts as [|l ps IH]; intros l' I; [destruct I|]. cbn [sum length] in T. rewrite S_INR in T.
    assert (sum (fun l => sum (fun s => s) l) ps <= INR (length ps) * B).
    { rewrite <- (sum_const B ps). apply sum_le; intros; apply C; simpl; auto. }
    assert (sum (fun s => s) l <= B) by (apply C; simpl; auto).
    destruct I as [<-|I]; [lra|]. apply IH; auto; [intros; apply C; simpl; auto | lra]. }
  intros l I. split; [auto|]. specialize (full l I).
  assert (low : INR (length l) * (B / 4) <= sum (fun s => s) l /\ (l <> [] -> INR (length l) * (B / 4) < sum (fun s => s) l < INR (length l) * (B / 2))).
  { assert (Q : forall s, In s l -> B / 4 < s < B / 2) by (intros; eapply Sz; eauto). clear -Q P.
    induction l as [|s l IH]; [simpl; split; [lra | congruence]|]. cbn [length]. rewrite S_INR. cbn [sum].
    destruct IH as [L M]; [intros; apply Q; simpl; auto|]. pose proof (Q s (or_introl eq_refl)).
    destruct l as [|s' l']; [simpl in *; split; [lra | intros; lra]|]. specialize (M ltac:(discriminate)). split; [lra | intros; lra]. }
  destruct l as [|s l']; [simpl in full; lra|]. destruct low as [_ low]. specialize (low ltac:(discriminate)). rewrite full in low.
  remember (length (s :: l')) as n eqn:En. clear En. assert (E2 : INR 2 = 2) by (simpl; lra). assert (E4 : INR 4 = 4) by (simpl; lra).
  assert (INR 2 < INR n) by (rewrite E2; apply Rmult_lt_reg_r with (B / 2); lra). assert (INR n < INR 4) by (rewrite E4; apply Rmult_lt_reg_r with (B / 4); lra).
  apply INR_lt in H. apply INR_lt in H0. lia. Qed.
