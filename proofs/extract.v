(* The functions of checker.v and systems.v in OCaml. Indices are OCaml's integers, also for the two operations on them that follow. *)
From Schedproof Require checker systems.
From Coq Require PeanoNat Extraction ExtrOcamlBasic ExtrOcamlNatInt.
Extraction Language OCaml.
Extract Inlined Constant Coq.Arith.PeanoNat.Nat.div => "(/)".
Extract Inlined Constant Coq.Arith.PeanoNat.Nat.modulo => "(mod)".
Extraction "certificates.ml" checker.check_bound checker.plus_rest checker.check_empty checker.check_optimum checker.check_unbounded
  systems.check_upper systems.check_lower systems.filed systems.entry systems.entry_at systems.after_q systems.pays_q systems.requests_q
  QArith_base.Qplus Qreduction.Qred BinInt.Z.add BinInt.Z.mul BinInt.Z.opp BinInt.Z.leb.
