"""From a located board to a probability for each label of each cell."""
