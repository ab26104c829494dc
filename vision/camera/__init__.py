"""Cameras: one protocol, several sources of frames."""
