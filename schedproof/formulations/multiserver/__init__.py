"""The multiserver family's programs: the stationary and the slot optimum of (7)-(10), the projection (32), gangs."""
