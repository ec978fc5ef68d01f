"""A strategy cannot write to the game: not to its view, not to its restrictions, not beyond."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ethnos_sim.simulator import compilation
from ethnos_sim.simulator.batch import PlayedTable, play_seats
from ethnos_sim.simulator.errors import NoAnswer
from ethnos_sim.simulator.rules import Rules, load_rules
from ethnos_sim.strategies import LineUp, Strategy, load_strategy_file

HEAD = """\
import numpy as np
from ethnos_sim.strategies import Parameter, strategy
from ethnos_sim.strategies.toolkit import *
@kernel
def helper(record, player):
    record.prestige[player] = 900
@strategy(Parameter("way", 0, 0, 99, "what is written, and how"))
def sneak(view, parameters, memory, rng):
    "Plays its largest party from four cards on."
    way = int(parameters.way)
    me = view.player
"""
TAIL = """\
    party = largest_party(view)
    if party.leader >= 0 and (party.size >= 4 or hand_is_full(view)):
        return play(party)
    return draw() if not hand_is_full(view) else play(party)
"""

#: Ways to write to the view that a look at the source does not find.
WRITES = [
    "v = view; v.prestige[me] = 900",
    "v = view; w = v; w.prestige[me] += 1",
    "(v := view).prestige[me] = 900",
    "helper(view, me)",
    "view.prestige.fill(900)",
    "view.prestige.sort()",
    "a = view.markers.reshape(36); a[me] = 50",
    "b = np.transpose(view.markers[2:4]); b[me, 0] = 50",
    "for row in view.markers:\n            row[me] = 50",
    "r = view; s = r.rules; s.hand_limit = 100",
    "c = [view.supply, view.sea]; c[0][me] = 99",
    "d = (view, view); d[1].age_over = 1",
]
RESTRICTED = 50
OUTSIDE = 60


@pytest.fixture(scope="module")
def rules() -> Rules:
    return load_rules("second")


@pytest.fixture(scope="module")
def sneak(tmp_path_factory: pytest.TempPathFactory) -> Strategy:
    """One strategy with all ways, so that it is compiled once."""
    ways = "".join(f"    if way == {n + 1}:\n        {way}\n" for n, way in enumerate(WRITES))
    own = (
        f"    if way == {RESTRICTED}:\n"
        "        rng.never_leads = np.uint64(0)\n"
        "        rng.restrictions = 0\n"
        "        rng.filter_address = 0\n"
        f"    if way == {OUTSIDE}:\n"
        "        memory[view.turns * 10] = 1\n"
    )
    file = tmp_path_factory.mktemp("sneak") / "sneak.py"
    file.write_text(HEAD + ways + own + TAIL)
    (found,) = load_strategy_file(file)
    return found


def play(rules: Rules, line_up: str, deals: int = 40) -> PlayedTable:
    seats = LineUp.parse(line_up, 4, rules).seats()
    return play_seats(rules, players=4, clans=rules.clans[:6], seats=seats, seed=5, deals=deals)


@pytest.mark.usefixtures("sneak")
@pytest.mark.parametrize("way", range(1, len(WRITES) + 1), ids=lambda way: WRITES[way - 1])
def test_a_strategy_that_writes_to_its_view_is_named(rules: Rules, way: int) -> None:
    said = r"sneak\.py:7: in strategy 'sneak.*', the code writes to the view.*: game 0, .* turn \d"
    with pytest.raises(NoAnswer, match=said):
        play(rules, f"sneak:way={way},greedy")


@pytest.mark.usefixtures("sneak")
def test_a_strategy_that_could_write_but_does_not_plays_the_games_of_one_that_only_reads(
    rules: Rules, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the one that only reads is shown no copies, since the compiler proves it."""
    sneaky = play(rules, "sneak,greedy")
    proven = []
    prove = compilation.only_reads
    monkeypatch.setattr(compilation, "cache_folder", lambda: None)
    monkeypatch.setattr(
        compilation, "only_reads", lambda code: proven.append(prove(code)) or proven[-1]
    )
    file = tmp_path / "honest.py"
    noted = "    memory[way] += me\n    if random_chance(rng, 0.5):\n        memory[2] = me\n"
    file.write_text((HEAD + noted + TAIL).replace("def sneak", "def honest"))
    load_strategy_file(file)
    honest = play(rules, "honest,greedy")
    assert proven == [True]
    assert np.array_equal(sneaky.seats, honest.seats)
    assert np.array_equal(sneaky.games, honest.games)


@pytest.mark.usefixtures("sneak")
def test_a_strategy_cannot_lift_its_restrictions(rules: Rules) -> None:
    clan = rules.clans[0]
    restricted = f"never_leads={clan}:never_optional=yes"
    lifting = play(rules, f"sneak:way={RESTRICTED}:{restricted},greedy")
    bound = play(rules, f"sneak:{restricted},greedy")
    free = play(rules, "sneak,greedy")
    assert np.array_equal(lifting.seats, bound.seats)
    slot = bound.table.slots.index(clan)
    led = [batch.seats["led"][:, :, slot] for batch in (bound, free)]
    sneaks = bound.seats["entry"] % 2 == 0
    assert led[0][sneaks].sum() < led[1][sneaks].sum() / 10


@pytest.mark.usefixtures("sneak")
def test_an_index_outside_an_array_is_named(rules: Rules) -> None:
    with pytest.raises(NoAnswer, match=r"sneak\.py:7: in strategy 'sneak.*', IndexError: index is"):
        play(rules, f"sneak:way={OUTSIDE},greedy")
