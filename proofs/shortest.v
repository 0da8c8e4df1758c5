(* preemptive, one worker, jobs of equally many chunks: shortest remaining time first keeps the sum of min(left, c) least at
   every time and for every c (Schrage), and the rows of Lemma 2 follow in any order of landing. Lists hold what is left of
   the landed chunks. Times are real numbers; a run is cut wherever either of two schedules changes. *)
From Schedproof Require Import sums.
From Coq Require Import Arith.

Definition capped (c : R) (l : list R) := sum (fun x => Rmin x c) l.
Definition nonneg (l : list R) := forall x, In x l -> 0 <= x.
(* a time dt of any schedule, which works w <= dt on one chunk *)
Inductive step (dt : R) : list R -> list R -> Prop :=
| idle b : step dt b b
| works l1 x l2 w : 0 <= w <= dt -> w <= x -> step dt (l1 ++ x :: l2) (l1 ++ (x - w) :: l2).
(* a time dt of shortest remaining time first *)
Inductive srpt (dt : R) : list R -> list R -> Prop :=
| none a : (forall y, In y a -> y = 0) -> srpt dt a a
| short l1 x l2 : 0 < x -> dt <= x -> (forall y, In y (l1 ++ x :: l2) -> y = 0 \/ x <= y) -> srpt dt (l1 ++ x :: l2) (l1 ++ (x - dt) :: l2).
Definition dominates (a b : list R) := forall c, 0 <= c -> capped c a <= capped c b.
Fixpoint unfinished (l : list R) : nat := match l with [] => O | x :: l => ((if Rlt_dec 0 x then 1 else 0) + unfinished l)%nat end.

Ltac mins := unfold Rmin in *; repeat match goal with |- context [Rle_dec ?u ?v] => destruct (Rle_dec u v) | H : context [Rle_dec ?u ?v] |- _ => destruct (Rle_dec u v) end.
Lemma capped_app c l k : capped c (l ++ k) = capped c l + capped c k.
Proof. apply sum_app. Qed.
Lemma capped_pos c l : 0 <= c -> nonneg l -> 0 <= capped c l.
Proof. intros C N. apply sum_nonneg; intros x I. specialize (N x I). mins; lra. Qed.
Lemma step_nonneg dt b b' : step dt b b' -> nonneg b -> nonneg b'.
Proof.
  destruct 1; intros N y I; auto. apply in_app_or in I. destruct I as [I|[<-|I]]; [apply N, in_or_app; auto | lra | apply N, in_or_app; simpl; auto]. Qed.
Lemma falls dt b b' c : 0 <= dt -> step dt b b' -> capped c b <= capped c b' + dt.
Proof. destruct 2; [lra|]. rewrite !capped_app. unfold capped. cbn [sum]. mins; lra. Qed.
Lemma all_large a x c : 0 < x -> (forall y, In y a -> y = 0 \/ x <= y) -> 0 <= c <= x -> capped c a = c * INR (unfinished a).
Proof.
  intros X. induction a as [|y a IH]; intros H C; unfold capped in *; cbn [sum unfinished]; [simpl; lra|].
  rewrite IH by (auto; intros; apply H; simpl; auto). rewrite plus_INR. destruct (H y (or_introl eq_refl)) as [->|L].
  - destruct (Rlt_dec 0 0); [lra|]. simpl. mins; lra.
  - destruct (Rlt_dec 0 y); [|lra]. simpl. mins; try lra. Qed.
(* k chunks reach c, and the rest is short of it *)
Lemma split_at c x b : 0 <= c -> c <= x -> nonneg b -> exists k rest, 0 <= rest /\ capped c b = c * INR k + rest /\ capped x b <= x * INR k + rest.
Proof.
  intros C X. induction b as [|y b IH]; intros N; [exists O, 0; unfold capped; simpl; lra|].
  destruct IH as (k & rest & R0 & E & L); [intros z I; apply N; simpl; auto|]. pose proof (N y (or_introl eq_refl)). unfold capped in *. cbn [sum].
  destruct (Rle_dec c y).
  - exists (S k), rest. rewrite S_INR. split; auto. split; mins; lra.
  - exists k, (rest + y). split; [lra|]. split; mins; lra. Qed.

Theorem srpt_best : forall dt a a' b b', 0 <= dt -> nonneg a -> nonneg b -> dominates a b -> srpt dt a a' -> step dt b b' -> dominates a' b'.
Proof.
  intros dt a a' b b' DT NA NB D S T c C. pose proof (step_nonneg _ _ _ T NB) as NB'. pose proof (falls dt b b' c DT T) as Tc.
  destruct S as [a Z | l1 x l2 X Q M].
  - assert (capped c a = 0) as ->; [|apply capped_pos; auto]. unfold capped. rewrite (sum_ext _ (fun _ => 0)); [apply sum_zero|].
    intros y I. rewrite (Z y I). mins; lra.
  - set (a := l1 ++ x :: l2) in *. pose proof (D c C) as Dc.
    assert (part : capped c (l1 ++ (x - dt) :: l2) = capped c a - Rmin x c + Rmin (x - dt) c).
    { unfold a. rewrite !capped_app. unfold capped. cbn [sum]. lra. }
    destruct (Rle_dec x c) as [L|L]; [rewrite part; mins; lra|].
    set (n := INR (unfinished a)).
    assert (Ec : capped c a = c * n) by (apply (all_large a x c); auto; lra).
    assert (Ex : capped x a = x * n) by (apply (all_large a x x); auto; lra).
    pose proof (D x ltac:(lra)) as Dx. pose proof (falls dt b b' x DT T) as Tx.
    destruct (split_at c x b' C ltac:(lra) NB') as (k & rest & R0 & E & U). rewrite part, Ec, E.
    assert (target : c * n - Rmin x c + Rmin (x - dt) c <= c * n /\ c * n - Rmin x c + Rmin (x - dt) c <= c * n - c + (x - dt)) by (mins; lra).
    destruct (le_lt_dec (unfinished a) k) as [G|G].
    + apply le_INR in G. fold n in G. assert (c * n <= c * INR k) by (apply Rmult_le_compat_l; auto). lra.
    + apply le_INR in G. rewrite S_INR in G. fold n in G.
      assert (0 <= (x - c) * (n - INR k - 1)) by (apply Rmult_le_pos; lra). nra. Qed.
Theorem landing : forall a b z, dominates a b -> dominates (z :: a) (z :: b).
Proof. intros a b z D c C. specialize (D c C). unfold capped in *. simpl. lra. Qed.

(* a course of events: times and landings in turn *)
Inductive event := passes (dt : R) | lands (z : R).
Inductive course (one : R -> list R -> list R -> Prop) : list event -> list R -> list R -> Prop :=
| over a : course one [] a a
| time dt es a b c : 0 <= dt -> one dt a b -> course one es b c -> course one (passes dt :: es) a c
| land z es a c : 0 <= z -> course one es (z :: a) c -> course one (lands z :: es) a c.
Fixpoint duration (es : list event) : R := match es with [] => 0 | passes dt :: es => dt + duration es | _ :: es => duration es end.
Lemma srpt_nonneg dt a a' : srpt dt a a' -> nonneg a -> nonneg a'.
Proof.
  destruct 1; intros N y I; auto. apply in_app_or in I. destruct I as [I|[<-|I]]; [apply N, in_or_app; auto | lra | apply N, in_or_app; simpl; auto]. Qed.
Theorem schrage : forall es a b a' b', nonneg a -> nonneg b -> dominates a b -> course srpt es a a' -> course step es b b' -> dominates a' b'.
Proof.
  induction es as [|[dt|z] es IH]; intros a b a' b' NA NB D R T; inversion R; inversion T; subst; auto.
  - eapply IH; [| | |eassumption|eassumption]; [eapply srpt_nonneg; eauto | eapply step_nonneg; eauto | eapply srpt_best; [| | | |eassumption|eassumption]; auto].
  - eapply IH; [| | |eassumption|eassumption]; [intros y [<-|I]; auto | intros y [<-|I]; auto | apply landing; auto]. Qed.
Lemma course_falls es c : 0 <= c -> forall b b', nonneg b -> course step es b b' -> nonneg b' /\ capped c b <= duration es + capped c b'.
Proof.
  intro C. induction es as [|[dt|z] es IH]; intros b b' N T; inversion T; subst; clear T; cbn [duration].
  - split; auto. lra.
  - match goal with [ A : step ?d ?u ?v, B : course _ _ ?v _ |- _ ] => assert (capped c u <= capped c v + d) by (apply falls; assumption);
      pose proof (step_nonneg _ _ _ A N) as N'; destruct (IH _ _ N' B) end. split; auto. lra.
  - match goal with [ B : course _ _ (?z :: ?u) _ |- _ ] => assert (NZ : nonneg (z :: u)) by (intros y [<-|I]; auto); destruct (IH _ _ NZ B) as [N' L] end. split; auto.
    unfold capped in *. cbn [sum] in L. assert (0 <= Rmin z c) by (mins; lra). lra. Qed.
Lemma few p b : 0 <= p -> nonneg b -> capped p b <= p * INR (unfinished b).
Proof.
  intros P. induction b as [|y b IH]; intros N; unfold capped in *; cbn [sum unfinished]; [simpl; lra|].
  pose proof (N y (or_introl eq_refl)). specialize (IH ltac:(intros z I; apply N; simpl; auto)). rewrite plus_INR. destruct (Rlt_dec 0 y); simpl; mins; lra. Qed.

(* The row: a0 are the chunks placed before that have landed, as (5) sees them, b0 the same chunks in the final schedule;
   those in transit are counted in full; b is what is there when a time has passed in which others may have landed. *)
Theorem lemma2_row_alike : forall before after a0 b0 transit b r delay p D alpha, 0 < D -> 0 <= p -> nonneg transit ->
  course srpt before [] a0 -> course step before [] b0 -> course step after (b0 ++ transit) b ->
  D * alpha <= delay + p + capped p (a0 ++ transit) ->
  let t := r + delay + duration after in alpha <= (t - r + p) / D + p * (INR (unfinished b) / D).
Proof.
  intros before after a0 b0 tr b r delay p D alpha HD HP NT R T U H t.
  assert (E : nonneg []) by (intros x []).
  pose proof (schrage before [] [] a0 b0 E E ltac:(intros c C; apply Rle_refl) R T p HP).
  destruct (course_falls before p HP [] b0 E T) as [N0 _].
  assert (N1 : nonneg (b0 ++ tr)) by (intros x I; apply in_app_or in I; destruct I; auto).
  destruct (course_falls after p HP (b0 ++ tr) b N1 U) as [N L]. pose proof (few p b HP N). rewrite capped_app in *.
  apply Rmult_le_reg_l with D; auto. replace (D * ((t - r + p) / D + p * (INR (unfinished b) / D))) with (t - r + p + p * INR (unfinished b)) by (field; lra).
  unfold t. lra. Qed.
