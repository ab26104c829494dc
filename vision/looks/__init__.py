"""Models of how a table and its pieces look, learned during a session: `learn` extends them, `refine` applies them."""
