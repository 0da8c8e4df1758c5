(* Regret of projected online ascent, in any real space with an inner product, for the steps of the paper.
   Slots are numbered from 0: y 0 is the first point, and y (t + 1) the projection of y t + eta t * g t onto Y. *)
From Schedproof Require Import sums.
From Coq Require Import Arith.

Fixpoint upto (f : nat -> R) (n : nat) : R := match n with O => 0 | S k => upto f k + f k end.
Lemma upto_le f g n : (forall t, (t < n)%nat -> f t <= g t) -> upto f n <= upto g n.
Proof. induction n; simpl; intros H; [lra|]. assert (f n <= g n) by (apply H; lia). assert (upto f n <= upto g n) by (apply IHn; intros; apply H; lia). lra. Qed.
Lemma upto_scal c f n : upto (fun t => c * f t) n = c * upto f n.
Proof. induction n; simpl; [lra|]. rewrite IHn; lra. Qed.

Record space := {
  point :> Type; plus : point -> point -> point; scal : R -> point -> point; dot : point -> point -> R;
  dot_comm : forall a b, dot a b = dot b a;
  dot_plus : forall a b c, dot (plus a b) c = dot a c + dot b c;
  dot_scal : forall k a b, dot (scal k a) b = k * dot a b;
  dot_pos : forall a, 0 <= dot a a }.
Arguments plus {_}. Arguments scal {_}. Arguments dot {_}.
Definition minus {V : space} (a b : V) := plus a (scal (-1) b).
Definition sq {V : space} (a : V) := dot a a.

(* y is a run of projected ascent: the projection p of z onto a convex set Y is the point of Y with
   (z - p)(x - p) <= 0 for all x in Y *)
Definition ascent (V : space) (Y : V -> Prop) (y g : nat -> V) (eta : nat -> R) :=
  forall t, Y (y t) /\ forall x, Y x -> dot (minus (plus (y t) (scal (eta t) (g t))) (y (S t))) (minus x (y (S t))) <= 0.
Definition linear_regret {V : space} (y g : nat -> V) (x : V) (T : nat) := upto (fun t => dot (g t) (minus x (y t))) T.

Section Ascent.
Variable V : space.
Implicit Types (x a b c : V).
Lemma dot_plus_r a b c : dot a (plus b c) = dot a b + dot a c.
Proof. rewrite dot_comm, dot_plus, (dot_comm _ b), (dot_comm _ c); ring. Qed.
Lemma dot_scal_r k a b : dot a (scal k b) = k * dot a b.
Proof. rewrite dot_comm, dot_scal, dot_comm; ring. Qed.
Variable Y : V -> Prop.
Variables (y g : nat -> V) (eta : nat -> R).
Hypothesis run : ascent V Y y g eta.

Lemma step x t : Y x ->
  2 * eta t * dot (g t) (minus x (y t)) <= sq (minus (y t) x) - sq (minus (y (S t)) x) + eta t * eta t * sq (g t).
Proof.
  intro Hx. pose proof (proj2 (run t) x Hx) as P.
  pose proof (dot_pos V (minus (plus (y t) (scal (eta t) (g t))) (y (S t)))) as N.
  unfold sq, minus in *.
  repeat rewrite ?dot_plus, ?dot_plus_r, ?dot_scal, ?dot_scal_r.
  repeat rewrite ?dot_plus, ?dot_plus_r, ?dot_scal, ?dot_scal_r in P.
  repeat rewrite ?dot_plus, ?dot_plus_r, ?dot_scal, ?dot_scal_r in N.
  rewrite (dot_comm _ x (y t)), (dot_comm _ x (y (S t))), ?(dot_comm _ (g t) (y t)),
          ?(dot_comm _ (y (S t)) (y t)), ?(dot_comm _ (y (S t)) (g t)), ?(dot_comm _ x (g t)).
  rewrite ?(dot_comm _ x (y t)), ?(dot_comm _ x (y (S t))), ?(dot_comm _ (g t) (y t)),
          ?(dot_comm _ (y (S t)) (y t)), ?(dot_comm _ (y (S t)) (g t)), ?(dot_comm _ x (g t)) in P.
  rewrite ?(dot_comm _ (g t) (y t)), ?(dot_comm _ (y (S t)) (y t)), ?(dot_comm _ (y (S t)) (g t)) in N.
  nra.
Qed.
End Ascent.

(* (41)(i), repaired: y (T + 1) in place of y (T) *)
Theorem inequality41 : forall (V : space) (Y : V -> Prop) y g (eta : R) x T,
  ascent V Y y g (fun _ => eta) -> 0 < eta -> Y x ->
  linear_regret y g x T <= (sq (minus (y O) x) - sq (minus (y T) x)) / (2 * eta) + eta / 2 * upto (fun t => sq (g t)) T.
Proof.
  intros V Y y g eta x T run E X. unfold linear_regret. induction T as [|T IH]; simpl.
  - unfold Rdiv. rewrite Rminus_diag_eq by reflexivity. lra.
  - pose proof (step V Y y g _ run x T X) as S1. cbv beta in S1.
    set (d := dot (g T) (minus x (y T))) in *. set (p := sq (minus (y T) x)) in *. set (q := sq (minus (y (S T)) x)) in *.
    assert (d <= (p - q) / (2 * eta) + eta / 2 * sq (g T)).
    { apply Rmult_le_reg_l with (2 * eta); [lra|].
      replace (2 * eta * ((p - q) / (2 * eta) + eta / 2 * sq (g T))) with (p - q + eta * eta * sq (g T)) by (field; lra). lra. }
    replace ((sq (minus (y O) x) - q) / (2 * eta)) with ((sq (minus (y O) x) - p) / (2 * eta) + (p - q) / (2 * eta)) by (field; lra).
    lra.
Qed.

(* steps that do not grow: by parts *)
Theorem falling_steps : forall (V : space) (Y : V -> Prop) y g (eta : nat -> R) x (D : R) T,
  ascent V Y y g eta -> (forall t, 0 < eta (S t) <= eta t) -> Y x -> (forall t, sq (minus (y t) x) <= D * D) ->
  linear_regret y g x (S T) <= D * D / (2 * eta T) + upto (fun t => eta t / 2 * sq (g t)) (S T).
Proof.
  intros V Y y g eta x D T run E X diam. unfold linear_regret.
  assert (pos : forall t, 0 < eta t) by (intros [|t]; [destruct (E O); lra | apply E]).
  set (d := fun t => sq (minus (y t) x)) in *.
  assert (one : forall t, dot (g t) (minus x (y t)) <= (d t - d (S t)) / (2 * eta t) + eta t / 2 * sq (g t)).
  { intro t. pose proof (step V Y y g _ run x t X) as S1. fold (d t) (d (S t)) in S1. pose proof (pos t).
    apply Rmult_le_reg_l with (2 * eta t); [lra|].
    replace (2 * eta t * ((d t - d (S t)) / (2 * eta t) + eta t / 2 * sq (g t))) with (d t - d (S t) + eta t * eta t * sq (g t)) by (field; lra). lra. }
  assert (all : upto (fun t => dot (g t) (minus x (y t))) (S T)
          <= (D * D - d (S T)) / (2 * eta T) + upto (fun t => eta t / 2 * sq (g t)) (S T)).
  { induction T as [|T IH].
    - simpl. pose proof (one O). pose proof (diam O). fold (d O) in *. pose proof (pos O).
      assert ((d O - d 1%nat) / (2 * eta O) <= (D * D - d 1%nat) / (2 * eta O)).
      { unfold Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra | lra]. } lra.
    - remember (S T) as U. cbn [upto]. pose proof (one U). subst U.
      pose proof (pos T). pose proof (E T) as [P Q]. pose proof (diam (S T)) as D1. change (sq (minus (y (S T)) x)) with (d (S T)) in D1.
      assert ((D * D - d (S T)) / (2 * eta T) <= (D * D - d (S T)) / (2 * eta (S T))).
      { unfold Rdiv. apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; lra. }
      assert ((D * D - d (S T)) / (2 * eta (S T)) + (d (S T) - d (S (S T))) / (2 * eta (S T)) = (D * D - d (S (S T))) / (2 * eta (S T))) by (field; lra).
      lra. }
  assert ((D * D - d (S T)) / (2 * eta T) <= D * D / (2 * eta T)).
  { pose proof (pos T). unfold Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|].
    pose proof (dot_pos V (minus (y (S T)) x)). unfold d, sq. lra. }
  lra.
Qed.

Lemma upto_bound f c n : (forall t, (t < n)%nat -> f t <= c) -> upto f n <= INR n * c.
Proof. intro H. induction n; [simpl; lra|]. rewrite S_INR. simpl. assert (f n <= c) by (apply H; lia). assert (upto f n <= INR n * c) by (apply IHn; intros; apply H; lia). lra. Qed.

(* The step D / (largest norm so far * sqrt N), (53) repaired, for N slots or fewer; n t is the largest norm up to slot t. *)
Theorem largest_norm_step : forall (V : space) (Y : V -> Prop) y g (n : nat -> R) (D N : R) x T,
  ascent V Y y g (fun t => D / (n t * sqrt N)) -> 0 < D -> INR (S T) <= N ->
  0 < n O -> (forall t, n t <= n (S t)) -> (forall t, sq (g t) <= n t * n t) ->
  Y x -> (forall t, sq (minus (y t) x) <= D * D) ->
  linear_regret y g x (S T) <= D * n T * sqrt N.
Proof.
  intros V Y y g n D N x T run HD HN n0 up short X diam.
  assert (N0 : 0 < N) by (pose proof (lt_0_INR (S T)); assert (0 < INR (S T)) by (apply lt_0_INR; lia); lra).
  set (s := sqrt N) in *.
  assert (Hs : s * s = N) by (apply sqrt_sqrt; lra).
  assert (Hs0 : 0 < s) by (apply sqrt_lt_R0; lra).
  assert (pos : forall t, 0 < n t) by (induction t; [auto | specialize (up t); lra]).
  assert (mono : forall t u, (t <= u)%nat -> n t <= n u) by (intros t u L; induction L; [lra | specialize (up m); lra]).
  assert (E : forall t, 0 < D / (n (S t) * s) <= D / (n t * s)).
  { intro t. pose proof (pos t). pose proof (pos (S t)). split; [apply Rdiv_lt_0_compat; nra|].
    unfold Rdiv. apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; [nra|]. specialize (up t). nra. }
  pose proof (falling_steps V Y y g _ x D T run E X diam) as B. cbv beta in B.
  assert (A1 : D * D / (2 * (D / (n T * s))) = D * n T * s / 2).
  { pose proof (pos T). field. split; lra. }
  assert (A2 : upto (fun t => D / (n t * s) / 2 * sq (g t)) (S T) <= INR (S T) * (D * n T / (2 * s))).
  { apply upto_bound. intros t L. pose proof (pos t). pose proof (pos T). pose proof (mono t T ltac:(lia)). pose proof (short t).
    apply Rle_trans with (D / (n t * s) / 2 * (n t * n t)).
    - apply Rmult_le_compat_l; auto. unfold Rdiv. assert (0 < / (n t * s)) by (apply Rinv_0_lt_compat; nra). nra.
    - replace (D / (n t * s) / 2 * (n t * n t)) with (n t * (D / (2 * s))) by (field; lra).
      replace (D * n T / (2 * s)) with (n T * (D / (2 * s))) by (field; lra).
      apply Rmult_le_compat_r; auto. left; apply Rdiv_lt_0_compat; lra. }
  assert (A3 : INR (S T) * (D * n T / (2 * s)) <= D * n T * s / 2).
  { replace (D * n T * s / 2) with (N * (D * n T / (2 * s))) by (rewrite <- Hs; field; lra).
    apply Rmult_le_compat_r; auto. pose proof (pos T). apply Rmult_le_pos; [nra | left; apply Rinv_0_lt_compat; lra]. }
  lra.
Qed.

(* The any-time step D / sqrt (2 * sum of the squares so far). *)
Lemma root_difference S0 a : 0 <= a <= S0 -> 0 < S0 -> a / sqrt S0 <= 2 * (sqrt S0 - sqrt (S0 - a)).
Proof.
  intros [A L] P. set (r := sqrt S0). set (q := sqrt (S0 - a)).
  assert (r * r = S0) by (apply sqrt_sqrt; lra). assert (q * q = S0 - a) by (apply sqrt_sqrt; lra).
  assert (0 < r) by (apply sqrt_lt_R0; lra). assert (0 <= q) by apply sqrt_pos.
  apply Rmult_le_reg_r with r; [lra|]. replace (a / r * r) with a by (field; lra). nra.
Qed.
Theorem anytime_step : forall (V : space) (Y : V -> Prop) y g (D : R) x T,
  ascent V Y y g (fun t => D / sqrt (2 * upto (fun s => sq (g s)) (S t))) -> 0 < D -> 0 < sq (g O) ->
  Y x -> (forall t, sq (minus (y t) x) <= D * D) ->
  linear_regret y g x (S T) <= D * sqrt (2 * upto (fun s => sq (g s)) (S T)).
Proof.
  intros V Y y g D x T run HD g0 X diam.
  set (Q := fun t => upto (fun s => sq (g s)) (S t)) in *.
  assert (step : forall t, Q (S t) = Q t + sq (g (S t))) by reflexivity.
  assert (gp : forall t, 0 <= sq (g t)) by (intro; apply dot_pos).
  assert (pos : forall t, 0 < Q t).
  { induction t; [unfold Q; simpl; lra|]. rewrite step. specialize (gp (S t)). lra. }
  set (eta := fun t => D / sqrt (2 * upto (fun s => sq (g s)) (S t))) in *.
  assert (etaQ : forall t, eta t = D / sqrt (2 * Q t)) by reflexivity.
  assert (rp : forall t, 0 < sqrt (2 * Q t)) by (intro t; apply sqrt_lt_R0; specialize (pos t); lra).
  assert (E : forall t, 0 < eta (S t) <= eta t).
  { intro t. rewrite !etaQ. pose proof (rp t). pose proof (rp (S t)). split; [apply Rdiv_lt_0_compat; lra|].
    unfold Rdiv. apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; [lra|]. apply sqrt_le_1_alt.
    rewrite step. specialize (gp (S t)). lra. }
  pose proof (falling_steps V Y y g eta x D T run E X diam) as B.
  fold (Q T). set (r2 := sqrt (2 * Q T)) in *.
  assert (A1 : D * D / (2 * eta T) = D * r2 / 2).
  { rewrite etaQ. fold r2. pose proof (rp T). fold r2 in H. field. split; lra. }
  assert (split2 : forall v, 0 <= v -> sqrt (2 * v) = sqrt 2 * sqrt v) by (intros; apply sqrt_mult; lra).
  assert (s2 : sqrt 2 * sqrt 2 = 2) by (apply sqrt_sqrt; lra).
  assert (s2p : 0 < sqrt 2) by (apply sqrt_lt_R0; lra).
  assert (term : forall t, eta t / 2 * sq (g t) <= D / sqrt 2 * (sqrt (Q t) - sqrt (Q t - sq (g t)))).
  { intro t. rewrite etaQ, split2 by (specialize (pos t); lra).
    assert (0 < sqrt (Q t)) by (apply sqrt_lt_R0; auto).
    assert (sq (g t) <= Q t). { unfold Q. cbn [upto]. assert (0 <= upto (fun s => sq (g s)) t); [|lra].
      clear -gp. induction t; simpl; [lra | specialize (gp t); lra]. }
    pose proof (root_difference (Q t) (sq (g t)) (conj (gp t) H0) (pos t)) as RD.
    replace (D / (sqrt 2 * sqrt (Q t)) / 2 * sq (g t)) with (D / (2 * sqrt 2) * (sq (g t) / sqrt (Q t))) by (field; lra).
    replace (D / sqrt 2 * (sqrt (Q t) - sqrt (Q t - sq (g t)))) with (D / (2 * sqrt 2) * (2 * (sqrt (Q t) - sqrt (Q t - sq (g t))))) by (field; lra).
    apply Rmult_le_compat_l; auto. left; apply Rdiv_lt_0_compat; lra. }
  assert (A2 : upto (fun t => eta t / 2 * sq (g t)) (S T) <= D / sqrt 2 * sqrt (Q T)).
  { clear -term step HD s2p. induction T as [|T IH].
    - cbn [upto]. pose proof (term O). pose proof (sqrt_pos (Q O - sq (g O))). 
      assert (0 < D / sqrt 2) by (apply Rdiv_lt_0_compat; lra). nra.
    - remember (S T) as U. cbn [upto]. pose proof (term U). subst U. rewrite step in *.
      replace (Q T + sq (g (S T)) - sq (g (S T))) with (Q T) in H by lra. lra. }
  assert (A3 : D / sqrt 2 * sqrt (Q T) = D * r2 / 2).
  { unfold r2. rewrite split2 by (specialize (pos T); lra).
    apply Rmult_eq_reg_l with (sqrt 2); [|lra]. 
    replace (sqrt 2 * (D / sqrt 2 * sqrt (Q T))) with (D * sqrt (Q T)) by (field; lra).
    replace (sqrt 2 * (D * (sqrt 2 * sqrt (Q T)) / 2)) with ((sqrt 2 * sqrt 2) * (D * sqrt (Q T)) / 2) by lra. rewrite s2. lra. }
  lra.
Qed.

(* Decayed steps eta0 * lambda^t. *)
Theorem decayed_step : forall (V : space) (Y : V -> Prop) y g (D G eta0 lambda : R) x T,
  ascent V Y y g (fun t => eta0 * lambda ^ t) -> 0 < eta0 -> 0 < lambda < 1 ->
  Y x -> (forall t, sq (minus (y t) x) <= D * D) -> (forall t, sq (g t) <= G * G) ->
  linear_regret y g x (S T)
  <= D * D / (2 * (eta0 * lambda ^ T)) + eta0 * (G * G) * (1 - lambda ^ (S T)) / (2 * (1 - lambda)).
Proof.
  intros V Y y g D G eta0 l x T run He Hl X diam short.
  assert (lp : forall t, 0 < l ^ t) by (intro; apply pow_lt; lra).
  assert (E : forall t, 0 < eta0 * l ^ S t <= eta0 * l ^ t).
  { intro t. simpl. pose proof (lp t). split; [apply Rmult_lt_0_compat; nra|]. apply Rmult_le_compat_l; [lra|]. nra. }
  pose proof (falling_steps V Y y g _ x D T run E X diam) as B. cbv beta in B.
  assert (A2 : upto (fun t => eta0 * l ^ t / 2 * sq (g t)) (S T) <= eta0 * (G * G) * (1 - l ^ S T) / (2 * (1 - l))).
  { clear B E diam run. generalize (S T) as n. induction n as [|n IH]; [simpl; unfold Rdiv; rewrite Rminus_diag_eq by reflexivity; lra|].
    cbn [upto]. pose proof (short n). pose proof (lp n).
    assert (eta0 * l ^ n / 2 * sq (g n) <= eta0 * l ^ n / 2 * (G * G)) by (apply Rmult_le_compat_l; auto; nra).
    replace (eta0 * (G * G) * (1 - l ^ S n) / (2 * (1 - l)))
      with (eta0 * (G * G) * (1 - l ^ n) / (2 * (1 - l)) + eta0 * l ^ n / 2 * (G * G)) by (simpl; field; lra). lra. }
  lra.
Qed.

(* Gradients of norm 0 cost nothing. *)
Lemma null : forall (V : space) (a b : V), sq a <= 0 -> dot a b <= 0.
Proof.
  intros V a b N. destruct (Rle_lt_dec (dot a b) 0) as [|P]; auto. exfalso.
  set (k := - (sq b + 1) / (2 * dot a b)). pose proof (dot_pos V (plus (scal k a) b)) as Q.
  repeat rewrite ?dot_plus, ?dot_plus_r, ?dot_scal, ?dot_scal_r in Q. rewrite (dot_comm _ b a) in Q. unfold sq in *.
  assert (E : 2 * (k * dot a b) = - (dot b b + 1)) by (unfold k; field; lra). pose proof (dot_pos V a). nra. Qed.
(* So the steps may be counted from the first gradient that is not 0. *)
Lemma after_zeros : forall (V : space) (y g : nat -> V) x t0 T, (forall t, (t < t0)%nat -> sq (g t) <= 0) ->
  linear_regret y g x (t0 + T) <= linear_regret (fun t => y (t0 + t)%nat) (fun t => g (t0 + t)%nat) x T.
Proof.
  intros V y g x t0 T Z. unfold linear_regret. induction T as [|T IH].
  - rewrite Nat.add_0_r. simpl. replace 0 with (INR t0 * 0) by ring. apply upto_bound. intros t H. apply null; auto.
  - rewrite Nat.add_succ_r. cbn [upto]. lra. Qed.
Lemma first_positive : forall (n : nat -> R) T, 0 < n T -> exists t0, (t0 <= T)%nat /\ 0 < n t0 /\ forall t, (t < t0)%nat -> n t <= 0.
Proof.
  intros n. assert (G : forall T, (forall t, (t < T)%nat -> n t <= 0) \/ exists t0, (t0 < T)%nat /\ 0 < n t0 /\ forall t, (t < t0)%nat -> n t <= 0).
  { induction T as [|T [IH|(t0 & A & B)]]; [left; intros; lia| |right; exists t0; split; [lia | auto]].
    destruct (Rlt_le_dec 0 (n T)); [right; exists T; auto|]. left. intros t H. destruct (Nat.eq_dec t T) as [->|]; [lra | apply IH; lia]. }
  intros T P. destruct (G T) as [H|(t0 & A & B)]; [exists T; auto | exists t0; split; [lia | auto]]. Qed.
Lemma ascent_from : forall (V : space) (Y : V -> Prop) y g eta step t0, ascent V Y y g eta -> (forall t, eta (t0 + t)%nat = step t) ->
  ascent V Y (fun t => y (t0 + t)%nat) (fun t => g (t0 + t)%nat) step.
Proof. intros V Y y g eta step t0 R E t. rewrite <- E, Nat.add_succ_r. apply R. Qed.
Theorem largest_norm_step_from : forall (V : space) (Y : V -> Prop) y g eta (n : nat -> R) (D N : R) x T,
  ascent V Y y g eta -> (forall t, 0 < n t -> eta t = D / (n t * sqrt N)) -> 0 < D -> INR (S T) <= N ->
  (forall t, 0 <= n t <= n (S t)) -> (forall t, sq (g t) <= n t * n t) ->
  Y x -> (forall t, sq (minus (y t) x) <= D * D) -> linear_regret y g x (S T) <= D * n T * sqrt N.
Proof.
  intros V Y y g eta n D N x T R E HD HN up short X diam.
  assert (mono : forall t u, (t <= u)%nat -> n t <= n u) by (intros t u L; induction L; [lra | specialize (up m); lra]).
  assert (Z : forall t, n t <= 0 -> sq (g t) <= 0) by (intros t H; specialize (up t); specialize (short t); replace (n t) with 0 in short by lra; lra).
  destruct (Rlt_le_dec 0 (n T)) as [P|P].
  - destruct (first_positive n T P) as (t0 & L & P0 & F). replace (S T) with (t0 + S (T - t0))%nat by lia.
    eapply Rle_trans; [apply after_zeros; auto|]. replace T with (t0 + (T - t0))%nat at 2 by lia.
    apply (largest_norm_step V Y _ _ (fun t => n (t0 + t)%nat) D N x (T - t0)); auto.
    + eapply ascent_from; [exact R|]. intro t. apply E. apply Rlt_le_trans with (n t0); auto. apply mono. lia.
    + eapply Rle_trans; [|exact HN]. apply le_INR. lia.
    + rewrite Nat.add_0_r. auto.
    + intro t. rewrite Nat.add_succ_r. apply up.
  - replace (n T) with 0 by (specialize (up T); lra). rewrite Rmult_0_r, Rmult_0_l. replace (S T) with (S T + 0)%nat by lia.
    eapply Rle_trans; [apply after_zeros | apply Rle_refl]. intros t L. apply Z. apply Rle_trans with (n T); auto. apply mono. lia. Qed.
Theorem anytime_step_from : forall (V : space) (Y : V -> Prop) y g eta (D : R) x T, let Q t := upto (fun s => sq (g s)) (S t) in
  ascent V Y y g eta -> (forall t, 0 < Q t -> eta t = D / sqrt (2 * Q t)) -> 0 < D ->
  Y x -> (forall t, sq (minus (y t) x) <= D * D) -> linear_regret y g x (S T) <= D * sqrt (2 * Q T).
Proof.
  intros V Y y g eta D x T Q R E HD X diam. assert (gp : forall t, 0 <= sq (g t)) by (intro; apply dot_pos).
  assert (mono : forall t u, (t <= u)%nat -> Q t <= Q u) by (intros t u L; induction L; [lra | specialize (gp (S m)); unfold Q in *; cbn [upto] in *; lra]).
  assert (part : forall t, sq (g t) <= Q t) by (intro t; unfold Q; cbn [upto]; assert (0 <= upto (fun s => sq (g s)) t) by (induction t; simpl; [lra | specialize (gp t); lra]); lra).
  destruct (Rlt_le_dec 0 (Q T)) as [P|P].
  - destruct (first_positive Q T P) as (t0 & L & P0 & F). replace (S T) with (t0 + S (T - t0))%nat by lia.
    assert (Z : forall t, (t < t0)%nat -> sq (g t) <= 0) by (intros t H; eapply Rle_trans; [apply part | auto]).
    assert (Z0 : upto (fun s => sq (g s)) t0 = 0).
    { clear - Z gp. induction t0 as [|k IH]; [reflexivity|]. cbn [upto]. rewrite IH by (intros; apply Z; lia). specialize (Z k ltac:(lia)). specialize (gp k). lra. }
    assert (Sh : forall t, Q (t0 + t)%nat = upto (fun s => sq (g (t0 + s)%nat)) (S t)).
    { unfold Q. induction t as [|t IH]; [cbn [upto]; rewrite Nat.add_0_r; lra|]. rewrite Nat.add_succ_r. remember (S t) as u. cbn [upto] in *. rewrite IH. subst u. rewrite Nat.add_succ_r. reflexivity. }
    eapply Rle_trans; [apply after_zeros; auto|]. replace (Q T) with (upto (fun s => sq (g (t0 + s)%nat)) (S (T - t0))) by (rewrite <- Sh; f_equal; lia).
    apply (anytime_step V Y (fun t => y (t0 + t)%nat) (fun t => g (t0 + t)%nat) D x (T - t0)); auto.
    + eapply ascent_from; [exact R|]. intro t. rewrite <- Sh. apply E. apply Rlt_le_trans with (Q t0); auto. apply mono. lia.
    + rewrite Nat.add_0_r. unfold Q in P0. cbn [upto] in P0. lra.
  - assert (Q0 : Q T = 0) by (pose proof (part T); specialize (gp T); lra). rewrite Q0, Rmult_0_r, sqrt_0, Rmult_0_r. replace (S T) with (S T + 0)%nat by lia.
    eapply Rle_trans; [apply after_zeros | apply Rle_refl]. intros t L. eapply Rle_trans; [apply part|]. rewrite <- Q0. apply mono. lia. Qed.
