(* Chunks by levels: f i is the number of chunks with more than i left, so that f 0 of them are unfinished. Shortest remaining time
   first keeps the sums of min(left, p) least (Schrage), and a further chunk of time p costs p, and min(p, z) for each other chunk z. *)
From Coq Require Import List Arith Lia.
Import ListNotations.

Fixpoint upto (f : nat -> nat) n := match n with O => 0 | S n => upto f n + f n end.
Definition falling (f : nat -> nat) := forall i, f (S i) <= f i.
(* a slot of shortest remaining time first: what was the least left, S k, is now k *)
Definition drops (f f' : nat -> nat) := (f 0 = 0 /\ forall i, f' i = f i) \/
  exists k, 0 < f 0 /\ f k = f 0 /\ f (S k) < f 0 /\ f k = S (f' k) /\ forall i, i <> k -> f' i = f i.
(* a chunk of time z lands *)
Definition step z i := if i <? z then 1 else 0.
Definition lands f (zs : list nat) i := f i + list_sum (map (fun z => step z i) zs).

Lemma falls f i j : falling f -> i <= j -> f j <= f i.
Proof. intros F L. induction L as [|j L IH]; auto. specialize (F j). lia. Qed.
Lemma upto_ext f g n : (forall i, i < n -> f i = g i) -> upto f n = upto g n.
Proof. induction n as [|n IH]; simpl; intro H; auto. rewrite IH, H by auto. auto. Qed.
Lemma upto_le f g n : (forall i, i < n -> f i <= g i) -> upto f n <= upto g n.
Proof. induction n as [|n IH]; simpl; intro H; auto. specialize (IH ltac:(auto)). specialize (H n ltac:(auto)). lia. Qed.
Lemma upto_plus f g n : upto (fun i => f i + g i) n = upto f n + upto g n.
Proof. induction n as [|n IH]; simpl; lia. Qed.
Lemma upto_step z n : upto (step z) n = min z n.
Proof. induction n as [|n IH]; simpl; [lia|]. rewrite IH. unfold step. destruct (Nat.ltb_spec n z); lia. Qed.
Lemma upto_change f f' k n : k < n -> f k = S (f' k) -> (forall i, i <> k -> f' i = f i) -> upto f n = S (upto f' n).
Proof.
  intros K E O. induction n as [|n IH]; simpl; [lia|]. destruct (Nat.eq_dec k n) as [->|N].
  - rewrite (upto_ext f f' n) by (intros; symmetry; apply O; lia). lia.
  - rewrite IH, O by lia. auto. Qed.
Lemma drops_falling f f' : falling f -> drops f f' -> falling f'.
Proof.
  intros F [[Z E] | (k & P & K & L & D & O)] i; [rewrite !E; auto|]. specialize (F i).
  destruct (Nat.eq_dec i k) as [->|N]; [rewrite (O (S k)) by lia; lia|]. rewrite (O i) by auto.
  destruct (Nat.eq_dec (S i) k) as [<-|M]; [lia | rewrite O; auto]. Qed.
Lemma step_falling z : falling (step z).
Proof. intro i. unfold step. destruct (Nat.ltb_spec (S i) z), (Nat.ltb_spec i z); lia. Qed.
Lemma lands_falling zs : forall f, falling f -> falling (lands f zs).
Proof.
  intros f F i. specialize (F i). unfold lands. induction zs as [|z zs IH]; simpl; [lia|].
  pose proof (step_falling z i). lia. Qed.
Lemma flat f k : falling f -> f k = f 0 -> forall p, p <= S k -> upto f p = p * f 0.
Proof.
  intros F K. induction p as [|p IH]; simpl; intro L; auto. rewrite IH by lia.
  pose proof (falls f 0 p F ltac:(lia)). pose proof (falls f p k F ltac:(lia)). lia. Qed.

(* --- Schrage -------------------------------------------------------------------------------------------------------- *)

Definition dominates f g := forall p, upto f p <= upto g p.
Lemma concave g p : falling g -> forall n, p <= n -> p * upto g n <= n * upto g p.
Proof.
  intros F n L. induction L as [|n L IH]; auto. simpl.
  assert (p * g n <= upto g p); [|nia]. clear IH. assert (A : forall i, i <= p -> i * g n <= upto g i).
  { induction i as [|i IH]; simpl; intro I; auto. pose proof (falls g i n F ltac:(lia)). specialize (IH ltac:(lia)). lia. }
  apply A. auto. Qed.
(* any schedule: in a slot some chunk may lose one *)
Definition slower (g g' : nat -> nat) := forall p, upto g' p <= upto g p <= S (upto g' p).
Theorem schrage f f' g g' : falling f -> falling g' -> dominates f g -> drops f f' -> slower g g' -> dominates f' g'.
Proof.
  intros F G D [[Z E] | (k & P & K & L & C & O)] S p.
  - rewrite (upto_ext f' (fun _ => 0)). { clear. induction p; simpl; lia. } intros i _. rewrite E. pose proof (falls f 0 i F). lia.
  - specialize (S (Datatypes.S k)) as Sk. specialize (D (Datatypes.S k)) as Dk. specialize (S p). specialize (D p).
    destruct (le_lt_dec p k) as [J|J].
    + rewrite (upto_ext f' f) by (intros; apply O; lia). rewrite (flat f k) in * by (auto; lia).
      pose proof (concave g' p G (Datatypes.S k) ltac:(lia)). nia.
    + pose proof (upto_change f f' k p J C O). lia. Qed.
Theorem schrage_lands f g zs : dominates f g -> dominates (lands f zs) (lands g zs).
Proof. intros D p. specialize (D p). unfold lands. rewrite !upto_plus. lia. Qed.

(* --- a further chunk ------------------------------------------------------------------------------------------------ *)

(* what the unfinished chunks will still cost, twice *)
Definition cost f M := upto (fun i => f i * S (f i)) M.
Definition laced (f g : nat -> nat) := forall i, f i <= g i <= S (f i).
Lemma laced_drops f f' g g' : falling f -> falling g -> laced f g -> drops f f' -> drops g g' -> laced f' g'.
Proof.
  intros F G L [[Zf Ef] | (k & Pf & Kf & Lf & Cf & Of)] [[Zg Eg] | (l & Pg & Kg & Lg & Cg & Og)] i;
    pose proof (L i) as Li; pose proof (L 0) as L0.
  - rewrite Ef, Eg. auto.
  - rewrite Ef. pose proof (falls f 0 i F ltac:(lia)). pose proof (falls g 0 i G ltac:(lia)). destruct (Nat.eq_dec i l) as [->|N]; [lia | rewrite Og; lia].
  - lia.
  - pose proof (L k) as Lk. pose proof (L l) as Ll. pose proof (L (S k)). pose proof (L (S l)).
    destruct (Nat.eq_dec k l) as [->|N]; [destruct (Nat.eq_dec i l) as [->|M]; [lia | rewrite Of, Og; auto]|].
    destruct (le_lt_dec k l) as [KL|KL].
    + pose proof (falls f (S k) l F ltac:(lia)). pose proof (falls g k l G ltac:(lia)). pose proof (falls g 0 k G ltac:(lia)).
      destruct (Nat.eq_dec i k) as [->|]; [rewrite Og by auto; lia|]. rewrite Of by auto. destruct (Nat.eq_dec i l) as [->|]; [lia | rewrite Og; auto].
    + pose proof (falls g (S l) k G ltac:(lia)). pose proof (falls f l k F ltac:(lia)). pose proof (falls f 0 l F ltac:(lia)).
      destruct (Nat.eq_dec i k) as [->|]; [rewrite Og by auto; lia|]. rewrite Of by auto. destruct (Nat.eq_dec i l) as [->|]; [lia | rewrite Og; auto]. Qed.
Lemma laced_lands f g zs : laced f g -> laced (lands f zs) (lands g zs).
Proof. intros L i. specialize (L i). unfold lands. lia. Qed.
Lemma cost_laced f g M : laced f g -> cost f M <= cost g M.
Proof. intro L. apply upto_le. intros i _. specialize (L i). nia. Qed.
Definition below M (f : nat -> nat) := forall i, M <= i -> f i = 0.
Lemma cost_drops f f' M : below M f -> drops f f' -> cost f M = cost f' M + 2 * f 0.
Proof.
  intros B [[Z E] | (k & P & K & L & C & O)]; unfold cost.
  - rewrite (upto_ext _ (fun i => f' i * S (f' i))) by (intros; rewrite E; auto). lia.
  - assert (k < M) by (destruct (le_lt_dec M k); auto; rewrite (B k) in K by auto; lia). clear B.
    induction M as [|M IH]; [lia|]. simpl. destruct (Nat.eq_dec k M) as [->|N].
    + rewrite (upto_ext _ (fun i => f' i * S (f' i))) by (intros; rewrite O by lia; auto). rewrite C, <- K, C. nia.
    + specialize (IH ltac:(lia)). simpl in IH. rewrite IH, (O M) by auto. lia. Qed.
Lemma drops_total f f' g g' M : below M f -> below M g -> laced f g -> drops f f' -> drops g g' -> upto g' M + upto f M <= upto g M + upto f' M.
Proof.
  intros Bf Bg L Df Dg. specialize (L 0).
  assert (A : forall h h', below M h -> drops h h' -> upto h M = (if h 0 =? 0 then 0 else 1) + upto h' M).
  { intros h h' B [[Z E] | (k & P & K & O & C & R)].
    - rewrite Z. simpl. apply upto_ext. intros; symmetry; auto.
    - destruct (Nat.eqb_spec (h 0) 0); [lia|]. apply upto_change with k; auto. destruct (le_lt_dec M k); auto. rewrite (B k) in K by auto. lia. }
  rewrite (A f f' Bf Df), (A g g' Bg Dg). destruct (Nat.eqb_spec (f 0) 0), (Nat.eqb_spec (g 0) 0); lia. Qed.
(* a landing of z raises the difference by min(z, p) at most, if the further chunk has p at most left *)
Lemma cost_lands p M zs : forall f g, laced f g -> upto g M <= upto f M + p ->
  cost (lands g zs) M + cost f M <= cost (lands f zs) M + cost g M + 2 * list_sum (map (min p) zs).
Proof.
  intros f g L U. unfold cost, lands. set (h := fun i => list_sum (map (fun z => step z i) zs)).
  assert (E : forall n, upto (fun i => (g i + h i) * S (g i + h i)) n + upto (fun i => f i * S (f i)) n =
    upto (fun i => (f i + h i) * S (f i + h i)) n + upto (fun i => g i * S (g i)) n + 2 * upto (fun i => h i * (g i - f i)) n).
  { induction n as [|n IH]; cbn [upto]; auto. specialize (L n). assert (g n = f n \/ g n = S (f n)) as [G|G] by lia; rewrite G.
    - replace (f n - f n) with 0 by lia. lia.
    - replace (S (f n) - f n) with 1 by lia. set (a := f n) in *. set (b := h n) in *. clearbody a b. nia. }
  specialize (E M). unfold h in *. cbn beta in *.
  enough (upto (fun i => list_sum (map (fun z => step z i) zs) * (g i - f i)) M <= list_sum (map (min p) zs)) by lia. clear E h.
  induction zs as [|z zs IH]; simpl.
  { clear. induction M; simpl; lia. }
  rewrite (upto_ext _ (fun i => step z i * (g i - f i) + list_sum (map (fun z => step z i) zs) * (g i - f i))), upto_plus by (intros; lia).
  enough (upto (fun i => step z i * (g i - f i)) M <= min p z) by lia. apply Nat.min_glb.
  - apply Nat.le_trans with (upto (fun i => g i - f i) M).
    + apply upto_le. intros i _. unfold step. destruct (i <? z); lia.
    + enough (upto (fun i => g i - f i) M + upto f M = upto g M) by lia. clear -L. induction M as [|M IH]; simpl; auto. specialize (L M). lia.
  - apply Nat.le_trans with (upto (step z) M); [apply upto_le; intros i _; specialize (L i); unfold step; destruct (i <? z); lia | rewrite upto_step; lia]. Qed.
