"""The multiserver family's policies: OGASched, the slot optimum that sees x(t), the baselines of section IV; regret."""

from schedproof.online.multiserver.drf import drf
from schedproof.online.multiserver.fairness import fairness, fairness_arrived
from schedproof.online.multiserver.oga_sched import oga_sched
from schedproof.online.multiserver.packing import binpacking, spreading
from schedproof.online.multiserver.regret import regret
from schedproof.online.multiserver.slot_optimum import slot_optimum

POLICIES = {
    "multiserver.oga_sched": oga_sched,
    "multiserver.slot_optimum": slot_optimum,
    "multiserver.drf": drf,
    "multiserver.fairness": fairness,
    "multiserver.fairness_arrived": fairness_arrived,
    "multiserver.binpacking": binpacking,
    "multiserver.spreading": spreading,
}
REGRETS = {"multiserver": regret}
