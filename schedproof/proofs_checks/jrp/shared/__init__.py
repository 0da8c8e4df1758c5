"""What several claims of the jrp family share."""
