"""Buttons, lamps, slider bar and buzzer; knows neither rules nor pictures. Importing it touches no pin."""
