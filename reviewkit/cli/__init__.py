"""The command line: a skin over what can be done from Python."""
