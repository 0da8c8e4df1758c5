(* jrp: the first iteration of Algorithm 1 as a function of rational data, and what it accepts at a vertex of LP_I, whatever is drawn. *)
From Schedproof Require Import sums jrp vertex.
From Coq Require Import QArith Qreals Arith Bool Sorted.
Open Scope R_scope.

Definition above (u v : Q) : bool := negb (Qle_bool u v).   (* v < u *)
Fixpoint total (f : nat -> Q) (l : list nat) : Q := match l with [] => 0%Q | i :: l => (f i + total f l)%Q end.

Section Iteration.
(* x and y of LP_I, the job of each data node, and its drawn server, if any *)
Context (P : program_of Q) (eps : Q) (x : nat -> nat -> Q) (y : nat -> Q) (owner : nat -> nat) (to : nat -> option nat).

(* the jobs with a data node on several servers *)
Definition spread k := existsb (fun i => 1 <? length (filter (fun j => above (x i j) 0) (servers P)))%nat (nodes P k).
(* line 11: by y; of equal ones the jobs that are not late come first, then by the list *)
Context (late : nat -> bool).
Definition no_later i i' : bool := above (y (owner i)) (y (owner i')) ||
  Qeq_bool (y (owner i)) (y (owner i')) && implb (late (owner i)) (late (owner i')).
Fixpoint insert i l := match l with [] => [i] | i' :: l' => if no_later i i' then i :: l else i' :: insert i l' end.
Definition by_priority l := fold_right insert [] l.
Definition drawn_on j := by_priority (filter (fun i => match to i with Some j' => j' =? j | None => false end)%nat (all_nodes P)).

(* a server's test: what a GB of a job takes of a resource, and what the server has of it, as (21), (17) and (16) count it *)
Definition resource := ((nat -> Q) * (nat -> Q))%type.
Definition of_storage : resource := (fun _ => 1%Q, storage P).
Definition of_compute : resource := (a P, fun j => ((1 - eps) * compute P j)%Q).
Definition of_bandwidth : resource := (b P, fun j => (eps * bandwidth P j)%Q).
Context (tested : list resource).
Definition fits j l := forallb (fun r : resource => Qle_bool (total (fun i => fst r (owner i) * size P i)%Q l) (snd r j)) tested.

(* lines 9-17 *)
Definition accepts : list nat := filter (kept P fits drawn_on) (jobs P).
End Iteration.

(* what line 8 may draw: a server with x > 0; none only where y < 1 *)
Definition may_draw (P : program_of Q) (x : nat -> nat -> Q) (y : nat -> Q) (owner : nat -> nat) (to : nat -> option nat) :=
  forall i, In i (all_nodes P) -> match to i with Some j => In j (servers P) /\ (0 < x i j)%Q | None => (y (owner i) < 1)%Q end.
Definition real (P : program_of Q) : program := {| servers := servers P; jobs := jobs P; nodes := nodes P; assignable := assignable P;
  size i := Q2R (size P i); storage j := Q2R (storage P j); compute j := Q2R (compute P j); bandwidth j := Q2R (bandwidth P j);
  a k := Q2R (a P k); b k := Q2R (b P k) |}.
Definition real_x (x : nat -> nat -> Q) i j := Q2R (x i j).
Definition real_y (y : nat -> Q) k := Q2R (y k).

Lemma zero_real : Q2R 0 = 0.
Proof. unfold Q2R. simpl. lra. Qed.
Lemma one_real : Q2R 1 = 1.
Proof. unfold Q2R. simpl. lra. Qed.
Lemma above_real u v : above u v = true <-> Q2R v < Q2R u.
Proof.
  unfold above. rewrite negb_true_iff, <- not_true_iff_false, Qle_bool_iff. split; intro H.
  - apply Rnot_le_lt. intro L. apply H, Rle_Qle, L.
  - intro L. apply Qle_Rle in L. lra. Qed.
Lemma equal_real u v : Qeq_bool u v = true <-> Q2R u = Q2R v.
Proof. rewrite Qeq_bool_iff. split; [apply Qeq_eqR | apply eqR_Qeq]. Qed.
Lemma total_real f l : Q2R (total f l) = sum (fun i => Q2R (f i)) l.
Proof. induction l as [|i l IH]; simpl; [apply zero_real|]. rewrite Q2R_plus, IH. reflexivity. Qed.

Section Reals.
Context (P : program_of Q) (eps : Q) (x : nat -> nat -> Q) (y : nat -> Q) (owner : nat -> nat) (to : nat -> option nat).
Context (late : nat -> bool) (tested : list resource).
Notation no_later := (no_later y owner late).
Notation insert := (insert y owner late).
Notation by_priority := (by_priority y owner late).

Lemma spread_broken k : spread P x k = broken (real P) (real_x x) k.
Proof.
  unfold spread, broken. simpl. induction (nodes P k) as [|i l IH]; simpl; auto. rewrite IH. f_equal. unfold split, places.
  erewrite filter_ext; [reflexivity|]. intro j. apply eq_true_iff_eq. rewrite above_real, positive_pos, zero_real. reflexivity. Qed.

(* the order is total and transitive, so that the insertions sort *)
Lemma no_later_total i i' : no_later i i' = false -> no_later i' i = true.
Proof.
  unfold rounding.no_later. rewrite orb_false_iff, andb_false_iff. intros [A B]. apply orb_true_iff.
  destruct (Rlt_dec (Q2R (y (owner i))) (Q2R (y (owner i')))) as [L|L]; [left; apply above_real, L | right].
  assert (E : Q2R (y (owner i)) = Q2R (y (owner i'))).
  { apply not_true_iff_false in A. rewrite above_real in A. lra. }
  apply andb_true_iff. split; [apply equal_real; auto|]. destruct B as [B|B].
  - apply not_true_iff_false in B. exfalso. apply B, equal_real, E.
  - destruct (late (owner i)), (late (owner i')); simpl in *; auto; discriminate. Qed.
Lemma no_later_trans i i' i'' : no_later i i' = true -> no_later i' i'' = true -> no_later i i'' = true.
Proof.
  unfold rounding.no_later. rewrite !orb_true_iff, !andb_true_iff, !above_real, !equal_real.
  intros [A|[A A']] [B|[B B']]; try (left; lra). right. split; [lra|].
  destruct (late (owner i)), (late (owner i')), (late (owner i'')); simpl in *; auto; discriminate. Qed.
Lemma in_insert i i' l : In i' (insert i l) <-> i' = i \/ In i' l.
Proof. induction l as [|k l IH]; simpl; [intuition congruence|]. destruct (no_later i k); simpl; [|rewrite IH]; intuition congruence. Qed.
Lemma in_by_priority i l : In i (by_priority l) <-> In i l.
Proof. induction l as [|k l IH]; simpl; [tauto|]. rewrite in_insert, IH. intuition congruence. Qed.
Lemma nodup_by_priority l : NoDup l -> NoDup (by_priority l).
Proof.
  assert (G : forall i l, ~ In i l -> NoDup l -> NoDup (insert i l)).
  { intros i m. induction m as [|k m IH]; simpl; intros O N; [constructor; auto|]. destruct (no_later i k); [constructor; auto|].
    inversion_clear N. constructor; [rewrite in_insert; intuition congruence | apply IH; tauto]. }
  induction 1 as [|k l O N IH]; simpl; [constructor|]. apply G; auto. rewrite in_by_priority. auto. Qed.
Lemma sorted_by_priority l : StronglySorted (fun i i' => no_later i i' = true) (by_priority l).
Proof.
  assert (G : forall i l, StronglySorted (fun i i' => no_later i i' = true) l -> StronglySorted (fun i i' => no_later i i' = true) (insert i l)).
  { intros i m S. induction S as [|k m S IH F]; simpl; [constructor; constructor|]. rewrite Forall_forall in F. destruct (no_later i k) eqn:E.
    - constructor; [constructor; auto; apply Forall_forall; auto|]. constructor; auto. apply Forall_forall. intros i' I. eapply no_later_trans; eauto.
    - constructor; auto. apply Forall_forall. intros i' I. apply in_insert in I. destruct I as [->|I]; auto. apply no_later_total, E. }
  induction l as [|k l IH]; simpl; [constructor | auto]. Qed.

Notation drawn := (drawn_on P y owner to late).
Lemma in_drawn i j : In i (drawn j) <-> In i (all_nodes P) /\ to i = Some j.
Proof.
  unfold drawn_on. rewrite in_by_priority, filter_In. destruct (to i) as [j'|]; [rewrite Nat.eqb_eq|]; intuition congruence. Qed.
Lemma drawn_possible rc rb : distinct P -> of_jobs P owner -> LP_I (real P) (Q2R eps) (real_x x) (real_y y) rc rb ->
  may_draw P x y owner to -> possible (real P) (real_x x) drawn.
Proof.
  intros (Ds & Dj & Dn) O [(X & Y & _ & Six & _) _] M j J. split; [apply nodup_by_priority, NoDup_filter; auto|]. intro i. split.
  - intro I. apply in_drawn in I. destruct I as [I E]. split; auto. specialize (M i I). rewrite E in M. destruct M as [_ M].
    apply Qlt_Rlt in M. rewrite zero_real in M. exact M.
  - intros I X1. apply in_drawn. split; auto. specialize (M i I). pose proof I as I'. apply in_flat_map in I'. destruct I' as (k & K & Ik).
    destruct (Six k i K Ik) as [Q _]. change (sum (real_x x i) (servers P) = real_y y k) in Q. destruct (Y k) as [_ Yk].
    destruct (to i) as [j'|].
    + destruct M as [J' M]. apply Qlt_Rlt in M. rewrite zero_real in M. destruct (Nat.eq_dec j' j) as [->|D]; auto. exfalso.
      assert (S : sum (real_x x i) [j; j'] <= sum (real_x x i) (servers P)).
      { apply sum_incl; auto; [constructor; [simpl; intuition congruence | constructor; [intros [] | constructor]]|].
        intros j0 [<-|[<-|[]]]; auto. }
      simpl in S. unfold real_x in *. lra.
    + exfalso. rewrite (O k i K Ik) in M. apply Qlt_Rlt in M. rewrite one_real in M.
      pose proof (sum_term (real_x x i) (servers P) j (fun j _ => X i j) J). unfold real_y in *. lra. Qed.
Lemma drawn_ordered : (forall k, late k = spread P x k) -> ordered (real P) (real_x x) (real_y y) owner drawn.
Proof.
  intros E j _. assert (G : forall i i', no_later i i' = true -> before (real P) (real_x x) (real_y y) owner i i').
  { intros i i' H. unfold rounding.no_later in H. unfold before, real_y. rewrite orb_true_iff, andb_true_iff, above_real, equal_real, !E, !spread_broken in H.
    destruct H as [H|[H L]]; [left; auto | right; split; auto]. intro B. rewrite B in L. exact L. }
  unfold drawn_on. generalize (sorted_by_priority (filter (fun i => match to i with Some j' => (j' =? j)%nat | None => false end) (all_nodes P))).
  induction 1 as [|i l S IH F]; constructor; auto. eapply Forall_impl; [|exact F]. auto. Qed.
Lemma fits_passes : incl tested [of_storage P; of_compute P eps; of_bandwidth P eps] ->
  passes_what_fits (real P) (Q2R eps) owner (fits P owner tested).
Proof.
  intros T j l J S C B. apply forallb_forall. intros r R'. apply Qle_bool_iff, Rle_Qle. rewrite total_real.
  rewrite (sum_ext _ (fun i => Q2R (fst r (owner i)) * Q2R (size P i))) by (intros; apply Q2R_mult). simpl in *.
  destruct (T r R') as [<-|[<-|[<-|[]]]]; simpl; rewrite ?Q2R_mult, ?Q2R_minus, ?one_real; auto.
  rewrite (sum_ext _ (fun i => Q2R (size P i))) by (intros; lra). exact S. Qed.
End Reals.

(* The first iteration accepts all of OPT_I, the sum of the y, but as many jobs as there are tight rows: for every draw, and for a test of
   storage alone or of all resources. *)
Theorem rounding_accepts : forall (P : program_of Q) eps x y owner to tested rc rb, natural (real P) -> (0 < eps < 1)%Q -> distinct P -> of_jobs P owner ->
  vertex (real P) (Q2R eps) (real_x x) (real_y y) rc rb -> may_draw P x y owner to -> incl tested [of_storage P; of_compute P eps; of_bandwidth P eps] ->
  accepted (real P) (real_y y) - INR (tight_rows (real P) (real_x x) rc rb) <= INR (length (accepts P y owner to (spread P x) tested)).
Proof.
  intros P eps x y owner to tested rc rb N [E E'] D O V M T. apply Qlt_Rlt in E. apply Qlt_Rlt in E'. rewrite zero_real in E. rewrite one_real in E'.
  apply (first_iteration (real P) (Q2R eps) (real_x x) (real_y y) rc rb owner); auto.
  - apply fits_passes, T.
  - destruct V as [L _]. eapply drawn_possible; eauto.
  - apply drawn_ordered. reflexivity. Qed.
