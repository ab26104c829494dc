"""The page: the companion's screen, buttons, voice and camera on phones and televisions in the house.

A page is one more display and one more source of events: it shows the same sentences as the screen, and its input goes
through the same inbox. The server runs in its own thread and delays nobody.
"""
