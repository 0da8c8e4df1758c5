(* preemptive, one worker, jobs of equally many chunks: what another chunk costs under shortest remaining time first, in whatever
   order chunks land, and so that the prices (5) add up to no less than all completions (Lemma 4 without the landing order). Of
   two schedules, one with a chunk more, the number of chunks above any size differs by 0 or 1 at every time (`laced`); what
   the difference will still cost is a sum (`owed`), which falls with time, and by a landing rises by no more than (5) counts. *)
From Schedproof Require Import sums shortest.
From Coq Require Import Arith.

Lemma capped_0 l : nonneg l -> capped 0 l = 0.
Proof. intros N. unfold capped. rewrite (sum_ext _ (fun _ => 0)); [apply sum_zero|]. intros x I. specialize (N x I). mins; lra. Qed.

(* the flow: unfinished chunks, added up over time *)
Inductive flows : list event -> list R -> list R -> R -> Prop :=
| ends a : flows [] a a 0
| goes dt es a b c F : 0 <= dt -> srpt dt a b -> flows es b c F -> flows (passes dt :: es) a c (INR (unfinished a) * dt + F)
| gets z es a c F : 0 <= z -> flows es (z :: a) c F -> flows (lands z :: es) a c F.
Fixpoint landing_sizes (es : list event) : list R := match es with [] => [] | lands z :: es => z :: landing_sizes es | _ :: es => landing_sizes es end.

(* of a schedule b with one chunk more than a: how many more of size c at most, in work; it rises with c, and no faster *)
Definition more (a b : list R) c := capped c b - capped c a.
Definition laced (a b : list R) := forall c d, 0 <= c <= d -> 0 <= more a b d - more a b c <= d - c.
Definition total (l : list R) := sum (fun x => x) l.
Definition owed (a b : list R) := total b - total a + sum (more a b) a.

Lemma capped_mid c l1 x l2 y : capped c (l1 ++ y :: l2) = capped c (l1 ++ x :: l2) - Rmin x c + Rmin y c.
Proof. rewrite !capped_app. unfold capped. cbn [sum]. lra. Qed.
Lemma unfinished_app l k : unfinished (l ++ k) = (unfinished l + unfinished k)%nat.
Proof. induction l; simpl; lia. Qed.
(* how fast it rises from c on, where no chunk is smaller than x but those that are done, and some are no larger than c *)
Definition at_least x l := forall y, In y l -> y = 0 \/ x <= y.
Lemma rise x c d l : 0 < x -> at_least x l -> 0 <= c <= d -> capped d l - capped c l <= (d - c) * INR (unfinished l).
Proof.
  intros X H C. induction l as [|y l IH]; unfold capped in *; cbn [sum unfinished]; [simpl; lra|]. rewrite plus_INR.
  specialize (IH ltac:(intros u I; apply H; simpl; auto)). rewrite Rmult_plus_distr_l.
  destruct (H y (or_introl eq_refl)) as [->|L]; destruct (Rlt_dec 0 _); simpl INR; mins; lra. Qed.
Lemma rise_in x u c d l : 0 < x -> at_least x l -> In u l -> 0 < u <= c -> c <= d -> capped d l - capped c l <= (d - c) * (INR (unfinished l) - 1).
Proof.
  intros X H I U C. induction l as [|y l IH]; [destruct I|]. assert (H' : at_least x l) by (intros v V; apply H; simpl; auto).
  pose proof (rise x c d l X H' ltac:(lra)) as R. unfold capped in *. cbn [sum unfinished]. rewrite plus_INR. unfold Rminus at 3. rewrite !Rmult_plus_distr_l.
  destruct I as [->|I].
  - destruct (Rlt_dec 0 u); [|lra]. simpl INR. mins; lra.
  - specialize (IH H' I). rewrite Rmult_plus_distr_l in IH || unfold Rminus at 3 in IH; try rewrite Rmult_plus_distr_l in IH.
    destruct (H y (or_introl eq_refl)) as [->|L]; destruct (Rlt_dec 0 _); simpl INR; mins; lra. Qed.
Lemma slope l1 x l2 c d : 0 < x -> at_least x (l1 ++ x :: l2) -> x <= c <= d ->
  capped d (l1 ++ x :: l2) - capped c (l1 ++ x :: l2) <= (d - c) * (INR (unfinished (l1 ++ x :: l2)) - 1).
Proof. intros X Q C. apply (rise_in x x); auto; try lra. apply in_or_app; simpl; auto. Qed.

(* what may be between the smallest, x, of a and the smallest, y, of b *)
Lemma first_same a1 x a2 b1 y b2 : let a := a1 ++ x :: a2 in let b := b1 ++ y :: b2 in
  0 < x -> 0 < y -> at_least x a -> at_least y b -> laced a b ->
  (unfinished b = unfinished a -> x <= y) /\ (unfinished b = S (unfinished a) -> y <= x).
Proof.
  intros a b X Y Qa Qb L. split; intro E.
  - destruct (Rle_lt_dec x y); auto. exfalso.
    pose proof (slope b1 y b2 y x Y Qb ltac:(lra)) as H. fold b in H.
    rewrite (all_large b y y Y Qb ltac:(lra)) in H.
    destruct (L 0 x ltac:(lra)) as [M _]. unfold more in M.
    rewrite (all_large a x x X Qa ltac:(lra)), (all_large a x 0 X Qa ltac:(lra)), (all_large b y 0 Y Qb ltac:(lra)), E in *. nra.
  - destruct (Rle_lt_dec y x); auto. exfalso.
    pose proof (slope a1 x a2 x y X Qa ltac:(lra)) as H. fold a in H.
    rewrite (all_large a x x X Qa ltac:(lra)) in H.
    destruct (L 0 y ltac:(lra)) as [_ M]. unfold more in M.
    rewrite (all_large b y y Y Qb ltac:(lra)), (all_large a x 0 X Qa ltac:(lra)), (all_large b y 0 Y Qb ltac:(lra)), E, S_INR in *. nra. Qed.

Lemma all_done l : nonneg l -> unfinished l = O -> forall y, In y l -> y = 0.
Proof.
  induction l as [|x l IH]; intros N U y I; [destruct I|]. cbn [unfinished] in U. pose proof (N x (or_introl eq_refl)).
  destruct (Rlt_dec 0 x); [lia|]. destruct I as [<-|I]; [lra|]. apply IH; auto. intros z Z; apply N; simpl; auto. Qed.
Lemma zeros c l : 0 <= c -> (forall y, In y l -> y = 0) -> capped c l = 0 /\ unfinished l = O /\ total l = 0.
Proof.
  intros C. induction l as [|y l IH]; intros H; unfold capped, total in *; cbn [sum unfinished]; [auto|].
  destruct IH as (A & B & D); [intros z I; apply H; simpl; auto|]. rewrite A, B, D, (H y (or_introl eq_refl)). destruct (Rlt_dec 0 0); [lra|].
  split; [mins; lra | split; [lia | lra]]. Qed.

(* A time of both schedules, x and y being what they run: the one with more runs the token and pays, or it runs what the other has run. *)
Section Both.
Variables (a1 a2 b1 b2 : list R) (x y dt : R).
Let a := a1 ++ x :: a2. Let b := b1 ++ y :: b2.
Let a' := a1 ++ (x - dt) :: a2. Let b' := b1 ++ (y - dt) :: b2.
Hypotheses (X : 0 < x) (Y : 0 < y) (DT : 0 <= dt) (DX : dt <= x) (DY : dt <= y) (Qa : at_least x a) (Qb : at_least y b) (L : laced a b).

Lemma more_after c : more a' b' c = more a b c + (Rmin x c - Rmin (x - dt) c) - (Rmin y c - Rmin (y - dt) c).
Proof. unfold more, a, a', b, b'. rewrite (capped_mid c a1 x a2 (x - dt)), (capped_mid c b1 y b2 (y - dt)). lra. Qed.
Lemma low c : 0 <= c -> c <= x -> c <= y -> more a b c = c * (INR (unfinished b) - INR (unfinished a)).
Proof. intros. unfold more. rewrite (all_large a x c X Qa), (all_large b y c Y Qb); lra. Qed.
Lemma one_more : unfinished b = unfinished a \/ unfinished b = S (unfinished a).
Proof.
  set (m := Rmin x y). assert (M : 0 < m /\ m <= x /\ m <= y) by (unfold m; mins; lra).
  pose proof (low m ltac:(lra) ltac:(lra) ltac:(lra)) as E. pose proof (low 0 ltac:(lra) ltac:(lra) ltac:(lra)) as E0.
  destruct (L 0 m ltac:(lra)) as [A B]. rewrite E, E0 in *.
  assert (H : 0 <= INR (unfinished b) - INR (unfinished a) <= 1) by (split; nra).
  assert (G : (unfinished a <= unfinished b)%nat) by (apply INR_le; lra).
  assert (K : (unfinished b <= S (unfinished a))%nat) by (apply INR_le; rewrite S_INR; lra). lia. Qed.
Lemma total_mid l1 u l2 v : total (l1 ++ v :: l2) = total (l1 ++ u :: l2) - u + v.
Proof. unfold total. rewrite !sum_app. cbn [sum]. lra. Qed.
Lemma others (f g : R -> R) k : (forall u, In u (a1 ++ a2) -> f u = g u) -> f (x - dt) = g x - k -> sum f a' = sum g a - k.
Proof.
  intros H E. unfold a, a'. rewrite !sum_app. cbn [sum]. rewrite (sum_ext f g a1), (sum_ext f g a2), E by (intros; apply H, in_or_app; auto). lra. Qed.
Lemma with_others u : In u (a1 ++ a2) -> In u a.
Proof. unfold a. intro I. apply in_or_app. apply in_app_or in I. simpl. tauto. Qed.

Theorem both : laced a' b' /\ INR (unfinished b) * dt + owed a' b' = INR (unfinished a) * dt + owed a b.
Proof.
  assert (TA : total a' = total a - dt) by (unfold a, a'; rewrite (total_mid a1 x a2 (x - dt)); lra).
  assert (TB : total b' = total b - dt) by (unfold b, b'; rewrite (total_mid b1 y b2 (y - dt)); lra).
  destruct (first_same a1 x a2 b1 y b2 X Y Qa Qb L) as [XY YX]. fold a b in XY, YX.
  assert (L0 : forall c, 0 <= c -> 0 <= more a b c <= c).
  { intros c C. destruct (L 0 c ltac:(lra)) as [A B]. rewrite (low 0) in * by lra. lra. }
  destruct one_more as [E|E].
  - specialize (XY E). clear YX.
    assert (M : forall c, 0 <= c <= y -> more a b c = c - Rmin x c).
    { intros c C. destruct (Rle_lt_dec c x); [rewrite (low c), E by lra; mins; lra|].
      pose proof (slope a1 x a2 x c X Qa ltac:(lra)) as S. fold a in S. pose proof (low x ltac:(lra) ltac:(lra) ltac:(lra)) as Mx. rewrite E in Mx.
      destruct (L x c ltac:(lra)) as [_ U]. assert (B : capped c b - capped x b = (c - x) * INR (unfinished b)) by (rewrite !(all_large b y _ Y Qb) by lra; lra).
      assert (c - x <= more a b c - more a b x) by (unfold more; rewrite E in B; lra). mins; lra. }
    assert (A : forall c, 0 <= c <= y -> more a' b' c = Rmin (y - dt) c - Rmin (x - dt) c).
    { intros c C. rewrite more_after, (M c C). mins; lra. }
    assert (B : forall c, y <= c -> more a' b' c = more a b c) by (intros c C; rewrite more_after; mins; lra).
    assert (far : forall u, In u (a1 ++ a2) -> u = 0 \/ y <= u).
    { intros u I. destruct (Qa u (with_others u I)) as [->|G]; auto. destruct (Rle_lt_dec y u); auto. exfalso.
      assert (S : capped y a - capped u a <= (y - u) * (INR (unfinished a) - 2)).
      { unfold a in *. rewrite !capped_app, unfinished_app, plus_INR. change (x :: a2) with ([x] ++ a2). rewrite !capped_app, unfinished_app, plus_INR.
        assert (One : capped y [x] = x /\ capped u [x] = x /\ INR (unfinished [x]) = 1) by (unfold capped; cbn [sum unfinished]; destruct (Rlt_dec 0 x); [|lra]; simpl; mins; lra).
        destruct One as (-> & -> & ->).
        assert (Q1 : at_least x a1) by (intros v V; apply Qa, in_or_app; auto). assert (Q2 : at_least x a2) by (intros v V; apply Qa, in_or_app; simpl; auto).
        pose proof (rise x u y a1 X Q1 ltac:(lra)). pose proof (rise x u y a2 X Q2 ltac:(lra)).
        apply in_app_or in I. destruct I as [I|I];
          [pose proof (rise_in x u u y a1 X Q1 I ltac:(lra) ltac:(lra)) | pose proof (rise_in x u u y a2 X Q2 I ltac:(lra) ltac:(lra))]; lra. }
      assert (Bu : capped y b - capped u b = (y - u) * INR (unfinished b)) by (rewrite !(all_large b y _ Y Qb) by lra; lra).
      destruct (L u y ltac:(lra)) as [_ U]. unfold more in U. rewrite E in Bu. lra. }
    split.
    + intros c d C. destruct (Rle_lt_dec d y); [rewrite !A by lra; mins; lra|]. destruct (Rle_lt_dec y c); [rewrite !B by lra; apply L; lra|].
      rewrite (B d), (A c) by lra. destruct (L y d ltac:(lra)). pose proof (M y ltac:(lra)). mins; lra.
    + unfold owed. rewrite TA, TB, E. rewrite (others (more a' b') (more a b) 0); [lra | |].
      * intros u I. destruct (far u I) as [->|G]; [rewrite A, M by lra; mins; lra | apply B; auto].
      * rewrite A, M by lra. mins; lra.
  - specialize (YX E). clear XY.
    assert (M : forall c, 0 <= c <= x -> more a b c = Rmin y c).
    { intros c C. destruct (Rle_lt_dec c y); [rewrite (low c), E, S_INR by lra; mins; lra|].
      pose proof (slope b1 y b2 y c Y Qb ltac:(lra)) as S. fold b in S. pose proof (low y ltac:(lra) ltac:(lra) ltac:(lra)) as My. rewrite E, S_INR in My.
      destruct (L y c ltac:(lra)) as [U _]. assert (B : capped c a - capped y a = (c - y) * INR (unfinished a)) by (rewrite !(all_large a x _ X Qa) by lra; lra).
      rewrite E, S_INR in S. assert (more a b c - more a b y <= 0) by (unfold more; lra). mins; lra. }
    assert (A : forall c, 0 <= c <= x -> more a' b' c = c - Rmin (x - dt) c + Rmin (y - dt) c).
    { intros c C. rewrite more_after, (M c C). mins; lra. }
    assert (B : forall c, x <= c -> more a' b' c = more a b c) by (intros c C; rewrite more_after; mins; lra).
    split.
    + intros c d C. destruct (Rle_lt_dec d x); [rewrite !A by lra; mins; lra|]. destruct (Rle_lt_dec x c); [rewrite !B by lra; apply L; lra|].
      rewrite (B d), (A c) by lra. destruct (L x d ltac:(lra)). pose proof (M x ltac:(lra)). mins; lra.
    + unfold owed. rewrite TA, TB, E, S_INR. rewrite (others (more a' b') (more a b) dt); [lra | |].
      * intros u I. destruct (Qa u (with_others u I)) as [->|G]; [rewrite A, M by lra; mins; lra | apply B; auto].
      * rewrite A, M by lra. mins; lra. Qed.
End Both.

(* Any time of both. *)
Theorem token_step : forall dt a a' b b', 0 <= dt -> nonneg a -> nonneg b -> laced a b -> srpt dt a a' -> srpt dt b b' ->
  laced a' b' /\ total b' - total a' <= total b - total a /\ INR (unfinished b) * dt + owed a' b' <= INR (unfinished a) * dt + owed a b.
Proof.
  intros dt a a' b b' DT NA NB L SA SB. destruct SA as [a ZA | a1 x a2 X DX Q].
  - destruct SB as [b ZB | b1 y b2 Y DY Q].
    + destruct (zeros 0 a ltac:(lra) ZA) as (_ & -> & _), (zeros 0 b ltac:(lra) ZB) as (_ & -> & _). split; [auto | lra].
    + set (b := b1 ++ y :: b2) in *. set (b' := b1 ++ (y - dt) :: b2).
      assert (CA : forall c, 0 <= c -> capped c a = 0) by (intros c C; apply zeros; auto).
      assert (One : INR (unfinished b) <= 1).
      { destruct (L 0 y ltac:(lra)) as [_ U]. unfold more in U. rewrite !CA, (capped_0 b NB), (all_large b y y Y Q) in U by lra. nra. }
      assert (U : unfinished b = 1%nat).
      { apply (INR_le _ 1) in One. unfold b in *. rewrite unfinished_app in *. cbn [unfinished] in *. destruct (Rlt_dec 0 y); [lia | lra]. }
      assert (Z : forall c, 0 <= c -> capped c b = Rmin y c).
      { intros c C. unfold b in U. rewrite unfinished_app in U. cbn [unfinished] in U. destruct (Rlt_dec 0 y); [|lra].
        assert (Z1 : capped c b1 = 0) by (apply zeros; auto; apply all_done; [intros u I; apply NB, in_or_app; auto | lia]).
        assert (Z2 : capped c b2 = 0) by (apply zeros; auto; apply all_done; [intros u I; apply NB, in_or_app; simpl; auto | lia]).
        unfold b. rewrite capped_app. unfold capped in *. cbn [sum]. rewrite Z1, Z2. lra. }
      assert (M : forall c, 0 <= c -> more a b' c = Rmin (y - dt) c).
      { intros c C. unfold more, b'. rewrite (capped_mid c b1 y b2 (y - dt)), CA by auto. fold b. rewrite Z by auto. lra. }
      assert (T : total b' = total b - dt) by (unfold b, b', total; rewrite !sum_app; cbn [sum]; lra).
      split; [intros c d C; rewrite !M by lra; mins; lra|]. split; [lra|].
      destruct (zeros 0 a ltac:(lra) ZA) as (_ & -> & _). rewrite U. unfold owed. rewrite T.
      rewrite (sum_ext (more a b') (fun _ => 0) a), (sum_ext (more a b) (fun _ => 0) a), sum_zero.
      * simpl. lra.
      * intros u I. rewrite (ZA u I). unfold more. rewrite CA, Z by lra. mins; lra.
      * intros u I. rewrite (ZA u I), M by lra. mins; lra.
  - destruct SB as [b ZB | b1 y b2 Y DY Q'].
    + exfalso. destruct (L 0 x ltac:(lra)) as [U _]. unfold more in U.
      rewrite (all_large _ x x X Q), (capped_0 _ NA), (proj1 (zeros x b ltac:(lra) ZB)), (capped_0 b NB) in U by lra.
      assert (1 <= INR (unfinished (a1 ++ x :: a2))); [|nra]. rewrite unfinished_app, plus_INR. cbn [unfinished]. rewrite plus_INR.
      destruct (Rlt_dec 0 x); [|lra]. pose proof (pos_INR (unfinished a1)). pose proof (pos_INR (unfinished a2)). simpl INR. lra.
    + destruct (both a1 a2 b1 b2 x y dt X Y DT DX DY Q Q' L) as [L' E]. split; auto. split; [unfold total; rewrite !sum_app; cbn [sum]; lra | lra]. Qed.
Lemma more_in_all a b c : nonneg a -> nonneg b -> laced a b -> 0 <= c -> more a b c <= total b - total a.
Proof.
  intros NA NB L C. assert (all : forall d l, nonneg l -> total l <= d -> capped d l = total l).
  { intros d l N D. apply sum_ext. intros x I. pose proof (sum_term (fun x => x) l x N I). unfold total in D. cbn beta in *. mins; lra. }
  set (d := c + total a + total b). assert (0 <= total a /\ 0 <= total b) as [A B] by (split; apply sum_nonneg; auto).
  destruct (L c d ltac:(unfold d; lra)) as [U _]. unfold more at 1 in U. rewrite !all in U by (auto; unfold d; lra). lra. Qed.

(* Another chunk, from its landing on: it costs its own time, and of every other chunk as much of its time as its own. *)
Lemma another_in_time : forall es a b a' b' F G p, nonneg a -> nonneg b -> laced a b -> flows es a a' F -> flows es b b' G ->
  total b - total a <= p -> G + owed a' b' <= F + owed a b + capped p (landing_sizes es) /\ nonneg a' /\ nonneg b' /\ laced a' b'.
Proof.
  induction es as [|[dt|z] es IH]; intros a b a' b' F G p NA NB L FA FB P; inversion FA; inversion FB; subst; cbn [landing_sizes].
  - unfold capped. simpl. split; [lra | auto].
  - match goal with [ A : srpt _ a ?v, B : srpt _ b ?w, FA' : flows es ?v _ ?f, FB' : flows es ?w _ ?g |- _ ] =>
      destruct (token_step dt a v b w ltac:(auto) NA NB L A B) as (L' & T & E); pose proof (srpt_nonneg _ _ _ A NA) as NA'; pose proof (srpt_nonneg _ _ _ B NB) as NB';
      destruct (IH v w a' b' f g p NA' NB' L' FA' FB' ltac:(lra)) as (R & N1 & N2 & L2) end. split; [lra | auto].
  - match goal with [ FA' : flows es (z :: a) _ _, FB' : flows es (z :: b) _ _ |- _ ] =>
      destruct (IH (z :: a) (z :: b) a' b' F G p) as (R & N1 & N2 & L2); auto end.
    + intros u [<-|I]; auto.
    + intros u [<-|I]; auto.
    + intros c d C. specialize (L c d C). unfold more, capped in *. cbn [sum]. lra.
    + unfold total in *. cbn [sum]. lra.
    + split; [|auto]. eapply Rle_trans; [apply R|]. unfold owed, total, capped. cbn [sum].
      assert (E : forall c, more (z :: a) (z :: b) c = more a b c) by (intro c; unfold more, capped; cbn [sum]; lra).
      rewrite (sum_ext (more (z :: a) (z :: b)) (more a b)), E by (intros; apply E).
      assert (more a b z <= Rmin z p); [|lra]. pose proof (more_in_all a b z NA NB L ltac:(lra)). destruct (L 0 z ltac:(lra)) as [_ U].
      unfold more at 2 in U. rewrite (capped_0 a NA), (capped_0 b NB) in U. mins; lra. Qed.
Theorem another_chunk : forall es a p a' b' F G, 0 <= p -> nonneg a -> flows es a a' F -> flows es (p :: a) b' G ->
  G <= F + p + capped p (a ++ landing_sizes es).
Proof.
  intros es a p a' b' F G P NA FA FB.
  assert (M : forall c, more a (p :: a) c = Rmin p c) by (intro c; unfold more, capped; cbn [sum]; lra).
  assert (L : laced a (p :: a)) by (intros c d C; rewrite !M; mins; lra).
  assert (NB : nonneg (p :: a)) by (intros u [<-|I]; auto).
  destruct (another_in_time es a (p :: a) a' b' F G p NA NB L FA FB ltac:(unfold total; cbn [sum]; lra)) as (R & N1 & N2 & L2).
  assert (O : 0 <= owed a' b').
  { unfold owed. pose proof (more_in_all a' b' 0 N1 N2 L2 ltac:(lra)) as T. unfold more in T at 1. rewrite (capped_0 a' N1), (capped_0 b' N2) in T.
    assert (0 <= sum (more a' b') a'); [|lra]. apply sum_nonneg. intros u I. destruct (L2 0 u ltac:(split; [lra | auto])) as [U _].
    unfold more at 2 in U. rewrite (capped_0 a' N1), (capped_0 b' N2) in U. lra. }
  assert (S : sum (more a (p :: a)) a = capped p a) by (apply sum_ext; intros u I; rewrite M; apply Rmin_comm).
  unfold owed at 2 in R. rewrite S in R. rewrite capped_app. unfold total in R. cbn [sum] in R. lra. Qed.

(* Chunks are placed on a worker one after the other; each lands after the delay, and is priced by (5) times D, which counts what is left
   of those that have landed by then, as far as it is no more than its own time, and likewise those in transit. The numbers are
   the sum of the prices, and the sum of completion - arrival, in one schedule: its flow from landings on, and the delays. *)
Inductive placements (D : R) : R -> R -> R -> Prop :=
| nobody : placements D 0 0 0
| placed alphas flow delays before after a a' b F0 F1 p delay alpha G : placements D alphas flow delays ->
    flows before [] a F0 -> flows after a a' F1 -> (forall y, In y a' -> y = 0) -> F0 + F1 = flow -> 0 <= p -> 0 <= delay ->
    flows after (p :: a) b G -> (forall y, In y b -> y = 0) -> D * alpha = delay + p + capped p (a ++ landing_sizes after) ->
    placements D (alphas + alpha) (F0 + G) (delays + delay).
Lemma flows_nonneg es a a' F : flows es a a' F -> nonneg a -> nonneg a'.
Proof. induction 1; intro N; auto; [apply IHflows; eapply srpt_nonneg; eauto | apply IHflows; intros u [<-|I]; auto]. Qed.
Theorem lemma4_alike : forall D alphas flow delays, placements D alphas flow delays -> flow + delays <= D * alphas.
Proof.
  induction 1; [lra|]. assert (NA : nonneg a) by (eapply flows_nonneg; [eassumption | intros x []]).
  pose proof (another_chunk after a p a' b F1 G ltac:(auto) NA ltac:(auto) ltac:(auto)). lra. Qed.
