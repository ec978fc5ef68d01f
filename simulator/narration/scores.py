"""The end of an age as a table, and the end of the game: the standing and its reasons."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from ethnos_sim.simulator.game.powers import Power
from ethnos_sim.simulator.narration.board import Board, Event, of_clan
from ethnos_sim.simulator.narration.game import in_words
from ethnos_sim.simulator.narration.lines import Line, heading, joined, plural

EMPTY = "."


class Scores:
    """Narrates the ends of ages and of the game."""

    def __init__(self, board: Board) -> None:
        """Narrate the scores of a board."""
        self._board = board
        self._scored = 0

    def age_end(self, event: Event) -> list[Line]:
        """The table of an age: rows are sources of prestige, columns are players."""
        board, words = self._board, self._board.game.rules.words
        before = board.totals[-1] if board.totals else [0] * board.game.sides
        rows = [[f"markers +{words.prestige}", "pays", *board.game.names]]
        rows += self._regions(event)
        rows += self._sea(event) + self._largest(event) + self._settlement(event)
        rows += self._parties(event) + self._own_powers()
        gained = [now - earlier for now, earlier in zip(event["prestige"], before, strict=True)]
        total = [
            [f"This {words.age}", "", *(f"{points:+}" for points in gained)],
            [f"Total {words.prestige}", "", *map(str, event["prestige"])],
        ]
        self._scored += 1
        board.end_age(event)
        lines = table(rows + total)
        rule = Line("table", "-" * max(len(line.text) for line in lines))
        body = [lines[0], *lines[1:-2], rule, lines[-2], lines[-1]._replace(kind="result")]
        title = heading(f"End of {words.age} {event['age']}", "-")
        return [Line("note", ""), title, *body]

    def _regions(self, event: Event) -> list[list[str]]:
        """A row for each region: the players' markers, and the prestige that they won."""
        board = self._board
        rows = []
        for color, won in event["regions"].items():
            pays = self._pays(board.game.trace["prestige_tokens"][color], event["age"])
            if board.coins[color]:
                pays += f" +{board.coins[color]}"
            cells = _cells(board.markers[color], won)
            rows.append([board.game.region(color), pays, *cells])
        tokens = [sorted(held) for held in board.tokens]
        if any(tokens):
            clans = board.game.clans_with(Power.TIE_BREAK_TOKENS)
            shown = ["+".join(map(str, held)) or EMPTY for held in tokens]
            named = ", ".join(map(in_words, clans))
            rows.append([f"  {named} tokens break ties", "", *shown])
        return rows

    def _pays(self, values: Sequence[int], age: int) -> str:
        """The awards that an age pays for each place, out of `values` (I, II, III): "8/6/4"."""
        pays = self._board.game.rules.pays(age)
        return "/".join(str(values[token - 1]) for token in pays if token)

    def _sea(self, event: Event) -> list[list[str]]:
        """A row for each sea track: the players' positions, and the prestige that they won."""
        game = self._board.game
        rows = []
        for clan in game.clans_with(Power.SEA_TRACK):
            pays = self._pays(
                game.rules.numbers(clan, "prestige", players=game.players), event["age"]
            )
            cells = _cells(self._board.sea[clan], of_clan(event, clan, "sea"))
            rows.append([f"Sea track ({in_words(clan)})", pays, *cells])
        return rows

    def _largest(self, event: Event) -> list[list[str]]:
        """The largest party token: its value in this age, the holder's cards, the prestige won."""
        board = self._board
        rules = board.game.rules
        rows = []
        for clan in board.game.clans_with(Power.LARGEST_TOKEN):
            value = rules.numbers(clan, "age", players=board.game.players)[event["age"] - 1]
            holder, size = board.largest.get(clan, (None, 0))
            cells = []
            for player, won in enumerate(of_clan(event, clan, "largest")):
                held = plural(size, "card") if player == holder else ""
                parts = [f"+{points}" for points in (board.at_once[clan][player], won) if points]
                cells.append(" ".join([held, *parts]).strip() or EMPTY)
            rows.append([f"Largest {rules.words.party} ({in_words(clan)})", str(value), *cells])
        return rows

    def _settlement(self, event: Event) -> list[list[str]]:
        """A row for each clan's settlement boards: markers, and prestige if they were emptied."""
        rows = []
        for clan in self._board.game.clans_with(Power.SETTLEMENT_BOARD):
            counts = [len(settled) for settled in self._board.settled[clan]]
            won, emptied = (of_clan(event, clan, name) for name in ("settlement", "emptied"))
            cells = [
                f"{count} +{points}" if gone and count else (str(count) if count else EMPTY)
                for count, points, gone in zip(counts, won, emptied, strict=True)
            ]
            rows.append([f"Own board ({in_words(clan)})", "", *cells])
        return rows

    def _parties(self, event: Event) -> list[list[str]]:
        """Two rows: the sizes of the parties without wild cards, and their points."""
        words = self._board.game.rules.words
        sizes = [_sizes(parties) for parties in self._board.parties]
        return [
            [f"{words.parties.capitalize()} by size", "", *sizes],
            ["  score", "", *(f"+{won}" if won else EMPTY for won in event["parties"])],
        ]

    def _own_powers(self) -> list[list[str]]:
        """A row for each custom power: its payments in the age, before the age was scored."""
        board = self._board
        rows = []
        for owner in (*board.game.clans_with(Power.CUSTOM), *board.game.table_powers):
            cells = [f"{paid:+}" if paid else EMPTY for paid in board.paid[owner]]
            rows.append([f"Paid ({in_words(owner)})", "", *cells])
        return rows

    def game_end(self, event: Event) -> list[Line]:
        """The final standing, best first, and the deciding criterion."""
        board, words = self._board, self._board.game.rules.words
        order = sorted(
            range(board.game.sides),
            key=lambda player: (
                player in event["winners"],
                [rank for _, rank, _ in self._standing(event, player)],
            ),
            reverse=True,
        )
        ages = [f"{words.age} {number + 1}" for number in range(self._scored)]
        after = [*board.totals, event["prestige"]][: self._scored]
        rows = [["", "", words.prestige, *ages, "markers", f"last {words.parties}"]]
        for place, player in enumerate(order, 1):
            totals = [0, *(total[player] for total in after)]
            gained = [f"{now - earlier:+}" for earlier, now in pairwise(totals)]
            rows.append(
                [
                    f"{1 if player in event['winners'] else place}.",
                    board.game.names[player],
                    str(event["prestige"][player]),
                    *gained,
                    str(event["markers"][player]),
                    _sizes(board.tie_sizes[player]),
                ]
            )
        title = heading("Final standing", "=")
        lines = [Line("note", ""), title, *table(rows), Line("note", "")]
        return [*lines, Line("result", self._reason(event, order))]

    def _standing(self, event: Event, player: int) -> list[tuple[str, Any, str]]:
        """What ranks a player, the first criterion first (R16, R31): its name, rank and text."""
        board, words = self._board, self._board.game.rules.words
        prestige, markers = event["prestige"][player], event["markers"][player]
        tokens, sizes = board.tokens[player], board.tie_sizes[player]
        standing = [
            (words.prestige, prestige, str(prestige)),
            (f"markers in the {words.regions}", markers, str(markers)),
            (
                f"{words.parties} of the last {words.age}",
                sorted(filter(None, sizes), reverse=True),
                _sizes(sizes),
            ),
        ]
        if board.game.rules.number("tokens_break_all_ties"):
            rank = (sum(tokens), max(tokens, default=0))
            standing.insert(1, ("tie-break tokens", rank, _sizes(tokens)))
        return standing

    def _reason(self, event: Event, order: list[int]) -> str:
        """A sentence that names the winners and the criterion that decided the game."""
        names, winners = self._board.game.names, event["winners"]
        winner = joined([names[player] for player in winners])
        if self._scored < self._board.game.ages:
            return f"{winner} wins at once with a full hand of wild cards."
        first = self._standing(event, order[0])
        if len(winners) == 1:
            second, rival = self._standing(event, order[1]), names[order[1]]
            for (criterion, rank, text), (_, other, less) in zip(first, second, strict=True):
                if rank != other:
                    return f"{winner} wins by {criterion}: {text} to {less} of {rival}."
        return f"{winner} share the win: equal in {joined([name for name, *_ in first])}."


def _sizes(parties: list[int]) -> str:
    """Party sizes, the largest first: "5 4 4 2"."""
    return " ".join(map(str, sorted(parties, reverse=True))) or EMPTY


def _cells(counts: list[int], won: list[int]) -> list[str]:
    """Cells with a count and the prestige it won: "3 +6"."""
    return [
        f"{count} +{points}" if points else (str(count) if count else EMPTY)
        for count, points in zip(counts, won, strict=True)
    ]


def table(rows: list[list[str]]) -> list[Line]:
    """Align the cells of rows: the first two columns to the left, other columns to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [
            f"{cell:{width}}" if place < 2 else f"{cell:>{width}}"
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append(Line("table", "   ".join(cells).rstrip()))
    return lines
