(* The functions of checker.v in OCaml. Indices are OCaml's integers, also for the two operations on them that follow. *)
From Schedproof Require checker.
From Coq Require PeanoNat Extraction ExtrOcamlBasic ExtrOcamlNatInt.
Extraction Language OCaml.
Extract Inlined Constant Coq.Arith.PeanoNat.Nat.div => "(/)".
Extract Inlined Constant Coq.Arith.PeanoNat.Nat.modulo => "(mod)".
Extraction "certificates.ml" checker.check_bound checker.check_empty checker.check_optimum checker.check_unbounded BinInt.Z.add BinInt.Z.mul BinInt.Z.opp.
