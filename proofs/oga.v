(* multiserver: OGASched (Definition 2) as a function of the instance's data. It is defined over any numbers: theorems
   are about the reals (oga_regret.v), programs run in rationals (oga_rational.v). *)
From Coq Require Export List Arith Bool.
Export ListNotations.

Record numbers := { number :> Type; zero : number;
  add : number -> number -> number; sub : number -> number -> number; mul : number -> number -> number;
  share : number -> nat -> number;          (* share x n = x / (n + 1) *)
  below : number -> number -> bool }.       (* x <= y *)
Arguments zero {_}. Arguments add {_}. Arguments sub {_}. Arguments mul {_}. Arguments share {_}. Arguments below {_}.

(* tables of amounts, by number *)
Definition table (A : Type) := list (nat * A).
Definition tabulate {A} (keys : list nat) (f : nat -> A) : table A := map (fun k => (k, f k)) keys.
Definition look {A} (default : A) (t : table A) (key : nat) : A :=
  match find (fun e => fst e =? key) t with Some e => snd e | None => default end.

(* Ports, nodes and resources are numbered from 0. *)
Record instance (N : numbers) := { links : list (list nat);   (* R_l: the nodes of each port *)
  demands : list (list N);                (* a_l^k *)
  capacities : list (list N);             (* c_r^k *)
  overhead : list N;                      (* beta_k *)
  slope : nat -> nat -> N -> N;           (* the derivative of f_r^k, for gains per node (12) *)
  total_slope : nat -> N -> N }.          (* the derivative of f_k, for gains of a port's total (7) *)
Arguments links {_}. Arguments demands {_}. Arguments capacities {_}. Arguments overhead {_}. Arguments slope {_}. Arguments total_slope {_}.
Inductive reading := per_node | of_total.

Section OGASched.
Variable N : numbers.
Definition sum_of {A} (f : A -> N) (l : list A) : N := fold_right (fun a s => add (f a) s) zero l.
Definition larger (x y : N) : N := if below x y then y else x.
Definition smaller (x y : N) : N := if below x y then x else y.

(* --- the projection of a row onto 0 <= y <= a, sum y <= c: y = clip (z - tau) ------------------------------------ *)

Definition clipped (a v : N) : N := larger zero (smaller a v).
Definition filled (ports : list nat) (a z : nat -> N) (t : N) : N := sum_of (fun l => clipped (a l) (sub (z l) t)) ports.
(* the sum is linear in tau between breakpoints; the last one at which it reaches c *)
Definition breakpoints (ports : list nat) (a z : nat -> N) : list N := flat_map (fun l => [z l; sub (z l) (a l)]) ports.
Definition last_break (ports : list nat) (a z : nat -> N) (c : N) : N :=
  fold_left (fun b p => if below b p && below c (filled ports a z p) then p else b) (breakpoints ports a z) zero.
Definition free (ports : list nat) (a z : nat -> N) (b : N) : nat := length (filter (fun l => below (sub (z l) (a l)) b && negb (below (z l) b)) ports).
Definition threshold (ports : list nat) (a z : nat -> N) (c : N) : N :=
  if below (filled ports a z zero) c then zero
  else let b := last_break ports a z c in add b (share (sub (filled ports a z b) c) (pred (free ports a z b))).
Definition project (ports : list nat) (a z : nat -> N) (c : N) : table N :=
  let tau := threshold ports a z c in tabulate ports (fun l => clipped (a l) (sub (z l) tau)).

(* --- the instance, the gradient (30) and the run ------------------------------------------------------------------ *)

Variable i : instance N.
Definition ports_of := seq 0 (length (demands i)).
Definition nodes_of := seq 0 (length (capacities i)).
Definition resources_of := seq 0 (length (overhead i)).
Definition joined l r := existsb (Nat.eqb r) (nth l (links i) []).
Definition demand_of l k : N := nth k (nth l (demands i) []) zero.
Definition capacity_of r k : N := nth k (nth r (capacities i) []) zero.
Definition beta k : N := nth k (overhead i) zero.
Definition at_node r := filter (fun l => joined l r) ports_of.

Definition amounts := table (table (table N)).     (* by node, resource and port *)
Definition amount (y : amounts) l r k : N := look zero (look [] (look [] y r) k) l.
Definition port_sum y l k : N := sum_of (fun r => if joined l r then amount y l r k else zero) nodes_of.
Definition charge y l k : N := mul (beta k) (port_sum y l k).
(* k* of (27): the first resource of largest overhead *)
Definition dominant y l := fold_left (fun best k => if below (charge y l k) (charge y l best) then best else k) resources_of 0.
Variable g : reading.
Definition rise y l r k : N := match g with per_node => slope i r k (amount y l r k) | of_total => total_slope i k (port_sum y l k) end.
Definition gradient (x : nat -> bool) y l r k : N :=
  if x l then (if k =? dominant y l then sub (rise y l r k) (beta k) else rise y l r k) else zero.

(* y(t + 1) is the projection of y(t) + eta g(t) *)
Definition next (eta : N) (x : nat -> bool) (y : amounts) : amounts :=
  tabulate nodes_of (fun r => tabulate resources_of (fun k =>
    let z := tabulate (at_node r) (fun l => add (amount y l r k) (mul eta (gradient x y l r k))) in
    project (at_node r) (fun l => demand_of l k) (look zero z) (capacity_of r k))).
(* eta t is the step of slot t, and x t are its arrivals, which y(t) does not use *)
Fixpoint oga (eta : nat -> N) (x : nat -> nat -> bool) (y : amounts) (t : nat) : amounts :=
  match t with O => y | S t => next (eta t) (x t) (oga eta x y t) end.
(* the run with one step over a list of slots *)
Fixpoint schedule (eta : N) (xs : list (nat -> bool)) (y : amounts) : list amounts :=
  match xs with [] => [] | x :: xs => y :: schedule eta xs (next eta x y) end.
End OGASched.

Theorem schedule_is_oga : forall N i g eta xs y t x, t < length xs -> (forall s, s < t -> x s = nth s xs (fun _ => false)) ->
  nth t (schedule N i g eta xs y) [] = oga N i g (fun _ => eta) x y t.
Proof.
  intros N i g eta xs. induction xs as [|x0 xs IH]; intros y t x L E; simpl in L; [inversion L|]. destruct t as [|t]; [reflexivity|].
  simpl nth. rewrite (IH _ t (fun s => x (S s))); [|apply Nat.succ_lt_mono; auto|intros s H; apply (E (S s)), (proj1 (Nat.succ_lt_mono _ _)); auto].
  clear IH L. pose proof (E 0 (Nat.lt_0_succ _)) as E0. simpl in E0. clear E. revert E0. induction t as [|t IH]; intro E0; simpl; [rewrite E0; reflexivity|].
  simpl in IH. rewrite IH by auto. reflexivity. Qed.

Lemma look_tabulate : forall A d keys (f : nat -> A) k, look d (tabulate keys f) k = if in_dec Nat.eq_dec k keys then f k else d.
Proof.
  intros A d keys f k. unfold look, tabulate. induction keys as [|j keys IH]; [reflexivity|]. cbn [map find fst].
  destruct (Nat.eqb_spec j k) as [->|E].
  - destruct (in_dec Nat.eq_dec k (k :: keys)) as [|H]; [reflexivity | exfalso; apply H; left; reflexivity].
  - rewrite IH. destruct (in_dec Nat.eq_dec k keys) as [I|I], (in_dec Nat.eq_dec k (j :: keys)) as [J|J]; try reflexivity; exfalso; [apply J; right; exact I | destruct J; auto]. Qed.
