"""The words in six languages."""
