(* Sums of real numbers over finite lists: all that the other files need of them. *)
From Coq Require Export Reals List Lra Lia Psatz.
Export ListNotations.
Open Scope R_scope.

Fixpoint sum {A : Type} (f : A -> R) (l : list A) : R :=
  match l with [] => 0 | a :: l => f a + sum f l end.

Section Sums.
Context {A B : Type}.
Implicit Types (f g : A -> R) (l : list A).

Lemma sum_ext f g l : (forall a, In a l -> f a = g a) -> sum f l = sum g l.
Proof. induction l as [|a l IH]; simpl; intros H; [reflexivity|]. rewrite IH, (H a); auto. Qed.
Lemma sum_le f g l : (forall a, In a l -> f a <= g a) -> sum f l <= sum g l.
Proof. induction l as [|a l IH]; simpl; intros H; [lra|]. pose proof (H a). assert (sum f l <= sum g l); auto. specialize (H0 (or_introl eq_refl)). lra. Qed.
Lemma sum_nonneg f l : (forall a, In a l -> 0 <= f a) -> 0 <= sum f l.
Proof. induction l as [|a l IH]; simpl; intros H; [lra|]. assert (0 <= f a) by auto. assert (0 <= sum f l) by auto. lra. Qed.
Lemma sum_plus f g l : sum (fun a => f a + g a) l = sum f l + sum g l.
Proof. induction l as [|a l IH]; simpl; [lra|]. rewrite IH; lra. Qed.
Lemma sum_minus f g l : sum (fun a => f a - g a) l = sum f l - sum g l.
Proof. induction l as [|a l IH]; simpl; [lra|]. rewrite IH; lra. Qed.
Lemma sum_scal c f l : sum (fun a => c * f a) l = c * sum f l.
Proof. induction l as [|a l IH]; simpl; [lra|]. rewrite IH; lra. Qed.
Lemma sum_scal_r c f l : sum (fun a => f a * c) l = sum f l * c.
Proof. induction l as [|a l IH]; simpl; [lra|]. rewrite IH; lra. Qed.
Lemma sum_const c l : sum (fun _ : A => c) l = INR (length l) * c.
Proof. induction l as [|a l IH]; [simpl; lra|]. cbn [sum length]. rewrite IH, S_INR; lra. Qed.
Lemma sum_zero l : sum (fun _ : A => 0) l = 0.
Proof. rewrite sum_const; lra. Qed.
Lemma sum_app f l l' : sum f (l ++ l') = sum f l + sum f l'.
Proof. induction l as [|a l IH]; simpl; [lra|]. rewrite IH; lra. Qed.
Lemma sum_term f l a : (forall a, In a l -> 0 <= f a) -> In a l -> f a <= sum f l.
Proof.
  induction l as [|b l IH]; simpl; intros H I; [tauto|].
  assert (0 <= f b) by auto. assert (0 <= sum f l) by (apply sum_nonneg; auto).
  destruct I as [->|I]; [lra|]. assert (f a <= sum f l) by auto. lra. Qed.
Lemma sum_incl f l : forall l', (forall a, 0 <= f a) -> NoDup l -> incl l l' -> sum f l <= sum f l'.
Proof.
  induction l as [|a l IH]; intros l' F N I; simpl; [apply sum_nonneg; auto|]. inversion_clear N.
  destruct (in_split a l' (I a (or_introl eq_refl))) as (u & v & ->). rewrite sum_app. simpl. apply Rle_trans with (f a + sum f (u ++ v)); [|rewrite sum_app; lra].
  apply Rplus_le_compat_l, IH; auto. intros b J. pose proof (I b (or_intror J)) as Q. apply in_app_or in Q. apply in_or_app. simpl in Q.
  destruct Q as [Q|[->|Q]]; tauto. Qed.
Lemma sum_map (h : B -> A) f (k : list B) : sum f (map h k) = sum (fun b => f (h b)) k.
Proof. induction k; simpl; congruence. Qed.
Lemma sum_flat f (g : B -> list A) (k : list B) : sum f (flat_map g k) = sum (fun b => sum f (g b)) k.
Proof. induction k as [|b k IH]; simpl; auto. rewrite sum_app, IH. reflexivity. Qed.
End Sums.
Lemma sum_swap {A B : Type} (h : A -> B -> R) (l : list A) (k : list B) :
  sum (fun a => sum (h a) k) l = sum (fun b => sum (fun a => h a b) l) k.
Proof. induction l as [|a l IH]; simpl; [rewrite sum_zero; reflexivity|]. rewrite IH, <- sum_plus. reflexivity. Qed.
