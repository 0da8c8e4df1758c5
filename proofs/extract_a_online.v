(* A_online of a_online.v in OCaml, with OCaml's integers for times. *)
From Schedproof Require a_online.
From Coq Require Extraction ExtrOcamlBasic ExtrOcamlNatInt.
Extraction Language OCaml.
Extraction "a_online.ml" a_online.a_online a_online.residual a_online.static a_online.total_jct.
