"""What people see: screen, words, annotated pictures."""
