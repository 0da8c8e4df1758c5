"""The dmlrs family's programs: DMLRS (3)-(7), R-DMLRS (8)-(9), and the slot problem (19)."""

from schedproof.formulations.dmlrs.exact import exact
from schedproof.formulations.dmlrs.rdmlrs import rdmlrs
from schedproof.formulations.dmlrs.slot import slot

PROGRAMS = {"dmlrs.exact": exact, "dmlrs.rdmlrs": rdmlrs, "dmlrs.slot": slot}
