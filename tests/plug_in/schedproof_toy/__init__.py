"""A third-party package with its own family: items arrive one by one at a sack."""
