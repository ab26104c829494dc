"""Cards and dice lying anywhere, without markers."""
