(* multiserver: OGASched in rationals. With exact slopes its run is the run over the reals, number by number. *)
From Schedproof Require Import sums oga oga_regret oga_utilities.
From Coq Require Import QArith Qreals FunctionalExtensionality.
Open Scope R_scope.

Definition rationals : numbers := {| number := Q; zero := 0%Q; add := fun x y => Qred (x + y); sub := fun x y => Qred (x - y);
  mul := fun x y => Qred (x * y); share := fun x n => Qred (x * (1 # Pos.of_succ_nat n)); below := Qle_bool |}.

(* the slopes of (54); for a square root, rounded down to a multiple of 2^-60 *)
Definition fine : positive := (2 ^ 60)%positive.
Definition root (x : Q) : Q := Qred (Z.sqrt (Qnum x * (Zpos fine * Zpos fine) / Zpos (Qden x)) # fine).
Definition slope54_q (u : kind * Q) (y : Q) : Q := let a := snd u in Qred match fst u with
  Linear => a | Log => a / (y + 1) | Reciprocal => 1 / ((y + a) * (y + a)) | Poly => a / (2 * root (y + 1)) end.
(* all slopes rounded, so that numbers stay short in long runs *)
Definition slope54_short (u : kind * Q) (y : Q) : Q := let s := slope54_q u y in Qred (Qnum s * Zpos fine / Zpos (Qden s) # fine).
Definition to_reals : amounts rationals -> amounts reals := map (fun e => (fst e, map (fun e => (fst e, map (fun e => (fst e, Q2R (snd e))) (snd e))) (snd e))).
Definition exact (u : kind * Q) := (0 <= snd u)%Q /\ fst u <> Poly /\ (fst u = Reciprocal -> 0 < snd u)%Q.
Definition real_utility (u : kind * Q) : kind * R := (fst u, Q2R (snd u)).

Lemma Q2R_red x : Q2R (Qred x) = Q2R x.
Proof. apply Qeq_eqR, Qred_correct. Qed.
Lemma Q2R_zero : Q2R 0 = 0.
Proof. unfold Q2R. simpl. lra. Qed.
Lemma Q2R_share x n : Q2R (share (n := rationals) x n) = share (n := reals) (Q2R x) n.
Proof.
  change (Q2R (Qred (x * (1 # Pos.of_succ_nat n))) = Q2R x / INR (S n)). rewrite Q2R_red, Q2R_mult. unfold Rdiv. f_equal. unfold Q2R. change (Qnum (1 # Pos.of_succ_nat n)) with 1%Z. change (QDen (1 # Pos.of_succ_nat n)) with (Z.of_nat (S n)).
  rewrite <- INR_IZR_INZ. ring. Qed.
Lemma Q2R_below x y : below (n := reals) (Q2R x) (Q2R y) = below (n := rationals) x y.
Proof.
  simpl. destruct (Rle_dec (Q2R x) (Q2R y)) as [L|L]; symmetry; [apply Qle_bool_iff, Rle_Qle, L|].
  apply not_true_iff_false. rewrite Qle_bool_iff. intro H. apply L, Qle_Rle, H. Qed.
Lemma slope54_exact u y : exact u -> (0 <= y)%Q -> Q2R (slope54_q u y) = slope54 (real_utility u) (Q2R y).
Proof.
  destruct u as [k a]. intros (A & P & R0) H. simpl in *. unfold slope54_q, slope54, real_utility. simpl. rewrite Q2R_red. apply Qle_Rle in H. rewrite Q2R_zero in H.
  assert (One : Q2R 1 = 1) by (unfold Q2R; simpl; lra). destruct k; [reflexivity | | |congruence].
  - rewrite Q2R_div, Q2R_plus, One; auto. intro E. apply Qeq_eqR in E. rewrite Q2R_plus, One, Q2R_zero in E. lra.
  - specialize (R0 eq_refl). apply Qlt_Rlt in R0. rewrite Q2R_zero in R0. rewrite Q2R_div, Q2R_mult, Q2R_plus, One; auto.
    intro E. apply Qeq_eqR in E. rewrite Q2R_mult, Q2R_plus, Q2R_zero in E. nra. Qed.

Section Same.
Variables (i : instance rationals) (j : instance reals).
Hypothesis same_links : links j = links i.
Hypothesis same_demands : demands j = map (map Q2R) (demands i).
Hypothesis same_capacities : capacities j = map (map Q2R) (capacities i).
Hypothesis same_overhead : overhead j = map Q2R (overhead i).
Hypothesis same_slope : forall r k y, (0 <= y)%Q -> slope j r k (Q2R y) = Q2R (slope i r k y).
Hypothesis same_total_slope : forall k y, (0 <= y)%Q -> total_slope j k (Q2R y) = Q2R (total_slope i k y).
Notation Rz := (@zero reals). Notation Qz := (@zero rationals).

Lemma same_sum {A} (f : A -> Q) l : sum_of reals (fun a => Q2R (f a)) l = Q2R (sum_of rationals f l).
Proof. induction l as [|a l IH]; [symmetry; apply Q2R_zero|]. change (Q2R (f a) + sum_of reals (fun a => Q2R (f a)) l = Q2R (Qred (f a + sum_of rationals f l))). rewrite IH, Q2R_red, Q2R_plus. reflexivity. Qed.
Lemma same_if (b : bool) x y : (if b then Q2R x else Q2R y) = Q2R (if b then x else y).
Proof. destruct b; reflexivity. Qed.
Lemma same_clipped a v : clipped reals (Q2R a) (Q2R v) = Q2R (clipped rationals a v).
Proof. unfold clipped, larger, smaller. change Rz with (IZR 0). rewrite <- Q2R_zero, Q2R_below, same_if, Q2R_below, same_if. reflexivity. Qed.
Lemma same_sub x y : sub (n := reals) (Q2R x) (Q2R y) = Q2R (sub (n := rationals) x y).
Proof. symmetry. change (Q2R (Qred (x - y)) = Q2R x - Q2R y). rewrite Q2R_red. apply Q2R_minus. Qed.
Lemma same_add x y : add (n := reals) (Q2R x) (Q2R y) = Q2R (add (n := rationals) x y).
Proof. symmetry. change (Q2R (Qred (x + y)) = Q2R x + Q2R y). rewrite Q2R_red. apply Q2R_plus. Qed.
Lemma same_mul x y : mul (n := reals) (Q2R x) (Q2R y) = Q2R (mul (n := rationals) x y).
Proof. symmetry. change (Q2R (Qred (x * y)) = Q2R x * Q2R y). rewrite Q2R_red. apply Q2R_mult. Qed.
Lemma same_filled ports a z t : filled reals ports (fun l => Q2R (a l)) (fun l => Q2R (z l)) (Q2R t) = Q2R (filled rationals ports a z t).
Proof. unfold filled. rewrite <- same_sum. f_equal. extensionality l. rewrite same_sub. apply same_clipped. Qed.
Lemma same_last_break ports a z c : last_break reals ports (fun l => Q2R (a l)) (fun l => Q2R (z l)) (Q2R c) = Q2R (last_break rationals ports a z c).
Proof.
  unfold last_break. assert (E : breakpoints reals ports (fun l => Q2R (a l)) (fun l => Q2R (z l)) = map Q2R (breakpoints rationals ports a z)).
  { unfold breakpoints. induction ports as [|l ports IH]; [reflexivity|]. cbn [flat_map app map]. rewrite IH, same_sub. reflexivity. }
  rewrite E. change Rz with (IZR 0). rewrite <- Q2R_zero. change 0%Q with Qz. generalize Qz. clear E. induction (breakpoints rationals ports a z) as [|p ps IH]; intro b; [reflexivity|].
  cbn [map fold_left]. rewrite same_filled, !Q2R_below, same_if. apply IH. Qed.
Lemma same_threshold ports a z c : threshold reals ports (fun l => Q2R (a l)) (fun l => Q2R (z l)) (Q2R c) = Q2R (threshold rationals ports a z c).
Proof.
  unfold threshold. assert (F : forall b, free reals ports (fun l => Q2R (a l)) (fun l => Q2R (z l)) (Q2R b) = free rationals ports a z b).
  { intro b. unfold free. f_equal. f_equal. extensionality l. rewrite same_sub, !Q2R_below. reflexivity. }
  rewrite same_last_break. cbv zeta. rewrite F, same_filled, same_sub, <- Q2R_share, same_add.
  change Rz with (IZR 0). rewrite <- Q2R_zero at 1. rewrite same_filled, Q2R_below. rewrite <- Q2R_zero. apply same_if. Qed.
Definition real_table (t : table Q) : table R := map (fun e => (fst e, Q2R (snd e))) t.
Lemma same_tabulate {A B} (h : A -> B) keys f : tabulate keys (fun k => h (f k)) = map (fun e => (fst e, h (snd e))) (tabulate keys f).
Proof. unfold tabulate. rewrite map_map. reflexivity. Qed.
Lemma same_look {A B} (h : A -> B) d t k : look (h d) (map (fun e => (fst e, h (snd e))) t) k = h (look d t k).
Proof. unfold look. induction t as [|[m v] t IH]; [reflexivity|]. cbn [map find fst]. destruct (m =? k)%nat; [reflexivity | exact IH]. Qed.
Lemma same_project ports a z c : project reals ports (fun l => Q2R (a l)) (fun l => Q2R (z l)) (Q2R c) = map (fun e => (fst e, Q2R (snd e))) (project rationals ports a z c).
Proof. unfold project. rewrite same_threshold. cbv zeta. rewrite <- same_tabulate. f_equal. extensionality l. rewrite same_sub. apply same_clipped. Qed.

Lemma same_nth l k : nth k (map Q2R l) Rz = Q2R (nth k l Qz).
Proof. change Rz with (IZR 0). rewrite <- Q2R_zero. apply map_nth. Qed.
Lemma same_demand l k : demand_of reals j l k = Q2R (demand_of rationals i l k).
Proof. unfold demand_of. rewrite same_demands. change (@nil (number reals)) with (map Q2R []). rewrite map_nth. apply same_nth. Qed.
Lemma same_capacity r k : capacity_of reals j r k = Q2R (capacity_of rationals i r k).
Proof. unfold capacity_of. rewrite same_capacities. change (@nil (number reals)) with (map Q2R []). rewrite map_nth. apply same_nth. Qed.
Lemma same_beta k : beta reals j k = Q2R (beta rationals i k).
Proof. unfold beta. rewrite same_overhead. apply same_nth. Qed.
Lemma same_sizes : ports_of reals j = ports_of rationals i /\ nodes_of reals j = nodes_of rationals i /\ resources_of reals j = resources_of rationals i.
Proof. unfold ports_of, nodes_of, resources_of. rewrite same_demands, same_capacities, same_overhead, !map_length. auto. Qed.
Lemma same_joined : joined reals j = joined rationals i.
Proof. unfold joined. rewrite same_links. reflexivity. Qed.
Lemma same_at_node r : at_node reals j r = at_node rationals i r.
Proof. unfold at_node. destruct same_sizes as [-> _]. rewrite same_joined. reflexivity. Qed.
Lemma same_amount y l r k : amount reals (to_reals y) l r k = Q2R (amount rationals y l r k).
Proof.
  unfold amount, to_reals. set (h1 := map (fun e : nat * Q => (fst e, Q2R (snd e)))). set (h2 := map (fun e : nat * table Q => (fst e, h1 (snd e)))).
  change (@nil (nat * table (number reals))) with (h2 []). rewrite (same_look h2). unfold h2 at 1. change (@nil (nat * number reals)) with (h1 []). rewrite (same_look h1). unfold h1 at 1.
  change Rz with (IZR 0). rewrite <- Q2R_zero. apply (same_look Q2R). Qed.
Lemma same_port_sum y l k : port_sum reals j (to_reals y) l k = Q2R (port_sum rationals i y l k).
Proof.
  unfold port_sum. destruct same_sizes as (_ & -> & _). rewrite <- same_sum, same_joined. f_equal. extensionality r. rewrite same_amount.
  change Rz with (IZR 0). rewrite <- Q2R_zero. apply same_if. Qed.
Lemma same_charge y l k : charge reals j (to_reals y) l k = Q2R (charge rationals i y l k).
Proof. unfold charge. rewrite same_beta, same_port_sum. apply same_mul. Qed.
Lemma same_dominant y l : dominant reals j (to_reals y) l = dominant rationals i y l.
Proof.
  unfold dominant. destruct same_sizes as (_ & _ & ->). generalize 0%nat. induction (resources_of rationals i) as [|k ks IH]; intro b; [reflexivity|]. cbn [fold_left].
  rewrite !same_charge, Q2R_below. apply IH. Qed.

Definition positive (y : amounts rationals) := forall l r k, (0 <= amount rationals y l r k)%Q.
Lemma sum_positive {A} (f : A -> Q) l : (forall a, 0 <= f a)%Q -> (0 <= sum_of rationals f l)%Q.
Proof. intro F. induction l as [|a l IH]; [apply Qle_refl|]. change (0 <= Qred (f a + sum_of rationals f l))%Q. rewrite Qred_correct. apply (Qle_trans _ (0 + 0)); [discriminate|]. apply Qplus_le_compat; auto. Qed.
Lemma port_sum_positive y l k : positive y -> (0 <= port_sum rationals i y l k)%Q.
Proof. intro P. apply sum_positive. intro r. destruct (joined rationals i l r); [apply P | apply Qle_refl]. Qed.
Lemma next_positive g eta x y : positive (next rationals i g eta x y).
Proof.
  intros l r k. unfold amount, next. rewrite !look_tabulate. destruct (in_dec _ r _); [|apply Qle_refl]. rewrite look_tabulate.
  destruct (in_dec _ k _); [|apply Qle_refl]. unfold project. rewrite look_tabulate. destruct (in_dec _ l _); [|apply Qle_refl].
  unfold clipped, larger. destruct (below zero _) eqn:E; [apply Qle_bool_iff, E | apply Qle_refl]. Qed.
Lemma same_gradient g x y l r k : positive y -> gradient reals j g x (to_reals y) l r k = Q2R (gradient rationals i g x y l r k).
Proof.
  intro P. unfold gradient. rewrite same_dominant, same_beta. assert (E : rise reals j g (to_reals y) l r k = Q2R (rise rationals i g y l r k)).
  { unfold rise. destruct g; [rewrite same_amount; apply same_slope, P | rewrite same_port_sum; apply same_total_slope, port_sum_positive, P]. }
  rewrite E, same_sub, same_if. change Rz with (IZR 0). rewrite <- Q2R_zero. apply same_if. Qed.
Lemma same_next g eta x y : positive y -> next reals j g (Q2R eta) x (to_reals y) = to_reals (next rationals i g eta x y).
Proof.
  intro P. set (h1 := map (fun e : nat * Q => (fst e, Q2R (snd e)))). set (h2 := map (fun e : nat * table Q => (fst e, h1 (snd e)))).
  transitivity (map (fun e : nat * table (table Q) => (fst e, h2 (snd e))) (next rationals i g eta x y)); [|reflexivity].
  unfold next. destruct same_sizes as (_ & -> & ->). rewrite <- (same_tabulate h2). f_equal. extensionality r.
  unfold h2. rewrite <- (same_tabulate h1). f_equal. extensionality k. unfold h1.
  cbv zeta. rewrite same_at_node, same_capacity, <- same_project. f_equal; [extensionality l; apply same_demand|]. extensionality l.
  change Rz with (IZR 0). rewrite <- Q2R_zero. rewrite <- (same_look Q2R), <- same_tabulate. f_equal. f_equal. extensionality m.
  rewrite same_amount, same_gradient, same_mul, same_add by auto. reflexivity. Qed.
(* the run in rationals is the run in reals *)
Theorem same_run : forall g eta x start t, positive start ->
  oga reals j g (fun t => Q2R (eta t)) x (to_reals start) t = to_reals (oga rationals i g eta x start t).
Proof.
  intros g eta x start t P. assert (Pt : forall t, positive (oga rationals i g eta x start t)) by (intros [|u]; [exact P | apply next_positive]).
  induction t as [|t IH]; [reflexivity|]. cbn [oga]. rewrite IH. apply same_next, Pt. Qed.
End Same.

(* on an instance file with Linear, log and reciprocal utilities *)
Theorem oga_rational : forall links demands capacities overhead of_nodes of_totals g eta x t l r k,
  Forall (Forall exact) of_nodes -> Forall exact of_totals ->
  amount reals (oga reals (file_instance reals slope54 links (map (map Q2R) demands) (map (map Q2R) capacities) (map Q2R overhead)
    (map (map real_utility) of_nodes) (map real_utility of_totals)) g (fun t => Q2R (eta t)) x [] t) l r k
  = Q2R (amount rationals (oga rationals (file_instance rationals slope54_q links demands capacities overhead of_nodes of_totals) g eta x [] t) l r k).
Proof.
  intros links a c b us vs g eta x t l r k U V. rewrite <- same_amount. f_equal. change (@nil (nat * table (table (number reals)))) with (to_reals []).
  assert (none : real_utility (Linear, 0%Q) = (Linear, 0)) by (unfold real_utility; simpl; rewrite Q2R_zero; reflexivity).
  assert (ok : exact (Linear, 0%Q)) by (split; [apply Qle_refl | split; discriminate]).
  assert (one : forall ls n, Forall exact ls -> exact (nth n ls (Linear, 0%Q))).
  { intros ls n F. destruct (nth_in_or_default n ls (Linear, 0%Q)) as [I| ->]; auto. rewrite Forall_forall in F. auto. }
  apply same_run; auto; [| |intros ? ? ?; apply Qle_refl]; intros; simpl; change (@zero reals) with (IZR 0); rewrite <- none.
  - change (@nil (kind * R)) with (map real_utility []). rewrite !map_nth. symmetry. apply slope54_exact; auto. apply one.
    destruct (nth_in_or_default r0 us []) as [I| ->]; [rewrite Forall_forall in U; auto | constructor].
  - rewrite map_nth. symmetry. apply slope54_exact; auto. Qed.
