"""How the small network that labels cells is trained: on rendered tables, and on photographs with truth if given.

Nothing here runs at the table. It needs the extra "train" (PyTorch on a processor is enough).
"""
