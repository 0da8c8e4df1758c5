(* preemptive: A_online (Algorithms 1 to 3) as a function, and program (2) on its workers. Time is counted in units in which
   every arrival, delay and chunk time is whole: slots, or, for fluid chunk times, a part of a slot. *)
From Schedproof Require Import sums.
From Coq Require Import Arith QArith.
Open Scope nat_scope.

(* --- instances ------------------------------------------------------------------------------------------------------ *)

(* r_j, D_j, and p_j on the edge and in the cloud, at A_online's speed and at speed 1; delays to the edge workers (None: the job
   may not use the worker) and to the cloud. Jobs are listed in the order of arrival. *)
Record job := { arrival : nat; parts : nat; time : nat; cloud_time : nat; slow : nat; slow_cloud : nat;
  delays : list (option nat); cloud_delay : option nat }.
Definition reach (j : job) (w : nat) := nth w (delays j) None.

(* --- a worker's list ------------------------------------------------------------------------------------------------ *)

(* of a chunk, its job (number and data), its landing, its time and what is left of it, the slots in which it ran (the last one
   first), and its price alpha; lists are in the order of placement, with the completed chunks *)
Record chunk := { owner : nat; of : job; landing : nat; size : nat; left : nat; ran : list nat; alpha : Q }.
Notation queue := (list chunk).
Definition pending c := 0 <? left c.
Definition ready now c := (landing c <=? now) && pending c.
Definition trained now c := {| owner := owner c; of := of c; landing := landing c; size := size c; left := left c - 1;
  ran := now :: ran c; alpha := alpha c |}.
(* the inverse of a chunk's rate: of its remaining time, or of its time, as printed *)
Definition residual c := left c * parts (of c).
Definition static c := size c * parts (of c).

Section Order.
Variable rank : chunk -> nat.

(* HAPRF: in a slot a worker trains the landed chunk of the highest rate, of equal ones the first that was placed *)
Fixpoint least now (q : queue) : option nat :=
  match q with
  | [] => None
  | c :: q => if ready now c then Some (match least now q with Some r => min (rank c) r | None => rank c end) else least now q
  end.
Fixpoint serve now r (q : queue) : queue :=
  match q with [] => [] | c :: q => if ready now c && (rank c =? r) then trained now c :: q else c :: serve now r q end.
Definition slot now q := match least now q with Some r => serve now r q | None => q end.
Fixpoint run n now q := match n with O => q | S n => run n (S now) (slot now q) end.

(* (5): the price of a chunk of time p of a job of D chunks that comes now and lands after the delay *)
Definition rational (n : nat) : Q := inject_Z (Z.of_nat n).
Definition over_parts c : Q := (/ rational (parts (of c)))%Q.
Definition price D p now delay q : Q :=
  let then_ := filter pending (run delay now q) in
  let ahead := filter (fun c => rank c <=? p * D) then_ in
  let behind := filter (fun c => negb (rank c <=? p * D)) then_ in
  (rational (delay + list_sum (map left ahead) + p) / rational D
   + rational p * fold_right (fun c total => Qred (over_parts c + total)) 0 behind)%Q.

(* --- Algorithm 2: every chunk goes where its price is least; of equal prices the first counts, and the cloud's last -- *)

Fixpoint cheapest (prices : list (option Q)) : option (nat * Q) :=
  match prices with
  | [] => None
  | p :: l =>
    match p, cheapest l with
    | Some a, Some (w, b) => if Qle_bool a b then Some (0, a) else Some (S w, b)
    | Some a, None => Some (0, a)
    | None, rest => option_map (fun '(w, b) => (S w, b)) rest
    end
  end.
Section Workers.
Variable workers : nat. (* of the edge; the lists after these are those of cloud workers, each with one chunk *)
Definition options j in_cloud now (queues : list queue) : list (option Q) :=
  map (fun w => option_map (fun d => price (parts j) (time j) now d (nth w queues [])) (reach j w)) (seq 0 workers)
  ++ [option_map (fun d => price (parts j) in_cloud now d []) (cloud_delay j)].
Definition delay_to j w := match (if w <? workers then reach j w else cloud_delay j) with Some d => d | None => 0 end.
Definition new i j now w p a := {| owner := i; of := j; landing := now + delay_to j w; size := p; left := p; ran := []; alpha := a |}.
Fixpoint join w c (queues : list queue) : list queue :=
  match queues, w with q :: l, O => (q ++ [c]) :: l | q :: l, S w => q :: join w c l | [], _ => [[c]] end.
(* one chunk, given the time that it takes in the cloud: whether it goes there, and the lists with it *)
Definition place_chunk i j in_cloud now queues : bool * list queue :=
  match cheapest (options j in_cloud now queues) with
  | None => (false, queues)
  | Some (w, a) => if w <? workers then (false, join w (new i j now w (time j) a) queues)
                   else (true, queues ++ [[new i j now w in_cloud a]])
  end.
(* the cloud's own rate counts for a job that starts there, and so stays there: its prices do not change *)
Definition place i j now queues :=
  let '(away, queues) := place_chunk i j (cloud_time j) now queues in
  let in_cloud := if away then cloud_time j else time j in
  Nat.iter (parts j - 1) (fun queues => snd (place_chunk i j in_cloud now queues)) queues.

(* --- Algorithm 1 ---------------------------------------------------------------------------------------------------- *)

Fixpoint arrivals i now jobs queues :=
  match jobs with
  | [] => (now, queues)
  | j :: jobs => arrivals (S i) (arrival j) jobs (place i j (arrival j) (map (run (arrival j - now) now) queues))
  end.
Definition time_left q := list_sum (map (fun c => landing c + left c) q).
Definition a_online jobs : list queue :=
  let '(now, queues) := arrivals 0 0 jobs (repeat [] workers) in map (fun q => run (time_left q) now q) queues.
End Workers.
End Order.

(* c_jd, and the total of c_j - r_j *)
Definition ended c := S (hd 0 (ran c)).
Definition chunks_of i (queues : list queue) := filter (fun c => owner c =? i) (concat queues).
Definition jct queues i := list_max (map (fun c => ended c - arrival (of c)) (chunks_of i queues)).
Definition total_jct (jobs : list job) queues := list_sum (map (jct queues) (seq 0 (length jobs))).
