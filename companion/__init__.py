"""The companion: sits beside a real board game, reads the table, judges moves and keeps the score.

Read a photograph of Royal Tee, take what it shows as a position, and judge whether a move was made since:

>>> import vision
>>> from pathlib import Path
>>> from companion.core.evidence import fuse_observations
>>> from companion.core.inference import judge
>>> from companion.games import GAMES
>>> tee = GAMES["royal-tee"]
>>> seen = vision.read(Path("tests/recorded/royal-tee/medium-32.jpg")).observation
>>> start = tee.engine.new(["blue", "yellow"], {}, seed=0)
>>> position = tee.adopt(start, dict(zip(seen.cells, seen.best())))
>>> judge(tee, position, (), fuse_observations([seen])).reported.value
'unchanged'
>>> dict(tee.engine.score(position))
{'blue': 47, 'yellow': 47}
"""

__version__ = "0.1.0"
