"""`ethnos-sim match`: play a line-up with rotated seats; its win shares and mean prestige."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from ethnos_sim.commands.options import (
    VARYING_CLANS,
    TableOptions,
    clans_option,
    games_option,
    jobs_option,
    json_option,
    strategies_option,
    table_options,
)
from ethnos_sim.commands.tables import Cell, Number, print_json, print_table

if TYPE_CHECKING:
    from ethnos_sim.experiments.matches.match import PlayedMatch
    from ethnos_sim.reports.rating.shares import StrategyShare


@click.command("match")
@games_option(2000, "Rounded up so that every deal is played in all seatings.")
@strategies_option
@clans_option(VARYING_CLANS)
@jobs_option
@json_option
@table_options
def command(
    table: TableOptions,
    strategies: str,
    clans: list[str] | None,
    games: int,
    jobs: int,
    as_json: bool,
) -> None:
    """Play a line-up with rotated seats: win shares and mean prestige.

    Every deal is played once for each different seating. A strategy that fills several seats is one
    row with the share of one of its seats, so an even share is 1 / players for every strategy. In
    the solo modes one strategy plays against Chief Bruno.
    """
    from ethnos_sim.experiments.execution.progress import show_progress
    from ethnos_sim.experiments.matches.match import check_games, deal_count, play_match
    from ethnos_sim.reports.rating.shares import bruno_prestige, strategy_shares

    check_games(games)
    match = table.prepare_match(strategies, clans)
    total = deal_count(match, games) * match.rotations
    with show_progress(f"Playing {total:,} games", total, 0, quiet=as_json) as on_games:
        played = play_match(match, games, threads=jobs, on_games=on_games)
    shares = strategy_shares(played)
    bruno = bruno_prestige(played)
    if as_json:
        print_json(_match_record(played, shares, bruno))
    else:
        _print_shares(played, shares, bruno)


def _print_shares(
    played: PlayedMatch, shares: tuple[StrategyShare, ...], bruno_mean: float | None
) -> None:
    """Print the table of shares; in solo, `bruno_mean` is Bruno's mean prestige."""
    from ethnos_sim.reports.misplays import misplay_sentences

    match = played.match
    table = match.tables[0]
    words = table.rules.words
    columns = ["strategy", "seats", "win share", "95 % low", "95 % high"]
    columns += ["to par"] * (bruno_mean is None) + [f"mean {words.prestige}"]
    columns += ["Bruno's mean"] * (bruno_mean is not None)
    players = f"{match.players} player{'s' * (match.players > 1)}"
    print_table(
        f"{table.rules.title}, {players}, {table.mode} mode: {played.games:,} games",
        columns,
        [_share_row(share, match.players, bruno_mean) for share in shares],
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
    for sentence in misplay_sentences(match.line_up.names, table.rules):
        click.echo(sentence)
    if shares[0].exact:
        click.echo(
            f"One strategy fills every seat, so its share is 1/{match.players} by construction."
        )
    elif match.players > 1:
        click.echo(f"A seat's par is 1/{match.players}; the interval is over deals.")
    else:
        click.echo("Shares count the games won against Bruno; the interval is over deals.")


def _share_row(share: StrategyShare, players: int, bruno_mean: float | None) -> list[Cell]:
    """The cells of a strategy; in solo, Bruno's mean prestige replaces the difference to par."""
    ends = (_percent_cell(end) for end in (share.win_share, share.low, share.high))
    row: list[Cell] = [share.name, Number(str(share.seats), share.seats), *ends]
    prestige = Number(f"{share.mean_prestige:.1f}", share.mean_prestige)
    if bruno_mean is not None:
        return [*row, prestige, Number(f"{bruno_mean:.1f}", bruno_mean)]
    to_par = share.win_share - 1 / players
    return [*row, Number(f"{100 * to_par:+.2f} pp", to_par), prestige]


def _percent_cell(share: float) -> Number:
    return Number(f"{share:.2%}", share)


def _match_record(
    played: PlayedMatch, shares: tuple[StrategyShare, ...], bruno_mean: float | None
) -> dict[str, object]:
    """The result for `--json`; in solo, `bruno_mean` is Bruno's mean prestige."""
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
    if bruno_mean is not None:
        record["bruno"] = {"mean_prestige": bruno_mean}
    return record
