"""The turn as values and functions: step(state, event) -> (state, effects)."""
