"""Each game's engine joined with its board: the one explicit list."""
