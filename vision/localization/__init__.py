"""Finding the board: markers, pose with the lens, following it from frame to frame."""
