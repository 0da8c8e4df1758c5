(* Run A_online with the functions that Coq extracts from a_online.v. Standard input has words, run after run, in the order of `run`
   below; -1 stands for a missing delay. Each chunk has a line: its list, its job, its price (numerator/denominator in binary), and
   the slots in which it ran. Trusted by tests only. *)
open A_online

let word () = Scanf.scanf " %s" (fun w -> w)
let int () = int_of_string (word ())
let several n read = List.init n (fun _ -> read ())
let delay () = match int () with -1 -> None | d -> Some d
let rec binary = function XH -> "1" | XO p -> binary p ^ "0" | XI p -> binary p ^ "1"
let shown x = (match x.qnum with Z0 -> "0" | Zpos p -> binary p | Zneg p -> "-" ^ binary p) ^ "/" ^ binary x.qden

let run () =
  let order = match word () with "static" -> static | _ -> residual in
  let workers = int () in
  let job () =
    let arrival = int () in let parts = int () in let time = int () in let cloud_time = int () in let cloud_delay = delay () in
    { arrival; parts; time; cloud_time; slow = 0; slow_cloud = 0; delays = several workers delay; cloud_delay } in
  let jobs = several (int ()) job in
  let queues = a_online order workers jobs in
  let print w c = print_endline (String.concat " " (List.map string_of_int [w; c.owner] @ [shown c.alpha] @ List.rev_map string_of_int c.ran)) in
  List.iteri (fun w q -> List.iter (print w) q) queues;
  Printf.printf "total %d\n" (total_jct jobs queues)

let () = for _ = 1 to int () do run () done
