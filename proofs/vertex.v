(* jrp: what is fractional at a vertex of LP_I, and what the first iteration accepts there, whatever is drawn. *)
From Schedproof Require Import sums jrp.
From Coq Require Import Arith Bool Sorted FinFun.

(* --- fewer linear rows than columns leave a direction --------------------------------------------------------------- *)

Definition linear {C : Type} (row : (C -> R) -> R) := forall s f g, row (fun c => s * f c + g c) = s * row f + row g.
Lemma linear_zero {C : Type} (row : (C -> R) -> R) : linear row -> row (fun _ => 0) = 0.
Proof. intro L. pose proof (L (-1) (fun _ => 0) (fun _ => 0)) as E. simpl in E. replace (-1 * 0 + 0) with 0 in E by lra. lra. Qed.
Lemma linear_sum {C A : Type} (row : (C -> R) -> R) (s : A -> R) (v : A -> C -> R) l : linear row ->
  row (fun c => sum (fun a => s a * v a c) l) = sum (fun a => s a * row (v a)) l.
Proof. intro L. induction l as [|a l IH]; simpl; [apply linear_zero; auto|]. rewrite (L (s a) (v a) (fun c => sum (fun a => s a * v a c) l)), IH. reflexivity. Qed.

Lemma elimination {C : Type} (dec : forall c c' : C, {c = c'} + {c <> c'}) (rows : list (C -> R)) : forall cols, NoDup cols ->
  (length rows < length cols)%nat ->
  exists s, (exists c, In c cols /\ s c <> 0) /\ forall e, In e rows -> sum (fun c => s c * e c) cols = 0.
Proof.
  remember (length rows) as n eqn:En. revert rows En. induction n as [|n IH]; intros [|e rows] En cols N L; try discriminate.
  - destruct cols as [|c cols]; [simpl in L; lia|]. exists (fun _ => 1). split; [exists c; split; [left; auto | lra] | intros ? []].
  - injection En as En.
    assert (P : (forall c, In c cols -> e c = 0) \/ exists c, In c cols /\ e c <> 0).
    { clear. induction cols as [|c cols [Z|[c' [I Z]]]]; [left; intros ? [] | | right; exists c'; simpl; auto].
      destruct (Req_dec (e c) 0); [left; intros c' [<-|I]; auto | right; exists c; simpl; auto]. }
    destruct P as [Z|[p [I Z]]].
    + destruct (IH rows En cols N ltac:(lia)) as [s [X S]]. exists s. split; auto. intros f [<-|F]; auto.
      rewrite (sum_ext _ (fun _ => 0)) by (intros; rewrite Z by auto; lra). apply sum_zero.
    + apply in_split in I. destruct I as [l1 [l2 ->]]. pose proof (NoDup_remove_1 _ _ _ N) as N1. pose proof (NoDup_remove_2 _ _ _ N) as N2.
      rewrite app_length in L. simpl in L.
      destruct (IH (map (fun f c => f c - f p / e p * e c) rows) ltac:(now rewrite map_length) (l1 ++ l2) N1 ltac:(rewrite app_length; lia)) as [s [[c [I X]] S]].
      set (s' := fun c => if dec c p then - sum (fun c => s c * e c) (l1 ++ l2) / e p else s c).
      assert (E : forall f : C -> R, sum (fun c => s' c * f c) (l1 ++ p :: l2) = sum (fun c => s c * f c) (l1 ++ l2) + s' p * f p).
      { intro f. rewrite (sum_ext (fun c => s c * f c) (fun c => s' c * f c) (l1 ++ l2)).
        - rewrite !sum_app. simpl. lra.
        - intros c' I'. unfold s'. destruct (dec c' p) as [->|]; [tauto | reflexivity]. }
      assert (Sp : s' p = - sum (fun c => s c * e c) (l1 ++ l2) / e p) by (unfold s'; destruct (dec p p); tauto).
      exists s'. split.
      * exists c. split; [apply in_app_or in I; apply in_or_app; simpl; tauto|]. unfold s'. destruct (dec c p) as [->|]; tauto.
      * intros f [<-|F]; rewrite E, Sp; [field; auto|].
        specialize (S _ (in_map _ _ _ F)). simpl in S.
        rewrite (sum_ext _ (fun c => s c * f c - f p / e p * (s c * e c))), sum_minus, sum_scal in S by (intros; lra).
        replace (- _ / e p * f p) with (- (f p / e p * sum (fun c => s c * e c) (l1 ++ l2))) by (field; auto). lra. Qed.
Lemma direction {C : Type} (dec : forall c c' : C, {c = c'} + {c <> c'}) (cols : list C) (rows : list ((C -> R) -> R)) : NoDup cols ->
  (forall row, In row rows -> linear row) -> (length rows < length cols)%nat ->
  exists d, (forall c, ~ In c cols -> d c = 0) /\ (exists c, In c cols /\ d c <> 0) /\ forall row, In row rows -> row d = 0.
Proof.
  intros N L M. set (unit := fun c c' => if dec c c' then 1 else 0).
  destruct (elimination dec (map (fun (row : (C -> R) -> R) c => row (unit c)) rows) cols N ltac:(now rewrite map_length)) as [s [[c [I X]] S]].
  assert (out : forall l c, ~ In c l -> sum (fun c' => s c' * unit c' c) l = 0).
  { intros l c0 O. rewrite (sum_ext _ (fun _ => 0)); [apply sum_zero|]. intros c' I'. unfold unit. destruct (dec c' c0) as [->|]; [tauto | lra]. }
  exists (fun c => sum (fun c' => s c' * unit c' c) cols). repeat split; auto.
  - exists c. split; auto. apply in_split in I. destruct I as [l1 [l2 ->]]. pose proof (NoDup_remove_2 _ _ _ N) as O.
    rewrite sum_app. simpl. rewrite !out by (intro; apply O, in_or_app; auto). unfold unit. destruct (dec c c); [lra | tauto].
  - intros row I'. rewrite linear_sum by auto. apply (S _ (in_map (fun (row : (C -> R) -> R) c => row (unit c)) _ _ I')). Qed.

(* --- rows that a small step respects --------------------------------------------------------------------------------- *)

Definition near (Q : R -> Prop) := exists e, 0 < e /\ forall t, Rabs t <= e -> Q t.
Lemma near_and Q Q' : near Q -> near Q' -> near (fun t => Q t /\ Q' t).
Proof.
  intros (e & E & H) (e' & E' & H'). exists (Rmin e e'). split; [apply Rmin_pos; auto|].
  intros t T. pose proof (Rmin_l e e'). pose proof (Rmin_r e e'). split; [apply H | apply H']; lra. Qed.
Lemma near_all {A : Type} (Q : A -> R -> Prop) l : (forall a, In a l -> near (Q a)) -> near (fun t => forall a, In a l -> Q a t).
Proof.
  induction l as [|a l IH]; intro H; [exists 1; split; [lra | intros t _ a []]|].
  destruct (near_and _ _ (H a (or_introl eq_refl)) (IH (fun a I => H a (or_intror I)))) as (e & E & W).
  exists e. split; auto. intros t T a' [<-|I]; destruct (W t T); auto. Qed.
Lemma near_row s v : 0 <= s -> (0 < s \/ v = 0) -> near (fun t => 0 <= s + t * v).
Proof.
  intros S [P| ->]; [|exists 1; split; [lra | intros; lra]].
  pose proof (Rabs_pos v). exists (s / (Rabs v + 1)). split; [apply Rdiv_lt_0_compat; lra|]. intros t T.
  assert (Rabs (t * v) <= s).
  { rewrite Rabs_mult. apply Rle_trans with (s / (Rabs v + 1) * (Rabs v + 1)); [|right; field; lra].
    apply Rmult_le_compat; try apply Rabs_pos; lra. }
  pose proof (Rle_abs (- (t * v))). rewrite Rabs_Ropp in H1. lra. Qed.

(* --- LP_I ------------------------------------------------------------------------------------------------------------ *)

Definition all_nodes {N} (P : program_of N) := flat_map (nodes P) (jobs P).
Definition distinct {N} (P : program_of N) := NoDup (servers P) /\ NoDup (jobs P) /\ NoDup (all_nodes P).
(* No line through the point stays in LP_I on both sides of it, unless neither x nor y change along it. *)
Definition vertex P eps x y rc rb := LP_I P eps x y rc rb /\ forall dx dy dc db e, 0 < e ->
  (forall t, Rabs t <= e -> LP_I P eps (fun i j => x i j + t * dx i j) (fun k => y k + t * dy k)
    (fun j k => rc j k + t * dc j k) (fun j k => rb j k + t * db j k)) ->
  (forall i j, In i (all_nodes P) -> In j (servers P) -> dx i j = 0) /\ forall k, In k (jobs P) -> dy k = 0.
Definition positive r := if Rlt_dec 0 r then true else false.
Definition whole r := if Req_EM_T r 1 then true else false.
Definition fractional r := if Rlt_dec 0 r then if Rlt_dec r 1 then true else false else false.
Definition places (P : program) (x : nat -> nat -> R) i := filter (fun j => positive (x i j)) (servers P).
Definition split P x i := (1 <? length (places P x i))%nat.   (* on several servers *)
(* (7), (8) and (9) that hold with equality on a server that is used *)
Definition tight used total capacity : nat := if Rlt_dec 0 used then if Req_EM_T total capacity then 1 else 0 else 0.
Definition use P (w : nat -> R) (x : nat -> nat -> R) j := sum (fun k => w k * data P x j k) (jobs P).
Definition one (_ : nat) := 1.
Definition tight_on P x (rc rb : nat -> nat -> R) j : list nat :=
  [tight (use P one x j) (use P one x j) (storage P j); tight (use P (a P) x j) (sum (rc j) (jobs P)) (compute P j);
   tight (use P (b P) x j) (sum (rb j) (jobs P)) (bandwidth P j)].
Definition tight_rows P x rc rb := total_nat (fun j => list_sum (tight_on P x rc rb j)) (servers P).

Lemma positive_pos r : positive r = true <-> 0 < r.
Proof. unfold positive. destruct (Rlt_dec 0 r); split; intros; auto; discriminate || tauto. Qed.
Lemma whole_one r : whole r = true <-> r = 1.
Proof. unfold whole. destruct (Req_EM_T r 1); split; intros; auto; discriminate || tauto. Qed.
Lemma in_places P x i j : In j (places P x i) <-> In j (servers P) /\ 0 < x i j.
Proof. unfold places. rewrite filter_In, positive_pos. reflexivity. Qed.
Lemma some_place P x i : 0 < sum (x i) (servers P) -> exists j, In j (places P x i).
Proof.
  intro S. destruct (places P x i) as [|j p] eqn:W; [exfalso | exists j; left; auto].
  assert (sum (x i) (servers P) <= sum (fun _ => 0) (servers P)); [|rewrite sum_zero in *; lra]. apply sum_le; intros j J.
  destruct (Rle_dec (x i j) 0) as [|F]; auto. assert (U : In j (places P x i)) by (apply in_places; split; auto; lra). rewrite W in U. destruct U. Qed.
Lemma only_place P x i j : (forall j, 0 <= x i j) -> split P x i = false -> In j (servers P) -> 0 < x i j -> sum (x i) (servers P) = x i j.
Proof.
  intros X S J Xj. unfold split in S. apply Nat.ltb_ge in S. assert (Ip : In j (places P x i)) by (apply in_places; auto).
  assert (Z : forall l, filter (fun j => positive (x i j)) l = [] -> sum (x i) l = 0).
  { intros l F. rewrite (sum_ext _ (fun _ => 0)), sum_zero; auto. intros j' I. destruct (Req_dec (x i j') 0); auto. exfalso.
    assert (U : In j' (filter (fun j => positive (x i j)) l)) by (apply filter_In; rewrite positive_pos; specialize (X j'); split; auto; lra).
    rewrite F in U. destruct U. }
  unfold places in *. clear J. induction (servers P) as [|j' l IH]; simpl in *; [tauto|]. destruct (positive (x i j')) eqn:E; simpl in *.
  - destruct (filter (fun j => positive (x i j)) l) eqn:F; [|simpl in S; lia]. destruct Ip as [->|[]]. rewrite (Z l F). lra.
  - rewrite IH; auto. destruct (Req_dec (x i j') 0); [lra|]. exfalso. assert (positive (x i j') = true); [|congruence].
    apply positive_pos. specialize (X j'). lra. Qed.
Lemma data_line P x dx t j k : data P (fun i j => x i j + t * dx i j) j k = data P x j k + t * data P dx j k.
Proof. unfold data. rewrite <- sum_scal, <- sum_plus. apply sum_ext. intros; lra. Qed.
Lemma sum_line {A : Type} (f g : A -> R) t l : sum (fun a => f a + t * g a) l = sum f l + t * sum g l.
Proof. rewrite sum_plus, sum_scal. reflexivity. Qed.
Lemma none_of_nothing {A : Type} (f : A -> R) l : (forall a, In a l -> 0 <= f a) -> sum f l <= 0 -> forall a, In a l -> f a = 0.
Proof. intros P Z a0 I. pose proof (P a0 I). pose proof (sum_term f l a0 P I). lra. Qed.

Definition column := (nat * nat + nat)%type.   (* an x of a data node and a server, or a y *)
Lemma column_dec : forall c c' : column, {c = c'} + {c <> c'}.
Proof. decide equality; [decide equality|]; apply Nat.eq_dec. Qed.
Definition columns P x y : list column :=
  map inl (flat_map (fun i => map (pair i) (places P x i)) (all_nodes P)) ++ map inr (filter (fun k => positive (y k)) (jobs P)).
Definition of_d (d : column -> R) i j := d (inl (i, j)).
Definition rows_of P x y rc rb : list ((column -> R) -> R) :=
  flat_map (fun k => map (fun i d => sum (fun j => d (inl (i, j))) (servers P) - d (inr k)) (nodes P k)) (filter (fun k => positive (y k)) (jobs P))
  ++ map (fun k d => d (inr k)) (filter (fun k => whole (y k)) (jobs P))
  ++ flat_map (fun j => flat_map (fun p => repeat (fun d => use P (fst p) (of_d d) j) (snd p))
    (combine [one; a P; b P] (tight_on P x rc rb j))) (servers P).

Lemma in_columns_x P x y i j : In (inl (i, j)) (columns P x y) <-> In i (all_nodes P) /\ In j (servers P) /\ 0 < x i j.
Proof.
  unfold columns. rewrite in_app_iff, !in_map_iff. split.
  - intros [[p [E I]]|[k [E _]]]; [|discriminate]. injection E as ->. apply in_flat_map in I. destruct I as [i' [I J]].
    apply in_map_iff in J. destruct J as [j' [E J]]. injection E as -> ->. apply in_places in J. tauto.
  - intros (I & J & X). left. exists (i, j). split; auto. apply in_flat_map. exists i. split; auto. apply in_map, in_places. auto. Qed.
Lemma in_columns_y P x y k : In (inr k) (columns P x y) <-> In k (jobs P) /\ 0 < y k.
Proof.
  unfold columns. rewrite in_app_iff, !in_map_iff. split.
  - intros [[p [E _]]|[k' [E I]]]; [discriminate|]. injection E as ->. rewrite filter_In, positive_pos in I. auto.
  - intros H. right. exists k. split; auto. rewrite filter_In, positive_pos. auto. Qed.
Lemma nodup_columns P x y : distinct P -> NoDup (columns P x y).
Proof.
  intros (S & J & N). unfold columns.
  assert (app : forall (l l' : list column), NoDup l -> NoDup l' -> (forall c, In c l -> ~ In c l') -> NoDup (l ++ l')).
  { induction l as [|c l IH]; simpl; auto. intros l' H H' D. inversion_clear H. constructor; [|apply IH; auto].
    rewrite in_app_iff. intros [Q|Q]; auto. apply (D c); auto. }
  apply app.
  - apply Injective_map_NoDup; [intros p q E; congruence|]. induction (all_nodes P) as [|i l IH]; simpl; [constructor|].
    inversion_clear N. specialize (IH H0). assert (M : NoDup (map (pair i) (places P x i))).
    { apply Injective_map_NoDup; [intros p q E; congruence|]. apply NoDup_filter; auto. }
    revert M. generalize (places P x i). induction l0 as [|j l0 IHl]; simpl; intro M; auto. inversion_clear M. constructor; auto.
    rewrite in_app_iff. intros [Q|Q]; auto. apply in_flat_map in Q. destruct Q as [i' [Q W]]. apply in_map_iff in W. destruct W as [j' [E _]].
    injection E as -> ->. auto.
  - apply Injective_map_NoDup; [intros p q E; congruence|]. apply NoDup_filter; auto.
  - intros c I I'. apply in_map_iff in I. apply in_map_iff in I'. destruct I as [p [<- _]]. destruct I' as [q [E _]]. discriminate. Qed.
Lemma linear_use P w j : linear (fun d : column -> R => use P w (of_d d) j).
Proof.
  intros s f g. unfold use, data, of_d. rewrite <- sum_scal, <- sum_plus. apply sum_ext; intros k _.
  replace (s * _ + _) with (w k * (s * sum (fun i => size P i * f (inl (i, j))) (nodes P k) + sum (fun i => size P i * g (inl (i, j))) (nodes P k))) by ring.
  f_equal. rewrite <- sum_scal, <- sum_plus. apply sum_ext; intros; ring. Qed.
Lemma linear_rows P x y rc rb row : In row (rows_of P x y rc rb) -> linear row.
Proof.
  unfold rows_of. rewrite !in_app_iff, !in_flat_map. intros [[k [_ I]]|[I|[j [_ I]]]].
  - apply in_map_iff in I. destruct I as [i [<- _]]. intros s f g. rewrite sum_plus, sum_scal. ring.
  - apply in_map_iff in I. destruct I as [k [<- _]]. intros s f g. reflexivity.
  - apply in_flat_map in I. destruct I as [p [_ I]]. apply repeat_spec in I. subst. apply linear_use. Qed.

(* along a direction of the columns above 0 that the tight rows allow, LP_I goes on for a while on both sides *)
Section Line.
Variables (P : program) (eps : R) (x : nat -> nat -> R) (y : nat -> R) (rc rb : nat -> nat -> R) (d : column -> R).
Hypothesis (N : natural P) (E : 0 < eps < 1) (L : LP_I P eps x y rc rb).
Hypothesis (out : forall c, ~ In c (columns P x y) -> d c = 0) (zero : forall row, In row (rows_of P x y rc rb) -> row d = 0).
Let dx := of_d d.
Let rate (w : nat -> R) share j k := if in_dec Nat.eq_dec k (jobs P) then w k * data P dx j k / share else 0.

Lemma unused_line w j k : 0 <= w -> In j (servers P) -> In k (jobs P) -> w * data P x j k <= 0 -> w * data P dx j k = 0.
Proof.
  intros W J K Z. destruct L as [(X & _) _]. destruct (Req_dec w 0) as [->|]; [lra|]. pose proof (data_pos P x j k N X).
  assert (D : data P x j k <= 0) by nra. replace (data P dx j k) with 0; [lra|]. symmetry. unfold data.
  rewrite (sum_ext _ (fun _ => 0)); [apply sum_zero|]. intros i I. destruct N as [S _].
  pose proof (none_of_nothing (fun i => size P i * x i j) (nodes P k) (fun i _ => Rmult_le_pos _ _ (S i) (X i j)) D i I) as Q. simpl in Q.
  apply Rmult_integral in Q. destruct Q as [Q|Q]; [rewrite Q; lra|]. unfold dx, of_d. rewrite out; [lra|]. rewrite in_columns_x. lra. Qed.
Lemma server_line w j total capacity : (forall k, 0 <= w k) -> In j (servers P) ->
  (tight (use P w x j) total capacity = 1%nat -> use P w dx j = 0) -> total <= capacity -> 0 < capacity - total \/ use P w dx j = 0.
Proof.
  intros W J T C. unfold tight in T. destruct (Rlt_dec 0 (use P w x j)) as [U|U].
  - destruct (Req_EM_T total capacity); [right; auto | left; lra].
  - right. unfold use. rewrite (sum_ext _ (fun _ => 0)); [apply sum_zero|]. intros k K. apply unused_line; auto.
    destruct L as [(X & _) _]. right. apply (none_of_nothing (fun k => w k * data P x j k) (jobs P)); auto; [|unfold use in U; lra].
    intros k' _. apply Rmult_le_pos; auto. apply data_pos; auto. Qed.
Lemma rate_line w r share cap j : (forall k, 0 <= w k) -> 0 < share -> In j (servers P) ->
  (forall k, In k (jobs P) -> w k * data P x j k <= share * r j k) -> (forall j k, 0 <= r j k) -> sum (r j) (jobs P) <= cap ->
  (tight (use P w x j) (sum (r j) (jobs P)) cap = 1%nat -> use P w dx j = 0) ->
  near (fun t => sum (fun k => r j k + t * rate w share j k) (jobs P) <= cap) /\
  forall k, near (fun t => 0 <= r j k + t * rate w share j k).
Proof.
  intros W S J A R0 C T. split.
  - assert (Q : sum (rate w share j) (jobs P) = use P w dx j / share).
    { unfold use, Rdiv. rewrite <- sum_scal_r. apply sum_ext; intros k K. unfold rate. destruct (in_dec Nat.eq_dec k (jobs P)); tauto. }
    destruct (near_row (cap - sum (r j) (jobs P)) (- (use P w dx j / share))) as [e [E0 H]]; [lra | |].
    + destruct (server_line w j _ _ W J T C) as [G|G]; [left; auto | right; rewrite G; unfold Rdiv; lra].
    + exists e. split; auto. intros t B. specialize (H t B). rewrite sum_line, Q. lra.
  - intro k. apply near_row; auto. unfold rate. destruct (in_dec Nat.eq_dec k (jobs P)) as [K|K]; auto.
    destruct (R0 j k) as [G|G]; auto. right. rewrite unused_line; auto; [unfold Rdiv; lra|]. specialize (A k K). rewrite <- G in A. lra. Qed.
Lemma tight_line w n j : In j (servers P) -> In (w, n) (combine [one; a P; b P] (tight_on P x rc rb j)) -> n = 1%nat -> use P w dx j = 0.
Proof.
  intros J I ->. apply (zero (fun d => use P w (of_d d) j)). unfold rows_of. rewrite !in_app_iff, !in_flat_map. right. right.
  exists j. split; auto. apply in_flat_map. exists (w, 1%nat). simpl. auto. Qed.
Lemma use_one z j : use P one z j = sum (data P z j) (jobs P).
Proof. unfold use, one. apply sum_ext; intros; lra. Qed.
Lemma goes_on : near (fun t => LP_I P eps (fun i j => x i j + t * dx i j) (fun k => y k + t * d (inr k))
    (fun j k => rc j k + t * rate (a P) (1 - eps) j k) (fun j k => rb j k + t * rate (b P) eps j k)).
Proof.
  pose proof L as [(X & Y & RR & Six & Sev & Eight) T]. pose proof N as [_ N'].
  assert (Sev' : forall j, In j (servers P) -> sum (data P x j) (jobs P) <= storage P j) by exact Sev.
  assert (RC : forall j, In j (servers P) -> near (fun t => sum (fun k => rc j k + t * rate (a P) (1 - eps) j k) (jobs P) <= compute P j) /\
    forall k, near (fun t => 0 <= rc j k + t * rate (a P) (1 - eps) j k)).
  { intros j J. destruct (Eight j J). apply rate_line; auto; try lra; [apply N' | intros k K; apply (T j k J K) | apply RR |].
    intros Q. eapply tight_line; [auto | simpl; right; left; reflexivity | auto]. }
  assert (RB : forall j, In j (servers P) -> near (fun t => sum (fun k => rb j k + t * rate (b P) eps j k) (jobs P) <= bandwidth P j) /\
    forall k, near (fun t => 0 <= rb j k + t * rate (b P) eps j k)).
  { intros j J. destruct (Eight j J). apply rate_line; auto; try lra; [apply N' | intros k K; apply (T j k J K) | apply RR |].
    intros Q. eapply tight_line; [auto | simpl; right; right; left; reflexivity | auto]. }
  assert (SV : forall j, In j (servers P) -> near (fun t => sum (data P (fun i j => x i j + t * dx i j) j) (jobs P) <= storage P j)).
  { intros j J. destruct (near_row (storage P j - use P one x j) (- use P one dx j)) as [e [E0 H]].
    - rewrite use_one. specialize (Sev' j J). lra.
    - destruct (server_line one j (use P one x j) (storage P j)) as [G|G]; auto; try (right; lra); [unfold one; intros; lra | |].
      + intros Q. eapply tight_line; [auto | simpl; left; reflexivity | auto].
      + rewrite use_one. apply Sev; auto.
    - exists e. split; auto. intros t B. specialize (H t B). rewrite !use_one in H.
      rewrite (sum_ext _ (fun k => data P x j k + t * data P dx j k)) by (intros; apply data_line).
      rewrite (sum_line (data P x j) (data P dx j)). lra. }
  assert (XN : near (fun t => forall c, In c (columns P x y) -> 0 <= match c with inl (i, j) => x i j | inr k => y k end + t * d c)).
  { apply near_all. intros [[i j]|k] I; apply near_row; [apply X | left; apply in_columns_x in I; tauto | apply Y | left; apply in_columns_y in I; tauto]. }
  assert (YN : near (fun t => forall k, In k (jobs P) -> 0 <= 1 - y k + t * - d (inr k))).
  { apply near_all. intros k K. destruct (Y k). apply near_row; [lra|]. destruct (Req_dec (y k) 1) as [W|W]; [right | left; lra].
    assert (d (inr k) = 0); [|lra]. apply (zero (fun d => d (inr k))). unfold rows_of. rewrite !in_app_iff. right. left.
    apply (in_map (fun k (d : column -> R) => d (inr k))). rewrite filter_In, whole_one. auto. }
  destruct (near_and _ _ (near_and _ _ XN YN) (near_and _ _ (near_all _ _ SV) (near_and _ _
    (near_and _ _ (near_all _ _ (fun j J => proj1 (RC j J))) (near_all _ _ (fun j J => near_all _ (jobs P) (fun k _ => proj2 (RC j J) k))))
    (near_and _ _ (near_all _ _ (fun j J => proj1 (RB j J))) (near_all _ _ (fun j J => near_all _ (jobs P) (fun k _ => proj2 (RB j J) k)))))))
    as [e [E0 H]].
  exists e. split; auto. intros t B. destruct (H t B) as [[Xt Yt] [St [[Ct Cp] [Bt Bp]]]]. clear H B RC RB SV XN YN.
  assert (D0 : forall i j, ~ (In i (all_nodes P) /\ In j (servers P) /\ 0 < x i j) -> dx i j = 0) by (intros i j O; apply out; rewrite in_columns_x; auto).
  assert (Y0 : forall k, ~ (In k (jobs P) /\ 0 < y k) -> d (inr k) = 0) by (intros k O; apply out; rewrite in_columns_y; auto).
  assert (outside : forall w s j k, ~ In j (servers P) -> rate w s j k = 0).
  { intros w s j k O. unfold rate. destruct (in_dec Nat.eq_dec k (jobs P)) as [K|K]; auto. unfold data.
    rewrite (sum_ext _ (fun _ => 0)), sum_zero; [unfold Rdiv; lra|]. intros i _. rewrite D0 by tauto. lra. }
  assert (idle : forall w s j k, ~ In k (jobs P) -> rate w s j k = 0) by (intros w s j k O; unfold rate; destruct (in_dec Nat.eq_dec k (jobs P)); tauto).
  repeat split.
  - intros i j. destruct (in_dec column_dec (inl (i, j)) (columns P x y)) as [I|I]; [apply (Xt _ I)|].
    unfold dx, of_d. rewrite (out _ I). specialize (X i j). lra.
  - destruct (in_dec column_dec (inr k) (columns P x y)) as [I|I]; [apply (Xt _ I)|]. rewrite (out _ I). specialize (Y k). lra.
  - destruct (in_dec Nat.eq_dec k (jobs P)) as [I|I]; [specialize (Yt k I); lra|]. rewrite Y0 by tauto. specialize (Y k). lra.
  - destruct (in_dec Nat.eq_dec j (servers P)), (in_dec Nat.eq_dec k (jobs P)); auto; try rewrite outside by auto; try rewrite idle by auto; destruct (RR j k); lra.
  - destruct (in_dec Nat.eq_dec j (servers P)), (in_dec Nat.eq_dec k (jobs P)); auto; try rewrite outside by auto; try rewrite idle by auto; destruct (RR j k); lra.
  - rename H into K, H0 into I. destruct (Six k i K I) as [Q _]. change (sum (x i) (servers P) = y k) in Q. rewrite (sum_line (x i) (dx i)), Q. f_equal. f_equal.
    destruct (Req_dec (y k) 0) as [Z|Z].
    + rewrite Y0 by (rewrite Z; lra). rewrite (sum_ext _ (fun _ => 0)), sum_zero; auto. intros j J. apply D0. rewrite Z in Q.
      rewrite (none_of_nothing (x i) (servers P) (fun j _ => X i j) ltac:(lra) j J). lra.
    + apply Rminus_diag_uniq, (zero (fun d => sum (fun j => d (inl (i, j))) (servers P) - d (inr k))). unfold rows_of. rewrite in_app_iff. left.
      apply in_flat_map. exists k. split; [rewrite filter_In, positive_pos; destruct (Y k); split; auto; lra|].
      apply (in_map (fun i (d : column -> R) => sum (fun j => d (inl (i, j))) (servers P) - d (inr k))). auto.
  - rename H into K, H0 into I. intros j A. destruct (Six k i K I) as [_ Q]. rewrite (Q j A), D0; [lra|]. rewrite (Q j A). lra.
  - exact St.
  - apply Ct; auto.
  - apply Bt; auto.
  - unfold split16. rewrite data_line. rename H into J, H0 into K. destruct (T j k J K) as [S _]. unfold split16 in S.
    unfold rate. destruct (in_dec Nat.eq_dec k (jobs P)); [|tauto].
    replace (eps * _) with (eps * rb j k + t * (b P k * data P dx j k)) by (field; lra). lra.
  - unfold split17. rewrite data_line. rename H into J, H0 into K. destruct (T j k J K) as [_ S]. unfold split17 in S.
    unfold rate. destruct (in_dec Nat.eq_dec k (jobs P)); [|tauto].
    replace ((1 - eps) * _) with ((1 - eps) * rc j k + t * (a P k * data P dx j k)) by (field; lra). lra. Qed.
End Line.

Lemma length_flat {A B C : Type} (f : A -> B -> C) (g : A -> list B) l : length (flat_map (fun a => map (f a) (g a)) l) = length (flat_map g l).
Proof. induction l; simpl; auto. rewrite !app_length, map_length. congruence. Qed.
Lemma length_total {B : Type} (f : nat -> list B) n l : (forall a, length (f a) = n a) -> length (flat_map f l) = total_nat n l.
Proof. intro H. induction l; simpl; auto. rewrite app_length. congruence. Qed.
Definition fractional_jobs (P : program) (y : nat -> R) := filter (fun k => fractional (y k)) (jobs P).
Definition split_nodes P x := filter (split P x) (all_nodes P).
Lemma columns_at_most_rows P eps x y rc rb : natural P -> 0 < eps < 1 -> distinct P -> vertex P eps x y rc rb ->
  (length (columns P x y) <= length (rows_of P x y rc rb))%nat.
Proof.
  intros N E D [L V]. destruct (le_lt_dec (length (columns P x y)) (length (rows_of P x y rc rb))) as [|M]; auto. exfalso.
  destruct (direction column_dec _ _ (nodup_columns P x y D) (linear_rows P x y rc rb) M) as (d & out & (c & I & C) & zero).
  destruct (goes_on P eps x y rc rb d N E L out zero) as (e & E0 & H). destruct (V _ _ _ _ e E0 H) as [VX VY]. apply C.
  destruct c as [[i j]|k]; [apply in_columns_x in I; apply (VX i j); tauto | apply in_columns_y in I; apply (VY k); tauto]. Qed.
(* The fractional jobs and the split data nodes are together at most the tight rows of servers. *)
Theorem vertex_count : forall P eps x y rc rb, natural P -> 0 < eps < 1 -> distinct P -> vertex P eps x y rc rb ->
  (length (fractional_jobs P y) + length (split_nodes P x) <= tight_rows P x rc rb)%nat.
Proof.
  intros P eps x y rc rb N E D V. pose proof (columns_at_most_rows P eps x y rc rb N E D V) as M.
  destruct V as [[(X & Y & _ & Six & _) _] _].
  unfold columns, rows_of in M. rewrite !app_length, !map_length in M.
  rewrite !length_flat in M.
  rewrite (length_total _ (fun j => list_sum (tight_on P x rc rb j)) (servers P)) in M
    by (intro; simpl; rewrite !app_length, !repeat_length; reflexivity).
  fold (tight_rows P x rc rb) in M. unfold fractional_jobs, split_nodes, all_nodes in *.
  enough (G : forall l, incl l (jobs P) ->
    (length (filter (fun k => fractional (y k)) l) + length (filter (split P x) (flat_map (nodes P) l))
     + length (flat_map (nodes P) (filter (fun k => positive (y k)) l)) + length (filter (fun k => whole (y k)) l)
     <= length (flat_map (places P x) (flat_map (nodes P) l)) + length (filter (fun k => positive (y k)) l))%nat)
    by (specialize (G (jobs P) (incl_refl _)); lia).
  clear M. induction l as [|k l IH]; intro I; [simpl; lia|]. specialize (IH (fun k' I' => I k' (or_intror I'))).
  assert (K : In k (jobs P)) by (apply I; left; auto). cbn [flat_map]. rewrite filter_app, flat_map_app, !app_length.
  destruct (Y k) as [Y0 Y1]. destruct (Rlt_dec 0 (y k)) as [Pos|Pos].
  - assert (Q : (length (filter (split P x) (nodes P k)) + length (nodes P k) <= length (flat_map (places P x) (nodes P k)))%nat).
    { assert (In1 : forall i, In i (nodes P k) -> (0 < length (places P x i))%nat).
      { intros i Ii. destruct (Six k i K Ii) as [Q _]. change (sum (x i) (servers P) = y k) in Q.
        destruct (some_place P x i ltac:(lra)) as [j J]. destruct (places P x i); [destruct J | simpl; lia]. }
      clear -In1. induction (nodes P k) as [|i m IHm]; simpl; auto. rewrite app_length. specialize (IHm (fun i' I' => In1 i' (or_intror I'))).
      pose proof (In1 i (or_introl eq_refl)). unfold split at 1. destruct (Nat.ltb_spec 1 (length (places P x i))); simpl; lia. }
    simpl. unfold positive at 1 4, fractional at 1, whole at 1. destruct (Rlt_dec 0 (y k)); [|tauto]. simpl. rewrite app_length.
    destruct (Rlt_dec (y k) 1), (Req_EM_T (y k) 1); simpl; try lra; lia.
  - assert (Q : filter (split P x) (nodes P k) = []).
    { assert (Z : forall i, In i (nodes P k) -> split P x i = false).
      { intros i Ii. destruct (Six k i K Ii) as [Q _]. unfold split. replace (places P x i) with (@nil nat); auto. symmetry.
        destruct (places P x i) as [|j p] eqn:W; auto. exfalso. assert (U : In j (places P x i)) by (rewrite W; left; auto).
        apply in_places in U. pose proof (sum_term (x i) (servers P) j (fun j _ => X i j) (proj1 U)).
        change (sum (x i) (servers P) = y k) in Q. lra. }
      clear -Z. induction (nodes P k) as [|i m IHm]; simpl; auto. rewrite (Z i) by (left; auto). apply IHm. intros; apply Z; right; auto. }
    rewrite Q. simpl. unfold positive at 1 4, fractional at 1, whole at 1. destruct (Rlt_dec 0 (y k)); [tauto|].
    destruct (Req_EM_T (y k) 1); simpl; try lra; lia. Qed.
Lemma tight_bound u t c : (tight u t c <= 1)%nat.
Proof. unfold tight. destruct (Rlt_dec 0 u), (Req_EM_T t c); lia. Qed.
(* There are at most three of them for each server, and one where no job needs computing or sending. *)
Theorem tight_rows_at_most : forall P x rc rb, (tight_rows P x rc rb <= 3 * length (servers P))%nat /\
  ((forall k, a P k = 0 /\ b P k = 0) -> (tight_rows P x rc rb <= length (servers P))%nat).
Proof.
  intros P x rc rb. unfold tight_rows. split; [|intro Z]; induction (servers P) as [|j l IH]; simpl; try lia.
  - pose proof (tight_bound (use P one x j) (use P one x j) (storage P j)). pose proof (tight_bound (use P (a P) x j) (sum (rc j) (jobs P)) (compute P j)).
    pose proof (tight_bound (use P (b P) x j) (sum (rb j) (jobs P)) (bandwidth P j)). simpl in IH. lia.
  - pose proof (tight_bound (use P one x j) (use P one x j) (storage P j)).
    assert (U : forall w t c, (forall k, w k = 0) -> tight (use P w x j) t c = 0%nat).
    { intros w t c W. unfold tight, use. rewrite (sum_ext _ (fun _ => 0)), sum_zero; [|intros; rewrite W; lra]. destruct (Rlt_dec 0 0); auto. lra. }
    rewrite (U (a P)), (U (b P)) by (intro k; apply Z). simpl in IH. lia. Qed.
(* Data nodes of which some x is strictly between 0 and 1: a job's data nodes at most for each tight row; so n of them are
   inside for the most part only if n < 6 m c. *)
Definition inside (P : program) (x : nat -> nat -> R) i := existsb (fun j => fractional (x i j)) (servers P).
Theorem inside_at_vertex : forall P eps x y rc rb c, natural P -> 0 < eps < 1 -> distinct P -> vertex P eps x y rc rb ->
  (forall k, In k (jobs P) -> (length (nodes P k) <= c)%nat) ->
  let count := length (filter (inside P x) (all_nodes P)) in
  (count <= tight_rows P x rc rb * c /\ count <= 3 * length (servers P) * c /\
   (length (all_nodes P) < 2 * count -> length (all_nodes P) < 6 * length (servers P) * c))%nat.
Proof.
  intros P eps x y rc rb c N E D V C count. pose proof (vertex_count P eps x y rc rb N E D V) as M.
  destruct (tight_rows_at_most P x rc rb) as [T _]. destruct V as [[(X & Y & _ & Six & _) _] _].
  enough (G : forall l, incl l (jobs P) -> (length (filter (inside P x) (flat_map (nodes P) l)) <=
    (length (filter (fun k => fractional (y k)) l) + length (filter (split P x) (flat_map (nodes P) l))) * c)%nat).
  { specialize (G (jobs P) (incl_refl _)). fold (all_nodes P) (split_nodes P x) (fractional_jobs P y) count in G.
    assert (count <= tight_rows P x rc rb * c)%nat by (eapply Nat.le_trans; [exact G | apply Nat.mul_le_mono_r; auto]).
    assert (tight_rows P x rc rb * c <= 3 * length (servers P) * c)%nat by (apply Nat.mul_le_mono_r; auto). lia. }
  clear count M. induction l as [|k l IH]; intro I; simpl; auto. specialize (IH (fun k' I' => I k' (or_intror I'))).
  assert (K : In k (jobs P)) by (apply I; left; auto). specialize (C k K). rewrite !filter_app, !app_length.
  assert (F : (length (filter (inside P x) (nodes P k)) <= length (nodes P k))%nat) by (clear; induction (nodes P k); simpl; auto; destruct (inside P x a); simpl; lia).
  unfold fractional at 1. destruct (Rlt_dec 0 (y k)) as [P0|P0], (Rlt_dec (y k) 1) as [P1|P1]; cbn [length]; try nia;
  (enough (U : (length (filter (inside P x) (nodes P k)) <= length (filter (split P x) (nodes P k)))%nat)
    by (destruct (nodes P k); simpl length in *; nia));
  (assert (W : forall i, In i (nodes P k) -> inside P x i = true -> split P x i = true) by
    (intros i Ii Hi; destruct (split P x i) eqn:Es; auto; exfalso; apply existsb_exists in Hi; destruct Hi as (j & J & Hi);
     unfold fractional in Hi; destruct (Rlt_dec 0 (x i j)), (Rlt_dec (x i j) 1); try discriminate;
     destruct (Six k i K Ii) as [Q _]; change (sum (x i) (servers P) = y k) in Q;
     pose proof (only_place P x i j (X i) Es J ltac:(auto)); destruct (Y k); lra));
  clear -W; induction (nodes P k) as [|i m IHm]; simpl; auto; specialize (IHm (fun i' I' => W i' (or_intror I')));
  specialize (W i (or_introl eq_refl)); destruct (inside P x i), (split P x i); simpl; try lia; specialize (W eq_refl); discriminate. Qed.

(* --- the first iteration --------------------------------------------------------------------------------------------- *)

(* what may be drawn: on each server, in the order of priority, data nodes with x > 0, among them all with x = 1 *)
Definition possible (P : program) x (drawn : nat -> list nat) := forall j, In j (servers P) ->
  NoDup (drawn j) /\ forall i, (In i (drawn j) -> In i (all_nodes P) /\ 0 < x i j) /\ (In i (all_nodes P) -> x i j = 1 -> In i (drawn j)).
Definition broken P x k := existsb (split P x) (nodes P k).
(* higher priorities come first, and of equal ones the jobs without a split data node *)
Definition before P x (y : nat -> R) (owner : nat -> nat) i i' := y (owner i') < y (owner i) \/
  y (owner i') = y (owner i) /\ (broken P x (owner i) = true -> broken P x (owner i') = true).
Definition ordered P x y owner drawn := forall j, In j (servers P) -> StronglySorted (before P x y owner) (drawn j).
Definition of_jobs {N} (P : program_of N) (owner : nat -> nat) := forall k i, In k (jobs P) -> In i (nodes P k) -> owner i = k.
(* a server passes whatever fits in its storage and in its time: (21) alone does, and (21) with (16) and (17) *)
Definition passes_what_fits P eps owner (passes : nat -> list nat -> bool) := forall j l, In j (servers P) ->
  sum (size P) l <= storage P j -> sum (fun i => a P (owner i) * size P i) l <= (1 - eps) * compute P j ->
  sum (fun i => b P (owner i) * size P i) l <= eps * bandwidth P j -> passes j l = true.
(* accepted: each data node is kept on some server *)
Definition kept {N} (P : program_of N) (passes : nat -> list nat -> bool) drawn k :=
  forallb (fun i => existsb (fun j => if in_dec Nat.eq_dec i (prefix (passes j) [] (drawn j)) then true else false) (servers P)) (nodes P k).

Lemma sorted_first (before : nat -> nat -> Prop) (good : nat -> bool) l : StronglySorted before l ->
  (forall i i', In i l -> In i' l -> before i i' -> good i' = true -> good i = true) -> l = filter good l ++ filter (fun i => negb (good i)) l.
Proof.
  induction 1 as [|i l S IH F]; simpl; auto. intro G. rewrite Forall_forall in F. destruct (good i) eqn:E; simpl.
  - f_equal. apply IH. intros. eapply G; eauto.
  - assert (Z : forall i', In i' l -> good i' = false).
    { intros i' I. destruct (good i') eqn:E'; auto. rewrite <- E. symmetry. apply (G i i'); auto. }
    clear -Z. assert (filter good l = []) as ->.
    { induction l as [|i' l IH]; simpl; auto. rewrite (Z i') by (left; auto). apply IH. intros; apply Z; right; auto. }
    simpl. f_equal. induction l as [|i' l IH]; simpl; auto. rewrite (Z i') by (left; auto). simpl. f_equal. apply IH. intros; apply Z; right; auto. Qed.
Definition sure P x (y : nat -> R) k := whole (y k) && negb (broken P x k).
Section Draw.
Variables (P : program) (eps : R) (x : nat -> nat -> R) (y : nat -> R) (rc rb : nat -> nat -> R).
Variables (owner : nat -> nat) (passes : nat -> list nat -> bool) (drawn : nat -> list nat).
Hypothesis (N : natural P) (E : 0 < eps < 1) (L : LP_I P eps x y rc rb) (O : of_jobs P owner).
Hypothesis (T : passes_what_fits P eps owner passes) (D : possible P x drawn) (S : ordered P x y owner drawn).

Lemma owned i : In i (all_nodes P) -> In (owner i) (jobs P) /\ In i (nodes P (owner i)).
Proof. intro I. apply in_flat_map in I. destruct I as (k & K & I). rewrite (O k i K I). auto. Qed.
Lemma unsplit_one i j : In i (all_nodes P) -> sure P x y (owner i) = true -> In j (servers P) -> 0 < x i j -> x i j = 1.
Proof.
  intros I Z J X. destruct (owned i I) as [K Ik]. apply andb_true_iff in Z. destruct Z as [W B]. apply whole_one in W.
  destruct L as [(X0 & _ & _ & Six & _) _]. destruct (Six _ i K Ik) as [Q _]. rewrite W in Q. rewrite <- Q. symmetry.
  apply only_place; auto. apply negb_true_iff in B. destruct (split P x i) eqn:Es; auto.
  assert (broken P x (owner i) = true) by (apply existsb_exists; eauto). congruence. Qed.
Lemma sure_fits w g j : (forall k, 0 <= w k) -> In j (servers P) -> NoDup g -> (forall i, In i g -> In i (drawn j) /\ sure P x y (owner i) = true) ->
  sum (fun i => w (owner i) * size P i) g <= sum (fun k => w k * data P x j k) (jobs P).
Proof.
  intros W J Ng G. destruct L as [(X & _) _]. destruct N as [Sz _]. destruct (D j J) as [_ Dj].
  assert (P0 : forall i, 0 <= w (owner i) * (size P i * x i j)) by (intro i; apply Rmult_le_pos, Rmult_le_pos; auto).
  rewrite (sum_ext _ (fun i => w (owner i) * (size P i * x i j))).
  - apply Rle_trans with (sum (fun i => w (owner i) * (size P i * x i j)) (all_nodes P)).
    + apply sum_incl; auto. intros i I. apply (Dj i), (G i I).
    + unfold all_nodes. rewrite sum_flat. apply sum_le; intros k K. unfold data. rewrite <- sum_scal.
      apply sum_le; intros i I. rewrite (O k i K I). lra.
  - intros i I. destruct (G i I) as [Id Gi]. destruct (Dj i) as [Q _]. destruct (Q Id). rewrite (unsplit_one i j); auto. lra. Qed.
Lemma sure_kept k : In k (jobs P) -> sure P x y k = true -> kept P passes drawn k = true.
Proof.
  intros K Z. apply forallb_forall. intros i I.
  assert (A : In i (all_nodes P)) by (apply in_flat_map; eauto). pose proof (O k i K I) as Ok.
  pose proof L as [(X & Y & _ & Six & Sev & Eight) Sp]. destruct (Six k i K I) as [Q _].
  change (sum (x i) (servers P) = y k) in Q. pose proof Z as Z1. apply andb_true_iff in Z1. destruct Z1 as [Z1 _]. apply whole_one in Z1.
  destruct (some_place P x i ltac:(lra)) as [j U]. apply in_places in U. destruct U as [J Xj]. apply existsb_exists. exists j. split; auto. destruct (in_dec Nat.eq_dec i _) as [|F]; auto. exfalso. apply F.
  assert (X1 : x i j = 1) by (apply unsplit_one; auto; rewrite Ok; auto).
  destruct (D j J) as [Nd Dj]. destruct (Dj i) as [_ Di]. specialize (Di A X1).
  set (good := fun i => sure P x y (owner i)).
  rewrite (sorted_first (before P x y owner) good (drawn j) (S j J)).
  - destruct (prefix_keeps (passes j) (filter good (drawn j)) (filter (fun i => negb (good i)) (drawn j))) as [more ->].
    + intros u v Es. assert (G : forall i, In i u -> In i (drawn j) /\ sure P x y (owner i) = true).
      { intros i' I'. apply (proj1 (filter_In good i' (drawn j))). rewrite Es. apply in_or_app; auto. }
      assert (Nu : NoDup u). { pose proof (NoDup_filter good Nd) as W. rewrite Es in W. clear -W. induction u; simpl in *; constructor; inversion_clear W; auto.
        intro; apply H, in_or_app; auto. }
      destruct (Eight j J) as [C B]. pose proof N as [_ N'].
      assert (F3 := sure_fits (fun _ => 1) u j (fun _ => Rle_0_1) J Nu G). assert (Fa := sure_fits (a P) u j (fun k => proj1 (N' k)) J Nu G).
      assert (Fb := sure_fits (b P) u j (fun k => proj2 (N' k)) J Nu G). apply T; auto.
      * rewrite (sum_ext _ (fun i => 1 * size P i)) by (intros; lra). eapply Rle_trans; [exact F3|].
        rewrite (sum_ext _ (fun k => data P x j k)) by (intros; lra). auto.
      * eapply Rle_trans; [exact Fa|]. apply Rle_trans with (sum (fun k => (1 - eps) * rc j k) (jobs P)); [apply sum_le; intros k' K'; apply (Sp j k' J K')|].
        rewrite (sum_scal _ (rc j)). apply Rmult_le_compat_l; [lra | exact C].
      * eapply Rle_trans; [exact Fb|]. apply Rle_trans with (sum (fun k => eps * rb j k) (jobs P)); [apply sum_le; intros k' K'; apply (Sp j k' J K')|].
        rewrite (sum_scal _ (rb j)). apply Rmult_le_compat_l; [lra | exact B].
    + apply in_or_app. left. apply filter_In. unfold good. rewrite Ok. auto.
  - intros i1 i2 I1 I2 B G. unfold good, sure in *. apply andb_true_iff in G. destruct G as [G1 G2]. apply whole_one in G1.
    destruct (Dj i1) as [V1 _]. destruct (owned i1 (proj1 (V1 I1))) as [K1 _]. apply andb_true_iff. destruct (Y (owner i1)) as [Y0 Y1].
    destruct B as [B|[B B']]; [lra|]. split; [apply whole_one; lra|]. apply negb_true_iff. apply negb_true_iff in G2.
    destruct (broken P x (owner i1)); auto. specialize (B' eq_refl). congruence. Qed.
End Draw.
(* Whatever is drawn at a vertex, the first iteration accepts all of OPT_I, the sum of the y, but as many jobs as there are tight rows. *)
Theorem first_iteration : forall P eps x y rc rb owner passes drawn, natural P -> 0 < eps < 1 -> distinct P -> of_jobs P owner ->
  vertex P eps x y rc rb -> passes_what_fits P eps owner passes -> possible P x drawn -> ordered P x y owner drawn ->
  accepted P y - INR (tight_rows P x rc rb) <= INR (length (filter (kept P passes drawn) (jobs P))).
Proof.
  intros P eps x y rc rb owner passes drawn N E Ds O V T D S. pose proof (vertex_count P eps x y rc rb N E Ds V) as C. destruct V as [L _].
  assert (W : forall l, sum y l <= INR (length (filter (fun k => whole (y k)) l) + length (filter (fun k => fractional (y k)) l))).
  { pose proof L as [(_ & Y & _) _]. induction l as [|k l IH]; simpl; [lra|]. rewrite plus_INR in *. destruct (Y k).
    unfold whole at 1, fractional at 1. destruct (Req_EM_T (y k) 1), (Rlt_dec 0 (y k)), (Rlt_dec (y k) 1); cbn [length]; rewrite ?S_INR; lra. }
  assert (G : forall l, incl l (jobs P) -> (length (filter (fun k => whole (y k)) l) <=
    length (filter (kept P passes drawn) l) + length (filter (split P x) (flat_map (nodes P) l)))%nat).
  { induction l as [|k l IH]; intro I; simpl; auto. specialize (IH (fun k' I' => I k' (or_intror I'))).
    pose proof (sure_kept P eps x y rc rb owner passes drawn N E L O T D S k (I k (or_introl eq_refl))) as Q. unfold sure in Q.
    rewrite filter_app, app_length. destruct (whole (y k)); simpl in Q; [|destruct (kept P passes drawn k); simpl; lia].
    destruct (broken P x k) eqn:B; simpl in Q; [|rewrite Q by auto; simpl; lia].
    apply existsb_exists in B. destruct B as (i & Ii & B). assert (In i (filter (split P x) (nodes P k))) by (apply filter_In; auto).
    destruct (filter (split P x) (nodes P k)); [destruct H|]. destruct (kept P passes drawn k); simpl; lia. }
  specialize (W (jobs P)). specialize (G (jobs P) (incl_refl _)). unfold accepted, fractional_jobs, split_nodes, all_nodes in *.
  apply Rle_trans with (INR (length (filter (fun k => whole (y k)) (jobs P)) + length (filter (fun k => fractional (y k)) (jobs P))) - INR (tight_rows P x rc rb)); [lra|].
  apply Rle_trans with (INR (length (filter (kept P passes drawn) (jobs P)) + tight_rows P x rc rb) - INR (tight_rows P x rc rb)).
  - apply Rplus_le_compat_r, le_INR. lia.
  - rewrite plus_INR. lra. Qed.

(* --- what PRUNE leaves of one job, with x = 1 in (19) and (20) --------------------------------------------------------- *)

Definition candidates (P : program) k j := filter (fun i => assignable P i j) (nodes P k).
(* each server copes with all candidates of the job, and each data node has a server left *)
Definition pruned P eps k := (forall j, In j (servers P) -> let D := sum (size P) (candidates P k j) in
    D <= storage P j /\ b P k * D <= eps * bandwidth P j /\ a P k * D <= (1 - eps) * compute P j) /\
  forall i, In i (nodes P k) -> exists j, In j (servers P) /\ assignable P i j = true.
Definition capacities P := forall j, 0 <= storage P j /\ 0 <= compute P j /\ 0 <= bandwidth P j.
Lemma sum_only (v : R) k : forall l, NoDup l -> 0 <= v -> sum (fun k' => if Nat.eq_dec k' k then v else 0) l <= v.
Proof.
  intros l N V. induction N as [|k' l O N IH]; simpl; [lra|]. destruct (Nat.eq_dec k' k) as [->|]; [|lra].
  rewrite (sum_ext _ (fun _ => 0)), sum_zero; [lra|]. intros k' I. destruct (Nat.eq_dec k' k); [congruence | auto]. Qed.
Lemma sum_filter_le (f : nat -> R) p q l : (forall i, 0 <= f i) -> (forall i, In i l -> p i = true -> q i = true) -> sum f (filter p l) <= sum f (filter q l).
Proof.
  intros F H. induction l as [|i l IH]; simpl; [lra|]. assert (sum f (filter p l) <= sum f (filter q l)) by (apply IH; intros; apply H; simpl; auto).
  specialize (F i). specialize (H i (or_introl eq_refl)). destruct (p i), (q i); simpl; try lra; specialize (H eq_refl); discriminate. Qed.
Theorem each_alone : forall P eps owner k, natural P -> 0 < eps < 1 -> distinct P -> of_jobs P owner -> capacities P -> In k (jobs P) -> pruned P eps k ->
  exists x y rc rb, LP_I P eps x y rc rb /\ y k = 1 /\ 1 <= accepted P y.
Proof.
  intros P eps owner k N E (Ds & Dj & _) O C K [F A]. pose proof N as [Sz W].
  set (place := fun i => match find (fun j => assignable P i j) (servers P) with Some j => j | None => 0%nat end).
  assert (Pl : forall i, In i (nodes P k) -> In (place i) (servers P) /\ assignable P i (place i) = true).
  { intros i I. unfold place. destruct (find _ _) as [j|] eqn:Q; [apply find_some in Q; auto|].
    destruct (A i I) as (j & J & B). pose proof (find_none _ _ Q j J). simpl in *. congruence. }
  set (x := fun i j => if Nat.eq_dec (owner i) k then if in_dec Nat.eq_dec i (nodes P k) then if Nat.eq_dec j (place i) then 1 else 0 else 0 else 0).
  set (y := fun k' => if Nat.eq_dec k' k then 1 else 0).
  assert (X : forall i j, 0 <= x i j) by (intros; unfold x; repeat destruct (_ : {_} + {_}); lra).
  assert (D0 : forall j k', In k' (jobs P) -> k' <> k -> data P x j k' = 0).
  { intros j k' K' D. unfold data. rewrite (sum_ext _ (fun _ => 0)), sum_zero; auto. intros i I. unfold x. rewrite (O k' i K' I).
    destruct (Nat.eq_dec k' k); [tauto | lra]. }
  assert (D1 : forall j, data P x j k <= sum (size P) (candidates P k j)).
  { intro j. apply Rle_trans with (sum (size P) (filter (fun i => if Nat.eq_dec j (place i) then true else false) (nodes P k))).
    - right. unfold data. assert (G : forall l, incl l (nodes P k) -> sum (fun i => size P i * x i j) l = sum (size P) (filter (fun i => if Nat.eq_dec j (place i) then true else false) l)).
      { induction l as [|i l IH]; intro I; simpl; auto. rewrite IH by (intros i' I'; apply I; right; auto). assert (Ii : In i (nodes P k)) by (apply I; left; auto).
        unfold x. rewrite (O k i K Ii). destruct (Nat.eq_dec k k); [|tauto]. destruct (in_dec Nat.eq_dec i (nodes P k)); [|tauto].
        destruct (Nat.eq_dec j (place i)); simpl; lra. }
      apply G, incl_refl.
    - apply sum_filter_le; auto. intros i I. destruct (Nat.eq_dec j (place i)) as [->|]; [intros _; apply Pl; auto | discriminate]. }
  assert (DP : forall j k', 0 <= data P x j k') by (intros; apply data_pos; auto).
  set (rate := fun (w : nat -> R) share j k' => if Nat.eq_dec k' k then w k * data P x j k / share else 0).
  assert (R0 : forall w share j k', (forall k, 0 <= w k) -> 0 < share -> 0 <= rate w share j k').
  { intros w s j k' H S. unfold rate. destruct (Nat.eq_dec k' k); [|lra]. assert (0 <= w k * data P x j k) by (apply Rmult_le_pos; auto). apply Rmult_le_pos; [auto | left; apply Rinv_0_lt_compat; auto]. }
  assert (R1 : forall w share j cap, (forall k, 0 <= w k) -> 0 < share -> w k * sum (size P) (candidates P k j) <= share * cap -> sum (rate w share j) (jobs P) <= cap).
  { intros w s j cap H S Q. assert (Z := R0 w s j k H S). unfold rate in Z. destruct (Nat.eq_dec k k); [|tauto].
      apply Rle_trans with (w k * data P x j k / s); [exact (sum_only _ k (jobs P) Dj Z)|].
    apply Rmult_le_reg_r with s; auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. specialize (D1 j). specialize (H k). nra. }
  assert (Yk : y k = 1) by (unfold y; destruct (Nat.eq_dec k k); tauto).
  exists x, y, (rate (a P) (1 - eps)), (rate (b P) eps). split; [|split; auto].
  - repeat split; auto.
    + unfold y. destruct (Nat.eq_dec k0 k); lra.
    + unfold y. destruct (Nat.eq_dec k0 k); lra.
    + apply R0; [apply W | lra].
    + apply R0; [apply W | lra].
    + rename k0 into k'. unfold y, x. rewrite (O k' i H H0). destruct (Nat.eq_dec k' k) as [->|]; [|apply sum_zero].
      destruct (in_dec Nat.eq_dec i (nodes P k)); [|tauto]. destruct (Pl i H0) as [J _]. revert J. generalize (place i). intro j0. clear -Ds.
      induction Ds as [|j l Q Ds IH]; simpl; [tauto|]. intros [->|J].
      * destruct (Nat.eq_dec j0 j0); [|tauto]. rewrite (sum_ext _ (fun _ => 0)), sum_zero; [lra|]. intros j J. destruct (Nat.eq_dec j j0); [congruence | auto].
      * destruct (Nat.eq_dec j j0) as [->|]; [tauto|]. rewrite IH by auto. lra.
    + intros j B. unfold x. repeat destruct (_ : {_} + {_}); auto. destruct (Pl i i0) as [_ Q]. congruence.
    + intros j J. destruct (F j J) as [Q _]. apply Rle_trans with (sum (fun k' => if Nat.eq_dec k' k then data P x j k else 0) (jobs P)).
      * apply sum_le; intros k' K'. destruct (Nat.eq_dec k' k) as [->|D]; [lra | rewrite D0; auto; lra].
      * eapply Rle_trans; [apply sum_only; auto | eapply Rle_trans; [apply D1 | auto]].
    + destruct (F j H) as (_ & _ & Q). apply R1; [apply W | lra | auto].
    + destruct (F j H) as (_ & Q & _). apply R1; [apply W | lra | auto].
    + unfold split16, rate. destruct (Nat.eq_dec k0 k) as [->|D]; [right; field; lra | rewrite D0; auto; lra].
    + unfold split17, rate. destruct (Nat.eq_dec k0 k) as [->|D]; [right; field; lra | rewrite D0; auto; lra].
  - rewrite <- Yk. apply sum_term; auto. intros k' _. unfold y. destruct (Nat.eq_dec k' k); lra. Qed.
(* At an optimum of LP_I the job of the highest priority has y >= 1/p, and its x/y add up to 1: all its data nodes are drawn. *)
Theorem top_drawn : forall P eps owner k x y rc rb top, natural P -> 0 < eps < 1 -> distinct P -> of_jobs P owner -> capacities P -> In k (jobs P) -> pruned P eps k ->
  LP_I P eps x y rc rb -> (forall x' y' rc' rb', LP_I P eps x' y' rc' rb' -> accepted P y' <= accepted P y) ->
  In top (jobs P) -> (forall k, In k (jobs P) -> y k <= y top) ->
  0 < y top /\ 1 / INR (length (jobs P)) <= y top /\ forall i, In i (nodes P top) -> sum (fun j => x i j / y top) (servers P) = 1.
Proof.
  intros P eps owner k x y rc rb top N E Dt O C K Pr L Opt T M. destruct (each_alone P eps owner k N E Dt O C K Pr) as (x' & y' & rc' & rb' & L' & _ & A).
  specialize (Opt _ _ _ _ L'). assert (S : accepted P y <= INR (length (jobs P)) * y top) by (unfold accepted; rewrite <- sum_const; apply sum_le; auto).
  assert (P0 : 0 < INR (length (jobs P))) by (apply lt_0_INR; destruct (jobs P); [destruct T | simpl; lia]).
  assert (B : 1 / INR (length (jobs P)) <= y top).
  { apply Rmult_le_reg_r with (INR (length (jobs P))); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (B0 : 0 < y top). { eapply Rlt_le_trans; [|apply B]. apply Rdiv_lt_0_compat; lra. }
  split; [auto | split; [auto|]]. intros i I. destruct L as [(_ & _ & _ & Six & _) _]. destruct (Six top i T I) as [Q _].
  change (sum (x i) (servers P) = y top) in Q. unfold Rdiv. rewrite (sum_scal_r _ (x i)), Q. field. lra. Qed.
(* The top job, all of whose data nodes are drawn and come first on each server, is accepted. *)
Theorem top_accepted : forall P eps owner passes k (to : nat -> nat) rest, natural P -> of_jobs P owner -> In k (jobs P) -> pruned P eps k ->
  passes_what_fits P eps owner passes -> (forall i, In i (nodes P k) -> In (to i) (servers P) /\ assignable P i (to i) = true) ->
  kept P passes (fun j => filter (fun i => if Nat.eq_dec (to i) j then true else false) (nodes P k) ++ rest j) k = true.
Proof.
  intros P eps owner passes k to rest [Sz W] O K [F _] T A. apply forallb_forall. intros i I. destruct (A i I) as [J B]. apply existsb_exists.
  exists (to i). split; auto. set (mine := filter _ (nodes P k)). destruct (prefix_keeps (passes (to i)) mine (rest (to i))) as [more ->].
  - intros u v Es. assert (Iu : forall i', In i' u -> owner i' = k).
    { intros i' I'. apply (O k i' K). assert (Q : In i' mine) by (rewrite Es; apply in_or_app; auto). apply filter_In in Q. tauto. }
    assert (S : sum (size P) u <= sum (size P) (candidates P k (to i))).
    { apply Rle_trans with (sum (size P) mine); [rewrite Es, sum_app; assert (0 <= sum (size P) v) by (apply sum_nonneg; auto); lra|].
      apply sum_filter_le; auto. intros i' I'. destruct (Nat.eq_dec (to i') (to i)) as [<-|]; [intros _; apply A; auto | discriminate]. }
    destruct (F (to i) J) as (F1 & F2 & F3). destruct (W k) as [Wa Wb]. apply T; auto.
    + lra.
    + rewrite (sum_ext _ (fun i => a P k * size P i)) by (intros i' I'; rewrite (Iu i' I'); auto). rewrite (sum_scal (a P k) (size P)). nra.
    + rewrite (sum_ext _ (fun i => b P k * size P i)) by (intros i' I'; rewrite (Iu i' I'); auto). rewrite (sum_scal (b P k) (size P)). nra.
  - destruct (in_dec Nat.eq_dec i (mine ++ more)) as [|Q]; auto. exfalso. apply Q, in_or_app. left. apply filter_In. split; auto.
    destruct (Nat.eq_dec (to i) (to i)); tauto. Qed.
(* iterations that each accept their top job, on what the ones before have left *)
Inductive iterations : nat -> list nat -> Prop :=
  | ends l : iterations 0 l
  | one_more n l top (accepts : nat -> bool) : In top l -> accepts top = true -> iterations n (filter (fun k => negb (accepts k)) l) -> iterations (S n) l.
Theorem at_most_p : forall n l, iterations n l -> (n <= length l)%nat.
Proof.
  induction 1 as [|n l top acc I A _ IH]; simpl; try lia. assert (Q : (length (filter (fun k => negb (acc k)) l) < length l)%nat); [|lia].
  clear -I A. assert (G : forall m, (length (filter (fun k => negb (acc k)) m) <= length m)%nat) by (induction m as [|k m IH]; simpl; auto; destruct (acc k); simpl; lia).
  induction l as [|k l IH]; simpl in *; [tauto|]. destruct I as [->|I]; [rewrite A; simpl; specialize (G l); lia|]. specialize (IH I). destruct (acc k); simpl; lia. Qed.
(* Each iteration keeps data nodes on servers and sets the x of jobs that it does not accept to 0; accepted jobs stay as they are. *)
Definition all_stay (P : program) (stay : nat -> option nat) k := forallb (fun i => match stay i with Some _ => true | None => false end) (nodes P k).
Definition released (P : program) owner (xy : (nat -> nat -> R) * (nat -> R)) (stay : nat -> option nat) : (nat -> nat -> R) * (nat -> R) :=
  let '(x, y) := xy in
  (fun i j => if Req_EM_T (y (owner i)) 1 then x i j else if all_stay P stay (owner i) then match stay i with Some j' => if Nat.eq_dec j j' then 1 else 0 | None => 0 end else 0,
   fun k => if Req_EM_T (y k) 1 then 1 else if all_stay P stay k then 1 else 0).
Theorem kept_nodes_released : forall P owner stays, of_jobs P owner -> NoDup (servers P) -> (forall stay i j, In stay stays -> stay i = Some j -> In j (servers P)) ->
  let '(x, y) := fold_left (released P owner) stays (fun _ _ => 0, fun _ => 0) in
  forall k i, In k (jobs P) -> In i (nodes P k) -> sum (x i) (servers P) = y k.
Proof.
  intros P owner stays O N. assert (G : forall xy, (forall stay i j, In stay stays -> stay i = Some j -> In j (servers P)) ->
    (forall k i, In k (jobs P) -> In i (nodes P k) -> sum (fst xy i) (servers P) = snd xy k) ->
    forall k i, In k (jobs P) -> In i (nodes P k) -> sum (fst (fold_left (released P owner) stays xy) i) (servers P) = snd (fold_left (released P owner) stays xy) k).
  { induction stays as [|stay stays IH]; intros [x y] S H; simpl; auto. apply IH; [intros; eapply S; [right|]; eauto|]. intros k i K I. simpl.
    rewrite (O k i K I). destruct (Req_EM_T (y k) 1) as [Y|Y]; [rewrite <- Y; apply (H k i K I)|].
    destruct (all_stay P stay k) eqn:Q; [|apply sum_zero]. unfold all_stay in Q. rewrite forallb_forall in Q. specialize (Q i I).
    destruct (stay i) as [j|] eqn:St; [|discriminate]. specialize (S stay i j (or_introl eq_refl) St). clear -S N.
    induction N as [|j' l Q N IH]; simpl in *; [tauto|]. destruct S as [->|S].
    - destruct (Nat.eq_dec j j); [|tauto]. rewrite (sum_ext _ (fun _ => 0)), sum_zero; [lra|]. intros j' J. destruct (Nat.eq_dec j' j); [congruence | auto].
    - destruct (Nat.eq_dec j' j) as [->|]; [tauto|]. rewrite IH by auto. lra. }
  intro S. specialize (G (fun _ _ => 0, fun _ => 0) S). destruct (fold_left _ _ _) as [x y]. simpl in G. apply G. intros. apply sum_zero. Qed.

(* --- independent draws: data nodes of d GB that come with probability x ----------------------------------------------- *)

Fixpoint expected (l : list (R * R)) (f : R -> R) : R :=
  match l with [] => f 0 | (d, x) :: l => x * expected l (fun D => f (d + D)) + (1 - x) * expected l f end.
Definition load (l : list (R * R)) := sum (fun p => fst p * snd p) l.
Definition spread (l : list (R * R)) := sum (fun p => fst p ^ 2 * (snd p * (1 - snd p))) l.
Lemma expected_ext l : forall f g, (forall D, f D = g D) -> expected l f = expected l g.
Proof. induction l as [|[d x] l IH]; simpl; intros f g H; auto. rewrite (IH f g), (IH (fun D => f (d + D)) (fun D => g (d + D))); auto. Qed.
Theorem normal_scale : forall l, 0 < spread l -> let sigma := sqrt (spread l) in
  expected l (fun D => (D - load l) / sigma) = 0 /\ expected l (fun D => ((D - load l) / sigma) ^ 2) = 1.
Proof.
  intros l V sigma. assert (S : 0 < sigma) by (apply sqrt_lt_R0; auto). assert (S2 : sigma * sigma = spread l) by (apply sqrt_sqrt; lra).
  assert (A : forall l s c, expected l (fun D => s * (D + c)) = s * (load l + c)).
  { clear. induction l as [|[d x] l IH]; intros s c; cbn [expected]; [unfold load; simpl; ring|].
    rewrite (expected_ext l _ (fun D => s * (D + (d + c)))) by (intro; ring). rewrite !IH. unfold load. simpl. ring. }
  assert (B : forall l s c, expected l (fun D => s * (D + c) ^ 2) = s * (spread l + (load l + c) ^ 2)).
  { clear. induction l as [|[d x] l IH]; intros s c; cbn [expected]; [unfold load, spread; simpl; ring|].
    rewrite (expected_ext l _ (fun D => s * (D + (d + c)) ^ 2)) by (intro; ring). rewrite !IH. unfold load, spread. simpl. ring. }
  split.
  - rewrite (expected_ext l _ (fun D => / sigma * (D + - load l))) by (intro; field; lra). rewrite A. ring.
  - rewrite (expected_ext l _ (fun D => / (sigma * sigma) * (D + - load l) ^ 2)) by (intro; field; lra). rewrite B, S2. field. lra. Qed.
