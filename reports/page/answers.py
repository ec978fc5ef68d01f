"""The answers of the card: a question, a few words, and the number that they rest on."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.estimators import margins
from ethnos_sim.reports.estimators.catalog import OPEN as OPEN_WORD
from ethnos_sim.reports.estimators.catalog import STRONG, WEAK, word_of
from ethnos_sim.reports.estimators.game_shape import (
    COMEBACK_FROM,
    GAME_SHAPE,
    LEADER_ADVANTAGE,
    LEADER_SHUFFLED,
)
from ethnos_sim.reports.estimators.interventions import RELATIVE_POWER
from ethnos_sim.reports.estimators.leading import WIN_LIFT
from ethnos_sim.reports.estimators.win_shares import ORDINALS, SEAT_EDGE
from ethnos_sim.reports.evidence.evidence import Situation
from ethnos_sim.reports.page.balance import (
    CLANS,
    LEADER,
    LESS,
    MIXED,
    MORE,
    OPEN,
    SAME,
    SEAT,
    Balance,
    balance,
    leader_name,
)
from ethnos_sim.reports.page.levels import (
    Settled,
    levels_of,
    settled_effect,
    settled_size,
    settled_words,
)
from ethnos_sim.reports.page.played import Played
from ethnos_sim.reports.page.sheet import strongest_first
from ethnos_sim.reports.rendering.document import Answer
from ethnos_sim.reports.rendering.numbers import (
    give_or_take,
    hundredths,
    of_100,
    rounded,
    some,
)
from ethnos_sim.simulator.modes import RECRUITMENT
from ethnos_sim.simulator.rules.editions import EDITIONS

Find = Callable[[Situation], Estimate | None]

COMEBACKS = ("Hardly ever", "Rarely", "At times", "Often")
COMEBACK_LIMITS = (0.1, 0.25, 0.5)
"""From how many fair shares on who is far behind wins so often."""


def answers(played: Played, situation: Situation) -> tuple[Answer, ...]:
    """Every answer that the games of a kind of table give."""
    return tuple(
        answer
        for found in (_balance, _clans, _seat, _leader, _comeback, _length)
        for answer in found(played, situation)
    )


def worth_of(played: Played, situation: Situation) -> str:
    """What clans are judged by: power, or win lift where nobody was kept from leading them."""
    asked = played.sheet.has(situation, RELATIVE_POWER.name)
    return RELATIVE_POWER.name if asked else WIN_LIFT.name


def _clans(played: Played, situation: Situation) -> Iterator[Answer]:
    estimand = worth_of(played, situation)
    rows = played.sheet.numbers(situation, estimand)
    found = strongest_first(each for each in rows if each.low is not None)
    if not found:
        return
    strong = [each.name for each in found if word_of(each) == STRONG]
    weak = [each.name for each in found if word_of(each) == WEAK][::-1]
    setting = situation.setting

    def named(names: Sequence[str]) -> str:
        return some([played.clan(setting, name).rstrip("*") for name in names])

    said = [f"{named(names)} {are}" for names, are in ((strong, "strong"), (weak, "weak")) if names]
    word = "; ".join(said) if said else "None stands out"
    if estimand == RELATIVE_POWER.name:
        text = (
            f"Never leading the {named([found[0].name])} costs {hundredths(found[0])} of 100 games "
            f"more than never leading the average clan ({give_or_take(found[0])})."
        )
    else:
        few = len(played.sheet.part(situation, RELATIVE_POWER.name))
        kept = "too few games kept anybody" if few else "nobody was kept"
        text = f"By who led which clan, which is no proof: {kept} from leading one."
    levels = _of_levels(played, situation, estimand, [*strong, *weak])
    yield _answer("clans", "Which clans are strong, which weak?", word, text, levels)


def _of_levels(
    played: Played, situation: Situation, estimand: str, names: Sequence[str]
) -> Settled:
    """At which levels of skill the same clans are strong and weak."""
    mine = {name: _clan_word(played, situation, estimand, name) for name in names}
    found = []
    for level in levels_of(played.sheet, situation):
        if played.sheet.has(level, estimand):
            words = {name: _clan_word(played, level, estimand, name) for name in names}
            found.append((level.population, words))
    if len(found) < 2 or not names:
        return settled_words("", [(name, "") for name, _ in found[:1]], OPEN_WORD)
    held = [name for name in names if all(words[name] == mine[name] for _, words in found)]
    same = tuple(all(words[name] == mine[name] for name in names) for _, words in found)
    if len(held) == len(names):
        return settled_words("same", [(name, "same") for name, _ in found], OPEN_WORD)
    labels = [played.clan(situation.setting, name).rstrip("*") for name in held]
    if not held:
        return Settled(same, "no clan's word holds at every level of play")
    verb = "hold" if held[1:] else "holds"
    return Settled(same, f"{some(labels, 3)} {verb} at every level of play")


def _clan_word(played: Played, situation: Situation, estimand: str, name: str) -> str:
    estimate = played.sheet.number(situation, estimand, name)
    return word_of(estimate) if estimate else OPEN_WORD


def _close(found: Estimate, matters: float, told: str) -> str:
    """What is said of a number whose interval reaches over a limit, and how near to it it is."""
    sure = found.half_width is not None and found.half_width <= matters
    return f"Close: {told}" if sure else "Not settled"


def _finder(played: Played, estimand: str, name: str) -> Find:
    """What finds a number at a kind of table."""
    return lambda level: played.sheet.number(level, estimand, name)


def _seat(played: Played, situation: Situation) -> Iterator[Answer]:
    find = _finder(played, SEAT_EDGE.name, ORDINALS[0])
    first = find(situation)
    if first is None or first.low is None or first.high is None:
        return
    share = 1 / situation.players
    moved = replace(
        first, value=(first.value or 0.0) + share, low=first.low + share, high=first.high + share
    )
    matters = margins.SEAT.size
    if max(-first.low, first.high) <= matters:
        word = "Yes"
    elif first.low > 0:
        word = "Ahead" if first.low > margins.LARGE * matters else "A little ahead"
    elif first.high < 0:
        word = "Behind" if first.high < -margins.LARGE * matters else "A little behind"
    else:
        word = _close(first, matters, of_100(moved))
    text = f"Who begins wins {of_100(moved)}; a fair share is {100 * share:.3g}."
    levels = settled_effect(first, _found(played, situation, find), matters)
    yield _answer("seat", "Is the first seat fair?", word, text, levels)


def _leader(played: Played, situation: Situation) -> Iterator[Answer]:
    sheet = played.sheet
    find = _finder(played, LEADER_ADVANTAGE.name, LEADER_ADVANTAGE.name)
    won = sheet.number(situation, GAME_SHAPE.name, leader_name(sheet, situation))
    chance = sheet.number(situation, LEADER_SHUFFLED.name, LEADER_SHUFFLED.name)
    beyond = find(situation)
    if won is None or beyond is None or chance is None or beyond.low is None or not beyond.high:
        return
    matters = margins.LEADER.size
    if max(-beyond.low, beyond.high) <= matters:
        word = "No"
    elif beyond.low > 0:
        word = "Yes" if beyond.low > margins.LARGE * matters else "A little"
    elif beyond.high < 0:
        word = "No, leaders are caught"
    else:
        word = _close(beyond, matters, of_100(won))
    text = (
        f"Who leads before the last age wins {of_100(won)}. If that age were a lottery, it would "
        f"be {hundredths(chance)}."
    )
    levels = settled_effect(beyond, _found(played, situation, find), matters)
    yield _answer("leader", "Does the leader run away?", word, text, levels)


def _comeback(played: Played, situation: Situation) -> Iterator[Answer]:
    find = _finder(played, GAME_SHAPE.name, "comeback")
    if (found := find(situation)) is None or found.low is None or found.high is None:
        return
    often, at_most = (
        COMEBACKS[bisect(COMEBACK_LIMITS, end * situation.players)]
        for end in (found.low, found.high)
    )
    word = often
    if often != at_most:
        word = _close(found, margins.FROM_BEHIND.size, of_100(found))
    text = f"Who is {COMEBACK_FROM} or more behind before the last age wins {of_100(found)}."
    levels = settled_size(
        _found(played, situation, find), margins.FROM_BEHIND.size, ("oftener", "rarer")
    )
    yield _answer("comeback", "Can one come back?", word, text, levels)


def _length(played: Played, situation: Situation) -> Iterator[Answer]:
    find = _finder(played, GAME_SHAPE.name, "turns")
    found = find(situation)
    if found is None or found.value is None:
        return
    word = f"{found.value:.0f} turns, {found.value / situation.players:.0f} for each player"
    rest = ""
    for other in played.other_editions(situation):
        theirs = find(other)
        if theirs is not None and theirs.value is not None:
            change = theirs.value - found.value
            more = "more" if change > 0 else "fewer"
            rest += f"; the {played.edition(other.setting)} takes {abs(change):.0f} {more}"
    ends = played.middle_of(situation, "turns")
    said = f"Nine of ten take {ends[0]:.0f} to {ends[1]:.0f}" if ends else "So long on average"
    text = f"{said} (mean ± {found.half_width or 0.0:.1f}){rest}."
    matters = margins.LENGTH.size
    levels = settled_size(_found(played, situation, find), matters, ("longer", "shorter"))
    yield _answer("length", "How long is a game?", word, text, levels)


def _balance(played: Played, situation: Situation) -> Iterator[Answer]:
    """Editions against each other, and the Recruitment mode against the usual game."""
    for other in played.other_editions(situation):
        earlier, later = sorted((situation, other), key=_by_year)
        question = "Which edition is more balanced?"
        names = played.edition(earlier.setting), played.edition(later.setting)
        yield from _compared(played, "editions", question, (earlier, later), names)
    other_mode = played.other_mode(situation)
    if other_mode is not None:
        first, second = sorted((situation, other_mode), key=lambda each: each.mode == RECRUITMENT)
        names = "the usual game", "Recruitment"
        yield from _compared(played, "modes", "Does Recruitment help?", (first, second), names)


def _by_year(situation: Situation) -> int:
    """The place of an edition among the bundled ones; those of users come last."""
    edition = situation.edition
    return EDITIONS.index(edition) if edition in EDITIONS else len(EDITIONS)


def compare_tables(played: Played, first: Situation, second: Situation) -> Balance | None:
    """The balance of two kinds of tables of a page."""
    if (first, second) not in played.balances:
        played.balances[first, second] = balance(
            played.sheet,
            first,
            second,
            games=sum(map(played.evidence.games_of, (first, second))),
            same_deals=played.same_deals,
            renamed=played.renamed(first, second),
        )
    return played.balances[first, second]


def _compared(
    played: Played,
    key: str,
    question: str,
    sides: tuple[Situation, Situation],
    names: tuple[str, str],
) -> Iterator[Answer]:
    """One comparison, and how settled it is over levels of skill."""
    found = compare_tables(played, *sides)
    if found is None:
        return
    words = []
    for level in levels_of(played.sheet, sides[0]):
        other = sides[1]._replace(population=level.population)
        at = compare_tables(played, level, other) if other in played.tables else None
        if at is not None:
            words.append((level.population, at.word))
    text = f"{numbers_sentence(found, names)}{needs_sentence(found)}"
    yield _answer(
        key, question, balance_words(found, names), text, settled_words(found.word, words, OPEN)
    )


def balance_words(found: Balance, names: tuple[str, str]) -> str:
    """The second side against the first, in a few words."""
    second = f"The {names[1]}" if names[1][:1].isdigit() else names[1]
    return {
        SAME: "No difference that matters",
        MORE: f"{second} is more balanced",
        LESS: f"{second} is less balanced",
        MIXED: "Each is more balanced in one respect",
        OPEN: "Not settled",
    }[found.word]


ABOUT = {
    CLANS: "clans lie {1} and {0} apart (± {2})",
    SEAT: "the first seat is {1} and {0} off a fair share (± {2})",
    LEADER: "the leader wins {1} and {0} (± {2})",
}
BY_LIFT = "win lift spreads by {1} and {0} (± {2})"
"""The numbers of both sides, the first one's first, and half of the interval of their change."""


def numbers_sentence(found: Balance, names: tuple[str, str]) -> str:
    """The three numbers of the second side and of the first, each with that of the change."""
    first, second = (f"the {name}" if name[0].isdigit() else name for name in names)
    parts = []
    for about, each in found.changes.items():
        by_lift = about == CLANS and found.by_lift
        scale, decimals = (1, 3) if by_lift else (100, 1)
        before, after, half = (
            f"{scale * (number or 0.0):.{decimals}f}"
            for number in (each.first.value, each.second.value, each.difference.half_width)
        )
        parts.append((BY_LIFT if by_lift else ABOUT[about]).format(before, after, half))
    return f"Of 100 games in {second} and in {first}: {', '.join(parts)}."


def needs_sentence(found: Balance) -> str:
    """How many more games would settle it; empty where it is settled."""
    if found.word != OPEN:
        return ""
    if found.needed == float("inf"):
        return " It needs far more games."
    return f" Some {rounded(found.needed)} more games would settle it."


def _found(played: Played, situation: Situation, find: Find) -> list[tuple[str, Estimate]]:
    """A number at each level of skill."""
    levels = levels_of(played.sheet, situation)
    return [(each.population, found) for each in levels if (found := find(each)) is not None]


def _answer(key: str, question: str, word: str, text: str, settled: Settled) -> Answer:
    """An answer with its word as a sentence."""
    return Answer(key, question, f"{word}.", text, settled.levels, settled.words)
