"""The companion: sits beside a real board game, reads the table, judges moves and keeps the score.

Read a photograph of Royal Tee, take what it shows as a position, and score it:

>>> import vision
>>> from pathlib import Path
>>> from companion.games import GAMES
>>> tee = GAMES["royal-tee"]
>>> seen = vision.read(Path("tests/recorded/royal-tee/medium-32.jpg")).observation
>>> start = tee.engine.new(["blue", "yellow"], {}, seed=0)
>>> position = tee.adopt(start, dict(zip(seen.cells, seen.best())))
>>> dict(tee.engine.score(position))
{'blue': 47, 'yellow': 47}

Judge whether a photograph shows that a move was made since:

>>> from companion.core.evidence import fuse_observations
>>> from companion.core.inference import judge
>>> judge(tee, position, (), fuse_observations([seen])).reported.value
'unchanged'
"""

__version__ = "0.2.0"
