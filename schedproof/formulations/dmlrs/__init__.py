"""The dmlrs family's programs: DMLRS (3)-(7), R-DMLRS (8)-(9), the slot problem (19), and the baseline Dorm's."""

from schedproof.formulations.dmlrs.dorm import dorm
from schedproof.formulations.dmlrs.exact import exact
from schedproof.formulations.dmlrs.rdmlrs import rdmlrs
from schedproof.formulations.dmlrs.slot import slot

PROGRAMS = {"dmlrs.exact": exact, "dmlrs.rdmlrs": rdmlrs, "dmlrs.slot": slot, "dmlrs.dorm": dorm}
