"""Exact final scores, with the evidence for every line."""
