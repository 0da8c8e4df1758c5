"""The multiserver family's programs: the stationary and the slot optimum of (7)-(10), the projection (32), gangs."""

from schedproof.formulations.multiserver.gang import gang
from schedproof.formulations.multiserver.projection import projection
from schedproof.formulations.multiserver.slot_optimum import slot_optimum
from schedproof.formulations.multiserver.stationary import stationary

PROGRAMS = {
    "multiserver.stationary": stationary,
    "multiserver.projection": projection,
    "multiserver.slot_optimum": slot_optimum,
    "multiserver.gang": gang,
}
