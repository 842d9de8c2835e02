"""What the benchmark of agreement runs in processes of their own: ours, and other libraries."""
