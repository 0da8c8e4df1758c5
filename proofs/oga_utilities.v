(* multiserver: the utilities (54), and Theorem 1 for OGASched on an instance file, whose data are its only hypotheses. *)
From Schedproof Require Import sums multiserver regret oga oga_regret.
From Coq Require Import Ranalysis.

Inductive kind := Linear | Log | Reciprocal | Poly.
(* An instance file has lists of utilities, by node and resource, and by resource. *)
Definition file_instance (N : numbers) (slope_of : kind * N -> N -> N) links demands capacities overhead
    (of_nodes : list (list (kind * N))) (of_totals : list (kind * N)) : instance N :=
  {| links := links; demands := demands; capacities := capacities; overhead := overhead;
     slope := fun r k => slope_of (nth k (nth r of_nodes []) (Linear, zero));
     total_slope := fun k => slope_of (nth k of_totals (Linear, zero)) |}.

Definition value54 (u : kind * R) (y : R) : R := let a := snd u in match fst u with
  Linear => a * y | Log => a * ln (y + 1) | Reciprocal => 1 / a - 1 / (y + a) | Poly => a * sqrt (y + 1) - a end.
Definition slope54 (u : kind * R) (y : R) : R := let a := snd u in match fst u with
  Linear => a | Log => a / (y + 1) | Reciprocal => 1 / ((y + a) * (y + a)) | Poly => a / (2 * sqrt (y + 1)) end.
Definition allowed (u : kind * R) := 0 <= snd u /\ (fst u = Reciprocal -> 0 < snd u).

(* tangents whose slopes are Lipschitz are derivatives *)
Lemma concave_of_tangents f s K : tangent f s -> (forall u, 0 <= u -> 0 <= s u) -> 0 <= K ->
  (forall u v, 0 <= u <= v -> s u - s v <= K * (v - u)) -> concave_gain f s.
Proof.
  intros T P K0 L. assert (M : forall u v, 0 <= u <= v -> f u <= f v).
  { intros u v H. pose proof (T v u ltac:(lra) ltac:(lra)). pose proof (P v ltac:(lra)). nra. }
  split; [|split; auto].
  - intros u v w U V W. set (m := w * u + (1 - w) * v). assert (Hm : 0 <= m) by (unfold m; nra).
    pose proof (T m u Hm U) as A. pose proof (T m v Hm V) as B.
    assert (w * f u <= w * (f m + s m * (u - m))) by (apply Rmult_le_compat_l; lra).
    assert ((1 - w) * f v <= (1 - w) * (f m + s m * (v - m))) by (apply Rmult_le_compat_l; lra).
    assert (w * (u - m) + (1 - w) * (v - m) = 0) by (unfold m; ring).
    assert (s m * (w * (u - m) + (1 - w) * (v - m)) = 0) by (rewrite H1; ring). lra.
  - intros u U e E. exists (e / (K + 1)). split; [apply Rdiv_lt_0_compat; lra|]. intros v [[V N] D]. simpl in *. unfold R_dist in *.
    assert (B : K * Rabs (v - u) < e).
    { apply Rle_lt_trans with (K * (e / (K + 1))); [apply Rmult_le_compat_l; lra|]. apply Rmult_lt_reg_r with (K + 1); [lra|].
      replace (K * (e / (K + 1)) * (K + 1)) with (K * e) by (field; lra). lra. }
    set (q := (f v - f u) / (v - u)). assert (Q : f v - f u = q * (v - u)) by (unfold q; field; lra).
    pose proof (T u v U V) as A. pose proof (T v u V U) as C. destruct (Rle_dec u v) as [H|H].
    + pose proof (L u v ltac:(lra)). rewrite Rabs_pos_eq in B by lra. assert (q <= s u) by (apply Rmult_le_reg_r with (v - u); lra).
      assert (s v <= q) by (apply Rmult_le_reg_r with (v - u); lra). apply Rabs_def1; lra.
    + pose proof (L v u ltac:(lra)). rewrite Rabs_left in B by lra. assert (s u <= q) by (apply Rmult_le_reg_r with (u - v); lra).
      assert (q <= s v) by (apply Rmult_le_reg_r with (u - v); lra). apply Rabs_def1; lra. Qed.
Lemma ln_below x : 0 < x -> ln x <= x - 1.
Proof. intro H. pose proof (exp_ineq1_le (ln x)). rewrite exp_ln in H0 by auto. lra. Qed.
Lemma quotient_le a b c : 0 < b -> a <= c * b -> a / b <= c.
Proof. intros B H. apply Rmult_le_reg_r with b; auto. replace (a / b * b) with a by (field; lra). auto. Qed.

Theorem concave54 : forall u, allowed u -> concave_gain (value54 u) (slope54 u).
Proof.
  intros [k a] [A A']. simpl in A, A'. unfold value54, slope54. simpl. destruct k.
  - apply (concave_of_tangents _ _ 0); auto; try lra; intros; [intros ? ? _ _|]; lra.
  - apply (concave_of_tangents _ _ a); auto.
    + intros u v U V. pose proof (ln_below ((v + 1) / (u + 1)) ltac:(apply Rdiv_lt_0_compat; lra)) as H.
      unfold Rdiv in H at 1. rewrite ln_mult, ln_Rinv in H by (try apply Rinv_0_lt_compat; lra).
      replace (a / (u + 1) * (v - u)) with (a * ((v + 1) / (u + 1) - 1)) by (field; lra). nra.
    + intros u U. apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra].
    + intros u v [U V]. replace (a / (u + 1) - a / (v + 1)) with (a * (v - u) / ((u + 1) * (v + 1))) by (field; lra).
      apply quotient_le; [nra|]. assert (1 <= (u + 1) * (v + 1)) by nra. assert (0 <= a * (v - u)) by nra. nra.
  - specialize (A' eq_refl). apply (concave_of_tangents _ _ (2 / (a * a * a))).
    + intros u v U V. apply Rminus_le. replace (1 / a - 1 / (v + a) - (1 / a - 1 / (u + a) + 1 / ((u + a) * (u + a)) * (v - u))) with (- ((v - u) * (v - u) / ((u + a) * (u + a) * (v + a)))) by (field; lra).
      assert (0 <= (v - u) * (v - u) / ((u + a) * (u + a) * (v + a))); [|lra]. apply Rmult_le_pos; [apply Rle_0_sqr | left; apply Rinv_0_lt_compat; repeat apply Rmult_lt_0_compat; lra].
    + intros u U. left. apply Rdiv_lt_0_compat; [lra | nra].
    + left. apply Rdiv_lt_0_compat; [lra | repeat apply Rmult_lt_0_compat; lra].
    + intros u v [U V]. set (p := u + a). set (q := v + a). assert (P : a <= p) by (unfold p; lra). assert (Q : a <= q) by (unfold q; lra).
      replace (1 / (p * p) - 1 / (q * q)) with ((1 / (p * p * q) + 1 / (p * q * q)) * (v - u)) by (unfold p, q; field; lra).
      apply Rmult_le_compat_r; [lra|]. assert (I : forall b, a * a * a <= b -> 1 / b <= 1 / (a * a * a)).
      { intros b B. unfold Rdiv. apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; [repeat apply Rmult_lt_0_compat; lra | auto]. }
      assert (a * a <= p * p) by nra. assert (a * a <= p * q) by nra.
      pose proof (I (p * p * q) ltac:(apply Rmult_le_compat; nra)). pose proof (I (p * q * q) ltac:(apply Rmult_le_compat; nra)). lra.
  - apply (concave_of_tangents _ _ a); auto.
    + intros u v U V. set (r := sqrt (u + 1)). set (t := sqrt (v + 1)). assert (R1 : r * r = u + 1) by (apply sqrt_sqrt; lra). assert (T1 : t * t = v + 1) by (apply sqrt_sqrt; lra).
      assert (0 < r) by (apply sqrt_lt_R0; lra). replace (v - u) with (t * t - r * r) by lra.
      replace (a / (2 * r) * (t * t - r * r)) with (a * (t - r) + a / (2 * r) * ((t - r) * (t - r))) by (field; lra).
      assert (0 <= a / (2 * r) * ((t - r) * (t - r))); [|lra]. apply Rmult_le_pos; [|apply Rle_0_sqr]. apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra].
    + intros u U. assert (0 < sqrt (u + 1)) by (apply sqrt_lt_R0; lra). apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra].
    + intros u v [U V]. set (r := sqrt (u + 1)). set (t := sqrt (v + 1)). assert (R1 : r * r = u + 1) by (apply sqrt_sqrt; lra). assert (T1 : t * t = v + 1) by (apply sqrt_sqrt; lra).
      assert (1 <= r) by (rewrite <- sqrt_1; apply sqrt_le_1_alt; lra). assert (r <= t) by (apply sqrt_le_1_alt; lra).
      replace (a / (2 * r) - a / (2 * t)) with (a * (t - r) / (2 * r * t)) by (field; lra). apply quotient_le; [nra|].
      replace (v - u) with ((t - r) * (t + r)) by lra. assert (1 <= (t + r) * (2 * r * t)) by nra. assert (0 <= a * (t - r)) by nra. nra. Qed.

(* Theorem 1 on an instance file *)
Theorem oga_sched_regret_file : forall links demands capacities overhead of_nodes of_totals g x start best T,
  let i := file_instance reals slope54 links demands capacities overhead of_nodes of_totals in
  let f r k := value54 (nth k (nth r of_nodes []) (Linear, 0)) in let total_f k := value54 (nth k of_totals (Linear, 0)) in
  Forall (Forall (Rle 0)) demands -> Forall (Forall (Rle 0)) capacities -> Forall (Rle 0) overhead -> overhead <> [] ->
  Forall (Forall allowed) of_nodes -> Forall allowed of_totals ->
  Y (graph_of i) (amount reals start) -> Y (graph_of i) best ->
  oga_regret i g f total_f x start best (fun _ => D51 i / (G48 i g * sqrt (INR T))) T <= D51 i * G48 i g * sqrt (INR T).
Proof.
  assert (one : forall (A : Type) (P : A -> Prop) d l k, P d -> Forall P l -> P (nth k l d)).
  { intros A P d l k Z F. destruct (nth_in_or_default k l d) as [I| ->]; auto. rewrite Forall_forall in F. auto. }
  assert (two : forall (A : Type) (P : A -> Prop) d ls r k, P d -> Forall (Forall P) ls -> P (nth k (nth r ls []) d)) by (intros; apply one, one; auto).
  assert (none : allowed (Linear, 0)) by (split; simpl; [lra | discriminate]).
  intros links a c b of_nodes of_totals g x start best T i f total_f A C B S N U HS HB. apply oga_sched_regret; auto.
  - split; [|split]; intros; unfold demand_of, capacity_of, beta; simpl; [apply two | apply two | apply one]; auto; apply Rle_refl.
  - simpl. unfold resources_of. simpl. destruct b; [congruence | discriminate].
  - unfold gains. destruct g; intros; simpl; apply concave54; [apply two | apply one]; auto. Qed.
