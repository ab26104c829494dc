"""The page: screen, buttons, voice and camera of the companion on phones and televisions of the house.

A page is one more display and one more source of events: it shows what the screen shows, in the words of the screen,
and what players do on it goes through the same inbox. The server runs in a thread of its own and delays nobody.
"""
