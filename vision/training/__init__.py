"""Training of the shipped models: python -m vision.training MODEL. Not part of the wheel.

One folder a kind of model, each with data (what it learns from), model (the network), fit (learning and calibration)
and train (the command); `render` draws training pictures. Needs the extra "train" (PyTorch on a processor is enough).
"""
