"""Everything that does I/O: cameras, panels, clock, journal, the loop."""
