"""What every test stands on: English sentences, and properties that are not judged by the clock."""

from __future__ import annotations

import os

from hypothesis import settings

os.environ["LANGUAGE"] = "en"  # tests quote sentences, whatever the machine speaks
for _name in [name for name in os.environ if name.startswith("COMPANION_")]:
    del os.environ[_name]
os.environ["COMPANION_SETTINGS"] = os.devnull  # nor whatever is set on it

settings.register_profile("house", deadline=None)  # times belong in tests/benchmarks, as ratios
settings.load_profile("house")
