"""The games that a net learns from: random tables, with the net itself and a league as players.

A batch is some games at one table, with the positions that its players noted. Its table depends
only on the seed and the batch's number, so a training can continue where it stopped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import blake2b

import numpy as np

from ethnos_sim.experiments.balancing.space import Space, make_space, usual_dimensions
from ethnos_sim.experiments.designs.null_clan import with_nulled_clan
from ethnos_sim.experiments.execution.threads import in_threads
from ethnos_sim.experiments.training.network import targets
from ethnos_sim.simulator.game.powers import Power
from ethnos_sim.simulator.rules import Rules, load_rules
from ethnos_sim.simulator.tables.batch import PlayedTable, play_table
from ethnos_sim.simulator.tables.modes import RECRUITMENT, STANDARD
from ethnos_sim.simulator.tables.table import GameTable, Seat
from ethnos_sim.strategies import get_strategy
from ethnos_sim.strategies.afterstates.layout import INPUTS
from ethnos_sim.strategies.afterstates.quantised import quantised
from ethnos_sim.strategies.afterstates.recording import (
    FIRST,
    LOG,
    MARGIN,
    ROW_INPUTS,
    WIN,
    recorder,
    room_for,
    rows_of,
    teacher,
)
from ethnos_sim.strategies.compiling import DEFAULTS, compiled
from ethnos_sim.strategies.line_up import Entry, parse_entry
from ethnos_sim.strategies.weights import aligned, weights_of

#: The most values that `with_moved_values` changes.
MOST_MOVED = 3
#: The share of drawn rules with an added clan.
ADDED = 0.25
#: The share of drawn rules with a clan whose power does nothing.
NULL_CLAN = 0.25

#: The values that a mode sets. They are never moved: the mode allows no other numbers.
OF_MODES = ("pool_refill",)

#: The name of an added clan.
NEW_CLAN = "newcomer"


def drawn_rules(rules: Rules, players: int, random: np.random.Generator) -> Rules:
    """Change rules at random: add a clan, let a clan's power do nothing, or move values."""
    kind = random.random()
    if kind < ADDED:
        return with_new_clan(rules, random)
    if kind < ADDED + NULL_CLAN:
        return with_any_null_clan(rules, random)
    return with_moved_values(rules, players, random)


def with_moved_values(rules: Rules, players: int, random: np.random.Generator) -> Rules:
    """Rules in which one to MOST_MOVED values have other numbers; a list counts as one value."""
    space = _space(rules, players)
    while True:
        point = list(space.start)
        moved = int(random.integers(1, MOST_MOVED + 1))
        for place in random.choice(len(point), moved, replace=False):
            point[place] = int(random.integers(len(space.factors[place].levels)))
        moved_rules = space.rules(tuple(point))
        if moved_rules is not None and tuple(point) != space.start:
            return moved_rules


def with_new_clan(rules: Rules, random: np.random.Generator) -> Rules:
    """Rules with one more clan, which has another clan's power and the usual number of cards."""
    power = str(random.choice([power.name for power in _leading(rules).values()])).lower()
    new = {f"clans.{NEW_CLAN}": power, f"{NEW_CLAN}.times_cards": 1}
    return load_rules(rules.edition, overrides={**rules.trace_values(), **new})


def with_any_null_clan(rules: Rules, random: np.random.Generator) -> Rules:
    """Rules in which one clan's power does nothing."""
    return with_nulled_clan(rules, str(random.choice(list(_leading(rules)))))


def _leading(rules: Rules) -> dict[str, Power]:
    unfit = (Power.WILD, Power.CUSTOM)
    return {clan: power for clan, power in rules.powers.items() if power not in unfit}


@lru_cache(16)
def _space(rules: Rules, players: int) -> Space:
    usual = usual_dimensions(rules, players)
    return make_space(
        rules, [dimension for dimension in usual if dimension.name not in OF_MODES], players
    )


#: The nets that play, by number of players.
Nets = Mapping[int, np.ndarray]

#: How often each number of players is drawn.
PLAYERS = {2: 0.18, 3: 0.18, 4: 0.28, 5: 0.18, 6: 0.18}

#: The share of tables in recruitment mode.
RECRUITMENTS = 0.15
#: The share of seats that may not lead a clan.
RESTRICTED = 0.15
#: The share of tables at which not all players are the net itself.
MIXED = 0.35
#: At these mixed tables, the share of the seats after the first that other players take.
OTHERS = 0.6
#: The share of the net's moves that are random.
CHANCE = 0.03

#: The players of the league that are not nets.
HEURISTICS = ("champion", "champion", "evaluator", "warden", "greedy")
#: The share of the league's seats that older nets have.
OLDER_NETS = 0.4

#: A batch has about this many seats, summed over its games.
GAMES = 64
#: Memory is reserved for this many decisions per seat and game.
DECISIONS_A_GAME = 160

#: The number of the first batch that is taught by looking ahead.
FIRST_TAUGHT = 1 << 24
#: The first taught batches of consecutive generations have numbers that differ by this much.
TAUGHT_A_GENERATION = 1 << 16
#: The number of taught batches that are played before their positions are counted.
TAUGHT_AT_A_TIME = 64

#: The first deals of consecutive batches have numbers that differ by this much, so that no deal is
#: repeated.
DEALS_A_BATCH = 64

#: Lambda of the temporal differences.
TRACE = 0.8


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
    """Self-play: the rules and the seed; all numbers of players unless one is given.

    A share `drawn` of the tables has rules that `drawn_rules` changed at random.
    """

    rules: Rules
    seed: int
    players: int | None = None
    drawn: float = 0.0

    def seed_of(self, purpose: str) -> int:
        """The seed for the deals of a purpose."""
        key = f"{self.seed} {purpose}".encode()
        return int.from_bytes(blake2b(key, digest_size=7).digest(), "big")

    def table_rules(self, players: int, random: np.random.Generator) -> Rules:
        """The rules of a table with this number of players."""
        if self.drawn == 0 or random.random() >= self.drawn:
            return self.rules
        return drawn_rules(self.rules, players, random)

    def batch(self, number: int, net: np.ndarray, league: Sequence[np.ndarray]) -> Positions:
        """Play a batch with a net among a league; the targets come from how the games end."""
        random, players = self._begin(number)
        room = room_for(net, GAMES * DECISIONS_A_GAME)
        batch = self._play(number, random, players, learner(room), league)
        rows = rows_of(room)
        wins, margins = targets(rows, batch.seats["won"], batch.seats["prestige"], TRACE)
        return Positions(rows[:, ROW_INPUTS:], wins, margins, np.arange(len(rows)))

    def taught(self, number: int, nets: Nets) -> Positions:
        """Play a batch with one net in all seats; looking ahead with it gives the targets.

        Inputs have half precision, because many batches are in memory at a time.
        """
        random, players = self._begin(number)
        net = nets[players]
        room = room_for(net, GAMES * DECISIONS_A_GAME)
        self._play(number, random, players, taught_learner(room, net), None)
        rows = rows_of(room)
        turns = np.cumsum(rows[:, FIRST], dtype=np.int64) - 1
        inputs = rows[:, ROW_INPUTS:].astype(np.float16)
        return Positions(inputs, rows[:, WIN].copy(), rows[:, MARGIN].copy(), turns)

    def _begin(self, number: int) -> tuple[np.random.Generator, int]:
        random = np.random.default_rng([self.seed, 1, number])
        if self.players is not None:
            return random, self.players
        return random, int(random.choice(list(PLAYERS), p=list(PLAYERS.values())))

    def _play(
        self,
        number: int,
        random: np.random.Generator,
        players: int,
        seat: Seat,
        league: Sequence[np.ndarray] | None,
    ) -> PlayedTable:
        """Play the games of a batch at a random table.

        The learner sits in the first seat, or in all seats if there is no league.
        """
        rules = self.table_rules(players, random)
        clans = draw_clans(rules, players, random)
        leading = [clan for clan in clans if rules.power_of(clan) is not Power.WILD]
        mixed = league is not None and random.random() < MIXED
        seats = []
        for place in range(players):
            learns = place == 0 or not mixed or random.random() >= OTHERS
            sits = seat if learns else self._other(players, random, league or ())
            if random.random() < RESTRICTED:
                sits = replace(sits, never_leads=str(random.choice(leading)))
            seats.append(sits)
        mode = RECRUITMENT if random.random() < RECRUITMENTS else STANDARD
        table = GameTable.prepare(rules, players, mode, clans, tuple(seats))
        return play_table(
            table,
            seed=self.seed_of("lessons"),
            first_deal=number * DEALS_A_BATCH,
            deals=max(1, GAMES // (table.players * table.rotations)),
        )

    def batches(
        self, first: int, count: int, net: np.ndarray, league: Sequence[np.ndarray], threads: int
    ) -> Positions:
        """Play `count` batches; the threads do not change the order of their positions."""
        self._compile()
        numbers = range(first, first + count)
        played = in_threads(lambda number: self.batch(number, net, league), numbers, threads)
        return Positions.joined(played)

    def taught_batches(
        self, generation: int, positions: int, nets: Nets, threads: int
    ) -> Positions:
        """Play batches by looking ahead until they have at least this many positions."""
        self._compile()
        compiled(teacher)
        first = FIRST_TAUGHT + generation * TAUGHT_A_GENERATION
        parts: list[Positions] = []
        while sum(len(part.turns) for part in parts) < positions:
            numbers = range(first, first + TAUGHT_AT_A_TIME)
            played = in_threads(lambda number: self.taught(number, nets), numbers, threads)
            parts.append(Positions.joined(played))
            first += TAUGHT_AT_A_TIME
        return Positions.joined(parts)

    def _compile(self) -> None:
        """Compile each player that a batch may need, before several threads need the same one."""
        compiled(recorder)
        compiled(DEFAULTS)
        for name in ("learned", *HEURISTICS):
            parse_entry(name, 4, self.rules).seat()

    def _other(
        self, players: int, random: np.random.Generator, league: Sequence[np.ndarray]
    ) -> Seat:
        if league and random.random() < OLDER_NETS:
            older = int(random.integers(len(league)))
            return net_seat(league[older], f"net {older}")
        name = HEURISTICS[int(random.integers(len(HEURISTICS)))]
        return parse_entry(name, players, self.rules).seat()


def draw_clans(rules: Rules, players: int, random: np.random.Generator) -> tuple[str, ...]:
    """Random clans in play."""
    drawn = random.choice(rules.clans, rules.clans_in_play(players), replace=False)
    return tuple(sorted(str(clan) for clan in drawn))


def net_seat(net: np.ndarray, name: str) -> Seat:
    """A seat that plays by a net as `learned` does; seats with equal names are one entry."""
    return Entry(name, get_strategy("learned"), (), weights=aligned(quantised(net))).seat()


def nets_of(rules: Rules, players: int | None, file: str | None = None) -> Nets:
    """The weights of `learned`, or of a file, for one number of players or for each number.

    Raises:
        StrategyError: the file is wrong.
    """
    numbers = PLAYERS if players is None else [players]
    nets = {n: weights_of(get_strategy("learned"), rules, n, file) for n in numbers}
    return {number: net for number, net in nets.items() if net is not None}


def learner(room: np.ndarray) -> Seat:
    """A seat that plays by the net in `room` (`room_for`) and notes its positions in `room`."""
    room[LOG] = 0
    return Entry("recorder", recorder, (CHANCE,), weights=room).seat()


def taught_learner(room: np.ndarray, net: np.ndarray) -> Seat:
    """A seat that plays by a net and notes how looking ahead values its moves."""
    policy = Entry("policy", get_strategy("learned"), (), weights=aligned(quantised(net)))
    values = tuple(parameter.default for parameter in teacher.parameters)
    return Entry("teacher", teacher, values, policy, weights=room).seat()
