"""The games that a net learns from: random tables, with a net in all seats that looks ahead.

A batch is some games at one table, with the positions that its players noted. Its table depends
only on the seed and the batch's number, so a training can continue where it stopped.
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
from ethnos_sim.strategies.compiling import DEFAULTS, compiled
from ethnos_sim.strategies.line_up import Entry, parse_entry
from ethnos_sim.strategies.net.layout import INPUTS
from ethnos_sim.strategies.net.quantisation import quantise_weights
from ethnos_sim.strategies.weights import aligned

#: The most values that `with_moved_values` changes.
MOST_MOVED = 3
#: The share of drawn rules with an added clan.
ADDED = 0.25

#: The values that a mode sets. They are never moved: the mode allows no other numbers.
OF_MODES = ("pool_refill",)

#: The name of an added clan.
NEW_CLAN = "newcomer"


def drawn_rules(rules: Rules, players: int, random: np.random.Generator) -> Rules:
    """Change rules at random: add a clan, or move values."""
    if random.random() < ADDED:
        return with_new_clan(rules, random)
    return with_moved_values(rules, players, random)


def with_moved_values(rules: Rules, players: int, random: np.random.Generator) -> Rules:
    """Rules in which one to MOST_MOVED values have other numbers; a list counts as one value."""
    space = _space(rules, players)
    while True:
        point = list(space.baseline)
        moved = int(random.integers(1, MOST_MOVED + 1))
        for place in random.choice(len(point), moved, replace=False):
            point[place] = int(random.integers(len(space.factors[place].levels)))
        moved_rules = space.rules(tuple(point))
        if moved_rules not in (None, rules):
            return moved_rules


def with_new_clan(rules: Rules, random: np.random.Generator) -> Rules:
    """Rules with one more clan, which has another clan's power and the usual number of cards."""
    unfit = (Power.WILD, Power.CUSTOM)
    powers = [power.name for power in rules.powers.values() if power not in unfit]
    power = str(random.choice(powers)).lower()
    new = {f"clans.{NEW_CLAN}": power, f"{NEW_CLAN}.times_cards": 1}
    return load_rules(rules.edition, overrides={**rules.trace_values(), **new})


@lru_cache(16)
def _space(rules: Rules, players: int) -> Space:
    usual = usual_dimensions(rules, players)
    return make_space(
        rules, [dimension for dimension in usual if dimension.name not in OF_MODES], players
    )


#: How often each number of players is drawn.
PLAYERS = {2: 0.18, 3: 0.18, 4: 0.28, 5: 0.18, 6: 0.18}

#: The share of tables whose rules are drawn at random.
DRAWN = 0.5
#: The share of tables in recruitment mode.
RECRUITMENTS = 0.15
#: The share of seats that may not lead a clan.
RESTRICTED = 0.15
#: A batch has about this many seats, summed over its games.
GAMES = 64
#: Memory is reserved for this many decisions per seat and game.
DECISIONS_A_GAME = 160

#: The first batches of consecutive generations have numbers that differ by this much.
BATCHES_A_GENERATION = 1 << 16
#: The number of batches that are played before their positions are counted.
BATCHES_AT_A_TIME = 64

#: The first deals of consecutive batches have numbers that differ by this much, so that no deal is
#: repeated.
DEALS_A_BATCH = 64


@dataclass(frozen=True)
class Positions:
    """Positions to learn from.

    inputs   shape (positions, INPUTS)
    wins     the targets of chances to win
    margins  the targets of margins, in units of MARGIN_SCALE
    turns    the number of the decision; the moves that looking ahead tried in it are neighbours
    """

    inputs: np.ndarray
    wins: np.ndarray
    margins: np.ndarray
    turns: np.ndarray

    @staticmethod
    def joined(parts: list[Positions]) -> Positions:
        """Join positions, with a different number for each decision.

        Each part is removed from the list when it is copied, so memory holds little more than the
        result.
        """
        ends = np.cumsum([len(part.turns) for part in parts])
        decisions = np.cumsum([int(part.turns[-1]) + 1 if len(part.turns) else 0 for part in parts])
        total = int(ends[-1])
        kind = parts[0].inputs.dtype
        together = Positions(
            np.empty((total, INPUTS), kind),
            np.empty(total, np.float32),
            np.empty(total, np.float32),
            np.empty(total, np.int64),
        )
        while parts:
            part = parts.pop()
            rows = slice(ends[len(parts)] - len(part.turns), ends[len(parts)])
            together.inputs[rows] = part.inputs
            together.wins[rows] = part.wins
            together.margins[rows] = part.margins
            together.turns[rows] = part.turns + (decisions[len(parts) - 1] if parts else 0)
        return together

    def minibatches(self, size: int, key: Sequence[int]) -> Iterator[np.ndarray]:
        """The indices of all positions in minibatches of about this size, in random order."""
        decisions = np.random.default_rng(key).permutation(int(self.turns[-1]) + 1)
        place = np.empty_like(decisions)
        place[decisions] = np.arange(len(decisions))
        order = np.argsort(place[self.turns], kind="stable")
        for start in self._starts(size):
            yield order[start : start + size]

    def steps(self, size: int) -> int:
        """The number of minibatches."""
        return len(self._starts(size))

    def _starts(self, size: int) -> range:
        return range(0, max(len(self.turns) - size // 2, 1), size)


@dataclass(frozen=True)
class SelfPlay:
    """Self-play: the rules and the seed.

    A share `drawn` of the tables has rules that `drawn_rules` changed at random.
    """

    rules: Rules
    seed: int
    drawn: float = DRAWN

    def seed_of(self, purpose: str) -> int:
        """The seed for the deals of a purpose."""
        key = f"{self.seed} {purpose}".encode()
        return int.from_bytes(blake2b(key, digest_size=7).digest(), "big")

    def table_rules(self, players: int, random: np.random.Generator) -> Rules:
        """The rules of a table with this number of players."""
        if self.drawn == 0 or random.random() >= self.drawn:
            return self.rules
        return drawn_rules(self.rules, players, random)

    def batch(self, number: int, net: np.ndarray) -> Positions:
        """Play a batch with one net in all seats.

        The net looks ahead to value the moves, and these values are the targets of training.

        Inputs have half precision, because many batches are in memory at a time.
        """
        random = np.random.default_rng([self.seed, 1, number])
        players = int(random.choice(list(PLAYERS), p=list(PLAYERS.values())))
        room = weights_and_log(net, GAMES * DECISIONS_A_GAME)
        self._play(number, random, players, learner(room, net))
        rows = logged_rows(room)
        turns = np.cumsum(rows[:, FIRST], dtype=np.int64) - 1
        inputs = rows[:, ROW_INPUTS:].astype(np.float16)
        return Positions(inputs, rows[:, WIN].copy(), rows[:, MARGIN].copy(), turns)

    def _play(self, number: int, random: np.random.Generator, players: int, learner: Seat) -> None:
        """Play the games of a batch at a random table, with the learner in all seats."""
        rules = self.table_rules(players, random)
        clans = draw_clans(rules, players, random)
        leading = [clan for clan in clans if clan in leading_clans(rules)]
        seats = []
        for _ in range(players):
            barred = random.random() < RESTRICTED
            clan = str(random.choice(leading)) if barred else None
            seats.append(replace(learner, never_leads=clan) if barred else learner)
        mode = RECRUITMENT if random.random() < RECRUITMENTS else STANDARD
        table = GameTable.prepare(rules, players, mode, clans, tuple(seats))
        play_table(
            table,
            seed=self.seed_of("lessons"),
            first_deal=number * DEALS_A_BATCH,
            deals=max(1, GAMES // (table.players * table.rotations)),
        )

    def batches(self, generation: int, positions: int, net: np.ndarray, threads: int) -> Positions:
        """Play batches until they have at least this many positions.

        The threads do not change the positions or their order.
        """
        # Compile before several threads need the same player.
        compiled(DEFAULTS)
        compiled(teacher)
        parse_entry("learned", 4, self.rules).seat()
        first = generation * BATCHES_A_GENERATION
        parts: list[Positions] = []
        while sum(len(part.turns) for part in parts) < positions:
            numbers = range(first, first + BATCHES_AT_A_TIME)
            played = map_in_threads(lambda number: self.batch(number, net), numbers, threads)
            parts.append(Positions.joined(played))
            first += BATCHES_AT_A_TIME
        return Positions.joined(parts)


def draw_clans(rules: Rules, players: int, random: np.random.Generator) -> tuple[str, ...]:
    """Random clans in play."""
    drawn = random.choice(rules.clans, rules.clans_in_play(players), replace=False)
    return tuple(sorted(str(clan) for clan in drawn))


def net_seat(net: np.ndarray, name: str) -> Seat:
    """A seat that plays by a net as `learned` does; seats with equal names are one entry."""
    return Entry(name, get_strategy("learned"), (), weights=aligned(quantise_weights(net))).seat()


def learner(room: np.ndarray, net: np.ndarray) -> Seat:
    """A seat that plays by a net and notes how looking ahead values its moves."""
    policy = Entry("policy", get_strategy("learned"), (), weights=aligned(quantise_weights(net)))
    values = tuple(parameter.default for parameter in teacher.parameters)
    return Entry("teacher", teacher, values, policy, weights=room).seat()
