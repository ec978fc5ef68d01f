"""The scripted player: one compiled strategy that reads its answers from an array of numbers.

The array's address stands in the seat's first parameter (addresses have 48 bits, which a float64
holds exactly), so every seat has a script of its own. A question that the next answer does not fit
is not answered, which stops the game; the array then tells which question it was.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from inside import module_with
from inside.simulator import MOVE, VIEW, compile_callback, copies, difference, lowest, tool, union
from llvmlite import ir
from numba import carray, types
from numba.extending import intrinsic

from ethnos_sim.simulator import (
    BRUNO_CARD,
    BRUNO_LEADER,
    BRUNO_RELEASE,
    BRUNO_STEAL,
    CARDS,
    CHOICE,
    DECISIONS,
    DECLINE,
    EMPTY_BOARD,
    FROM_DECK,
    FROM_POOL,
    NONE,
    PARTY,
    REGIONS,
    SETTLE,
    TOKEN,
    TURN,
    UNANSWERED,
    Seat,
)
from kit.answers import PASS, REFILL, Answer

OWN = module_with("simulator", "OWN_DTYPE").OWN

#: A script's array: a head (`ASKED` is the question that no answer fitted), then one row an answer.
POSITION, ASKED, KNOWN_AGES, HEAD = 0, 1, 2, 8
QUESTION, KIND, CHOICE_AT, LEADER, COUNT, BARE, ONCE, TWICE, CARD = 0, 1, 2, 3, 4, 5, 6, 7, 8
WIDTH = 24

#: The row that draws from the deck until an age (its `CHOICE_AT`) ends.
DRAW_ON = -1


@intrinsic
def _pointer(typing_context, address):
    """The pointer with this address."""

    def generate(context, builder, signature, arguments):
        return builder.inttoptr(arguments[0], ir.IntType(8).as_pointer())

    return types.voidptr(types.int64), generate


@tool
def _answer_for_bruno(view, move, question):
    """What a script that says nothing of Bruno answers: the first choice, and no stolen card."""
    move.kind = DECLINE if question == BRUNO_STEAL else CHOICE
    among_cards = question in (BRUNO_CARD, BRUNO_RELEASE)
    move.choice = lowest(view.offered_once if among_cards else view.options)


def _answer(view, move, own):
    """Answer the question with the script's next row, or note why that cannot be."""
    address, size = np.int64(own.parameters[0]), np.int64(own.parameters[1])
    script = carray(_pointer(address), size, np.int64)
    move.kind = UNANSWERED
    question = np.int64(view.decision)
    if question == EMPTY_BOARD and view.age > script[KNOWN_AGES]:
        move.kind = DECLINE
        return
    row = HEAD + script[POSITION] * WIDTH
    while script[row + QUESTION] == DRAW_ON:
        if script[row + CHOICE_AT] == view.age and question != EMPTY_BOARD:
            break
        script[POSITION] += 1
        row += WIDTH
    if question >= BRUNO_CARD and script[row + QUESTION] != question:
        _answer_for_bruno(view, move, question)
        return
    has_room = view.hand_cards[view.player] < view.rules.hand_limit
    if script[row + QUESTION] == DRAW_ON and question == TURN and has_room:
        move.kind = FROM_DECK
        return
    if script[row + QUESTION] != question:
        script[ASKED] = question
        return
    script[POSITION] += 1
    move.kind = script[row + KIND]
    move.choice = script[row + CHOICE_AT]
    move.leader = script[row + LEADER]
    if script[row + BARE]:
        move.once = np.uint64(script[row + ONCE])
        move.twice = np.uint64(script[row + TWICE])
        return
    if question == SETTLE and move.kind == CHOICE:
        move.choice = lowest(view.options)
    if question == TOKEN and move.kind == CHOICE:
        tokens = view.rules.tie_break_tokens[view.asking_slot]
        while (
            not (view.options >> np.uint64(move.choice)) & np.uint64(1)
            and move.choice + 1 < len(tokens)
            and tokens[move.choice + 1] == tokens[move.choice]
        ):
            move.choice += 1
    if move.kind == FROM_POOL and not copies(view.pool_once, view.pool_twice, move.choice):
        move.choice = script[row + CARD]
    if move.kind == PARTY or move.kind == CARDS:
        left_once, left_twice = view.hand_once, view.hand_twice
        once, twice = np.uint64(0), np.uint64(0)
        for i in range(script[row + COUNT]):
            card = script[row + CARD + i]
            twin = card + REGIONS
            has_twin = twin < REGIONS * view.slots and (
                view.power[card // REGIONS] == view.power[twin // REGIONS]
            )
            if has_twin and not copies(left_once, left_twice, card):
                card = twin
            plane = np.uint64(1) << np.uint64(card)
            if i == 0 and script[row + LEADER] == script[row + CARD]:
                move.leader = card
            once, twice = union(once, twice, plane, np.uint64(0))
            left_once, left_twice = difference(left_once, left_twice, plane, np.uint64(0))
        move.once = once
        move.twice = twice


@functools.cache
def scripted() -> Any:
    """The compiled player."""
    return compile_callback("scripted", types.void(VIEW, MOVE, OWN), _answer)


class Script:
    """A player's answers for a whole game, as the compiled player reads them."""

    def __init__(
        self,
        ages: Sequence[Sequence[Answer]],
        known_ages: int,
        numbers: Mapping[str, Sequence[int]],
        table_values: Mapping[str, Any],
    ) -> None:
        """Write the script; after `known_ages` no board is emptied, whatever the script says."""
        self.answers: list[Answer | None] = []
        drawing_rows: dict[int, int] = {}
        for age, answers in enumerate(ages, 1):
            asked = [answer for answer in answers if answer.question not in (PASS, REFILL)]
            turns = [answer for answer in asked if answer.question != EMPTY_BOARD]
            drawing_rows[len(self.answers) + len(turns)] = age
            self.answers += [*turns, None]
            self.answers += [answer for answer in asked if answer.question == EMPTY_BOARD]
        self.array = np.zeros(HEAD + (len(self.answers) + 1) * WIDTH, np.int64)
        self.array[KNOWN_AGES] = known_ages
        for i, answer in enumerate(self.answers):
            row = self.array[HEAD + i * WIDTH : HEAD + (i + 1) * WIDTH]
            if answer is None:
                row[QUESTION], row[CHOICE_AT] = DRAW_ON, drawing_rows[i]
            else:
                self._write(row, answer, numbers, table_values)
        self.array[-WIDTH + QUESTION] = len(DECISIONS)

    @staticmethod
    def _write(row: np.ndarray, answer: Answer, numbers: Any, table_values: Any) -> None:
        """One answer as numbers; the leader comes first among its cards."""
        row[QUESTION], row[KIND], row[LEADER] = answer.question, answer.kind, -1
        cards = list(answer.cards)
        if answer.leader is not None:
            row[LEADER] = numbers[answer.leader][0]
            if answer.leader in cards:
                cards.remove(answer.leader)
                cards.insert(0, answer.leader)
        row[COUNT] = len(cards)
        for i, card in enumerate(cards):
            row[CARD + i] = numbers[card][0]
        if answer.kind == FROM_POOL and isinstance(answer.choice, str):
            row[CHOICE_AT], row[CARD] = numbers[answer.choice][0], numbers[answer.choice][-1]
        elif isinstance(answer.choice, int):
            tokens = table_values["tokens"]
            named = answer.planes is None and answer.choice in tokens
            row[CHOICE_AT] = tokens.index(answer.choice) if named else answer.choice
        elif answer.question in (BRUNO_CARD, BRUNO_RELEASE):
            row[CHOICE_AT] = numbers[answer.choice][0]
        elif answer.question == BRUNO_LEADER:
            row[CHOICE_AT] = table_values["clans"].index(answer.choice)
        elif isinstance(answer.choice, str):
            row[CHOICE_AT] = table_values["colors"].get(answer.choice, 0)
        if answer.planes is not None:
            row[BARE], row[ONCE], row[TWICE] = 1, *answer.planes

    def seat(self, name: str) -> Seat:
        """The player for the kernel, at the beginning of its script."""
        self.array[[POSITION, ASKED]] = 0, NONE
        address = scripted().address
        hooks = (1 << len(DECISIONS)) - 1
        return Seat(name, address, address, hooks, (float(self.array.ctypes.data), self.array.size))

    def problem(self) -> str | None:
        """Why the script could not answer, or None."""
        position = int(self.array[POSITION])
        following = self.answers[position] if position < len(self.answers) else None
        if self.array[ASKED] == NONE:
            return None
        asked = DECISIONS[int(self.array[ASKED])]
        waiting = "is over" if following is None else f"goes on with {following.text}"
        return f"is asked '{asked}', but its script {waiting} (answer {position})"

    def left_over(self) -> list[str]:
        """The answers that were never asked for."""
        position = int(self.array[POSITION])
        return [answer.text for answer in self.answers[position:] if answer is not None]
