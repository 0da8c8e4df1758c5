(* Ratios of finite online systems, deterministic or randomised: what `prove` and `check-ratio` rest on. A request is answered by the
   algorithm, perhaps at random, and by the offline side. The adversary is oblivious: it sees the belief, which is the distribution of the
   algorithm's state, and not the drawn state. *)
From Schedproof Require Import sums potential.
Open Scope R_scope.

(* a graph whose steps have two costs, here in any order: cost and optimum, or for gains the optimum and the algorithm's gain *)
Section Walks.
Variables node request : Type.
Variable step : node -> request -> R -> R -> node -> Prop.   (* from, request, large cost, small cost, to *)
Inductive steps : node -> list request -> R -> R -> node -> Prop :=
| none s : steps s [] 0 0 s
| more s q a o t qs A O u : step s q a o t -> steps t qs A O u -> steps s (q :: qs) (a + A) (o + O) u.
Definition reached (s t : node) := exists qs A O, steps s qs A O t.
Definition respected (r : R) (phi : node -> R) (s : node) :=
  forall t q a o u, reached s t -> step t q a o u -> a + phi u - phi t <= r * o.

Lemma joined s qs A O t qs' A' O' u : steps s qs A O t -> steps t qs' A' O' u -> steps s (qs ++ qs') (A + A') (O + O') u.
Proof.
  induction 1 as [s|s q a o t qs A O v S _ IH]; intros W; simpl; [rewrite !Rplus_0_l; auto|].
  rewrite !Rplus_assoc. eapply more; eauto. Qed.
Lemma one s q a o t : step s q a o t -> steps s [q] a o t.
Proof. intros S. rewrite <- (Rplus_0_r a), <- (Rplus_0_r o). eapply more; eauto. constructor. Qed.
Theorem telescoped r phi s qs A O u : respected r phi s -> steps s qs A O u -> A + phi u - phi s <= r * O.
Proof.
  intros H W. assert (G : forall t, steps t qs A O u -> reached s t -> A + phi u - phi t <= r * O).
  { clear W. intros t W. induction W as [t|t q a o v qs A O u S W IH]; intros N; [lra|].
    specialize (H _ _ _ _ _ N S). destruct N as (qs' & A' & O' & N).
    enough (A + phi u - phi v <= r * O) by lra. apply IH. exists (qs' ++ [q]), (A' + a), (O' + o).
    eapply joined; eauto. now apply one. }
  apply G; auto. exists [], 0, 0. constructor. Qed.
Lemma above x : exists n, x < INR n.
Proof.
  destruct (archimed x) as [U _]. exists (Z.to_nat (up x)). destruct (Z.le_gt_cases 0 (up x)) as [P|P].
  - rewrite INR_IZR_INZ, Z2Nat.id; auto.
  - apply IZR_lt in P. pose proof (pos_INR (Z.to_nat (up x))). lra. Qed.
(* rounds of a cycle *)
Lemma rounds t qs a o n : steps t qs a o t -> steps t (concat (repeat qs n)) (INR n * a) (INR n * o) t.
Proof.
  intros W. induction n as [|n IH]; [simpl; rewrite !Rmult_0_l; constructor|]. rewrite S_INR. cbn [repeat concat].
  replace ((INR n + 1) * a) with (a + INR n * a) by lra. replace ((INR n + 1) * o) with (o + INR n * o) by lra. eapply joined; eauto. Qed.
Theorem exceeded r s way A O t cycle a o : steps s way A O t -> steps t cycle a o t -> r * o < a ->
  forall constant, exists n, exists A' O', steps s (way ++ concat (repeat cycle n)) A' O' t /\ r * O' + constant < A'.
Proof.
  intros W C G k. destruct (above ((r * O + k - A) / (a - r * o))) as [n N].
  exists n, (A + INR n * a), (O + INR n * o). split; [eapply joined; eauto; now apply rounds|].
  apply (Rmult_lt_compat_r (a - r * o)) in N; [|lra]. unfold Rdiv in N. rewrite Rmult_assoc, Rinv_l in N; lra. Qed.
End Walks.
Arguments steps {node request}. Arguments reached {node request}. Arguments respected {node request}.
Arguments telescoped {node request}. Arguments exceeded {node request}.

Section System.
Variables state offline request : Type.
Variable answer : state -> request -> list (R * (state * R)).   (* probability, next state, cost *)
Variable moves : offline -> request -> list (offline * R).
Definition belief := list (R * state).
Variable may : belief -> offline -> request -> Prop.   (* which requests may come *)
Definition mean (f : state -> R) (b : belief) := sum (fun x => fst x * f (snd x)) b.
Definition alike (b c : belief) := forall f, mean f b = mean f c.
Definition paid (q : request) (s : state) := sum (fun x => fst x * snd (snd x)) (answer s q).
Definition next (b : belief) (q : request) : belief :=
  flat_map (fun x => map (fun y => (fst x * fst y, fst (snd y))) (answer (snd x) q)) b.
Variable normal : belief -> belief.   (* the same distribution in another form, as with equal states merged *)
Hypothesis same : forall b, alike (normal b) b.

(* the expected cost of the algorithm itself, drawing answer after answer *)
Fixpoint expected (s : state) (qs : list request) : R :=
  match qs with [] => 0 | q :: qs => sum (fun x => fst x * (snd (snd x) + expected (fst (snd x)) qs)) (answer s q) end.
(* the offline side's cost of a sequence of requests that may come *)
Inductive served : belief -> offline -> list request -> R -> belief -> offline -> Prop :=
| idle b o : served b o [] 0 b o
| serve b o q o' m qs M c o'' : may b o q -> In (o', m) (moves o q) -> served (normal (next b q)) o' qs M c o'' ->
  served b o (q :: qs) (m + M) c o''.
Inductive step : belief * offline -> request -> R -> R -> belief * offline -> Prop :=
| stepped b o q o' m : may b o q -> In (o', m) (moves o q) -> step (b, o) q (mean (paid q) b) m (normal (next b q), o').

Lemma mean_next f b q : mean f (next b q) = mean (fun s => sum (fun y => fst y * f (fst (snd y))) (answer s q)) b.
Proof.
  unfold mean, next. rewrite sum_flat. apply sum_ext. intros x _. rewrite sum_map, <- sum_scal. apply sum_ext. intros y _. simpl. lra. Qed.
Lemma linear b q qs : mean (paid q) b + mean (fun s => expected s qs) (normal (next b q)) = mean (fun s => expected s (q :: qs)) b.
Proof.
  rewrite (same _ _), mean_next. unfold mean. rewrite <- sum_plus. apply sum_ext. intros x _. unfold paid. simpl.
  rewrite <- Rmult_plus_distr_l, <- sum_plus. f_equal. apply sum_ext. intros y _. simpl. lra. Qed.
Lemma from_state s qs : mean (fun s => expected s qs) [(1, s)] = expected s qs.
Proof. unfold mean. simpl. lra. Qed.
Lemma no_requests b : mean (fun s => expected s []) b = 0.
Proof. unfold mean. simpl. rewrite sum_scal_r. lra. Qed.
Lemma served_walk b o qs M c o' : served b o qs M c o' -> steps step (b, o) qs (mean (fun s => expected s qs) b) M (c, o').
Proof.
  induction 1 as [b o|b o q o' m qs M c o'' P I _ IH]; [|rewrite <- linear; eapply more; eauto; now constructor].
  rewrite no_requests. constructor. Qed.
Lemma walk_served s qs A M u : steps step s qs A M u ->
  served (fst s) (snd s) qs M (fst u) (snd u) /\ A = mean (fun x => expected x qs) (fst s).
Proof.
  induction 1 as [s|s q a m t qs A M u S _ [IH ->]].
  - split; [constructor | symmetry; apply no_requests].
  - inversion S; subst. simpl in *. rewrite linear. split; auto. econstructor; eauto. Qed.

(* every sequence against every offline schedule: upper bounds up to a constant, and without one *)
Theorem upper_bound r phi b o least : respected step r phi (b, o) -> (forall t, least <= phi t) ->
  forall qs M c o', served b o qs M c o' -> mean (fun s => expected s qs) b <= r * M + (phi (b, o) - least).
Proof. intros H L qs M c o' W. apply served_walk in W. pose proof (telescoped _ _ _ _ _ _ _ _ H W). specialize (L (c, o')). lra. Qed.
Theorem upper_bound_strict r phi b o : respected step r phi (b, o) -> phi (b, o) = 0 -> (forall t, 0 <= phi t) ->
  forall qs M c o', served b o qs M c o' -> mean (fun s => expected s qs) b <= r * M.
Proof. intros H Z L qs M c o' W. pose proof (upper_bound r phi b o 0 H L qs M c o' W). lra. Qed.
Definition flipped s q a o t := step s q o a t.
Theorem upper_bound_gains r phi b o least : respected flipped r phi (b, o) -> (forall t, least <= phi t) ->
  forall qs M c o', served b o qs M c o' -> M <= r * mean (fun s => expected s qs) b + (phi (b, o) - least).
Proof.
  intros H L qs M c o' W. apply served_walk in W.
  assert (F : forall s qs A O u, steps step s qs A O u -> steps flipped s qs O A u) by (induction 1; econstructor; eauto).
  apply F in W. pose proof (telescoped _ _ _ _ _ _ _ _ H W). specialize (L (c, o')). lra. Qed.
(* a cycle refutes every smaller ratio, whatever the constant *)
Theorem lower_bound r b o way A M c o1 cycle a m : steps step (b, o) way A M (c, o1) -> steps step (c, o1) cycle a m (c, o1) -> r * m < a ->
  forall constant, exists qs M' c' o', served b o qs M' c' o' /\ r * M' + constant < mean (fun s => expected s qs) b.
Proof.
  intros W C G k. destruct (exceeded _ _ _ _ _ _ _ _ _ _ W C G k) as (n & A' & M' & S & E).
  apply walk_served in S as [S ->]. simpl in *. eauto 8. Qed.
End System.

(* the theorem of potential.v: whole costs, and no belief *)
Section Whole.
Variable node : Type.
Variable step : node -> Z -> Z -> node -> Prop.
Definition real s (_ : unit) a o t := exists x y, step s x y t /\ a = IZR x /\ o = IZR y.
Lemma walk_steps s A O t : walk node step s A O t -> exists qs, steps real s qs (IZR A) (IZR O) t.
Proof.
  induction 1 as [s|s a o t A O u S _ [qs IH]]; [exists []; constructor|]. exists (tt :: qs). rewrite !plus_IZR.
  eapply more; eauto. now exists a, o. Qed.
Corollary whole_ratio (phi : node -> Z) p q : (0 < q)%Z -> (forall s a o t, step s a o t -> (q * a - p * o + phi s <= phi t)%Z) ->
  forall s A O u, walk node step s A O u -> (phi u <= phi s)%Z -> IZR A <= IZR p / IZR q * IZR O.
Proof.
  intros Q H s A O u W E. apply IZR_lt in Q. apply IZR_le in E. apply walk_steps in W as [qs W].
  assert (K : respected real (IZR p / IZR q) (fun t => - IZR (phi t) / IZR q) s).
  { intros t n a o v _ (x & y & S & -> & ->). apply H, IZR_le in S. rewrite plus_IZR, minus_IZR, !mult_IZR in S.
    apply (Rmult_le_reg_l (IZR q)); auto. field_simplify; lra. }
  pose proof (telescoped _ _ _ _ _ _ _ _ K W) as T. apply (Rmult_le_compat_l (IZR q)) in T; [|lra].
  apply (Rmult_le_reg_l (IZR q)); auto. field_simplify in T; [|lra..]. field_simplify; lra. Qed.
End Whole.
