"""A package of somebody else's with a family of its own: items arrive one by one, and a sack takes some of them."""
