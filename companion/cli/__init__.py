"""The command line: one module a command, heavy imports only when the command runs."""
