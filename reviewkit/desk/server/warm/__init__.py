"""Warm starts: kernels that are forked from a process with everything imported (ADR 0014)."""
