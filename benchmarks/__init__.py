"""Measurements of the course beside its peers: each a ratio, the two taking turns."""
