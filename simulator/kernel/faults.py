"""Faults: the reasons for which a game stops, usually that an answer is not a legal move."""

from __future__ import annotations

NO_FAULT, NO_ANSWER, HAND_FULL, NOT_IN_POOL, NOT_IN_HAND, EMPTY_PARTY, WILD_LEADER = range(7)
LEADER_NOT_IN_PARTY, MIXED_PARTY, REGION_NOT_OPEN, TOKEN_NOT_OPEN, KEPT_TOO_MANY = range(7, 12)
MUST_CHOOSE, WRONG_KIND, NOT_OFFERED, LEADER_NOT_UP, RESTRICTED_LEADER = range(12, 17)
PARTY_TOO_LARGE, NOT_AN_OPTION, POWER_FAILED = range(17, 20)

SENTENCES = {
    NO_ANSWER: "gave no answer",
    HAND_FULL: "recruited with a full hand",
    NOT_IN_POOL: "recruited a card that is not in the pool",
    NOT_IN_HAND: "used cards that are not in its hand",
    EMPTY_PARTY: "played a party without cards",
    WILD_LEADER: "let a wild card lead",
    LEADER_NOT_IN_PARTY: "named a leader that is not in the party",
    PARTY_TOO_LARGE: "played a party of more cards than the rules allow",
    MIXED_PARTY: "played a party that is neither of one clan nor of one color",
    REGION_NOT_OPEN: "chose a region that is not open to the marker",
    TOKEN_NOT_OPEN: "chose a tie-break token that is taken or too high for the party",
    KEPT_TOO_MANY: "kept more cards than the rules allow",
    MUST_CHOOSE: "declined where a choice must be made",
    NOT_OFFERED: "gave Bruno, or took from him, a card that is not on offer",
    LEADER_NOT_UP: "chose a leader for Bruno that lies face down",
    RESTRICTED_LEADER: "led with a clan that its restriction forbids",
    NOT_AN_OPTION: "chose an option that the asking power does not offer",
    POWER_FAILED: "played in a game in which a custom power raised an exception",
    WRONG_KIND: "gave an answer of a kind that the question does not allow",
}
