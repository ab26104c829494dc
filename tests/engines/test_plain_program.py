"""A program as users write it, names of players as plain texts, passes strict type checking and runs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]

PROGRAM = """
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
points: int = royal_ur.GAME.score(royal_ur.play_at_random(ur, Random(7)))[ur.players[0]]
print(points)
"""


def test_a_plain_program_for_all_five_games_passes_strict_type_checking_and_runs(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM, encoding="utf-8")
    checked = _python("-m", "mypy", "--strict", str(program))
    assert checked.returncode == 0, checked.stdout
    ran = _python(str(program))
    assert (ran.returncode, ran.stderr) == (0, "")


def _python(*args: str) -> subprocess.CompletedProcess[str]:
    """Run the interpreter in the repository, whose settings and cache of mypy serve again."""
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    return subprocess.run(
        [sys.executable, *args], check=False, capture_output=True, text=True, cwd=REPOSITORY, env=environment
    )
