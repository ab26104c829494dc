"""Playing cards that are drawn: faces and backs of any number of decks, each made up by chance."""
