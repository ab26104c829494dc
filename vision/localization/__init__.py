"""Localization of the board: markers, pose and lens, tracking from frame to frame."""
