"""The companion: sits beside a real board game, reads the table, judges moves and keeps the score.

Read a photograph of Royal Tee:

>>> import vision
>>> from pathlib import Path
>>> from vision.recognition.reader import Reading
>>> reading = vision.read(Path("tests/recorded/royal-tee/medium-32.jpg"))
>>> assert isinstance(reading, Reading)  # not Blind, which has the reason

Take what it shows as a position, and score it:

>>> from companion.games import GAMES
>>> from engines.kernel import cells
>>> tee, seen = GAMES["royal-tee"], reading.observation
>>> start = tee.engine.new(["blue", "yellow"], {}, seed=0)
>>> position = tee.adopt(start, dict(zip(cells(seen.cells), seen.best())))
>>> assert position is not None  # a table that no game can come to gives no position
>>> dict(tee.engine.score(position))
{'blue': 47, 'yellow': 47}

Judge whether a photograph shows that a move was made since:

>>> from companion.core.evidence import fuse_observations
>>> from companion.core.inference import judge
>>> judge(tee, position, (), fuse_observations([seen])).decision.value
'unchanged'
"""

__version__ = "0.2.0"
