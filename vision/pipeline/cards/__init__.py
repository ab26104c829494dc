"""Reading a table on whose cells cards lie, with flags and pawns on them."""
