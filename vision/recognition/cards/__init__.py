"""Playing cards on a grid: crops, faces, layout."""
