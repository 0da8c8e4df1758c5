(* multiserver: Theorem 1 for OGASched as oga.v defines it. The hypotheses are the instance's data and its concave gains. *)
From Schedproof Require Import sums ascent multiserver rows regret oga.
From Coq Require Import FunctionalExtensionality Ranalysis.

Definition reals : numbers := {| number := R; zero := 0; add := Rplus; sub := Rminus; mul := Rmult;
  share := fun x n => x / INR (S n); below := fun x y => if Rle_dec x y then true else false |}.

(* --- the projection of a row ------------------------------------------------------------------------------------------ *)

Lemma sum_of_sum {A} (f : A -> R) l : sum_of reals f l = sum f l.
Proof. induction l as [|a l IH]; simpl; [reflexivity | f_equal; exact IH]. Qed.
Lemma clipped_clip (a v : R) : clipped reals a v = clip a v.
Proof. unfold clipped, larger, smaller, clip, Rmax, Rmin. simpl. destruct (Rle_dec a v); destruct (Rle_dec 0 _); reflexivity. Qed.
Lemma filled_sum ports (a z : nat -> R) t : filled reals ports a z t = sum (fun l => clip (a l) (z l - t)) ports.
Proof. unfold filled. rewrite sum_of_sum. apply sum_ext. intros l _. apply clipped_clip. Qed.
Lemma clip_antitone a v w : v <= w -> clip a v <= clip a w.
Proof. intro H. unfold clip, Rmax, Rmin. repeat destruct (Rle_dec _ _); lra. Qed.
Lemma filled_antitone ports (a z : nat -> R) s t : s <= t -> filled reals ports a z t <= filled reals ports a z s.
Proof. intro H. rewrite !filled_sum. apply sum_le. intros l _. apply clip_antitone. lra. Qed.
Lemma below_true (x y : R) : below (n := reals) x y = true <-> x <= y.
Proof. simpl. destruct (Rle_dec x y); split; intro; try discriminate; try contradiction; auto. Qed.
Lemma last_break_is ports (a z : nat -> R) c : c <= filled reals ports a z 0 -> let b := last_break reals ports a z c in
  0 <= b /\ c <= filled reals ports a z b /\ forall p, In p (breakpoints reals ports a z) -> c <= filled reals ports a z p -> p <= b.
Proof.
  intros H. unfold last_break. change (@zero reals) with 0. generalize 0 H. generalize (breakpoints reals ports a z) as ps.
  induction ps as [|p ps IH]; intros b Hb; cbn [fold_left]; [repeat split; auto; try lra; intros ? []|].
  assert (E : below (n := reals) b p && below (n := reals) c (filled reals ports a z p) = true <-> b <= p /\ c <= filled reals ports a z p)
    by (rewrite andb_true_iff, !below_true; reflexivity).
  destruct (_ && _); destruct E as [E1 E2].
  - destruct (E1 eq_refl) as [L F]. destruct (IH p F) as (I1 & I2 & I3). split; [lra|]. split; auto. intros q [<-|J]; auto.
  - destruct (IH b Hb) as (I1 & I2 & I3). split; auto. split; auto. intros q [<-|J] Q; auto.
    destruct (Rle_dec b p) as [L|L]; [assert (false = true) by auto; discriminate | lra]. Qed.

(* the threshold is a multiplier of (32): 0, or it fills the row *)
Theorem threshold_fills : forall ports (a z : nat -> R) c, (forall l, 0 <= a l) -> 0 <= c -> let tau := threshold reals ports a z c in
  0 <= tau /\ sum (fun l => clip (a l) (z l - tau)) ports <= c /\ (tau = 0 \/ sum (fun l => clip (a l) (z l - tau)) ports = c).
Proof.
  intros ports a z c A C tau. rewrite <- !filled_sum. set (f := filled reals ports a z).
  destruct (below (n := reals) (f 0) c) eqn:E.
  - assert (V : tau = 0) by (unfold tau, threshold; change (@zero reals) with 0; fold f; rewrite E; reflexivity). rewrite V.
    apply below_true in E. split; [lra|]. auto.
  - assert (P : c < f 0) by (destruct (Rlt_dec c (f 0)); auto; assert (below (n := reals) (f 0) c = true) by (apply below_true; lra); congruence).
    destruct (last_break_is ports a z c (Rlt_le _ _ P)) as (B0 & B1 & B2). set (b := last_break reals ports a z c) in *. fold f in B1, B2.
    assert (V : tau = b + (f b - c) / INR (S (pred (free reals ports a z b)))) by (unfold tau, threshold; change (@zero reals) with 0; fold f; rewrite E; reflexivity).
    clearbody tau. subst tau. destruct (Req_dec (f b) c) as [F|F].
    { rewrite F. unfold Rdiv. rewrite Rminus_diag_eq, Rmult_0_l, Rplus_0_r, F by reflexivity. repeat split; auto; lra. }
    destruct (tau_exists ports a z c A C) as (t & T0 & T1 & T2). rewrite <- filled_sum in T1, T2. fold f in T1, T2.
    destruct T2 as [->|T2]; [lra|].
    assert (L : b < t). { destruct (Rlt_dec b t); auto. exfalso. pose proof (filled_antitone ports a z t b ltac:(lra)). fold f in H. lra. }
    assert (N : forall l, In l ports -> (z l - a l <= b \/ t < z l - a l) /\ (z l <= b \/ t < z l)).
    { assert (G : forall p, In p (breakpoints reals ports a z) -> p <= b \/ t < p).
      { intros p I. destruct (Rlt_dec t p); auto. left. apply B2; auto. rewrite <- T2. apply filled_antitone. lra. }
      intros l I. split; apply G, in_flat_map; exists l; simpl; auto. }
    assert (D : forall k, incl k ports -> f = f -> sum (fun l => clip (a l) (z l - b)) k - sum (fun l => clip (a l) (z l - t)) k = INR (free reals k a z b) * (t - b)).
    { intros k. induction k as [|l k IH]; intros I _; [unfold free; simpl; lra|].
      specialize (IH (fun j J => I j (or_intror J)) eq_refl). destruct (N l (I l (or_introl eq_refl))) as [N1 N2]. specialize (A l).
      assert (H : clip (a l) (z l - b) - clip (a l) (z l - t) = if below (n := reals) (z l - a l) b && negb (below (n := reals) (z l) b) then t - b else 0).
      { simpl. destruct (Rle_dec (z l - a l) b), (Rle_dec (z l) b); simpl; unfold clip, Rmax, Rmin; repeat destruct (Rle_dec _ _); lra. }
      unfold free in *. cbn [sum filter]. change (@sub reals (z l) (a l)) with (z l - a l). destruct (_ && _); cbn [length]; rewrite ?S_INR; lra. }
    specialize (D ports (incl_refl _) eq_refl). rewrite <- !filled_sum in D. fold f in D. rewrite T2 in D.
    assert (S0 : free reals ports a z b <> 0%nat) by (intro Z; rewrite Z in D; simpl in D; lra).
    destruct (free reals ports a z b) as [|n]; [congruence|]. cbn [pred].
    replace (b + (f b - c) / INR (S n)) with t by (rewrite D; field; apply not_0_INR; lia).
    rewrite T2. repeat split; auto; lra. Qed.

Theorem project_nearest : forall ports (a z : nat -> R) c, (forall l, 0 <= a l) -> 0 <= c ->
  let p := look (A := R) 0 (project reals ports a z c) in row ports a c p /\
  forall y, row ports a c y -> square_distance ports z p + square_distance ports p y <= square_distance ports z y.
Proof.
  intros ports a z c A C p. destruct (threshold_fills ports a z c A C) as (T & S & F). set (tau := threshold _ _ _ _ _) in *.
  destruct (clip_is_projection ports a c z tau A T S F) as [[B1 B2] P].
  assert (E : forall l, In l ports -> p l = clip (a l) (z l - tau)).
  { intros l I. unfold p, project. rewrite look_tabulate. destruct (in_dec Nat.eq_dec l ports); [apply clipped_clip | contradiction]. }
  split; [split; [intros l I; rewrite E by auto; apply clip_between, A | rewrite (sum_ext _ _ _ E); exact S]|].
  intros y Hy. specialize (P y Hy). unfold square_distance in *.
  rewrite (sum_ext _ _ _ (fun l I => f_equal (fun v => (z l - v) ^ 2) (E l I))), (sum_ext _ _ _ (fun l I => f_equal (fun v => (v - y l) ^ 2) (E l I))). exact P. Qed.

(* --- the step is the projection onto Y ---------------------------------------------------------------------------------- *)

Definition graph_of (i : instance reals) : graph := {| ports := ports_of reals i; nodes := nodes_of reals i; resources := resources_of reals i;
  linked := joined reals i; demand := demand_of reals i; capacity := capacity_of reals i |}.
Definition nonnegative (i : instance reals) := (forall l k, 0 <= demand_of reals i l k) /\
  (forall r k, 0 <= capacity_of reals i r k) /\ forall k, 0 <= beta reals i k.

Lemma sum_on_filter (p : nat -> bool) (f : nat -> R) ls : sum (fun l => on (p l) (f l)) ls = sum f (filter p ls).
Proof. induction ls as [|l ls IH]; simpl; [reflexivity|]. rewrite IH. destruct (p l); simpl; lra. Qed.

Section Step.
Variable i : instance reals.
Variable g : reading.
Variable eta : R.
Variable x : nat -> bool.
Variable y : amounts reals.
Hypothesis data : nonnegative i.
Let s := graph_of i.
Let moved l r k := amount reals y l r k + eta * gradient reals i g x y l r k.
Let after := amount reals (next reals i g eta x y).

Lemma row_after r k : In r (nodes s) -> In k (resources s) -> exists tau, 0 <= tau /\
  (forall l, In l (at_node reals i r) -> after l r k = clip (demand s l k) (moved l r k - tau)) /\
  let p l := clip (demand s l k) (moved l r k - tau) in sum p (at_node reals i r) <= capacity s r k /\ (tau = 0 \/ sum p (at_node reals i r) = capacity s r k).
Proof.
  intros Hr Hk. destruct data as (A & C & _). set (z := look (A := R) 0 (tabulate (at_node reals i r) (fun l => moved l r k))).
  assert (Z : forall l, In l (at_node reals i r) -> z l = moved l r k).
  { intros l I. unfold z. rewrite look_tabulate. destruct (in_dec Nat.eq_dec l (at_node reals i r)); tauto. }
  destruct (threshold_fills (at_node reals i r) (fun l => demand s l k) z (capacity s r k) (fun l => A l k) (C r k)) as (T0 & T1 & T2).
  set (tau := threshold _ _ _ _ _) in *. exists tau. split; auto.
  rewrite (sum_ext _ (fun l => clip (demand s l k) (moved l r k - tau))) in T1, T2 by (intros l I; rewrite Z by auto; reflexivity).
  split; [|split; auto]. intros l I. unfold after, amount, next. rewrite look_tabulate.
  destruct (in_dec Nat.eq_dec r (nodes_of reals i)) as [_|N]; [|tauto]. rewrite look_tabulate.
  destruct (in_dec Nat.eq_dec k (resources_of reals i)) as [_|N]; [|tauto]. unfold project. rewrite look_tabulate.
  destruct (in_dec Nat.eq_dec l (at_node reals i r)) as [_|N]; [|tauto]. rewrite clipped_clip. rewrite <- (Z l I). reflexivity. Qed.
Lemma after_between l r k : 0 <= after l r k <= demand s l k.
Proof.
  destruct data as (A & _ & _). unfold after, amount, next. rewrite look_tabulate.
  destruct (in_dec Nat.eq_dec r (nodes_of reals i)); [|split; [apply Rle_refl | apply A]]. rewrite look_tabulate.
  destruct (in_dec Nat.eq_dec k (resources_of reals i)); [|split; [apply Rle_refl | apply A]]. unfold project. rewrite look_tabulate.
  destruct (in_dec Nat.eq_dec l (at_node reals i r)); [|split; [apply Rle_refl | apply A]]. rewrite clipped_clip. apply clip_between, A. Qed.
Theorem next_in_Y : Y s after.
Proof.
  split; [apply after_between|]. intros r k Hr Hk. destruct (row_after r k Hr Hk) as (tau & _ & E & F & _).
  unfold node_total. rewrite sum_on_filter. change (filter _ _) with (at_node reals i r). rewrite (sum_ext _ _ _ E). exact F. Qed.
(* no point of Y is nearer, and only this one is as near *)
Theorem next_is_projection : forall w, Y s w ->
  total s (fun l r k => (moved l r k - after l r k) ^ 2) + total s (fun l r k => (after l r k - w l r k) ^ 2)
  <= total s (fun l r k => (moved l r k - w l r k) ^ 2).
Proof.
  intros w [B F]. rewrite !by_rows, <- sum_plus. apply sum_le; intros r Hr. rewrite <- sum_plus. apply sum_le; intros k Hk.
  destruct (row_after r k Hr Hk) as (tau & T & E & S1 & S2). unfold node_total. rewrite !sum_on_filter. change (filter _ _) with (at_node reals i r).
  destruct (clip_is_projection (at_node reals i r) (fun l => demand s l k) (capacity s r k) (fun l => moved l r k) tau (fun l => proj1 data l k) T S1 S2) as [_ P].
  specialize (P (fun l => w l r k)). unfold square_distance in P.
  rewrite (sum_ext (fun l => (moved l r k - after l r k) ^ 2) (fun l => (moved l r k - clip (demand s l k) (moved l r k - tau)) ^ 2)) by (intros l I; rewrite E by auto; reflexivity).
  rewrite (sum_ext (fun l => (after l r k - w l r k) ^ 2) (fun l => (clip (demand s l k) (moved l r k - tau) - w l r k) ^ 2)) by (intros l I; rewrite E by auto; reflexivity).
  apply P. split; [intros l _; apply B|]. specialize (F r k Hr Hk). unfold node_total in F. rewrite sum_on_filter in F. exact F. Qed.
End Step.

Lemma oga_in_Y i g eta x start t : nonnegative i -> Y (graph_of i) (amount reals start) -> Y (graph_of i) (amount reals (oga reals i g eta x start t)).
Proof. intros D S. destruct t; [exact S | apply next_in_Y; auto]. Qed.
Theorem oga_is_ascent : forall i g eta x start, nonnegative i -> Y (graph_of i) (amount reals start) ->
  run (graph_of i) (fun t => amount reals (oga reals i g eta x start t))
    (fun t => gradient reals i g (x t) (oga reals i g eta x start t)) eta.
Proof.
  intros i g eta x start D S t. split; [apply oga_in_Y; auto|]. intros w W.
  pose proof (next_is_projection i g (eta t) (x t) (oga reals i g eta x start t) D w W) as P. cbv zeta in P.
  set (s := graph_of i) in *. set (yt := oga reals i g eta x start t) in *. set (p := amount reals (next reals i g (eta t) (x t) yt)) in *.
  set (z := fun l r k => amount reals yt l r k + eta t * gradient reals i g (x t) yt l r k) in *.
  assert (E : total s (fun l r k => (z l r k - w l r k) ^ 2) = total s (fun l r k => (z l r k - p l r k) ^ 2) + total s (fun l r k => (p l r k - w l r k) ^ 2)
    + -2 * total s (fun l r k => (z l r k - p l r k) * (w l r k - p l r k))).
  { rewrite <- total_scal, <- !total_plus. apply total_ext. intros; ring. }
  enough (H : dot (s := allocations s) (fun l r k => z l r k - p l r k) (fun l r k => w l r k - p l r k) <= 0).
  { eapply Rle_trans; [right | exact H]. apply total_ext. intros l r k. unfold z, p, yt. simpl. ring. }
  simpl. fold p in P. fold z in P. lra. Qed.

(* --- concave gains -------------------------------------------------------------------------------------------------------- *)

(* f is concave and does not fall, on [0, oo), where f' is its derivative *)
Definition concave_gain (f f' : R -> R) := concave f /\ (forall u v, 0 <= u <= v -> f u <= f v) /\
  forall u, 0 <= u -> D_in f f' (fun v => 0 <= v) u.
Lemma below_tangents f f' : concave_gain f f' -> tangent f f'.
Proof.
  intros (C & _ & D) u v U V. destruct (Req_dec v u) as [->|N]; [lra|]. apply Rnot_lt_le. intro H.
  set (e := (f v - (f u + f' u * (v - u))) / Rabs (v - u)). assert (A : 0 < Rabs (v - u)) by (apply Rabs_pos_lt; lra).
  assert (E : 0 < e) by (apply Rdiv_lt_0_compat; lra). destruct (D u U e E) as (d & D0 & Q). clear D.
  set (w := Rmin 1 (d / (2 * Rabs (v - u)))). assert (W : 0 < w <= 1).
  { split; [apply Rmin_glb_lt; [lra | apply Rdiv_lt_0_compat; lra] | apply Rmin_l]. }
  assert (Wd : w * Rabs (v - u) < d).
  { apply Rle_lt_trans with (d / (2 * Rabs (v - u)) * Rabs (v - u)); [apply Rmult_le_compat_r; [lra | apply Rmin_r]|].
    replace (d / (2 * Rabs (v - u)) * Rabs (v - u)) with (d / 2) by (field; lra). lra. }
  set (m := w * v + (1 - w) * u). assert (M : m - u = w * (v - u)) by (unfold m; ring). assert (M0 : 0 <= m) by (unfold m; nra).
  specialize (Q m). simpl in Q. unfold R_dist, D_x in Q. rewrite M, Rabs_mult, (Rabs_pos_eq w) in Q by lra.
  assert (Ne : u <> m) by (intro Z; rewrite <- Z in M; assert (w * (v - u) <> 0) by (apply Rmult_integral_contrapositive; split; lra); lra).
  specialize (Q (conj (conj M0 Ne) Wd)). set (q := (f m - f u) / (w * (v - u))) in *.
  assert (F : f m - f u = q * (w * (v - u))) by (unfold q; field; split; lra).
  pose proof (C v u w V U (conj (Rlt_le _ _ (proj1 W)) (proj2 W))) as K. fold m in K.
  assert (K2 : f v - f u <= q * (v - u)) by (apply Rmult_le_reg_l with w; [lra|]; nra).
  assert (K3 : (q - f' u) * (v - u) < e * Rabs (v - u)).
  { eapply Rle_lt_trans; [apply Rle_abs|]. rewrite Rabs_mult. apply Rmult_lt_compat_r; auto. }
  assert (K4 : e * Rabs (v - u) = f v - (f u + f' u * (v - u))) by (unfold e; field; lra). lra. Qed.
Lemma slopes_fall f f' : concave_gain f f' -> rising_to (f' 0) f'.
Proof.
  intros G u U. pose proof (below_tangents f f' G) as T. destruct G as (_ & M & _).
  pose proof (T u (u + 1) U ltac:(lra)). pose proof (M u (u + 1) ltac:(lra)). split; [lra|].
  destruct U as [U| <-]; [|lra]. pose proof (T 0 u ltac:(lra) ltac:(lra)). pose proof (T u 0 ltac:(lra) ltac:(lra)). nra. Qed.

(* (30) with any maximiser of (27) is a supergradient; (48) and its sharper form bound it. The slopes are taken at u, the
   amounts or the ports' totals. *)
Theorem gradient30_per_node : forall s x f slope beta k0 y z my mz, NoDup (resources s) ->
  (forall l, 0 <= x l) -> (forall l r k, concave_gain (f l r k) (slope l r k)) -> Y s y -> Y s z ->
  dominates s beta y k0 -> penalties s beta y my -> penalties s beta z mz ->
  reward s x (gain_per_node s f z) mz - reward s x (gain_per_node s f y) my
  <= inner s (gradient30 x (fun l r k => slope l r k (y l r k)) beta k0) (multiserver.sub z y).
Proof. intros. apply supergradient_per_node; auto. intros. apply below_tangents; auto. Qed.
Theorem gradient30_of_total : forall s x f slope beta k0 y z my mz, NoDup (resources s) ->
  (forall l, 0 <= x l) -> (forall l k, concave_gain (f l k) (slope l k)) -> Y s y -> Y s z ->
  dominates s beta y k0 -> penalties s beta y my -> penalties s beta z mz ->
  reward s x (gain_of_total s f z) mz - reward s x (gain_of_total s f y) my
  <= inner s (gradient30 x (fun l r k => slope l k (port_total s y l k)) beta k0) (multiserver.sub z y).
Proof. intros. apply supergradient_of_total; auto. intros. apply below_tangents; auto. Qed.
Theorem bound48_of_gains : forall s x f (slope : nat -> nat -> R -> R) beta dominant (u : allocation) (top_node : nat -> R) (top_beta : R),
  NoDup (resources s) -> (forall l, x l = 0 \/ x l = 1) -> (forall r k, concave_gain (f r k) (slope r k)) -> (forall l r k, 0 <= u l r k) ->
  (forall l, In l (ports s) -> In (dominant l) (resources s)) -> (forall r k, slope r k 0 <= top_node r) -> (forall k, 0 <= beta k <= top_beta) ->
  total s (fun l r k => gradient30 x (fun l r k => slope r k (u l r k)) beta dominant l r k ^ 2)
  <= sum (fun l => sum (fun r => on (linked s l r) (top_beta ^ 2 + INR (length (resources s)) * top_node r ^ 2)) (nodes s)) (ports s).
Proof. intros. apply (bound48 s x _ beta dominant (fun r k => slope r k 0)); auto. intros. eapply slopes_fall; eauto. Qed.
Theorem bound48_sharp_of_gains : forall s x f (slope : nat -> nat -> R -> R) beta dominant (u : allocation) (worst : nat -> R),
  (forall l, x l = 0 \/ x l = 1) -> (forall r k, concave_gain (f r k) (slope r k)) -> (forall l r k, 0 <= u l r k) ->
  (forall l, In l (ports s) -> In (dominant l) (resources s)) ->
  (forall l k, In k (resources s) -> sum (fun r => on (linked s l r) (channel48 (fun r k => slope r k 0) beta (resources s) r k)) (nodes s) <= worst l) ->
  total s (fun l r k => gradient30 x (fun l r k => slope r k (u l r k)) beta dominant l r k ^ 2) <= sum worst (ports s).
Proof. intros. apply (bound48_sharp s x _ beta dominant (fun r k => slope r k 0)); auto. intros. eapply slopes_fall; eauto. Qed.

(* --- Theorem 1 -------------------------------------------------------------------------------------------------------------- *)

Definition greatest (f : nat -> R) (ks : list nat) : R := fold_right (fun k m => Rmax (f k) m) 0 ks.
Lemma greatest_ge f ks k : In k ks -> f k <= greatest f ks.
Proof. induction ks as [|j ks IH]; simpl; [tauto|]. intros [->|I]; [apply Rmax_l | eapply Rle_trans; [apply IH, I | apply Rmax_r]]. Qed.
Lemma greatest_nonneg f ks : 0 <= greatest f ks.
Proof. destruct ks; simpl; [lra|]. induction ks; simpl; [eapply Rle_trans; [|apply Rmax_r]; lra|]. eapply Rle_trans; [apply IHks|]. apply Rmax_lub; [apply Rmax_l | eapply Rle_trans; [|apply Rmax_r]; apply Rmax_r]. Qed.
Lemma greatest_in f ks : (forall k, 0 <= f k) -> ks <> [] -> exists k, In k ks /\ greatest f ks = f k.
Proof.
  intros P. induction ks as [|k ks IH]; [congruence|]. intros _. simpl. destruct ks as [|j ks].
  - exists k. simpl. split; auto. apply Rmax_left, P.
  - destruct IH as (m & I & ->); [discriminate|]. unfold Rmax. destruct (Rle_dec (f k) (f m)); [exists m | exists k]; simpl in *; auto. Qed.

Lemma first_largest (f : nat -> R) ks : forall b, let m := fold_left (fun best k => if below (n := reals) (f k) (f best) then best else k) ks b in
  (m = b \/ In m ks) /\ f b <= f m /\ forall k, In k ks -> f k <= f m.
Proof.
  induction ks as [|k ks IH]; intro b; cbn [fold_left]; [split; [left; reflexivity | split; [lra | intros ? []]]|].
  assert (E : below (n := reals) (f k) (f b) = true <-> f k <= f b) by apply below_true. destruct (below _ _); destruct E as [E1 E2].
  - destruct (IH b) as (M1 & M2 & M3). specialize (E1 eq_refl). split; [simpl; tauto|]. split; [exact M2|]. intros j [<-|J]; [lra | auto].
  - assert (f b < f k) by (apply Rnot_le_lt; intro L; specialize (E2 L); discriminate). destruct (IH k) as (M1 & M2 & M3).
    split; [simpl; destruct M1; auto|]. split; [lra|]. intros j [<-|J]; [lra | auto]. Qed.

Section Theorem1.
Variable i : instance reals.
Variable g : reading.
Variables (f : nat -> nat -> R -> R) (total_f : nat -> R -> R).   (* the gains f_r^k, and f_k of a port's total *)
Definition gains := match g with per_node => forall r k, concave_gain (f r k) (slope i r k) | of_total => forall k, concave_gain (total_f k) (total_slope i k) end.
Let s := graph_of i.
(* the reward (7)-(8) of a slot: the gains of the ports that come, less their largest overhead *)
Definition comes (x : nat -> bool) l : R := if x l then 1 else 0.
Definition earns (x : nat -> bool) (y : allocation) : R := reward s (comes x)
  (match g with per_node => gain_per_node s (fun _ => f) y | of_total => gain_of_total s (fun _ => total_f) y end)
  (fun l => greatest (overheads s (beta reals i) y l) (resources s)).

(* (51) and (48) of the instance *)
Definition D51 := constant51 s (fun k => greatest (fun l => demand s l k) (ports s)).
Definition steepest r k := match g with per_node => slope i r k 0 | of_total => total_slope i k 0 end.
Definition G48 := constant48 s (greatest (beta reals i) (resources s)) (fun r => greatest (steepest r) (resources s)).

Hypothesis data : nonnegative i.
Hypothesis some : resources s <> [].
Hypothesis concave_gains : gains.

Lemma port_sum_total y l k : port_sum reals i y l k = port_total s (amount reals y) l k.
Proof. unfold port_sum. rewrite sum_of_sum. reflexivity. Qed.
Lemma overheads_pos y l k : Y s y -> 0 <= overheads s (beta reals i) y l k.
Proof. intro H. apply Rmult_le_pos; [apply data | apply port_total_pos; auto]. Qed.
Lemma charge_overheads y l k : charge reals i y l k = overheads s (beta reals i) (amount reals y) l k.
Proof. unfold charge. rewrite port_sum_total. reflexivity. Qed.
Lemma dominant_dominates y : dominates s (beta reals i) (amount reals y) (dominant reals i y).
Proof.
  intros l _. assert (Z : In 0%nat (resources s)).
  { unfold s in *. simpl in *. unfold resources_of in *. destruct (overhead i); [contradiction some; reflexivity | apply in_seq; simpl; lia]. }
  destruct (first_largest (charge reals i y l) (resources s) 0%nat) as (M1 & _ & M2). split; [destruct M1 as [M1|M1]; [|exact M1]; exact (eq_ind_r (fun m => In m _) Z M1)|].
  intros k K. rewrite <- !charge_overheads. apply M2, K. Qed.
Lemma greatest_penalties y : Y s y -> penalties s (beta reals i) y (fun l => greatest (overheads s (beta reals i) y l) (resources s)).
Proof.
  intros H l _. split; [|intros k K; apply greatest_ge, K].
  destruct (greatest_in (overheads s (beta reals i) y l) (resources s) (fun k => overheads_pos y l k H) some) as (k & I & E). eauto. Qed.
Lemma gradient_is_30 x y : gradient reals i g x y = gradient30 (comes x)
  (fun l r k => match g with per_node => slope i r k (amount reals y l r k) | of_total => total_slope i k (port_total s (amount reals y) l k) end)
  (beta reals i) (dominant reals i y).
Proof.
  extensionality l. extensionality r. extensionality k. unfold gradient, gradient30, comes, only, rise. rewrite port_sum_total.
  destruct (x l); [|symmetry; apply Rmult_0_l]. rewrite Rmult_1_l.
  destruct (Nat.eqb_spec k (dominant reals i y l)), (Nat.eq_dec k (dominant reals i y l)); try contradiction; [reflexivity|]. rewrite Rminus_0_r. reflexivity. Qed.
Lemma resources_differ : NoDup (resources s).
Proof. apply seq_NoDup. Qed.
Lemma comes_01 x l : comes x l = 0 \/ comes x l = 1.
Proof. unfold comes. destruct (x l); auto. Qed.

(* (30) is a supergradient of the slot's reward *)
Theorem gradient_supergradient : forall x y z, Y s (amount reals y) -> Y s z ->
  earns x z - earns x (amount reals y) <= inner s (gradient reals i g x y) (multiserver.sub z (amount reals y)).
Proof.
  intros x y z HY HZ. rewrite gradient_is_30. pose proof (dominant_dominates y) as K. pose proof (greatest_penalties _ HY) as PY. pose proof (greatest_penalties _ HZ) as PZ.
  assert (P : forall l, 0 <= comes x l) by (intro l; destruct (comes_01 x l); lra). unfold earns. revert concave_gains. unfold gains. destruct g; intro C.
  - apply (supergradient_per_node s (comes x) (fun _ => f) (fun _ r k => slope i r k)); auto using resources_differ. intros. apply below_tangents, C.
  - apply (supergradient_of_total s (comes x) (fun _ => total_f) (fun _ k => total_slope i k)); auto using resources_differ. intros. apply below_tangents, C. Qed.

Lemma largest_D51 : largest_demands s (fun k => greatest (fun l => demand s l k) (ports s)).
Proof.
  intros l k. split; [|apply greatest_nonneg]. destruct (in_dec Nat.eq_dec l (ports s)) as [I|I]; [apply (greatest_ge (fun l => demand s l k)), I|].
  replace (demand s l k) with 0; [apply greatest_nonneg|]. unfold s. simpl. unfold demand_of. rewrite (nth_overflow (demands i)); [destruct k; reflexivity|].
  simpl in I. unfold ports_of in I. rewrite in_seq in I. lia. Qed.
Lemma within_D51 y : Y s y -> within s y D51.
Proof. apply within51, largest_D51. Qed.
Lemma beta_top k : 0 <= beta reals i k <= greatest (beta reals i) (resources s).
Proof.
  split; [apply data|]. destruct (in_dec Nat.eq_dec k (resources s)) as [I|I]; [apply greatest_ge, I|].
  replace (beta reals i k) with 0; [apply greatest_nonneg|]. unfold beta. rewrite nth_overflow; [reflexivity|].
  unfold s in I. simpl in I. unfold resources_of in I. rewrite in_seq in I. lia. Qed.
Lemma shorter_G48 x y : Y s (amount reals y) -> total s (fun l r k => gradient reals i g x y l r k ^ 2) <= G48 * G48.
Proof.
  intros H. set (inside := fun k (v : R) => if in_dec Nat.eq_dec k (resources s) then v else 0).
  set (rise := fun l r k => match g with per_node => slope i r k (amount reals y l r k) | of_total => total_slope i k (port_total s (amount reals y) l k) end).
  apply Rle_trans with (total s (fun l r k => gradient30 (comes x) (fun l r k => inside k (rise l r k)) (beta reals i) (dominant reals i y) l r k ^ 2)).
  - apply total_le. intros l r k _ _ K _. right. rewrite gradient_is_30. fold rise. unfold gradient30, inside. destruct (in_dec Nat.eq_dec k (resources s)); [reflexivity | contradiction].
  - apply (shorter48 s (greatest (beta reals i) (resources s)) (fun r => greatest (steepest r) (resources s)) (fun _ => comes x) (fun _ l r k => inside k (rise l r k))
      (beta reals i) (fun _ => dominant reals i y) (fun r k => inside k (steepest r k))); auto using resources_differ, comes_01, beta_top; [| | | exact O].
    + intros _ l r k. unfold inside. destruct (in_dec Nat.eq_dec k (resources s)); [|lra]. unfold rise, steepest. revert concave_gains. unfold gains.
      destruct g; intro C; [apply (slopes_fall (f r k)); [apply C | apply H] | apply (slopes_fall (total_f k)); [apply C | apply port_total_pos, H]].
    + intros _ l L. apply (dominant_dominates y l L).
    + intros r k. unfold inside. destruct (in_dec Nat.eq_dec k (resources s)); [apply greatest_ge; auto | apply greatest_nonneg]. Qed.

Section Run.
Variables (x : nat -> nat -> bool) (start : amounts reals) (best : allocation).
Hypothesis starts : Y s (amount reals start).
Hypothesis fixed : Y s best.
(* the regret (11): what a fixed allocation earns more than OGASched *)
Definition oga_regret eta T := regret (fun t => earns (x t)) best (fun t => amount reals (oga reals i g eta x start t)) T.

Lemma linear_oga eta T : oga_regret eta T <= linear_regret (V := allocations s) (fun t => amount reals (oga reals i g eta x start t))
  (fun t => gradient reals i g (x t) (oga reals i g eta x start t)) best T.
Proof. apply (linear s); auto. intros t z Z. apply gradient_supergradient; auto. apply oga_in_Y; auto. Qed.
Lemma moved_in_Y eta t : Y s (amount reals (oga reals i g eta x start t)).
Proof. apply oga_in_Y; auto. Qed.
(* (41), repaired *)
Theorem oga_inequality41 : forall eta T, 0 < eta -> let y t := amount reals (oga reals i g (fun _ => eta) x start t) in
  let grad t := gradient reals i g (x t) (oga reals i g (fun _ => eta) x start t) in
  upto (fun t => inner s (grad t) (multiserver.sub best (y t))) T
  <= (total s (fun l r k => (y O l r k - best l r k) ^ 2) - total s (fun l r k => (y T l r k - best l r k) ^ 2)) / (2 * eta)
     + eta / 2 * upto (fun t => total s (fun l r k => grad t l r k ^ 2)) T.
Proof.
  intros eta T E y grad. pose proof (inequality41 (allocations s) (Y s) y grad eta best T (oga_is_ascent i g (fun _ => eta) x start data starts) E fixed) as H.
  rewrite !distance in H. assert (N : upto (fun t => sq (V := allocations s) (grad t)) T = upto (fun t => total s (fun l r k => grad t l r k ^ 2)) T).
  { induction T as [|n IH]; [reflexivity|]. cbn [upto]. rewrite norm. f_equal. apply IH. clear IH.
    pose proof (inequality41 (allocations s) (Y s) y grad eta best n (oga_is_ascent i g (fun _ => eta) x start data starts) E fixed) as H2. rewrite !distance in H2. exact H2. }
  rewrite N in H. eapply Rle_trans; [|exact H]. apply upto_le. intros t _. rewrite inner_dot. apply Rle_refl. Qed.
(* any step, and any rho and G that bound the distance from y(1) and the gradients *)
Definition around (rho : R) := 0 <= rho /\ within s (amount reals start) rho.
Definition steep (G : R) := 0 <= G /\ forall x y, Y s (amount reals y) -> total s (fun l r k => gradient reals i g x y l r k ^ 2) <= G * G.
Theorem oga_any_step : forall rho G eta T, around rho -> steep G -> 0 < eta ->
  oga_regret (fun _ => eta) T <= rho * rho / (2 * eta) + eta / 2 * (INR T * (G * G)).
Proof.
  intros rho G eta T [_ W] [_ H] E. eapply Rle_trans; [apply linear_oga|].
  eapply Rle_trans; [apply (inequality41 (allocations s) (Y s) _ _ eta best T); auto; apply oga_is_ascent; auto|]. apply Rplus_le_compat.
  - unfold Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|]. rewrite !distance. specialize (W best fixed). cbn [oga].
    match goal with |- _ - ?d <= _ => assert (0 <= d) by (apply total_nonneg; intros; apply pow2_ge_0) end. lra.
  - apply Rmult_le_compat_l; [lra|]. apply upto_bound. intros t _. rewrite norm. apply H, moved_in_Y. Qed.
(* the step rho / (G sqrt T) *)
Theorem oga_best_step : forall rho G T, around rho -> steep G -> oga_regret (fun _ => rho / (G * sqrt (INR T))) T <= rho * G * sqrt (INR T).
Proof.
  intros rho G T W H. pose proof W as [D0 W']. pose proof H as [G0 H']. destruct T as [|T]; [unfold oga_regret, regret; simpl; rewrite sqrt_0; lra|].
  set (n := sqrt (INR (S T))). assert (N2 : n * n = INR (S T)) by (apply sqrt_sqrt, pos_INR). assert (N : 0 < n) by (apply sqrt_lt_R0, lt_0_INR; lia).
  destruct (Req_dec rho 0) as [Z|Z]; [|destruct (Req_dec G 0) as [Z0|Z0]].
  3: { eapply Rle_trans; [apply (oga_any_step rho G _ (S T) W H); apply Rdiv_lt_0_compat; nra|]. rewrite <- N2. right. field. lra. }
  all: replace (rho * G * n) with 0 by (rewrite ?Z, ?Z0; ring).
  all: apply (no_diameter_or_no_gradient s _ _ (fun t => gradient reals i g (x t) (oga reals i g (fun _ => rho / (G * n)) x start t))); auto.
  all: try (intros t w Hw; apply gradient_supergradient; auto; apply moved_in_Y).
  - left. intros t w Hw. pose proof (W' w Hw) as A. pose proof (W' _ (moved_in_Y (fun _ => rho / (G * n)) t)) as B.
    set (p := amount reals start) in *. set (y := amount reals (oga reals i g (fun _ => rho / (G * n)) x start t)) in *. rewrite Z in A, B.
    apply Rle_trans with (total s (fun l r k => 2 * (p l r k - y l r k) ^ 2 + 2 * (p l r k - w l r k) ^ 2)).
    + apply total_le. intros l r k _ _ _ _. pose proof (pow2_ge_0 ((p l r k - y l r k) + (p l r k - w l r k))) as Q.
      replace ((y l r k - w l r k) ^ 2) with (2 * (p l r k - y l r k) ^ 2 + 2 * (p l r k - w l r k) ^ 2 - ((p l r k - y l r k) + (p l r k - w l r k)) ^ 2) by ring. lra.
    + rewrite total_plus, !total_scal. lra.
  - right. intro t. rewrite <- Z0. apply H', moved_in_Y. Qed.
Lemma around_D51 : around D51.
Proof. split; [apply sqrt_pos | apply within_D51, starts]. Qed.
Lemma steep_G48 : steep G48.
Proof. split; [apply sqrt_pos | intros; apply shorter_G48; auto]. Qed.
(* Theorem 1: (39), with (51) and (48) in the step *)
Theorem oga_sched_regret : forall T, oga_regret (fun _ => D51 / (G48 * sqrt (INR T))) T <= D51 * G48 * sqrt (INR T).
Proof. intro T. apply oga_best_step; [apply around_D51 | apply steep_G48]. Qed.
Theorem oga_sched_regret_any_step : forall eta T, 0 < eta -> oga_regret (fun _ => eta) T <= D51 * D51 / (2 * eta) + eta / 2 * (INR T * (G48 * G48)).
Proof. intros eta T. apply oga_any_step; [apply around_D51 | apply steep_G48]. Qed.
(* (39) grows with the number of ports at most like its root, for fixed nodes, slopes, overheads and largest demands *)
Definition per_port (largest : nat -> R) := sqrt (2 * sum (fun r => sum (fun k => largest k * capacity s r k) (resources s)) (nodes s)) *
  sqrt (sum (fun r => greatest (beta reals i) (resources s) ^ 2 + INR (length (resources s)) * greatest (steepest r) (resources s) ^ 2) (nodes s)).
Theorem oga_sublinear_ports : forall T, oga_regret (fun _ => D51 / (G48 * sqrt (INR T))) T <= D51 * G48 * sqrt (INR T)
  <= sqrt (INR (length (ports s))) * (per_port (fun k => greatest (fun l => demand s l k) (ports s)) * sqrt (INR T)).
Proof.
  intro T. split; [apply oga_sched_regret|]. rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [apply sqrt_pos|].
  pose proof (sublinear_ports s (greatest (beta reals i) (resources s)) (fun r => greatest (steepest r) (resources s))) as H. fold G48 in H.
  unfold per_port. change (sqrt (2 * _)) with D51. rewrite (Rmult_comm D51 (sqrt _)), <- Rmult_assoc, (Rmult_comm D51). apply Rmult_le_compat_r; [apply sqrt_pos | exact H]. Qed.
(* and with diam (Y) and the largest norm of a gradient themselves *)
Definition least (bounds : R -> Prop) v := bounds v /\ forall w, bounds w -> v <= w.
Theorem oga_sched_regret_constants : forall D G T, least (fun D => 0 <= D /\ forall y, Y s y -> within s y D) D -> least steep G ->
  oga_regret (fun _ => D / (G * sqrt (INR T))) T <= D * G * sqrt (INR T) <= D51 * G48 * sqrt (INR T).
Proof.
  intros D G T [[D0 W] LD] [H LG]. split; [apply oga_best_step; [split; auto | exact H]|].
  apply Rmult_le_compat_r; [apply sqrt_pos|]. apply Rmult_le_compat; auto; [apply H | | apply LG, steep_G48].
  apply LD. split; [apply sqrt_pos | apply within_D51]. Qed.

(* --- steps that vary ------------------------------------------------------------------------------------------------- *)

Definition norm2 eta t := total s (fun l r k => gradient reals i g (x t) (oga reals i g eta x start t) l r k ^ 2).
Lemma norm2_sq eta t : norm2 eta t = sq (V := allocations s) (gradient reals i g (x t) (oga reals i g eta x start t)).
Proof. symmetry. apply norm. Qed.
Lemma norm2_G48 eta t : norm2 eta t <= G48 * G48.
Proof. apply shorter_G48, moved_in_Y. Qed.
Lemma within_run eta t : sq (V := allocations s) (minus (V := allocations s) (amount reals (oga reals i g eta x start t)) best) <= D51 * D51.
Proof. rewrite distance. apply within_D51; auto. apply moved_in_Y. Qed.
Lemma no_regret eta T : ~ 0 < D51 -> oga_regret eta T <= 0.
Proof.
  intro Z. assert (E : D51 = 0) by (assert (0 <= D51) by apply sqrt_pos; lra).
  apply (no_diameter_or_no_gradient s _ _ (fun t => gradient reals i g (x t) (oga reals i g eta x start t))); auto.
  - intros t w W. apply gradient_supergradient; auto. apply moved_in_Y.
  - left. intro t. rewrite <- E. apply within_D51, moved_in_Y. Qed.
(* the largest norm so far, in the step (53), repaired; a step before the first gradient has no effect *)
Definition longest eta t := greatest (fun u => sqrt (norm2 eta u)) (seq 0 (S t)).
Theorem oga_largest_norm_step : forall eta T, (forall t, 0 < longest eta t -> eta t = D51 / (longest eta t * sqrt (INR (S T)))) ->
  oga_regret eta (S T) <= D51 * longest eta T * sqrt (INR (S T)) <= D51 * G48 * sqrt (INR (S T)).
Proof.
  intros eta T E. assert (Top : forall t, 0 <= longest eta t <= G48).
  { intro t. split; [apply greatest_nonneg|]. unfold longest. induction (seq 0 (S t)) as [|u us IH]; simpl; [apply sqrt_pos|]. apply Rmax_lub; auto.
    rewrite <- (sqrt_square G48) by apply sqrt_pos. apply sqrt_le_1_alt, norm2_G48. }
  assert (D0 : 0 <= D51) by apply sqrt_pos. split; [|apply Rmult_le_compat_r; [apply sqrt_pos|]; apply Rmult_le_compat_l; [auto | apply Top]].
  destruct (Rlt_dec 0 D51) as [P|P]; [|eapply Rle_trans; [apply no_regret, P|]; repeat apply Rmult_le_pos; auto using sqrt_pos; apply Top].
  eapply Rle_trans; [apply linear_oga|]. apply (largest_norm_step_from (allocations s) (Y s) _ _ eta (longest eta) D51 (INR (S T)) best T); auto using within_run.
  - apply oga_is_ascent; auto.
  - apply Rle_refl.
  - intro t. split; [apply Top|]. unfold longest. rewrite (seq_S (S t)). generalize (seq 0 (S t)) as us. induction us as [|u us IH]; simpl; [apply Rmax_r|].
    apply Rle_max_compat_l, IH.
  - intro t. rewrite <- norm2_sq. assert (N : 0 <= norm2 eta t) by (apply total_nonneg; intros; apply pow2_ge_0).
    rewrite <- (sqrt_sqrt (norm2 eta t)) by exact N. assert (L : sqrt (norm2 eta t) <= longest eta t) by (apply (greatest_ge (fun u => sqrt (norm2 eta u))), in_seq; lia).
    pose proof (sqrt_pos (norm2 eta t)). apply Rmult_le_compat; auto. Qed.
(* the any-time step *)
Definition squares eta t := upto (norm2 eta) (S t).
Theorem oga_anytime_step : forall eta T, (forall t, 0 < squares eta t -> eta t = D51 / sqrt (2 * squares eta t)) ->
  oga_regret eta (S T) <= D51 * sqrt (2 * squares eta T) <= sqrt 2 * (D51 * G48 * sqrt (INR (S T))).
Proof.
  intros eta T E. assert (D0 : 0 <= D51) by apply sqrt_pos. assert (G0 : 0 <= G48) by apply sqrt_pos.
  assert (Q : forall n, upto (norm2 eta) n = upto (fun t => sq (V := allocations s) (gradient reals i g (x t) (oga reals i g eta x start t))) n).
  { induction n as [|n IH]; [reflexivity|]. cbn [upto]. rewrite IH, norm2_sq. reflexivity. }
  split.
  - destruct (Rlt_dec 0 D51) as [P|P]; [|eapply Rle_trans; [apply no_regret, P | apply Rmult_le_pos; auto using sqrt_pos]].
    eapply Rle_trans; [apply linear_oga|]. unfold squares in *. rewrite Q.
    apply (anytime_step_from (allocations s) (Y s) _ _ eta D51 best T); auto using within_run; [apply oga_is_ascent; auto|]. intro t. rewrite <- Q. apply E.
  - replace (sqrt 2 * (D51 * G48 * sqrt (INR (S T)))) with (D51 * (sqrt 2 * (G48 * sqrt (INR (S T))))) by ring. apply Rmult_le_compat_l; auto.
    rewrite sqrt_mult_alt by lra. apply Rmult_le_compat_l; [apply sqrt_pos|]. rewrite <- (sqrt_square G48) by auto. rewrite <- sqrt_mult_alt by nra.
    apply sqrt_le_1_alt. rewrite Rmult_comm. apply upto_bound. intros. apply norm2_G48. Qed.
(* decayed steps: the bound, and the best eta_0 *)
Definition decayed_bound e la T := D51 * D51 / (2 * (e * la ^ T)) + e * (G48 * G48) * (1 - la ^ S T) / (2 * (1 - la)).
Theorem oga_decayed : forall e la T, 0 < e -> 0 < la < 1 -> oga_regret (fun t => e * la ^ t) (S T) <= decayed_bound e la T.
Proof.
  intros e la T He Hl. eapply Rle_trans; [apply linear_oga|]. apply (decayed_step (allocations s) (Y s)); auto using within_run; [apply oga_is_ascent; auto|].
  intro t. rewrite <- norm2_sq. apply norm2_G48. Qed.
Theorem oga_decayed_best : forall la T, 0 < la < 1 -> 0 < D51 -> 0 < G48 ->
  let factor := sqrt ((1 - la ^ S T) / (INR (S T) * (1 - la) * la ^ T)) in
  (exists e, 0 < e /\ decayed_bound e la T = factor * (D51 * G48 * sqrt (INR (S T)))) /\
  (forall e, 0 < e -> factor * (D51 * G48 * sqrt (INR (S T))) <= decayed_bound e la T) /\
  forall c, 0 < c <= la ^ T -> factor <= / sqrt c.
Proof.
  intros la T L HD HG factor. set (n := INR (S T)). assert (N : 0 < n) by (apply lt_0_INR; lia). set (p := la ^ T). assert (P : 0 < p) by (apply pow_lt; lra).
  set (v := 1 - la). assert (V : 0 < v) by (unfold v; lra). set (u := 1 - la ^ S T).
  assert (U : 0 < u). { unfold u. enough (la ^ S T < 1) by lra. rewrite <- (pow1 (S T)). destruct L. clear - H H0. induction T as [|T IH]; [simpl in *; lra|]. cbn [pow] in *. assert (0 < la * la ^ T) by (apply Rmult_lt_0_compat; [lra | apply pow_lt; lra]). nra. }
  set (w := sqrt (u / (v * p))). assert (W0 : 0 < w) by (apply sqrt_lt_R0, Rdiv_lt_0_compat; nra). assert (W2 : w * w = u / (v * p)) by (apply sqrt_sqrt; left; apply Rdiv_lt_0_compat; nra).
  assert (F : factor * (D51 * G48 * sqrt n) = D51 * G48 * w).
  { assert (factor * sqrt n = w); [|rewrite <- H; ring]. unfold factor, w. fold n p v u. rewrite <- sqrt_mult_alt by (left; apply Rdiv_lt_0_compat; [lra | repeat apply Rmult_lt_0_compat; lra]).
    f_equal. field. lra. }
  rewrite F. split; [|split].
  - exists (D51 / (G48 * w * p)). split; [apply Rdiv_lt_0_compat; [auto | repeat apply Rmult_lt_0_compat; auto]|]. unfold decayed_bound. fold p v u.
    assert (Eu : u = w * w * (v * p)) by (rewrite W2; field; lra). rewrite Eu. field. lra.
  - intros e He. unfold decayed_bound. fold p v u. assert (Eu : u = w * w * (v * p)) by (rewrite W2; field; lra). rewrite Eu.
    apply Rminus_le. replace (D51 * G48 * w - (D51 * D51 / (2 * (e * p)) + e * (G48 * G48) * (w * w * (v * p)) / (2 * v)))
      with (- ((D51 - e * G48 * w * p) ^ 2 / (2 * (e * p)))) by (field; lra).
    assert (0 <= (D51 - e * G48 * w * p) ^ 2 / (2 * (e * p))); [|lra]. apply Rmult_le_pos; [apply pow2_ge_0 | left; apply Rinv_0_lt_compat; nra].
  - intros c C. fold p in C. rewrite <- sqrt_inv. apply sqrt_le_1_alt. fold n p v u. assert (B : u <= n * v).
    { unfold u, v, n. clear - L. induction T as [|T IH]; [simpl; lra|]. rewrite S_INR. remember (S T) as m. cbn [pow]. assert (0 <= la ^ m <= 1) by (split; [apply pow_le; lra | rewrite <- (pow1 m); apply pow_incr; lra]). nra. }
    apply Rle_trans with (n * v / (n * v * p)); [apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; repeat apply Rmult_lt_0_compat; lra | exact B]|].
    replace (n * v / (n * v * p)) with (/ p) by (field; lra). apply Rinv_le_contravar; lra. Qed.
End Run.

(* from y(1) = 0: the distance is the largest norm, at most (51) / sqrt 2 *)
Lemma zero_in_Y : Y s (amount reals []).
Proof.
  split; [intros l r k; split; [apply Rle_refl | apply data]|]. intros r k _ _. unfold node_total. rewrite (sum_ext _ (fun _ => 0)), sum_zero; [apply data|].
  intros l _. destruct (linked s l r); reflexivity. Qed.
Lemma around_zero : around [] (D51 / sqrt 2).
Proof.
  assert (0 < sqrt 2) by (apply sqrt_lt_R0; lra). split; [apply Rmult_le_pos; [apply sqrt_pos | left; apply Rinv_0_lt_compat; auto]|].
  apply (from_zero s), largest_D51. Qed.
Theorem oga_from_zero : forall x best T, Y s best ->
  oga_regret x [] best (fun _ => D51 / sqrt 2 / (G48 * sqrt (INR T))) T <= D51 * G48 * sqrt (INR T) / sqrt 2.
Proof.
  intros x best T B. assert (0 < sqrt 2) by (apply sqrt_lt_R0; lra).
  replace (D51 * G48 * sqrt (INR T) / sqrt 2) with (D51 / sqrt 2 * G48 * sqrt (INR T)) by (field; lra).
  apply oga_best_step; auto using zero_in_Y, around_zero, steep_G48. Qed.
Theorem oga_from_zero_constants : forall x best rho G T, Y s best -> least (around []) rho -> least steep G ->
  oga_regret x [] best (fun _ => rho / (G * sqrt (INR T))) T <= rho * G * sqrt (INR T) <= D51 * G48 * sqrt (INR T) / sqrt 2.
Proof.
  intros x best rho G T B [A LA] [H LH]. split; [apply oga_best_step; auto using zero_in_Y|]. assert (0 < sqrt 2) by (apply sqrt_lt_R0; lra).
  replace (D51 * G48 * sqrt (INR T) / sqrt 2) with (D51 / sqrt 2 * G48 * sqrt (INR T)) by (field; lra).
  apply Rmult_le_compat_r; [apply sqrt_pos|]. apply Rmult_le_compat; [apply A | apply H | apply LA, around_zero | apply LH, steep_G48]. Qed.
End Theorem1.
