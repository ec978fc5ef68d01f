"""The answers of the card: a question, a few words, a sentence, and a line on levels of play."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from ethnos_sim.experiments.evidence.evidence import Situation
from ethnos_sim.experiments.evidence.game_numbers import FAR_BEHIND
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.verdict import Verdict, verdict_of
from ethnos_sim.reports.estimators import game_shape, margins
from ethnos_sim.reports.estimators.catalog import margin_of, verdict_on
from ethnos_sim.reports.estimators.win_shares import ORDINALS, SEAT_EDGE
from ethnos_sim.reports.page.balance import (
    TOO_FEW,
    ComparisonWords,
    Sides,
    compare_tables,
    comparisons_at,
    with_length,
)
from ethnos_sim.reports.page.clan_answer import clan_answer
from ethnos_sim.reports.page.games import PageGames
from ethnos_sim.reports.page.levels import Finding, level_line, levels_of
from ethnos_sim.reports.page.measures import changes, disagreement
from ethnos_sim.reports.page.stored import HEAD_START
from ethnos_sim.reports.rendering.document import Answer
from ethnos_sim.reports.rendering.numbers import hundredths, listed, of_100
from ethnos_sim.simulator.rules import load_rules

Answers = Iterator[Answer]
Find = Callable[[Situation], Finding | None]
"""What a question finds at a kind of table; None if it has no number there."""


def answers(page: PageGames, situation: Situation) -> tuple[Answer, ...]:
    """All answers for a kind of table."""
    questions = (clan_answer, _balance, _seat, _leader, _comeback, _length)
    return tuple(answer for question in questions for answer in question(page, situation))


def _answer(
    page: PageGames, situation: Situation, key: str, question: str, find: Find, text: str
) -> Answer:
    """An answer with a line on the other levels of play."""
    finding = find(situation)
    assert finding is not None, "a question without a number has no answer"
    others = [
        (level.population, find(level))
        for level in levels_of(page.number_table, situation)
        if level != situation
    ]
    line = level_line(finding, others)
    return Answer(key, question, f"{finding.word}.", text, line, finding.verdict)


def _finder(page: PageGames, estimand: str, name: str) -> Callable[[Situation], Estimate | None]:
    """A function that looks up a number at a kind of table."""
    return lambda level: page.number_table.number(level, estimand, name)


def _effect(
    number: Estimate | None, margin: float, words: dict[Verdict, tuple[str, str]]
) -> Finding | None:
    """The finding on an effect, by the words for an effect below and above 0 of each verdict."""
    if number is None:
        return None
    verdict = verdict_of(number.low, number.high, margin)
    word = TOO_FEW if verdict is Verdict.OPEN else words[verdict][(number.value or 0.0) > 0]
    return Finding(word, verdict, number, margin)


SEAT = (SEAT_EDGE.name, ORDINALS[0])
SEAT_WORDS = {
    Verdict.MATTERS: ("No, it costs games", "Yes"),
    Verdict.CLOSE: ("No, it costs a little", "A little"),
    Verdict.ALIKE: ("No", "No"),
}


def _seat(page: PageGames, situation: Situation) -> Answers:
    number = _finder(page, *SEAT)
    first = number(situation)
    if first is None:
        return
    share = 1 / situation.players
    won = _shifted(first, share)
    text = f"Going first wins {of_100(won)}; a fair share is {100 * share:.3g}."
    if (first.value or 0.0) > 0 and verdict_on(first) is Verdict.MATTERS:
        text += evened_out(page, situation)
    yield _answer(
        *(page, situation, "seat", "Does going first help?"),
        lambda level: _effect(number(level), margin_of(*SEAT, level.players), SEAT_WORDS),
        text,
    )


def evened_out(page: PageGames, situation: Situation) -> str:
    """A sentence on the head start that makes the first seat fair; "" if none is known to.

    The numbers are of the bundled sweep of house rules, for the players that it seated.
    """
    seats = HEAD_START.at(situation, page.rules[situation.rule_set])
    if seats is None:
        return ""
    first = seats.estimates()[0]
    if verdict_on(first) is not Verdict.ALIKE:
        return ""
    rules = load_rules(situation.edition, HEAD_START.rules)
    start = map(str, rules.numbers("start_prestige")[: situation.players])
    return f" Begin with {listed(start)} {rules.words.prestige} in order of play and it is fair."


def _shifted(number: Estimate, by: float) -> Estimate:
    """A number and its interval, shifted up by a known number."""
    value, low, high = ((end or 0.0) + by for end in (number.value, number.low, number.high))
    return replace(number, value=value, low=low, high=high)


LEADER_WORDS = {
    Verdict.MATTERS: ("No, others catch up", "Yes"),
    Verdict.CLOSE: ("No", "A little"),
    Verdict.ALIKE: ("No", "No"),
}
LEADER_ENDS = {
    "Yes": "more than the points ahead are worth",
    "A little": "a little more than the points ahead are worth",
    "No": "no more than the points ahead are worth",
    "No, others catch up": "less than the points ahead are worth",
}


def _leader(page: PageGames, situation: Situation) -> Answers:
    table = page.number_table
    beyond = _finder(page, *[game_shape.LEADER_ADVANTAGE.name] * 2)
    chance = table.number(situation, *[game_shape.LEADER_SHUFFLED.name] * 2)
    advantage = beyond(situation)
    if advantage is None or chance is None:
        return
    won = _shifted(advantage, chance.value or 0.0)

    def find(level: Situation) -> Finding | None:
        return _effect(beyond(level), margins.LEADER.size, LEADER_WORDS)

    finding = find(situation)
    lottery = f"and in a lottery {hundredths(chance)}"
    end = LEADER_ENDS.get(finding.word, lottery) if finding else lottery
    yield _answer(
        *(page, situation, "leader", "Do leaders run away?", find),
        f"Whoever leads before the last age wins {of_100(won)}, {end}.",
    )


COMEBACKS = ("Hardly ever", "Rarely", "At times", "Often")
COMEBACK_LIMITS = (0.1, 0.25, 0.5)
"""The lower limit of each word but the first, in fair shares of wins from far behind."""


def _comeback(page: PageGames, situation: Situation) -> Answers:
    number = _finder(page, game_shape.GAME_SHAPE.name, "comeback")
    rate = number(situation)
    if rate is None:
        return

    def find(level: Situation) -> Finding | None:
        share = number(level)
        if share is None:
            return None
        word = COMEBACKS[bisect(COMEBACK_LIMITS, (share.value or 0.0) * level.players)]
        return _sized(share, margins.FROM_BEHIND.size, word)

    yield _answer(
        *(page, situation, "comeback", "Can one come back?", find),
        f"Whoever is {FAR_BEHIND} or more points behind before the last age wins {of_100(rate)}.",
    )


TURNS = (game_shape.GAME_SHAPE.name, "turns")


def _length(page: PageGames, situation: Situation) -> Answers:
    number = _finder(page, *TURNS)
    turns = number(situation)
    if turns is None:
        return

    def find(level: Situation) -> Finding | None:
        mean = number(level)
        if mean is None:
            return None
        unit = " turns" if level == situation else ""
        return _sized(mean, margins.LENGTH.size, f"{mean.value:.0f}{unit}")

    ends = page.middle_of(situation)
    text = f"Nine of ten games take {ends[0]:.0f} to {ends[1]:.0f}." if ends else ""
    yield _answer(page, situation, "length", "How long is a game?", find, text)


def _sized(number: Estimate, margin: float, word: str) -> Finding:
    """The finding on a number without a meaningful 0: known if its interval is narrow enough."""
    known = number.half_width is not None and number.half_width <= margin
    verdict = Verdict.MATTERS if known else Verdict.OPEN
    return Finding(word if known else TOO_FEW, verdict, number, margin)


def _balance(page: PageGames, situation: Situation) -> Answers:
    """The answers that compare two kinds of tables by how far the clans lie apart."""
    for key, question, sides, words in comparisons_at(page, situation):
        compared = compare_tables(page, sides)
        if compared is None:
            continue
        find = partial(_compared, page, sides, words)
        but = disagreement(compared, changes(page, sides), words)
        text = words.sentence(compared, situation.players, but)
        answer = _answer(page, situation, key, question, find, text)
        if key == "modes":
            lengths = [page.number_table.number(side, *TURNS) for side in sides]
            answer = with_length(answer, *lengths)
        yield answer


def _compared(
    page: PageGames, sides: Sides, words: ComparisonWords, level: Situation
) -> Finding | None:
    """What a comparison finds among the players of `level`."""
    first, second = (side._replace(population=level.population) for side in sides)
    known = {first, second} <= set(page.tables)
    compared = compare_tables(page, (first, second)) if known else None
    if compared is None:
        return None
    word = words.answer(compared)
    return Finding(word, compared.verdict, compared.difference, compared.margin)
