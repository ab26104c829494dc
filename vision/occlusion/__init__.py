"""Detection of hands, shadows and changed light over the board, and of motion."""
