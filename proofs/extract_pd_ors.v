(* The functions of pd_ors.v in OCaml; run_pd_ors.ml calls them with floating-point numbers. *)
From Schedproof Require pd_ors.
From Coq Require Extraction ExtrOcamlBasic ExtrOcamlNatInt.
Extraction Language OCaml.
Extraction "online.ml" pd_ors.schedules pd_ors.spots pd_ors.takes pd_ors.fitting pd_ors.payoff pd_ors.decide pd_ors.earned.
