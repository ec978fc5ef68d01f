"""The scripted player: one compiled strategy that reads its answers from an array of numbers.

The seat's first parameter holds the array's address (addresses have 48 bits, which a float64 holds
exactly), so every seat has its own script. If the next answer does not fit the question, the player
gives no answer, which stops the game, and the array records the question.
"""

import functools
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from inside import module_with
from inside.simulator.compiler import compile_callback, tool
from inside.simulator.game import (
    BRUNO_CARD,
    BRUNO_RELEASE,
    BRUNO_STEAL,
    CHOICE,
    DECLINE,
    EMPTY_BOARD,
    FROM_DECK,
    MOVE,
    TURN,
    UNANSWERED,
    VIEW,
    lowest,
)
from llvmlite import ir
from numba import carray, types
from numba.extending import intrinsic

from ethnos_sim.simulator import DECISIONS, NONE, Seat
from kit.answers import PASS, REFILL, Answer

OWN = module_with("simulator.game", "OWN_DTYPE").OWN

#: The places in the head of a script's array. `ASKED` is the question that no answer fits, and
#: HEAD is the size of the head.
POSITION, ASKED, KNOWN_AGES, HEAD = 0, 1, 2, 8
#: The places in a row of the array, and the size of a row. Each answer has one row.
QUESTION, KIND, CHOICE_AT, LEADER, ONCE, TWICE, WIDTH = 0, 1, 2, 3, 4, 5, 6

#: A row that draws from the deck until an age (its `CHOICE_AT`) ends.
DRAW_ON = -1

#: Chooses the leader's space on the settlement board, whichever it is.
LEADERS_SPACE = -2


@intrinsic
def _pointer(typing_context, address):
    """The pointer with this address."""

    def generate(context, builder, signature, arguments):
        return builder.inttoptr(arguments[0], ir.IntType(8).as_pointer())

    return types.voidptr(types.int64), generate


@tool
def _answer_for_bruno(view, move, question):
    """Answer a question about Bruno by default: the first choice, and no stolen card."""
    move.kind = DECLINE if question == BRUNO_STEAL else CHOICE
    among_cards = question in (BRUNO_CARD, BRUNO_RELEASE)
    move.choice = lowest(view.offered_once if among_cards else view.options)


def _answer(view, move, own):
    """Answer the question by the script's next row, or record why that is impossible."""
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
    move.once = np.uint64(script[row + ONCE])
    move.twice = np.uint64(script[row + TWICE])
    if move.choice == LEADERS_SPACE:
        move.choice = lowest(view.options)


@functools.cache
def scripted() -> Any:
    """Compile the player."""
    return compile_callback("scripted", types.void(VIEW, MOVE, OWN), _answer)


class Script:
    """A player's answers for a whole game, as numbers for the compiled player."""

    def __init__(
        self,
        ages: Sequence[Sequence[Answer]],
        known_ages: int,
        numbers: Mapping[str | int, int],
    ) -> None:
        """Write the script, with the numbers of everything that it may name.

        After age `known_ages` no board is emptied, whatever the script says.
        """
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
                self._write(row, answer, numbers)
        self.array[-WIDTH + QUESTION] = len(DECISIONS)

    @staticmethod
    def _write(row: np.ndarray, answer: Answer, numbers: Mapping[str | int, int]) -> None:
        """Write an answer as numbers; an answer made by `raw` consists of numbers already."""
        cards = Counter(numbers[card] for card in answer.cards)
        once = sum(1 << card for card in cards)
        twice = sum(1 << card for card, copies in cards.items() if copies > 1)
        row[QUESTION], row[KIND] = answer.question, answer.kind
        row[LEADER] = NONE if answer.leader is None else numbers[answer.leader]
        row[ONCE], row[TWICE] = answer.planes or (once, twice)
        bare = answer.planes is not None or answer.choice is None
        row[CHOICE_AT] = answer.choice or 0 if bare else numbers.get(answer.choice, answer.choice)

    def seat(self, name: str) -> Seat:
        """Go back to the beginning of the script, and return the kernel's seat for the player."""
        self.array[[POSITION, ASKED]] = 0, NONE
        address = scripted().address
        hooks = (1 << len(DECISIONS)) - 1
        return Seat(name, address, address, hooks, (float(self.array.ctypes.data), self.array.size))

    def problem(self) -> str | None:
        """The reason why the script could not answer, or None."""
        position = int(self.array[POSITION])
        following = self.answers[position] if position < len(self.answers) else None
        if self.array[ASKED] == NONE:
            return None
        asked = DECISIONS[int(self.array[ASKED])]
        waiting = "is over" if following is None else f"goes on with {following.text}"
        return f"is asked '{asked}', but its script {waiting} (answer {position})"

    def left_over(self) -> list[str]:
        """The answers that no question asked for."""
        position = int(self.array[POSITION])
        return [answer.text for answer in self.answers[position:] if answer is not None]
