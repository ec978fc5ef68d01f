"""Self-play: games at random tables, with a net in all seats that looks ahead to value moves.

A batch is some games at one table, and the positions that its players log. The seed and the number
of a batch decide its table, so a training can continue where it stopped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import blake2b

import numpy as np

from ethnos_sim.experiments.balancing.space import Space, make_space, usual_dimensions
from ethnos_sim.experiments.execution.threads import map_in_threads
from ethnos_sim.simulator.game.powers import Power
from ethnos_sim.simulator.rules import Rules, load_rules
from ethnos_sim.simulator.tables.batch import play_table
from ethnos_sim.simulator.tables.modes import RECRUITMENT, STANDARD
from ethnos_sim.simulator.tables.table import GameTable, Seat, leading_clans
from ethnos_sim.strategies import get_strategy
from ethnos_sim.strategies.afterstates.recording import (
    FIRST,
    MARGIN,
    ROW_INPUTS,
    WIN,
    logged_rows,
    teacher,
    weights_and_log,
)
from ethnos_sim.strategies.compiling import DEFAULTS, compiled_strategy
from ethnos_sim.strategies.line_up import Entry, parse_entry
from ethnos_sim.strategies.net.layout import INPUTS
from ethnos_sim.strategies.net.quantisation import quantise
from ethnos_sim.strategies.weights import aligned_copy

#: The most values that `move_values` changes.
MOST_MOVED_VALUES = 3
#: The share of drawn rules that have a new clan; the others have moved values.
NEW_CLAN_SHARE = 0.25

#: The values that a mode sets, which never move: the mode allows no other numbers.
MODE_VALUES = ("pool_refill",)

#: The name of the new clan.
NEW_CLAN = "newcomer"


def draw_rules(rules: Rules, players: int, random: np.random.Generator) -> Rules:
    """Rules that differ from `rules` at random, by a new clan or by moved values."""
    if random.random() < NEW_CLAN_SHARE:
        return add_clan(rules, random)
    return move_values(rules, players, random)


def move_values(rules: Rules, players: int, random: np.random.Generator) -> Rules:
    """Rules with other numbers for one to MOST_MOVED_VALUES values; a list is one value."""
    space = _movable_space(rules, players)
    while True:
        point = list(space.baseline)
        moved = int(random.integers(1, MOST_MOVED_VALUES + 1))
        for place in random.choice(len(point), moved, replace=False):
            point[place] = int(random.integers(len(space.factors[place].levels)))
        moved_rules = space.rules(tuple(point))
        if moved_rules not in (None, rules):
            return moved_rules


def add_clan(rules: Rules, random: np.random.Generator) -> Rules:
    """Rules with one more clan, with the power of another clan and the usual number of cards."""
    unfit = (Power.WILD, Power.CUSTOM)
    powers = [power.name for power in rules.powers.values() if power not in unfit]
    power = str(random.choice(powers)).lower()
    new = {f"clans.{NEW_CLAN}": power, f"{NEW_CLAN}.times_cards": 1}
    return load_rules(rules.edition, overrides={**rules.trace_values(), **new})


@lru_cache(16)
def _movable_space(rules: Rules, players: int) -> Space:
    """The space of the values that `move_values` may move."""
    usual = usual_dimensions(rules, players)
    return make_space(
        rules, [dimension for dimension in usual if dimension.name not in MODE_VALUES], players
    )


#: The share of tables with each number of players.
PLAYER_SHARES = {2: 0.18, 3: 0.18, 4: 0.28, 5: 0.18, 6: 0.18}

#: The share of tables whose rules are drawn at random.
DRAWN_RULES_SHARE = 0.5
#: The share of tables in recruitment mode.
RECRUITMENT_SHARE = 0.15
#: The share of seats with a clan that they may not lead.
RESTRICTED_SHARE = 0.15
#: The approximate number of seats in a batch, summed over its games.
BATCH_SEATS = 64
#: The number of decisions of a seat in a game for which memory is reserved.
DECISIONS_A_GAME = 160

#: The difference between the numbers of the first batches of two consecutive generations.
BATCHES_A_GENERATION = 1 << 16
#: The number of batches after which the positions are counted.
BATCHES_AT_A_TIME = 64

#: The difference between the numbers of the first deals of two consecutive batches, which is large
#: enough that no deal is repeated.
DEALS_A_BATCH = 64


@dataclass(frozen=True)
class Positions:
    """Positions to learn from: the positions after the moves that looking ahead tried.

    inputs     shape (positions, INPUTS)
    wins       the targets of the chances to win
    margins    the targets of the margins, in units of MARGIN_SCALE
    decisions  the numbers of the decisions; equal numbers are adjacent
    """

    inputs: np.ndarray
    wins: np.ndarray
    margins: np.ndarray
    decisions: np.ndarray

    @staticmethod
    def join(parts: list[Positions]) -> Positions:
        """Join positions, and number their decisions anew.

        A part is removed from the list when it is copied, so memory holds little more than the
        result.
        """
        starts = np.cumsum([0, *(len(part.decisions) for part in parts)])
        counts = [int(part.decisions[-1]) + 1 if len(part.decisions) else 0 for part in parts]
        before = np.cumsum([0, *counts])
        total = int(starts[-1])
        together = Positions(
            np.empty((total, INPUTS), parts[0].inputs.dtype),
            np.empty(total, np.float32),
            np.empty(total, np.float32),
            np.empty(total, np.int64),
        )
        while parts:
            part = parts.pop()
            rows = slice(starts[len(parts)], starts[len(parts) + 1])
            together.inputs[rows] = part.inputs
            together.wins[rows] = part.wins
            together.margins[rows] = part.margins
            together.decisions[rows] = part.decisions + before[len(parts)]
        return together

    def minibatches(self, size: int, seed: Sequence[int]) -> Iterator[np.ndarray]:
        """Minibatches of indices, of about this size; decisions are in random order."""
        decisions = np.random.default_rng(seed).permutation(int(self.decisions[-1]) + 1)
        place = np.empty_like(decisions)
        place[decisions] = np.arange(len(decisions))
        order = np.argsort(place[self.decisions], kind="stable")
        for start in self._minibatch_starts(size):
            yield order[start : start + size]

    def minibatch_count(self, size: int) -> int:
        """The number of minibatches of about this size."""
        return len(self._minibatch_starts(size))

    def _minibatch_starts(self, size: int) -> range:
        """The indices at which minibatches of about this size begin."""
        return range(0, max(len(self.decisions) - size // 2, 1), size)


@dataclass(frozen=True)
class SelfPlay:
    """Self-play with a seed, at tables with these rules.

    A share of the tables, `drawn_share`, has rules that `draw_rules` changed.
    """

    rules: Rules
    seed: int
    drawn_share: float = DRAWN_RULES_SHARE

    def seed_of(self, purpose: str) -> int:
        """The seed of the deals for a purpose: "lessons" or "trials"."""
        key = f"{self.seed} {purpose}".encode()
        return int.from_bytes(blake2b(key, digest_size=7).digest(), "big")

    def draw_table_rules(self, players: int, random: np.random.Generator) -> Rules:
        """The rules of a random table with this number of players."""
        if self.drawn_share == 0 or random.random() >= self.drawn_share:
            return self.rules
        return draw_rules(self.rules, players, random)

    def play_batch(self, number: int, net: np.ndarray) -> Positions:
        """Play the batch with this number, with a net in all seats; return its positions.

        The net looks ahead to value moves, and these values are the targets. Inputs have half
        precision, because many batches are in memory at a time.
        """
        random = np.random.default_rng([self.seed, 1, number])
        players = int(random.choice(list(PLAYER_SHARES), p=list(PLAYER_SHARES.values())))
        room = weights_and_log(net, BATCH_SEATS * DECISIONS_A_GAME)
        self._play(number, random, players, teacher_seat(room, net))
        rows = logged_rows(room)
        decisions = np.cumsum(rows[:, FIRST], dtype=np.int64) - 1
        inputs = rows[:, ROW_INPUTS:].astype(np.float16)
        return Positions(inputs, rows[:, WIN].copy(), rows[:, MARGIN].copy(), decisions)

    def _play(self, number: int, random: np.random.Generator, players: int, seat: Seat) -> None:
        """Play the games of a batch at a random table, with copies of a seat."""
        rules = self.draw_table_rules(players, random)
        clans = draw_clans(rules, players, random)
        leading = [clan for clan in clans if clan in leading_clans(rules)]
        seats = []
        for _ in range(players):
            barred = random.random() < RESTRICTED_SHARE
            clan = str(random.choice(leading)) if barred else None
            seats.append(replace(seat, never_leads=clan) if barred else seat)
        mode = RECRUITMENT if random.random() < RECRUITMENT_SHARE else STANDARD
        table = GameTable.prepare(rules, players, mode, clans, tuple(seats))
        play_table(
            table,
            seed=self.seed_of("lessons"),
            first_deal=number * DEALS_A_BATCH,
            deals=max(1, BATCH_SEATS // (table.players * table.rotations)),
        )

    def play_batches(
        self, generation: int, positions: int, net: np.ndarray, threads: int
    ) -> Positions:
        """Play the batches of a generation until they have this many positions.

        The positions and their order do not depend on the number of threads.
        """
        # Compile before several threads need the same player.
        compiled_strategy(DEFAULTS)
        compiled_strategy(teacher)
        parse_entry("learned", 4, self.rules).seat()
        first = generation * BATCHES_A_GENERATION
        parts: list[Positions] = []
        while sum(len(part.decisions) for part in parts) < positions:
            numbers = range(first, first + BATCHES_AT_A_TIME)
            played = map_in_threads(lambda number: self.play_batch(number, net), numbers, threads)
            parts.append(Positions.join(played))
            first += BATCHES_AT_A_TIME
        return Positions.join(parts)


def draw_clans(rules: Rules, players: int, random: np.random.Generator) -> tuple[str, ...]:
    """Random clans in play, sorted."""
    drawn = random.choice(rules.clans, rules.clans_in_play(players), replace=False)
    return tuple(sorted(str(clan) for clan in drawn))


def net_seat(net: np.ndarray, name: str) -> Seat:
    """A seat that plays by a net as `learned` does; seats of one name are one entry."""
    return Entry(name, get_strategy("learned"), (), weights=aligned_copy(quantise(net))).seat()


def teacher_seat(log: np.ndarray, net: np.ndarray) -> Seat:
    """A seat that plays by a net, looks ahead, and writes the values of moves to `log`."""
    policy = Entry("policy", get_strategy("learned"), (), weights=aligned_copy(quantise(net)))
    values = tuple(parameter.default for parameter in teacher.parameters)
    return Entry("teacher", teacher, values, policy, weights=log).seat()
