"""The end of an age as a table, and the end of the game: the standing and the winners."""

from __future__ import annotations

from ethnos_sim.simulator.narration.board import SOURCES, Board, Event
from ethnos_sim.simulator.narration.lines import heading

EMPTY = "."

#: By source of prestige: the title of its row in an age's table, below the rows of regions.
SOURCE_TITLES = {
    "sea": "Sea track",
    "largest": "Largest party",
    "settlement": "Own board",
    "parties": "Parties",
    "powers": "Custom powers",
}


def narrate_age_end(board: Board, event: Event) -> list[str]:
    """The table at the end of an age: rows are sources of prestige, columns are players."""
    game, words = board.game, board.game.rules.words
    gained = {
        source: [
            now - before
            for now, before in zip(board.sources[source], board.before_age[source], strict=True)
        ]
        for source in SOURCES
    }
    rows = [[f"markers +{words.prestige}", *game.side_names]]
    rows += [
        [
            game.rules.region(color),
            *(
                f"{markers or EMPTY}" + (f" +{points}" if points else "")
                for markers, points in zip(board.markers[color], won, strict=True)
            ),
        ]
        for color, won in event["regions"].items()
    ]
    rows += [
        [words.translate(title), *(f"{points:+}" if points else EMPTY for points in gained[source])]
        for source, title in SOURCE_TITLES.items()
        if any(gained[source])
    ]
    total = [
        [f"This {words.age}", *(f"{sum(won):+}" for won in zip(*gained.values(), strict=True))],
        [f"Total {words.prestige}", *map(str, event["prestige"])],
    ]
    title = heading(f"End of {words.age} {event['age']}", "-")
    return ["", title, *aligned_lines(rows + total)]


def narrate_game_end(board: Board, event: Event) -> list[str]:
    """The final standing, best first, and the winners."""
    game, words = board.game, board.game.rules.words
    winners, prestige = event["winners"], event["prestige"]
    order = sorted(
        range(game.sides),
        key=lambda player: (player in winners, prestige[player], event["markers"][player]),
        reverse=True,
    )
    rows = [["", words.prestige, "markers", f"{words.parties} of the last {words.age}"]]
    for player in order:
        sizes = sorted(map(board.tie_break_size, board.parties[player]), reverse=True)
        row = [game.side_names[player], str(prestige[player]), str(event["markers"][player])]
        rows.append([*row, " ".join(map(str, sizes)) or EMPTY])
    names = " and ".join(game.side_names[player] for player in winners)
    result = f"{names} {'wins' if len(winners) == 1 else 'share the win'}."
    title = heading("Final standing", "=")
    return ["", title, *aligned_lines(rows), "", result]


def aligned_lines(rows: list[list[str]]) -> list[str]:
    """A table as lines: the first column is aligned to the left, other columns to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for name, *cells in rows:
        aligned = [f"{cell:>{width}}" for cell, width in zip(cells, widths[1:], strict=True)]
        lines.append("   ".join([f"{name:{widths[0]}}", *aligned]).rstrip())
    return lines
