(* Functions that decide certificates of listed programs, and proofs that they accept true statements only: bounds, infeasibility,
   and optima by branching. A program lists costs, rows lower <= A x <= upper, second-order cones, ranges of columns and integer
   columns, in rationals. Points are real. A bound may count columns that are not listed, by a premise on their reduced costs.
   `proofs/extract.v` turns the functions into OCaml. *)
From Schedproof Require Import sums.
From Coq Require Import QArith Qreals ZArith Qround Bool Arith FMapPositive.
Close Scope Q_scope.

Definition side := option Q.                                   (* None: no limit *)
Definition range := (side * side)%type.
Record row := Row { within : range; terms : list (nat * Q) }.  (* terms: number of a column, coefficient *)
Definition form := (Q * list (nat * Q))%type.                  (* the terms' sum minus the number *)
Record program :=
  Program { maximize : bool; constant : Q; costs : list Q; rows : list row; cones : list (list form); integers : list nat }.
Notation box := (list range).                                  (* the ranges of the columns *)

(* What a program means. *)
Notation point := (nat -> R).
Definition meets (r : range) (v : R) :=
  match fst r with None => True | Some q => Q2R q <= v end /\ match snd r with None => True | Some q => v <= Q2R q end.
Definition activity (ts : list (nat * Q)) (x : point) := sum (fun t => Q2R (snd t) * x (fst t)) ts.
Fixpoint weighted (cs : list Q) (j : nat) (x : point) := match cs with [] => 0 | c :: cs => Q2R c * x j + weighted cs (S j) x end.
Definition value p x := Q2R (constant p) + weighted (costs p) 0 x.
Definition at_form (f : form) (x : point) := activity (snd f) x - Q2R (fst f).
Definition in_cone (c : list form) x :=                        (* the first form is at least the Euclidean norm of the others *)
  match c with [] => True | f :: fs => 0 <= at_form f x /\ sum (fun g => (at_form g x)^2) fs <= (at_form f x)^2 end.
Definition whole (v : R) := exists z, v = IZR z.
Definition feasible p (b : box) (x : point) :=
  (forall j r, nth_error b j = Some r -> meets r (x j)) /\ (forall r, In r (rows p) -> meets (within r) (activity (terms r) x)) /\
  (forall c, In c (cones p) -> in_cone c x) /\ (forall j, In j (integers p) -> whole (x j)).
Definition better p (v w : R) := if maximize p then w <= v else v <= w.   (* v is at least as good as w *)

(* The functions. *)
Open Scope Q_scope.
Definition positive (q : Q) := negb (Qle_bool q 0).
Definition paid (times : Q) (r : range) : option Q :=                      (* the least of times * v for v in the range *)
  if Qeq_bool times 0 then Some 0 else option_map (fun s => Qred (times * s)) (if positive times then fst r else snd r).
Fixpoint binary (fuel n : nat) : Pos.t :=                               (* n + 1, in a number of steps that is its logarithm *)
  match fuel with
  | O => Pos.of_succ_nat n
  | S fuel => if (n =? 0)%nat then xH else if (n mod 2 =? 1)%nat then xO (binary fuel (n / 2)) else xI (binary fuel (n / 2 - 1))
  end.
Definition key := binary 62.
Definition get (m : PositiveMap.t Q) j := match PositiveMap.find (key j) m with Some q => q | None => 0 end.
Fixpoint charge (wide : nat) m (y : Q) (ts : list (nat * Q)) : option (PositiveMap.t Q) :=
  match ts with
  | [] => Some m
  | (j, a) :: ts => if (j <? wide)%nat then charge wide (PositiveMap.add (key j) (Qred (get m j - y * a)) m) y ts else None
  end.
Fixpoint by_rows wide m (ys : list Q) (rs : list row) : option (Q * PositiveMap.t Q) :=
  match ys, rs with
  | [], [] => Some (0, m)
  | y :: ys, r :: rs =>
    match paid y (within r), charge wide m y (terms r) with
    | Some a, Some m => match by_rows wide m ys rs with Some (b, m) => Some (Qred (a + b), m) | None => None end
    | _, _ => None
    end
  | _, _ => None
  end.
(* multipliers of a cone: the first is at least the norm of the others *)
Fixpoint total (l : list Q) : Q := match l with [] => 0 | q :: l => Qred (q + total l) end.
Definition pays (ys : list Q) := match ys with [] => true | y :: ys => Qle_bool 0 y && Qle_bool (total (map (fun z => z * z) ys)) (y * y) end.
Fixpoint by_forms wide m (ys : list Q) (fs : list form) : option (Q * PositiveMap.t Q) :=
  match ys, fs with
  | [], [] => Some (0, m)
  | y :: ys, f :: fs =>
    match charge wide m y (snd f) with
    | Some m => match by_forms wide m ys fs with Some (b, m) => Some (Qred (y * fst f + b), m) | None => None end
    | None => None
    end
  | _, _ => None
  end.
Fixpoint by_cones wide m (zs : list (list Q)) (cs : list (list form)) : option (Q * PositiveMap.t Q) :=
  match zs, cs with
  | [], [] => Some (0, m)
  | z :: zs, c :: cs =>
    match (if pays z then by_forms wide m z c else None) with
    | Some (a, m) => match by_cones wide m zs cs with Some (b, m) => Some (Qred (a + b), m) | None => None end
    | None => None
    end
  | _, _ => None
  end.
Fixpoint by_columns m (j : nat) (cs : list Q) (b : box) : option Q :=
  match cs, b with
  | [], [] => Some 0
  | c :: cs, r :: b =>
    match paid (Qred (c + get m j)) r, by_columns m (S j) cs b with Some u, Some v => Some (Qred (u + v)) | _, _ => None end
  | _, _ => None
  end.
(* the lower bound on costs x + constant that the multipliers of the rows and of the cones prove *)
Definition multipliers := (list Q * list (list Q))%type.
Definition least (constant : Q) (costs : list Q) rows cones (b : box) (y : multipliers) : option Q :=
  match by_rows (length costs) (PositiveMap.empty Q) (fst y) rows with
  | Some (u, m) =>
    match by_cones (length costs) m (snd y) cones with
    | Some (w, m) => match by_columns m 0 costs b with Some v => Some (Qred (constant + u + w + v)) | None => None end
    | None => None
    end
  | None => None
  end.
Definition signed p (q : Q) := if maximize p then Qred (- q) else q.
Definition bound p b ys :=                                                                  (* on the signed objective *)
  least (signed p (constant p)) (map (signed p) (costs p)) (rows p) (cones p) b (map (signed p) (fst ys), map (map (signed p)) (snd ys)).
Definition proves_bound p b ys v := match bound p b ys with Some q => Qle_bool (signed p v) q | None => false end.
Definition crossed (r : range) := match r with (Some u, Some v) => negb (Qle_bool u v) | _ => false end.
Definition proves_empty p b ys := existsb crossed (b ++ map within (rows p)) ||
  match least 0 (map (fun _ => 0) (costs p)) (rows p) (cones p) b ys with Some q => positive q | None => false end.

Inductive branching := Close (ys : multipliers) | Split (j : nat) (v : Z) (below above : branching).
Fixpoint replace {A} (l : list A) j (a : A -> A) : list A :=
  match l, j with [], _ => [] | b :: l, O => a b :: l | b :: l, S j => b :: replace l j a end.
Definition down (v : Z) (r : range) : range := (fst r, Some (inject_Z v)).
Definition raised (v : Z) (r : range) : range := (Some (inject_Z (v + 1)), snd r).
Definition rounded (r : range) : range :=
  (option_map (fun q => inject_Z (Qceiling q)) (fst r), option_map (fun q => inject_Z (Qfloor q)) (snd r)).
Fixpoint closed (leaf : box -> multipliers -> bool) (ints : list nat) (b : box) (t : branching) : bool :=
  match t with
  | Close ys => leaf b ys
  | Split j v l r => existsb (Nat.eqb j) ints && closed leaf ints (replace b j (down v)) l && closed leaf ints (replace b j (raised v)) r
  end.
Definition tightened p (b : box) := fold_right (fun j b => replace b j rounded) b (integers p).

Definition inside (r : range) (v : Q) :=
  match fst r with None => true | Some q => Qle_bool q v end && match snd r with None => true | Some q => Qle_bool v q end.
Definition at_point (x : list Q) j := nth j x 0.
Definition activity_at (ts : list (nat * Q)) x := total (map (fun t => snd t * at_point x (fst t)) ts).
Fixpoint value_at (cs x : list Q) : Q := match cs, x with c :: cs, v :: x => Qred (c * v + value_at cs x) | _, _ => 0 end.
Definition integral (q : Q) := Qeq_bool q (inject_Z (Qfloor q)).
Definition no_cones p := match cones p with [] => true | _ => false end.
Definition is_point p (b : box) (x : list Q) := no_cones p &&
  (length x =? length (costs p))%nat && (length b =? length (costs p))%nat && forallb (fun rv => inside (fst rv) (snd rv)) (combine b x) &&
  forallb (fun r => inside (within r) (activity_at (terms r) x)) (rows p) && forallb (fun j => integral (at_point x j)) (integers p).

Definition check_bound p b ys v := match bound p b ys with Some q => Qeq_bool (signed p v) q | None => false end.
Definition check_empty p b t := closed (proves_empty p) (integers p) (tightened p b) t.
Definition check_optimum p b x t v := is_point p b x && Qeq_bool (constant p + value_at (costs p) x) v &&
  closed (fun b ys => proves_bound p b ys v || proves_empty p b ys) (integers p) (tightened p b) t.
(* a point and a direction along which all rows hold and the objective improves without end; the direction is whole in integer columns *)
Definition at_zero (r : range) : range := (option_map (fun _ => 0) (fst r), option_map (fun _ => 0) (snd r)).
Definition at_zeros p := Program (maximize p) 0 (costs p) (map (fun r => Row (at_zero (within r)) (terms r)) (rows p)) [] (integers p).
Definition check_unbounded p b x ray := is_point p b x && is_point (at_zeros p) (map at_zero b) ray &&
  positive (- value_at (map (signed p) (costs p)) ray).
Close Scope Q_scope.

(* What they prove. *)
Lemma red q : Q2R (Qred q) = Q2R q. Proof. apply Qeq_eqR, Qred_correct. Qed.
Lemma some_red a b : Some (Qred a) = Some b -> Q2R b = Q2R a.
Proof. intro H. replace b with (Qred a) by congruence. apply red. Qed.
Lemma some_red_pair {A} a b (c d : A) : Some (Qred a, c) = Some (b, d) -> Q2R b = Q2R a /\ c = d.
Proof. intro H. split; [apply some_red|]; congruence. Qed.
Lemma le_of a b : Qle_bool a b = true -> Q2R a <= Q2R b. Proof. intro H. apply Qle_Rle, Qle_bool_iff, H. Qed.
Lemma lt_of a b : negb (Qle_bool a b) = true -> Q2R b < Q2R a.
Proof. intro H. apply Qlt_Rlt. apply Qnot_le_lt. intro L. apply Qle_bool_iff in L. rewrite L in H. discriminate. Qed.
Lemma zero : Q2R 0%Q = 0. Proof. unfold Q2R. simpl. lra. Qed.
Lemma positive_spec q : positive q = true -> 0 < Q2R q. Proof. intro H. apply lt_of in H. rewrite zero in H. exact H. Qed.
Lemma paid_le y r v q : meets r v -> paid y r = Some q -> Q2R q <= Q2R y * v.
Proof.
  intros [L U]. unfold paid. destruct (Qeq_bool y 0) eqn:E.
  - intros [= <-]. apply Qeq_bool_iff, Qeq_eqR in E. rewrite E, zero. lra.
  - destruct (positive y) eqn:P.
    + apply positive_spec in P. destruct (fst r) as [s|]; [|discriminate]. cbn [option_map]. intro H. rewrite (some_red _ _ H), Q2R_mult. apply Rmult_le_compat_l; lra.
    + assert (Q2R y <= 0) by (rewrite <- zero; apply le_of; unfold positive in P; destruct (Qle_bool y 0); [reflexivity | discriminate]).
      destruct (snd r) as [s|]; [|discriminate]. cbn [option_map]. intro G. rewrite (some_red _ _ G), Q2R_mult. nra. Qed.

(* the combination of columns that is stored in a map *)
Fixpoint stored (m : PositiveMap.t Q) (j n : nat) (x : point) := match n with O => 0 | S n => Q2R (get m j) * x j + stored m (S j) n x end.
Lemma binary_is fuel : forall n, binary fuel n = Pos.of_succ_nat n.
Proof.
  induction fuel as [|fuel IH]; intro n; cbn [binary]; [reflexivity|]. pose proof (Nat.div_mod n 2 ltac:(lia)) as D.
  pose proof (Nat.mod_upper_bound n 2 ltac:(lia)) as U.
  destruct (Nat.eqb_spec n 0) as [->|N]; [reflexivity|]. apply Pos2Nat.inj. rewrite SuccNat2Pos.id_succ.
  destruct (Nat.eqb_spec (n mod 2) 1); rewrite IH, ?Pos2Nat.inj_xO, ?Pos2Nat.inj_xI, SuccNat2Pos.id_succ; lia. Qed.
Lemma get_add m k q j : get (PositiveMap.add (key k) q m) j = if (j =? k)%nat then q else get m j.
Proof.
  unfold get, key. rewrite !binary_is. destruct (Nat.eqb_spec j k) as [->|N]; [rewrite PositiveMap.gss; reflexivity|].
  rewrite PositiveMap.gso; auto. intro E. apply N, SuccNat2Pos.inj, E. Qed.
Lemma stored_add m k q x n : forall j,
  stored (PositiveMap.add (key k) q m) j n x = stored m j n x + (if (j <=? k)%nat && (k <? j + n)%nat then (Q2R q - Q2R (get m k)) * x k else 0).
Proof.
  induction n as [|n IH]; intro j; cbn [stored].
  - destruct (Nat.leb_spec j k), (Nat.ltb_spec k (j + 0)); simpl; try lia; lra.
  - rewrite IH, get_add. destruct (Nat.eqb_spec j k) as [<-|N].
    + destruct (Nat.leb_spec (S j) j), (Nat.leb_spec j j), (Nat.ltb_spec j (j + S n)); simpl; try lia; lra.
    + destruct (Nat.leb_spec (S j) k), (Nat.leb_spec j k), (Nat.ltb_spec k (S j + n)), (Nat.ltb_spec k (j + S n)); simpl; try lia; lra. Qed.
Lemma charge_stored wide y ts x : forall m m', charge wide m y ts = Some m' ->
  stored m' 0 wide x = stored m 0 wide x - Q2R y * activity ts x.
Proof.
  induction ts as [|[j a] ts IH]; intros m m'; cbn [charge]; [intros [= ->]; unfold activity; simpl; lra|].
  destruct (Nat.ltb_spec j wide) as [L|]; [|discriminate]. intro H. rewrite (IH _ _ H), stored_add.
  replace ((0 <=? j)%nat && (j <? 0 + wide)%nat) with true.
  - rewrite red, Q2R_minus, Q2R_mult. unfold activity. cbn [sum fst snd]. lra.
  - symmetry. apply andb_true_intro. split; [apply Nat.leb_le | apply Nat.ltb_lt]; lia. Qed.
(* more: what other columns than the listed ones add to each row *)
Lemma by_rows_le wide x (more : nat -> R) rs : forall i, (forall k r, nth_error rs k = Some r -> meets (within r) (activity (terms r) x + more (i + k)%nat)) ->
  forall ys m u m', by_rows wide m ys rs = Some (u, m') -> Q2R u + stored m' 0 wide x <= stored m 0 wide x + weighted ys i more.
Proof.
  induction rs as [|r rs IH]; intros i F [|y ys] m u m'; cbn [by_rows weighted]; try discriminate; [intros [= <- ->]; rewrite zero; lra|].
  destruct (paid y (within r)) as [a|] eqn:P; [|discriminate]. destruct (charge wide m y (terms r)) as [m1|] eqn:C; [|discriminate].
  destruct (by_rows wide m1 ys rs) as [[b m2]|] eqn:B; [|discriminate]. intro H. apply some_red_pair in H as [-> ->].
  apply (IH (S i)) in B; [|intros k r' E; replace (S i + k)%nat with (i + S k)%nat by lia; apply F, E]. apply (charge_stored _ _ _ x) in C.
  pose proof (F O r eq_refl) as M. rewrite Nat.add_0_r in M. apply (paid_le _ _ _ _ M) in P. rewrite Q2R_plus. lra. Qed.

(* multipliers of a cone and a point of it have a product >= 0 *)
Lemma total_R l : Q2R (total l) = sum Q2R l.
Proof. induction l as [|q l IH]; cbn [total sum]; [apply zero|]. rewrite red, Q2R_plus, IH. reflexivity. Qed.
Fixpoint product_of (ys : list Q) (fs : list form) x := match ys, fs with y :: ys, f :: fs => Q2R y * at_form f x + product_of ys fs x | _, _ => 0 end.
Lemma by_forms_is wide x fs : forall ys m u m', by_forms wide m ys fs = Some (u, m') ->
  Q2R u + stored m' 0 wide x + product_of ys fs x = stored m 0 wide x.
Proof.
  induction fs as [|f fs IH]; intros [|y ys] m u m'; cbn [by_forms product_of]; try discriminate; [intros [= <- ->]; rewrite zero; lra|].
  destruct (charge wide m y (snd f)) as [m1|] eqn:C; [|discriminate]. destruct (by_forms wide m1 ys fs) as [[b m2]|] eqn:B; [|discriminate].
  intro H. apply some_red_pair in H as [-> ->]. apply IH in B. apply (charge_stored _ _ _ x) in C. unfold at_form. rewrite Q2R_plus, Q2R_mult. lra. Qed.
Lemma squares_nonneg (l : list R) : 0 <= sum (fun v => v^2) l. Proof. apply sum_nonneg. intros. nra. Qed.
Lemma cauchy_schwarz ys x : forall fs, (product_of ys fs x)^2 <= sum (fun v => v^2) (map Q2R ys) * sum (fun v => v^2) (map (fun f => at_form f x) fs).
Proof.
  induction ys as [|y ys IH]; intros [|f fs]; cbn [product_of map sum]; try (rewrite ?Rmult_0_l, ?Rmult_0_r; lra).
  specialize (IH fs). pose proof (squares_nonneg (map Q2R ys)) as A. pose proof (squares_nonneg (map (fun f => at_form f x) fs)) as B.
    set (s := product_of ys fs x) in *. set (p := sum (fun v => v^2) (map Q2R ys)) in *. set (q := sum (fun v => v^2) (map _ fs)) in *.
    set (a := Q2R y). set (c := at_form f x). assert (2 * (a * c) * s <= p * c^2 + a^2 * q); [|nra].
    apply Rsqr_incr_0_var; [|nra]. unfold Rsqr. assert (4 * (a * c)^2 * s^2 <= 4 * (a * c)^2 * (p * q)) by (apply Rmult_le_compat_l; [nra | exact IH]).
    pose proof (pow2_ge_0 (p * c^2 - a^2 * q)). lra. Qed.
Lemma product_nonneg ys fs x : pays ys = true -> in_cone fs x -> 0 <= product_of ys fs x.
Proof.
  destruct ys as [|y ys], fs as [|f fs]; cbn [pays in_cone product_of]; try (intros; lra). intros P [F0 F]. apply andb_true_iff in P as [Y Z].
  apply le_of in Y, Z. rewrite zero in Y. rewrite total_R, sum_map, Q2R_mult in Z. pose proof (cauchy_schwarz ys x fs) as C. rewrite !sum_map in C.
  rewrite (sum_ext (fun b => Q2R (b * b)) (fun b => Q2R b ^ 2)) in Z by (intros; rewrite Q2R_mult; ring).
  assert (0 <= sum (fun b => (Q2R b)^2) ys) by (apply sum_nonneg; intros; nra). assert (0 <= sum (fun g => (at_form g x)^2) fs) by (apply sum_nonneg; intros; nra).
  set (s := product_of ys fs x) in *. set (a := Q2R y) in *. set (c := at_form f x) in *. assert (s^2 <= (a * c)^2).
  { eapply Rle_trans; [exact C|]. replace ((a * c)^2) with (a * a * c^2) by ring. apply Rmult_le_compat; lra. }
  assert (0 <= a * c) by nra. destruct (Rle_or_lt 0 (a * c + s)); [assumption|]. exfalso. nra. Qed.
Lemma by_cones_le wide x cs : (forall c, In c cs -> in_cone c x) -> forall zs m u m',
  by_cones wide m zs cs = Some (u, m') -> Q2R u + stored m' 0 wide x <= stored m 0 wide x.
Proof.
  intro F. induction cs as [|c cs IH]; intros [|z zs] m u m'; cbn [by_cones]; try discriminate; [intros [= <- ->]; rewrite zero; lra|].
  destruct (pays z) eqn:P; [|discriminate]. destruct (by_forms wide m z c) as [[a m1]|] eqn:C; [|discriminate].
  destruct (by_cones wide m1 zs cs) as [[b m2]|] eqn:B; [|discriminate]. intro H. apply some_red_pair in H as [-> ->].
  apply IH in B; [|intros; apply F; simpl; auto]. apply (by_forms_is _ x) in C.
  pose proof (product_nonneg z c x P (F c (or_introl eq_refl))). rewrite Q2R_plus. lra. Qed.
Lemma by_columns_le m x cs : forall b j v, (forall k r, nth_error b k = Some r -> meets r (x (j + k)%nat)) ->
  by_columns m j cs b = Some v -> Q2R v <= weighted cs j x + stored m j (length cs) x.
Proof.
  induction cs as [|c cs IH]; intros [|r b] j v F; cbn [by_columns]; try discriminate; [intros [= <-]; simpl; rewrite zero; lra|].
  destruct (paid _ r) as [u|] eqn:P; [|discriminate]. destruct (by_columns m (S j) cs b) as [w|] eqn:B; [|discriminate].
  intro H. apply some_red in H as ->. apply IH in B. 2: { intros k r' E. replace (S j + k)%nat with (j + S k)%nat by lia. apply F. exact E. }
  pose proof (F O r eq_refl) as M. rewrite Nat.add_0_r in M. apply (paid_le _ _ _ _ M) in P.
  cbn [weighted length stored]. rewrite red, Q2R_plus in P. rewrite Q2R_plus. lra. Qed.
Lemma stored_empty j n x : stored (PositiveMap.empty Q) j n x = 0.
Proof. revert j. induction n; intro j; cbn [stored]; [reflexivity|]. rewrite IHn. unfold get. rewrite PositiveMap.gempty, zero. lra. Qed.
(* The points with columns that are not listed. A column has a cost and, for the number of each row, a coefficient. *)
Record column := Column { cost : R; coefficient : nat -> R }.
Definition chosen (us : list (R * column)) (f : column -> R) := sum (fun u => fst u * f (snd u)) us.     (* amounts, columns *)
Definition feasible_with p (b : box) (x : point) us :=
  (forall j r, nth_error b j = Some r -> meets r (x j)) /\
  (forall i r, nth_error (rows p) i = Some r -> meets (within r) (activity (terms r) x + chosen us (fun c => coefficient c i))) /\
  (forall c, In c (cones p) -> in_cone c x) /\ (forall j, In j (integers p) -> whole (x j)).
Definition reduced (y : multipliers) (c : column) := cost c - weighted (fst y) 0 (coefficient c).

Lemma feasible_none p b x : feasible p b x -> feasible_with p b x [].
Proof. intros (C & A & N & I). split; [|split; [|split]]; auto. intros i r E. cbn [chosen sum]. rewrite Rplus_0_r. eapply A, nth_error_In, E. Qed.
Lemma least_le p b x us k cs y q : feasible_with p b x us -> least k cs (rows p) (cones p) b y = Some q ->
  Q2R q <= Q2R k + weighted cs 0 x + weighted (fst y) 0 (fun i => chosen us (fun c => coefficient c i)).
Proof.
  intros (C & A & N & _). unfold least. destruct (by_rows _ _ (fst y) (rows p)) as [[u m]|] eqn:B; [|discriminate].
  destruct (by_cones _ m (snd y) (cones p)) as [[w m1]|] eqn:D; [|discriminate].
  destruct (by_columns m1 0 cs b) as [v|] eqn:V; [|discriminate]. intro H. apply some_red in H as ->.
  pose proof (by_rows_le _ x (fun i => chosen us (fun c => coefficient c i)) _ 0%nat A _ _ _ _ B) as L. rewrite stored_empty in L. apply (by_cones_le _ x _ N) in D.
  apply (by_columns_le m1 x) in V; [|exact C].
  rewrite !Q2R_plus. lra. Qed.
Lemma weighted_zeros ys : forall i, weighted ys i (fun _ => 0) = 0.
Proof. induction ys as [|y ys IH]; intro i; cbn [weighted]; [reflexivity|]. rewrite IH. ring. Qed.

Lemma signed_R p q : Q2R (signed p q) = if maximize p then - Q2R q else Q2R q.
Proof. unfold signed. destruct (maximize p); [rewrite red; apply Q2R_opp | reflexivity]. Qed.
Lemma weighted_signed p cs x : forall j, weighted (map (signed p) cs) j x = if maximize p then - weighted cs j x else weighted cs j x.
Proof. induction cs as [|c cs IH]; intro j; cbn [map weighted]; [destruct (maximize p); lra|]. rewrite IH, signed_R. destruct (maximize p); lra. Qed.
Lemma weighted_zero cs x : forall j, weighted (map (fun _ : Q => 0%Q) cs) j x = 0.
Proof. induction cs as [|c cs IH]; intro j; cbn [map weighted]; [reflexivity|]. rewrite IH, zero. lra. Qed.
Lemma chosen_signed p y us : chosen us (fun c => (if maximize p then -1 else 1) * reduced y c) =
  (if maximize p then -1 else 1) * chosen us cost - weighted (map (signed p) (fst y)) 0 (fun i => chosen us (fun c => coefficient c i)).
Proof.
  rewrite weighted_signed. induction us as [|[w c] us IH]; cbn [chosen sum fst snd].
  - rewrite weighted_zeros. destruct (maximize p); ring.
  - unfold chosen in IH at 1. rewrite IH. clear IH. unfold reduced. fold (chosen us cost).
    assert (forall i, weighted (fst y) i (fun i => w * coefficient c i + sum (fun u => fst u * coefficient (snd u) i) us) =
      w * weighted (fst y) i (coefficient c) + weighted (fst y) i (fun i => chosen us (fun c => coefficient c i))) as E.
    { induction (fst y) as [|q l IH]; intro i; cbn [weighted]; [ring|]. rewrite IH. unfold chosen. ring. }
    rewrite E. destruct (maximize p); ring. Qed.
Lemma proves_bound_with p b y v x us : proves_bound p b y v = true -> feasible_with p b x us ->
  better p (Q2R v) (value p x + chosen us cost - chosen us (reduced y)).
Proof.
  unfold proves_bound, bound. destruct (least _ _ _ _ b _) as [q|] eqn:B; [|discriminate]. intros H F. apply le_of in H.
  apply (least_le p b x us) in B; auto. cbn [fst] in B. rewrite weighted_signed, !signed_R in *. pose proof (chosen_signed p y us) as S.
  unfold better, value. assert (chosen us (fun c => (if maximize p then -1 else 1) * reduced y c) = (if maximize p then -1 else 1) * chosen us (reduced y)) as T.
  { unfold chosen. rewrite <- sum_scal. apply sum_ext. intros. ring. }
  rewrite T in S. destruct (maximize p); lra. Qed.
Lemma proves_bound_sound p b ys v : proves_bound p b ys v = true -> forall x, feasible p b x -> better p (Q2R v) (value p x).
Proof.
  intros H x F. pose proof (proves_bound_with p b ys v x [] H (feasible_none _ _ _ F)) as B. cbn [chosen sum] in B.
  unfold better in *. destruct (maximize p); lra. Qed.
Lemma crossed_sound r v : crossed r = true -> ~ meets r v.
Proof. destruct r as [[u|] [w|]]; try discriminate. intros H [L U]. apply lt_of in H. simpl in *. lra. Qed.
Lemma proves_empty_sound p b ys : proves_empty p b ys = true -> forall x, ~ feasible p b x.
Proof.
  intros H x F. apply orb_true_iff in H as [H|H].
  - apply existsb_exists in H as (r & I & C). apply in_app_or in I as [I|I].
    + apply In_nth_error in I as [j J]. apply (crossed_sound r (x j) C). apply F; auto.
    + apply in_map_iff in I as (w & <- & W). apply (crossed_sound _ (activity (terms w) x) C). apply F; auto.
  - destruct (least _ _ _ _ b ys) as [q|] eqn:B; [|discriminate]. apply positive_spec in H.
    apply (least_le p b x []) in B; [|apply feasible_none, F]. cbn [chosen sum] in B. rewrite weighted_zero, weighted_zeros, zero in B. lra. Qed.

Lemma nth_replace {A} (f : A -> A) j : forall (l : list A) k r, nth_error (replace l j f) k = Some r ->
  exists r0, nth_error l k = Some r0 /\ r = if (k =? j)%nat then f r0 else r0.
Proof.
  induction j as [|j IH]; intros [|a l] [|k] r; cbn [replace nth_error]; try discriminate.
  - intros [= <-]. eauto.
  - intro E. eauto.
  - intros [= <-]. eauto.
  - intro E. apply IH in E. exact E. Qed.
Lemma replaced p b x j f : feasible p b x -> (forall r, nth_error b j = Some r -> meets r (x j) -> meets (f r) (x j)) -> feasible p (replace b j f) x.
Proof.
  intros (C & A & N & I) F. split; [|split; [|split]]; auto. intros k r E. apply nth_replace in E as (r0 & E & ->).
  destruct (Nat.eqb_spec k j) as [->|]; auto. Qed.
Lemma inject z : Q2R (inject_Z z) = IZR z. Proof. unfold Q2R. simpl. lra. Qed.
Lemma split_at v (z : Z) : whole v -> v <= IZR z \/ IZR (z + 1) <= v.
Proof. intros [w ->]. destruct (Z_le_gt_dec w z); [left | right]; apply IZR_le; lia. Qed.
Lemma closed_sound p leaf (G : point -> Prop) : (forall b ys, leaf b ys = true -> forall x, feasible p b x -> G x) ->
  forall t b, closed leaf (integers p) b t = true -> forall x, feasible p b x -> G x.
Proof.
  intro L. induction t as [ys|j v l IHl r IHr]; intros b H x F; cbn [closed] in H; [eapply L; eauto|].
  apply andb_true_iff in H as [H Hr]. apply andb_true_iff in H as [H Hl]. apply existsb_exists in H as (k & K & E). apply Nat.eqb_eq in E as <-.
  destruct (split_at (x j) v (proj2 (proj2 (proj2 F)) j K)) as [B|A].
  - apply (IHl _ Hl). apply replaced; auto. intros q _ [M _]. split; auto. simpl. rewrite inject. exact B.
  - apply (IHr _ Hr). apply replaced; auto. intros q _ [_ M]. split; auto. simpl. rewrite inject. exact A. Qed.
Lemma rounded_meets r v : whole v -> meets r v -> meets (rounded r) v.
Proof.
  intros [z ->] [L U]. destruct r as [l u]. split; [destruct l as [q|]; [|exact I] | destruct u as [q|]; [|exact I]];
  cbn [fst snd rounded option_map] in *; rewrite <- inject in *; apply Rle_Qle in L || apply Rle_Qle in U; rewrite !inject; apply IZR_le.
  - rewrite <- (Qceiling_Z z). apply Qceiling_resp_le, L.
  - rewrite <- (Qfloor_Z z). apply Qfloor_resp_le, U. Qed.
Lemma tightened_feasible p b x : feasible p b x -> feasible p (tightened p b) x.
Proof.
  intro F. unfold tightened. pose proof (fun j => proj2 (proj2 (proj2 F)) j) as W. revert W. generalize (integers p) as l.
  induction l as [|j l IH]; intro W; cbn [fold_right]; auto. apply replaced; [apply IH; intros; apply W; simpl; auto|].
  intros r _ M. apply rounded_meets; auto. apply W; simpl; auto. Qed.

Lemma activity_at_R ts x : Q2R (activity_at ts x) = activity ts (fun j => Q2R (at_point x j)).
Proof. unfold activity_at, activity. rewrite total_R, sum_map. apply sum_ext; intros; apply Q2R_mult. Qed.
Lemma value_at_R cs : forall x k (y : list Q), length cs = length x -> (forall j, nth j x 0%Q = at_point y (k + j)) ->
  Q2R (value_at cs x) = weighted cs k (fun j => Q2R (at_point y j)).
Proof.
  induction cs as [|c cs IH]; intros [|v x] k y L E; try discriminate; cbn [value_at weighted]; [apply zero|].
  rewrite red, Q2R_plus, Q2R_mult, (IH x (S k) y).
  - pose proof (E O) as E0. rewrite Nat.add_0_r in E0. cbn [nth] in E0. rewrite <- E0. reflexivity.
  - injection L; auto.
  - intro j. replace (S k + j)%nat with (k + S j)%nat by lia. apply (E (S j)). Qed.
Lemma inside_meets r v : inside r v = true -> meets r (Q2R v).
Proof. intro H. apply andb_true_iff in H as [L U]. split; [destruct (fst r) | destruct (snd r)]; auto; apply le_of; assumption. Qed.
Lemma nth_combine {A B} (l : list A) : forall (k : list B) j a b d, length k = length l -> nth_error l j = Some a -> b = nth j k d -> In (a, b) (combine l k).
Proof.
  induction l as [|c l IH]; intros [|e k] [|j] a b d L E N; try discriminate; cbn in *.
  - injection E as ->. subst. auto.
  - right. eapply IH; eauto. Qed.
Lemma is_point_sound p b x : is_point p b x = true -> feasible p b (fun j => Q2R (at_point x j)) /\
  value p (fun j => Q2R (at_point x j)) = Q2R (constant p + value_at (costs p) x)%Q.
Proof.
  unfold is_point. rewrite !andb_true_iff, !Nat.eqb_eq, !forallb_forall. intros [[[[[N LX] LB] B] A] I]. unfold no_cones in N.
  split; [split; [|split; [|split]]|].
  - intros j r E. apply inside_meets. change (inside (fst (r, at_point x j)) (snd (r, at_point x j)) = true). apply B.
    eapply nth_combine; eauto. lia. reflexivity.
  - intros r H. rewrite <- activity_at_R. apply inside_meets, A, H.
  - intros c C. destruct (cones p); [destruct C | discriminate].
  - intros j J. specialize (I j J). apply Qeq_bool_iff, Qeq_eqR in I. rewrite inject in I. exists (Qfloor (at_point x j)). exact I.
  - unfold value. rewrite Q2R_plus. f_equal. symmetry. apply value_at_R; auto. Qed.

(* The three certificates. *)
Theorem check_bound_sound : forall p b ys v, check_bound p b ys v = true ->
  forall x, feasible p b x -> better p (Q2R v) (value p x).
Proof.
  intros p b ys v H. apply (proves_bound_sound p b ys). unfold check_bound, proves_bound in *. destruct (bound p b ys); [|discriminate].
  apply Qeq_bool_iff in H. apply Qle_bool_iff. rewrite H. apply Qle_refl. Qed.
(* With columns that are not listed: constant p includes the bound `rest` on their total reduced cost. *)
Definition plus_rest p rest := Program (maximize p) (constant p + rest)%Q (costs p) (rows p) (cones p) (integers p).
Theorem check_bound_generated : forall p rest b y v (may : list (R * column) -> Prop), check_bound (plus_rest p rest) b y v = true ->
  (forall us, may us -> better p (Q2R rest) (chosen us (reduced y))) ->                              (* the pricing *)
  forall x us, feasible_with p b x us -> may us -> better p (Q2R v) (value p x + chosen us cost).
Proof.
  intros p rest b y v may H P x us F M. assert (B : proves_bound (plus_rest p rest) b y v = true).
  { unfold check_bound, proves_bound in *. destruct (bound _ b y); [|discriminate]. apply Qeq_bool_iff in H. apply Qle_bool_iff. rewrite H. apply Qle_refl. }
  apply (proves_bound_with _ _ _ _ x us) in B; [|exact F]. specialize (P us M). unfold better, value, plus_rest in *. cbn [maximize constant costs] in *.
  rewrite Q2R_plus in B. destruct (maximize p); lra. Qed.
(* Columns with a predicate, in kinds: of each kind at most one in total, and no column is better than its kind's bound. *)
Corollary check_bound_priced : forall p rest b y v (unlisted : column -> Prop) (kind : column -> nat) (kinds : list nat) (most : nat -> R),
  check_bound (plus_rest p rest) b y v = true -> NoDup kinds -> (forall k, 0 <= most k) ->
  (forall c, unlisted c -> In (kind c) kinds /\ better p (if maximize p then most (kind c) else - most (kind c)) (reduced y c)) ->
  better p (Q2R rest) (if maximize p then sum most kinds else - sum most kinds) ->
  forall x us, feasible_with p b x us -> (forall u, In u us -> 0 <= fst u /\ unlisted (snd u)) ->
  (forall k, chosen us (fun c => if (kind c =? k)%nat then 1 else 0) <= 1) -> better p (Q2R v) (value p x + chosen us cost).
Proof.
  intros p rest b y v unlisted kind kinds most H D M C S x us F U K.
  refine (check_bound_generated p rest b y v (fun us => (forall u, In u us -> 0 <= fst u /\ unlisted (snd u)) /\
    forall k, chosen us (fun c => if (kind c =? k)%nat then 1 else 0) <= 1) H _ x us F (conj U K)). clear x us F U K. intros us [U K].
  assert (T : chosen us (fun c => most (kind c)) <= sum most kinds).
  { assert (E : chosen us (fun c => most (kind c)) = sum (fun k => most k * chosen us (fun c => if (kind c =? k)%nat then 1 else 0)) kinds).
    { unfold chosen. rewrite (sum_ext (fun k => most k * _) (fun k => sum (fun u : R * column => most k * (fst u * (if (kind (snd u) =? k)%nat then 1 else 0))) us))
        by (intros; rewrite sum_scal; reflexivity). rewrite sum_swap. apply sum_ext. intros u I. destruct (C (snd u) (proj2 (U u I))) as [J _].
      clear - J D. induction kinds as [|k l IH]; [destruct J|]. inversion_clear D as [|? ? N L]. cbn [sum]. destruct (Nat.eqb_spec (kind (snd u)) k) as [->|E].
      - rewrite (sum_ext _ (fun _ => 0)), sum_zero; [ring|]. intros k' I. destruct (Nat.eqb_spec k k') as [->|]; [contradiction | ring].
      - destruct J as [J|J]; [congruence|]. rewrite <- IH; auto. ring. }
    rewrite E. apply sum_le. intros k _. pose proof (K k). pose proof (M k). nra. }
  assert (W : better p (if maximize p then chosen us (fun c => most (kind c)) else - chosen us (fun c => most (kind c))) (chosen us (reduced y))).
  { unfold better, chosen in *. destruct (maximize p); [|rewrite <- (Rmult_1_l (sum _ us)), Ropp_mult_distr_l, <- sum_scal]; apply sum_le;
      intros u I; destruct (U u I) as [N J]; apply C in J as [_ J]; nra. }
  unfold better in *. destruct (maximize p); lra. Qed.
Theorem check_empty_sound : forall p b t, check_empty p b t = true -> forall x, ~ feasible p b x.
Proof.
  intros p b t H x F. exact (closed_sound p (proves_empty p) (fun _ => False) (proves_empty_sound p) t _ H x (tightened_feasible p b x F)). Qed.
Theorem check_optimum_sound : forall p b x t v, check_optimum p b x t v = true ->
  (exists y, feasible p b y /\ value p y = Q2R v) /\ forall y, feasible p b y -> better p (Q2R v) (value p y).
Proof.
  intros p b x t v H. unfold check_optimum in H. rewrite !andb_true_iff in H. destruct H as [[P E] C]. apply is_point_sound in P as [F V]. split.
  - exists (fun j => Q2R (at_point x j)). split; auto. rewrite V. apply Qeq_eqR, Qeq_bool_iff, E.
  - intros y Y. refine (closed_sound p _ (fun y => better p (Q2R v) (value p y)) _ t _ C y (tightened_feasible p b y Y)).
    intros b' ys L z Z. apply orb_true_iff in L as [L|L]; [eapply proves_bound_sound; eauto|]. destruct (proves_empty_sound p b' ys L z Z). Qed.

Lemma at_zero_more r v w n : meets r v -> meets (at_zero r) w -> 0 <= n -> meets r (v + n * w).
Proof.
  intros [L U] [L0 U0] N. destruct r as [[l|] [u|]]; split; cbn [fst snd at_zero option_map] in *; auto; rewrite ?zero in *; nra. Qed.
Lemma activity_more ts x y n : activity ts (fun j => x j + n * y j) = activity ts x + n * activity ts y.
Proof. unfold activity. rewrite <- sum_scal, <- sum_plus. apply sum_ext; intros; ring. Qed.
Lemma weighted_more cs x y n : forall j, weighted cs j (fun j => x j + n * y j) = weighted cs j x + n * weighted cs j y.
Proof. induction cs as [|c cs IH]; intro j; cbn [weighted]; [ring|]. rewrite IH. ring. Qed.
Theorem check_unbounded_sound : forall p b x ray, check_unbounded p b x ray = true ->
  forall K, exists y, feasible p b y /\ better p (value p y) K.
Proof.
  intros p b x ray H K. unfold check_unbounded in H. rewrite !andb_true_iff in H. destruct H as [[X D] P].
  assert (LX : length (costs p) = length ray).
  { unfold is_point in D. rewrite !andb_true_iff, Nat.eqb_eq in D. cbn [at_zeros costs] in D. symmetry. apply D. }
  assert (NC : cones p = []) by (clear - X; unfold is_point, no_cones in X; destruct (cones p); [reflexivity | discriminate]).
  apply is_point_sound in X as [(XC & XR & _ & XI) _]. apply is_point_sound in D as [(DC & DR & _ & DI) _].
  set (u := fun j => Q2R (at_point x j)) in *. set (d := fun j => Q2R (at_point ray j)) in *. apply positive_spec in P.
  rewrite Q2R_opp, (value_at_R (map (signed p) (costs p)) ray 0 ray) in P by (rewrite ?map_length; auto).
  fold d in P. rewrite weighted_signed in P. set (s := weighted (costs p) 0 d) in *.
  destruct (archimed (Rabs (K - value p u) / Rabs s)) as [A _]. set (n := up (Rabs (K - value p u) / Rabs s)) in *.
  assert (S : 0 < Rabs s) by (apply Rabs_pos_lt; destruct (maximize p); lra).
  assert (N : Rabs (K - value p u) <= IZR n * Rabs s).
  { apply Rmult_le_reg_r with (/ Rabs s); [apply Rinv_0_lt_compat; auto|]. rewrite Rmult_assoc, Rinv_r, Rmult_1_r by lra.
    unfold Rdiv in A. lra. }
  assert (N0 : 0 <= IZR n) by (pose proof (Rabs_pos (K - value p u)); nra).
  exists (fun j => u j + IZR n * d j). split; [split; [|split; [|split]]|].
  - intros j r E. apply at_zero_more; [exact (XC j r E) | | exact N0]. apply (DC j (at_zero r)). rewrite nth_error_map, E. reflexivity.
  - intros r I. rewrite activity_more. apply at_zero_more; [exact (XR r I) | | exact N0]. apply (DR (Row (at_zero (within r)) (terms r))).
    exact (in_map (fun r => Row (at_zero (within r)) (terms r)) _ _ I).
  - rewrite NC. intros c [].
  - intros j J. destruct (XI j J) as [a XA], (DI j J) as [c DC']. exists (a + n * c)%Z. rewrite plus_IZR, mult_IZR.
    unfold u, d. rewrite XA, DC'. reflexivity.
  - unfold better. replace (value p (fun j => u j + IZR n * d j)) with (value p u + IZR n * s) by (unfold value, s; rewrite weighted_more; ring).
    destruct (maximize p).
    + rewrite (Rabs_right s) in N by lra. pose proof (Rle_abs (K - value p u)). lra.
    + rewrite (Rabs_left s) in N by lra. pose proof (Rle_abs (- (K - value p u))). rewrite Rabs_Ropp in H. lra. Qed.
