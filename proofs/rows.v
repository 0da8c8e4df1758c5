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
