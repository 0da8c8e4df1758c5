(* Read certificates (JSON) and ask the functions that Coq extracts from `checker.v` and `systems.v` whether they prove their
   statements. This file is trusted: it turns the text into a listed program or system with its multipliers, tree, point or ray,
   potential or walk. The search for the reachable states below is not trusted: Coq's functions check its result.
   Usage: schedproof-verified CERTIFICATE..., or for ratios: schedproof-verified --system LISTING CERTIFICATE..., prints a line for
   each certificate; the exit code is 1 if one is not proven. *)
open Certificates

exception Refused of string
let refuse text = raise (Refused text)

type json = Null | Bool of bool | Number of string | Text of string | List of json list | Object of (string * json) list

let parse text =
  let size = String.length text and at = ref 0 in
  let peek () = if !at < size then text.[!at] else refuse "the file is truncated" in
  let rec space () = if !at < size && String.contains " \t\r\n" text.[!at] then (incr at; space ()) in
  let expect c = if peek () <> c then refuse (Printf.sprintf "expected %c at byte %d" c !at); incr at in
  let word () =
    let first = !at in
    while !at < size && (match text.[!at] with '0' .. '9' | 'a' .. 'z' | 'A' .. 'Z' | '-' | '+' | '.' -> true | _ -> false) do incr at done;
    if !at = first then refuse (Printf.sprintf "expected a value at byte %d" first);
    String.sub text first (!at - first) in
  let quoted () =
    expect '"';
    let found = Buffer.create 16 in
    let rec go () = match peek () with
      | '"' -> incr at
      | '\\' -> Buffer.add_char found '\\'; incr at; Buffer.add_char found (peek ()); incr at; go ()
      | c -> Buffer.add_char found c; incr at; go () in
    go (); Buffer.contents found in
  let items close item =
    space ();
    if peek () = close then (incr at; [])
    else begin
      let rec go found =
        let found = item () :: found in
        space ();
        match peek () with
        | ',' -> incr at; go found
        | c when c = close -> incr at; List.rev found
        | _ -> refuse (Printf.sprintf "expected , at byte %d" !at) in
      go []
    end in
  let rec value depth () =
    if depth > 50 then refuse "expected at most 50 levels of nesting";
    space ();
    match peek () with
    | '{' ->
      incr at;
      let pairs = items '}' (fun () -> space (); let key = quoted () in space (); expect ':'; (key, value (depth + 1) ())) in
      let keys = List.sort_uniq compare (List.map fst pairs) in
      if List.length keys <> List.length pairs then refuse "a key occurs twice in one object";
      Object pairs
    | '[' -> incr at; List (items ']' (value (depth + 1)))
    | '"' -> Text (quoted ())
    | _ -> (match word () with "null" -> Null | "true" -> Bool true | "false" -> Bool false | number -> Number number) in
  let found = value 0 () in
  space ();
  if !at < size then refuse "expected the end of the file";
  found

let field name = function
  | Object pairs -> (try List.assoc name pairs with Not_found -> refuse ("expected the field " ^ name))
  | _ -> refuse ("expected an object with the field " ^ name)
let has name = function Object pairs -> List.mem_assoc name pairs | _ -> false
let exactly names found =
  let keys = match found with Object pairs -> List.map fst pairs | _ -> [] in
  if List.sort compare keys <> List.sort compare names then refuse ("expected the fields " ^ String.concat " " names)
let words = String.split_on_char ' '
let list = function List found -> found | _ -> refuse "expected a list"
let text = function Text found -> found | _ -> refuse "expected a text"

(* Numbers: the binary integers of Coq. *)
let rec positive_of n = if n = 1 then XH else if n land 1 = 0 then XO (positive_of (n / 2)) else XI (positive_of (n / 2))
let z_of n = if n = 0 then Z0 else if n > 0 then Zpos (positive_of n) else Zneg (positive_of (-n))
let million = z_of 1_000_000
let longest = 4000
let digits word =
  if word = "" || String.length word > longest + 1 || String.exists (fun c -> c < '0' || c > '9') word then refuse ("expected digits, found " ^ word);
  let size = String.length word and found = ref Z0 and at = ref 0 in
  while !at < size do
    let take = min 6 (size - !at) in
    let scale = if take = 6 then million else z_of (int_of_float (10. ** float_of_int take)) in
    found := Z.add (Z.mul !found scale) (z_of (int_of_string ("0u" ^ String.sub word !at take)));
    at := !at + take
  done;
  !found
let integer word =
  let size = String.length word in
  if size > 0 && word.[0] = '-' then Z.opp (digits (String.sub word 1 (size - 1))) else digits word
let one = z_of 1
let over n = function Zpos d -> { qnum = n; qden = d } | _ -> refuse "expected a denominator > 0"
let rational word = match String.split_on_char '/' word with
  | [n] -> over (integer n) one
  | [n; d] when d <> "" && d.[0] <> '0' -> over (integer n) (digits d)
  | _ -> refuse ("expected a rational like 7/3, found " ^ word)
let number = function Text word -> rational word | _ -> refuse "expected a rational in quotes"
let index = function
  | Number word -> (match int_of_string_opt ("0u" ^ word) with Some n -> n | None -> refuse ("expected an index, found " ^ word))
  | _ -> refuse "expected an index"
let side = function Null -> None | found -> Some (number found)
let below count n = if n < count then n else refuse "an index is out of range"
let distinct found = if List.length (List.sort_uniq compare found) < List.length found then refuse "an index occurs twice"
let pairs count found =
  let pair = function List [n; q] -> (below count (index n), number q) | _ -> refuse "expected pairs" in
  let found = List.map pair (list found) in
  distinct (List.map fst found); found
let zero = over Z0 one
let dense count found =
  let all = Array.make count zero in
  List.iter (fun (n, q) -> all.(n) <- q) (pairs count found);
  Array.to_list all

(* A program, as version 2 lists it by rows, or version 3 in blocks of integers: rows, then columns by their terms. *)
type listing = {
  costs : q list; box : (q option * q option) list; rows : row list; cones : form list list; multipliers : q list * q list list }

let without_cones rows multipliers = (rows, [], (multipliers, []))
(* The rows of a cone become its forms. *)
let with_cones cones rows multipliers =
  let all = Array.of_list (List.combine rows multipliers) in
  let cone = function
    | List [Text "second_order"; List (_ :: _ as members)] -> List.map index members
    | _ -> refuse "the verified checker covers second-order cones only" in
  let cones = List.map cone (list cones) in
  let members = List.map (below (Array.length all)) (List.concat cones) in
  distinct members;
  let form i = match all.(i) with
    | { within = (Some low, None); terms }, _ -> (low, terms)
    | _ -> refuse "cones: expected rows with a lower side only" in
  let free = List.filteri (fun i _ -> not (List.mem i members)) (Array.to_list all) in
  (List.map fst free, List.map (List.map form) cones,
    (List.map snd free, List.map (List.map (fun i -> snd all.(i))) cones))

let by_rows proof =
  let column c = match list c with
    | [_; cost; low; high] -> (number cost, (side low, side high))
    | _ -> refuse "expected columns of a name, a cost and two ends" in
  let listed = list (field "columns" proof) in
  let wide = List.length listed in
  let row r = match list r with
    | [_; low; high; terms] -> { within = (side low, side high); terms = pairs wide terms }
    | _ -> refuse "expected rows of a name, two sides and terms" in
  let columns = List.map column listed and rows = List.map row (list (field "rows" proof)) in
  let given = if has "multipliers" proof then dense (List.length rows) (field "multipliers" proof) else [] in
  let rows, cones, multipliers =
    if has "cones" proof then with_cones (field "cones" proof) rows given else without_cones rows given in
  { costs = List.map fst columns; box = List.map snd columns; rows; cones; multipliers }

let each count = function  (* one number stands for a list of equal ones *)
  | List all -> if List.length all <> count then refuse "a block has lists of different lengths" else Array.of_list all
  | same -> Array.make count same
let by_blocks proof =
  let most = index (field "digits" proof) in
  let whole = function
    | Number word when String.length word - Bool.to_int (word.[0] = '-') <= min most longest -> integer word
    | _ -> refuse "expected an integer of the stated digits" in
  let over_scale scale found = over (whole found) scale in
  let end_over scale = function Null -> None | found -> Some (over_scale scale found) in
  let scale = whole (field "scale" proof) and unit = whole (field "unit" proof) in
  let blocks = List.map list (list (field "blocks" proof)) in
  let rows = List.concat_map (function
    | [Text "rows"; _; names; scales; low; high; times] ->
      let count = List.length (list names) in
      Array.iter (fun found -> ignore (over one (whole found))) (each count scales);
      let low = each count low and high = each count high and times = each count times in
      List.init count (fun k -> ((end_over one low.(k), end_over one high.(k)), over_scale unit times.(k)))
    | _ -> []) blocks in
  let terms = Array.make (List.length rows) [] and before = ref 0 in
  let columns = List.concat_map (function
    | [Text "rows"; _; _; _; _; _; _] -> []
    | [Text "columns"; _; names; costs; low; high; counts; at; coefficients] ->
      let count = List.length (list names) in
      let counts = Array.map index (each count counts) in
      let many = Array.fold_left (+) 0 counts in
      let at = each many at and coefficients = each many coefficients and first = ref 0 in
      let low = each count low and high = each count high and costs = each count costs in
      Array.iteri (fun k own ->
        let last = ref (-1) in
        for t = !first to !first + own - 1 do
          let i = below (Array.length terms) (index at.(t)) in
          if i <= !last then refuse "expected a column's terms by increasing row";
          last := i;
          terms.(i) <- (!before + k, over_scale one coefficients.(t)) :: terms.(i)
        done;
        first := !first + own) counts;
      before := !before + count;
      List.init count (fun k -> (over_scale scale costs.(k), (end_over scale low.(k), end_over scale high.(k))))
    | _ -> refuse "expected blocks of rows or of columns") blocks in
  let sizes = [Array.length terms; List.length columns; Array.fold_left (fun n own -> n + List.length own) 0 terms] in
  if List.map index (list (field "sizes" proof)) <> sizes then refuse "expected the stated sizes";
  let row i (within, _) = { within; terms = terms.(i) } in
  let rows, cones, multipliers = without_cones (List.mapi row rows) (List.map snd rows) in
  { costs = List.map fst columns; box = List.map snd columns; rows; cones; multipliers }

let rec tree_of rows = function  (* depth first; a leaf has multipliers *)
  | List (Number j :: rest) :: nodes ->
    let v = match rest with [Number v] -> integer v | _ -> refuse "expected branches of a column and a whole number" in
    let below, nodes = tree_of rows nodes in
    let above, nodes = tree_of rows nodes in
    (Split (index (Number j), v, below, above), nodes)
  | leaf :: nodes -> (Close (dense rows leaf, []), nodes)
  | [] -> refuse "expected one leaf more than branches"

let in_whole_steps integers ray =  (* a multiple of the ray that is whole in integer columns *)
  let times = List.fold_left (fun n j -> Z.mul n (Zpos (List.nth ray j).qden)) one integers in
  List.map (fun x -> { x with qnum = Z.mul x.qnum times }) ray

let verdict given =
  exactly (words "version program kind among parameters instance_sha256 value multipliers") given;
  let proof = field "multipliers" given and kind = text (field "kind" given) in
  if field "among" given <> Text "" then refuse "expected an empty field among";
  let compact = match field "version" given with
    | Number "2" -> false | Number "3" -> true
    | _ -> refuse "the verified checker needs a certificate that lists its program" in
  let some names = List.filter (fun name -> has name proof) (words names) in
  let ended = List.mem kind ["infeasible"; "unbounded"; "optimal"] in
  exactly (words "sense constant" @ words (if compact then "unit scale digits sizes blocks" else "columns rows multipliers")
    @ some (if compact then "parts rest" else if not ended then "cones parts rest"
      else if kind = "infeasible" && not (has "integers" proof) then "cones parts" else "")
    @ (match kind with
      | "unbounded" -> words "point ray" @ some "integers"
      | "optimal" -> words "integers tree point"
      | "infeasible" when has "integers" proof -> words "integers tree"
      | _ -> [])) proof;
  let maximize = match text (field "sense" proof) with
    | "minimize" -> false | "maximize" -> true | _ -> refuse "expected minimize or maximize" in
  let listing = if compact then by_blocks proof else by_rows proof in
  let count = List.length listing.rows and wide = List.length listing.costs in
  let integers = if has "integers" proof then List.map index (list (field "integers" proof)) else [] in
  List.iter (fun j -> ignore (below wide j)) integers;
  distinct integers;
  let p = { maximize; constant = number (field "constant" proof); costs = listing.costs; rows = listing.rows;
    cones = listing.cones; integers } in
  let tree () = match tree_of count (list (field "tree" proof)) with
    | tree, [] -> tree | _ -> refuse "expected one leaf more than branches" in
  let vector name = dense wide (field name proof) in
  let value () = number (field "value" given) in
  let no_value () = if field "value" given <> Null then refuse "value: expected null for a program without an optimum" in
  let rest = if has "rest" proof then (match field "rest" proof with
    | Object found -> List.map (fun (name, most) -> (name, number most)) found | _ -> refuse "expected an object in rest") else [] in
  if wide = 0 && rest = [] && not ended then refuse "the listed program has no columns";
  let bound () = check_bound (plus_rest p (List.fold_left (fun sum (_, most) -> qplus sum most) zero rest))
    listing.box listing.multipliers (value ()) in
  let holds = match kind with
    | "lower" when not maximize -> bound ()
    | "upper" when maximize -> bound ()
    | "infeasible" -> no_value (); check_empty p listing.box (if has "integers" proof then tree () else Close listing.multipliers)
    | "optimal" -> check_optimum p listing.box (vector "point") (tree ()) (value ())
    | "unbounded" -> no_value (); check_unbounded p listing.box (vector "point") (in_whole_steps integers (vector "ray"))
    | _ -> refuse "expected a kind of the listed program's sense" in
  if not holds then refuse "the listed program does not have this proof";
  let conic = match List.length listing.cones with 0 -> "" | n -> Printf.sprintf ", %d cones" n in
  let premise (name, _) = Printf.sprintf ", if the total reduced cost of the unlisted %s is bounded by the stated number" name in
  Printf.sprintf "%s%s, %d rows%s, %d columns%s" kind (match field "value" given with Text v -> " " ^ v | _ -> "") count conic wide
    (String.concat "" (List.map premise rest))

(* Ratios of listed systems. States, places and requests are numbered in the order of the listing. *)
let numbers_of found =
  let all = Hashtbl.create 64 in
  List.iteri (fun n value -> Hashtbl.replace all value n) (list found); all
let amount found = let q = number found in match q.qnum with Zneg _ -> refuse "expected a number >= 0" | _ -> q
let by_index read found = filed (List.mapi (fun n each -> (n, read each)) (list found))
let by_request read found = filed (List.map (function
  | List [r; rows] -> (index r, List.map read (list rows)) | _ -> refuse "expected requests and lists") (list found))
type source = { y : system; listing : json; state : json -> int option; place : json -> int option; request : json -> int option }

let system_of listing =
  let find name = let all = numbers_of (field name listing) in fun value -> Hashtbl.find_opt all value in
  let yes name = match field name listing with Bool b -> b | _ -> refuse "expected true or false" in
  let first_state, first_place = match list (field "start" listing) with
    | [s; o] -> (index s, index o) | _ -> refuse "expected a state and a place" in
  let answer = function List [p; s; a] -> (number p, (index s, amount a)) | _ -> refuse "expected chance, state and amount" in
  let move = function List [o; a] -> (index o, amount a) | _ -> refuse "expected a place and an amount" in
  let come = function List [always; only] -> (List.map index (list always), by_request index only) | _ -> refuse "expected requests" in
  let come = by_index come (field "comes" listing) in
  let part n = List.length (list (field "places" listing)) |> fun count ->
    filed (List.filter_map (fun o -> Option.map (fun found -> (o, n found)) (entry come o)) (List.init count Fun.id)) in
  let y = { gains = yes "gains"; free = yes "constant"; first_state; first_place;
    answers = by_index (by_request answer) (field "answers" listing);
    moves = by_index (by_request move) (field "moves" listing); always = part fst; only = part snd } in
  { y; listing; state = find "states"; place = find "places"; request = find "requests" }

let unit_weight = over one one
module Beliefs = Hashtbl.Make (struct type t = (q * int) list let equal = (=) let hash = Hashtbl.hash_param 500 500 end)
(* All reachable beliefs, with the number of each reachable pair of a belief and a place. *)
let explored y number =
  let known = Beliefs.create 64 and whos = Hashtbl.create 64 and arcs = Hashtbl.create 64 in
  let numbers = Hashtbl.create 64 and seen = Hashtbl.create 64 and todo = Stack.create () in
  let numbered b = match Beliefs.find_opt known b with
    | Some k -> k
    | None -> let k = Beliefs.length known in Beliefs.add known b k; Hashtbl.add whos k b; k in
  let visit k o =
    if not (Hashtbl.mem seen (k, o)) then begin
      Hashtbl.add seen (k, o) (); Hashtbl.add numbers k (o, number (Hashtbl.find whos k) o); Stack.push (k, o) todo end in
  visit (numbered [(unit_weight, y.first_state)]) y.first_place;
  while not (Stack.is_empty todo) do
    let k, o = Stack.pop todo in
    let b = Hashtbl.find whos k in
    List.iter (fun r ->
      let next = match Hashtbl.find_opt arcs (k, r) with
        | Some (next, _) -> next
        | None -> let next = numbered (after_q y b r) in Hashtbl.add arcs (k, r) (next, pays_q y b r); next in
      List.iter (fun (place, _) -> visit next place) (entry_at y.moves o r)) (requests_q y b o)
  done;
  let own = Array.make (Hashtbl.length whos) [] in
  Hashtbl.iter (fun (k, r) arc -> own.(k) <- (r, arc) :: own.(k)) arcs;
  (Hashtbl.length seen, List.init (Array.length own) (fun k ->
    (k, { who = Hashtbl.find whos k; arcs = own.(k); numbers = Hashtbl.find_all numbers k })))

let rec value_of = function  (* a state: integers and texts, in lists *)
  | List found -> List.iter value_of found
  | Text _ -> ()
  | Number word when String.length word <= 7 && Z.leb (digits word) million -> ()
  | _ -> refuse "expected states of integers and texts"
let natural least = function
  | Number word -> let n = integer word in if Z.leb least n then n else refuse "expected a larger integer"
  | _ -> refuse "expected an integer"

let ratio_verdict source given =
  exactly (words "version system source setting options at_least at_most unit policy other potential way walk") given;
  if field "version" given <> Number "2" then refuse "expected version 2";
  List.iter (fun name -> if field name given <> field name source.listing then refuse ("the certificate has another " ^ name))
    (words "system source setting options");
  let y = source.y in
  let random = field "random" source.listing = Bool true in
  let belief found =  (* None: no reachable belief *)
    if not random then (value_of found; Option.map (fun s -> [(unit_weight, s)]) (source.state found))
    else
      let one_of = function List [s; p] -> (source.state s, qred (number p)) | _ -> refuse "expected states with weights" in
      let all = List.map one_of (list found) in
      if List.exists (fun (s, _) -> s = None) all then None
      else Some (List.sort (fun (_, s) (_, t) -> compare s t) (List.map (fun (s, p) -> (p, Option.get s)) all)) in
  let upper () = match field "at_most" given with
    | Null -> None
    | most ->
      let ratio = qred (number most) in
      let ours = Beliefs.create 64 and theirs = Hashtbl.create 64 and numbers = Hashtbl.create 64 in
      let rows = list (field "policy" given) in
      List.iteri (fun n row -> List.iter (fun each -> Option.iter (fun b -> Beliefs.replace ours b n) (belief each)) (list row)) rows;
      List.iteri (fun n each -> value_of each; Hashtbl.replace theirs each n) (list (field "other" given));
      List.iter (function
        | List [a; o; n] ->
          Hashtbl.replace numbers (below (List.length rows) (index a), below (Hashtbl.length theirs) (index o)) (natural Z0 n)
        | _ -> refuse "expected triples in potential") (list (field "potential" given));
      let rows_of_places = Hashtbl.create 64 in
      Hashtbl.iter (fun value n -> Option.iter (fun o -> Hashtbl.replace rows_of_places o n) (source.place value)) theirs;
      let number b o = match Beliefs.find_opt ours b, Hashtbl.find_opt rows_of_places o with
        | Some a, Some o -> (match Hashtbl.find_opt numbers (a, o) with Some n -> over n one | None -> zero)
        | _ -> zero in
      let scale = over (Z.mul (natural one (field "unit" given)) (Zpos ratio.qden)) one in
      let pairs, nodes = explored y number in
      if not (check_upper y scale ratio nodes) then refuse "the listed system does not have this potential";
      Some (Printf.sprintf "at most %s (%d pairs)" (text most) pairs) in
  let steps name = List.map (function
    | List [r; o] -> (match source.request r, source.place o with
      | Some r, Some o -> (r, o) | _ -> refuse "walk: an unknown request or place")
    | _ -> refuse "expected a request and a place") (list (field name given)) in
  let lower () = match field "at_least" given with
    | Null -> None
    | least ->
      let ratio = if least = Text "inf" then None else Some (number least) in
      if not (check_lower y ratio (steps "way") (steps "walk")) then refuse "the listed system does not have this walk";
      Some ("at least " ^ text least) in
  let upper = upper () in
  match List.filter_map Fun.id [lower (); upper] with
  | [] -> refuse "expected at_least, at_most or both"
  | claims -> Printf.sprintf "the competitive ratio is %s, %s additive constant" (String.concat " and " claims)
      (if y.free then "up to an" else "without an")

let read file =
  let channel = open_in_bin file in
  let text = really_input_string channel (in_channel_length channel) in
  close_in channel;
  let mark = String.length text >= 3 && String.sub text 0 3 = "\xef\xbb\xbf" in
  parse (if mark then String.sub text 3 (String.length text - 3) else text)
let judged work =
  try Ok (work ()) with
  | Refused reason | Sys_error reason -> Error reason
  | Stack_overflow | Out_of_memory -> Error "the certificate is too large for the verified checker"
  | Invalid_argument _ | Failure _ | End_of_file | Not_found -> Error "malformed input"

let () =
  let verdict, files = match List.tl (Array.to_list Sys.argv) with
    | "--system" :: listing :: files ->
      let source = judged (fun () -> system_of (read listing)) in
      ((fun given -> match source with Ok source -> ratio_verdict source given | Error reason -> refuse ("the listing: " ^ reason)), files)
    | files -> (verdict, files) in
  let proven file = match judged (fun () -> verdict (read file)) with
    | Ok statement -> print_endline ("proven: " ^ statement); true
    | Error reason -> print_endline ("NOT proven: " ^ reason); false in
  let every = List.for_all Fun.id (List.map proven files) in
  exit (if every && files <> [] then 0 else 1)
