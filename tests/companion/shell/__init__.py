"""The shell: journal, loop, eye, effects."""
