(* Functions that decide certificates of competitive ratios of listed finite systems, with the theorems of potential.v. The tables list
   an algorithm's random answers and the offline side's moves, in rationals. `proofs/extract.v` turns the functions into OCaml. *)
From Coq Require Import QArith Qreals ZArith Bool Arith FMapPositive.
From Schedproof Require Import sums checker potential.
Close Scope Q_scope.

Definition table A := PositiveMap.t A.
Definition entry {A} (t : table A) (n : nat) := PositiveMap.find (key n) t.
Definition entry_at {A} (t : table (table (list A))) (m n : nat) : list A :=
  match entry t m with Some t => match entry t n with Some l => l | None => [] end | None => [] end.
Record system := System {
  gains : bool;                                       (* amounts are gains, not costs *)
  free : bool;                                        (* the ratio allows an additive constant *)
  first_state : nat; first_place : nat;
  answers : table (table (list (Q * (nat * Q))));     (* state, request: probability, next state, amount *)
  moves : table (table (list (nat * Q)));             (* place, request: next place, amount *)
  always : table (list nat);                          (* place: requests that may come *)
  only : table (table (list nat)) }.                  (* place, state: further requests if the algorithm is surely in the state *)

(* What a system means. *)
Definition answer y s r : list (R * (nat * R)) := map (fun x => (Q2R (fst x), (fst (snd x), Q2R (snd (snd x))))) (entry_at (answers y) s r).
Definition move y o r c o' := exists q, In (o', q) (entry_at (moves y) o r) /\ c = Q2R q.
Definition comes y (b : list (R * nat)) o r :=
  (exists l, entry (always y) o = Some l /\ In r l) \/ exists s, b = [(1, s)] /\ In r (entry_at (only y) o s).
(* a belief without repetitions: the weights of equal states are added *)
Fixpoint put {A} (add : A -> A -> A) (w : A) (s : nat) (b : list (A * nat)) :=
  match b with
  | [] => [(w, s)]
  | (w', s') :: rest => if (s <? s')%nat then (w, s) :: b else if (s =? s')%nat then (add w w', s) :: rest else (w', s') :: put add w s rest
  end.
Definition merge {A} (add : A -> A -> A) (b : list (A * nat)) := fold_right (fun x => put add (fst x) (snd x)) [] b.
Definition runs y rs O := exists b o, plays nat nat nat (answer y) (comes y) (move y) (merge Rplus) [(1, first_state y)] (first_place y) rs O b o.
Definition earns y rs := expected nat nat (answer y) (first_state y) rs.                    (* the algorithm's expected amount *)
Definition beyond y (r : R) rs O K := if gains y then r * earns y rs + K < O else r * O + K < earns y rs.
Definition at_most y (ratio : R) := exists K, (free y = false -> K = 0) /\ forall rs O, runs y rs O -> ~ beyond y ratio rs O K.
Definition at_least y (ratio : R) := forall r, 0 <= r < ratio -> forall K, (free y = false -> K = 0) -> exists rs O, runs y rs O /\ beyond y r rs O K.
Definition proper y := forall s r t l, entry (answers y) s = Some t -> entry t r = Some l ->
  (forall x, In x l -> 0 <= Q2R (fst x)) /\ sum (fun x => Q2R (fst x)) l = 1.

(* The functions. A node is a belief; `arcs` has the next node and the expected amount of each request, and `numbers` the potential
   of each place. They are found without a proof, and checked. *)
Open Scope Q_scope.
Notation qbelief := (list (Q * nat)).
Record node := Node { who : qbelief; arcs : list (nat * (nat * Q)); numbers : list (nat * Q) }.
Definition filed {A} (l : list (nat * A)) : table A := fold_right (fun x => PositiveMap.add (key (fst x)) (snd x)) (PositiveMap.empty A) l.
Definition qadd (a b : Q) := Qred (a + b).
Definition after_q y (b : qbelief) r : qbelief :=
  merge qadd (flat_map (fun z => map (fun x => (Qred (fst z * fst x), fst (snd x))) (entry_at (answers y) (snd z) r)) b).
Definition pays_q y (b : qbelief) r :=
  total (map (fun z => fst z * total (map (fun x => fst x * snd (snd x)) (entry_at (answers y) (snd z) r))) b).
Definition requests_q y (b : qbelief) o :=
  match entry (always y) o with Some l => l | None => [] end ++
  match b with [(w, s)] => if Qeq_bool w 1 then entry_at (only y) o s else [] | _ => [] end.
Fixpoint same (b c : qbelief) :=
  match b, c with
  | [], [] => true
  | (v, s) :: b, (w, t) :: c => Qeq_bool v w && (s =? t)%nat && same b c
  | _, _ => false
  end.
Definition fair (l : list (Q * (nat * Q))) := forallb (fun x => Qle_bool 0 (fst x)) l && Qeq_bool (total (map fst l)) 1.
Definition proper_q y := forallb (fun e => forallb (fun f => fair (snd f)) (PositiveMap.elements (snd e))) (PositiveMap.elements (answers y)).
Definition answered y (b : qbelief) r := forallb (fun z => match entry_at (answers y) (snd z) r with [] => false | _ => true end) b.
Definition arc_holds y (known : table (qbelief * table Q)) b (e : nat * (nat * Q)) :=
  match entry known (fst (snd e)) with
  | Some (b', _) => answered y b (fst e) && same b' (after_q y b (fst e)) && Qeq_bool (snd (snd e)) (pays_q y b (fst e))
  | None => false
  end.
Definition node_holds y (u v : Q) known (n : node) :=
  forallb (arc_holds y known (who n)) (arcs n) &&
  let to := filed (arcs n) in
  forallb (fun e => Qle_bool 0 (snd e) && forallb (fun r =>
    match entry to r with
    | Some (k, c) =>
      match entry known k with
      | Some (_, t) => forallb (fun m =>
          match entry t (fst m) with Some a => Qle_bool (u * c + v * snd m + a) (snd e) | None => false end) (entry_at (moves y) (fst e) r)
      | None => false
      end
    | None => false
    end) (requests_q y (who n) (fst e))) (numbers n).
Definition known_of (nodes : list (nat * node)) := filed (map (fun n => (fst n, (who (snd n), filed (numbers (snd n))))) nodes).
Definition starts y known :=
  match entry known O with
  | Some (b, t) => same b [(1, first_state y)] && match entry t (first_place y) with Some a => free y || Qeq_bool a 0 | None => false end
  | None => false
  end.
(* numbers are in units of 1 / scale *)
Definition check_upper y (scale ratio : Q) nodes :=
  let known := known_of nodes in
  let u := Qred (if gains y then - (scale * ratio) else scale) in
  let v := Qred (if gains y then scale else - (scale * ratio)) in
  proper_q y && positive scale && starts y known && forallb (fun n => node_holds y u v known (snd n)) nodes.
Fixpoint follow y (b : qbelief) o (walk : list (nat * nat)) : option (qbelief * nat * (Q * Q)) :=
  match walk with
  | [] => Some (b, o, (0, 0))
  | (r, o') :: walk =>
    if existsb (Nat.eqb r) (requests_q y b o) && answered y b r then
      match find (fun m => (fst m =? o')%nat) (entry_at (moves y) o r) with
      | Some m => match follow y (after_q y b r) o' walk with
                  | Some (b', o'', (a, c)) => Some (b', o'', (Qred (pays_q y b r + a), Qred (snd m + c)))
                  | None => None
                  end
      | None => None
      end
    else None
  end.
Definition exceeds (least : option Q) (a c : Q) :=        (* a >= least * c, where None is infinite *)
  if positive c then match least with Some q => Qle_bool (q * c) a | None => false end else Qeq_bool c 0 && positive a.
Definition check_lower y (least : option Q) way walk :=
  proper_q y && (match least with Some q => Qeq_bool q 0 | None => false end ||
  match follow y [(1, first_state y)] (first_place y) way with
  | Some (b, o, _) =>
    match follow y b o walk with
    | Some (b', o', (a, c)) => (same b b' && (o =? o')%nat || negb (free y) && match way with [] => true | _ => false end) &&
        if gains y then exceeds least c a else exceeds least a c
    | None => false
    end
  | None => false
  end).
Close Scope Q_scope.

(* What they prove. *)
Notation real := (map (fun x : Q * nat => (Q2R (fst x), snd x))).
Lemma key_inj i j : key i = key j -> i = j.
Proof. unfold key. rewrite !binary_is. apply SuccNat2Pos.inj. Qed.
Lemma filed_in {A} (l : list (nat * A)) k a : entry (filed l) k = Some a -> In (k, a) l.
Proof.
  unfold entry. induction l as [|[j c] l IH]; cbn [filed fold_right fst snd]; [rewrite PositiveMap.gempty; discriminate|].
  destruct (Pos.eq_dec (key k) (key j)) as [E|N].
  - rewrite E, PositiveMap.gss. apply key_inj in E as ->. intros [= ->]. simpl; auto.
  - rewrite PositiveMap.gso by auto. intro H. right. apply IH, H. Qed.
Lemma one_R : Q2R 1 = 1. Proof. unfold Q2R. simpl. lra. Qed.
Lemma put_mean (f : nat -> R) w s b : mean nat (put Rplus w s b) f = w * f s + mean nat b f.
Proof.
  unfold mean. induction b as [|[v t] b IH]; cbn [put sum fst snd]; [ring|]. destruct (s <? t)%nat; [cbn [sum fst snd]; ring|].
  destruct (Nat.eqb_spec s t) as [->|]; cbn [sum fst snd]; [ring|]. rewrite IH. ring. Qed.
Lemma merge_mean b f : mean nat (merge Rplus b) f = mean nat b f.
Proof. induction b as [|[w s] b IH]; [reflexivity|]. cbn [merge fold_right fst snd]. rewrite put_mean. unfold merge in IH. rewrite IH. reflexivity. Qed.
Lemma put_real w s b : real (put qadd w s b) = put Rplus (Q2R w) s (real b).
Proof.
  induction b as [|[v t] b IH]; [reflexivity|]. cbn [put map fst snd]. destruct (s <? t)%nat; [reflexivity|].
  destruct (s =? t)%nat; cbn [map fst snd]; [unfold qadd; rewrite red, Q2R_plus; reflexivity | rewrite IH; reflexivity]. Qed.
Lemma merge_real b : real (merge qadd b) = merge Rplus (real b).
Proof. induction b as [|[w s] b IH]; [reflexivity|]. cbn [merge fold_right map fst snd]. rewrite put_real. unfold merge in IH. rewrite IH. reflexivity. Qed.
Lemma same_real b : forall c, same b c = true -> real b = real c.
Proof.
  induction b as [|[v s] b IH]; intros [|[w t] c]; try discriminate; [reflexivity|]. cbn [same map fst snd]. intro H.
  apply andb_true_iff in H as [H B]. apply andb_true_iff in H as [V S]. apply Qeq_bool_iff, Qeq_eqR in V. apply Nat.eqb_eq in S as ->.
  rewrite V, (IH c B). reflexivity. Qed.

Opaque key.
Section Sound.
Variable y : system.
Notation afterR := (after nat nat (answer y) (merge Rplus)).
Notation paysR := (pays nat nat (answer y)).
Notation playsR := (plays nat nat nat (answer y) (comes y) (move y) (merge Rplus)).
Notation expectedR := (expected nat nat (answer y)).
Lemma after_real b r : real (after_q y b r) = afterR (real b) r.
Proof.
  unfold after_q, after. rewrite merge_real. f_equal. induction b as [|[w s] b IH]; [reflexivity|].
  cbn [flat_map map fst snd]. rewrite map_app, IH. f_equal. unfold answer. rewrite !map_map. apply map_ext. intros [p [t c]].
  cbn [fst snd]. rewrite red, Q2R_mult. reflexivity. Qed.
Lemma pays_real b r : Q2R (pays_q y b r) = paysR (real b) r.
Proof.
  unfold pays_q, pays, mean. rewrite total_R, !sum_map. apply sum_ext. intros [w s] _. cbn [fst snd].
  rewrite Q2R_mult, total_R, sum_map. f_equal. unfold answer. rewrite sum_map. apply sum_ext. intros [p [t c]] _. cbn [fst snd]. apply Q2R_mult. Qed.
Lemma comes_listed b o r : comes y (real b) o r -> In r (requests_q y b o).
Proof.
  unfold comes, requests_q. intro H. apply in_or_app. destruct H as [(l & -> & I)|(s & E & I)]; [left; exact I|right].
  destruct b as [|[w t] [|]]; try discriminate. cbn [map fst snd] in E. injection E as E <-.
  replace (Qeq_bool w 1) with true; [exact I|]. symmetry. apply Qeq_bool_iff, eqR_Qeq. rewrite E. symmetry. apply one_R. Qed.
Lemma listed_comes b o r : In r (requests_q y b o) -> comes y (real b) o r.
Proof.
  unfold comes, requests_q. intro H. apply in_app_or in H as [H|H].
  - left. destruct (entry (always y) o) as [l|]; [eauto | destruct H].
  - right. destruct b as [|[w t] [|]]; try destruct H. destruct (Qeq_bool w 1) eqn:E; [|destruct H]. exists t. split; [|exact H].
    apply Qeq_bool_iff, Qeq_eqR in E. cbn [map fst snd]. rewrite E, one_R. reflexivity. Qed.
Lemma start_real : real [(1%Q, first_state y)] = [(1, first_state y)].
Proof. cbn [map fst snd]. rewrite one_R. reflexivity. Qed.

Lemma proper_sound : proper_q y = true -> proper y.
Proof.
  unfold proper_q. intros H s r t l S E. unfold entry in *. rewrite forallb_forall in H. apply PositiveMap.elements_correct in S. apply H in S.
  cbn [snd] in S. rewrite forallb_forall in S. apply PositiveMap.elements_correct in E. apply S in E. cbn [snd] in E. unfold fair in E.
  apply andb_true_iff in E as [P T]. rewrite forallb_forall in P. split.
  - intros x I. rewrite <- zero. apply le_of, P, I.
  - apply Qeq_bool_iff, Qeq_eqR in T. rewrite total_R, sum_map, one_R in T. exact T. Qed.

Section Listed.
Variables (u v : Q) (nodes : list (nat * node)).
Hypothesis holds : forallb (fun n => node_holds y u v (known_of nodes) (snd n)) nodes = true.
Definition numbered (b : list (R * nat)) o (n : R) :=
  exists k d q, In (k, d) nodes /\ b = real (who d) /\ In (o, q) (numbers d) /\ n = - Q2R q.
Lemma known_in k b t : entry (known_of nodes) k = Some (b, t) -> exists d, In (k, d) nodes /\ b = who d /\ t = filed (numbers d).
Proof. intro E. apply filed_in, in_map_iff in E as ([j d] & E & I). injection E as <- <- <-. eauto. Qed.
Lemma numbered_respected b o n r c o' : numbered b o n -> comes y b o r -> move y o r c o' ->
  exists n', numbered (afterR b r) o' n' /\ Q2R u * paysR b r + Q2R v * c + n <= n'.
Proof.
  intros (k & d & q & I & -> & J & ->) C (m & M & ->). rewrite forallb_forall in holds. specialize (holds _ I). unfold node_holds in holds.
  apply andb_true_iff in holds as [A N]. rewrite forallb_forall in A, N. specialize (N _ J). cbn [fst snd] in N.
  apply andb_true_iff in N as [_ N]. rewrite forallb_forall in N. specialize (N r (comes_listed _ _ _ C)).
  destruct (entry (filed (arcs d)) r) as [[k' e]|] eqn:T; [|discriminate]. apply filed_in, A in T. unfold arc_holds in T. cbn [fst snd] in T.
  destruct (entry (known_of nodes) k') as [[b' t]|] eqn:E; [|discriminate]. rewrite forallb_forall in N. specialize (N _ M). cbn [fst snd] in N.
  destruct (entry t o') as [a|] eqn:F; [|discriminate]. apply andb_true_iff in T as [T P]. apply andb_true_iff in T as [_ S].
  apply known_in in E as (d' & I' & -> & ->). apply filed_in in F. exists (- Q2R a). split.
  - exists k', d', a. rewrite <- after_real, (same_real _ _ S). auto.
  - apply Qeq_bool_iff, Qeq_eqR in P. rewrite <- pays_real, <- P. apply le_of in N. rewrite !Q2R_plus, !Q2R_mult in N. lra. Qed.
Lemma numbered_below b o n : numbered b o n -> n <= 0.
Proof.
  intros (k & d & q & I & -> & J & ->). rewrite forallb_forall in holds. specialize (holds _ I). unfold node_holds in holds.
  apply andb_true_iff in holds as [_ N]. rewrite forallb_forall in N. specialize (N _ J). apply andb_true_iff in N as [N _].
  apply le_of in N. rewrite zero in N. cbn [snd] in N. lra. Qed.
End Listed.

Theorem check_upper_sound : forall scale ratio nodes, check_upper y scale ratio nodes = true -> proper y /\ at_most y (Q2R ratio).
Proof.
  intros scale ratio nodes H. unfold check_upper in H. rewrite !andb_true_iff in H. destruct H as [[[W S] I] N]. apply positive_spec in S.
  split; [apply proper_sound, W|].
  unfold starts in I. destruct (entry (known_of nodes) 0) as [[b t]|] eqn:E; [|discriminate]. apply andb_true_iff in I as [B I].
  destruct (entry t (first_place y)) as [a|] eqn:F; [|discriminate]. apply known_in in E as (d & D & -> & ->). apply filed_in in F.
  assert (Z : numbered nodes [(1, first_state y)] (first_place y) (- Q2R a)).
  { exists O, d, a. split; [exact D | split; [|auto]]. rewrite <- start_real. symmetry. apply same_real, B. }
  exists (Q2R a / Q2R scale). split.
  - intro X. rewrite X in I. apply Qeq_bool_iff, Qeq_eqR in I. rewrite I, zero. unfold Rdiv. ring.
  - intros rs O (b' & o' & P) X.
    destruct (telescopes_by nat nat nat (answer y) (comes y) (move y) (merge Rplus) merge_mean _ _ (numbered nodes)
      (numbered_respected _ _ nodes N) _ _ _ _ _ _ _ Z P) as (n & L & T).
    apply (numbered_below _ _ _ N) in L. unfold mean in T. cbn [sum fst snd] in T. fold (earns y rs) in T. unfold beyond in X.
    rewrite !red in T. assert (M : Q2R scale * (Q2R a / Q2R scale) = Q2R a) by (field; lra).
    destruct (gains y); apply (Rmult_lt_compat_l _ _ _ S) in X; rewrite Q2R_opp, Q2R_mult in T; lra. Qed.

Lemma some_sums {A} (b b' : A) (o o' : nat) a c p q : Some (b, o, (Qred p, Qred q)) = Some (b', o', (a, c)) ->
  b = b' /\ o = o' /\ Q2R a = Q2R p /\ Q2R c = Q2R q.
Proof. intro H. replace a with (Qred p) by congruence. replace c with (Qred q) by congruence. rewrite !red. split; [|split]; [congruence | congruence | auto]. Qed.
Lemma follow_plays walk : forall b o b' o' a c, follow y b o walk = Some (b', o', (a, c)) ->
  playsR (real b) o (map fst walk) (Q2R c) (real b') o' /\ mean nat (real b) (fun s => expectedR s (map fst walk)) = Q2R a.
Proof.
  induction walk as [|[r t] walk IH]; intros b o b' o' a c; cbn [follow map fst].
  - intros [= <- <- <- <-]. rewrite zero. split; [apply stops|]. unfold mean. cbn [expected].
    rewrite (sum_ext (fun x : R * nat => fst x * 0) (fun _ => 0)), sum_zero by (intros; ring). reflexivity.
  - destruct (existsb (Nat.eqb r) (requests_q y b o)) eqn:C; [|discriminate]. destruct (answered y b r); [|discriminate]. cbn [andb].
    destruct (find _ _) as [[t' q]|] eqn:F; [|discriminate]. destruct (follow y (after_q y b r) t walk) as [[[b1 o1] [a1 c1]]|] eqn:W; [|discriminate].
    intro G. apply some_sums in G as (<- & <- & -> & ->). apply find_some in F as [F E]. cbn [fst] in E. apply Nat.eqb_eq in E as ->.
    apply existsb_exists in C as (r' & C & E). apply Nat.eqb_eq in E as <-. destruct (IH _ _ _ _ _ _ W) as [P M]. cbn [snd]. rewrite !Q2R_plus. split.
    + apply goes with t; [apply listed_comes, C | exists q; auto | rewrite <- after_real; exact P].
    + rewrite (expected_step nat nat (answer y) (merge Rplus) merge_mean), <- pays_real, <- after_real, M. reflexivity. Qed.
Lemma exceeds_sound least a c r : exceeds least a c = true -> 0 <= r -> match least with Some q => r < Q2R q | None => True end -> r * Q2R c < Q2R a.
Proof.
  unfold exceeds. intros H N L. destruct (positive c) eqn:C.
  - destruct least as [q|]; [|discriminate]. apply positive_spec in C. apply le_of in H. rewrite Q2R_mult in H. nra.
  - apply andb_true_iff in H as [Z P]. apply Qeq_bool_iff, Qeq_eqR in Z. apply positive_spec in P. rewrite Z, zero. lra. Qed.
Lemma mean_start f : mean nat [(1, first_state y)] f = f (first_state y).
Proof. unfold mean. cbn [sum fst snd]. ring. Qed.
Lemma beyond_cycle way W b o rs O : playsR [(1, first_state y)] (first_place y) way W b o -> playsR b o rs O b o ->
  forall r, (if gains y then r * mean nat b (fun s => expectedR s rs) < O else r * O < mean nat b (fun s => expectedR s rs)) ->
  forall K, exists ts P, runs y ts P /\ beyond y r ts P K.
Proof.
  intros w c r H K. unfold beyond, earns.
  destruct (lower nat nat nat (answer y) (comes y) (move y) (merge Rplus) merge_mean (if gains y then - r else 1) (if gains y then 1 else - r) _ _ _ _ _ _ _ _ w c) with (K := K)
    as (ts & P & S & I); [destruct (gains y); lra|]. exists ts, P. split; [exists b, o; exact S | destruct (gains y); lra]. Qed.
Lemma lower_sound least way walk : check_lower y least way walk = true -> match least with Some q => Qeq_bool q 0 = false | None => True end ->
  forall r, 0 <= r -> match least with Some q => r < Q2R q | None => True end ->
  forall K, (free y = false -> K = 0) -> exists rs O, runs y rs O /\ beyond y r rs O K.
Proof.
  unfold check_lower. intros H Z r N L K F. apply andb_true_iff in H as [_ H].
  replace (match least with Some q => Qeq_bool q 0 | None => false end) with false in H by (destruct least; auto). cbn [orb] in H.
  destruct (follow y [(1%Q, first_state y)] (first_place y) way) as [[[b o] [A C]]|] eqn:W; [|discriminate].
  destruct (follow y b o walk) as [[[b' o'] [a c]]|] eqn:V; [|discriminate]. apply andb_true_iff in H as [T E].
  destruct (follow_plays _ _ _ _ _ _ _ W) as [PW _]. destruct (follow_plays _ _ _ _ _ _ _ V) as [PV MV]. rewrite start_real in PW.
  assert (X : if gains y then r * Q2R a < Q2R c else r * Q2R c < Q2R a) by (destruct (gains y); eapply exceeds_sound; eauto).
  apply orb_true_iff in T as [T|T]; apply andb_true_iff in T as [T1 T2].
  - apply same_real in T1. apply Nat.eqb_eq in T2 as <-. rewrite <- T1 in PV. rewrite <- MV in X. eapply beyond_cycle; eauto.
  - rewrite F by (destruct (free y); [discriminate | reflexivity]). destruct way; [|discriminate]. cbn [follow] in W. injection W as <- <- _ _.
    rewrite start_real in PV, MV. rewrite mean_start in MV. exists (map fst walk), (Q2R c). split; [exists (real b'), o'; exact PV|].
    unfold beyond, earns. rewrite MV. destruct (gains y); lra. Qed.
Theorem check_lower_sound : forall least way walk, check_lower y (Some least) way walk = true -> proper y /\ at_least y (Q2R least).
Proof.
  intros least way walk H. split; [apply proper_sound; apply andb_true_iff in H; apply H|]. intros r [N L] K F. destruct (Qeq_bool least 0) eqn:Z.
  - apply Qeq_bool_iff, Qeq_eqR in Z. rewrite Z, zero in L. lra.
  - eapply (lower_sound (Some least)); eauto. Qed.
Theorem check_unlimited_sound : forall way walk, check_lower y None way walk = true -> proper y /\ forall ratio, at_least y ratio.
Proof.
  intros way walk H. split; [apply proper_sound; apply andb_true_iff in H; apply H|]. intros ratio r [N _] K F. eapply (lower_sound None); simpl; eauto. Qed.
End Sound.
