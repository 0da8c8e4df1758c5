(* dmlrs: what prices keep out and let in, what a job needs, and the accounting of Lemmas 8 to 10. *)
From Schedproof Require Import sums.
From Coq Require Import Arith.

(* A slot trains at most F/c samples, so that V of them take at least `least` slots, the ceiling of V c/F. *)
Definition ceiling (n : nat) (x : R) := x <= INR n /\ INR n < x + 1.
Lemma ceiling_least n x m : ceiling n x -> x <= INR m -> (n <= m)%nat.
Proof. intros [_ B] H. assert (INR n < INR (S m)) by (rewrite S_INR; lra). apply INR_lt in H0. lia. Qed.
Theorem slots_needed : forall (trained : nat -> R) (slots : list nat) V F c least, 0 < F -> 0 < c ->
  (forall t, In t slots -> trained t <= F / c) -> V <= sum trained slots -> ceiling least (V * c / F) -> (least <= length slots)%nat.
Proof.
  intros tr sl V F c least HF Hc T S L. apply (ceiling_least _ _ _ L).
  assert (sum tr sl <= INR (length sl) * (F / c)) by (rewrite <- (sum_const (F / c) sl); apply sum_le; auto).
  apply Rmult_le_reg_r with (F / c); [apply Rdiv_lt_0_compat; auto|]. replace (V * c / F * (F / c)) with V by (field; lra). lra. Qed.
(* A schedule has w workers and p parameter servers at a spot; u does not increase with the slots that it takes. *)
Definition falling (u : nat -> R) := forall m n, (m <= n)%nat -> u n <= u m.
Lemma smallest_use alpha beta unit w p : 0 <= alpha -> 0 <= beta -> (0 < alpha -> unit <= alpha) -> (0 < beta -> unit <= beta) ->
  0 < alpha * INR w + beta * INR p -> unit <= alpha * INR w + beta * INR p.
Proof.
  intros A B UA UB P. pose proof (pos_INR w) as W. pose proof (pos_INR p) as Q. assert (W1 : w = O \/ 1 <= INR w) by (destruct w; [auto | right; rewrite S_INR; pose proof (pos_INR w); lra]).
  assert (Q1 : p = O \/ 1 <= INR p) by (destruct p; [auto | right; rewrite S_INR; pose proof (pos_INR p); lra]).
  destruct A as [A|A]; destruct B as [B|B]; destruct W1 as [->|W1]; destruct Q1 as [->|Q1]; simpl in *; try specialize (UA ltac:(auto)); try specialize (UB ltac:(auto)); try (rewrite <- A in *); try (rewrite <- B in *); try lra; nra. Qed.
Theorem price_blocks : forall u least n alpha beta unit w p Ur price, falling u -> (least <= n)%nat ->
  0 <= alpha -> 0 <= beta -> 0 < unit -> (0 < alpha -> unit <= alpha) -> (0 < beta -> unit <= beta) -> 0 <= u n ->
  u least / unit <= Ur -> Ur <= price -> 0 < alpha * INR w + beta * INR p -> u n - price * (alpha * INR w + beta * INR p) <= 0.
Proof.
  intros u least n al be un w p Ur price F L A B U UA UB P T Q use. pose proof (smallest_use al be un w p A B UA UB use) as S. specialize (F least n L).
  set (a := al * INR w + be * INR p) in *. assert (u least <= Ur * un). { apply Rmult_le_reg_r with (/ un); [apply Rinv_0_lt_compat; auto|]. replace (Ur * un * / un) with Ur by (field; lra). auto. }
  assert (0 <= Ur) by nra. nra. Qed.
(* a schedule has a worker and a parameter server at least, so it uses alpha + beta *)
Theorem unit_utilities : forall u least n alpha beta w p Ur, falling u -> (least <= n)%nat -> 0 <= alpha -> 0 <= beta ->
  (1 <= w)%nat -> (1 <= p)%nat -> 0 <= u n -> 0 < alpha + beta -> u least / (alpha + beta) <= Ur -> u n <= Ur * (alpha * INR w + beta * INR p).
Proof.
  intros u least n al be w p Ur F L A B W P U0 S T. specialize (F least n L). apply le_INR in W. apply le_INR in P. simpl in W, P.
  assert (u least <= Ur * (al + be)). { apply Rmult_le_reg_r with (/ (al + be)); [apply Rinv_0_lt_compat; auto|]. replace (Ur * (al + be) * / (al + be)) with Ur by (field; lra). auto. }
  assert (0 <= Ur) by nra. assert (al + be <= al * INR w + be * INR p) by nra. nra. Qed.

(* (14): L = u_i(T - a_i)/(2 mu n_i) at most for each job that counts, mu n_i being at least all capacities over all slots. *)
Theorem d0_half_opt : forall total L mu n u OPT, 0 <= total -> 0 < mu * n -> total <= mu * n -> 0 <= u -> L <= u / (2 * (mu * n)) -> u <= OPT ->
  total * L <= OPT / 2.
Proof.
  intros T L mu n u O T0 P Q U H B. apply Rle_trans with (T * (u / (2 * (mu * n)))); [apply Rmult_le_compat_l; auto|].
  apply Rle_trans with (mu * n * (u / (2 * (mu * n)))); [apply Rmult_le_compat_r; auto; apply Rmult_le_pos; [auto | left; apply Rinv_0_lt_compat; lra]|].
  replace (mu * n * (u / (2 * (mu * n)))) with (u / 2) by (field; split; nra). lra. Qed.
(* at prices L a schedule that fits pays at most half of what it earns *)
Theorem any_job_admitted : forall total used L mu n u worth, 0 <= used <= total -> 0 < mu * n -> total <= mu * n -> 0 < u -> u <= worth ->
  0 <= L -> L <= u / (2 * (mu * n)) -> 0 < worth - L * used.
Proof.
  intros T us L mu n u w [U0 U1] P Q U W L0 H. assert (L * us <= u / 2); [|lra].
  apply Rle_trans with (L * (mu * n)); [nra|]. apply Rle_trans with (u / (2 * (mu * n)) * (mu * n)); [apply Rmult_le_compat_r; lra|].
  right. field. split; nra. Qed.

(* What a job uses at least: n_t workers train n_t/c at most, and take ceil(n_t/gamma) parameter servers. *)
Theorem minimum_consumption : forall (workers ps : nat -> nat) (slots : list nat) c gamma V n m alphas betas, 0 < c -> 0 < gamma -> 0 <= alphas -> 0 <= betas ->
  V <= sum (fun t => INR (workers t) / c) slots -> ceiling n (V * c) ->
  (forall t, In t slots -> INR (workers t) <= gamma * INR (ps t)) -> ceiling m (INR n / gamma) ->
  INR n * alphas + INR m * betas <= sum (fun t => INR (workers t) * alphas + INR (ps t) * betas) slots.
Proof.
  intros w p sl c g V n m al be C G A B T N S M. rewrite sum_plus, !sum_scal_r.
  assert (nat_sum : forall f : nat -> nat, exists k, sum (fun t => INR (f t)) sl = INR k).
  { intro f. clear. induction sl as [|t l [k E]]; [exists O; reflexivity|]. exists (f t + k)%nat. simpl sum. rewrite E, plus_INR. lra. }
  destruct (nat_sum w) as [W HW]. destruct (nat_sum p) as [P HP].
  assert (V * c <= INR W). { rewrite <- HW. apply Rmult_le_reg_r with (/ c); [apply Rinv_0_lt_compat; auto|]. replace (V * c * / c) with V by (field; lra).
    rewrite <- sum_scal_r. auto. }
  pose proof (ceiling_least _ _ _ N H) as L1. apply le_INR in L1.
  assert (INR W <= g * INR P) by (rewrite <- HW, <- HP, <- sum_scal; apply sum_le; auto).
  assert (INR n / g <= INR P). { apply Rmult_le_reg_r with g; auto. replace (INR n / g * g) with (INR n) by (field; lra). lra. }
  pose proof (ceiling_least _ _ _ M H1) as L2. apply le_INR in L2. rewrite HW, HP. nra. Qed.
(* ceil(n/gamma) parameter servers give each at most gamma workers; if 1/gamma is whole, n/gamma do exactly *)
Theorem ratio2_at_most : forall n s gamma, 0 < gamma -> ceiling s (INR n / gamma) -> INR n <= gamma * INR s.
Proof. intros n s g G [H _]. apply Rmult_le_reg_r with (/ g); [apply Rinv_0_lt_compat; auto|]. replace (g * INR s * / g) with (INR s) by (field; lra). auto. Qed.
Theorem ratio2_equality : forall n m gamma, gamma * INR m = 1 -> gamma * INR (n * m) = INR n.
Proof. intros n m g E. rewrite mult_INR. replace (g * (INR n * INR m)) with (INR n * (g * INR m)) by ring. rewrite E. lra. Qed.

(* Fact 1: links from each of the machines W with workers to each of the machines P with parameter servers. *)
Definition one_machine (W P : list nat) := exists h, (forall w, In w W -> w = h) /\ (forall p, In p P -> p = h).
Theorem fact1_by_link : forall W P, W <> [] -> P <> [] -> ((forall w p, In w W -> In p P -> w = p) <-> one_machine W P).
Proof.
  intros [|w W] [|p P] NW NP; try congruence. split.
  - intros H. exists w. split; intros x X; [|symmetry; apply H; simpl; auto]. rewrite (H x p X), (H w p); simpl; auto.
  - intros [h [A B]] x y X Y. rewrite (A x X), (B y Y). reflexivity. Qed.
Definition slowest (inner outer : R) (W P : list nat) (m : R) :=
  (forall w p, In w W -> In p P -> m <= if Nat.eq_dec w p then inner else outer) /\
  exists w p, In w W /\ In p P /\ m = if Nat.eq_dec w p then inner else outer.
Theorem fact1_by_value : forall inner outer g W P m, 0 < outer < inner -> 0 < g -> W <> [] -> P <> [] -> slowest inner outer W P m ->
  (2 * g / m = 2 * g / inner <-> one_machine W P).
Proof.
  intros bi be g W P m B G NW NP [L (w & p & X & Y & E)]. rewrite <- (fact1_by_link W P NW NP). split.
  - intros Q. assert (M : 0 < m) by (destruct (Nat.eq_dec w p); lra).
    assert (m = bi). { apply Rmult_eq_reg_l with (2 * g / (m * bi)); [|apply Rgt_not_eq, Rdiv_lt_0_compat; nra].
      replace (2 * g / (m * bi) * m) with (2 * g / bi) by (field; lra). replace (2 * g / (m * bi) * bi) with (2 * g / m) by (field; lra). auto. }
    intros w' p' X' Y'. specialize (L w' p' X' Y'). destruct (Nat.eq_dec w' p'); auto. lra.
  - intro H. rewrite E. destruct (Nat.eq_dec w p); [reflexivity|]. exfalso. auto. Qed.

(* Lemma 8, with the premise that is missing, and Lemma 9. *)
Theorem lemma8 : forall (P D : nat -> R) I f OPT, 0 < f -> (forall i, f * (D (S i) - D i) <= P (S i) - P i) -> P O = 0 -> D O <= OPT / 2 -> OPT <= D I ->
  OPT <= 2 / f * P I.
Proof.
  intros P D I f opt F H P0 D0 W. assert (G : f * (D I - D O) <= P I - P O) by (clear W; induction I; [lra | specialize (H I); lra]).
  apply Rmult_le_reg_l with f; auto. replace (f * (2 / f * P I)) with (2 * P I) by (field; lra). nra. Qed.
Theorem lemma9 : forall dP dD lam paid f, f <= 1 -> 0 <= lam -> dP = lam + paid -> f * (dD - lam) <= paid -> f * dD <= dP.
Proof. intros. nra. Qed.
Theorem lemma9_factor : forall delta G eps, 0 < G -> 1 <= eps -> 0 < delta -> (delta <= 3 * G * eps <-> delta / (3 * G * eps) <= 1).
Proof.
  intros d G e HG HE HD. assert (0 < 3 * G * e) by nra. split; intro H1.
  - apply Rmult_le_reg_r with (3 * G * e); auto. replace (d / (3 * G * e) * (3 * G * e)) with d by (field; lra). lra.
  - apply Rmult_le_reg_r with (/ (3 * G * e)); [apply Rinv_0_lt_compat; auto|]. rewrite Rinv_r by lra. auto. Qed.
(* Lemma 10: the derivative of the price (12) *)
Theorem lemma10 : forall L U C eps rho, 0 < L -> L < U -> 0 < C -> ln (U / L) <= eps ->
  let price r := L * exp (r / C * ln (U / L)) in
  exists slope, derivable_pt_lim price rho slope /\ C / eps * slope <= price rho.
Proof.
  intros L U C e rho HL HU HC HE price. set (l := ln (U / L)) in *.
  assert (LP : 0 < l). { unfold l. rewrite <- ln_1. apply ln_increasing; [lra|]. apply Rmult_lt_reg_r with L; auto. replace (U / L * L) with U by (field; lra). lra. }
  exists (price rho * (l / C)). split.
  - unfold price. replace (L * exp (rho / C * l) * (l / C)) with (L * (exp (rho * (l / C)) * (l / C))) by (replace (rho * (l / C)) with (rho / C * l) by (field; lra); ring).
    apply derivable_pt_lim_ext with (fun r => L * (exp (r * (l / C)))); [intro; f_equal; f_equal; field; lra|].
    apply derivable_pt_lim_scal. apply (derivable_pt_lim_comp (fun r => r * (l / C)) exp).
    + pose proof (derivable_pt_lim_scal_right id rho 1 (l / C) (derivable_pt_lim_id rho)) as H. rewrite Rmult_1_l in H. exact H.
    + apply derivable_pt_lim_exp.
  - assert (0 < price rho) by (unfold price; apply Rmult_lt_0_compat; [auto | apply exp_pos]).
    replace (C / e * (price rho * (l / C))) with (price rho * (l / e)) by (field; lra).
    assert (l / e <= 1). { apply Rmult_le_reg_r with e; [lra|]. replace (l / e * e) with l by (field; lra). lra. } nra. Qed.
(* with L fixed the price L (U/L)^s grows with U *)
Theorem price_remarks : forall L U U' s, 0 < L -> L <= U <= U' -> 0 <= s -> L * Rpower (U / L) s <= L * Rpower (U' / L) s.
Proof.
  intros L U U' s HL HU S. apply Rmult_le_compat_l; [lra|]. apply Rle_Rpower_l; auto. split; [apply Rdiv_lt_0_compat; lra|].
  unfold Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra | lra]. Qed.
(* each of H counts is rounded to less than G w + 1 *)
Theorem remarks_row25 : forall (hs : list nat) (w draw : nat -> R) G F, (forall h, draw h <= G * w h + 1) -> G * sum w hs + INR (length hs) <= F -> sum draw hs <= F.
Proof.
  intros hs w d G F D H. apply Rle_trans with (sum (fun h => G * w h + 1) hs); [apply sum_le; auto|].
  rewrite sum_plus, (sum_scal G (fun h => w h)), sum_const. change (fun h => w h) with w. lra. Qed.
(* Algorithm 2: the best of u(t) - Theta(t) is the best payoff *)
Theorem algorithm2 : forall (X : Type) (schedule : X -> Prop) (finish : X -> nat) (cost : X -> R) (u Theta : nat -> R) best, falling u ->
  (forall t, exists x, schedule x /\ (finish x <= t)%nat /\ Theta t = cost x) ->
  (forall t x, schedule x -> (finish x <= t)%nat -> Theta t <= cost x) ->
  (forall t, u t - Theta t <= best) -> (exists t, best = u t - Theta t) ->
  (forall x, schedule x -> u (finish x) - cost x <= best) /\ exists x, schedule x /\ best <= u (finish x) - cost x.
Proof.
  intros X sch fin cost u Th best F E L B [t Ht]. split.
  - intros x S. specialize (B (fin x)). specialize (L (fin x) x S (le_n _)). lra.
  - destruct (E t) as (x & S & K & Q). exists x. split; auto. specialize (F (fin x) t K). lra. Qed.
(* (19), and its two cases with a row for the parameter servers: a placement on one machine trains at the internal rate *)
Definition trains19 (single : bool) (workers v ci ce : R) := if single then v * ci <= workers else v * ce <= workers.
Definition internal (single : bool) (workers v ci : R) := single = true /\ v * ci <= workers.
Definition external23 (workers v ce : R) := v * ce <= workers.
Theorem external23_repaired : forall single workers v ci ce, 0 <= v -> ci <= ce ->
  (trains19 single workers v ci ce <-> internal single workers v ci \/ external23 workers v ce).
Proof. intros [|] w v ci ce V C; unfold trains19, internal, external23; split; intros; try tauto; [destruct H as [[_ H]|H]; nra | destruct H as [[H _]|H]; [discriminate | auto]]. Qed.

(* --- draws, machines and what a job can earn --------------------------------------------------------------------------- *)

(* N programs are rounded, each by at most S draws; h is all that has happened. A draw has the outcomes o with probability
   pr h o, some of them feasible. The chance that each program gets a feasible draw, s draws of the first being left: *)
Section Chance.
Context {Event : Type} (outcomes : list Event) (pr : list Event -> Event -> R) (feasible : list Event -> Event -> bool) (draws : nat).
Fixpoint chance (N s : nat) (h : list Event) {struct N} : R :=
  match N with
  | O => 1
  | S N => (fix draw (s : nat) (h : list Event) : R := match s with
      | O => 0
      | S s => sum (fun o => pr h o * if feasible h o then chance N draws (o :: h) else draw s (o :: h)) outcomes end) s h
  end.
Theorem probability : forall p, 0 <= p <= 1 -> (forall h o, 0 <= pr h o) -> (forall h, sum (pr h) outcomes = 1) ->
  (forall h, sum (fun o => if feasible h o then 0 else pr h o) outcomes <= p) -> forall N h, (1 - p ^ draws) ^ N <= chance N draws h.
Proof.
  intros p P Q E F. assert (P1 : forall n, 0 <= p ^ n <= 1) by (induction n; simpl; [lra|]; split; [apply Rmult_le_pos; lra|]; nra).
  induction N as [|N IH]; intro h; [simpl; lra|]. set (R0 := (1 - p ^ draws) ^ N). assert (R1 : 0 <= R0) by (apply pow_le; specialize (P1 draws); lra).
  enough (G : forall s h, (1 - p ^ s) * R0 <= chance (S N) s h) by apply G.
  clear h. induction s as [|s IHs]; intro h; [simpl; lra|]. change (chance (S N) (S s) h) with
    (sum (fun o => pr h o * if feasible h o then chance N draws (o :: h) else chance (S N) s (o :: h)) outcomes).
  apply Rle_trans with (sum (fun o => R0 * pr h o - p ^ s * R0 * (if feasible h o then 0 else pr h o)) outcomes).
  - rewrite sum_minus, !sum_scal. change (fun a => pr h a) with (pr h). rewrite E. specialize (F h). set (q := sum _ _) in *. simpl.
    assert (p ^ s * R0 * q <= p ^ s * R0 * p) by (apply Rmult_le_compat_l; auto; apply Rmult_le_pos; auto; apply P1). lra.
  - apply sum_le; intros o _. specialize (Q h o). destruct (feasible h o).
    + specialize (IH (o :: h)). fold R0 in IH. nra.
    + specialize (IHs (o :: h)). nra. Qed.
End Chance.
(* Case 1 of (19): a machine that trains v holds at least ceil(v c) workers, and by (2) ceil(w/gamma) parameter servers for w. *)
Definition cost_on (w s : R) (pw ps : R) := w * pw + s * ps.
Theorem algorithm4_internal : forall (machines : list nat) (pw ps : nat -> R) (fits : nat -> nat -> nat -> bool) v c gamma n m, 0 < gamma ->
  (forall h, 0 <= pw h /\ 0 <= ps h) -> ceiling n (v * c) -> ceiling m (INR n / gamma) ->
  (forall h w s w' s', (w' <= w)%nat -> (s' <= s)%nat -> fits h w s = true -> fits h w' s' = true) ->
  forall before h after, machines = before ++ h :: after -> (forall g, In g before -> fits g n m = false) -> fits h n m = true ->
  (forall g, In g after -> cost_on (INR n) (INR m) (pw h) (ps h) <= cost_on (INR n) (INR m) (pw g) (ps g)) ->
  forall g w s, In g machines -> fits g w s = true -> v * c <= INR w -> INR w <= gamma * INR s ->
    cost_on (INR n) (INR m) (pw h) (ps h) <= cost_on (INR w) (INR s) (pw g) (ps g).
Proof.
  intros ms pw ps fits v c gamma n m Ga P Cn Cm Mo before h after -> B Fh S g w s I Fg Tr Sv.
  assert (Lw : (n <= w)%nat) by (apply (ceiling_least n (v * c)); auto).
  assert (Ls : (m <= s)%nat). { apply (ceiling_least m (INR n / gamma)); auto. apply le_INR in Lw. apply Rmult_le_reg_r with gamma; auto.
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (Fn : fits g n m = true) by (eapply Mo; eauto).
  apply Rle_trans with (cost_on (INR n) (INR m) (pw g) (ps g)).
  - apply in_app_or in I. destruct I as [I|[->|I]]; [rewrite B in Fn by auto; discriminate | lra | auto].
  - apply le_INR in Lw. apply le_INR in Ls. destruct (P g). unfold cost_on. nra. Qed.
(* (13): a job whose last slot is t has the training time t - arrival; at most F/c samples are trained in a slot *)
Theorem largest_utility13 : forall (u : nat -> R) V F c least arrival, falling u -> 0 < F -> 0 < c -> 0 < V -> ceiling least (V * c / F) ->
  (forall (trained : nat -> R) (slots : list nat) last, NoDup slots -> (forall t, In t slots -> arrival <= t <= last)%nat ->
     (forall t, In t slots -> trained t <= F / c) -> V <= sum trained slots -> (least - 1 <= last - arrival)%nat /\ u (last - arrival)%nat <= u (least - 1)%nat) /\
  V <= sum (fun _ => F / c) (seq arrival least) /\ forall t, In t (seq arrival least) -> (arrival <= t <= arrival + (least - 1))%nat.
Proof.
  intros u V F c least ar Fu Fp Cp Vp Ce. assert (FC : 0 < F / c) by (apply Rdiv_lt_0_compat; auto). split; [|split].
  - intros tr slots last N W T Su. assert (L : (length slots <= S (last - ar))%nat).
    { replace (S (last - ar)) with (length (seq ar (S (last - ar)))) by apply seq_length. apply NoDup_incl_length; auto. intros t I. apply in_seq. specialize (W t I). lia. }
    assert (Q : V * c / F <= INR (length slots)).
    { apply Rmult_le_reg_r with (F / c); auto. replace (V * c / F * (F / c)) with V by (field; lra). rewrite <- sum_const.
      eapply Rle_trans; [apply Su|]. apply sum_le; auto. }
    assert (least <= length slots)%nat by (apply (ceiling_least least (V * c / F)); auto). split; [lia | apply Fu; lia].
  - rewrite sum_const, seq_length. destruct Ce as [Ce _]. apply Rle_trans with (V * c / F * (F / c)); [right; field; lra|]. apply Rmult_le_compat_r; lra.
  - intros t I. apply in_seq in I. lia. Qed.
