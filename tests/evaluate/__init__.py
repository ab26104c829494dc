"""Measures the eye on pictures whose truth is known: `python -m tests.evaluate FOLDER [--baseline FILE]`."""
