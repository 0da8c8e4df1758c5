(* What the certificate of a request-answer system proves. The algorithm answers each request from its state, at random. Its belief
   is the distribution of its state. The offline side moves with all requests known. A potential that every reachable step respects
   bounds the ratio for every sequence of requests; a cycle of larger ratio refutes every smaller one. Costs and gains are one case:
   u and v are the weights of the algorithm's and the offline side's amounts, q and -p for a cost ratio p/q, -p and q for gains. *)
From Schedproof Require Import sums.
From Coq Require Import ZArith.

Section System.
Variables request state place : Type.
Notation belief := (list (R * state)).
Variable answer : state -> request -> list (R * (state * R)).   (* probability, next state, cost or gain *)
Variable comes : belief -> place -> request -> Prop.            (* which requests may come *)
Variable move : place -> request -> R -> place -> Prop.         (* offline: its cost or gain, its next state *)
Definition mean (b : belief) (f : state -> R) := sum (fun x => fst x * f (snd x)) b.
Variable tidy : belief -> belief.                               (* adds up the weights of equal states *)
Hypothesis tidy_same : forall b f, mean (tidy b) f = mean b f.

(* the algorithm's expected amount on a sequence of requests, from its definition: no beliefs *)
Fixpoint expected (s : state) (rs : list request) : R :=
  match rs with [] => 0 | r :: rs => sum (fun x => fst x * (snd (snd x) + expected (fst (snd x)) rs)) (answer s r) end.

Definition pays (b : belief) r := mean b (fun s => sum (fun x => fst x * snd (snd x)) (answer s r)).
Definition after (b : belief) r := tidy (flat_map (fun y => map (fun x => (fst y * fst x, fst (snd x))) (answer (snd y) r)) b).
Inductive plays : belief -> place -> list request -> R -> belief -> place -> Prop :=
| stops : forall b o, plays b o [] 0 b o
| goes : forall b o r c o' rs O b' o'', comes b o r -> move o r c o' -> plays (after b r) o' rs O b' o'' ->
    plays b o (r :: rs) (c + O) b' o''.

(* a step of beliefs is the expectation of the steps of states *)
Lemma expected_step b r rs : mean b (fun s => expected s (r :: rs)) = pays b r + mean (after b r) (fun s => expected s rs).
Proof.
  unfold after. rewrite tidy_same. unfold pays, mean. rewrite sum_flat, <- sum_plus. apply sum_ext; intros [w s] _.
  rewrite sum_map. cbn [fst snd expected]. rewrite <- !sum_scal, <- sum_plus. apply sum_ext; intros; cbn [fst snd]; ring. Qed.
Lemma expected_app b o rs O b' o' ts : plays b o rs O b' o' ->
  mean b (fun s => expected s (rs ++ ts)) = mean b (fun s => expected s rs) + mean b' (fun s => expected s ts).
Proof.
  induction 1 as [b o|b o r c o' rs O b' o'' _ _ _ IH].
  - unfold mean. cbn [app expected]. rewrite (sum_ext (fun x => fst x * 0) (fun _ => 0)), sum_zero by (intros; ring). ring.
  - rewrite <- app_comm_cons, !expected_step, IH. ring. Qed.
Lemma plays_app b o rs O b' o' ts P b'' o'' : plays b o rs O b' o' -> plays b' o' ts P b'' o'' -> plays b o (rs ++ ts) (O + P) b'' o''.
Proof.
  induction 1 as [b o|b o r c o' rs O b1 o1 C M _ IH]; intro Q; cbn [app].
  - rewrite Rplus_0_l. exact Q.
  - rewrite Rplus_assoc. apply goes with o'; auto. Qed.

(* A potential numbers pairs of a belief and a place. A certificate lists it, so it is a relation here. *)
Section Numbers.
Variables u v : R.
Variable numbered : belief -> place -> R -> Prop.
Hypothesis respected : forall b o n r c o', numbered b o n -> comes b o r -> move o r c o' ->
  exists n', numbered (after b r) o' n' /\ u * pays b r + v * c + n <= n'.
Theorem telescopes_by : forall b o n rs O b' o', numbered b o n -> plays b o rs O b' o' ->
  exists n', numbered b' o' n' /\ u * mean b (fun s => expected s rs) + v * O + n <= n'.
Proof.
  intros b o n rs O b' o' N P. revert n N. induction P as [b o|b o r c o1 rs O b' o' C M _ IH]; intros n N.
  - exists n. split; auto. cbn [expected]. unfold mean. rewrite (sum_ext (fun x => fst x * 0) (fun _ => 0)), sum_zero by (intros; ring). lra.
  - destruct (respected b o n r c o1 N C M) as (n1 & N1 & S). destruct (IH n1 N1) as (n2 & N2 & I). exists n2. split; auto. rewrite expected_step. lra. Qed.
End Numbers.

Section Upper.
Variables u v : R.
Variable good : belief -> place -> Prop.   (* contains the reachable pairs *)
Variable phi : belief -> place -> R.
Hypothesis respected : forall b o r c o', good b o -> comes b o r -> move o r c o' ->
  good (after b r) o' /\ u * pays b r + v * c + phi b o <= phi (after b r) o'.
Theorem telescopes : forall b o rs O b' o', good b o -> plays b o rs O b' o' ->
  u * mean b (fun s => expected s rs) + v * O + phi b o <= phi b' o' /\ good b' o'.
Proof.
  intros b o rs O b' o' G P.
  destruct (telescopes_by u v (fun b o n => good b o /\ n = phi b o)) with (b := b) (o := o) (n := phi b o) (rs := rs) (O := O) (b' := b') (o' := o')
    as (n & [G' ->] & I); auto.
  intros b0 o0 n r c o1 [G0 ->] C M. destruct (respected b0 o0 r c o1 G0 C M). eauto. Qed.
Theorem upper : forall s o top, good [(1, s)] o -> (forall b o, good b o -> phi b o <= top) ->
  forall rs O b' o', plays [(1, s)] o rs O b' o' -> u * expected s rs + v * O <= top - phi [(1, s)] o.
Proof.
  intros s o top G T rs O b' o' P. destruct (telescopes _ _ _ _ _ _ G P) as [I G']. specialize (T b' o' G').
  unfold mean in I. cbn [sum fst snd] in I. lra. Qed.
End Upper.

(* without an additive constant: the start's potential is 0 and none is larger *)
Corollary strict_upper : forall (u v : R) (good : belief -> place -> Prop) (phi : belief -> place -> R) s o,
  (forall b o r c o', good b o -> comes b o r -> move o r c o' ->
    good (after b r) o' /\ u * pays b r + v * c + phi b o <= phi (after b r) o') ->
  good [(1, s)] o -> phi [(1, s)] o = 0 -> (forall b o, good b o -> phi b o <= 0) ->
  forall rs O b' o', plays [(1, s)] o rs O b' o' -> u * expected s rs + v * O <= 0.
Proof. intros u v good phi s o H G Z T rs O b' o' P. pose proof (upper u v good phi H s o 0 G T rs O b' o' P). lra. Qed.

Lemma some_multiple x : exists n, x < INR n.
Proof.
  exists (Z.to_nat (up x)). destruct (archimed x) as [A _]. rewrite INR_IZR_INZ. apply Rlt_le_trans with (IZR (up x)); [exact A|].
  apply IZR_le. lia. Qed.

(* a way from the start to a cycle whose weighted amount is positive: enough rounds exceed every constant *)
Lemma rounds b o rs O n : plays b o rs O b o -> plays b o (concat (repeat rs n)) (INR n * O) b o /\
  mean b (fun s => expected s (concat (repeat rs n))) = INR n * mean b (fun s => expected s rs).
Proof.
  intro P. induction n as [|n [IP IE]].
  - cbn [repeat concat expected]. rewrite Rmult_0_l. split; [apply stops|]. unfold mean.
    rewrite (sum_ext (fun x => fst x * 0) (fun _ => 0)), sum_zero by (intros; ring). simpl. ring.
  - cbn [repeat concat]. rewrite S_INR. split.
    + replace ((INR n + 1) * O) with (O + INR n * O) by ring. eapply plays_app; eauto.
    + rewrite (expected_app b o rs O b o), IE by auto. ring. Qed.
Theorem lower : forall u v s o way W b o' rs O, plays [(1, s)] o way W b o' -> plays b o' rs O b o' ->
  0 < u * mean b (fun s => expected s rs) + v * O ->
  forall K, exists ts P, plays [(1, s)] o ts P b o' /\ K < u * expected s ts + v * P.
Proof.
  intros u v s o way W b o' rs O w c H K. set (d := u * mean b (fun s => expected s rs) + v * O) in *.
  destruct (some_multiple ((K - u * expected s way - v * W) / d)) as [n N].
  destruct (rounds b o' rs O n c) as [P E]. exists (way ++ concat (repeat rs n)), (W + INR n * O).
  split; [eapply plays_app; eauto|]. pose proof (expected_app _ _ _ _ _ _ (concat (repeat rs n)) w) as A. rewrite E in A.
  unfold mean at 1 2 in A. cbn [sum fst snd] in A. rewrite !Rmult_1_l, !Rplus_0_r in A. rewrite A.
  apply Rmult_lt_compat_r with (r := d) in N; auto. unfold Rdiv in N. rewrite Rmult_assoc, Rinv_l, Rmult_1_r in N by lra.
  unfold d in N. lra. Qed.

(* Costs: the potential bounds the ratio by p/q up to a constant, for every sequence of requests and every offline schedule. *)
Theorem competitive : forall p q (good : belief -> place -> Prop) (phi : belief -> place -> R) s o top, 0 < q ->
  (forall b o r c o', good b o -> comes b o r -> move o r c o' ->
    good (after b r) o' /\ q * pays b r - p * c + phi b o <= phi (after b r) o') ->
  good [(1, s)] o -> (forall b o, good b o -> phi b o <= top) ->
  forall rs O b' o', plays [(1, s)] o rs O b' o' -> expected s rs <= p / q * O + (top - phi [(1, s)] o) / q.
Proof.
  intros p q good phi s o top Q H G L rs O b' o' P. assert (U : q * expected s rs + - p * O <= top - phi [(1, s)] o).
  { eapply upper with (good := good) (phi := phi); eauto. intros b0 o0 r c o1 G0 C M. destruct (H b0 o0 r c o1 G0 C M). split; auto. lra. }
  apply Rmult_le_reg_l with q; auto.
  replace (q * (p / q * O + (top - phi [(1, s)] o) / q)) with (p * O + (top - phi [(1, s)] o)) by (field; lra). lra. Qed.
(* and a cycle refutes each ratio r below its own, whatever the constant K *)
Theorem not_competitive : forall r s o way W b o' rs O, plays [(1, s)] o way W b o' -> plays b o' rs O b o' ->
  r * O < mean b (fun s => expected s rs) -> forall K, exists ts P, plays [(1, s)] o ts P b o' /\ r * P + K < expected s ts.
Proof.
  intros r s o way W b o' rs O w c H K. destruct (lower 1 (- r) s o way W b o' rs O w c ltac:(lra) K) as (ts & P & S & I).
  exists ts, P. split; auto. lra. Qed.
End System.

(* The special case without chance, with whole numbers: a walk in the product graph of a policy and another schedule. *)
Section Graph.
Variable state : Type.
Variable step : state -> Z -> Z -> state -> Prop.   (* from, cost of the policy, cost of the other, to *)
Variable phi : state -> Z.
Variables p q : Z.
Open Scope Z_scope.
Hypothesis respected : forall s a o t, step s a o t -> q * a - p * o + phi s <= phi t.
Inductive walk : state -> Z -> Z -> state -> Prop :=
| stay : forall s, walk s 0 0 s
| go : forall s a o t A O u, step s a o t -> walk t A O u -> walk s (a + A) (o + O) u.
Open Scope R_scope.
Let edge := (Z * Z * state)%type.
Let reply (_ : unit) (e : edge) : list (R * (unit * R)) := [(1, (tt, IZR (fst (fst e))))].
Let legal (b : list (R * unit)) s (e : edge) := b = [(1, tt)] /\ step s (fst (fst e)) (snd (fst e)) (snd e).
Let other (_ : state) (e : edge) c t := c = IZR (snd (fst e)) /\ t = snd e.
Let whole (b : list (R * unit)) : list (R * unit) := [(sum fst b, tt)].
Lemma whole_same b f : mean unit (whole b) f = mean unit b f.
Proof. unfold mean, whole. cbn [sum fst snd]. rewrite Rplus_0_r, <- sum_scal_r. apply sum_ext. intros [w []] _. reflexivity. Qed.
Lemma one e : after edge unit reply whole [(1, tt)] e = [(1, tt)].
Proof. unfold after, whole, reply. cbn. repeat f_equal. ring. Qed.
Lemma walk_plays s A O u : walk s A O u ->
  exists rs, plays edge unit state reply legal other whole [(1, tt)] s rs (IZR O) [(1, tt)] u /\ expected edge unit reply tt rs = IZR A.
Proof.
  induction 1 as [s|s a o t A O u S _ (rs & P & E)]; [exists []; split; [apply stops | reflexivity]|].
  exists ((a, o, t) :: rs). rewrite !plus_IZR. split.
  - apply goes with t; [split; auto | split; auto | rewrite one; exact P].
  - change (1 * (IZR a + expected edge unit reply tt rs) + 0 = IZR a + IZR A). rewrite E. ring. Qed.
Theorem ratio : forall s A O u, walk s A O u -> (phi u <= phi s -> q * A <= p * O)%Z.
Proof.
  intros s A O u w L. destruct (walk_plays s A O u w) as (rs & P & E).
  destruct (telescopes edge unit state reply legal other whole whole_same (IZR q) (- IZR p) (fun b _ => b = [(1, tt)])
    (fun _ s => IZR (phi s))) with (b := [(1, tt)]) (o := s) (rs := rs) (O := IZR O) (b' := [(1, tt)]) (o' := u) as [I _]; auto.
  - intros b v [[a o] t] c t' -> [_ S] [-> ->]. cbn [fst snd] in *. split; [apply one|]. apply respected, IZR_le in S.
    rewrite !plus_IZR, minus_IZR, !mult_IZR in S. unfold pays, mean, reply. cbn [sum fst snd]. lra.
  - unfold mean in I. cbn [sum fst snd] in I. rewrite E in I. apply IZR_le in L. apply le_IZR. rewrite !mult_IZR. lra. Qed.
End Graph.
