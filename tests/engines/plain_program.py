"""A program as users write it: names of players are plain texts. mypy checks it with all the rest; a test runs it."""

# ruff: noqa: T201 - it prints, as programs do

from random import Random

from engines import royal_racers, royal_study, royal_tee, royal_ur, territory
from engines.kernel import Outcome, Refusal

tee = royal_tee.GAME.new(["red", "green"], {}, seed=7)
walk = royal_tee.GAME.actions(tee)[0]
outcome = royal_tee.GAME.play(tee, walk)
if isinstance(outcome, Outcome):
    tee = outcome.position
print(tee, royal_tee.GAME.winners(tee), royal_tee.GAME.action_to_json(walk))

map_of_territory = territory.GAME.new(["red", "yellow", "green"], {"rounds": 3}, seed=7)
print(territory.GAME.play(map_of_territory, territory.GAME.throw(map_of_territory, Random(7))))

study = royal_study.GAME.new(["white", "black"], {"level": 2}, seed=7)
print(royal_study.GAME.position_to_json(study)["pieces"])

racers = royal_racers.GAME.new(["suns", "moons"], {}, seed=7)
refused = royal_racers.GAME.play(racers, royal_racers.Pass())
print(refused.code if isinstance(refused, Refusal) else refused.position)

ur = royal_ur.GAME.new(["white", "black"], {}, seed=7)
points: int = royal_ur.GAME.score(royal_ur.GAME.playout(ur, Random(7)))[ur.players[0]]
print(points)
