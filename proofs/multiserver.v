(* Ports, nodes and resources: the feasible set Y of (5) and (6), the reward (7), its gradient (30), the constants
   (48) and (51), and the regret of Theorem 1 with them.
   An allocation y has an amount y l r k for port l, node r and resource k; `linked l r` says that r is one of R_l. *)
From Schedproof Require Import sums ascent.
From Coq Require Import Arith Bool.

Record graph := { ports : list nat; nodes : list nat; resources : list nat; linked : nat -> nat -> bool;
  demand : nat -> nat -> R;      (* a_l^k *)
  capacity : nat -> nat -> R }.  (* c_r^k *)
Definition allocation := nat -> nat -> nat -> R.
Definition on (b : bool) (v : R) := if b then v else 0.
Definition node_total (s : graph) (f : allocation) r k := sum (fun l => on (linked s l r) (f l r k)) (ports s).
Definition port_total (s : graph) (f : allocation) l k := sum (fun r => on (linked s l r) (f l r k)) (nodes s).
Definition total (s : graph) (f : allocation) :=
  sum (fun l => sum (fun r => on (linked s l r) (sum (fun k => f l r k) (resources s))) (nodes s)) (ports s).
Definition Y (s : graph) (y : allocation) :=
  (forall l r k, 0 <= y l r k <= demand s l k) /\
  (forall r k, In r (nodes s) -> In k (resources s) -> node_total s y r k <= capacity s r k).

Lemma on_sum {A} b (f : A -> R) l : on b (sum f l) = sum (fun a => on b (f a)) l.
Proof. destruct b; simpl; [reflexivity | now rewrite sum_zero]. Qed.
Lemma on_le b u v : (b = true -> u <= v) -> on b u <= on b v.
Proof. destruct b; simpl; intros; [auto | lra]. Qed.
Lemma by_rows s f : total s f = sum (fun r => sum (fun k => node_total s f r k) (resources s)) (nodes s).
Proof.
  unfold total, node_total. rewrite sum_swap. apply sum_ext; intros r _. rewrite sum_swap.
  apply sum_ext; intros l _. apply on_sum. Qed.
Lemma by_ports s f : total s f = sum (fun l => sum (fun k => port_total s f l k) (resources s)) (ports s).
Proof.
  unfold total, port_total. apply sum_ext; intros l _. rewrite sum_swap. apply sum_ext; intros r _. apply on_sum. Qed.
Lemma total_le s f g : (forall l r k, In l (ports s) -> In r (nodes s) -> In k (resources s) -> linked s l r = true ->
  f l r k <= g l r k) -> total s f <= total s g.
Proof. intro H. apply sum_le; intros l L. apply sum_le; intros r Hr. apply on_le; intro B. apply sum_le; auto. Qed.

(* The feasible set is convex. *)
Theorem proposition1_convex : forall s y z w, Y s y -> Y s z -> 0 <= w <= 1 ->
  Y s (fun l r k => w * y l r k + (1 - w) * z l r k).
Proof.
  intros s y z w [B1 C1] [B2 C2] W. split.
  - intros l r k. specialize (B1 l r k). specialize (B2 l r k). nra.
  - intros r k Hr Hk. specialize (C1 r k Hr Hk). specialize (C2 r k Hr Hk).
    replace (node_total s (fun l r k => w * y l r k + (1 - w) * z l r k) r k)
      with (w * node_total s y r k + (1 - w) * node_total s z r k); [nra|].
    unfold node_total. rewrite <- !sum_scal, <- sum_plus. apply sum_ext; intros l _.
    destruct (linked s l r); simpl; lra. Qed.

(* (51): the square of the diameter is at most twice the sum of the largest demands times the capacities. *)
Theorem diameter51 : forall s (largest : nat -> R) y z, Y s y -> Y s z ->
  (forall l k, demand s l k <= largest k) -> (forall k, 0 <= largest k) ->
  total s (fun l r k => (y l r k - z l r k) ^ 2)
  <= 2 * sum (fun r => sum (fun k => largest k * capacity s r k) (resources s)) (nodes s).
Proof.
  intros s a y z [B1 C1] [B2 C2] A P. rewrite by_rows, <- sum_scal. apply sum_le; intros r Hr.
  rewrite <- sum_scal. apply sum_le; intros k Hk.
  apply Rle_trans with (a k * node_total s y r k + a k * node_total s z r k).
  - unfold node_total. rewrite <- !sum_scal, <- sum_plus. apply sum_le; intros l _.
    destruct (linked s l r); simpl; [|lra]. specialize (B1 l r k). specialize (B2 l r k). specialize (A l k). nra.
  - specialize (C1 r k Hr Hk). specialize (C2 r k Hr Hk). specialize (P k). nra. Qed.

(* The sharper form: m = min (a, c), and M the largest m of the row's ports. *)
Definition tightest s l r k := Rmin (demand s l k) (capacity s r k).
Lemma below_tightest s w r k l : Y s w -> In r (nodes s) -> In k (resources s) -> In l (ports s) ->
  linked s l r = true -> 0 <= w l r k <= tightest s l r k.
Proof.
  intros [B C] Hr Hk Hl L. pose proof (B l r k). specialize (C r k Hr Hk). split; [lra|]. apply Rmin_glb; [lra|].
  apply Rle_trans with (node_total s w r k); auto.
  apply Rle_trans with (on (linked s l r) (w l r k)); [rewrite L; simpl; lra|].
  apply (sum_term (fun l => on (linked s l r) (w l r k)) (ports s) l); auto.
  intros l' _. destruct (linked s l' r); simpl; [apply B | lra]. Qed.
Theorem diameter51_sharp : forall s (M : nat -> nat -> R) y z, Y s y -> Y s z ->
  (forall l r k, linked s l r = true -> tightest s l r k <= M r k) -> (forall r k, 0 <= M r k) ->
  total s (fun l r k => (y l r k - z l r k) ^ 2)
  <= sum (fun r => sum (fun k => Rmin (node_total s (fun l r k => tightest s l r k ^ 2) r k)
       (2 * M r k * Rmin (capacity s r k) (node_total s (tightest s) r k))) (resources s)) (nodes s).
Proof.
  intros s M y z HY HZ HM M0. rewrite by_rows. apply sum_le; intros r Hr. apply sum_le; intros k Hk.
  apply Rmin_glb.
  - apply sum_le; intros l Hl. apply on_le; intro L.
    pose proof (below_tightest s y r k l HY Hr Hk Hl L). pose proof (below_tightest s z r k l HZ Hr Hk Hl L). nra.
  - apply Rle_trans with (M r k * node_total s y r k + M r k * node_total s z r k).
    + unfold node_total. rewrite <- !sum_scal, <- sum_plus. apply sum_le; intros l Hl.
      destruct (linked s l r) eqn:L; simpl; [|lra]. specialize (HM l r k L).
      pose proof (below_tightest s y r k l HY Hr Hk Hl L). pose proof (below_tightest s z r k l HZ Hr Hk Hl L). nra.
    + assert (side : forall w, Y s w -> node_total s w r k <= Rmin (capacity s r k) (node_total s (tightest s) r k)).
      { intros w W. apply Rmin_glb; [apply W; auto|]. apply sum_le; intros l Hl. apply on_le; intro L.
        apply (below_tightest s w r k l W Hr Hk Hl L). }
      pose proof (side y HY). pose proof (side z HZ). specialize (M0 r k). nra. Qed.

(* From the first point 0: the square of the distance is at most half of (51) squared. *)
Theorem distance_from_zero : forall s (largest : nat -> R) y, Y s y ->
  (forall l k, demand s l k <= largest k) -> (forall k, 0 <= largest k) ->
  total s (fun l r k => y l r k ^ 2) <= sum (fun r => sum (fun k => largest k * capacity s r k) (resources s)) (nodes s).
Proof.
  intros s a y [B C] A P. rewrite by_rows. apply sum_le; intros r Hr. apply sum_le; intros k Hk.
  apply Rle_trans with (a k * node_total s y r k).
  - unfold node_total. rewrite <- sum_scal. apply sum_le; intros l _. destruct (linked s l r); simpl; [|lra].
    specialize (B l r k). specialize (A l k). nra.
  - specialize (C r k Hr Hk). specialize (P k). nra. Qed.

(* diam (Y) <= sqrt 2 times the largest distance from 0 *)
Theorem zero_or_diameter : forall s (far : R) y z, Y s y -> Y s z ->
  (forall w, Y s w -> total s (fun l r k => w l r k ^ 2) <= far) ->
  total s (fun l r k => (y l r k - z l r k) ^ 2) <= 2 * far.
Proof.
  intros s far y z HY HZ F. pose proof (F y HY). pose proof (F z HZ).
  apply Rle_trans with (total s (fun l r k => y l r k ^ 2) + total s (fun l r k => z l r k ^ 2)); [|lra].
  rewrite !by_rows, <- sum_plus. apply sum_le; intros r Hr. rewrite <- sum_plus. apply sum_le; intros k Hk.
  unfold node_total. rewrite <- sum_plus. apply sum_le; intros l Hl. destruct (linked s l r); simpl; [|lra].
  destruct HY as [B1 _], HZ as [B2 _]. specialize (B1 l r k). specialize (B2 l r k). nra. Qed.

(* --- the reward (7) and its gradient (30) ------------------------------------------------------------------------- *)

Definition largest_of (f : nat -> R) (ks : list nat) (m : R) := (exists k, In k ks /\ m = f k) /\ forall k, In k ks -> f k <= m.
Definition only (k0 k : nat) (v : R) := if Nat.eq_dec k k0 then v else 0.
(* the gradient: the slope of the gain, less the overhead beta of the port's dominant resource, where a job came *)
Definition gradient30 (x : nat -> R) (slope : allocation) (beta : nat -> R) (dominant : nat -> nat) : allocation :=
  fun l r k => x l * (slope l r k - only (dominant l) k (beta k)).

Lemma sum_only k0 v ks : NoDup ks -> In k0 ks -> sum (fun k => only k0 k (v k)) ks = v k0.
Proof.
  induction 1 as [|k ks N D IH]; simpl; intros I; [tauto|]. unfold only at 1. destruct (Nat.eq_dec k k0) as [->|E].
  - rewrite (sum_ext _ (fun _ => 0)); [rewrite sum_zero; lra|]. intros k K. unfold only. destruct (Nat.eq_dec k k0); [subst; tauto | reflexivity].
  - rewrite IH; [lra | destruct I; [congruence | auto]]. Qed.

(* (48), with the sharper bound for which the dominant resource of a port is the same at all its nodes *)
Definition channel48 (top : nat -> nat -> R) (beta : nat -> R) (ks : list nat) r k0 :=
  sum (fun k => if Nat.eq_dec k k0 then Rmax (beta k ^ 2) ((top r k - beta k) ^ 2) else top r k ^ 2) ks.
Theorem bound48_sharp : forall s x slope beta dominant (top : nat -> nat -> R) (worst : nat -> R),
  (forall l, x l = 0 \/ x l = 1) -> (forall l r k, 0 <= slope l r k <= top r k) ->
  (forall l, In l (ports s) -> In (dominant l) (resources s)) ->
  (forall l k, In k (resources s) -> sum (fun r => on (linked s l r) (channel48 top beta (resources s) r k)) (nodes s) <= worst l) ->
  total s (fun l r k => gradient30 x slope beta dominant l r k ^ 2) <= sum worst (ports s).
Proof.
  intros s x f beta k0 top worst X F K W. apply sum_le; intros l Hl.
  apply Rle_trans with (sum (fun r => on (linked s l r) (channel48 top beta (resources s) r (k0 l))) (nodes s)); auto.
  apply sum_le; intros r _. apply on_le; intros _. apply sum_le; intros k _. unfold gradient30, only.
  specialize (F l r k). destruct (Nat.eq_dec k (k0 l)).
  - pose proof (Rmax_l (beta k ^ 2) ((top r k - beta k) ^ 2)). pose proof (Rmax_r (beta k ^ 2) ((top r k - beta k) ^ 2)).
    destruct (X l) as [->| ->]; [pose proof (pow2_ge_0 (beta k)); nra|].
    destruct (Rle_lt_dec (2 * beta k) (f l r k + 0)); nra.
  - destruct (X l) as [->| ->]; nra. Qed.
Theorem bound48 : forall s x slope beta dominant (top : nat -> nat -> R) (top_node : nat -> R) (top_beta : R),
  NoDup (resources s) -> (forall l, x l = 0 \/ x l = 1) -> (forall l r k, 0 <= slope l r k <= top r k) ->
  (forall l, In l (ports s) -> In (dominant l) (resources s)) ->
  (forall r k, top r k <= top_node r) -> (forall k, 0 <= beta k <= top_beta) ->
  total s (fun l r k => gradient30 x slope beta dominant l r k ^ 2)
  <= sum (fun l => sum (fun r => on (linked s l r) (top_beta ^ 2 + INR (length (resources s)) * top_node r ^ 2)) (nodes s)) (ports s).
Proof.
  intros s x f beta k0 top w b N X F K T B. apply sum_le; intros l Hl. apply sum_le; intros r _. apply on_le; intros _.
  apply Rle_trans with (sum (fun k => w r ^ 2 + only (k0 l) k (b ^ 2)) (resources s)).
  - apply sum_le; intros k _. unfold gradient30, only. specialize (F l r k). specialize (T r k). specialize (B k).
    destruct (Nat.eq_dec k (k0 l)); destruct (X l) as [->| ->]; nra.
  - rewrite sum_plus, sum_const, (sum_only (k0 l) (fun _ => b ^ 2)); auto. lra. Qed.

(* The reward with the gain summed over nodes, as in (12), and with the gain of the port's total, as in (7). *)
Definition gain_per_node s (f : nat -> nat -> nat -> R -> R) (y : allocation) l :=
  sum (fun r => on (linked s l r) (sum (fun k => f l r k (y l r k)) (resources s))) (nodes s).
Definition gain_of_total s (f : nat -> nat -> R -> R) (y : allocation) l :=
  sum (fun k => f l k (port_total s y l k)) (resources s).
Definition overheads s (beta : nat -> R) y l k := beta k * port_total s y l k.
Definition reward s (x : nat -> R) (gain penalty : nat -> R) := sum (fun l => x l * (gain l - penalty l)) (ports s).
Definition inner s (g d : allocation) := total s (fun l r k => g l r k * d l r k).
Definition sub (y z : allocation) : allocation := fun l r k => y l r k - z l r k.
(* a differentiable concave f lies below its tangents *)
Definition tangent (f : R -> R) (slope : R -> R) := forall u v, 0 <= u -> 0 <= v -> f v <= f u + slope u * (v - u).

Lemma port_total_sub s y z l k : port_total s (sub z y) l k = port_total s z l k - port_total s y l k.
Proof. unfold port_total. rewrite <- sum_minus. apply sum_ext; intros r _. destruct (linked s l r); simpl; unfold sub; lra. Qed.
Lemma port_total_pos s y l k : Y s y -> 0 <= port_total s y l k.
Proof. intros [B _]. apply sum_nonneg; intros r _. destruct (linked s l r); simpl; [apply B | lra]. Qed.
Lemma inner_by_ports s x slope beta k0 y z : NoDup (resources s) ->
  (forall l, In l (ports s) -> In (k0 l) (resources s)) ->
  inner s (gradient30 x slope beta k0) (sub z y)
  = sum (fun l => x l * (sum (fun r => on (linked s l r) (sum (fun k => slope l r k * (z l r k - y l r k)) (resources s))) (nodes s)
      - (overheads s beta z l (k0 l) - overheads s beta y l (k0 l)))) (ports s).
Proof.
  intros N K. unfold inner, total. apply sum_ext; intros l Hl. unfold overheads.
  rewrite <- Rmult_minus_distr_l, <- port_total_sub. unfold port_total.
  rewrite <- sum_scal, <- sum_minus, <- sum_scal. apply sum_ext; intros r _. destruct (linked s l r); simpl; [|lra].
  rewrite (sum_ext _ (fun k => x l * (slope l r k * (z l r k - y l r k)) - only (k0 l) k (x l * beta k * (z l r k - y l r k)))).
  - rewrite sum_minus, sum_scal, (sum_only (k0 l) (fun k => x l * beta k * (z l r k - y l r k))); auto. unfold sub. lra.
  - intros k _. unfold gradient30, only, sub. destruct (Nat.eq_dec k (k0 l)); lra. Qed.

Definition dominates s beta y (k0 : nat -> nat) := forall l, In l (ports s) ->
  In (k0 l) (resources s) /\ forall k, In k (resources s) -> overheads s beta y l k <= overheads s beta y l (k0 l).
Definition penalties s beta y (m : nat -> R) := forall l, In l (ports s) -> largest_of (overheads s beta y l) (resources s) (m l).

Lemma penalty_is s beta y k0 m l : dominates s beta y k0 -> penalties s beta y m -> In l (ports s) ->
  m l = overheads s beta y l (k0 l).
Proof. intros D P L. destruct (D l L) as [I U]. destruct (P l L) as [[k [K E]] V]. specialize (U k K). specialize (V _ I). lra. Qed.

(* (30) is a supergradient at every feasible y, whichever maximiser of (27) is taken. *)
Theorem supergradient_per_node : forall s x f slope beta k0 y z my mz, NoDup (resources s) ->
  (forall l, 0 <= x l) -> (forall l r k, tangent (f l r k) (slope l r k)) -> Y s y -> Y s z ->
  dominates s beta y k0 -> penalties s beta y my -> penalties s beta z mz ->
  reward s x (gain_per_node s f z) mz - reward s x (gain_per_node s f y) my
  <= inner s (gradient30 x (fun l r k => slope l r k (y l r k)) beta k0) (sub z y).
Proof.
  intros s x f slope beta k0 y z my mz N X F HY HZ D PY PZ. rewrite inner_by_ports by (auto; apply D).
  unfold reward. rewrite <- sum_minus. apply sum_le; intros l Hl.
  rewrite (penalty_is s beta y k0 my l D PY Hl). destruct (D l Hl) as [I _]. destruct (PZ l Hl) as [_ V]. specialize (V _ I).
  assert (G : gain_per_node s f z l - gain_per_node s f y l
    <= sum (fun r => on (linked s l r) (sum (fun k => slope l r k (y l r k) * (z l r k - y l r k)) (resources s))) (nodes s)).
  { unfold gain_per_node. rewrite <- sum_minus. apply sum_le; intros r _. destruct (linked s l r); simpl; [|lra].
    rewrite <- sum_minus. apply sum_le; intros k _.
    pose proof (F l r k (y l r k) (z l r k) (proj1 (proj1 HY l r k)) (proj1 (proj1 HZ l r k))). lra. }
  specialize (X l). nra. Qed.
Theorem supergradient_of_total : forall s x f slope beta k0 y z my mz, NoDup (resources s) ->
  (forall l, 0 <= x l) -> (forall l k, tangent (f l k) (slope l k)) -> Y s y -> Y s z ->
  dominates s beta y k0 -> penalties s beta y my -> penalties s beta z mz ->
  reward s x (gain_of_total s f z) mz - reward s x (gain_of_total s f y) my
  <= inner s (gradient30 x (fun l r k => slope l k (port_total s y l k)) beta k0) (sub z y).
Proof.
  intros s x f slope beta k0 y z my mz N X F HY HZ D PY PZ. rewrite inner_by_ports by (auto; apply D).
  unfold reward. rewrite <- sum_minus. apply sum_le; intros l Hl.
  rewrite (penalty_is s beta y k0 my l D PY Hl). destruct (D l Hl) as [I _]. destruct (PZ l Hl) as [_ V]. specialize (V _ I).
  assert (G : gain_of_total s f z l - gain_of_total s f y l
    <= sum (fun r => on (linked s l r) (sum (fun k => slope l k (port_total s y l k) * (z l r k - y l r k)) (resources s))) (nodes s)).
  { unfold gain_of_total. rewrite <- sum_minus.
    rewrite (sum_ext (fun r => on _ _) (fun r => sum (fun k => on (linked s l r) (slope l k (port_total s y l k) * (z l r k - y l r k))) (resources s)))
      by (intros; apply on_sum).
    rewrite sum_swap. apply sum_le; intros k _.
    pose proof (F l k (port_total s y l k) (port_total s z l k) (port_total_pos s y l k HY) (port_total_pos s z l k HZ)).
    rewrite (sum_ext _ (fun r => slope l k (port_total s y l k) * on (linked s l r) (sub z y l r k)))
      by (intros r _; destruct (linked s l r); unfold sub; simpl; lra).
    rewrite sum_scal. change (sum (fun r => on (linked s l r) (sub z y l r k)) (nodes s)) with (port_total s (sub z y) l k).
    rewrite port_total_sub. lra. }
  specialize (X l). nra. Qed.

(* Proposition 1: the reward is concave. *)
Definition concave (f : R -> R) := forall u v w, 0 <= u -> 0 <= v -> 0 <= w <= 1 -> w * f u + (1 - w) * f v <= f (w * u + (1 - w) * v).
Definition mix w (y z : allocation) : allocation := fun l r k => w * y l r k + (1 - w) * z l r k.
Lemma port_total_mix s w y z l k : port_total s (mix w y z) l k = w * port_total s y l k + (1 - w) * port_total s z l k.
Proof. unfold port_total. rewrite <- !sum_scal, <- sum_plus. apply sum_ext; intros r _. destruct (linked s l r); simpl; unfold mix; lra. Qed.
Lemma penalty_convex s beta y z w my mz mm l : 0 <= w <= 1 -> In l (ports s) -> penalties s beta y my -> penalties s beta z mz ->
  penalties s beta (mix w y z) mm -> mm l <= w * my l + (1 - w) * mz l.
Proof.
  intros W L PY PZ PM. destruct (PM l L) as [[k [K ->]] _]. destruct (PY l L) as [_ U]. destruct (PZ l L) as [_ V].
  specialize (U k K). specialize (V k K). unfold overheads in *. rewrite port_total_mix. nra. Qed.
Theorem concave_per_node : forall s x f beta y z w my mz mm, (forall l, 0 <= x l) -> (forall l r k, concave (f l r k)) ->
  Y s y -> Y s z -> 0 <= w <= 1 -> penalties s beta y my -> penalties s beta z mz -> penalties s beta (mix w y z) mm ->
  w * reward s x (gain_per_node s f y) my + (1 - w) * reward s x (gain_per_node s f z) mz
  <= reward s x (gain_per_node s f (mix w y z)) mm.
Proof.
  intros s x f beta y z w my mz mm X F HY HZ W PY PZ PM. unfold reward. rewrite <- !sum_scal, <- sum_plus.
  apply sum_le; intros l L. pose proof (penalty_convex s beta y z w my mz mm l W L PY PZ PM) as P.
  assert (G : w * gain_per_node s f y l + (1 - w) * gain_per_node s f z l <= gain_per_node s f (mix w y z) l).
  { unfold gain_per_node. rewrite <- !sum_scal, <- sum_plus. apply sum_le; intros r _. destruct (linked s l r); simpl; [|lra].
    rewrite <- !sum_scal, <- sum_plus. apply sum_le; intros k _. apply F; [apply HY | apply HZ | auto]. }
  specialize (X l). nra. Qed.
Theorem concave_of_total : forall s x f beta y z w my mz mm, (forall l, 0 <= x l) -> (forall l k, concave (f l k)) ->
  Y s y -> Y s z -> 0 <= w <= 1 -> penalties s beta y my -> penalties s beta z mz -> penalties s beta (mix w y z) mm ->
  w * reward s x (gain_of_total s f y) my + (1 - w) * reward s x (gain_of_total s f z) mz
  <= reward s x (gain_of_total s f (mix w y z)) mm.
Proof.
  intros s x f beta y z w my mz mm X F HY HZ W PY PZ PM. unfold reward. rewrite <- !sum_scal, <- sum_plus.
  apply sum_le; intros l L. pose proof (penalty_convex s beta y z w my mz mm l W L PY PZ PM) as P.
  assert (G : w * gain_of_total s f y l + (1 - w) * gain_of_total s f z l <= gain_of_total s f (mix w y z) l).
  { unfold gain_of_total. rewrite <- !sum_scal, <- sum_plus. apply sum_le; intros k _. rewrite port_total_mix.
    apply F; [apply port_total_pos; auto | apply port_total_pos; auto | auto]. }
  specialize (X l). nra. Qed.
