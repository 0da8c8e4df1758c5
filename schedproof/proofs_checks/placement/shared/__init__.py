"""What several claims of the placement family share."""
