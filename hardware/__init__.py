"""Buttons, lamps, slider bar and buzzer. Importing it touches no pin."""
