(* Run OGASched with the functions that Coq extracts from oga.v and oga_rational.v, in rationals. Standard input has words, run after
   run, in the order of `run` below; a fraction is two words. For each slot and channel a line has the amounts of the resources:
   numerator/denominator in binary. Trusted by tests only. *)
open Oga_run

let word () = Scanf.scanf " %s" (fun w -> w)
let int () = int_of_string (word ())
let several n read = List.init n (fun _ -> read ())
let rec positive n = if n = 1 then XH else if n land 1 = 1 then XI (positive (n / 2)) else XO (positive (n / 2))
let fraction () =
  let above = int () in
  { qnum = (if above = 0 then Z0 else Zpos (positive above)); qden = positive (int ()) }
let number () = Obj.repr (fraction ())
let row () = several (int ()) number
let utility () =
  let kind = match word () with "linear" -> Linear | "log" -> Log | "reciprocal" -> Reciprocal | _ -> Poly in
  (kind, number ())
let utilities () = several (int ()) utility

let rec binary = function XH -> "1" | XO p -> binary p ^ "0" | XI p -> binary p ^ "1"
let shown x =
  let q : q = Obj.obj x in
  (match q.qnum with Z0 -> "0" | Zpos p -> binary p | Zneg p -> "-" ^ binary p) ^ "/" ^ binary q.qden

let run () =
  let slopes = (match word () with "exact" -> slope54_q | _ -> slope54_short) in
  let reading = (match word () with "node" -> Per_node | _ -> Of_total) in
  let eta = number () in
  let links = several (int ()) (fun () -> several (int ()) int) in
  let demands = several (int ()) row in
  let capacities = several (int ()) row in
  let overhead = row () in
  let of_nodes = several (int ()) utilities in
  let of_totals = utilities () in
  let arrivals = several (int ()) (fun () -> let here = several (List.length links) int in fun l -> List.nth here l = 1) in
  let instance = file_instance rationals (Obj.magic slopes) links demands capacities overhead (Obj.magic of_nodes) (Obj.magic of_totals) in
  let print y l r = print_endline (String.concat " " (List.mapi (fun k _ -> shown (amount rationals y l r k)) overhead)) in
  List.iter (fun y -> List.iteri (fun l nodes -> List.iter (print y l) nodes) links) (schedule rationals instance reading eta arrivals [])

let () = for _ = 1 to int () do run () done
