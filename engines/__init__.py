"""Pure rules of five board games: frozen positions, actions as values, chance supplied by the caller."""
