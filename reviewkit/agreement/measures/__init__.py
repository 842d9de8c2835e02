"""Coefficients of agreement and their intervals, over any number of raters."""
