"""The ranking of clans: a bar for each clan, in groups, with both editions side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ethnos_sim.experiments.evidence.evidence import Situation
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.verdict import Verdict
from ethnos_sim.reports.estimators.catalog import STRONG, WEAK, clan_word, margin_of, verdict_on
from ethnos_sim.reports.estimators.worth import WORTH
from ethnos_sim.reports.page.clan_answer import other_level_worths, wins_without
from ethnos_sim.reports.page.games import PageGames
from ethnos_sim.reports.page.levels import LADDER
from ethnos_sim.reports.page.number_table import largest_first
from ethnos_sim.reports.rendering.document import RankedClan, Ranking, Tier
from ethnos_sim.reports.rendering.numbers import MINUS, clan_label, games_of_100, word_list
from ethnos_sim.simulator.game.powers import Power

TIERS = {
    STRONG: "without it you win less",
    "average": "about a fair share",
    WEAK: "without it you win more",
    "open": "too few games to tell",
}
"""The groups of clans with their remarks. Clans near the margin are in the group "average"."""
POWER_SUMMARIES = {
    Power.SECOND_PARTY: "Placed its marker? Play another party at once.",
    Power.SCORES_LARGER: "Scores as one card larger.",
    Power.KEEPS_CARDS: "Keeps cards in hand, as many as the party has.",
    Power.LARGEST_TOKEN: "The largest party of this clan pays at once and when the age ends.",
    Power.SEA_TRACK: "Climbs the sea track, with free markers on the way.",
    Power.ONE_CARD_FEWER: "Needs one card fewer to place a marker.",
    Power.SETTLEMENT_BOARD: "Fills your own board with markers; emptying it brings points.",
    Power.TIE_BREAK_TOKENS: "Takes a token that wins ties.",
    Power.ANY_REGION: "Places its marker in any region.",
    Power.DRAWS_CARDS: "Draws new cards after the party, one for each card in it.",
    Power.NO_MARKER: "Twice the cards, but never a marker.",
    Power.COINS: "Puts a coin on the region, for whoever is first there.",
}
"""What clans with each power do, in a few words."""


def ranking(page: PageGames, situation: Situation) -> Ranking | None:
    """The ranking of the clans in a situation; None if no clan has a worth."""
    has_worth = [
        table
        for table in (situation, *page.other_editions(situation))
        if page.number_table.has_interval(table, WORTH.name)
    ]
    if situation not in has_worth:
        return None
    sides = has_worth[:2]
    lines = list(_ranking_lines(page, sides))
    tiers = [
        Tier(name, remark, tuple(clans for tier, clans in lines if tier == name))
        for name, remark in TIERS.items()
    ]
    return Ranking(
        columns=tuple(page.edition_name(side.rule_set) for side in sides),
        tiers=tuple(tier for tier in tiers if tier.lines),
        margin=margin_of(WORTH.name, "", situation.players),
    )


def _ranking_lines(
    page: PageGames, sides: Sequence[Situation]
) -> Iterator[tuple[str, tuple[RankedClan | None, ...]]]:
    """Pairs of a group's name and a line: a clan, or None, for each edition; strong clans first."""
    clans = [_ranked_clans(page, side) for side in sides]
    renamed = [page.counterparts(sides[0], side) for side in sides[1:]]
    left = [set(others) for others in clans[1:]]
    for name, clan in clans[0].items():
        line: list[RankedClan | None] = [clan]
        for others, names, rest in zip(clans[1:], renamed, left, strict=True):
            line.append(others.get(names.get(name, "")))
            rest.discard(names.get(name, ""))
        yield clan.tier, tuple(line)
    for column, (others, rest) in enumerate(zip(clans[1:], left, strict=True), 1):
        for name, clan in others.items():
            if name in rest:
                line = [None] * len(sides)
                line[column] = clan
                yield clan.tier, tuple(line)


def _ranked_clans(page: PageGames, situation: Situation) -> dict[str, RankedClan]:
    """The clans in a situation by name, the strongest first."""
    levels = other_level_worths(page, situation)
    by_players = [
        (table.players, {w.name: w for w in page.number_table.numbers(table, WORTH.name)})
        for table in sorted(page.situations)
        if table._replace(players=situation.players) == situation
    ]
    return {
        worth.name: RankedClan(
            name=page.clan_name(worth.name, situation),
            tier=tier_of(worth),
            worth=worth,
            tooltip=tuple(_tooltip_lines(page, situation, worth, by_players, levels)),
        )
        for worth in largest_first(page.number_table.numbers(situation, WORTH.name))
    }


def tier_of(worth: Estimate) -> str:
    """The group of a clan, one of TIERS."""
    if verdict_on(worth) is Verdict.OPEN:
        return "open"
    return clan_word(worth) if clan_word(worth) in (STRONG, WEAK) else "average"


def _tooltip_lines(
    page: PageGames,
    situation: Situation,
    worth: Estimate,
    worths_by_players: Sequence[tuple[int, Mapping[str, Estimate]]],
    worths_by_level: Sequence[tuple[str, Mapping[str, Estimate]]],
) -> Iterator[str]:
    """Lines on a clan: its power, and its worth by number of players and by level of play."""
    power = page.rules[situation.rule_set].power_of(worth.name)
    yield f"{clan_label(worth.name)}: {clan_word(worth)}"
    if power in POWER_SUMMARIES:
        yield POWER_SUMMARIES[power]
    yield f"Without it you win {games_of_100(wins_without(worth, situation.players))}."
    by_players = [
        f"{_percent_of_wins(worths[worth.name], players)} with {players}"
        for players, worths in worths_by_players
        if worth.name in worths and worths[worth.name].low is not None
    ]
    if len(by_players) > 1:
        yield f"Part of your wins that this costs, by number of players: {word_list(by_players)}."
    by_level = [
        f"{_percent_of_wins(worths[worth.name], situation.players)} among {LADDER[who]}"
        for who, worths in reversed(worths_by_level)
        if worth.name in worths and worths[worth.name].low is not None
    ]
    if by_level:
        yield f"By level: {word_list(by_level)}."
    if page.clan_name(worth.name, situation).endswith("*"):
        yield "* We had to guess some printed values."


def _percent_of_wins(worth: Estimate, players: int) -> str:
    """A worth in percent of a fair share: "38 %"."""
    percent = round(100 * players * (worth.value or 0.0))
    return f"{percent} %".replace("-", MINUS)
