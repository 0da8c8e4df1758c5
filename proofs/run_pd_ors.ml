(* Replay runs of PD-ORS with the functions that Coq extracts from pd_ors.v, in floating-point numbers. Standard input has numbers and
   words, run after run, in the order of `read_run` below. For each job a line is printed: the best payoff, the payoff of the given
   schedule (or "rejected", "no schedule", "does not fit"), and whether the functions take a schedule. Trusted by tests only. *)
open Online

let word () = Scanf.scanf " %s" (fun w -> w)
let int () = int_of_string (word ())
let number () = float_of_string (word ())
let several n read = List.init n (fun _ -> read ())
let table values n = Obj.repr (if n < List.length values then List.nth values n else 0.)
let float : __ -> float = Obj.obj
let eps = 1e-9
let doubles =
  let op f = fun a b -> Obj.repr (f (float a) (float b)) in
  { zero = Obj.repr 0.; plus = op (+.); minus = op (-.); times = op ( *. ); at_most = (fun a b -> float a <= float b +. eps);
    whole = (fun n -> Obj.repr (float_of_int n)) }

let replay () =
  let horizon = int () in
  let machines = int () in
  let resources = int () in
  let capacities = several machines (fun () -> several resources number) in
  let used = several horizon (fun () -> several machines (fun () -> several resources number)) in
  let share = Obj.repr (number ()) in
  let full = number () in
  let lowest = number () in
  let highest = several resources number in
  let size h r = List.nth (List.nth capacities h) r in
  let reserved ((t, h), r) = Obj.repr (List.nth (List.nth (List.nth used t) h) r) in
  let cluster = { horizon; machines; resources; capacity = (fun h r -> Obj.repr (size h r)); reserved } in
  let price ((_, h), r) rho = Obj.repr (lowest *. ((List.nth highest r /. lowest) ** (float rho /. (full *. size h r)))) in
  let rec next rho = function
    | 0 -> ()
    | left ->
      let arrival = int () in
      let workload = Obj.repr (number ()) in
      let batch = int () in
      let servers = int () in
      let ratio = Obj.repr (number ()) in
      let inner = Obj.repr (number ()) in
      let outer = Obj.repr (number ()) in
      let worker = table (several resources number) in
      let server = table (several resources number) in
      let utility = table (several (horizon + 1) number) in
      let job = { arrival; workload; batch; servers; ratio; inner; outer; worker; server; utility } in
      let accepted = int () = 1 in
      let given = if accepted then several horizon (fun () -> several machines (fun () -> let w = int () in (w, int ()))) else [] in
      let value pi = float (payoff doubles cluster price rho job pi) in
      let own = decide doubles cluster share price rho job in
      let state =
        if not accepted then "rejected"
        else if not (List.mem given (schedules doubles cluster share job)) then "no schedule"
        else if not (fitting doubles cluster rho job given) then "does not fit"
        else Printf.sprintf "%.17g" (value given) in
      Printf.printf "%s;%s\n" (match own with Some pi -> Printf.sprintf "%.17g" (value pi) | None -> "none") state;
      let after = List.map (fun s -> (s, Obj.repr (float (rho s) +. if accepted then float (takes doubles cluster job given s) else 0.))) (spots doubles cluster) in
      next (fun s -> List.assoc s after) (left - 1) in
  next reserved (int ())

let () = for _ = 1 to int () do replay () done
