"""What serves the notebooks to known people: Voila behind a door, with kernels of their own."""
