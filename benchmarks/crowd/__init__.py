"""Fifty raters at once: people on sockets and in browsers, troubles, and the reading back."""
