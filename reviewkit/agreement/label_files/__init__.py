"""Label files of others: what they say, vote by vote."""
