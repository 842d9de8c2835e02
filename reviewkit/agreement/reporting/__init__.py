"""The report on agreement: what it holds, how it is worded, how it looks."""
