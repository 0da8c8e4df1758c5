(* Run the first iteration of Algorithm 1 with the functions that Coq extracts from rounding.v, in rationals. Standard input has words, run
   after run, in the order of `run` below; a fraction is two words, and -1 stands for a data node without a server. Each run has a line:
   the accepted jobs. Trusted by tests only. *)
open First_iteration

let word () = Scanf.scanf " %s" (fun w -> w)
let int () = int_of_string (word ())
let several n read = List.init n (fun _ -> read ())
let rec positive n = if n = 1 then XH else if n land 1 = 1 then XI (positive (n / 2)) else XO (positive (n / 2))
let fraction () =
  let above = int () in
  { qnum = (if above = 0 then Z0 else Zpos (positive above)); qden = positive (int ()) }
let count n = List.init n (fun i -> i)

let run () =
  let spread_last = word () = "unsplit" in
  let time_tested = word () = "all" in
  let eps = fraction () in
  let m = int () in
  let capacities = several m (fun () -> several 3 fraction) in
  let node () = let size = fraction () in let at = int () in (size, (if at < 0 then None else Some at), several m fraction) in
  let job () = let a = fraction () in let b = fraction () in let y = fraction () in (a, b, y, several (int ()) node) in
  let listed = several (int ()) job in
  let table = List.concat (List.mapi (fun k (_, _, _, own) -> List.map (fun n -> (k, n)) own) listed) in
  let owner i = fst (List.nth table i) in
  let of_node i = snd (List.nth table i) in
  let of_job k = List.nth listed k in
  let of_server n j = List.nth (List.nth capacities j) n in
  let p = {
    servers = count m; jobs = count (List.length listed); assignable = (fun _ _ -> true);
    nodes = (fun k -> List.filter (fun i -> owner i = k) (count (List.length table)));
    size = (fun i -> let size, _, _ = of_node i in size);
    storage = of_server 0; compute = of_server 1; bandwidth = of_server 2;
    a = (fun k -> let a, _, _, _ = of_job k in a); b = (fun k -> let _, b, _, _ = of_job k in b) } in
  let x i j = let _, _, row = of_node i in List.nth row j in
  let y k = let _, _, y, _ = of_job k in y in
  let server i = let _, at, _ = of_node i in at in
  let late = if spread_last then spread p x else fun _ -> false in
  let tested = of_storage p :: if time_tested then [of_compute p eps; of_bandwidth p eps] else [] in
  print_endline (String.concat " " (List.map string_of_int (accepts p y owner server late tested)))

let () = for _ = 1 to int () do run () done
