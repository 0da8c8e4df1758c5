(* Two machines with room for 3 k units get items one by one, which all fit in the end. How full must a machine get online? The
   game's value is 4/3: 4 k units suffice, and no algorithm does with less (Azar and Regev). *)
From Coq Require Import List Arith Bool Lia.
Export ListNotations.

(* An algorithm sees the loads, the earlier items and the item: true is the first machine. *)
Definition loads := (nat * nat)%type.
Definition algorithm := loads -> list nat -> nat -> bool.
Definition put (first : bool) (l : loads) x : loads := if first then (fst l + x, snd l) else (fst l, snd l + x).
Fixpoint run (a : algorithm) (l : loads) (past items : list nat) : loads :=
  match items with [] => l | x :: items => run a (put (a l past x) l x) (past ++ [x]) items end.
Definition fullest (l : loads) := Nat.max (fst l) (snd l).
Definition forced (a : algorithm) items := fullest (run a (0, 0) [] items).
Definition fit c items := exists a, forced a items <= c.
(* v is what the best algorithm needs, for items that fit into c *)
Definition value c v := (exists a, forall items, fit c items -> forced a items <= v) /\ forall a, exists items, fit c items /\ v <= forced a items.

(* first fit, into a machine stretched to t *)
Definition first_fit t : algorithm := fun l _ x => fst l + x <=? t.
Lemma total a items : forall l past, fst (run a l past items) + snd (run a l past items) = fst l + snd l + list_sum items.
Proof. induction items as [|x items IH]; intros l past; simpl; [lia|]. rewrite IH. unfold put. destruct (a l past x); simpl; lia. Qed.
Lemma grows a items : forall l past, fst l <= fst (run a l past items) /\ snd l <= snd (run a l past items).
Proof. induction items as [|x items IH]; intros l past; simpl; [lia|]. specialize (IH (put (a l past x) l x) (past ++ [x])). unfold put in *. destruct (a l past x); simpl in *; lia. Qed.
Lemma none_larger a c items : forall l past, fullest (run a l past items) <= c -> forall x, In x items -> x <= c.
Proof.
  induction items as [|y items IH]; intros l past F x; [intros []|]. intros [<-|I]; [|eapply IH; eauto]. simpl in F.
  pose proof (grows a items (put (a l past y) l y) (past ++ [y])). unfold fullest, put in *. destruct (a l past y); simpl in *; lia. Qed.
(* what the second machine has did not fit the first one *)
Lemma first_fit_inv k items : forall l past, fst l <= 4 * k -> (snd l = 0 \/ 4 * k < fst l + snd l) -> snd l <= 4 * k ->
  (forall x, In x items -> x <= 3 * k) -> fst l + snd l + list_sum items <= 6 * k -> fullest (run (first_fit (4 * k)) l past items) <= 4 * k.
Proof.
  induction items as [|x items IH]; intros l past A B C X T; [simpl; unfold fullest; lia|]. pose proof (X x (or_introl eq_refl)) as X0.
  change (list_sum (x :: items)) with (x + list_sum items) in T. cbn [run]. apply IH; [| | |intros y I; apply X; right; exact I|];
  unfold put, first_fit; destruct (Nat.leb_spec (fst l + x) (4 * k)); cbn [fst snd]; lia. Qed.
Theorem stretching_value : forall k, value (3 * k) (4 * k).
Proof.
  intro k. split.
  - exists (first_fit (4 * k)). intros items [a F]. pose proof (total a items (0, 0) []) as T. unfold forced, fullest in F. simpl in T.
    apply first_fit_inv; simpl; try lia. eapply none_larger. unfold fullest. exact F.
  - intro a. assert (fits : forall b items, forced (fun _ past _ => nth (length past) b false) items <= 3 * k -> fit (3 * k) items) by (intros b items H; exists (fun _ past _ => nth (length past) b false); exact H).
    pose (two := run a (0, 0) [] [k; k]). destruct (Nat.eq_dec (fst two) (snd two)) as [E|E].
    + exists [k; k; 3 * k]. split; [apply (fits [true; true; false]); unfold forced, fullest; simpl; lia|].
      unfold two, forced, fullest in *. simpl in *. unfold put in *.
      repeat match goal with |- context [if ?b then _ else _] => destruct b eqn:?; simpl in * end; lia.
    + exists [k; k; 2 * k; 2 * k]. split; [apply (fits [true; false; true; false]); unfold forced, fullest; simpl; lia|].
      unfold two, forced, fullest in *. simpl in *. unfold put in *.
      repeat match goal with |- context [if ?b then _ else _] => destruct b eqn:?; simpl in * end; lia. Qed.

(* The adversary's strategy for k = 1: loads in ascending order, the items so far, and the next item. *)
Definition strategy : list (loads * list nat * nat) := [((0, 0), [], 1); ((0, 1), [1], 1); ((0, 2), [1; 1], 2); ((2, 2), [1; 1; 2], 2); ((1, 1), [1; 1], 3)].
Definition ascending (l : loads) : loads := if fst l <=? snd l then l else (snd l, fst l).
Definition same (l m : loads) := (fst l =? fst m) && (snd l =? snd m).
Definition send (l : loads) (past : list nat) : option nat :=
  option_map snd (find (fun p => same (fst (fst p)) (ascending l) && if list_eq_dec Nat.eq_dec (snd (fst p)) past then true else false) strategy).
Fixpoint sent (a : algorithm) n (l : loads) past : list nat :=
  match n with O => [] | S n => match send l past with None => [] | Some x => x :: sent a n (put (a l past x) l x) (past ++ [x]) end end.
Theorem strategy_forces : forall a, let items := sent a 4 (0, 0) [] in fit 3 items /\ 4 <= forced a items.
Proof.
  intro a. assert (fits : forall b items, forced (fun _ past _ => nth (length past) b false) items <= 3 -> fit 3 items) by (intros b items H; exists (fun _ past _ => nth (length past) b false); exact H).
  unfold forced. cbn -[nth]. unfold put.
  repeat match goal with |- context [if ?b then _ else _] => match b with a _ _ _ => destruct b end; cbn -[nth] end;
  (split; [(apply (fits [true; true; false]); cbn; lia) || (apply (fits [true; false; true; false]); cbn; lia) | unfold put; try destruct (a _ _ _); cbn; lia]). Qed.
