"""Training of the shipped models: python -m vision.training MODEL. Not part of the wheel.

One folder a kind of model, each with data (what it learns from) and train (the network, learning, calibration, the
command); what they share is here; `render` draws training pictures. Needs the extra "train" (PyTorch on a processor is
enough).
"""
