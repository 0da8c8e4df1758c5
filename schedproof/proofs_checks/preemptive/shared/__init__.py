"""What several claims of the preemptive family share."""
