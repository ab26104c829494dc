"""How the network that tells playing cards apart is trained: on cards that are drawn."""
