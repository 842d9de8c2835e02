"""What ``benchmarks/desk.py`` measures with: the peers, the servers, the browser."""
