"""Markers to pose to patches to label probabilities."""
