(* The first iteration of rounding.v in OCaml, with OCaml's integers for indices. *)
From Schedproof Require rounding.
From Coq Require Extraction ExtrOcamlBasic ExtrOcamlNatInt.
Extraction Language OCaml.
Extraction "first_iteration.ml" rounding.spread rounding.of_storage rounding.of_compute rounding.of_bandwidth rounding.accepts.
