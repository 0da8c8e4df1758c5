(* Theorem 1: the regret (11) of online gradient ascent on the feasible set Y of (5) and (6), for the paper's reward. *)
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

(* The constant step, for any D and G that bound the diameter and the gradients. With D = rho it is worst_case. *)
Theorem theorem1_constant : forall s q y g best rho G T,
  supergradients s q y g -> run s y g (fun _ => rho / (G * sqrt (INR T))) -> Y s best ->
  (0 < T)%nat -> 0 < rho -> 0 < G -> within s (y O) rho -> shorter s g G ->
  regret q best y T <= rho * G * sqrt (INR T).
Proof.
  intros s q y g best rho G T H R B P Q S W L. eapply Rle_trans; [apply (linear s q y g); auto|].
  apply (constant_step (allocations s) (Y s) y g rho G best T); auto.
  - rewrite distance. auto.
  - intro t. rewrite norm. auto. Qed.
Lemma diameter s y g eta D t : run s y g eta -> (forall a, Y s a -> within s a D) -> within s (y t) D.
Proof. intros R H. apply H. apply (R t). Qed.

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

(* Everything together: the paper's reward with the gain per node, its gradient (30), and the bound (39). *)
Definition slot_reward s (x : nat -> nat -> R) f beta t y (q : R) :=
  exists m, penalties s beta y m /\ q = reward s (x t) (gain_per_node s f y) m.
Definition slot_reward_of_total s (x : nat -> nat -> R) f beta t y (q : R) :=
  exists m, penalties s beta y m /\ q = reward s (x t) (gain_of_total s f y) m.
Definition rising_to (top : R) (slope : R -> R) := forall u, 0 <= u -> 0 <= slope u <= top.

Theorem theorem1_39_per_node : forall s largest top_beta top_node x f slope beta top k0 q y best T,
  let D := constant51 s largest in let G := constant48 s top_beta top_node in
  let g t := gradient30 (x t) (fun l r k => slope l r k (y t l r k)) beta (k0 t) in
  largest_demands s largest -> NoDup (resources s) -> (forall t l, x t l = 0 \/ x t l = 1) ->
  (forall l r k, tangent (f l r k) (slope l r k)) -> (forall l r k, rising_to (top r k) (slope l r k)) ->
  (forall r k, top r k <= top_node r) -> (forall k, 0 <= beta k <= top_beta) ->
  (forall t, dominates s beta (y t) (k0 t)) -> (forall t a, Y s a -> slot_reward s x f beta t a (q t a)) ->
  run s y g (fun _ => D / (G * sqrt (INR T))) -> Y s best -> (0 < T)%nat -> 0 < D -> 0 < G ->
  regret q best y T <= D * G * sqrt (INR T).
Proof.
  intros s a b w x f slope beta top k0 q y best T D G g A N X F S U B K Q R Hb HT HD HG.
  assert (inY : forall t, Y s (y t)) by (intro t; apply (R t)).
  apply (theorem1_constant s q y g); auto.
  - intros t z HZ. destruct (Q t (y t) (inY t)) as [m [P ->]]. destruct (Q t z HZ) as [mz [PZ ->]].
    apply (supergradient_per_node s (x t) f slope); auto. intro l. destruct (X t l); lra.
  - apply within51; auto.
  - apply (shorter48 s b w x (fun t l r k => slope l r k (y t l r k)) beta k0 top); auto.
    + intros t l r k. apply S. apply (inY t).
    + intros t l L. apply (K t l L). Qed.
Theorem theorem1_39_of_total : forall s largest top_beta top_node x f slope beta top k0 q y best T,
  let D := constant51 s largest in let G := constant48 s top_beta top_node in
  let g t := gradient30 (x t) (fun l r k => slope l k (port_total s (y t) l k)) beta (k0 t) in
  largest_demands s largest -> NoDup (resources s) -> (forall t l, x t l = 0 \/ x t l = 1) ->
  (forall l k, tangent (f l k) (slope l k)) -> (forall l r k, rising_to (top r k) (slope l k)) ->
  (forall r k, top r k <= top_node r) -> (forall k, 0 <= beta k <= top_beta) ->
  (forall t, dominates s beta (y t) (k0 t)) -> (forall t a, Y s a -> slot_reward_of_total s x f beta t a (q t a)) ->
  run s y g (fun _ => D / (G * sqrt (INR T))) -> Y s best -> (0 < T)%nat -> 0 < D -> 0 < G ->
  regret q best y T <= D * G * sqrt (INR T).
Proof.
  intros s a b w x f slope beta top k0 q y best T D G g A N X F S U B K Q R Hb HT HD HG.
  assert (inY : forall t, Y s (y t)) by (intro t; apply (R t)).
  apply (theorem1_constant s q y g); auto.
  - intros t z HZ. destruct (Q t (y t) (inY t)) as [m [P ->]]. destruct (Q t z HZ) as [mz [PZ ->]].
    apply (supergradient_of_total s (x t) f slope); auto. intro l. destruct (X t l); lra.
  - apply within51; auto.
  - apply (shorter48 s b w x (fun t l r k => slope l k (port_total s (y t) l k)) beta k0 top); auto.
    + intros t l r k. apply S. apply port_total_pos, inY.
    + intros t l L. apply (K t l L). Qed.

(* The other steps of the paper and of its repairs, for any D that bounds the diameter. *)
Theorem theorem1_step53 : forall s q y g (n : nat -> R) D N best T,
  supergradients s q y g -> run s y g (fun t => D / (n t * sqrt N)) -> Y s best ->
  0 < D -> INR (S T) <= N -> 0 < n O -> (forall t, n t <= n (S t)) -> (forall t, total s (fun l r k => g t l r k ^ 2) <= n t * n t) ->
  (forall a, Y s a -> within s a D) -> regret q best y (S T) <= D * n T * sqrt N.
Proof.
  intros s q y g n D N best T H R B P M Z U L W. eapply Rle_trans; [apply (linear s q y g); auto|].
  apply (largest_norm_step (allocations s) (Y s) y g n D N best T); auto.
  - intro t. rewrite norm. auto.
  - intro t. rewrite distance. apply W; auto. apply (R t). Qed.
Theorem theorem1_anytime : forall s q y g D best T,
  supergradients s q y g -> run s y g (fun t => D / sqrt (2 * upto (fun u => total s (fun l r k => g u l r k ^ 2)) (S t))) -> Y s best ->
  0 < D -> 0 < total s (fun l r k => g O l r k ^ 2) -> (forall a, Y s a -> within s a D) ->
  regret q best y (S T) <= D * sqrt (2 * upto (fun u => total s (fun l r k => g u l r k ^ 2)) (S T)).
Proof.
  intros s q y g D best T H R B P N W. eapply Rle_trans; [apply (linear s q y g); auto|].
  assert (E : forall n, upto (fun u => total s (fun l r k => g u l r k ^ 2)) n = upto (fun u => sq (V := allocations s) (g u)) n).
  { intro n. induction n; cbn [upto]; [reflexivity|]. rewrite IHn, <- norm. reflexivity. }
  rewrite E. apply (anytime_step (allocations s) (Y s) y g D best T); auto.
  - intro t. rewrite <- E. apply R.
  - rewrite norm. auto.
  - intro t. rewrite distance. apply W; auto. apply (R t). Qed.
Theorem anytime_39 : forall D G S T, 0 < D -> 0 < G -> S <= T * (G * G) -> 0 <= T -> 0 <= S ->
  D * sqrt (2 * S) <= sqrt 2 * (D * G * sqrt T).
Proof.
  intros D G S T HD HG L HT HS. rewrite sqrt_mult by lra.
  assert (sqrt S <= sqrt (T * (G * G))) by (apply sqrt_le_1_alt; lra).
  rewrite sqrt_mult in H by nra. rewrite sqrt_square in H by lra.
  pose proof (sqrt_pos 2). assert (0 <= D * sqrt 2) by nra. nra. Qed.
Theorem theorem1_decayed : forall s q y g D G eta0 lambda best T,
  supergradients s q y g -> run s y g (fun t => eta0 * lambda ^ t) -> Y s best ->
  0 < eta0 -> 0 < lambda < 1 -> (forall a, Y s a -> within s a D) -> shorter s g G ->
  regret q best y (S T) <= D * D / (2 * (eta0 * lambda ^ T)) + eta0 * (G * G) * (1 - lambda ^ (S T)) / (2 * (1 - lambda)).
Proof.
  intros s q y g D G e la best T H R B P L W K. eapply Rle_trans; [apply (linear s q y g); auto|].
  apply (decayed_step (allocations s) (Y s) y g D G e la best T); auto.
  - intro t. rewrite distance. apply W; auto. apply (R t).
  - intro t. rewrite norm. auto. Qed.
(* the best eta0 makes the two terms equal *)
Theorem decayed_best : forall D G e la T, 0 < D -> 0 < G -> 0 < la < 1 ->
  e = D / G * sqrt ((1 - la) / ((1 - la ^ (S T)) * la ^ T)) -> 0 < 1 - la ^ (S T) ->
  D * D / (2 * (e * la ^ T)) + e * (G * G) * (1 - la ^ (S T)) / (2 * (1 - la))
  = D * G * sqrt ((1 - la ^ (S T)) / ((1 - la) * la ^ T)).
Proof.
  intros D G e la T HD HG L -> P. set (p := la ^ T) in *. set (u := 1 - la ^ S T) in *. set (v := 1 - la) in *.
  assert (0 < p) by (apply pow_lt; lra). assert (0 < v) by (unfold v; lra).
  set (r := sqrt (v / (u * p))). set (w := sqrt (u / (v * p))).
  assert (up : 0 < u * p) by nra. assert (vp : 0 < v * p) by nra.
  assert (R2 : r * r = v / (u * p)) by (apply sqrt_sqrt; left; apply Rdiv_lt_0_compat; lra).
  assert (R0 : 0 < r) by (apply sqrt_lt_R0, Rdiv_lt_0_compat; lra).
  assert (RW : r * w = 1 / p).
  { unfold r, w. rewrite <- sqrt_mult by (left; apply Rdiv_lt_0_compat; lra).
    replace (v / (u * p) * (u / (v * p))) with (1 / p * (1 / p)) by (field; lra). apply sqrt_square. left; apply Rdiv_lt_0_compat; lra. }
  assert (W : w = 1 / (p * r)) by (apply Rmult_eq_reg_l with r; [rewrite RW; field; lra | lra]).
  rewrite W. assert (uv : u / v = 1 / (p * (r * r))) by (rewrite R2; field; lra).
  replace (D / G * r * (G * G) * u / (2 * v)) with (D * G * r / 2 * (u / v)) by (field; lra). rewrite uv. field. lra. Qed.
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
