"""The toy family's claims."""
