(* dmlrs: posted prices. Weak duality of R-DMLRS, Algorithm 1 as a run on a list of jobs, and the ratios that follow
   from how fast prices rise and what they keep out. A spot is a resource of one machine in one slot. *)
From Schedproof Require Import sums.

Section Market.
Context {Spot : Type} (spots : list Spot) (C : Spot -> R).

(* a schedule of a job: what it earns, and what it uses of each spot *)
Record plan := { worth : R; use : Spot -> R }.
Definition job := plan -> Prop.                 (* its schedules *)
Definition cost (p : Spot -> R) (pi : plan) := sum (fun s => p s * use pi s) spots.
Definition choice := list (option plan).        (* for each job a schedule or none *)
Definition value (c : choice) := sum (fun o => match o with Some pi => worth pi | None => 0 end) c.
Definition used (c : choice) (s : Spot) := sum (fun o => match o with Some pi => use pi s | None => 0 end) c.
Fixpoint allowed (jobs : list job) (c : choice) : Prop :=
  match jobs, c with
  | [], [] => True
  | j :: jobs, o :: c => match o with Some pi => j pi | None => True end /\ allowed jobs c
  | _, _ => False
  end.
Definition solution jobs c := allowed jobs c /\ forall s, In s spots -> used c s <= C s.
(* (11) for each job: its payoff lam is not negative, and at least what each of its schedules earns beyond its price *)
Definition rows11 (jobs : list job) (lams : list R) (p : Spot -> R) :=
  Forall2 (fun (j : job) lam => 0 <= lam /\ forall pi, j pi -> worth pi - cost p pi <= lam) jobs lams.
Definition dual_value (lams : list R) (p : Spot -> R) := sum (fun x => x) lams + sum (fun s => p s * C s) spots.

Lemma cost_used p c : sum (fun o => match o with Some pi => cost p pi | None => 0 end) c = sum (fun s => p s * used c s) spots.
Proof.
  rewrite (sum_ext _ (fun o => sum (fun s => match o with Some pi => p s * use pi s | None => 0 end) spots))
    by (intros [pi|] _; [reflexivity | now rewrite sum_zero]).
  rewrite sum_swap. apply sum_ext; intros s _. unfold used. rewrite <- sum_scal. apply sum_ext; intros [pi|] _; lra. Qed.

(* the optimum of the dual D-R-DMLRS is at least that of R-DMLRS *)
Lemma weak_duality_room : forall jobs lams p (room : Spot -> R) c, allowed jobs c -> (forall s, In s spots -> used c s <= room s) ->
  rows11 jobs lams p -> (forall s, 0 <= p s) -> value c <= sum (fun x => x) lams + sum (fun s => p s * room s) spots.
Proof.
  intros jobs lams p room c A Cap R P.
  assert (H : value c <= sum (fun x => x) lams + sum (fun o => match o with Some pi => cost p pi | None => 0 end) c).
  { clear Cap. revert c A. induction R as [|j lam jobs lams [L B] R IH]; intros [|o c]; simpl; try tauto; [intros _; unfold value; simpl; lra|].
    intros [O A]. specialize (IH c A). unfold value in *. simpl. destruct o as [pi|]; [specialize (B pi O)|]; lra. }
  rewrite cost_used in H.
  assert (sum (fun s => p s * used c s) spots <= sum (fun s => p s * room s) spots); [|lra].
  apply sum_le; intros s S. specialize (Cap s S). specialize (P s). nra. Qed.
Theorem weak_duality : forall jobs lams p c, solution jobs c -> rows11 jobs lams p -> (forall s, 0 <= p s) ->
  value c <= dual_value lams p.
Proof. intros jobs lams p c [A Cap] R P. apply weak_duality_room with (jobs := jobs); auto. Qed.

(* Algorithm 1: jobs come one by one, prices depend on what is allocated. `near` is the factor within which its schedule's
   cost is least. A job is admitted with a schedule that fits, or rejected with payoff 0. *)
Variable price : Spot -> R -> R.
Definition fits (rho : Spot -> R) pi := forall s, In s spots -> rho s + use pi s <= C s.
Definition posted rho s := price s (rho s).
Inductive run (near : R) : (Spot -> R) -> list job -> list R -> choice -> (Spot -> R) -> Prop :=
| ends rho : run near rho [] [] [] rho
| admits rho (j : job) jobs lam lams pi c final : j pi -> fits rho pi -> 0 <= lam -> worth pi = lam + cost (posted rho) pi ->
    (forall pi', j pi' -> fits rho pi' -> worth pi' - near * cost (posted rho) pi' <= lam) ->
    run near (fun s => rho s + use pi s) jobs lams c final -> run near rho (j :: jobs) (lam :: lams) (Some pi :: c) final
| rejects rho (j : job) jobs lams c final :
    (forall pi', j pi' -> fits rho pi' -> worth pi' - near * cost (posted rho) pi' <= 0) ->
    run near rho jobs lams c final -> run near rho (j :: jobs) (0 :: lams) (None :: c) final.

(* What a price function must do: it does not fall, C p rises by at most eps times what is paid, and a schedule that does
   not fit costs at least its worth at K times the prices. *)
Definition modest (j : job) (x : R) := forall pi, j pi -> 0 <= worth pi /\ forall s, 0 <= use pi s <= x * C s.
Definition not_falling := forall s r a, 0 <= r -> 0 <= a -> price s r <= price s (r + a).
Definition slowly (x eps : R) := forall s r a, 0 <= r -> 0 <= a <= x * C s -> r + a <= C s -> C s * (price s (r + a) - price s r) <= eps * (price s r * a).
Definition keeps_out (j : job) (K : R) (ok : (Spot -> R) -> Prop) := forall rho pi s, ok rho -> j pi -> In s spots -> 0 <= rho s <= C s ->
  C s < rho s + use pi s -> worth pi <= K * (price s (rho s) * use pi s).
Section Rising.
Variables (x eps K near : R) (ok : (Spot -> R) -> Prop).
Hypotheses (E1 : 1 <= eps) (K1 : 1 <= K) (NK : near <= K) (C0 : forall s, 0 <= C s) (P0 : forall s r, 0 <= price s r).
Hypotheses (NF : not_falling) (SL : slowly x eps).

Lemma cost_le p q pi : (forall s, 0 <= use pi s) -> (forall s, p s <= q s) -> cost p pi <= cost q pi.
Proof. intros U L. apply sum_le; intros s _. specialize (U s). specialize (L s). nra. Qed.
Lemma cost_scal c p pi : cost (fun s => c * p s) pi = c * cost p pi.
Proof. unfold cost. rewrite <- sum_scal. apply sum_ext; intros; lra. Qed.
Lemma cost_pos p pi : (forall s, 0 <= use pi s) -> (forall s, 0 <= p s) -> 0 <= cost p pi.
Proof. intros U L. apply sum_nonneg; intros s _. specialize (U s). specialize (L s). nra. Qed.

Lemma rises : forall rho jobs lams c final, run near rho jobs lams c final -> Forall (fun j => modest j x) jobs ->
  (forall s, 0 <= rho s) -> (forall s, rho s <= final s /\ price s (rho s) <= price s (final s)).
Proof.
  induction 1; intros M R0 s; [lra | |].
  - inversion_clear M as [|? ? M1 M2]. destruct (M1 pi H) as [_ U]. specialize (IHrun M2).
    assert (R1 : forall s, 0 <= rho s + use pi s) by (intro s'; specialize (U s'); specialize (R0 s'); lra).
    specialize (IHrun R1 s). pose proof (NF s (rho s) (use pi s) (R0 s) (proj1 (U s))). specialize (U s). lra.
  - inversion_clear M. apply IHrun; auto. Qed.

(* lambda and K times the final prices satisfy (11) *)
Theorem dual_feasible : forall rho jobs lams c final, run near rho jobs lams c final ->
  Forall (fun j => modest j x /\ keeps_out j K ok) jobs -> (forall s, 0 <= rho s) -> (forall s, In s spots -> rho s <= C s) ->
  ok rho -> (forall r pi, ok r -> Exists (fun j : job => j pi) jobs -> ok (fun s => r s + use pi s)) ->
  rows11 jobs lams (fun s => K * price s (final s)).
Proof.
  assert (keep : forall rho (final : Spot -> R) (j : job) lam, modest j x -> keeps_out j K ok -> (forall s, 0 <= rho s) ->
    (forall s, In s spots -> rho s <= C s) -> ok rho -> (forall s, rho s <= final s /\ price s (rho s) <= price s (final s)) -> 0 <= lam ->
    (forall pi, j pi -> fits rho pi -> worth pi - near * cost (posted rho) pi <= lam) ->
    forall pi, j pi -> worth pi - cost (fun s => K * price s (final s)) pi <= lam).
  { intros rho final j lam M O R0 R1 OK UP L B pi J. destruct (M pi J) as [W U].
    assert (U0 : forall s, 0 <= use pi s) by (intro s; apply (U s)).
    assert (low : K * cost (posted rho) pi <= cost (fun s => K * price s (final s)) pi).
    { rewrite <- cost_scal. apply cost_le; auto. intro s. destruct (UP s). unfold posted. nra. }
    pose proof (cost_pos (posted rho) pi U0 (fun s => P0 s (rho s))) as CP.
    assert (D : fits rho pi \/ exists s, In s spots /\ C s < rho s + use pi s).
    { unfold fits. clear. induction spots as [|s l IH]; [left; intros s []|]. destruct IH as [F|[s' [I Q]]].
      - destruct (Rle_lt_dec (rho s + use pi s) (C s)); [left; intros s' [<-|I]; auto | right; exists s; simpl; auto].
      - right; exists s'; simpl; auto. }
    destruct D as [F|[s [I Q]]]; [specialize (B pi J F); nra|].
    pose proof (O rho pi s OK J I (conj (R0 s) (R1 s I)) Q) as H.
    assert (price s (rho s) * use pi s <= cost (posted rho) pi).
    { apply (sum_term (fun s => posted rho s * use pi s)); auto. intros s' _. apply Rmult_le_pos; [apply P0 | auto]. }
    nra. }
  induction 1; intros M R0 R1 OK ST; [constructor | |]; inversion_clear M as [|? ? [M1 O1] M2].
  - assert (MM : Forall (fun j => modest j x) jobs) by (eapply Forall_impl; [|apply M2]; simpl; tauto).
    destruct (M1 pi H) as [W U].
    assert (R2 : forall s, 0 <= rho s + use pi s) by (intro s; specialize (U s); specialize (R0 s); lra).
    constructor.
    + split; auto. apply (keep rho final j lam); auto.
      intro s. pose proof (rises _ _ _ _ _ H4 MM R2 s). pose proof (NF s (rho s) (use pi s) (R0 s) (proj1 (U s))). specialize (U s). lra.
    + apply IHrun; auto.
  - assert (MM : Forall (fun j => modest j x) jobs) by (eapply Forall_impl; [|apply M2]; simpl; tauto).
    constructor.
    + split; [lra|]. apply (keep rho final j 0); auto; [|lra]. intro s. apply (rises _ _ _ _ _ H0 MM R0 s).
    + apply IHrun; auto. Qed.

(* D grows by at most K eps times what is earned *)
Theorem dual_grows : forall rho jobs lams c final, run near rho jobs lams c final -> Forall (fun j => modest j x) jobs ->
  (forall s, 0 <= rho s) ->
  sum (fun l => l) lams + K * sum (fun s => C s * (price s (final s) - price s (rho s))) spots <= K * eps * value c.
Proof.
  induction 1; intros M R0.
  - unfold value; simpl. rewrite (sum_ext _ (fun _ => 0)) by (intros; lra). rewrite sum_zero. lra.
  - inversion_clear M as [|? ? M1 M2]. destruct (M1 pi H) as [W U].
    assert (R2 : forall s, 0 <= rho s + use pi s) by (intro s; specialize (U s); specialize (R0 s); lra).
    specialize (IHrun M2 R2). unfold value in *. simpl.
    assert (G : sum (fun s => C s * (price s (rho s + use pi s) - price s (rho s))) spots <= eps * cost (posted rho) pi).
    { unfold cost. rewrite <- sum_scal. apply sum_le; intros s S. apply SL; auto; apply H0; auto. }
    rewrite (sum_ext (fun s => C s * (price s (final s) - price s (rho s)))
      (fun s => C s * (price s (final s) - price s (rho s + use pi s)) + C s * (price s (rho s + use pi s) - price s (rho s)))) by (intros; lra).
    rewrite sum_plus. assert (1 <= K * eps) by nra. nra.
  - inversion_clear M. specialize (IHrun ltac:(auto) R0). unfold value in *. simpl. lra. Qed.

(* OPT <= K (D_0 + eps P), where the run starts with `reserved` in use: D_0 is what the free capacities are worth at the
   first prices, and OPT has the free capacities *)
Theorem ratio_reserved : forall reserved jobs lams c final opt, run near reserved jobs lams c final ->
  Forall (fun j => modest j x /\ keeps_out j K ok) jobs -> (forall s, 0 <= reserved s <= C s) -> ok reserved ->
  (forall r pi, ok r -> Exists (fun j : job => j pi) jobs -> ok (fun s => r s + use pi s)) ->
  allowed jobs opt -> (forall s, In s spots -> used opt s <= C s - reserved s) ->
  value opt <= K * (sum (fun s => (C s - reserved s) * price s (reserved s)) spots + eps * value c).
Proof.
  intros reserved jobs lams c final opt R M Z OK ST A Fit.
  assert (MM : Forall (fun j => modest j x) jobs) by (eapply Forall_impl; [|apply M]; simpl; tauto).
  assert (Z0 : forall s, 0 <= reserved s) by (intro s; apply Z).
  pose proof (dual_feasible _ _ _ _ _ R M Z0 (fun s _ => proj2 (Z s)) OK ST) as F.
  pose proof (dual_grows _ _ _ _ _ R MM Z0) as G. pose proof (rises _ _ _ _ _ R MM Z0) as Up.
  pose proof (weak_duality_room jobs lams _ (fun s => C s - reserved s) opt A Fit F) as W.
  assert (0 <= K) by lra. specialize (W ltac:(intro s; specialize (P0 s (final s)); nra)).
  assert (sum (fun s => K * price s (final s) * (C s - reserved s)) spots <= sum (fun s =>
    K * ((C s - reserved s) * price s (reserved s)) + K * (C s * (price s (final s) - price s (reserved s)))) spots).
  { apply sum_le; intros s _. destruct (Up s) as [_ Q]. specialize (Z s). assert (0 <= K * (reserved s * (price s (final s) - price s (reserved s)))); [|lra].
    apply Rmult_le_pos; [auto|]. apply Rmult_le_pos; lra. }
  rewrite sum_plus, !sum_scal in H0. lra. Qed.
Theorem ratio_with_D0 : forall jobs lams c final opt, run near (fun _ => 0) jobs lams c final ->
  Forall (fun j => modest j x /\ keeps_out j K ok) jobs -> ok (fun _ => 0) ->
  (forall r pi, ok r -> Exists (fun j : job => j pi) jobs -> ok (fun s => r s + use pi s)) -> solution jobs opt ->
  value opt <= K * (sum (fun s => C s * price s 0) spots + eps * value c).
Proof.
  intros jobs lams c final opt R M OK ST [A Fit].
  rewrite (sum_ext _ (fun s => (C s - 0) * price s 0)) by (intros; lra).
  apply (ratio_reserved (fun _ => 0) jobs lams c final opt); auto.
  - intro s; specialize (C0 s); lra.
  - intros s I. specialize (Fit s I). lra. Qed.
End Rising.
End Market.
Arguments plan : clear implicits.
