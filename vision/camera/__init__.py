"""Cameras: one protocol for several sources of frames."""
