"""The rules of five board games, each a folder of its own: pure functions on frozen values.

Play a hundred random games of Ur to their end:

>>> from random import Random
>>> from engines import royal_ur
>>> begun = royal_ur.GAME.new(["white", "black"], {}, seed=0)
>>> finished = [royal_ur.GAME.playout(begun, Random(seed)) for seed in range(100)]
>>> 30 < sum(royal_ur.GAME.winners(last) == ("white",) for last in finished) < 70
True

Play one action by action, as a program that shows or decides them would:

>>> game, random, position = royal_ur.GAME, Random(7), begun
>>> while not game.over(position):
...     dice = game.to_act(position) == "dice"
...     action = game.throw(position, random) if dice else random.choice(game.actions(position))
...     position = game.after(position, action).position
>>> len(game.winners(position))
1

Score a position of Territory, written in one line:

>>> from engines import territory
>>> from engines.territory import notation
>>> scored = notation.read_position("red,yellow,green red 2/8 roll - calm 8/8/aab5/a7/8/cc6/8/8")
>>> dict(territory.GAME.score(scored))
{'red': 13, 'yellow': 5, 'green': 12}

Judge a move: what is legal has an outcome, what is not a refusal with the paragraph of the rules.

>>> from engines import royal_tee
>>> from engines.kernel import cells
>>> from engines.royal_tee.position import Walk
>>> start = royal_tee.GAME.new(["red", "green"], {}, seed=0)
>>> royal_tee.GAME.play(start, Walk(cells(["F10"])))
Refusal(code='not-adjacent', rule='2.2', cells=('F12', 'F10'))
>>> [event.name for event in royal_tee.GAME.after(start, Walk(cells(["F11"]))).events]
['walked', 'claimed', 'turn']

Solve a card of the Study:

>>> from engines import royal_study
>>> from engines.royal_study.search import solve
>>> puzzle = royal_study.GAME.position_from_json(
...     {"pieces": "KQB/N../R..", "targets": ["RNK/..Q/..B"], "level": 2})
>>> solve(puzzle)
{'least': 1, 'line': [{'turn': 'ccw', 'target': 0}]}
"""
