"""Training of the shipped models: python -m vision.training MODEL. Not part of the wheel.

There is a folder for each kind of model, with data (its samples) and train (the network, its training and calibration,
the command); shared code is here. It needs the extra "train"; PyTorch without a GPU is enough.
"""
