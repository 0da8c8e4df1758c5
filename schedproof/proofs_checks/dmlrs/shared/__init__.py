"""What several claims of the dmlrs family share."""
