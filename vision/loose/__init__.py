"""Eyes for what lies anywhere, without a board and its markers."""
