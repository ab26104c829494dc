"""Pictures for training that are drawn, with exact truth."""
