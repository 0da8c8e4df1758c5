(* Allocations as a space, the regret (11), and the constants (51) and (48) of Theorem 1; oga_regret.v has the theorem. *)
From Schedproof Require Import sums ascent multiserver.
From Coq Require Import Arith.

Lemma total_ext s f g : (forall l r k, f l r k = g l r k) -> total s f = total s g.
Proof. intro H. apply Rle_antisym; apply total_le; intros; rewrite H; lra. Qed.
Lemma total_plus s f g : total s (fun l r k => f l r k + g l r k) = total s f + total s g.
Proof. rewrite !by_rows, <- sum_plus. apply sum_ext; intros r _. rewrite <- sum_plus. apply sum_ext; intros k _.
  unfold node_total. rewrite <- sum_plus. apply sum_ext; intros l _. destruct (linked s l r); simpl; lra. Qed.
Lemma total_scal s c f : total s (fun l r k => c * f l r k) = c * total s f.
Proof. rewrite !by_rows, <- sum_scal. apply sum_ext; intros r _. rewrite <- sum_scal. apply sum_ext; intros k _.
  unfold node_total. rewrite <- sum_scal. apply sum_ext; intros l _. destruct (linked s l r); simpl; lra. Qed.
Lemma total_nonneg s f : (forall l r k, 0 <= f l r k) -> 0 <= total s f.
Proof. intro H. apply sum_nonneg; intros l _. apply sum_nonneg; intros r _. destruct (linked s l r); simpl; [|lra]. apply sum_nonneg; auto. Qed.
Lemma total_square s f : 0 <= total s (fun l r k => f l r k * f l r k).
Proof. apply total_nonneg; intros; nra. Qed.

(* allocations with the usual inner product *)
Program Definition allocations (s : graph) : space := {|
  point := allocation; plus := fun a b l r k => a l r k + b l r k; scal := fun c a l r k => c * a l r k;
  dot := fun a b => total s (fun l r k => a l r k * b l r k) |}.
Next Obligation. apply total_ext; intros; lra. Qed.
Next Obligation. rewrite <- total_plus. apply total_ext; intros; lra. Qed.
Next Obligation. rewrite <- total_scal. apply total_ext; intros; lra. Qed.
Next Obligation. apply total_square. Qed.

Lemma distance s (y z : allocation) : sq (V := allocations s) (minus (V := allocations s) y z) = total s (fun l r k => (y l r k - z l r k) ^ 2).
Proof. apply total_ext; intros; simpl; lra. Qed.
Lemma norm s (g : allocation) : sq (V := allocations s) g = total s (fun l r k => g l r k ^ 2).
Proof. apply total_ext; intros; simpl; lra. Qed.
Lemma inner_dot s g (y z : allocation) : inner s g (sub z y) = dot (s := allocations s) g (minus (V := allocations s) z y).
Proof. apply total_ext; intros; simpl; unfold sub; lra. Qed.

(* The regret (11) against the fixed allocation best: what it earns more than the run y, in T slots. *)
Definition regret (q : nat -> allocation -> R) (best : allocation) (y : nat -> allocation) (T : nat) :=
  upto (fun t => q t best - q t (y t)) T.
(* g t is a supergradient of the slot's reward at y t *)
Definition supergradients s (q : nat -> allocation -> R) (y g : nat -> allocation) :=
  forall t z, Y s z -> q t z - q t (y t) <= inner s (g t) (sub z (y t)).
Definition run s (y g : nat -> allocation) eta := ascent (allocations s) (Y s) y g eta.
Definition within s (c : allocation) (rho : R) := forall z, Y s z -> total s (fun l r k => (c l r k - z l r k) ^ 2) <= rho * rho.
Definition shorter s (g : nat -> allocation) (G : R) := forall t, total s (fun l r k => g t l r k ^ 2) <= G * G.

Lemma linear s q y g best T : supergradients s q y g -> Y s best -> regret q best y T <= linear_regret (V := allocations s) y g best T.
Proof. intros H B. apply upto_le. intros t _. rewrite <- inner_dot. auto. Qed.

(* The bound (39): the constants (51) and (48) in the place of D and G. *)
Definition constant51 s (largest : nat -> R) := sqrt (2 * sum (fun r => sum (fun k => largest k * capacity s r k) (resources s)) (nodes s)).
Definition constant48 s (top_beta : R) (top_node : nat -> R) := sqrt (sum (fun l => sum (fun r =>
  on (linked s l r) (top_beta ^ 2 + INR (length (resources s)) * top_node r ^ 2)) (nodes s)) (ports s)).
Definition largest_demands s (largest : nat -> R) := forall l k, demand s l k <= largest k /\ 0 <= largest k.

Lemma within51 s a y : largest_demands s a -> Y s y -> within s y (constant51 s a).
Proof.
  intros A HY z HZ. pose proof (diameter51 s a y z HY HZ (fun l k => proj1 (A l k)) (fun k => proj2 (A O k))) as D.
  unfold constant51. rewrite sqrt_sqrt; auto. eapply Rle_trans; [|apply D].
  apply total_nonneg; intros; apply pow2_ge_0. Qed.
Lemma shorter48 s b w (x : nat -> nat -> R) slope beta k0 (top : nat -> nat -> R) : NoDup (resources s) -> (forall t l, x t l = 0 \/ x t l = 1) ->
  (forall t l r k, 0 <= slope t l r k <= top r k) -> (forall t l, In l (ports s) -> In (k0 t l) (resources s)) ->
  (forall r k, top r k <= w r) -> (forall k, 0 <= beta k <= b) ->
  shorter s (fun t => gradient30 (x t) (slope t) beta (k0 t)) (constant48 s b w).
Proof.
  intros N X F K T B t. pose proof (bound48 s (x t) (slope t) beta (k0 t) top w b N (X t) (F t) (K t) T B) as H.
  unfold constant48. rewrite sqrt_sqrt; auto. eapply Rle_trans; [|apply H].
  apply total_nonneg; intros; apply pow2_ge_0. Qed.

(* slopes from 0 to top *)
Definition rising_to (top : R) (slope : R -> R) := forall u, 0 <= u -> 0 <= slope u <= top.

(* the first bound grows by at most sqrt 2 less from y(1) = 0 *)
Theorem from_zero : forall s largest, largest_demands s largest ->
  within s (fun _ _ _ => 0) (constant51 s largest / sqrt 2).
Proof.
  intros s a A z HZ. pose proof (distance_from_zero s a z HZ (fun l k => proj1 (A l k)) (fun k => proj2 (A O k))) as H.
  rewrite (total_ext s _ (fun l r k => z l r k ^ 2)) by (intros; lra). unfold constant51.
  set (S := sum _ (nodes s)) in *. assert (0 <= S) by (eapply Rle_trans; [|apply H]; apply total_nonneg; intros; apply pow2_ge_0).
  rewrite sqrt_mult by lra. assert (0 < sqrt 2) by (apply sqrt_lt_R0; lra).
  replace (sqrt 2 * sqrt S / sqrt 2 * (sqrt 2 * sqrt S / sqrt 2)) with (sqrt S * sqrt S) by (field; lra). rewrite sqrt_sqrt; auto. Qed.
(* (48) grows with the number of ports at most like its root *)
Theorem sublinear_ports : forall s b w,
  constant48 s b w <= sqrt (INR (length (ports s))) * sqrt (sum (fun r => b ^ 2 + INR (length (resources s)) * w r ^ 2) (nodes s)).
Proof.
  intros s b w. pose proof (pos_INR (length (resources s))) as K.
  assert (P : forall r, 0 <= b ^ 2 + INR (length (resources s)) * w r ^ 2).
  { intro r. pose proof (pow2_ge_0 b). pose proof (pow2_ge_0 (w r)). nra. }
  rewrite <- sqrt_mult; [|apply pos_INR | apply sum_nonneg; auto]. apply sqrt_le_1_alt. rewrite <- (sum_const _ (ports s)).
  apply sum_le; intros l _. apply sum_le; intros r _. specialize (P r). destruct (linked s l r); simpl on; lra. Qed.
(* Where D or G is 0 nothing is better. *)
Theorem no_diameter_or_no_gradient : forall s q y g best T, supergradients s q y g -> Y s best ->
  (forall t, within s (y t) 0) \/ shorter s g 0 -> regret q best y T <= 0.
Proof.
  intros s q y g best T H B Z. eapply Rle_trans; [apply (linear s q y g); auto|]. unfold linear_regret.
  replace 0 with (INR T * 0) by lra. apply upto_bound. intros t _. destruct Z as [Z|Z].
  - rewrite dot_comm. apply null. specialize (Z t best B).
    eapply Rle_trans; [|replace 0 with (0 * 0) by lra; apply Z]. right. apply total_ext; intros; simpl; lra.
  - apply null. rewrite norm. specialize (Z t). lra. Qed.
