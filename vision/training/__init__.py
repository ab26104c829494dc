"""Training of the shipped models: python -m vision.training MODEL. Not part of the wheel.

`models` declares what there is to train, `learning` has the loop, and what is learned from is in `data`, `figures`,
`cards` and `dice`, without torch. It needs the extra "train"; PyTorch without a GPU is enough.
"""
