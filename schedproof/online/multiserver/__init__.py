"""The multiserver family's policies: OGASched, the slot optimum that sees x(t), the baselines of section IV; regret."""
