"""Programs: DMLRS (3)-(7), R-DMLRS (8)-(9), the slot problem (19), and Dorm."""
