"""A short selection of evenings, seen as they are: all that is legal is confirmed, and nothing else."""

from pathlib import Path

import pytest

from companion.games import SIMULATED
from tests.evaluate import evenings
from tests.evaluate.evenings import SLOWNESS, Evening, figures, main, play


@pytest.mark.sampled(3)
@pytest.mark.parametrize("game", SIMULATED)
def test_true_observations_lead_to_true_verdicts(game: str, tmp_path: Path) -> None:
    outcome = play(Evening(game, 3, turns=24), tmp_path)
    found = figures(game, outcome)
    assert found["confirmed"] == found["legal"] >= 20, outcome.notes
    assert found["caught"] == found["cheats"] >= 2, outcome.notes
    assert (found["accepted"], found["refused_for_good"], found["score_equal"]) == (0, 0, 1), outcome.notes


@pytest.mark.sampled(2)
@pytest.mark.parametrize("game", ["royal-tee", "royal-ur", "territory"])
def test_people_move_what_the_companion_asks_for_its_own_seat_and_it_checks_that(game: str, tmp_path: Path) -> None:
    outcome = play(Evening(game, 6, turns=10, companion_seat=True), tmp_path)
    found = figures(game, outcome)
    assert found["confirmed"] == found["legal"] >= 7, outcome.notes
    assert found["caught"] == found["cheats"] >= 1, outcome.notes
    assert (found["accepted"], found["questions"], found["score_equal"]) == (0, 0, 1), outcome.notes


def test_a_card_that_was_just_laid_beside_the_board_is_seen_before_people_turn_it(tmp_path: Path) -> None:
    outcome = play(Evening("royal-study", 301, turns=9), tmp_path)
    found = figures("royal-study", outcome)
    assert found["confirmed"] == found["legal"] >= 7, outcome.notes
    assert found["questions"] == 0, outcome.notes


@pytest.mark.long
def test_a_card_that_is_met_by_being_turned_over_stays_until_it_was_seen(tmp_path: Path) -> None:
    outcome = play(Evening("royal-study", 843, turns=18), tmp_path)
    assert outcome.total("confirmed") == outcome.total("legal") == 18, outcome.notes


@pytest.mark.parametrize(("words", "slowest"), [([], SLOWNESS[1]), (["--slowness", "1"], 1.0)])
def test_the_program_is_as_slow_as_each_seed_draws_or_as_it_is_told(
    words: list[str], slowest: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[float] = []

    def played(evening: Evening, _folder: Path) -> evenings.Outcome:
        heard.append(evening.slows)
        return evenings.Outcome(1)

    monkeypatch.setattr(evenings, "play", played)
    main(["--games", "royal-ur", "--seeds", "1-40", *words])
    assert len(heard) == 40
    assert SLOWNESS[0] <= min(heard) < 1.2
    assert 0.9 * slowest < max(heard) <= slowest


@pytest.mark.parametrize(
    "arguments", [["--games", "chess"], ["--seeds", "few"], ["--see", "nothing"], ["--dice", "thumbs"]]
)
def test_arguments_that_cannot_be_used_end_with_2(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2


@pytest.mark.long
def test_a_counter_that_passed_for_home_and_comes_back_is_gone_back_to(tmp_path: Path) -> None:
    evening = Evening("royal-ur", 5, turns=9, habits=("taken-off",), habit_share=0.5)
    outcome = play(evening, tmp_path)
    assert (outcome.total("legal"), outcome.gave_up) == (9, 0)
