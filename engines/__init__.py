"""The rules of five board games, each a folder of its own: pure functions on frozen values.

Play a game of Ur at random, and see who has won:

>>> from random import Random
>>> from engines import royal_ur
>>> from engines.kernel import Outcome
>>> game, random = royal_ur.GAME, Random(7)
>>> position = game.new(["white", "black"], {}, seed=0)
>>> while not game.over(position):
...     dice = game.to_act(position) == "dice"
...     action = game.throw(position, random) if dice else random.choice(game.actions(position))
...     outcome = game.play(position, action)
...     assert isinstance(outcome, Outcome)
...     position = outcome.position
>>> game.winners(position) == tuple(seat for seat, points in game.score(position).items() if points)
True

Play a thousand random games without looking at what happens in them, some thousand a second:

>>> begun = game.new(["white", "black"], {}, seed=0)
>>> finished = [royal_ur.play_at_random(begun, random) for _ in range(1000)]
>>> 400 < sum(game.winners(last) == ("white",) for last in finished) < 600
True

Write a position in one line, and read it again:

>>> from engines import royal_tee
>>> from engines.royal_tee import notation
>>> start = royal_tee.GAME.new(["red", "green"], {}, seed=0)
>>> print(notation.write_position(start))
red@bottom,green@top red 1 6B5/12/12/12/12/12/12/12/12/12/12/5A6
>>> notation.read_position(notation.write_position(start)) == start
True

Solve a card of the Study:

>>> from engines import royal_study
>>> from engines.royal_study.search import solve
>>> puzzle = royal_study.GAME.position_from_json(
...     {"pieces": "KQB/N../R..", "targets": ["RNK/..Q/..B"], "level": 2})
>>> solve(puzzle)
{'least': 1, 'line': [{'turn': 'ccw', 'target': 0}]}
"""
