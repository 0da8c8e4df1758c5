(* Read certificates of listed programs (JSON) and ask the functions that Coq extracts from `checker.v` whether they prove their
   statements. This file is trusted: it turns the text into a program with its multipliers, tree, point or ray.
   Usage: schedproof-verified CERTIFICATE... prints a line for each; the exit code is 1 if one is not proven. *)
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
let list = function List found -> found | _ -> refuse "expected a list"
let text = function Text found -> found | _ -> refuse "expected a text"

(* Numbers: the binary integers of Coq. *)
let rec positive_of n = if n = 1 then XH else if n land 1 = 0 then XO (positive_of (n / 2)) else XI (positive_of (n / 2))
let z_of n = if n = 0 then Z0 else if n > 0 then Zpos (positive_of n) else Zneg (positive_of (-n))
let million = z_of 1_000_000
let digits word =
  if word = "" || String.exists (fun c -> c < '0' || c > '9') word then refuse ("expected digits, found " ^ word);
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
  | [n; d] -> over (integer n) (digits d)
  | _ -> refuse ("expected a rational like 7/3, found " ^ word)
let number = function Text word -> rational word | _ -> refuse "expected a rational in quotes"
let index = function
  | Number word -> (match int_of_string_opt ("0u" ^ word) with Some n -> n | None -> refuse ("expected an index, found " ^ word))
  | _ -> refuse "expected an index"
let side = function Null -> None | found -> Some (number found)
let pairs found = List.map (fun pair -> match list pair with [n; q] -> (index n, number q) | _ -> refuse "expected pairs") (list found)
let dense what count found =
  let all = Array.make count { qnum = Z0; qden = XH } and seen = Array.make count false in
  List.iter (fun (n, q) ->
    if n >= count then refuse (what ^ ": an index is out of range");
    if seen.(n) then refuse (what ^ ": an index occurs twice");
    seen.(n) <- true; all.(n) <- q) (pairs found);
  Array.to_list all

(* A program, as version 2 lists it by rows, or version 3 in blocks of integers: rows, then columns by their terms. *)
type listing = { costs : q list; box : (q option * q option) list; rows : row list; multipliers : q list }

let by_rows proof =
  let column c = match list c with
    | [_; cost; low; high] -> (number cost, (side low, side high))
    | _ -> refuse "expected columns of a name, a cost and two ends" in
  let row r = match list r with
    | [_; low; high; terms] -> { within = (side low, side high); terms = pairs terms }
    | _ -> refuse "expected rows of a name, two sides and terms" in
  let columns = List.map column (list (field "columns" proof)) and rows = List.map row (list (field "rows" proof)) in
  let given = if has "multipliers" proof then field "multipliers" proof else List [] in
  { costs = List.map fst columns; box = List.map snd columns; rows; multipliers = dense "multipliers" (List.length rows) given }

let each count = function  (* one number stands for a list of equal ones *)
  | List all -> if List.length all <> count then refuse "a block has lists of different lengths" else Array.of_list all
  | same -> Array.make count same
let whole = function Number word -> integer word | _ -> refuse "expected an integer"
let over_scale scale found = over (whole found) scale
let end_over scale = function Null -> None | found -> Some (over_scale scale found)

let by_blocks proof =
  let scale = whole (field "scale" proof) and unit = whole (field "unit" proof) in
  let blocks = List.map list (list (field "blocks" proof)) in
  let rows = List.concat_map (function
    | [Text "rows"; _; names; _; low; high; times] ->
      let count = List.length (list names) in
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
        for t = !first to !first + own - 1 do
          let i = index at.(t) in
          if i >= Array.length terms then refuse "an index of a row is out of range";
          terms.(i) <- (!before + k, over_scale one coefficients.(t)) :: terms.(i)
        done;
        first := !first + own) counts;
      before := !before + count;
      List.init count (fun k -> (over_scale scale costs.(k), (end_over scale low.(k), end_over scale high.(k))))
    | _ -> refuse "expected blocks of rows or of columns") blocks in
  let row i (within, _) = { within; terms = terms.(i) } in
  { costs = List.map fst columns; box = List.map snd columns; rows = List.mapi row rows; multipliers = List.map snd rows }

let rec tree_of rows = function  (* depth first; a leaf has multipliers *)
  | List (Number j :: rest) :: nodes ->
    let v = match rest with [Number v] -> integer v | _ -> refuse "expected branches of a column and a whole number" in
    let below, nodes = tree_of rows nodes in
    let above, nodes = tree_of rows nodes in
    (Split (index (Number j), v, below, above), nodes)
  | leaf :: nodes -> (Close (dense "tree" rows leaf), nodes)
  | [] -> refuse "expected one leaf more than branches"

let in_whole_steps integers ray =  (* a multiple of the ray that is whole in integer columns *)
  let times = List.fold_left (fun n j -> Z.mul n (Zpos (List.nth ray j).qden)) one integers in
  List.map (fun x -> { x with qnum = Z.mul x.qnum times }) ray

let verdict given =
  let proof = field "multipliers" given in
  List.iter (fun name -> if has name proof then refuse ("the verified checker does not cover " ^ name)) ["cones"; "rest"; "parts"];
  let listing = match field "version" given with
    | Number "2" -> by_rows proof
    | Number "3" -> by_blocks proof
    | _ -> refuse "the verified checker needs a certificate that lists its program" in
  let count = List.length listing.rows and wide = List.length listing.costs in
  let maximize = match text (field "sense" proof) with
    | "minimize" -> false | "maximize" -> true | _ -> refuse "expected minimize or maximize" in
  let integers = if has "integers" proof then List.map index (list (field "integers" proof)) else [] in
  if List.exists (fun j -> j >= wide) integers then refuse "integers: an index is out of range";
  let p = { maximize; constant = number (field "constant" proof); costs = listing.costs; rows = listing.rows; integers } in
  let tree () = match tree_of count (list (field "tree" proof)) with
    | tree, [] -> tree | _ -> refuse "expected one leaf more than branches" in
  let vector name = dense name wide (field name proof) in
  let value () = number (field "value" given) in
  let kind = text (field "kind" given) in
  let holds = match kind with
    | "lower" when not maximize -> check_bound p listing.box listing.multipliers (value ())
    | "upper" when maximize -> check_bound p listing.box listing.multipliers (value ())
    | "infeasible" -> check_empty p listing.box (if has "integers" proof then tree () else Close listing.multipliers)
    | "optimal" -> check_optimum p listing.box (vector "point") (tree ()) (value ())
    | "unbounded" -> check_unbounded p listing.box (vector "point") (in_whole_steps integers (vector "ray"))
    | _ -> refuse "expected a kind of the listed program's sense" in
  if not holds then refuse "the listed program does not have this proof";
  Printf.sprintf "%s%s, %d rows, %d columns" kind (match field "value" given with Text v -> " " ^ v | _ -> "") count wide

let judge file =
  try
    let channel = open_in_bin file in
    let text = really_input_string channel (in_channel_length channel) in
    close_in channel;
    let mark = String.length text >= 3 && String.sub text 0 3 = "\xef\xbb\xbf" in
    Ok (verdict (parse (if mark then String.sub text 3 (String.length text - 3) else text)))
  with
  | Refused reason | Sys_error reason -> Error reason
  | Stack_overflow | Out_of_memory -> Error "the certificate is too large for the verified checker"
  | Invalid_argument _ | Failure _ | End_of_file -> Error "malformed input"

let () =
  let proven = ref true in
  for n = 1 to Array.length Sys.argv - 1 do
    match judge Sys.argv.(n) with
    | Ok statement -> print_endline ("proven: " ^ statement)
    | Error reason -> proven := false; print_endline ("NOT proven: " ^ reason)
  done;
  exit (if !proven && Array.length Sys.argv > 1 then 0 else 1)
