"""TapFinger: clusters that learn which task to start with which allocation."""
