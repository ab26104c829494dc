"""The Royal Study's table."""
