"""The answers on the card: for a question a few words, a sentence, and a line on levels of play."""

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
    TOO_FEW_GAMES,
    ComparisonWords,
    Sides,
    compare_clan_spreads,
    comparison_questions,
    with_game_length,
)
from ethnos_sim.reports.page.clan_answer import clan_answer
from ethnos_sim.reports.page.games import PageGames
from ethnos_sim.reports.page.levels import Finding, level_line, levels_of
from ethnos_sim.reports.page.measures import disagreement, measure_changes
from ethnos_sim.reports.page.stored_numbers import HEAD_START
from ethnos_sim.reports.rendering.document import Answer
from ethnos_sim.reports.rendering.numbers import games_of_100, hundredths, word_list
from ethnos_sim.simulator.rules import load_rules

Answers = Iterator[Answer]
FindingAt = Callable[[Situation], Finding | None]
"""Gives the finding of a question in a situation; None if the situation lacks the number."""


def answers(page: PageGames, situation: Situation) -> tuple[Answer, ...]:
    """All answers for a situation."""
    questions = (
        clan_answer,
        _balance_answer,
        _seat_answer,
        _leader_answer,
        _comeback_answer,
        _length_answer,
    )
    return tuple(answer for question in questions for answer in question(page, situation))


def _answer_with_levels(
    page: PageGames, situation: Situation, key: str, question: str, finding_at: FindingAt, text: str
) -> Answer:
    """An answer with a line on the other levels of play."""
    finding = finding_at(situation)
    assert finding is not None, "a question without a number has no answer"
    others = [
        (level.population, finding_at(level))
        for level in levels_of(page.number_table, situation)
        if level != situation
    ]
    line = level_line(finding, others)
    return Answer(key, question, f"{finding.word}.", text, line, finding.verdict)


def _number_at(page: PageGames, estimand: str, name: str) -> Callable[[Situation], Estimate | None]:
    """A function that gives one number in any situation."""
    return lambda level: page.number_table.number(level, estimand, name)


def _effect_finding(
    number: Estimate | None, margin: float, words: dict[Verdict, tuple[str, str]]
) -> Finding | None:
    """The finding on an effect; `words` has the answers for a negative and a positive effect."""
    if number is None:
        return None
    verdict = verdict_of(number.low, number.high, margin)
    word = TOO_FEW_GAMES if verdict is Verdict.OPEN else words[verdict][(number.value or 0.0) > 0]
    return Finding(word, verdict, number, margin)


FIRST_SEAT_EDGE = (SEAT_EDGE.name, ORDINALS[0])
"""The estimand and the name of what the first seat wins beyond a fair share."""
SEAT_WORDS = {
    Verdict.MATTERS: ("No, it costs games", "Yes"),
    Verdict.CLOSE: ("No, it costs a little", "A little"),
    Verdict.ALIKE: ("No", "No"),
}


def _seat_answer(page: PageGames, situation: Situation) -> Answers:
    """The answer on the first seat."""
    number = _number_at(page, *FIRST_SEAT_EDGE)
    first = number(situation)
    if first is None:
        return
    share = 1 / situation.players
    won = _shifted_estimate(first, share)
    text = f"Going first wins {games_of_100(won)}; a fair share is {100 * share:.3g}."
    if (first.value or 0.0) > 0 and verdict_on(first) is Verdict.MATTERS:
        text += head_start_hint(page, situation)
    yield _answer_with_levels(
        *(page, situation, "seat", "Does going first help?"),
        lambda level: _effect_finding(
            number(level), margin_of(*FIRST_SEAT_EDGE, level.players), SEAT_WORDS
        ),
        text,
    )


def head_start_hint(page: PageGames, situation: Situation) -> str:
    """A sentence on the head start that makes the first seat fair; "" if none is known.

    It is known for the populations that the bundled sweep of house rules plays.
    """
    seats = HEAD_START.estimates(situation, page.rules[situation.rule_set])
    if seats is None:
        return ""
    first = seats.estimates()[0]
    if verdict_on(first) is not Verdict.ALIKE:
        return ""
    rules = load_rules(situation.edition, HEAD_START.rules)
    start = map(str, rules.numbers("start_prestige")[: situation.players])
    return f" Begin with {word_list(start)} {rules.words.prestige} in order of play and it is fair."


def _shifted_estimate(number: Estimate, shift: float) -> Estimate:
    """The estimate with `shift` added to its value and to both ends of its interval."""
    value, low, high = ((end or 0.0) + shift for end in (number.value, number.low, number.high))
    return replace(number, value=value, low=low, high=high)


LEADER_WORDS = {
    Verdict.MATTERS: ("No, others catch up", "Yes"),
    Verdict.CLOSE: ("No", "A little"),
    Verdict.ALIKE: ("No", "No"),
}
LEADER_ENDINGS = {
    "Yes": "more than the points ahead are worth",
    "A little": "a little more than the points ahead are worth",
    "No": "no more than the points ahead are worth",
    "No, others catch up": "less than the points ahead are worth",
}


def _leader_answer(page: PageGames, situation: Situation) -> Answers:
    """The answer on the player who leads before the last age."""
    table = page.number_table
    beyond = _number_at(page, *[game_shape.LEADER_ADVANTAGE.name] * 2)
    chance = table.number(situation, *[game_shape.LEADER_SHUFFLED.name] * 2)
    advantage = beyond(situation)
    if advantage is None or chance is None:
        return
    won = _shifted_estimate(advantage, chance.value or 0.0)

    def finding_at(level: Situation) -> Finding | None:
        return _effect_finding(beyond(level), margins.LEADER.size, LEADER_WORDS)

    finding = finding_at(situation)
    lottery = f"and in a lottery {hundredths(chance)}"
    end = LEADER_ENDINGS.get(finding.word, lottery) if finding else lottery
    yield _answer_with_levels(
        *(page, situation, "leader", "Do leaders run away?", finding_at),
        f"Whoever leads before the last age wins {games_of_100(won)}, {end}.",
    )


COMEBACK_WORDS = ("Hardly ever", "Rarely", "At times", "Often")
COMEBACK_LIMITS = (0.1, 0.25, 0.5)
"""The lowest win rate for each word but the first, in fair shares."""


def _comeback_answer(page: PageGames, situation: Situation) -> Answers:
    """The answer on players who are far behind before the last age."""
    number = _number_at(page, game_shape.GAME_SHAPE.name, "comeback")
    rate = number(situation)
    if rate is None:
        return

    def finding_at(level: Situation) -> Finding | None:
        share = number(level)
        if share is None:
            return None
        word = COMEBACK_WORDS[bisect(COMEBACK_LIMITS, (share.value or 0.0) * level.players)]
        return _size_finding(share, margins.FROM_BEHIND.size, word)

    yield _answer_with_levels(
        *(page, situation, "comeback", "Can one come back?", finding_at),
        f"Whoever is {FAR_BEHIND} or more points behind before the last age wins "
        f"{games_of_100(rate)}.",
    )


MEAN_TURNS = (game_shape.GAME_SHAPE.name, "turns")
"""The estimand and the name of the mean length of a game."""


def _length_answer(page: PageGames, situation: Situation) -> Answers:
    """The answer on the turns of a game."""
    number = _number_at(page, *MEAN_TURNS)
    turns = number(situation)
    if turns is None:
        return

    def finding_at(level: Situation) -> Finding | None:
        mean = number(level)
        if mean is None:
            return None
        unit = " turns" if level == situation else ""
        return _size_finding(mean, margins.LENGTH.size, f"{mean.value:.0f}{unit}")

    ends = page.turn_range(situation)
    text = f"Nine of ten games take {ends[0]:.0f} to {ends[1]:.0f}." if ends else ""
    yield _answer_with_levels(page, situation, "length", "How long is a game?", finding_at, text)


def _size_finding(number: Estimate, margin: float, word: str) -> Finding:
    """The finding on a number without a natural zero: `word` if its interval is narrow enough."""
    known = number.half_width is not None and number.half_width <= margin
    verdict = Verdict.MATTERS if known else Verdict.OPEN
    return Finding(word if known else TOO_FEW_GAMES, verdict, number, margin)


def _balance_answer(page: PageGames, situation: Situation) -> Answers:
    """The answers that compare two situations by how far the clans lie apart in worth."""
    for key, question, sides, words in comparison_questions(page, situation):
        compared = compare_clan_spreads(page, sides)
        if compared is None:
            continue
        finding_at = partial(_comparison_finding, page, sides, words)
        but = disagreement(compared, measure_changes(page, sides), words)
        text = words.sentence(compared, situation.players, but)
        answer = _answer_with_levels(page, situation, key, question, finding_at, text)
        if key == "modes":
            lengths = [page.number_table.number(side, *MEAN_TURNS) for side in sides]
            answer = with_game_length(answer, *lengths)
        yield answer


def _comparison_finding(
    page: PageGames, sides: Sides, words: ComparisonWords, level: Situation
) -> Finding | None:
    """The finding of a comparison if the population of `level` plays both sides."""
    first, second = (side._replace(population=level.population) for side in sides)
    known = {first, second} <= set(page.situations)
    compared = compare_clan_spreads(page, (first, second)) if known else None
    if compared is None:
        return None
    word = words.answer(compared)
    return Finding(word, compared.verdict, compared.difference, compared.margin)
