"""Programs: stationary and slot optima of (7)-(10), the projection (32), gangs."""
