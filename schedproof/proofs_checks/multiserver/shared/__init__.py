"""What several claims of Zhao et al. 2024 share."""
