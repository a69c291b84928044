"""Figures with their intervals from the outcomes of a run, one package a family."""
