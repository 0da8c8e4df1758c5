"""TapFinger: clusters that learn which task to start, and with how much."""
