(* dmlrs: the prices of (12) and their repairs, and the competitive ratios of Theorems 5 and 6, repaired. *)
From Schedproof Require Import sums prices.

(* b^(y/k) - 1 grows faster than y: the chord of a convex function *)
Lemma exp_chord t z : 0 <= t <= 1 -> exp (t * z) <= 1 - t + t * exp z.
Proof.
  intros T. pose proof (exp_ineq1_le ((1 - t) * z)) as A. pose proof (exp_ineq1_le (- (t * z))) as B.
  pose proof (exp_pos (t * z)) as P.
  assert (EA : exp z = exp (t * z) * exp ((1 - t) * z)) by (rewrite <- exp_plus; f_equal; lra).
  assert (EB : 1 = exp (t * z) * exp (- (t * z))) by (rewrite <- exp_plus, <- exp_0; f_equal; lra).
  rewrite EA. set (e := exp (t * z)) in *. set (a := exp ((1 - t) * z)) in *. set (b := exp (- (t * z))) in *.
  assert (e * (t * a) >= e * (t * (1 + (1 - t) * z))) by (apply Rle_ge, Rmult_le_compat_l; nra).
  assert ((1 - t) * (e * b) >= (1 - t) * (e * (1 + - (t * z)))) by (apply Rle_ge, Rmult_le_compat_l; [lra|]; nra).
  rewrite <- EB in H0. nra. Qed.
Lemma chord b k y x : 1 <= b -> 0 < k -> 0 <= y <= x -> 0 < x -> Rpower b (y / k) - 1 <= y * ((Rpower b (x / k) - 1) / x).
Proof.
  intros Hb Hk Hy Hx. unfold Rpower. pose proof (exp_chord (y / x) (x / k * ln b)) as E.
  replace (y / x * (x / k * ln b)) with (y / k * ln b) in E by (field; lra).
  assert (0 <= y / x <= 1). { split; [apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]|]. apply Rmult_le_reg_r with x; [lra|]. replace (y / x * x) with y by (field; lra). lra. }
  specialize (E H). replace (y * ((exp (x / k * ln b) - 1) / x)) with (y / x * exp (x / k * ln b) - y / x) by (field; lra). lra. Qed.
Lemma power_ge_1 b z : 1 <= b -> 0 <= z -> 1 <= Rpower b z.
Proof. intros. rewrite <- (Rpower_O b) by lra. apply Rle_Rpower; lra. Qed.

(* The price L (U/L)^(rho/(k C)); (12) has k = 1. *)
Section Prices.
Context {Spot : Type} (spots : list Spot) (C U : Spot -> R) (L : R).
Definition price12 (k : R) (s : Spot) (rho : R) := L * Rpower (U s / L) (rho / (k * C s)).
Definition eps12 (x k : R) (eps : R) := 1 <= eps /\ forall s, (Rpower (U s / L) (x / k) - 1) / x <= eps.
Hypotheses (CP : forall s, 0 < C s) (LP : 0 < L) (UL : forall s, L <= U s).
Lemma base s : 1 <= U s / L.
Proof. apply Rmult_le_reg_r with L; [lra|]. replace (U s / L * L) with (U s) by (field; lra). specialize (UL s). lra. Qed.
Lemma price_positive k s r : 0 < price12 k s r.
Proof. unfold price12, Rpower. apply Rmult_lt_0_compat; [lra | apply exp_pos]. Qed.
Lemma price_rises k s r a : 0 < k -> 0 <= a -> price12 k s r <= price12 k s (r + a).
Proof.
  intros K A. unfold price12. apply Rmult_le_compat_l; [lra|]. apply Rle_Rpower; [apply base|].
  unfold Rdiv. apply Rmult_le_compat_r; [|lra]. left; apply Rinv_0_lt_compat. specialize (CP s). nra. Qed.
Lemma price_step k s r a : 0 < k -> price12 k s (r + a) = price12 k s r * Rpower (U s / L) (a / C s / k).
Proof. intro K. unfold price12. specialize (CP s). replace ((r + a) / (k * C s)) with (r / (k * C s) + a / C s / k) by (field; lra). rewrite Rpower_plus. lra. Qed.
Lemma price_reaches k s r : 0 < k -> k * C s <= r -> U s <= price12 k s r.
Proof.
  intros K H. unfold price12. pose proof (base s). specialize (CP s).
  apply Rle_trans with (L * Rpower (U s / L) 1); [rewrite Rpower_1 by lra; right; field; lra|].
  apply Rmult_le_compat_l; [lra|]. apply Rle_Rpower; auto. apply Rmult_le_reg_r with (k * C s); [nra|].
  replace (r / (k * C s) * (k * C s)) with r by (field; split; nra). lra. Qed.

(* Definition 1 with 3 G / delta = 1, for shares up to x *)
Theorem lemma10_finite : forall x k eps s rho a, 0 < x -> 0 < k -> eps12 x k eps -> 0 <= a <= x * C s ->
  C s * (price12 k s (rho + a) - price12 k s rho) <= eps * (price12 k s rho * a).
Proof.
  intros x k eps s rho a X K [E1 E] [A0 A]. specialize (E s). rewrite price_step by auto. pose proof (price_positive k s rho) as P.
  pose proof (CP s) as Cs. set (p := price12 k s rho) in *. set (y := a / C s).
  assert (Y : 0 <= y <= x). { unfold y. split; [apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]|]. apply Rmult_le_reg_r with (C s); [lra|]. replace (a / C s * C s) with a by (field; lra). lra. }
  pose proof (chord (U s / L) k y x (base s) K Y X) as H. replace a with (y * C s) by (unfold y; field; lra).
  assert (y * ((Rpower (U s / L) (x / k) - 1) / x) <= y * eps) by (apply Rmult_le_compat_l; lra).
  replace (C s * (p * Rpower (U s / L) (y / k) - p)) with (C s * p * (Rpower (U s / L) (y / k) - 1)) by ring.
  replace (eps * (p * (y * C s))) with (C s * p * (y * eps)) by ring. apply Rmult_le_compat_l; [nra | lra]. Qed.

(* U bounds what a unit of the spot may earn: no schedule earns more than U times what it uses of it *)
Definition unit_bound (j : job) := forall pi s, j pi -> 0 < use pi s -> worth pi <= U s * use pi s.
Definition first_value := sum (fun s => C s * price12 1 s 0) spots.
Lemma price_0 k s : price12 k s 0 = L.
Proof. unfold price12. replace (0 / (k * C s)) with 0 by (unfold Rdiv; lra). rewrite Rpower_O; [lra | pose proof (base s); lra]. Qed.
Definition D_0 := sum (fun s => C s * L) spots.

(* lambda and psi times the final prices satisfy (11), if no job takes more than x C *)
Theorem dual_feasible_repaired : forall x psi jobs lams c final, 0 < x < 1 -> 1 <= psi ->
  Forall (fun j => modest C j x /\ unit_bound j) jobs ->
  run spots C (price12 (1 - x)) psi (fun _ => 0) jobs lams c final ->
  rows11 spots jobs lams (fun s => psi * price12 (1 - x) s (final s)).
Proof.
  intros x psi jobs lams c final X Ps M R.
  apply (dual_feasible spots C (price12 (1 - x)) x psi psi (fun _ => True)) with (rho := fun _ => 0) (c := c); auto; try lra.
  - intros; left; apply price_positive.
  - intros s r a _ A. apply price_rises; lra.
  - eapply Forall_impl; [|apply M]. intros j [M1 B]. split; auto.
    intros rho pi s _ J _ [R0 R1] Q. destruct (M1 pi J) as [W Us]. specialize (Us s).
    assert (use_pos : 0 < use pi s) by lra. pose proof (B pi s J use_pos) as BB.
    pose proof (price_reaches (1 - x) s (rho s) ltac:(lra) ltac:(nra)). pose proof (UL s).
    assert (U s * use pi s <= price12 (1 - x) s (rho s) * use pi s) by (apply Rmult_le_compat_r; lra).
    assert (0 <= U s * use pi s) by nra. nra.
  - intros; lra.
  - intros s _. specialize (CP s). lra. Qed.
(* Theorem 5, repaired: OPT <= psi (D_0 + eps P), where the run starts with `reserved` in use *)
Theorem theorem5_reserved : forall x psi eps reserved jobs lams c final opt, 0 < x < 1 -> 1 <= psi -> eps12 x (1 - x) eps ->
  Forall (fun j => modest C j x /\ unit_bound j) jobs -> (forall s, 0 <= reserved s <= C s) ->
  run spots C (price12 (1 - x)) psi reserved jobs lams c final -> allowed jobs opt -> (forall s, In s spots -> used opt s <= C s - reserved s) ->
  value opt <= psi * (sum (fun s => (C s - reserved s) * price12 (1 - x) s (reserved s)) spots + eps * value c).
Proof.
  intros x psi eps reserved jobs lams c final opt X Ps E M Z R A Fit.
  apply (ratio_reserved spots C (price12 (1 - x)) x eps psi psi (fun _ => True)) with (jobs := jobs) (lams := lams) (final := final); auto.
  - apply E. - lra. - intros; left; apply price_positive.
  - intros s r a _ Q. apply price_rises; lra.
  - intros s r a _ Q _. apply lemma10_finite with x; auto; lra.
  - eapply Forall_impl; [|apply M]. intros j [M1 B]. split; auto.
    intros rho pi s _ J _ [R0 R1] Q. destruct (M1 pi J) as [W Us]. specialize (Us s).
    assert (use_pos : 0 < use pi s) by lra. pose proof (B pi s J use_pos) as BB.
    pose proof (price_reaches (1 - x) s (rho s) ltac:(lra) ltac:(nra)). pose proof (UL s).
    assert (U s * use pi s <= price12 (1 - x) s (rho s) * use pi s) by (apply Rmult_le_compat_r; lra).
    assert (0 <= U s * use pi s) by nra. nra. Qed.
Theorem theorem5_with_D0 : forall x psi eps jobs lams c final opt, 0 < x < 1 -> 1 <= psi -> eps12 x (1 - x) eps ->
  Forall (fun j => modest C j x /\ unit_bound j) jobs ->
  run spots C (price12 (1 - x)) psi (fun _ => 0) jobs lams c final -> solution spots C jobs opt ->
  value opt <= psi * (D_0 + eps * value c).
Proof.
  intros x psi eps jobs lams c final opt X Ps E M R [A Fit].
  replace D_0 with (sum (fun s => (C s - 0) * price12 (1 - x) s 0) spots) by (apply sum_ext; intros; rewrite price_0; lra).
  apply (theorem5_reserved x psi eps (fun _ => 0) jobs lams c final opt); auto.
  - intro s; specialize (CP s); lra.
  - intros s I. specialize (Fit s I). lra. Qed.
(* ... and OPT <= 2 psi eps P, where a job alone earns at least 2 psi D_0 *)
Theorem theorem5_ratio : forall x psi eps jobs lams c final opt alone, 0 < x < 1 -> 1 <= psi -> eps12 x (1 - x) eps ->
  Forall (fun j => modest C j x /\ unit_bound j) jobs ->
  run spots C (price12 (1 - x)) psi (fun _ => 0) jobs lams c final -> solution spots C jobs opt ->
  solution spots C jobs alone -> 2 * psi * D_0 <= value alone -> value opt <= 2 * psi * eps * value c.
Proof.
  intros x psi eps jobs lams c final opt alone X Ps E M R S A D.
  pose proof (theorem5_with_D0 x psi eps jobs lams c final opt X Ps E M R S).
  pose proof (theorem5_with_D0 x psi eps jobs lams c final alone X Ps E M R A). lra. Qed.

(* Amounts and capacities that are multiples of g C: the price may reach U at (1 - x + g) C. *)
Definition multiple (g : R) (s : Spot) (a : R) := exists n : nat, a = INR n * (g * C s).
Theorem better_price : forall x g psi eps jobs lams c final opt, 0 < g <= x -> x <= 1 -> 1 <= psi -> eps12 x (1 - x + g) eps ->
  (forall s, multiple g s (C s)) -> Forall (fun j => modest C j x /\ unit_bound j /\ forall pi s, j pi -> multiple g s (use pi s)) jobs ->
  run spots C (price12 (1 - x + g)) psi (fun _ => 0) jobs lams c final -> solution spots C jobs opt ->
  value opt <= psi * (D_0 + eps * value c).
Proof.
  intros x g psi eps jobs lams c final opt G X Ps E MC M R S.
  replace D_0 with (sum (fun s => C s * price12 (1 - x + g) s 0) spots) by (apply sum_ext; intros; rewrite price_0; auto).
  apply (ratio_with_D0 spots C (price12 (1 - x + g)) x eps psi psi (fun rho => forall s, multiple g s (rho s))) with (jobs := jobs) (lams := lams) (final := final); auto.
  - apply E. - lra. - intro s; left; auto. - intros; left; apply price_positive.
  - intros s r a _ A. apply price_rises; lra.
  - intros s r a _ A _. apply lemma10_finite with x; auto; lra.
  - eapply Forall_impl; [|apply M]. intros j (M1 & B & Mu). split; auto.
    intros rho pi s OK J _ [R0 R1] Q. destruct (M1 pi J) as [W Us]. specialize (Us s).
    assert (use_pos : 0 < use pi s) by lra. pose proof (B pi s J use_pos) as BB. pose proof (CP s) as Cs.
    destruct (OK s) as [n1 N1]. destruct (Mu pi s J) as [n2 N2]. destruct (MC s) as [n3 N3].
    assert (gap : C s + g * C s <= rho s + use pi s).
    { assert (gc : 0 < g * C s) by nra.
      assert (INR n3 < INR (n1 + n2)) by (rewrite plus_INR; apply Rmult_lt_reg_r with (g * C s); lra).
      apply INR_lt in H. assert (INR n3 + 1 <= INR (n1 + n2)) by (rewrite <- S_INR; apply le_INR; lia).
      rewrite plus_INR in H0. assert ((INR n3 + 1) * (g * C s) <= (INR n1 + INR n2) * (g * C s)) by (apply Rmult_le_compat_r; lra). lra. }
    pose proof (price_reaches (1 - x + g) s (rho s) ltac:(lra) ltac:(nra)). pose proof (UL s).
    assert (U s * use pi s <= price12 (1 - x + g) s (rho s) * use pi s) by (apply Rmult_le_compat_r; lra).
    assert (0 <= U s * use pi s) by nra. nra.
  - intro s. exists O. simpl. lra.
  - intros r pi OK Q s. apply Exists_exists in Q. destruct Q as [j [I J]]. rewrite Forall_forall in M.
    destruct (M j I) as (_ & _ & Mu). destruct (OK s) as [n1 N1]. destruct (Mu pi s J) as [n2 N2]. exists (n1 + n2)%nat.
    rewrite plus_INR. lra. Qed.

(* Theorem 6, repaired: the prices (12), exact theta, small shares *)
Theorem theorem6_ratio : forall x eps top jobs lams c final opt alone, 0 < x < 1 -> 1 <= top ->
  (forall s, Rpower (U s / L) x <= 4 / 3) -> (forall s, ln (U s / L) <= top) -> eps = 4 / 3 * top ->
  Forall (fun j => modest C j x /\ unit_bound j) jobs ->
  run spots C (price12 1) 1 (fun _ => 0) jobs lams c final -> solution spots C jobs opt ->
  solution spots C jobs alone -> 2 * D_0 <= value alone -> (forall c', solution spots C jobs c' -> value c' <= value opt) ->
  value opt <= 6 * top * value c.
Proof.
  intros x eps top jobs lams c final opt alone X T Kx Lx Ee M R S A D best.
  assert (E : eps12 x 1 eps).
  { split; [lra|]. intro s. specialize (Kx s). specialize (Lx s). pose proof (base s). replace (x / 1) with x by field.
    unfold Rpower in *. set (l := ln (U s / L)) in *. assert (0 <= l) by (unfold l; rewrite <- ln_1; destruct H as [H|H]; [left; apply ln_increasing; lra | rewrite <- H; lra]).
    apply Rmult_le_reg_r with x; [lra|]. replace ((exp (x * l) - 1) / x * x) with (exp (x * l) - 1) by (field; lra).
    pose proof (exp_ineq1_le (- (x * l))) as I. assert (J : exp (x * l) * exp (- (x * l)) = 1) by (rewrite <- exp_plus, <- exp_0; f_equal; lra).
    assert (0 < exp (x * l)) by apply exp_pos. assert (0 <= x * l) by nra.
    assert (exp (x * l) * (1 + - (x * l)) <= 1) by (rewrite <- J; apply Rmult_le_compat_l; lra).
    assert (x * l * exp (x * l) <= x * l * (4 / 3)) by (apply Rmult_le_compat_l; lra). nra. }
  assert (B : forall o, solution spots C jobs o -> value o <= 4 / 3 * (D_0 + eps * value c)).
  { intros o So. replace D_0 with (sum (fun s => C s * price12 1 s 0) spots) by (apply sum_ext; intros; rewrite price_0; auto).
    apply (ratio_with_D0 spots C (price12 1) x eps (4 / 3) 1 (fun _ => True)) with (jobs := jobs) (lams := lams) (final := final); auto; try lra.
    - intro s; left; auto. - intros; left; apply price_positive.
    - intros s r a _ A1. apply price_rises; lra.
    - intros s r a _ A1 _. apply lemma10_finite with x; auto; lra.
    - eapply Forall_impl; [|apply M]. intros j [M1 B1]. split; auto.
      intros rho pi s _ J _ [R0 R1] Q. destruct (M1 pi J) as [W Us]. specialize (Us s).
      assert (use_pos : 0 < use pi s) by lra. pose proof (B1 pi s J use_pos) as BB. pose proof (CP s) as Cs. pose proof (UL s). pose proof (base s) as Bs.
      assert (low : U s <= 4 / 3 * price12 1 s (rho s)).
      { assert (P1 : price12 1 s (rho s) * Rpower (U s / L) x >= U s).
        { unfold price12. rewrite Rmult_assoc, <- Rpower_plus. apply Rle_ge.
          apply Rle_trans with (L * Rpower (U s / L) 1); [rewrite Rpower_1 by lra; right; field; lra|].
          apply Rmult_le_compat_l; [lra|]. apply Rle_Rpower; auto.
          assert (1 - x <= rho s / (1 * C s)). { apply Rmult_le_reg_r with (C s); [lra|]. replace (rho s / (1 * C s) * C s) with (rho s) by (field; lra). nra. } lra. }
        pose proof (price_positive 1 s (rho s)). specialize (Kx s). nra. }
      nra. }
  pose proof (B alone A). pose proof (B opt S). pose proof (best alone A).
  assert (0 <= value opt). { assert (0 <= D_0) by (apply sum_nonneg; intros s _; pose proof (CP s); nra). lra. }
  (* OPT <= 4/3 (OPT/2 + eps P) gives OPT <= 4 eps P, eps = 4/3 top *)
  assert (value opt <= 4 * (eps * value c)) by lra. rewrite Ee in H3. assert (0 <= top * value c) by nra. nra. Qed.
End Prices.
