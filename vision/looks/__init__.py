"""What this table and this evening's pieces look like: `refine` reads an observation by it, `learn` adds to it."""
