"""What every test stands on: English sentences, and properties that are not judged by the clock."""

from __future__ import annotations

import os

from hypothesis import settings

os.environ["LANGUAGE"] = "en"  # tests quote sentences, whatever the machine speaks

settings.register_profile("house", deadline=None)  # times belong in tests/benchmarks, as ratios
settings.load_profile("house")
