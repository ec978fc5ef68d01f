"""The answers of the card: a question, a few words, and the number behind them."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from ethnos_sim.experiments.evidence.evidence import Situation
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.estimators import margins
from ethnos_sim.reports.estimators.catalog import MIDDLE, STRONG, WEAK, margin_of, word_of
from ethnos_sim.reports.estimators.catalog import OPEN as OPEN_WORD
from ethnos_sim.reports.estimators.game_shape import (
    COMEBACK_FROM,
    GAME_SHAPE,
    LEADER_ADVANTAGE,
    LEADER_SHUFFLED,
)
from ethnos_sim.reports.estimators.interventions import RELATIVE_POWER
from ethnos_sim.reports.estimators.leading import WIN_LIFT
from ethnos_sim.reports.estimators.win_shares import ORDINALS, SEAT_EDGE
from ethnos_sim.reports.page.balance import (
    LESS,
    MIXED,
    MORE,
    OPEN,
    SAME,
    Balance,
    balance,
    leader_name,
)
from ethnos_sim.reports.page.games import PageGames
from ethnos_sim.reports.page.levels import (
    ALONE,
    OTHER,
    UNKNOWN,
    LevelVerdict,
    conclusion,
    levels_of,
    settled_effect,
    settled_size,
    settled_words,
)
from ethnos_sim.reports.page.levels import SAME as SAME_HERE
from ethnos_sim.reports.page.look_ahead import (
    LOOK_AHEAD,
    power_among_look_aheads,
    with_look_ahead,
)
from ethnos_sim.reports.page.number_table import strongest_first
from ethnos_sim.reports.page.sentences import (
    NEAR,
    RECRUITS,
    TOO_FEW,
    ComparisonWords,
    needs_sentence,
    numbers_sentences,
)
from ethnos_sim.reports.rendering.document import CLOSE, SETTLED, Answer
from ethnos_sim.reports.rendering.document import OPEN as NOT_TOLD
from ethnos_sim.reports.rendering.numbers import (
    clan_label,
    games_of_100,
    hundredths,
    of_100,
    some,
)
from ethnos_sim.simulator.rules.editions import EDITIONS
from ethnos_sim.simulator.tables.modes import RECRUITMENT

Find = Callable[[Situation], Estimate | None]

COMEBACKS = ("Hardly ever", "Rarely", "At times", "Often")
COMEBACK_LIMITS = (0.1, 0.25, 0.5)
"""The lower limit of each word but the first, in fair shares of wins from far behind."""


def answers(page: PageGames, situation: Situation) -> tuple[Answer, ...]:
    """All answers for a kind of table."""
    return tuple(
        answer
        for question in (_balance, _clans, _seat, _leader, _comeback, _length)
        for answer in question(page, situation)
    )


def worth_of(page: PageGames, situation: Situation) -> str:
    """The estimand that clans are judged by: power, or win lift if no seat was restricted."""
    has_power = page.number_table.has(situation, RELATIVE_POWER.name)
    return RELATIVE_POWER.name if has_power else WIN_LIFT.name


def look_ahead_powers(page: PageGames, situation: Situation) -> tuple[Estimate, ...]:
    """The clans' power among players who look ahead.

    Empty if the page shows no power, or if look-ahead is among the levels that the page played.
    """
    played = [level.population for level in levels_of(page.number_table, situation)]
    by_power = worth_of(page, situation) == RELATIVE_POWER.name
    if not by_power or LOOK_AHEAD in played:
        return ()
    return power_among_look_aheads(situation, page.rules[situation.setting])


def _clans(page: PageGames, situation: Situation) -> Iterator[Answer]:
    estimand = worth_of(page, situation)
    rows = page.number_table.numbers(situation, estimand)
    worths = strongest_first(worth for worth in rows if worth.low is not None)
    if not worths:
        return
    strong = [worth.name for worth in worths if word_of(worth) == STRONG]
    weak = [worth.name for worth in worths if word_of(worth) == WEAK][::-1]

    def named(names: Sequence[str]) -> str:
        return some([page.clan(name, situation) for name in names])

    sides = ((strong, "strong"), (weak, "weak"))
    parts = [f"{named(names)} {are}" for names, are in sides if names]
    middle = all(word_of(worth) == MIDDLE for worth in worths)
    word = "; ".join(parts) if parts else "All about average" if middle else TOO_FEW
    if estimand == RELATIVE_POWER.name:
        text = (
            f"Never leading the {named([worths[0].name])} costs {games_of_100(worths[0])} more "
            f"than never leading the average clan."
        )
    else:
        few = len(page.number_table.part(situation, RELATIVE_POWER.name))
        kept = "too few games kept a player" if few else "no game kept a player"
        text = f"Judged by the clans that winners led, which is no proof: {kept} from leading one."
    doubtful = [worth for worth in worths if word_of(worth) == OPEN_WORD]
    state = SETTLED
    if doubtful:
        matters = margin_of(estimand, "")
        near = all((worth.half_width or matters) <= matters for worth in doubtful)
        state = CLOSE if near and parts else NOT_TOLD
        beginning = "Close to average" if near else "Too few games to tell of"
        text += f" {beginning}: {named([worth.name for worth in doubtful])}."
    levels = _clans_at_levels(page, situation, estimand, [*strong, *weak])
    powers = look_ahead_powers(page, situation)
    if powers and (strong or weak):
        levels = with_look_ahead(levels, worths, powers)
    yield _answer("clans", "Which clans are strong, which weak?", word, text, levels, state)


def _clans_at_levels(
    page: PageGames, situation: Situation, estimand: str, names: Sequence[str]
) -> LevelVerdict:
    """Whether the same clans are strong and weak at all levels of skill."""
    answer = {name: _clan_word(page, situation, estimand, name) for name in names}
    levels = [
        {name: _clan_word(page, level, estimand, name) for name in names}
        for level in levels_of(page.number_table, situation)
        if page.number_table.has(level, estimand)
    ]
    if len(levels) < 2 or not names:
        return ALONE
    marks = tuple(_mark(answer, words) for words in levels)
    agreeing = [name for name in names if all(words[name] == answer[name] for words in levels)]
    differing = [
        name
        for name in names
        if any(words[name] not in (answer[name], OPEN_WORD) for words in levels)
    ]
    if not differing and len(agreeing) in (0, len(names)):
        return LevelVerdict(marks, conclusion(marks))
    unknown = [name for name in names if name not in (*agreeing, *differing)]
    parts = []
    for clans, remark in (
        (agreeing, "at every level of play"),
        (differing, "not at every level"),
        (unknown, "too few games of other players"),
    ):
        if clans:
            labels = [clan_label(name) for name in clans]
            parts.append(f"{some(labels, 3)}: {remark}")
    return LevelVerdict(marks, "; ".join(parts))


def _mark(answer: Mapping[str, str], words: Mapping[str, str]) -> str:
    """The mark of a level of skill: whether `words`, its words for clans, agree with `answer`."""
    if words == answer:
        return SAME_HERE
    known = {name: word for name, word in words.items() if word != OPEN_WORD}
    return UNKNOWN if known.items() <= answer.items() else OTHER


def _clan_word(page: PageGames, situation: Situation, estimand: str, name: str) -> str:
    estimate = page.number_table.number(situation, estimand, name)
    return word_of(estimate) if estimate else OPEN_WORD


def _close_word(number: Estimate, matters: float, limits: str) -> str:
    """The words for a number whose interval holds a limit: close to it, or too few games."""
    sure = number.half_width is not None and number.half_width <= matters
    return f"{NEAR}{limits}" if sure else TOO_FEW


def _finder(page: PageGames, estimand: str, name: str) -> Find:
    """A function that looks up a number at a kind of table."""
    return lambda level: page.number_table.number(level, estimand, name)


def _seat(page: PageGames, situation: Situation) -> Iterator[Answer]:
    find = _finder(page, SEAT_EDGE.name, ORDINALS[0])
    first = find(situation)
    if first is None or first.low is None or first.high is None:
        return
    share = 1 / situation.players
    moved = replace(
        first, value=(first.value or 0.0) + share, low=first.low + share, high=first.high + share
    )
    matters = margins.SEAT.size
    if max(-first.low, first.high) <= matters:
        word = "No"
    elif first.low > 0:
        word = "Yes" if first.low > margins.LARGE * matters else "Yes, a little"
    elif first.high < 0:
        much = first.high < -margins.LARGE * matters
        word = "No, it costs games" if much else "No, it costs a little"
    else:
        word = _close_word(first, matters, of_100(moved))
    text = f"Whoever goes first wins {of_100(moved)}; a fair share is {100 * share:.3g}."
    levels = settled_effect(
        first, _at_levels(page, situation, find), matters, "a cost of going first"
    )
    yield _answer("seat", "Does going first help?", word, text, levels)


def _leader(page: PageGames, situation: Situation) -> Iterator[Answer]:
    number_table = page.number_table
    find = _finder(page, LEADER_ADVANTAGE.name, LEADER_ADVANTAGE.name)
    won = number_table.number(situation, GAME_SHAPE.name, leader_name(number_table, situation))
    chance = number_table.number(situation, LEADER_SHUFFLED.name, LEADER_SHUFFLED.name)
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
        word = _close_word(beyond, matters, of_100(won))
    text = (
        f"Whoever leads going into the last age wins {of_100(won)}. If that age were a lottery, "
        f"they would win {hundredths(chance)}."
    )
    levels = settled_effect(
        beyond, _at_levels(page, situation, find), matters, "catching the leader"
    )
    yield _answer("leader", "Does the leader run away?", word, text, levels)


def _comeback(page: PageGames, situation: Situation) -> Iterator[Answer]:
    find = _finder(page, GAME_SHAPE.name, "comeback")
    if (rate := find(situation)) is None or rate.low is None or rate.high is None:
        return
    rarest, oftenest = (
        COMEBACKS[bisect(COMEBACK_LIMITS, end * situation.players)] for end in (rate.low, rate.high)
    )
    word = rarest
    if rarest != oftenest:
        word = _close_word(
            rate, margins.FROM_BEHIND.size, f"{rarest.lower()} or {oftenest.lower()}"
        )
    text = (
        f"A player {COMEBACK_FROM} or more points behind going into the last age wins "
        f"{of_100(rate)}."
    )
    at_levels = _at_levels(page, situation, find)
    levels = settled_size(rate, at_levels, margins.FROM_BEHIND.size, ("more often", "less often"))
    yield _answer("comeback", "Can one come back?", word, text, levels)


def _length(page: PageGames, situation: Situation) -> Iterator[Answer]:
    find = _finder(page, GAME_SHAPE.name, "turns")
    turns = find(situation)
    if turns is None or turns.value is None:
        return
    word = f"{turns.value:.0f} turns, {turns.value / situation.players:.0f} for each player"
    rest = ""
    for other in page.other_editions(situation):
        other_turns = find(other)
        if other_turns is not None and other_turns.value is not None:
            change = other_turns.value - turns.value
            more = "more" if change > 0 else "fewer"
            rest += f"; the {page.edition(other.setting)} takes {abs(change):.0f} {more}"
    ends = page.middle_of(situation, "turns")
    range_text = (
        f"Nine of ten take {ends[0]:.0f} to {ends[1]:.0f}" if ends else "That is the average"
    )
    text = f"{range_text} (mean ± {turns.half_width or 0.0:.1f}){rest}."
    at_levels = _at_levels(page, situation, find)
    matters = margins.LENGTH.size
    levels = settled_size(turns, at_levels, matters, ("longer", "shorter"))
    state = SETTLED if (turns.half_width or matters) <= matters else NOT_TOLD
    yield _answer("length", "How long is a game?", word, text, levels, state)


class ComparisonQuestion(NamedTuple):
    """A question that compares two kinds of tables, on the page's card of answers."""

    key: str
    question: str
    sides: tuple[Situation, Situation]
    words: ComparisonWords


def comparisons_at(page: PageGames, situation: Situation) -> Iterator[ComparisonQuestion]:
    """The comparisons of editions, and of the Recruitment mode with the usual game."""
    for other in page.other_editions(situation):
        first, second = sorted((situation, other), key=_by_year)
        names = [page.edition(side.setting) for side in (first, second)]
        better = [f"The {name.removesuffix(' edition')}" for name in names]
        words = ComparisonWords(
            {LESS: better[0], MORE: better[1], SAME: "Both alike", MIXED: "Each in one respect"},
            (f"in the {names[0]}", f"in the {names[1]}"),
        )
        yield ComparisonQuestion(
            "editions", "Which edition is more balanced?", (first, second), words
        )
    other_mode = page.other_mode(situation)
    if other_mode is not None:
        first, second = sorted((situation, other_mode), key=lambda table: table.mode == RECRUITMENT)
        yield ComparisonQuestion("modes", "Does Recruitment help?", (first, second), RECRUITS)


def _balance(page: PageGames, situation: Situation) -> Iterator[Answer]:
    for question in comparisons_at(page, situation):
        yield from _compared(page, *question)


def _by_year(situation: Situation) -> int:
    """The sort key of an edition: bundled editions in order, then users' editions."""
    edition = situation.edition
    return EDITIONS.index(edition) if edition in EDITIONS else len(EDITIONS)


def compare_tables(page: PageGames, first: Situation, second: Situation) -> Balance | None:
    """The balance of two kinds of tables of a page."""
    if (first, second) not in page.balances:
        page.balances[first, second] = balance(
            page.number_table,
            first,
            second,
            games=sum(map(page.evidence.games_of, (first, second))),
            same_deals=page.same_deals,
            renamed=page.renamed(first, second),
        )
    return page.balances[first, second]


def _compared(
    page: PageGames,
    key: str,
    question: str,
    sides: tuple[Situation, Situation],
    words: ComparisonWords,
) -> Iterator[Answer]:
    """The answer to one comparison, with marks for the levels of skill."""
    comparison = compare_tables(page, *sides)
    if comparison is None:
        return
    at_levels = []
    for level in levels_of(page.number_table, sides[0]):
        other = sides[1]._replace(population=level.population)
        level_comparison = compare_tables(page, level, other) if other in page.tables else None
        if level_comparison is not None:
            at_levels.append((level.population, level_comparison.word))
    text = f"{numbers_sentences(comparison, words.sides)}{needs_sentence(comparison)}"
    if key == "modes":
        text += _lengths(page, sides)
    elif comparison.word in (MORE, LESS) and any(page.starred[side.setting] for side in sides):
        text += " Values that no source prints may change this."
    levels = settled_words(comparison.word, at_levels, OPEN, SAME)
    yield _answer(key, question, words.answer(comparison), text, levels)


def _lengths(page: PageGames, sides: Sequence[Situation]) -> str:
    """A sentence on the length of games with and without Recruitment; empty if unknown."""
    find = _finder(page, GAME_SHAPE.name, "turns")
    usual, recruiting = (turns.value if (turns := find(side)) else None for side in sides)
    if usual is None or recruiting is None:
        return ""
    return f" A game takes {recruiting:.0f} turns in place of {usual:.0f}."


def _at_levels(page: PageGames, situation: Situation, find: Find) -> list[tuple[str, Estimate]]:
    """The number that `find` gives at each level of skill, with the level's population."""
    levels = levels_of(page.number_table, situation)
    return [(level.population, number) for level in levels if (number := find(level)) is not None]


def _answer(
    key: str, question: str, word: str, text: str, settled: LevelVerdict, state: str = ""
) -> Answer:
    """An answer with its word as a sentence; its state follows from the word unless given."""
    near = CLOSE if word.startswith(NEAR) else SETTLED
    state = state or (NOT_TOLD if word == TOO_FEW else near)
    return Answer(key, question, f"{word}.", text, settled.levels, settled.words, state)
