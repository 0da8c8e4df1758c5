(* multiserver: a row of the projection (32), the sums of Theorem 1's proof, gangs and the games against a committed policy. *)
From Schedproof Require Import sums.
From Coq Require Import Arith Bool ZArith.

(* --- the projection of one row: y in [0, a], sum y <= c -------------------------------------------------------------- *)

Definition clip (a v : R) := Rmax 0 (Rmin a v).
Definition row (ports : list nat) (a : nat -> R) (c : R) (y : nat -> R) := (forall l, In l ports -> 0 <= y l <= a l) /\ sum y ports <= c.
Definition square_distance (ports : list nat) (z y : nat -> R) := sum (fun l => (z l - y l) ^ 2) ports.
Lemma clip_between a v : 0 <= a -> 0 <= clip a v <= a.
Proof. intro A. unfold clip, Rmax, Rmin. destruct (Rle_dec a v); destruct (Rle_dec 0 _); lra. Qed.
(* clip (z - tau) is the nearest point of the row, if tau is 0 and it fits, or tau > 0 fills the row *)
Theorem clip_is_projection : forall ports a c z tau, (forall l, 0 <= a l) -> 0 <= tau ->
  let p l := clip (a l) (z l - tau) in sum p ports <= c -> (tau = 0 \/ sum p ports = c) ->
  row ports a c p /\ forall y, row ports a c y -> square_distance ports z p + square_distance ports p y <= square_distance ports z y.
Proof.
  intros ports a c z tau A T p S F. split; [split; auto; intros; apply clip_between; auto|]. intros y [Y C].
  assert (V : sum (fun l => (z l - p l) * (y l - p l)) ports <= tau * sum (fun l => y l - p l) ports).
  { rewrite <- sum_scal. apply sum_le; intros l I. specialize (Y l I). specialize (A l). unfold p, clip, Rmax, Rmin.
    destruct (Rle_dec (a l) (z l - tau)) as [Q|Q]; destruct (Rle_dec 0 _) as [W|W]; try lra.
    - assert (0 <= (a l - y l) * (z l - tau - a l)) by (apply Rmult_le_pos; lra). nra.
    - assert (0 <= y l * (tau - z l)) by (apply Rmult_le_pos; lra). nra. }
  rewrite sum_minus in V. assert (tau * (sum (fun l => y l) ports - sum (fun l => p l) ports) <= 0).
  { change (fun l => y l) with y. change (fun l => p l) with p. destruct F as [->|F]; [lra|]. rewrite F. assert (0 <= tau * (c - sum y ports)) by (apply Rmult_le_pos; lra). lra. }
  assert (V2 : sum (fun l => (z l - p l) * (y l - p l)) ports <= 0) by (eapply Rle_trans; [apply V | exact H]).
  unfold square_distance. rewrite (sum_ext (fun l => (z l - y l) ^ 2) (fun l => (z l - p l) ^ 2 + ((p l - y l) ^ 2 + - 2 * ((z l - p l) * (y l - p l))))) by (intros; ring).
  rewrite !sum_plus, (sum_scal (-2) (fun l => (z l - p l) * (y l - p l))). lra. Qed.
(* the three sets: with tau the mean over B3 that fills the row, whichever side is beyond its bounds by more is at its bound *)
Definition over (a v : R) := Rmax 0 (v - a).
Definition under (v : R) := Rmax 0 (- v).
Lemma clip_over_under a v : 0 <= a -> clip a v = v - over a v + under v.
Proof. intro A. unfold clip, over, under, Rmax, Rmin. destruct (Rle_dec a v); repeat destruct (Rle_dec 0 _); lra. Qed.
Theorem three_sets : forall (B1 B3 : list nat) (a z : nat -> R) c tau, (forall l, 0 <= a l) -> sum (fun l => z l - tau) B3 + sum a B1 = c ->
  sum (fun l => clip (a l) (z l - tau)) B3 + sum a B1
  = c + sum (fun l => under (z l - tau)) B3 - sum (fun l => over (a l) (z l - tau)) B3.
Proof.
  intros B1 B3 a z c tau A E. rewrite (sum_ext _ (fun l => (z l - tau) - over (a l) (z l - tau) + under (z l - tau))) by (intros; apply clip_over_under; auto).
  rewrite sum_plus, sum_minus. lra. Qed.
(* of ports sorted by z, and of ports sorted by z - a *)
Theorem negative_suffix : forall (z : nat -> R) (rho : R) l m, z m <= z l -> z l - rho / 2 < 0 -> z m - rho / 2 < 0.
Proof. intros. lra. Qed.
Theorem first_port_enough : forall (z a : nat -> R) rho l m, z m - a m <= z l - a l -> z l - rho / 2 <= a l -> z m - rho / 2 <= a m.
Proof. intros. lra. Qed.

(* --- sums ------------------------------------------------------------------------------------------------------------ *)

Theorem steps46_47 : forall s beta top top_node, 0 <= s <= top -> 0 <= beta -> top <= top_node ->
  s * (s - 2 * beta) <= Rmax 0 (top ^ 2 - 2 * beta * top) /\
  (2 * beta < top -> top ^ 2 - 2 * beta * top <= top_node ^ 2 - 2 * beta * top_node /\ top_node ^ 2 - 2 * beta * top_node <= top_node ^ 2).
Proof.
  intros s b t w S B T. split.
  - pose proof (Rmax_l 0 (t ^ 2 - 2 * b * t)). pose proof (Rmax_r 0 (t ^ 2 - 2 * b * t)). set (m := Rmax _ _) in *. destruct (Rle_lt_dec s (2 * b)); nra.
  - intro H. split; nra. Qed.
Theorem regular_44 : forall (nodes : list nat) (degree : nat -> list nat) d b, (forall r, In r nodes -> length (degree r) = d) ->
  sum (fun r => sum (fun _ => b ^ 2) (degree r)) nodes = INR d * INR (length nodes) * b ^ 2.
Proof.
  intros ns g d b H. rewrite (sum_ext _ (fun _ => INR d * b ^ 2)) by (intros r R0; rewrite sum_const, H; auto). rewrite sum_const. ring. Qed.
Theorem regular_45 : forall (nodes : list nat) (degree : nat -> list nat) (top : nat -> R) K d, (forall r, In r nodes -> length (degree r) = d) ->
  sum (fun r => sum (fun _ => (K - 1) * top r ^ 2) (degree r)) nodes = INR d * (K - 1) * sum (fun r => top r ^ 2) nodes.
Proof.
  intros ns g t K d H. rewrite <- sum_scal. apply sum_ext; intros r R0. rewrite sum_const, H by auto. ring. Qed.
(* the norm in (53) does not grow when no slope rises and none is below its overhead *)
Theorem step53_grows : forall (channels : list nat) (early late charged : nat -> R), (forall c, In c channels -> 0 <= charged c <= late c /\ late c <= early c) ->
  sum (fun c => (late c - charged c) ^ 2) channels <= sum (fun c => (early c - charged c) ^ 2) channels.
Proof. intros cs e l ch H. apply sum_le; intros c I. specialize (H c I). nra. Qed.
(* (15) puts channel (l, r) at (l - 1) R + r: row i adds up the channels of node i *)
Theorem matrix18 : forall (R l r i : Z), (1 <= i <= R -> 1 <= r <= R -> (Z.divide R ((l - 1) * R + r - i) <-> r = i))%Z.
Proof.
  intros R l r i HI HR. split.
  - intros [k E]. assert (r - i = (k - (l - 1)) * R)%Z by lia. assert (k - (l - 1) = 0)%Z by nia. nia.
  - intros ->. exists (l - 1)%Z. lia. Qed.

(* --- games ------------------------------------------------------------------------------------------------------------ *)

(* the port comes that the rule has not launched: it earns nothing, the better fixed launch max (n v, (T - n) w) *)
Theorem gang_deterministic : forall n T v w, 0 < v -> 0 < w -> T * v * w / (v + w) <= Rmax (n * v) ((T - n) * w).
Proof.
  intros n T v w V W. pose proof (Rmax_l (n * v) ((T - n) * w)). pose proof (Rmax_r (n * v) ((T - n) * w)). set (m := Rmax _ _) in *.
  apply Rmult_le_reg_r with (v + w); [lra|]. replace (T * v * w / (v + w) * (v + w)) with (T * v * w) by (field; lra). nra. Qed.
(* either of two ports comes, with probability 1/2 each: a policy that commits expects c/2 at most, one that sees it min(a, c) *)
Theorem commits : forall y1 y2 c, y1 + y2 <= c -> 1 / 2 * y1 + 1 / 2 * y2 <= c / 2.
Proof. intros. lra. Qed.
(* gangs: at least m tasks of each port have something: convex; all or nothing: not *)
Definition started (tasks : list nat) (y : nat -> R) := length (filter (fun t => if Rlt_dec 0 (y t) then true else false) tasks).
Theorem printed_gang_convex : forall tasks y z w m, (forall t, 0 <= y t) -> (forall t, 0 <= z t) -> 0 < w < 1 ->
  (m <= started tasks y)%nat -> (m <= started tasks (fun t => w * y t + (1 - w) * z t)%R)%nat.
Proof.
  intros ts y z w m Y Z W H. eapply Nat.le_trans; [apply H|]. unfold started. clear H. induction ts as [|t ts IH]; simpl; [lia|].
  specialize (Y t) as Yt. specialize (Z t) as Zt. destruct (Rlt_dec 0 (y t)); destruct (Rlt_dec 0 (w * y t + (1 - w) * z t)); simpl; try lia. exfalso. apply n. nra. Qed.
Theorem all_or_nothing_not_convex : forall (Y : (nat -> R) -> Prop) b t, 0 < b -> (forall y, Y y -> y t = 0 \/ b <= y t) ->
  forall y, Y y -> y t = b -> Y (fun _ => 0) -> ~ Y (fun s => 1 / 2 * y s + (1 - 1 / 2) * 0).
Proof. intros Y b t B M y HY E HZ H. destruct (M _ H) as [Q|Q]; rewrite E in Q; lra. Qed.

(* (38): ports strictly between their bounds, and at a bound only with a multiplier, in a full row without demands of 0 *)
Section Sets.
Variables (ports : list nat) (a z y mul lam : nat -> R) (c rho : R).
Definition optimal_row := (forall l, In l ports -> 0 < a l /\ 0 <= y l <= a l /\ 0 <= mul l /\ 0 <= lam l /\ 2 * (y l - z l) + rho + mul l - lam l = 0 /\
  (mul l = 0 \/ y l = a l) /\ (lam l = 0 \/ y l = 0)) /\ sum y ports = c.
Definition strict := forall l, In l ports -> (y l = a l -> mul l <> 0) /\ (y l = 0 -> lam l <> 0).
Definition B1 l := y l = a l.
Definition B2 l := y l = 0.
Definition B3 l := 2 * (y l - z l) + rho = 0.
Definition in_B1 l := if Req_EM_T (y l) (a l) then true else false.
Definition in_B3 l := if Req_EM_T (2 * (y l - z l) + rho) 0 then true else false.
Theorem sets38 : optimal_row -> strict -> (exists l, In l ports /\ 0 < y l < a l) ->
  (forall l, In l ports -> ~ (B1 l /\ B2 l) /\ ~ (B1 l /\ B3 l) /\ ~ (B2 l /\ B3 l)) /\
  rho = 2 * (sum z (filter in_B3 ports) - c + sum a (filter in_B1 ports)) / INR (length (filter in_B3 ports)).
Proof.
  intros [O F] S (l0 & I0 & Y0). split.
  - intros l I. destruct (O l I) as (A & Y & M & L & E & CM & CL). destruct (S l I) as [S1 S2]. unfold B1, B2, B3. repeat split; intros [P Q].
    + lra.
    + specialize (S1 P). destruct CL as [CL|CL]; [apply S1; lra | lra].
    + specialize (S2 P). destruct CM as [CM|CM]; [apply S2; lra | lra].
  - assert (G : forall k, incl k ports -> INR (length (filter in_B3 k)) * rho = 2 * (sum z (filter in_B3 k) - sum y k + sum a (filter in_B1 k))).
    { induction k as [|l k IH]; intro I; [simpl; lra|]. specialize (IH (fun l' I' => I l' (or_intror I'))). destruct (O l (I l (or_introl eq_refl))) as (A & Y & M & L & E & CM & CL).
      destruct (S l (I l (or_introl eq_refl))) as [S1 S2]. simpl. unfold in_B3 at 1 4, in_B1 at 1.
      destruct (Req_EM_T (2 * (y l - z l) + rho) 0) as [Z|Z], (Req_EM_T (y l) (a l)) as [B|B]; cbn [length sum]; rewrite ?S_INR.
      - exfalso. specialize (S1 B). destruct CL as [CL|CL]; [apply S1; lra | lra].
      - lra.
      - lra.
      - destruct CM as [CM|CM]; [|exfalso; auto]. destruct CL as [CL|CL]; [exfalso; apply Z; lra | rewrite CL; lra]. }
    assert (J : In l0 (filter in_B3 ports)).
    { apply filter_In. split; auto. unfold in_B3. destruct (Req_EM_T _ 0) as [|Z]; auto. exfalso. apply Z. destruct (O l0 I0) as (A & Y & M & L & E & [CM|CM] & [CL|CL]); lra. }
    assert (P : 0 < INR (length (filter in_B3 ports))) by (apply lt_0_INR; destruct (filter in_B3 ports); [destruct J | simpl; lia]).
    specialize (G ports (incl_refl _)). rewrite F in G. apply Rmult_eq_reg_l with (INR (length (filter in_B3 ports))); [|lra]. rewrite G. field. lra. Qed.
End Sets.
(* (5) and (6) are constraints on one node and resource each: projecting each makes a point of Y *)
Definition in_Y (nodes resources : list nat) (ports : nat -> list nat) (a : nat -> nat -> R) (c : nat -> nat -> R) (y : nat -> nat -> nat -> R) :=
  forall r k, In r nodes -> In k resources -> row (ports r) (fun l => a l k) (c r k) (y r k).
Theorem projections_zip : forall nodes resources ports a c (z : nat -> nat -> nat -> R) (project : nat -> nat -> (nat -> R) -> nat -> R),
  (forall r k v, In r nodes -> In k resources -> row (ports r) (fun l => a l k) (c r k) (project r k v)) ->
  in_Y nodes resources ports a c (fun r k => project r k (z r k)).
Proof. intros ns ks ps a c z p H r k R0 K0. auto. Qed.
(* line 6, for each node that has a port and each of K resources *)
Theorem projections_number : forall (nodes resources : list nat) (ports : nat -> list nat),
  let with_ports := filter (fun r => negb (length (ports r) =? 0)) nodes in
  length (list_prod with_ports resources) = (length resources * length with_ports)%nat.
Proof. intros. rewrite prod_length. lia. Qed.
(* (29): the largest over K of each port, added up, is the largest sum over all choices *)
Theorem equation29 : forall (ports : list nat) (gain : R) (charge : nat -> nat -> R) (first : nat) (others : list nat),
  let largest l := fold_left (fun m k => Rmax m (charge l k)) others (charge l first) in
  (exists choice, (forall l, In (choice l) (first :: others)) /\ gain - sum largest ports = gain - sum (fun l => charge l (choice l)) ports) /\
  forall choice, (forall l, In (choice l) (first :: others)) -> gain - sum largest ports <= gain - sum (fun l => charge l (choice l)) ports.
Proof.
  intros ports g ch k0 ks largest.
  assert (M : forall l, (exists k, In k (k0 :: ks) /\ largest l = ch l k) /\ forall k, In k (k0 :: ks) -> ch l k <= largest l).
  { intro l. unfold largest. enough (G : forall m, let f := fold_left (fun m k => Rmax m (ch l k)) ks m in (f = m \/ exists k, In k ks /\ f = ch l k) /\ m <= f /\ forall k, In k ks -> ch l k <= f).
    { destruct (G (ch l k0)) as (E & A & B). split; [destruct E as [E|(k & I & E)]; [exists k0; split; [left; reflexivity | exact E] | exists k; split; [right; exact I | exact E]] |].
      intros k [<-|I]; [exact A | exact (B k I)]. }
    induction ks as [|k ks IH]; intro m; simpl; [split; [auto | split; [lra | intros ? []]]|]. destruct (IH (Rmax m (ch l k))) as (E & A & B).
    pose proof (Rmax_l m (ch l k)). pose proof (Rmax_r m (ch l k)). split; [|split; [lra | intros k' [<-|I]; [lra | auto]]].
    destruct E as [E|(k' & I & E)]; [|right; exists k'; split; [right; exact I | exact E]]. rewrite E. unfold Rmax.
    destruct (Rle_dec m (ch l k)); [right; exists k; split; [left; reflexivity | reflexivity] | left; reflexivity]. }
  split.
  - assert (C : forall l, {k | In k (k0 :: ks) /\ largest l = ch l k}).
    { intro l. destruct (M l) as [E _]. clear -E. revert E. generalize (k0 :: ks). intro q. generalize (largest l) as v. intro v. induction q as [|k q IH]; intro E; [exfalso; destruct E as (? & [] & _)|].
      destruct (Req_EM_T v (ch l k)) as [Q|Q]; [exists k; simpl; auto|]. destruct IH as [k' [I' E']]; [destruct E as (k' & [<-|I] & E); [tauto | eauto]|]. exists k'; simpl; auto. }
    exists (fun l => proj1_sig (C l)). split; [intro l; apply (proj2_sig (C l))|]. f_equal. apply sum_ext; intros l _. apply (proj2_sig (C l)).
  - intros choice H. assert (sum (fun l => ch l (choice l)) ports <= sum largest ports); [|lra]. apply sum_le; intros l _. apply M; auto. Qed.
(* the diameter of a set of vectors >= 0 with 0 in it, and its largest norm *)
Definition square (index : list nat) (y : nat -> R) := sum (fun i => y i ^ 2) index.
Theorem zero_or_diameter : forall index (Y : (nat -> R) -> Prop) diameter norm, 0 <= diameter -> 0 <= norm ->
  (forall y, Y y -> forall i, In i index -> 0 <= y i) -> Y (fun _ => 0) ->
  (forall d, 0 <= d -> (forall y z, Y y -> Y z -> square index (fun i => y i - z i) <= d ^ 2) <-> diameter <= d) ->
  (forall n, 0 <= n -> (forall y, Y y -> square index y <= n ^ 2) <-> norm <= n) ->
  diameter / sqrt 2 <= norm /\ norm <= diameter.
Proof.
  intros index Y D M D0 M0 P Z HD HM. split.
  - assert (S : 0 < sqrt 2) by (apply sqrt_lt_R0; lra). apply Rmult_le_reg_r with (sqrt 2); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    apply HD; [apply Rmult_le_pos; lra|]. intros y z Hy Hz. replace ((M * sqrt 2) ^ 2) with (M ^ 2 + M ^ 2) by (rewrite Rpow_mult_distr; simpl (sqrt 2 ^ 2); rewrite Rmult_1_r, sqrt_sqrt by lra; ring).
    apply Rle_trans with (square index y + square index z); [|apply Rplus_le_compat; apply (proj2 (HM M M0) (Rle_refl _)); auto].
    unfold square. rewrite <- sum_plus. apply sum_le; intros i I. pose proof (P y Hy i I). pose proof (P z Hz i I). nra.
  - apply HM; auto. intros y Hy. pose proof (proj2 (HD D D0) (Rle_refl _) y (fun _ => 0) Hy Z) as Q.
    unfold square in *. rewrite (sum_ext _ (fun i => (y i - 0) ^ 2)) by (intros; f_equal; lra). auto. Qed.
(* both ends: a box, whose diagonal is its norm, and two ports of a node with a = c *)
Theorem zero_or_diameter_ends : forall index (a : nat -> R) c,
  (forall y, (forall i, In i index -> 0 <= y i <= a i) -> square index y <= square index a) /\
  (forall y z, (forall i, In i index -> 0 <= y i <= a i) -> (forall i, In i index -> 0 <= z i <= a i) -> square index (fun i => y i - z i) <= square index a) /\
  (0 <= c -> (forall y1 y2, 0 <= y1 -> 0 <= y2 -> y1 + y2 <= c -> y1 ^ 2 + y2 ^ 2 <= c ^ 2) /\ (c - 0) ^ 2 + (0 - c) ^ 2 = 2 * c ^ 2).
Proof.
  intros index a c. split; [|split].
  - intros y H. apply sum_le; intros i I. specialize (H i I). nra.
  - intros y z Hy Hz. apply sum_le; intros i I. specialize (Hy i I). specialize (Hz i I). nra.
  - intro C. split; [intros; nra | ring]. Qed.

(* --- the multipliers of (32) ------------------------------------------------------------------------------------------ *)

(* a tau >= 0 fills the row, or is 0 where clip(z) fits: the amounts are continuous and fall to 0 *)
Lemma clip_lipschitz a v w : Rabs (clip a v - clip a w) <= Rabs (v - w).
Proof.
  unfold clip, Rmin. destruct (Rle_dec a v), (Rle_dec a w); unfold Rmax; repeat destruct (Rle_dec 0 _); unfold Rabs; repeat destruct (Rcase_abs _); lra. Qed.
Lemma clip_cases a v : 0 <= a -> clip a v = a /\ a <= v \/ clip a v = 0 /\ v <= 0 \/ clip a v = v /\ 0 <= v <= a.
Proof. intro A. unfold clip, Rmin. destruct (Rle_dec a v); unfold Rmax; destruct (Rle_dec 0 _); lra. Qed.
Lemma sum_clip_lipschitz (a z : nat -> R) ports : forall s t,
  Rabs (sum (fun l => clip (a l) (z l - s)) ports - sum (fun l => clip (a l) (z l - t)) ports) <= INR (length ports) * Rabs (s - t).
Proof.
  intros s t. induction ports as [|l k IH]; [simpl; rewrite Rminus_0_r, Rabs_R0; lra|]. cbn [sum length]. rewrite S_INR.
  pose proof (clip_lipschitz (a l) (z l - s) (z l - t)) as C. replace (z l - s - (z l - t)) with (- (s - t)) in C by ring. rewrite Rabs_Ropp in C.
  match goal with |- Rabs (?p + ?q - (?u + ?v)) <= _ => replace (p + q - (u + v)) with ((p - u) + (q - v)) by ring; pose proof (Rabs_triang (p - u) (q - v)) end. lra. Qed.
Theorem tau_exists : forall ports (a z : nat -> R) c, (forall l, 0 <= a l) -> 0 <= c -> exists tau, 0 <= tau /\
  sum (fun l => clip (a l) (z l - tau)) ports <= c /\ (tau = 0 \/ sum (fun l => clip (a l) (z l - tau)) ports = c).
Proof.
  intros ports a z c A C. set (f := fun t => sum (fun l => clip (a l) (z l - t)) ports).
  destruct (Rle_dec (f 0) c) as [L|L]; [exists 0; repeat split; auto; lra|].
  set (M := sum (fun l => Rabs (z l)) ports). assert (M0 : 0 <= M) by (apply sum_nonneg; intros; apply Rabs_pos).
  assert (F : f M = 0).
  { unfold f. rewrite (sum_ext _ (fun _ => 0)), sum_zero; auto. intros l I. pose proof (sum_term (fun l => Rabs (z l)) ports l (fun l _ => Rabs_pos _) I).
    fold M in H. pose proof (Rle_abs (z l)). unfold clip, Rmax, Rmin. specialize (A l). destruct (Rle_dec (a l) (z l - M)); destruct (Rle_dec 0 _); lra. }
  assert (K : continuity (fun t => c - f t)).
  { intros t e He. set (n := INR (length ports)). assert (N : 0 <= n) by apply pos_INR. exists (e / (n + 1)). split; [apply Rdiv_lt_0_compat; lra|].
    intros s [_ D]. simpl in *. unfold R_dist in *. replace (c - f s - (c - f t)) with (- (f s - f t)) by ring. rewrite Rabs_Ropp.
    eapply Rle_lt_trans; [apply sum_clip_lipschitz|]. fold n. apply Rle_lt_trans with (n * (e / (n + 1))); [apply Rmult_le_compat_l; lra|].
    apply Rmult_lt_reg_r with (n + 1); [lra|]. replace (n * (e / (n + 1)) * (n + 1)) with (n * e) by (field; lra). lra. }
  assert (P : 0 < M) by (destruct M0 as [|Z]; auto; exfalso; apply L; rewrite Z, F; auto).
  destruct (IVT_cor (fun t => c - f t) 0 M K (Rlt_le _ _ P)) as [t [T E]]; [rewrite F; nra|].
  exists t. split; [lra|]. fold (f t). split; [lra | right; lra]. Qed.
(* of a row: (34), multipliers >= 0, each 0 or its constraint tight *)
Definition kkt (ports : list nat) (a z : nat -> R) c (y : nat -> R) := row ports a c y /\ exists rho (mul lam : nat -> R), 0 <= rho /\
  (rho = 0 \/ sum y ports = c) /\ forall l, In l ports -> 0 <= mul l /\ 0 <= lam l /\ 2 * (y l - z l) + rho + mul l - lam l = 0 /\
    (mul l = 0 \/ y l = a l) /\ (lam l = 0 \/ y l = 0).
Theorem kkt34_37 : forall ports a z c y, (forall l, 0 <= a l) -> 0 <= c ->
  (kkt ports a z c y <-> row ports a c y /\ forall y', row ports a c y' -> square_distance ports z y <= square_distance ports z y').
Proof.
  intros ports a z c y A C. split.
  - intros [Y (rho & mul & lam & R0 & RC & H)]. split; auto. intros y' [B' C']. destruct Y as [B S].
    assert (G : forall k, incl k ports -> rho * (sum y k - sum y' k) <= square_distance k z y' - square_distance k z y).
    { induction k as [|l k IH]; intro I; [unfold square_distance; simpl; lra|]. specialize (IH (fun l' I' => I l' (or_intror I'))).
      destruct (H l (I l (or_introl eq_refl))) as (M & Lm & E & CM & CL). specialize (B l (I l (or_introl eq_refl))). specialize (B' l (I l (or_introl eq_refl))).
      unfold square_distance in *. cbn [sum]. assert (Q : rho * (y l - y' l) <= (z l - y' l) ^ 2 - (z l - y l) ^ 2); [|lra].
      assert (mul l * (y' l - y l) <= 0) by (destruct CM as [->| ->]; nra). assert (0 <= lam l * (y' l - y l)) by (destruct CL as [->| ->]; nra).
      pose proof (pow2_ge_0 (y l - y' l)). replace rho with (lam l - mul l - 2 * (y l - z l)) by lra. lra. }
    specialize (G ports (incl_refl _)). assert (0 <= rho * (sum y ports - sum y' ports)); [|lra]. destruct RC as [->|E]; [lra | rewrite E; apply Rmult_le_pos; lra].
  - intros [Y Min]. split; auto. destruct (tau_exists ports a z c A C) as (tau & T & S & F).
    destruct (clip_is_projection ports a c z tau A T S F) as [Pr Near]. set (p := fun l => clip (a l) (z l - tau)) in *.
    specialize (Near y Y). specialize (Min p Pr). change (square_distance ports z p + square_distance ports p y <= square_distance ports z y) in Near.
    assert (D : square_distance ports p y <= 0) by lra.
    assert (E : forall l, In l ports -> y l = p l).
    { intros l I. pose proof (sum_term (fun l => (p l - y l) ^ 2) ports l (fun l _ => pow2_ge_0 _) I). unfold square_distance in D.
      assert (Z : (p l - y l) * (p l - y l) = 0) by (pose proof (pow2_ge_0 (p l - y l)); lra). apply Rmult_integral in Z. lra. }
    set (s := fun l => 2 * (y l - z l) + 2 * tau). exists (2 * tau), (fun l => Rmax 0 (- s l)), (fun l => Rmax 0 (s l)).
    split; [lra|]. split; [destruct F as [->|F]; [left; lra | right; rewrite (sum_ext y p) by auto; exact F]|].
    intros l I. unfold s. rewrite (E l I). fold (p l). pose proof (clip_cases (a l) (z l - tau) (A l)) as Q. fold (p l) in Q. generalize dependent (p l). intros q Q.
    specialize (A l).
    destruct Q as [[-> Q]|[[-> Q]|[-> Q]]]; unfold Rmax; repeat destruct (Rle_dec 0 _); repeat split; try lra; (left; lra) || (right; lra). Qed.
