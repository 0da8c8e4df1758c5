(* OGASched of oga.v over the rationals in OCaml; run_oga.ml reads instances and prints schedules. *)
From Schedproof Require oga oga_utilities oga_rational.
From Coq Require Extraction ExtrOcamlBasic ExtrOcamlNatInt.
Extraction Language OCaml.
Extraction "oga_run.ml" oga_rational.rationals oga_rational.slope54_q oga_rational.slope54_short oga_utilities.file_instance oga.schedule oga.amount BinInt.Z.opp.
