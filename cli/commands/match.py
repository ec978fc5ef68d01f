"""`ethnos-sim match`: play a line-up with rotated seats; its win shares and mean prestige."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import click

from ethnos_sim.commands import option
from ethnos_sim.commands.options import Command, GameOptions, takes
from ethnos_sim.commands.tables import Cell, Number, print_table

if TYPE_CHECKING:
    from ethnos_sim.experiments.matches.match import PlayedMatch
    from ethnos_sim.reports.rating.shares import StrategyShare


@dataclass(frozen=True, kw_only=True)
class Options(GameOptions):
    """The options of `match`: the games, how many of them, and the form of the output."""

    games: int = option.games(2000, "Rounded up so that every deal is played in all seatings.")
    jobs: int = option.jobs()
    as_json: bool = option.flag("--json", "Print JSON.")


@click.command("match", cls=Command)
@takes(Options)
def command(options: Options) -> None:
    """Play a line-up with rotated seats: win shares and mean prestige.

    Every deal is played once for each different seating. A strategy that fills several seats is one
    row with the share of one of its seats, so an even share is 1 / players for every strategy. In
    the solo modes one strategy plays against Chief Bruno.
    """
    from ethnos_sim.experiments.execution.progress import shown_progress
    from ethnos_sim.experiments.matches.match import check_games, deals_for, play_match
    from ethnos_sim.reports.rating.shares import bruno_prestige, strategy_shares

    check_games(options.games)
    match = options.prepare()
    deals = deals_for(match, options.games)
    total = deals * match.rotations
    with shown_progress(planned(total, deals), total, 0, quiet=options.as_json) as on_games:
        played = play_match(match, options.games, threads=options.jobs, on_games=on_games)
    shares = strategy_shares(played)
    bruno = bruno_prestige(played)
    if options.as_json:
        click.echo(json.dumps(_record(played, shares, bruno), indent=2))
        return
    _print(played, shares, bruno)


def planned(games: int, deals: int) -> str:
    """A sentence with the number of games, deals and seatings."""
    seatings = games // deals
    sentence = f"Playing {games:,} games: {deals:,} deals, each in {seatings} seating"
    return sentence + "s" * (seatings > 1)


def _print(played: PlayedMatch, shares: tuple[StrategyShare, ...], bruno: float | None) -> None:
    from ethnos_sim.reports.ignored import ignored_sentences

    match = played.match
    table = match.tables[0]
    words = table.rules.words
    rows: list[dict[str, Cell]] = [
        {
            "strategy": share.name,
            "seats": Number(str(share.seats), share.seats),
            "win share": _percent(share.win_share),
            "95 % low": _percent(share.low),
            "95 % high": _percent(share.high),
            "to par": _points(share.win_share - 1 / match.players),
            f"mean {words.prestige}": Number(f"{share.mean_prestige:.1f}", share.mean_prestige),
            "Bruno's mean": Number("" if bruno is None else f"{bruno:.1f}", bruno),
        }
        for share in shares
    ]
    left_out = "to par" if bruno is not None else "Bruno's mean"
    columns = [column for column in rows[0] if column != left_out]
    players = f"{match.players} player{'s' * (match.players > 1)}"
    print_table(
        f"{table.rules.title}, {players}, {table.mode} mode: {played.games:,} games",
        columns,
        [[row[column] for column in columns] for row in rows],
    )
    if match.clans is None:
        sets = min(played.deals, len(match.tables))
        click.echo(
            f"The {words.clans} vary from deal to deal: {sets} sets of {len(table.clans)}, spread "
            f"evenly over all {len(table.rules.clans)}."
        )
    else:
        click.echo(f"The {words.clans} are {', '.join(match.clans)}.")
    click.echo(
        f"{played.deals:,} deals, each in {match.rotations} seating"
        f"{'s' * (match.rotations > 1)}; seed {match.seed}, rules {table.rules.rules_id}."
    )
    for sentence in ignored_sentences(match.line_up.names, table.rules):
        click.echo(sentence)
    if shares[0].exact:
        click.echo(
            f"One strategy fills every seat, so its share is 1/{match.players} by construction."
        )
    elif match.players > 1:
        click.echo(f"A seat's par is 1/{match.players}; the interval is over deals.")
    else:
        click.echo("The share is the part of games won against Bruno; the interval is over deals.")


def _percent(share: float) -> Number:
    return Number(f"{share:.2%}", share)


def _points(difference: float) -> Number:
    return Number(f"{100 * difference:+.2f} pp", difference)


def _record(
    played: PlayedMatch, shares: tuple[StrategyShare, ...], bruno: float | None
) -> dict[str, object]:
    match = played.match
    table = match.tables[0]
    record: dict[str, object] = {
        "edition": table.rules.edition,
        "rules_id": table.rules.rules_id,
        "players": match.players,
        "mode": table.mode,
        "clans": None if match.clans is None else list(match.clans),
        "seed": match.seed,
        "games": played.games,
        "deals": played.deals,
        "strategies": [asdict(share) for share in shares],
    }
    if bruno is not None:
        record["bruno"] = {"mean_prestige": bruno}
    return record
